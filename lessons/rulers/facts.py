"""The numbers that the page's questions and texts quote: each from the simulator, or from a file of measurements."""

from functools import cache

from lessons.rulers import hallway, knee
from lessons.rulers.crossings import times
from lessons.views.numbers import exact, short
from lessons.views.numbers import times as ratio
from simulator import Problem, accounting, gpu
from simulator.problem import Tiling
from simulator.shelf import effective_bytes, sides

PLACES, FEW = 12, 2                     # the shelf and the workers of the question beside the stage
LONG, WIDTH = 131_072, 128              # the text of the second question
FLOOR, CAUSAL = knee.Floor(128, 1), knee.Floor(128, 1, causal=True)


def modelled(ways: dict) -> bool:
    """Tell whether the cabinet's bytes are known; a table of too many tiles is not followed on a page."""
    return all(one.cabinet for one in ways.values())


def ratios(ways: dict, settings) -> dict:
    """How many times as much the standard way moves, by ruler, and how often a tiled kernel asks for K and V."""
    found = times(*ways.values())
    names = ("paper", "desk", "reads", "during", "whole")
    return {name: ratio(found[name]) for name in names} | {
        "rows": exact(-(-settings.n // settings.br))}


def saves_most(ways: dict) -> str:
    """The ruler on which the tiled way saves most."""
    found = times(*ways.values())
    lines = {"paper": found["paper"], "desk": found["desk"], "cabinet": found["during"]}
    return max(lines, key=lines.get)


@cache
def shelved() -> dict:
    """The question beside the stage: a shelf too small for K and V, two workers at once."""
    return {"places": exact(PLACES), "few": exact(FEW), "tiles": exact(2 * hallway.ROW_BLOCKS),
            "blocks": exact(hallway.ROW_BLOCKS), "answer": exact(hallway.handed_out(FEW, PLACES)),
            "alone": exact(hallway.handed_out(1, PLACES)), "four": exact(hallway.handed_out(4, PLACES)),
            "many": exact(4), "enough": exact(smallest_shelf(FEW)), "below": exact(smallest_shelf(FEW) - 1)}


@cache
def shelved_options() -> tuple[tuple[str, ...], str]:
    """Once, once a wave, once a row block; and which is right."""
    right = hallway.handed_out(FEW, PLACES)
    return tuple(ratio(n) for n in (1, right, hallway.ROW_BLOCKS)), ratio(right)


def smallest_shelf(workers: int) -> int:
    """The fewest places with which K and V leave the cabinet only once."""
    return next(places for places in range(4, 64) if hallway.handed_out(workers, places) == 1)


@cache
def long() -> dict:
    """The question of the knee: a text whose K and V outgrow the real shelf."""
    problem, spec = Problem(n=LONG, d=WIDTH), gpu(knee.GPU)
    blocks = -(-LONG // FLOOR.br)
    waves = -(-blocks // (spec.sms * FLOOR.per_sm))
    kv = 2 * LONG * WIDTH * problem.storage.bytes
    desk = accounting.cost("flash2", problem, Tiling(FLOOR.br, knee.BC)).desk
    return {"n": exact(LONG), "rows": exact(FLOOR.br), "blocks": exact(blocks), "waves": exact(waves),
            "sms": exact(spec.sms), "floor": exact(FLOOR.rows), "gpu": spec.name, "kv": short(kv, "B"),
            "shelf": short(spec.l2_bytes, "B"), "side": short(effective_bytes(spec), "B"),
            "modelled": f"{_modelled(FLOOR):.2f}", "measured": _measured(FLOOR, LONG),
            "desk": short(desk.read, "B"), "cabinet": short(knee.recorded()[WIDTH, FLOOR][_at(LONG)], "B")}


def long_options() -> tuple[tuple[str, ...], str]:
    """Once, once a wave, once a row block; and which is right."""
    right = _modelled(FLOOR)
    return tuple(ratio(n) if n < 1000 else f"×{n:,}" for n in (1, round(right), LONG // FLOOR.br)), ratio(round(right))


@cache
def masked() -> dict:
    """What a causal mask saves at the cabinet: nothing while K and V fit, about half beyond."""
    short_n, n = 4096, 65_536
    return {"short": exact(short_n), "n": exact(n), "long": exact(LONG),
            "plain": f"{_modelled(FLOOR, n):.2f}", "causal": f"{_modelled(CAUSAL, n):.2f}",
            "plain_measured": _measured(FLOOR, n), "causal_measured": _measured(CAUSAL, n),
            "plain_long": f"{_modelled(FLOOR):.2f}", "causal_long": f"{_modelled(CAUSAL):.2f}"}


@cache
def shelf() -> dict:
    """The real shelf's size and sides, and the scene's."""
    spec = gpu(knee.GPU)
    return {"gpu": spec.name, "shelf": short(spec.l2_bytes, "B"), "sides": exact(sides(spec)),
            "side": short(effective_bytes(spec), "B"),
            "people": exact(hallway.PEOPLE), "block": exact(hallway.BLOCK), "blocks": exact(hallway.ROW_BLOCKS),
            "tiles": exact(2 * hallway.ROW_BLOCKS)}


def _at(n):
    return knee.LENGTHS.index(n)


def _modelled(floor, n=LONG):
    return knee.times_handed_out(WIDTH, floor)[_at(n)]


def _measured(floor, n):
    seen = knee.times_seen(WIDTH).get(floor, {}).get(n)
    return "…" if seen is None else f"{seen:.2f}"
