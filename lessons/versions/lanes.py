"""Four tiles in time on one SM: copies, products and softmax as lanes, one after another or overlapped.

A thread block of two groups of warps, each with row blocks of its own, goes through K/V blocks that both need.
Every unit serves one job at a time; a job starts when its own past and its unit allow.
"""

from dataclasses import dataclass
from functools import lru_cache

from simulator import Problem, Tiling, accounting, gpu
from simulator.ceilings import ceilings

LANES = ("copy", "product", "softmax")
MODES = ("serial", "copies", "all")     # nothing overlapped; copies run ahead; softmax of one group under products
GROUPS, TILES, BUFFERS = "AB", 4, 2
ROWS, KEYS = 64, 128                    # query rows of a group, keys of a block: the shapes of the third paper


@dataclass(frozen=True)
class Durations:
    """Seconds on one SM: a K/V block's copy, one of the two products of a group, its softmax."""

    copy: float
    product: float
    softmax: float


@dataclass(frozen=True)
class Job:
    """What a lane does for a group ("" for both) and a tile, from when to when."""

    lane: str
    group: str
    tile: int
    start: float
    stop: float


@lru_cache(maxsize=64)
def durations(d: int, key: str) -> Durations:
    """The counts of one tile over one SM's part of the GPU's ceilings: L2, matrix products, special functions."""
    top, sms = ceilings(gpu(key)), gpu(key).sms
    tile = accounting.cost("flash2", Problem(n=ROWS, n_kv=KEYS, d=d), Tiling(ROWS, KEYS))
    copied = sum(tile.desk.by_tensor[name].read for name in "KV")
    softmax = tile.flops.exp / top.exp.rate + tile.flops.other / top.other.rate
    return Durations(sms * copied / top.l2.rate, sms * tile.flops.matmul / 2 / top.tensor.rate, sms * softmax)


@lru_cache(maxsize=256)
def timeline(mode: str, d: int, key: str) -> tuple[Job, ...]:
    """All jobs of TILES tiles, in the order in which they start."""
    spent, chains = durations(d, key), [list(chain) for chain in CHAINS[mode]]
    done, free, past = [], dict.fromkeys(LANES, 0.0), [0.0] * len(chains)
    while any(chains):
        start, k = min((max(past[k], free[chain[0][0]], _allowed(chain[0], done)), k)
                       for k, chain in enumerate(chains) if chain)
        lane, group, tile = chains[k].pop(0)
        stop = start + getattr(spent, lane)
        done.append(Job(lane, group, tile, start, stop))
        free[lane], past[k] = stop, stop
    return tuple(done)


def _allowed(job, done):
    """When what a job needs is there: its tile's copy, or for a copy a buffer that nobody reads any more."""
    lane, _, tile = job
    if lane == "copy":
        readers = [one for one in done if one.lane != "copy" and one.tile == tile - BUFFERS]
        ready = tile < BUFFERS or len(readers) == 3 * len(GROUPS)
        return max((one.stop for one in readers), default=0.0) if ready else float("inf")
    return next((one.stop for one in done if (one.lane, one.tile) == ("copy", tile)), float("inf"))


def _tile(groups, tile):
    """Scores of every group, then shares, then weighted sums."""
    return [(lane, group, tile) for lane in ("product", "softmax", "product") for group in groups]


_COPIES = [("copy", "", tile) for tile in range(TILES)]
CHAINS = {
    "serial": [[job for tile in range(TILES) for job in (_COPIES[tile], *_tile(GROUPS, tile))]],
    "copies": [_COPIES, [job for tile in range(TILES) for job in _tile(GROUPS, tile)]],
    "all": [_COPIES, *([job for tile in range(TILES) for job in _tile(group, tile)] for group in GROUPS)],
}


def length(mode: str, d: int, key: str) -> float:
    """Seconds until the last job is done."""
    return max(job.stop for job in timeline(mode, d, key))


def busy(lane: str, mode: str, d: int, key: str) -> float:
    """The share of that time in which a lane works."""
    return sum(job.stop - job.start for job in timeline(mode, d, key) if job.lane == lane) / length(mode, d, key)
