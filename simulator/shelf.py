"""L2, the shelf in the hallway: what every SM's loads and stores pass through on the way to DRAM.

On A100, H100, H200 and B200 the shelf has two sides. "Each L2 partition caches data for memory accesses
from SMs in the GPCs directly connected to the partition" (NVIDIA, A100 Tensor Core GPU Architecture, 2020);
so what the SMs of both sides read lies there twice, and for data that all SMs share, such as K and V, the
shelf is half as large as its data sheet says. An H200's DRAM counters agree: 33.6 MB of K and V already
outgrow its 62.9 MB. They also show that no more than about 27 MB stay dirty: a stored tile, too, takes
room on both sides.
"""

from collections import OrderedDict

TWO_SIDED = ("8.0", "9.0", "10.0")      # compute capabilities; B200 by its two dies, not confirmed by counters


def sides(spec):
    """Number of partitions of the L2 of `spec`, each with its own half of the SMs."""
    return 2 if spec.compute_capability in TWO_SIDED else 1


def effective_bytes(spec):
    """The bytes of shared data that the L2 of `spec` holds: the size of one side."""
    return spec.l2_bytes // sides(spec)


class L2:
    """A write-back cache of whole tiles, one LRU list a side; counts the bytes that cross to and from DRAM."""

    def __init__(self, spec):
        self.read = 0                                     # bytes from DRAM
        self.write = 0                                    # bytes to DRAM: dirty tiles that had to leave
        self._sides = [OrderedDict() for _ in range(sides(spec))]         # tile -> (bytes, dirty), eldest first
        self._free = [effective_bytes(spec)] * sides(spec)

    @property
    def left_dirty(self):
        """Bytes that were stored and have not reached DRAM yet."""
        return sum(size for shelf in self._sides for size, dirty in shelf.values() if dirty)

    def tiles(self, side=0):
        """{tile: whether it is dirty} of a side, the next to leave first."""
        return {tile: dirty for tile, (_, dirty) in self._sides[side].items()}

    def touch(self, side, accesses):
        """An SM of `side` loads and stores tiles, in this order."""
        shelf = self._sides[side]
        for stores, tile, size in accesses:
            if stores:
                self._store(side, tile, size)
            elif tile in shelf:
                shelf.move_to_end(tile)
            else:
                self._fetch(side, tile, size)

    def _fetch(self, side, tile, size):
        """From the other side if the tile lies there, else from DRAM."""
        for shelf in self._sides:
            if tile in shelf:
                break
        else:
            self.read += size
        self._put(side, tile, size, dirty=False)

    def _store(self, side, tile, size):
        """The tile lies on every side, and leaves for DRAM from the writer's."""
        for other in range(len(self._sides)):
            self._put(other, tile, size, dirty=other == side)

    def _put(self, side, tile, size, dirty):
        shelf = self._sides[side]
        known = shelf.pop(tile, None)
        free = self._free[side] - size + (known[0] if known else 0)
        shelf[tile] = size, dirty
        while free < 0:
            _, (size, dirty) = shelf.popitem(last=False)
            free += size
            if dirty:
                self.write += size
        self._free[side] = free
