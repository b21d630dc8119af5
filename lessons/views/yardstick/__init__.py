"""Bars, dots and fields of cells, with marks, a knob and a growing square: they glide when the numbers change.

Python sends positions between 0 and 1, colour roles and ready texts; the browser draws and moves them.
"""

import json
import re
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

import streamlit as st

from lessons.text import labels
from lessons.views.chart.roles import css as roles
from lessons.views.component import component

_HERE = Path(__file__).parent
_MODULES = ("dom", "cells", "square", "yardstick")
_IMPORT = re.compile(r"^import .*?;\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?!default)", re.MULTILINE)


@dataclass(frozen=True)
class Part:
    """A stretch of a bar, from `start` to `stop`: its colour role, a word within, its look (full, striped, outline)."""

    start: float
    stop: float
    role: str
    text: str = ""
    look: str = "full"


LOOKS = "#/-."                          # full, striped, outlined, empty


@dataclass(frozen=True)
class Cells:
    """A field of cells in place of a bar: a letter of LOOKS for each, their signs with commas between, so many a line.

    Every `gap` cells of a line are a page of their own.
    """

    looks: str
    signs: str
    columns: int
    role: str
    gap: int = 0


@dataclass(frozen=True)
class Row:
    """One bar or field: its name and a note, its parts, a dot on it, the number beside it; an alarm stands out."""

    name: str
    parts: tuple[Part, ...] = ()
    number: str = ""
    note: str = ""
    dot: float | None = None
    alarm: bool = False
    cells: Cells | None = None


@dataclass(frozen=True)
class Mark:
    """A line across all bars, with its name on top."""

    at: float
    text: str


@dataclass(frozen=True)
class Knob:
    """A slider over ready texts: its label, the stop it stands at, the texts of all stops, and why it ends there."""

    label: str
    at: int
    texts: tuple[str, ...]
    locked: str = ""


@dataclass(frozen=True)
class Key:
    """What a part's colour stands for: its colour role, the sign that parts carry where they have room, and words."""

    role: str
    sign: str
    text: str


@dataclass(frozen=True)
class Side:
    """A square of a side that holds so much as its area: its look, and the words at its corner."""

    id: str
    side: float
    text: str


@dataclass(frozen=True)
class Square:
    """A table of n × n cells in true proportion to the squares that hold it, all from one corner, and what one sees."""

    n: int
    role: str
    text: str
    holders: tuple[Side, ...]
    words: str


@dataclass(frozen=True)
class Yardstick:
    """The whole picture; `ticks` are (position, text), `summary` is the picture in words.

    `beside` are the rows of a further picture that a projector shows on the same wall.
    """

    rows: tuple[Row, ...]
    lang: str
    summary: str
    marks: tuple[Mark, ...] = ()
    ticks: tuple[tuple[float, str], ...] = ()
    knob: Knob | None = None
    square: Square | None = None
    keys: tuple[Key, ...] = ()
    caption: str = ""
    present: bool = False
    beside: int = 0


def script() -> str:
    """Return the JavaScript: an ES module whose default export draws a picture, its style within."""
    sources = ((_HERE / f"{name}.js").read_text(encoding="utf-8") for name in _MODULES)
    body = "\n".join(_EXPORT.sub("", _IMPORT.sub("", source)) for source in sources)
    style = (_HERE / "yardstick.css").read_text(encoding="utf-8") + roles()
    return f"const STYLE = {json.dumps(style)};\n{body}"


@cache
def _component():
    return component("yardstick", script())


def scene(picture: Yardstick) -> dict:
    """What the browser is sent."""
    return asdict(picture) | {"words": labels("yardstick", picture.lang)}


def yardstick(picture: Yardstick, key: str, moved=None) -> None:
    """Draw the picture; `moved(stop)` is called with the stop that the reader has turned the knob to."""
    def told():
        if moved and st.session_state[key].moved is not None:
            moved(int(st.session_state[key].moved))

    text = json.dumps(scene(picture), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    _component()(key, data=text.encode(), height="content", on_moved_change=told)
