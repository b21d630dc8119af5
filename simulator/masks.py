"""Which keys a query sees, and so which tiles of the table are visited at all.

Key j is seen by query i when  i + N_k - N_q - left ≤ j ≤ i + N_k - N_q + right:  the band hangs
on the bottom-right corner. A side of -1 is unlimited; causal is right = 0.
"""

from dataclasses import dataclass

import numpy as np

UNLIMITED = -1


@dataclass(frozen=True)
class Mask:
    """A band of visible cells in an (n_q, n_k) table."""

    n_q: int
    n_k: int
    left: int = UNLIMITED
    right: int = UNLIMITED

    @property
    def shift(self):
        """How far the diagonal lies to the right of the top-left corner."""
        return self.n_k - self.n_q

    def keys_of_rows(self, first, last):
        """The half-open range of keys that some query of first … last (inclusive) sees."""
        low = 0 if self.left == UNLIMITED else max(0, first + self.shift - self.left)
        high = self.n_k - 1 if self.right == UNLIMITED else min(self.n_k - 1, last + self.shift + self.right)
        return range(low, max(low, high + 1))

    def rows_of_keys(self, first, last):
        """The half-open range of queries that see some key of first … last (inclusive)."""
        low = 0 if self.right == UNLIMITED else max(0, first - self.shift - self.right)
        high = self.n_q - 1 if self.left == UNLIMITED else min(self.n_q - 1, last - self.shift + self.left)
        return range(low, max(low, high + 1))

    @property
    def hides_nothing(self):
        """Whether every query sees every key by construction."""
        return self.left == self.right == UNLIMITED

    def cells(self, rows, keys):
        """A boolean (len(rows), len(keys)) array of visible cells, or True where all are visible."""
        low, high = rows.start + self.shift, rows.stop - 1 + self.shift     # the diagonal's keys, first and last row
        if ((self.left == UNLIMITED or keys.start >= high - self.left)
                and (self.right == UNLIMITED or keys.stop - 1 <= low + self.right)):
            return True
        distance = np.arange(keys.start, keys.stop) - np.arange(low, high + 1)[:, None]
        visible = np.ones(distance.shape, bool)
        if self.left != UNLIMITED:
            visible &= distance >= -self.left
        if self.right != UNLIMITED:
            visible &= distance <= self.right
        return visible

    def tiles(self, B_r, B_c):
        """This mask over a table cut into B_r × B_c tiles."""
        return TileMask(self, B_r, B_c)


@dataclass(frozen=True)
class TileMask:
    """Which tiles hold at least one visible cell; the others are skipped and move nothing."""

    mask: Mask
    B_r: int
    B_c: int

    def rows(self, i):
        """The query rows of row block i."""
        return range(i * self.B_r, min((i + 1) * self.B_r, self.mask.n_q))

    def keys(self, j):
        """The keys of K/V block j."""
        return range(j * self.B_c, min((j + 1) * self.B_c, self.mask.n_k))

    def seen_by(self, i):
        """The K/V blocks that row block i visits."""
        rows = self.rows(i)
        return _blocks(self.mask.keys_of_rows(rows.start, rows.stop - 1), self.B_c)

    def that_see(self, j):
        """The row blocks that visit K/V block j."""
        keys = self.keys(j)
        return _blocks(self.mask.rows_of_keys(keys.start, keys.stop - 1), self.B_r)

    def cells(self, i, j):
        """The visible cells of tile (i, j): a boolean array, or True where all are visible."""
        return self.mask.hides_nothing or self.mask.cells(self.rows(i), self.keys(j))


@dataclass(frozen=True)
class PackedMask:
    """The mask of `heads` query heads that lie below each other in one row block and share K and V."""

    mask: Mask
    heads: int

    @property
    def n_q(self):
        """Rows of all the heads together."""
        return self.heads * self.mask.n_q

    @property
    def n_k(self):
        """Keys, the same for every head."""
        return self.mask.n_k

    @property
    def hides_nothing(self):
        """Whether every query sees every key by construction."""
        return self.mask.hides_nothing

    def keys_of_rows(self, first, last):
        """The half-open range of keys that some row of the only row block sees."""
        return self.mask.keys_of_rows(0, self.mask.n_q - 1)

    def cells(self, rows, keys):
        """The visible cells of one head, repeated for every head, or True where all are visible."""
        of_one = self.mask.cells(range(self.mask.n_q), keys)
        return of_one if of_one is True else np.tile(of_one, (self.heads, 1))[rows.start:rows.stop]

    def tiles(self, B_r, B_c):
        """This mask over a table cut into tiles B_c wide."""
        return TileMask(self, B_r, B_c)


def _blocks(span, size):
    return range(span.start // size, -(-span.stop // size)) if span else range(0)
