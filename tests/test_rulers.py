"""Three rulers, each with its own number: the published formulas, and what a GPU's counters showed."""

import pytest
from ask import computed
from hypothesis import given, settings
from hypothesis import strategies as st

size = st.integers(1, 5000)
exactly = settings(max_examples=100, derandomize=True, deadline=None, database=None)
BYTES = {"fp32": 4, "fp16": 2, "bf16": 2, "fp8": 1}


@exactly
@given(size, st.integers(1, 300), size, size, st.sampled_from(tuple(BYTES)), st.integers(1, 40))
def test_the_paper_ruler_is_the_papers_formulas(N, d, B_r, B_c, dtype, heads):
    T_r, T_c, e = -(-N // B_r), -(-N // B_c), BYTES[dtype] * heads
    asked = {"n": N, "d": d, "br": B_r, "bc": B_c, "dtype": dtype, "heads": heads}
    assert computed("standard", **asked).paper.total == e * (4 * N * N + 4 * N * d)
    assert computed("flash1", **asked).paper.total == e * ((2 + 3 * T_c) * N * d + 4 * N * T_c)
    assert computed("flash2", **asked).paper.total == e * (2 * N * d + 2 * N * d * T_r)
    assert computed("flash2", **asked, lse=True).paper.total == e * (2 * N * d + 2 * N * d * T_r + N)


@exactly
@given(size, size, st.integers(1, 300), size, size, st.sampled_from(("fp32", "fp16", "bf16")))
def test_the_desk_ruler_is_the_tiled_programs_formulas(N_q, N_k, d, B_r, B_c, dtype):
    T_r, T_c, e = -(-N_q // B_r), -(-N_k // B_c), BYTES[dtype]
    asked = {"n": N_q, "n_kv": N_k, "d": d, "br": B_r, "bc": B_c, "dtype": dtype}
    v2 = computed("flash2", **asked).desk
    assert (v2.read, v2.write) == (e * d * (N_q + 2 * T_r * N_k), e * d * N_q)
    v1 = computed("flash1", **asked).desk.by_kernel
    assert v1["init"].write == e * d * N_q + 8 * N_q
    assert v1["flash_attention_1"].read == e * d * (2 * N_k + 2 * T_c * N_q) + 2 * 4 * T_c * N_q
    assert v1["flash_attention_1"].write == T_c * (e * d * N_q + 2 * 4 * N_q)
    standard = computed("standard", **asked).desk.by_kernel
    table = e * N_q * N_k
    assert (standard["scores"].read, standard["scores"].write) == (e * d * (T_c * N_q + T_r * N_k), table)
    assert (standard["softmax"].read, standard["softmax"].write) == (table, table)
    assert (standard["pv"].read, standard["pv"].write) == (table + e * d * T_r * N_k, e * d * N_q)


@exactly
@given(size, st.integers(1, 300), size, size)
def test_masks_and_groups_leave_the_paper_ruler_alone(N, d, B_r, B_c):
    plain = {"n": N, "d": d, "br": B_r, "bc": B_c, "heads": 4}
    for algorithm in ("standard", "flash1", "flash2"):
        assert computed(algorithm, **plain, causal=True, kv_heads=2).paper == computed(algorithm, **plain).paper


@exactly
@given(size, st.integers(1, 300), size, size)
def test_without_a_mask_the_two_rulers_agree_on_flash_attention_2(N, d, B_r, B_c):
    cost = computed("flash2", n=N, d=d, br=B_r, bc=B_c)
    assert (cost.paper.read, cost.paper.write) == (cost.desk.read, cost.desk.write)


def test_the_desk_ruler_is_what_the_l2_to_sm_counter_of_an_h200_read():
    cost = computed("flash2", n=4096, d=128, br=128, bc=64, heads=16)
    assert cost.desk.read == 16 * 2 * (4096 * 128 + 32 * 2 * 4096 * 128) == 1_090_519_040
    small = computed("flash2", n=1024, d=64, br=128, bc=64, heads=16)
    assert (small.desk.read, small.desk.write) == (35_651_584, 2_097_152)
    causal = computed("flash2", n=1024, d=64, br=128, bc=64, heads=16, causal=True)
    assert (causal.desk.read, causal.desk.write) == (20_971_520, 2_097_152)


def test_naive_to_tiled_is_two_to_one_on_paper_and_more_on_the_desk():
    asked = {"n": 4096, "d": 128, "br": 128, "bc": 128, "heads": 16}
    naive, tiled = computed("standard", **asked), computed("flash2", **asked)
    assert naive.paper.total / tiled.paper.total == pytest.approx(2.0, abs=0.005)      # quoted to two digits
    assert naive.desk.total / tiled.desk.total == pytest.approx(3.4, abs=0.05)


def test_standard_attention_has_four_carries_of_its_table():
    bill = computed("standard", n=64, d=8, br=16, bc=16).desk.by_tensor
    crossings = sum(bill[name].total for name in ("S", "P")) / (64 * 64 * 2)
    assert crossings == 4


def test_a_thousand_rows_in_blocks_of_sixteen_are_8320_tile_moves():
    assert computed("flash2", n=1024, d=64, br=16, bc=16).tile_moves == 64 * (1 + 2 * 64 + 1) == 8_320
    assert computed("flash2", n=1024, d=64, br=16, bc=16, lse=True).tile_moves == 8_320 + 64


def test_three_more_passes_bring_four_crossings_of_the_table_to_ten():
    passes = computed("standard", n=1024, d=64, br=64, bc=64, passes=("scale", "mask", "dropout"))
    plain = computed("standard", n=1024, d=64, br=64, bc=64)
    table = 1024 * 1024
    assert passes.paper.total - plain.paper.total == 6 * 2 * table + table
    assert (passes.paper.total - table) / 2 == 10 * table + 4 * 1024 * 64              # in elements of two bytes
