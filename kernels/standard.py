"""Standard attention: the N×N tables S and P go to HBM and come back (Dao et al. 2022, Algorithm 0)."""

import triton
import triton.language as tl

from simulator.errors import BadProblem

from .launch import Blocks, Case, Launch, go
from .tiles import NOTHING, head, load, row_block, store, visible

PAST_L1 = tl.constexpr(".cg")
"""Neighbours that want the same Q or K tile each fetch it from L2, as counted, not from a copy in L1."""
LONGEST_ROW = 2**17
COPIED = ("scale", "mask")


def standard(q, k, v, causal=False, window=(-1, -1), passes=(), blocks=None):
    """O (B, H, N_q, d) of q (B, H, N_q, d), k and v (B, H_kv, N_k, d), by way of two N_q × N_k tables.

    fp16, bf16 or fp32, at any strides; H_kv divides H; d up to 256. `window` is (left, right) around the
    bottom-right diagonal, -1 for unlimited; `passes` extra launches over the table ("scale", "mask");
    `blocks` a Blocks, chosen from d when left out. Raises BadProblem for what cannot be.
    """
    case = Case.of(q, k, v, causal, window, passes=passes)
    made = results(case, q)
    go(launches(case, q, k, v, blocks or default_blocks(case), **made))
    return made["O"]


def default_blocks(case):
    """Blocks that fit every GPU with 99 KiB of shared memory a block."""
    D = max(64, case.D)
    if case.problem.dtype == "fp32":
        return Blocks(64, 32, 4, 2) if D == 64 else Blocks(32, 32, 8, 2)
    return Blocks(128, 64, 8, 2) if D < 256 else Blocks(64, 64, 4, 2)


def results(case, q):
    """What the kernels write, allocated beside q: the tables S and P, and O."""
    table = (*q.shape[:3], case.problem.n_k)
    return dict(S=q.new_empty(table), P=q.new_empty(table), O=q.new_empty(q.shape))


