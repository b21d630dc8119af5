"""The page's two pictures: a memory that fills, slot by slot, and slots through time."""

from lessons.neighbours import facts
from lessons.views.numbers import exact
from lessons.views.yardstick import Cells, Knob, Row, Yardstick

WIDE = 64                               # slots in a line of a memory of long reservations
ROLE = {"contiguous": "standard", "paged": "flash1", "static": "standard", "continuous": "flash1"}


def letter(request: int) -> str:
    """The letter of a request: A for the first."""
    return chr(ord("A") + request)


def last_step(settings) -> int:
    """Steps until both ways have finished all requests, in the settings' scene."""
    ask = facts.asked(settings)
    if settings.scene == "slots":
        return max(one.steps for one in facts.timelines(ask).values())
    return max(len(one.steps) for one in facts.memories(ask).values())


def memory(view, settings) -> Yardstick:
    """The same memory after some steps, by reservations and by pages."""
    ask, step = facts.asked(settings), _step(settings)
    rows = tuple(_memory(view, name, kept.at(step), ask) for name, kept in facts.memories(ask).items())
    return _picture(view, settings, rows, step, view.label(
        "neighbours.memory_caption", requests=ask.requests, room=exact(ask.room), longest=ask.longest, page=ask.page,
        seed=ask.seed, badges=view.badges("", "counted")))


def _memory(view, name, memory, ask):
    """A row of slots: solid with a token, dashed when kept and unused, pale when free."""
    looks, signs = ["."] * memory.room, [""] * memory.room
    for span in memory.spans:
        for k in range(span.start, span.start + span.size):
            looks[k], signs[k] = "#" if k < span.start + span.used else "-", letter(span.request)
    held = memory.used + memory.reserved
    share = f"{100 * memory.used / held:.0f}\u00a0%" if held else "—"
    note = view.label("neighbours.memory_note", requests=memory.requests, used=exact(memory.used),
                      reserved=exact(memory.reserved), free=exact(memory.free))
    gap = ask.page if name == "paged" else ask.longest
    columns = WIDE if ask.longest > WIDE else WIDE // 2
    return Row(view.label(f"neighbours.way_{name}", page=ask.page, longest=ask.longest), number=share, note=note,
               cells=Cells("".join(looks), ",".join(signs), columns, ROLE[name], min(gap, columns)))


def slots(view, settings) -> Yardstick:
    """The slots step by step, in whole batches and without them."""
    ask, step = facts.asked(settings), _step(settings)
    steps = last_step(settings)
    rows = tuple(_slots(view, name, timeline, step, steps) for name, timeline in facts.timelines(ask).items())
    return _picture(view, settings, rows, step, view.label(
        "neighbours.slots_caption", requests=ask.requests, slots=ask.slots, longest=ask.longest // 4, seed=ask.seed,
        badges=view.badges("", "counted")))


def _slots(view, name, timeline, step, steps):
    """A line for each slot, a column for each step so far: solid where a token is written, dashed where none is."""
    lanes = facts.cells(timeline, steps)
    past = [min(step, timeline.steps)] * timeline.slots
    looks = "".join(_look(request, k, now) for lane, now in zip(lanes, past, strict=True)
                    for k, request in enumerate(lane))
    signs = ",".join(letter(request) if request is not None and k < step else ""
                     for lane in lanes for k, request in enumerate(lane))
    so_far = min(step, timeline.steps)
    idle = timeline.slots * so_far - timeline.busy_by(so_far)
    note = view.label("neighbours.slots_note", done=exact(timeline.finished(step)), steps=exact(so_far))
    return Row(view.label(f"neighbours.way_{name}"), number=view.label("neighbours.idle_cells", idle=exact(idle)),
               note=note, cells=Cells(looks, signs, steps, ROLE[name]))


def _look(request, k, now):
    return "." if k >= now else "-" if request is None else "#"


def _step(settings):
    return min(max(settings.tick, 1), last_step(settings))


def _picture(view, settings, rows, step, caption):
    stops = tuple(map(exact, range(1, last_step(settings) + 1)))
    return Yardstick(rows=rows, lang=view.lang, present=view.present, caption=caption,
                     knob=Knob(view.label("neighbours.steps"), step - 1, stops),
                     summary="; ".join(f"{row.name}: {row.number}, {row.note}" for row in rows))
