"""Generated problems small enough for an interpreter, and how one is run there."""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from simulator import accounting, reference
from simulator.problem import Problem, Tiling

BLOCKS = (16, 32, 64)
WIDTHS = (1, 8, 16, 24, 40, 63, 64, 80)             # d: powers of two and not, whole sectors and not


@dataclass(frozen=True)
class Outcome:
    """What one interpreted run gave: bytes by tensor as moved and as the desk ruler says, and the outputs."""

    moved: dict
    desk: dict
    tensors: dict
    problem: Problem

    def error(self):
        """Largest difference of O from attention in float64, over all heads."""
        Q, K, V, O = (self.tensors[name].numpy() for name in "QKVO")
        group = self.problem.heads // self.problem.groups
        expected = [[reference.attention(Q[b, h], K[b, h // group], V[b, h // group], self.problem.mask)
                     for h in range(self.problem.heads)] for b in range(self.problem.batch)]
        return np.abs(O - expected).max()


def run(name, problem, br, bc, inputs=None):
    """Run the kernel `name` in the interpreter; `inputs` (q, k, v) as arrays, drawn when left out."""
    from kernels.catalogue import SIMULATED, prepare
    from kernels.interpret import Array, interpreter
    from kernels.launch import Blocks, Case

    tensors = [x if isinstance(x, Array) else Array.of(x, problem.dtype) for x in inputs or draw(problem)]
    case = Case.of(*tensors, problem.causal, problem.window, problem.lse, problem.passes)
    prepared = prepare(name, case, *tensors, Blocks(br, bc))
    there = {key: x for key, x in prepared.tensors.items() if x is not None}
    with interpreter(**there) as moved:
        prepared.go()
    desk = accounting.cost(SIMULATED[name], case.problem, Tiling(br, bc)).desk.by_tensor
    return Outcome(moved, {key: desk[key] for key in there}, there, case.problem)


def draw(problem):
    """q, k and v of normal numbers from the problem's seed."""
    rng = np.random.default_rng(problem.seed)
    kv = (problem.batch, problem.groups, problem.n_k, problem.d)
    q = rng.standard_normal((problem.batch, problem.heads, problem.n, problem.d), np.float32)
    return q, rng.standard_normal(kv, np.float32), rng.standard_normal(kv, np.float32)


@st.composite
def problems(draw, widths=WIDTHS, **options):
    """Any N and N_k, d, heads and groups, storage type, mask; `options` are strategies of more fields."""
    groups = draw(st.integers(1, 2))
    side = st.one_of(st.just(-1), st.integers(0, 40))
    return Problem(
        n=draw(st.integers(1, 70)), n_kv=draw(st.integers(1, 70)), d=draw(st.sampled_from(widths)),
        batch=draw(st.integers(1, 2)), heads=groups * draw(st.integers(1, 2)), kv_heads=groups,
        causal=draw(st.booleans()), dtype=draw(st.sampled_from(["fp16", "bf16", "fp32"])),
        window=draw(st.tuples(side, side)), seed=draw(st.integers(0, 99)),
        **{name: draw(values) for name, values in options.items()})


TOLERANCE = {"fp32": 3e-6, "fp16": 5e-3, "bf16": 4e-2}
"""Rounding of O and of P to the storage type, for outputs of a few units at most."""
