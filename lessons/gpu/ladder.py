"""The ladder as bars: every kernel's time at one size, and its bytes by ruler, beside what the counters read."""

from kernels.ladder import RUNGS, Rung, rungs
from lessons import measured
from lessons.gpu import speed
from lessons.measured import Bench
from lessons.settings import Settings
from lessons.views.lengths import Group, Length, Part, lengths
from lessons.views.numbers import times
from simulator.errors import BadProblem

TAGS = {"paper": "computed", "desk": "computed", "cabinet": "modelled"}
COUNTED = {"desk": "l2_to_sm", "cabinet": "dram"}


def climbed(bench: Bench, settings: Settings) -> tuple[Rung, ...]:
    """The rungs at the scene's size from bottom to top, then cuDNN; none where that size was not timed."""
    try:
        return rungs(bench.rows, _counters(bench)[1], settings.d, settings.n, settings.causal)
    except BadProblem:
        return ()


def _counters(bench):
    """(Record, rows) of the newest file of counters of the same GPU; (None, ()) where there is none."""
    found = [one for one in measured.files("counters") if one[0].gpu == bench.record.gpu]
    return max(found, key=lambda one: one[0].date or "", default=(None, ()))


def draw(view, bench: Bench, found: tuple[Rung, ...]) -> str:
    """The rungs as HTML: time on a scale of its own, bytes by the three rulers on another."""
    groups = [_time(view, bench, found), *(_ruler(view, found, ruler) for ruler in TAGS if any(
        getattr(one, ruler) is not None for one in found))]
    return lengths(groups, caption=_caption(view, bench, found), beside=True, wall=view.present)


def _time(view, bench, found):
    tilings = {one.kernel: one.tiling for one in _cells(view, bench)}
    bars = tuple(Length(speed.name(one.kernel, view.lang), _role(one),
                        (Part("read", one.ms, _words(view, one, tilings[one.kernel])),),
                        view.label("gpu.ladder_ms", ms=f"{one.ms:.3f}")) for one in found)
    verdict = _verdict(view, {one.kernel: one.ms for one in found})
    return Group(view.label("gpu.ladder_time"), view.label("tag.measured"), _meaning(view, "gpu.ladder_time_meaning"),
                 bars, verdict, unit="ms")


def _cells(view, bench):
    """The Timings at the scene's size, without a sweep."""
    asked = view.settings
    return [one for one in bench.timings if not one.sweep and (
        one.problem.n, one.problem.d, one.problem.causal) == (asked.n, asked.d, asked.causal)]


def _words(view, one, tiling):
    """Block, rate, step, clock and power of a rung in one line."""
    said = [view.label("gpu.ladder_block", br=tiling.br, bc=tiling.bc)] if tiling else []
    said.append(view.label("gpu.rate", rate=f"{one.tflops:.0f}"))
    if one.gain:
        said.append(view.label("gpu.ladder_gain", gain=times(one.gain)))
    if one.mhz and one.watts:
        said.append(view.label("gpu.ladder_card", mhz=f"{one.mhz:,.0f}", watts=f"{one.watts:.0f}"))
    return " · ".join(said)


def _ruler(view, found, ruler):
    sizes = {one.kernel: getattr(one, ruler) for one in found if getattr(one, ruler) is not None}
    bars = tuple(bar for one in found if one.kernel in sizes for bar in _bytes(view, one, ruler))
    return Group(view.label(f"ruler.{ruler}"), view.label(f"tag.{TAGS[ruler]}"),
                 _meaning(view, f"ruler_meaning.{ruler}"), bars, _verdict(view, sizes))


def _meaning(view, key):
    """What a group shows; on the wall the teacher says so."""
    return "" if view.present else view.label(key)


def _bytes(view, one, ruler):
    """A rung's bar by one ruler, and a slim one beneath it where the GPU's counters read the same configuration."""
    size, seen = getattr(one, ruler), getattr(one, COUNTED.get(ruler, ""), None)
    yield Length(speed.name(one.kernel, view.lang), _role(one), (Part("read", size),), view.size(size))
    if seen is not None:
        yield Length(view.label("tag.measured"), _role(one), (Part("read", seen),), view.size(seen), slim=True)


def _verdict(view, sizes):
    """What the bottom rung has over the top one."""
    ends = [name for name in RUNGS if name in sizes]
    bottom, top = ends[0], ends[-1]
    names = {"bottom": speed.name(bottom, view.lang), "top": speed.name(top, view.lang)}
    return view.label("gpu.ladder_ratio", **names, ratio=times(sizes[bottom] / sizes[top])) if len(ends) > 1 else ""


def _role(one):
    return speed.LOOKS[one.kernel][0]


def _caption(view, bench, found):
    """The size, and where and when the times and the counted bytes come from."""
    undated = view.label("gpu.undated")
    said = [f"N = {view.number(view.settings.n)}", speed.cell(_cells(view, bench)[0], view.lang),
            bench.record.origin(undated)]
    if any(one.dram is not None for one in found):
        said.append(view.label("gpu.ladder_counters", origin=_counters(bench)[0].origin(undated)))
    return " · ".join(said)
