"""Attention in fp8: what e4m3 costs in accuracy, and what two remedies of FlashAttention-3 give back.

An experiment after Shah et al. (2024), §3.3 and Table 3: inputs with outliers, one scale for a whole tensor or one for
each block of rows, and a random rotation of Q and K before they are quantised. Errors are against float64.
"""

from dataclasses import dataclass

import numpy as np

from . import reference
from .masks import Mask
from .problem import FP8 as E4M3
from .problem import FP16

RARE, LARGE = 0.001, 10.0               # how often an outlier is added to a normal number, and its deviation
LARGEST = np.float32(448)               # of e4m3
LIFT = np.float32(256)                  # weights lie in 0 … 1: lifted, the small ones keep their digits
BLOCK = 128                             # rows that share a scale


@dataclass(frozen=True)
class Way:
    """One line of the experiment: a format, how softmax is kept, who shares a scale, whether Q and K are rotated."""

    name: str
    fp8: bool
    flash: bool = True                  # softmax in float32, never stored; else every step of it in fp16
    block: int | None = None            # rows that share a scale; None: one scale for the tensor
    rotated: bool = False


WAYS = (Way("standard_fp16", fp8=False, flash=False), Way("flash_fp16", fp8=False),
        Way("tensor", fp8=True), Way("block", fp8=True, block=BLOCK), Way("rotated", fp8=True, rotated=True),
        Way("both", fp8=True, block=BLOCK, rotated=True))
PUBLISHED = {"standard_fp16": 3.2e-4, "flash_fp16": 1.9e-4, "tensor": 2.4e-2, "block": 2.4e-2, "rotated": 9.3e-3,
             "both": 9.1e-3}
"""Root mean square errors of Table 3; it does not say at which N, d or how many heads."""


def errors(seed: int, n: int = 256, n_kv: int = 8192, d: int = 128, heads: int = 1) -> dict[str, float]:
    """{name of WAYS: root mean square error of O (n, d)} over some heads drawn from the seed; d is a power of two.

    Against float64 of the inputs as they were drawn, before they are stored as fp16. About a second.
    """
    rng = np.random.default_rng((seed, 8))
    squares = dict.fromkeys((way.name for way in WAYS), 0.0)
    for _ in range(heads):
        q, k, v = (with_outliers(rng, rows, d) for rows in (n, n_kv, n_kv))
        exact, turn = reference.attention(q, k, v, Mask(n, n_kv)), rotation(rng, d)
        q, k, v = map(FP16.round, (q, k, v))
        for way in WAYS:
            squares[way.name] += float(np.mean((attend(way, q, k, v, turn) - exact) ** 2))
    return {name: (total / heads) ** 0.5 for name, total in squares.items()}


def with_outliers(rng, n, d):
    """N(0, 1) + N(0, LARGE²) · Bernoulli(RARE), (n, d) in float32: the paper's inputs."""
    normal, large = rng.standard_normal((2, n, d), np.float32)
    return normal + np.float32(LARGE) * large * (rng.random((n, d)) < RARE)


def rotation(rng, d):
    """A random orthogonal matrix (d, d) in float32: Hadamard's over √d, the sign of every row drawn."""
    hadamard = np.ones((1, 1), np.float32)
    while len(hadamard) < d:
        hadamard = np.block([[hadamard, hadamard], [hadamard, -hadamard]])
    return rng.choice(np.float32([-1, 1]), (d, 1)) * hadamard / np.sqrt(np.float32(d))


def quantised(x, block=None):
    """x (n, d) as e4m3 holds it, each block of rows scaled to end at the largest number there is, in float32."""
    rows = block or len(x)
    return np.concatenate([_scaled(x[first:first + rows]) for first in range(0, len(x), rows)])


def _scaled(x):
    scale = np.abs(x).max() / LARGEST or np.float32(1)
    return E4M3.round(x / scale) * scale


def attend(way, q, k, v, turn):
    """O (n, d) of one head in the manner of `way`, from q (n, d), k, v (n_kv, d) in fp16; float32 sums products."""
    if way.rotated:
        q, k = q @ turn, k @ turn                         # QM(KM)ᵀ = QKᵀ: the scores stay, the outliers are spread
    if way.fp8:
        q, k, v = (quantised(x, way.block) for x in (q, k, v))
    S = q @ k.T / np.sqrt(np.float32(q.shape[1]))
    return FP16.round(_stored(S) @ v if not way.flash else _kept(S, v, way.fp8))


def _stored(S):
    """Softmax with every intermediate result rounded to fp16: P (n, n_kv)."""
    S = FP16.round(S)
    E = FP16.round(np.exp(FP16.round(S - S.max(axis=1, keepdims=True))))
    return FP16.round(E / FP16.round(E.sum(axis=1, keepdims=True)))


def _kept(S, v, fp8):
    """Softmax in float32, only the weights rounded to the inputs' format before they meet V."""
    E = np.exp(S - S.max(axis=1, keepdims=True))
    weights = E4M3.round(E * LIFT) / LIFT if fp8 else FP16.round(E)
    return weights @ v / E.sum(axis=1, keepdims=True)
