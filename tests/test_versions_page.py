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
from lessons.versions import facts, lanes, page, pictures
from lessons.versions.chart import chart
from simulator import Problem, Tiling, accounting, fp8, gpu, gpus, simulate
from simulator.ceilings import ceilings

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


# Lanes in time


def test_one_piece_by_hand():
    top, found = ceilings(gpu("h200")), lanes.durations(128, "h200")
    # 64 rows and 128 keys at d = 128: a product is 2 · 64 · 128 · 128 operations; K and V are 2 · 128 · 128 · 2 bytes
    assert found.product == pytest.approx(132 * 2 * 64 * 128 * 128 / top.tensor.rate)
    assert found.copy == pytest.approx(132 * 2 * 128 * 128 * 2 / top.l2.rate)
    assert found.softmax > 132 * 64 * 128 / top.exp.rate


@pytest.mark.parametrize("key", gpus())
@pytest.mark.parametrize("d", [64, 128, 256])
def test_serial_is_the_sum_of_all_jobs_and_no_overlap_beats_the_busiest_lane(key, d):
    jobs = {mode: lanes.timeline(mode, d, key) for mode in lanes.MODES}
    spent = {lane: sum(job.stop - job.start for job in jobs["serial"] if job.lane == lane) for lane in lanes.LANES}
    assert lanes.length("serial", d, key) == pytest.approx(sum(spent.values()))
    serial, copies, everything = (lanes.length(mode, d, key) for mode in lanes.MODES)
    assert max(spent.values()) <= everything <= copies <= serial


@pytest.mark.parametrize("mode", lanes.MODES)
@pytest.mark.parametrize("key", ["h200", "b200", "t4"])
def test_a_lane_does_one_thing_at_a_time_and_every_job_waits_for_what_it_needs(mode, key):
    jobs = lanes.timeline(mode, 128, key)
    assert len(jobs) == lanes.TILES * (1 + 3 * len(lanes.GROUPS))
    for lane in lanes.LANES:
        times = sorted((job.start, job.stop) for job in jobs if job.lane == lane)
        assert all(later[0] >= earlier[1] for earlier, later in pairwise(times))
    copied = {job.tile: job.stop for job in jobs if job.lane == "copy"}
    for group in lanes.GROUPS:
        own = [job for job in jobs if job.group == group]
        assert [(job.lane, job.tile) for job in own] == [(lane, tile) for tile in range(lanes.TILES)
                                                         for lane in ("product", "softmax", "product")]
        assert all(later.start >= earlier.stop for earlier, later in pairwise(own))
        assert all(job.start >= copied[job.tile] for job in own)


def test_a_buffer_is_filled_anew_only_when_both_groups_have_read_it():
    jobs = lanes.timeline("all", 128, "h200")
    for copy in (job for job in jobs if job.lane == "copy" and job.tile >= lanes.BUFFERS):
        read = [job.stop for job in jobs if job.lane != "copy" and job.tile == copy.tile - lanes.BUFFERS]
        assert copy.start >= max(read)


def test_the_bars_end_where_the_mark_stands_and_glide_on_one_scale(view):
    pictured = {mode: pictures.time(view, asked(overlap=mode)) for mode in lanes.MODES}
    for picture in pictured.values():
        assert max(part.stop for row in picture.rows for part in row.parts) == pytest.approx(picture.marks[0].at)
    ends = [pictured[mode].marks[0].at for mode in lanes.MODES]
    assert ends == sorted(ends, reverse=True) and ends[0] == pytest.approx(1 / 1.02)
    assert ends[2] / ends[0] == pytest.approx(lanes.length("all", 128, "h200") / lanes.length("serial", 128, "h200"))


def test_softmax_takes_about_half_of_the_products_time_at_the_usual_width():
    assert 0.35 < facts.beside("flash2", "h200") < 0.71   # nearer to a half than to a tenth or to twice


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
