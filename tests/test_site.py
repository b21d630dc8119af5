"""The take-home set: pages that weigh little, ask nobody for anything, and hold the scenes the app shows."""

import json
import re

import pytest

from lessons import settings, site, text
from lessons.__main__ import answer_to
from lessons.views import stage
from lessons.views.stage import alone
from simulator.errors import BadCommand, BadProblem

HEAVIEST = 500_000                      # bytes of a page
FILES = site.files()
PAGES = {name: page for name, page in FILES.items() if name != "index.html"}


def scene_of(page):
    """The scene that a page holds."""
    return json.loads(re.search(r'id="scene">(.*?)</script>', page, re.DOTALL)[1])


def test_every_scene_stands_in_three_languages_under_a_name_of_its_own():
    assert len(PAGES) == len(site.SCENES) * len(text.LANGUAGES)
    names = {lang: {name.split("/")[1] for name in PAGES if name.startswith(f"{lang}/")} for lang in text.LANGUAGES}
    assert names["en"] == names["zh-Hans"] == names["zh-Hant"]


def test_every_scene_is_set_as_it_is_written():
    for scene in site.SCENES:
        _, notes = settings.read(dict(scene.query), scene.page.module.FIELDS)
        assert notes == (), scene


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_light_and_asks_nobody_for_anything(name):
    page = PAGES[name]
    assert len(page.encode()) < HEAVIEST
    assert "default-src 'none'" in page and not re.search(r'(?:src|href)="|url\((?![#"])|@import|\bfetch\(', page)
    assert page.count("</script>") == 2 and f'lang="{name.split("/")[0]}"' in page


@pytest.mark.parametrize("name", PAGES)
def test_a_page_holds_its_scene_with_tallies_that_equal_the_log(name):
    told = scene_of(PAGES[name])
    assert told["lang"] == name.split("/")[0] and not told["present"] and told["caption"]
    for worker in (one for one in told["workers"] if "events" in one):
        events, carried = worker["events"], 0
        for op, count in zip(events["op"], events["bytes"], strict=True):
            carried += count if op in ("load", "store") else 0
        assert carried == sum(total["read"] + total["write"] for total in worker["totals"].values())


def test_the_card_to_take_home_holds_every_step_of_its_people():
    four, eight = (scene_of(FILES[f"en/running-card-n{people}.html"]) for people in (4, 8))
    assert [step["texts"]["m"] for step in four["steps"][1:]] == ["7", "7", "7", "9"] and four["until"] is None
    assert [step["people"] for step in eight["steps"][1:]] == [[0, 4], [4, 8]]


def test_the_index_leads_to_every_page_and_nowhere_else():
    links = re.findall(r'href="([^"]+)"', FILES["index.html"])
    assert sorted(links) == sorted(PAGES)
    assert all(f'<section lang="{lang}">' in FILES["index.html"] for lang in text.LANGUAGES)


def test_a_scene_cannot_end_its_own_script():
    told = json.loads(site.SCENES[0].text("en")) | {"caption": "</script><b>&"}
    page = alone.page(json.dumps(told))
    assert scene_of(page)["caption"] == "</script><b>&" and "<b>" not in page


def test_python_assembles_a_page_as_the_browser_does():
    written = (stage._HERE / "export.js").read_text(encoding="utf-8")
    assert alone.POLICY in written and alone.GROUND in written
    assert stage.script().startswith(stage.boot()) and stage.boot().startswith("function boot(css)")


def test_the_command_writes_the_set_and_says_where(tmp_path):
    (said,) = answer_to(["export-site", str(tmp_path / "home")])
    assert said.startswith(f"{tmp_path / 'home' / 'index.html'}: {len(FILES)} files")
    home = tmp_path / "home"
    assert {path.relative_to(home).as_posix() for path in home.rglob("*.html")} == set(FILES)


@pytest.mark.parametrize("asked, error", [
    (["/dev/null/home"], BadProblem), ([""], BadProblem),
    ([], BadCommand), (["a", "b"], BadCommand), (["a", "--lang", "en"], BadCommand),
])
def test_a_mistake_is_told_in_one_line(asked, error):
    with pytest.raises(error) as told:
        list(answer_to(["export-site", *asked]))
    assert "\n" not in str(told.value)
