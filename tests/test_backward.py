"""The backward passes: bills by hand, gradients against float64, and what waits between the passes."""

import numpy as np
import pytest
from ask import ALGORITHMS, BACKWARDS, WAYS, computed, run
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.__main__ import answer_to
from simulator import Problem, Tiling, accounting
from simulator.cost import Traffic
from simulator.errors import BadProblem, UnknownName, WrongShape
from simulator.reference import attention, gradients
from simulator.tiling import ROOM

both_ways = pytest.mark.parametrize("cost", WAYS)
SMALL = {"n": 4, "d": 2, "br": 2, "bc": 2}                # matrices of 16 bytes, a table of 32, two blocks a side
exactly = settings(max_examples=100, derandomize=True, deadline=None, database=None)
size = st.integers(1, 3000)


@both_ways
def test_the_standard_way_fetches_P_and_files_dP_and_dS(cost):
    bill = cost("standard_backward", **SMALL)
    assert bill.desk.moves == {
        ("dv", "P"): Traffic(read=32), ("dv", "dO"): Traffic(read=2 * 16), ("dv", "dV"): Traffic(write=16),
        ("dp", "dO"): Traffic(read=2 * 16), ("dp", "V"): Traffic(read=2 * 16), ("dp", "dP"): Traffic(write=32),
        ("ds", "P"): Traffic(read=32), ("ds", "dP"): Traffic(read=32), ("ds", "dS"): Traffic(write=32),
        ("dq", "dS"): Traffic(read=32), ("dq", "K"): Traffic(read=2 * 16), ("dq", "dQ"): Traffic(write=16),
        ("dk", "dS"): Traffic(read=32), ("dk", "Q"): Traffic(read=2 * 16), ("dk", "dK"): Traffic(write=16)}
    assert bill.tile_moves == 2 * 5 + 4 * 3 + 2 * 3 + 2 * 5 + 2 * 5
    assert bill.flops.matmul == 4 * 2 * (4 * 4 * 2)
    assert bill.flops.exp == 0


@both_ways
def test_flash_attention_1_carries_dQ_for_every_key_block(cost):
    bill, kernel = cost("flash1_backward", **SMALL), "flash_attention_1_backward"
    assert bill.desk.moves == {
        ("init", "dQ"): Traffic(write=32),                # fp32
        (kernel, "K"): Traffic(read=16), (kernel, "V"): Traffic(read=16),
        (kernel, "Q"): Traffic(read=2 * 16), (kernel, "O"): Traffic(read=2 * 16), (kernel, "dO"): Traffic(read=2 * 16),
        (kernel, "dQ"): Traffic(read=2 * 32, write=2 * 32),
        (kernel, "l"): Traffic(read=2 * 16), (kernel, "m"): Traffic(read=2 * 16),
        (kernel, "dK"): Traffic(write=16), (kernel, "dV"): Traffic(write=16)}
    assert bill.tile_moves == 2 + 2 * (2 + 2) + 4 * (6 + 1)
    assert bill.flops.matmul == 5 * 2 * (4 * 4 * 2)
    assert bill.flops.exp == 16                           # P again, one a cell


@both_ways
def test_flash_attention_2_computes_D_once_and_adds_to_dQ_from_every_key_block(cost):
    bill, kernel = cost("flash2_backward", **SMALL), "flash_attention_2_backward"
    assert bill.desk.moves == {
        ("preprocess", "O"): Traffic(read=16), ("preprocess", "dO"): Traffic(read=16),
        ("preprocess", "D"): Traffic(write=16),           # four rows of fp32
        ("init", "dQ"): Traffic(write=32),
        (kernel, "K"): Traffic(read=16), (kernel, "V"): Traffic(read=16),
        (kernel, "Q"): Traffic(read=2 * 16), (kernel, "dO"): Traffic(read=2 * 16),
        (kernel, "L"): Traffic(read=2 * 16), (kernel, "D"): Traffic(read=2 * 16),
        (kernel, "dQ"): Traffic(read=2 * 32, write=2 * 32),                # an atomic is one read and one write
        (kernel, "dK"): Traffic(write=16), (kernel, "dV"): Traffic(write=16)}
    assert bill.tile_moves == 2 * 3 + 2 + 2 * (2 + 2) + 4 * (4 + 2)
    assert bill.flops.matmul == 5 * 2 * (4 * 4 * 2)


