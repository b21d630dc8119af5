"""The words: the same in all three languages where they must be, and each language written as it is written."""

import re

import pytest

from lessons import PAGES, settings, text
from simulator import errors

LANGUAGES = list(text.LANGUAGES)
CHINESE = ("zh-Hans", "zh-Hant")


def all_labels(table=None, prefix=""):
    """Yield (dotted key, {language: words}) for every label of ui.toml."""
    for name, entry in (text.catalogue() if table is None else table).items():
        if all(isinstance(value, dict) for value in entry.values()):
            yield from all_labels(entry, f"{prefix}{name}.")
        else:
            yield prefix + name, entry


LABELS = dict(all_labels())
LESSONS = [page.lesson for page in PAGES]


def all_words(lang):
    """Yield (where, words) for everything a reader of this language may see."""
    yield from ((f"ui.toml [{key}]", words[lang]) for key, words in LABELS.items())
    for lesson in LESSONS:
        yield f"{lesson}/{lang}.md title", text.title(lesson, lang)
        yield from ((f"{lesson}/{lang}.md ## {name}", words) for name, words in text.sections(lesson, lang).items())


def parts(words):
    """Return what must be equal in every language: the placeholders, and the formulas and code."""
    return sorted(text.placeholders(words)), sorted(text.verbatim(words))


@pytest.mark.parametrize("key", LABELS)
def test_a_label_has_the_three_languages_and_the_same_parts_in_each(key):
    assert set(LABELS[key]) == set(LANGUAGES)
    assert all(words.strip() for words in LABELS[key].values()) or key == "stage.joint"
    assert len({repr(parts(words)) for words in LABELS[key].values()}) == 1


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_has_the_same_sections_with_the_same_parts_in_each_language(lesson):
    english = text.sections(lesson, "en")
    for lang in CHINESE:
        other = text.sections(lesson, lang)
        assert list(other) == list(english)
        for name, words in english.items():
            assert parts(other[name]) == parts(words), f"{lesson}/{lang}.md ## {name}"


NAME = r"[A-Za-z√∑][A-Za-z]*-?[\d.]+[A-Za-z\d]*|[\d.]+[A-Za-z]+\d*"      # v2, L2, fp16, FlashAttention-2
NUMBERING = r"^\s*(#+\s*)?\d+([.)]| ·)\s*"                              # "1. ", "2 · "


def typed_digits(words):
    """Return the digits typed into prose: not in code, formulas, names such as fp16, or the numbering of a list."""
    left = re.sub(NUMBERING, "", text.prose(words), flags=re.MULTILINE)
    return re.findall(r"\S*\d\S*", re.sub(NAME, "", left))


def test_a_typed_number_is_told_from_a_name_a_formula_a_placeholder_and_numbering():
    assert typed_digits("256 numbers, v2") == ["256"]
    assert typed_digits("carried 4 times") == ["4"]
    assert typed_digits("1. first\n2. second: {n} of FlashAttention-2 in fp16, $2N^2$ and `x[0]`") == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_number_is_typed_into_prose(lang):
    assert {where: found for where, words in all_words(lang) if (found := typed_digits(words))} == {}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_words_hold_no_html_and_no_stray_brace(lang):
    for where, words in all_words(lang):
        assert not re.search(r"<[a-zA-Z/!]|&[a-z]+;", text.prose(words)), where
        assert not re.search(r"[{}]", text.prose(words)), f"{where}: a placeholder is {{lower_case}}"


def test_no_placeholder_stands_in_code_where_nothing_fills_it():
    for where, words in all_words("en"):
        codes = [part for part in text.verbatim(words) if part.startswith("`")]
        assert [code for code in codes if re.search(r"\{[a-z]", code)] == [], where


# The two scripts' own character sets: GB 2312 holds no traditional forms, Big5 no simplified ones.
@pytest.mark.parametrize("lang, encoding", [("zh-Hans", "gb2312"), ("zh-Hant", "big5")])
def test_each_chinese_is_written_in_its_own_characters(lang, encoding):
    for where, words in all_words(lang):
        assert [c for c in words if "\u4e00" <= c <= "\u9fff" and not _in(c, encoding)] == [], where


