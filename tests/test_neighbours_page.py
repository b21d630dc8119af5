"""Who solves what: the four counts on the same requests, the two pictures, and how the page plays them."""

from types import SimpleNamespace

import pytest
from test_app import opened

from lessons import settings, text
from lessons.neighbours import chart, facts, page, pictures, scenes
from simulator.batching import Request

NAMES = tuple(scenes.SCENES)
OPENING = facts.Asked(requests=12, slots=4, longest=64, page=16, seed=0)


def view(lang="en", **query):
    found, notes = settings.read(query, page.FIELDS)
    assert notes == ()
    return SimpleNamespace(lang=lang, present=False, settings=found, link="", number=str,
                           label=lambda key, **values: text.label(key, lang, **values),
                           badges=lambda ruler, tag: f"{ruler} {tag}")


@pytest.fixture
def two(monkeypatch):
    """Two requests in two slots: of 2 + 2 and of 1 + 1 tokens."""
    monkeypatch.setattr(facts, "drawn", lambda *_: (Request(2, 2), Request(1, 1)))
    for known in (facts.memories, facts.timelines):
        known.cache_clear()
    yield facts.Asked(requests=2, slots=2, longest=8, page=2, seed=0)
    for known in (facts.memories, facts.timelines):
        known.cache_clear()


def test_two_requests_by_hand(two):
    old, new = facts.memories(two).values()
    assert [one.used for one in old.steps] == [one.used for one in new.steps] == [3 + 2, 4]
    assert old.unused == (11 + 4) / 2 and new.unused == (1 + 0) / 2
    assert old.used_share == 9 / 24 and new.used_share == 9 / 10
    assert facts.worked_out(two) == (2 + 3 + 1, 3 + 1)    # without a cache, and with one
    assert [one.idle for one in facts.timelines(two).values()] == [1, 1]


def test_cells_of_a_timeline_by_hand(two):
    assert facts.cells(facts.timelines(two)["static"], 3) == [[0, 0, None], [1, None, None]]


def test_a_memory_is_drawn_slot_by_slot(two):
    rows = [pictures._memory(view(), name, kept.at(1), two) for name, kept in facts.memories(two).items()]
    assert rows[0].cells.looks == "###-----" + "##------"
    assert rows[1].cells.looks == "###-##" + "." * 10
    assert rows[1].cells.signs == "A,A,A,A,B,B" + 10 * ","
    assert [row.number for row in rows] == ["31\u00a0%", "83\u00a0%"]     # 5 of 16, 5 of 6


def test_flash_attention_spares_the_tables_and_nothing_else_here_does():
    assert facts.tables() == (4 * 4096**2 * 2, 0)         # S and P, each written and read, two bytes a cell


def test_in_the_opening_scene_every_neighbour_spares_something_of_its_own():
    without, with_it = facts.worked_out(OPENING)
    assert with_it < without / 5
    memories, times = facts.memories(OPENING), facts.timelines(OPENING)
    assert memories["paged"].unused < memories["contiguous"].unused / 2
    assert 0.2 < memories["contiguous"].used_share < 0.4 < 0.7 < memories["paged"].used_share
    assert times["continuous"].idle < times["static"].idle


def test_smaller_pages_leave_less_empty_and_single_slots_nothing():
    empty = facts.unused_by_page(OPENING)
    assert empty[0] == 0 and list(empty) == sorted(empty)


@pytest.mark.parametrize("scene", ["pages", "slots"])
def test_the_knob_goes_from_the_first_step_to_the_last(scene):
    draw = {"pages": pictures.memory, "slots": pictures.slots}[scene]
    first, beyond = (view(scene=scene, tick=str(tick)) for tick in (1, 512))
    last = pictures.last_step(first.settings)
    assert (draw(first, first.settings).knob.at, draw(beyond, beyond.settings).knob.at) == (0, last - 1)
    assert len(draw(first, first.settings).knob.texts) == last


def test_the_timelines_show_only_what_has_been():
    seen = view(scene="slots", tick="5")
    for row in pictures.slots(seen, seen.settings).rows:
        columns = row.cells.columns
        lines = [row.cells.looks[k:k + columns] for k in range(0, len(row.cells.looks), columns)]
        assert len(lines) == 4 and all(set(line[5:]) == {"."} for line in lines)
        assert all("." not in line[:5] for line in lines)


@pytest.mark.parametrize("lang", text.LANGUAGES)
def test_the_charts_have_both_ways_for_every_page_and_every_number_of_slots(lang):
    for made, stops in ((chart.empty(view(lang), view().settings), facts.PAGES),
                        (chart.idle(view(lang), view().settings), facts.SLOTS)):
        assert [len(series.values) for series in made.series] == [len(stops)] * 2
        assert made.xs == stops and made.file


def test_one_slot_is_never_idle_and_more_slots_wait_less_without_batches():
    static, continuous = (series.values for series in chart.idle(view(), view().settings).series)
    assert static[0] == continuous[0] == 0
    assert all(one >= other for one, other in zip(static, continuous, strict=True))


@pytest.mark.parametrize("query", [{"requests": "16", "slots": "2", "longest": "128"},
                                   {"requests": "2", "slots": "8", "longest": "16", "page": "1"}])
def test_the_ends_of_all_ranges_are_drawn(query):
    for scene in NAMES[1:]:
        app = opened("neighbours", lang="en", scene=scene, present="1", **query)
        assert not app.exception and not app.error


@pytest.mark.parametrize("lang", text.LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_every_scene_is_drawn_in_every_language(name, lang):
    app = opened("neighbours", lang=lang, scene=name)
    assert not app.exception and not app.error and not app.warning


def test_names_are_judged_once_all_four_are_given():
    app = opened("neighbours", lang="en")
    for given, problem in enumerate(facts.PROBLEMS):
        assert not any(text.label("predict.right", "en") in said.value for said in app.markdown), given
        group = next(one for one in app.button_group if one.key == f"neighbours:{problem}")
        app = group.set_value(problem if given else "flash").run()
    said = " ".join(one.value for one in app.markdown)
    assert said.count(text.label("predict.right", "en")) == 3 and said.count(text.label("predict.wrong", "en")) == 1
    assert not app.exception


@pytest.mark.parametrize("scene, question, right", [("pages", "waste", "last"), ("slots", "idle", "batch")])
def test_a_picture_is_shown_once_its_question_is_answered(scene, question, right):
    app = opened("neighbours", lang="en", scene=scene)
    radio = next(one for one in app.radio if one.key == f"neighbours:{question}")
    app = radio.set_value(right).run()
    assert not app.exception
    assert any(text.label("predict.right", "en") in said.value for said in app.markdown)
