"""What the tale counts, counted: one passage of the master, all passages of both, and the trial."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from lessons.story import small_desk
from simulator import Problem, Tiling, accounting, simulate
from simulator.run import Run

WIDTH = 4                               # d of the scenes
TRIAL = Problem(n=1024, d=64)
VOLUMES = 16                            # passages on the desk of the tale
SLIPS, NEXT = (7.0, 4.0, 3.0), 9.0      # the scores by lamp light
WAYS = ("master", "scribe")
TRIED = ("master", "batched", "scribe")                  # in the trial, also the master with a desk of askers


def passage(n: int) -> Problem:
    """One passage that asks all n."""
    return Problem(n=1, n_kv=n, d=WIDTH)


def bureau(n: int) -> Problem:
    """All n passages, each asking all, in float32 so that both results can be compared."""
    return Problem(n=n, d=WIDTH, dtype="fp32")


def tiling(way: str, volumes: int) -> Tiling:
    """The master lets one passage ask at a time, the others a desk of them; all fetch those asked by the desk."""
    return Tiling(1 if way == "master" else volumes, volumes)


ALGORITHM = {"master": "standard", "batched": "standard", "scribe": "flash2"}


@lru_cache(maxsize=64)
def worked(way: str, n: int, volumes: int) -> Run:
    """An executed run of the whole bureau."""
    problem, blocks = bureau(n), tiling(way, volumes)
    return simulate(problem, blocks, small_desk(problem, blocks), ALGORITHM[way], execute=True)


def lists_carried(cost, problem: Problem) -> int:
    """How often a passage's list of scores or shares crosses the courtyard."""
    row = problem.n_k * problem.storage.table.bytes
    return sum(cost.desk.by_tensor[name].total for name in "SP" if name in cost.desk.by_tensor) // row


def times_fetched(cost, problem: Problem) -> int:
    """How often every passage is fetched as one of those who are asked."""
    return cost.desk.by_tensor["K"].read // (problem.n_k * problem.d * problem.storage.bytes)


def apart(n: int, volumes: int) -> float:
    """The largest difference between the results of both."""
    return float(np.abs(worked("master", n, volumes).output - worked("scribe", n, volumes).output).max())


@dataclass(frozen=True)
class Bill:
    """The trial in four units: lists carried, batches of questions, tiles fetched or filed, bytes."""

    lists: int
    batches: int
    tiles: int
    bytes: int


@lru_cache(maxsize=8)
def trial(way: str) -> Bill:
    """What the trial of 1024 passages costs one of TRIED."""
    blocks = tiling(way, VOLUMES)
    cost = accounting.cost(ALGORITHM[way], TRIAL, blocks)
    return Bill(lists_carried(cost, TRIAL), -(-TRIAL.n // blocks.br), cost.tile_moves, cost.desk.total)


def day(spec) -> tuple[float, float]:
    """Seconds the master's trial takes in walking and in counting on a GPU, each at the data sheet's full rate.

    Walking is the paper ruler's bytes over the memory's bandwidth; counting is the matrix products on the tensor
    cores and everything else in fp32.
    """
    cost = accounting.cost("standard", TRIAL, tiling("master", VOLUMES))
    flops = cost.flops
    return (cost.paper.total / spec.memory_bytes_per_s,
            flops.matmul / spec.tensor_flops_per_s + (flops.exp + flops.other) / spec.fp32_flops_per_s)
