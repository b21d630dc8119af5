"""The page's pictures beside the stage: bills of reads, shares with zeros behind the keys, shares with stand-ins."""

from math import inf

from lessons.card.written import figure
from lessons.masks import facts, holes
from lessons.views.chart.layout import Scale
from lessons.views.numbers import exact, short
from lessons.views.yardstick import Knob, Part, Row, Yardstick
from simulator import gpu

PADS = tuple(range(9))
LEVELS = (0, -2_000, -5_000, -9_000, -11_000, -20_000, -40_000, -65_000, -66_000, -100_000, -150_000, -200_000,
          -245_000)


RULERS = {"desk": ("Q", "full", "computed"), "cabinet": ("card", "striped", "modelled")}    # role, look and tag


def bills(view, plain, other, name, rulers=tuple(RULERS)) -> Yardstick:
    """Reads of two problems on one scale, by the desk ruler and by the cabinet's; `name` is the other's label."""
    found = [(ruler, label, getattr(facts.bill(problem), ruler)) for ruler in rulers
             for label, problem in (("plain", plain), (name, other))]
    place = Scale("linear", 0, 1.02 * max(size for *_, size in found), ()).place
    rows = tuple(_bill(view, ruler, name, size, place(size)) for ruler, name, size in found)
    return Yardstick(rows=rows, lang=view.lang, caption=_bill_caption(view, plain, rulers),
                     summary="; ".join(f"{row.name}, {row.note}: {row.number}" for row in rows))


def _bill(view, ruler, name, size, share):
    role, look, _ = RULERS[ruler]
    return Row(view.label(f"masks.read_{ruler}"), (Part(0.0, share, role, look=look),), short(size, "B"),
               view.label(f"masks.{name}"))


def _bill_caption(view, problem, rulers):
    badges = " · ".join(view.badges(ruler, RULERS[ruler][2]) for ruler in rulers)
    return view.label("masks.caption_bills", gpu=gpu(facts.GPU).name, n=exact(problem.n), d=problem.d,
                      heads=problem.heads, rows=facts.ROWS, dtype=problem.dtype, badges=badges)


def pads(view, settings) -> Yardstick:
    """The shares of two keys: alone, with zeros appended and counted, with zeros appended and kept out."""
    many = settings.pads
    cases = (("alone", holes.shares(2, 0)), ("counted", holes.shares(2 + many, many)), ("out", holes.shares(2, many)))
    rows = tuple(_shares(view, name, shares, many) for name, shares in cases)
    return Yardstick(rows=rows, lang=view.lang, summary="; ".join(f"{row.name}: {row.number}" for row in rows),
                     knob=Knob(view.label("masks.pads"), PADS.index(many), tuple(map(exact, PADS))),
                     caption=view.label("masks.caption_pads", badges=view.badges("", "counted")))


def _shares(view, name, shares, many):
    """Two keys' shares as parts of one bar, and what is missing of the whole."""
    first, second = shares
    parts = [Part(0.0, first, "K", _percent(first)), Part(first, first + second, "V", _percent(second))]
    lost = 1 - first - second
    if lost > 1e-6:                     # float32
        parts.append(Part(first + second, 1.0, "Z", _percent(lost), "striped"))
    return Row(view.label(f"masks.pads_{name}", n=many), tuple(parts),
               view.label("masks.lost", lost=_percent(max(lost, 0))), alarm=lost > 1e-6)


def stand_ins(view, settings) -> Yardstick:
    """The share of hidden people for every number written over their scores, and for the program."""
    level = nearest(settings.push)
    rows = tuple(_stand_in(view, low(fill), *holes.stand_in(fill, level)) for fill in holes.STAND_INS)
    rows += (_stand_in(view, view.label("masks.program"), *holes.program(level)),)
    return Yardstick(rows=rows, lang=view.lang, summary="; ".join(f"{row.name}: {row.number}" for row in rows),
                     knob=Knob(view.label("masks.level"), LEVELS.index(level), tuple(map(low, LEVELS))),
                     caption=view.label("masks.caption_stand", badges=view.badges("", "counted")))


def nearest(level: int) -> int:
    """The knob's stop nearest to a level of scores."""
    return min(LEVELS, key=lambda stop: abs(stop - level))


def _stand_in(view, name, share, result):
    parts = (Part(0.0, 1 - share, "V", view.label("masks.visible")),
             Part(1 - share, 1.0, "Z", view.label("masks.hidden"), "striped"))
    return Row(name, tuple(part for part in parts if part.stop - part.start > 1e-6),
               view.label("masks.result", result=figure(result)), alarm=share > 0.5)


def nobody(view) -> list:
    """Rows of a table: what is written for −∞, and the result of a row that sees nobody."""
    cases = [(low(fill), holes.alone(fill)) for fill in (*holes.STAND_INS, -inf)]
    cases.append((view.label("masks.program"), holes.program_alone()))
    return [(name, figure(result)) for name, result in cases]


def low(number: float) -> str:
    """A number far below nothing: −10,000, −1 × 10⁹, −∞."""
    return exact(number).replace("-", "−") if abs(number) < 10**6 else figure(number, 0)


def _percent(share):
    return f"{100 * share:.0f}\u00a0%"
