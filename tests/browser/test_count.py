"""The counting page in a browser: the question first, then the lines; values read out; files that open."""

import csv
import io
import json
from itertools import cycle

import pytest

from lessons import settings, text
from lessons.count.bills import bill
from lessons.count.page import FIELDS, QUESTIONS

CHART = ".stBidiComponent .chart"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


def words(key, lang="en"):
    """A label of the catalogue."""
    return text.label_or(key, lang, key.rpartition(".")[2])


def answer(reader, vary="n", lang="en"):
    """Answer every question of a tab rightly."""
    for number, question in enumerate(QUESTIONS[vary]):
        asked = reader.page.get_by_role("radiogroup", name=words(f"count.{question.name}.ask", lang))
        asked.get_by_text(words(f"count.{question.name}.{question.right}", lang), exact=True).click()
        reader.page.locator(".stMarkdown strong", has_text=words("predict.right", lang)).nth(number).wait_for()
        reader.settle()
    return reader


def points(reader):
    """How many markers each line of the chart has, by the line's name."""
    return reader.page.locator(CHART).evaluate("""chart => Object.fromEntries(
        [...chart.querySelectorAll('.curve')].map(c => [c.dataset.series, c.querySelectorAll('.marker').length]))""")


def wanted(**query):
    """The chart that the page draws for a query."""
    return bill(settings.read(query, FIELDS)[0], "en", "").chart


def test_the_lines_begin_at_the_question_and_go_on_at_the_answer(reader):
    reader.open("/count?lang=en")
    assert points(reader) == {"standard-desk": 1, "flash1-desk": 1, "flash2-desk": 1, "bound": 0, "floor": 0}
    assert reader.page.get_by_role("button", name="PNG").count() == 0
    answer(reader)
    assert points(reader) == {"standard-desk": 6, "flash1-desk": 6, "flash2-desk": 6, "bound": 0, "floor": 0}
    assert reader.page.locator(f"{CHART} .rise text").all_text_contents()[:2] == ["×2", "×3.97"]
    assert reader.errors == []


@pytest.mark.parametrize("vary, lang", tuple(zip(QUESTIONS, cycle(text.LANGUAGES), strict=False)))
def test_every_tab_answers_without_an_error(reader, vary, lang):
    reader.open(f"/count?lang={lang}&vary={vary}")
    answer(reader, vary, lang)
    assert reader.page.locator(f"{CHART} .curve").count() == len(wanted(vary=vary).series)
    assert reader.page.locator(".stException").count() == 0 and reader.errors == []


def test_the_table_holds_the_numbers_of_the_closed_form(reader):
    answer(reader.open("/count?lang=en&vary=br"), "br")
    cells = reader.page.locator(f"{CHART} tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))")
    made = wanted(vary="br")
    assert cells == [[f"{x:,}", *(f"{line.values[k]:,} B" for line in made.series)] for k, x in enumerate(made.xs)]


def test_the_keys_read_out_every_value_of_the_chart(reader):
    answer(reader.open("/count?lang=en"))
    slider = reader.page.get_by_role("slider", name=words("chart.read"))
    slider.focus()
    for key in ("End", "ArrowLeft"):
        slider.press(key)
    said = slider.get_attribute("aria-valuetext")
    made = wanted()
    assert said.startswith("Sequence length N 8,192: ")
    assert all(f"{line.label} {line.values[4]:,} B" in said for line in made.series)
    assert reader.page.locator(f"{CHART} .tip").is_visible()
    slider.press("Escape")
    assert reader.page.locator(f"{CHART} .tip").is_hidden()


def test_the_pointer_reads_the_nearest_values_and_the_legend_hides_a_line(reader):
    answer(reader.open("/count?lang=en"))
    box = reader.page.locator(f"{CHART} .base").bounding_box()
    reader.page.mouse.move(box["x"] + box["width"] * 0.41, box["y"] - 40)
    assert reader.page.locator(f"{CHART} .tip b").inner_text() == "Sequence length N = 2,048"
    standard = reader.page.locator(f"{CHART} .legend button").first
    standard.click()
    assert standard.get_attribute("aria-pressed") == "false"
    assert "standard-desk" not in points(reader)


def test_a_moved_slider_moves_the_lines_and_the_address(reader):
    answer(reader.open("/count?lang=en"))
    reader.page.get_by_role("slider", name=words("field.d")).press("ArrowRight")
    reader.page.wait_for_url("**/count?*d=256*")
    reader.settle()
    assert reader.page.locator(f"{CHART} tbody tr").last.locator("td").first.inner_text() == (
        f"{wanted(d='256').series[0].values[-1]:,} B")


@pytest.mark.parametrize("kind, begins", [("PNG", b"\x89PNG"), ("SVG", b"<?xml"), ("PDF", b"%PDF")])
def test_a_picture_is_handed_out_under_a_name_that_says_what_is_inside(reader, tmp_path, kind, begins):
    answer(reader.open("/count?lang=zh-Hant"), lang="zh-Hant")
    with reader.page.expect_download() as caught:
        reader.page.get_by_role("button", name=kind, exact=True).click()
    assert caught.value.suggested_filename == (
        f"standard-vs-flash1-vs-flash2-n512-16384-d128-b64-fp16.{kind.lower()}")
    caught.value.save_as(tmp_path / "file")
    assert (tmp_path / "file").read_bytes().startswith(begins)


def test_the_numbers_are_handed_out_as_csv_and_json(reader, tmp_path):
    answer(reader.open("/count?lang=en&vary=m&n=16384"), "m")
    files = {}
    for kind in ("CSV", "JSON"):
        with reader.page.expect_download() as caught:
            reader.page.get_by_role("button", name=kind, exact=True).click()
        caught.value.save_as(tmp_path / kind)
        files[kind] = (tmp_path / kind).read_text(encoding="utf-8-sig")
    made = wanted(vary="m", n="16384")
    rows = list(csv.DictReader(io.StringIO(files["CSV"])))
    assert [int(row[made.y.label]) for row in rows] == [value for line in made.series for value in line.values]
    assert [one["values"] for one in json.loads(files["JSON"])["series"]] == [list(line.values) for line in made.series]


def test_presenter_mode_draws_the_whole_chart_and_asks_nothing(reader):
    reader.open("/count?lang=en&present=1")
    assert set(points(reader).values()) == {6, 0}
    assert reader.page.get_by_role("radio").count() == 0


@pytest.mark.parametrize("reader", [PHONE], indirect=True)
@pytest.mark.parametrize("lang", text.LANGUAGES)
def test_a_phone_shows_the_chart_within_its_width(reader, lang):
    answer(reader.open(f"/count?lang={lang}&ruler=both"), lang=lang)
    right = reader.page.locator(CHART).evaluate("""chart => Math.max(
        ...[...chart.querySelectorAll('.plot text, .plot path, .legend button')]
            .map(e => e.getBoundingClientRect().right))""")
    assert right <= 390
    assert reader.page.evaluate("document.documentElement.scrollWidth") <= 390
