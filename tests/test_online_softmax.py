"""The running card (m, l, a): softmax-weighted means from pieces, in any order."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator import Card
from simulator.online_softmax import NOTHING

generated = settings(max_examples=100, derandomize=True, deadline=None, database=None)
ROUNDING = {"rel": 1e-12, "abs": 1e-12}                   # float64, a few dozen operations on numbers of about 1


def softmax_mean(scores, values):
    """Σ eˢ v ÷ Σ eˢ row by row, as written."""
    weights = np.exp(scores)
    return weights @ values / weights.sum(axis=1, keepdims=True)


@st.composite
def pieces(draw, count):
    """`count` pieces of scores (r, c) with values (c, d), some scores hidden."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rows, d = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    made = []
    for _ in range(count):
        columns = draw(st.integers(1, 5))
        scores = rng.normal(0, draw(st.sampled_from((1, 30))), (rows, columns))
        scores[rng.random((rows, columns)) < draw(st.sampled_from((0, 0.3, 1)))] = -np.inf
        made.append((scores, rng.standard_normal((columns, d))))
    return made


def card_of(piece):
    scores, values = piece
    return Card.blank(len(scores), values.shape[1]).update(scores, values)


def assert_same(one, other):
    assert one.m == pytest.approx(other.m, **ROUNDING)
    assert one.l == pytest.approx(other.l, **ROUNDING)
    assert one.a == pytest.approx(other.a, **ROUNDING)


def test_a_card_by_hand():
    card = Card.blank(1, 1).update(np.log([[1.0, 2.0]]), np.array([[10.0], [40.0]]))
    assert card.m == pytest.approx(np.log([[2]]))
    assert card.l == pytest.approx(np.array([[1 / 2 + 1]]))                # e^(log 1 - log 2) + e^0
    assert card.a == pytest.approx(np.array([[10 / 2 + 40]]))
    assert card.finish() == pytest.approx(np.array([[30]]))                # (1 · 10 + 2 · 40) ÷ 3
    card = card.update(np.log([[4.0]]), np.array([[9.0]]))                 # a new maximum: what came before is halved
    assert card.l == pytest.approx(np.array([[3 / 4 + 1]]))
    assert card.a == pytest.approx(np.array([[90 / 4 + 9]]))
    assert card.finish() == pytest.approx(np.array([[(10 + 80 + 36) / 7]]))
    assert card.logsumexp() == pytest.approx(np.log([[7]]))


def test_the_rescale_factor_is_1_until_a_larger_score_comes():
    card = Card.blank(1, 1).update(np.array([[3.0]]), np.ones((1, 1)))
    assert card.rescale(card.m) == 1
    assert card.rescale(np.array([[3 + np.log(2)]])) == pytest.approx(np.array([[0.5]]))


@generated
@given(pieces(3))
def test_pieces_give_the_softmax_of_the_whole(three):
    card = Card.blank(len(three[0][0]), three[0][1].shape[1])
    for scores, values in three:
        card = card.update(scores, values)
    scores, values = np.concatenate([s for s, _ in three], axis=1), np.concatenate([v for _, v in three])
    seen = np.isfinite(scores).any(axis=1)
    assert card.finish()[seen] == pytest.approx(softmax_mean(scores[seen], values), **ROUNDING)
    assert (card.finish()[~seen] == 0).all()


@generated
@given(pieces(2))
def test_merging_two_cards_is_updating_one_with_both_pieces(two):
    assert_same(card_of(two[0]).merge(card_of(two[1])), card_of(two[0]).update(*two[1]))


@generated
@given(pieces(2))
def test_merging_is_commutative(two):
    one, other = map(card_of, two)
    assert_same(one.merge(other), other.merge(one))


@generated
@given(pieces(3))
def test_merging_is_associative(three):
    one, two, three = map(card_of, three)
    assert_same(one.merge(two).merge(three), one.merge(two.merge(three)))


@generated
@given(pieces(1))
def test_a_blank_card_changes_nothing(one):
    card = card_of(one[0])
    blank = Card.blank(len(card.m), card.a.shape[1])
    assert_same(card.merge(blank), card)
    assert_same(blank.merge(card), card)


def test_a_row_that_sees_nothing_stays_blank_and_finishes_as_0():
    card = Card.blank(2, 3).update(np.array([[-np.inf, -np.inf], [0.0, -np.inf]]), np.ones((2, 3)))
    assert card.m[0] == NOTHING and card.l[0] == 0 and (card.a[0] == 0).all()
    assert (card.finish() == [[0, 0, 0], [1, 1, 1]]).all()
    assert np.isneginf(card.logsumexp()[0]) and card.logsumexp()[1] == 0


@pytest.mark.parametrize("lowest", [-2.45e5, -1e38])
def test_scores_however_low_are_scores(lowest):
    """So no big negative number could have served as -∞."""
    card = Card.blank(1, 1).update(np.full((1, 2), lowest), np.array([[1.0], [3.0]]))
    assert card.m == lowest and card.l == 2 and card.finish() == 2


def test_zero_padding_of_keys_takes_a_share():
    """q = (1, 0) and K = I have scores 1/√2 and 0; two zero keys add e⁰ = 1 each."""
    scores, values = np.array([[1, 0]]) / np.sqrt(2), np.eye(2)
    right = Card.blank(1, 2).update(scores, values).finish()
    zeros = np.zeros((2, 2))
    padded = Card.blank(1, 2).update(np.append(scores, [[0, 0]], axis=1), np.vstack([values, zeros])).finish()
    e = np.exp(1 / np.sqrt(2))
    assert right == pytest.approx(np.array([[e, 1]]) / (e + 1))
    assert padded == pytest.approx(np.array([[e, 1]]) / (e + 3))


def test_a_card_is_never_changed_in_place():
    card = Card.blank(1, 1)
    card.update(np.zeros((1, 1)), np.ones((1, 1)))
    assert card.m == NOTHING and card.l == 0 and card.a == 0