def launches(case, q, k, v, blocks, S, P, O):
    """`scores` over all tiles, then passes over the table, `softmax` over all rows, `pv` over row blocks."""
    blocks.check()
    n_k, passes = case.problem.n_k, case.problem.passes
    _refuse(n_k, passes)
    sizes, rows = case.sizes(blocks.br), case.problem.n * case.units
    tall = dict(d=case.problem.d, D=case.D, B_r=blocks.br, B_c=blocks.bc, PRECISION=case.precision)
    row = dict(constants=dict(WIDTH=max(16, 1 << (n_k - 1).bit_length())), br=1, bc=n_k,
               warps=1 << min(5, max(2, (n_k // 2048).bit_length())), stages=1)
    return [
        Launch("scores", scores_kernel, grid=sizes["T_r"] * -(-n_k // blocks.bc) * case.units,
               args=dict(Q=q, K=k, S=S, strides=case.strides(q, k, S), **sizes, **case.band, scale=case.scale),
               constants=dict(**tall, MASKED=not case.problem.mask.hides_nothing), **blocks.of_launch),
        *(Launch(name, pass_kernel, grid=rows, args=dict(S=S, N_k=n_k), **row)
          for name in passes),
        Launch("softmax", softmax_kernel, grid=rows, args=dict(S=S, P=P, N_k=n_k), **row),
        Launch("pv", pv_kernel, grid=sizes["T_r"] * case.units,
               args=dict(P=P, V=v, O=O, strides=case.strides(P, v, O), **sizes), constants=tall, **blocks.of_launch)]


def _refuse(n_k, passes):
    if n_k > LONGEST_ROW:
        raise BadProblem(name="N_k", asked=n_k, possible=f"a row of the table in registers, up to {LONGEST_ROW:,}",
                         remedy="take flash_attention_2")
    for name in passes:
        if name not in COPIED:
            raise BadProblem(name="passes", asked=name, possible=", ".join(COPIED), remedy="leave it out")


@triton.jit
def scores_kernel(Q, K, S, strides, N_q, N_k, T_r, H, group, left, right, scale,
                  d: tl.constexpr, D: tl.constexpr, B_r: tl.constexpr, B_c: tl.constexpr,
                  PRECISION: tl.constexpr, MASKED: tl.constexpr):
    """S_ij = Q_i K_jᵀ / √d: one program per tile."""
    T_c = tl.cdiv(N_k, B_c)
    tile, b, h, h_kv = row_block(T_r * T_c, H, group, False)
    i, j = tile // T_c, tile % T_c
    Q_i = load(head(Q, strides[0], b, h), strides[0], i * B_r, N_q, d, B_r, D, PAST_L1)
    K_j = load(head(K, strides[1], b, h_kv), strides[1], j * B_c, N_k, d, B_c, D, PAST_L1)
    S_ij = tl.dot(Q_i, tl.trans(K_j), input_precision=PRECISION) * scale
    if MASKED:
        S_ij = tl.where(visible(i * B_r, j * B_c, N_q, N_k, left, right, B_r, B_c), S_ij, float("-inf"))
    S = head(S, strides[2], b, h) + tl.cast(i * B_r, tl.int64) * strides[2][2] + j * B_c
    store_table(S, strides[2], S_ij, N_q - i * B_r, N_k - j * B_c, B_r, B_c)  # (B_r, B_c), off to the cabinet


@triton.jit
def pass_kernel(S, N_k, WIDTH: tl.constexpr):
    """One pass more that reads the table and writes it back, as an unfused scale or mask does."""
    cells = tl.arange(0, WIDTH)
    row = S + tl.cast(tl.program_id(0), tl.int64) * N_k + cells
    tl.store(row, tl.load(row, mask=cells < N_k), mask=cells < N_k)


@triton.jit
def softmax_kernel(S, P, N_k, WIDTH: tl.constexpr):
    """P_i = softmax(S_i): one program per row, which passes through registers whole."""
    cells, row = tl.arange(0, WIDTH), tl.cast(tl.program_id(0), tl.int64) * N_k
    S_i = tl.load(S + row + cells, mask=cells < N_k, other=float("-inf")).to(tl.float32)
    m = tl.maximum(tl.max(S_i, 0), NOTHING)
    P_i = tl.exp(S_i - m)
    l = tl.sum(P_i, 0)
    tl.store(P + row + cells, (P_i / tl.where(l == 0, 1, l)).to(P.dtype.element_ty), mask=cells < N_k)


@triton.jit
def pv_kernel(P, V, O, strides, N_q, N_k, T_r, H, group,
              d: tl.constexpr, D: tl.constexpr, B_r: tl.constexpr, B_c: tl.constexpr, PRECISION: tl.constexpr):
    """O_i = Σ_j P_ij V_j: one program per row block."""
    i, b, h, h_kv = row_block(T_r, H, group, False)
    P, V, O = head(P, strides[0], b, h), head(V, strides[1], b, h_kv), head(O, strides[2], b, h)
    a_i = tl.zeros((B_r, D), tl.float32)
    for j in range(tl.cdiv(N_k, B_c)):
        P_ij = load_table(P + tl.cast(i * B_r, tl.int64) * strides[0][2] + j * B_c, strides[0],
                          N_q - i * B_r, N_k - j * B_c, B_r, B_c)
        V_j = load(V, strides[1], j * B_c, N_k, d, B_c, D)
        a_i = tl.dot(P_ij, V_j, a_i, input_precision=PRECISION)               # (B_r, D)
    store(O, strides[2], i * B_r, N_q, d, a_i, B_r, D)


@triton.jit
def load_table(X, strides, rows, columns, B_r: tl.constexpr, B_c: tl.constexpr):
    """The tile of a table that begins at X: (B_r, B_c), zeros beyond what exists."""
    r, c = tl.arange(0, B_r)[:, None], tl.arange(0, B_c)[None, :]
    return tl.load(X + r * strides[2] + c, mask=(r < rows) & (c < columns), other=0.0)


@triton.jit
def store_table(X, strides, tile, rows, columns, B_r: tl.constexpr, B_c: tl.constexpr):
    """A tile (B_r, B_c) to the place in a table that begins at X."""
    r, c = tl.arange(0, B_r)[:, None], tl.arange(0, B_c)[None, :]
    tl.store(X + r * strides[2] + c, tile.to(X.dtype.element_ty), mask=(r < rows) & (c < columns))
