"""The page of real kernels: recorded numbers stay as recorded, twins are the same lines, live timing is one process."""

import json
import subprocess
import sys
import time
from dataclasses import replace
from importlib.util import find_spec

import pytest

from lessons import PAGES, measured
from lessons.gpu import built, facts, ideas, ladder, live, speed, twins
from lessons.settings import Settings
from lessons.shell import View
from lessons.text import label
from simulator.run import program

HEAD = {"device": "NVIDIA H200", "driver": "580.1", "versions": {"triton": "3.6.0"}, "date": "2026-01-02",
        "command": "python -m kernels bench", "convention": "medians"}


def row(kernel, n, ms, tflops, br=None, bc=None, **more):
    """One line of a file of timings: 16,384 tokens, hidden size 2048."""
    return {"kernel": kernel, "pass": "forward", "batch": 16_384 // n, "heads": 16, "kv_heads": 16, "n": n, "n_kv": n,
            "d": 128, "dtype": "bf16", "causal": False, "br": br, "bc": bc, "ms": ms, "tflops": tflops} | more


ROWS = [row("cudnn", 512, 1.0, 500.0), row("cudnn", 1024, 2.0, 550.0), row("flash", 512, 2.0, 250.0),
        row("flash_attention_3", 512, 1.25, 400.0, 256, 64, warps=8, stages=3),
        row("flash_attention_3", 1024, 1.0, 605.0, 256, 64, warps=8, stages=3),
        row("flash_attention_2", 4096, 1.0, 300.0, 64, 64, warps=4, stages=2, sweep=True),
        row("flash_attention_2", 4096, 1.0, 250.0, 128, 64, warps=4, stages=2, sweep=True),
        row("flash_attention_2", 4096, 1.0, 350.0, 128, 64, warps=8, stages=2, sweep=True),
        row("flash_attention_2", 4096, 1.0, 200.0, 256, 128, warps=8, stages=2, sweep=True),
        row("flash_attention_3", 512, 5.0, 100.0, 256, 64, warps=8, stages=3, without="overlap")]


@pytest.fixture
def bench(tmp_path):
    """The timings of a small file."""
    path = tmp_path / "h200-bench.json"
    path.write_text(json.dumps(HEAD | {"rows": ROWS}), encoding="utf-8")
    return measured.bench(path)


# Timings.


def test_the_chart_shows_the_file_and_leaves_out_the_sweep(bench):
    drawn = speed.chart(bench, 128, False, "tflops", "en", "")
    assert drawn.xs == (512, 1024)
    lines = {series.id: series.values for series in drawn.series}
    assert lines == {"flash_attention_3": (400.0, 605.0), "cudnn": (500.0, 550.0), "flash": (250.0, None)}
    assert all(series.tag == "measured" for series in drawn.series)
    assert "NVIDIA H200 · 2026-01-02 · driver 580.1 · triton 3.6.0" in drawn.caption
    slow = {series.id: series.values for series in speed.chart(bench, 128, False, "ms", "en", "").series}
    assert slow["cudnn"] == (1.0, 2.0)


def test_a_kernel_without_one_of_its_ideas_is_no_timing_of_the_kernel(bench):
    assert [one.ms for one in bench.timings if one.kernel == "flash_attention_3"] == [1.25, 1.0]
    assert [row["ms"] for row in bench.rows if row.get("without")] == [5.0]


def test_ours_are_solid_and_pytorchs_are_dashed():
    assert {speed.LOOKS[name][1] for name in speed.OURS} == {"solid"}
    assert {look[1] for name, look in speed.LOOKS.items() if name not in speed.OURS} == {"dashed"}
    assert len({look for look in speed.LOOKS.values()}) == len(speed.LOOKS)


def test_a_kernel_that_the_page_does_not_know_is_drawn_under_its_own_name(bench):
    assert speed.name("flash_attention_9", "en") == "flash_attention_9"


def test_of_each_block_the_fastest_launch_counts(bench):
    found = speed.shapes(bench, "flash_attention_2", 128)
    assert {shape: one.tflops for shape, one in found.items()} == {(64, 64): 300.0, (128, 64): 350.0, (256, 128): 200.0}


def test_the_question_pits_the_fastest_block_against_the_largest(bench):
    options, right, numbers = facts.blocks(bench, 128)
    assert (options, right) == (("128 × 64", "256 × 128"), "128 × 64")
    assert (numbers["fast_rate"], numbers["large_rate"], numbers["factor"]) == ("350", "200", "×1.75")
    assert (numbers["fast_bytes"], numbers["large_bytes"]) == ("4.43 GB", "2.28 GB")    # 64·2·4096·128·(2 + 2·T_r) B


def test_without_a_sweep_nothing_is_asked(bench):
    assert facts.blocks(bench, 64) is None


