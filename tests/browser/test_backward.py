"""The way back in a real browser: the table lies ready on the left, is computed again on the right, and is counted."""

import pytest

from lessons.backward import facts
from simulator import Problem, Tiling, simulate

EIGHT, FOUR = Problem(n=8, d=facts.WIDTH), Tiling(4, 4)
LETTERS = "t => [...t.querySelectorAll('[data-tile]')].map(e => e.dataset.state)"


def ledger(way):
    return simulate(EIGHT, FOUR, facts.desk(EIGHT, FOUR), way, execute=True).cost.desk.by_tensor


def states(reader, worker):
    return set(reader.page.locator(".dc-base .dc-table").nth(worker).evaluate(LETTERS))


def number(reader, mark, worker):
    shown = reader.page.locator(f'.dc-base [data-tally="{mark}"]')
    return int(shown.nth(worker if shown.count() > 1 else 0).text_content().replace(",", ""))


def test_before_the_first_step_P_lies_in_the_left_cabinet_and_nowhere_on_the_right(reader):
    reader.open("/backward?lang=en")
    assert states(reader, 0) == {"cabinet"} and states(reader, 1) == {"none"}
    assert reader.errors == []


@pytest.mark.parametrize("way", facts.WAYS[1:])
def test_at_the_end_every_tally_of_both_workers_equals_the_ledger(reader, way):
    reader.open(f"/backward?lang=en&algorithm={way}&step=100000")
    for worker, name in enumerate((facts.WAYS[0], way)):
        for tensor, moved in ledger(name).items():
            assert number(reader, f"{tensor} read", worker) == moved.read, (name, tensor)
            assert number(reader, f"{tensor} written", worker) == moved.write, (name, tensor)
    assert states(reader, 0) == {"cabinet"} and states(reader, 1) == {"thrown"}
    assert "Whole tables carried: 7 ×" in reader.page.locator(".dc-base").text_content()
    assert reader.errors == []


def test_turning_the_knob_of_block_sizes_changes_the_address_and_the_bar(reader):
    reader.open("/backward?lang=en&bc=384")
    reader.page.get_by_text("less", exact=True).click()
    reader.page.get_by_text("4.03 GB", exact=True).wait_for()
    knob = reader.page.get_by_role("slider", name="rows of a K/V block of v1, B_c")
    knob.press("ArrowRight")
    reader.page.wait_for_url("**bc=448**")
    assert reader.errors == []
