"""The older tale, counted: four walks a passage, four slips, batches, and a trial whose numbers have units."""

from types import SimpleNamespace

import pytest
from test_app import opened

from lessons import settings, text
from lessons.scriptorium import facts, pictures
from lessons.scriptorium.scenes import SCENES
from lessons.story import small_desk
from simulator import gpu, gpus, simulate


@pytest.fixture
def view():
    return SimpleNamespace(lang="en", present=False, label=lambda key, **values: text.label(key, "en", **values),
                           badges=lambda ruler, tag: f"{ruler} {tag}", ratio=lambda ratio: f"{ratio:.3g}")


def test_the_masters_list_crosses_the_courtyard_four_times_a_passage():
    problem, blocks = facts.passage(16), facts.tiling("master", 4)
    run = simulate(problem, blocks, small_desk(problem, blocks), "standard", execute=True)
    assert facts.lists_carried(run.cost, problem) == 4
    moved = [(event.op, event.tensor) for event in run.events if event.tensor in "SP" and event.op in ("load", "store")]
    assert [move for k, move in enumerate(moved) if k == 0 or moved[k - 1] != move] == [
        ("store", "S"), ("load", "S"), ("store", "P"), ("load", "P")]


@pytest.mark.parametrize(("n", "volumes"), [(8, 2), (16, 4), (32, 8), (16, 8)])
def test_all_passages_of_the_master_make_four_times_as_many_and_each_is_fetched_once_for_each_asker(n, volumes):
    cost = facts.worked("master", n, volumes).cost
    assert facts.lists_carried(cost, facts.bureau(n)) == 4 * n
    assert facts.times_fetched(cost, facts.bureau(n)) == n


@pytest.mark.parametrize(("n", "volumes"), [(8, 2), (16, 4), (32, 8), (16, 8)])
def test_the_scribe_carries_no_list_and_fetches_each_passage_once_a_batch(n, volumes):
    cost = facts.worked("scribe", n, volumes).cost
    assert facts.lists_carried(cost, facts.bureau(n)) == 0
    assert facts.times_fetched(cost, facts.bureau(n)) == n // volumes


def test_both_results_agree_but_for_rounding():
    assert 0 < facts.apart(16, 4) < 2e-6                  # float32


def test_C12_the_tale_sets_lists_against_batches():
    assert (facts.trial("master").lists, facts.trial("scribe").batches) == (4096, 64)


def test_C12_counted_alike_the_scribe_makes_8320_tile_moves_and_the_master_many_more():
    T = 64
    assert facts.trial("scribe").tiles == T * (1 + 2 * T + 1) == 8320
    assert facts.trial("master").tiles == 1024 * (T * 3 + 2 + 2 * T + 1) == 330_752
    assert facts.trial("batched").tiles == T * T * 3 + 2 * T + T * (2 * T + 1) == 20_672


def test_C32_sixteen_volumes_make_64_batches_of_1024():
    assert facts.TRIAL.n // facts.VOLUMES == facts.trial("scribe").batches == 64


def test_the_scribe_is_first_in_every_unit():
    for unit in ("lists", "batches", "tiles", "bytes"):
        assert getattr(facts.trial("scribe"), unit) < getattr(facts.trial("master"), unit)


@pytest.mark.parametrize("key", gpus())
def test_C13_walking_takes_several_times_as_long_as_counting_on_every_gpu(key):
    walking, counting = facts.day(gpu(key))
    assert 2 < walking / counting < 15


def test_the_switch_gives_both_one_unit(view):
    own, alike = (pictures.trial(view, settings.Settings(alike=alike)).rows for alike in (False, True))
    assert [row.number for row in own] == ["4,096", "64"] and len({row.note for row in own}) == 2
    assert [row.number for row in alike] == ["330,752", "20,672", "8,320"] and len({row.note for row in alike}) == 1


def test_a_day_is_one_bar(view):
    (row,) = pictures.day(view, settings.Settings()).rows
    assert row.parts[0].start == 0 and row.parts[0].stop == row.parts[1].start and row.parts[1].stop == 1


# The page


@pytest.mark.parametrize("lang", text.LANGUAGES)
@pytest.mark.parametrize("scene", SCENES)
def test_every_scene_is_drawn_in_every_language(scene, lang):
    app = opened("scriptorium", lang=lang, scene=scene)
    assert not app.exception and not app.warning and not app.error
    heading = text.sections("scriptorium", lang)[scene].split("\n")[0]
    assert heading.startswith("## ") and any(part.value.startswith(heading) for part in app.markdown)


@pytest.mark.parametrize("scene", SCENES)
def test_every_scene_is_drawn_for_the_last_row(scene):
    app = opened("scriptorium", lang="en", scene=scene, present="1")
    assert not app.exception and not app.slider


def test_another_scene_opens_at_its_beginning():
    app = opened("scriptorium", lang="en", step="7")
    assert app.query_params["step"] == "7"
    app.button_group[0].set_value("lamp").run()
    assert app.query_params["scene"] == "lamp" and "step" not in app.query_params
    app.query_params["step"] = "2"                        # as the browser writes it
    app.radio[0].set_value("factor").run()
    assert app.query_params["step"] == "2"
