"""The running card m, l, a by hand: a mean with two numbers, why a third, the card itself, and cards that merge."""

import json

import streamlit as st

from lessons import address
from lessons.card import facts, panels, scenes
from lessons.predict import predict
from lessons.settings import Flag, Links, Numbers, Whole
from lessons.views.bars import bars

SCORES, VALUES = (7.0, 4.0, 3.0, 9.0), (2.0, 6.0, 4.0, 8.0)
OPENING = {"scores": SCORES, "values": VALUES, "piece": 1}
MOST_ORDERS = 6                         # finished orders of merging that are kept on the page

FIELDS = {
    "scores": Numbers(SCORES, *scenes.RANGES["scores"], *scenes.PEOPLE),
    "values": Numbers(VALUES, *scenes.RANGES["values"], *scenes.PEOPLE),
    "piece": Whole(1, 1, scenes.PEOPLE[1]),
    "push": Whole(8, *panels.PUSHED),
    "subtract": Flag(),
    "merges": Links(scenes.PEOPLE[1]),
    "step": Whole(0, 0, 10**7),
}


def page(view):
    """Draw the page: each picture behind its question; presenter mode shows one picture, large."""
    if view.present:
        name = st.segmented_control(view.label("card.picture"), PICTURES, default="card", required=True,
                                    label_visibility="collapsed", key="card:picture",
                                    format_func=lambda one: view.label(f"card.pictures.{one}"))
        PICTURES[name](view)
        return
    view.section("lead", n=len(view.settings.scores))
    view.section("mean")
    if predict(view, "keeps", ("all", "mean", "two"), "two", **facts.keeps(view.settings)):
        mean(view)
    view.section("maximum")
    ends = facts.explodes()
    if predict(view, "explodes", facts.CEILINGS, facts.CEILINGS[0], **ends):
        ceiling(view)
    view.section("card")
    card(view, _known(view))
    view.section("merge")
    if predict(view, "order", ("left", "largest", "any"), "any"):
        deck(view)
    _computer(view)


def scene(view) -> str:
    """The JSON text of the card by hand, every step of it."""
    return json.dumps(scenes.card_scene(view, view.settings, OPENING), ensure_ascii=False, allow_nan=False)


def mean(view):
    """Draw the warm-up: sum and count."""
    bars(scenes.mean_scene(view, view.settings), key="card:mean", moved=moved)


def ceiling(view):
    """Draw the sums that explode in fp16."""
    bars(panels.ceiling_scene(view, view.settings), key="card:ceiling", moved=moved)


def card(view, until=None):
    """Draw the people and the card, up to a step."""
    bars(scenes.card_scene(view, view.settings, OPENING, until), key="card:card", moved=moved)


def deck(view):
    """Draw the cards to be merged, with the orders that have been tried on these people."""
    bars(panels.deck_scene(view, view.settings, _tried(view.settings)), key="card:deck", moved=moved)


PICTURES = {"card": card, "mean": mean, "ceiling": ceiling, "deck": deck}


def moved(what: dict) -> None:
    """Take over what the reader set in a picture; each field's kind lets in only what is possible."""
    for name, value in what.items():
        written = ",".join(map(str, value)) if isinstance(value, list) else str(value)
        if name in FIELDS:
            address.change(name, FIELDS[name].read(written)[0], FIELDS)


def _known(view):
    """Ask the two questions of the card; return the last step that may be seen, None for all of them."""
    settings = view.settings
    first, last = scenes.turning_point(settings), scenes.pieces(settings)
    until = first - 1
    if predict(view, "shrink", ("stay", "shrink", "again"), "shrink", **facts.shrink(SCORES, VALUES)):
        until = last
        if predict(view, "same", ("same", "near", "lucky"), "same", **facts.same(settings)):
            until = None
    return None if until is None or settings.step > until else max(until, 1)


def _tried(settings):
    """The finished orders for these scores and values, the present one among them if it is finished."""
    people, state = (settings.scores, settings.values), st.session_state
    kept = state.get("card:orders", {}).get(people, [])
    if len(panels.merging.merged(*people, settings.merges)) == 1 and settings.merges not in kept:
        kept = [*kept, settings.merges][-MOST_ORDERS:]
    state["card:orders"] = {people: kept}
    return kept


def _computer(view):
    found = facts.computer()
    view.section("computer", rows=found["rows"], d=found["d"], n=view.number(found["n"]),
                 card=view.bytes(found["card"]), table=view.bytes(found["table"]))
    view.figures(("card.rows_card", view.bytes(found["card"]), "", "counted"),
                 ("card.rows_table", view.bytes(found["table"]), "desk", "computed"))
