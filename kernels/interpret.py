"""The kernels on a CPU: arrays for Triton's interpreter without PyTorch, and the bytes a kernel moves there.

Needs TRITON_INTERPRET=1 in the environment before Triton is imported. The count wraps the
interpreter's own load and store, which are private: requirements.txt pins Triton to a minor version.
"""

from contextlib import contextmanager

import numpy as np

from simulator.cost import Traffic
from simulator.problem import dtype

from .launch import StorageType


class Array:
    """A NumPy array that Triton's interpreter takes for a tensor; bf16 lies in memory as uint16."""

    def __init__(self, memory, name):
        self.memory, self.dtype = memory, StorageType(name)

    @classmethod
    def of(cls, values, name):
        """`values` rounded to the storage type `name`; strides are kept."""
        memory = np.empty_like(values, dtype(name).storage, subok=False)
        memory[...] = values
        return cls(memory.view(np.uint16) if name == "bf16" else memory, name)

    def numpy(self):
        """The numbers as float32."""
        return self.memory.view(dtype(self.dtype).storage).astype(np.float32)

    @property
    def shape(self):
        """Sizes of the axes."""
        return self.memory.shape

    def new_empty(self, shape, dtype=None, device=None):
        """An array no kernel has written yet (NaN, so that a hole would show)."""
        shape = shape if isinstance(shape, tuple) else (shape,)
        return Array.of(np.full(shape, np.nan, np.float32), dtype or self.dtype)

    def stride(self):
        """Strides in elements."""
        return tuple(step // self.memory.itemsize for step in self.memory.strides)

    def data_ptr(self):
        """Address of the first number."""
        return self.memory.ctypes.data

    # The interpreter copies tensors to the host and back by their storage; these already lie there.

    def untyped_storage(self):
        return self

    def cpu(self):
        return self

    def copy_(self, _):
        return self

    def storage_offset(self):
        return 0

    def size(self):
        return self.shape

    def set_(self, storage, *_):
        self.memory = storage.memory


@contextmanager
def interpreter(**tensors):
    """Run kernels inside: yields {tensor name: Traffic}, what they move, filled as they run.

    Raises KeyError for an address that lies in none of the named Arrays.
    """
    from triton.runtime.interpreter import InterpreterBuilder as builder

    spans, moved = _spans(tensors), {name: Traffic() for name in tensors}
    load, store = builder.create_masked_load, builder.create_masked_store

    def counted_load(self, ptrs, mask, *rest, **named):
        _add(moved, spans, ptrs, mask, reads=True)
        return load(self, ptrs, mask, *rest, **named)

    def counted_store(self, ptrs, value, mask, *rest, **named):
        _add(moved, spans, ptrs, mask, reads=False)
        return store(self, ptrs, value, mask, *rest, **named)

    with (_replaced(builder, create_masked_load=counted_load, create_masked_store=counted_store),
          _replaced(builder, **_bf16_as_numbers(builder))):
        yield moved


@contextmanager
def _replaced(owner, **functions):
    """Put functions in the place of others while open; raises AttributeError where there is none to replace."""
    kept = {name: getattr(owner, name) for name in functions}
    for name, function in functions.items():
        setattr(owner, name, function)
    try:
        yield
    finally:
        for name, function in kept.items():
            setattr(owner, name, function)


def _bf16_as_numbers(builder):
    """A product and a cast that treat bf16, which the interpreter holds as bits, as a GPU does: it would
    multiply the bits, and cut them off instead of rounding to nearest.
    """
    from triton.language import bfloat16, float32

    dot, cast = builder.create_dot, builder.cast_impl

    def create_dot(self, a, b, *rest, **named):
        a, b = (cast(self, x, float32) if x.dtype.scalar == bfloat16 else x for x in (a, b))
        return dot(self, a, b, *rest, **named)

    def cast_impl(self, tile, to):
        if (tile.dtype.scalar, to.scalar) == (float32, bfloat16):
            return type(tile)(tile.data.astype(dtype("bf16").storage).view(np.uint16), bfloat16)
        return cast(self, tile, to)

    return dict(create_dot=create_dot, cast_impl=cast_impl)


def _spans(tensors):
    """[(first address, one past the last, name)] of each tensor's memory."""
    bounds = {name: np.lib.array_utils.byte_bounds(x.memory) for name, x in tensors.items()}
    return [(low, high, name) for name, (low, high) in bounds.items()]


def _add(moved, spans, ptrs, mask, reads):
    addresses = ptrs.data[np.broadcast_to(mask.data, ptrs.data.shape)]
    if not addresses.size:
        return
    size = addresses.size * ptrs.get_element_ty().primitive_bitwidth // 8
    first, last = int(addresses.min()), int(addresses.max())
    name = next((name for low, high, name in spans if low <= first and last < high), None)
    if name is None:
        raise KeyError(f"a kernel touched addresses {first:#x} … {last:#x}, which lie in none of the named tensors")
    moved[name] += Traffic(size, 0) if reads else Traffic(0, size)
