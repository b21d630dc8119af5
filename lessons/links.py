"""Words of the house in a lesson's prose lead to the glossary: each where it first stands on the page."""

import re
from functools import cache

from lessons import text

ADDRESS = "glossary?term={term}&lang={lang}"
# What stays as it is: code, formulas, placeholders, headings, links, emphasis (a link at its edge would break it).
_KEPT = re.compile(
    rf"{text.VERBATIM}|\{{[a-z][a-z0-9_]*\}}|^#+ [^\n]*$|\[[^\]]*\]\([^)]*\)|\*+[^*\n]+\*+", re.DOTALL | re.MULTILINE)


def section(lesson: str, name: str, lang: str, **values) -> str:
    """Return a lesson's section as text.section does, with its words linked to the glossary."""
    linked = _linked(lesson, lang)
    if name not in linked:
        return text.section(lesson, name, lang, **values)
    return text.fill(linked[name], values, lang, f"section {name} of lessons/{lesson}/{lang}.md")


@cache
def _linked(lesson, lang):
    """Every section of a lesson, the first form of every term made a link."""
    waiting = dict(text.glossary()["term"])
    return {name: _marked(words, waiting, lang) for name, words in text.sections(lesson, lang).items()}


def _marked(words, waiting, lang):
    """A text with the terms that still wait for their first place linked; those found wait no longer."""
    parts, end = [], 0
    for kept in _KEPT.finditer(words):
        parts += [_prose(words[end:kept.start()], waiting, lang), kept[0]]
        end = kept.end()
    return "".join((*parts, _prose(words[end:], waiting, lang)))


def _prose(words, waiting, lang):
    forms = {form.lower(): term for term, entry in waiting.items() for form in entry["linked"][lang]}
    if not forms or not words:
        return words

    def link(match):
        term = forms[match[0].lower()]
        if waiting.pop(term, None) is None:
            return match[0]
        return f"[{match[0]}]({ADDRESS.format(term=term, lang=lang)})"

    return _forms(tuple(sorted(forms, key=len, reverse=True))).sub(link, words)


@cache
def _forms(forms):
    """A pattern of these forms, the longest first; a Latin one is a whole word."""
    return re.compile("|".join(rf"\b{re.escape(form)}\b" if form.isascii() else re.escape(form) for form in forms),
                      re.IGNORECASE | re.ASCII)
