"""The bytes of the table over the number of people, as a chart to take along."""

from dataclasses import replace

from lessons.sweeps import today
from lessons.table import facts
from lessons.views.chart import Axis, Chart, Mark, Series
from lessons.views.numbers import short
from simulator import gpu

LENGTHS = tuple(2**power for power in range(3, 21))


def chart(view, settings) -> Chart:
    """One table, and every S and P of the settings' layers, heads and texts, past what the GPU's places hold."""
    spec, dtype = gpu(settings.gpu), settings.dtype
    one = tuple(facts.one_table(n, dtype) for n in LENGTHS)
    everything = tuple(facts.all_tables(replace(settings, n=n)) for n in LENGTHS)
    counts = {name: getattr(settings, name) for name in ("layers", "heads", "batch")}
    computed = view.label("tag.computed")
    told = {"tag": "computed", "note": computed}
    return Chart(
        title=view.label("table.chart"), x=Axis(view.label("table.people"), "", "log2"),
        y=Axis(view.label("table.bytes"), "B", "log10"), xs=LENGTHS,
        series=(Series("one", view.label("table.row_S"), one, "S", **told),
                Series("all", view.label("table.row_all"), everything, "standard", "dashed", "square", **told)),
        marks=tuple(Mark("y", size, view.label(f"table.mark_{name}", size=short(size, "B")))
                    for name, size in facts.capacities(spec).items()),
        caption=(f"{spec.name} · {dtype}", view.label("table.note_all", **counts), computed, today()),
        link=view.link, lang=view.lang, file=f"table-{spec.key}-{dtype}-{'x'.join(map(str, counts.values()))}")
