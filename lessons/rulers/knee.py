"""How often the cabinet hands out K and V as one head's keys outgrow the shelf: the L2 model's answers, kept as data.

`knee.json` holds the bytes read; a test holds every one equal to the model. Written anew with
`python -m lessons.rulers.knee`.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from lessons import measured
from simulator import Problem, Tiling, gpu
from simulator.cache import cabinet
from simulator.shelf import effective_bytes

FILE = Path(__file__).with_suffix(".json")
GPU, BC = "h200", 128
LENGTHS = (8192, 12288, 16384, 24576, 32768, 49152, 65536, 98304, 131072, 196608, 262144)      # N
WIDTHS = (64, 128, 256)                 # d


@dataclass(frozen=True)
class Floor:
    """Which rows are on the floor at once: B_r rows a thread block, so many a SM; with or without a causal mask."""

    br: int
    per_sm: int
    causal: bool = False

    @property
    def rows(self) -> int:
        """Rows of Q on the whole floor: SMs × thread blocks × B_r."""
        return gpu(GPU).sms * self.per_sm * self.br


FLOORS = (Floor(64, 1), Floor(128, 1), Floor(64, 2), Floor(64, 4), Floor(128, 1, causal=True))


def bytes_read(d: int, floor: Floor, n: int) -> int:
    """Bytes that the model reads from DRAM for one head of v2; under a mask the heaviest row blocks start first."""
    problem = Problem(n=n, d=d, causal=floor.causal)
    order = "heaviest-first" if floor.causal else "launch"
    return cabinet("flash2", problem, Tiling(floor.br, BC), gpu(GPU), floor.per_sm, order).read


@cache
def recorded() -> dict:
    """{(d, Floor): bytes read at every length}, as kept in the file."""
    rows = json.loads(FILE.read_text(encoding="utf-8"))
    return {(row["d"], Floor(row["br"], row["per_sm"], row["causal"])): tuple(row["read"]) for row in rows}


def times_handed_out(d: int, floor: Floor) -> tuple[float, ...]:
    """How often all of K and V left the cabinet, at every length."""
    return tuple(handed_out(n, d, read) for n, read in zip(LENGTHS, recorded()[d, floor], strict=True))


def handed_out(n: int, d: int, read: int) -> float:
    """How often K and V of one fp16 head were read, if Q was read once and nothing else."""
    q = Problem(n=n, d=d).storage.bytes * n * d
    return (read - q) / (2 * q)


def times_seen(d: int) -> dict:
    """{Floor: {N: how often}} as measured on the GPU, one head at a time; the newest file wins."""
    seen = {}
    for one in sorted(measured.launches(), key=lambda one: one.record.date or ""):
        p = one.problem
        alone = one.record.gpu == GPU and one.algorithm == "flash2" and p.heads * p.batch == 1 and p.n == p.n_k
        if alone and p.d == d and p.storage.bytes == 2 and one.blocks_per_sm and p.n in LENGTHS:
            floor = Floor(one.tiling.br, one.blocks_per_sm, p.causal)
            seen.setdefault(floor, {})[p.n] = handed_out(p.n, d, one.cabinet.read)
    return seen


def overflow(d: int) -> float:
    """The N at which K and V of one head fill one side of the shelf."""
    return effective_bytes(gpu(GPU)) / (2 * d * Problem(n=1, d=d).storage.bytes)


def write() -> None:
    """Ask the model anew and keep its answers."""
    rows = [{"d": d, "br": floor.br, "per_sm": floor.per_sm, "causal": floor.causal,
             "read": [bytes_read(d, floor, n) for n in LENGTHS]} for d in WIDTHS for floor in FLOORS]
    FILE.write_text("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    write()
