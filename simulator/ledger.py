"""The ledger counts every crossing; the log remembers every event in the order it happened."""

from typing import NamedTuple

import numpy as np

from .cost import Desk, Traffic


class Event(NamedTuple):
    """One thing that happened on the desk."""

    kernel: str
    op: str                             # load, store, hold, free or compute
    tensor: str                         # name of the tensor, tile or register value
    block: tuple[int, ...]              # (row block, column block) in HBM, () for what lives on chip only
    bytes: int                          # moved, for load and store; room taken or given back, for hold and free
    shared_resident: int                # bytes on the desk top after the event
    registers_resident: int             # bytes in registers after the event
    i: int | None                       # loop indices, None outside the loop of that name
    j: int | None
    line: int                           # line of the algorithm's source file that did it
    values: np.ndarray | None           # the numbers, when the run records them


class Log:
    """The events of a run, as a sequence of Event."""

    def __init__(self):
        self._rows = []
        self.append = self._rows.append                   # bound once: it is called for every event

    def __len__(self):
        return len(self._rows)

    def __iter__(self):
        return map(Event._make, self._rows)

    def __getitem__(self, index):
        return Event._make(self._rows[index])


class Ledger:
    """Bytes by (kernel, tensor), tile moves, and the operations done on the desk."""

    def __init__(self):
        self._moves = {}
        self.tile_moves = 0
        self.matmul = 0
        self.exp = 0
        self.other = 0

    def record(self, kernel, tensor, read, write):
        """Count one crossing of one tile: every byte of every run passes through here."""
        entry = self._moves.get((kernel, tensor))
        if entry is None:
            entry = self._moves[kernel, tensor] = [0, 0]
        entry[0] += read
        entry[1] += write
        self.tile_moves += 1

    @property
    def desk(self):
        """The desk ruler so far."""
        return Desk({key: Traffic(*entry) for key, entry in self._moves.items()})
