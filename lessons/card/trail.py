"""The card's trail: what each piece did to m, l and a, read from the event log of an executed run."""

from dataclasses import dataclass

from simulator.online_softmax import NOTHING
from simulator.run import Run

SHOWN = {("hold", "S"), *(("compute", name) for name in ("P", "rescale", "l", "a", "m"))}


@dataclass(frozen=True)
class Step:
    """The card after one piece; every number is the program's, in float32.

    `in_l` and `in_a` are the parts of l and a that each person seen so far holds: their weight (times their
    value), shrunk by every rescale factor since. `lines` gives the program's line of each number.
    """

    people: range
    scores: tuple
    weights: tuple
    rescale: float
    m: float
    l: float
    a: float
    in_l: tuple
    in_a: tuple
    lines: dict

    @property
    def shares(self) -> tuple:
        """Which part of l each person seen so far holds."""
        return tuple(part / self.l for part in self.in_l)


BLANK = Step(range(0), (), (), 1.0, NOTHING, 0.0, 0.0, (), (), {})


def trail(run: Run, values: tuple) -> tuple[Step, ...]:
    """Return the card before the first piece and after each piece of a run with one query and d = 1."""
    steps = [BLANK]
    for events in _pieces(run):
        steps.append(_step(steps[-1], events, values))
    return tuple(steps)


def grows(before: Step, step: Step) -> bool:
    """Whether a piece brought a maximum above that of a card that had already seen someone."""
    return bool(before.in_l) and step.m > before.m


def _pieces(run):
    """The events of each pass of the inner loop that name a number, by name."""
    pieces = {}
    for event in run.events:
        if event.j is not None and (event.op, event.tensor) in SHOWN:
            pieces.setdefault(event.j, {})[event.tensor] = event
    return pieces.values()


def _step(before, events, values):
    numbers = {name: tuple(event.values.ravel().tolist()) for name, event in events.items()}
    (rescale,), (m,), (l,), (a,) = (numbers[name] for name in ("rescale", "m", "l", "a"))
    people = range(len(before.in_l), len(before.in_l) + len(numbers["P"]))
    weights = numbers["P"]
    return Step(
        people, numbers["S"], weights, rescale, m, l, a,
        in_l=(*(part * rescale for part in before.in_l), *weights),
        in_a=(*(part * rescale for part in before.in_a),
              *(w * values[k] for w, k in zip(weights, people, strict=True))),
        lines={name: event.line for name, event in events.items()})
