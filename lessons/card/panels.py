"""The scenes of the ceiling and of the deck: sums in float16, and cards merged in the order of the reader's choice."""

from math import isfinite, isinf

from lessons.card import asking, merging, overflow, scenes
from lessons.card.trail import trail
from lessons.card.written import figure, nine, units
from lessons.text import Several

PUSHED = (0, 90)


def ceiling_scene(view, settings) -> dict:
    """Return the scene of the fp16 experiment, the last score pushed to `settings.push`."""
    scores, values = (*settings.scores[:-1], float(settings.push)), settings.values
    rows = (overflow.with_maximum if settings.subtract else overflow.without_maximum)(scores, values)
    mean, exact = overflow.mean(rows[-1]), asking.direct(asking.ask(scores, values, 1), scores, values)
    marks = {"fp16": overflow.CEILING, "fp32": overflow.CEILING_FP32, "floor": overflow.FLOOR}
    return _frame(view, "ceiling") | {
        "push": settings.push, "limits": PUSHED, "subtract": settings.subtract,
        "marks": {name: {"at": at, "text": view.label(f"card.ceiling.{name}", at=_two(at))}
                  for name, at in marks.items()},
        "dots": [{"person": k + 1, "exponent": row.exponent, "alarm": isinf(row.weight)} for k, row in enumerate(rows)],
        "head": [view.label(f"card.ceiling.{name}") for name in ("who", "exponent_short", "weight", "l", "a")],
        "rows": [
            *([view.label("card.person", person=k + 1), figure(row.exponent),
               *map(_alarming, (row.weight, row.l, row.a))] for k, row in enumerate(rows)),
            [view.label("card.ceiling.mean"), "", "", "", _alarming(mean)],
            [view.label("card.ceiling.exact"), "", "", "", figure(exact)]],
        "summary": view.label("card.ceiling.summary", score=settings.push, l=figure(rows[-1].l), mean=figure(mean)),
    }


def deck_scene(view, settings, finished) -> dict:
    """Return the scene of the deck after `settings.merges`; `finished` lists whole orders the reader has tried."""
    scores, values, people = settings.scores, settings.values, len(settings.scores)
    piles, singles = merging.merged(scores, values, settings.merges), merging.merged(scores, values, ())
    wide = scenes.top(max(float(pile.card.l[0, 0]) for pile in piles))
    hint = {1: "one", 2: "two"}.get(len(piles), "many")
    return _frame(view, "deck") | {
        "people": people, "merges": settings.merges, "cuts": [merging.cut(k, people) for k in range(1, people)],
        "orders": {"forward": merging.forward(1, people), "backward": merging.backward(1, people),
                   "pairs": merging.pairs(people)},
        "piles": [_drawn(view, pile, singles, wide) for pile in piles],
        "hint": view.label(f"card.deck.hint_{hint}"),
        "news": view.label("card.deck.news", cards=len(piles), made=max(piles, key=lambda pile: len(pile.people)).made),
        "head": [view.label(f"card.deck.{name}") for name in ("order", "m", "l", "a", "mean", "off")],
        "rows": _results(view, settings, finished),
    }


def _results(view, settings, finished):
    """The program's card and that of every finished order, each a ÷ l against the direct answer."""
    scores, values = settings.scores, settings.values
    run = asking.ask(scores, values, settings.piece)
    last, exact = trail(run, values)[-1], asking.direct(run, scores, values)
    piles = [merging.merged(scores, values, order)[0] for order in finished]
    rows = [(view.label("card.deck.by_piece"), last.m, last.l, last.a, asking.result(run)),
            *((pile.made, *_numbers(pile.card)) for pile in piles)]
    return [[name, figure(m), nine(l), nine(a), nine(mean), units(asking.units_apart(mean, exact))]
            for name, m, l, a, mean in rows]


def _frame(view, kind):
    return {"id": kind, "lang": view.lang, "present": view.present,
            "words": view.labels(f"card.{kind}"), "caption": view.label(f"card.{kind}.caption")}


def _drawn(view, pile, singles, wide):
    """A pile as a card: its numbers, and each person's part of its l on a scale that all cards share."""
    m, l, a, _ = _numbers(pile.card)
    parts = [float((singles[k - 1].card.rescale(pile.card.m) * singles[k - 1].card.l)[0, 0]) for k in pile.people]
    return {"people": pile.people, "title": " + ".join(map(str, pile.people)), "m": figure(m), "l": figure(l),
            "a": figure(a), "parts": [part / wide for part in parts],
            "names": view.label("card.deck.pile", people=Several(pile.people), m=figure(m), l=figure(l), a=figure(a))}


def _numbers(card):
    """m, l, a and a ÷ l of a card of one row and one dimension."""
    return tuple(float(array[0, 0]) for array in (card.m, card.l, card.a, card.finish()))


def _alarming(number):
    return {"text": figure(number), "alarm": not isfinite(number)}


def _two(number):
    return f"{number:.2f}".replace("-", "−")
