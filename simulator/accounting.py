"""Closed forms: the cost of each algorithm without running it, as exact integers.

`cost("flash2", problem, tiling)` equals what an executed run counts, per kernel and tensor; tests
hold the two equal. Any size may be replaced by an array, and a sweep is one call:
`cost("flash2", problem, tiling, n=np.arange(64, 4097))`.
"""

from dataclasses import dataclass, replace

import numpy as np

from .cost import Cost, Desk, Flops, Peak, Traffic
from .errors import BadProblem, UnknownName
from .masks import UNLIMITED
from .problem import LARGEST, DType
from .tiling import ROOM

KEPT = {"standard_backward": ("P",), "flash1_backward": ("O", "l", "m"), "flash2_backward": ("O", "L")}
VARIED = ("n", "n_kv", "d", "br", "bc", "heads", "batch", "stages", "splits", "causal")


def cost(algorithm, problem, tiling, **varied):
    """The Cost of `algorithm`, a name of FORMS, in closed form.

    `varied` replaces sizes of the problem or tiling (VARIED) by integer arrays that broadcast
    together; the fields of the result are then arrays. Raises UnknownName, BadProblem.
    """
    if algorithm not in FORMS:
        raise UnknownName(kind="algorithm", asked=algorithm, possible=", ".join(FORMS))
    return FORMS[algorithm](_case(problem, tiling, varied))


def kept(algorithm, problem, tiling, **varied):
    """{tensor: bytes} that wait in HBM from the forward to the backward pass `algorithm`, a name of KEPT.

    Over all heads, and beside Q, K and V: a table of N_q × N_k the standard way, a few rows of N_q else.
    """
    c = _case(problem, tiling, varied)
    of_head = {"P": c.t * c.n_q * c.n_k, "O": c.t * c.n_q * c.d} | dict.fromkeys("lmL", 4 * c.n_q)
    return {name: c.total(of_head[name]) for name in KEPT[algorithm]}


