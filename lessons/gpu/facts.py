"""The numbers that the page's question and texts quote, from the timings and the closed forms."""

from lessons.gpu import speed
from lessons.measured import Bench, Timing
from lessons.views.numbers import exact, short, times
from simulator import accounting, gpus
from simulator.tiling import ROOM

SWEPT = "flash_attention_2"             # the kernel whose blocks the question is about
FASTEST_OURS, YARDSTICKS = "flash_attention_3", ("cudnn", "flash")
MORE = 1.2                              # so many times more time than bytes is plainly not the bytes' doing
SPREAD = 0.03                           # two runs of one kernel differ by up to so much
FEW = 0.9                               # heads fewer than this part of the SMs leave many of them idle
# Registers of a thread of a reader, by the number of readers, and of one that fetches: kernels/flash_attention_3_roles.
READERS_REGISTERS, FETCHERS_REGISTERS = {2: 240, 3: 160}, 24


def blocks(bench: Bench, d: int) -> tuple[tuple[str, str], str, dict] | None:
    """The two blocks of the question, the faster of them, and what is quoted; None where no sweep was timed."""
    found = speed.shapes(bench, SWEPT, d)
    if len(found) < 2:
        return None
    fastest, largest = speed.pair(found)
    options = tuple(_shape(shape) for shape in sorted((fastest, largest), key=lambda shape: shape[0] * shape[1]))
    return options, _shape(fastest), _quoted(found, fastest, largest, d) | _desk(bench)


def _quoted(found, fastest, largest, d):
    fast, large = found[fastest], found[largest]
    costs = [accounting.cost("flash2", one.problem, one.tiling) for one in (fast, large)]
    peaks = [ROOM["flash2"](*shape, d, fast.problem.storage, found[shape].tiling.stages)
             for shape in (fastest, largest)]
    return {"n": exact(fast.problem.n), "d": exact(d), "fast": _shape(fastest), "large": _shape(largest),
            "fast_rate": f"{fast.tflops:.0f}", "large_rate": f"{large.tflops:.0f}",
            "factor": times(fast.tflops / large.tflops),
            "fast_bytes": short(costs[0].desk.total, "B"), "large_bytes": short(costs[1].desk.total, "B"),
            "fast_room": short(int(peaks[0].shared_bytes), "B", binary=True),
            "large_room": short(int(peaks[1].shared_bytes), "B", binary=True),
            "fast_hands": short(int(peaks[0].registers_bytes), "B", binary=True),
            "large_hands": short(int(peaks[1].registers_bytes), "B", binary=True)}


def _desk(bench):
    """What an SM has of shared memory and of registers."""
    known = gpus().get(bench.record.gpu)
    return {f"sm_{name}": short(size, "B", binary=True) if known else "…" for name, size in (
        ("room", known and known.shared_per_sm_bytes), ("hands", known and known.registers_per_sm_bytes))}


def swept(bench: Bench, settings) -> tuple[Timing, Timing] | None:
    """v2 at its own block and at the best of a sweep, both at the scene's size; None where there is no sweep."""
    there = [one for one in bench.timings if one.kernel == SWEPT and (
        one.problem.n, one.problem.d, one.problem.causal) == (settings.n, settings.d, settings.causal)]
    own = next((one for one in there if not one.sweep), None)
    best = max((one for one in there if one.sweep), key=lambda one: one.tflops, default=None)
    return (own, best) if own and best else None


def few_heads(bench: Bench, d: int, most: int | None = None) -> bool:
    """Whether v1's thread blocks, one a head, leave many SMs idle."""
    longest, known = _longest(bench, d, most), gpus().get(bench.record.gpu)
    return bool(known) and longest.batch * longest.heads < FEW * known.sms


def one_block_a_head(bench: Bench, d: int, most: int | None = None) -> dict:
    """How many thread blocks v1 has at the longest text, of at most `most` tokens, for how many SMs."""
    longest, known = _longest(bench, d, most), gpus().get(bench.record.gpu)
    return {"n": exact(longest.n), "heads": exact(longest.batch * longest.heads), "gpu": bench.record.device,
            "sms": exact(known.sms) if known else "…"}


def _longest(bench, d, most):
    return max((one.problem for one in bench.timings if not one.sweep and one.problem.d == d
                and one.problem.n <= (most or one.problem.n)), key=lambda p: p.n)


def steps(found) -> tuple[tuple[str, ...], str, dict]:
    """The steps up a ladder of Rungs, the one that speeds it up most, and what is quoted of them."""
    climbed = {one.kernel: one for one in found if one.desk is not None}
    gains = {name: one.gain for name, one in climbed.items() if one.gain}
    bottom, *_, before, top = climbed.values()
    quoted = {f"{name.replace('flash_attention_', 'v')}_gain": times(gain) for name, gain in gains.items()}
    quoted |= {"all_gain": times(bottom.ms / top.ms), "desk_before": short(before.desk, "B"),
               "desk_top": short(top.desk, "B")}
    return tuple(gains), max(gains, key=gains.get), quoted


def clear(found) -> bool:
    """Whether the step that speeds it up most does so by more than two runs of one kernel differ."""
    *_, second, first = sorted(one.gain for one in found if one.gain)
    return first > (1 + SPREAD) * second


def waits_less(found) -> bool:
    """Whether the last step buys far more time than bytes by the desk ruler."""
    *_, before, top = (one for one in found if one.desk is not None)
    return top.gain > MORE * before.desk / top.desk


def _shape(shape):
    return f"{shape[0]} × {shape[1]}"


def against(bench: Bench, d: int, causal: bool) -> dict:
    """How our fastest kernel stands to PyTorch's backends over all N: the least and the greatest factor."""
    rates = {(one.kernel, one.problem.n): one.tflops for one in bench.timings
             if not one.sweep and (one.problem.d, one.problem.causal) == (d, causal)}
    lengths = sorted({n for kernel, n in rates if kernel == FASTEST_OURS})
    quoted = one_block_a_head(bench, d)
    for other in YARDSTICKS:
        ratios = [rates[FASTEST_OURS, n] / rates[other, n] for n in lengths if (other, n) in rates]
        quoted |= {f"{other}_low": times(min(ratios, default=0)), f"{other}_high": times(max(ratios, default=0))}
    return quoted
