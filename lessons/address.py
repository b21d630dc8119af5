"""The scene's address: which query the page shows, and the URL that says so.

The URL is read when a page is arrived at (a link, another page, Back or Forward). From then on the
session holds the query, every control changes it there, and the URL is written to follow: a message
that is still on its way can therefore not undo a move.
"""

from dataclasses import replace
from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from lessons import Page, settings, text


def arrive(page: Page) -> None:
    """Take over query and language from the URL if the page was just arrived at, with notes on what was odd."""
    state, query = st.session_state, st.query_params.to_dict()
    context = get_script_run_ctx()
    if state.get("path") == page.path and not (context and context.is_history_navigation):
        return
    state.path = page.path
    found, notes = settings.read(query, page.module.FIELDS)
    state.query = settings.write(found, page.module.FIELDS)
    state.lang, note = _language(query.get("lang"), state.get("lang"))
    state.present, strange = _presented(query.get("present", "0"))
    state.notes = (*note, *strange, *notes)


def change(name: str, value, kinds: dict) -> None:
    """Give one field of the scene a value; notes about the link it came from end here."""
    found, _ = settings.read(st.session_state.query, kinds)
    st.session_state.query = settings.write(replace(found, **{name: value}), kinds)
    st.session_state.notes = ()


def turn(scene: str, kinds: dict) -> None:
    """Choose another scene of the page; it opens at its beginning, whatever step the URL still holds."""
    state = st.session_state
    found, _ = settings.read(state.query, kinds)
    state.query = settings.write(replace(found, scene=scene, step=0), kinds)
    state.notes, state.turned = (), True


def stay(step: str) -> None:
    """Keep the scene at the step that the browser has come to; the server knows only the step it was opened at."""
    st.session_state.stepped = step if step.isascii() and step.isdigit() else ""


def speak(lang: str, step: str) -> None:
    """Choose the reader's language; the scene stays at its step."""
    state = st.session_state
    stay(step)
    state.lang = text.language_of(lang) or state.lang
    state.notes = tuple(note for note in state.notes if note.reason != "language")


def query() -> dict:
    """Return the whole query of the scene as it is now, defaults left out, the language always in."""
    state = st.session_state
    return {"lang": state.lang, **({"present": "1"} if state.present else {}), **state.query}


def publish() -> None:
    """Write the scene's query to the URL where it differs; the step is the browser's and is kept."""
    wanted, current = query(), st.query_params.to_dict()
    turned, stepped = st.session_state.pop("turned", False), st.session_state.pop("stepped", None)
    if stepped is not None:
        wanted |= {"step": stepped}
    elif "step" in current and not turned:
        wanted["step"] = current["step"]
    wanted = {name: value for name, value in wanted.items() if (name, value) != ("step", "")}
    if wanted != current:
        st.query_params.from_dict(wanted)


def link() -> str:
    """Return the full address of the scene, as the reader's browser reaches the app."""
    path = st.session_state.path
    base = (st.context.url or "").rstrip("/").removesuffix(f"/{path}")
    return f"{base}/{path}?{urlencode(query())}"


def _presented(asked):
    flag = settings.Flag()
    on, reason = flag.read(asked)
    return on, [settings.Note(reason, "present", settings.harmless(asked), "0", flag.possible)] if reason else []


def _language(asked, chosen):
    known = text.language_of(asked)
    strange = asked is not None and known is None
    lang = known or chosen or text.language_of(st.context.locale) or "en"
    return lang, [settings.Note("language", "lang", settings.harmless(asked), lang)] if strange else []
