"""The running card's page: its numbers are the program's, and what it claims of them holds."""

import math
import re
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as trials
from hypothesis import strategies as st

from lessons import settings, text
from lessons.card import asking, facts, merging, overflow, page, panels, scenes
from lessons.card.trail import grows, trail
from lessons.card.written import figure, percent
from lessons.views import bars

SCORES, VALUES = (7.0, 4.0, 3.0, 9.0), (2.0, 6.0, 4.0, 8.0)
FEW_UNITS = 16                          # float32 rounds at every step; a trail of eight people stays within this

people = st.integers(2, 8).flatmap(lambda n: st.tuples(
    st.lists(st.integers(0, 200), min_size=n, max_size=n), st.lists(st.integers(0, 100), min_size=n, max_size=n),
    st.integers(1, n)))


def tenths(numbers):
    return tuple(number / 10 for number in numbers)


def steps(scores=SCORES, values=VALUES, piece=1):
    return trail(asking.ask(scores, values, piece), values)


def test_after_7_4_3_the_sum_is_1_068103_and_the_first_holds_most_of_it():
    step = steps()[3]
    assert step.m == 7
    assert step.l == pytest.approx(1.068103, abs=5e-7)
    assert step.shares == pytest.approx((0.936239, 0.046613, 0.017148), abs=1e-6)


def test_after_9_the_sum_is_1_144552_and_the_last_holds_most_of_it():
    step = steps()[4]
    assert step.m == 9
    assert step.l == pytest.approx(1.144552, abs=5e-7)
    assert step.shares == pytest.approx((0.118243, 0.005887, 0.002166, 0.873704), abs=1e-6)


def test_a_larger_score_shrinks_everything_on_the_card_by_one_factor():
    before, after = steps()[3:]
    assert grows(before, after)
    assert after.rescale == pytest.approx(math.exp(7 - 9), rel=1e-6)
    for name in ("in_l", "in_a"):
        kept = getattr(after, name)[:3]
        assert kept == pytest.approx([part * after.rescale for part in getattr(before, name)])


def test_a_smaller_score_leaves_the_card_as_it_is():
    before, after = steps()[1:3]
    assert not grows(before, after) and after.rescale == 1
    assert after.in_l[:1] == before.in_l


def test_the_first_piece_shrinks_nothing():
    blank, first = steps()[:2]
    assert blank.in_l == () and figure(blank.m) == "−∞"
    assert not grows(blank, first)


@trials(deadline=None)
@given(people)
def test_what_each_person_put_in_adds_up_to_the_programs_l_and_a(asked):
    scores, values, piece = tenths(asked[0]), tenths(asked[1]), asked[2]
    for step in steps(scores, values, piece)[1:]:
        assert sum(step.in_l) == pytest.approx(step.l, rel=2e-6)         # float32 sums against their parts
        assert sum(step.in_a) == pytest.approx(step.a, rel=2e-6, abs=1e-12)
        assert sum(step.shares) == pytest.approx(1, rel=2e-6)
        assert step.m == pytest.approx(max(scores[: len(step.in_l)]))


@trials(deadline=None)
@given(people)
def test_a_over_l_is_the_direct_answer_but_for_rounding(asked):
    scores, values, piece = tenths(asked[0]), tenths(asked[1]), asked[2]
    run = asking.ask(scores, values, piece)
    assert run.tag == "counted"
    assert asking.units_apart(asking.result(run), asking.direct(run, scores, values)) <= FEW_UNITS


def test_the_direct_answer_is_the_weighted_mean():
    weights = np.exp(np.array(SCORES))
    direct = asking.direct(asking.ask(SCORES, VALUES, 2), SCORES, VALUES)
    assert direct == pytest.approx(float(weights @ np.array(VALUES) / weights.sum()))


def test_with_equal_scores_the_card_counts_and_adds():
    found = steps((0.0,) * 4)
    assert [step.l for step in found] == [0, 1, 2, 3, 4]
    assert [step.a for step in found] == [0, 2, 8, 12, 20]
    assert facts.keeps(SimpleNamespace(values=VALUES)) == {"seen": 3, "before": "4", "next": "8", "mean": "5"}


# The board's scene


@pytest.fixture
def view():
    return SimpleNamespace(lang="en", present=False, link="", label=lambda key, **v: text.label(key, "en", **v),
                           labels=lambda table: text.labels(table, "en"))


def scene_settings(**wanted):
    return settings.Settings(**({"scores": SCORES, "values": VALUES} | wanted))


