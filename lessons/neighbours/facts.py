"""Four neighbours, each with its own count, on the same requests drawn from a seed."""

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from simulator import Problem, Tiling, accounting
from simulator.batching import Request, Timeline, continuous, drawn, static
from simulator.kv_cache import projected
from simulator.paging import Memory, contiguous, paged

SOLVES = ("kv_cache", "paged", "batching", "flash")      # the names; each problem is called by what solves it
PROBLEMS = ("paged", "flash", "kv_cache", "batching")    # in the order in which they are asked
PAGES = (1, 2, 4, 8, 16)
SLOTS = tuple(range(1, 9))
N, HEAD, TILE = 4096, 128, 128          # of the table that one head need not carry


@dataclass(frozen=True)
class Asked:
    """What the scene's numbers depend on."""

    requests: int
    slots: int
    longest: int
    page: int
    seed: int

    @property
    def room(self):
        """Token slots of the memory: as many whole reservations as there are slots."""
        return self.slots * self.longest

    def drawn(self) -> tuple[Request, ...]:
        """The requests."""
        return drawn(self.requests, self.longest, self.seed)


def asked(settings) -> Asked:
    """What the settings ask."""
    return Asked(settings.requests, settings.slots, settings.longest, settings.page, settings.seed)


@dataclass(frozen=True)
class Kept:
    """The memory after every step, by one way of keeping the cache."""

    steps: tuple[Memory, ...]

    def at(self, step: int) -> Memory:
        """The memory after so many steps; empty once all are done."""
        return self.steps[step - 1] if step <= len(self.steps) else Memory(self.steps[0].room, ())

    @cached_property
    def used_share(self) -> float:
        """Of all slots that were held in all steps, the share that held a token."""
        used, reserved = (sum(getattr(one, name) for one in self.steps) for name in ("used", "reserved"))
        return used / (used + reserved)

    @cached_property
    def unused(self) -> float:
        """Slots kept for a request and empty, in the mean of all steps."""
        return sum(one.reserved for one in self.steps) / len(self.steps)

    @property
    def preempted(self) -> int:
        """How often a request had to give way."""
        return self.steps[-1].preempted


@lru_cache(maxsize=256)
def memories(ask: Asked) -> dict[str, Kept]:
    """{way: Kept} of the requests: by one reservation each, and by pages, in the same room."""
    requests = ask.drawn()
    return {"contiguous": Kept(tuple(contiguous(requests, ask.slots, ask.longest))),
            "paged": Kept(tuple(paged(requests, ask.room, ask.page)))}


@lru_cache(maxsize=256)
def timelines(ask: Asked) -> dict[str, Timeline]:
    """{way: Timeline} of the requests: in whole batches, and as soon as a slot is free."""
    return {"static": static(ask.drawn(), ask.slots), "continuous": continuous(ask.drawn(), ask.slots)}


def worked_out(ask: Asked) -> tuple[int, int]:
    """Tokens whose K and V one layer works out for all requests, without a cache and with one."""
    return tuple(sum(projected(one.prompt, one.output, cached) for one in ask.drawn()) for cached in (False, True))


def tables() -> tuple[int, int]:
    """Bytes of S and P that one head carries over N tokens, the standard way and tiled, by the desk ruler."""
    moved = (accounting.cost(name, Problem(n=N, d=HEAD), Tiling(TILE, TILE)).desk.by_tensor
             for name in ("standard", "flash2"))
    return tuple(sum(one[name].total for name in "SP" if name in one) for one in moved)


def cells(timeline: Timeline, steps: int) -> list[list[int | None]]:
    """For each slot and step the request that is written there, None where the slot is idle."""
    lanes = [[None] * steps for _ in range(timeline.slots)]
    for turn in timeline.turns:
        lanes[turn.slot][turn.start:turn.stop] = [turn.request] * (turn.stop - turn.start)
    return lanes


def unused_by_page(ask: Asked) -> tuple[float, ...]:
    """Slots kept and empty in the mean of all steps, for every size of page."""
    return tuple(memories(replace(ask, page=page))["paged"].unused for page in PAGES)
