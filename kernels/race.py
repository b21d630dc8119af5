"""Kernels timed against each other: long rounds in turn, forth and back, so that all meet the same card.

A GPU that is hot or at its power limit lowers its clock, and a kernel that keeps the tensor cores busy heats it more
than one that waits for memory. In short rounds a kernel runs on the coolness that a slower neighbour left behind.
"""

from dataclasses import dataclass, field
from functools import partial
from time import monotonic

WARM_MS = 40                            # of each round, before its clock is looked at


@dataclass(frozen=True, eq=False)
class Contestant:
    """Something to time: what it is called, a function that launches it, and what its row says besides."""

    kernel: str
    launch: object
    shape: dict


@dataclass(frozen=True)
class Rounds:
    """How often each contestant has its turn, for how long, and against whom: "all" of a cell, or the "pair"."""

    among: str
    turns: int
    ms: float


@dataclass(frozen=True)
class Times:
    """Milliseconds of single launches in all turns, and (start, end) of every turn by time.monotonic."""

    rounds: Rounds
    ms: list = field(default_factory=list)
    spans: list = field(default_factory=list)


def ready(torch, contestants, expected):
    """{contestant: (replay, error)} of those that fit and compile; the error is that of O against `expected`."""
    return {c: found for c in contestants if (found := captured(torch, c.launch, expected))}


def race(torch, running, rounds):
    """{contestant: Times}: all of `running` in turn, forth and back."""
    times = {c: Times(rounds) for c in running}
    for turn in range(rounds.turns):
        for c in list(running)[:: (1, -1)[turn % 2]]:
            ms = timed(torch, running[c][0], rounds.ms)
            end = monotonic()
            times[c].ms.extend(ms)
            times[c].spans.append((end - sum(ms) / 1e3, end))
    return times


def captured(torch, launch, expected):
    """(replay, error): the launch in a CUDA graph, and how far its O is off; None where it does not fit or compile."""
    from triton import CompilationError, OutOfResources

    try:
        error = (launch()[0, 0].double() - expected).norm() / expected.norm()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            launch()
    except (RuntimeError, CompilationError, OutOfResources):
        return None
    return graph.replay, error.item()


def timed(torch, replay, lasting):
    """Milliseconds of single launches over about `lasting` ms, after WARM_MS of the same."""
    event = partial(torch.cuda.Event, enable_timing=True)
    once = between(torch, replay, event(), event())
    for _ in range(int(WARM_MS / once)):
        replay()
    marks = [(event(), event()) for _ in range(max(1, int(lasting / once)))]
    for start, end in marks:
        start.record()
        replay()
        end.record()
    torch.cuda.synchronize()
    return [start.elapsed_time(end) for start, end in marks]


def between(torch, replay, start, end):
    """Milliseconds of one launch from an idle device."""
    start.record()
    replay()
    end.record()
    torch.cuda.synchronize()
    return start.elapsed_time(end)
