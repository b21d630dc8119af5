"""Small inputs from public reports of people who count attention's traffic or write its kernels."""

import numpy as np
import pytest
from ask import ALGORITHMS, computed, counted, run

from simulator import Problem, Tiling, gpu, simulate
from simulator.problem import FP8, FP16
from simulator.tiling import fits, flash_room

TILED = ("flash1", "flash2")


def inputs(n, d, n_kv=None, batch=1, heads=1, kv_heads=None, seed=0):
    """Normal q (batch, heads, n, d) and k, v (batch, kv_heads, n_kv, d)."""
    rng = np.random.default_rng(seed)
    shapes = [(batch, heads, n, d)] + 2 * [(batch, kv_heads or heads, n_kv or n, d)]
    return [rng.standard_normal(shape).astype(np.float32) for shape in shapes]


def test_T3_tiled_attention_moves_570_MB_not_an_N_by_N_output():
    cost = computed("flash2", n=2048, d=128, br=128, bc=64, heads=32)
    assert cost.desk.total == 32 * 2 * (2 + 2 * 16) * 2048 * 128 == 570_425_344


def test_T8_causal_attention_is_half_of_the_full_square_by_the_papers_convention():
    asked = {"n": 8192, "d": 128, "br": 128, "bc": 64, "heads": 32}
    for algorithm in ALGORITHMS:
        full, causal = (computed(algorithm, **asked, causal=c).flops for c in (False, True))
        assert full.paper == 4 * 8192**2 * 128 * 32
        assert causal.paper * 2 == full.paper
    assert causal.matmul > causal.paper                   # tiles as executed: the diagonal ones whole


@pytest.mark.parametrize("algorithm", TILED)
@pytest.mark.parametrize("dtype", ["fp16", "bf16", "fp32"])
def test_T10_scores_of_minus_245000_are_scores_like_any_other(algorithm, dtype):
    n, d, top = 16, 128, 147.25
    q, k, v = inputs(n, d)
    q[:], k[:] = top, -top                                # every score is -√d · top² ≈ -2.45e5
    assert -np.sqrt(d) * top**2 == pytest.approx(-2.45e5, rel=0.01)
    O = run(algorithm, n, d, br=4, bc=4, dtype=dtype, inputs=(q, k, v)).output[0, 0]
    storage = Problem(n=1, d=1, dtype=dtype).storage
    mean = storage.round(v[0, 0]).astype(np.float64).mean(axis=0)          # equal scores: equal shares
    assert np.abs(O - mean).max() <= 4 * storage.epsilon * np.abs(v).max() # a rounding of O for each of 4 K/V blocks


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("dtype", ["fp16", "bf16", "fp32", "fp8"])
def test_T10_whatever_the_scores_nothing_is_nan(algorithm, dtype):
    q, k, v = inputs(16, 128)
    q, k = 147 * np.sign(q), 147 * np.sign(k) * np.where(np.arange(16) < 8, 1, -1)[:, None]
    O = run(algorithm, 16, 128, br=4, bc=4, dtype=dtype, causal=True, inputs=(q, k, v)).output
    assert np.isfinite(O).all()


def test_T10_a_table_in_fp16_cannot_hold_such_scores_and_bf16_can():
    q, k, v = inputs(8, 128)
    q[:], k[:] = 147.25, -147.25
    lost = run("standard", 8, 128, br=4, bc=4, dtype="fp16", inputs=(q, k, v)).output
    kept = run("standard", 8, 128, br=4, bc=4, dtype="bf16", inputs=(q, k, v)).output
    assert (lost == 0).all()                              # every score became -∞: a row that sees nothing
    assert np.abs(kept - v.mean(axis=2)).max() < 0.02     # bf16's ε is 2⁻⁷, twice, of numbers up to about 1


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("dtype", ["fp16", "bf16", "fp32", "fp8"])
def test_T10_a_row_that_sees_nothing_gives_0(algorithm, dtype):
    O = run(algorithm, n=10, n_kv=4, d=8, br=3, bc=2, dtype=dtype, causal=True).output
    assert (O[:6] == 0).all()
    assert (O[6:] != 0).any(axis=1).all()


def test_T10_the_logsumexp_of_a_row_that_sees_nothing_is_minus_infinity_not_nan():
    events = run("flash2", n=6, n_kv=2, d=2, br=2, bc=2, causal=True, lse=True, values=True).events
    L = [event.values for event in events if event.op == "store" and event.tensor == "L"]
    assert [np.isneginf(block).all() for block in L] == [True, True, False]
    assert np.isfinite(L[2]).all()


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_T11_causal_with_two_queries_and_five_keys(algorithm):
    q, k, v = inputs(2, 4, n_kv=5)
    v[0, 0] = np.eye(5, 4)                                # O shows the shares of keys 0-3
    O = run(algorithm, n=2, n_kv=5, d=4, br=2, bc=2, dtype="fp32", causal=True, inputs=(q, k, v)).output[0, 0]
    scores = np.exp(q[0, 0] @ k[0, 0].T / 2) * [[1, 1, 1, 1, 0], [1, 1, 1, 1, 1]]
    shares = scores / scores.sum(axis=1, keepdims=True)
    assert O == pytest.approx(shares[:, :4], abs=1e-6)    # float32


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_T13_a_problem_smaller_than_a_block_counts_its_own_rows(algorithm):
    cost = counted(algorithm, n=20, d=16, br=32, bc=32)
    assert cost.desk.by_tensor["Q"].read == 20 * 16 * 2
    assert cost == computed(algorithm, n=20, d=16, br=20, bc=20)


