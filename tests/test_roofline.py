"""Seconds from counts: a resource's work over its ceiling, the slowest one binds, idle SMs count."""

import pytest

from simulator import Problem, Tiling, accounting, gpu, gpus
from simulator.cache import cabinet
from simulator.ceilings import RESOURCES, ceilings
from simulator.roofline import compulsory, thread_blocks, time

H200 = gpu("h200")
TERA = 1e12


def kernels(algorithm, spec=H200, **sizes):
    """{kernel: KernelTime} of a problem; blocks of 128 × 64 unless given."""
    tiling = Tiling(sizes.pop("br", 128), sizes.pop("bc", 64))
    return {one.kernel: one for one in time(algorithm, Problem(**sizes), tiling, spec).kernels}


# The ceilings.


def test_an_h200s_ceilings_are_the_measured_ones_with_device_and_date():
    top = ceilings(H200)
    assert (top.tensor.rate, top.exp.rate, top.l2.rate, top.dram.rate) == pytest.approx(
        (731.4 * TERA, 4.137 * TERA, 11.72 * TERA, 4.275 * TERA))
    assert top.launch.rate == pytest.approx(3.33e-6)
    for one in (top.tensor, top.exp, top.l2, top.dram, top.launch, top.half, top.full):
        assert one.tag == "measured" and "H200" in one.source and "2026-11-30" in one.source


@pytest.mark.parametrize("key", [key for key in gpus() if key != "h200"])
def test_other_gpus_have_the_rates_of_their_data_sheets(key):
    spec, top = gpu(key), ceilings(gpu(key))
    assert (top.tensor.rate, top.dram.rate) == (spec.tensor_flops_per_s, spec.memory_bytes_per_s)
    assert top.exp.rate == 16 * spec.sms * spec.clock_hz
    assert {top.tensor.tag, top.exp.tag, top.half.tag, top.full.tag, top.l2.tag, top.dram.tag} == {"published"}
    assert top.launch.tag == "measured" and "H200" in top.launch.source        # no data sheet says what a launch costs


def test_arithmetic_is_cheaper_than_exponentials():
    """An H200's SM adds 128 times a clock and compares 64 times for 16 exponentials; an A100's adds 64 times, too."""
    top, older = ceilings(H200), ceilings(gpu("a100"))
    assert (top.full.rate, top.half.rate) == pytest.approx((8 * top.exp.rate, 4 * top.exp.rate))
    assert (older.full.rate, older.half.rate) == pytest.approx((4 * older.exp.rate, 4 * older.exp.rate), rel=0.01)


# One kernel by hand.


def test_two_row_blocks_over_two_key_blocks_take_what_their_counts_take():
    """N 256, d 64, fp16, blocks of 128: 4 · 256 · 256 · 64 = 16,777,216 FLOP, on 2 of 132 SMs: 66 times as slow."""
    one = kernels("flash2", n=256, d=64, br=128, bc=128)["flash_attention_2"]
    assert one.flops == 16_777_216 and one.blocks == 2
    assert one.seconds["tensor"] == pytest.approx(66 * 16_777_216 / 731.4e12)
    assert one.seconds["exp"] == pytest.approx(66 * (256 * 256 + 2 * 256) / 4.137e12)
    assert one.l2_bytes == 2 * 64 * (256 + 2 * 2 * 256 + 256)                  # Q, K and V twice each, O
    assert one.seconds["l2"] == pytest.approx(66 * one.l2_bytes / 11.72e12)
    assert one.dram_bytes == 2 * 64 * 4 * 256                                  # Q, K, V, O once
    assert one.seconds["dram"] == pytest.approx(one.dram_bytes / 4.275e12)     # one SM alone may use all of it
    assert one.intensity == 128


def test_the_slowest_resource_binds_and_the_bounds_are_the_largest_and_the_sum():
    one = kernels("flash2", n=4096, d=128, heads=16)["flash_attention_2"]
    assert one.binds == "tensor"
    assert one.lower_s == pytest.approx(3.33e-6 + one.seconds["tensor"])
    assert one.upper_s == pytest.approx(3.33e-6 + sum(one.seconds[name] for name in RESOURCES))


@pytest.mark.parametrize(("heads", "blocks", "factor"), [(33, 132, 1), (34, 136, 264 / 136), (66, 264, 1)])
def test_four_blocks_more_than_there_are_sms_take_a_second_round(heads, blocks, factor):
    one = kernels("flash2", n=512, d=64, heads=heads)["flash_attention_2"]
    assert one.blocks == blocks
    assert one.seconds["tensor"] == pytest.approx(factor * one.flops / 731.4e12)


def test_waves_are_thread_blocks_over_places():
    one = kernels("flash2", n=65536, d=128)["flash_attention_2"]
    assert (one.blocks, one.slots, one.waves) == (512, 264, 2)                 # one stage: two fit an SM


def test_a_launch_is_the_least_that_anything_takes():
    assert all(one.lower_s > 3.33e-6 for one in kernels("standard", n=16, d=16, br=16, bc=16).values())


# All algorithms.


@pytest.mark.parametrize("algorithm", list(accounting.FORMS))
def test_every_kernel_of_every_algorithm_has_seconds_and_none_of_the_work_is_lost(algorithm):
    problem, tiling = Problem(n=256, d=64, heads=4, kv_heads=2), Tiling(64, 64)
    found, cost = time(algorithm, problem, tiling, H200), accounting.cost(algorithm, problem, tiling)
    assert [one.kernel for one in found.kernels] == list(cost.desk.by_kernel)
    assert sum(one.flops for one in found.kernels) == cost.flops.matmul
    assert sum(one.l2_bytes for one in found.kernels) == cost.desk.total
    assert found.lower_s == pytest.approx(sum(one.lower_s for one in found.kernels))
    assert found.lower_s < found.upper_s


def test_at_the_cabinet_a_group_of_heads_takes_its_keys_once():
    problem, tiling = Problem(n=1024, d=64, heads=8, kv_heads=2), Tiling(128, 64)
    cost = accounting.cost("flash2", problem, tiling)
    once = compulsory("flash2", problem, cost)["flash_attention_2"]
    assert once.read == 2 * 64 * 1024 * (8 + 2 + 2) and once.write == 2 * 64 * 1024 * 8


def test_the_table_crosses_four_times_at_the_cabinet_whatever_the_blocks():
    problem = Problem(n=4096, d=64)
    for tiling in (Tiling(64, 64), Tiling(128, 32)):
        once = compulsory("standard", problem, accounting.cost("standard", problem, tiling))
        assert sum(t.total for t in once.values()) == 4 * 2 * 4096**2 + 4 * 2 * 64 * 4096


def test_the_model_of_the_shelf_may_say_what_reaches_the_cabinet():
    problem, tiling = Problem(n=1024, d=64, heads=4), Tiling(128, 128)
    shelf = cabinet("standard", problem, tiling, H200)
    found = time("standard", problem, tiling, H200, shelf)
    assert [one.dram_bytes for one in found.kernels] == [shelf.by_kernel[one.kernel].total for one in found.kernels]


def test_thread_blocks_are_as_many_as_each_kernel_launches():
    problem, tiling = Problem(n=1000, d=64, heads=3, batch=2), Tiling(128, 64, splits=4)
    assert [thread_blocks(name, problem, tiling) for name in
            ("scores", "softmax", "flash_attention_1", "split_kv", "dk")] == [6 * 8 * 16, 6 * 8, 6, 6 * 4, 6 * 16]
