"""The cabinet ruler: what of the desk stream L2 cannot serve, as bytes between L2 and DRAM.

Thread blocks take their places on the floor (SMs × blocks per SM) in the order of launch; all on the floor
march together, one step of their programs at a time, and whoever is done makes room for the next. Every step
passes through the L2 model of `shelf.py`. Assumed are this one pace and that neighbours stand on opposite
sides of the shelf; that K and V come from DRAM once per wave when they outgrow it is a result.
"""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count, islice

from . import accounting
from .cost import Traffic
from .errors import BadProblem, ShelfTooLarge, UnknownName
from .shelf import L2, sides
from .stream import launches

MOST_PER_SM = 32                        # thread blocks that an SM keeps at once, however small (CUDA C++ guide)
MOST_TOUCHES = 5 * 10**7                # tiles passed through the cache in one answer
SECONDS_PER_TOUCH = 1e-6


@dataclass(frozen=True)
class Crossing(Traffic):
    """Bytes between L2 and DRAM during a launch, and those still dirty in L2 at its end."""

    left_dirty: int = 0


@dataclass(frozen=True)
class Cabinet:
    """DRAM bytes read and written while the kernels run; `left_dirty` bytes are stored but still in L2."""

    read: int
    write: int
    left_dirty: int
    by_kernel: Mapping[str, Crossing]
    blocks_per_sm: int


def cabinet(algorithm, problem, tiling, spec, blocks_per_sm=None, order="launch", warm=False):
    """The Cabinet of `algorithm` on the GPU `spec`, over all heads and batches.

    `blocks_per_sm` follows from the room of a thread block when left out. `order` is a name of ORDERS.
    The shelf is empty when the first kernel starts; `warm` keeps it between kernels, else each starts
    with an empty one, as under a profiler. Raises BadProblem, ShelfTooLarge, UnknownName.
    """
    cost = accounting.cost(algorithm, problem, tiling)
    if order not in ORDERS:
        raise UnknownName(kind="order of launch", asked=order, possible=", ".join(ORDERS))
    per_sm = _per_sm(blocks_per_sm, cost.peak, spec)
    _refuse_too_large(touches(algorithm, problem, tiling, per_sm * spec.sms))
    heads, by_kernel, l2 = range(problem.batch * problem.heads), {}, L2(spec)
    for kernel, grid in launches(algorithm, problem, tiling):
        l2 = l2 if warm else L2(spec)
        read, write = l2.read, l2.write
        Floor(spec, per_sm, l2).run(ORDERS[order](grid, heads))
        by_kernel[kernel] = Crossing(l2.read - read, l2.write - write, l2.left_dirty)
    left = [crossing.left_dirty for crossing in by_kernel.values()]
    return Cabinet(sum(c.read for c in by_kernel.values()), sum(c.write for c in by_kernel.values()),
                   left[-1] if warm else sum(left), by_kernel, per_sm)


def blocks_per_sm(peak, spec):
    """How many thread blocks with this peak one SM of `spec` keeps at once, at least 1.

    Each also takes the shared memory that the system reserves per block: what an SM has more than
    one block may ask for.
    """
    reserved = spec.shared_per_sm_bytes - spec.shared_per_block_bytes
    return max(1, min(MOST_PER_SM, spec.shared_per_sm_bytes // (peak.shared_bytes + reserved),
                      spec.registers_per_sm_bytes // peak.registers_bytes))


def touches(algorithm, problem, tiling, places):
    """About how many tiles an answer passes through the cache, with `places` for thread blocks on the floor.

    Without a mask the thread blocks of a flash2 head march abreast, and a wave touches a tile once.
    """
    together = algorithm == "flash2" and problem.mask.hides_nothing
    moves = accounting.cost(algorithm, problem, tiling).tile_moves
    return moves // (min(places, -(-problem.n // tiling.br)) if together else 1)


# Orders of launch: how the heads' thread blocks follow one another.


def as_launched(grid, heads):
    """Row blocks fastest, then heads, then batches: Triton's program ids, first axis fastest."""
    for head in heads:
        yield from grid(head)


def heaviest_first(grid, heads):
    """As launched, but each head starts with the row blocks that visit the most tiles."""
    for head in heads:
        yield from sorted(grid(head), key=lambda block: -len(block.steps))


def heads_abreast(grid, heads):
    """Heads fastest: the first row block of every head, then the second of every head."""
    for abreast in zip(*map(grid, heads), strict=True):
        yield from abreast


ORDERS = {"launch": as_launched, "heaviest-first": heaviest_first, "heads-abreast": heads_abreast}


class Floor:
    """The SMs of a GPU: places for thread blocks, every other SM on the other side of the shelf."""

    def __init__(self, spec, per_sm, l2):
        self._sms, self._sides, self._l2 = spec.sms, sides(spec), l2
        self._free = deque(range(spec.sms * per_sm))
        self._marching = {}             # (walk, first step, floor step of arrival, side) -> thread blocks abreast
        self._leaving = {}              # floor step -> thread blocks that end with it

    def run(self, blocks):
        """Let every thread block walk its steps."""
        blocks = iter(blocks)
        for step in count():
            self._arrive(blocks, step)
            if not self._leaving:
                return
            self._march(step)
            self._leave(step)

    def _arrive(self, blocks, step):
        for block in islice(blocks, len(self._free)):
            place = self._free.popleft()
            side = place % self._sms % self._sides
            group = (block.walk, block.steps.start, step, side) if block.steps else None
            self._l2.touch(side, block.first)
            if group:
                self._marching[group] = self._marching.get(group, 0) + 1
            last_step = step + max(len(block.steps), 1) - 1
            self._leaving.setdefault(last_step, []).append((place, side, group, block.last))

    def _march(self, step):
        """Thread blocks abreast ask for the same tiles in the same step: once a side is enough."""
        for walk, first, arrival, side in self._marching:
            self._l2.touch(side, walk(first + step - arrival))

    def _leave(self, step):
        for place, side, group, last in self._leaving.pop(step, ()):
            self._l2.touch(side, last)
            self._free.append(place)
            if group:
                self._marching[group] -= 1
                if not self._marching[group]:
                    del self._marching[group]


def _per_sm(asked, peak, spec):
    if asked is None:
        return blocks_per_sm(peak, spec)
    if not isinstance(asked, int) or not 1 <= asked <= MOST_PER_SM:
        raise BadProblem(name="blocks-per-sm", asked=asked, possible=f"a whole number from 1 to {MOST_PER_SM}",
                         remedy="choose one in that range, or leave it out")
    return asked


def _refuse_too_large(tiles):
    if tiles > MOST_TOUCHES:
        raise ShelfTooLarge(tiles=tiles, seconds=tiles * SECONDS_PER_TOUCH, possible=MOST_TOUCHES)
