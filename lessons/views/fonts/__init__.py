"""The typefaces inside exported pictures: Noto Sans CJK cut to the characters that the lessons' words use."""

import tomllib
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
LESSONS = HERE.parent.parent
REBUILD = "python -m lessons.views.fonts"
FACES = {"zh-Hans": "SC", "zh-Hant": "TC"}

_CHINESE = "\u2e80"                                    # from here on: radicals, punctuation, characters

# Signs that numbers, formulas and captions bring along whatever the words are.
_SIGNS = "".join(map(chr, range(0x20, 0x7F))) + "×÷−±·≤≥≈≠→←↔√∞²³…—–‘’“”°½¼αβΘ"


def font(lang: str) -> Path:
    """The font file for texts of a language: "en", "zh-Hans" or "zh-Hant"."""
    return HERE / f"NotoSans{FACES.get(lang, 'SC')}.otf"


@cache
def covered(lang: str) -> frozenset[str]:
    """Every character that the shipped font of a language can draw."""
    from fontTools.ttLib import TTFont
    with TTFont(font(lang)) as file:
        return frozenset(map(chr, file.getBestCmap()))


def missing(text: str, lang: str) -> str:
    """The characters of a text that the shipped font of its language cannot draw, in order of code."""
    return "".join(sorted(set(text.replace("\n", "")) - covered(lang)))


def drawable(text: str, lang: str) -> str:
    """A reader's own text with ? for every character that the shipped font of its language cannot draw."""
    return "".join(sign if sign in covered(lang) else "?" for sign in text)


def wanted(lang: str) -> set[str]:
    """Every Chinese character and sign that the words of a language use, and the signs of numbers.

    The words are the tables of labels, the glossary and the lessons' texts.
    """
    words = "".join(path.read_text(encoding="utf-8") for path in LESSONS.glob(f"**/{lang}.md"))
    for path in LESSONS.glob("*.toml"):
        words += "".join(_spoken(tomllib.loads(path.read_text(encoding="utf-8")), lang))
    return {sign for sign in words if sign >= _CHINESE} | set(_SIGNS)


def _spoken(table: dict, lang: str):
    """The texts of a table in one language, however deep."""
    for name, entry in table.items():
        if isinstance(entry, dict):
            yield from _spoken(entry, lang)
        elif name == lang:
            yield str(entry)
