"""A ledger of claims to be judged: each opens its number once the reader has given a verdict.

Verdicts given live in the reader's browser tab alone; Python hears only which claim is looked at and which are listed.
"""

import json
from dataclasses import asdict, dataclass
from functools import cache
from math import log10
from pathlib import Path

import streamlit as st

_HERE = Path(__file__).parent
LEAST_SPAN = 4                          # the ends of a scale are at least this many times apart
MARGIN = 0.06                           # of the scale, left free at both ends


@dataclass(frozen=True)
class Row:
    """What was said beside what was found: texts, and the (low, high) of each as positions between 0 and 1."""

    name: str
    said: str
    found: str
    start: tuple[float, float]
    stop: tuple[float, float]


@dataclass(frozen=True)
class Item:
    """One claim in the reader's language, with all that its verdict brings to light; `link` is (address, words)."""

    id: str
    verdict: str
    says: str
    number: str
    badges: tuple[tuple[str, str, str], ...]              # (kind, word, meaning)
    finds: str
    assumes: str
    rows: tuple[Row, ...] = ()
    source: str = ""
    link: tuple[str, str] | None = None


def placed(pairs) -> tuple[Row, ...]:
    """Rows for (name, said, its ends, found, its ends), on one scale on which equal steps are equal factors."""
    pairs = tuple(pairs)
    ends = [log10(end) for _, _, said, _, found in pairs for end in (*said, *found)]
    span = max(max(ends, default=0) - min(ends, default=0), log10(LEAST_SPAN))
    middle = (max(ends, default=0) + min(ends, default=0)) / 2

    def place(end):
        return round(0.5 + (log10(end) - middle) / span * (1 - 2 * MARGIN), 4)

    return tuple(Row(name, said, found, tuple(map(place, start)), tuple(map(place, stop)))
                 for name, said, start, found, stop in pairs)


def listed(items: tuple[Item, ...]) -> str:
    """The items as JSON text, to be kept for every reader of one language."""
    return json.dumps([asdict(item) for item in items], ensure_ascii=False, separators=(",", ":"))


def ledger(items: str, frame: dict, key: str, moved) -> None:
    """Draw `listed` items in a frame (lang, words, present, open, filter); a change calls `moved(name, value)`."""
    def told():
        for name, value in (st.session_state[key].moved or {}).items():
            moved(name, value)

    head = json.dumps(frame, ensure_ascii=False, separators=(",", ":"))
    _component()(key=key, data=f'{head[:-1]},"items":{items}}}'.encode(), height="content", on_moved_change=told)


@cache
def _component():
    source = {kind: (_HERE / f"verdicts.{kind}").read_text(encoding="utf-8") for kind in ("css", "js")}
    return st.components.v2.component("desk_and_cabinet_verdicts", **source)
