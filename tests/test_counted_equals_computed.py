"""What an executed run counts is what the closed form computes: every byte, move, operation and peak."""

import pytest
from ask import ALGORITHMS, EVERY, computed, counted
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.cost import Traffic

side = st.one_of(st.just(-1), st.integers(0, 12))


@st.composite
def configurations(draw):
    """Small problems with every option: ragged, masked, blocks wider than the problem, heads in groups."""
    kv_heads, group = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    return {
        "n": draw(st.integers(1, 24)), "n_kv": draw(st.one_of(st.none(), st.integers(1, 24))),
        "d": draw(st.integers(1, 5)), "br": draw(st.integers(1, 27)), "bc": draw(st.integers(1, 27)),
        "stages": draw(st.integers(1, 3)), "splits": draw(st.integers(1, 5)), "pack_gqa": draw(st.booleans()),
        "batch": draw(st.integers(1, 3)),
        "heads": kv_heads * group, "kv_heads": kv_heads,
        "dtype": draw(st.sampled_from(("fp32", "fp16", "bf16", "fp8"))),
        "causal": draw(st.booleans()), "window": (draw(side), draw(side)), "lse": draw(st.booleans()),
        "passes": tuple(draw(st.lists(st.sampled_from(("scale", "mask", "dropout")), unique=True)))}


@pytest.mark.parametrize("algorithm", EVERY)
@settings(max_examples=300, derandomize=True, deadline=None, database=None)
@given(configuration=configurations())
def test_an_executed_run_counts_what_the_closed_form_computes(algorithm, configuration):
    by_run, by_form = counted(algorithm, **configuration), computed(algorithm, **configuration)
    assert by_run.desk.moves == by_form.desk.moves        # per kernel and tensor, to the byte
    assert by_run.tile_moves == by_form.tile_moves
    assert by_run.flops == by_form.flops
    assert by_run.peak == by_form.peak


@pytest.mark.parametrize("algorithm", EVERY)
@settings(max_examples=20, derandomize=True, deadline=None, database=None)
@given(configuration=configurations())
def test_counts_are_whole_numbers(algorithm, configuration):
    for cost in (counted(algorithm, **configuration), computed(algorithm, **configuration)):
        numbers = [cost.tile_moves, *vars(cost.flops).values(), *vars(cost.peak).values(), cost.paper.total]
        numbers += [x for t in cost.desk.moves.values() for x in (t.read, t.write)]
        assert all(type(x) is int for x in numbers)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_row_block_that_sees_nothing_is_counted_too(algorithm):
    unseen = {"n": 8, "n_kv": 2, "d": 2, "br": 2, "bc": 2, "causal": True}             # rows 0-5 see no key
    by_run = counted(algorithm, **unseen)
    assert by_run == computed(algorithm, **unseen)
    assert by_run.desk.by_tensor["O"].write >= 8 * 2 * 2  # zeros are stored all the same


def test_a_row_block_that_sees_nothing_is_skipped_by_flash_attention_1():
    bill = counted("flash1", n=8, n_kv=4, d=2, br=4, bc=2, window=(0, 0)).desk         # query i sees key i - 4
    assert bill.moves["flash_attention_1", "Q"] == Traffic(read=2 * 4 * 2 * 2)   # row block 1, for 2 K blocks
