"""The KV cache over the length of the text, by the four ways of keeping it, as a chart to take along."""

from lessons.decode import facts
from lessons.sweeps import today
from lessons.views.chart import Axis, Chart, Mark, Series
from lessons.views.numbers import short
from simulator import gpu

LENGTHS = tuple(2**power for power in range(10, 18))    # 1,024 to 131,072
LOOKS = {"mha": ("standard", "solid", "circle"), "gqa": ("flash1", "dashed", "square"),
         "mla": ("flash2", "dotted", "triangle"), "mqa": ("split_kv", "dashdot", "diamond")}


def chart(view, settings) -> Chart:
    """Bytes of the cache of a batch of texts, in a model of MODEL's layers, heads and d, up to what the GPU holds."""
    spec, model, kept = gpu(settings.gpu), facts.MODEL, facts.shapes()
    told = {"tag": "computed", "note": view.label("tag.computed")}
    series = tuple(
        Series(way, view.label(f"decode.way_{way}", kv=kept[way].kv_heads),
               tuple(settings.batch * kept[way].bytes(model.layers, n) for n in LENGTHS), *look, **told)
        for way, look in LOOKS.items())
    return Chart(
        title=view.label("decode.chart"), x=Axis(view.label("decode.tokens"), "", "log2"),
        y=Axis(view.label("decode.cache_bytes"), "B", "log10"), xs=LENGTHS, series=series,
        marks=(Mark("y", spec.memory_bytes, view.label("decode.memory", gpu=spec.name,
                                                       size=short(spec.memory_bytes, "B"))),),
        caption=(view.label("decode.chart_caption", layers=model.layers, heads=model.heads, d=model.d,
                            batch=settings.batch), view.label("tag.computed"), today()),
        link=view.link, lang=view.lang, file=f"kv-cache-{model.key}-batch{settings.batch}-{spec.key}")
