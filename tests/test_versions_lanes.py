"""The lanes of three versions: jobs at tools by hand, the kernel's order, what jobs take, and the stopwatch."""

import subprocess
import sys
from importlib.util import find_spec
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.versions import facts, lanes, leftout, tempo
from lessons.versions.lanes import Job, schedule
from lessons.versions.roles import LANES, MODES, TOOLS, rules
from simulator import gpu, gpus
from simulator.ceilings import ceilings
from simulator.designs import built, trip_us

# Jobs at tools, by hand


def test_a_job_waits_for_what_it_needs_and_for_its_tool():
    """x, then y; z needs x and the tool that y has: x 0–1, y 1–3, z 3–4, held up by y."""
    x, y, z = (Job(work, "", 0) for work in "xyz")
    spans = schedule({x: (), y: (x,), z: (x,)}, {"x": "one", "y": "two", "z": "two"}, {"x": 1, "y": 2, "z": 2.5})
    assert [(span.job.work, span.start, span.stop) for span in spans] == [("x", 0, 1), ("y", 1, 3), ("z", 3, 5.5)]
    assert [span.cause for span in spans] == [None, x, y]


def test_of_those_that_wait_the_shortest_goes_first_then_whoever_has_waited_longest():
    start, long, short, late = Job("long", "A", 0), Job("long", "B", 0), Job("short", "C", 0), Job("long", "D", 0)
    spans = schedule({start: (), long: (), late: (), short: ()}, {"long": "tool", "short": "tool"},
                     {"long": 3, "short": 1})
    assert [span.job for span in spans] == [short, start, long, late]


def test_idle_time_is_charged_to_the_tool_that_was_awaited():
    """Copy 0–1, product 1–2, softmax 2–4, product 4–5: of five, one waited for the copy and two for softmax."""
    copy, first, soft, second = Job("c", "", 0), Job("p", "", 0), Job("s", "", 0), Job("p", "", 1)
    spans = schedule({copy: (), first: (copy,), soft: (first,), second: (soft,)},
                     {"c": "copy", "p": "product", "s": "softmax"}, {"c": 1, "p": 1, "s": 2})
    assert lanes.awaited(spans, "product") == {"copy": pytest.approx(1 / 5), "softmax": pytest.approx(2 / 5)}
    assert lanes.busy(spans, "product") == pytest.approx(2 / 5)


# The kernel's order, by hand: every job takes 1, Q and a's rescaling nothing, two readers, two tiles

UNIT = {"Q": 0, "K": 1, "V": 1, "S": 1, "a": 1, "P": 1, "rescale": 0, "turn": 0}


def starts(mode, readers="AB", stages=2, tiles=2, seconds=UNIT):
    spans = schedule(rules(mode, readers, stages, tiles), TOOLS, seconds)
    return {f"{work}{reader}{tile}": span.start for span in spans for work, reader, tile in [span.job]}


def test_one_after_another_takes_as_long_as_all_jobs_together():
    """Tile by tile: K V, S S, P P, a a: 8 each, so 16."""
    found = starts("serial")
    assert [found[job] for job in ("K0", "V0", "SA0", "SB0", "PA0", "PB0", "aA0", "aB0", "K1")] == list(range(9))
    assert max(found.values()) + 1 == 16


def test_copies_that_run_ahead_leave_only_the_first_K_to_be_waited_for():
    """K0 0–1, then 6 of either tile, one after another: 13."""
    found = starts("copies")
    assert (found["K0"], found["V0"], found["K1"], found["V1"]) == (0, 1, 2, 3)
    assert max(found.values()) + 1 == 13


def test_readers_in_turn_fill_each_others_gaps():
    """A multiplies 1–2, B 2–3 while A works out P; then a and S of either in turn, with no gap till B's last P."""
    found = starts("turns")
    assert [found[job] for job in ("SA0", "SB0", "aA0", "aB0", "SA1", "SB1", "aA1", "aB1")] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert [found[job] for job in ("PA0", "PB0", "PA1", "PB1")] == [2, 3, 6, 7]


def test_in_the_kernel_the_next_scores_start_before_the_last_shares_meet_V():
    """A alone: S0 1–2, P0 2–3, S1 3–4, a0 4–5 under P1, a1 5–6. In turns a0 comes before S1."""
    ahead, plain = starts("all", "A"), starts("turns", "A")
    assert [ahead[job] for job in ("SA0", "PA0", "SA1", "aA0", "PA1", "aA1")] == [1, 2, 3, 4, 4, 5]
    assert [plain[job] for job in ("SA0", "PA0", "aA0", "SA1", "PA1", "aA1")] == [1, 2, 3, 4, 5, 6]