def test_our_fastest_is_compared_where_both_were_timed(bench):
    quoted = facts.against(bench, 128, False)
    assert (quoted["cudnn_low"], quoted["cudnn_high"]) == ("×0.8", "×1.1")
    assert (quoted["flash_low"], quoted["flash_high"]) == ("×1.6", "×1.6")


def test_the_newest_timings_come_first(tmp_path):
    for name, day in (("h200-old", "2024-01-01"), ("h100", "2026-01-01"), ("h200-none", None)):
        (tmp_path / f"{name}-bench.json").write_text(json.dumps(HEAD | {"date": day, "rows": ROWS}), encoding="utf-8")
    assert [one.record.date for one in measured.benches(tmp_path)] == ["2026-01-01", "2024-01-01", None]


# The ladder.

RUNGS = [row("standard", 4096, 4.0, 137.4, 128, 128, warps=8, stages=2),
         row("flash_attention_1", 4096, 8.0, 68.7, 128, 128, warps=8, stages=1),
         row("flash_attention_2", 4096, 2.0, 274.9, 128, 128, warps=8, stages=2,
             cabinet={"read": 200_000_000, "write": 60_000_000, "left_dirty": 7_000_000}),
         row("flash_attention_3", 4096, 1.0, 549.8, 128, 128, warps=4, stages=2, mhz=1755.0, watts=642.3),
         row("cudnn", 4096, 1.25, 439.8),
         *(row("flash_attention_3", 4096, 1.0, rate, 128, 128, causal=causal, warps=4, stages=2, without=idea)
           for idea, rate, causal in (("nothing", 500.0, False), ("nothing", 400.0, True), ("ring", 250.0, False),
                                      ("a new one", 505.0, False)))]


@pytest.fixture
def recorded(tmp_path):
    """The timings of a ladder at N = 4096, d = 128."""
    path = tmp_path / "h200-bench.json"
    path.write_text(json.dumps(HEAD | {"rows": RUNGS}), encoding="utf-8")
    return measured.bench(path)


def scene(lang="en", present=False, **fields):
    """The View of the page with these settings."""
    page, = (one for one in PAGES if one.path == "gpu")
    return View(page, lang, present, Settings(**{"n": 4096, "d": 128} | fields), "")


def bars(drawn, kind):
    """How many bars of a kind are drawn."""
    return drawn.split("<style>")[0].count(kind)


@pytest.mark.parametrize("lang", ["en", "zh-Hans", "zh-Hant"])
def test_every_rung_stands_there_with_time_rate_and_bytes_each_with_its_tag(recorded, lang, monkeypatch):
    monkeypatch.setattr(measured, "files", lambda kind: ())
    view = scene(lang)
    drawn = ladder.draw(view, recorded, ladder.climbed(recorded, view.settings))
    for words in ("4.000 ms", "550 TFLOP/s", "×0.5", "×4", "×2", "1,755 MHz", "642 W", "4.43 GB", "260 MB"):
        assert words in drawn
    for tag in ("measured", "computed", "modelled"):
        assert view.label(f"tag.{tag}") in drawn
    assert bars(drawn, "dc-length ") == 5 + 4 + 4 + 1                 # only v2's cabinet was modelled
    assert "NVIDIA H200 · 2026-01-02" in drawn and "N = 4,096" in drawn


def test_what_the_counters_read_lies_beneath_in_a_slim_bar(recorded, monkeypatch):
    seen = RUNGS[3] | {"launch": "flash_attention_2", "lse": False, "passes": [], "window": [-1, -1], "measured": {
        "l2_to_sm_read": 4_000_000_000, "sm_to_l2_write": 100_000_000, "dram_read": 300_000_000, "dram_write": 0}}
    monkeypatch.setattr(measured, "files", lambda kind: ((recorded.record, (seen,)),))
    view = scene()
    drawn = ladder.draw(view, recorded, ladder.climbed(recorded, view.settings))
    assert bars(drawn, "dc-slim") == 1
    assert "4.1 GB" in drawn and "counters: NVIDIA H200" in drawn


def test_a_size_that_was_not_timed_has_no_ladder(recorded):
    assert ladder.climbed(recorded, Settings(n=512, d=128)) == ()
    assert ladder.climbed(recorded, Settings(n=4096, d=128, causal=True)) == ()


def test_the_question_asks_for_the_step_with_the_greatest_factor(recorded):
    options, right, quoted = facts.steps(ladder.climbed(recorded, Settings(n=4096, d=128)))
    assert options == ("flash_attention_1", "flash_attention_2", "flash_attention_3") and right == "flash_attention_2"
    assert [quoted[f"{name}_gain"] for name in ("v1", "v2", "v3", "all")] == ["×0.5", "×4", "×2", "×4"]
    assert quoted["desk_before"] == quoted["desk_top"] == "4.43 GB"   # 64 heads of 128 × 4096 × 2 B, (2 + 2·32) times


