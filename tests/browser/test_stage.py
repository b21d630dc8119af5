"""The stage in a real browser: what it shows is what the simulator counted, and it is played by hand, key and clock."""

import json
import re
import struct
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from lessons import scene
from lessons.story import small_desk
from lessons.views import stage as the_stage
from simulator import Problem, Tiling, simulate

EIGHT, FOUR = Problem(n=8, d=8), Tiling(br=4, bc=4)
SVG = "{http://www.w3.org/2000/svg}"
# The stage stands in a shadow of its own, which a page's selectors do not enter.
IN_STAGE = """css => [...document.querySelectorAll('*')].map(e => e.shadowRoot?.querySelector(css))
    .find(Boolean)?.textContent"""
TILES = "t => [...t.querySelectorAll('[data-tile]')].map(e => [e.dataset.tile, e.dataset.state])"


@pytest.fixture
def open_stage(reader):
    """A function that opens an address and returns its stage, drawn and at rest."""
    def opened(address):
        reader.open(address)
        reader.page.wait_for_selector(".dc-base .dc-table", state="attached")
        reader.page.wait_for_function("document.fonts.status === 'loaded'")
        return OnPage(reader)
    yield opened
    assert reader.errors == []


class OnPage:
    """A stage on a page, as a reader sees and touches it."""

    def __init__(self, reader):
        self.page = reader.page

    def step(self):
        return int(self.page.locator(".dc-counter").inner_text().split("/")[0])

    def steps(self):
        return int(self.page.locator(".dc-counter").inner_text().split("/")[1])

    def press(self, key):
        self.page.locator(".dc-stage").focus()
        self.page.keyboard.press(key)

    def wait_for_step(self, step):
        self.page.wait_for_function(f"step => parseInt(({IN_STAGE})('.dc-counter')) === step", arg=step)

    def number(self, mark):
        text = self.page.locator(f'[data-tally="{mark}"]').first.text_content()
        return int(text.replace(",", ""))

    def tiles(self, worker=0):
        table = self.page.locator(".dc-base .dc-table").nth(worker)
        return dict(table.evaluate(TILES))

    def words(self):
        return " ".join(self.page.locator(".dc-base .dc-caption").all_text_contents())

    def query(self, name):
        return self.page.evaluate("name => new URL(location.href).searchParams.get(name)", name)


def executed(algorithm):
    return simulate(EIGHT, FOUR, small_desk(EIGHT, FOUR), algorithm)


# What is shown is what was counted.


def test_at_the_end_the_tallies_equal_the_ledger_of_the_run(open_stage):
    stage = open_stage("/walk?step=100000")
    assert stage.step() == stage.steps()
    for name, traffic in executed("standard").cost.desk.by_tensor.items():
        assert stage.number(f"{name} read") == traffic.read
        assert stage.number(f"{name} written") == traffic.write


def test_standard_attention_carries_its_whole_table_four_times(open_stage):
    stage = open_stage("/walk?lang=en&step=100000")
    shown = stage.page.locator(".dc-base").text_content()
    assert "Whole table carried: 4 ×" in shown and "256 table numbers" in shown


def test_nothing_has_moved_at_step_0(open_stage):
    stage = open_stage("/walk")
    assert stage.step() == 0
    assert set(stage.tiles().values()) == {"none"}
    assert stage.number("Q read") == 0


def test_standard_files_every_tile_and_the_tiled_way_throws_every_tile_away(open_stage):
    stage = open_stage("/side-by-side?step=100000")
    assert set(stage.tiles(0).values()) == {"cabinet"}
    assert set(stage.tiles(1).values()) == {"thrown"}


def test_a_piece_rests_on_the_desk_until_the_worker_sets_out_again(open_stage):
    stage = open_stage("/side-by-side?step=3")                # Q and the blank card, K and V, then the piece itself
    assert stage.tiles(1) == {"0,0": "desk", "0,1": "none", "1,0": "none", "1,1": "none"}
    stage.press("ArrowRight")
    stage.wait_for_step(4)
    assert stage.tiles(1)["0,0"] == "thrown"


