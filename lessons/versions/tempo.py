"""How long the kernel's jobs take, by the time model, and what follows: a timeline of few tiles, the pace over many."""

from dataclasses import dataclass
from functools import lru_cache
from random import Random

from lessons import measured
from lessons.versions.lanes import Span, length, schedule, steady
from lessons.versions.roles import TOOLS, rules
from simulator import gpu
from simulator.ceilings import ceilings
from simulator.designs import READER, built
from simulator.designs import seconds as modelled
from simulator.pace import round_s

KERNEL = "flash_attention_3"
TILES = 4                               # of the picture
KERNELS_GPU = "h200"                    # where it was timed


@dataclass(frozen=True)
class Run:
    """A recorded run of the kernel: what was timed, and in which file of timings."""

    timing: measured.Timing
    record: measured.Record

    @property
    def share(self) -> float:
        """Its rate over the tensor cores' ceiling."""
        return 1e12 * self.timing.tflops / ceilings(gpu(KERNELS_GPU)).tensor.rate

    @property
    def modelled_share(self) -> float:
        """The same by the time model."""
        one = self.timing
        seconds = modelled(KERNEL, one.problem, one.tiling, one.warps, gpu(KERNELS_GPU))
        return self.share * one.ms / (1e3 * seconds)


@lru_cache(maxsize=8)
def recorded(d: int) -> Run:
    """The run over the most rows without a mask, with the blocks that the kernel takes there."""
    found = [Run(one, bench.record) for bench in measured.benches() for one in bench.timings
             if bench.record.gpu == KERNELS_GPU and not one.sweep
             and (one.kernel, one.problem.d, one.problem.causal) == (KERNEL, d, False)]
    return max(found, key=lambda run: run.timing.problem.n)


def readers(d: int) -> str:
    """The readers' names, one for every 64 rows of the row block: "AB"."""
    return "ABC"[:recorded(d).timing.tiling.br // READER]


@lru_cache(maxsize=64)
def seconds(d: int, key: str) -> dict[str, float]:
    """{kind of work: seconds of one job on one SM}: the time model's."""
    timing = recorded(d).timing
    b = built(KERNEL, timing.problem, timing.tiling, timing.warps, gpu(key))
    tile, product = b.share("l2", b.rows(b.tiling.bc)), b.products(READER) / 2
    return {"Q": b.share("l2", b.rows(READER)), "K": tile, "V": tile, "S": product, "a": product,
            "P": b.weights(READER, masked=False), "rescale": b.rescaling(READER), "turn": 0.0}


def beside(d: int, key: str) -> float:
    """Softmax of a tile over its products, in time."""
    taken = seconds(d, key)
    return (taken["P"] + taken["rescale"]) / (taken["S"] + taken["a"])


def queued(d: int, key: str) -> float:
    """The tensor cores' share in one round of the time model: its queues have a reader do one job after another."""
    taken, waiting = seconds(d, key), readers(d)
    products = taken["S"] + taken["a"]
    return len(waiting) * products / round_s((products, taken["P"] + taken["rescale"]), 0, len(waiting))


@lru_cache(maxsize=256)
def timeline(mode: str, d: int, key: str) -> tuple[Span, ...]:
    """TILES tiles of one row block, like clockwork."""
    return _run(mode, d, key, TILES, readers(d), steady)


def pace(mode: str, d: int, key: str, tiles: int, seed: int | None = None, missing: int = 0) -> float:
    """The share of time in which tensor cores work over so many tiles: like clockwork, or with a seed by chance.

    By chance a job's time is exponentially distributed about the same mean, as the time model's queues have it.
    `missing` readers of the kernel's are left out.
    """
    dice, names = Random(seed), readers(d)[missing:]
    spans = _run(mode, d, key, tiles, names, steady if seed is None else lambda: dice.expovariate(1.0))
    return len(names) * tiles * 2 * seconds(d, key)["S"] / length(spans)


def _run(mode, d, key, tiles, names, hitch):
    return schedule(rules(mode, names, recorded(d).timing.tiling.stages, tiles), TOOLS, seconds(d, key), hitch)
