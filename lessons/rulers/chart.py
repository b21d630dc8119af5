"""The knee as a chart: how often the cabinet hands out K and V against N, modelled and measured."""

from lessons.rulers import knee
from lessons.text import label
from lessons.views.chart import Axis, Chart, Mark, Series
from lessons.views.numbers import exact
from simulator import gpu

# One look for every Floor of the model, in the order of knee.FLOORS; what has as many rows lies upon the other.
LOOKS = (("K", "solid", "triangle"), ("flash2", "solid", "circle"), ("Q", "dashed", "none"), ("V", "solid", "square"),
         ("O", "dashdot", "circle"))
EVERY = 128                             # B_r of the line "once per block"


def chart(d: int, lang: str, link: str) -> Chart:
    """The chart for heads of width d."""
    def say(key, **values):
        return label(f"rulers.chart.{key}", lang, **values)

    modelled = tuple(_line(d, floor, look, say, lang) for floor, look in zip(knee.FLOORS, LOOKS, strict=True))
    every = Series("every", say("every", br=EVERY), tuple(n / EVERY for n in knee.LENGTHS), "floor", "dotted", "none",
                   ruler="desk", tag="computed", note=_note("desk", "computed", lang))
    spec = gpu(knee.GPU)
    return Chart(
        title=say("title"), x=Axis(label("field.n", lang), "", "log2"), y=Axis(say("times"), "", "log2"),
        xs=knee.LENGTHS, series=(every, *modelled, *_seen(d, say, lang)),
        marks=(Mark("x", knee.overflow(d), say("shelf")),),
        caption=(say("configuration", gpu=spec.name, d=exact(d), sms=exact(spec.sms)),
                 f"{label('ruler.cabinet', lang)} · {_tags(lang, 'modelled', 'measured')}"),
        link=link, lang=lang, file=f"rulers-waves-{knee.GPU}-d{d}")


def _line(d, floor, look, say, lang):
    sizes = {"per_sm": floor.per_sm, "br": floor.br}
    name = say("causal", **sizes) if floor.causal else say("line", rows=exact(floor.rows), **sizes)
    return Series(_id(floor), name, knee.times_handed_out(d, floor), *look, ruler="cabinet", tag="modelled",
                  note=_note("cabinet", "modelled", lang))


def _seen(d, say, lang):
    """One series of points for every floor that was measured."""
    for floor, points in sorted(knee.times_seen(d).items(), key=lambda item: (item[0].causal, item[0].rows)):
        name = say("seen_causal" if floor.causal else "seen", per_sm=floor.per_sm, br=floor.br)
        values = tuple(points.get(n) for n in knee.LENGTHS)
        yield Series(f"seen-{_id(floor)}", name, values, "card", "solid", "diamond", ruler="cabinet", tag="measured",
                     note=_note("cabinet", "measured", lang))


def _id(floor):
    return f"{floor.per_sm}x{floor.br}{'-causal' if floor.causal else ''}"


def _note(ruler, tag, lang):
    return f"{label(f'ruler.{ruler}', lang)} · {label(f'tag.{tag}', lang)}"


def _tags(lang, *tags):
    return label("rulers.hall.and", lang).join(label(f"tag.{tag}", lang) for tag in tags)
