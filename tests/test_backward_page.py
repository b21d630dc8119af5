"""Going backward: a cell priced by hand, the counts of the three ways, what waits, and the figure beside the prints."""

import json
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_app import opened

from lessons import scene, settings, text
from lessons.backward import facts, page, pictures
from lessons.backward.chart import chart
from simulator import Problem, Tiling, accounting, figure2, gpu, gpus, simulate
from simulator.ceilings import ceilings
from simulator.tiling import fits

OPENING = settings.Settings(**{name: kind.default for name, kind in page.FIELDS.items()})


@pytest.fixture
def view():
    return SimpleNamespace(lang="en", present=False, link="http://here/backward?n=8", settings=OPENING,
                           label=lambda key, **values: text.label(key, "en", **values),
                           labels=lambda table: text.labels(table, "en"), badges=lambda ruler, tag: f"{ruler} {tag}")


# Carry a cell of P, or compute it again


def test_a_cell_by_hand_is_carried_in_six_bytes_or_takes_2d_operations_and_an_exponential():
    top, found = ceilings(gpu("h200")), facts.price(128, "h200")
    assert found.carried == pytest.approx(3 * 2 / top.dram.rate)           # three times two bytes
    assert found.again == pytest.approx(2 * 128 / top.tensor.rate + 1 / top.exp.rate)


@pytest.mark.parametrize("key", gpus())
def test_at_the_usual_widths_computing_again_is_cheaper_on_every_gpu(key):
    assert facts.price(64, key).again < facts.price(64, key).carried
    assert facts.price(128, key).again < facts.price(128, key).carried


@pytest.mark.parametrize("key", ("h200", "a100-40", "rtx4090"))
def test_at_the_even_width_both_cost_the_same(key):
    below, above = (facts.price(int(facts.even(key)) + step, key) for step in (0, 1))
    assert below.again <= below.carried and above.again >= above.carried


def test_the_bars_of_a_price_lie_end_to_end_and_the_dearer_way_is_marked_where_again_loses(view):
    carried, again = pictures.prices(view, settings.Settings(d=128)).rows
    assert [part.start for part in carried.parts[1:]] == [part.stop for part in carried.parts[:-1]]
    assert again.parts[-1].stop / carried.parts[-1].stop == pytest.approx(
        facts.price(128, "h200").again / facts.price(128, "h200").carried)
    assert not again.alarm
    assert pictures.prices(view, settings.Settings(d=1024)).rows[1].alarm


# Counts


def test_the_standard_way_carries_seven_tables_and_the_flash_ways_none():
    assert facts.passes() == 7                            # P twice, dP out and in, dS out and in twice
    for way in facts.WAYS[1:]:
        assert not set(facts.TABLES) & set(facts.bills()[way].desk.by_tensor)


def test_C_products_are_five_against_four_and_two_and_a_half_times_the_forward_pass_exactly():
    assert [facts.products(way) for way in facts.WAYS] == [4, 5, 5]
    assert [facts.against_forward(way) for way in facts.WAYS] == [2, 2.5, 2.5]


def test_a_computed_bill_is_what_an_executed_run_counts():
    small, tiling = Problem(n=24, d=8), Tiling(8, 8)
    for way in facts.WAYS:
        assert accounting.cost(way, small, tiling) == simulate(small, tiling, algorithm=way, execute=True).cost


def test_the_compared_blocks_fit_the_gpu_that_the_page_opens_with():
    assert all(fits(cost.peak, gpu("h200")) for cost in facts.bills().values())


# What waits


def test_one_head_of_eight_people_keeps_64_shares_or_eight_rows_and_a_number_each():
    heads = facts.LAYER.heads
    assert facts.kept("standard_backward", 8) == heads * 8 * 8 * 2
    assert facts.kept("flash1_backward", 8) == heads * (8 * 128 * 2 + 8 * (4 + 4))
    assert facts.kept("flash2_backward", 8) == heads * (8 * 128 * 2 + 8 * 4)


@given(st.integers(1, 2**19))
def test_twice_the_people_keep_four_tables_and_twice_the_rows(n):
    assert facts.kept("standard_backward", 2 * n) == 4 * facts.kept("standard_backward", n)
    assert facts.kept("flash2_backward", 2 * n) == 2 * facts.kept("flash2_backward", n)


def test_a_table_larger_than_the_gpus_memory_stands_out(view):
    near, far = (pictures.waiting(view, settings.Settings(length=n, gpu="h200")).rows for n in (4096, 131072))
    assert [row.alarm for row in near] == [False] * 3
    assert [row.alarm for row in far] == [True, False, False]


# The stage


