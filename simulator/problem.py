"""What is asked: the attention problem, its storage type and the block sizes."""

from dataclasses import dataclass
from functools import cached_property

import ml_dtypes
import numpy as np

from .errors import BadProblem, UnknownName
from .masks import UNLIMITED, Mask

LARGEST_N = 2**24
LARGEST = {"n": LARGEST_N, "n_kv": LARGEST_N, "d": 4096, "br": LARGEST_N, "bc": LARGEST_N, "stages": 64,
           "splits": 2**20, "batch": 2**20, "heads": 2**20, "kv_heads": 2**20}
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
        sizes = {name: _whole(name, getattr(self, name), 1, LARGEST[name]) for name in ("n", "d", "batch", "heads")}
        sizes |= {name: _whole(name, size, 1, LARGEST[name])
                  for name, size in (("n_kv", self.n_kv), ("kv_heads", self.kv_heads)) if size is not None}
        _keep(self, **sizes, seed=_whole("seed", self.seed, 0, 2**32 - 1), causal=_switch("causal", self.causal),
              lse=_switch("lse", self.lse), window=_window(self.window), passes=_passes(self.passes))
        if self.heads % self.groups:
            raise BadProblem(name="kv-heads", asked=self.groups,
                             possible=f"every K/V head serves the same number of the {self.heads} query heads",
                             remedy=f"choose a divisor of {self.heads}")
        dtype(self.dtype)

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
    """Block sizes: `br` query rows and `bc` keys; `stages` buffers for each tile that streams by.

    Forward K and V stream by, backward Q, dO and O. Decoding deals its K/V blocks to `splits` thread blocks
    (split_kv), and with `pack_gqa` one thread block serves all query heads of a group (decode and split_kv).
    """

    br: int
    bc: int
    stages: int = 1
    splits: int = 1
    pack_gqa: bool = False

    def __post_init__(self):
        for name in ("br", "bc", "stages", "splits"):
            _keep(self, **{name: _whole(name, getattr(self, name), 1, LARGEST[name])})
        _keep(self, pack_gqa=_switch("pack-gqa", self.pack_gqa))


def _keep(one, **fields):
    """Set fields of a frozen dataclass as its arithmetic wants them: NumPy's narrow integers would overflow."""
    for name, value in fields.items():
        object.__setattr__(one, name, value)


def _whole(name, value, lowest, largest):
    """The value as a plain integer; raises BadProblem unless it is whole and in range."""
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not whole or not lowest <= value <= largest:
        raise BadProblem(name=name.replace("_", "-"), asked=value if whole else _shown(value),
                         possible=f"a whole number from {lowest} to {largest:,}", remedy="choose one in that range")
    return int(value)


def _shown(value):
    return " ".join(repr(value).split())                  # an array's on one line


def _switch(name, value):
    if not isinstance(value, (bool, np.bool_)):
        raise BadProblem(name=name, asked=_shown(value), possible="True or False", remedy="choose one of them")
    return bool(value)


def _window(sides):
    if not isinstance(sides, (tuple, list)) or len(sides) != 2:
        raise BadProblem(name="window", asked=_shown(sides), possible="two numbers, the keys seen left and right",
                         remedy=f"give both, {UNLIMITED} for unlimited")
    return tuple(_whole(f"window {side}", width, UNLIMITED, LARGEST_N)
                 for side, width in zip(("left", "right"), sides, strict=True))


def _passes(names):
    if not isinstance(names, (tuple, list)):
        raise BadProblem(name="passes", asked=_shown(names), possible="a tuple of names",
                         remedy=f"choose from {', '.join(PASSES)}")
    for name in names:
        if name not in PASSES:
            raise UnknownName(kind="pass", asked=name, possible=", ".join(PASSES))
    if len(set(names)) < len(names):
        raise BadProblem(name="passes", asked=",".join(names), possible="each pass once",
                         remedy="leave the repeated one out")
    return tuple(names)
