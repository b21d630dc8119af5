"""The running card in float32, its pieces in different orders: how far apart the results lie, and from float64."""

from dataclasses import dataclass
from functools import lru_cache, reduce

import numpy as np

from . import reference
from .masks import Mask
from .online_softmax import Card

ROWS, KEYS, WIDTH, PIECE = 64, 4096, 64, 64


@dataclass(frozen=True)
class Outcome:
    """One order: its largest error against float64, and which share of its numbers is not bit for bit the first's."""

    error: float
    moved: float


@lru_cache(maxsize=64)
def outcomes(seed: int) -> dict[str, Outcome]:
    """{order: Outcome} of O (ROWS, WIDTH) over KEYS normal keys in pieces of PIECE; the first is first to last."""
    rng = np.random.default_rng((seed, 2))
    q, k, v = (rng.standard_normal((rows, WIDTH), np.float32) for rows in (ROWS, KEYS, KEYS))
    exact, scores = reference.attention(q, k, v, Mask(ROWS, KEYS)), q @ k.T / np.float32(np.sqrt(WIDTH))
    shuffled = rng.permutation(KEYS // PIECE)
    found = {name: walk(scores, v, shuffled).finish() for name, walk in WALKS.items()}
    first = found["forward"]
    return {name: Outcome(float(np.abs(O - exact).max()), float(np.mean(first != O))) for name, O in found.items()}


def _walk(scores, v, order):
    """The card after the pieces in this order."""
    card = Card.blank(len(scores), v.shape[1], np.float32)
    for piece in order:
        keys = slice(piece * PIECE, (piece + 1) * PIECE)
        card = card.update(scores[:, keys], v[keys])
    return card


def _parts(scores, v, count):
    """The cards of `count` workers who shared the row, merged: as decoding does that splits a row."""
    shares = np.array_split(np.arange(KEYS // PIECE), count)
    return reduce(Card.merge, (_walk(scores, v, share) for share in shares))


WALKS = {"forward": lambda scores, v, _: _walk(scores, v, range(KEYS // PIECE)),
         "backward": lambda scores, v, _: _walk(scores, v, range(KEYS // PIECE)[::-1]),
         "shuffled": _walk,
         "merged": lambda scores, v, _: _parts(scores, v, 8)}
