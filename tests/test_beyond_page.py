"""The page beyond attention: its roofline, its kernels, its product and its stopwatch say what the models say."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from test_app import opened

from lessons import settings, text
from lessons.beyond import clock, facts, forecast, kernels, page, roof
from lessons.settings import Settings
from lessons.views.chart.layout import x_scale
from simulator import gpu, gpus
from simulator.matmul import closed_form
from simulator.roofline import time

OPENING, _ = settings.read({}, page.FIELDS)


def series(drawn):
    return {one.id: one for one in drawn.series}


# The roofline.


def test_the_roof_rises_with_the_bandwidth_and_is_flat_beyond_the_bend():
    drawn = roof.chart(OPENING, "en", "")
    cabinet = dict(zip(drawn.xs, series(drawn)["roof-cabinet"].values, strict=True))
    assert cabinet[16] == pytest.approx(16 * 4.275)
    assert cabinet[4096] == cabinet[512] == pytest.approx(731.4)
    bend = facts.ridge("h200")
    assert bend == pytest.approx(731.4 / 4.275) and cabinet[bend] == pytest.approx(731.4)
    assert drawn.marks[0].at == bend


@pytest.mark.parametrize("key", list(gpus()))
def test_no_way_stands_above_its_roof(key):
    asked = replace(OPENING, gpu=key, br=64)
    drawn = roof.chart(asked, "en", "")
    lines = series(drawn)
    for name, one in lines.items():
        if not name.startswith("roof"):
            at = next(k for k, value in enumerate(one.values) if value is not None)
            assert one.values[at] <= lines[f"roof-{one.ruler}"].values[at] * 1.0001, name


def test_a_way_has_one_mark_for_each_line_where_its_bytes_are_counted():
    drawn = series(roof.chart(OPENING, "en", ""))
    assert {name for name in drawn if "-" in name} == {
        "roof-cabinet", "roof-desk", "standard-cabinet", "standard-desk", "flash2-cabinet", "flash2-desk",
        "product-desk"}
    assert all(sum(value is not None for value in one.values) == 1 for name, one in drawn.items() if "roof" not in name)


def test_the_work_for_each_byte_of_the_opening_scene_by_hand():
    """16 heads of 4 · 4096² · 128 FLOP; on paper the standard way moves 4 N² + 4 N d numbers of two bytes."""
    found, N, d = roof.intensities(OPENING), 4096, 128
    assert found["standard"]["paper"] == pytest.approx(4 * N * N * d / (2 * (4 * N * N + 4 * N * d)))
    assert found["flash2"]["cabinet"] == 4 * N * N * d / (2 * 4 * N * d) == 2048
    assert found["flash2"]["desk"] == pytest.approx(124.1, abs=0.1)


@pytest.mark.parametrize("lang", text.LANGUAGES)
def test_the_column_by_the_cabinet_is_said_to_be_modelled(lang):
    view = SimpleNamespace(lang=lang, settings=OPENING, label=lambda key, **values: text.label(key, lang, **values),
                           badges=lambda ruler, tag: text.label(f"tag.{tag}", lang))
    drawn = roof.rows(view)
    caption = drawn[drawn.index("<caption>"):drawn.index("</caption>")]
    told = caption[caption.index(text.label("ruler.cabinet", lang)):]
    assert text.label("tag.modelled", lang) in told and text.label("tag.computed", lang) in caption.removesuffix(told)


def test_the_axis_leaves_room_for_every_mark():
    drawn = roof.chart(replace(OPENING, n=16384, d=32, br=32, bc=32), "en", "")
    scale = x_scale(drawn)
    assert all(0 <= scale.place(x) <= 1 for x in drawn.xs)


# Kernel by kernel.


def test_a_launch_that_a_profiler_timed_stands_beside_its_bounds():
    """Milliseconds under the profiler, to 2 %: what two days gave."""
    assert kernels.launch_ms(OPENING, "softmax") == pytest.approx(0.2565, rel=0.02)
    assert kernels.launch_ms(OPENING, "scores") == pytest.approx(0.3147, rel=0.02)
    assert kernels.launch_ms(replace(OPENING, gpu="a100-40"), "softmax") is None
    assert kernels.launch_ms(replace(OPENING, n=2048), "scores") is None


def test_softmax_is_as_fast_as_the_cabinet_lets_it():
    """The measured launch is within 3 % of the lower bound, which is the cabinet's."""
    one = time("standard", OPENING.problem(), OPENING.tiling(), gpu("h200")).kernels[1]
    assert one.binds == "dram"
    assert kernels.launch_ms(OPENING, "softmax") == pytest.approx(1e3 * one.lower_s, rel=0.03)


