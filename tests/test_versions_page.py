"""Three versions: traffic, workers and lanes counted by hand, and the page that asks before it tells."""

import json
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_app import opened

from lessons import settings, text
from lessons.versions import facts, lanes, leftout, page, pictures, step, stopwatch, tempo, timeline
from lessons.versions.chart import chart
from lessons.versions.lanes import Job, schedule
from lessons.versions.roles import LANES, MODES, TOOLS, rules
from simulator import Problem, Tiling, accounting, fp8, gpu, gpus, simulate
from simulator.ceilings import ceilings
from simulator.designs import built

OPENING = settings.Settings(**{name: kind.default for name, kind in page.FIELDS.items()})


@pytest.fixture
def view():
    return SimpleNamespace(lang="en", present=False, link="http://here/versions", settings=OPENING,
                           label=lambda key, **values: text.label(key, "en", **values),
                           labels=lambda table: text.labels(table, "en"), badges=lambda ruler, tag: f"{ruler} {tag}")


def asked(**values):
    return settings.Settings(**{name: getattr(OPENING, name) for name in page.FIELDS} | values)


# Who carries what


def test_v1_carries_O_in_and_out_for_every_block_and_v2_once_out():
    # 4096 keys in blocks of 128 are 32 blocks: 32 times in, 32 times out
    assert (facts.crossings("flash1"), facts.crossings("flash2")) == (64, 1)


@given(st.integers(1, 6), st.integers(1, 6))
def test_v1_carries_three_widths_a_row_and_block_and_v2_two(t_r, t_c):
    problem, tiling = Problem(n=8 * t_r, n_kv=8 * t_c, d=16), Tiling(8, 8)
    one = 8 * 16 * 2                                      # a block of rows
    v1, v2 = (accounting.cost(way, problem, tiling).desk.moves for way in facts.WAYS)
    carried = sum(traffic.total for (kernel, name), traffic in v1.items() if kernel != "init" and name in "QO")
    assert carried == 3 * t_r * t_c * one
    assert sum(v2["flash_attention_2", name].read for name in "KV") == 2 * t_r * t_c * one


def test_the_table_of_tensors_adds_up_to_both_bills(view):
    view.size = lambda count: str(count)
    rows = page._by_tensor(view)
    for column, way in enumerate(facts.WAYS, 1):
        assert sum(int(row[column]) for row in rows if row[column] != "—") == facts.bills()[way].desk.total


def test_the_stage_holds_v1_and_v2_at_one_desk(view):
    made = json.loads(page.scene(view))
    assert [worker["id"].split()[0] for worker in made["workers"]] == ["flash1", "flash2"]
    assert made["workers"][0]["capacity"] == made["workers"][1]["capacity"]
    assert made["workers"][0]["totals"]["O"]["write"] == 3 * 8 * 8 * 2     # zeros, and after each of two blocks
    assert made["workers"][1]["totals"]["O"] == {"read": 0, "write": 8 * 8 * 2}


# Who has work


@pytest.mark.parametrize("length, v2", [(512, 32), (1024, 64), (2048, 128), (4096, 256)])
def test_C_one_text_of_8_heads_gives_v1_8_workers_and_v2_a_row_block_each(length, v2):
    assert facts.workers("flash1", length, heads=8, batch=1) == 8
    assert facts.workers("flash2", length, heads=8, batch=1) == v2
    assert v2 == 8 * length // 128


@given(st.sampled_from((1, 2, 8, 16)), st.sampled_from((1, 2, 4)), st.sampled_from((40, 108, 132)))
def test_from_the_named_length_on_every_sm_has_work_and_not_before(heads, batch, sms):
    least = facts.all_busy(heads, batch, sms)
    blocks = [facts.workers("flash2", n, heads, batch) for n in (least, max(least - 1, 1))]
    assert blocks[0] >= sms and (blocks[1] < sms or least == 1)


def test_on_the_h200_all_132_have_work_from_4096_up_among_powers_of_two(view):
    found = {n: pictures.floor(view, asked(length=n)).rows for n in pictures.LENGTHS}
    assert next(n for n, rows in found.items() if rows[1].number == "132 / 132") == 4096
    assert {rows[0].number for rows in found.values()} == {"8 / 132"}
    assert all(rows[0].alarm for rows in found.values()) and not found[4096][1].alarm


def test_the_floor_has_a_cell_for_every_sm_and_as_many_filled_as_have_work(view):
    for row in pictures.floor(view, asked(length=1024)).rows:
        assert len(row.cells.looks) == len(row.cells.signs.split(",")) == gpu("h200").sms
        assert f"{row.cells.looks.count('#')} / 132" == row.number


def test_the_chart_ends_at_all_of_them(view):
    drawn = chart(view, OPENING)
    assert {series.id: series.values[-1] for series in drawn.series} == {"flash1": 8, "flash2": 132}
    assert drawn.marks[0].at == 132


# What is done beside products


def test_M_on_an_a100_an_operation_beside_the_products_costs_sixteen():
    assert facts.dearer() == pytest.approx(312 / 19.5)


def test_v2_does_the_same_products_and_exponentials_and_less_beside_them():
    v1, v2 = (facts.bills()[way].flops for way in facts.WAYS)
    assert (v1.matmul, v1.exp) == (v2.matmul, v2.exp)
    assert v2.other < v1.other
    small, tiling = Problem(n=16, d=8), Tiling(8, 8)
    for way in facts.WAYS:
        run = simulate(small, tiling, algorithm=way, execute=True)
        assert accounting.cost(way, small, tiling).flops == run.cost.flops


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
def test_what_a_reader_is_worth_is_foretold_by_chance_and_what_the_overlap_is_worth_by_clockwork(d):
    left, found = leftout.kept(d), leftout.foretold(d)
    assert found["readers"][1] == pytest.approx(left["readers"], abs=0.04)
    assert found["overlap"][0] == pytest.approx(left["overlap"], abs=0.02)
    assert found["overlap"][1] < left["overlap"] - 0.03


