"""The page of real kernels in a browser: a guess first, then what was recorded; two listings side by side."""

import re

import pytest

from lessons import measured, text
from lessons.gpu import facts, speed, twins

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
recorded = pytest.mark.skipif(not measured.benches(), reason="no timings are recorded in kernels/measurements")


def guess(reader, d=128):
    """Answer the question about the two blocks, rightly."""
    _, right, _ = facts.blocks(measured.benches()[0], d)
    reader.page.locator(".stRadio").get_by_text(right, exact=True).click()
    reader.settle()


def sides(reader):
    """Return the boxes of the left and the right line of every pair, all taken at one moment."""
    return reader.page.locator(".dc-pair.dc-same").evaluate_all(
        """pairs => pairs.map(pair => ["left", "right"].map(
            side => pair.querySelector(`.dc-${side}`).getBoundingClientRect().toJSON()))""")


def climb(reader, step="flash_attention_2", lang="en"):
    """Answer the question about the ladder."""
    reader.page.locator(".stRadio").get_by_text(text.label(f"gpu.rung.{step}", lang), exact=True).click()
    reader.settle()


@recorded
def test_the_ladder_is_shown_once_a_step_has_been_chosen(reader):
    reader.open("/gpu?lang=en")
    assert reader.page.locator(".dc-beside").count() == 0
    climb(reader, "flash_attention_3")
    groups = reader.page.locator(".dc-beside section")
    assert [groups.nth(k).locator(".dc-tag").inner_text() for k in range(groups.count())][:3] == [
        "measured", "computed", "computed"]
    assert groups.first.locator(".dc-length").count() == 5
    assert text.label("gpu.faster.waiting", "en") in reader.text() and reader.errors == []


def foot(page, name):
    """The lower edge of the first element with this selector, once it is drawn, in pixels from the top of the wall."""
    page.locator(name).first.wait_for()
    return page.locator(name).first.evaluate("one => one.getBoundingClientRect().bottom")


@recorded
@pytest.mark.parametrize("width, height", [(1920, 1080), (1280, 720)])
@pytest.mark.parametrize("lang", text.LANGUAGES)
def test_every_picture_fits_the_wall_with_its_caption(browser, app, lang, width, height):
    page = browser.new_page(viewport={"width": width, "height": height})
    feet = {}
    for scene, name in (("ladder", ".dc-beside figcaption"), ("rates", ".chart figcaption"), ("ideas", ".dc-table")):
        page.goto(f"{app}/gpu?lang={lang}&present=1&scene={scene}")
        if scene == "rates":
            page.locator(".chart .curve").first.wait_for()
        feet[scene] = foot(page, name)
    page.close()
    assert all(0.5 * height < low <= height for low in feet.values()), feet


@recorded
def test_the_chosen_picture_is_in_the_address_and_opens_from_it(reader):
    reader.open("/gpu?lang=zh-Hant&present=1")
    assert reader.page.locator(".dc-beside").count() == 1
    reader.page.get_by_text(text.label("gpu.scenes.rates", "zh-Hant"), exact=True).click()
    reader.page.wait_for_url("**scene=rates**")
    reader.page.locator(".chart .curve").first.wait_for()
    reader.open("/gpu?lang=zh-Hant&present=1&scene=ideas")
    assert reader.page.locator(".dc-table caption").count() == 1 and reader.errors == []


@recorded
def test_where_two_steps_are_too_close_to_tell_the_ladder_is_shown_unasked(reader):
    reader.open("/gpu?lang=en&d=64&causal=1&n=1024")
    assert reader.page.locator(".dc-beside").count() == 1
    assert text.label("gpu.most.near", "en", spread="3\u00a0%") in reader.text() and reader.errors == []


@recorded
def test_readers_are_explained_above_what_each_idea_bought(reader):
    """At d = 64 and N = 4,096 no question about v3 comes first."""
    reader.open("/gpu?lang=en&d=64")
    climb(reader)
    said = reader.text()
    assert said.index("form readers") < said.index(text.label("gpu.ideas.readers", "en"))
    assert "3 at d = 64" in said.replace("\u00a0", " ")


@recorded
def test_no_rate_is_shown_before_a_guess(reader):
    reader.open("/gpu?lang=en")
    assert reader.page.locator(".dc-length").count() == 0 and reader.page.locator(".chart").count() == 0
    guess(reader)
    bench = measured.benches()[0]
    swept = [speed.shapes(bench, name, 128) for name in speed.OURS]
    assert reader.page.locator(".dc-length").count() == sum(map(len, swept))
    reader.page.locator(".chart .curve").first.wait_for()
    drawn = speed.chart(bench, 128, False, "tflops", "en", "")
    assert reader.page.locator(".chart .curve").count() == len(drawn.series)
    assert bench.record.date in reader.page.locator(".chart figcaption").inner_text()
    assert reader.errors == []


@recorded
@pytest.mark.parametrize("query, lang", [("d=64", "zh-Hans"), ("causal=1&measure=ms", "zh-Hant")])
def test_every_setting_answers(reader, lang, query):
    reader.open(f"/gpu?lang={lang}&{query}")
    guess(reader, 64 if "d=64" in query else 128)
    assert reader.page.locator(".chart .curve").count() > 4
    assert reader.page.locator(".stException").count() == 0 and reader.errors == []


@pytest.mark.parametrize("algorithm", twins.MIRRORS)
def test_lines_that_do_the_same_stand_in_one_row(reader, algorithm):
    reader.open(f"/gpu?lang=en&algorithm={algorithm}")
    pairs = reader.page.locator(".dc-pair.dc-same").all()
    assert len(pairs) == sum(1 for pair in twins.twins(algorithm) if pair.left and pair.right)
    for left, right in sides(reader)[:8]:
        assert left["y"] == right["y"] and left["x"] + left["width"] <= right["x"] + 1
    shown, name = reader.page.locator(".dc-twins").inner_text(), twins.MIRRORS[algorithm]
    assert f"simulator/algorithms/{name}.py" in shown and f"kernels/{name}.py" in shown


def test_the_compiled_kernels_stand_beside_the_simulators_footprint(reader):
    reader.open("/gpu?lang=en&d=128")
    table = reader.page.locator(".dc-table").last.inner_text()
    assert {"sm_80", "sm_90", "sm_100", "sm_120"} <= set(re.findall(r"sm_\d+", table))
    assert "wgmma" in table and text.label("gpu.why.q_in_hands", "en") in table


@pytest.mark.parametrize("reader", [PHONE], indirect=True)
def test_on_a_phone_nothing_reaches_over_the_edge(reader):
    reader.open("/gpu?lang=zh-Hans")
    assert reader.page.evaluate("document.documentElement.scrollWidth") <= 390
    left, right = sides(reader)[0]
    assert right["y"] >= left["y"] + left["height"] - 1      # one above the other
