"""What is asked: the attention problem, its storage type and the block sizes."""

from dataclasses import dataclass
from functools import cached_property

import ml_dtypes
import numpy as np

from .errors import BadProblem, UnknownName
from .masks import UNLIMITED, Mask

LARGEST_N = 2**24
LARGEST = {"n": LARGEST_N, "n_kv": LARGEST_N, "d": 4096, "br": LARGEST_N, "bc": LARGEST_N, "stages": 64,
           "batch": 2**20, "heads": 2**20, "kv_heads": 2**20}
PASSES = ("scale", "mask", "dropout")


@dataclass(frozen=True)
class DType:
    """A storage type: its width in HBM; arithmetic on the desk is float32 whatever the width."""

    name: str
    bytes: int
    storage: np.dtype

    def round(self, values):
        """Round to this type's grid, as a store to HBM does; saturates where the type has no infinity."""
        if self.storage == np.float32:
            return np.asarray(values, np.float32)
        if self is FP8:                                   # e4m3 has no infinity: hardware converts to ±448
            values = np.clip(values, -448, 448)
        with np.errstate(over="ignore"):                  # what is too large becomes infinite, as on a GPU
            return np.asarray(values).astype(self.storage).astype(np.float32)

    @property
    def table(self):
        """The type in which S, P and O of these inputs are stored: their own, bf16 for fp8."""
        return BF16 if self is FP8 else self

    @property
    def epsilon(self):
        """The distance from 1 to the next number of this type."""
        return float(ml_dtypes.finfo(self.storage).eps)


FP32 = DType("fp32", 4, np.dtype(np.float32))
FP16 = DType("fp16", 2, np.dtype(np.float16))
BF16 = DType("bf16", 2, np.dtype(ml_dtypes.bfloat16))
FP8 = DType("fp8", 1, np.dtype(ml_dtypes.float8_e4m3fn))
BYTE = DType("byte", 1, np.dtype(bool))                   # a dropout mask: one byte a cell
DTYPES = {t.name: t for t in (FP32, FP16, BF16, FP8)}


def dtype(name):
    """The DType called `name`; raises UnknownName."""
    try:
        return DTYPES[name]
    except (KeyError, TypeError):
        raise UnknownName(kind="dtype", asked=name, possible=", ".join(DTYPES)) from None


@dataclass(frozen=True)
class Problem:
    """Attention of Q (batch, heads, n, d) over K and V (batch, kv_heads, n_kv, d).

    `n_kv` and `kv_heads` follow `n` and `heads` when left out. `window` is (left, right) around
    the bottom-right diagonal, -1 for unlimited; `causal` sets right to 0. `passes` are extra N²
    passes of the standard way. Raises BadProblem for a size or option that cannot be.
    """

    n: int
    d: int
    n_kv: int | None = None
    batch: int = 1
    heads: int = 1
    kv_heads: int | None = None
    dtype: str = "fp16"
    causal: bool = False
    window: tuple[int, int] = (UNLIMITED, UNLIMITED)
    lse: bool = False
    passes: tuple[str, ...] = ()
    seed: int = 0

    def __post_init__(self):
        sizes = {"n": self.n, "n_kv": self.n_k, "d": self.d, "batch": self.batch, "heads": self.heads,
                 "kv_heads": self.groups}
        for name, size in sizes.items():
            _whole(name, size, 1, LARGEST[name])
        _whole("seed", self.seed, 0, 2**32 - 1)
        if self.heads % self.groups:
            raise BadProblem(name="kv-heads", asked=self.groups,
                             possible=f"every K/V head serves the same number of the {self.heads} query heads",
                             remedy=f"choose a divisor of {self.heads}")
        dtype(self.dtype)
        for side, width in zip(("left", "right"), self.window, strict=True):
            _whole(f"window {side}", width, UNLIMITED, LARGEST_N)
        for name in self.passes:
            if name not in PASSES:
                raise UnknownName(kind="pass", asked=name, possible=", ".join(PASSES))
        if len(set(self.passes)) < len(self.passes):
            raise BadProblem(name="passes", asked=",".join(self.passes), possible="each pass once",
                             remedy="leave the repeated one out")

    @property
    def n_k(self):
        """Number of keys and values, N_k."""
        return self.n if self.n_kv is None else self.n_kv

    @property
    def groups(self):
        """Number of K/V heads."""
        return self.heads if self.kv_heads is None else self.kv_heads

    @cached_property
    def mask(self):
        """Which keys each query sees."""
        left, right = self.window
        return Mask(self.n, self.n_k, left, 0 if self.causal else right)

    @property
    def storage(self):
        """The DType of Q, K and V in HBM."""
        return dtype(self.dtype)


@dataclass(frozen=True)
class Tiling:
    """Block sizes: `br` query rows and `bc` keys; `stages` buffers for each K and V tile in flight."""

    br: int
    bc: int
    stages: int = 1

    def __post_init__(self):
        for name in ("br", "bc", "stages"):
            _whole(name, getattr(self, name), 1, LARGEST[name])


def _whole(name, value, lowest, largest):
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not whole or not lowest <= value <= largest:
        raise BadProblem(name=name.replace("_", "-"), asked=value if whole else repr(value),
                         possible=f"a whole number from {lowest} to {largest:,}", remedy="choose one in that range")
