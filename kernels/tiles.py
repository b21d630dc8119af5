"""What every kernel does with memory: which block it is, where its head lies, how a tile comes and goes.

A head X (n, d) lies in HBM at any strides; a tile (B, D) lies in shared memory or registers. D is d
rounded up to a power of two. Rows beyond n and columns beyond d are zeros that move no byte.
"""

import triton
import triton.language as tl

SIZES = ("N_q", "N_k", "T_r", "H", "group", "left", "right")
"""Arguments whose values do not change the machine code: one compilation serves all."""
ANY = tl.constexpr("")
"""No cache modifier: the load may hit in L1."""
NOTHING = tl.constexpr(-3.4028234663852886e38)
"""The maximum m of a row that has seen no key: the lowest float32, which can be subtracted from itself."""


@triton.jit
def row_block(T_r, H, group, LAST_FIRST: tl.constexpr):
    """(i, b, h, h_kv) of this program: heads one after another, in each its T_r row blocks.

    LAST_FIRST launches a head's row blocks from the bottom: under a causal mask they have the most to do.
    """
    program = tl.program_id(0)
    i, head = program % T_r, program // T_r
    if LAST_FIRST:
        i = T_r - 1 - i
    return i, head // H, head % H, (head % H) // group


@triton.jit
def head(X, strides, b, h):
    """The first number of head (b, h) of X (batch, heads, n, d)."""
    return X + tl.cast(b, tl.int64) * strides[0] + tl.cast(h, tl.int64) * strides[1]


@triton.jit
def load(X, strides, row, n, d: tl.constexpr, B: tl.constexpr, D: tl.constexpr, CACHE: tl.constexpr = ANY):
    """Rows row … row + B - 1 of the head at X, HBM -> desk: (B, D). CACHE ".cg" passes by L1."""
    rows, cols = tl.arange(0, B), tl.arange(0, D)
    where = X + tl.cast(row, tl.int64) * strides[2] + rows[:, None] * strides[2] + cols[None, :] * strides[3]
    return tl.load(where, mask=inside(row + rows, n, cols, d, D), other=0.0, cache_modifier=CACHE)


@triton.jit
def store(X, strides, row, n, d: tl.constexpr, tile, B: tl.constexpr, D: tl.constexpr):
    """A tile (B, D) to rows row … row + B - 1 of the head at X, desk -> HBM, rounded to its type."""
    rows, cols = tl.arange(0, B), tl.arange(0, D)
    where = X + tl.cast(row, tl.int64) * strides[2] + rows[:, None] * strides[2] + cols[None, :] * strides[3]
    tl.store(where, tile.to(X.dtype.element_ty), mask=inside(row + rows, n, cols, d, D))


@triton.jit
def inside(rows, n, cols, d: tl.constexpr, D: tl.constexpr):
    """Which places of a tile exist: (B, D), or (B, 1) where every column does."""
    within = (rows < n)[:, None]
    if d != D:
        within = within & (cols < d)[None, :]
    return within


@triton.jit
def load_column(x, row, n, B: tl.constexpr, CACHE: tl.constexpr = ANY):
    """Numbers row … row + B - 1 of a column x (n,), one for each row, HBM -> registers: (B,)."""
    rows = row + tl.arange(0, B)
    return tl.load(x + rows, mask=rows < n, other=0.0, cache_modifier=CACHE)


@triton.jit
def store_column(x, row, n, column, B: tl.constexpr):
    """One number for each row, registers -> HBM."""
    rows = row + tl.arange(0, B)
    tl.store(x + rows, column, mask=rows < n)


@triton.jit
def seen_keys(row, B: tl.constexpr, N_q, N_k, left, right):
    """(low, high): some row of row … row + B - 1 sees a key of low … high - 1, none sees another."""
    shift = N_k - N_q
    low = tl.maximum(row + shift - left, 0)
    high = tl.minimum(tl.minimum(row + B, N_q) + shift + right, N_k)
    return low, tl.maximum(high, 0)


@triton.jit
def seeing_rows(key, B: tl.constexpr, N_q, N_k, left, right):
    """(low, high): some key of key … key + B - 1 is seen by a row of low … high - 1, none by another."""
    shift = N_k - N_q
    low = tl.maximum(key - shift - right, 0)
    high = tl.minimum(tl.minimum(key + B, N_k) - shift + left, N_q)
    return low, tl.maximum(high, 0)


@triton.jit
def visible(row, key, N_q, N_k, left, right, B_r: tl.constexpr, B_c: tl.constexpr):
    """The cells of a tile that are seen: (B_r, B_c). The band hangs on the bottom-right corner."""
    keys = key + tl.arange(0, B_c)[None, :]
    diagonal = row + tl.arange(0, B_r)[:, None] + N_k - N_q
    return (keys >= diagonal - left) & (keys <= tl.minimum(diagonal + right, N_k - 1))
