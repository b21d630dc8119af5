"""Experiments with number formats: one exponential in each, sums that explode, and sums whose order matters."""

from dataclasses import dataclass
from functools import lru_cache
from math import exp, log, log10

import ml_dtypes
import numpy as np

from lessons.card import asking, overflow
from simulator.problem import FP32, dtype

FORMATS = ("fp8", "fp16", "bf16", "fp32")
BELOW = (0, -3, -4)                     # the story's slips 7, 4, 3, from the highest down
VALUES = (2.0, 6.0, 4.0)
OTHERS = -8.5                           # score of the many, the one on top having 0
PIECE = 64


@dataclass(frozen=True)
class Outcome:
    """The three slips in one format: l, a and a ÷ l as the format has them."""

    l: float
    a: float
    mean: float


@lru_cache(maxsize=2048)
def outcome(score: float, name: str, subtract: bool) -> Outcome:
    """Add up three slips, the highest at `score`, in a format, with or without the maximum taken off first."""
    add_up = overflow.with_maximum if subtract else overflow.without_maximum
    row = add_up(tuple(score + below for below in BELOW), VALUES, dtype(name))[-1]
    return Outcome(row.l, row.a, overflow.mean(row, dtype(name)))


@lru_cache(maxsize=512)
def exact_mean(score: float) -> float:
    """The weighted mean of the three slips in float64: a shift of all scores changes nothing."""
    scores = tuple(float(score + below) for below in BELOW)
    return asking.direct(asking.ask(scores, VALUES, 1), scores, VALUES)


def ceiling(name: str) -> float:
    """The score whose exponential is the largest number of a format."""
    return log(overflow.largest(dtype(name)))


def digits(name: str) -> float:
    """How many decimal digits a format keeps."""
    return -log10(float(ml_dtypes.finfo(dtype(name).storage).eps))


def exact_sum(others: int) -> float:
    """l of one person with score 0 and many with the score OTHERS, in float64."""
    return 1 + others * exp(OTHERS)


@lru_cache(maxsize=256)
def summed(others: int, name: str) -> dict[str, float]:
    """The same l in a format: the largest weight first, the smallest first, in pieces of PIECE, and in float32."""
    kind = dtype(name)
    weight = overflow.exponential(OTHERS, kind)
    many = np.full(others, weight, np.float64)
    pieces = [_running(part, kind) for part in many.reshape(-1, PIECE)]
    return {"largest": _running([1, *many], kind), "smallest": _running([*many, 1], kind),
            "pieces": _running([1, *pieces], kind),
            "fp32": _running([1, *np.full(others, overflow.exponential(OTHERS, FP32))], FP32)}


def _running(numbers, kind):
    """Add one number after the other, every sum rounded to the format."""
    return float(np.add.accumulate(np.asarray(numbers).astype(kind.storage))[-1])
