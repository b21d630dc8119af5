"""The time of a kernel as it is built: who waits for whom, by hand; then held against the stopwatch."""

import json

import pytest

from lessons import measured
from lessons.beyond import forecast
from simulator import Problem, Tiling, gpu, gpus
from simulator import designs as module
from simulator.designs import Built, designs, seconds
from simulator.errors import UnknownName
from simulator.pace import makespan_s, round_s
from simulator.roofline import time

H200 = gpu("h200")
SHARE = 0.8                             # of the cells are to be within 15 %


# Workers who share tools, by hand.


def test_one_worker_does_one_thing_after_another():
    assert round_s((3, 2), 1, 1) == 6


def test_two_workers_at_one_tool_take_turns():
    assert round_s((3,), 0, 2) == 6


def test_two_workers_at_two_tools_are_in_each_others_way_half_the_time():
    """Alone each is at either tool half of the time: the second finds it busy with probability 1/2."""
    assert round_s((1, 1), 0, 2) == 3


def test_many_workers_are_as_fast_as_the_tool_that_is_busy_longest():
    assert round_s((3, 2), 5, 500) / 500 == pytest.approx(3, rel=0.001)


@pytest.mark.parametrize("workers", [1, 2, 3, 8])
def test_a_round_lies_between_everything_overlapped_and_nothing(workers):
    demands = (4, 3, 1)
    assert max(demands) <= round_s(demands, 0, workers) / workers <= sum(demands)


def test_pieces_go_to_whoever_is_free():
    assert makespan_s([3, 3, 2, 2, 2], 2) == 7            # 3 + 2 + 2 on one place, 3 + 2 on the other
    assert makespan_s([1] * 133, 132) == 2                # one piece more than places: a second wave
    assert makespan_s([5], 132) == 5


# One design, by hand.


def built(kernel="flash_attention_2_tma", warps=4, stages=3, br=128, bc=64, **sizes):
    return Built(designs()[kernel], Problem(**{"n": 4096, "d": 64, "dtype": "bf16"} | sizes),
                 Tiling(br, bc, stages), warps, H200, 0.0)


def test_a_tiles_products_and_exponentials_take_an_SMs_share_of_the_ceilings():
    """128 × 64 cells, d 64: 2,097,152 FLOP; 8,192 exponentials, as many of two half-rate and two full-rate ones."""
    b = built()
    assert b.products(128) == pytest.approx(132 * 2_097_152 / 731.4e12)
    lanes = 8192 / 4.137e12 + 2 * 8192 / (4 * 4.137e12) + (2 * 8192 + 128 * 64) / (8 * 4.137e12)
    assert b.softmax(128, masked=False) == pytest.approx(132 * lanes)
    assert b.softmax(128, masked=True) - b.softmax(128, masked=False) == pytest.approx(132 * 3 * 8192 / (4 * 4.137e12))


def test_a_causal_row_block_stops_at_the_diagonal_and_pays_for_the_mask_where_its_design_says():
    edge, every = built(causal=True), built("flash_attention_2", warps=8, causal=True)
    assert edge.tiles(3) == (6, 2) and every.tiles(3) == (0, 8)
    assert built().tiles(3) == (64, 0)


def test_row_blocks_with_the_most_to_do_start_first_under_a_causal_mask():
    assert next(iter(built(causal=True).row_blocks())) == 31 and next(iter(built().row_blocks())) == 0


ROWS = json.loads((measured.FOLDER / "h200-counters.json").read_text(encoding="utf-8"))["rows"]
OWN = [row for row in ROWS if row["kernel"] in ("flash_attention_1", "flash_attention_2", "flash_attention_2_tma")
       and row["d"] in (64, 128) and row["window"][0] == -1 and row["dtype"] != "fp32"
       and (row["br"], row["bc"], row["warps"]) in ((128, 64, 8), (128, 64, 4), (128, 32, 8), (256, 32, 8))]


def test_as_many_thread_blocks_share_an_SM_as_the_profiler_saw():
    assert len(OWN) > 30
    seen = [(row["blocks_per_sm"], Built(designs()[row["kernel"]], Problem(n=row["n"], d=row["d"], dtype="bf16",
             causal=row["causal"]), Tiling(row["br"], row["bc"], row["stages"]), row["warps"], H200, 0.0)
             .blocks_per_sm()) for row in OWN]
    assert [pair for pair in seen if pair[0] != pair[1]] == []


def test_twice_the_heads_take_twice_as_long_once_all_SMs_are_busy():
    one, two = (seconds("flash_attention_2", Problem(n=4096, d=128, heads=heads, dtype="bf16"), Tiling(128, 64, 2), 8,
                        H200) for heads in (132, 264))
    assert two / one == pytest.approx(2, rel=0.01)


def test_a_kernel_that_is_not_described_is_refused():
    with pytest.raises(UnknownName, match="kernel design 'cudnn'"):
        seconds("cudnn", Problem(n=64, d=64), Tiling(16, 16), 4, H200)


@pytest.mark.parametrize("key", list(gpus()))
def test_every_gpu_of_the_catalogue_has_a_time(key):
    for kernel in designs():
        assert seconds(kernel, Problem(n=1024, d=64, heads=8), Tiling(128, 64, 2), 4, gpu(key)) > 0


# Against the stopwatch.


def test_every_recorded_forward_time_of_a_described_kernel_is_predicted():
    found = forecast.cells()
    assert {one.kernel for one in found} == set(designs())
    assert len(found) == 24 * len(designs())


def test_four_cells_of_five_are_within_fifteen_percent():
    hits, of = forecast.share(forecast.cells())
    assert hits / of >= SHARE


@pytest.mark.parametrize("kernel", ["flash_attention_2", "flash_attention_2_tma", "flash_attention_3",
                                    "plain_triton_pointers", "plain_triton_tma", "standard"])
def test_so_are_four_of_five_of_each_kernel_but_the_first_flash_attention(kernel):
    hits, of = forecast.share([one for one in forecast.cells() if one.kernel == kernel])
    assert hits / of >= SHARE


@pytest.mark.parametrize("trip_us", [0.3, 0.6])
def test_the_one_number_that_nobody_measured_decides_little(trip_us, monkeypatch):
    monkeypatch.setattr(module, "_file", lambda: FILE | {"memory": {"round_trip_us": trip_us}})
    forecast.cells.cache_clear()
    try:
        hits, of = forecast.share(forecast.cells())
    finally:
        forecast.cells.cache_clear()
    assert hits / of >= 0.9


FILE = module._file()


def test_neither_bound_alone_predicts_as_many():
    """Everything overlapped is too fast and nothing overlapped too slow: who waits for whom is what decides."""
    tiled = [one for one in forecast.cells() if designs()[one.kernel].way in ("tiled", "standing")]
    bounds = [time("flash2", one.problem, one.tiling, H200) for one in tiled]
    hits, _ = forecast.share(tiled)
    for modelled in ([one.lower_s for one in bounds], [one.upper_s for one in bounds]):
        near = [abs(1e3 * s / one.measured_ms - 1) <= forecast.WITHIN for one, s in zip(tiled, modelled, strict=True)]
        assert sum(near) < hits / 2


def test_every_miss_has_a_reason_and_the_block_sweep_is_not_counted_among_the_kernels_own_blocks():
    assert {one.reason for one in forecast.cells() if not one.hit} <= {"short_rows", "travels", "shadow"}
    swept = forecast.cells(sweep=True)
    assert len(swept) == 48 and not set(swept) & set(forecast.cells())
    assert {one.reason for one in swept} == {"narrow", "spills", "blocks"}