@both_ways
def test_a_masked_tile_costs_nothing_but_a_key_block_that_nobody_sees_still_stores_zeros(cost):
    causal = cost("flash2_backward", **SMALL, causal=True)
    assert causal.desk.moves["flash_attention_2_backward", "Q"].read == 16 + 8
    unseen = {"n": 2, "n_kv": 8, "d": 2, "br": 2, "bc": 2, "window": (0, 0)}           # the two rows see keys 6 and 7
    for algorithm in ("flash1_backward", "flash2_backward"):
        bill = cost(algorithm, **unseen).desk
        assert bill.by_tensor["Q"].read == 8 and bill.by_tensor["dK"].write == 32


@both_ways
def test_the_desk_holds_both_gradients_of_a_key_block_in_registers(cost):
    for algorithm, more in (("flash1_backward", 1), ("flash2_backward", 0)):           # the first needs O as well
        peak = cost(algorithm, **SMALL).peak
        assert peak.shared_bytes == 8 + 8 + (2 + more) * 8
        assert peak.registers_bytes == 4 * (2 * 4 + 2 * 4 + 4 + 2 * 2)     # S and dP, dK and dV, dQ, two row numbers
        assert cost(algorithm, **SMALL, stages=3).peak.shared_bytes == 8 + 8 + 3 * (2 + more) * 8


@pytest.mark.parametrize("algorithm", BACKWARDS)
@settings(max_examples=60, derandomize=True, deadline=None, database=None)
@given(br=st.integers(1, 20), bc=st.integers(1, 20), d=st.integers(1, 20),
       dtype=st.sampled_from(("fp32", "fp16", "fp8")), stages=st.integers(1, 3))
def test_the_room_of_a_thread_block_is_the_peak_of_a_run(algorithm, br, bc, d, dtype, stages):
    storage = Problem(n=1, d=1, dtype=dtype).storage
    peak = run(algorithm, n=2 * br + 1, n_kv=2 * bc + 1, d=d, br=br, bc=bc, dtype=dtype, stages=stages).cost.peak
    assert peak == ROOM[algorithm](br, bc, d, storage, stages)


# The paper ruler and the papers' FLOPs.


