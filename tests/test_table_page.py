"""The table that grows: its bytes are the simulator's, and what holds one table holds it and no larger one."""

from types import SimpleNamespace

import pytest

from lessons import settings, text
from lessons.count.bills import desk_bytes
from lessons.table import facts
from lessons.table.chart import LENGTHS, chart
from lessons.table.page import FIELDS
from lessons.table.picture import STOPS, picture, stops
from lessons.views import numbers
from simulator import Problem, Tiling, gpu, gpus, simulate


@pytest.fixture
def view():
    return SimpleNamespace(lang="en", present=False, link="", badges=lambda ruler, tag: tag,
                           label=lambda key, **values: text.label(key, "en", **values))


def asked(**wanted):
    return settings.Settings(**({"n": 8} | wanted))


def drawn(view, until=None, alone=False, **wanted):
    return picture(view, asked(**wanted), until, alone)


def test_eight_people_make_64_cells_and_128_bytes_in_fp16():
    assert facts.one_table(8, "fp16") == 64 * 2 == 128
    assert facts.one_table(8, "fp32") == 256
    assert facts.one_table(8, "fp8") == 128               # tables of fp8 inputs are bf16


def test_the_bytes_are_what_an_executed_run_files():
    run = simulate(Problem(n=16, d=8), Tiling(4, 4), "h200", "standard", execute=True)
    assert facts.one_table(16, "fp16") == run.cost.desk.by_tensor["S"].write


def test_C1_a_table_at_4096_is_32_MiB_in_fp16():
    assert facts.one_table(4096, "fp16") == 33_554_432 == 32 * 2**20


@pytest.mark.parametrize(("n", "both"), [(2048, 16 * 2**20), (16384, 2**30), (131072, 64 * 2**30)])
def test_C2_the_sizes_often_quoted_are_S_and_P_together(n, both):
    assert n in facts.QUOTED
    assert facts.all_tables(asked(n=n)) == both == 2 * facts.one_table(n, "fp16")


@pytest.mark.parametrize("dtype", settings.DTYPES)
@pytest.mark.parametrize("key", gpus())
def test_what_holds_a_table_holds_it_and_none_of_one_person_more(key, dtype):
    for name, size in facts.capacities(gpu(key)).items():
        most = facts.most_people(size, dtype)
        assert facts.one_table(most, dtype) <= size < facts.one_table(most + 1, dtype), name


def test_a_desk_is_both_areas_of_one_SM():
    spec = gpu("h200")
    assert facts.capacities(spec)["desk"] == desk_bytes(spec) == (227 + 256) * 1024
    assert facts.most_people(facts.capacities(spec)["desk"], "fp16") == 497


@pytest.mark.parametrize(("n", "name"), [
    (497, "desk"), (498, "shelf"), (5608, "shelf"), (5609, "cabinet"), (2**19, None)])
def test_the_smallest_place_that_takes_a_table_whole(n, name):
    assert facts.holder(n, "fp16", gpu("h200")) == name


def test_layers_heads_and_texts_each_multiply():
    one = facts.all_tables(asked())
    assert facts.all_tables(asked(layers=3)) == 3 * one
    assert facts.all_tables(asked(heads=5)) == 5 * one
    assert facts.all_tables(asked(batch=7, heads=5, layers=3)) == 105 * one


@pytest.mark.parametrize("dtype", settings.DTYPES)
@pytest.mark.parametrize("key", gpus())
def test_the_question_about_one_block_has_three_answers(key, dtype):
    one, whole = facts.largest_squares(key, dtype)
    assert one < 2 * one < whole                          # one SM's, twice that, and the chip's if it were one desk


# The picture


def test_the_knob_stops_at_8_at_32_and_at_every_power_of_two():
    assert {2, 8, 32} <= set(STOPS) and {2**k for k in range(1, 21)} <= set(STOPS)
    assert list(STOPS) == sorted(set(STOPS))
    assert 33 in stops(33) and 33 not in STOPS            # what a link asks is a stop too
    assert stops(8, 16)[-1] == 16
    assert (FIELDS["n"].low, FIELDS["n"].high) == (STOPS[0], STOPS[-1])


def test_before_the_answer_the_knob_ends_early_and_says_why(view):
    knob = drawn(view, until=16).knob
    assert knob.texts[-1] == "16" and "question" in knob.locked
    assert drawn(view).knob.texts[-1] == numbers.exact(2**20) and not drawn(view).knob.locked


def test_S_and_P_are_equally_long_and_the_rest_comes_when_asked(view):
    assert [row.name for row in drawn(view, alone=True).rows] == ["S, the scores"]
    s, p, everything = drawn(view, n=1024, layers=32, heads=32).rows
    assert s.parts[0].stop == p.parts[0].stop < everything.parts[0].stop
    assert (s.number, p.number, everything.number) == ("2.1 MB", "2.1 MB", "4.29 GB")


@pytest.mark.parametrize("n", [497, 498])
def test_a_bar_passes_the_mark_of_the_desk_where_the_table_no_longer_fits(view, n):
    shown = drawn(view, n=n)
    desk = min(mark.at for mark in shown.marks)
    assert (shown.rows[0].parts[0].stop > desk) == (n == 498)


def test_the_square_of_a_place_has_the_area_of_what_it_holds(view):
    square = drawn(view, n=1024).square
    spec = gpu("h200")
    sides = {side.id: side.side for side in square.holders}
    assert sides == pytest.approx({name: (size / 2) ** 0.5 for name, size in facts.capacities(spec).items()})
    assert square.n == 1024 and "1,048,576 cells" in square.words


def test_how_many_people_a_place_takes_is_not_told_before_it_is_asked(view):
    asked_first, told = (drawn(view, alone=alone).square.holders[0].text for alone in (True, False))
    assert asked_first == "one worker's desk" and told == "one worker's desk: up to N = 497"


def test_on_the_projector_it_is_told_once_the_table_has_passed(view):
    view.present = True
    first = [drawn(view, n=n).square.holders[0].text for n in (8, 497, 498)]
    assert [text == "one worker's desk" for text in first] == [True, True, False]


@pytest.mark.parametrize("wanted", [{}, {"n": 2}, {"n": 2**20, "layers": 128, "heads": 128, "batch": 64}])
def test_everything_stays_on_the_scale(view, wanted):
    shown = drawn(view, **wanted)
    places = [part.stop for row in shown.rows for part in row.parts] + [mark.at for mark in shown.marks]
    assert all(0 <= place <= 1 for place in places)


def test_the_chart_to_take_along_holds_both_lines_and_the_three_places(view):
    made = chart(view, asked(layers=2, heads=4))
    one, everything = (series.values for series in made.series)
    assert list(everything) == [16 * table for table in one]               # S and P, two layers, four heads
    assert one[LENGTHS.index(4096)] == 33_554_432
    assert [mark.at for mark in made.marks] == list(facts.capacities(gpu("h200")).values())
    assert made.file == "table-h200-fp16-2x4x1"
