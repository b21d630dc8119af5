"""One run of a program: a head's matrices are put into HBM, worked on and read back, with float64 beside them."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from . import algorithms, reference
from .accounting import KEPT
from .errors import BadProblem, UnknownName, WrongShape
from .masks import PackedMask
from .problem import DTYPES, FP32

FUNCTIONS = {"standard": algorithms.standard, "flash1": algorithms.flash_attention_1,
             "flash2": algorithms.flash_attention_2, "decode": algorithms.decode, "split_kv": algorithms.split_kv,
             "standard_backward": algorithms.standard_backward,
             "flash1_backward": algorithms.flash_attention_1_backward,
             "flash2_backward": algorithms.flash_attention_2_backward}
DECODING = ("decode", "split_kv")       # all rows are one row block, and a group's heads may share it
STORED = [t.storage for t in DTYPES.values()]


class Gradients(NamedTuple):
    """What a backward pass gives: dQ (…, n, d), dK and dV (…, n_kv, d)."""

    dQ: np.ndarray
    dK: np.ndarray
    dV: np.ndarray


def function(algorithm):
    """The program of `algorithm`; raises UnknownName."""
    if algorithm not in FUNCTIONS:
        raise UnknownName(kind="algorithm", asked=algorithm, possible=", ".join(FUNCTIONS))
    return FUNCTIONS[algorithm]


def served(algorithm, problem, tiling):
    """Query heads that one run of the program serves."""
    return problem.heads // problem.groups if tiling.pack_gqa and algorithm in DECODING else 1


def draw(problem):
    """One head's Q, K and V: normal numbers from the seed, (n, d), (n_kv, d), (n_kv, d) in float32."""
    rng = np.random.default_rng(problem.seed)
    return tuple(rng.standard_normal((rows, problem.d), np.float32)
                 for rows in (problem.n, problem.n_k, problem.n_k))


def drawn(algorithm, problem, packed):
    """The matrices of one run, from the seed: q of `packed` heads below each other, k, v, and dO going backward."""
    q, k, v = draw(problem if packed == 1 else replace(problem, n=packed * problem.n, n_kv=problem.n_k))
    if algorithm not in KEPT:
        return q, k, v
    return q, k, v, np.random.default_rng((problem.seed, 1)).standard_normal(q.shape, np.float32)


def given(algorithm, problem, packed, inputs):
    """The matrices of every run out of whole batches: query head h reads K/V head h // group."""
    names = ("q", "k", "v", "dO") if algorithm in KEPT else ("q", "k", "v")
    wanted = (problem.batch, problem.heads, problem.n, problem.d)
    stored = (problem.batch, problem.groups, problem.n_k, problem.d)
    arrays = _arrays(names, inputs)
    for name, x, shape in zip(names, arrays, (wanted, stored, stored, wanted), strict=False):
        if x.shape != shape:
            raise WrongShape(block=name, possible=shape, asked=x.shape)
    q, k, v, *dO = arrays
    group = problem.heads // problem.groups
    return [(q[b, h:h + packed].reshape(-1, problem.d), k[b, h // group], v[b, h // group], *(x[b, h] for x in dO))
            for b in range(problem.batch) for h in range(0, problem.heads, packed)]


def _arrays(names, inputs):
    """The inputs as arrays; raises BadProblem for anything but one of real numbers for each name."""
    arrays = [np.asarray(x) for x in inputs] if np.iterable(inputs) else [np.asarray(inputs)]
    if len(arrays) != len(names) or not all(x.dtype.kind in "biuf" or x.dtype in STORED for x in arrays):
        raise BadProblem(name="inputs", asked=f"({', '.join(str(x.dtype) for x in arrays)})",
                         possible=f"{('three', 'four')[len(names) - 3]} arrays of real numbers",
                         remedy=f"give {', '.join(names[:-1])} and {names[-1]}")
    return arrays


def attend(machine, algorithm, problem, tiling, packed, q, k, v):
    """((O,), what float64 says) of one head forward, or of `packed` heads below each other."""
    storage, mask = problem.storage, PackedMask(problem.mask, packed) if packed > 1 else problem.mask
    Q, K, V = (machine.tensor(name, x, storage) for name, x in zip("QKV", (q, k, v), strict=True))
    options = {"standard": {"passes": problem.passes}, "flash2": {"lse": problem.lse}}.get(algorithm, {})
    O = function(algorithm)(machine, Q, K, V, tiling, mask, **options)
    return (machine.read_back(O),), (reference.attention(*map(storage.round, (q, k, v)), mask),)


def differentiate(machine, algorithm, problem, tiling, _, q, k, v, dO):
    """((dQ, dK, dV), what float64 says) of one head backward, from what the forward pass left in HBM."""
    storage, table = problem.storage, problem.storage.table
    stored = *map(storage.round, (q, k, v)), table.round(dO)
    inputs = [machine.tensor(name, x, t) for name, x, t in
              zip(("Q", "K", "V", "dO"), stored, (storage, storage, storage, table), strict=True)]
    left = _left_by_forward(machine, KEPT[algorithm], *stored[:3], problem.mask, table)
    masked = {} if algorithm == "standard_backward" else {"mask": problem.mask}        # P is masked already
    gradients = function(algorithm)(machine, *inputs, *left, tiling=tiling, **masked)
    return Gradients(*map(machine.read_back, gradients)), reference.gradients(*stored, problem.mask)


def _left_by_forward(machine, names, q, k, v, mask, table):
    """The tensors that an exact forward pass would have left, rounded to their storage types."""
    if names == ("P",):
        return [machine.tensor("P", reference.softmax(q, k, mask), table)]
    m, l = reference.card(q, k, mask)
    with np.errstate(divide="ignore"):                    # a row that saw nothing has L = -∞
        values = {"O": reference.attention(q, k, v, mask), "l": l, "m": m, "L": m + np.log(l)}
    return [machine.tensor(name, values[name], table if name == "O" else FP32) for name in names]


def run_of(algorithm):
    """How one head of `algorithm` is run: forward or backward."""
    return differentiate if algorithm in KEPT else attend


def gathered(problem, runs):
    """What all runs left, as one array or Gradients; a K/V head's gradients are summed over its group."""
    left = [np.stack(one) for one in zip(*runs, strict=True)]
    by_query_head = left[0].reshape(problem.batch, problem.heads, problem.n, problem.d)
    if len(left) == 1:
        return by_query_head
    group = (problem.batch, problem.groups, -1, problem.n_k, problem.d)
    return Gradients(by_query_head, *(x.reshape(group).sum(axis=2) for x in left[1:]))
