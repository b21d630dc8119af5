"""FlashAttention (Dao et al. 2022, Algorithm 1): K and V outside, O travels."""

import triton
import triton.language as tl

from .launch import Blocks, Case, Launch, column, go
from .tiles import NOTHING, SIZES, head, load, load_column, row_block, seeing_rows, store, store_column, visible

PAST_L1 = tl.constexpr(".cg")
"""What returns for every K/V block is fetched from L2, where a counter sees it, not from a copy in L1."""


def flash_attention_1(q, k, v, causal=False, window=(-1, -1), blocks=None):
    """O (B, H, N_q, d) of q (B, H, N_q, d), k and v (B, H_kv, N_k, d).

    fp16, bf16 or fp32, at any strides; H_kv divides H; d up to 256. `window` is (left, right) around the
    bottom-right diagonal, -1 for unlimited; `blocks` a Blocks, chosen from d when left out.
    Raises BadProblem for what cannot be.
    """
    case = Case.of(q, k, v, causal, window)
    made = results(case, q)
    go(launches(case, q, k, v, blocks or default_blocks(case), **made))
    return made["O"]


def default_blocks(case):
    """Blocks that fit every GPU with 99 KiB of shared memory a block and spill no register to local memory."""
    D = max(64, case.D)
    if case.problem.dtype == "fp32":
        return Blocks({64: 64, 128: 32, 256: 16}[D], {64: 32, 128: 32, 256: 16}[D], warps=8, stages=1)
    return Blocks({64: 128, 128: 128, 256: 32}[D], {64: 64, 128: 32, 256: 32}[D], warps=8, stages=1)


def results(case, q):
    """What the kernels write, allocated beside q: O, l and m."""
    return dict(O=q.new_empty(q.shape), l=column(q), m=column(q))


def launches(case, q, k, v, blocks, O, l, m):
    """`init` over all row blocks, then one program a head: its loops must run one after another."""
    blocks.check()
    sizes, strides = case.sizes(blocks.br), case.strides(q, k, v, O)
    rows = dict(d=case.problem.d, D=case.D, B_r=blocks.br)
    return [
        Launch("init", init_kernel, grid=case.row_blocks(blocks.br) * case.units,
               args=dict(O=O, l=l, m=m, strides=strides[3], N_q=sizes["N_q"], T_r=sizes["T_r"], H=sizes["H"]),
               constants=rows, **blocks.of_launch),
        Launch("flash_attention_1", flash_attention_1_kernel, grid=case.units,
               args=dict(Q=q, K=k, V=v, O=O, l=l, m=m, strides=strides, **sizes, **case.band, scale=case.scale),
               constants=dict(**rows, B_c=blocks.bc, MASKED=case.masked(blocks.bc), PRECISION=case.precision),
               **blocks.of_launch)]


@triton.jit
def init_kernel(O, l, m, strides, N_q, T_r, H, d: tl.constexpr, D: tl.constexpr, B_r: tl.constexpr):
    """O, l and m before the first key (line 2)."""
    i, b, h, _ = row_block(T_r, H, 1, False)
    column = tl.cast(b * H + h, tl.int64) * N_q
    store(head(O, strides, b, h), strides, i * B_r, N_q, d, tl.zeros((B_r, D), tl.float32), B_r, D)
    store_column(l + column, i * B_r, N_q, tl.zeros((B_r,), tl.float32), B_r)
    store_column(m + column, i * B_r, N_q, tl.full((B_r,), NOTHING, tl.float32), B_r)


@triton.jit(do_not_specialize=SIZES)
def flash_attention_1_kernel(Q, K, V, O, l, m, strides, N_q, N_k, T_r, H, group, left, right, scale,
                             d: tl.constexpr, D: tl.constexpr, B_r: tl.constexpr, B_c: tl.constexpr,
                             MASKED: tl.constexpr, PRECISION: tl.constexpr):
    """For each K/V block, every row block's O, l and m come from HBM and go back."""
    _, b, h, h_kv = row_block(1, H, group, False)                             # one program per head
    Q, K, V = head(Q, strides[0], b, h), head(K, strides[1], b, h_kv), head(V, strides[2], b, h_kv)
    O, column = head(O, strides[3], b, h), tl.cast(b * H + h, tl.int64) * N_q
    l, m = l + column, m + column
    unseen = tl.maximum(N_k - N_q - left, 0) // B_c                           # keys left of every row's window
    for j in range(unseen, tl.cdiv(N_k, B_c)):                                # line 5
        low, high = seeing_rows(j * B_c, B_c, N_q, N_k, left, right)
        K_j = load(K, strides[1], j * B_c, N_k, d, B_c, D)                    # (B_c, D), stay on the desk
        V_j = load(V, strides[2], j * B_c, N_k, d, B_c, D)
        for i in range(low // B_r, tl.cdiv(high, B_r)):                       # line 7
            Q_i = load(Q, strides[0], i * B_r, N_q, d, B_r, D, PAST_L1)
            l_i = load_column(l, i * B_r, N_q, B_r, PAST_L1)
            m_i = load_column(m, i * B_r, N_q, B_r, PAST_L1)
            S = tl.dot(Q_i, tl.trans(K_j), input_precision=PRECISION) * scale
            if MASKED:
                S = tl.where(visible(i * B_r, j * B_c, N_q, N_k, left, right, B_r, B_c), S, float("-inf"))
            m_new = tl.maximum(m_i, tl.max(S, 1))
            P = tl.exp(S - m_new[:, None])
            c = tl.exp(m_i - m_new)
            l_new = c * l_i + tl.sum(P, 1)
            O_i = load(O, strides[3], i * B_r, N_q, d, B_r, D, PAST_L1)       # travels for every j
            undone = (c * l_i)[:, None] * O_i.to(tl.float32)                  # O_i is normalised: undo
            a = tl.dot(P.to(V_j.dtype), V_j, undone, input_precision=PRECISION)             # … and add
            store(O, strides[3], i * B_r, N_q, d, a / tl.where(l_new == 0, 1, l_new)[:, None], B_r, D)   # line 12
            store_column(l, i * B_r, N_q, l_new, B_r)
            store_column(m, i * B_r, N_q, m_new, B_r)
        tl.debug_barrier()                       # what one thread stored, another loads for the next j
