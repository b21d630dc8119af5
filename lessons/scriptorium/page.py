"""The scriptorium: the older tale in five scenes, one at a time, from the master's walks to a number and its unit."""

import streamlit as st

from lessons import address
from lessons.scriptorium.scenes import SCENES, staged
from lessons.settings import Flag, Powers, Tabs, Whole, any_gpu

FIELDS = {
    "scene": Tabs("master", tuple(SCENES)),
    "n": Powers(16, 8, 32),
    "br": Powers(4, 2, 8),
    "gpu": any_gpu(),
    "alike": Flag(),
    "step": Whole(0, 0, 10**7),
}


def page(view):
    """Draw the page: the scenes in a row to choose from, the one chosen, and the computer behind them."""
    view.section("lead")
    _scenes(view)
    SCENES[view.settings.scene](view)
    view.section("computer")


def scene(view) -> str:
    """The JSON text of the stage of a scene that has one."""
    return staged(view)


def _scenes(view):
    """Draw the row of scenes; each opens at its beginning."""
    key = "scriptorium:scene"
    if st.session_state.get(key) != view.settings.scene:
        st.session_state[key] = view.settings.scene
    st.segmented_control(view.label("field.scene"), tuple(SCENES), key=key, required=True, wrap=True,
                         label_visibility="collapsed",
                         format_func=lambda name: view.label(f"scriptorium.scenes.{name}"),
                         on_change=lambda: address.turn(st.session_state[key], FIELDS))