def test_the_listed_lines_are_the_programs_own_and_each_stands_beside_its_sum(view):
    scene = scenes.card_scene(view, scene_settings(), page.OPENING)
    names = [code.split(" ")[0].removesuffix("[:]") for _, code in scene["lines"]]
    assert names == ["m_new", "P", "c", "l_i", "a_i", "m_i", "sram.store(O[i],"]
    assert scene["steps"][4]["sums"] == ["max(7, 9) = 9", "exp(9 − 9) = 1", "exp(7 − 9) = 0.1353",
                                         "0.1353 × 1.0681 + 1 = 1.1446", "0.1353 × 2.372 + 8 = 8.321", "9"]
    assert scene["end"]["sums"][-1] == "8.321 / 1.1446 = 7.2701"


def test_the_turning_point_is_the_first_piece_with_a_larger_maximum():
    assert scenes.turning_point(scene_settings()) == 4
    assert scenes.turning_point(scene_settings(piece=2)) == 2
    assert scenes.turning_point(scene_settings(scores=(9.0, 4.0, 3.0, 7.0))) == 4   # none grows: the last
    assert scenes.pieces(scene_settings(piece=3)) == 2


@trials(deadline=None)
@given(st.floats(0, 80))
def test_an_axis_holds_what_is_drawn_on_it(number):
    assert scenes.top(number) >= number


@pytest.mark.parametrize("number, written", [
    (0, "0"), (7, "7"), (1.0681027, "1.0681"), (7.1, "7.1"), (1.1e-5, "1.1 × 10⁻⁵"), (235_000, "2.4 × 10⁵"),
    (math.inf, "∞"), (-math.inf, "−∞"), (math.nan, "NaN"), (-3, "−3"),
])
def test_a_number_is_written_in_four_decimals_or_with_a_power_of_ten(number, written):
    assert figure(number) == written


def test_a_small_share_is_never_written_as_nothing():
    assert percent(0.0001).startswith("<") and percent(0) == "0.0\u00a0%"


# Numbers that explode


def test_in_fp16_the_weight_overflows_from_just_above_11_09():
    weight = {score: overflow.without_maximum((score,), (0.0,))[0].weight for score in (11.08, 11.1)}
    assert weight[11.08] < math.inf == weight[11.1]                      # 11.09 itself is no number of fp16
    assert f"{overflow.CEILING:.2f}" == "11.09"


def test_pushed_up_a_is_infinite_first_and_then_nothing_is_a_number():
    results = [overflow.mean(overflow.without_maximum((*SCORES[:3], score), VALUES)[-1]) for score in (8.0, 11.0, 90.0)]
    assert math.isfinite(results[0]) and math.isinf(results[1]) and math.isnan(results[2])


@trials(deadline=None)
@given(people)
def test_with_the_maximum_taken_off_nothing_explodes(asked):
    scores, values = tenths(asked[0]), tenths(asked[1])
    rows = overflow.with_maximum(scores, values)
    assert all(math.isfinite(row.l) and math.isfinite(row.a) and row.weight <= 1 for row in rows)
    exact = asking.direct(asking.ask(scores, values, 1), scores, values)
    assert overflow.mean(rows[-1]) == pytest.approx(exact, rel=0.02, abs=0.02)      # fp16 has eleven bits


# Cards that merge


def numbers(pile):
    return tuple(float(array[0, 0]) for array in (pile.card.m, pile.card.l, pile.card.a))


def one(merges, scores=SCORES, values=VALUES):
    (pile,) = merging.merged(scores, values, merges)
    return pile


def test_two_cards_merged_either_way_are_the_same_to_the_last_bit():
    halves = merging.cut(2, 4)
    assert [pile.people for pile in merging.merged(SCORES, VALUES, halves)] == [(1, 2), (3, 4)]
    assert numbers(one((*halves, (1, 3)))) == numbers(one((*halves, (3, 1))))


@trials(deadline=None)
@given(people, st.data())
def test_cards_merged_in_any_order_are_the_card_of_the_program(asked, data):
    scores, values, piece = tenths(asked[0]), tenths(asked[1]), asked[2]
    left, merges = list(range(1, len(scores) + 1)), []
    while len(left) > 1:
        a, b = data.draw(st.permutations(left))[:2]
        merges.append((a, b))
        left.remove(b)
    run = asking.ask(scores, values, piece)
    m, l, a = numbers(one(tuple(merges), scores, values))
    last = trail(run, values)[-1]
    assert m == last.m
    assert (l, a) == pytest.approx((last.l, last.a), rel=2e-6)


