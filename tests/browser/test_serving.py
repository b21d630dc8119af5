"""One word at a time and its neighbours in a browser: workers light up, pages fill, slots are taken, a row is dealt."""

import pytest

from lessons import text
from tests.browser.test_accessibility import broken, reveal

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
SCENES = [("decode", name) for name in ("row", "floor", "phases", "cache")] + [
    ("neighbours", name) for name in ("pages", "slots")]


def cells(reader, look):
    """How many cells of the fields on the page have a look."""
    return reader.page.locator(f".cells .{look}").count()


def knob(reader):
    """The slider of the picture on the page."""
    return reader.page.locator(".knob input")


@pytest.mark.parametrize("path, scene", SCENES)
@pytest.mark.parametrize("reader", [{"color_scheme": "light"}, {"color_scheme": "dark"} | PHONE], indirect=True)
def test_no_rule_is_broken_in_any_scene_and_nothing_is_wider_than_the_screen(reader, path, scene):
    reader.open(f"/{path}?lang=en&scene={scene}")
    reveal(reader)
    assert broken(reader.page) == {}
    assert reader.page.evaluate("document.querySelector('.stMain').scrollWidth <= innerWidth")
    assert reader.errors == []


def test_every_split_lights_more_workers_and_the_address_follows(reader):
    reader.open("/decode?lang=en&scene=floor")
    reveal(reader)
    assert (cells(reader, "full"), cells(reader, "outline")) == (8, 124)
    knob(reader).press("ArrowRight")
    reader.page.wait_for_url("**splits=2**")
    reader.settle()
    assert cells(reader, "full") == 16
    knob(reader).press("End")
    reader.page.wait_for_url("**splits=256**")
    reader.settle()
    assert cells(reader, "full") == 132


def test_on_a_projected_page_the_arrow_keys_turn_the_knob(reader):
    reader.open("/decode?lang=en&scene=floor&present=1")
    reader.page.keyboard.press("ArrowRight")
    reader.page.wait_for_url("**splits=2**")


def test_a_memory_fills_step_by_step(reader):
    reader.open("/neighbours?lang=en&scene=pages")
    reveal(reader)
    before = cells(reader, "full")
    knob(reader).press("ArrowRight")
    reader.page.wait_for_url("**tick=2**")
    reader.settle()
    assert cells(reader, "full") > before
    assert cells(reader, "full") + cells(reader, "outline") + cells(reader, "empty") == 2 * 4 * 64


@pytest.mark.parametrize("reader", [{"viewport": {"width": 1400, "height": 800}}], indirect=True)
@pytest.mark.parametrize("address", ["decode?scene=floor", "neighbours?scene=pages&tick=5",
                                     "neighbours?scene=pages&slots=8&longest=128", "neighbours?scene=slots&tick=20"])
def test_a_projected_picture_needs_no_scrolling(reader, address):
    reader.open(f"/{address}&lang=en&present=1")
    bottom = reader.page.locator(".yard").evaluate("one => one.getBoundingClientRect().bottom")
    assert bottom <= 800


@pytest.mark.parametrize("reader", [{"viewport": {"width": 1280, "height": 720}}], indirect=True)
@pytest.mark.parametrize("address", ["decode?scene=phases", "decode?scene=cache", "backward?scene=curve", "beyond?",
                                     "count?"])
def test_a_projected_chart_needs_no_scrolling(reader, address):
    reader.open(f"/{address}&lang=en&present=1")
    captions = reader.page.locator("figcaption")
    assert 0 < captions.last.evaluate("one => one.getBoundingClientRect().bottom") <= 720
    assert reader.page.get_by_test_id("stMain").evaluate("one => one.scrollHeight") <= 720


@pytest.mark.parametrize("reader", [{"viewport": {"width": 1400, "height": 1000}}], indirect=True)
def test_a_table_of_ten_columns_is_not_cut(reader):
    reader.open("/beyond?lang=en")
    for question in (0, 1):                               # what stands before the table
        reader.page.get_by_test_id("stRadio").nth(question).locator("label").last.click()
        reader.settle()
    tables = reader.page.locator(".dc-scroll")
    assert tables.count() == 2
    assert tables.evaluate_all("all => all.every((one) => one.scrollWidth <= one.clientWidth)")


def test_four_names_are_given_by_hand(reader):
    reader.open("/neighbours?lang=en")
    right = text.label("predict.right", "en")
    for problem, name in (("paged", "paged"), ("flash", "flash"), ("kv_cache", "kv_cache"), ("batching", "batching")):
        assert right not in reader.text()
        group = reader.page.get_by_role("radiogroup", name=text.label(f"neighbours.problem_{problem}", "en"))
        group.get_by_text(text.label(f"neighbours.name_{name}", "en"), exact=True).click()
        reader.settle()
    assert reader.text().count(right) == 4
    assert broken(reader.page) == {}


def test_a_dealt_row_plays_to_its_end_with_the_counted_bytes(reader):
    reader.open("/decode?lang=en&splits=4&step=99999")
    tally = reader.page.locator("[data-tally='O_partial read'], [data-tally='O_partial written']")
    assert tally.all_text_contents() == ["128", "128"]      # 4 parts of 8 numbers in fp32
    assert reader.page.locator("[data-state=skipped]").count() == 4 * 8 - 8
