"""The scene's settings: what a link asks, the nearest that is possible, and back to a link again."""

import pytest
from hypothesis import given
from hypothesis import settings as trials
from hypothesis import strategies as st

from lessons import PAGES, errors
from lessons.settings import NAMES, Choice, Flag, Pair, Powers, Settings, Subset, Whole, any_gpu, flag, read, write
from lessons.text import label
from simulator.errors import BadProblem, DoesNotFit, TooLarge

KINDS = {
    "n": Whole(8, 2, 32), "n_kv": Whole(None, 1, 64), "d": Whole(8, 2, 16, step=2), "br": Powers(4, 1, 32),
    "heads": Whole(1, 1, 64), "kv_heads": Whole(None, 1, 64), "dtype": Choice("fp16", ("fp32", "fp16")),
    "causal": Flag(), "window": Pair((-1, -1), -1, 64), "passes": Subset(), "gpu": any_gpu(),
    "step": Whole(0, 0, 10**7),
}


def opened(**query):
    """Return what a link with these parameters opens, n-kv written as n_kv."""
    return read({flag(name): text for name, text in query.items()}, KINDS)


def test_an_empty_link_opens_the_defaults_without_a_note():
    settings, notes = opened()
    assert (settings.n, settings.n_kv, settings.br, settings.window, notes) == (8, None, 4, (-1, -1), ())


@pytest.mark.parametrize("name, text, value", [
    ("n", "16", 16), ("n", " 16 ", 16), ("n", "+16", 16), ("n", "１６", 16), ("n_kv", "3", 3), ("br", "32", 32),
    ("dtype", "FP32", "fp32"), ("causal", "1", True), ("causal", "", True), ("causal", "true", True),
    ("causal", "0", False), ("window", "4,0", (4, 0)), ("window", "4 0", (4, 0)), ("passes", "dropout,scale",
    ("scale", "dropout")), ("passes", "", ()), ("gpu", "t4", "t4"), ("step", "12", 12),
])
def test_what_is_possible_is_taken_as_written(name, text, value):
    settings, notes = opened(**{name: text})
    assert (getattr(settings, name), notes) == (value, ())


@pytest.mark.parametrize("name, text, value, reason", [
    ("n", "abc", 8, "number"), ("n", "", 8, "number"), ("n", "1e3", 8, "number"), ("n", "9.5", 8, "number"),
    ("n", "1000000000", 32, "range"), ("n", "9" * 300, 32, "range"), ("n", "9" * 5000, 8, "number"),
    ("n", "-3", 2, "range"),
    ("d", "17", 16, "range"), ("br", "5", 4, "choice"), ("br", "6", 4, "choice"), ("br", "7", 8, "choice"),
    ("br", "0", 1, "choice"), ("dtype", "fp99", "fp16", "choice"), ("causal", "perhaps", False, "choice"),
    ("window", "4", (-1, -1), "pair"), ("window", "a,b", (-1, -1), "pair"), ("window", "-9,99", (-1, 64), "range"),
    ("passes", "scale,jump", ("scale",), "choice"), ("gpu", "<b>", "h200", "choice"), ("n_kv", "x", None, "number"),
])
def test_what_is_not_possible_opens_the_nearest_with_a_note(name, text, value, reason):
    settings, (note,) = opened(**{name: text})
    assert (getattr(settings, name), note.reason, note.flag) == (value, reason, flag(name))


@pytest.mark.parametrize("name, text, said", [
    ("br", "5", "本頁可選 1、2、4、8、16、32。現以 4 顯示"), ("dtype", "fp99", "本頁可選 fp32、fp16。"),
    ("passes", "jump", "本頁可選 scale、mask、dropout。"), ("n", "99", "本頁的範圍是 2 … 32。"),
    ("causal", "perhaps", "本頁可選 0、1。"),
    ("passes", "jump", "現以 – 顯示"), ("n_kv", "x", "現以 – 顯示"),
])
def test_a_note_names_what_is_possible_in_the_readers_language(name, text, said):
    (note,) = opened(**{name: text})[1]
    assert said in label(f"note.{note.reason}", "zh-Hant", **vars(note))


