"""Cards merged in any order: one card a person, two of them joined at a time, until one is left."""

from dataclasses import dataclass

import numpy as np

from simulator.online_softmax import Card


@dataclass(frozen=True)
class Pile:
    """The people whose cards became one, that card in float32, and how it was made: (1 + 3) + 2."""

    people: tuple[int, ...]
    card: Card
    made: str

    def join(self, other: "Pile") -> "Pile":
        """Return both piles as one, by merging their cards."""
        return Pile(self.people + other.people, self.card.merge(other.card), f"{_held(self)} + {_held(other)}")


def single(person: int, score: float, value: float) -> Pile:
    """Return the card of one person alone."""
    blank = Card.blank(1, 1, np.float32)
    return Pile((person,), blank.update(np.float32([[score]]), np.float32([[value]])), str(person))


def merged(scores: tuple, values: tuple, merges: tuple) -> tuple[Pile, ...]:
    """Return the piles after merges (a, b), in which the pile of person a takes in that of b, if it is another."""
    piles = [single(k + 1, score, value) for k, (score, value) in enumerate(zip(scores, values, strict=True))]
    for left, right in merges:
        mine, theirs = (next((p for p in piles if person in p.people), None) for person in (left, right))
        if mine and theirs and mine is not theirs:
            piles[piles.index(mine)] = mine.join(theirs)
            piles.remove(theirs)
    return tuple(piles)


def forward(first: int, last: int) -> tuple[tuple[int, int], ...]:
    """Return the merges that take in one after the other, from the first person to the last."""
    return tuple((first, person) for person in range(first + 1, last + 1))


def backward(first: int, last: int) -> tuple[tuple[int, int], ...]:
    """Return the merges that take in one after the other, from the last person to the first."""
    return tuple((last, person) for person in range(last - 1, first - 1, -1))


def pairs(people: int) -> tuple[tuple[int, int], ...]:
    """Return the merges of neighbours, then of neighbouring pairs, and so on."""
    found, width = [], 1
    while width < people:
        found += [(k, k + width) for k in range(1, people - width + 1, 2 * width)]
        width *= 2
    return tuple(found)


def cut(after: int, people: int) -> tuple[tuple[int, int], ...]:
    """Return the merges that leave two cards: everybody up to a person, and everybody behind."""
    return forward(1, after) + forward(after + 1, people)


def _held(pile):
    return pile.made if len(pile.people) == 1 else f"({pile.made})"
