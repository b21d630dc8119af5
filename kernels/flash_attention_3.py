"""FlashAttention-3: FlashAttention-2 with the worker's roles dealt out among warps, for an H100 or H200 (sm_90).

The algorithm of `flash_attention_2`, and its count: what is new is who waits for whom. Written in Gluon, Triton's lower
level, where layouts, buffers and barriers are spelled out. Here: what is launched, with which blocks and which ideas;
what the warps do is in `flash_attention_3_roles`, one step of it drawn in README.md.
"""

import sys
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from math import e, log2

import triton.experimental.gluon.language as gl

from simulator.errors import BadProblem
from simulator.hardware import gpu

from .compiled import Sketch
from .flash_attention_2 import results
from .flash_attention_3_roles import flash_attention_3_kernel
from .launch import Blocks, Case, Launch, StorageType, aligned, dtype_name, go
from .schedule import READER, deal, flat, in_order, rows_above, taller, unseen

ELEMENTS = {"fp16": gl.float16, "bf16": gl.bfloat16}
EVERYWHERE = 2**31 - 1                  # more programs than there can be row blocks


@dataclass(frozen=True)
class Ideas:
    """What makes the kernel fast. Each can be left out, which shows what it buys."""

    turns: bool = True                  # readers take turns: one has its products while others do exponentials
    overlap: bool = True                # the next scores start before the last shares have met V
    held: bool = True                   # Q stays in registers, where they have room for it
    edge: bool = True                   # only tiles that the mask cuts are masked
    top: bool = True                    # only the first row block is part full: a mask leaves it least to do
    level: bool = True                  # the longest row blocks first, each to the program with the least to do so far
    stay: bool = True                   # a thread block stays on its SM: one stream from row block to row block


def flash_attention_3(q, k, v, causal=False, window=(-1, -1), lse=False, blocks=None):
    """As `flash_attention_2`, for fp16 and bf16 with d up to 128 on compute capability 9.0.

    Rows must lie 16 bytes aligned with d contiguous. Raises BadProblem for what cannot be.
    """
    case = Case.of(q, k, v, causal, window, lse)
    made = results(case, q)
    go(launches(case, q, k, v, blocks or default_blocks(case), **made))
    return (made["O"], made["L"]) if lse else made["O"]


def default_blocks(case):
    """Blocks that were fastest on an H200: three readers where d leaves them the registers and rows are many;
    under a causal mask the shortest rows want small tiles, for the mask cuts most of them.
    """
    wide, n = case.D > 64, case.problem.n
    if case.last_first and n <= 512:
        return Blocks(128, 64, warps=4, stages=4) if wide else Blocks(192, 64, warps=4, stages=6)
    if wide or n <= 1024:
        return Blocks(128, 128, warps=4, stages=2 if wide else 3)
    return Blocks(192, 128, warps=4, stages=3)


def without(case):
    """{idea: blocks and ideas for `launches` that leave it out}, where it makes a difference; "nothing" comes first."""
    blocks = default_blocks(case)
    idle = {"held": not _held(case, blocks), "edge": not case.masked(blocks.bc), "level": not case.last_first,
            "top": not (case.last_first and rows_above(case.problem.n, blocks.br))}
    found = {"nothing": dict(blocks=blocks, ideas=Ideas())}
    found |= {field.name: dict(blocks=blocks, ideas=replace(Ideas(), **{field.name: False}))
              for field in fields(Ideas) if not idle.get(field.name)}
    found["readers"] = dict(blocks=replace(blocks, br=blocks.br - READER), ideas=Ideas())
    if blocks.stages > 2:
        found["ring"] = dict(blocks=replace(blocks, stages=2), ideas=Ideas())
    return found


