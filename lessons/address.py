"""The scene's address: which query the page shows, and the URL that says so.

The URL is read when a page is arrived at (a link, another page, Back or Forward). From then on the
session holds the query, every control changes it there, and the URL is written to follow: a message
that is still on its way can therefore not undo a move.
"""

from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from lessons import settings as scene
from lessons import text

ALWAYS = ("lang", "present", "step")


def arrive(path: str) -> None:
    """Take over query and language from the URL if the page was just arrived at."""
    state, query = st.session_state, st.query_params.to_dict()
    context = get_script_run_ctx()
    if state.get("path") == path and not (context and context.is_history_navigation):
        return
    state.path, state.query = path, query
    wanted = query.pop("lang", None)
    known = text.language_of(wanted)
    state.lang = known or state.get("lang") or text.language_of(st.context.locale) or "en"
    state.unknown_language = wanted is not None and known is None and wanted
    state.present = query.pop("present", "") not in ("", "0", "false")


def change(name: str, value, kinds: dict) -> None:
    """Give one field of the scene a value; notes about the address it came from end here."""
    settings, _ = scene.read(st.session_state.query, kinds)
    st.session_state.query = scene.write(scene.replace(settings, **{name: value}), kinds)
    st.session_state.unknown_language = False


def query() -> dict:
    """Return the whole query of the scene as it is now, defaults left out, the language always in."""
    state = st.session_state
    return {"lang": state.lang, **({"present": "1"} if state.present else {}), **state.query}


def publish() -> None:
    """Write the scene's query to the URL where it differs; the step is the browser's and is kept."""
    wanted = query()
    current = st.query_params.to_dict()
    if "step" in current:
        wanted["step"] = current["step"]
    if wanted != current:
        st.query_params.from_dict(wanted)


def link(path: str) -> str:
    """Return the full address of the scene, as the reader's browser reaches the app."""
    base = (st.context.url or "").rstrip("/").removesuffix(f"/{path}")
    return f"{base}/{path}?{urlencode(query())}"
