"""How to call it: what two functions take three shapes for, and what goes wrong."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_app import opened

from lessons import text
from lessons.call import checks
from lessons.call.checks import FLASH, SDPA, Asked
from lessons.call.page import FIELDS
from lessons.call.shapes import Shape, shown
from lessons.views.numbers import short
from simulator import Problem, Tiling, accounting
from simulator.reference import attention

SOUND = Asked(SDPA, (2, 16, 1024, 64), (2, 4, 1024, 64), (2, 4, 1024, 64))
SWAPPED = Asked(FLASH, *((2, 1024, heads, 64) for heads in (16, 4, 4)))


def names(asked):
    """The names of what is found, in order."""
    return [one.name for one in checks.findings(asked)]


def alike(shape, **options):
    """A call whose three shapes are the same."""
    return Asked(options.pop("function", SDPA), shape, shape, shape, **options)


def test_both_functions_read_the_same_problem_from_their_own_layout():
    expected = Problem(n=1024, n_kv=1024, d=64, batch=2, heads=16, kv_heads=4)
    assert checks.problem(SOUND) == checks.problem(SWAPPED) == expected


def test_a_sound_call_has_nothing_to_mend_but_the_flag_that_pytorch_wants():
    assert names(SOUND) == ["gqa_flag"] and names(SWAPPED) == []
    assert "out = F.scaled_dot_product_attention(q, k, v, enable_gqa=True)" in checks.code(SOUND)
    assert checks.code(SWAPPED) == "# q, k, v, out: (B, N, H, d)\nout = flash_attn_func(q, k, v)"


def test_the_other_functions_layout_is_taken_for_many_heads_of_few_rows():
    assert names(alike((2, 1024, 16, 64))) == ["swapped_trap"]
    assert names(alike((2, 16, 1024, 64), function=FLASH)) == ["swapped_trap"]
    assert "swapped_trap" in names(Asked(SDPA, (2, 1024, 16, 64), *((2, 4, 4096, 64),) * 2))
    assert names(Asked(SDPA, (2, 32, 16, 64), *((2, 32, 4096, 64),) * 2)) == []
    assert names(alike((1, 32, 1, 128))) == []                          # one row: a decode step, nothing odd


def test_the_wrong_layout_gives_another_result_of_the_right_shape():
    heads, rows, d = 2, 6, 4
    q, k, v = np.random.default_rng(0).normal(size=(3, rows, heads, d))
    meant = [attention(q[:, h], k[:, h], v[:, h], Problem(n=rows, d=d).mask) for h in range(heads)]
    taken = [attention(q[n], k[n], v[n], Problem(n=heads, d=d).mask) for n in range(rows)]
    right, wrong = np.stack(meant, 1), np.stack(taken)
    assert right.shape == wrong.shape and np.abs(right - wrong).max() > 0.1


@pytest.mark.parametrize("change, name", [
    ({"q": (16, 1024, 64)}, "rank"), ({"q": (3, 16, 1024, 64)}, "unequal_batch"),
    ({"q": (2, 16, 1024, 32)}, "unequal_width"), ({"v": (2, 4, 512, 64)}, "unequal_rows"),
    ({"v": (2, 8, 1024, 64)}, "unequal_heads"), ({"q": (2, 6, 1024, 64)}, "heads"),
])
def test_shapes_that_do_not_go_together_stop_the_call(change, name):
    found = checks.findings(replace(SOUND, **change))
    assert found[0].name == name and {one.level for one in found} == {"stop"}


@pytest.mark.parametrize("function, level", [(FLASH, "stop"), (SDPA, "trap")])
def test_the_package_refuses_what_pytorch_answers_another_way(function, level):
    wide = alike((1, 64, 64, 512), function=function)
    wrong = alike((1, 64, 64, 64), function=function, dtype="fp32")
    assert [one.level for one in (*checks.findings(wide), *checks.findings(wrong))] == [level, level]
    assert names(alike((1, 64, 64, 40), function=function)) == [] and names(alike((1, 64, 64, 36))) == ["multiple"]


def test_causal_with_more_keys_than_rows_means_two_things():
    asked = Asked(SDPA, (1, 8, 1, 64), (1, 8, 100, 64), (1, 8, 100, 64), causal=True)
    (found,) = checks.findings(asked)
    assert (found.level, found.name, found.values["seen"]) == ("trap", "top_left", 1)
    package = Asked(FLASH, (1, 4, 8, 64), (1, 100, 8, 64), (1, 100, 8, 64), causal=True)
    (found,) = checks.findings(package)
    assert (found.name, found.values["first"]) == ("bottom_right", 97)
    assert int(checks.problem(package).mask.cells(range(1), range(100)).sum()) == 97


def test_more_rows_than_keys_leaves_rows_that_see_nothing():
    asked = Asked(FLASH, (1, 10, 1, 8), (1, 4, 1, 8), (1, 4, 1, 8), causal=True)
    (found,) = checks.findings(asked)
    seen = checks.problem(asked).mask.cells(range(10), range(4)).any(axis=1)
    assert found.values["empty"] == int((~seen).sum()) == 6


def test_a_window_is_the_packages_alone():
    assert "no_window" in names(replace(SOUND, window=(255, 0)))
    assert "window_size=(255, 0)" in checks.code(replace(SWAPPED, window=(255, 0)))
    assert checks.problem(replace(SWAPPED, window=(255, 0))).window == (255, 0)


@pytest.mark.parametrize("lang", text.LANGUAGES)
def test_every_finding_has_its_words(lang):
    calls = [replace(SOUND, **change) for change in (
        {"q": (1,)}, {"q": (3, 16, 1024, 64)}, {"q": (2, 16, 1024, 32)}, {"v": (2, 4, 512, 64)},
        {"v": (2, 8, 1024, 64)}, {"q": (2, 6, 1024, 64)}, {"window": (1, 1)}, {"dtype": "fp32"})]
    calls += [alike((1, 64, 64, 512)), alike((1, 64, 64, 512), function=FLASH, dtype="fp8"), alike((1, 64, 64, 36)),
              alike((1, 9, 4, 8)), Asked(SDPA, (1, 8, 1, 64), *((1, 8, 9, 64),) * 2, causal=True),
              Asked(FLASH, (1, 1, 8, 64), *((1, 9, 8, 64),) * 2, causal=True),
              Asked(SDPA, (1, 1, 8, 64), *((1, 1, 2, 64),) * 2, causal=True)]
    found = {one.name: one for asked in calls for one in checks.findings(asked)}
    assert len(found) >= 15
    assert all(text.label(f"call.{name}", lang, **one.values) for name, one in found.items())


@given(st.lists(st.integers(1, 2**24), min_size=1, max_size=6).map(tuple))
def test_a_shape_is_read_back_as_python_and_the_link_write_it(shape):
    kind = Shape((1,))
    written = (shown(shape), kind.write(shape), f"torch.Size({list(shape)})")
    assert [kind.read(one) for one in written] == [(shape, None)] * 3


@pytest.mark.parametrize("asked", ["", "<b>", "-3", "1.5,2", "0", "9" * 30, "1,2,3,4,5,6,7"])
def test_nonsense_for_a_shape_opens_the_nearest_with_a_note(asked):
    shape, reason = FIELDS["q"].read(asked)
    assert reason == "list" and all(1 <= size <= 2**24 for size in shape)


def test_the_page_shows_the_bytes_of_the_call():
    app = opened("call", lang="en", q="1,8,256,64", k="1,8,256,64", v="1,8,256,64", br="64")
    total = accounting.cost("flash2", Problem(n=256, d=64, heads=8), Tiling(64, 64)).desk.total
    assert total == 8 * 2 * 64 * 256 * (2 + 2 * 4)
    assert any(short(total, "B") in element.proto.body for element in app.get("html"))


def test_a_broken_call_is_told_and_the_page_goes_on():
    app = opened("call", lang="zh-Hans", q="5", k="1,8,256,64", v="1,8,256,64")
    assert not app.exception and len(app.error) == 1


def test_sizes_at_the_end_of_what_is_possible_are_answered():
    huge = ",".join(["16777216"] * 4)
    app = opened("call", lang="en", q=huge, k=huge, v=huge)
    assert not app.exception and app.error
