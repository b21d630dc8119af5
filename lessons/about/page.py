"""Where it comes from and where it ends: sources to read on, what the pages simplify, limits, licences."""

import tomllib
from functools import cache
from pathlib import Path

import streamlit as st

FIELDS = {}
HERE = Path(__file__).parent
PROJECT = HERE.parents[1] / "pyproject.toml"


def page(view):
    """Draw the page: nothing but words, so the projector shows them, too."""
    for name in ("lead", "simplified", "limits", "reading"):
        st.markdown(view.prose(name))
    st.markdown("\n".join(_line(view, name, source) for name, source in sources().items()))
    st.markdown(view.prose("licences", version=version()))


@cache
def sources() -> dict:
    """Return sources.toml: {name: {title, by, url}}."""
    return tomllib.loads((HERE / "sources.toml").read_text(encoding="utf-8"))


@cache
def version() -> str:
    """Return the version of this copy, as its project file says."""
    return tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["version"]


def _line(view, name, source):
    """A source as an item of a Markdown list: its title as a link, who wrote it, and why to read it."""
    return f"- [{source['title']}]({source['url']}), {source['by']}. {view.text(name)}"
