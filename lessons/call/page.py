"""How to call it: two functions, two layouts, and what three shapes are taken for."""

from dataclasses import replace

import streamlit as st

from lessons import address
from lessons.call import checks
from lessons.call.checks import FLASH, SDPA, Asked
from lessons.call.shapes import Shape, shown
from lessons.predict import predict
from lessons.settings import DTYPES, Flag, Pair, Powers, Tabs
from lessons.views.table import table
from simulator import Tiling, accounting
from simulator.bounds import compulsory
from simulator.problem import LARGEST_N

Q, KV = (2, 16, 1024, 64), (2, 4, 1024, 64)
FIELDS = {
    "call": Tabs(SDPA, (SDPA, FLASH)),
    "q": Shape(Q),
    "k": Shape(KV),
    "v": Shape(KV),
    "dtype": Tabs("fp16", DTYPES),
    "causal": Flag(),
    "window": Pair((-1, -1), -1, LARGEST_N),
    "br": Powers(128, 16, 256),
}
SAY = {"stop": st.error, "trap": st.warning, "note": st.info}
NAMED = {"heads": "heads_size"}
SIZES = ("batch", "heads", "rows", "width")


def page(view):
    """Draw the page: the trap, the checker, what the call moves, and what else to mind."""
    if not view.present:
        view.section("lead")
        swapped = Asked(SDPA, *((KV[0], Q[2], Q[1], Q[3]),) * 3)
        predict(view, "swapped", ("error", "silent", "sorted"), "silent", shape=shown(swapped.q),
                heads=view.number(swapped.size("q", "heads")), rows=view.number(swapped.size("q", "rows")))
        view.section("checker")
        view.controls("call")
        _shapes(view)
        view.controls("dtype", "causal", "window")
    settings = view.settings
    asked = Asked(settings.call, settings.q, settings.k, settings.v, settings.dtype, settings.causal, settings.window)
    found = checks.findings(asked)
    for one in found:
        SAY[one.level](view.label(f"call.{one.name}", **one.values))
    if not any(one.level == "stop" for one in found):
        _sound(view, asked, found)
    view.section("mind")
    view.section("computer")


def _shapes(view):
    """Draw the three shapes as text to type; what they are taken for becomes part of the link."""
    with st.container(horizontal=True):
        for name in "qkv":
            key, shape = f"call:{name}", shown(getattr(view.settings, name))
            if st.session_state.get(key) != shape:
                st.session_state[key] = shape
            st.text_input(view.label(f"field.{name}"), key=key, max_chars=80, on_change=_typed, args=(name,))


def _typed(name):
    address.change(name, FIELDS[name].read(st.session_state[f"call:{name}"])[0], FIELDS)


def _sound(view, asked, found):
    """What the call reads the shapes as, the lines that make it, and the bytes it moves."""
    if not found:
        st.success(view.label("call.sound"))
    rows = [(name, *(view.number(asked.size(name, size)) for size in SIZES)) for name in "qkv"]
    heads, kv = asked.size("q", "heads"), asked.size("k", "heads")
    groups = {"ratio": view.number(heads // kv), "heads": view.number(heads), "kv": view.number(kv)}
    head = ("", *(view.label(f"call.{NAMED.get(size, size)}") for size in SIZES))
    st.html(table(head, rows, view.label("call.groups", **groups)))
    st.code(checks.code(asked), language="python", wrap_lines=True)
    other = replace(asked, function=FLASH if asked.function == SDPA else SDPA,
                    **{name: _swapped(getattr(asked, name)) for name in "qkv"})
    st.caption(view.label("call.other"))
    st.code(f"q, k, v = (x.transpose(1, 2) for x in (q, k, v))\n{checks.code(other)}", language="python",
            wrap_lines=True)
    _bytes(view, asked)


def _swapped(shape):
    return (shape[0], shape[2], shape[1], shape[3])


def _bytes(view, asked):
    """What the tiled kernel moves for this call, the least that must cross, and the two tables it does without."""
    view.controls("br")
    problem = checks.problem(asked)
    tiling = Tiling(view.settings.br, view.settings.br)
    tables = accounting.cost("standard", problem, tiling).desk.by_tensor
    view.figures(
        ("call.moves", view.size(accounting.cost("flash2", problem, tiling).desk.total), "desk", "computed"),
        ("call.least", view.size(compulsory(problem).total), "desk", "computed"),
        ("call.tables", view.size(tables["S"].total + tables["P"].total), "desk", "computed"))
