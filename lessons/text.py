"""Words as data: labels from ui.toml, sections from each lesson's Markdown, terms from glossary.toml."""

import re
import tomllib
from functools import cache
from pathlib import Path

LANGUAGES = {"en": "English", "zh-Hans": "简体中文", "zh-Hant": "繁體中文"}
HERE = Path(__file__).parent

# Code and formulas are left as they stand (LaTeX has braces of its own); elsewhere {name} is a placeholder.
VERBATIM = r"```.*?```|`[^`]*`|\$\$.*?\$\$|\$[^$\n]*\$"
# In a lesson's file `## ` begins a section and headings are `### `; on the page they come right below the title.
_RANK = re.compile(r"^### ", re.MULTILINE)
_PARTS = re.compile(rf"(?P<verbatim>{VERBATIM})|\{{(?P<name>[a-z][a-z0-9_]*)\}}", re.DOTALL)


class MissingWords(LookupError):
    """A label, section or placeholder value that the catalogue or the caller does not have."""


class Several(tuple):
    """Things named one after the other; a text sets them apart as its language does: 7, 4, 3 or 7、4、3."""

    def __str__(self) -> str:
        return ", ".join(map(str, self))


def label(key: str, lang: str, **values) -> str:
    """Return the label at a dotted key ("stage.play") with its placeholders filled; raises MissingWords."""
    return fill(_label(key, lang), values, lang, f"label {key} ({lang})")


def has(key: str) -> bool:
    """Tell whether the catalogue has a label at a dotted key."""
    try:
        return "en" in _table(key)
    except MissingWords:
        return False


def label_or(key: str, lang: str, fallback: str) -> str:
    """Return the label at a dotted key, or the fallback where the catalogue has none (names alike everywhere)."""
    return _label(key, lang) if has(key) else fallback


@cache
def labels(table: str, lang: str) -> dict:
    """Return {name: text} for every label directly in a table, for those who show words by themselves."""
    return {name: _label(f"{table}.{name}", lang) for name, entry in _table(table).items() if "en" in entry}


def section(lesson: str, name: str, lang: str, **values) -> str:
    """Return the Markdown of a lesson's section with its placeholders filled; raises MissingWords."""
    found = sections(lesson, lang)
    if name not in found:
        raise MissingWords(f"lessons/{lesson}/{lang}.md has no section '## {name}'; it has {', '.join(found)}")
    return fill(found[name], values, lang, f"section {name} of lessons/{lesson}/{lang}.md")


def title(lesson: str, lang: str) -> str:
    """Return a lesson's title: the `# ` line on top of its Markdown."""
    return _lesson(lesson, lang)[0]


def sections(lesson: str, lang: str) -> dict:
    """Return {id: Markdown} of a lesson in a language, in the order of the file."""
    return _lesson(lesson, lang)[1]


def placeholders(words: str) -> set:
    """Return the names of the placeholders in a text."""
    return {match["name"] for match in _PARTS.finditer(words) if match["name"]}


def verbatim(words: str) -> list:
    """Return the formulas and code of a text, in order."""
    return [match[0] for match in _PARTS.finditer(words) if match["verbatim"]]


def prose(words: str) -> str:
    """Return a text without its formulas, code and placeholders."""
    return _PARTS.sub(" ", words)


def language_of(tag: str | None) -> str | None:
    """Return the language of the three that a browser's tag ("zh-TW", "en-GB") asks for, or None."""
    parts = (tag or "").replace("_", "-").lower().split("-")
    if parts[0] == "zh":
        traditional = {"hant", "tw", "hk", "mo"} & set(parts)
        return "zh-Hant" if traditional and "hans" not in parts else "zh-Hans"
    return "en" if parts[0] == "en" else None


@cache
def catalogue() -> dict:
    """Return ui.toml: tables of labels, each label a table of the three languages."""
    return tomllib.loads((HERE / "ui.toml").read_text(encoding="utf-8"))


@cache
def glossary() -> dict:
    """Return glossary.toml: {term: {story and real words by language}}."""
    return tomllib.loads((HERE / "glossary.toml").read_text(encoding="utf-8"))


def _table(key):
    entry = catalogue()
    for part in key.split("."):
        if part not in entry:
            raise MissingWords(f"ui.toml has no [{key}]: nothing called '{part}'")
        entry = entry[part]
    return entry


@cache
def _label(key, lang):
    entry = _table(key)
    if lang not in entry:
        raise MissingWords(f"ui.toml [{key}] has no {lang}")
    return entry[lang]


def fill(words: str, values: dict, lang: str, where: str) -> str:
    """Return a text with its placeholders filled, formulas and code left alone; raises MissingWords naming `where`."""
    def part(match):
        name = match["name"]
        if name is None:
            return match[0]
        if name not in values:
            raise MissingWords(f"{where} needs a value for {{{name}}}")
        return _said(values[name], lang)

    return _PARTS.sub(part, words) if "{" in words else words


def _said(value, lang):
    return _label("list.comma", lang).join(map(str, value)) if isinstance(value, Several) else str(value)


@cache
def _lesson(lesson, lang):
    path = HERE / lesson / f"{lang}.md"
    if not path.is_file():
        raise MissingWords(f"lessons/{lesson} has no {lang}.md")
    head, *rest = ("\n" + path.read_text(encoding="utf-8")).split("\n## ")
    if not head.strip().startswith("# "):
        raise MissingWords(f"lessons/{lesson}/{lang}.md does not begin with '# title'")
    parts = (part.partition("\n") for part in rest)
    return head.strip()[2:].strip(), {name.strip(): _RANK.sub("## ", body.strip()) for name, _, body in parts}
