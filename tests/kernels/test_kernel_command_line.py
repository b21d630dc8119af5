"""`python -m kernels` on a machine without a GPU: one line on standard error, exit 2, nothing on standard output."""

import os
import subprocess
import sys
from importlib.util import find_spec

import pytest


def run(*arguments):
    environment = {key: value for key, value in os.environ.items() if key != "TRITON_INTERPRET"}
    command = [sys.executable, "-m", "kernels", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment)


def has_gpu():
    if not find_spec("torch"):
        return False
    import torch

    return torch.cuda.is_available()


@pytest.mark.skipif(has_gpu(), reason="a GPU is here")
@pytest.mark.parametrize("command", ["bench", "counters"])
def test_without_a_gpu_it_says_so_in_one_line(command):
    said = run(command)
    assert (said.returncode, said.stdout) == (2, "")
    assert said.stderr.count("\n") == 1 and "needs a CUDA GPU" in said.stderr and "recorded" in said.stderr


@pytest.mark.parametrize("arguments", [
    (), ("bnech",), ("bench", "--fast"), ("compile", "--show", "ptx", "--kernel", "x")], ids=str)
def test_a_mistake_is_one_line(arguments):
    said = run(*arguments)
    assert (said.returncode, said.stdout) == (2, "")
    assert said.stderr.count("\n") == 1 and "Traceback" not in said.stderr


@pytest.mark.slow
@pytest.mark.skipif(not find_spec("triton"), reason=f"Triton has no package for {sys.platform}")
def test_a_kernel_compiles_for_a_gpu_that_is_not_there():
    said = run("compile", "--show", "ptx", "--d", "64", "--arch", "90")
    assert said.returncode == 0 and ".target sm_90a" in said.stdout and "wgmma" in said.stdout


@pytest.mark.slow
@pytest.mark.skipif(not find_spec("triton"), reason=f"Triton has no package for {sys.platform}")
def test_the_fast_kernel_gives_its_warps_roles_and_its_products_to_the_tensor_cores():
    said = run("compile", "--show", "ptx", "--kernel", "flash_attention_2_fast")
    assert all(word in said.stdout for word in ("setmaxnreg", "cp.async.bulk.tensor", "wgmma.mma_async", "mbarrier"))
