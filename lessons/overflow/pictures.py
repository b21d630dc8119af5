"""The page's two pictures: one exponential on the formats' ranges, and one sum in four orders."""

from math import exp, isinf

from lessons.card import overflow
from lessons.card.written import figure, power_of_ten
from lessons.overflow import sums
from lessons.views.chart.layout import Scale
from lessons.views.numbers import exact
from lessons.views.yardstick import Knob, Mark, Part, Row, Yardstick
from simulator.problem import dtype

SCORES = tuple(range(-100, 101))
MANY = tuple(2**power for power in range(6, 15))
ENDS = (-46, 44)                        # powers of ten on the scale


def ranges(view, settings, until=None) -> Yardstick:
    """e^score on the range of every format; the knob ends at `until`."""
    stops = [score for score in SCORES if until is None or score <= until]
    score = min(settings.push, stops[-1])
    rows = tuple(_range(view, name, score) for name in sums.FORMATS)
    words = view.label("overflow.summary", score=figure(score), exact=figure(exp(score), 2))
    return Yardstick(
        rows=rows, lang=view.lang, present=view.present,
        summary=f"{words} {'; '.join(f'{row.name}: {row.number}' for row in rows)}",
        ticks=tuple((_place(10.0**power), power_of_ten(power)) for power in range(-40, 41, 10)),
        marks=(Mark(_place(exp(score)),
                    view.label("overflow.mark", score=figure(score), exact=figure(exp(score), 2))),),
        knob=Knob(view.label("overflow.score"), stops.index(score), tuple(map(figure, stops)),
                  view.label("overflow.locked") if until is not None else ""),
        caption=view.label("overflow.caption_ranges", badges=view.badges("", "computed")))


def orders(view, settings) -> Yardstick:
    """l of one high score and many low ones, added in four ways."""
    found, exact_l = sums.summed(settings.n, settings.dtype), sums.exact_sum(settings.n)
    place = Scale("linear", 0, 1.12 * max(exact_l, *found.values()), ()).place
    rows = tuple(_order(view, name, value, place, settings) for name, value in found.items())
    exactly = view.label("overflow.exact", exact=figure(exact_l))
    return Yardstick(
        rows=rows, lang=view.lang, present=view.present, marks=(Mark(place(exact_l), exactly),),
        summary=f"{exactly} {'; '.join(f'{row.name}: {row.number}' for row in rows)}",
        knob=Knob(view.label("overflow.many", score=figure(sums.OTHERS)), MANY.index(settings.n),
                  tuple(map(exact, MANY))),
        caption=view.label("overflow.caption_orders", badges=view.badges("", "computed")))


def _place(number):
    return Scale("log10", 10.0 ** ENDS[0], 10.0 ** ENDS[1], ()).place(number)


def _range(view, name, score):
    """A format's range as a bar, e^score as a dot on it, and what the format holds of it."""
    kind = dtype(name)
    held, largest = overflow.exponential(score, kind), overflow.largest(kind)
    lost = isinf(held) or held == 0 or exp(score) > largest
    note = view.label("overflow.note", bytes=kind.bytes, digits=f"{sums.digits(name):.0f}",
                      largest=figure(largest, 2))
    stuck = view.label("overflow.stuck", largest=figure(held)) if held == largest else figure(held, 2)
    bar = Part(_place(overflow.smallest(kind)), _place(largest), "P")
    return Row(name, (bar,), stuck, note, _place(exp(score)), lost)


def _order(view, name, value, place, settings):
    """One way of adding: the bar is the sum; float32's wears the card's colour, which is kept in it."""
    dtype_name, role = ("fp32", "card") if name == "fp32" else (settings.dtype, "P")
    share = view.label("overflow.share", share=f"{100 / value:.1f}\u00a0%", dtype=dtype_name)
    return Row(view.label(f"overflow.order_{name}", piece=sums.PIECE), (Part(0.0, place(value), role),), figure(value),
               share)
