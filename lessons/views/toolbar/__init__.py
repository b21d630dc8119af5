"""The bar above every page: the language picker, the share button and the way into and out of presenter mode."""

from functools import cache
from pathlib import Path

import streamlit as st

HERE = Path(__file__).parent


@cache
def _component():
    source = {kind: (HERE / f"toolbar.{kind}").read_text(encoding="utf-8") for kind in ("css", "js")}
    return st.components.v2.component("toolbar", **source)


def toolbar(page: str, lang: str, languages: dict, present: bool, words: dict, on_lang, on_share, on_present) -> None:
    """Draw the bar; each callback is called when its control was used, with the value asked for.

    `on_lang` and `on_present`, upon which the page is drawn anew, are also given the step that the stage has come to.
    """
    def told(name, answer):
        return lambda: answer(st.session_state["toolbar"][name])

    def told_where(name, answer):
        return lambda: answer(*st.session_state["toolbar"][name])

    _component()(
        key="toolbar",
        data={"page": page, "lang": lang, "languages": languages, "present": present, "words": words},
        on_lang_change=told_where("lang", on_lang),
        on_share_change=told("share", on_share),
        on_present_change=told_where("present", on_present),
    )
