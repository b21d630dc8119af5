"""The words of the house in a page's prose lead to the glossary, and break nothing on the way."""

import re

import pytest

from lessons import PAGES, links, text
from lessons.glossary import entries

LINK = re.compile(r"\[([^\]]*)\]\(glossary\?term=(\w+)&lang=([\w-]+)\)")
LESSONS = [page.lesson for page in PAGES]


def marked(words, lang="en"):
    """A text with every term still waiting for its first place."""
    return links._marked(words, dict(text.glossary()["term"]), lang)


def test_a_word_is_linked_where_it_first_stands_and_only_there():
    assert marked("The desk is small. A desk is near.") == (
        "The [desk](glossary?term=sram&lang=en) is small. A desk is near.")
    assert marked("SRAM is the desk") == "[SRAM](glossary?term=sram&lang=en) is the desk"


def test_a_part_of_a_word_is_left_alone_in_latin_and_found_in_chinese():
    assert marked("desktop and stokens") == "desktop and stokens"
    assert marked("这位工人很快", "zh-Hans") == "这位[工人](glossary?term=compute_unit&lang=zh-Hans)很快"
    assert marked("用L2快取", "zh-Hant") == "用[L2](glossary?term=l2&lang=zh-Hant)快取"


@pytest.mark.parametrize("kept", ["`desk`", "$desk$", "{desk}", "# desk", "**desk**", "*the desk*", "[desk](walk)"])
def test_code_formulas_placeholders_headings_links_and_emphasis_stay_as_they_are(kept):
    assert marked(f"{kept}\ncabinet") == f"{kept}\n[cabinet](glossary?term=hbm&lang=en)"


@pytest.mark.parametrize("lang", text.LANGUAGES)
@pytest.mark.parametrize("lesson", LESSONS)
def test_without_its_links_a_page_says_what_it_said_and_each_term_has_one(lesson, lang):
    found = links._linked(lesson, lang)
    assert {name: LINK.sub(r"\1", words) for name, words in found.items()} == text.sections(lesson, lang)
    terms = [match[2] for words in found.values() for match in LINK.finditer(words)]
    assert len(terms) == len(set(terms)) and set(terms) <= set(text.glossary()["term"])


@pytest.mark.parametrize("lang", text.LANGUAGES)
def test_the_walk_leads_to_its_worker_and_its_cabinet(lang):
    terms = {match[2] for words in links._linked("walk", lang).values() for match in LINK.finditer(words)}
    assert {"compute_unit", "hbm"} <= terms


def test_every_term_has_one_line_forms_to_link_and_a_page_in_three_languages():
    for name, entry in text.glossary()["term"].items():
        for kind in ("story", "real", "meaning", "linked"):
            assert set(entry[kind]) == set(text.LANGUAGES) and all(entry[kind].values()), (name, kind)
        assert not [words for words in entry["meaning"].values() if re.search(r"\d", words)]
        assert not [word for lang, wrong in entry.get("avoid", {}).items() for word in wrong
                    if word in entry["meaning"][lang]]
    assert {entry["page"] for entry in text.glossary()["term"].values()} <= {page.path for page in PAGES}


def test_no_form_leads_to_two_terms():
    for lang in text.LANGUAGES:
        forms = [form.lower() for entry in text.glossary()["term"].values() for form in entry["linked"][lang]]
        assert len(forms) == len(set(forms))


def test_the_glossary_is_searched_in_any_language():
    assert entries.matching("檔案櫃") == entries.matching("cabinet") == ("hbm",)
    assert entries.matching("nothing of the kind") == () and len(entries.matching("")) == len(text.glossary()["term"])
    assert {"en": "cache", "zh-Hans": "缓存", "zh-Hant": "快取"} in entries.words("快取")
