"""Every page, in every language, opens as it should in a real browser."""

import re
from itertools import pairwise
from urllib.parse import parse_qsl, urlsplit

import pytest

from lessons import PAGES, settings, text

PATHS = [page.path for page in PAGES]
LESSONS = {page.path: page.lesson for page in PAGES}
WALK = next(page for page in PAGES if page.path == "walk")


@pytest.mark.parametrize("place, path", tuple(enumerate(PATHS)))
def test_a_page_is_whole_in_every_language_on_any_screen_and_from_the_app_alone(reader, place, path):
    """Opened in one language, which takes turns from page to page, and then turned to the others."""
    asked, languages = [], [*text.LANGUAGES, *text.LANGUAGES][place % 3:][:3]
    reader.page.on("request", lambda request: asked.append(request.url))
    reader.open(f"/{path}?lang={languages[0]}")
    whole(reader, path, languages[0])
    for shown, chosen in pairwise(languages):
        reader.page.get_by_label(text.label("toolbar.language", shown), exact=True).select_option(chosen)
        reader.page.wait_for_url(f"**lang={chosen}**")
        reader.settle()
        whole(reader, path, chosen)
    assert asked and [url for url in asked if not url.startswith((reader.app, "data:", "blob:"))] == []
    assert reader.errors == []


def whole(reader, path, lang):
    """The page is in its language with every word and glyph, nothing went wrong, and a phone need not scroll it."""
    reader.page.set_viewport_size({"width": 1400, "height": 900})
    reader.page.locator(".stHeading h1", has_text=text.title(LESSONS[path], lang)).wait_for()
    assert reader.page.locator(".stHeading h1").inner_text() == text.title(LESSONS[path], lang)
    boxes = ".stException" if path == "call" else ".stException, .stAlert"      # call judges its opening call in boxes
    assert reader.page.locator(boxes).count() == 0
    assert re.findall(r"\{[a-z_]+\}", reader.text()) == []
    assert missing_glyphs(reader) == []
    reader.page.set_viewport_size({"width": 390, "height": 844})
    reader.settle()
    assert reader.page.evaluate("document.querySelector('.stMain').scrollWidth") <= 390


def missing_glyphs(reader):
    """Return the Chinese characters on the page that no font of this machine draws."""
    han = sorted({c for c in reader.text() if "\u4e00" <= c <= "\u9fff"})
    drawn = reader.page.evaluate(_DRAWN, [han, "\uffff"])
    return [c for c, missing in zip(han, drawn, strict=True) if missing]


# Draws each character and a character that no font has; equal pictures mean a missing glyph.
_DRAWN = """([characters, nothing]) => {
  const family = getComputedStyle(document.querySelector(".stHeading h1")).fontFamily;
  const canvas = Object.assign(document.createElement("canvas"), {width: 40, height: 40});
  const pen = canvas.getContext("2d", {willReadFrequently: true});
  const picture = (c) => {
    pen.clearRect(0, 0, 40, 40);
    pen.font = `24px ${family}`;
    pen.fillText(c, 4, 30);
    return pen.getImageData(0, 0, 40, 40).data.join();
  };
  const tofu = picture(nothing), blank = picture(" ");
  return characters.map((c) => [tofu, blank].includes(picture(c)));
}"""


@pytest.mark.parametrize("reader, lang", [({"locale": "zh-TW"}, "zh-Hant"), ({"locale": "zh-CN"}, "zh-Hans"),
                                          ({"locale": "fr-FR"}, "en")], indirect=["reader"])
def test_the_bare_address_opens_the_first_page_in_the_browsers_language(reader, lang):
    reader.open("/")
    assert reader.page.locator(".stHeading h1").inner_text() == text.title(PAGES[0].lesson, lang)
    assert f"lang={lang}" in reader.page.url


def test_the_language_chosen_stays_over_navigation_and_in_the_address(reader):
    reader.open("/walk?lang=en")
    reader.page.get_by_label("Language").select_option("zh-Hant")
    reader.page.wait_for_url("**lang=zh-Hant**")
    reader.settle()
    reader.page.get_by_role("link", name=text.title("card", "zh-Hant")).click()
    reader.page.wait_for_url("**/card?lang=zh-Hant")
    reader.settle()
    assert reader.page.locator(".stHeading h1").inner_text() == text.title("card", "zh-Hant")


def test_one_step_back_is_the_page_before(reader):
    reader.open("/walk?lang=en")
    reader.page.get_by_role("link", name=text.title("count", "en")).click()
    reader.page.wait_for_url("**/count?lang=en")
    reader.settle()
    reader.page.go_back()
    reader.page.wait_for_url("**/walk?lang=en")
    reader.settle()
    assert reader.page.locator(".stHeading h1").inner_text() == text.title("walk", "en")


