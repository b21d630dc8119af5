"""What fits one SM: the room that a formula gives is the room that a run takes."""

from dataclasses import replace

import numpy as np
import pytest
from ask import ALGORITHMS, counted
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator import Problem, Tiling, gpu, gpus, simulate
from simulator.errors import DoesNotFit
from simulator.problem import DTYPES, FP8, FP16
from simulator.tiling import ROOM, fits, flash_room, largest_blocks, papers_rule, standard_room


def with_room(peak):
    """A GPU with exactly so much room for a thread block."""
    return replace(gpu("h200"), shared_per_block_bytes=int(peak.shared_bytes),
                   registers_per_sm_bytes=int(peak.registers_bytes))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@settings(max_examples=60, derandomize=True, deadline=None, database=None)
@given(br=st.integers(1, 20), bc=st.integers(1, 20), d=st.integers(1, 20), dtype=st.sampled_from(tuple(DTYPES)),
       stages=st.integers(1, 3))
def test_the_room_of_a_thread_block_is_the_peak_of_a_run(algorithm, br, bc, d, dtype, stages):
    room = ROOM[algorithm](br, bc, d, DTYPES[dtype], stages)
    peak = counted(algorithm, n=2 * br + 1, n_kv=2 * bc + 1, d=d, br=br, bc=bc, dtype=dtype, stages=stages).peak
    assert (room.shared_bytes, room.registers_bytes) == (peak.shared_bytes, peak.registers_bytes)


def test_flash_attention_holds_Q_and_the_buffers_of_K_and_V_and_the_card_in_fp32():
    room = flash_room(128, 64, 128, FP16)
    assert room.shared_bytes == 2 * 128 * (128 + 2 * 64) == 65_536
    assert room.registers_bytes == 4 * (128 * 64 + 128 * 128 + 2 * 128) == 99_328
    assert flash_room(128, 64, 128, FP16, stages=3).shared_bytes == 2 * 128 * (128 + 2 * 3 * 64)


def test_the_standard_way_holds_the_larger_of_two_launches():
    scores_larger = standard_room(128, 16, 128, FP16)
    assert scores_larger.shared_bytes == 2 * 128 * (128 + 16) > 2 * (128 * 16 + 16 * 128)
    assert scores_larger.registers_bytes == 4 * 128 * 128 # PV's a: wider than the tile
    pv_larger = standard_room(128, 256, 64, FP16)
    assert pv_larger.shared_bytes == 2 * (128 * 256 + 256 * 64) > 2 * 64 * (128 + 256)
    assert pv_larger.registers_bytes == 4 * 128 * 256
    assert standard_room(128, 256, 64, FP8).shared_bytes == 2 * 128 * 256 + 256 * 64   # the table of fp8 is bf16


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("key", ["a100", "h200", "rtx4090", "t4"])
@pytest.mark.parametrize("dtype", ["fp32", "fp16", "fp8"])
@pytest.mark.parametrize("d", [16, 64, 128, 256])
def test_the_largest_block_fits_and_twice_it_does_not(algorithm, key, dtype, d):
    spec, room, storage = gpu(key), ROOM[algorithm], DTYPES[dtype]
    best = largest_blocks(algorithm, d, dtype, spec)
    assert fits(room(best.square, best.square, d, storage), spec)
    assert not fits(room(2 * best.square, 2 * best.square, d, storage), spec)
    if best.br_at_bc_64:
        assert fits(room(best.br_at_bc_64, 64, d, storage), spec)
        assert not fits(room(2 * best.br_at_bc_64, 64, d, storage), spec)


def test_where_not_even_one_row_fits_there_is_no_largest_block():
    tiny = replace(gpu("h200"), shared_per_block_bytes=100)
    assert largest_blocks("flash2", 128, "fp16", tiny) == type(largest_blocks("flash2", 1, "fp16", tiny))(None, None)


def test_both_areas_must_have_room():
    spec, room = gpu("h200"), flash_room(256, 128, 64, FP16)
    assert fits(room, spec)
    assert not fits(room, replace(spec, shared_per_block_bytes=room.shared_bytes - 1))
    assert not fits(room, replace(spec, registers_per_sm_bytes=room.registers_bytes - 1))
    assert fits(room, with_room(room))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_what_fits_runs_and_what_does_not_is_refused_by_the_desk(algorithm):
    room = ROOM[algorithm](8, 4, 16, FP16)
    exact = with_room(room)
    problem, tiling = Problem(n=24, d=16), Tiling(8, 4)
    assert simulate(problem, tiling, exact, algorithm, execute=True).fits
    for field in ("shared_per_block_bytes", "registers_per_sm_bytes"):
        short = replace(exact, **{field: getattr(exact, field) - 1})
        assert not simulate(problem, tiling, short, algorithm, execute=False).fits
        with pytest.raises(DoesNotFit):
            simulate(problem, tiling, short, algorithm, execute=True)


def test_room_is_asked_of_many_blocks_at_once():
    sizes = 2 ** np.arange(11)
    fitting = fits(flash_room(sizes[:, None], sizes, 64, FP16), gpu("a100"))
    assert fitting.shape == (11, 11)
    assert all(fitting[i, j] == fits(flash_room(int(br), int(bc), 64, FP16), gpu("a100"))
               for i, br in enumerate(sizes) for j, bc in enumerate(sizes))


def test_the_papers_rule_divides_the_desk_into_four_tiles():
    assert papers_rule(64, 2 * 1024, 2) == (4, 4)         # M = 1024 elements: ⌈1024 ÷ 256⌉ = 4 keys
    assert papers_rule(64, 192 * 1024, 2) == (64, 384)    # and at most d rows
    assert papers_rule(64, 2 * 1024 + 2, 2) == (5, 5)     # rounded up


@pytest.mark.parametrize("key", list(gpus()))
def test_common_blocks_fit_every_gpu_of_the_catalogue(key):
    assert fits(flash_room(64, 64, 64, FP16), gpu(key))
