"""Batching of requests: slots that write one token a step, filled in whole batches or as soon as one is free."""

from dataclasses import dataclass
from functools import cached_property
from heapq import heapreplace

import numpy as np


@dataclass(frozen=True)
class Request:
    """One text to be continued: tokens that are there, and tokens that will be written, one a step."""

    prompt: int
    output: int

    @property
    def tokens(self):
        """Its length when it is done."""
        return self.prompt + self.output


def drawn(count, longest, seed):
    """Requests from a seed: prompts up to half of the longest text allowed, outputs up to a quarter."""
    rng = np.random.default_rng(seed)
    prompts, outputs = (rng.integers(1, longest // share, count, endpoint=True).tolist() for share in (2, 4))
    return tuple(map(Request, prompts, outputs))


@dataclass(frozen=True)
class Turn:
    """A request's stay in a slot: steps from `start` until before `stop`."""

    request: int
    slot: int
    start: int
    stop: int


@dataclass(frozen=True)
class Timeline:
    """Who held which slot when: slots × steps cells, each busy with one token of a request or idle."""

    slots: int
    turns: tuple[Turn, ...]

    @cached_property
    def steps(self):
        """Steps until all requests are done."""
        return max((turn.stop for turn in self.turns), default=0)

    @property
    def busy(self):
        """Cells in which a token is written."""
        return sum(turn.stop - turn.start for turn in self.turns)

    @property
    def idle(self):
        """Cells in which a slot waits."""
        return self.slots * self.steps - self.busy

    def finished(self, step):
        """Requests that are done after so many steps."""
        return sum(turn.stop <= step for turn in self.turns)

    def busy_by(self, step):
        """Busy cells of the first steps."""
        return sum(max(0, min(turn.stop, step) - turn.start) for turn in self.turns)


def static(requests, slots):
    """Static batching: the next batch starts when the longest output of the one before is written."""
    turns, start = [], 0
    for first in range(0, len(requests), slots):
        batch = requests[first:first + slots]
        turns += [Turn(first + slot, slot, start, start + one.output) for slot, one in enumerate(batch)]
        start += max(one.output for one in batch)
    return Timeline(slots, tuple(turns))


def continuous(requests, slots):
    """Continuous batching (Orca, Yu et al. 2022): a slot takes the next request in the step after its last."""
    turns, free = [], [(0, slot) for slot in range(slots)]               # (free from step, slot), earliest first
    for number, one in enumerate(requests):
        start, slot = free[0]
        turns.append(Turn(number, slot, start, start + one.output))
        heapreplace(free, (start + one.output, slot))
    return Timeline(slots, tuple(turns))
