"""The recorded measurements: what was measured says what the counts say, and reaches what it must."""

import json
from pathlib import Path

import pytest

from kernels import ideas, ladder, rulers
from simulator import Problem, gpu
from simulator.tiling import fits, flash_room

FOLDER = Path(__file__).parents[2] / "kernels" / "measurements"
COUNTERS = json.loads((FOLDER / "h200-counters.json").read_text(encoding="utf-8"))["rows"]
BENCH = json.loads((FOLDER / "h200-bench.json").read_text(encoding="utf-8"))["rows"]
SECTOR = 32
WIDTH = {"fp16": 2, "bf16": 2, "fp32": 4}
STANDARD = ("scores", "softmax", "pv", "pass")
TILED = ("flash_attention_1", "flash_attention_2", "flash_attention_2_tma")
# Blocks whose registers spill: see measurements/README.md.
SPILL = [("flash_attention_2", 64, 128), ("flash_attention_1", 128, 128), ("flash_attention_1", 64, 64)]
L2 = gpu("h200").l2_bytes


def name(row):
    size = f"{row['n']}x{row['n_kv']}x{row['d']}" if row["n"] != row["n_kv"] else f"{row['n']}x{row['d']}"
    causal = "-causal" if row["causal"] else ""
    return f"{row['kernel']}-{size}-{row['batch'] * row['heads']}-{row['dtype']}{causal}-{row['br']}x{row['bc']}"


def whole_sectors(row):
    """Whether rows, and columns of fp32 numbers, begin and end with a sector, and descriptors' boxes are full."""
    columns = row["n"] * 4 % SECTOR == 0 or not (row["lse"] or row["kernel"] in ("flash_attention_1", "init"))
    boxes = row["kernel"] != "flash_attention_2_tma" or row["n"] % row["br"] == row["n_kv"] % row["bc"] == 0
    return row["d"] * WIDTH[row["dtype"]] % SECTOR == 0 and columns and boxes


def one_heads_k_and_v(row):
    return 2 * row["n_kv"] * row["d"] * WIDTH[row["dtype"]]


def k_and_v_in_flight(row):
    """Bytes of K and V that the thread blocks on the floor want at once."""
    heads = gpu("h200").sms * row["blocks_per_sm"] * row["br"] / row["n"]
    return max(1, heads) * one_heads_k_and_v(row)


def configuration(row):
    return tuple(row[key] for key in ("algorithm", "batch", "heads", "kv_heads", "n", "n_kv", "d", "dtype", "causal",
                                      "lse", "br", "bc")) + tuple(row["window"])


def test_enough_was_measured():
    flash = {configuration(row) for row in COUNTERS if row["kernel"] not in (*STANDARD, "init")}
    assert len(flash) >= 60
    assert sum(one_heads_k_and_v(row) > L2 / 2 for row in COUNTERS if row["kernel"] in TILED) >= 6


def rows(kernels, whole=(True, False)):
    return [row for row in COUNTERS if row["kernel"] in kernels and whole_sectors(row) in whole
            and not spilled(row)]


def spilled(row):
    return (row["kernel"], row["br"], row["bc"]) in SPILL


@pytest.mark.parametrize("row", rows((*TILED, "init"), whole=[True]), ids=name)
def test_the_desk_ruler_equals_the_counters_to_the_byte(row):
    assert row["measured"]["l2_to_sm_read"] == row["desk"]["read"]
    assert row["measured"]["sm_to_l2_write"] == row["desk"]["write"]


@pytest.mark.parametrize("row", rows(STANDARD), ids=name)
def test_standard_moves_what_the_desk_ruler_says_within_two_percent(row):
    for ours, theirs in (("read", "l2_to_sm_read"), ("write", "sm_to_l2_write")):
        assert row["measured"][theirs] == pytest.approx(row["desk"][ours], rel=0.02)


@pytest.mark.parametrize("row", rows(TILED, whole=[False]), ids=name)
def test_partial_sectors_and_boxes_only_add(row):
    assert 1 <= row["measured"]["l2_to_sm_read"] / row["desk"]["read"] < 1.02
    assert 1 <= row["measured"]["sm_to_l2_write"] / row["desk"]["write"] < 1.25