@pytest.mark.parametrize("way", facts.WAYS)
@pytest.mark.parametrize("n, br", [(8, 4), (7, 2), (2, 8), (16, 4)])
def test_the_stage_shows_every_tensor_that_moves_and_its_tallies_end_at_the_ledger(way, n, br):
    problem, tiling = Problem(n=n, d=facts.WIDTH), Tiling(br, br)
    run = simulate(problem, tiling, facts.desk(problem, tiling), way, values=scene.shown_values(problem), execute=True)
    worker = scene.worker(run, way)
    assert {tensor["name"] for tensor in worker["tensors"]} == set(run.cost.desk.by_tensor)
    for tensor in worker["tensors"]:
        moved = run.cost.desk.by_tensor[tensor["name"]]
        assert worker["totals"][tensor["name"]] == {"read": moved.read, "write": moved.write}
        filed = moved.write or moved.read
        assert filed % (tensor["rows"] * tensor["cols"] * tensor["bytes"]) == 0    # whole tensors at their widths
    assert worker["steps"][-1] == len(worker["events"]["op"]) - 1


def test_the_scene_opens_with_eight_people_and_nothing_hidden(view):
    made = json.loads(page.scene(view))
    assert [worker["id"].split()[0] for worker in made["workers"]] == ["standard_backward", "flash2_backward"]
    assert [(worker["n_q"], worker["br"], worker["bc"]) for worker in made["workers"]] == [(8, 4, 4)] * 2
    assert all(worker["skipped"] == [] for worker in made["workers"])
    assert [worker["carries"] for worker in made["workers"]] == [True, False]


# The figure, rebuilt


@pytest.mark.parametrize("account, number, apart", [
    ("algorithms", "25.23 GB", "arXiv −37.4\u00a0% · NeurIPS −28.5\u00a0%"),
    ("mask", "29.53 GB", "arXiv −26.7\u00a0% · NeurIPS −16.4\u00a0%"),
    ("dropout", "40.27 GB", "arXiv −0.1\u00a0% · NeurIPS +14.1\u00a0%")])
def test_the_standard_bar_is_the_chosen_account_beside_both_prints(view, account, number, apart):
    rows = pictures.figure(view, settings.Settings(account=account, bc=256)).rows
    assert rows[0].number == number and rows[0].note.endswith(apart)
    assert [row.number for row in rows[1:3]] == ["40.3 GB", "35.3 GB"]
    assert all(row.parts[0].look == "outline" for row in (*rows[1:3], rows[5]))


@pytest.mark.parametrize("bc, number", [(256, "5.10 GB"), (384, "4.03 GB"), (512, "2.95 GB")])
def test_the_bar_of_v1_follows_its_block(view, bc, number):
    rows = pictures.figure(view, settings.Settings(bc=bc)).rows
    assert rows[3].number == number
    assert rows[4].number == "4.43 GB"


def test_the_words_name_the_reconstructions_own_numbers():
    said = page._accounts()
    assert (said["plain"], said["dropped"]) == ("25.23 GB", "40.27 GB")
    assert (said["fine"], said["coarse"], said["released"]) == ("5.10 GB", "4.03 GB", "4.43 GB")
    assert (said["tables"], said["matrices"], said["all_tables"]) == ("11", 12, "18")
    assert (said["gflops"], said["true"]) == ("66.6 / 75.2", "824.6 / 962.1")


def test_the_curve_is_the_simulators(view):
    drawn = chart(view)
    assert drawn.xs == figure2.CURVE
    assert drawn.series[0].values == tuple(size for _, size, _ in figure2.curve())
    assert drawn.caption[1] == text.label("backward.reconstruction", "en")


# The page


def test_the_projector_shows_the_picture_that_the_address_names():
    assert page.FIELDS["scene"].options == tuple(page.PICTURES)
    app = opened("backward", lang="en", present=1, scene="figure")
    assert app.button_group[0].value == "figure"
    app.button_group[0].set_value("curve").run()
    assert app.query_params["scene"] == "curve"


def test_nothing_is_told_before_it_is_guessed():
    app = opened("backward", lang="en")
    said = " ".join(part.value for part in app.markdown)
    assert "picoseconds" not in said and "25.23" not in said
    app.radio(key="backward:cheaper").set_value("again").run()
    assert "picoseconds" in " ".join(part.value for part in app.markdown)


def test_the_question_is_asked_at_the_usual_width_wherever_the_knob_stands():
    for d in (128, 1024):
        app = opened("backward", lang="en", d=d)
        app.radio(key="backward:cheaper").set_value("again").run()
        assert any("d = 128" in part.value and text.label("predict.right", "en") in part.value for part in app.markdown)
