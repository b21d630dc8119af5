"""Outputs against float64, within what the roundings on the way explain, and no wider.

The oracle attends over the inputs as they lie in HBM (rounded to storage), so only what happens after
counts: float32 arithmetic on the desk, and a rounding to the storage type at every store.
A rounding to a type of epsilon ε errs by at most ε/2 of the number, or half the smallest step near 0.
"""

import numpy as np
import pytest
from ask import ALGORITHMS, run

from simulator import Problem
from simulator.problem import dtype
from simulator.reference import attention
from simulator.run import draw

U = 2.0**-24                            # float32 errs by at most U of a result
HALF_STEP = {"fp16": 2.0**-25, "bf16": 2.0**-134, "fp32": 2.0**-150}       # half the smallest subnormal


def float32_error(q, k, v):
    """A bound on |O - oracle| from float32 arithmetic alone, in the worst order of summation.

    A score errs by (d + 2) U of Σ|q||k|/√d, a share e^(s - m) relatively by that of s and of m, one more
    rounding of s - m ≤ 2 max|s|, and 2 of exp; a sum of N_k shares by N_k U; numerator and denominator both.
    """
    d, size = q.shape[1], (np.abs(q) @ np.abs(k).T).max() / np.sqrt(q.shape[1])
    share = 2 * (d + 2) * U * size + 2 * U * size + 4 * U
    return 2 * (share + (len(k) + 4) * U) * np.abs(v).max()


def output_and_oracle(algorithm, problem_options, br=16, bc=16, scale=1.0):
    """(O, oracle, the inputs as stored) of one head drawn from the seed, Q made `scale` times larger."""
    problem = Problem(**problem_options)
    q, k, v = draw(problem)
    q = q * np.float32(scale)
    O = run(algorithm, br=br, bc=bc, inputs=tuple(x[None, None] for x in (q, k, v)), **problem_options).output[0, 0]
    stored = [problem.storage.round(x).astype(np.float64) for x in (q, k, v)]
    return O.astype(np.float64), attention(*stored, problem.mask), stored


def rounding(name, values):
    """The most that one store of these values may err."""
    table = dtype(name).table
    return table.epsilon / 2 * np.abs(values).max() + HALF_STEP[table.name]


TYPES = ("fp32", "fp16", "bf16", "fp8")


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("causal", [False, True])
def test_flash_attention_2_rounds_O_once(name, causal):
    O, oracle, stored = output_and_oracle("flash2", {"n": 100, "d": 24, "dtype": name, "causal": causal})
    once, arithmetic = rounding(name, oracle), float32_error(*stored)
    error = np.abs(O - oracle).max()
    assert error <= once * (1 + 1e-3) + arithmetic        # what is rounded errs by `arithmetic` itself
    if name != "fp32":
        assert error > once / 4                           # the bound is not idle: one rounding is there
        assert arithmetic < once                          # and float32 alone does not explain it


@pytest.mark.parametrize("name", TYPES)
def test_flash_attention_1_rounds_O_once_for_every_key_block(name):
    O, oracle, stored = output_and_oracle("flash1", {"n": 256, "d": 24, "dtype": name}, bc=8)
    blocks, most = 256 // 8, np.abs(stored[2]).max()      # every O on the way is a mean of rows of V
    assert np.abs(O - oracle).max() <= blocks * (rounding(name, most) + float32_error(*stored))


