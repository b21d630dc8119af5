"""The running card (m, l, a): softmax-weighted sums from pieces, in any order.

m is the running maximum of the scores, l the sum of exp(score - m), a the sum of exp(score - m) · v.
Milakov and Gimelshein (2018) for m and l; the weighted sum a as in FlashAttention-2 (Dao 2023).
"""

from dataclasses import dataclass

import numpy as np

NOTHING = float(np.finfo(np.float32).min)
"""The maximum m of a row that has seen no key yet: no float32 score lies below it, and unlike -inf it
can be subtracted from itself. Shown as −∞."""


@dataclass(frozen=True)
class Card:
    """The running card of r rows: m, l of shape (r, 1) and a of shape (r, d); never changed in place."""

    m: np.ndarray
    l: np.ndarray
    a: np.ndarray

    @classmethod
    def blank(cls, rows, d, dtype=np.float64):
        """The card before the first score: m = NOTHING, l = 0, a = 0."""
        return cls(np.full((rows, 1), NOTHING, dtype), np.zeros((rows, 1), dtype), np.zeros((rows, d), dtype))

    def update(self, scores, values):
        """The card after a piece of scores (r, c) with values (c, d)."""
        m = np.maximum(self.m, scores.max(axis=1, keepdims=True))
        rescale = self.rescale(m)
        shares = np.exp(scores - m)
        return Card(m, rescale * self.l + shares.sum(axis=1, keepdims=True), rescale * self.a + shares @ values)

    def merge(self, other):
        """The card of both pieces together; associative and commutative up to rounding."""
        m = np.maximum(self.m, other.m)
        mine, theirs = self.rescale(m), other.rescale(m)
        return Card(m, mine * self.l + theirs * other.l, mine * self.a + theirs * other.a)

    def rescale(self, m):
        """The factor by which l and a shrink when the maximum becomes m: (r, 1)."""
        return np.exp(self.m - m)

    def finish(self):
        """The weighted mean a ÷ l: (r, d); 0 where nothing was seen (a seen row has l ≥ 1)."""
        return self.a / np.maximum(self.l, 1)

    def logsumexp(self):
        """log Σ exp(score) of each row: (r, 1)."""
        with np.errstate(divide="ignore"):
            return self.m + np.log(self.l)
