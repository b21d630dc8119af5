"""Where the kernels run in tests: on the GPU that is there, else in Triton's interpreter."""

import os
import sys
from importlib import import_module
from importlib.util import find_spec

import pytest

INTERPRETED = ("standard", "flash_attention_1", "flash_attention_2", "flash_attention_2_tma")


def has_gpu():
    """Whether PyTorch sees a GPU."""
    if find_spec("torch") is None:
        return False
    import torch

    return torch.cuda.is_available()


@pytest.fixture(scope="session")
def interpreted():
    """Loads the kernels for Triton's interpreter; skips where they cannot or need not run there.

    Triton decides when it and the kernels are imported, so the environment is as before afterwards.
    """
    if find_spec("triton") is None:
        pytest.skip(f"Triton has no package for {sys.platform}; the app works without it")
    if has_gpu():
        pytest.skip("a GPU is here, and the kernels run on it")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRITON_INTERPRET", "1")
        for name in ("triton.experimental.gluon", *(f"kernels.{name}" for name in INTERPRETED)):
            import_module(name)


@pytest.fixture
def gpu():
    """PyTorch; skips where there is no GPU."""
    if not has_gpu() or os.environ.get("TRITON_INTERPRET") == "1":
        pytest.skip("needs a CUDA GPU and PyTorch, and TRITON_INTERPRET unset")
    import torch

    return torch
