"""A page told in scenes: a row to choose from, one scene at a time, the chosen one in the address."""

import streamlit as st

from lessons import address


def scenes(view, names) -> None:
    """Draw the row of scenes (labels `<lesson>.scenes.<name>`); each opens at its beginning."""
    key = f"{view.page.path}:scene"
    if st.session_state.get(key) != view.settings.scene:
        st.session_state[key] = view.settings.scene
    st.segmented_control(view.label("field.scene"), tuple(names), key=key, required=True, wrap=True,
                         label_visibility="collapsed",
                         format_func=lambda name: view.label(f"{view.page.lesson}.scenes.{name}"),
                         on_change=lambda: address.turn(st.session_state[key], view.page.module.FIELDS))
