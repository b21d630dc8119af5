"""The page's pictures of workers with and without work and of the errors of fp8."""

from math import ceil

import streamlit as st

from lessons.card.written import power_of_ten
from lessons.versions import facts
from lessons.views.chart.layout import Scale
from lessons.views.numbers import exact
from lessons.views.yardstick import Cells, Knob, Part, Row, Yardstick
from simulator import fp8, gpu

LENGTHS = tuple(2**power for power in range(9, 17))
COLUMNS = 22                            # SMs in a line of the floor


def floor(view, settings) -> Yardstick:
    """Every SM of the GPU, filled where it has a thread block of v1 or of v2; the knob turns N."""
    spec = gpu(settings.gpu)
    asked = settings.length, settings.heads, settings.batch
    rows = tuple(_floor(view, way, facts.workers(way, *asked), spec.sms) for way in facts.WAYS)
    return Yardstick(
        rows=rows, lang=view.lang, present=view.present, summary=summary(rows),
        knob=Knob(view.label("field.length"), LENGTHS.index(settings.length), tuple(map(exact, LENGTHS))),
        caption=view.label("versions.caption_floor", gpu=spec.name, sms=spec.sms, heads=settings.heads,
                           batch=settings.batch, br=facts.BLOCKS.br, badges=view.badges("", "computed")))


def _floor(view, way, blocks, sms):
    busy = min(blocks, sms)
    looks = "#" * busy + "-" * (sms - busy)
    note = view.label("versions.note_floor", blocks=exact(blocks), waves=exact(ceil(blocks / sms)))
    return Row(view.label(f"algorithm.{way}"), number=f"{busy} / {sms}", note=note, alarm=busy < sms,
               cells=Cells(looks, "," * (sms - 1), COLUMNS, way))


@st.cache_data(show_spinner=False, max_entries=64)
def errors(seed: int) -> dict[str, float]:
    """The experiment's errors; whoever asks while it runs waits for it."""
    return fp8.errors(seed)


def accuracy(view, settings) -> Yardstick:
    """Errors of the experiment on a scale of tens, the paper's as dots on them."""
    found = errors(settings.seed)
    place = Scale("log10", 1e-5, 1e-1, ()).place
    rows = tuple(Row(view.label(f"versions.way_{way.name}"), (Part(0.0, place(found[way.name]), _role(way)),),
                     scientific(found[way.name]),
                     view.label("versions.note_published", error=scientific(fp8.PUBLISHED[way.name])),
                     place(fp8.PUBLISHED[way.name])) for way in fp8.WAYS)
    return Yardstick(
        rows=rows, lang=view.lang, present=view.present, summary=summary(rows),
        ticks=tuple((place(10.0**power), power_of_ten(power)) for power in range(-5, 0)),
        caption=view.label("versions.caption_accuracy", seed=settings.seed, badges=view.badges("", "counted"),
                           published=view.label("tag.published")))


def _role(way):
    return "V" if way.rotated else "Z" if way.fp8 else "card"


def scientific(number: float) -> str:
    """A small number with a power of ten: 1.3 × 10⁻²."""
    mantissa, power = f"{number:.1e}".split("e")
    return f"{mantissa}\u00a0×\u00a0{power_of_ten(int(power))}"


def summary(rows) -> str:
    """A picture's rows in words."""
    return "; ".join(f"{row.name}, {row.note}: {row.number}" for row in rows)
