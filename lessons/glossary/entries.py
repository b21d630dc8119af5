"""The glossary's entries as HTML: a term with its three languages, and a table of everyday words."""

from functools import cache
from html import escape
from itertools import chain
from pathlib import Path

from lessons import text
from lessons.views.table import table

STYLE = Path(__file__).with_name("glossary.css")


@cache
def listed(lang: str, terms: tuple, pages: tuple, chosen: bool = False) -> str:
    """Return terms as a definition list in a language; the chosen one stands out."""
    known = {page.path: page.lesson for page in pages}
    body = "".join(_entry(name, text.glossary()["term"][name], lang, known) for name in terms)
    kind = "dc-terms dc-chosen" if chosen else "dc-terms"
    return f'<style>{STYLE.read_text(encoding="utf-8")}</style><dl class="{kind}">{body}</dl>'


def matching(wanted: str) -> tuple:
    """Return the terms in which a text stands, in any language; all of them for an empty text."""
    return tuple(name for name, entry in text.glossary()["term"].items() if _holds(entry, wanted))


def words(wanted: str) -> list:
    """Return the everyday words in which a text stands, each {language: word}."""
    return [entry["word"] for entry in text.glossary()["usage"].values() if _holds(entry, wanted)]


def side_by_side(wanted: str = "") -> str:
    """Return the everyday words in their three languages as a table."""
    rows = [tuple(word[lang] for lang in text.LANGUAGES) for word in words(wanted)]
    return table(tuple(text.LANGUAGES.values()), rows) if rows else ""


def _holds(entry, wanted):
    words_of = (entry.get(kind, {}).values() for kind in ("story", "real", "word"))
    return wanted.strip().lower() in " ".join((entry.get("symbol", ""), *chain(*words_of))).lower()


def _entry(name, entry, lang, pages):
    symbol = f'<span class="dc-symbol">{escape(entry["symbol"])}</span>' if "symbol" in entry else ""
    others = "".join(
        f'<span lang="{other}">{escape(entry["story"][other])} · {escape(entry["real"][other])}</span>'
        for other in text.LANGUAGES if other != lang)
    seen = text.label("glossary.seen", lang, page=text.title(pages[entry["page"]], lang))
    where = f'<a href="{entry["page"]}?lang={lang}">{escape(seen)}</a>'
    return (f'<div id="{name}"><dt>{escape(entry["story"][lang])}{symbol}</dt>'
            f'<dd class="dc-real">{escape(entry["real"][lang])}</dd>'
            f'<dd>{escape(entry["meaning"][lang])} {where}</dd><dd class="dc-others">{others}</dd></div>')
