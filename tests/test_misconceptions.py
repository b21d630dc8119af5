"""What people get wrong about tiled attention: each held against the numbers, and the scene that shows it."""

import ast
import re
from dataclasses import fields, replace
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest
from ask import computed, counted, run
from test_app import opened

from lessons import PAGES, measured, scene, settings, text
from lessons.decode import facts as decoding
from lessons.masks import facts, holes, pictures
from lessons.table.facts import largest_squares
from simulator import Run, Tiling, gpu
from simulator.bounds import compulsory
from simulator.cache import cabinet
from simulator.cost import Cost
from simulator.kv_cache import Kept
from simulator.problem import FP16, Problem
from simulator.roofline import time
from simulator.tiling import fits, flash_room, largest_blocks, papers_rule, standard_room

BYTES = 2                               # of fp16

# Misconception: the scene where a learner runs into it. The truth is the test of the same name below.
SHOWN = {
    "M1": "scriptorium?scene=batches",
    "M2": "count?vary=n",
    "M3": "side-by-side",
    "M4": "table?gpu=a100-40",
    "M5": "rulers",
    "M6": "count?vary=br",
    "M7": "count?vary=m",
    "M8": "count?vary=m",
    "M9": "workbench?algorithm=flash1",
    "M10": "workbench?n=256",
    "M11": "beyond?d=256&gpu=a100-40",
    "M12": "workbench?algorithm=standard&passes=mask",
    "M13": "gpu",
    "M14": "masks",
    "M15": "masks?push=-66000",
    "M16": "masks?pads=4",
    "M17": "rulers?d=64",
    "M18": "claims?claim=c13",
    "M19": "side-by-side?n=12",
    "M20": "decode?scene=phases",
}


@pytest.mark.parametrize("name", SHOWN)
def test_a_misconception_has_a_scene_that_opens_as_written_and_a_test_of_its_truth(name):
    link = urlsplit(SHOWN[name])
    page = next(page for page in PAGES if page.path == link.path)
    query = dict(parse_qsl(link.query))
    found, notes = settings.read(query, page.module.FIELDS)
    assert notes == ()
    assert settings.write(found, page.module.FIELDS).items() <= query.items()
    assert any(test.startswith(f"test_{name}_") for test in globals())


@pytest.mark.parametrize("name", SHOWN)
def test_the_scene_of_a_misconception_is_drawn(name):
    link = urlsplit(SHOWN[name])
    app = opened(link.path, lang="en", **dict(parse_qsl(link.query)))
    assert not app.exception and not app.warning and not app.error
    assert app.title[0].value == text.title(link.path.replace("-", "_"), "en")


def test_M1_keys_and_values_are_loaded_once_for_every_row_block():
    N, d, B_r = 4096, 128, 128
    bill = computed("flash2", n=N, d=d, br=B_r, bc=64).desk.by_tensor
    T_r = N // B_r
    assert bill["K"].read == bill["V"].read == BYTES * T_r * N * d
    assert T_r == 32


def test_M2_extra_memory_grows_with_N_but_traffic_with_its_square():
    one, two = (computed("flash2", n=n, d=64, br=64, bc=64) for n in (4096, 8192))
    assert two.desk.by_tensor["K"].read == 4 * one.desk.by_tensor["K"].read            # a fixed block, N doubled
    assert two.desk.total / one.desk.total == pytest.approx(4, abs=0.1)                # Q and O only double
    assert two.peak == one.peak                           # and the desk holds the same
    assert set(two.desk.by_tensor) == {"Q", "K", "V", "O"}                             # no table in HBM


def test_M3_tiling_saves_no_arithmetic():
    asked = {"n": 4096, "d": 64, "br": 64, "bc": 64}
    standard, v2 = computed("standard", **asked).flops, computed("flash2", **asked).flops
    assert v2.matmul == standard.matmul
    assert v2.exp > standard.exp


def test_M4_a_thread_block_has_the_desk_of_one_SM_not_of_the_chip():
    limits = {"a100": 163, "h100": 227, "h200": 227, "rtx3090": 99, "rtx4090": 99}
    for name, kib in limits.items():
        assert gpu(name).shared_per_block_bytes == kib * 1024
    huge = flash_room(4096, 4096, 128, FP16)
    spec = gpu("a100")
    assert huge.shared_bytes < spec.sms * spec.shared_per_sm_bytes                     # it would fit 20 MB
    assert not fits(huge, spec)
    assert largest_blocks("flash2", 128, "fp16", spec).square == 128
    assert largest_squares("a100-40", "fp16") == (128, 2048)                        # one SM, and the chip as one desk


