"""What a mask leaves out, counted by hand and at full size; and two ways to mask badly, seen to fail."""

from math import e, exp, sqrt
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_app import opened

from lessons import settings, text
from lessons.masks import facts, holes, pictures
from simulator import Problem, Tiling, simulate

FP32 = 1e-6                             # a few roundings of float32


@pytest.fixture
def view():
    return SimpleNamespace(lang="en", present=False, label=lambda key, **values: text.label(key, "en", **values),
                           badges=lambda ruler, tag: f"{ruler} {tag}")


def causal(n, **more):
    return Problem(n=n, d=8, causal=True, **more)


def test_four_people_in_tiles_of_two():
    # rows see 1, 2, 3, 4 keys: 10 of 16 cells; of the four tiles the upper right one is hidden
    seen = facts.seen(causal(4), Tiling(2, 2))
    assert (seen.cells, seen.tiles) == (10, 3)
    assert seen.fetched == 3 * 2 * (2 * 8 * 2)            # tiles × K and V × (rows × d × bytes)


@given(st.integers(1, 64))
def test_C27_a_causal_mask_leaves_N_plus_1_of_2N_of_the_cells(n):
    assert facts.seen(causal(n), Tiling(4, 4)).cells * 2 * n == (n + 1) * n * n


@given(st.integers(1, 40), st.sampled_from((1, 2, 4, 8)), st.integers(-1, 8))
def test_the_tiles_and_bytes_are_those_of_an_executed_run(n, block, left):
    problem = causal(n, window=(left, 0))
    run = simulate(problem, Tiling(block, block), algorithm="flash2", execute=True)
    seen = facts.seen(problem, Tiling(block, block))
    assert seen.tiles == sum(event.op == "load" and event.tensor == "K" for event in run.events)
    assert seen.fetched == sum(run.cost.desk.by_tensor[name].read for name in "KV")


def test_C27_at_4096_about_half_of_the_tiles_are_visited_with_those_on_the_diagonal_whole():
    T = 4096 // 128
    assert facts.seen(Problem(n=4096, d=128, causal=True), Tiling(128, 128)).tiles == T * (T + 1) // 2 == 528


def test_M14_a_causal_mask_halves_the_desks_reads_and_leaves_the_cabinets():
    plain, masked = facts.bill(facts.NEAR), facts.bill(facts.causal(facts.NEAR))
    assert masked.desk / plain.desk == pytest.approx(0.523, abs=0.001)
    assert masked.cabinet == plain.cabinet == 3 * facts.NEAR.heads * 4096 * 128 * 2        # Q, K and V once


def test_M14_beyond_the_shelf_it_saves_at_the_cabinet_too():
    plain, masked = facts.bill(facts.FAR), facts.bill(facts.causal(facts.FAR))
    assert masked.cabinet / plain.cabinet == pytest.approx(0.53, abs=0.01)


def test_shared_heads_save_at_the_cabinet_and_not_on_the_desk():
    plain, shared = facts.bill(facts.NEAR), facts.bill(facts.grouped(facts.NEAR))
    q = facts.NEAR.heads * 4096 * 128 * 2
    assert shared.desk == plain.desk
    assert (shared.cabinet - q) * facts.NEAR.heads == (plain.cabinet - q) * facts.GROUPS


# Two ways to mask badly


def test_M16_two_keys_of_zeros_take_as_much_as_the_second_key():
    top = exp(1 / sqrt(2))                                # q · k / √d with q = [1, 0], K = I, d = 2
    assert holes.shares(2, 0) == pytest.approx((top / (top + 1), 1 / (top + 1)), abs=FP32)
    first, second = holes.shares(4, 2)
    assert (first, second) == pytest.approx((top / (top + 3), 1 / (top + 3)), abs=FP32)
    assert 1 - first - second == pytest.approx(2 * second, abs=FP32)


@pytest.mark.parametrize("appended", pictures.PADS)
def test_M16_the_program_counts_only_the_keys_it_is_told_of(appended):
    assert holes.shares(2, appended) == holes.shares(2, 0)


@pytest.mark.parametrize("fill", holes.STAND_INS)
def test_M15_a_stand_in_fails_once_the_visible_scores_lie_below_it(fill):
    assert holes.stand_in(fill, fill + 1000)[0] == 0
    assert holes.stand_in(fill, fill - 1000)[0] == 1


@pytest.mark.parametrize("level", pictures.LEVELS)
def test_M15_the_program_hides_at_every_level_of_scores_down_to_minus_245000(level):
    share, result = holes.program(level)
    assert share == 0
    assert result == pytest.approx((2 + 6 / e) / (1 + 1 / e), abs=FP32)     # folders 2 and 6, one below the other
    assert min(pictures.LEVELS) == -245_000


def test_M15_a_row_that_sees_nobody_gets_nothing_and_not_the_mean_of_strangers():
    strangers = np.mean([*holes.HIDDEN, *holes.VISIBLE])
    assert [holes.alone(fill) for fill in holes.STAND_INS] == [strangers] * 3
    assert np.isnan(holes.alone(-np.inf))
    assert holes.program_alone() == 0


# Pictures and page


def test_lost_shares_stand_out_and_kept_ones_fill_the_bar(view):
    alone, counted, out = pictures.pads(view, settings.Settings(pads=2)).rows
    assert [row.alarm for row in (alone, counted, out)] == [False, True, False]
    assert counted.parts[-1].look == "striped" and counted.parts[-1].stop == 1
    assert alone.parts[-1].stop == pytest.approx(1, abs=FP32)


def test_the_knob_of_levels_stands_at_the_nearest_stop():
    assert pictures.nearest(-65_400) == -65_000 and pictures.nearest(0) == 0
    assert pictures.low(-10_000) == "−10,000" and pictures.low(-1e9) == "−1 × 10⁹"


def test_bills_of_one_ruler_share_a_scale(view):
    rows = pictures.bills(view, facts.NEAR, facts.causal(facts.NEAR), "masked").rows
    lengths = [row.parts[0].stop for row in rows]
    assert lengths[1] / lengths[0] == pytest.approx(0.523, abs=0.001)
    assert lengths[2] == lengths[3]


def test_choosing_a_window_writes_it_to_the_address_and_everybody_leaves_none():
    app = opened("masks", lang="en")
    kind = next(group for group in app.button_group if group.label == text.label("masks.kind", "en"))
    assert kind.value == "causal"
    kind.set_value("window").run()
    assert app.query_params["window"] == "3,0" and "causal" not in app.query_params
    app.slider(key="masks:left").set_value(1).run()
    assert app.query_params["window"] == "1,0"
    next(group for group in app.button_group if group.label == text.label("masks.kind", "en")).set_value("none").run()
    assert app.query_params["causal"] == "0" and "window" not in app.query_params