def test_tiles_that_a_causal_mask_hides_are_skipped_from_the_beginning(open_stage):
    stage = open_stage("/workbench?n=256&br=64&bc=64&causal=true")
    skipped = {tile for tile, state in stage.tiles().items() if state == "skipped"}
    assert skipped == {"0,1", "0,2", "0,3", "1,2", "1,3", "2,3"}


def test_the_lit_line_is_the_line_of_the_program_that_ran(open_stage):
    stage = open_stage("/walk?step=1")
    run = executed("standard")
    loads = [event.line for event in run.events if event.op == "load"]
    lit = stage.page.locator(".dc-lit")
    assert lit.count() == 1
    # Alignment before a comment is the page's own; the code is the file's.
    assert lit.text_content().split("#")[0].strip() == run.program.lines[loads[0] - 1].split("#")[0].strip()


def test_the_card_of_the_chosen_row_shows_the_numbers_of_the_run(open_stage):
    stage = open_stage("/side-by-side?step=100000")
    stage.press("ArrowDown")
    run = simulate(EIGHT, FOUR, small_desk(EIGHT, FOUR), "flash2", values=True)
    maxima = [event.values for event in run.events if event.tensor == "m" and event.op == "compute" and event.i == 0]
    shown = stage.page.locator('[data-card="m"]').text_content().replace("−", "-")
    assert float(shown) == pytest.approx(maxima[-1][1, 0], abs=0.005)   # two decimals are shown


# It is played by hand, key and clock.


def test_keys_step_forward_back_to_the_beginning_and_to_the_end(open_stage):
    stage = open_stage("/walk?step=2")
    stage.press("ArrowRight")
    stage.wait_for_step(3)
    stage.press("ArrowLeft")
    assert stage.step() == 2
    stage.press("End")
    assert stage.step() == stage.steps()
    stage.press("Home")
    assert stage.step() == 0


def test_a_key_pressed_on_the_way_lands_at_once(open_stage):
    stage = open_stage("/walk")
    for _ in range(3):
        stage.press("ArrowRight")
    assert stage.step() == 2                                  # two have landed, the third is on its way
    stage.wait_for_step(3)


def test_a_step_left_half_done_by_a_pause_is_finished_by_the_next_key(open_stage):
    stage = open_stage("/walk")
    stage.press(" ")
    stage.wait_for_step(1)
    stage.page.wait_for_timeout(250)
    stage.press(" ")
    at = stage.step()
    stage.press("ArrowRight")
    stage.page.wait_for_timeout(2000)
    assert stage.step() == at + 1


def test_space_plays_and_pauses(open_stage):
    stage = open_stage("/walk")
    stage.press(" ")
    stage.wait_for_step(1)
    stage.press(" ")
    rested = stage.step()
    stage.page.wait_for_timeout(1500)
    assert stage.step() == rested


def test_keys_typed_into_a_widget_do_not_step(open_stage):
    stage = open_stage("/workbench?step=5")
    stage.page.locator("input[type=number]").first.focus()
    stage.page.keyboard.press("ArrowRight")
    stage.page.wait_for_timeout(300)
    assert stage.step() == 5


@pytest.mark.parametrize("reader", [{"reduced_motion": "reduce"}], indirect=True)
def test_with_reduced_motion_a_step_jumps(open_stage):
    stage = open_stage("/walk")
    stage.press("ArrowRight")
    assert stage.step() == 1


def test_the_address_follows_the_step_and_a_slider_keeps_it(open_stage):
    stage = open_stage("/walk?step=4")
    stage.press("ArrowLeft")
    stage.page.wait_for_function("new URL(location.href).searchParams.get('step') === '3'")
    slider = stage.page.get_by_role("slider").first
    slider.focus()
    slider.press("ArrowRight")
    stage.page.wait_for_function("new URL(location.href).searchParams.get('n') === '9'")
    stage.page.wait_for_timeout(800)
    assert (stage.step(), stage.query("step")) == (3, "3")


