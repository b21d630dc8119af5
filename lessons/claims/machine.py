"""Claims about the machine: how large and how fast a desk is, and what a walk costs."""

from dataclasses import replace

from lessons.claims.published import quoted
from lessons.claims.quantity import Found, Pair, Quantity, binary, count, short, times, timespan
from lessons.scriptorium.facts import TRIAL, day
from simulator import Problem, gpu, gpus
from simulator.tiling import largest_blocks

KIB = 2**10
HEAD = 128
CHIP = 20 * 10**6                       # bytes that are often taken for one desk
COMPARED = ("a100-40", "a100-80", "h100", "h200", "b200")


def whole_chip() -> Found:
    """Rows of a square block that fit 20 MB by the quoted sum, and that fit one SM."""
    problem = Problem(n=1, d=HEAD)
    allowed = CHIP // (4 * HEAD * problem.storage.bytes)  # 2 B d + 2 B d numbers
    one = gpu("a100")
    largest = largest_blocks("flash2", HEAD, problem.dtype, one).square
    limits = {key: binary(gpu(key).shared_per_block_bytes) for key in ("a100", "h100", "h200", "rtx4090")}
    return Found({"chip": short(CHIP)},
                 {"square": Quantity(largest, f"{largest} × {largest}"), "largest": count(largest),
                  "allowed": count(allowed), "d": count(HEAD), **_names(limits),
                  **{f"{key}_limit": limit for key, limit in limits.items()}},
                 (Pair((one.name,), count(allowed), count(largest)),))


def desk_over_cabinet() -> Found:
    """The rate of all SRAM over the rate of HBM, by GPU."""
    ratios = {key: _bandwidth_ratio(gpu(key)) for key in COMPARED}
    said = times(10)
    texts = {key.replace("-", "_"): times(ratio) for key, ratio in ratios.items()}
    return Found({"said": said, "sram": count(19), "hbm": count(2)},
                 texts | _names(COMPARED),
                 tuple(Pair((gpu(key).name,), said, times(ratio)) for key, ratio in ratios.items()))


def desk_beside_cabinet() -> Found:
    """How much smaller all SRAM of an A100 is than its HBM, and how much faster."""
    small, large = gpu("a100-40"), gpu("a100-80")
    per_sm = quoted("hardware")["sram_per_sm_KiB"] * KIB
    parts = [spec.memory_bytes / (spec.sms * per_sm) for spec in (small, large)]
    said, part_40, part_80 = (replace(count(round(part)), sign="1 : ") for part in (1000, *parts))
    return Found({"fast": times(10), "part": said},
                 {"part_40": part_40, "part_80": part_80, "sms": count(small.sms), "per_sm": binary(per_sm),
                  "chip": binary(small.sms * per_sm),
                  "faster": timespan(_bandwidth_ratio(large), _bandwidth_ratio(small)),
                  "memory_40": short(small.memory_bytes), "memory_80": short(large.memory_bytes)},
                 (Pair((small.name,), said, part_40), Pair((large.name,), said, part_80)))


def walking_over_counting() -> Found:
    """Time that the master of the trial carries over the time he counts, on each GPU at its full rates."""
    ratios = {key: _walking_ratio(spec) for key, spec in gpus().items()}
    low, high = min(ratios, key=ratios.get), max(ratios, key=ratios.get)
    shown = {"low": low, "a100": gpu("a100").key, "h200": "h200", "high": high}
    said = times(10)
    return Found({"said": said},
                 {"range": timespan(ratios[low], ratios[high]), "n": count(TRIAL.n), "d": count(TRIAL.d),
                  **{place: times(ratios[key]) for place, key in shown.items()},
                  **{f"{place}_name": gpu(key).name for place, key in shown.items()}},
                 tuple(Pair((gpu(key).name,), said, times(ratios[key])) for key in shown.values()))


def _bandwidth_ratio(spec):
    return quoted("hardware")["desk_bytes_per_clock"] * spec.sms * spec.clock_hz / spec.memory_bytes_per_s


def _walking_ratio(spec):
    walking, counting = day(spec)
    return walking / counting


def _names(keys):
    return {f"{key.replace('-', '_')}_name": gpu(key).name for key in keys}
