"""Two listings side by side: lines that do the same stand in one row, tensors in their own colour."""

import re
from functools import cache
from html import escape
from pathlib import Path

from lessons.views import palette
from lessons.views.chart.roles import css as roles

_TOKEN = re.compile(r"(?P<comment>#.*$)|\b(?P<keyword>def|with|for|in|if|is|not|return|else|None)\b"
                    r"|\b(?P<tensor>[QKVOSPLmlac])(?P<rest>_(?:i|j|ij|new))?\b(?!\s*=\s*(?:None|\d))")


def twins(pairs, titles) -> str:
    """The pairs of Lines as HTML, every text escaped; `titles` stand above the two listings."""
    heads = "".join(f"<h2>{escape(title)}</h2>" for title in titles)
    rows = "".join(_row(pair.left, pair.right) for pair in pairs)
    return f'<div class="dc-twins" tabindex="0">{heads}{rows}</div><style>{_css()}</style>'


def _row(left, right):
    same = " dc-same" if left and right else ""
    return f'<div class="dc-pair{same}">{_side(left, "left")}{_side(right, "right")}</div>'


def _side(line, side):
    if line is None:
        return f'<div class="dc-line dc-none dc-{side}"></div>'
    indent = len(line.text) - len(line.text.lstrip())
    return (f'<div class="dc-line dc-{side}"><i>{line.number}</i><code style="--in:{indent}">'
            f"{_painted(line.text.strip())}</code></div>")


def _painted(text):
    """A line of Python with its words marked; what stands between is escaped."""
    parts, at = [], 0
    for found in _TOKEN.finditer(text):
        parts.append(escape(text[at:found.start()]))
        parts.append(_marked(found))
        at = found.end()
    return "".join((*parts, escape(text[at:])))


def _marked(found):
    words = escape(found[0])
    if found["comment"]:
        return f'<span class="dc-aside">{words}</span>'
    if found["keyword"]:
        return f'<span class="dc-keyword">{words}</span>'
    return f'<b class="role-{palette.family(found["tensor"])}">{words}</b>' if found["tensor"] != "c" else words


@cache
def _css():
    return roles() + Path(__file__).with_suffix(".css").read_text(encoding="utf-8")
