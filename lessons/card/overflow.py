"""An experiment, not the program: the running sums kept in one number format throughout, without and with the maximum.

Every step is rounded to the format, as by a machine that would keep everything in it; the project's programs, as
GPUs do, keep the card in float32.
"""

from dataclasses import dataclass
from math import log

import ml_dtypes
import numpy as np

from simulator.problem import FP16, FP32, DType


def largest(kind: DType) -> float:
    """Return the largest number of a format."""
    return float(ml_dtypes.finfo(kind.storage).max)


def smallest(kind: DType) -> float:
    """Return the smallest number of a format above 0."""
    return float(ml_dtypes.finfo(kind.storage).smallest_subnormal)


LARGEST = largest(FP16)
CEILING = log(LARGEST)                                   # e to this is the largest number of fp16
CEILING_FP32 = log(largest(FP32))
FLOOR = log(smallest(FP16) / 2)                          # e to less than this is rounded to 0


@dataclass(frozen=True)
class Sums:
    """After one person: the exponent, its weight e^exponent, and l and a so far, all as the format has them."""

    exponent: float
    weight: float
    l: float
    a: float


def without_maximum(scores: tuple, values: tuple, kind: DType = FP16) -> tuple[Sums, ...]:
    """Add up e^score and e^score · value in a format: sums reach infinity as soon as one weight does."""
    l, a, rows = 0.0, 0.0, []
    with np.errstate(all="ignore"):
        for score, value in zip(rounded(scores, kind), rounded(values, kind), strict=True):
            weight = exponential(score, kind)
            l, a = rounded(l + weight, kind), rounded(a + rounded(weight * value, kind), kind)
            rows.append(Sums(float(score), weight, float(l), float(a)))
    return tuple(rows)


def with_maximum(scores: tuple, values: tuple, kind: DType = FP16) -> tuple[Sums, ...]:
    """The same sums with the largest score taken off every score first: no weight is above 1."""
    top = max(scores)
    return without_maximum(tuple(score - top for score in scores), values, kind)


def exponential(score: float, kind: DType = FP16) -> float:
    """Return e^score as a format has it."""
    with np.errstate(all="ignore"):
        return float(rounded(np.exp(np.float64(score)), kind))


def mean(row: Sums, kind: DType = FP16) -> float:
    """Return a ÷ l in a format: infinity over infinity is not a number."""
    with np.errstate(all="ignore"):
        return float(rounded(np.float64(row.a) / np.float64(row.l), kind))


def rounded(numbers, kind: DType):
    """Round numbers to a format; what is too large becomes infinite, or the largest where it has no infinity."""
    with np.errstate(all="ignore"):
        return kind.round(np.asarray(numbers, np.float64))
