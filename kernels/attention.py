"""Attention by whichever kernel is fastest for these tensors on their GPU, or by the one that is named."""

import os
import sys
from importlib import import_module

from simulator.errors import BadProblem, UnknownName

from .catalogue import SIMULATED
from .errors import NoDevice
from .launch import Case, aligned

AUTO, PLAIN = "auto", "flash_attention_2"
WITHOUT_L = ("standard", "flash_attention_1")
WHOLE_TILES = (9, 10)                   # generations with a tensor memory accelerator and 227 KiB for a thread block
LINE = 8                                # numbers of two bytes that make 16 bytes


def attention(q, k, v, causal=False, window=(-1, -1), lse=False, kernel=AUTO):
    """O (B, H, N_q, d) of q (B, H, N_q, d), k and v (B, H_kv, N_k, d); with `lse` also L (B, H, N_q) in fp32.

    fp16, bf16 or fp32; H_kv divides H; d up to 256. `window` is (left, right) around the bottom-right diagonal, -1 for
    unlimited. `kernel` is a name of catalogue.SIMULATED, or "auto" for the one that `chosen` gives. Raises UnknownName
    for another name, BadProblem for what cannot be, NoDevice for tensors that lie on no GPU.
    """
    if kernel not in (AUTO, *SIMULATED):
        raise UnknownName(kind="kernel", asked=kernel, possible=", ".join((AUTO, *SIMULATED)))
    if lse and kernel in WITHOUT_L:
        raise BadProblem(name="lse", asked=lse, possible=f"{kernel} writes no logsumexp",
                         remedy=f"leave lse out, or take {PLAIN}")
    problem, generation = Case.of(q, k, v, causal, window, lse).problem, capability(q)
    if generation is None and hasattr(q, "device") and os.environ.get("TRITON_INTERPRET") != "1":
        raise NoDevice(asked="attention", possible="tensors on an NVIDIA GPU", found="q, k and v lie on none",
                       remedy="move them there, or set TRITON_INTERPRET=1 before Triton is imported, to try it slowly")
    if kernel == AUTO:
        kernel = chosen(problem, generation, all(map(aligned, (q, k, v))))
    options = {} if kernel in WITHOUT_L else {"lse": lse}
    return getattr(import_module(f".{kernel}", __package__), kernel)(q, k, v, causal, window, **options)


def chosen(problem, capability, rows_aligned):
    """The name of the fastest kernel that takes a Problem on a GPU of this compute capability, (9, 0) for Hopper.

    None for no GPU. `rows_aligned` says whether the rows of q, k and v lie as a tensor memory accelerator wants them.
    """
    if capability is None or problem.dtype == "fp32" or not rows_aligned:
        return PLAIN
    if capability == (9, 0) and problem.d <= 128 and problem.d % LINE == 0:
        return "flash_attention_3"
    return "flash_attention_2_tma" if capability[0] in WHOLE_TILES else PLAIN


def capability(x):
    """The compute capability of the GPU on which x lies, (9, 0) for Hopper; None for what lies on none."""
    return sys.modules["torch"].cuda.get_device_capability(x.device) if getattr(x, "is_cuda", False) else None
