"""What changed from v1 to v2 to v3: who carries what, how many workers there are, what is done beside products."""

from functools import lru_cache

from lessons.story import small_desk
from simulator import Problem, Tiling, accounting, gpu
from simulator.ceilings import ceilings
from simulator.cost import Cost
from simulator.roofline import thread_blocks

WAYS = ("flash1", "flash2")
KERNELS = {"flash1": "flash_attention_1", "flash2": "flash_attention_2"}
WIDTH = 8                               # d on the stage
SIZE, BLOCKS = Problem(n=4096, d=128, heads=16), Tiling(128, 128)         # where the versions are compared
PAPERS_GPU = "a100-40"                  # where the second paper weighs operations
ABLATION = {"plain_tflops": 570, "roles_tflops": 582, "full_tflops": 661}
"""TFLOP/s of FlashAttention-3 on an H100 without roles for warps, without overlapping softmax, and whole: Shah et al.
(2024), Table 2, at batch 4, N 8448, 16 heads, d 128."""


@lru_cache(maxsize=1)
def bills() -> dict[str, Cost]:
    """{version: Cost} at SIZE."""
    return {way: accounting.cost(way, SIZE, BLOCKS) for way in WAYS}


def crossings(way: str) -> int:
    """How often a number of O crosses the room in the main kernel: in and out for every K/V block, or out once."""
    moved = bills()[way].desk.moves[KERNELS[way], "O"]
    return moved.total // (SIZE.n * SIZE.d * SIZE.heads * SIZE.storage.table.bytes)


@lru_cache(maxsize=1024)
def workers(way: str, length: int, heads: int, batch: int) -> int:
    """Thread blocks that a version deals out for `batch` texts of a length."""
    return thread_blocks(KERNELS[way], Problem(n=length, d=SIZE.d, heads=heads, batch=batch), BLOCKS)


def all_busy(heads: int, batch: int, sms: int) -> int:
    """The least N at which v2 has a row block for every SM."""
    return (-(-sms // (heads * batch)) - 1) * BLOCKS.br + 1


def dearer() -> float:
    """How many operations of a matrix product take as long as one beside it, on the second paper's GPU."""
    spec = gpu(PAPERS_GPU)
    return spec.tensor_flops_per_s / spec.fp32_flops_per_s


def beside(way: str, key: str) -> float:
    """Time of exponentials and other arithmetic at SIZE over the matrix products' time, each at its ceiling."""
    flops, top = bills()[way].flops, ceilings(gpu(key))
    return (flops.exp / top.exp.rate + flops.other / top.other.rate) / (flops.matmul / top.tensor.rate)


def desk(problem, tiling):
    """The story's desk, large enough for one block of either version."""
    return small_desk(problem, tiling, WAYS)
