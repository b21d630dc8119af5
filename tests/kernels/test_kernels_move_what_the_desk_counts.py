"""The kernels, run in Triton's interpreter: right values, and the desk ruler's bytes to the byte, by tensor."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from interpreted import BLOCKS, TOLERANCE, problems, run

from simulator.problem import Problem

pytestmark = pytest.mark.usefixtures("interpreted")
generated = settings(max_examples=12, deadline=None, derandomize=True)
block = st.sampled_from(BLOCKS[:2])
rows_of_16_bytes = (8, 16, 24, 40, 64, 80)
passes = st.sampled_from([(), ("scale",), ("scale", "mask")])


def holds(name, problem, br, bc):
    outcome = run(name, problem, br, bc)
    assert outcome.moved == outcome.desk
    assert outcome.error() < TOLERANCE[problem.dtype]


@generated
@given(problems(passes=passes), block, block)
def test_standard(problem, br, bc):
    holds("standard", problem, br, bc)


@generated
@given(problems(), block, block)
def test_flash_attention_1(problem, br, bc):
    holds("flash_attention_1", problem, br, bc)


@generated
@given(problems(lse=st.booleans()), block, block)
def test_flash_attention_2(problem, br, bc):
    holds("flash_attention_2", problem, br, bc)


@generated
@given(problems(rows_of_16_bytes, lse=st.booleans()), st.sampled_from(BLOCKS[1:]), block)
def test_flash_attention_2_with_descriptors_and_two_row_blocks(problem, br, bc):
    holds("flash_attention_2_tma", problem, br, bc)


@pytest.mark.parametrize("name", ["standard", "flash_attention_1", "flash_attention_2", "flash_attention_2_tma"])
@pytest.mark.parametrize("problem", [
    Problem(n=20, d=16),                                                     # fewer rows than a block has
    Problem(n=1, n_kv=20, d=128, heads=2),                                   # one query, as in decoding
    Problem(n=33, d=256, dtype="bf16"),
    Problem(n=40, d=96, causal=True),
    Problem(n=32, d=16, heads=8, kv_heads=2),                                # query head h reads K/V head h // 4
    Problem(n=2, n_kv=5, d=16, causal=True),                                 # the band hangs on the bottom-right corner
    Problem(n=50, n_kv=3, d=16, causal=True),                                # the top rows see nothing
], ids=lambda p: f"{p.n}x{p.n_k}x{p.d}")
def test_awkward_shapes(name, problem):
    holds(name, problem, 32, 32)
