"""Values in the worker's hands, and the words the algorithms compute with; every operation is counted."""

import numpy as np

from .errors import WrongShape


def _operator(ufunc):
    """A binary operator on values: one elementwise step, counted once per number of the result."""

    def forward(self, other):
        if isinstance(other, Value):
            array = ufunc(self.array, other.array)
            room = self.room if self.room > other.room else other.room
        else:
            array, room = ufunc(self.array, other), self.room
        self._ledger.other += array.size
        return Value(array, room, self._ledger)

    def backward(self, other):
        array = ufunc(other, self.array)
        self._ledger.other += array.size
        return Value(array, self.room, self._ledger)

    return forward, backward


class Value:
    """Numbers in the worker's hands (float32); arithmetic on them is counted.

    `room` is the shape of the full block they belong to: a ragged edge moves fewer bytes but takes
    the same place, as on a GPU, where buffers have one size.
    """

    __slots__ = ("array", "room", "_ledger")
    __array_ufunc__ = None                                # NumPy's own functions would not be counted

    def __init__(self, array, room, ledger):
        self.array, self.room, self._ledger = array, room, ledger

    __add__, __radd__ = _operator(np.add)
    __sub__, __rsub__ = _operator(np.subtract)
    __mul__, __rmul__ = _operator(np.multiply)
    __truediv__, __rtruediv__ = _operator(np.divide)

    def __matmul__(self, other):
        """The product, counted as 2 operations per multiply-add."""
        other = self._value(other)
        left, right = self.array, other.array
        if left.shape[1] != right.shape[0]:
            raise WrongShape(block="the right side of the product", possible=(left.shape[1], right.shape[1]),
                             asked=right.shape)
        product = left @ right
        self._ledger.matmul += 2 * product.size * right.shape[0]
        return Value(product, (self.room[0], other.room[1]), self._ledger)

    def __rmatmul__(self, other):
        return self._value(other) @ self

    def _value(self, other):
        """A plain matrix as a value; HBM refuses to become one."""
        if isinstance(other, Value):
            return other
        array = np.asarray(other, np.float32)
        return Value(array, array.shape, self._ledger)

    def exp(self, out=None):
        """e to the power of each number, in place of `out` if given; counted as exponentials."""
        array = np.exp(self.array, out=None if out is None else out.array)
        self._ledger.exp += array.size
        return Value(array, self.room, self._ledger) if out is None else out

    def log(self):
        """The natural logarithm of each number."""
        return self._elementwise(np.log(self.array))

    def maximum(self, other):
        """The larger of each pair of numbers."""
        return self._elementwise(np.maximum(self.array, other.array if isinstance(other, Value) else other))

    def rowmax(self):
        """The largest number of each row, (r, c) -> (r, 1); counts the numbers it reads."""
        self._ledger.other += self.array.size
        return Value(np.maximum.reduce(self.array, axis=1, keepdims=True), (self.room[0], 1), self._ledger)

    def rowsum(self):
        """The sum of each row, (r, c) -> (r, 1); counts the numbers it reads."""
        self._ledger.other += self.array.size
        return Value(np.add.reduce(self.array, axis=1, keepdims=True), (self.room[0], 1), self._ledger)

    def _elementwise(self, array):
        self._ledger.other += array.size
        return Value(array, self.room, self._ledger)

    def where(self, visible):
        """These numbers where `visible`, -inf elsewhere: selection, not arithmetic."""
        if visible is True:
            return self
        return Value(np.where(visible, self.array, np.float32(-np.inf)), self.room, self._ledger)

    @property
    def shape(self):
        """Valid rows and columns."""
        return self.array.shape

    @property
    def T(self):
        """The transpose; costs nothing."""
        return Value(self.array.T, self.room[::-1], self._ledger)

    def __len__(self):
        return len(self.array)


exp = Value.exp
log = Value.log
maximum = Value.maximum
rowmax = Value.rowmax
rowsum = Value.rowsum
