"""The picture of the page: the table in true proportion to what could hold it, and its bytes on a scale of tens."""

from math import ceil, log10

from lessons.table import facts
from lessons.views.chart.layout import Scale
from lessons.views.numbers import exact, short
from lessons.views.yardstick import Knob, Mark, Part, Row, Side, Square, Yardstick
from simulator import gpu

STOPS = (*range(2, 17), *(2**power * quarter // 4 for power in range(4, 20) for quarter in range(5, 9)))
LEAST_TOP = 13                          # the scale ends at ten to this many bytes, or later


def stops(n: int, until: int | None = None) -> tuple[int, ...]:
    """The knob's stops, n among them, up to `until` people."""
    return tuple(stop for stop in sorted({*STOPS, n}) if until is None or stop <= until)


def picture(view, settings, until=None, alone=True) -> Yardstick:
    """The table of settings.n; the knob ends at `until` people, and `alone` leaves out P and the other heads."""
    spec = gpu(settings.gpu)
    turns = stops(settings.n, until)
    words = _words(view, settings, spec)
    rows, marks, ticks = _scale(view, settings, spec, alone)
    return Yardstick(
        rows=rows, marks=marks, ticks=ticks, lang=view.lang, present=view.present,
        summary=f"{words} {'; '.join(f'{row.name}: {row.number}' for row in rows)}",
        knob=Knob(view.label("table.people"), turns.index(settings.n), tuple(map(exact, turns)),
                  view.label("table.locked") if until else ""),
        square=Square(settings.n, "S", view.label("table.this", n=exact(settings.n)),
                      _sides(view, settings, spec, alone), words),
        caption=view.label("table.caption", gpu=spec.name, dtype=settings.dtype, badges=view.badges("", "computed")))


def _words(view, settings, spec):
    """What is seen, in one or two sentences."""
    size = facts.one_table(settings.n, settings.dtype)
    name = facts.holder(settings.n, settings.dtype, spec)
    desk = facts.capacities(spec)["desk"]
    return view.label(f"table.held_{name or 'nowhere'}", n=exact(settings.n), cells=exact(settings.n**2),
                      size=exact(size, "B"), part=f"{100 * desk / size:.2g}\u00a0%")


def _sides(view, settings, spec, alone):
    """What could hold the table, each as a square of as many cells as it has room for.

    Beside the table `alone` a place is only named, for how many people it takes is asked first; on the projector, where
    nothing is asked, it is told once the table has passed.
    """
    def words(name, most):
        told = not alone and (settings.n > most or not view.present)
        return view.label(f"table.square_{name}" if told else f"table.in_{name}", n=exact(most))

    width = facts.cell(settings.dtype)
    return tuple(Side(name, (size / width) ** 0.5, words(name, facts.most_people(size, settings.dtype)))
                 for name, size in facts.capacities(spec).items())


def _scale(view, settings, spec, alone):
    """Rows, marks and ticks in bytes, each step ten times the one before."""
    table, everything = facts.one_table(settings.n, settings.dtype), facts.all_tables(settings)
    top = max(LEAST_TOP, ceil(log10(everything)) + 1)
    place = Scale("log10", 1, 10.0**top, ()).place
    rows = [_row(view, "S", table, place, role="S")]
    if not alone:
        counts = {name: exact(getattr(settings, name)) for name in ("layers", "heads", "batch")}
        rows += [_row(view, "P", table, place, role="P"),
                 _row(view, "all", everything, place, role="standard", **counts)]
    marks = tuple(Mark(place(size), view.label(f"table.mark_{name}", size=short(size, "B")))
                  for name, size in facts.capacities(spec).items())
    ticks = tuple((place(10.0**power), short(10.0**power, "B")) for power in range(0, top + 1, 3))
    return tuple(rows), marks, ticks


def _row(view, name, size, place, role, **values):
    return Row(view.label(f"table.row_{name}"), (Part(0.0, place(size), role, name if name != "all" else ""),),
               short(size, "B"), view.label(f"table.note_{name}", **values))
