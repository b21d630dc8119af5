"""The running card as pictures one can take hold of: people, card, sums that explode, cards that merge.

The stage's own modules play, step and export the first of them; the program's numbers and all words come with the
scene.
"""

import json
import re
from functools import cache
from pathlib import Path

import streamlit as st

from lessons.views import stage as plays
from lessons.views.component import component

_HERE = Path(__file__).parent
_STAGE = ("vdom", "words", "film", "player", "export", "controls", "main")
_SHARED = "{ el, group, patch, html, speaker, fitSize, widthOf, wrap, Stage }"
_MODULES = ("post", "people", "paper", "picture", "tools", "board", "panel", "ceiling", "deck", "mount")
_IMPORT = re.compile(r"^import .*?;\n", re.MULTILINE | re.DOTALL)
_EXPORT = re.compile(r"^export ", re.MULTILINE)


def style() -> str:
    """Return the stage's CSS and this folder's."""
    return plays.style() + (_HERE / "bars.css").read_text(encoding="utf-8")


def boot() -> str:
    """Return the JavaScript, the stage's player around this folder's picture: `boot(css)` gives {mount, alone}."""
    engine, own = _joined(plays._HERE, _STAGE), _joined(_HERE, _MODULES)
    return (
        f'function boot(css) {{\n"use strict";\n'
        f"const {_SHARED} = ((makePicture, definitions) => {{\n{engine}\nreturn {_SHARED};\n}})"
        f"((...scene) => makePicture(...scene), () => definitions());\n{own}\n"
        f"return {{ mount: (component) => mountBars(component, css), "
        f"alone: (parent, scene) => boardAlone(parent, scene, css) }};\n}}"
    )


def script() -> str:
    """Return the JavaScript as Streamlit takes it: a module whose default export mounts a picture."""
    return (f"{boot()}\nconst board = boot({json.dumps(style())});\n"
            "export default (component) => board.mount(component);\n")


@cache
def _component():
    return component("desk_and_cabinet_bars", script())


def bars(scene: dict, key: str, moved=None) -> None:
    """Draw a scene; `moved(what)` is called with what the reader set: {"scores": […], "values": […], "piece": 1}."""
    def told():
        if moved and st.session_state[key].moved:
            moved(st.session_state[key].moved)

    text = json.dumps(scene, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    _component()(key=key, data=text.encode(), height="content", on_moved_change=told)


def _joined(folder, names):
    sources = ((folder / f"{name}.js").read_text(encoding="utf-8") for name in names)
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", source)) for source in sources)
