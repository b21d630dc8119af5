"""One word at a time: the row on the stage, the floor of workers, the bytes, and how the page plays them."""

import json
from types import SimpleNamespace

import pytest
from test_app import opened

from lessons import settings, text
from lessons.decode import chart, facts, page, pictures, scenes

NAMES = tuple(scenes.SCENES)


def view(lang="en", **query):
    found, notes = settings.read(query, page.FIELDS)
    assert notes == ()
    return SimpleNamespace(lang=lang, present=False, settings=found, link="", page=SimpleNamespace(module=page),
                           label=lambda key, **values: text.label(key, lang, **values),
                           labels=lambda table: text.labels(table, lang),
                           badges=lambda ruler, tag: f"{ruler} {tag}")


def worker(splits):
    return json.loads(scenes.staged(view(splits=str(splits))))["workers"][0]


def test_one_worker_passes_the_whole_row():
    alone = worker(1)
    assert (alone["t_r"], alone["t_c"], alone["kernels"], alone["skipped"]) == (1, 8, ["decode"], [])


def test_a_dealt_row_has_a_line_for_each_worker_who_leaves_out_what_others_look_after():
    dealt = worker(4)
    assert (dealt["t_r"], dealt["t_c"], dealt["kernels"]) == (4, 8, ["split_kv", "combine"])
    seen = [[j for j in range(8) if [i, j] not in dealt["skipped"]] for i in range(4)]
    assert seen == [[0, 1], [2, 3], [4, 5], [6, 7]]
    events = dealt["events"]
    worked = {(i, j) for op, tensor, i, j in zip(events["op"], events["tensor"], events["i"], events["j"], strict=True)
              if (op, tensor) == ("hold", "S")}
    assert worked == {(i, j) for i, line in enumerate(seen) for j in line}


def test_the_parts_have_drawers_and_the_merge_leaves_the_tables_numbers_alone():
    dealt = worker(4)
    drawers = {tensor["name"]: (tensor["rows"], tensor["cols"], tensor["bytes"]) for tensor in dealt["tensors"]}
    assert drawers["O_partial"] == (4, 8, 4) and drawers["L_partial"] == (4, 1, 4)
    merge = [k for k, kernel in enumerate(dealt["events"]["kernel"]) if kernel == 1]
    assert not any("P" in dealt["events"]["values"].get(str(k), {}) for k in merge)
    assert any("m" in dealt["events"]["values"].get(str(k), {}) for k in merge)


def test_more_workers_than_people_are_not_seated_at_the_small_row():
    assert facts.row(256)[1].splits == facts.PEOPLE


def test_the_floor_lights_a_cell_for_every_worker_with_work():
    for splits, busy in (("1", 8), ("4", 32), ("16", 128), ("32", 132)):
        cells = pictures.floor(view(splits=splits), view(splits=splits).settings).rows[0].cells
        assert cells.looks.count("#") == busy and len(cells.looks) == 132
    assert cells.signs.split(",").count("2") == 256 - 132            # thread blocks beyond the first turn


def test_unpacked_heads_light_more_workers_and_fetch_as_much_for_each():
    packed, apart = view().settings, view(**{"pack-gqa": "0"}).settings
    assert (facts.seating(packed).busy, facts.seating(apart).busy) == (8, 32)
    assert facts.price(apart).cache == 4 * facts.price(packed).cache


def test_parts_are_next_to_nothing_beside_a_long_cache():
    price = facts.price(view(splits="16").settings)
    assert price.cache == 2 * 8 * 32768 * 128 * 2
    assert price.parts == 2 * 16 * 32 * (128 + 1) * 4     # written and read, 16 splits of 32 rows in fp32
    assert price.parts < price.cache / 100


def test_a_bills_tensors_fill_it():
    rows = pictures.bills(view()).rows
    assert [row.parts[-1].stop for row in rows] == pytest.approx([1, 0.293, 1, 0.981], abs=0.001)
    assert [part.role for part in rows[2].parts] == list("QKVSPO")


@pytest.mark.parametrize("lang", text.LANGUAGES)
def test_the_chart_of_the_cache_is_straight(lang):
    made = chart.chart(view(lang), view().settings)
    for series in made.series:
        assert [value / n for value, n in zip(series.values, made.xs, strict=True)] == (
            [series.values[0] / made.xs[0]] * len(made.xs))
    assert made.series[0].values[0] == 1024 * 512 * 1024  # 1,024 tokens of 512 KiB


@pytest.mark.parametrize("lang", text.LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_every_scene_is_drawn_in_every_language(name, lang):
    app = opened("decode", lang=lang, scene=name)
    assert not app.exception and not app.error and not app.warning


@pytest.mark.parametrize("name", NAMES)
def test_every_scene_is_drawn_for_the_last_row(name):
    app = opened("decode", lang="en", scene=name, present="1")
    assert not app.exception and not app.radio


@pytest.mark.parametrize("name, question, right", [
    ("row", "hands", "one"), ("floor", "busy", "8"), ("phases", "helps", "hardly"), ("cache", "leaves", "512 KiB")])
def test_what_was_asked_is_shown_once_it_is_answered(name, question, right):
    app = opened("decode", lang="en", scene=name)
    before = len(app.markdown)
    radio = next(one for one in app.radio if one.key == f"decode:{question}")
    app = radio.set_value(right).run()
    assert not app.exception
    assert any(text.label("predict.right", "en") in said.value for said in app.markdown[before - 1:])
