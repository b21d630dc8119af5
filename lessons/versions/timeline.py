"""The picture of the kernel's roles in time on one SM: three lanes, one for each tool, over a few tiles."""

from lessons.versions import lanes, tempo
from lessons.versions.pictures import summary
from lessons.versions.roles import LANES, MODES
from lessons.views import palette
from lessons.views.chart.layout import Scale
from lessons.views.numbers import percent
from lessons.views.yardstick import Key, Knob, Mark, Part, Row, Yardstick
from simulator import gpu
from simulator.designs import READER

LOOK = {"": "full", "A": "full", "B": "striped", "C": "outline"}        # by reader
KEYS = "QKVSPa"                         # what jobs bring or make, as bars carry it where they have room
MICRO = 1e6


def time(view, settings) -> Yardstick:
    """The lanes of an SM; the knob goes from nothing overlapped to the order of the kernel."""
    mode, d, key = settings.overlap, settings.d, settings.gpu
    spans, tiling = tempo.timeline(mode, d, key), tempo.recorded(d).timing.tiling
    place = Scale("linear", 0, 1.02 * lanes.length(tempo.timeline(MODES[0], d, key)), ()).place
    rows = tuple(_lane(view, tool, spans, place, d) for tool in LANES)
    end = lanes.length(spans)
    done = view.label("versions.done", time=micro(end))
    return Yardstick(
        rows=rows, lang=view.lang, present=view.present, marks=(Mark(place(end), done),),
        summary=f"{done}; {summary(rows)}",
        knob=Knob(view.label("field.overlap"), MODES.index(mode), tuple(view.label(f"overlap.{one}") for one in MODES)),
        keys=tuple(Key(palette.family(work), work, view.label(f"versions.key.{work}")) for work in KEYS),
        caption=view.label("versions.caption_time", gpu=gpu(key).name, d=d, rows=READER, keys=tiling.bc,
                           readers=len(tempo.readers(d)), stages=tiling.stages, tiles=tempo.TILES,
                           badges=view.badges("", "modelled")))


def _lane(view, tool, spans, place, d):
    parts = tuple(Part(place(span.start), place(span.stop), palette.family(span.job.work), _sign(span.job),
                       LOOK[span.job.reader if span.tool != "copy" else ""]) for span in spans if span.tool == tool)
    waits = lanes.awaited(spans, tool)
    looks = view.label(f"versions.looks.{tempo.readers(d).lower()}")
    note = view.label(f"versions.note_{tool}", looks=looks, stages=tempo.recorded(d).timing.tiling.stages,
                      copy=percent(waits.get("copy", 0)), softmax=percent(waits.get("softmax", 0)))
    return Row(view.label(f"versions.lane_{tool}"), parts, percent(lanes.busy(spans, tool)), note)


def _sign(job):
    """The tensor that comes or is made; a's rescaling is too short for a sign."""
    return "" if job.work == "rescale" else job.work


def micro(seconds: float) -> str:
    """Seconds as microseconds."""
    return f"{MICRO * seconds:.1f}\u00a0µs"
