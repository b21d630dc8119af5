"""The three versions in a real browser: lanes that close ranks, workers who get work, a stage of two."""

import pytest

from lessons import text
from lessons.versions import facts, lanes, step, tempo
from lessons.versions.roles import MODES
from lessons.versions.timeline import micro
from simulator import Problem, Tiling, simulate

EIGHT, FOUR = Problem(n=8, d=facts.WIDTH), Tiling(4, 4)


def knob(reader, label):
    return reader.page.get_by_role("slider", name=text.label(label, "en"))


def test_turning_the_knob_lets_copies_and_softmax_overlap(reader):
    reader.open("/versions?lang=en&present=1&scene=time")
    for mode in MODES[1:]:
        knob(reader, "field.overlap").press("ArrowRight")
        reader.page.wait_for_url(f"**overlap={mode}**")
        done = text.label("versions.done", "en", time=micro(lanes.length(tempo.timeline(mode, 128, "h200"))))
        reader.page.get_by_text(done, exact=True).wait_for()
    assert reader.errors == []


@pytest.mark.parametrize("lang", text.LANGUAGES)
@pytest.mark.parametrize("reader", [{"viewport": {"width": 1280, "height": 720}}], indirect=True)
def test_the_projector_shows_a_readers_whole_step(reader, lang):
    reader.open(f"/versions?lang={lang}&present=1&scene=step")
    assert reader.page.locator(".dc-steps li").count() == len(step.STEPS)
    assert reader.page.get_by_test_id("stMain").evaluate("one => one.scrollHeight") <= 720
    assert reader.errors == []


def test_a_longer_text_gives_every_worker_of_v2_something_to_do(reader):
    reader.open("/versions?lang=en&present=1&scene=floor&length=2048")
    reader.page.get_by_text("128 / 132", exact=True).wait_for()
    knob(reader, "field.length").press("ArrowRight")
    reader.page.wait_for_url(lambda url: "length" not in url)               # 4096 is the page's own
    reader.page.get_by_text("132 / 132", exact=True).wait_for()
    assert reader.page.get_by_text("8 / 132", exact=True).count() == 1
    assert reader.errors == []


def test_at_the_end_the_tallies_of_O_equal_both_ledgers(reader):
    reader.open("/versions?lang=en&step=100000")
    for worker, way in enumerate(facts.WAYS):
        moved = simulate(EIGHT, FOUR, facts.desk(EIGHT, FOUR), way, execute=True).cost.desk.by_tensor["O"]
        shown = [reader.page.locator(f'.dc-base [data-tally="O {side}"]').nth(worker).text_content()
                 for side in ("read", "written")]
        assert [int(number.replace(",", "")) for number in shown] == [moved.read, moved.write]
    assert reader.errors == []
