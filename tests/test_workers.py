"""Decoding on many SMs: how many have work, and how much the busiest has."""

import pytest
from ask import run
from hypothesis import given
from hypothesis import strategies as st

from simulator import Problem, Tiling, gpu
from simulator.workers import seated

LLAMA_3_8B = {"heads": 32, "kv_heads": 8}


def floor(splits=1, pack=True, n_kv=4096, spec="h200", **asked):
    problem = Problem(n=1, n_kv=n_kv, d=128, **{**LLAMA_3_8B, **asked})
    return seated(problem, Tiling(1, 128, splits=splits, pack_gqa=pack), gpu(spec))


def test_one_row_of_one_head_is_one_thread_block_and_131_workers_of_132_are_idle():
    alone = floor(heads=1, kv_heads=1)
    assert (alone.blocks, alone.busy, alone.sms) == (1, 1, 132)
    assert alone.tiles == 4096 // 128


def test_without_splitting_a_word_keeps_as_many_workers_as_there_are_key_heads():
    assert floor().busy == 8
    assert floor(pack=False).busy == 32                   # one for every query head
    assert floor(batch=4).busy == 4 * 8


def test_splits_multiply_the_thread_blocks_and_divide_the_tiles():
    sixteen = floor(splits=16)
    assert (sixteen.blocks, sixteen.busy, sixteen.waves, sixteen.tiles) == (128, 128, 1, 2)
    seventeen = floor(splits=17)
    assert (seventeen.blocks, seventeen.busy, seventeen.waves) == (136, 132, 2)       # four have to come again
    assert seventeen.turns() == (2,) * 4 + (1,) * 128


def test_more_splits_than_tiles_leave_some_with_nothing_to_pass():
    assert floor(splits=64).tiles == 1
    assert floor(n_kv=100, splits=8).tiles == 1


@pytest.mark.parametrize("pack", [False, True])
@pytest.mark.parametrize("splits", [1, 3, 8])
def test_the_thread_blocks_are_those_of_an_executed_run(splits, pack):
    asked = {"n": 1, "n_kv": 24, "d": 4, "heads": 4, "kv_heads": 2}
    one = run("split_kv", **asked, br=1, bc=4, splits=splits, pack_gqa=pack)
    launched = {event.i for event in one.events if event.kernel == "split_kv" and event.i is not None}
    seating = seated(Problem(**asked), Tiling(1, 4, splits=splits, pack_gqa=pack), gpu("h200"))
    assert seating.blocks == len(launched) * 4 // (2 if pack else 1)                   # the log is of one run
    tiles = [sum(e.op == "load" and e.tensor == "K" and e.i == i for e in one.events if e.kernel == "split_kv")
             for i in launched]
    assert seating.tiles == max(tiles)


@given(st.integers(1, 64), st.integers(1, 300), st.sampled_from(("h200", "a100-40", "rtx4090")))
def test_every_thread_block_has_its_turn(batch, splits, spec):
    seating = floor(batch=batch, splits=splits, spec=spec)
    assert sum(seating.turns()) == seating.blocks
    assert max(seating.turns()) == seating.waves
    assert sum(turn > 0 for turn in seating.turns()) == seating.busy