@pytest.mark.parametrize("order", [merging.forward, merging.backward])
def test_the_named_orders_reach_one_card(order):
    for n in range(2, 9):
        assert sorted(one(order(1, n), tuple(range(n)), tuple(range(n))).people) == list(range(1, n + 1))
        assert len(merging.merged(tuple(range(n)), tuple(range(n)), merging.pairs(n))) == 1


def test_an_order_is_written_with_its_brackets():
    assert one(((1, 2), (3, 4), (1, 3))).made == "(1 + 2) + (3 + 4)"
    assert one(((4, 3), (4, 1), (2, 4))).made == "2 + ((4 + 3) + 1)"


def test_a_merge_of_a_card_with_itself_or_with_nobody_changes_nothing():
    assert len(merging.merged(SCORES, VALUES, ((1, 2), (2, 1), (8, 1)))) == 3


# The address


@pytest.mark.parametrize("written, read, noted", [
    ("7,4,3,9", (7, 4, 3, 9), False), ("7,4.5", (7, 4.5), False), ("99,-4", (20, 0), True), ("7", SCORES, True),
    ("abc", SCORES, True), ("<b>,1", SCORES, True), ("1,2,3,4,5,6,7,8,9", (1, 2, 3, 4, 5, 6, 7, 8), True),
    ("1e9,2", SCORES, True), ("nan,inf", SCORES, True), ("", SCORES, True),
])
def test_scores_in_an_address_are_taken_or_the_nearest_are_and_it_is_said(written, read, noted):
    found, notes = settings.read({"scores": written}, page.FIELDS)
    assert found.scores == read
    assert [note.reason for note in notes] == ["list"] * noted


def test_there_are_as_many_values_as_scores():
    found, notes = settings.read({"scores": "1,2,3,4,5"}, page.FIELDS)
    assert found.values == (2, 6, 4, 8, 2) and notes == ()
    found, notes = settings.read({"scores": "1,2,3", "values": "5,6"}, page.FIELDS)
    assert found.values == (5, 6, 5) and [note.flag for note in notes] == ["values"]


@pytest.mark.parametrize("written, read, noted", [
    ("1-2,3-1", ((1, 2), (3, 1)), False), ("", (), True), ("1-1", (), True), ("1-9", (), True),
    ("x,1-2", ((1, 2),), True),
])
def test_merges_in_an_address_are_pairs_of_people(written, read, noted):
    found, notes = settings.read({"merges": written}, page.FIELDS)
    assert found.merges == read and bool(notes) == noted


def test_a_scene_survives_its_address():
    scene = scene_settings(scores=(1.0, 2.5, 3.0), values=(0.5, 1.0, 9.0), piece=2, push=90, subtract=True,
                           merges=((1, 3),))
    assert settings.read(settings.write(scene, page.FIELDS), page.FIELDS) == (scene, ())


# Words


def test_every_word_that_the_pictures_say_is_in_their_tables():
    said = {name: re.findall(r'say\("(\w+)"', (bars._HERE / f"{name}.js").read_text(encoding="utf-8"))
            for name in ("people", "paper", "picture", "board", "ceiling", "deck")}
    assert said["people"] and said["deck"]
    for name, words in said.items():
        table = {"ceiling": "card.ceiling", "deck": "card.deck"}.get(name, "card.board")
        assert set(words) <= set(text.labels(table, "en")), name


@pytest.mark.parametrize("lang", text.LANGUAGES)
def test_every_step_of_every_picture_has_its_words(view, lang):
    view.lang, view.label = lang, lambda key, **values: text.label(key, lang, **values)
    for asked in (scene_settings(), scene_settings(piece=3), scene_settings(scores=(5.0, 5.0), values=(1.0, 1.0))):
        assert all(step["words"] for step in scenes.card_scene(view, asked, page.OPENING)["steps"])
        assert all(step["words"] for step in scenes.mean_scene(view, asked)["steps"])
        assert panels.ceiling_scene(view, asked)["summary"]
        assert panels.deck_scene(view, asked, [merging.forward(1, len(asked.scores))])["rows"]


def test_the_card_of_a_tile_is_smaller_than_the_scores_it_saves():
    found = facts.computer()
    assert found["card"] == 128 * (1 + 1 + 128) * 4
    assert found["table"] == 128 * 4096 * 2