def people(reader):
    """Return the slider of N on the walk's page."""
    return reader.page.get_by_role("slider", name=text.label("walk.people", "en"))


def test_a_moved_slider_changes_the_address_and_the_address_opens_the_scene(reader):
    reader.open("/walk?lang=en")
    people(reader).press("ArrowRight")
    reader.page.wait_for_url("**n=9**")
    reader.open(reader.page.url.removeprefix(reader.app))
    assert people(reader).input_value() == "9"


def test_a_default_leaves_the_address(reader):
    reader.open("/walk?lang=en&n=9")
    people(reader).press("ArrowLeft")
    reader.page.wait_for_url(lambda url: "n=9" not in url)
    assert "n=8" not in reader.page.url


def test_back_undoes_a_move(reader):
    reader.open("/walk?lang=en")
    people(reader).press("ArrowRight")
    reader.page.wait_for_url("**n=9**")
    reader.page.go_back()
    reader.page.wait_for_url("**/walk?lang=en")
    reader.settle()
    assert people(reader).input_value() == "8"


@pytest.mark.parametrize("query, word", [
    ("n=abc", "abc"), ("n=1000000000", "1000000000"), ("n=-5", "-5"), ("n=", "whole number"), ("lang=tlh", "tlh"),
    ("n=%3Cscript%3Ealert(1)%3C/script%3E", "·script·alert·1"), ("n=**bold**%60x%60", "··bold"),
    ("heads=3", "heads"), ("n=" + "9" * 5000, "99999"),
])
def test_nonsense_in_the_address_opens_a_sensible_scene_with_a_note(reader, query, word):
    reader.open(f"/walk?{query if 'lang' in query else 'lang=en&' + query}")
    note = reader.page.locator(".stAlert")
    assert word in note.inner_text()
    assert note.locator("strong, code, script").count() == 0
    assert settings.read(dict(parse_qsl(urlsplit(reader.page.url).query)), WALK.module.FIELDS)[1] == ()
    assert reader.page.locator(".stException").count() == 0
    assert reader.errors == []


def test_a_note_goes_when_the_reader_moves_on(reader):
    reader.open("/walk?lang=en&n=abc")
    people(reader).press("ArrowRight")
    reader.page.wait_for_url("**n=9**")
    reader.page.wait_for_function("!document.querySelector('.stAlert')")


def test_presenter_mode_shows_the_stage_alone_and_lets_one_out(reader):
    reader.open("/walk?lang=en&present=1")
    assert reader.page.locator(".stHeading, .stSlider").count() == 0
    assert not reader.page.locator(".stSidebar").is_visible()
    leave = reader.page.get_by_role("button", name=text.label("toolbar.leave", "en"))
    assert leave.is_visible()
    leave.click()
    reader.page.wait_for_url(lambda url: "present" not in url)
    reader.page.wait_for_selector(".stHeading h1")
    reader.page.get_by_role("button", name=text.label("toolbar.present", "en")).click()
    reader.page.wait_for_url("**present=1**")
    reader.page.wait_for_function("!document.querySelector('.stHeading')")
    reader.page.keyboard.press("Escape")
    reader.page.wait_for_url(lambda url: "present" not in url)
    assert reader.errors == []


def test_share_shows_a_code_and_the_link_of_the_scene_with_its_step(reader):
    reader.open("/walk?lang=en&n=9")
    reader.page.evaluate("history.replaceState({}, '', location.href + '&step=3')")
    reader.page.get_by_role("button", name=text.label("toolbar.share", "en")).click()
    dialog = reader.page.get_by_role("dialog")
    dialog.locator("svg.segno, .dc-qr svg").first.wait_for()
    assert f"{reader.app}/walk?lang=en&n=9&step=3" in dialog.inner_text()


@pytest.mark.parametrize("reader", [{"viewport": {"width": 390, "height": 844}, "has_touch": True}], indirect=True)
def test_on_a_phone_the_list_of_pages_makes_room_for_the_page_chosen(reader):
    reader.open("/walk?lang=en")
    reader.page.get_by_test_id("stExpandSidebarButton").click()
    reader.page.get_by_role("link", name=text.title("card", "en")).click()
    reader.page.wait_for_url("**/card?lang=en")
    reader.page.get_by_test_id("stExpandSidebarButton").wait_for()
    reader.page.get_by_role("button", name=text.label("toolbar.share", "en")).click(timeout=5000)
    reader.page.get_by_role("dialog").wait_for()
