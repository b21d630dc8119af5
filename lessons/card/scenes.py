"""The board's scene: a trail of the card, with every number written out and every step said in words."""

from lessons.card import asking
from lessons.card.trail import BLANK, Step, grows, trail
from lessons.card.written import figure, nine, percent, units
from lessons.text import Several
from simulator.online_softmax import NOTHING

PEOPLE = (2, 8)
RANGES = {"scores": (0, 20), "values": (0, 10)}
NEWCOMER = (5.0, 5.0)                                    # the score and value of a person who is added
TOPS = (1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80)


def card_scene(view, settings, opening, until=None) -> dict:
    """Return the scene of the card for some scores, values and a piece; `until` holds back what comes after a step."""
    scores, values, piece = settings.scores, settings.values, settings.piece
    steps = told(scores, values, piece, view.label)
    caption = view.label("card.caption", n=len(scores), piece=min(piece, len(scores)))
    return _frame(view, "card", scores, values, steps, caption) | {
        "piece": piece, "until": until, "start": settings.step, "next": NEWCOMER, "limits": PEOPLE,
        "opening": opening, "lines": _code(scores, values, piece),
        "end": _end(view, scores, values, piece),
    }


def mean_scene(view, settings) -> dict:
    """Return the scene of the warm-up: the same program with all scores equal, one value at a time."""
    scores, values = (0.0,) * len(settings.values), settings.values
    steps = told(scores, values, 1, view.label, plain=True)
    caption = view.label("card.caption_mean", n=len(scores))
    return _frame(view, "mean", scores, values, steps, caption) | {
        "plain": True, "piece": 1, "until": None, "start": 0, "end": None, "lines": []}


def pieces(settings) -> int:
    """Return how many pieces the people come in."""
    return len(trail(asking.ask(settings.scores, settings.values, settings.piece), settings.values)) - 1


def turning_point(settings) -> int:
    """Return the first step that brings a larger maximum to a card with somebody on it, the last step if none does."""
    steps = trail(asking.ask(settings.scores, settings.values, settings.piece), settings.values)
    return next((k for k in range(1, len(steps)) if grows(steps[k - 1], steps[k])), len(steps) - 1)


def _frame(view, kind, scores, values, steps, caption):
    return {
        "id": kind, "lang": view.lang, "present": view.present,
        "words": view.labels("stage") | view.labels("card.board"),
        "file": f"running-{kind}-n{len(scores)}", "caption": caption, "link": view.link,
        "workers": [{"title": view.label(f"card.title_{kind}"), "card_row": 0}],
        "scores": scores, "values": values, "ranges": RANGES, "steps": steps,
        "axis": {name: top(max(sum(step[f"in_{name}"]) for step in steps)) for name in "la"},
    }


def told(scores, values, piece, label, plain=False) -> list:
    """Return the steps of a run for the board: numbers to draw, the same numbers written, and words."""
    found = trail(asking.ask(scores, values, piece), values)
    return [_drawn(before, step, label, plain) for before, step in zip((BLANK, *found[:-1]), found, strict=True)]


def _drawn(before: Step, step: Step, label, plain) -> dict:
    seen = bool(step.in_l)
    grown = grows(before, step)
    return {
        "people": (step.people.start, step.people.stop), "m": step.m if seen else None, "grown": grown,
        "in_l": step.in_l, "in_a": step.in_a, "shares": step.shares if seen else (),
        "texts": {
            "m": figure(step.m), "l": figure(step.l), "a": figure(step.a),
            "rescale": figure(step.rescale) if before.in_l else "",
            "mean": figure(step.a / step.l) if seen else "",
            "shares": [percent(share) for share in step.shares] if seen else [],
        },
        "sums": sums(before, step) if seen else [],
        "words": (_said_plain if plain else _said)(before, step, grown, label),
    }


def sums(before: Step, step: Step) -> list:
    """Return what the worker reckoned, line by line of the program between S and m, each as a sum with its result."""
    m_old, m_new, c = figure(before.m), figure(step.m), figure(step.rescale)
    scores = ", ".join(map(figure, step.scores))
    weights = ", ".join(map(figure, step.weights))
    added = sum(step.in_a[len(before.in_a):])
    return [
        f"max({m_old}, {scores}) = {m_new}",
        f"exp({scores} − {m_new}) = {weights}" if len(step.scores) == 1 else f"exp(… − {m_new}) = {weights}",
        f"exp({m_old} − {m_new}) = {c}",
        f"{c} × {figure(before.l)} + {figure(sum(step.weights))} = {figure(step.l)}",
        f"{c} × {figure(before.a)} + {figure(added)} = {figure(step.a)}",
        m_new,
    ]


def _said(before, step, grown, label):
    if not step.in_l:
        return label("card.said.blank")
    facts = {"who": _who(step.people, label), "scores": Several(map(figure, step.scores)), "m": figure(step.m),
             "before": figure(before.m), "rescale": figure(step.rescale)}
    kind = "first" if before.m == NOTHING else "grown" if grown else "same"
    return label(f"card.said.{kind}", **facts)


def _said_plain(before, step, grown, label):
    if not step.in_l:
        return label("card.said.plain_blank")
    return label("card.said.plain", who=_who(step.people, label), a=figure(step.a), l=figure(step.l),
                 mean=figure(step.a / step.l))


def _who(people, label):
    if len(people) == 1:
        return label("card.person", person=people.start + 1)
    return label("card.persons", first=people.start + 1, last=people.stop)


def _code(scores, values, piece):
    """The program's lines from the new maximum to m, and the store: number and text, the trailing comment left out."""
    run = asking.ask(scores, values, piece)
    lines = trail(run, values)[1].lines
    store = next(event.line for event in run.events if event.op == "store")
    return [(k, _line(run, k)) for k in (*range(lines["S"] + 1, lines["m"] + 1), store)]


def _line(run, number):
    return run.program.lines[number - 1].split("  #")[0].strip()


def _end(view, scores, values, piece):
    """The last step: the one division, the direct answer, and how far they lie apart."""
    run = asking.ask(scores, values, piece)
    last, found, exact = trail(run, values)[-1], asking.result(run), asking.direct(run, scores, values)
    return {
        "sums": [""] * len(sums(BLANK, last)) + [f"{figure(last.a)} / {figure(last.l)} = {figure(found)}"],
        "words": view.label("card.said.done", a=figure(last.a), l=figure(last.l), answer=figure(found)),
        "rows": [(view.label("card.board.answer_pieces"), nine(found)),
                 (view.label("card.board.answer_direct"), nine(exact)),
                 (view.label("card.board.apart"),
                  view.label("card.ulp", units=units(asking.units_apart(found, exact))))],
    }


def top(number: float) -> float:
    """Return the end of an axis that holds a number."""
    return next((top for top in TOPS if top >= number), TOPS[-1])
