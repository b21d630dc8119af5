"""Decoding: a few rows against many keys, on one thread block or dealt to several and merged."""

import numpy as np
import pytest
from ask import DECODES, WAYS, computed, run
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.__main__ import answer_to
from simulator import Problem
from simulator.algorithms.split_kv import dealt
from simulator.cost import Traffic
from simulator.problem import FP16
from simulator.reference import attention
from simulator.tiling import flash_room, split_room

both_ways = pytest.mark.parametrize("cost", WAYS)
STEP = {"n": 1, "n_kv": 8, "d": 2, "br": 1, "bc": 2}      # one row of 4 bytes, 4 K/V blocks of 8


@both_ways
def test_a_step_reads_all_keys_and_values_once(cost):
    bill = cost("decode", **STEP)
    assert bill.desk.moves == {("decode", "Q"): Traffic(read=4), ("decode", "K"): Traffic(read=32),
                               ("decode", "V"): Traffic(read=32), ("decode", "O"): Traffic(write=4)}
    assert bill.tile_moves == 1 + 2 * 4 + 1
    assert bill.flops.matmul == bill.flops.paper == 4 * 8 * 2
    assert bill.paper == Traffic(read=4 + 64, write=4)


@both_ways
def test_a_split_step_also_files_an_fp32_part_for_each_split_and_fetches_it_again(cost):
    bill = cost("split_kv", **STEP, splits=3)
    assert bill.desk.moves == {
        ("split_kv", "Q"): Traffic(read=3 * 4), ("split_kv", "K"): Traffic(read=32),
        ("split_kv", "V"): Traffic(read=32),
        ("split_kv", "O_partial"): Traffic(write=3 * 8), ("split_kv", "L_partial"): Traffic(write=3 * 4),
        ("combine", "O_partial"): Traffic(read=3 * 8), ("combine", "L_partial"): Traffic(read=3 * 4),
        ("combine", "O"): Traffic(write=4)}
    assert bill.tile_moves == 3 * (1 + 2) + 2 * 4 + 3 * 2 + 1
    part = 2 + 1                                          # elements of O_partial and L_partial
    assert bill.paper == Traffic(read=2 * (3 * 2 + 2 * 16 + 3 * part), write=2 * (3 * part + 2))


@both_ways
@pytest.mark.parametrize("algorithm", DECODES)
def test_a_packed_group_reads_its_keys_once(cost, algorithm):
    heads = {"heads": 8, "kv_heads": 2, "batch": 3}
    apart, packed = (cost(algorithm, **STEP, **heads, pack_gqa=pack) for pack in (False, True))
    assert apart.desk.by_tensor["K"].read == 3 * 8 * 32
    assert packed.desk.by_tensor["K"].read == packed.desk.by_tensor["V"].read == 3 * 2 * 32
    for tensor in apart.desk.by_tensor.keys() - {"K", "V"}:
        assert packed.desk.by_tensor[tensor] == apart.desk.by_tensor[tensor]
    assert packed.flops == apart.flops
    assert packed.peak.shared_bytes == 4 * 4 + 2 * 8      # four rows of Q, one block of K and of V


@pytest.mark.parametrize("algorithm", DECODES)
def test_without_groups_there_is_nothing_to_pack(algorithm):
    alone = STEP | {"heads": 4}
    assert computed(algorithm, **alone, pack_gqa=True) == computed(algorithm, **alone)


@both_ways
def test_one_thread_block_decodes_as_flash_attention_2_does_with_one_row_block(cost):
    step = {"n": 3, "n_kv": 20, "d": 4, "bc": 6, "causal": True}
    decode, flash2 = cost("decode", **step, br=1), cost("flash2", **step, br=3)        # B_r of decode is N_q
    assert decode.desk.by_tensor == flash2.desk.by_tensor
    assert (decode.paper, decode.flops, decode.tile_moves, decode.peak) == (
        flash2.paper, flash2.flops, flash2.tile_moves, flash2.peak)