@exactly
@given(size, st.integers(1, 300), size, size, st.sampled_from(("fp32", "fp16", "bf16")))
def test_the_paper_ruler_is_the_papers_formulas(N, d, B_r, B_c, dtype):
    T_c, e = -(-N // B_c), Problem(n=1, d=1, dtype=dtype).storage.bytes
    standard, flash1, flash2 = (computed(a, n=N, d=d, br=B_r, bc=B_c, dtype=dtype).paper.total for a in BACKWARDS)
    assert standard == e * (7 * N * N + 8 * N * d)
    assert flash1 == e * (4 * N * d + T_c * (5 * N * d + 2 * N))
    assert flash2 == e * (4 * N * d + T_c * (4 * N * d + 2 * N) + 2 * N * d + N)


@exactly
@given(size, size, st.integers(1, 300), st.integers(1, 300), st.integers(1, 300), st.booleans(), st.integers(1, 5))
def test_flash_backwards_take_five_products_for_two_and_the_standard_one_four(n, n_kv, d, br, bc, causal, heads):
    asked = {"n": n, "n_kv": n_kv, "d": d, "br": br, "bc": bc, "causal": causal, "heads": heads}
    for algorithm, times in (("standard", 2), ("flash1", 2.5), ("flash2", 2.5)):
        forward, backward = computed(algorithm, **asked).flops, computed(f"{algorithm}_backward", **asked).flops
        assert 2 * backward.paper == int(2 * times) * forward.paper
        assert 2 * backward.matmul == int(2 * times) * forward.matmul


# What waits between the passes.


def kept(algorithm, **asked):
    """The bytes that wait for a backward pass, by tensor."""
    return accounting.kept(algorithm, Problem(d=64, **asked), Tiling(64, 64))


def test_what_waits_is_what_the_forward_pass_filed():
    asked = {"n": 1024, "n_kv": 512, "heads": 3, "batch": 2}
    bills = {name: computed(name, **asked, d=64, br=64, bc=64, lse=True).desk for name in ALGORITHMS}
    assert kept("standard_backward", **asked) == {"P": bills["standard"].by_tensor["P"].write}
    assert kept("flash1_backward", **asked) == {name: bills["flash1"].moves["init", name].write for name in "Olm"}
    assert kept("flash2_backward", **asked) == {name: bills["flash2"].by_tensor[name].write for name in "OL"}


@pytest.mark.parametrize("algorithm", BACKWARDS)
def test_a_backward_pass_loads_what_waits_beside_its_inputs(algorithm):
    loaded = {event.tensor for event in run(algorithm, **SMALL).events if event.op == "load"}
    made_on_the_way = {"dP", "dS", "dQ", "D"}
    assert loaded - made_on_the_way == {"Q", "K", "V", "dO", *kept(algorithm, n=4)}


def test_twice_the_rows_keep_four_times_the_table_or_twice_the_rows():
    grown = {a: sum(kept(a, n=2048).values()) / sum(kept(a, n=1024).values()) for a in BACKWARDS}
    assert grown == {"standard_backward": 4, "flash1_backward": 2, "flash2_backward": 2}


# Gradients.


@pytest.mark.parametrize("options", [{}, {"causal": True}, {"n_kv": 9, "causal": True}, {"n_kv": 3, "causal": True},
                                     {"n_kv": 8, "window": (2, 1)}])
def test_the_oracles_gradients_are_those_of_finite_differences(options):
    """Central differences of Σ dO ∘ O with h = 1e-5 err by about h² and by 1e-16 ÷ h: far below 1e-8."""
    problem, h, rng = Problem(n=5, d=3, **options), 1e-5, np.random.default_rng(0)
    rows = (problem.n, problem.n_k, problem.n_k)
    matrices, dO = [rng.standard_normal((r, 3)) for r in rows], rng.standard_normal((5, 3))
    for which, exact in enumerate(gradients(*matrices, dO, problem.mask)):
        for place in np.ndindex(exact.shape):
            ends = []
            for step in (h, -h):
                moved = [x.copy() for x in matrices]
                moved[which][place] += step
                ends.append((dO * attention(*moved, problem.mask)).sum())
            assert exact[place] == pytest.approx((ends[0] - ends[1]) / (2 * h), abs=1e-8)


@pytest.mark.parametrize("algorithm", BACKWARDS)
@settings(max_examples=80, derandomize=True, deadline=None, database=None)
@given(n=st.integers(1, 20), n_kv=st.integers(1, 20), br=st.integers(1, 22), bc=st.integers(1, 22),
       causal=st.booleans(), window=st.tuples(st.integers(-1, 6), st.integers(-1, 6)), group=st.integers(1, 3))
def test_every_heads_gradients_are_float64s(algorithm, n, n_kv, br, bc, causal, window, group):
    """In fp32; a K/V head's gradients are summed over its group. The tolerance is float32's, of sums of 60 terms."""
    problem = {"n": n, "n_kv": n_kv, "d": 4, "heads": 2 * group, "kv_heads": 2, "dtype": "fp32", "causal": causal,
               "window": window}
    rng = np.random.default_rng(n)
    q, k, v, dO = (rng.standard_normal((1, heads, rows, 4)).astype(np.float32)
                   for heads, rows in ((2 * group, n), (2, n_kv), (2, n_kv), (2 * group, n)))
    dQ, dK, dV = run(algorithm, br=br, bc=bc, inputs=(q, k, v, dO), **problem).output
    expected = [np.zeros_like(x, np.float64) for x in (q, k, v)]
    for h in range(2 * group):
        of_head = gradients(q[0, h], k[0, h // group], v[0, h // group], dO[0, h], Problem(**problem).mask)
        expected[0][0, h] = of_head[0]
        expected[1][0, h // group] += of_head[1]
        expected[2][0, h // group] += of_head[2]
    for got, wanted in zip((dQ, dK, dV), expected, strict=True):
        assert got == pytest.approx(wanted, abs=3e-5)


@pytest.mark.parametrize("algorithm", BACKWARDS)
@pytest.mark.parametrize(("dtype", "epsilon"), [("fp16", 2.0**-10), ("bf16", 2.0**-7)])
def test_in_half_precision_gradients_err_by_a_few_roundings(algorithm, dtype, epsilon):
    """Numbers of up to about 8, and at most four roundings on the way (O or P, dP, dS, the gradient itself)."""
    one = run(algorithm, n=96, d=16, br=32, bc=32, dtype=dtype, causal=True)
    assert epsilon / 64 < one.max_error < 8 * 4 * epsilon / 2
    assert [x.shape for x in one.output] == 3 * [(96, 16)]


def test_a_backward_pass_needs_the_gradient_of_its_output():
    q = np.zeros((1, 1, 4, 2))
    with pytest.raises(BadProblem, match="four arrays of real numbers; give q, k, v and dO"):
        run("flash2_backward", **SMALL, inputs=(q, q, q))
    with pytest.raises(WrongShape, match="dO has the shape"):
        run("flash2_backward", **SMALL, inputs=(q, q, q, q[:, :, :3]))


def test_no_chart_draws_a_backward_pass(tmp_path):
    line = f"chart --algorithm flash2_backward --vary n --values 8,16 --d 8 --br 4 --bc 4 --out {tmp_path}/chart.png"
    with pytest.raises(UnknownName, match="there is no chart of 'flash2_backward'; choose one of standard"):
        list(answer_to(line.split()))
