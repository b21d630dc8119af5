"""Small things to find on the workbench: each a question with a link to the scene that answers it."""

from urllib.parse import urlencode

import streamlit as st

from simulator import gpu

FINDS = {
    "loses": {"n": 4096, "d": 128, "br": 32, "bc": 32},
    "travels": {"algorithm": "flash1", "n": 256, "d": 64},
    "refused": {"n": 2048, "d": 128, "br": 128, "bc": 128, "stages": 2, "gpu": "rtx4090"},
    "skipped": {"n": 256, "d": 64, "br": 32, "bc": 32, "causal": 1},
    "window": {"n": 512, "d": 64, "br": 64, "bc": 64, "window": "64,0"},
    "grouped": {"n": 256, "d": 64, "heads": 32, "kv-heads": 8},
}
NAMES = {"refused": {"small": gpu("rtx4090").name, "large": gpu("h200").name}}


def draw(view):
    """List the challenges, each with its link, in the reader's language."""
    link = f"[{view.label('workbench.open')}]"
    asked = {name: view.label(f"workbench.find_{name}", **NAMES.get(name, {})) for name in FINDS}
    st.markdown("\n".join(f"- {asked[name]} {link}({_link(view, query)})" for name, query in FINDS.items()))


def _link(view, query):
    return f"workbench?{urlencode({'lang': view.lang, **query})}"
