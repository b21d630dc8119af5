"""The take-home pages open from the file system, play, and ask nobody for anything."""

import json
import re

import pytest

from lessons import site, text


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The whole set, written."""
    home = tmp_path_factory.mktemp("home")
    for name, page in site.files().items():
        (home / name).parent.mkdir(exist_ok=True)
        (home / name).write_text(page, encoding="utf-8")
    return home


@pytest.fixture
def opened(browser, folder):
    """Opens a page of the set and keeps every request and error."""
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    page = context.new_page()
    page.asked, page.errors = [], []
    page.on("request", lambda request: page.asked.append(request.url))
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.on("console", lambda said: page.errors.append(said.text) if said.type == "error" else None)

    def go(name):
        page.goto((folder / name).as_uri())
        return page

    yield go
    context.close()


@pytest.mark.parametrize("lang", text.LANGUAGES)
def test_from_the_index_every_scene_opens_and_steps_without_a_request(opened, lang):
    page = opened("index.html")
    links = page.locator(f'section[lang="{lang}"] a').evaluate_all("all => all.map((one) => one.href)")
    assert len(links) == len(site.SCENES)
    for link in links:
        page.asked.clear()
        page.goto(link)
        page.wait_for_selector(".dc-counter")
        page.keyboard.press("End")
        page.wait_for_timeout(100)
        done, all_steps = re.findall(r"\d+", page.locator(".dc-counter").inner_text())[:2]
        assert done == all_steps != "0"
        assert [url for url in page.asked if not url.startswith(("file:", "data:", "blob:"))] == []
        assert sum(url.startswith("file:") for url in page.asked) == 1
    assert page.errors == []


def test_a_page_saves_itself_as_it_is(opened, folder):
    name = min(path.relative_to(folder) for path in folder.glob("en/walk*.html"))
    page = opened(name)
    page.wait_for_selector(".dc-counter")
    with page.expect_download() as waiting:
        page.locator(".dc-save", has_text="HTML").click()
    saved = waiting.value.path().read_text(encoding="utf-8")
    written = (folder / name).read_text(encoding="utf-8")

    def parts(page):
        before, scene, after = re.fullmatch(r'(.*?id="scene">)(.*?)(</script>.*)', page, re.DOTALL).groups()
        return before, json.loads(scene), re.sub(r"\\u[\da-f]{4}", "", after)

    assert parts(saved)[:2] == parts(written)[:2]