def test_flash_attention_1_errs_by_more_than_one_rounding():
    """So the two algorithms' bounds tell them apart."""
    options = {"n": 512, "d": 16, "dtype": "bf16"}
    v1, oracle, stored = output_and_oracle("flash1", options, bc=8)
    v2, _, _ = output_and_oracle("flash2", options, bc=8)
    once = rounding("bf16", oracle) + float32_error(*stored)
    assert np.abs(v2 - oracle).max() <= once < np.abs(v1 - oracle).max()


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("passes", [(), ("scale", "mask", "dropout")])
def test_standard_attention_rounds_S_P_and_O(name, passes):
    options = {"n": 100, "d": 24, "dtype": name, "passes": passes}
    O, oracle, (q, k, v) = output_and_oracle("standard", options)
    S = q @ k.T / np.sqrt(24)
    of_S = 2 * rounding(name, S)                          # e^(s ± δ) errs by δ, in the share and in the sum
    of_P = dtype(name).table.epsilon / 2 + len(k) * HALF_STEP[dtype(name).table.name]
    error = np.abs(O - oracle).max()
    assert error <= (of_S * 1.1 + of_P) * np.abs(v).max() + rounding(name, oracle) + float32_error(q, k, v)
    if name == "bf16":
        assert error > rounding(name, oracle) + float32_error(q, k, v)     # O's rounding alone would not explain it


def test_passes_leave_values_as_they_are():
    plain, passed = (run("standard", n=33, d=8, br=8, bc=16, passes=passes).output
                     for passes in ((), ("scale", "mask", "dropout")))
    assert (plain == passed).all()


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize(("br", "bc"), [(1, 1), (7, 3), (3, 7), (64, 5), (200, 200)])
def test_block_sizes_change_the_bill_not_the_answer(algorithm, br, bc):
    O, oracle, stored = output_and_oracle(algorithm, {"n": 50, "n_kv": 41, "d": 8, "dtype": "fp32"}, br, bc)
    assert np.abs(O - oracle).max() <= 41 * (float32_error(*stored) + rounding("fp32", stored[2]))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("options", [{"causal": True}, {"window": (3, 2)}, {"window": (0, 0)},
                                     {"n_kv": 9, "causal": True}, {"n_kv": 90, "window": (20, -1)}])
def test_a_mask_hides_what_it_says(algorithm, options):
    O, oracle, stored = output_and_oracle(algorithm, {"n": 40, "d": 8, "dtype": "fp32"} | options, br=6, bc=10)
    assert np.abs(O - oracle).max() <= 90 * (float32_error(*stored) + rounding("fp32", stored[2]))


@pytest.mark.parametrize("algorithm", ["flash1", "flash2"])
def test_large_scores_stay_finite(algorithm):
    O, oracle, (q, k, v) = output_and_oracle(algorithm, {"n": 40, "d": 16, "dtype": "fp32"}, scale=30)
    assert np.isfinite(O).all()
    assert np.abs(O - oracle).max() <= 40 * float32_error(q, k, v)         # scores up to hundreds: wider by their size


def test_the_error_that_a_run_reports_is_the_largest_difference():
    asked = run("flash2", n=30, d=8, br=8, bc=8)
    O, oracle, _ = output_and_oracle("flash2", {"n": 30, "d": 8}, 8, 8)
    assert asked.max_error == np.abs(O - oracle).max()


def test_the_oracle_is_softmax_written_out():
    q, k, v = (np.array(x, float) for x in ([[1, 0], [0, 2]], [[1, 0], [0, 1], [1, 1]], [[1, 2], [3, 4], [5, 6]]))
    for i, row in enumerate(attention(q, k, v, Problem(n=2, n_kv=3, d=2).mask)):
        weights = [np.exp(q[i] @ k[j] / np.sqrt(2)) for j in range(3)]
        assert row == pytest.approx(sum(w * v[j] for j, w in enumerate(weights)) / sum(weights), rel=1e-14)   # float64


def test_the_oracle_works_in_slabs_of_rows():
    problem = Problem(n=700, n_kv=3000, d=4, causal=True)                  # two slabs of a million cells
    q, k, v = draw(problem)
    whole = attention(q, k, v, problem.mask)
    last = attention(q[-1:], k, v, Problem(n=1, n_kv=3000, d=4, causal=True).mask)
    assert whole[-1:] == pytest.approx(last, abs=1e-14)
    assert len(whole) == 700