def test_the_steps_are_asked_about_only_where_two_runs_could_not_turn_them_round(recorded):
    standard, first, second, third, cudnn = ladder.climbed(recorded, Settings(n=4096, d=128))
    assert facts.clear((standard, first, second, third, cudnn))
    assert not facts.clear((standard, first, replace(second, gain=2.04), replace(third, gain=2.0), cudnn))
    assert facts.clear((standard, first, replace(second, gain=2.08), replace(third, gain=2.0), cudnn))


@pytest.mark.parametrize("n, few", [(512, False), (2048, False), (4096, True)])
def test_heads_are_few_where_they_leave_many_sms_idle(recorded, n, few):
    """16,384 tokens, 16 heads: 512 thread blocks at N = 512, 128 at 2048 and 64 at 4096, for 132 SMs."""
    one, = (one for one in recorded.timings if one.kernel == "standard")
    shorter = replace(one, problem=replace(one.problem, n=n, batch=16_384 // n))
    assert facts.few_heads(replace(recorded, timings=(shorter,)), 128) is few


def test_each_rung_shows_its_block_and_the_yardstick_none(recorded):
    view = scene()
    drawn = ladder.draw(view, recorded, ladder.climbed(recorded, view.settings))
    assert drawn.count("<li>block 128 × 128") == 4


def test_a_sweep_at_the_scenes_size_is_held_against_v2s_own_block(bench, recorded):
    both = replace(recorded, timings=recorded.timings + bench.timings)
    own, best = facts.swept(both, Settings(n=4096, d=128))
    assert (own.tiling.bc, own.tflops, best.tiling.bc, best.tflops) == (128, 274.9, 64, 350.0)
    assert facts.swept(recorded, Settings(n=4096, d=128)) is None
    assert facts.swept(both, Settings(n=4096, d=128, causal=True)) is None


def test_what_the_last_step_saves_is_asked_only_where_it_is_plainly_no_bytes(recorded):
    *_, before, top, cudnn = ladder.climbed(recorded, Settings(n=4096, d=128))
    assert facts.waits_less((before, top, cudnn))
    assert not facts.waits_less((before, replace(top, gain=1.1), cudnn))
    assert not facts.waits_less((before, replace(top, desk=before.desk // 2), cudnn))


def test_each_idea_has_a_row_and_one_without_a_name_shows_its_key(recorded):
    drawn = ideas.draw(recorded, "en")
    for words in (label("gpu.ideas.ring", "en"), "a new one", "250\u00a0·\u00a050\u00a0%", "505\u00a0·\u00a0101\u00a0%",
                  "500\u00a0·\u00a0100\u00a0%", "400\u00a0·\u00a0100\u00a0%"):
        assert words in drawn
    assert drawn.index("d = 128<") < drawn.index("d = 128, causal")
    assert ideas.timed(recorded)["without"] == "nothing"
    assert "<caption>v3 · N = 4,096 · bf16 · TFLOP/s · NVIDIA H200 · 2026-01-02" in drawn
    assert ideas.readers(recorded) == {128: 2}


def test_the_text_names_the_least_and_the_most_that_was_left(recorded):
    rows = [row | {"causal": True, "tflops": 360.0} if row.get("without") == "a new one" else row for row in RUNGS]
    said = ideas.spans(replace(recorded, rows=(*recorded.rows, *rows)))
    assert (said["a new one_low"], said["a new one_high"]) == ("90\u00a0%", "101\u00a0%")
    assert said["ring_low"] == said["ring_high"] == "50\u00a0%"


def test_the_registers_of_the_roles_are_those_that_the_kernel_asks_for():
    roles = (twins.KERNELS / "flash_attention_3_roles.py").read_text(encoding="utf-8")
    for readers, registers in facts.READERS_REGISTERS.items():
        asked = [registers] * (readers - 1) + [facts.FETCHERS_REGISTERS] * 2
        assert f"{[4] * (readers - 1) + [1] * 2}, {asked})" in roles


def test_where_no_idea_was_left_out_there_is_no_table(bench):
    whole = replace(bench, rows=tuple(row for row in bench.rows if "without" not in row))
    assert ideas.timed(whole) is None


# The two listings.


@pytest.mark.parametrize("algorithm", twins.MIRRORS)
def test_every_line_of_the_program_and_of_its_kernel_stands_there_once_and_in_order(algorithm):
    pairs = twins.twins(algorithm)
    for side in ("left", "right"):
        numbers = [line.number for pair in pairs if (line := getattr(pair, side))]
        assert numbers == sorted(set(numbers))
    source = program(algorithm).lines
    for pair in pairs:
        if pair.left:
            assert pair.left.text.split("#")[0].strip() == source[pair.left.number - 1].split("#")[0].strip()


@pytest.mark.parametrize("algorithm", twins.MIRRORS)
def test_a_program_and_its_kernel_load_hold_and_store_in_the_same_order(algorithm):
    doings = {side: [twins.doing(line.text) for pair in twins.twins(algorithm) if pair.left and pair.right
                     for line in [getattr(pair, side)]] for side in ("left", "right")}
    assert doings["left"] == doings["right"]
    assert len(doings["left"]) >= 15


def test_in_the_tiled_kernel_every_named_tile_meets_its_twin():
    met = {twins.doing(pair.left.text) for pair in twins.twins("flash2") if pair.left and pair.right}
    assert {"for i", "for j", "Q", "K", "V", "S", "P", "m", "l", "a", "c", "store O", "store L"} <= met


@pytest.mark.parametrize("left, right, same", [
    ("for i in sram.grid('i', len(Q)):", "i, b, h, h_kv = row_block(T_r, H, group, CAUSAL)", "for i"),
    ("l_i[:] = c * l_i + rowsum(P)", "l_i = c * l_i + tl.sum(P, 1)", "l"),
    ("sram.store(O[i], a_i / maximum(l_i, 1))", "store(O, strides[3], i * B_r, N_q, d, a_i, B_r, D)", "store O"),
    ('with sram.launch("pv"):', "def pv_kernel(P, V, O,", "launch pv"),
])
def test_lines_that_do_the_same_are_called_the_same(left, right, same):
    assert twins.doing(left) == twins.doing(right) == same


# Compiled without a GPU.


def test_tensor_cores_that_read_shared_memory_need_there_what_the_simulator_reserves():
    rows, _ = built.built(128)
    plain = {one.arch: one for one in rows if one.kernel == "flash_attention_2"}
    assert set(plain) == {80, 90, 100, 120}
    old, new = plain[80], plain[90]
    assert new.shared_bytes == new.footprint.shared_bytes == 2 * 128 * (new.br + 2 * new.stages * new.bc)
    assert old.shared_bytes == old.footprint.shared_bytes - 2 * 128 * old.br
    assert (old.reason, new.reason) == ("q_in_hands", "same")


def test_each_generation_multiplies_by_its_own_instruction():
    by_arch = {one.arch: one.multiplies for one in built.built(64)[0] if one.kernel == "flash_attention_2"}
    assert by_arch == {80: "mma.sync", 90: "wgmma.mma_async", 100: "tcgen05.mma", 120: "mma.sync"}
    assert [built.generation(arch) for arch in (120, 75, 61)] == ["sm_120 (RTX 5090)", "sm_75 (T4)", "sm_61"]


@pytest.mark.slow
@pytest.mark.skipif(not find_spec("triton"), reason="Triton is for Linux only")
def test_the_file_says_what_the_compiler_says():
    script = ("import json; from kernels.compiled import compiled; from kernels.generations import row, sketched; "
              "name = 'flash_attention_2'; one, = sketched(name, 64); "
              "print(json.dumps(row(name, 64, one, compiled(one, 90))))")
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=300)
    made = json.loads(said.stdout)
    (_, rows), = measured.files("compiled")
    assert made in rows


# Live.


def waited(watch):
    """The state in which a stopwatch comes to rest."""
    end = time.monotonic() + 30
    while watch.state == "running" and time.monotonic() < end:
        time.sleep(0.05)
    return watch.state


def test_a_machine_without_a_driver_times_nothing(monkeypatch, tmp_path):
    monkeypatch.setattr(live, "DRIVER", tmp_path / "none")
    assert not live.possible()


def test_timings_made_now_are_read_from_the_commands_file():
    content = json.dumps(HEAD | {"rows": ROWS})
    watch = live.Stopwatch([sys.executable, "-c", f"import sys; open(sys.argv[-1], 'w').write({content!r})", "--out"])
    assert watch.state == "idle"
    watch.start()
    assert waited(watch) == "done"
    assert watch.bench().timings[0].tflops == 500.0


def test_a_command_that_writes_nothing_has_failed_and_may_be_tried_again():
    watch = live.Stopwatch([sys.executable, "-c", "raise SystemExit(2)"])
    watch.start()
    assert waited(watch) == "failed"
    watch.start()
    assert waited(watch) == "failed"


def test_while_one_timing_runs_no_second_begins():
    watch = live.Stopwatch([sys.executable, "-c", "import time; time.sleep(60)"])
    watch.start()
    first = watch._process
    watch.start()
    assert watch._process is first
    first.kill()
    assert waited(watch) == "failed"
