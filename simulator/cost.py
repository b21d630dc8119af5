"""What a run costs: bytes by kernel and tensor, operations, moves, room on the desk.

The same dataclasses hold what an executed run counted and what a closed form computed, so the two
can be compared with `==`. Every field is an exact integer, or an array of them for a sweep.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Traffic:
    """Bytes read from and written to HBM."""

    read: int = 0
    write: int = 0

    def __add__(self, other):
        return Traffic(self.read + other.read, self.write + other.write)

    def __mul__(self, times):
        return Traffic(self.read * times, self.write * times)

    @property
    def total(self):
        """Bytes read plus bytes written."""
        return self.read + self.write


@dataclass(frozen=True)
class Desk:
    """The desk ruler: every byte that enters or leaves SRAM, by (kernel, tensor)."""

    moves: Mapping[tuple[str, str], Traffic]

    @cached_property
    def by_kernel(self):
        """{kernel: Traffic}, in the order of launch."""
        return self._sum(0)

    @cached_property
    def by_tensor(self):
        """{tensor: Traffic}, in the order of first use."""
        return self._sum(1)

    @property
    def read(self):
        """Bytes that entered SRAM."""
        return sum(t.read for t in self.moves.values())

    @property
    def write(self):
        """Bytes that left SRAM."""
        return sum(t.write for t in self.moves.values())

    @property
    def total(self):
        """Bytes that crossed, both ways."""
        return self.read + self.write

    def _sum(self, part):
        sums = {}
        for key, traffic in self.moves.items():
            sums[key[part]] = sums.get(key[part], Traffic()) + traffic
        return sums


@dataclass(frozen=True)
class Flops:
    """Operations of the tiles as executed, and the papers' convention.

    matmul: 2 per multiply-add. exp: one per exponential. other: one per element of every other
    arithmetic step (a reduction counts the elements it reads). paper: 4 N_q N_k d a head, halved
    when causal.
    """

    matmul: int
    exp: int
    other: int
    paper: int


@dataclass(frozen=True)
class Peak:
    """The most bytes held at once on the two areas of the desk."""

    shared_bytes: int
    registers_bytes: int


@dataclass(frozen=True)
class Cost:
    """All that one run of an algorithm costs, over all heads and batches (peak: of one thread block)."""

    desk: Desk
    paper: Traffic
    flops: Flops
    tile_moves: int
    peak: Peak
