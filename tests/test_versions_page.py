"""Three versions: traffic and workers counted by hand, what is told of them, and the page that asks before it tells."""

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
from lessons.versions.roles import MODES
from simulator import Problem, Tiling, accounting, fp8, gpu, simulate

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


def test_what_is_told_of_operations_beside_products_follows_from_the_numbers_on_the_page(view):
    """312 G a ms, 2.44 G and 9.75 G: 0.441 ms of products, and 0.111 + 0.167 of them beside; 278 / 441 is 63 %."""
    told = facts.beside()
    _, v2, most, taken = [[float(cell.split()[0].rstrip("TG")) for cell in row[1:]] for row in page._operations(view)]
    assert [round(count / rate, 3) for count, rate in zip(v2, most, strict=True)] == taken == [0.441, 0.111, 0.167]
    assert told["share"] == f"{100 * sum(taken[1:]) / taken[0]:.0f}\u00a0%" == "63\u00a0%"
    assert told["operations"] == f"{100 * sum(v2[1:]) / v2[0]:.1f}\u00a0%"
    rates = {name: float(told[name].split()[0]) for name in ("tensor", "plain", "other", "exp")}
    assert (rates["tensor"] / rates["plain"], rates["plain"] / rates["other"]) == (float(told["times"]), 2)
    assert [rates["tensor"], rates["exp"], rates["other"]] == most


def test_v2_does_the_same_products_and_exponentials_and_less_beside_them():
    v1, v2 = (facts.bills()[way].flops for way in facts.WAYS)
    assert (v1.matmul, v1.exp) == (v2.matmul, v2.exp)
    assert v2.other < v1.other
    small, tiling = Problem(n=16, d=8), Tiling(8, 8)
    for way in facts.WAYS:
        run = simulate(small, tiling, algorithm=way, execute=True)
        assert accounting.cost(way, small, tiling).flops == run.cost.flops


# What is told


@pytest.mark.parametrize("d", [64, 128])
def test_leaving_out_is_told_as_in_the_table(view, d):
    told, busy = leftout.values(d), stopwatch.rows(view, d)
    assert (told["turns_busy"], told["all_busy"]) == (busy[-2][2], busy[-1][2])
    for name, row in zip(leftout.LEFT, leftout.rows(view, d), strict=True):
        assert row[0] == text.label(f"versions.without.{name}", "en")
        assert row[2:] == (told.get(f"{name}_chance", "—"), told[name])


@pytest.mark.parametrize("d", [64, 128])
def test_the_table_and_the_text_tell_the_same_numbers(view, d):
    last, told = stopwatch.rows(view, d)[-1], stopwatch.values(view, d)
    assert last[1:] == (told["clockwork"], told["chance"], told["measured"])
    whole = {name: int(told[name].split()[0]) for name in ("clockwork", "chance", "model", "measured")}
    for name in ("clockwork", "chance", "model"):
        off = whole[name] - whole["measured"]
        words = f"{abs(off)} too {'high' if off > 0 else 'low'}" if off else "right"
        assert told[f"{name}_off"] == words


# The pictures


def test_the_bars_end_where_the_mark_stands_and_glide_on_one_scale(view):
    pictured = {mode: timeline.time(view, asked(overlap=mode)) for mode in MODES}
    for picture in pictured.values():
        assert max(part.stop for row in picture.rows for part in row.parts) == pytest.approx(picture.marks[0].at)
    ends = [pictured[mode].marks[0].at for mode in MODES]
    assert ends == sorted(ends, reverse=True) and ends[0] == pytest.approx(1 / 1.02)
    assert ends[-1] / ends[0] == pytest.approx(lanes.length(tempo.timeline("all", 128, "h200"))
                                               / lanes.length(tempo.timeline("serial", 128, "h200")))


def test_every_sign_of_the_lanes_stands_in_the_legend(view):
    drawn = timeline.time(view, OPENING)
    said = {(key.role, key.sign) for key in drawn.keys}
    assert {(part.role, part.text) for row in drawn.rows for part in row.parts if part.text} == said


@pytest.mark.parametrize("d, looks", [(64, {"full", "striped", "outline"}), (128, {"full", "striped"})])
def test_every_reader_has_a_look_of_its_own(view, d, looks):
    rows = timeline.time(view, asked(d=d)).rows
    assert {part.look for part in rows[1].parts} == looks and {part.look for part in rows[0].parts} == {"full"}


def test_the_step_goes_in_the_kernels_order_and_bars_end_where_the_reader_says_so():
    names = [one.name for one in step.STEPS]
    assert names == ["take_turn", "start_s", "wait_v", "start_a", "give_turn", "wait_s", "free_k", "softmax", "wait_k",
                     "wait_a", "free_v", "rescale"]
    ends = {(bar.role, bar.look): bar.last for bar in reversed(step.BARS)}
    assert (ends["K", "there"], ends["V", "there"]) == ("free_k", "free_v")
    assert (ends["K", "coming"], ends["V", "coming"]) == ("wait_k", "wait_v")
    assert (ends["S", "made"], ends["card", "made"]) == ("wait_s", "wait_a")


def test_no_two_bars_of_a_column_share_a_step_and_two_tiles_of_K_lie_in_two_buffers():
    for column in (*step.SHARED, *step.REGISTERS):
        spans = [(step.number(bar.first), step.number(bar.last)) for bar in step.BARS if bar.column == column]
        assert all(first <= last for first, last in spans)
        assert all(later > last for (_, last), (later, _) in pairwise(spans))
    assert {bar.column for bar in step.BARS if bar.text in ("K_j", "K_j+1")} == {1, 2}


def test_the_last_shares_stay_until_a_is_there_while_the_new_ones_are_made():
    last, new = (next(bar for bar in step.BARS if bar.text == f"P_{tile}") for tile in (step.LAST, step.NOW))
    assert (last.first, last.last) == ("take_turn", "wait_a")
    assert step.number(new.first) < step.number(last.last) and new.column != last.column


def test_both_products_are_started_in_the_readers_turn(view):
    assert [step.STEPS[at - 1].name for at in step.TURN] == ["start_s", "wait_v", "start_a", "give_turn"]
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
