"""The memory of a GPU: HBM that yields no numbers, and a desk where everything is computed.

    Tensor ── split ──▶ Block ── load ──▶ Tile ── arithmetic ──▶ Value ── store ──▶ Block
     HBM                 HBM              desk                  registers            HBM

Bytes move only in `SRAM.load`, `SRAM.stream` and `SRAM.store`, and all three end in `Ledger.record`:
the count is enforced, not promised.
"""

import sys
from contextlib import contextmanager
from itertools import chain

import numpy as np

from .errors import ArithmeticOnHBM, DoesNotFit, UsedAfterScope, WrongPlace, WrongShape
from .hbm import Tensor
from .ledger import Ledger, Log
from .values import Value

WHOLE = slice(None)
REGISTER_BYTES = 4                      # a register holds one float32, whatever the storage type
INSTRUCTION_BYTES = 2                   # of CPython's bytecode
LOOPS = ("i", "j")                      # the papers' names: over row blocks, over K/V blocks


class Tile(Value):
    """A value with a name and a place on the desk, until the scope that brought it in ends."""

    __slots__ = ("name", "index", "_scope", "_sram", "_area", "_charge")

    def __init__(self, name, index, array, room, sram, area, charge):
        self.name, self.index, self.array, self.room = name, index, array, room
        self._sram, self._ledger, self._area, self._charge = sram, sram.ledger, area, charge

    def __str__(self):
        return f"{self.name}[{', '.join(map(str, self.index))}]" if self.index else self.name

    def __setitem__(self, where, value):
        """Overwrite in place, `m_i[:] = m_new`: the new array takes the old one's place."""
        if where != WHOLE or value.shape != self.array.shape:
            raise WrongShape(block=str(self), possible=self.array.shape, asked=value.shape)
        self.array = value.array
        self._sram._happened("compute", self.name, (), 0, self.array)

    def _leave(self, scope):
        self._area.resident -= self._charge
        self._scope = scope
        del self.array

    def __getattr__(self, name):
        """Only reached for what is gone: the numbers of a tile that left the desk."""
        if name != "array":
            raise AttributeError(name)
        raise UsedAfterScope(tile=str(self), scope="{} {}".format(*self._scope))


class Area:
    """One of the desk's two areas, with its capacity, what it holds and the most it ever held."""

    __slots__ = ("name", "capacity", "resident", "peak")

    def __init__(self, name, capacity):
        self.name, self.capacity = name, capacity
        self.resident = self.peak = 0

    def take(self, tile, holding):
        """Charge a tile's bytes; raises DoesNotFit before anything changes."""
        resident = self.resident + tile._charge
        if resident > self.capacity:
            raise DoesNotFit(tile=str(tile), asked_bytes=tile._charge, area=self.name,
                             free_bytes=self.capacity - self.resident, capacity_bytes=self.capacity,
                             holding=holding(self) or "nothing")
        self.resident = resident
        if resident > self.peak:
            self.peak = resident


class Everything:
    """A collection that holds every name."""

    def __contains__(self, name):
        return True


