"""The page's pictures beside the stage: workers with and without work, lanes in time, errors of fp8."""

from math import ceil

import streamlit as st

from lessons.card.written import power_of_ten
from lessons.versions import facts, lanes
from lessons.views.chart.layout import Scale
from lessons.views.numbers import exact
from lessons.views.yardstick import Cells, Knob, Mark, Part, Row, Yardstick
from simulator import fp8, gpu

LENGTHS = tuple(2**power for power in range(9, 17))
COLUMNS = 22                            # SMs in a line of the floor
LOOK = {"": "full", "A": "full", "B": "striped"}
ROLE = {"copy": "K", "product": "S", "softmax": "P"}
MICRO = 1e6


def floor(view, settings) -> Yardstick:
    """Every SM of the GPU, filled where it has a thread block of v1 or of v2; the knob turns N."""
    spec = gpu(settings.gpu)
    asked = settings.length, settings.heads, settings.batch
    rows = tuple(_floor(view, way, facts.workers(way, *asked), spec.sms) for way in facts.WAYS)
    return Yardstick(
        rows=rows, lang=view.lang, present=view.present, summary=_summary(rows),
        knob=Knob(view.label("field.length"), LENGTHS.index(settings.length), tuple(map(exact, LENGTHS))),
        caption=view.label("versions.caption_floor", gpu=spec.name, sms=spec.sms, heads=settings.heads,
                           batch=settings.batch, br=facts.BLOCKS.br, badges=view.badges("", "computed")))


def _floor(view, way, blocks, sms):
    busy = min(blocks, sms)
    looks = "#" * busy + "-" * (sms - busy)
    note = view.label("versions.note_floor", blocks=exact(blocks), waves=exact(ceil(blocks / sms)))
    return Row(view.label(f"algorithm.{way}"), number=f"{busy} / {sms}", note=note, alarm=busy < sms,
               cells=Cells(looks, "," * (sms - 1), COLUMNS, way))


def time(view, settings) -> Yardstick:
    """The three lanes of an SM over four tiles; the knob goes from nothing overlapped to everything."""
    mode, d, key = settings.overlap, settings.d, settings.gpu
    place = Scale("linear", 0, 1.02 * lanes.length("serial", d, key), ()).place
    rows = tuple(_lane(view, lane, mode, d, key, place) for lane in lanes.LANES)
    end = lanes.length(mode, d, key)
    done = view.label("versions.done", time=micro(end))
    return Yardstick(
        rows=rows, lang=view.lang, present=view.present, marks=(Mark(place(end), done),),
        summary=f"{done}; {_summary(rows)}",
        knob=Knob(view.label("field.overlap"), lanes.MODES.index(mode),
                  tuple(view.label(f"overlap.{one}") for one in lanes.MODES)),
        caption=view.label("versions.caption_time", gpu=gpu(key).name, d=d, rows=lanes.ROWS, keys=lanes.KEYS,
                           tiles=lanes.TILES, badges=view.badges("", "modelled")))


def _lane(view, lane, mode, d, key, place):
    jobs = [job for job in lanes.timeline(mode, d, key) if job.lane == lane]
    parts = tuple(Part(place(job.start), place(job.stop), ROLE[lane], job.group or str(job.tile), LOOK[job.group])
                  for job in jobs)
    return Row(view.label(f"versions.lane_{lane}"), parts, percent(lanes.busy(lane, mode, d, key)),
               view.label(f"versions.note_{lane}"))


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
        rows=rows, lang=view.lang, present=view.present, summary=_summary(rows),
        ticks=tuple((place(10.0**power), power_of_ten(power)) for power in range(-5, 0)),
        caption=view.label("versions.caption_accuracy", seed=settings.seed, badges=view.badges("", "counted"),
                           published=view.label("tag.published")))


def _role(way):
    return "V" if way.rotated else "Z" if way.fp8 else "card"


def percent(share: float) -> str:
    """A share as whole percents."""
    return f"{100 * share:.0f}\u00a0%"


def micro(seconds: float) -> str:
    """Seconds as microseconds."""
    return f"{MICRO * seconds:.1f} µs"


def scientific(number: float) -> str:
    """A small number with a power of ten: 1.3 × 10⁻²."""
    mantissa, power = f"{number:.1e}".split("e")
    return f"{mantissa}\u00a0×\u00a0{power_of_ten(int(power))}"


def _summary(rows):
    return "; ".join(f"{row.name}, {row.note}: {row.number}" for row in rows)
