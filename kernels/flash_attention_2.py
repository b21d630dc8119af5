"""FlashAttention-2 (Dao 2023, Algorithm 1): Q outside, in parallel; O is written once."""

import triton
import triton.language as tl

from .launch import Blocks, Case, Launch, column, go
from .tiles import NOTHING, SIZES, head, load, row_block, seen_keys, store, store_column, visible


def flash_attention_2(q, k, v, causal=False, window=(-1, -1), lse=False, blocks=None):
    """O (B, H, N_q, d) of q (B, H, N_q, d), k and v (B, H_kv, N_k, d); with `lse` also L (B, H, N_q) in fp32.

    fp16, bf16 or fp32, at any strides; H_kv divides H; d up to 256. `window` is (left, right) around the
    bottom-right diagonal, -1 for unlimited; `blocks` a Blocks, chosen from d when left out.
    Raises BadProblem for what cannot be.
    """
    case = Case.of(q, k, v, causal, window, lse)
    made = results(case, q)
    go(launches(case, q, k, v, blocks or default_blocks(case), **made))
    return (made["O"], made["L"]) if lse else made["O"]


def default_blocks(case):
    """Blocks that fit every GPU with 99 KiB of shared memory a block."""
    D = max(64, case.D)
    if case.problem.dtype == "fp32":
        return {64: Blocks(64, 32, 8, 2), 128: Blocks(32, 32, 4, 2), 256: Blocks(32, 16, 8, 2)}[D]
    return {64: Blocks(128, 64, 8, 3), 128: Blocks(128, 64, 8, 2), 256: Blocks(64, 32, 4, 2)}[D]


def results(case, q):
    """What the kernel writes, allocated beside q: O, and L where asked for."""
    return dict(O=q.new_empty(q.shape), L=column(q) if case.problem.lse else None)


def launches(case, q, k, v, blocks, O, L):
    """The one launch: a program for each row block of each head."""
    blocks.check()
    return [Launch(
        "flash_attention_2", flash_attention_2_kernel, grid=case.row_blocks(blocks.br) * case.units,
        args=dict(Q=q, K=k, V=v, O=O, L=L, strides=case.strides(q, k, v, O), **case.sizes(blocks.br),
                  **case.band, scale=case.scale),
        constants=dict(d=case.problem.d, D=case.D, B_r=blocks.br, B_c=blocks.bc, MASKED=case.masked(blocks.bc),
                       CAUSAL=case.last_first, PRECISION=case.precision),
        **blocks.of_launch)]


@triton.jit(do_not_specialize=SIZES)
def flash_attention_2_kernel(Q, K, V, O, L, strides, N_q, N_k, T_r, H, group, left, right, scale,
                             d: tl.constexpr, D: tl.constexpr, B_r: tl.constexpr, B_c: tl.constexpr,
                             MASKED: tl.constexpr, CAUSAL: tl.constexpr, PRECISION: tl.constexpr):
    """Each row block keeps its card (m, l, a) in registers while K and V pass by."""
    i, b, h, h_kv = row_block(T_r, H, group, CAUSAL)                          # one program per row block
    Q_i = load(head(Q, strides[0], b, h), strides[0], i * B_r, N_q, d, B_r, D)     # (B_r, D), stays on the desk
    K, V = head(K, strides[1], b, h_kv), head(V, strides[2], b, h_kv)
    m_i = tl.full((B_r,), NOTHING, tl.float32)                                # running maximum
    l_i = tl.zeros((B_r,), tl.float32)                                        # running sum
    a_i = tl.zeros((B_r, D), tl.float32)                                      # running weighted sum
    low, high = seen_keys(i * B_r, B_r, N_q, N_k, left, right)
    for j in range(low // B_c, tl.cdiv(high, B_c)):                           # skipped tiles move nothing
        K_j = load(K, strides[1], j * B_c, N_k, d, B_c, D)                    # (B_c, D)
        V_j = load(V, strides[2], j * B_c, N_k, d, B_c, D)
        S = tl.dot(Q_i, tl.trans(K_j), input_precision=PRECISION) * scale     # (B_r, B_c), never leaves the desk
        if MASKED:
            S = tl.where(visible(i * B_r, j * B_c, N_q, N_k, left, right, B_r, B_c), S, float("-inf"))
        m_new = tl.maximum(m_i, tl.max(S, 1))
        P = tl.exp(S - m_new[:, None])
        c = tl.exp(m_i - m_new)                                               # what came before shrinks
        l_i = c * l_i + tl.sum(P, 1)
        a_i = tl.dot(P.to(V_j.dtype), V_j, c[:, None] * a_i, input_precision=PRECISION)
        m_i = m_new
    O = head(O, strides[3], b, h)
    store(O, strides[3], i * B_r, N_q, d, a_i / tl.where(l_i == 0, 1, l_i)[:, None], B_r, D)   # unseen rows give 0
    if L is not None:
        store_column(L + (b * H + h).to(tl.int64) * N_q, i * B_r, N_q, m_i + tl.log(l_i), B_r)
