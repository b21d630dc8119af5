"""What changed from v1 to v2 to v3: who carries what, how many workers there are, what is done beside products."""

from functools import lru_cache

from lessons.story import small_desk
from lessons.views.numbers import percent, short
from simulator import Problem, Tiling, accounting, gpu
from simulator.ceilings import ceilings
from simulator.cost import Cost
from simulator.roofline import thread_blocks

WAYS = ("flash1", "flash2")
KERNELS = {"flash1": "flash_attention_1", "flash2": "flash_attention_2"}
WIDTH = 8                               # d on the stage
SIZE, BLOCKS = Problem(n=4096, d=128, heads=16), Tiling(128, 128)         # where the versions are compared
PAPERS_GPU = "a100-40"                  # where the second paper weighs operations
HELD_D = 64                             # where two readers of the third have room for Q in registers
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


def operations(way: str) -> tuple[int, int, int]:
    """Operations of a version at SIZE: in matrix products, exponentials, all others."""
    flops = bills()[way].flops
    return flops.matmul, flops.exp, flops.other


def rates() -> tuple[float, float, float]:
    """The same of the second paper's GPU in a second, at most."""
    top = ceilings(gpu(PAPERS_GPU))
    return top.tensor.rate, top.exp.rate, top.other.rate


def taken(way: str) -> tuple[float, ...]:
    """Seconds of the same there, each at its rate."""
    return tuple(count / rate for count, rate in zip(operations(way), rates(), strict=True))


def beside() -> dict[str, str]:
    """What the text says of operations beside the products of v2, on the second paper's GPU."""
    spec, (matmul, exp, other) = gpu(PAPERS_GPU), operations("flash2")
    products, *rest = taken("flash2")
    return {"gpu": spec.name, "tensor": short(spec.tensor_flops_per_s, "FLOP/s"), "times": f"{dearer():.0f}",
            "plain": short(spec.fp32_flops_per_s, "FLOP/s"), "exp": short(rates()[1], "/s"),
            "other": short(rates()[2], "/s"), "operations": f"{100 * (exp + other) / matmul:.1f}\u00a0%",
            "share": percent(sum(rest) / products), "fewer": percent(1 - other / operations("flash1")[2])}


def desk(problem, tiling):
    """The story's desk, large enough for one block of either version."""
    return small_desk(problem, tiling, WAYS)
