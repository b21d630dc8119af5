"""Amounts as lengths: horizontal bars in groups, on one scale from nothing, each with its number in full."""

from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path

from lessons.views.chart.roles import css as roles

LOOKS = ("read", "write", "left")       # solid, striped, outlined: told apart without colour


@dataclass(frozen=True)
class Part:
    """A stretch of a bar: its look (of LOOKS), its size and the words that say so ("" for none)."""

    look: str
    size: float
    words: str = ""


@dataclass(frozen=True)
class Length:
    """One bar: what it measures, its role (the colour), its parts, the number beside it, and a slim one's origin."""

    label: str
    role: str
    parts: tuple[Part, ...]
    number: str
    slim: bool = False

    @property
    def size(self) -> float:
        """The length of the whole bar."""
        return sum(part.size for part in self.parts)


@dataclass(frozen=True)
class Group:
    """Bars under one heading: its badges (kind, words), what it means, its bars, what they come to, and their unit."""

    title: str
    badge: str
    meaning: str
    lengths: tuple[Length, ...]
    verdict: str = ""
    unit: str = "B"


def lengths(groups, legend=(), caption="", beside=False, wall=False) -> str:
    """The groups as HTML, every text escaped; the longest bar of a unit fills the track. `legend` is (look, words).

    `beside` lays the groups side by side where there is room, below the first; `wall` makes them fit a projected page.
    """
    longest = {group.unit: max(one.size for other in groups if other.unit == group.unit for one in other.lengths)
               for group in groups}
    body = "".join(_group(group, longest[group.unit]) for group in groups)
    key = "".join(f'<span><i class="dc-part dc-{look}"></i>{escape(words)}</span>' for look, words in legend)
    name = f"dc-lengths{' dc-beside' if beside else ''}{' dc-wall' if wall else ''}"
    return (f'<figure class="{name}">{body}<figcaption><span class="dc-key">{key}</span>'
            f"<span>{escape(caption)}</span></figcaption></figure><style>{_css()}</style>")


def _group(group, longest):
    bars = "".join(_length(one, longest) for one in group.lengths)
    why, verdict = (f'<p class="dc-{name}">{escape(words)}</p>' if words else ""
                    for name, words in (("why", group.meaning), ("verdict", group.verdict)))
    return (f'<section><h2>{escape(group.title)} <span class="dc-badge dc-tag">{escape(group.badge)}</span></h2>'
            f"{why}{bars}{verdict}</section>")


def _length(one, longest):
    parts = "".join(f'<i class="dc-part dc-{part.look}" style="width:{100 * part.size / longest:.4f}%"></i>'
                    for part in one.parts)
    said = "".join(f"<li>{escape(part.words)}</li>" for part in one.parts if part.words)
    return (f'<div class="dc-length role-{escape(one.role)}{" dc-slim" if one.slim else ""}">'
            f'<span class="dc-name-of">{escape(one.label)}</span>'
            f'<span class="dc-track" aria-hidden="true">{parts}</span><b>{escape(one.number)}</b>'
            f"{f'<ul>{said}</ul>' if said else ''}</div>")


@cache
def _css():
    return roles() + Path(__file__).with_suffix(".css").read_text(encoding="utf-8")