def test_a_copy_waits_until_every_reader_is_done_with_the_buffer():
    """Four copies fill the buffers, 0–4. Then K2, for S0 was done at 3; V2 not before B's a0 is, 4–5."""
    found = starts("turns", tiles=3)
    assert (found["SB0"], found["aB0"], found["K2"], found["V2"]) == (2, 4, 4, 5)


def test_softmax_waits_for_its_scores_alone_and_the_rescaling_for_a():
    needs = rules("all", "AB", 2, 4)
    assert needs[Job("P", "A", 2)] == (Job("S", "A", 2), Job("V", "", 1))          # V: asked for before S is looked at
    assert Job("a", "A", 1) in needs[Job("rescale", "A", 2)] and Job("a", "A", 1) not in needs[Job("S", "A", 2)]
    assert Job("S", "A", 2) in needs[Job("a", "A", 1)]


def test_a_reader_starts_its_products_when_it_is_its_turn():
    """A may not start before 3: B, whose rows and keys are there from 1 on, starts after it, at 4."""
    needs = rules("all", "AB", 2, 2)
    assert Job("turn", "A", 0) in needs[Job("S", "B", 0)] and Job("turn", "B", 0) in needs[Job("S", "A", 1)]
    assert not any(job.work == "turn" for job in rules("turns", "AB", 2, 2))
    late = dict(needs) | {Job("late", "A", 0): ()}
    late[Job("S", "A", 0)] += (Job("late", "A", 0),)
    late[Job("turn", "A", 0)] += (Job("late", "A", 0),)
    at = {span.job: span for span in schedule(late, TOOLS | {"late": "late"}, UNIT | {"late": 3})}
    assert (at[Job("S", "A", 0)].start, at[Job("S", "B", 0)].start) == (3, 4)


def test_a_turn_is_handed_on_once_the_second_product_is_started_too():
    """With S1 goes a += P0 V0: S1 itself does not wait for V0, but whoever comes next does."""
    needs = rules("all", "A", 2, 3)
    assert Job("V", "", 0) in needs[Job("turn", "A", 1)] and Job("V", "", 0) not in needs[Job("S", "A", 1)]
    assert Job("turn", "A", 1) in needs[Job("S", "A", 2)]


# The kernel's order, whatever jobs take


@given(st.sampled_from(MODES), st.integers(1, 3), st.integers(2, 4), st.integers(1, 6),
       st.lists(st.integers(1, 9), min_size=7, max_size=7))
def test_a_tool_does_one_job_at_a_time_and_no_copy_overwrites_what_is_still_read(mode, readers, stages, tiles, taken):
    names = "ABC"[:readers]
    needs = rules(mode, names, stages, tiles)
    spans = schedule(needs, TOOLS, UNIT | dict(zip(UNIT, taken, strict=False)))       # a turn takes no time
    at = {span.job: span for span in spans}
    turns = readers * tiles if mode == "all" else 0
    assert at.keys() == needs.keys() and len(at) == readers + 2 * tiles + readers * (4 * tiles - 1) + turns
    assert all(span.start >= at[need].stop for span in spans for need in needs[span.job])
    for tool in LANES:
        mine = [span for span in spans if span.tool == tool]
        assert all(later.start >= earlier.stop for earlier, later in pairwise(mine))
    for copy, reads in (("K", "S"), ("V", "a")):
        for tile in range(tiles):
            for name in names:
                assert at[Job(reads, name, tile)].start >= at[Job(copy, "", tile)].stop
                if tile >= stages:
                    assert at[Job(copy, "", tile)].start >= at[Job(reads, name, tile - stages)].stop


@pytest.mark.parametrize("key", gpus())
@pytest.mark.parametrize("d", [64, 128])
def test_no_mode_is_slower_than_the_one_before_nor_faster_than_the_busiest_tool(key, d):
    spans = {mode: tempo.timeline(mode, d, key) for mode in MODES}
    worked = {tool: sum(span.stop - span.start for span in spans["serial"] if span.tool == tool) for tool in LANES}
    taken = [lanes.length(spans[mode]) for mode in MODES]
    assert taken[0] == pytest.approx(sum(worked.values()))
    assert all(later <= earlier * (1 + 1e-9) for earlier, later in pairwise(taken))
    assert taken[-1] >= max(worked.values())
    for mode in MODES:
        waits = lanes.awaited(spans[mode], "product")
        assert lanes.busy(spans[mode], "product") + sum(waits.values()) == pytest.approx(1)     # the last job is an a


