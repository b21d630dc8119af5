"""What a mask and shared K/V heads save, on the desk and in the cabinet; every number from the simulator."""

from dataclasses import dataclass, replace
from functools import lru_cache

from simulator import Problem, Tiling, accounting, gpu
from simulator.cache import cabinet

GPU, ROWS = "h200", 128                 # where desk and cabinet are compared, in square tiles
NEAR = Problem(n=4096, d=128, heads=16)                  # K and V of a head fit the shelf
FAR = Problem(n=65536, d=128)                            # they do not
GROUPS = 4                              # K/V heads of the grouped queries


@dataclass(frozen=True)
class Bill:
    """Bytes that one way of asking reads: into the desks, and from the cabinet."""

    desk: int
    cabinet: int


@lru_cache(maxsize=16)
def bill(problem: Problem) -> Bill:
    """The reads of v2 on GPU in tiles of ROWS, one thread block an SM, the longest row blocks first."""
    tiling = Tiling(ROWS, ROWS)
    desk = accounting.cost("flash2", problem, tiling).desk.read
    return Bill(desk, cabinet("flash2", problem, tiling, gpu(GPU), blocks_per_sm=1, order="heaviest-first").read)


def causal(problem: Problem) -> Problem:
    """The same problem under a causal mask."""
    return replace(problem, causal=True)


def grouped(problem: Problem) -> Problem:
    """The same problem with GROUPS heads of K and V for all its query heads."""
    return replace(problem, kv_heads=GROUPS)


def kv_bytes(problem: Problem) -> int:
    """Bytes of K and V of one head."""
    return 2 * problem.n * problem.d * problem.storage.bytes


@dataclass(frozen=True)
class Seen:
    """How much of the table a mask leaves: cells and tiles, and what v2 fetches of K and V."""

    cells: int
    tiles: int
    fetched: int


@lru_cache(maxsize=256)
def seen(problem: Problem, tiling: Tiling) -> Seen:
    """What the mask of a problem of one head leaves."""
    mask, tiles = problem.mask, problem.mask.tiles(tiling.br, tiling.bc)
    cells = sum(len(mask.keys_of_rows(row, row)) for row in range(problem.n))
    visited = sum(len(tiles.seen_by(i)) for i in range(-(-problem.n // tiling.br)))
    moved = accounting.cost("flash2", problem, tiling).desk.by_tensor
    return Seen(cells, visited, sum(moved[name].read for name in "KV" if name in moved))
