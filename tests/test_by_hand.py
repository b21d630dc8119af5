"""Four queries, four keys, d = 2, blocks of 2, fp16: small enough to be added up by hand.

A row block of Q, K, V or O is 2 rows × 2 numbers × 2 B = 8 B; the whole of one is 16 B. The 4 × 4 table is
16 numbers × 2 B = 32 B, a tile of it 8 B. There are T_r = 2 row blocks and T_c = 2 K/V blocks.
"""

import pytest
from ask import WAYS

from simulator.cost import Traffic

SMALL = {"n": 4, "d": 2, "br": 2, "bc": 2}


@pytest.fixture(params=WAYS, ids=lambda way: way.__name__)
def cost(request):
    """A function that answers by the executed run, then by the closed form."""
    return request.param


def test_standard_files_two_tables_and_fetches_them_again(cost):
    bill = cost("standard", **SMALL).desk
    assert bill.moves == {
        ("scores", "Q"): Traffic(read=2 * 16),            # once for each of 2 K blocks
        ("scores", "K"): Traffic(read=2 * 16),            # once for each of 2 row blocks
        ("scores", "S"): Traffic(write=32),
        ("softmax", "S"): Traffic(read=32),
        ("softmax", "P"): Traffic(write=32),
        ("pv", "P"): Traffic(read=32),
        ("pv", "V"): Traffic(read=2 * 16),                # once for each of 2 row blocks
        ("pv", "O"): Traffic(write=16),
    }
    assert bill.read == 32 + 32 + 32 + 32 + 32 == 160
    assert bill.write == 32 + 32 + 16 == 80


def test_flash_attention_1_carries_O_l_and_m_for_every_key_block(cost):
    bill = cost("flash1", **SMALL).desk
    assert bill.moves == {
        ("init", "O"): Traffic(write=16),
        ("init", "l"): Traffic(write=4 * 4),              # 4 rows of fp32
        ("init", "m"): Traffic(write=4 * 4),
        ("flash_attention_1", "K"): Traffic(read=16),
        ("flash_attention_1", "V"): Traffic(read=16),
        ("flash_attention_1", "Q"): Traffic(read=2 * 16),
        ("flash_attention_1", "O"): Traffic(read=2 * 16, write=2 * 16),
        ("flash_attention_1", "l"): Traffic(read=2 * 16, write=2 * 16),
        ("flash_attention_1", "m"): Traffic(read=2 * 16, write=2 * 16),
    }
    assert bill.by_tensor["O"] == Traffic(read=32, write=16 + 32)
    assert bill.read == 16 + 16 + 4 * 32 == 160
    assert bill.write == 48 + 3 * 32 == 144


def test_flash_attention_2_writes_O_once_and_reads_K_and_V_for_every_row_block(cost):
    bill = cost("flash2", **SMALL).desk
    assert bill.moves == {
        ("flash_attention_2", "Q"): Traffic(read=16),
        ("flash_attention_2", "K"): Traffic(read=2 * 16),
        ("flash_attention_2", "V"): Traffic(read=2 * 16),
        ("flash_attention_2", "O"): Traffic(write=16),
    }
    assert (bill.read, bill.write) == (80, 16)


def test_the_logsumexp_is_four_bytes_a_row(cost):
    bill = cost("flash2", **SMALL, lse=True)
    assert bill.desk.by_tensor["L"] == Traffic(write=4 * 4)
    assert bill.tile_moves == cost("flash2", **SMALL).tile_moves + 2       # one more for each row block


def test_tile_moves_count_loads_and_stores_of_one_tile_each(cost):
    assert cost("standard", **SMALL).tile_moves == 4 * (2 + 1) + 2 * 2 + 2 * (2 * 2 + 1) == 26
    assert cost("flash1", **SMALL).tile_moves == 2 * 3 + 2 * 2 + 4 * 7 == 38
    assert cost("flash2", **SMALL).tile_moves == 2 * (1 + 2 * 2 + 1) == 12


def test_the_two_products_take_two_operations_a_multiply_add(cost):
    for algorithm in ("standard", "flash1", "flash2"):
        flops = cost(algorithm, **SMALL).flops
        assert flops.matmul == 2 * (4 * 4 * 2) + 2 * (4 * 4 * 2) == 128    # S = QKᵀ, then O = PV
        assert flops.paper == 4 * 4 * 4 * 2


def test_tiling_needs_one_more_exponential_a_row_and_tile(cost):
    assert cost("standard", **SMALL).flops.exp == 16      # one a cell
    assert cost("flash1", **SMALL).flops.exp == 16 + 4 * 2
    assert cost("flash2", **SMALL).flops.exp == 16 + 4 * 2


def test_the_other_arithmetic_is_counted_step_by_step(cost):
    scaled, highest, shifted, summed = 4, 4, 4, 4         # ÷√d, row maximum, S - m, row sum: each once a cell of a tile
    row_steps = 2 + 2 + 2 + 2                             # max(m, ·), m - m_new, c·l, + rowsum: each once a row
    card = 4 + 4                                          # c·a, + PV: each once a number of a (2, 2)
    finish = 2 + 4                                        # max(l, 1), a ÷ l: once a row block
    tile = scaled + highest + shifted + summed + row_steps + card
    assert cost("flash2", **SMALL).flops.other == 4 * tile + 2 * finish
    l_times_c_again = 2                                   # c·l is taken for l and again for O
    finish_1 = 2 + 4                                      # for every tile
    assert cost("flash1", **SMALL).flops.other == 4 * (tile + l_times_c_again + finish_1)
    table = 16
    assert cost("standard", **SMALL).flops.other == (
        5 * table                                         # ÷√d, row maximum, S - m, row sum, P ÷ sum
        + 2 * 4                                           # the maximum kept finite, the sum kept from 0: once a row
        + 2 * 2 * 4)                                      # a + PV, once a number of each row block and K/V block