def test_heads_of_keys_that_do_not_divide_the_query_heads_become_the_next_smaller_that_do():
    settings, (note,) = opened(heads="12", kv_heads="5")
    assert (settings.kv_heads, note.reason, note.used, note.possible) == (4, "divisor", "4", "12")
    assert opened(heads="12", kv_heads="64")[0].kv_heads == 12


def test_heads_of_keys_that_the_link_does_not_name_follow_the_query_heads_without_a_note():
    settings, notes = read({"heads": "2"}, KINDS | {"heads": Whole(32, 1, 64), "kv_heads": Whole(8, 1, 64)})
    assert (settings.kv_heads, notes) == (2, ())


def test_a_setting_the_page_does_not_use_is_noted_and_a_strange_parameter_is_not():
    _, notes = read({"heads": "2", "utm_source": "mail"}, {"n": Whole(8, 2, 32)})
    assert [(note.reason, note.flag) for note in notes] == [("unused", "heads")]


def test_defaults_leave_the_link():
    assert write(Settings(**{name: kind.default for name, kind in KINDS.items()}), KINDS) == {}
    settings, _ = opened(n="16", causal="1", window="4,0", passes="mask")
    assert write(settings, KINDS) == {"n": "16", "causal": "1", "window": "4,0", "passes": "mask"}


ANY_LINK = st.dictionaries(st.sampled_from([flag(name) for name in NAMES]), st.text(max_size=60))


@given(ANY_LINK)
def test_any_link_opens_a_possible_scene_that_its_own_link_opens_again(query):
    _opens_and_opens_again(query, KINDS)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.path)
@trials(deadline=None)                  # the first trial imports the page
@given(query=ANY_LINK)
def test_any_link_to_a_page_opens_a_possible_scene(page, query):
    _opens_and_opens_again(query, page.module.FIELDS)


def _opens_and_opens_again(query, kinds):
    settings, notes = read(query, kinds)
    assert read(write(settings, kinds), kinds) == (settings, ())
    assert settings.problem() and settings.tiling()
    assert all(len(note.asked) <= 25 and not set("<>`*$[]|&\\#~:") & set(note.asked) for note in notes)


def test_blocks_of_keys_follow_blocks_of_queries_unless_given():
    assert (Settings(br=4).tiling().bc, Settings(br=4, bc=2).tiling().bc) == (4, 2)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.path)
def test_every_page_opens_on_a_possible_problem(page):
    settings, notes = read({}, page.module.FIELDS)
    assert settings.problem().n == settings.n and settings.tiling().br == settings.br and notes == ()


def test_blocks_that_do_not_fit_are_answered_with_the_largest_that_do():
    error = DoesNotFit(tile="K[0]", asked_bytes=131072, area="shared memory", free_bytes=65536, capacity_bytes=232448,
                       holding="Q[0]")
    said = errors.words(error, Settings(d=128, br=512, gpu="h200", algorithm="flash2"), "zh-Hant")
    assert "共享記憶體 131,072 B" in said and "H200" in said and "128 × 128" in said


def test_a_head_too_wide_for_any_block_is_said_to_be():
    error = DoesNotFit(tile="Q[0]", asked_bytes=1, area="registers", free_bytes=0, capacity_bytes=0, holding="nothing")
    too_wide = Settings(d=4096, dtype="fp32", gpu="t4", stages=4)
    assert "not even a block of a single row" in errors.words(error, too_wide, "en")


def test_other_named_errors_are_said_in_the_readers_language():
    too_large = TooLarge(tiles=2_000_000, seconds=240.0, possible=1_000_000)
    said = errors.words(too_large, Settings(), "zh-Hans")
    assert "2,000,000" in said and "240 秒" in said
    bad = BadProblem(name="n", asked=0, possible="a whole number", remedy="choose one")
    assert errors.words(bad, Settings(), "en").startswith("n = 0 is no attention problem")
