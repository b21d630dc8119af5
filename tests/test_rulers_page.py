"""Three rulers side by side: what the page draws is the count, the model and the counters, and the shelf obeys them."""

import json
import re

import pytest

from lessons import measured, settings
from lessons.rulers import crossings, facts, hallway, knee, page, picture
from lessons.views.lengths import Group, Length, Part, lengths
from simulator import Problem, Tiling, accounting, gpu, simulate
from simulator.cache import cabinet
from simulator.cli.commands import parser
from simulator.cli.options import asked
from simulator.cost import Traffic
from simulator.shelf import effective_bytes

OPENING, BLOCKS = Problem(n=4096, d=128, heads=16), Tiling(128, 128)


def ways(problem=OPENING, tiling=BLOCKS):
    """Both ways' crossings on an H200."""
    return {name: crossings.crossings(name, problem, tiling, "h200") for name in picture.WAYS}


# One configuration, three rulers.


@pytest.mark.parametrize("algorithm", picture.WAYS)
@pytest.mark.parametrize("link", [{}, {"n": "8192", "bc": "32", "dtype": "bf16", "causal": "1", "gpu": "a100-80"}])
def test_the_command_that_the_page_prints_asks_the_scene_itself(algorithm, link):
    scene, _ = settings.read(link, page.FIELDS)
    line = page.command(scene, algorithm).removeprefix("python -m simulator ")
    flags = parser().parse_args(line.split())
    one = asked(flags)
    assert flags.cabinet and one.algorithm == algorithm and one.gpu.key == scene.gpu
    assert (one.problem, one.tiling) == (scene.problem(), scene.tiling())


def test_the_opening_scene_has_a_different_saving_on_every_ruler():
    ratios = crossings.times(*ways().values())
    shown = {name: round(ratios[name], 1) for name in ("paper", "desk", "reads", "during", "whole")}
    assert shown == {"paper": 2.0, "desk": 3.4, "reads": 22.4, "during": 38.2, "whole": 33.0}
    assert facts.saves_most(ways()) == "cabinet"


def test_the_counters_of_an_h200_say_the_same():
    ratios = crossings.times(*ways().values())
    assert ratios["seen_desk"] == pytest.approx(ratios["desk"], rel=0.001)
    assert ratios["seen_reads"] == pytest.approx(ratios["reads"], rel=0.02)
    assert ratios["seen_during"] == pytest.approx(37, abs=1)


def test_paper_and_desk_are_the_closed_forms_and_the_cabinet_is_the_model():
    for name, found in ways().items():
        cost = accounting.cost(name, OPENING, BLOCKS)
        assert found.paper == cost.paper
        assert (found.desk.read, found.desk.write) == (cost.desk.read, cost.desk.write)
        model = cabinet(name, OPENING, BLOCKS, gpu("h200"))
        assert found.cabinet == model


def test_a_model_that_would_keep_other_readers_waiting_is_not_asked():
    found = ways(Problem(n=8192, d=128, heads=32), Tiling(32, 32))
    assert found["standard"].cabinet is None and found["flash2"].cabinet is not None
    assert "during" not in crossings.times(*found.values())


# Measured launches.


def test_a_measured_tiled_kernel_moved_over_the_desks_edge_what_is_counted_by_hand():
    found = measured.counters("flash2", OPENING, BLOCKS, "h200")
    assert found.desk.read == 16 * 2 * (4096 * 128 + 32 * 2 * 4096 * 128) == 1_090_519_040
    assert found.desk.write == 16 * 2 * 4096 * 128


def test_the_standard_way_is_measured_in_three_launches():
    found = measured.counters("standard", OPENING, BLOCKS, "h200")
    assert [one.launch for one in found.launches] == ["scores", "softmax", "pv"]
    assert found.cabinet == sum((one.cabinet for one in found.launches), Traffic())


