"""The numbers that the page's questions and texts quote: the time model, the tiled product, the stopwatch."""

from collections import Counter
from dataclasses import replace
from functools import cache, lru_cache

from lessons.beyond import forecast
from lessons.views.numbers import exact, short
from simulator import Problem, Tiling, accounting, gpu
from simulator.ceilings import PER_CLOCK, ceilings
from simulator.designs import trip_us
from simulator.matmul import closed_form, executed
from simulator.roofline import time

RIDGE_GPU = "h200"
WIDE_GPU = "a100-40"                    # where M11 is put to the test, at twice the usual width
NARROW, WIDE = (Problem(n=4096, d=d, heads=16) for d in (128, 256))
TILING = Tiling(128, 64)
WAYS = ("standard", "flash2")
COUNTED = 128                           # rows, columns and depth of the product that is executed
DOUBLED = (64, 128)                     # tiles of the question
LARGE = 4096                            # of the one that stands on the roofline


def ridge(key: str) -> float:
    """FLOP for each byte from the cabinet at which a GPU's tensor cores just stop waiting."""
    top = ceilings(gpu(key))
    return top.tensor.rate / top.dram.rate


def ridge_question() -> tuple[tuple[str, ...], str, dict]:
    """The options, the right one and what is quoted: how many FLOP a byte must feed."""
    found, top = ridge(RIDGE_GPU), ceilings(gpu(RIDGE_GPU))
    options = tuple(f"{found * factor:.0f}" for factor in (1 / 20, 1, 20))
    return options, options[1], {
        "gpu": gpu(RIDGE_GPU).name, "ridge": options[1], "tensor": short(top.tensor.rate, "FLOP/s"),
        "dram": short(top.dram.rate, "B/s"), "words": f"{found * 2:.0f}"}


@lru_cache(maxsize=256)
def timed(algorithm: str, problem: Problem, tiling: Tiling, key: str):
    """The Time of a way on a GPU."""
    return time(algorithm, problem, tiling, gpu(key))


def wide() -> dict:
    """What becomes of standard attention's two products when heads are twice as wide, and of its softmax."""
    runs = [timed("standard", problem, TILING, WIDE_GPU) for problem in (NARROW, WIDE)]
    narrow, broad = ({one.kernel: one for one in run.kernels} for run in runs)
    return {"gpu": gpu(WIDE_GPU).name, "narrow": exact(NARROW.d), "wide": exact(WIDE.d),
            "ridge": f"{ridge(WIDE_GPU):.0f}", "before": f"{narrow['scores'].intensity:.0f}",
            "after": f"{broad['scores'].intensity:.0f}", "tensor": _ms(broad["scores"].seconds["tensor"]),
            "dram": _ms(broad["scores"].seconds["dram"]), "softmax": _ms(broad["softmax"].seconds["dram"]),
            "softmax_share": f"{100 * broad['softmax'].lower_s / runs[1].lower_s:.0f}"}


@lru_cache(maxsize=16)
def product(block: int):
    """The Product of the executed matrix product, counted; it equals the closed form."""
    counted, _ = executed(COUNTED, COUNTED, COUNTED, block)
    return counted


def doubling() -> dict:
    """What twice the tile does to a product's traffic."""
    small, large = (closed_form(LARGE, LARGE, LARGE, block) for block in DOUBLED)
    one = closed_form(LARGE, LARGE, LARGE, 1)
    return {"n": exact(LARGE), "block_small": exact(DOUBLED[0]),
            "block_large": exact(DOUBLED[1]), "small": short(small.by_matrix["A"].read, "B"),
            "large": short(large.by_matrix["A"].read, "B"), "one": short(one.by_matrix["A"].read, "B"),
            "intensity_small": f"{small.intensity:.0f}", "intensity": f"{large.intensity:.0f}"}


@cache
def stopwatch() -> tuple[tuple[str, ...], str, dict]:
    """The options, the right one and what is quoted: how often the model is within 15 % of the stopwatch."""
    found, swept = forecast.cells(), forecast.cells(sweep=True)
    (hits, of), (few, many) = forecast.share(found), forecast.share(swept)
    reasons = Counter(one.reason for one in swept if not one.hit)
    part = hits / of
    right = "most" if part >= 0.8 else "half" if part >= 0.4 else "few"
    return ("few", "half", "most"), right, {
        "hits": exact(hits), "of": exact(of), "share": f"{100 * part:.0f}", "within": f"{100 * forecast.WITHIN:.0f}",
        "misses": exact(of - hits), "swept_hits": exact(few), "swept": exact(many),
        "exp": exact(PER_CLOCK["exp"]), "trip": f"{trip_us():g}",
        **{name: exact(reasons[name]) for name in ("narrow", "spills", "blocks")}}


@cache
def rules() -> dict:
    """A number for each of the four rules."""
    problem, tiling = NARROW, TILING
    standard, tiled = (timed(way, problem, tiling, RIDGE_GPU) for way in WAYS)
    softmax = next(one for one in standard.kernels if one.kernel == "softmax")
    bytes_of = [accounting.cost(way, problem, tiling).desk.total for way in WAYS]
    return {"gpu": gpu(RIDGE_GPU).name, "n": exact(problem.n), "d": exact(problem.d),
            "softmax_share": f"{100 * softmax.lower_s / standard.lower_s:.0f}",
            "faster": f"{standard.lower_s / tiled.lower_s:.1f}", "bytes": f"{bytes_of[0] / bytes_of[1]:.1f}",
            "more": exact(accounting.cost("flash2", problem, tiling).flops.exp
                          - accounting.cost("standard", problem, tiling).flops.exp),
            "launches": exact(len(standard.kernels))}


def narrowed(problem: Problem) -> Problem:
    """The same problem at a width that was timed: 64 or 128."""
    return replace(problem, d=64 if problem.d <= 64 else 128)


def _ms(seconds):
    return f"{1e3 * seconds:.3f}"