def test_projector_and_language_find_the_stage_at_the_step_it_has_come_to(open_stage):
    stage = open_stage("/walk?lang=en&step=5")
    stage.press("ArrowRight")
    stage.page.wait_for_url("**step=6")                       # the address follows the step a moment later
    stage.page.get_by_role("button", name="Present").click()
    stage.page.wait_for_selector(".dc-present")
    assert (stage.step(), stage.query("step")) == (6, "6")
    stage.press("End")
    stage.page.wait_for_url(f"**step={stage.steps()}")
    stage.page.keyboard.press("Escape")
    stage.page.wait_for_selector(".dc-stage:not(.dc-present)")
    assert stage.step() == stage.steps()
    stage.press("Home")
    stage.page.wait_for_url(lambda url: "step" not in url)
    stage.page.get_by_role("combobox").first.select_option("zh-Hant")
    stage.page.wait_for_selector(".dc-stage:lang(zh-Hant)")
    assert (stage.step(), stage.query("step")) == (0, None)


def test_playing_goes_on_while_a_slider_moves(open_stage):
    stage = open_stage("/walk")
    stage.press(" ")
    slider = stage.page.get_by_role("slider").first
    slider.focus()
    slider.press("ArrowRight")
    stage.page.wait_for_function("new URL(location.href).searchParams.get('n') === '9'")
    stage.page.wait_for_timeout(500)
    assert stage.page.locator(".dc-play").get_attribute("aria-label") == "Pause"


def test_playing_256_tiles_keeps_pace_with_the_screen(open_stage):
    stage = open_stage("/workbench?n=512&br=32&bc=32")
    stage.press(" ")
    deltas = stage.page.evaluate("""() => new Promise(done => { const deltas = []; let last = performance.now();
        const frame = now => { deltas.push(now - last); last = now;
            deltas.length < 120 ? requestAnimationFrame(frame) : done(deltas); }; requestAnimationFrame(frame); })""")
    assert sorted(deltas)[60] < 34                            # 16.7 ms; a busy machine may miss every other frame


# It speaks.


FETCHED = [("en", "fetched from the cabinet"), ("zh-Hans", "从档案柜取来"), ("zh-Hant", "從檔案櫃取來")]


@pytest.mark.parametrize("lang, word", FETCHED)
def test_the_event_is_said_in_the_readers_language(open_stage, lang, word):
    stage = open_stage(f"/walk?lang={lang}&step=1")
    assert word in stage.words()
    stage.page.wait_for_function(f"word => ({IN_STAGE})('.dc-live').includes(word)", arg=word)


def test_every_control_has_a_name(open_stage):
    stage = open_stage("/side-by-side")
    controls = stage.page.locator(".dc-stage").locator("button, select, input")
    names = [controls.nth(index).get_attribute("aria-label") for index in range(controls.count())]
    assert len(names) >= 11 and all(names) and len(set(names)) == len(names)


@pytest.mark.parametrize("lang, address", [
    ("en", "/walk?step=9"), ("zh-Hans", "/side-by-side?step=9"), ("zh-Hant", "/workbench?algorithm=flash1&step=9")])
def test_no_word_is_missing(open_stage, lang, address):
    stage = open_stage(f"{address}&lang={lang}")
    shown = stage.page.locator(".dc-stage").inner_text() + stage.page.locator(".dc-base").text_content()
    assert not re.search(r"\b(event|tile|kernel|drawer|card|tag)_\w+|\{\w+\}", shown)


@pytest.mark.parametrize("reader", [{"viewport": {"width": 390, "height": 844}}], indirect=True)
@pytest.mark.parametrize("address", ["/walk", "/side-by-side"])
def test_a_phone_shows_the_stage_without_scrolling_sideways(open_stage, address):
    stage = open_stage(address)
    box = stage.page.locator(".dc-stage").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 390
    assert stage.page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("reader", [{"viewport": {"width": 1920, "height": 1080}}], indirect=True)
