"""The page's pictures beside the stage: workers on the floor, bytes of two phases, operations for a byte."""

from lessons.decode import facts
from lessons.views.chart.layout import Scale
from lessons.views.numbers import exact, short
from lessons.views.yardstick import Cells, Knob, Mark, Part, Row, Yardstick
from simulator import gpu

SPLITS = tuple(2**power for power in range(9))          # 1 to 256
COLUMNS = 33                            # workers in a line
ENDS = (0.25, 8192)                     # FLOP for a byte
TENSORS = "QKVSPO"
PHASES = 4                              # rows of either picture of bytes, which share a wall


def floor(view, settings) -> Yardstick:
    """Every worker of the GPU as a cell: solid with the number of thread blocks it gets, or idle."""
    seating, spec = facts.seating(settings), gpu(settings.gpu)
    turns = seating.turns()
    cells = Cells("".join("#" if turn else "-" for turn in turns), ",".join(str(turn or "") for turn in turns),
                  COLUMNS, "split_kv")
    note = view.label("decode.floor_note", gpu=spec.name, idle=exact(seating.sms - seating.busy))
    number = f"{exact(seating.busy)} / {exact(seating.sms)}"
    return Yardstick(
        rows=(Row(view.label("decode.busy_workers"), number=number, note=note, cells=cells),), lang=view.lang,
        summary=f"{view.label('decode.busy_workers')}: {number}. {note}", present=view.present,
        knob=Knob(view.label("decode.splits"), SPLITS.index(settings.splits), tuple(map(exact, SPLITS))),
        caption=view.label("decode.floor_caption", n=exact(settings.n_kv), batch=settings.batch, heads=settings.heads,
                           kv=min(settings.kv_heads, settings.heads), badges=view.badges("", "computed")))


def bills(view) -> Yardstick:
    """Bytes of a layer by tensor, standard and tiled, in prefill and for the next word; each phase on its own scale."""
    rows = []
    for phase in ("prefill", "decode"):
        whole = facts.bill(phase, "standard").desk.total
        rows += [_bill(view, phase, way, whole) for way in ("standard", "flash2")]
    return Yardstick(
        rows=tuple(rows), lang=view.lang, present=view.present, beside=PHASES,
        summary="; ".join(f"{row.name}: {row.number}, {row.note}" for row in rows),
        caption=view.label("decode.bills_caption", model=facts.MODEL.name, n=exact(facts.LONG), tile=facts.TILE,
                           heads=facts.MODEL.heads, badges=view.badges("desk", "computed")))


def _bill(view, phase, way, whole):
    desk, start, parts = facts.bill(phase, way).desk, 0.0, []
    for tensor in TENSORS:
        if tensor in desk.by_tensor:
            stop = start + desk.by_tensor[tensor].total / whole
            parts.append(Part(start, stop, tensor, tensor))
            start = stop
    share = f"{100 * desk.total / whole:.3g}\u00a0%"
    return Row(view.label(f"decode.bill_{phase}_{way}"), tuple(parts), short(desk.total, "B"), share)


def intensities(view, settings) -> Yardstick:
    """Operations for a byte of prefill and of one word, alone and with shared heads, beside what the GPU could do."""
    spec = gpu(settings.gpu)
    rows = (_intensity(view, "prefill", "prefill", facts.MODEL.heads),
            *(_intensity(view, name, "decode", kv) for name, kv in (
                ("mha", facts.MODEL.heads), ("gqa", facts.MODEL.kept.kv_heads), ("mqa", 1))))
    balance = facts.balance(spec)
    mark = view.label("decode.balance", gpu=spec.name, balance=f"{balance:.0f}")
    return Yardstick(
        rows=rows, lang=view.lang, present=view.present, beside=PHASES, marks=(Mark(_place(balance), mark),),
        summary=f"{mark}. {'; '.join(f'{row.name}: {row.number}' for row in rows)}",
        ticks=tuple((_place(10.0**power), exact(10**power)) for power in range(4)),
        caption=view.label("decode.intensity_caption", n=exact(facts.LONG), heads=facts.MODEL.heads,
                           badges=view.badges("", "computed")))


def _intensity(view, name, phase, kv_heads):
    found = facts.intensity(facts.phase(phase, kv_heads=kv_heads))
    share = found / facts.balance(gpu(view.settings.gpu))
    note = view.label("decode.of_balance", share=f"{exact(float(f'{100 * share:.2g}'))}\u00a0%")
    return Row(view.label(f"decode.intensity_{name}", kv=kv_heads), (Part(0.0, _place(found), "S"),),
               f"{exact(round(found))} FLOP/B", note)


def _place(number):
    return Scale("log10", *ENDS, ()).place(number)
