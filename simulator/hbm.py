"""HBM, the cabinet: tensors and blocks that have names and shapes but yield no numbers."""

from numpy.lib.mixins import NDArrayOperatorsMixin

from .errors import ArithmeticOnHBM


class _InHBM(NDArrayOperatorsMixin):
    """What lies in HBM: it has a name and a shape, and refuses to be computed with."""

    def _refuse(self, *_, **__):
        raise ArithmeticOnHBM(tensor=str(self))

    __array__ = __array_ufunc__ = __array_function__ = _refuse
    __iter__ = __contains__ = __getitem__ = __setitem__ = __bool__ = __int__ = __index__ = __float__ = _refuse
    array = T = property(_refuse)                         # what a value on the desk has
    max = min = sum = mean = reshape = astype = _refuse
    _ledger = _elementwise = property(_refuse)            # what the words of the algorithms ask of a value


class Tensor(_InHBM):
    """A named matrix in HBM; its numbers are on the grid of its storage type."""

    def __init__(self, name, values, dtype):
        self.name = name
        self.shape = values.shape
        self.dtype = dtype
        self._values = values

    tensor = property(_InHBM._refuse)                     # a Block has one; a whole tensor cannot be loaded

    def __str__(self):
        return self.name

    def split(self, rows, columns=None):
        """Cut into blocks of `rows` × `columns` (whole rows if left out); moves nothing."""
        return Blocks(self, rows, columns)


class Blocks(_InHBM):
    """A tensor seen as a grid of blocks: `Q[i]` is a row block, `S[i, j]` a tile of one."""

    def __init__(self, tensor, rows, columns=None):
        height, width = tensor.shape
        self.tensor = tensor
        self.rows = min(rows, height)
        self.columns = min(columns or width, width)
        self.shape = (-(-height // self.rows), -(-width // self.columns))
        self._named = {}

    def __str__(self):
        return self.tensor.name

    def __len__(self):
        return self.shape[0]

    def __getitem__(self, index):
        block = self._named.get(index)
        if block is None:
            block = self._named[index] = self._block(index)
        return block

    def _block(self, index):
        height, width = self.tensor.shape
        if isinstance(index, tuple):
            i, j = index
            left, right = j * self.columns, min((j + 1) * self.columns, width)
            room = (self.rows, self.columns)
        else:
            i, left, right = index, 0, width
            room, index = (self.rows, width), (index,)
        top, bottom = i * self.rows, min((i + 1) * self.rows, height)
        if not (0 <= top < height and 0 <= left < width):
            raise IndexError(f"{self.tensor.name} has {self.shape} blocks, none at {index}")
        return Block(self.tensor, index, top, bottom, left, right, room)


class Block(_InHBM):
    """A rectangle of a tensor in HBM; only its valid rows and columns move."""

    __slots__ = ("tensor", "index", "where", "shape", "room", "bytes")

    def __init__(self, tensor, index, top, bottom, left, right, room):
        self.tensor, self.index, self.room = tensor, index, room
        self.where = slice(top, bottom), slice(left, right)
        self.shape = (bottom - top, right - left)
        self.bytes = self.shape[0] * self.shape[1] * tensor.dtype.bytes   # rows × columns × storage width

    def __str__(self):
        return f"{self.tensor.name}[{', '.join(map(str, self.index))}]"

    def __len__(self):
        return self.shape[0]
