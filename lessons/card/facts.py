"""The numbers that the page's words quote, each from an executed run or from the number formats themselves."""

from functools import cache

from lessons.card import asking, overflow
from lessons.card.trail import trail
from lessons.card.written import figure, nine, percent, units
from lessons.text import Several
from simulator import Problem, Tiling, accounting, simulate

CEILINGS = (f"{overflow.CEILING:.0f}", f"{overflow.CEILING_FP32:.0f}", f"{overflow.LARGEST:,.0f}")
ROWS, WIDTH, KEYS = 128, 128, 4096


def keeps(settings) -> dict:
    """The mean before and after the last person, with all scores equal."""
    values = settings.values
    steps = trail(asking.ask((0.0,) * len(values), values, 1), values)
    before, after = steps[-2], steps[-1]
    return {"seen": len(before.in_l), "before": figure(before.a / before.l), "next": figure(values[-1]),
            "mean": figure(after.a / after.l)}


def explodes() -> dict:
    """Where fp16 and fp32 end."""
    return {"largest": CEILINGS[-1], "ceiling": f"{overflow.CEILING:.2f}", "ceiling32": f"{overflow.CEILING_FP32:.2f}"}


def shrink(scores, values) -> dict:
    """What the last of some people does to the first one's share."""
    before, after = trail(asking.ask(scores, values, 1), values)[-2:]
    return {"scores": Several(map(figure, scores[:-1])), "last": figure(scores[-1]), "rescale": figure(after.rescale),
            "person": 1, "share_before": percent(before.shares[0]), "share_after": percent(after.shares[0])}


def same(settings) -> dict:
    """The card's answer, the direct one, and how far they lie apart."""
    run = asking.ask(settings.scores, settings.values, settings.piece)
    found, exact = asking.result(run), asking.direct(run, settings.scores, settings.values)
    return {"answer": nine(found), "direct": nine(exact), "units": units(asking.units_apart(found, exact)),
            "unit": figure(asking.unit(exact))}


@cache
def computer() -> dict:
    """The registers that one tile's card takes, and the bytes of scores that the standard way files for its rows."""
    tiling = Tiling(ROWS, 64)
    run = simulate(Problem(n=ROWS, d=WIDTH), tiling, execute=True)
    card = sum(event.bytes for event in run.events if event.op == "hold" and event.tensor in ("m", "l", "a"))
    table = accounting.cost("standard", Problem(n=ROWS, n_kv=KEYS, d=WIDTH), tiling).desk.by_tensor["S"].write
    return {"rows": ROWS, "d": WIDTH, "n": KEYS, "card": card, "table": table}