class SRAM:
    """The desk of one thread block: shared memory (its top) and registers (the worker's hands)."""

    __slots__ = ("shared", "registers", "ledger", "log", "_recorded", "_kernel", "_program", "_lines",
                 "_scopes", "_at")

    def __init__(self, shared_bytes, registers_bytes, recorded=()):
        self.shared = Area("shared memory", shared_bytes)
        self.registers = Area("registers", registers_bytes)
        self.ledger = Ledger()
        self.log = Log()
        self._recorded = recorded                         # names whose numbers the log keeps
        self._kernel = None                               # name of the running launch
        self._program = None                              # its stack frame: which instruction is running
        self._lines = ()                                  # the source line of each instruction of the program
        self._scopes = []                                 # one list of tiles for each open scope
        self._at = [None, None]                           # indices of the loops i and j

    # Scopes: what an iteration brought in leaves when it ends.

    @contextmanager
    def _launched(self, kernel):
        self._kernel = kernel
        self._scopes.append([])
        try:
            with np.errstate(all="ignore"):               # inf and nan are results here, not accidents
                yield
        finally:
            self._close((kernel, "launch"))
            self._kernel = self._program = None

    def launch(self, kernel):
        """One kernel: a `with` block; everything on the desk is gone when it ends."""
        if self._kernel is not None:
            raise WrongPlace(asked=f"launch {kernel!r}", possible=f"{self._kernel!r} is still running",
                             remedy="end its with block first")
        self._program = sys._getframe(1)
        self._lines = _lines(self._program.f_code)
        return self._launched(kernel)

    def grid(self, name, over):
        """Independent thread blocks: like `loop`, but each must start with an empty desk."""
        held = self._holding(self.shared, self.registers)
        if held:
            raise WrongPlace(asked=f"grid {name!r}", remedy="load inside the grid, or use loop",
                             possible=f"thread blocks start with an empty desk, it holds {held}")
        return self.loop(name, over)

    def loop(self, name, over):
        """`range` (or any iterable of indices) whose iterations are scopes; also on break and exception."""
        if name not in LOOPS:
            raise WrongPlace(asked=f"loop {name!r}", possible="a loop is over row blocks, i, or K/V blocks, j",
                             remedy="name it i or j")
        place = LOOPS.index(name)
        for index in range(over) if isinstance(over, int) else over:
            self._at[place] = index
            self._scopes.append([])
            try:
                yield index
            finally:
                self._close((name, index))
                self._at[place] = None

    def _close(self, scope):
        for tile in reversed(self._scopes.pop()):
            tile._leave(scope)
            self._happened("free", tile.name, tile.index, tile._charge)

    # Traffic: the three ways across the line between desk and cabinet.

    def load(self, block, into=None, buffers=1):
        """Bring a block from HBM to the desk as a Tile (float32 values).

        It takes shared memory at its storage width, once per buffer of the software pipeline, or,
        `into=sram.registers`, four bytes a number.
        """
        return self._bring(block, into or self.shared, buffers)

    def stream(self, block):
        """Read a row block that passes over the desk row by row and never lies there whole."""
        return self._bring(block, self.registers, 0)

    def _bring(self, block, area, buffers):
        if self._kernel is None:
            self._outside("load", block)
        tensor = block.tensor
        width = tensor.dtype.bytes if area is self.shared else REGISTER_BYTES
        array = tensor._values[block.where].copy()
        charge = buffers * block.room[0] * block.room[1] * width
        tile = self._place(Tile(tensor.name, block.index, array, block.room, self, area, charge))
        moved = block.bytes
        self.ledger.record(self._kernel, tensor.name, moved, 0)
        self._happened("load", tensor.name, block.index, moved, array)
        return tile

    def store(self, block, value):
        """Write a value to a block in HBM, rounded to the tensor's storage type."""
        if self._kernel is None:
            self._outside("store", block)
        array = value.array if isinstance(value, Value) else value
        if array.shape != block.shape:
            raise WrongShape(block=str(block), possible=block.shape, asked=array.shape)
        tensor = block.tensor
        rounded = tensor.dtype.round(array)
        tensor._values[block.where] = rounded
        moved = block.bytes
        self.ledger.record(self._kernel, tensor.name, 0, moved)
        self._happened("store", tensor.name, block.index, moved, rounded)

    def add(self, block, value):
        """Add to a block in HBM that other thread blocks add to, too: atomically, one read and one write."""
        self.store(block, self.load(block, into=self.registers) + value)

    # What is made on the desk.

    def hold(self, name, value):
        """Give a tile-sized result a name and a home in registers; returns the Tile."""
        if self._kernel is None:
            self._outside("hold", name)
        charge = value.room[0] * value.room[1] * REGISTER_BYTES
        tile = self._place(Tile(name, (), value.array, value.room, self, self.registers, charge))
        self._happened("hold", name, (), charge, tile.array)
        return tile

    def full(self, name, like, columns, fill=0.0):
        """Hold a new array with the rows of `like` and `columns` columns, filled with one number."""
        array = np.full((like.shape[0], columns), fill, np.float32)
        return self.hold(name, Value(array, (like.room[0], columns), self.ledger))

    def compute(self, name, value):
        """Name a result that lives between two statements in registers; returns it unchanged."""
        self._happened("compute", name, (), 0, value.array)
        return value

    def _place(self, tile):
        tile._area.take(tile, self._holding)
        self._scopes[-1].append(tile)
        return tile

    def _holding(self, *areas):
        return ", ".join(str(t) for t in chain.from_iterable(self._scopes) if t._area in areas and t._charge)

    def _outside(self, what, of):
        raise WrongPlace(asked=f"{what} of {of}", possible="the desk exists only while a kernel runs",
                         remedy="open one with `with sram.launch(name):`")

    def _happened(self, op, tensor, block, size, array=None):
        values = array.copy() if tensor in self._recorded and array is not None else None
        i, j = self._at
        self.log.append((self._kernel, op, tensor, block, size, self.shared.resident, self.registers.resident,
                         i, j, self._lines[self._program.f_lasti // INSTRUCTION_BYTES], values))


def _lines(code):
    """The source line of every instruction, looked up once: a frame's own f_lineno walks it for every event."""
    return [line for start, end, line in code.co_lines() for _ in range(start, end, INSTRUCTION_BYTES)]


class GPU:
    """A desk and a cabinet: the machine on which the algorithms run."""

    def __init__(self, spec, recorded=()):
        self.spec = spec
        self.sram = SRAM(spec.shared_per_block_bytes, spec.registers_per_sm_bytes, recorded)

    def tensor(self, name, values, dtype):
        """Put a matrix into HBM, rounded to its storage type; the host does this, it is not counted."""
        return Tensor(name, dtype.round(values), dtype)

    def empty(self, name, shape, dtype):
        """Reserve a matrix in HBM that no kernel has written yet (NaN, so that a hole would show)."""
        return Tensor(name, np.full(shape, np.nan, np.float32), dtype)

    def read_back(self, tensor):
        """The numbers of a tensor, copied to the host after the kernels ended; not counted."""
        if self.sram._kernel is not None:
            raise ArithmeticOnHBM(tensor=str(tensor))
        return tensor._values.copy()
