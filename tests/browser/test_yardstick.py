"""Knobs and bars in a real browser: turned by key and by themselves, held back by questions, gliding to the numbers."""

import re

import pytest

from lessons import text


def knob(reader, name):
    """Return the slider of a picture, named by a label of the catalogue."""
    return reader.page.get_by_role("slider", name=re.compile("^" + re.escape(text.label(name, "en"))))


def answer(reader, question, option):
    """Choose an answer to the n-th question of the page."""
    reader.page.locator(".stRadio").nth(question).get_by_text(option, exact=True).click()
    reader.settle()


def numbers(reader):
    """Return the numbers beside the bars of the first picture."""
    return reader.page.locator(".number").all_inner_texts()


def test_the_table_grows_by_key_and_its_bytes_with_it(reader):
    reader.open("/table?lang=en")
    assert numbers(reader) == ["128 B"]
    knob(reader, "table.people").press("ArrowRight")
    reader.page.wait_for_url("**n=9**")
    reader.page.get_by_text("162 B", exact=True).wait_for()
    assert reader.errors == []


def test_the_knob_is_held_back_until_the_cells_are_guessed_and_then_the_table_grows(reader):
    reader.open("/table?lang=en")
    assert knob(reader, "table.people").get_attribute("aria-valuetext") == "8"
    knob(reader, "table.people").press("End")
    reader.page.wait_for_url("**n=16**")
    answer(reader, 0, "1,024")
    reader.page.wait_for_url("**n=32**")
    reader.page.get_by_text("2.05 kB", exact=True).wait_for()
    knob(reader, "table.people").press("End")
    reader.page.wait_for_url("**n=256**")
    answer(reader, 1, "498")
    knob(reader, "table.people").press("End")
    reader.page.wait_for_url("**n=1048576**")
    assert len(numbers(reader)) == 3


def test_a_link_shows_its_scene_without_a_question(reader):
    reader.open("/table?lang=en&n=4096")
    reader.page.get_by_text("33.6 MB", exact=True).wait_for()
    assert "4,096" in reader.page.locator("svg[role=img]").first.get_attribute("aria-label")


def test_the_square_has_a_line_for_every_cell_and_the_place_that_holds_it(reader):
    reader.open("/table?lang=en")
    reader.page.wait_for_selector(".grid")
    assert reader.page.locator(".grid").get_attribute("d").count("V") == 7
    assert reader.page.locator(".hold").count() == 3 and reader.page.locator(".hold.within").count() == 0
    reader.open("/table?lang=en&n=8192")
    reader.page.wait_for_selector(".hold.within")
    assert reader.page.locator(".grid").count() == 0
    assert reader.page.locator(".hold.within.desk, .hold.within.shelf").count() == 2


def test_the_knob_turns_by_itself_to_its_end_and_can_be_stopped(reader):
    reader.open("/overflow?lang=en")
    button = reader.page.get_by_role("button", name=text.label("yardstick.play", "en"))
    button.click()
    reader.page.wait_for_url("**push=-**")                # from the end it begins again
    reader.page.get_by_role("button", name=text.label("yardstick.pause", "en")).click()
    assert button.is_visible()
    assert reader.errors == []


def test_a_weight_leaves_fp16_and_not_bf16(reader):
    reader.open("/overflow?lang=en")
    answer(reader, 0, "bf16")
    reader.page.wait_for_url("**push=40**")
    reader.page.get_by_text("stuck at 448", exact=True).wait_for()
    assert numbers(reader) == ["stuck at 448", "∞", "2.35 × 10¹⁷", "2.35 × 10¹⁷"]
    assert reader.page.locator(".number.alarm").count() == reader.page.locator(".dot.alarm").count() == 2


def test_bars_glide_and_jump_where_less_motion_is_asked(reader):
    reader.open("/table?lang=en&n=4096")
    part = reader.page.locator(".part").first
    assert "0.35s" in part.evaluate("(node) => getComputedStyle(node).transitionDuration")
    reader.page.emulate_media(reduced_motion="reduce")
    assert part.evaluate("(node) => getComputedStyle(node).transitionDuration") == "0s"


def test_on_a_projected_page_the_arrow_keys_turn_the_knob(reader):
    reader.open("/table?lang=en&present=1&n=1024")
    reader.page.locator(".number").first.wait_for()
    reader.page.keyboard.press("ArrowRight")
    reader.page.wait_for_url("**n=1280**")
    reader.page.keyboard.press("ArrowLeft")
    reader.page.wait_for_url("**n=1024**")


def test_stand_ins_give_way_one_after_the_other(reader):
    reader.open("/masks?lang=en&push=-66000")
    answer(reader, 2, text.label("masks.fails.low", "en"))
    reader.page.get_by_text(text.label("masks.program", "en"), exact=True).first.wait_for()
    assert reader.page.locator(".number.alarm").count() == 2
    assert reader.errors == []


def test_another_scene_of_the_scriptorium_opens_at_its_beginning(reader):
    reader.open("/scriptorium?lang=en&step=5")
    reader.page.locator(".dc-counter").get_by_text("5 / 25").wait_for()
    reader.page.get_by_test_id("stButtonGroup").get_by_text(text.label("scriptorium.scenes.batches", "en")).click()
    reader.page.wait_for_url("**scene=batches**")
    reader.page.locator(".dc-counter").get_by_text("0 / 40").wait_for()
    assert "step=" not in reader.page.url
    reader.page.locator(".dc-stage").press("ArrowRight")
    reader.page.wait_for_url("**step=1**")
    assert reader.errors == []


def test_the_fourth_slip_waits_under_the_lamp_until_the_question_is_answered(reader):
    reader.open("/scriptorium?lang=en&scene=lamp")
    reader.page.locator(".dc-counter").get_by_text("0 / 3").wait_for()
    reader.page.locator(".dc-stage").press("End")
    reader.page.locator(".dc-counter").get_by_text("3 / 3").wait_for()
    answer(reader, 0, text.label("scriptorium.fourth.factor", "en"))
    reader.page.locator(".dc-counter").get_by_text(re.compile("/ 5$")).wait_for()
    assert reader.page.locator(".dc-handle").count() == 0              # the slips are looked at here, not dragged
    assert reader.errors == []


@pytest.mark.parametrize("reader", [{"viewport": {"width": 390, "height": 844}, "has_touch": True}], indirect=True)
def test_on_a_phone_every_bar_has_the_whole_width(reader):
    reader.open("/scriptorium?lang=en&scene=trial&alike=1")
    answer(reader, 0, text.label("scriptorium.unit.two", "en"))
    track = reader.page.locator(".track").first
    track.wait_for()
    assert track.bounding_box()["width"] > 340
    assert reader.page.evaluate("document.querySelector('.stMain').scrollWidth") <= 390
