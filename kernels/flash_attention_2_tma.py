"""FlashAttention-2 as a Hopper GPU likes it: the tiles and results of `flash_attention_2`, sooner.

What is different, and why:
- Two row blocks a program, top and bottom, share each K/V tile: while one's softmax runs on the
  arithmetic units, the other's matrix products run on the tensor cores; K and V cross half as often.
- Tensor descriptors: the tensor memory accelerator fetches whole tiles, no thread computes an address.
- Most tiles are seen whole; only those that the mask's edge cuts are masked, in loops of their own.
- Exponentials in base 2, with log₂e in the scale: one multiply-add and one instruction each.
"""

from math import e, log2

import triton
import triton.language as tl

from simulator.errors import BadProblem

from .flash_attention_2 import results
from .launch import Blocks, Case, Launch, aligned, go
from .tiles import NOTHING, SIZES, head, row_block, seen_keys, store, store_column, visible

LN2 = tl.constexpr(0.6931471805599453)


def flash_attention_2_tma(q, k, v, causal=False, window=(-1, -1), lse=False, blocks=None):
    """As `flash_attention_2`; `blocks.br` counts both row blocks of a program.

    Rows must lie 16 bytes aligned with d contiguous, else BadProblem.
    """
    case = Case.of(q, k, v, causal, window, lse)
    made = results(case, q)
    go(launches(case, q, k, v, blocks or default_blocks(case), **made))
    return (made["O"], made["L"]) if lse else made["O"]


def default_blocks(case):
    """Blocks that are fast on an H200 and, up to d 128, spill no register to local memory."""
    if case.problem.dtype == "fp32":
        return Blocks(64, 16, warps=8, stages=2)
    return {64: Blocks(128, 64, 4, 3), 128: Blocks(256, 32, 8, 3), 256: Blocks(128, 32, 8, 2)}[max(64, case.D)]


def launches(case, q, k, v, blocks, O, L):
    """The one launch: a program for each pair of row blocks of each head."""
    blocks.check()
    half, bc = blocks.br // 2, blocks.bc
    return [Launch(
        "flash_attention_2", flash_attention_2_tma_kernel, grid=case.row_blocks(blocks.br) * case.units,
        args=dict(Q=tiles_of("q", q, half, case.D), K=tiles_of("k", k, bc, case.D), V=tiles_of("v", v, bc, case.D),
                  O=O, L=L, strides=case.strides(O)[0], **case.sizes(blocks.br), **case.band,
                  scale=case.scale * log2(e)),
        constants=dict(d=case.problem.d, D=case.D, B_r=half, B_c=bc, MASKED=case.masked(bc),
                       LEFT=case.problem.mask.left != -1, CAUSAL=case.last_first, PRECISION=case.precision),
        **blocks.of_launch)]


def tiles_of(name, x, rows, D):
    """A tensor descriptor of x (B, H, n, d) that fetches tiles of (rows, D); zeros beyond n and d."""
    from triton.tools.tensor_descriptor import TensorDescriptor

    if not aligned(x):
        raise BadProblem(name=f"{name}'s strides", asked=x.stride(), possible="d contiguous, rows 16 bytes aligned",
                         remedy="make it so with contiguous() or padding, or take flash_attention_2")
    return TensorDescriptor(x, list(x.shape), list(x.stride()), [1, 1, rows, D])


