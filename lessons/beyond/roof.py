"""The roofline: what a GPU can do at most against the work done for each byte, and both ways of attention on it."""

from functools import lru_cache

from lessons.beyond import facts
from lessons.settings import Settings
from lessons.text import label
from lessons.views.chart import Axis, Chart, Mark, Series
from lessons.views.numbers import exact, short
from lessons.views.table import table
from simulator import accounting, gpu
from simulator.ceilings import ceilings
from simulator.matmul import closed_form

GRID = tuple(2.0**k for k in range(2, 13))
SHAPES = {"cabinet": "circle", "desk": "square"}
ROOFS = {"cabinet": ("dram", "floor", "solid"), "desk": ("l2", "floor", "dashed")}


@lru_cache(maxsize=256)
def intensities(settings: Settings) -> dict:
    """{way: {ruler: FLOP for each byte}} of both ways, all kernels together."""
    return {way: _of(way, settings) for way in facts.WAYS}


def _of(way, settings):
    problem, tiling = settings.problem(), settings.tiling()
    cost, found = accounting.cost(way, problem, tiling), facts.timed(way, problem, tiling, settings.gpu)
    moved = {"paper": cost.paper.total, "desk": cost.desk.total,
             "cabinet": sum(one.dram_bytes for one in found.kernels)}
    return {ruler: cost.flops.matmul / size for ruler, size in moved.items()}


def chart(settings: Settings, lang: str, link: str) -> Chart:
    """Rate over intensity, both by powers: two roofs, both ways under each, and the tiled matrix product."""
    top = ceilings(gpu(settings.gpu))
    points = [*_points(settings, lang), _product(settings, top, lang)]
    bends = (top.tensor.rate / top.dram.rate, top.tensor.rate / top.l2.rate)
    xs = tuple(sorted({*GRID, *bends, *(x for x, *_ in points)}))
    roofs = tuple(_roof(ruler, top, xs, lang) for ruler in ROOFS)
    return Chart(
        title=label("beyond.chart.title", lang), x=Axis(label("beyond.chart.x", lang), "", "log2"),
        y=Axis(label("beyond.chart.y", lang), "", "log10"), xs=xs,
        series=(*roofs, *(_point(point, xs) for point in points)),
        marks=(Mark("x", facts.ridge(settings.gpu), label("beyond.chart.ridge", lang)),),
        caption=(label("beyond.chart.configuration", lang, n=exact(settings.n), d=exact(settings.d), br=settings.br,
                       bc=settings.bc, heads=settings.heads, gpu=gpu(settings.gpu).name),
                 label("tag.modelled", lang)),
        link=link, lang=lang, file=f"beyond-roofline-{settings.gpu}-n{settings.n}-d{settings.d}")


def _roof(ruler, top, xs, lang):
    resource, role, dash = ROOFS[ruler]
    ceiling = getattr(top, resource)
    values = tuple(min(top.tensor.rate, x * ceiling.rate) / 1e12 for x in xs)
    name = label(f"beyond.chart.roof_{ruler}", lang, rate=short(ceiling.rate, "B/s"))
    return Series(f"roof-{ruler}", name, values, role, dash, "none", ruler, ceiling.tag,
                  label(f"tag.{ceiling.tag}", lang))


def _points(settings, lang):
    """(intensity, TFLOP/s, id, name, role, marker, ruler) of each way at two rulers."""
    for way, at in intensities(settings).items():
        found = facts.timed(way, settings.problem(), settings.tiling(), settings.gpu)
        rate = sum(one.flops for one in found.kernels) / found.lower_s / 1e12
        for ruler, marker in SHAPES.items():
            name = f"{label(f'beyond.way.{way}', lang)} · {label(f'ruler.{ruler}', lang)}"
            yield at[ruler], rate, f"{way}-{ruler}", name, way, marker, ruler


def _product(settings, top, lang):
    one = closed_form(facts.LARGE, facts.LARGE, facts.LARGE, settings.block)
    rate = min(top.tensor.rate, one.intensity * top.l2.rate) / 1e12
    name = label("beyond.chart.product", lang, block=settings.block)
    return one.intensity, rate, "product-desk", f"{name} · {label('ruler.desk', lang)}", "V", "diamond", "desk"


def _point(point, xs):
    at, rate, name, words, role, marker, ruler = point
    return Series(name, words, tuple(rate if x == at else None for x in xs), role, "solid", marker, ruler, "modelled")


def rows(view) -> str:
    """FLOP for each byte of both ways by all three rulers, as a table."""
    rulers = ("paper", "desk", "cabinet")
    lines = [(view.label(f"beyond.way.{way}"), *(_figure(at[ruler]) for ruler in rulers))
             for way, at in intensities(view.settings).items()]
    names = {ruler: view.label(f"ruler.{ruler}") for ruler in rulers}
    caption = view.label("beyond.caption.intensity", badges=view.badges("", "computed"), cabinet=names["cabinet"],
                         modelled=view.badges("", "modelled"))
    return table((view.label("beyond.column.intensity"), *names.values()), lines, caption)


def _figure(intensity):
    return exact(round(intensity, 0 if intensity > 99 else 1))