def test_M5_the_tiles_of_a_batch_move_far_more_than_has_to_cross():
    asked = {"n": 4096, "d": 128, "batch": 4, "heads": 32, "dtype": "bf16"}
    assert computed("flash2", **asked, br=128, bc=64).desk.total == pytest.approx(8.86e9, rel=1e-3)    # three digits
    assert compulsory(Problem(**asked)).total == pytest.approx(0.537e9, rel=1e-3)


def test_M5_the_counters_of_an_H200_see_a_twentieth_of_what_the_desks_read_come_from_DRAM():
    seen = measured.counters("flash2", Problem(n=4096, d=128, heads=16), Tiling(128, 64), "h200")
    assert seen.desk.read == 16 * BYTES * (1 + 2 * 32) * 4096 * 128
    assert seen.cabinet.read == pytest.approx(3 * 16 * BYTES * 4096 * 128, rel=0.004)  # Q, K and V once
    assert seen.desk.read > 20 * seen.cabinet.read


@pytest.mark.parametrize(("B_r", "ratio"), [(32, 1.95), (64, 0.98), (128, 0.50)])
def test_M6_on_the_paper_ruler_tiling_loses_below_about_half_of_d(B_r, ratio):
    asked = {"n": 4096, "d": 128, "br": B_r, "bc": 64}
    share = computed("flash2", **asked).paper.total / computed("standard", **asked).paper.total
    assert share == pytest.approx(ratio, abs=0.005)       # quoted to two decimals


@pytest.mark.parametrize(("B", "ratio"), [(16, 0.573), (32, 0.503), (64, 0.405), (128, 0.293)])
def test_M6_on_the_desk_ruler_at_equal_blocks_it_wins_by_a_factor_that_depends_on_them(B, ratio):
    asked = {"n": 4096, "d": 128, "br": B, "bc": B}
    share = computed("flash2", **asked).desk.total / computed("standard", **asked).desk.total
    assert share == pytest.approx(ratio, abs=0.0005)      # three decimals


def test_M6_on_the_desk_ruler_at_equal_blocks_it_never_loses():
    sizes = np.array([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024])
    for B in sizes:
        for d in (16, 64, 128, 256):
            asked = {"n": 1024, "d": d, "br": int(B), "bc": int(B)}
            assert computed("flash2", **asked).desk.total < computed("standard", **asked).desk.total


def slope(x, y):
    """Of a straight line through log y against log x."""
    return np.polyfit(np.log(x), np.log(y), 1)[0]


def test_M7_traffic_falls_with_M_not_with_its_square():
    N, d = 2**16, 64
    capacities = [2**k for k in range(14, 20)]            # bytes of one block's shared memory
    v1 = [computed("flash1", N, d, *papers_rule(d, M, BYTES)).paper.total for M in capacities]
    assert slope(capacities, v1) == pytest.approx(-1, abs=0.05)            # N²d²/M: Q, O of every outer step
    roomy = replace(gpu("h200"), registers_per_sm_bytes=2**30)
    v2 = [computed("flash2", N, d, br, br).desk.total for br in
          (largest_blocks("flash2", d, "fp16", replace(roomy, shared_per_block_bytes=M)).square for M in capacities)]
    assert slope(capacities, v2) == pytest.approx(-1, abs=0.05)


def test_M8_a_bigger_desk_does_not_help_standard_attention_on_the_paper_ruler():
    small, large = (computed("standard", n=4096, d=64, br=b, bc=b) for b in (16, 256))
    assert small.paper == large.paper                     # the flat line
    for name in ("S", "P"):
        assert small.desk.by_tensor[name] == large.desk.by_tensor[name]
    assert small.desk.by_tensor["Q"].read > large.desk.by_tensor["Q"].read             # only the products re-read less


