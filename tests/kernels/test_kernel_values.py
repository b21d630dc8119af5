"""Values that break careless kernels: huge logits, rows that see nothing, shares that must add up to 1."""

import numpy as np
import pytest
from interpreted import draw, run

from simulator.problem import Problem

pytestmark = pytest.mark.usefixtures("interpreted")
FLASH = ("flash_attention_1", "flash_attention_2", "flash_attention_2_tma")


@pytest.mark.parametrize("name", ("standard", *FLASH))
@pytest.mark.parametrize("dtype", ["fp16", "bf16", "fp32"])
def test_logits_far_below_zero_stay_finite(name, dtype):
    q = np.full((1, 1, 32, 128), 148.0, np.float32)                          # q·k/√d reaches about -2.5e5
    k = -q * np.linspace(0.9, 1, 32)[:, None].astype(np.float32)
    outcome = run(name, Problem(n=32, d=128, dtype=dtype), 32, 16, (q, k, draw(Problem(n=32, d=128))[2]))
    assert np.isfinite(outcome.tensors["O"].numpy()).all()


@pytest.mark.parametrize("name", ("standard", *FLASH))
def test_rows_that_see_nothing_give_zero(name):
    outcome = run(name, Problem(n=40, n_kv=8, d=16, causal=True), 32, 16)
    O = outcome.tensors["O"].numpy()[0, 0]
    assert (O[:32] == 0).all() and (O[32:] != 0).any()


@pytest.mark.parametrize("name", FLASH)
@pytest.mark.parametrize("dtype", ["fp16", "bf16"])
@pytest.mark.parametrize("keys", [3, 20, 70])
def test_equal_values_come_out_exactly(name, dtype, keys):
    problem = Problem(n=33, n_kv=keys, d=16, dtype=dtype, seed=5)
    q, k, v = draw(problem)
    O = run(name, problem, 32, 16, (3 * q, 3 * k, np.ones_like(v))).tensors["O"].numpy()
    assert (O == 1).all()


@pytest.mark.parametrize("name", ("standard", *FLASH))
def test_equal_values_come_out_within_four_ulp_in_fp32(name):
    problem = Problem(n=33, n_kv=70, d=16, dtype="fp32")
    q, k, v = draw(problem)
    O = run(name, problem, 32, 16, (q, k, np.ones_like(v))).tensors["O"].numpy()
    assert np.abs(O - 1).max() <= 4 * np.spacing(np.float32(1))


def test_logsumexp_is_that_of_the_scores():
    problem = Problem(n=40, n_kv=24, d=16, dtype="fp32", causal=True, lse=True)
    for name in ("flash_attention_2", "flash_attention_2_tma"):
        tensors = run(name, problem, 32, 16).tensors
        Q, K, L = (tensors[x].numpy()[0, 0] for x in "QKL")
        scores = np.where(problem.mask.cells(range(40), range(24)), Q @ K.T / 4, -np.inf)
        seen = np.isfinite(scores).any(axis=1)
        np.testing.assert_allclose(L[seen], np.log(np.exp(scores[seen]).sum(axis=1)), atol=2e-6)
        assert (L[~seen] == -np.inf).all()


def test_inputs_at_any_stride_give_the_same_output():
    from kernels.interpret import Array

    problem = Problem(n=37, d=24, heads=2, dtype="fp32")
    plain = draw(problem)
    heads_last = [Array.of(np.ascontiguousarray(x.transpose(0, 2, 1, 3)).transpose(0, 2, 1, 3), "fp32") for x in plain]
    columns_first = [Array.of(np.asfortranarray(x), "fp32") for x in plain]
    every_other = [Array.of(np.repeat(x, 2, axis=2), "fp32") for x in plain]
    for x in every_other:
        x.memory = x.memory[:, :, ::2]
    for name in ("standard", "flash_attention_1", "flash_attention_2"):
        expected = run(name, problem, 32, 16, plain)
        for inputs in (heads_last, columns_first, every_other):
            outcome = run(name, problem, 32, 16, inputs)
            assert (outcome.tensors["O"].numpy() == expected.tensors["O"].numpy()).all()
            assert outcome.moved == expected.moved


def test_a_window_hides_what_lies_outside():
    problem = Problem(n=64, d=16, dtype="fp32", window=(3, 0))
    for name in ("standard", *FLASH):
        assert run(name, problem, 32, 16).error() < 1e-6
