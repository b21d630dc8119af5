"""How many SMs have work, over N, in v1 and in v2: a chart to take along."""

from lessons.sweeps import today
from lessons.versions import facts
from lessons.versions.pictures import LENGTHS
from lessons.views.chart import Axis, Chart, Mark, Series
from simulator import gpu

LOOKS = {"flash1": ("dashed", "triangle"), "flash2": ("solid", "circle")}


def chart(view, settings) -> Chart:
    """SMs with a thread block for every length, beside how many there are."""
    spec, badges = gpu(settings.gpu), view.badges("", "computed")
    told = {"tag": "computed", "note": badges}
    heads, batch = settings.heads, settings.batch
    busy = {way: tuple(min(facts.workers(way, n, heads, batch), spec.sms) for n in LENGTHS) for way in facts.WAYS}
    return Chart(
        title=view.label("versions.chart"), x=Axis(view.label("field.length"), "", "log2"),
        y=Axis(view.label("versions.chart_busy")), xs=LENGTHS,
        series=tuple(Series(way, view.label(f"algorithm.{way}"), busy[way], way, *LOOKS[way], **told) for way in busy),
        marks=(Mark("y", spec.sms, view.label("versions.chart_sms", sms=spec.sms)),),
        caption=(view.label("versions.chart_caption", gpu=spec.name, heads=heads, batch=batch, br=facts.BLOCKS.br),
                 badges, today()),
        link=view.link, lang=view.lang, file=f"workers-{spec.key}-h{heads}-b{batch}")
