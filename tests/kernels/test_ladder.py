"""The ladder at one size: times as they were measured, bytes by hand, and nothing where nobody counted."""

import subprocess
import sys

import pytest

from kernels.ladder import BESIDE, RUNGS, cell, cells, rungs, shelved, told
from simulator import gpu
from simulator.errors import BadProblem

N, D, HEADS = 4096, 128, 64
TABLE, MATRIX = 2 * HEADS * N * N, 2 * HEADS * N * D          # bytes of S and of Q, in a type of two bytes


def row(kernel, ms, br=128, bc=128, **more):
    """A line of a file of timings: 4 texts of 4096 tokens, 16 heads of 128."""
    return {"kernel": kernel, "pass": "forward", "batch": 4, "heads": 16, "kv_heads": 16, "n": N, "n_kv": N, "d": D,
            "dtype": "bf16", "causal": False, "br": br, "bc": bc, "warps": 8, "stages": 2, "ms": ms,
            "tflops": round(4 * HEADS * N * N * D / ms / 1e9, 1)} | more


ROWS = [row("standard", 4.0), row("flash_attention_1", 8.0), row("flash_attention_2", 2.0),
        row("flash_attention_2_tma", 1.5), row("flash_attention_3", 1.0, mhz=1755.0, watts=690.5),
        row("cudnn", 0.8, None, None), row("math", 9.0, None, None),
        row("flash_attention_2", 0.1, sweep=True), row("flash_attention_3", 0.2, without="overlap"),
        row("standard", 2.0, n=512, n_kv=512)]
RECORD = {"device": "NVIDIA H200", "date": "2026-11-30", "rows": ROWS}


def by_name(rows=ROWS, counters=()):
    return {one.kernel: one for one in rungs(rows, counters)}


def test_the_rungs_stand_one_above_the_other_and_the_yardstick_beside_them():
    assert [one.kernel for one in rungs(ROWS)] == [*RUNGS, *BESIDE]
    assert [one.gain for one in rungs(ROWS)] == [None, 0.5, 4.0, 2.0, None]


def test_what_was_timed_apart_is_no_rung():
    assert [one.ms for one in rungs(ROWS)] == [4.0, 8.0, 2.0, 1.0, 0.8]
    assert len(cells(ROWS)) == len(ROWS) - 2


def test_a_gpu_without_a_rung_has_the_others():
    found = rungs([one for one in ROWS if one["kernel"] not in ("flash_attention_1", "cudnn")])
    assert [(one.kernel, one.gain) for one in found] == [
        ("standard", None), ("flash_attention_2", 2.0), ("flash_attention_3", 2.0)]


def test_bytes_by_the_paper_and_the_desk_ruler_by_hand():
    """Blocks of 128 × 128 make 32 row blocks and 32 tiles each: standard fetches Q, K and V 32 times."""
    found = by_name()
    assert found["standard"].paper == 4 * TABLE + 4 * MATRIX
    assert found["standard"].desk == 4 * TABLE + (3 * 32 + 1) * MATRIX
    assert found["flash_attention_2"].paper == found["flash_attention_2"].desk == (2 + 2 * 32) * MATRIX
    assert found["flash_attention_3"].desk == found["flash_attention_2"].desk
    assert found["cudnn"].paper is found["cudnn"].desk is found["cudnn"].cabinet is None


def test_the_cabinet_is_modelled_for_the_rungs_of_one_size():
    rows = shelved(ROWS, gpu("h200"))
    modelled = [one for one in rows if "cabinet" in one]
    assert [one["kernel"] for one in modelled] == list(RUNGS)
    assert all(one["n"] == N for one in modelled)
    found = by_name(rows)
    assert 3 * MATRIX <= found["flash_attention_2"].cabinet <= 4.1 * MATRIX          # Q, K and V once, and most of O
    assert found["standard"].cabinet > 3.9 * TABLE
    assert by_name()["standard"].cabinet is None
    assert shelved(rows, gpu("h200")) == rows


def seen(kernel, launch, read, write, br=128, bc=128, **more):
    """A line of a file of counters at the same size."""
    return row(kernel, 1.0, br, bc) | {
        "launch": launch, "lse": False, "passes": [], "window": [-1, -1],
        "measured": {"l2_to_sm_read": read, "sm_to_l2_write": write, "dram_read": read // 4, "dram_write": 0}} | more


COUNTERS = [seen("scores", "scores", 4000, 100), seen("softmax", "softmax", 400, 40, 1, N), seen("pv", "pv", 40, 4),
            seen("flash_attention_2", "flash_attention_2", 800, 8),
            seen("flash_attention_3", "flash_attention_2", 80, 8)]


def test_what_the_counters_read_is_added_up_over_a_kernels_launches():
    found = by_name(counters=COUNTERS)
    assert (found["standard"].l2_to_sm, found["standard"].dram) == (4584, 1110)
    assert found["flash_attention_2"].l2_to_sm == 808 and found["flash_attention_3"].l2_to_sm == 88
    assert found["flash_attention_1"].l2_to_sm is None                               # nobody counted its launches


@pytest.mark.parametrize("other", [
    {"batch": 1}, {"heads": 32}, {"dtype": "fp16"}, {"causal": True}, {"bc": 64}, {"lse": True},
    {"window": [100, 0]}], ids=str)
def test_counters_of_another_configuration_say_nothing(other):
    assert by_name(counters=[COUNTERS[3] | other])["flash_attention_2"].l2_to_sm is None


def test_one_launch_without_counters_leaves_the_sum_out():
    assert by_name(counters=COUNTERS[:2])["standard"].l2_to_sm is None


def test_a_size_that_was_not_timed_is_refused_with_those_that_were():
    with pytest.raises(BadProblem, match=r"d, n = 128, 3000 is not possible: d 128; n 512, 4096; choose a size"):
        cell(ROWS, n=3000)
    with pytest.raises(BadProblem, match="d 128"):
        rungs(ROWS, d=64)


def test_the_table_fits_a_projector_and_names_its_rulers_and_tags():
    lines = told(RECORD | {"rows": shelved(ROWS, gpu("h200"))}, COUNTERS)
    assert max(map(len, lines)) <= 100
    assert lines[0] == "The ladder · d = 128 · N = 4,096 · 4 × 16 heads · bf16 · NVIDIA H200 · 2026-11-30"
    head, tags = lines[2].split(), lines[3].split()
    assert head == ["time", "rate", "times", "paper", "desk", "cabinet", "clock", "power"]
    assert tags == ["ms", "TFLOP/s", "computed", "computed", "modelled", "MHz", "W"]
    top = next(line for line in lines if line.startswith("flash_attention_3")).split()
    assert top[1:6] == ["1.000", "550", "×2.00", "4.429", "GB"] and top[-2:] == ["1,755", "690"]
    assert "flash_attention_3 reaches 0.800 of cudnn's rate" in lines
    assert any(line.startswith("counted by the GPU") for line in lines)


def test_without_counters_there_is_no_table_of_them():
    assert not any("counted" in line for line in told(RECORD))


def test_it_needs_neither_pytorch_nor_triton():
    script = "import sys, kernels.ladder; print([name for name in ('torch', 'triton') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True).stdout == "[]\n"
