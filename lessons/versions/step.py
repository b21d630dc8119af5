"""One step of a reader as a picture: what it does in the kernel's order; beside that what is held where meanwhile."""

import re
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path

from lessons.views.chart.roles import css as roles

FILE = "kernels/flash_attention_3_roles.py"
NOW, LAST, NEXT = "j", "j−1", "j+1"
LOOKS = ("coming", "made", "there")      # on its way, tensor cores at work on it, to be used
SHARED, REGISTERS = (1, 2, 3), (5, 6, 7)
"""Columns: K, the next K in another buffer of its ring, V; S and what becomes of it, the last P, a."""


@dataclass(frozen=True)
class Step:
    """What a reader does: its label's name, its kind (start, wait, free, give, work), its colour's role, its side."""

    name: str
    kind: str
    role: str
    side: str = ""


@dataclass(frozen=True)
class Bar:
    """A tile or accumulator in its column (SHARED, REGISTERS), over the steps from one to another; LOOKS say how."""

    column: int
    role: str
    text: str
    first: str
    last: str
    look: str


STEPS = (Step("take_turn", "wait", "standard", "right"), Step("start_s", "start", "S", "right"),
         Step("wait_v", "wait", "V", "left"), Step("start_a", "start", "card", "right"),
         Step("give_turn", "give", "standard", "right"),
         Step("wait_s", "wait", "S", "right"), Step("free_k", "free", "K", "left"), Step("softmax", "work", "P"),
         Step("wait_k", "wait", "K", "left"), Step("wait_a", "wait", "card", "right"),
         Step("free_v", "free", "V", "left"), Step("rescale", "work", "card"))
BARS = (Bar(1, "K", f"K_{NOW}", "take_turn", "free_k", "there"),
        Bar(2, "K", f"K_{NEXT}", "take_turn", "wait_k", "coming"), Bar(2, "K", "", "wait_a", "rescale", "there"),
        Bar(3, "V", f"V_{LAST}", "take_turn", "wait_v", "coming"), Bar(3, "V", "", "start_a", "free_v", "there"),
        Bar(5, "S", f"S_{NOW}", "start_s", "wait_s", "made"), Bar(5, "S", "", "free_k", "softmax", "there"),
        Bar(5, "P", f"P_{NOW}", "wait_k", "rescale", "there"), Bar(6, "P", f"P_{LAST}", "take_turn", "wait_a", "there"),
        Bar(7, "card", "a", "take_turn", "wait_v", "there"), Bar(7, "card", "", "start_a", "wait_a", "made"),
        Bar(7, "card", "", "free_v", "rescale", "there"))


def number(name: str) -> int:
    """Which step it is, from 1."""
    return 1 + [step.name for step in STEPS].index(name)


TURN = range(number("take_turn") + 1, number("give_turn") + 1)
"""The steps in which it is the reader's turn at the tensor cores."""


def draw(view) -> str:
    """The picture as HTML, every text escaped."""
    steps = "".join(_step(view, at, step) for at, step in enumerate(STEPS, 1))
    bars = "".join(_bar(bar) for bar in BARS)
    heads = "".join(f'<span class="dc-where dc-{name}">{escape(view.label(f"versions.step_{name}"))}</span>'
                    for name in ("shared", "registers"))
    looks = "".join(f'<span><i class="dc-held dc-{look} role-card"></i>{escape(view.label(f"versions.look_{look}"))}'
                    "</span>" for look in LOOKS)
    turn = f'<span><i class="dc-mine"></i>{escape(view.label("versions.look_turn"))}</span>'
    caption = escape(view.label("versions.caption_step", file=FILE))
    look = "dc-steps dc-projected" if view.present else "dc-steps"
    return (f'<figure class="{look}"><div class="dc-grid">{heads}{bars}<ol>{steps}</ol></div>'
            f'<figcaption><span class="dc-looks">{looks}{turn}</span><span>{caption}</span></figcaption></figure>'
            f"<style>{_css()}</style>")


def _step(view, at, step):
    names = {"now": NOW, "last": LAST, "next": NEXT}
    words, where = (_lowered(view.label(f"versions.{table}.{step.name}", **names)) for table in ("step", "step_where"))
    kind = escape(view.label(f"versions.kind_{step.kind}"))
    looks = f"role-{step.role} dc-{step.kind} dc-side-{step.side or 'none'}{' dc-turn' if at in TURN else ''}"
    return (f'<li class="{looks}" style="grid-row:{at + 1}">'
            f"<i>{at}</i><span><b>{kind}</b> {words}</span><small>{where}</small></li>")


def _bar(bar):
    rows = f"{number(bar.first) + 1}/{number(bar.last) + 2}"
    return (f'<i class="dc-held dc-{bar.look} role-{bar.role}" aria-hidden="true" '
            f'style="grid-column:{bar.column};grid-row:{rows}">{_lowered(bar.text)}</i>')


def _lowered(words):
    """Escaped, what follows an underscore set lower: S_j−1."""
    return re.sub(r"_(j(?:[+−]1)?)", r"<sub>\1</sub>", escape(words))


@cache
def _css():
    return roles() + Path(__file__).with_suffix(".css").read_text(encoding="utf-8")
