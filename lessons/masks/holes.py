"""Two ways to mask badly, tried on a few numbers, beside what the program does with the same."""

from functools import lru_cache

import numpy as np

from simulator import Problem, Tiling, simulate

LOWEST_FP16 = float(np.finfo(np.float16).min)
STAND_INS = (-10_000.0, LOWEST_FP16, -1e9)               # numbers that are written where −∞ is meant
HIDDEN, VISIBLE = (10.0, 10.0), (2.0, 6.0)               # folders of the hidden and of the visible people
BELOW = (0.0, -1.0)                     # the visible scores, from their level down
QUERY, KEYS = (1.0, 0.0), np.eye(2, dtype=np.float32)


@lru_cache(maxsize=64)
def shares(keys: int, appended: int) -> tuple[float, ...]:
    """The shares of the two true keys when `appended` keys of zeros stand behind them in memory and are counted.

    The folders are the rows of a unit matrix, so that the result O is the shares; appended folders are zero.
    `keys` is how many keys the program is told of: with 2 it takes only the valid rows of a tile that is too wide.
    """
    k = np.concatenate([KEYS, np.zeros((appended, 2), np.float32)])[None, None, :keys]
    q = np.float32(QUERY)[None, None, None]
    run = simulate(Problem(n=1, n_kv=keys, d=2, dtype="fp32"), Tiling(1, 2 + appended), inputs=(q, k, k))
    return tuple(run.output[0, 0, 0].tolist())


def stand_in(fill: float, level: float) -> tuple[float, float]:
    """The share of the hidden people and the result, in float32, with `fill` written over their scores."""
    return _weigh(np.float32([fill, fill, *(level + below for below in BELOW)]))


def alone(fill: float) -> float:
    """The result of a row that sees nobody, with `fill` written over every score."""
    return _weigh(np.float32([fill] * 4))[1]


@lru_cache(maxsize=64)
def program(level: float) -> tuple[float, float]:
    """The share of the hidden people and the result of the program under a window that hides the first two of four."""
    scores = np.float32([0, 0, *(level + below for below in BELOW)])
    folders = np.float32([*HIDDEN, *VISIBLE])
    run = simulate(Problem(n=1, n_kv=4, d=1, dtype="fp32", window=(1, 0)), Tiling(1, 4), values=("P",),
                   inputs=(np.ones((1, 1, 1, 1), np.float32), scores.reshape(1, 1, 4, 1), folders.reshape(1, 1, 4, 1)))
    weights = next(event.values for event in run.events if event.tensor == "P")[0]
    return float(weights[:2].sum() / weights.sum()), float(run.output[0, 0, 0, 0])


@lru_cache(maxsize=1)
def program_alone() -> float:
    """The result of the program for a row that sees nobody: the first of two under a causal mask over one key."""
    one = np.ones((1, 1, 1, 1), np.float32)
    run = simulate(Problem(n=2, n_kv=1, d=1, dtype="fp32", causal=True), Tiling(2, 1),
                   inputs=(np.ones((1, 1, 2, 1), np.float32), one, one * HIDDEN[0]))
    return float(run.output[0, 0, 0, 0])


def _weigh(scores):
    """Softmax with the maximum taken off, and the weighted mean of the folders."""
    with np.errstate(invalid="ignore"):
        weights = np.exp(scores - scores.max())
        weights = weights / weights.sum()
        return float(weights[:2].sum()), float(weights @ np.float32([*HIDDEN, *VISIBLE]))