@pytest.mark.parametrize("row", [row for row in COUNTERS if spilled(row)], ids=name)
def test_registers_that_spill_only_add(row):
    for ours, theirs in (("read", "l2_to_sm_read"), ("write", "sm_to_l2_write")):
        assert row["desk"][ours] <= row["measured"][theirs] < 1.04 * row["desk"][ours]


def test_desk_counts_in_the_file_are_those_of_the_simulator():
    for row in COUNTERS:
        desk = rulers.desk(row)[row["launch"]]
        assert (row["desk"]["read"], row["desk"]["write"]) == (desk.read, desk.write)


# The third version: its thread blocks stay, and read lists of row blocks besides.

THIRD = [row for row in COUNTERS if row["kernel"] == "flash_attention_3"]


def whole_boxes(row):
    return row["n"] % 64 == row["n_kv"] % row["bc"] == 0


def cut_by_a_mask(row):
    """Masks cost the registers that a thread has to spare: some numbers are put aside in memory and fetched again."""
    return row["causal"] or row["window"] != [-1, -1]


@pytest.mark.parametrize("row", [row for row in THIRD if whole_boxes(row) and not cut_by_a_mask(row)], ids=name)
def test_the_third_version_moves_the_desk_rulers_bytes_and_its_lists(row):
    lists = rulers.lists_bytes(row, gpu("h200").sms)
    assert row["measured"]["l2_to_sm_read"] == row["desk"]["read"] + lists
    assert row["measured"]["sm_to_l2_write"] == row["desk"]["write"]


@pytest.mark.parametrize("row", [row for row in THIRD if whole_boxes(row) and cut_by_a_mask(row)], ids=name)
def test_under_a_mask_the_third_version_reads_no_more_but_what_it_put_aside(row):
    more = row["measured"]["l2_to_sm_read"] - row["desk"]["read"] - rulers.lists_bytes(row, gpu("h200").sms)
    assert more == 0 if row["d"] == 128 else 0 <= more < 0.001 * row["desk"]["read"]
    assert row["desk"]["write"] < row["measured"]["sm_to_l2_write"] < 1.4 * row["desk"]["write"]


@pytest.mark.parametrize("row", [row for row in THIRD if not whole_boxes(row)], ids=name)
def test_boxes_over_the_edge_only_add_to_what_the_third_version_moves(row):
    assert 1 <= row["measured"]["l2_to_sm_read"] / row["desk"]["read"] < 1.03