@both_ways
def test_splits_beyond_the_blocks_still_file_their_empty_parts(cost):
    few, many = (cost("split_kv", **STEP, splits=splits) for splits in (4, 9))
    assert many.desk.by_tensor["K"] == few.desk.by_tensor["K"]
    assert many.desk.by_tensor["O_partial"].write == 9 * 8


@given(st.integers(0, 40), st.integers(1, 40))
def test_blocks_are_dealt_in_order_and_evenly(blocks, splits):
    shares = dealt(range(blocks), splits)
    assert [block for share in shares for block in share] == list(range(blocks))
    assert len(shares) == splits
    assert max(map(len, shares)) - min(map(len, shares)) <= 1


def test_the_merge_keeps_a_card_beside_one_part():
    assert split_room(4, 64, 16, FP16) == flash_room(4, 64, 16, FP16)
    assert split_room(4, 2, 16, FP16).registers_bytes == 4 * (2 * 4 * 16 + 3 * 4) > 4 * (4 * 2 + 4 * 16 + 2 * 4)


# Outputs. In fp32 what splits, packs and masks change is the order of sums of at most 24 terms.


@pytest.mark.parametrize("algorithm", DECODES)
@settings(max_examples=150, derandomize=True, deadline=None, database=None)
@given(n=st.integers(1, 5), n_kv=st.integers(1, 24), bc=st.integers(1, 9), splits=st.integers(1, 6),
       causal=st.booleans(), left=st.integers(-1, 9), group=st.integers(1, 3), kv_heads=st.integers(1, 2),
       pack_gqa=st.booleans())
def test_every_head_answers_as_in_float64(algorithm, n, n_kv, bc, splits, causal, left, group, kv_heads, pack_gqa):
    problem = {"n": n, "n_kv": n_kv, "d": 4, "heads": kv_heads * group, "kv_heads": kv_heads, "batch": 2,
               "dtype": "fp32", "causal": causal, "window": (left, -1)}
    rng = np.random.default_rng(n_kv)
    q, k, v = (rng.standard_normal((2, heads, rows, 4)).astype(np.float32)
               for heads, rows in ((kv_heads * group, n), (kv_heads, n_kv), (kv_heads, n_kv)))
    one = run(algorithm, br=n, bc=bc, splits=splits, pack_gqa=pack_gqa, inputs=(q, k, v), **problem)
    assert one.output.shape == q.shape
    assert one.cost == computed(algorithm, br=n, bc=bc, splits=splits, pack_gqa=pack_gqa, **problem)
    for b in range(2):
        for h in range(kv_heads * group):
            oracle = attention(q[b, h], k[b, h // group], v[b, h // group], Problem(**problem).mask)
            assert one.output[b, h] == pytest.approx(oracle, abs=1e-5)


def test_parts_are_merged_in_fp32_so_O_is_rounded_once():
    asked = {"n": 2, "n_kv": 200, "d": 16, "br": 2, "bc": 16, "dtype": "bf16"}
    whole, split = run("decode", **asked), run("split_kv", **asked, splits=5)
    assert split.max_error <= whole.max_error * 1.5       # both err by one rounding of O, 2⁻⁹ of it


def test_a_drawn_run_of_a_packed_group_has_all_its_rows():
    one = run("decode", n=2, n_kv=9, d=4, br=2, bc=4, heads=6, kv_heads=2, pack_gqa=True)
    assert one.output.shape == (3 * 2, 4) and one.max_error < 2.0**-9      # fp16 of numbers below 4


def test_a_step_has_its_chart_with_its_splits_below(tmp_path):
    line = ("chart --algorithm split_kv --vary n-kv --values 64,128 --n 1 --d 8 --br 1 --bc 8 --splits 4 --heads 4 "
            f"--kv-heads 2 --pack-gqa --out {tmp_path}/chart.svg")
    list(answer_to(line.split()))
    assert "splits 4 · pack-gqa" in (tmp_path / "chart.svg").read_text()
