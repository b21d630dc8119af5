"""The page of sources: each has a title, a writer, an address and a reason to read it."""

from urllib.parse import urlsplit

from lessons import text
from lessons.about import page


def test_every_source_is_complete_and_says_in_each_language_why_to_read_it():
    assert len(page.sources()) >= 9
    for name, source in page.sources().items():
        assert set(source) == {"title", "by", "url"}
        assert urlsplit(source["url"]).scheme == "https" and urlsplit(source["url"]).hostname
        assert all(text.section("about", name, lang).strip() for lang in text.LANGUAGES)


def test_the_version_is_that_of_the_project():
    assert f'version = "{page.version()}"' in page.PROJECT.read_text(encoding="utf-8")
