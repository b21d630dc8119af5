"""One asker before a row of people: the real program with one query and one dimension."""

from functools import lru_cache

import numpy as np

from simulator import Problem, Tiling, simulate
from simulator.reference import attention
from simulator.run import Run


@lru_cache(maxsize=1024)
def ask(scores: tuple, values: tuple, piece: int) -> Run:
    """Execute FlashAttention-2 in float32 with Q = [[1]], K the scores and V the values, `piece` keys at a time.

    With d = 1 a score is q · k / √1 = k. The run records its numbers.
    """
    problem = Problem(n=1, d=1, n_kv=len(scores), dtype="fp32")
    q, k, v = (_column(numbers)[None, None] for numbers in ((1.0,), scores, values))
    return simulate(problem, Tiling(1, piece), values=True, inputs=(q, k, v))


def direct(run: Run, scores: tuple, values: tuple) -> float:
    """Return the weighted mean from all scores at once, in float64, of the same float32 inputs."""
    return float(attention(_column((1.0,)), _column(scores), _column(values), run.problem.mask)[0, 0])


def result(run: Run) -> float:
    """Return what the program wrote to O: a ÷ l in float32."""
    return float(run.output[0, 0, 0, 0])


def units_apart(found: float, exact: float) -> float:
    """Return how far a float32 number lies from an exact one, in units in the last place of float32 there."""
    return abs(found - exact) / unit(exact)


def unit(number: float) -> float:
    """Return the distance between neighbouring float32 numbers at a number."""
    return float(np.spacing(np.float32(abs(number))))


def _column(numbers):
    return np.array(numbers, np.float32).reshape(-1, 1)
