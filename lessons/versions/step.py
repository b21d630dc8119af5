"""One step of a reader as a picture: nine things in the kernel's order; beside them what is held where meanwhile."""

import re
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path

from lessons.views.chart.roles import css as roles

NOW, LAST, NEXT = "j", "j−1", "j+1"
LOOKS = ("coming", "made", "there")      # on its way, tensor cores at work on it, to be used


@dataclass(frozen=True)
class Step:
    """What a reader does: its label's name, its kind (start, wait, free, work), the tensor's role and its side."""

    name: str
    kind: str
    role: str
    side: str = ""


@dataclass(frozen=True)
class Bar:
    """A tile or accumulator in its column (1, 2: shared memory; 4, 5: registers), over some steps; LOOKS say how."""

    column: int
    role: str
    text: str
    first: int
    last: int
    look: str


STEPS = (Step("start_s", "start", "S", "right"), Step("start_a", "start", "card", "right"),
         Step("wait_s", "wait", "S", "right"), Step("free_k", "free", "K", "left"), Step("softmax", "work", "P"),
         Step("wait_k", "wait", "K", "left"), Step("wait_a", "wait", "card", "right"),
         Step("free_v", "free", "V", "left"), Step("rescale", "work", "card"))
BARS = (Bar(1, "K", f"K_{NOW}", 1, 4, "there"), Bar(1, "K", f"K_{NEXT}", 5, 6, "coming"),
        Bar(1, "K", "", 7, 9, "there"), Bar(2, "V", f"V_{LAST}", 1, 1, "coming"), Bar(2, "V", "", 2, 8, "there"),
        Bar(4, "S", f"S_{NOW}", 1, 3, "made"), Bar(4, "S", "", 4, 5, "there"), Bar(4, "P", f"P_{NOW}", 6, 9, "there"),
        Bar(5, "card", "a", 2, 7, "made"), Bar(5, "card", "", 8, 9, "there"))


def number(name: str) -> int:
    """Which step it is, from 1."""
    return 1 + [step.name for step in STEPS].index(name)


def draw(view) -> str:
    """The picture as HTML, every text escaped."""
    steps = "".join(_step(view, at, step) for at, step in enumerate(STEPS, 1))
    bars = "".join(_bar(bar) for bar in BARS)
    heads = "".join(f'<span class="dc-where dc-{name}">{escape(view.label(f"versions.step_{name}"))}</span>'
                    for name in ("shared", "registers"))
    looks = "".join(f'<span><i class="dc-held dc-{look} role-card"></i>{escape(view.label(f"versions.look_{look}"))}'
                    "</span>" for look in LOOKS)
    caption = escape(view.label("versions.caption_step"))
    look = "dc-steps dc-projected" if view.present else "dc-steps"
    return (f'<figure class="{look}"><div class="dc-grid">{heads}{bars}<ol>{steps}</ol></div><figcaption>'
            f'<span class="dc-looks">{looks}</span><span>{caption}</span></figcaption></figure><style>{_css()}</style>')


def _step(view, at, step):
    names = {"now": NOW, "last": LAST, "next": NEXT}
    words, where = (_lowered(view.label(f"versions.{table}.{step.name}", **names)) for table in ("step", "step_where"))
    kind = escape(view.label(f"versions.kind_{step.kind}"))
    return (f'<li class="role-{step.role} dc-{step.kind} dc-side-{step.side or "none"}" style="grid-row:{at + 1}">'
            f"<i>{at}</i><span><b>{kind}</b> {words}</span><small>{where}</small></li>")


def _bar(bar):
    return (f'<i class="dc-held dc-{bar.look} role-{bar.role}" aria-hidden="true" '
            f'style="grid-column:{bar.column};grid-row:{bar.first + 1}/{bar.last + 2}">{_lowered(bar.text)}</i>')


def _lowered(words):
    """Escaped, what follows an underscore set lower: S_j−1."""
    return re.sub(r"_(j(?:[+−]1)?)", r"<sub>\1</sub>", escape(words))


@cache
def _css():
    return roles() + Path(__file__).with_suffix(".css").read_text(encoding="utf-8")
