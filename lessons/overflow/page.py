"""Numbers that explode: where e^score leaves a format, what subtracting the maximum saves, and why order matters."""

from dataclasses import replace
from math import exp

import streamlit as st

from lessons import address
from lessons.card import overflow
from lessons.card.written import figure
from lessons.overflow import pictures, sums
from lessons.predict import predict
from lessons.settings import Choice, Flag, Powers, Whole
from lessons.text import Several
from lessons.views.table import table
from lessons.views.yardstick import yardstick
from simulator.problem import dtype

FIRST, ASKED, MANY = 8, 40, 4096        # the opening score, the score asked about, people of the last question

FIELDS = {
    "push": Whole(FIRST, pictures.SCORES[0], pictures.SCORES[-1]),
    "subtract": Flag(),
    "n": Powers(MANY, pictures.MANY[0], pictures.MANY[-1]),
    "dtype": Choice("fp16", ("fp16", "bf16", "fp8")),
}


def page(view):
    """Draw the page: one exponential, three slips added up, one sum in four orders."""
    if view.present:
        draw_ranges(view, view.settings)
        return
    view.section("lead")
    place = st.container()
    known = _holds(view)
    settings = _pushed(view.settings) if known else view.settings
    with place:
        draw_ranges(view, settings, None if known or settings.push > FIRST else FIRST)
    if known:
        _ratio(view, settings)
    view.section("order")
    _order(view)
    view.section("computer", link=f"card?lang={view.lang}&push={ASKED}")


def draw_ranges(view, settings, until=None):
    """Draw the formats' ranges; turning the knob changes the score."""
    yardstick(pictures.ranges(view, settings, until), key="overflow:ranges",
              moved=view.turns("push", pictures.SCORES))


def _holds(view):
    """Ask which two-byte format holds a large exponential."""
    facts = {name: figure(overflow.largest(dtype(name)), 2) for name in sums.FORMATS}
    return predict(view, "holds", ("fp16", "bf16", "both", "neither"), "bf16", score=ASKED,
                   exact=figure(exp(ASKED), 2), ceiling=f"{sums.ceiling('fp16'):.2f}",
                   ceiling_wide=f"{sums.ceiling('bf16'):.2f}", fp16=facts["fp16"], fp8=facts["fp8"],
                   digits=f"{sums.digits('bf16'):.0f}", digits_half=f"{sums.digits('fp16'):.0f}")


def _pushed(settings):
    """Once it has been guessed, the score is pushed as high as the question asked, once."""
    if st.session_state.get("overflow:pushed"):
        return settings
    st.session_state["overflow:pushed"] = True
    if settings.push != FIRST:
        return settings
    address.change("push", ASKED, FIELDS)
    address.publish()
    return replace(settings, push=ASKED)


def _ratio(view, settings):
    """Ask what infinity over infinity is, then show three slips added up in every format."""
    exact = figure(sums.exact_mean(ASKED))
    stuck = sums.outcome(ASKED, "fp8", False)
    values = {"score": ASKED, "exact": exact, "stuck": figure(stuck.l), "wrong": figure(stuck.mean)}
    if not predict(view, "ratio", ("1", "∞", "NaN"), "NaN", **values):
        return
    view.controls("subtract")
    rows = [(name, *map(figure, (found.l, found.a, found.mean))) for name in sums.FORMATS
            for found in (sums.outcome(settings.push, name, settings.subtract),)]
    head = [view.label(f"overflow.column_{name}") for name in ("format", "l", "a", "mean")]
    scores = Several(figure(settings.push + below) for below in sums.BELOW)
    caption = view.label("overflow.caption_sums", scores=scores, values=Several(map(figure, sums.VALUES)),
                         badges=view.badges("", "computed"))
    st.html(table(head, rows, caption, (view.label("overflow.direct"), "", "", figure(sums.exact_mean(settings.push)))))
    view.section("shift")


def _order(view):
    """Ask what a sum comes to when the largest goes first, then show it in four orders."""
    found = sums.summed(MANY, "fp16")
    options = tuple(figure(found[name]) for name in ("largest", "smallest", "fp32"))
    values = {"n": view.number(MANY), "depth": figure(-sums.OTHERS), "exact": figure(sums.exact_sum(MANY)),
              "piece": sums.PIECE, "pieces": figure(found["pieces"]), "smallest": options[1], "largest": options[0],
              "weight": figure(overflow.exponential(sums.OTHERS), 2),
              "share": f"{100 / sums.exact_sum(MANY):.0f}\u00a0%"}
    if predict(view, "adds", options, options[0], **values):
        view.controls("dtype")
        yardstick(pictures.orders(view, view.settings), key="overflow:orders",
                  moved=view.turns("n", pictures.MANY))