def _in(character, encoding):
    try:
        return bool(character.encode(encoding))
    except UnicodeEncodeError:
        return False


@pytest.mark.parametrize("lang", CHINESE)
def test_words_follow_the_glossary(lang):
    entries = [entry for table in text.glossary().values() for entry in table.values()]
    wrong = [word for entry in entries for word in entry.get("avoid", {}).get(lang, ())]
    assert len(wrong) > 10
    for where, words in all_words(lang):
        assert [word for word in wrong if word in words] == [], where


def test_the_glossary_has_three_languages_for_every_word_and_avoids_none_of_its_own():
    for table in text.glossary().values():
        for name, entry in table.items():
            pairs = [entry[kind] for kind in ("story", "real", "word") if kind in entry]
            assert pairs, name
            assert all(set(pair) == set(LANGUAGES) for pair in pairs), name
            assert all(pairs[-1][lang] not in wrong for lang, wrong in entry.get("avoid", {}).items()), name


def test_every_page_field_note_error_ruler_and_tag_has_its_words():
    for page in PAGES:
        for name in page.module.FIELDS:
            assert name == "step" or f"field.{name}" in LABELS
        assert f"group.{page.group}" in LABELS
    for reason in ("number", "range", "choice", "pair", "divisor", "unused", "language"):
        assert f"note.{reason}" in LABELS
    for kind in ("BadProblem", "UnknownName", "DoesNotFit", "TooLarge"):
        assert hasattr(errors, kind) and f"error.{kind}" in LABELS
    for table, names in (("ruler", "paper desk cabinet"), ("tag", "counted computed modelled measured published")):
        for name in names.split():
            assert f"{table}.{name}" in LABELS and f"{table}_meaning.{name}" in LABELS


def test_every_label_named_in_the_program_exists():
    for path in text.HERE.rglob("*.py"):
        for key in re.findall(r'label\(\s*"([a-z_]+(?:\.[\w-]+)+)"', path.read_text(encoding="utf-8")):
            assert key in LABELS, f"{path.name} asks for {key}"


def test_a_missing_word_is_named():
    with pytest.raises(text.MissingWords, match=r"ui.toml has no \[stage.fly\]: nothing called 'fly'"):
        text.label("stage.fly", "en")
    with pytest.raises(text.MissingWords, match=r"needs a value for \{asked\}"):
        text.label("note.language", "en")
    with pytest.raises(text.MissingWords, match="has no section '## nowhere'"):
        text.section("walk", "nowhere", "en")


def test_placeholders_are_filled_outside_formulas_and_code_alone():
    assert text.fill(r"{n} rows, $\frac{n}{d}$, `{n}`", {"n": 8}, "en", "here") == r"8 rows, $\frac{n}{d}$, `{n}`"


@pytest.mark.parametrize("lang, said", [("en", "7, 4, 3"), ("zh-Hans", "7、4、3"), ("zh-Hant", "7、4、3")])
def test_several_things_are_set_apart_as_the_language_does(lang, said):
    assert text.fill("{scores}", {"scores": text.Several((7, 4, 3))}, lang, "here") == said
    assert text.fill("{shape}", {"shape": (2, 16)}, lang, "here") == "(2, 16)"


@pytest.mark.parametrize("tag, lang", [
    ("zh-CN", "zh-Hans"), ("zh", "zh-Hans"), ("zh-SG", "zh-Hans"), ("zh-TW", "zh-Hant"), ("zh-HK", "zh-Hant"),
    ("zh-Hant-CN", "zh-Hant"), ("zh-Hans-HK", "zh-Hans"), ("en-GB", "en"), ("zh_TW", "zh-Hant"),
    ("fr-FR", None), ("", None), (None, None), ("<b>", None),
])
def test_a_browsers_language_finds_ours(tag, lang):
    assert text.language_of(tag) == lang


def test_what_comes_from_an_address_is_made_harmless():
    assert settings.harmless("<script>alert(1)</script>") == "·script·alert·1···script…"
    assert settings.harmless("`**x**`$y$:red[z]") == "···x····y··red·z·"
    assert settings.harmless("") == "·"