def test_M9_flash_attention_1_rewrites_O_l_and_m_for_every_key_block():
    N, d, T_c = 1024, 64, 16
    v1 = computed("flash1", n=N, d=d, br=64, bc=N // T_c).desk.by_tensor
    assert v1["O"].write == (1 + T_c) * BYTES * N * d     # once by init
    assert v1["l"].write == v1["m"].write == (1 + T_c) * 4 * N
    assert computed("flash2", n=N, d=d, br=64, bc=64).desk.by_tensor["O"].write == BYTES * N * d


def test_M10_writing_O_costs_N_d_not_N_squared():
    for algorithm in ("standard", "flash2"):
        assert computed(algorithm, n=2048, d=128, br=64, bc=64).desk.by_tensor["O"].write == BYTES * 2048 * 128


def test_M11_the_two_products_of_standard_attention_can_be_bound_by_compute_softmax_cannot():
    """A100, N 4096, 16 heads: at d 128 every launch waits for memory, at d 256 tensor cores hold up two of three."""
    def binds(d):
        kernels = time("standard", Problem(n=4096, d=d, heads=16), Tiling(128, 64), gpu("a100-40")).kernels
        return {one.kernel: one.binds for one in kernels}

    assert binds(128) == {"scores": "dram", "softmax": "dram", "pv": "dram"}
    assert binds(256) == {"scores": "tensor", "softmax": "dram", "pv": "tensor"}


def test_M11_a_product_does_d_operations_for_each_byte_of_the_table_and_softmax_multiplies_nothing():
    N, d = 4096, 256
    scores, softmax, _ = time("standard", Problem(n=N, d=d), Tiling(128, 64), gpu("h200")).kernels
    assert scores.intensity == 2 * N * N * d / (BYTES * (N * N + 2 * N * d)) == pytest.approx(d, rel=0.12)
    assert softmax.intensity == 0


@pytest.mark.parametrize(("passes", "crossings"), [((), 4), (("mask",), 6), (("scale", "mask"), 8)])
def test_M12_standard_has_as_many_table_crossings_as_it_has_passes(passes, crossings):
    N = 512
    cost = computed("standard", n=N, d=64, br=64, bc=64, passes=passes)
    assert sum(cost.desk.by_tensor[name].total for name in "SP") == crossings * BYTES * N * N
    assert cost.paper.total == BYTES * (crossings * N * N + 4 * N * 64)


def test_M13_the_larger_of_two_blocks_that_fit_was_the_slower_although_it_moves_half_the_bytes():
    sizes, blocks = {"n": 4096, "d": 128, "heads": 16}, ((64, 64), (128, 64))
    costs = [computed("flash2", **sizes, br=br, bc=bc) for br, bc in blocks]
    assert all(fits(cost.peak, gpu("h200")) for cost in costs)
    assert costs[0].desk.read > 1.9 * costs[1].desk.read
    seen = {(row["br"], row["bc"]): row["ms"] for _, rows in measured.files("counters") for row in rows
            if row["kernel"] == "tiled" and sizes.items() <= row.items()}
    small, large = (seen[block] for block in blocks)
    assert small < 0.9 * large


def test_M14_a_causal_mask_halves_tile_loads_but_every_key_is_still_needed():
    asked = {"n": 65536, "d": 128, "br": 128, "bc": 128}
    whole, causal = computed("flash2", **asked).desk, computed("flash2", **asked, causal=True).desk
    T = 65536 // 128
    assert causal.by_tensor["K"].read * 2 * T == whole.by_tensor["K"].read * (T + 1)   # T (T + 1) / 2 tiles of T²
    problem = Problem(n=65536, d=128)
    assert compulsory(replace(problem, causal=True)) == compulsory(problem)


def test_M14_while_K_and_V_fit_the_shelf_a_causal_mask_saves_nothing_at_the_cabinet():
    plain, masked = facts.bill(facts.NEAR), facts.bill(facts.causal(facts.NEAR))
    assert masked.cabinet == plain.cabinet
    assert masked.desk < 0.53 * plain.desk


def test_M14_beyond_the_shelf_it_saves_re_reads_of_the_cabinet():
    plain, masked = facts.bill(facts.FAR), facts.bill(facts.causal(facts.FAR))
    assert masked.cabinet / plain.cabinet == pytest.approx(0.53, abs=0.01)             # as on an H200


@pytest.mark.parametrize("level", pictures.LEVELS)
def test_M15_minus_infinity_hides_where_every_large_negative_number_fails_sooner_or_later(level):
    assert min(pictures.LEVELS) == -245_000               # as low as scores were seen
    assert holes.program(level)[0] == 0
    assert [holes.stand_in(fill, level)[0] for fill in holes.STAND_INS] == [fill > level for fill in holes.STAND_INS]


def test_M15_a_row_that_sees_nobody_gives_0_and_not_NaN():
    assert holes.program_alone() == 0
    assert np.isnan(holes.alone(-np.inf))


def test_M16_two_keys_of_zeros_take_part_of_the_share():
    true, padded = holes.shares(2, 0), holes.shares(4, 2)
    assert sum(true) == pytest.approx(1)
    weights = np.exp([1 / np.sqrt(2), 0, 0, 0])           # q = [1, 0], K = I, and two zeros: e⁰ = 1 each
    assert padded == pytest.approx(weights[:2] / weights.sum())
    assert holes.shares(2, 2) == true                     # the program counts the keys that are there


def test_M17_a_DRAM_counter_does_not_see_what_is_still_dirty_in_L2_at_the_end():
    problem, table = Problem(n=4096, d=128, heads=16), 16 * BYTES * 4096**2
    seen = measured.counters("standard", problem, Tiling(128, 128), "h200")
    copy = next(one for one in seen.launches if one.launch == "softmax")
    assert copy.desk.read == copy.desk.write == table     # as many bytes out as in
    assert copy.cabinet.read == pytest.approx(table, rel=1e-3)
    late = table - copy.cabinet.write
    assert late > 20e6                                    # stored, and seen by no DRAM counter
    model = cabinet("standard", problem, Tiling(128, 128), gpu("h200")).by_kernel["softmax"]
    assert model.write + model.left_dirty == table
    assert model.left_dirty == pytest.approx(late, rel=0.2)                            # as near as the L2 model comes


def test_M18_an_executed_run_tells_bytes_and_results_and_no_time():
    found = run("flash2", n=16, d=8, br=4, bc=4)
    assert found.tag == "counted" and found.max_error < 0.01
    names = {field.name for kind in (Run, Cost) for field in fields(kind)}
    assert not {name for name in names if re.search(r"second|time|_s$|_ms$|speed", name)}


def test_M18_no_number_stands_on_a_page_without_the_way_it_was_found():
    sources = [(text.HERE / page.lesson / "page.py").read_text(encoding="utf-8") for page in PAGES]
    calls = [node for source in sources for node in ast.walk(ast.parse(source))
             if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "figures"]
    figures = [one for call in calls for one in call.args if isinstance(one, ast.Tuple)]
    assert len(figures) > 20
    for one in figures:
        _, _, _, tag = one.elts
        assert not isinstance(tag, ast.Constant) or tag.value, ast.unparse(one)


def test_M19_a_step_on_the_stage_is_a_unit_neither_of_bytes_nor_of_time():
    carried = {name: _by_step(run(name, n=8, d=8, br=4, bc=4, values=True)) for name in ("standard", "flash2")}
    for loads in carried.values():
        assert 0 in loads and len(set(loads)) > 2         # a step may carry much, little or nothing
    standard, tiled = (counted(name, n=8, d=8, br=4, bc=4).desk.total for name in carried)
    assert (sum(carried["standard"]), sum(carried["flash2"])) == (standard, tiled)
    assert len(carried["standard"]) / len(carried["flash2"]) != pytest.approx(standard / tiled, rel=0.1)


def _by_step(run):
    """The bytes that each step of the stage carries."""
    made = scene.worker(run, "", "acts")
    events, ends = made["events"], made["steps"]
    moved = [size if op in ("load", "store") else 0 for op, size in zip(events["op"], events["bytes"], strict=True)]
    return [sum(moved[start + 1:stop + 1]) for start, stop in zip((-1, *ends), ends, strict=False)]


@pytest.mark.parametrize("lang", text.LANGUAGES)
def test_M19_the_page_of_two_workers_says_so(lang):
    drawn = " ".join(block.value for block in opened("side-by-side", lang=lang).markdown)
    without_links = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", drawn)
    assert text.sections("side_by_side", lang)["steps"] in without_links


def test_M20_the_next_word_reads_the_whole_cache_whichever_way_it_is_worked_out():
    cache = Kept("mha", decoding.MODEL.heads, decoding.MODEL.d).bytes(layers=1, tokens=decoding.LONG)
    for algorithm in ("standard", "flash1", "flash2", "decode", "split_kv"):
        moved = decoding.bill("decode", algorithm).desk.by_tensor
        assert moved["K"].read + moved["V"].read == cache


def test_M20_tiling_saves_less_than_a_fiftieth_of_what_decoding_moves_and_two_thirds_in_prefill():
    assert decoding.saving("prefill") == pytest.approx(3.41, abs=0.01)
    assert decoding.saving("decode") < 1.02


def test_M20_decoding_has_one_operation_for_a_byte_where_prefill_has_a_thousand():
    prefill, decode = (decoding.intensity(decoding.phase(name)) for name in ("prefill", "decode"))
    assert decode == pytest.approx(1, abs=0.001)          # Q and O beside 4096 keys
    assert prefill == pytest.approx(decoding.LONG / 2)    # 4N²d FLOP for 4Nd numbers of two bytes
    grouped = decoding.intensity(decoding.phase("decode", kv_heads=8))
    assert grouped == pytest.approx(4, abs=0.01)          # four rows for the same bytes
    assert grouped < decoding.balance(gpu("h200")) / 50 < prefill


def test_standard_blocks_may_be_larger_because_they_hold_less():
    assert standard_room(128, 128, 128, FP16).shared_bytes < flash_room(128, 128, 128, FP16).shared_bytes