@pytest.mark.parametrize("address", ["/walk?present=1", "/side-by-side?present=1"])
def test_a_projected_stage_fits_the_wall_in_large_type(open_stage, address):
    stage = open_stage(address)
    box = stage.page.locator(".dc-stage").bounding_box()
    assert box["y"] + box["height"] <= 1080
    assert stage.page.locator(".dc-base .dc-caption").first.bounding_box()["height"] >= 27    # a fortieth of the wall


# It is handed out as files.


def downloaded(stage, kind, folder):
    with stage.page.expect_download() as waiting:
        stage.page.locator(".dc-save", has_text=kind.upper()).click()
    path = Path(folder) / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path


def test_the_frame_is_a_png_at_twice_the_size(open_stage, tmp_path):
    data = downloaded(open_stage("/walk?step=9"), "png", tmp_path).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    assert width >= 2 * 1120 and height > 1000


@pytest.mark.parametrize("address, least", [("/walk?step=9", 20), ("/workbench?n=512&br=32&bc=32", 200)])
def test_the_film_is_an_svg_by_itself_that_moves_and_stays_small(open_stage, tmp_path, address, least):
    path = downloaded(open_stage(address), "svg", tmp_path)
    root = ET.fromstring(path.read_text(encoding="utf-8"))
    moving = [node for node in root.iter() if node.tag in (f"{SVG}animate", f"{SVG}animateTransform")]
    assert len(moving) >= least
    assert all(len(node.get("keyTimes").split(";")) == len(node.get("values").split(";")) for node in moving)
    assert not [value for node in root.iter() for value in node.attrib.values() if re.search(r"https?:|var\(", value)]
    assert not {f"{SVG}script", f"{SVG}image", f"{SVG}foreignObject"} & {node.tag for node in root.iter()}
    assert path.stat().st_size < 700_000


def test_the_page_plays_without_a_server_and_asks_nobody(open_stage, browser, tmp_path):
    path = downloaded(open_stage("/side-by-side?step=9"), "html", tmp_path)
    page = browser.new_page()
    asked, errors = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(path.as_uri())
    counter = page.locator(".dc-counter")
    assert counter.inner_text().startswith("9 /")
    page.keyboard.press("End")
    first, last = counter.inner_text().split(" / ")
    assert first == last
    assert asked == [path.as_uri()] and errors == []
    page.close()


def test_words_are_words_and_never_markup(browser, tmp_path):
    run = executed("flash2")
    evil = '</script><img src=x onerror="window.broken=1"><svg onload="window.broken=1">'
    worker = scene.worker(run, evil)                          # a title nobody should have chosen
    shown = {"id": "x", "lang": "en", "words": {"play": evil, "event_start": evil}, "present": False, "start": 0,
             "file": "x", "caption": evil, "link": evil, "workers": [worker]}
    text = json.dumps(shown).replace("<", "\\u003c")
    script = the_stage.script().split("export default")[0].replace("</script", "<\\/script")
    path = tmp_path / "evil.html"
    path.write_text(f'<!doctype html><meta charset="utf-8"><main id="stage"></main><script>{script}'
                    f'stage.alone(document.getElementById("stage"), {text});</script>', encoding="utf-8")
    page = browser.new_page()
    page.goto(path.as_uri())
    page.keyboard.press("End")
    assert evil in page.locator(".dc-note").inner_text()
    assert page.evaluate("window.broken") is None and page.locator("img").count() == 0
    page.close()


def test_no_two_modules_of_the_stage_give_different_things_one_name():
    names = re.findall(r"^(?:async )?(?:function|const|let|class) (\w+)", the_stage.script(), re.MULTILINE)
    assert sorted(names) == sorted(set(names))
