"""Claims about speed: ratios and parts of the peak, from published measurements alone."""

import numpy as np

from lessons.claims.published import both_passes, first_paper, quoted
from lessons.claims.published import times as tables
from lessons.claims.quantity import Found, Pair, count, percent, percents, times, timespan
from simulator import Problem, Tiling, accounting, gpu

EXTRAS = {"mask": (True, False), "both": (True, True), "dropout": (False, True), "plain": (False, False)}
NAMES = {"mask": ("passes.mask",), "both": ("passes.mask", "passes.dropout"), "dropout": ("passes.dropout",),
         "plain": ("claims.plain",)}


def part_of_the_peak() -> Found:
    """How much of its GPU's peak each way reached, forward."""
    standard, flash = _parts("standard", 512), _parts("flash", 1024)
    later = quoted("flash3")["bf16_tflops_later"] * 1e12 / gpu("h100").tensor_flops_per_s
    parts = {"standard": percents(*standard), "v1": percents(*flash),
             "v2": percent(quoted("flash2")["share_of_peak"], 2), "v3": percent(_v3_share(), 2),
             "later": percent(later, 2)}
    said, said_flash = percents(0.30, 0.40), percent(0.80)
    return Found({"said": said, "said_flash": said_flash},
                 {**parts, "n_standard": count(512), "n_flash": count(1024), "gpu": gpu("a100").name},
                 (Pair(("PyTorch",), said, parts["standard"]),
                  *(Pair((name,), said_flash, parts[name]) for name in ("v1", "v2", "v3"))))


def at_four_thousand() -> Found:
    """FlashAttention's speed-up at N = 4096 by mask and dropout, forward and backward."""
    n, said = 4096, timespan(3, 4)
    found = {name: times(both_passes(*extras).speedup(n)) for name, extras in EXTRAS.items()}
    return Found({"n": count(n), "said": said}, found, tuple(Pair(NAMES[name], said, found[name]) for name in EXTRAS))


def first_version() -> Found:
    """The range of v1's speed-ups from N = 1024 on over every table, and over those without a mask."""
    least, said = 1024, timespan(2, 4)
    everywhere, unmasked, masked = (_range(least, masks) for masks in ((True, False), (False,), (True,)))
    return Found({"said": said},
                 {"range": everywhere, "unmasked": unmasked, "masked": masked, "n": count(least)},
                 (Pair(NAMES["mask"], said, masked), Pair(("claims.unmasked",), said, unmasked)))


def second_version() -> Found:
    """v2 over v1: the kernels, and the training of a whole model."""
    paper, said = quoted("flash2"), timespan(1.3, 2)
    whole = [v2 / v1 for _, v1, v2 in (row["tflops"] for row in paper["trained"])]
    kernels, trained = timespan(*paper["kernels_over_flash1"]), timespan(min(whole), max(whole))
    return Found({"said": said}, {"kernels": kernels, "trained": trained},
                 (Pair(("claims.kernels",), said, kernels), Pair(("claims.model",), said, trained)))


def third_version() -> Found:
    """v3's published rates, and their part of an H100's peak."""
    paper, spec = quoted("flash3"), gpu("h100")
    said, first, later = (count(rate, "TFLOP/s") for rate in (840, paper["fp16_tflops"], paper["bf16_tflops_later"]))
    return Found({"said": said},
                 {"first": first, "later": later, "first_share": percent(_v3_share(), 2),
                  "later_share": percent(later.value * 1e12 / spec.tensor_flops_per_s, 2), "gpu": spec.name,
                  "peak": count(round(spec.tensor_flops_per_s / 1e12), "TFLOP/s")},
                 (Pair(("FP16",), said, first), Pair(("BF16",), said, later)))


def by_length() -> Found:
    """The first paper's speed-ups at 2048, plain and masked, and the longest text that the standard way finished."""
    n, long = 2048, 65536
    plain, masked = both_passes(*EXTRAS["plain"]), both_passes(*EXTRAS["mask"])
    said = {"said_a": timespan(2, 3), "said_b": timespan(3, 5), "said_c": timespan(8, 10)}
    return Found({"n_a": count(n), "n_b": count(8192), "n_c": count(long), **said},
                 {"plain": times(plain.speedup(n)), "masked": times(masked.speedup(n)),
                  "last": count(max(plain.shared)), "gpu": gpu("a100").name},
                 (Pair((f"N = {n:,}", "claims.unmasked"), said["said_a"], times(plain.speedup(n))),
                  Pair((f"N = {n:,}", "passes.mask"), said["said_a"], times(masked.speedup(n)))))


def _parts(way, least):
    """The smallest and largest part of an A100's peak that a way reached forward, from N = least on."""
    setting, peak = first_paper(), gpu("a100").tensor_flops_per_s
    heads = setting["batch"] * setting["heads"]
    problem, lengths = Problem(n=1, d=setting["d"], heads=heads), setting["n"]
    work = accounting.cost("standard", problem, Tiling(64, 64), n=np.array(lengths)).flops.paper
    flops = dict(zip(lengths, work.tolist(), strict=True))
    parts = [flops[n] / (ms * 1e-3) / peak for one in tables() if one.which == "fwd"
             for n, ms in getattr(one, way).items() if n >= least]
    return min(parts), max(parts)


def _range(least, masks):
    ratios = [one.speedup(n) for one in tables() if one.mask in masks for n in one.shared if n >= least]
    return timespan(min(ratios), max(ratios))


def _v3_share():
    return quoted("flash3")["fp16_tflops"] * 1e12 / gpu("h100").tensor_flops_per_s
