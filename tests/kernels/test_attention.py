"""One call for all kernels: the fastest that fits the GPU and the tensors, or the one that is named."""

import subprocess
import sys

import numpy as np
import pytest
from interpreted import TOLERANCE, draw

from kernels.attention import attention, chosen
from kernels.catalogue import SIMULATED
from kernels.errors import NoDevice
from simulator import Problem, reference
from simulator.errors import BadProblem, UnknownName

HOPPER, AMPERE, ADA, BLACKWELL, CONSUMER = (9, 0), (8, 0), (8, 9), (10, 0), (12, 0)


@pytest.mark.parametrize("capability, sizes, kernel", [
    (HOPPER, {"d": 128}, "flash_attention_3"),
    (HOPPER, {"d": 64, "dtype": "fp16"}, "flash_attention_3"),
    (HOPPER, {"d": 80, "window": (100, 0), "lse": True}, "flash_attention_3"),
    (HOPPER, {"d": 63}, "flash_attention_2_tma"),         # O's rows are 126 bytes, and the third files whole tiles
    (HOPPER, {"d": 256}, "flash_attention_2_tma"),
    (HOPPER, {"d": 128, "dtype": "fp32"}, "flash_attention_2"),
    (BLACKWELL, {"d": 128}, "flash_attention_2_tma"),
    (CONSUMER, {"d": 128}, "flash_attention_2"),          # its desk is too small for the blocks of the others
    (AMPERE, {"d": 128}, "flash_attention_2"),
    (ADA, {"d": 64}, "flash_attention_2"),
    (None, {"d": 64}, "flash_attention_2"),
], ids=str)
def test_the_fastest_kernel_that_fits(capability, sizes, kernel):
    assert chosen(Problem(**{"n": 100, "dtype": "bf16"} | sizes), capability, rows_aligned=True) == kernel


@pytest.mark.parametrize("capability", [HOPPER, BLACKWELL, AMPERE, None], ids=str)
def test_rows_that_do_not_begin_every_16_bytes_are_fetched_number_by_number(capability):
    assert chosen(Problem(n=100, d=128), capability, rows_aligned=False) == "flash_attention_2"


@pytest.mark.parametrize("name", ["flash_attention_4", "flash2", "", None, "Auto"])
def test_an_unknown_kernel_is_refused_with_those_there_are(name):
    with pytest.raises(UnknownName, match=r"choose one of auto, standard, .*, flash_attention_3"):
        attention(None, None, None, kernel=name)


@pytest.mark.parametrize("name", ["standard", "flash_attention_1"])
def test_a_kernel_that_writes_no_logsumexp_says_so(name):
    with pytest.raises(BadProblem, match=f"{name} writes no logsumexp; leave lse out, or take flash_attention_2"):
        attention(None, None, None, lse=True, kernel=name)


class OnTheProcessor:
    """What matters here of a PyTorch tensor that lies on no GPU."""

    device, dtype, shape, is_cuda = "cpu", "torch.bfloat16", (1, 2, 8, 16), False

    def stride(self):
        return 256, 128, 16, 1

    data_ptr = new_empty = None


@pytest.mark.parametrize("kernel", ["auto", "flash_attention_3", "standard"])
def test_tensors_on_no_gpu_are_refused_in_one_line(kernel):
    with pytest.raises(NoDevice, match="attention needs tensors on an NVIDIA GPU: q, k and v lie on none"):
        attention(*3 * [OnTheProcessor()], kernel=kernel)


@pytest.mark.parametrize("strange", [None, [[1.0]], np.ones((1, 2, 8, 16))], ids=["None", "list", "array"])
def test_what_is_no_tensor_is_refused_by_name(strange):
    with pytest.raises(BadProblem, match=r"k = .+ is not possible: a PyTorch tensor"):
        attention(OnTheProcessor(), strange, OnTheProcessor())


@pytest.mark.parametrize("window", [5, None, (1, 2, 3)], ids=str)
def test_a_window_is_two_numbers(window):
    with pytest.raises(BadProblem, match="two numbers, the keys seen left and right"):
        attention(*3 * [OnTheProcessor()], window=window)


def test_nothing_is_imported_before_it_is_called():
    script = "import sys, kernels.attention; print([name for name in ('torch', 'triton') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True).stdout == "[]\n"


# In the interpreter.

PROBLEM = Problem(n=40, n_kv=56, d=16, heads=4, kv_heads=2, causal=True, window=(30, -1), seed=3)


@pytest.fixture
def tensors(interpreted):
    from kernels.interpret import Array

    return [Array.of(x, PROBLEM.dtype) for x in draw(PROBLEM)]


def off(O, tensors):
    """Largest difference of O from attention in float64, over all heads."""
    Q, K, V = (x.numpy()[0] for x in tensors)
    expected = [reference.attention(Q[h], K[h // 2], V[h // 2], PROBLEM.mask) for h in range(4)]
    return np.abs(O.numpy()[0] - expected).max()


@pytest.mark.parametrize("name", ["auto", *(name for name in SIMULATED if name != "flash_attention_3")])
def test_every_kernel_answers_by_its_name(tensors, name):
    O = attention(*tensors, PROBLEM.causal, PROBLEM.window, kernel=name)
    assert off(O, tensors) < TOLERANCE[PROBLEM.dtype]


def test_the_logsumexp_comes_with_the_output_where_it_is_asked_for(tensors):
    O, L = attention(*tensors, causal=True, lse=True)
    named, same = attention(*tensors, causal=True, lse=True, kernel="flash_attention_2")
    assert (O.numpy() == named.numpy()).all() and (L.numpy() == same.numpy()).all()
    assert L.shape == (1, 4, 40) and np.isfinite(L.numpy()).all()


def test_what_cannot_be_is_refused_before_a_kernel_is_chosen(tensors):
    q, k, _ = tensors
    with pytest.raises(BadProblem, match=r"v\.shape"):
        attention(q, k, q)