@pytest.mark.parametrize("algorithm, problem, tiling, where", [
    ("flash2", Problem(n=4097, d=128, heads=16), BLOCKS, "h200"),        # another text
    ("flash2", OPENING, Tiling(32, 128), "h200"),                        # other blocks, other bytes
    ("flash2", OPENING, BLOCKS, "rtx4090"),                              # another GPU
    ("flash2", Problem(n=4096, d=128, heads=16, dtype="fp32"), BLOCKS, "h200"),
])
def test_what_was_not_measured_is_not_there(algorithm, problem, tiling, where):
    assert measured.counters(algorithm, problem, tiling, where) is None


def test_an_unknown_day_is_said_and_an_unknown_driver_left_out():
    record = measured.Record("h200", "NVIDIA H200", None, None, (("triton", "3.6.0"), ("python", "3.11")), None)
    assert record.origin("day not recorded") == "NVIDIA H200 · day not recorded · triton 3.6.0"


def test_the_newest_file_answers_first(tmp_path):
    row = {"kernel": "flash_attention_2", "algorithm": "flash2", "launch": "flash_attention_2", "batch": 1, "heads": 1,
           "kv_heads": 1, "n": 64, "n_kv": 64, "d": 64, "dtype": "fp16", "causal": False, "window": [-1, -1],
           "lse": False, "passes": [], "br": 32, "bc": 32, "warps": 4, "stages": 2, "blocks_per_sm": 1,
           "launch_order": "launch"}
    head = {"device": "one", "driver": "1.2", "versions": {}, "command": "python -m kernels counters"}
    for name, day, read in (("h200-old-counters.json", "2025-01-01", 1), ("h200-counters.json", "2026-01-01", 2)):
        seen = {"l2_to_sm_read": read, "sm_to_l2_write": 0, "dram_read": 0, "dram_write": 0}
        (tmp_path / name).write_text(json.dumps(head | {"date": day, "rows": [row | {"measured": seen}]}), "utf-8")
    found = measured.counters("flash2", Problem(n=64, d=64), Tiling(32, 32), "h200", tmp_path)
    assert (found.desk.read, found.record.date) == (2, "2026-01-01")


# The bars.


def test_all_bars_share_one_scale_and_carry_their_numbers_in_full():
    short = Length("x", "flash2", (Part("read", 30), Part("write", 20)), "50 B")
    long = Length("y", "standard", (Part("read", 200),), "200 B")
    drawn = lengths([Group("a", "computed", "what it is", (short,)), Group("b", "modelled", "what it is", (long,))])
    assert re.findall(r"width:([\d.]+)%", drawn) == ["15.0000", "10.0000", "100.0000"]
    assert "50 B" in drawn and "200 B" in drawn


def test_nothing_in_a_bar_is_markup():
    evil = "<script>"
    bar = Length(evil, evil, (Part("read", 1, evil),), evil)
    assert evil not in lengths([Group(evil, evil, evil, (bar,), evil)], [("read", evil)], evil)


# The shelf.

FLOORS = [(workers, places) for workers in (1, 2, 3, 4) for places in (4, 12, 17, 18, 20, 24)]


@pytest.mark.parametrize("workers, places", FLOORS)
def test_what_crosses_to_the_cabinet_on_the_stage_is_the_models_answer(workers, places):
    steps = hallway.touches(hallway.executed(), workers, places)
    crossed = sum(hallway.cabinet(steps).values(), Traffic())
    model = cabinet("flash2", hallway.PROBLEM, hallway.TILING, hallway.floor(workers, places), blocks_per_sm=1)
    assert (crossed.read, crossed.write) == (model.read, model.write)