@pytest.mark.parametrize("d", [64, 128])
def test_leaving_out_is_told_as_in_the_table(view, d):
    told = leftout.values(d)
    for (name, *_), row in zip(leftout.MODELLED.items(), leftout.rows(view, d), strict=True):
        assert row[0] == text.label(f"versions.without.{name}", "en")
        assert row[2:] == (told[f"{name}_chance"], told[name])


@pytest.mark.parametrize("d", [64, 128])
def test_the_table_and_the_text_tell_the_same_numbers(view, d):
    last, told = stopwatch.rows(view, d)[-1], stopwatch.values(d)
    assert last[1:] == (told["clockwork"], told["chance"], told["measured"])
    whole = {name: int(told[name].split()[0]) for name in ("clockwork", "chance", "model", "measured")}
    for name in ("clockwork", "chance", "model"):
        assert int(told[f"{name}_off"].replace("−", "-")) == whole[name] - whole["measured"]


# The pictures


def test_the_bars_end_where_the_mark_stands_and_glide_on_one_scale(view):
    pictured = {mode: timeline.time(view, asked(overlap=mode)) for mode in MODES}
    for picture in pictured.values():
        assert max(part.stop for row in picture.rows for part in row.parts) == pytest.approx(picture.marks[0].at)
    ends = [pictured[mode].marks[0].at for mode in MODES]
    assert ends == sorted(ends, reverse=True) and ends[0] == pytest.approx(1 / 1.02)
    assert ends[-1] / ends[0] == pytest.approx(lanes.length(tempo.timeline("all", 128, "h200"))
                                               / lanes.length(tempo.timeline("serial", 128, "h200")))


@pytest.mark.parametrize("d, looks", [(64, {"full", "striped", "outline"}), (128, {"full", "striped"})])
def test_every_reader_has_a_look_of_its_own(view, d, looks):
    rows = timeline.time(view, asked(d=d)).rows
    assert {part.look for part in rows[1].parts} == looks and {part.look for part in rows[0].parts} == {"full"}


def test_the_step_goes_in_the_kernels_order_and_bars_end_where_the_reader_says_so():
    names = [one.name for one in step.STEPS]
    assert names == ["take_turn", "start_s", "start_a", "give_turn", "wait_s", "free_k", "softmax", "wait_k",
                     "wait_a", "free_v", "rescale"]
    ends = {(bar.role, bar.look): bar.last for bar in reversed(step.BARS)}
    assert ends["K", "there"] == step.number("free_k") and ends["V", "there"] == step.number("free_v")
    assert ends["S", "made"] == step.number("wait_s") and ends["card", "made"] == step.number("wait_a")


def test_both_products_are_started_in_the_readers_turn(view):
    assert [step.STEPS[at - 1].name for at in step.TURN] == ["start_s", "start_a", "give_turn"]
    assert step.draw(view).count(" dc-turn") == len(step.TURN)


@pytest.mark.parametrize("lang", text.LANGUAGES)
def test_every_step_says_what_waits_and_where_it_lives(view, lang):
    view.label = lambda key, **values: text.label(key, lang, **values)
    drawn = step.draw(view)
    assert drawn.count("<li ") == len(step.STEPS) == drawn.count("<small>")
    assert "K<sub>j+1</sub>" in drawn and "V<sub>j−1</sub>" in drawn and "_j" not in drawn
    for name in ("step_shared", "step_registers"):
        assert text.label(f"versions.{name}", lang) in drawn


# Eight bits


def test_the_dots_are_the_papers_numbers_and_the_bars_the_experiments(view, monkeypatch):
    found = dict.fromkeys(fp8.PUBLISHED, 1e-3)
    monkeypatch.setattr(pictures, "errors", lambda seed: found)
    rows = pictures.accuracy(view, OPENING).rows
    assert [row.dot for row in rows] == pytest.approx([(np.log10(error) + 5) / 4 for error in fp8.PUBLISHED.values()])
    assert all(row.parts[0].stop == pytest.approx(0.5) and row.number == "1.0\u00a0×\u00a010⁻³" for row in rows)


# The page


def test_the_projector_shows_the_picture_that_the_address_names():
    assert page.FIELDS["scene"].options == tuple(page.PICTURES)
    app = opened("versions", lang="en", present=1, scene="time")
    assert app.button_group[0].value == "time"
    app.button_group[0].set_value("floor").run()
    assert app.query_params["scene"] == "floor"


def test_nothing_is_told_before_it_is_guessed():
    app = opened("versions", lang="en")
    said = " ".join(part.value for part in app.markdown)
    assert "Its results so far" not in said and "Not quite" not in said and "have nothing to do" not in said
    app.radio(key="versions:workers").set_value("8").run()
    assert any("have nothing to do" in part.value and text.label("predict.right", "en") in part.value
               for part in app.markdown)


def test_the_questions_numbers_stand_whatever_the_reader_has_set():
    app = opened("versions", lang="en", heads=32, gpu="a100-40", length=512)
    assert app.radio(key="versions:workers").options == ["8", "66", "132"]
    app.radio(key="versions:workers").set_value("8").run()
    assert any("2,049" in part.value for part in app.markdown)
