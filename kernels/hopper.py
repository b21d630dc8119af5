"""Operations of Gluon that Triton 3.6 and 3.9 call by different names."""

import triton.experimental.gluon.language as gl
from triton.experimental import gluon
from triton.experimental.gluon.language.nvidia.hopper import tma

try:
    aggregate, barrier = gluon.aggregate, gl.barrier
    tma_load, tma_store = tma.async_load, tma.async_store
except AttributeError:                                    # 3.6
    from triton.language.core import _aggregate as aggregate

    barrier = gl.thread_barrier
    tma_load, tma_store = tma.async_copy_global_to_shared, tma.async_copy_shared_to_global

__all__ = ["aggregate", "barrier", "tma_load", "tma_store"]
