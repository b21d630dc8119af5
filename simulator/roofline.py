"""Seconds of every kernel: its counts over the ceilings of a GPU, with all of them overlapped and with none.

The lower bound is the slowest resource alone, as if everything else happened meanwhile; the upper one is the sum, as
if nothing did. A real kernel lies between them, or above where it has instructions that no algorithm counts;
`designs.py` says where.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil

from . import accounting
from .cache import blocks_per_sm
from .ceilings import RESOURCES, Ceilings, ceilings
from .cost import Traffic

# What part of an algorithm's matrix products, exponentials and other arithmetic each of its kernels does;
# a kernel that is not named here only moves bytes.
DOES = {
    "standard": {"scores": (1 / 2, 0, 1 / 5), "softmax": (0, 1, 4 / 5), "pv": (1 / 2, 0, 0)},
    "flash1": {"flash_attention_1": (1, 1, 1)},
    "flash2": {"flash_attention_2": (1, 1, 1)},
    "decode": {"decode": (1, 1, 1)},
    "split_kv": {"split_kv": (1, 1, 1)},
    "standard_backward": {"dv": (1 / 4, 0, 0), "dp": (1 / 4, 0, 0), "ds": (0, 0, 1), "dq": (1 / 4, 0, 0),
                          "dk": (1 / 4, 0, 0)},
    "flash1_backward": {"flash_attention_1_backward": (1, 1, 1)},
    "flash2_backward": {"flash_attention_2_backward": (1, 1, 1)},
}
# Thread blocks of a head: (row blocks, K/V blocks, splits) -> how many; row blocks where nothing is said.
GRIDS = {
    "scores": lambda t_r, t_c, splits: t_r * t_c, "dp": lambda t_r, t_c, splits: t_r * t_c,
    "dv": lambda t_r, t_c, splits: t_c, "dk": lambda t_r, t_c, splits: t_c,
    "flash_attention_1": lambda t_r, t_c, splits: 1, "flash_attention_1_backward": lambda t_r, t_c, splits: 1,
    "flash_attention_2_backward": lambda t_r, t_c, splits: t_c,
    "decode": lambda t_r, t_c, splits: 1, "split_kv": lambda t_r, t_c, splits: splits,
    "combine": lambda t_r, t_c, splits: 1,
}


@dataclass(frozen=True)
class KernelTime:
    """One launch: seconds each resource is busy, and the bounds that follow; matrix products as executed."""

    kernel: str
    seconds: Mapping[str, float]        # by resource of RESOURCES; idle SMs of the last wave are in them
    flops: float
    l2_bytes: int
    dram_bytes: int
    blocks: int                         # thread blocks
    slots: int                          # places for them on all SMs at once
    launch_s: float

    @property
    def waves(self):
        """How many times the places fill, the last time perhaps in part."""
        return ceil(self.blocks / self.slots)

    @property
    def binds(self):
        """The resource that is busy longest."""
        return max(self.seconds, key=self.seconds.get)

    @property
    def lower_s(self):
        """With everything overlapped: launch and the slowest resource."""
        return self.launch_s + self.seconds[self.binds]

    @property
    def upper_s(self):
        """With nothing overlapped: launch and all resources one after another."""
        return self.launch_s + sum(self.seconds.values())

    @property
    def intensity(self):
        """FLOP of matrix products for each byte at the cabinet; 0 for a launch that multiplies nothing."""
        return self.flops / self.dram_bytes if self.flops else 0.0


@dataclass(frozen=True)
class Time:
    """All launches of one run, one after another."""

    kernels: tuple[KernelTime, ...]
    ceilings: Ceilings
    paper_flops: int

    @property
    def lower_s(self):
        """Sum of the kernels' lower bounds."""
        return sum(one.lower_s for one in self.kernels)

    @property
    def upper_s(self):
        """Sum of the kernels' upper bounds."""
        return sum(one.upper_s for one in self.kernels)


def time(algorithm, problem, tiling, spec, cabinet=None):
    """The Time of `algorithm` on the GPU `spec`, over all heads and batches.

    At the cabinet every tensor of a launch crosses once, unless `cabinet`, a Cabinet of the same configuration, says
    what the L2 model found. Raises UnknownName.
    """
    cost, top = accounting.cost(algorithm, problem, tiling), ceilings(spec)
    slots = spec.sms * blocks_per_sm(cost.peak, spec)
    once = compulsory(algorithm, problem, cost)
    kernels = []
    for name, desk in cost.desk.by_kernel.items():
        blocks = thread_blocks(name, problem, tiling)
        dram = once[name].total if cabinet is None else cabinet.by_kernel[name].total
        work = _work(cost.flops, DOES[algorithm].get(name, (0, 0, 0))) | {"l2": desk.total}
        idle = ceil(blocks / spec.sms) * spec.sms / blocks                # the SM with the most to do decides
        seconds = {what: idle * work[what] / getattr(top, what).rate for what in RESOURCES[:-1]}
        kernels.append(KernelTime(name, seconds | {"dram": dram / top.dram.rate}, work["tensor"], desk.total, dram,
                                  blocks, slots, top.launch.rate))
    return Time(tuple(kernels), top, cost.flops.paper)


def compulsory(algorithm, problem, cost):
    """{kernel: Traffic} when every tensor that a launch touches crosses once, read or written."""
    sizes, found = _sizes(problem), {}
    for (kernel, tensor), moved in cost.desk.moves.items():
        size = sizes.get(tensor, moved.total)
        crossing = Traffic(min(moved.read, size), min(moved.write, size))
        found[kernel] = found.get(kernel, Traffic()) + crossing
    return found


def thread_blocks(kernel, problem, tiling):
    """How many thread blocks a launch has, over all heads and batches."""
    t_r, t_c = -(-problem.n // tiling.br), -(-problem.n_k // tiling.bc)
    heads = problem.groups if tiling.pack_gqa else problem.heads
    return problem.batch * heads * GRIDS.get(kernel, lambda t_r, t_c, splits: t_r)(t_r, t_c, tiling.splits)


def _work(flops, parts):
    return dict(zip(("tensor", "exp", "other"),
                    (part * total for part, total in zip(parts, (flops.matmul, flops.exp, flops.other), strict=True)),
                    strict=True))


def _sizes(p):
    """Bytes of every tensor over all batches, K and V once for a group of query heads."""
    queries, keys = p.batch * p.heads * p.n, p.batch * p.groups * p.n_k
    e, t, table = p.storage.bytes, p.storage.table.bytes, p.batch * p.heads * p.n * p.n_k
    sizes = dict.fromkeys(("O", "dO"), t * p.d * queries) | dict.fromkeys(("K", "V"), e * p.d * keys)
    sizes |= dict.fromkeys(("S", "P", "dS", "dP"), t * table) | dict.fromkeys("lmLD", 4 * queries)
    return sizes | {"Q": e * p.d * queries, "Z": table}