# The questions.


def test_the_bend_is_the_middle_of_three_options():
    options, right, numbers = facts.ridge_question()
    assert options == ("9", "171", "3422") and right == numbers["ridge"] == "171"


def test_the_question_of_the_wide_heads_quotes_the_time_model():
    wide = facts.wide()
    assert (wide["narrow"], wide["wide"], wide["ridge"], wide["before"], wide["after"]) == (
        "128", "256", "201", "120", "228")
    assert float(wide["tensor"]) > float(wide["dram"])


def test_twice_the_tile_is_half_the_fetching():
    small, large = (closed_form(4096, 4096, 4096, block) for block in facts.DOUBLED)
    assert small.by_matrix["A"].read == 2 * large.by_matrix["A"].read


def test_what_is_executed_is_what_the_formula_says():
    for block in page.FIELDS["block"].options:
        assert facts.product(block) == closed_form(facts.COUNTED, facts.COUNTED, facts.COUNTED, block)


def test_the_share_on_the_page_is_the_share_of_the_cells():
    _, right, numbers = facts.stopwatch()
    hits, of = forecast.share(forecast.cells())
    assert (numbers["hits"], numbers["of"], right) == (str(hits), str(of), "most")
    assert int(numbers["misses"]) == len([one for one in forecast.cells() if not one.hit])
    swept = [one for one in forecast.cells(sweep=True) if not one.hit]
    assert sum(int(numbers[name]) for name in ("narrow", "spills", "blocks")) == len(swept)


# The stopwatch.


@pytest.mark.parametrize("kernel", clock.KERNELS)
@pytest.mark.parametrize("d", [32, 64, 128, 256])
def test_a_kernel_is_drawn_measured_and_modelled_with_pytorch_beside_it(kernel, d):
    drawn = clock.chart(replace(OPENING, kernel=kernel, d=d, causal=True), "en", "")
    lines = series(drawn)
    assert set(lines) == {"measured", "modelled", "cudnn", "flash"}
    assert drawn.xs == (512, 1024, 2048, 4096, 8192, 16384)
    assert all(None not in one.values for one in lines.values())
    assert lines["measured"].dash == "solid" and lines["modelled"].dash == "dashed"


@pytest.mark.parametrize("lang", text.LANGUAGES)
def test_every_miss_is_listed_with_its_reason(lang):
    shown = clock.misses(_View(lang))
    wrong = [one for one in forecast.cells() if not one.hit]
    assert shown.count("<tr>") == 1 + len(wrong)
    for one in wrong:
        assert text.label(f"beyond.reason.{one.reason}", lang) in shown


class _View:
    """As much of a View as a table needs."""

    settings = Settings()
    number = staticmethod("{:,}".format)

    def __init__(self, lang):
        self.lang = lang

    def label(self, key, **values):
        return text.label(key, self.lang, **values)


# The page itself.


def answered(**query):
    """The page with every question answered by its last option, one after another, as they appear."""
    app = opened("beyond", lang="en", **query)
    for number in range(4):
        asked = app.radio[number]
        asked.set_value(asked.options[-1]).run()
    return app


def test_a_number_stands_behind_its_question():
    asked = opened("beyond", lang="en")
    assert len(asked.radio) == 3                          # the fourth appears with the roofline
    assert "168, " not in "".join(words.value for words in asked.markdown)


def test_every_question_can_be_answered_and_nothing_breaks():
    app = answered()
    assert len(app.radio) == 4 and not app.exception and not app.error and not app.info
    text_of = "".join(words.value for words in app.markdown)
    assert "160 of 168" in text_of and "Four rules" in text_of


def test_blocks_that_do_not_fit_are_said_to_and_nothing_is_drawn_for_them():
    app = opened("beyond", lang="en", d="256", br="256", bc="256", gpu="t4")
    app.radio[0].set_value("171").run()
    assert not app.exception and len(app.info) == 1