@triton.jit(do_not_specialize=SIZES)
def flash_attention_2_tma_kernel(Q, K, V, O, L, strides, N_q, N_k, T_r, H, group, left, right, scale,
                                  d: tl.constexpr, D: tl.constexpr, B_r: tl.constexpr, B_c: tl.constexpr,
                                  MASKED: tl.constexpr, LEFT: tl.constexpr, CAUSAL: tl.constexpr,
                                  PRECISION: tl.constexpr):
    """Two row blocks keep their cards (m, l, a) in registers while K and V pass by once for both."""
    i, b, h, h_kv = row_block(T_r, H, group, CAUSAL)
    top, shift = 2 * i * B_r, N_k - N_q
    bottom = top + B_r
    Q_t, Q_b = Q.load([b, h, top, 0]).reshape(B_r, D), Q.load([b, h, bottom, 0]).reshape(B_r, D)
    t, o = blank(B_r, D), blank(B_r, D)                               # the cards of top and bottom
    low, high = seen_keys(top, 2 * B_r, N_q, N_k, left, right)
    first, last = low // B_c, tl.cdiv(high, B_c)                      # skipped tiles move nothing
    start, stop = first, last                                         # tiles start … stop - 1 are seen whole
    if MASKED:
        stop = tl.maximum(first, tl.minimum(top + shift + right + 1, N_k) // B_c)
    if LEFT:
        start = tl.minimum(tl.maximum(first, tl.cdiv(bottom + B_r - 1 + shift - left, B_c)), stop)
        t, o = both(first, start, K, V, b, h_kv, Q_t, Q_b, t, o, top, N_q, N_k, left, right, scale, True, PRECISION)
    t, o = both(start, stop, K, V, b, h_kv, Q_t, Q_b, t, o, top, N_q, N_k, left, right, scale, False, PRECISION)
    if MASKED:
        t, o = both(stop, last, K, V, b, h_kv, Q_t, Q_b, t, o, top, N_q, N_k, left, right, scale, True, PRECISION)
    O = head(O, strides, b, h)
    store(O, strides, top, N_q, d, t[2] / tl.where(t[1] == 0, 1, t[1])[:, None], B_r, D)
    store(O, strides, bottom, N_q, d, o[2] / tl.where(o[1] == 0, 1, o[1])[:, None], B_r, D)
    if L is not None:
        L += tl.cast(b * H + h, tl.int64) * N_q
        store_column(L, top, N_q, (t[0] + tl.log2(t[1])) * LN2, B_r)
        store_column(L, bottom, N_q, (o[0] + tl.log2(o[1])) * LN2, B_r)


@triton.jit
def both(start, stop, K, V, b, h_kv, Q_t, Q_b, t, o, top, N_q, N_k, left, right, scale,
         MASKED: tl.constexpr, PRECISION: tl.constexpr):
    """The cards t and o after the K/V tiles start … stop - 1 passed by both row blocks."""
    B_r: tl.constexpr = Q_t.shape[0]
    B_c: tl.constexpr = K.block_shape[2]
    D: tl.constexpr = K.block_shape[3]
    for j in range(start, stop):
        K_j = K.load([b, h_kv, j * B_c, 0]).reshape(B_c, D)
        V_j = V.load([b, h_kv, j * B_c, 0]).reshape(B_c, D)
        S_t = tl.dot(Q_t, tl.trans(K_j), input_precision=PRECISION)
        S_b = tl.dot(Q_b, tl.trans(K_j), input_precision=PRECISION)
        if MASKED:
            S_t = tl.where(visible(top, j * B_c, N_q, N_k, left, right, B_r, B_c), S_t, float("-inf"))
            S_b = tl.where(visible(top + B_r, j * B_c, N_q, N_k, left, right, B_r, B_c), S_b, float("-inf"))
        t = update(t[0], t[1], t[2], S_t, V_j, scale, PRECISION)
        o = update(o[0], o[1], o[2], S_b, V_j, scale, PRECISION)
    return t, o


@triton.jit
def blank(B_r: tl.constexpr, D: tl.constexpr):
    """The card (m, l, a) before the first score."""
    return tl.full((B_r,), NOTHING, tl.float32), tl.zeros((B_r,), tl.float32), tl.zeros((B_r, D), tl.float32)


@triton.jit
def update(m_i, l_i, a_i, S, V_j, scale, PRECISION: tl.constexpr):
    """The card after scores S (B_r, B_c), unscaled, with values V_j (B_c, D)."""
    m_new = tl.maximum(m_i, tl.max(S, 1) * scale)
    P = tl.exp2(S * scale - m_new[:, None])
    c = tl.exp2(m_i - m_new)
    l_i = c * l_i + tl.sum(P, 1)
    a_i = tl.dot(P.to(V_j.dtype), V_j, c[:, None] * a_i, input_precision=PRECISION)
    return m_new, l_i, a_i
