"""The table that grows: cells with the square of the people, bytes past the desk, the shelf and the cabinet."""

from dataclasses import replace

import streamlit as st

from lessons import address
from lessons.predict import predict
from lessons.settings import DTYPES, Choice, Whole, any_gpu
from lessons.table import facts
from lessons.table.chart import chart
from lessons.table.picture import STOPS, picture, stops
from lessons.views.chart.live import show, take
from lessons.views.table import table
from lessons.views.yardstick import yardstick
from simulator import gpu

FIRST, SECOND = 16, 256                 # as far as the knob turns before the first and the second answer

FIELDS = {
    "n": Whole(facts.SMALL, STOPS[0], STOPS[-1]),
    "gpu": any_gpu(),
    "dtype": Choice("fp16", DTYPES),
    "layers": Whole(1, 1, 128),
    "heads": Whole(1, 1, 128),
    "batch": Whole(1, 1, 64),
}


def page(view):
    """Draw the page: the growing table, its questions, one worker's share of the chip, sizes that are often quoted."""
    if view.present:
        draw(view, view.settings, alone=False)
        return
    view.section("lead", n=view.number(facts.SMALL), cells=view.number(facts.SMALL**2))
    view.controls("gpu", "dtype")
    place = st.container()
    counted, fitted = _ask(view)
    settings = _grown(view.settings) if counted else view.settings
    until = None if fitted else SECOND if counted else FIRST
    with place:
        draw(view, settings, until if until and settings.n <= until else None, alone=not fitted)
        if fitted:
            view.controls("layers", "heads", "batch", heads="table.heads", batch="table.texts")
    _one_block(view)
    if fitted:
        made = chart(view, settings)
        show(made, key="table:chart")
        take(made, key="table:take")
        _quoted(view)
    view.section("computer")


def draw(view, settings, until=None, alone=True):
    """Draw the picture; turning its knob changes N."""
    yardstick(picture(view, settings, until, alone), key="table:picture",
              moved=view.turns("n", stops(settings.n, until)))


def _ask(view):
    """Ask how many cells, then what fits; return which of the two has been answered."""
    base = facts.SMALL**2
    right = facts.MORE**2
    guesses = tuple(view.number(cells) for cells in (4 * base, right, 4 * right))
    cells = predict(view, "cells", guesses, guesses[1],
                    n=view.number(facts.SMALL), more=view.number(facts.MORE), cells=view.number(right),
                    people=view.ratio(facts.MORE / facts.SMALL), times=view.ratio(right / base))
    if not cells:
        return False, False
    spec, dtype = gpu(view.settings.gpu), view.settings.dtype
    sizes = facts.capacities(spec)
    desk = f"{view.binary(sizes['desk'])} ({view.size(sizes['desk'])})"
    first = {name: view.number(facts.most_people(size, dtype) + 1) for name, size in sizes.items()}
    fits = predict(view, "fits", tuple(first.values()), first["desk"], **first, gpu=spec.name, dtype=dtype,
                   width=view.bytes(facts.cell(dtype)), desk_bytes=desk, cabinet_bytes=view.size(sizes["cabinet"]))
    return True, _once(fits)


def _once(answered):
    """Another GPU asks the question anew, but takes nothing back that has been shown."""
    st.session_state["table:fitted"] = answered or st.session_state.get("table:fitted", False)
    return st.session_state["table:fitted"]


def _grown(settings):
    """Once the cells have been guessed, the table grows to the size asked for, once."""
    if st.session_state.get("table:grown"):
        return settings
    st.session_state["table:grown"] = True
    if settings.n >= facts.MORE:
        return settings
    address.change("n", facts.MORE, FIELDS)
    address.publish()
    return replace(settings, n=facts.MORE)


def _one_block(view):
    """Ask how large a piece one thread block can hold: the desk is one SM's, not the chip's."""
    spec, dtype = gpu(view.settings.gpu), view.settings.dtype
    one, whole = facts.largest_squares(view.settings.gpu, dtype)
    sides = tuple(f"{view.number(side)} × {view.number(side)}" for side in (one, 2 * one, whole))
    chip = facts.whole_chip(spec).shared_per_block_bytes
    values = {"gpu": spec.name, "sms": view.number(spec.sms), "d": view.number(facts.HEAD), "chip": view.binary(chip),
              "block": view.binary(spec.shared_per_block_bytes), "registers": view.binary(spec.registers_per_sm_bytes),
              "one": sides[0], "whole": sides[-1]}
    if predict(view, "block", sides, sides[0], **values):
        view.figures(("table.chip", view.binary(chip), "", "published"),
                     ("table.one_block", view.binary(spec.shared_per_block_bytes), "", "published"),
                     ("table.largest", sides[0], "", "computed"))


def _quoted(view):
    """Sizes that are often quoted, with one table and with two."""
    spec, dtype = gpu(view.settings.gpu), view.settings.dtype
    rows = [(view.number(n), view.binary(size), view.binary(2 * size),
             view.label(f"table.in_{facts.holder(n, dtype, spec) or 'nowhere'}"))
            for n in facts.QUOTED for size in (facts.one_table(n, dtype),)]
    view.section("quoted", one=view.number(facts.QUOTED[1]), two=view.number(facts.QUOTED[-1]),
                 one_size=rows[1][1], two_size=rows[-1][2])
    head = [view.label(f"table.column_{name}") for name in ("n", "one", "two", "holds")]
    caption = view.label("table.caption", gpu=spec.name, dtype=dtype, badges=view.badges("", "computed"))
    st.html(table(head, rows, caption))
