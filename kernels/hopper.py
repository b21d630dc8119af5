"""What a Hopper GPU has for tiles on the way: operations of Gluon that Triton 3.6 and 3.9 call by different names, and
the ring of buffers with its barriers.
"""

import triton.experimental.gluon.language as gl
from triton.experimental import gluon
from triton.experimental.gluon.language.nvidia.hopper import mbarrier, tma

try:
    aggregate, barrier = gluon.aggregate, gl.barrier
    tma_load, tma_store = tma.async_load, tma.async_store
except AttributeError:                                    # 3.6
    from triton.language.core import _aggregate as aggregate

    barrier = gl.thread_barrier
    tma_load, tma_store = tma.async_copy_global_to_shared, tma.async_copy_shared_to_global


@aggregate
class Ring:
    """Buffers through which tiles pass, in as many lanes as have streams of their own.

    The n-th tile of a lane lies in stage n % STAGES; a barrier says that it has landed ("full"), another that
    its readers are done with it ("empty").
    """

    tiles: gl.shared_memory_descriptor
    full: gl.shared_memory_descriptor
    empty: gl.shared_memory_descriptor
    STAGES: gl.constexpr

    @gluon.constexpr_function
    def __init__(self, tiles, full, empty, STAGES):
        self.tiles, self.full, self.empty, self.STAGES = tiles, full, empty, gl.constexpr(STAGES)

    @gluon.jit
    def fetch(self, source, b, h, row, n, lane, there=True):
        """Start to copy a tile from HBM, once its buffer is empty; one that is not there is full at once."""
        at = lane * self.STAGES + n % self.STAGES
        mbarrier.wait(self.empty.index(at), n // self.STAGES & 1 ^ 1)
        if there:
            mbarrier.expect(self.full.index(at), source.block_type.nbytes)
            tma_load(source, [b, h, row, 0], self.full.index(at), self.tiles.index(at))
        else:
            mbarrier.arrive(self.full.index(at), count=1)

    @gluon.jit
    def await_tile(self, n, lane, pred=True):
        """Wait until the n-th tile has landed."""
        mbarrier.wait(self.full.index(lane * self.STAGES + n % self.STAGES), n // self.STAGES & 1, pred=pred)

    @gluon.jit
    def done(self, n, lane):
        """One reader is done with the n-th tile."""
        mbarrier.arrive(self.empty.index(lane * self.STAGES + n % self.STAGES), count=1)

    @gluon.jit
    def tile(self, n, lane):
        """The n-th tile as a matrix."""
        rows: gl.constexpr = self.tiles.shape[3]
        columns: gl.constexpr = self.tiles.shape[4]
        return self.tiles.index(lane * self.STAGES + n % self.STAGES).reshape([rows, columns])


@gluon.jit
def ring(source, TILE_ROWS: gl.constexpr, D: gl.constexpr, STAGES: gl.constexpr, LANES: gl.constexpr,
         READERS: gl.constexpr):
    """An empty Ring for tiles (TILE_ROWS, D) of a source, each of which READERS readers use."""
    tiles = gl.allocate_shared_memory(source.dtype, [LANES * STAGES, 1, 1, TILE_ROWS, D], source.layout)
    return Ring(tiles, barriers(LANES * STAGES, 1), barriers(LANES * STAGES, READERS), STAGES)


@gluon.jit
def barriers(NUMBER: gl.constexpr, COUNT: gl.constexpr):
    """So many barriers, each complete when COUNT have arrived at it."""
    made = gl.allocate_shared_memory(gl.int64, [NUMBER, 1], mbarrier.MBarrierLayout())
    for at in gl.static_range(NUMBER):
        mbarrier.init(made.index(at), count=COUNT)
    return made
