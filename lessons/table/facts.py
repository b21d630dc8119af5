"""The sizes of the table, and what holds one: a desk, the shelf, the cabinet; every number from the simulator."""

from dataclasses import replace
from functools import lru_cache
from math import isqrt

from lessons.count.bills import desk_bytes
from simulator import Problem, Tiling, accounting, gpu
from simulator.tiling import largest_blocks

HEAD = 128                              # d of a usual head
SMALL, MORE = 8, 32                     # people of the first question
QUOTED = (2048, 4096, 16384, 131072)    # lengths whose tables are often quoted
HOLDERS = ("desk", "shelf", "cabinet")


@lru_cache(maxsize=4096)
def one_table(n: int, dtype: str) -> int:
    """Bytes of one table of one head: what the standard way files as S."""
    return accounting.cost("standard", Problem(n=n, d=HEAD, dtype=dtype), Tiling(64, 64)).desk.by_tensor["S"].write


def cell(dtype: str) -> int:
    """Bytes of one cell."""
    return one_table(1, dtype)


def all_tables(settings) -> int:
    """Bytes of S and P of every layer, head and text."""
    problem = Problem(n=settings.n, d=HEAD, dtype=settings.dtype, heads=settings.heads, batch=settings.batch)
    filed = accounting.cost("standard", problem, Tiling(64, 64)).desk.by_tensor
    return settings.layers * (filed["S"].write + filed["P"].write)


def capacities(spec) -> dict[str, int]:
    """Bytes that one worker's desk, the shelf and the cabinet hold."""
    return dict(zip(HOLDERS, (desk_bytes(spec), spec.l2_bytes, spec.memory_bytes), strict=True))


def most_people(capacity: int, dtype: str) -> int:
    """The largest N whose table fits a capacity in bytes."""
    return isqrt(capacity // cell(dtype))


def holder(n: int, dtype: str, spec) -> str | None:
    """The smallest of HOLDERS that takes one table whole, None where none does."""
    return next((name for name, size in capacities(spec).items() if one_table(n, dtype) <= size), None)


def whole_chip(spec):
    """The GPU as those imagine it who add up its SRAM: one SM with the desks of all."""
    return replace(spec, shared_per_block_bytes=spec.sms * spec.shared_per_sm_bytes,
                   registers_per_sm_bytes=spec.sms * spec.registers_per_sm_bytes)


@lru_cache(maxsize=64)
def largest_squares(key: str, dtype: str) -> tuple[int, int]:
    """The largest square block of tiled attention on one SM, and on all SMs if they were one."""
    spec = gpu(key)
    return tuple(largest_blocks("flash2", HEAD, dtype, one).square for one in (spec, whole_chip(spec)))