@pytest.mark.parametrize("workers, places", FLOORS)
def test_the_desks_take_in_what_the_run_logged_whatever_the_shelf(workers, places):
    steps = hallway.touches(hallway.executed(), workers, places)
    taken = [touch.event for step in steps for touch in step]
    desk = simulate(hallway.PROBLEM, hallway.TILING, hallway.floor(workers, places), "flash2", execute=True).cost.desk
    assert sum(event.bytes for event in taken if event.op == "load") == desk.read
    assert sum(event.bytes for event in taken if event.op == "store") == desk.write


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_a_shelf_too_small_makes_the_cabinet_hand_out_keys_and_values_once_a_wave(workers):
    assert hallway.handed_out(workers, 12) == hallway.ROW_BLOCKS / workers
    assert hallway.handed_out(workers, 24) == 1


def test_all_on_the_floor_reach_for_the_same_key_tile_before_anybody_takes_the_values():
    step = hallway.touches(hallway.executed(), 2, 12)[1]
    assert [(touch.place, touch.event.tensor, touch.hit) for touch in step] == [
        (0, "K", False), (1, "K", True), (0, "V", False), (1, "V", True)]


def test_a_result_waits_on_the_shelf_until_it_is_pushed_out():
    touches = [touch for step in hallway.touches(hallway.executed(), 1, 4) for touch in step]
    pushed = [tile for touch in touches for tile, dirty in touch.pushed if dirty]
    assert pushed == [("O", (i,)) for i in range(hallway.ROW_BLOCKS - 1)]


def test_the_question_beside_the_stage_is_answered_by_its_own_scene():
    options, right = facts.shelved_options()
    assert (options, right) == (("×1", "×4", "×8"), "×4")
    assert facts.shelved()["enough"] == "20"
    assert hallway.handed_out(facts.FEW, 20) == 1 and hallway.handed_out(facts.FEW, 19) == 4


# The knee.


@pytest.mark.parametrize("d", knee.WIDTHS)
def test_what_the_file_keeps_is_what_the_model_says(d):
    for floor in knee.FLOORS:
        for n, read in zip(knee.LENGTHS, knee.recorded()[d, floor], strict=True):
            if n <= 65_536:
                assert knee.bytes_read(d, floor, n) == read, (d, floor, n)


@pytest.mark.slow
@pytest.mark.parametrize("d", knee.WIDTHS)
def test_what_the_file_keeps_of_long_texts_is_what_the_model_says(d):
    for floor in knee.FLOORS:
        for n, read in zip(knee.LENGTHS, knee.recorded()[d, floor], strict=True):
            if n > 65_536:
                assert knee.bytes_read(d, floor, n) == read, (d, floor, n)


def test_beyond_the_knee_keys_and_values_are_handed_out_once_a_wave():
    for n, times in zip(knee.LENGTHS, knee.times_handed_out(128, knee.Floor(128, 1)), strict=True):
        waves = -(-n // (132 * 128))
        assert times == (waves if n > 61_440 else times)
        assert n > 32_768 or times == 1


def test_rows_on_the_floor_count_and_not_the_height_of_a_block():
    assert knee.Floor(64, 2).rows == knee.Floor(128, 1).rows == 16_896
    for d in (128, 256):
        low, high = (knee.times_handed_out(d, floor) for floor in (knee.Floor(64, 2), knee.Floor(128, 1)))
        assert low == high


def test_measured_points_lie_on_the_models_lines():
    seen = [(d, floor, n, times) for d in knee.WIDTHS for floor, points in knee.times_seen(d).items()
            for n, times in points.items()]
    assert len(seen) >= 6
    for d, floor, n, times in seen:
        if (d, floor) in knee.recorded() and not floor.causal:
            assert times == pytest.approx(knee.times_handed_out(d, floor)[knee.LENGTHS.index(n)], rel=0.04)


def test_the_answer_of_the_knee_is_the_models_and_the_gpus():
    assert facts.long_options() == (("×1", "×8", "×1,024"), "×8")
    assert facts.long()["modelled"] == "8.00" and float(facts.long()["measured"]) == pytest.approx(8, abs=0.05)
    assert knee.overflow(128) == effective_bytes(gpu("h200")) / 512