def test_lists_of_two_row_blocks_take_one_or_two_sectors():
    """16 heads of 8 row blocks, dealt to 128 programs: 7 numbers each, of which 1, 3 and the one to spare are read."""
    row = dict(kernel="flash_attention_3", n=1024, n_kv=1024, d=64, batch=1, heads=16, kv_heads=16, dtype="fp16",
               causal=False, br=128, bc=128, stages=3)
    first = [set(range(program * 28 // 32, (program * 28 + 27) // 32 + 1)) for program in range(128)]
    assert rulers.lists_bytes(row, sms=132) == 32 * sum(map(len, first)) == 7168


def far_from_the_knee(row):
    return k_and_v_in_flight(row) < L2 / 4 or one_heads_k_and_v(row) > L2


@pytest.mark.parametrize("row", [row for row in rows(TILED[1:]) if far_from_the_knee(row)], ids=name)
def test_the_shelf_lets_through_what_the_model_says(row):
    assert row["measured"]["dram_read"] == pytest.approx(row["cabinet"]["read"], rel=0.05 if row["causal"] else 0.02)


@pytest.mark.parametrize("row", rows(STANDARD), ids=name)
def test_tables_come_back_from_dram_as_the_model_says(row):
    assert row["measured"]["dram_read"] == pytest.approx(row["cabinet"]["read"], rel=0.05)


# Speed and accuracy, in every cell.


def cells():
    found = {}
    for row in ladder.cells(BENCH):
        found.setdefault((row["d"], row["causal"], row["n"]), {})[row["kernel"]] = row
    return found


CELLS = [(d, causal, n) for d in (64, 128) for causal in (False, True) for n in (512, 1024, 2048, 4096, 8192, 16384)]


def beside_cudnn(d, causal, n):
    cell = cells()[d, causal, n]
    assert cell["flash_attention_3"]["rounds"] == cell["cudnn"]["rounds"] == "pair"
    return cell["flash_attention_3"]["tflops"] / cell["cudnn"]["tflops"]


@pytest.mark.parametrize("d, causal, n", CELLS)
def test_the_third_version_is_as_fast_as_cudnn(d, causal, n):
    assert beside_cudnn(d, causal, n) >= 1


def test_in_half_the_cells_it_is_a_twentieth_faster():
    longer = [cell for cell in CELLS if cell[2] >= 1024]
    assert sum(beside_cudnn(*cell) >= 1.05 for cell in longer) >= len(longer) / 2


@pytest.mark.parametrize("d, causal, n", CELLS)
def test_it_is_far_faster_than_pytorchs_flash_attention(d, causal, n):
    cell = cells()[d, causal, n]
    assert cell["flash_attention_3"]["tflops"] >= 1.4 * cell["flash"]["tflops"]


@pytest.mark.parametrize("d, causal, n", CELLS)
def test_no_kernel_of_flash_attention_2_errs_more_than_pytorchs(d, causal, n):
    cell = cells()[d, causal, n]
    for kernel in ("flash_attention_2", "flash_attention_2_tma", "flash_attention_3"):
        assert cell[kernel]["error"] <= 1.1 * cell["flash"]["error"]
    assert cell["flash_attention_3"]["error"] <= 1.05 * cell["cudnn"]["error"]


def test_standing_thread_blocks_several_readers_and_level_lists_buy_the_most():
    found = {one.key: one.shares for one in ideas.ideas(BENCH)}
    assert all(share <= 1.03 for shares in found.values() for share in shares.values())
    assert found["level"][64, True] < 0.7 and found["readers"][128, False] < 0.8 and found["edge"][64, True] < 0.95
    assert all(share < 0.98 for share in found["stay"].values())


def test_rates_follow_from_the_times():
    for row in BENCH:
        flops = 4 * row["batch"] * row["heads"] * row["n"] * row["n_kv"] * row["d"] / (2 if row["causal"] else 1)
        assert row["tflops"] == pytest.approx(flops / row["ms"] / 1e9, abs=0.06, rel=2e-4)


# Public reports, measured again.


def dram(kernels, **wanted):
    rows = [row for row in COUNTERS if row["kernel"] in kernels and all(row[key] == x for key, x in wanted.items())]
    return sum(row["measured"]["dram_read"] + row["measured"]["dram_write"] for row in rows)


def test_four_unfused_kernels_move_six_tables_through_dram():
    moved = dram(STANDARD, n=4096, d=128, batch=4, heads=32, dtype="fp32")
    table, matrix = 4 * 4 * 32 * 4096**2, 4 * 4 * 32 * 4096 * 128
    assert moved == pytest.approx(6 * table + 4 * matrix, rel=0.01)          # 52.6 GB by count, 53.7 GB on an H100


@pytest.mark.parametrize("causal", [False, True])
def test_the_tiled_kernel_moves_only_what_it_must_through_dram(causal):
    moved = dram(["flash_attention_2"], n=4096, d=128, batch=4, heads=32, dtype="bf16", causal=causal)
    assert moved == pytest.approx(4 * 2 * 4 * 32 * 4096 * 128, rel=0.02)     # 536.9 MB


def test_a_tile_too_large_for_an_rtx_4090_is_refused():
    room = flash_room(128, 192, 128, Problem(n=2048, d=128).storage)
    assert room.shared_bytes == 131_072
    assert gpu("rtx4090").shared_per_block_bytes == 101_376
    assert not fits(room, gpu("rtx4090"))


def test_stages_multiply_the_buffers_of_k_and_v():
    storage = Problem(n=64, d=256, dtype="fp8").storage
    one, two = (flash_room(64, 64, 256, storage, stages).shared_bytes for stages in (1, 2))
    assert two - 256 * 64 == 2 * (one - 256 * 64) == 65_536
