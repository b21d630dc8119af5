"""Claims about the machine: how large and how fast a desk is, and what a walk costs."""

from dataclasses import replace

from lessons.claims.published import quoted
from lessons.claims.quantity import Found, Pair, Quantity, binary, count, short, times, timespan
from simulator import Problem, Tiling, accounting, gpu
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
    """Time to carry the paper ruler's bytes over the time of the matrix products, each at the GPU's peak."""
    spec, said = gpu("a100"), times(10)
    cases = {"plain": (128, ()), "narrow": (64, ()), "masked": (64, ("mask",)), "scaled": (64, ("scale", "mask"))}
    ratios = {name: times(_walking_ratio(spec, *case)) for name, case in cases.items()}
    return Found({"said": said},
                 {"range": timespan(ratios["plain"].value, ratios["scaled"].value), **ratios, "gpu": spec.name,
                  "d_plain": count(128), "d_narrow": count(64)},
                 tuple(Pair((f"d = {d}", *(f"passes.{name}" for name in passes)), said, ratios[case])
                       for case, (d, passes) in cases.items()))


def _bandwidth_ratio(spec):
    return quoted("hardware")["desk_bytes_per_clock"] * spec.sms * spec.clock_hz / spec.memory_bytes_per_s


def _walking_ratio(spec, d, passes):
    cost = accounting.cost("standard", Problem(n=4096, d=d, passes=passes), Tiling(128, 128))
    return (cost.paper.total / spec.memory_bytes_per_s) / (cost.flops.matmul / spec.tensor_flops_per_s)


def _names(keys):
    return {f"{key.replace('-', '_')}_name": gpu(key).name for key in keys}
