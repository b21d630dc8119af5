"""An experiment, not the program: the running sums kept in float16 throughout, without and with the maximum.

NumPy's float16 stands for a machine that would keep everything in fp16; the project's programs, as GPUs do, keep
the card in float32.
"""

from dataclasses import dataclass
from math import log

import numpy as np

LARGEST = float(np.finfo(np.float16).max)
CEILING = log(LARGEST)                                   # e to this is the largest number of fp16
CEILING_FP32 = log(float(np.finfo(np.float32).max))
FLOOR = log(float(np.finfo(np.float16).smallest_subnormal) / 2)   # e to less than this is rounded to 0


@dataclass(frozen=True)
class Sums:
    """After one person: the exponent, its weight e^exponent, and l and a so far, all as float16 has them."""

    exponent: float
    weight: float
    l: float
    a: float


def without_maximum(scores: tuple, values: tuple) -> tuple[Sums, ...]:
    """Add up e^score and e^score · value in float16: sums reach infinity as soon as one weight does."""
    l = a = np.float16(0)
    rows = []
    with np.errstate(all="ignore"):
        for score, value in _halves(scores, values):
            weight = np.exp(score)
            l, a = l + weight, a + weight * value
            rows.append(Sums(*map(float, (score, weight, l, a))))
    return tuple(rows)


def with_maximum(scores: tuple, values: tuple) -> tuple[Sums, ...]:
    """The same sums with the largest score taken off every score first: no weight is above 1."""
    largest = max(scores)
    return without_maximum(tuple(score - largest for score in scores), values)


def mean(row: Sums) -> float:
    """Return a ÷ l in float16: infinity over infinity is not a number."""
    with np.errstate(all="ignore"):
        return float(np.float16(row.a) / np.float16(row.l))


def _halves(scores, values):
    return zip(np.float16(scores), np.float16(values), strict=True)