def test_the_desk_holds_Q_K_V_on_its_top_and_the_card_and_a_tile_in_registers(cost):
    for algorithm in ("flash1", "flash2"):
        peak = cost(algorithm, **SMALL).peak
        assert peak.shared_bytes == 8 + 8 + 8
        assert peak.registers_bytes == 4 * (2 * 2 + 2 * 2 + 2 + 2)         # S, a, m, l in fp32
        assert cost(algorithm, **SMALL, stages=3).peak.shared_bytes == 8 + 3 * (8 + 8)


def test_the_standard_way_holds_two_tiles_and_one_result(cost):
    peak = cost("standard", **SMALL).peak
    assert peak.shared_bytes == max(8 + 8, 8 + 8)         # Q and K, then P and V
    assert peak.registers_bytes == 4 * 2 * 2


def test_on_the_paper_ruler_every_operand_of_every_statement_counts_once(cost):
    paper = {algorithm: cost(algorithm, **SMALL).paper.total for algorithm in ("standard", "flash1", "flash2")}
    N, d, T_r, T_c, e = 4, 2, 2, 2, 2
    assert paper["standard"] == e * (4 * N * N + 4 * N * d) == 192
    assert paper["flash1"] == e * ((2 + 3 * T_c) * N * d + 4 * N * T_c) == 192
    assert paper["flash2"] == e * (2 * N * d + 2 * N * d * T_r) == 96
    assert cost("flash2", **SMALL, lse=True).paper.total == 96 + e * N


def test_a_causal_tile_without_a_visible_cell_moves_nothing(cost):
    bill = cost("flash2", **SMALL, causal=True)
    assert bill.desk.by_tensor["K"].read == 8 + 16        # row block 0 sees keys 0-1, row block 1 sees 0-3
    assert bill.tile_moves == 2 * 2 + 2 * (1 + 2)
    assert bill.flops.matmul == 3 * 4 * 2 * 2 * 2         # the two diagonal tiles whole
    assert bill.flops.paper == 128 // 2

    bill = cost("flash1", **SMALL, causal=True)
    assert bill.desk.moves["flash_attention_1", "Q"].read == 16 + 8        # K block 0 is seen by both, block 1 by one
    assert bill.desk.by_tensor["K"].read == 16
    assert bill.desk.by_tensor["O"].write == 16 + 16 + 8


def test_a_mask_moves_no_fewer_bytes_the_standard_way(cost):
    masked, whole = cost("standard", **SMALL, causal=True), cost("standard", **SMALL)
    assert masked.desk == whole.desk and masked.tile_moves == whole.tile_moves


def test_a_window_skips_tiles_on_both_sides(cost):
    bill = cost("flash2", n=6, d=2, br=2, bc=2, window=(1, 0))             # each query sees itself and the key before
    assert bill.desk.by_tensor["V"].read == 8 + 16 + 16   # row block 0: keys 0-1, 1: keys 0-3, 2: keys 2-5


def test_at_a_ragged_edge_only_valid_rows_move_but_the_desk_keeps_room_for_a_block(cost):
    bill = cost("flash2", n=5, d=2, br=2, bc=2)
    assert bill.desk.by_tensor["K"].read == 3 * 5 * 2 * 2                  # 3 row blocks, 5 keys each, not 6
    assert bill.desk.by_tensor["O"].write == 5 * 2 * 2
    assert bill.peak == cost("flash2", **SMALL).peak


def test_blocks_are_clipped_to_the_problem(cost):
    assert cost("flash2", n=3, d=2, br=64, bc=64) == cost("flash2", n=3, d=2, br=3, bc=3)


def test_query_heads_of_a_group_each_load_their_keys(cost):
    grouped = cost("flash2", **SMALL, heads=4, kv_heads=2, batch=3)
    assert grouped.desk.by_tensor["K"].read == 3 * 4 * 32
    assert grouped.peak == cost("flash2", **SMALL).peak   # of one thread block


def test_fp8_inputs_have_bf16_tables_and_output(cost):
    bill = cost("standard", **SMALL, dtype="fp8").desk.by_tensor
    assert bill["Q"].read == 16 and bill["S"] == Traffic(32, 32) and bill["O"].write == 16


def test_extra_passes_read_and_write_the_table_once_each(cost):
    bill = cost("standard", **SMALL, passes=("scale", "mask", "dropout"))
    assert bill.desk.by_kernel["scale"] == bill.desk.by_kernel["mask"] == Traffic(32, 32)
    assert bill.desk.by_kernel["dropout"] == Traffic(32, 32 + 16)          # and its mask, a byte a cell
    assert bill.desk.by_tensor["Z"] == Traffic(0, 16)
    assert bill.tile_moves == 26 + 4 + 4 + 6