@pytest.mark.parametrize("algorithm", TILED)
def test_T15_one_query_over_twenty_keys_works(algorithm):
    q, k, v = inputs(1, 128, n_kv=20, batch=4, heads=32)
    decode = run(algorithm, n=1, n_kv=20, d=128, br=16, bc=16, batch=4, heads=32, inputs=(q, k, v))
    assert decode.output.shape == (4, 32, 1, 128)
    assert decode.cost.desk.by_tensor["K"].read == 4 * 32 * 20 * 128 * 2
    assert decode.max_error < 2 * 2 * 2.0**-11 * np.abs(v).max()           # fp16, a rounding for each of 2 blocks


def test_T18_a_block_of_131072_bytes_is_refused_on_an_rtx_4090():
    room = flash_room(128, 192, 128, FP16)
    assert room.shared_bytes == 131_072
    assert gpu("rtx4090").shared_per_block_bytes == 101_376
    problem, tiling = Problem(n=2048, d=128), Tiling(128, 192)
    assert not simulate(problem, tiling, "rtx4090").fits
    assert simulate(problem, tiling, "h200", execute=False).fits


def test_T20_196608_bytes_are_refused_on_an_a100_and_fit_an_h100():
    room = flash_room(32, 32, 1024, FP16)
    assert room.shared_bytes == 196_608
    assert not fits(room, gpu("a100"))
    assert fits(room, gpu("h100"))


def test_T22_stages_multiply_the_key_and_value_buffers():
    one, two = (flash_room(64, 64, 256, FP8, stages) for stages in (1, 2))
    assert two.shared_bytes - 64 * 256 == 65_536 == 2 * (one.shared_bytes - 64 * 256)
    assert counted("flash2", n=64, d=256, br=64, bc=64, dtype="fp8", stages=2).peak == two


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize(("br", "bc"), [(16, 4), (4, 16), (5, 12)])
def test_T24_row_blocks_and_key_blocks_may_differ(algorithm, br, bc):
    square = run(algorithm, n=48, d=8, br=16, bc=16, dtype="fp32").output
    other = run(algorithm, n=48, d=8, br=br, bc=bc, dtype="fp32").output
    assert other == pytest.approx(square, abs=5e-6)       # float32, sums in another order, up to 12 roundings of O


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_T24_a_nan_never_passes_a_comparison(algorithm):
    q, k, v = inputs(8, 4)
    q[0, 0, 5, 2] = np.nan
    spoilt = run(algorithm, n=8, d=4, br=4, bc=4, inputs=(q, k, v))
    assert not spoilt.max_error <= 1e9


@pytest.mark.parametrize("algorithm", TILED)
@pytest.mark.parametrize("dtype", ["fp16", "bf16"])
def test_T27_values_of_all_ones_give_exactly_1(algorithm, dtype):
    q, k, v = inputs(64, 16)
    O = run(algorithm, n=64, d=16, br=16, bc=8, dtype=dtype, inputs=(q, k, np.ones_like(v))).output
    assert (O == 1).all()


@pytest.mark.parametrize("algorithm", TILED)
def test_T27_values_of_all_ones_give_1_within_4_units_in_the_last_place_of_fp32(algorithm):
    q, k, v = inputs(64, 16)
    O = run(algorithm, n=64, d=16, br=16, bc=8, dtype="fp32", inputs=(q, k, np.ones_like(v))).output
    assert np.abs(O - 1).max() <= 4 * 2.0**-23


@pytest.mark.parametrize(("heads", "kv_heads"), [(32, 8), (28, 4)])
def test_T28_query_head_h_reads_kv_head_h_over_the_group_and_every_one_is_touched(heads, kv_heads):
    q, k, v = inputs(3, 4, heads=heads, kv_heads=kv_heads)
    v[:] = np.arange(kv_heads)[:, None, None]             # every value of K/V head g is g
    O = run("flash2", n=3, d=4, br=2, bc=2, heads=heads, kv_heads=kv_heads, inputs=(q, k, v)).output
    read = O[0, :, 0, 0]
    assert read.tolist() == [h // (heads // kv_heads) for h in range(heads)]
    assert set(read) == set(range(kv_heads))
