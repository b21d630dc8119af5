"""Numbers that explode: where each format ends, what subtracting the maximum saves, and which order keeps a sum."""

from math import e, exp, isnan
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons import settings, text
from lessons.card import overflow
from lessons.overflow import pictures, sums
from simulator.problem import BF16, FP8, FP16, FP32, dtype


@pytest.fixture
def view():
    return SimpleNamespace(lang="en", present=False, label=lambda key, **values: text.label(key, "en", **values),
                           badges=lambda ruler, tag: tag)


def test_C9_e_to_the_40_is_2_35e17_which_fp16_does_not_hold():
    assert exp(40) == pytest.approx(2.35e17, rel=2e-3)
    assert overflow.largest(FP16) == 65504
    assert overflow.exponential(40, FP16) == np.inf


def test_C9_fp16_overflows_from_11_09_on():
    assert f"{sums.ceiling('fp16'):.2f}" == "11.09"
    assert overflow.exponential(11.08, FP16) < np.inf == overflow.exponential(11.1, FP16)


def test_bf16_holds_e_to_the_40_as_fp32_does_with_fewer_digits():
    assert overflow.exponential(40, BF16) == pytest.approx(exp(40), rel=2**-8)
    assert sums.ceiling("bf16") == pytest.approx(sums.ceiling("fp32"), abs=0.01)
    assert sums.digits("fp8") < sums.digits("bf16") < sums.digits("fp16") < sums.digits("fp32")


def test_fp8_has_no_infinity_and_stops_at_448():
    assert overflow.largest(FP8) == overflow.exponential(40, FP8) == 448


def test_C9_infinity_over_infinity_is_not_a_number():
    found = sums.outcome(40, "fp16", subtract=False)
    assert found.l == found.a == np.inf
    assert isnan(found.mean)


def test_fp8_sticks_and_gives_a_wrong_answer_without_a_warning():
    found = sums.outcome(40, "fp8", subtract=False)
    assert (found.l, found.a, found.mean) == (448, 448, 1)
    assert sums.exact_mean(40) == pytest.approx(2.2207, abs=5e-5)


@pytest.mark.parametrize("name", sums.FORMATS)
@pytest.mark.parametrize("score", [-100, 0, 8, 40, 100])
def test_with_the_maximum_taken_off_no_format_overflows_at_any_score(name, score):
    found = sums.outcome(score, name, subtract=True)
    assert found.l == pytest.approx(1 + e**-3 + e**-4, rel=0.1)             # one digit of fp8
    assert found.mean == pytest.approx(sums.exact_mean(score), rel=0.1)


@given(st.sampled_from(pictures.SCORES))
def test_a_shift_of_all_scores_changes_nothing(score):
    assert sums.exact_mean(score) == pytest.approx(sums.exact_mean(0))


# The order of a sum


def one_by_one(numbers, kind):
    """A sum in a plain loop, rounded after every addition."""
    total = 0.0
    for number in numbers:
        total = float(kind.round(np.float64(total + number)))
    return total


@pytest.mark.parametrize("name", ["fp8", "fp16", "bf16", "fp32"])
def test_running_sums_are_those_of_a_plain_loop(name):
    kind, weight = dtype(name), overflow.exponential(sums.OTHERS, dtype(name))
    found = sums.summed(256, name)
    assert found["largest"] == one_by_one([1, *[weight] * 256], kind)
    assert found["smallest"] == one_by_one([*[weight] * 256, 1], kind)
    piece = one_by_one([weight] * sums.PIECE, kind)
    assert found["pieces"] == one_by_one([1, *[piece] * 4], kind)


def test_largest_first_4096_additions_change_nothing_in_fp16():
    found = sums.summed(4096, "fp16")
    weight = overflow.exponential(sums.OTHERS, FP16)
    assert weight < float(np.spacing(np.float16(1))) / 2
    assert found["largest"] == 1
    assert found["largest"] < found["smallest"] < found["pieces"] < sums.exact_sum(4096)
    assert found["fp32"] == pytest.approx(sums.exact_sum(4096), rel=1e-3)


def test_4096_ones_stop_at_2048_in_fp16_and_at_256_in_bf16():
    ones = np.ones(4096)
    assert sums._running(ones, FP16) == 2048
    assert sums._running(ones, BF16) == 256
    assert sums._running(ones, FP32) == 4096


# The pictures


@pytest.mark.parametrize(("score", "lost"), [
    (8, ["fp8"]), (40, ["fp8", "fp16"]), (100, ["fp8", "fp16", "bf16", "fp32"]), (-20, ["fp8", "fp16"])])
def test_formats_that_cannot_hold_the_weight_stand_out(view, score, lost):
    rows = pictures.ranges(view, settings.Settings(push=score)).rows
    assert [row.name for row in rows if row.alarm] == lost


def test_a_dot_leaves_its_bar_where_the_weight_leaves_the_format(view):
    for row in pictures.ranges(view, settings.Settings(push=40)).rows:
        within = row.parts[0].start <= row.dot <= row.parts[0].stop
        assert within is not row.alarm


def test_before_the_answer_the_knob_ends_at_the_opening_score(view):
    knob = pictures.ranges(view, settings.Settings(push=8), until=8).knob
    assert knob.texts[knob.at] == knob.texts[-1] == "8" and knob.locked


@pytest.mark.parametrize("many", pictures.MANY)
@pytest.mark.parametrize("name", ["fp16", "bf16", "fp8"])
def test_the_sums_stay_on_the_scale(view, many, name):
    rows = pictures.orders(view, settings.Settings(n=many, dtype=name)).rows
    assert all(0 < row.parts[0].stop <= 1 for row in rows)