@dataclass(frozen=True)
class _Case:
    """One head's sizes as exact integers, and `units`, the number of heads over all batches."""

    n_q: np.ndarray
    n_k: np.ndarray
    d: np.ndarray
    br: np.ndarray
    bc: np.ndarray
    stages: np.ndarray
    splits: np.ndarray
    left: np.ndarray
    right: np.ndarray
    causal: np.ndarray
    units: np.ndarray
    packed: np.ndarray                  # query heads that one decoding thread block serves
    storage: DType
    lse: bool
    passes: tuple[str, ...]
    scalar: bool                        # no size varies: the cost holds plain integers

    @property
    def t_r(self):
        return -(-self.n_q // self.br)

    @property
    def t_c(self):
        return -(-self.n_k // self.bc)

    @property
    def e(self):
        return self.storage.bytes

    @property
    def t(self):
        return self.storage.table.bytes

    def total(self, per_head):
        return self.plain(per_head * self.units)

    def plain(self, values):
        return values.item() if self.scalar else values + 0 * self.units


def _case(problem, tiling, varied):
    sizes = {"n": problem.n, "n_kv": problem.n_kv, "d": problem.d, "heads": problem.heads, "batch": problem.batch,
             "br": tiling.br, "bc": tiling.bc, "stages": tiling.stages, "splits": tiling.splits,
             "causal": problem.causal}
    for name, values in varied.items():
        if name not in VARIED:
            raise UnknownName(kind="varied size", asked=name, possible=", ".join(VARIED))
        sizes[name] = _checked(name, values)
    if sizes["n_kv"] is None:
        sizes["n_kv"] = sizes["n"]
    s = {name: np.atleast_1d(np.asarray(value, np.int64)) for name, value in sizes.items()}
    if np.any(s["heads"] % (problem.kv_heads or 1)):
        raise BadProblem(name="heads", asked=s["heads"].tolist(), remedy="choose such values",
                         possible=f"a multiple of the {problem.kv_heads} K/V heads")
    exact = _exact_type(s)
    n_q, n_k, d, br, bc = (s[name].astype(exact) for name in ("n", "n_kv", "d", "br", "bc"))
    left, right = problem.window
    return _Case(
        n_q=n_q, n_k=n_k, d=d, br=br, bc=bc, stages=s["stages"].astype(exact), splits=s["splits"].astype(exact),
        left=n_k if left == UNLIMITED else n_k * 0 + left,                # n_k to the left: all of them
        right=np.where(s["causal"], 0, n_q if right == UNLIMITED else right).astype(exact),
        causal=s["causal"], units=s["heads"].astype(exact) * s["batch"].astype(exact),
        packed=s["heads"] // (problem.kv_heads or s["heads"]) if tiling.pack_gqa else s["heads"] * 0 + 1,
        storage=problem.storage, lse=problem.lse, passes=problem.passes,
        scalar=all(np.ndim(value) == 0 for value in sizes.values()))


def _checked(name, values):
    values = np.asarray(values)
    lowest, largest = (0, 1) if name == "causal" else (1, LARGEST[name])
    if values.dtype.kind not in "iub" or values.size == 0 or values.min() < lowest or values.max() > largest:
        raise BadProblem(name=name, asked=values.tolist(), possible=f"whole numbers from {lowest} to {largest:,}",
                         remedy="choose values in that range")
    return values


def _exact_type(s):
    """int64 where every count stays far below 2⁶³, Python integers where it may not."""
    largest = 64.0 * (s["n"] + 1.0) * (s["n_kv"] + s["splits"] + 1.0) * (s["d"] + 8.0) * s["heads"] * s["batch"]
    room = (s["br"] + 1.0) * (s["bc"] + 1.0) * (s["d"] + 1.0) * (s["stages"] + 1.0) * 64
    return np.int64 if max(np.max(largest), np.max(room)) < 2.0**62 else object


# Which tiles are visited: sums over row blocks i of floors of linear functions of i.


@dataclass(frozen=True)
class _Visited:
    """Sums over the tiles that hold a visible cell."""

    tiles: np.ndarray                   # how many
    keys: np.ndarray                    # key rows loaded, over all row blocks
    rows: np.ndarray                    # query rows, over all visited tiles
    cells: np.ndarray                   # table cells, over all visited tiles
    kv_blocks: np.ndarray               # K/V blocks that some row block visits
    kv_rows: np.ndarray                 # keys in those blocks


def _visited(c):
    """Row block i visits the K/V blocks from max(0, i B_r + shift - left) to the key
    min(N_k, (i + 1) B_r + shift + right) - 1; both ends are linear in i between their clamps.
    """
    shift, t_r, t_c = c.n_k - c.n_q, c.t_r, c.t_c
    top = c.br - 1 + shift + c.right                                      # last key of row block 0, unclamped
    first = np.clip(-(top // c.br), 0, t_r)                               # row blocks above see nothing
    full = np.clip(-((top - (t_c - 1) * c.bc) // c.br), first, t_r)       # from here on, up to the last K/V block
    below = full - first
    stairs = floor_sum(below, c.bc, c.br, np.maximum(0, first * c.br + top)) + below

    bottom = shift - c.left                                               # first key of row block 0, unclamped
    late = np.clip(-(bottom // c.br), 0, t_r)                         # from here on the left edge cuts
    cut = floor_sum(t_r - late, c.bc, c.br, np.maximum(0, late * c.br + bottom))

    tiles = stairs + (t_r - full) * t_c - cut
    keys = c.bc * stairs + (t_r - full) * c.n_k - c.bc * cut
    missing = t_r * c.br - c.n_q                                          # rows the last row block lacks
    last_cut = np.maximum(0, (t_r - 1) * c.br + bottom) // c.bc
    unseen = np.maximum(0, bottom) // c.bc
    return _Visited(
        tiles=tiles, keys=keys,
        rows=c.br * tiles - missing * (t_c - last_cut),
        cells=c.br * keys - missing * (c.n_k - last_cut * c.bc),
        kv_blocks=t_c - unseen, kv_rows=c.n_k - unseen * c.bc)


def floor_sum(n, m, a, b):
    """Σ of ⌊(a k + b) / m⌋ over k = 0 … n-1, for integers n, a, b ≥ 0 and m ≥ 1, or arrays of them.

    Euclid's algorithm on the lattice points under a line: as many rounds as a greatest common divisor.
    """
    n, m, a, b = np.broadcast_arrays(n, m, a, b)
    total = n * 0
    while True:
        total = total + n * (n - 1) // 2 * (a // m) + n * (b // m)
        a, b = a % m, b % m
        reach = a * n + b
        on = reach >= m                                                   # some step of the line is left
        if not np.any(on):
            return total
        n, b = np.where(on, reach // m, 0), np.where(on, reach % m, 0)
        m, a = np.where(on, a, 1), np.where(on, m, 0)


# One closed form for each algorithm.


def _standard(c):
    table, edge = c.n_q * c.n_k, c.e * c.d * c.t_r * c.n_k
    whole = Traffic(c.t * table, c.t * table)
    moves = {("scores", "Q"): Traffic(c.e * c.d * c.t_c * c.n_q, 0),
             ("scores", "K"): Traffic(edge, 0),
             ("scores", "S"): Traffic(0, c.t * table)}
    moves |= {(name, "S"): whole for name in c.passes if name != "dropout"}
    moves |= {("softmax", "S"): Traffic(c.t * table, 0), ("softmax", "P"): Traffic(0, c.t * table)}
    if "dropout" in c.passes:
        moves |= {("dropout", "P"): whole, ("dropout", "Z"): Traffic(0, table)}
    moves |= {("pv", "P"): Traffic(c.t * table, 0), ("pv", "V"): Traffic(edge, 0),
              ("pv", "O"): Traffic(0, c.t * c.d * c.n_q)}
    extra, dropped = len(c.passes), "dropout" in c.passes
    return _cost(
        c, "standard", moves,
        paper=Traffic(c.e * ((c.n_q + 2 * c.n_k) * c.d + (2 + extra) * table),
                      c.e * (c.n_q * c.d + (2 + extra) * table) + dropped * table),
        matmul=4 * table * c.d, exp=table,
        other=5 * table + 2 * c.n_q + c.d * c.n_q * c.t_c,
        tile_moves=3 * c.t_r * c.t_c + 2 * c.t_r + c.t_r * (2 * c.t_c + 1) + (2 * extra + dropped) * c.t_r)


def _flash_attention_1(c):
    v = _visited(c)
    kernel, o, row = "flash_attention_1", c.t * c.d, 4                    # l and m are fp32
    moves = {("init", "O"): Traffic(0, o * c.n_q), ("init", "l"): Traffic(0, row * c.n_q),
             ("init", "m"): Traffic(0, row * c.n_q),
             (kernel, "K"): Traffic(c.e * c.d * v.kv_rows, 0), (kernel, "V"): Traffic(c.e * c.d * v.kv_rows, 0),
             (kernel, "Q"): Traffic(c.e * c.d * v.rows, 0), (kernel, "O"): Traffic(o * v.rows, o * v.rows),
             (kernel, "l"): Traffic(row * v.rows, row * v.rows), (kernel, "m"): Traffic(row * v.rows, row * v.rows)}
    return _cost(
        c, "flash1", moves,
        paper=Traffic(c.e * (2 * c.n_k * c.d + c.t_c * (2 * c.n_q * c.d + 2 * c.n_q)),
                      c.e * c.t_c * (c.n_q * c.d + 2 * c.n_q)),
        matmul=4 * v.cells * c.d, exp=v.cells + v.rows,
        other=4 * v.cells + 6 * v.rows + 3 * c.d * v.rows,
        tile_moves=3 * c.t_r + 2 * v.kv_blocks + 7 * v.tiles)


def _flash_attention_2(c):
    v = _visited(c)
    kernel = "flash_attention_2"
    moves = {(kernel, "Q"): Traffic(c.e * c.d * c.n_q, 0),
             (kernel, "K"): Traffic(c.e * c.d * v.keys, 0), (kernel, "V"): Traffic(c.e * c.d * v.keys, 0),
             (kernel, "O"): Traffic(0, c.t * c.d * c.n_q)}
    if c.lse:
        moves[kernel, "L"] = Traffic(0, 4 * c.n_q)
    return _cost(
        c, "flash2", moves,
        paper=Traffic(c.e * (c.n_q * c.d + 2 * c.t_r * c.n_k * c.d), c.e * (c.n_q * c.d + c.lse * c.n_q)),
        matmul=4 * v.cells * c.d, exp=v.cells + v.rows,
        other=4 * v.cells + 4 * v.rows + 2 * c.d * v.rows + (1 + c.d + 2 * c.lse) * c.n_q,
        tile_moves=(2 + c.lse) * c.t_r + 2 * v.tiles)


def _decode(c):
    c, v = _one_row_block(c)
    moves = {("decode", "Q"): Traffic(c.e * c.d * c.n_q, 0),
             ("decode", "K"): Traffic(c.e * c.d * v.keys, 0), ("decode", "V"): Traffic(c.e * c.d * v.keys, 0),
             ("decode", "O"): Traffic(0, c.t * c.d * c.n_q)}
    return _cost(
        c, "decode", moves,
        paper=Traffic(c.e * c.d * (c.n_q + 2 * c.n_k), c.e * c.d * c.n_q),
        matmul=4 * v.cells * c.d, exp=v.cells + v.rows,
        other=4 * v.cells + 4 * v.rows + 2 * c.d * v.rows + (1 + c.d) * c.n_q,
        tile_moves=2 + 2 * v.tiles)


def _split_kv(c):
    c, v = _one_row_block(c)
    parts = c.splits * c.n_q                                              # rows of O_partial and L_partial
    O_partial, L_partial = 4 * c.d * parts, 4 * parts                     # both are fp32
    moves = {("split_kv", "Q"): Traffic(c.e * c.d * parts, 0),
             ("split_kv", "K"): Traffic(c.e * c.d * v.keys, 0), ("split_kv", "V"): Traffic(c.e * c.d * v.keys, 0),
             ("split_kv", "O_partial"): Traffic(0, O_partial), ("split_kv", "L_partial"): Traffic(0, L_partial),
             ("combine", "O_partial"): Traffic(O_partial, 0), ("combine", "L_partial"): Traffic(L_partial, 0),
             ("combine", "O"): Traffic(0, c.t * c.d * c.n_q)}
    split = 4 * v.cells + 4 * v.rows + 2 * c.d * v.rows + (3 + c.d) * parts
    combine = (5 + 3 * c.d) * parts + (1 + c.d) * c.n_q
    return _cost(
        c, "split_kv", moves,
        paper=Traffic(c.e * (c.d * (parts + 2 * c.n_k) + (c.d + 1) * parts), c.e * ((c.d + 1) * parts + c.d * c.n_q)),
        matmul=4 * v.cells * c.d, exp=v.cells + v.rows + 2 * parts, other=split + combine,
        tile_moves=5 * c.splits + 2 * v.tiles + 1)


def _one_row_block(c):
    """The case as a decoding thread block sees it: the rows of all the heads it serves are one row block."""
    v, rows = _visited(replace(c, br=c.n_q)), c.n_q * c.packed
    return (replace(c, n_q=rows, br=rows, units=c.units // c.packed),
            replace(v, rows=v.rows * c.packed, cells=v.cells * c.packed))


def _standard_backward(c):
    table, of_q, of_k = c.n_q * c.n_k, c.d * c.n_q, c.d * c.n_k
    whole = c.t * table
    moves = {("dv", "P"): Traffic(whole, 0), ("dv", "dO"): Traffic(c.t * c.t_c * of_q, 0),
             ("dv", "dV"): Traffic(0, c.t * of_k),
             ("dp", "dO"): Traffic(c.t * c.t_c * of_q, 0), ("dp", "V"): Traffic(c.e * c.t_r * of_k, 0),
             ("dp", "dP"): Traffic(0, whole),
             ("ds", "P"): Traffic(whole, 0), ("ds", "dP"): Traffic(whole, 0), ("ds", "dS"): Traffic(0, whole),
             ("dq", "dS"): Traffic(whole, 0), ("dq", "K"): Traffic(c.e * c.t_r * of_k, 0),
             ("dq", "dQ"): Traffic(0, c.t * of_q),
             ("dk", "dS"): Traffic(whole, 0), ("dk", "Q"): Traffic(c.e * c.t_c * of_q, 0),
             ("dk", "dK"): Traffic(0, c.t * of_k)}
    return _cost(
        c, "standard_backward", moves,
        paper=Traffic(c.e * (5 * table + 3 * of_q + 2 * of_k), c.e * (2 * table + of_q + 2 * of_k)),
        matmul=8 * table * c.d, exp=0 * table,
        other=4 * table + (2 * c.t_r + 1) * of_k + (c.t_c + 1) * of_q,
        tile_moves=c.t_c * (2 * c.t_r + 1) * 2 + 3 * c.t_r * c.t_c + 3 * c.t_r + c.t_r * (2 * c.t_c + 1), products=4)


def _flash_attention_1_backward(c):
    v, kernel = _visited(c), "flash_attention_1_backward"
    of_q, of_k, of_rows = c.d * c.n_q, c.d * c.n_k, c.d * v.rows
    moves = {("init", "dQ"): Traffic(0, 4 * of_q)}                        # dQ, l and m are fp32
    moves |= {(kernel, name): Traffic(c.e * of_k, 0) for name in "KV"}
    moves |= {(kernel, "Q"): Traffic(c.e * of_rows, 0), (kernel, "O"): Traffic(c.t * of_rows, 0),
              (kernel, "dO"): Traffic(c.t * of_rows, 0), (kernel, "dQ"): Traffic(4 * of_rows, 4 * of_rows),
              (kernel, "l"): Traffic(4 * v.rows, 0), (kernel, "m"): Traffic(4 * v.rows, 0)}
    moves |= {(kernel, name): Traffic(0, c.t * of_k) for name in ("dK", "dV")}
    return _cost(
        c, "flash1_backward", moves,
        paper=Traffic(c.e * (2 * of_k + c.t_c * (4 * of_q + 2 * c.n_q)), c.e * (2 * of_k + c.t_c * of_q)),
        matmul=10 * v.cells * c.d, exp=v.cells,
        other=5 * v.cells + v.rows + 4 * of_rows + 2 * c.d * v.keys + of_k,
        tile_moves=c.t_r + 4 * c.t_c + 7 * v.tiles, products=5)


def _flash_attention_2_backward(c):
    v, kernel = _visited(c), "flash_attention_2_backward"
    of_q, of_k, of_rows = c.d * c.n_q, c.d * c.n_k, c.d * v.rows
    moves = {("preprocess", "O"): Traffic(c.t * of_q, 0), ("preprocess", "dO"): Traffic(c.t * of_q, 0),
             ("preprocess", "D"): Traffic(0, 4 * c.n_q), ("init", "dQ"): Traffic(0, 4 * of_q)}
    moves |= {(kernel, name): Traffic(c.e * of_k, 0) for name in "KV"}
    moves |= {(kernel, "Q"): Traffic(c.e * of_rows, 0), (kernel, "dO"): Traffic(c.t * of_rows, 0),
              (kernel, "L"): Traffic(4 * v.rows, 0), (kernel, "D"): Traffic(4 * v.rows, 0),
              (kernel, "dQ"): Traffic(4 * of_rows, 4 * of_rows)}
    moves |= {(kernel, name): Traffic(0, c.t * of_k) for name in ("dK", "dV")}
    return _cost(
        c, "flash2_backward", moves,
        paper=Traffic(c.e * (2 * of_k + 2 * of_q + c.t_c * (3 * of_q + 2 * c.n_q)),
                      c.e * (2 * of_k + c.n_q + c.t_c * of_q)),
        matmul=10 * v.cells * c.d, exp=v.cells,
        other=4 * v.cells + v.rows + 2 * of_rows + 2 * c.d * v.keys + 2 * of_q + of_k,
        tile_moves=4 * c.t_r + 4 * c.t_c + 6 * v.tiles, products=5)


FORMS = {"standard": _standard, "flash1": _flash_attention_1, "flash2": _flash_attention_2,
         "decode": _decode, "split_kv": _split_kv, "standard_backward": _standard_backward,
         "flash1_backward": _flash_attention_1_backward, "flash2_backward": _flash_attention_2_backward}


def _cost(c, algorithm, moves, paper, matmul, exp, other, tile_moves, products=2):
    room = ROOM[algorithm](np.minimum(c.br, c.n_q), np.minimum(c.bc, c.n_k), c.d, c.storage, c.stages)
    halves, total = np.where(c.causal, 2, 1), c.total                     # the papers halve causal FLOPs
    return Cost(
        desk=Desk({key: Traffic(total(t.read), total(t.write)) for key, t in moves.items()}),
        paper=Traffic(total(paper.read), total(paper.write)),
        flops=Flops(total(matmul), total(exp), total(other), total(2 * products * c.n_q * c.n_k * c.d // halves)),
        tile_moves=total(tile_moves),
        peak=Peak(c.plain(room.shared_bytes), c.plain(room.registers_bytes)))
