"""Where the kernels run in tests: on the GPU that is there, else in Triton's interpreter."""

import os
import sys
from importlib.util import find_spec

import pytest


def has_gpu():
    if find_spec("torch") is None:
        return False
    import torch

    return torch.cuda.is_available()


GPU = has_gpu()
if not GPU:
    os.environ["TRITON_INTERPRET"] = "1"


@pytest.fixture
def interpreted():
    """Skips where kernels do not run in Triton's interpreter."""
    if find_spec("triton") is None:
        pytest.skip(f"Triton has no package for {sys.platform}; the app works without it")
    if os.environ.get("TRITON_INTERPRET") != "1":
        pytest.skip("kernels run on the GPU here; set TRITON_INTERPRET=1 to run them in the interpreter")


@pytest.fixture
def gpu():
    """Skips where there is no GPU; else PyTorch."""
    if not GPU or os.environ.get("TRITON_INTERPRET") == "1":
        pytest.skip("needs a CUDA GPU and PyTorch, and TRITON_INTERPRET unset")
    import torch

    return torch
