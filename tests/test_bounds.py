"""What no algorithm goes below: compulsory traffic, and the I/O lower bound."""

import numpy as np
import pytest
from ask import ALGORITHMS, computed
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator import Problem
from simulator.bounds import compulsory, io_lower_bound


def test_compulsory_traffic_is_Q_K_V_in_and_O_out_with_keys_once_a_group():
    bound = compulsory(Problem(n=8, n_kv=16, d=4, batch=3, heads=6, kv_heads=2, dtype="fp16"))
    assert bound.read == 3 * 2 * 4 * (6 * 8 + 2 * 2 * 16)
    assert bound.write == 3 * 2 * 4 * 6 * 8


def test_fp8_inputs_leave_a_bf16_output():
    bound = compulsory(Problem(n=8, d=4, dtype="fp8"))
    assert (bound.read, bound.write) == (3 * 8 * 4, 2 * 8 * 4)


def test_compulsory_traffic_of_a_batch_is_537_MB():
    assert compulsory(Problem(n=4096, d=128, batch=4, heads=32, dtype="bf16")).total == 536_870_912


@settings(max_examples=200, derandomize=True, deadline=None, database=None)
@given(st.sampled_from(ALGORITHMS), st.integers(1, 3000), st.integers(1, 200), st.integers(1, 300), st.integers(1, 300),
       st.sampled_from(("fp32", "fp16", "fp8")))
def test_no_algorithm_moves_less_than_compulsory(algorithm, n, d, br, bc, dtype):
    bound, cost = compulsory(Problem(n=n, d=d, dtype=dtype)), computed(algorithm, n=n, d=d, br=br, bc=bc, dtype=dtype)
    assert cost.desk.read >= bound.read and cost.desk.write >= bound.write


def test_the_bound_at_N_16384():
    N, d, M = 16384, 128, 117_760                         # M in elements: 230 KiB of fp16
    bound = io_lower_bound(N, N, d, M)
    assert bound == pytest.approx(2.39e7, rel=2e-3)       # quoted to three digits
    ideal = 2 * N * d * (1 + -(-N // (M // (2 * d))))     # Q and O of B_r = M/2d rows fill the desk, K and V pass
    assert ideal == pytest.approx(1.55e8, rel=5e-3)
    assert ideal / bound == pytest.approx(6.5, abs=0.05)
    T_c = N * 4 * d / M                                   # blocks of M/4d keys, not rounded
    first = (2 + 3 * T_c) * N * d + 4 * N * T_c
    assert first == pytest.approx(4.57e8, rel=5e-3)
    assert first / bound == pytest.approx(19, abs=0.5)


def test_where_the_desk_holds_everything_only_compulsory_traffic_is_left():
    assert io_lower_bound(1024, 1024, 64, 98_304) == 4 * 1024 * 64


@pytest.mark.parametrize("d", [32, 64, 128])
@pytest.mark.parametrize("block", [16, 64, 256])
def test_fused_attention_stays_above_the_bound(d, block):
    for N in (1024, 8192, 65536):
        room = d * (block + 2 * block) + block * block + block * d + 2 * block         # all that it holds, in elements
        moved = computed("flash2", n=N, d=d, br=block, bc=block).desk.total / 2        # fp16
        assert moved >= io_lower_bound(N, N, d, room)


def test_the_bound_takes_arrays():
    N = np.array([1024, 16384])
    assert io_lower_bound(N, N, 128, 117_760).tolist() == [io_lower_bound(n, n, 128, 117_760) for n in (1024, 16384)]