# What jobs take


def test_jobs_take_what_the_time_model_says():
    top, found = ceilings(gpu("h200")), tempo.seconds(128, "h200")
    # 64 rows and 128 keys at d = 128: a product is 2 · 64 · 128 · 128 operations; K, like V, is 128 · 128 · 2 bytes
    assert found["S"] == found["a"] == pytest.approx(132 * 2 * 64 * 128 * 128 / top.tensor.rate)
    assert found["K"] == found["V"] == 2 * found["Q"] == pytest.approx(132 * 128 * 128 * 2 / top.l2.rate)
    run = tempo.recorded(128).timing
    b = built("flash_attention_3", run.problem, run.tiling, run.warps, gpu("h200"))
    assert found["P"] + found["rescale"] == b.softmax(64, masked=False)
    assert found["S"] + found["a"] == b.products(64)


@pytest.mark.parametrize("d, readers, stages", [(64, "ABC", 3), (128, "AB", 2)])
def test_roles_and_buffers_are_those_of_the_recorded_kernel(d, readers, stages):
    assert (tempo.readers(d), tempo.recorded(d).timing.tiling.stages) == (readers, stages)


def test_softmax_takes_more_than_half_of_the_products_time_at_the_usual_width():
    assert 0.5 < tempo.beside(128, "h200") < 1            # nearer to a half than to a tenth or to twice


@pytest.mark.parametrize("d", [64, 128])
def test_with_chance_the_kernels_order_pays_off_and_comes_within_four_points_of_the_stopwatch(d):
    turns, ahead = (tempo.pace(mode, d, "h200", 1024, seed=1) for mode in ("turns", "all"))
    run = tempo.recorded(d)
    assert ahead > turns + 0.03
    assert ahead == pytest.approx(run.share, abs=0.04)
    assert turns == pytest.approx(run.modelled_share, abs=0.05)       # the time model's queues know of no more


@pytest.mark.parametrize("d", [64, 128])
def test_the_time_model_reckons_as_chance_without_overlap_and_loses_the_rest_at_launch_start_and_end(d):
    run = tempo.recorded(d)
    one, tops = run.timing, ceilings(gpu("h200"))
    assert tempo.queued(d, "h200") == pytest.approx(tempo.pace("turns", d, "h200", 1024, seed=1), abs=0.02)
    blocks, sms = one.problem.heads * -(-one.problem.n // one.tiling.br), tops.sms
    rounds, round_s = -(-blocks // sms), 4 * 64 * one.tiling.bc * d * sms / tops.tensor.rate / tempo.queued(d, "h200")
    tiles, begun = one.problem.n_k // one.tiling.bc, 1e-6 * trip_us()
    whole = tops.launch.rate + rounds * (begun + tiles * round_s * len(tempo.readers(d)))
    paid = 4 * one.problem.heads * one.problem.n * one.problem.n_k * d / tops.tensor.rate
    assert run.modelled_share == pytest.approx(paid / whole, rel=1e-3)


HELD = """
import sys
from kernels.compiled import Sketch
from kernels.flash_attention_3 import without
from kernels.launch import Case, StorageType
for n, d in ((1024, int(sys.argv[1])), (1024, 128), (16384, 64), (16384, 128)):
    x = Sketch((1, 4, n, d), StorageType("bf16"))
    print("held" in without(Case.of(x, x, x, False)))
"""


@pytest.mark.skipif(not find_spec("triton"), reason=f"Triton has no package for {sys.platform}")
def test_Q_is_held_in_registers_where_the_page_says_so_and_not_in_the_kernel_that_was_timed():
    """In a process of its own: kernels that were loaded to be compiled cannot be interpreted afterwards."""
    said = subprocess.run([sys.executable, "-c", HELD, str(facts.HELD_D)], capture_output=True, text=True, check=True)
    assert said.stdout.split() == ["True", "False", "False", "False"]


@pytest.mark.parametrize("d", [64, 128])
def test_what_a_reader_is_worth_is_foretold_by_chance_and_what_the_overlap_is_worth_by_clockwork(d):
    left, found = leftout.kept(d), leftout.foretold(d)
    assert found["readers"][1] == pytest.approx(left["readers"], abs=0.04)
    assert found["overlap"][0] == pytest.approx(left["overlap"], abs=0.02)
    assert found["overlap"][1] < left["overlap"] - 0.03
