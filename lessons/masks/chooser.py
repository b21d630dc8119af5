"""The choice of a mask: none, causal, or a causal window of some width; it sets the fields `causal` and `window`."""

import streamlit as st

from lessons import address

KINDS = ("none", "causal", "window")
OPEN, OPENING = (-1, -1), (3, 0)        # no window, and the first one


def chooser(view, kinds) -> None:
    """Draw the choice at its present value, and the width of a window where there is one."""
    settings = view.settings
    kind = "window" if settings.window != OPEN else "causal" if settings.causal else "none"
    _show("masks:kind", kind)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.segmented_control(view.label("masks.kind"), KINDS, key="masks:kind", required=True, wrap=True,
                             format_func=lambda name: view.label(f"masks.kinds.{name}"),
                             on_change=lambda: _chosen(kinds))
        if kind == "window":
            left = min(max(settings.window[0], 0), settings.n - 1)
            _show("masks:left", left)
            st.slider(view.label("masks.left"), 0, settings.n - 1, key="masks:left",
                      on_change=lambda: _widened(kinds))


def _show(key, value):
    if st.session_state.get(key, st) != value:
        st.session_state[key] = value


def _chosen(kinds):
    kind = st.session_state["masks:kind"]
    address.change("causal", kind != "none", kinds)
    address.change("window", OPENING if kind == "window" else OPEN, kinds)


def _widened(kinds):
    address.change("window", (st.session_state["masks:left"], 0), kinds)