def launches(case, q, k, v, blocks, O, L, ideas=None):
    """The one launch: as many programs as SMs, each with its list of row blocks."""
    device, ideas, p = getattr(q, "device", None), ideas or Ideas(), case.problem
    _refuse(case, blocks, device)
    D, over = max(64, case.D), rows_above(p.n, blocks.br) if ideas.top else 0
    lists, width, programs, blank = _lists(taller(p, over), blocks.br, blocks.bc, device, ideas)
    q_tile, kv_tile = (1, 1, READER, D), (1, 1, blocks.bc, D)
    return [Launch(
        "flash_attention_2", flash_attention_3_kernel, grid=programs,
        args=dict(Q=_tiles("q", q, q_tile), K=_tiles("k", k, kv_tile), V=_tiles("v", v, kv_tile),
                  O=_tiles("O", O, q_tile), L=L, lists=lists, width=width, unseen=blank,
                  B=p.batch, H=p.heads, group=p.heads // p.groups,
                  N_q=p.n, N_k=p.n_k, above=over, **case.band, scale=case.scale * log2(e)),
        constants=dict(D=D, B_c=blocks.bc, READERS=blocks.br // READER, STAGES=blocks.stages,
                       MASKED=case.masked(blocks.bc), LEFT=p.mask.left != -1,
                       HELD=ideas.held and _held(case, blocks), TURNS=ideas.turns, OVERLAP=ideas.overlap,
                       EDGE=ideas.edge),
        **blocks.of_launch)]


def _held(case, blocks):
    """Whether Q has room in registers beside S, P and a."""
    return max(64, case.D) * blocks.bc <= 64 * 128 and blocks.br < 3 * READER


def _refuse(case, blocks, device):
    if device is not None and not _hopper(device):
        raise BadProblem(name="GPU", asked=device, possible="compute capability 9.0, as an H100 or H200 has",
                         remedy="take flash_attention_2")
    if case.problem.dtype == "fp32" or case.D > 128:
        raise BadProblem(name="dtype, d", asked=f"{case.problem.dtype}, {case.problem.d}",
                         possible="fp16 or bf16 with d up to 128", remedy="take flash_attention_2")
    if blocks.br not in (64, 128, 192) or blocks.bc not in (64, 128) or blocks.warps != 4 or blocks.stages < 2:
        raise BadProblem(name="blocks", asked=blocks, remedy="choose br 64, 128 or 192",
                         possible="64 rows for each of 1 to 3 readers of 4 warps, bc 64 or 128, 2 stages or more")


def _hopper(device):
    return device.type == "cuda" and sys.modules["torch"].cuda.get_device_capability(device) == (9, 0)


def _tiles(name, x, block):
    """A tensor descriptor of x (B, H, n, d) that fetches or stores blocks; zeros beyond n and d."""
    from triton.experimental.gluon.nvidia.hopper import TensorDescriptor

    if not aligned(x):
        raise BadProblem(name=f"{name}'s strides", asked=x.stride(), possible="d contiguous, rows 16 bytes aligned",
                         remedy="make it so with contiguous() or padding, or take flash_attention_2")
    layout = gl.NVMMASharedLayout.get_default_for(list(block), ELEMENTS[dtype_name(x)])
    return TensorDescriptor(x, list(x.shape), list(x.stride()), list(block), layout)


@lru_cache(maxsize=64)
def _lists(problem, br, bc, device, ideas):
    """(numbers, width, programs, unseen): the programs' lists of row blocks, as int32 on the device or a Sketch."""
    lists = (deal if ideas.level else in_order)(problem, br, bc, _sms(device) if ideas.stay else EVERYWHERE)
    numbers, width = flat(lists)
    return _placed(numbers, device), width, len(lists), unseen(problem, br)


def _sms(device):
    """How many SMs the device has; an H200's for none."""
    if device is None:
        return gpu("h200").sms
    return sys.modules["torch"].cuda.get_device_properties(device).multi_processor_count


def _placed(numbers, device):
    if device is None:
        return Sketch((len(numbers),), StorageType("i32"))
    torch = sys.modules["torch"]
    return torch.tensor(numbers, dtype=torch.int32, device=device)
