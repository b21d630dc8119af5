"""Charts: what stands where, what each line says, and the four bills of the counting page."""

import json
from itertools import pairwise, product

import numpy as np
import pytest

from lessons import settings
from lessons.count import answers
from lessons.count.bills import BESIDE, DESKS, LENGTHS, bill, desk_bytes, following_pieces
from lessons.count.page import FIELDS, QUESTIONS, drawn
from lessons.sweeps import Sweep, configuration, file_name, lines
from lessons.text import LANGUAGES
from lessons.views.chart import Axis, Chart, Mark, Rise, Series
from lessons.views.chart.layout import x_scale, y_scale
from lessons.views.chart.live import scene, summary
from lessons.views.chart.paper import apart
from lessons.views.chart.roles import ALGORITHMS, colour, css
from lessons.views.numbers import exact, short, tick_text, times
from lessons.views.palette import LIGHT
from simulator import Problem, Tiling, accounting, gpu, tiling


def chart(values=(10, 100, 1000), xs=(512, 1024, 2048), **options):
    """A small chart made by hand."""
    return Chart(title="Footsteps", x=Axis("N", "", "log2"), y=Axis("bytes", "B", "log10"), xs=xs,
                 series=(Series("a", "master", values, "standard"),), **options)


def scene_of(lang="en", **query):
    """The counting page's settings and bill for a query."""
    found, notes = settings.read({name.replace("_", "-"): str(value) for name, value in query.items()}, FIELDS)
    assert notes == ()
    return found, bill(found, lang, "http://localhost/count")


# Numbers in words


def test_a_number_is_written_in_full_or_short():
    assert exact(1090519040, "B") == "1,090,519,040 B"
    assert short(1090519040, "B") == "1.09 GB"
    assert short(33554432, "B", binary=True) == "32 MiB"
    assert exact(None) == "—"
    assert exact(0.5) == "0.5"
    assert times(4) == "×4" and times(3.9688) == "×3.97"


def test_a_number_just_below_a_prefix_does_not_read_as_a_thousand_of_the_one_before():
    assert short(999_999, "B") == "1 MB"
    assert short(1023.99 * 1024, "B", binary=True) == "1 MiB"
    assert short(999, "B") == "999 B"


def test_an_axis_of_bytes_has_prefixes_and_an_axis_of_people_is_in_full():
    assert tick_text(10_000_000, "B") == "10 MB"
    assert tick_text(131072, "B", binary=True) == "128 KiB"
    assert tick_text(16384, binary=True) == "16,384"


# Where things stand


def test_doublings_stand_at_equal_distances_on_a_doubling_axis():
    scale = x_scale(chart())
    assert [scale.place(x) for x in (512, 1024, 2048)] == [0, 0.5, 1]
    assert [text for _, text in scale.ticks] == ["512", "1,024", "2,048"]


def test_decades_are_labelled_and_the_steps_between_are_not_when_the_numbers_span_many():
    scale = y_scale(chart(values=(10, 1000, 100_000)))
    assert [text for _, text in scale.ticks if text] == ["10 B", "100 B", "1 kB", "10 kB", "100 kB"]
    assert len([text for _, text in scale.ticks if not text]) == 4 * 8


def test_an_axis_over_very_many_decades_labels_only_as_many_as_can_be_read():
    texts = [text for _, text in y_scale(chart(values=(1, 10**9, 10**34))).ticks if text]
    assert 5 <= len(texts) <= 10 and texts[-1].endswith(" QB")


def test_every_number_of_a_chart_stands_inside_the_plot():
    for values in ((1, 1, 1), (3, 17, 999), (5e3, 2e9, 7e12), (0.02, 0.4, 0.9)):
        scale = y_scale(chart(values=values))
        assert all(0 <= scale.place(value) <= 1 for value in values)
        assert any(text for _, text in scale.ticks)


def test_a_plain_axis_begins_at_nothing_and_ends_at_a_round_number_above_the_largest():
    plain = Chart("t", Axis("x"), Axis("y", "B"), (0, 1, 2), (Series("a", "a", (3, 40, 87), "Q"),))
    scale = y_scale(plain)
    assert (scale.low, scale.high) == (0, 100)
    assert scale.place(25) == 0.25


def test_what_is_no_number_stands_nowhere():
    scale = y_scale(chart())
    assert scale.place(None) is None and scale.place(0) is None and scale.place(float("nan")) is None


def test_marks_are_inside_the_plot_too():
    marked = chart(marks=(Mark("x", 4096, "far"), Mark("y", 1e6, "high")))
    assert x_scale(marked).place(4096) == 1
    assert y_scale(marked).place(1e6) <= 1


def test_names_stand_clear_of_the_axis():
    assert apart([0.0, 0.01, 0.5], 0.1, 0.03) == pytest.approx([0.03, 0.13, 0.5])
    assert apart([0.5, 0.99], 0.1, 0.03) == [0.5, 0.99]


def test_names_that_would_touch_are_pushed_apart_and_stay_in_order_inside_the_plot():
    placed = apart([0.0, 0.01, 0.5, 0.99, 1.0], 0.1)
    assert placed == sorted(placed)
    assert min(b - a for a, b in pairwise(placed)) >= 0.1 - 1e-9
    assert placed[-1] <= 1 and placed[2] == 0.5


# What the browser is given


def test_the_scene_is_plain_data_with_every_text_ready():
    given = scene(chart(rises=(Rise("a", 0, 1),), values=(10, 100, None)))
    assert json.loads(json.dumps(given)) == given
    assert given["series"][0]["texts"] == ["10 B", "100 B", "—"]
    assert given["series"][0]["at"][2] is None
    assert given["x"]["texts"] == ["512", "1,024", "2,048"]
    assert given["rises"][0]["run"] == "×2" and given["rises"][0]["rise"] == "×10"


def test_the_picture_is_told_in_words():
    assert summary(chart()) == "Footsteps. N, bytes. master: 10 B (512) → 1,000 B (2,048)"


# Colours


def contrast(one, other):
    """The WCAG contrast of two #RRGGBB colours."""
    def light(hexed):
        parts = [int(hexed[k:k + 2], 16) / 255 for k in (1, 3, 5)]
        parts = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    brighter, darker = sorted((light(one), light(other)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("role", [*ALGORITHMS, *LIGHT])
def test_a_name_in_its_lines_colour_can_be_read_on_a_light_and_a_dark_page(role):
    assert contrast(colour(role), "#FCFBF8") >= 4.5
    assert contrast(colour(role, dark=True), "#15191B") >= 4.5
    assert f".role-{role} {{" in css()


@pytest.mark.parametrize("query", [{"vary": "n", "ruler": "both"}, {"vary": "n"}, {"vary": "br"}, {"vary": "m"},
                                   {"vary": "d", "ruler": "both"}])
def test_no_two_lines_differ_by_colour_alone(query):
    _, made = scene_of(**query)
    looks = [(line.dash, line.marker) for line in made.chart.series]
    assert len(set(looks)) == len(looks)


# A sweep is the closed form


def test_a_sweep_is_what_the_closed_form_says_one_by_one():
    sweep = Sweep(Problem(n=64, d=16, causal=True), Tiling(16, 32), "n", (64, 100, 257))
    line = lines({"flash2": sweep.cost("flash2")}, ("desk",), 3, "en")[0]
    assert line.values == tuple(
        accounting.cost("flash2", Problem(n=n, d=16, causal=True), Tiling(16, 32)).desk.total for n in sweep.values)


def test_the_floor_is_q_k_v_and_o_once_each():
    assert Sweep(Problem(n=8, d=4), Tiling(4, 4), "n", (8, 16)).floor() == (2 * 4 * 8 * 4, 2 * 4 * 16 * 4)
    grouped = Sweep(Problem(n=8, d=4, heads=4, kv_heads=2), Tiling(4, 4), "d", (4,))
    assert grouped.floor() == (2 * 4 * (4 * 2 * 8 + 2 * 2 * 8),)


def test_one_line_says_that_both_rulers_read_the_same_and_two_say_that_they_do_not():
    sweep = Sweep(Problem(n=64, d=16), Tiling(16, 16), "n", (64, 128))
    costs = {name: sweep.cost(name) for name in ("standard", "flash2")}
    drawn_lines = lines(costs, ("paper", "desk"), 2, "en")
    assert [line.id for line in drawn_lines] == ["standard-paper", "standard-desk", "flash2-desk"]
    assert drawn_lines[2].label == "FlashAttention v2, both rulers" and drawn_lines[2].note == "computed"


def test_a_file_name_says_what_is_inside():
    name = file_name(("flash2", "standard"), Problem(n=512, d=128), Tiling(64, 64), n="512-16384")
    assert name == "flash2-vs-standard-n512-16384-d128-b64-fp16"
    causal = Problem(n=512, d=64, heads=8, causal=True, dtype="bf16")
    grouped = Problem(n=8, d=4, heads=4, kv_heads=2, window=(3, 0), lse=True)
    assert file_name(("flash2",), grouped, Tiling(4, 4)) == "flash2-n8-d4-b4-fp16-h4-kv-heads-2-window-3-0-lse"
    assert file_name(("flash1",), causal, Tiling(64, 32), br="16-64") == "flash1-n512-d64-br16-64-bc32-bf16-causal-h8"


def test_a_caption_tells_everything_that_changes_the_count():
    problem = Problem(n=8, d=4, heads=4, kv_heads=2, batch=3, window=(3, 0), passes=("scale", "mask"))
    assert configuration(problem, Tiling(4, 2), "en", n="8 … 64") == (
        "N = 8 … 64 · d = 4 · B_r = 4 · B_c = 2 · fp16 · batch 3 · 4 heads · "
        "kv-heads 2 · window 3 0 · passes scale,mask")


# The four bills


def test_the_opening_scene_draws_the_published_formulas_on_the_paper_ruler():
    _, made = scene_of(ruler="paper")
    n, d = 4096, 128
    at = LENGTHS.index(n)
    assert made.total("standard", "paper")[at] == 2 * (4 * n * n + 4 * n * d) == 138_412_032
    assert made.total("flash2", "paper")[at] == 2 * (2 * n * d + 2 * n * d * (n // 64)) == 136_314_880
    assert made.total("flash1", "paper")[at] == 2 * ((2 + 3 * (n // 64)) * n * d + 4 * n * (n // 64))


def test_with_the_block_fixed_all_three_bills_grow_like_the_square_and_the_floor_does_not():
    _, made = scene_of()
    for name in made.costs:
        values = made.total(name, "desk")
        assert values[-1] / values[-2] == pytest.approx(4, rel=0.02)          # 2 N d terms are left over
    floor = made.chart.series[-1].values
    assert floor[-1] == 2 * floor[-2]


def test_twice_the_rows_in_a_piece_halve_exactly_what_k_and_v_cost_and_nothing_else():
    _, made = scene_of(vary="br")
    parts = {line.id: line.values for line in made.chart.series}
    assert all(a == 2 * b for a, b in pairwise(parts["flash2-kv"]))
    assert set(parts["flash2-oq"]) == {2 * 4096 * 128 * 2}
    sums = [kv + oq for kv, oq in zip(parts["flash2-kv"], parts["flash2-oq"], strict=True)]
    assert sums == list(parts["flash2-desk"])


def test_on_the_paper_ruler_tiling_wins_from_a_piece_of_about_half_the_heads_width():
    for d in (32, 64, 128, 256):
        _, made = scene_of(vary="br", d=d, n=16384)
        tiled, standard = made.total("flash2", "paper"), made.total("standard", "paper")
        wins = [piece for piece, ours, theirs in zip(made.chart.xs, tiled, standard, strict=True) if ours < theirs]
        assert wins == [piece for piece in made.chart.xs if piece >= d / 2]


def test_on_the_desk_ruler_at_equal_blocks_tiling_never_loses():
    for d, bc in product((16, 128, 256), (16, 64, 256)):
        _, made = scene_of(vary="br", d=d, bc=bc)
        assert all(a < b for a, b in zip(made.total("flash2", "desk"), made.total("standard", "desk"), strict=True))


def test_a_head_twice_as_wide_doubles_v2_exactly_and_the_standard_way_not():
    for ruler in ("paper", "desk"):
        _, made = scene_of(vary="d", ruler=ruler, causal=1)
        tiled, standard = made.total("flash2", ruler), made.total("standard", ruler)
        assert all(2 * a == b for a, b in pairwise(tiled))
        assert all(b < 2 * a for a, b in pairwise(standard))


def test_a_larger_desk_saves_the_standard_way_nothing_on_the_paper_ruler_and_halves_v2():
    _, made = scene_of(vary="m", n=16384)
    assert len(set(made.total("standard", "paper"))) == 1
    tiled = made.total("flash2", "desk")
    assert all(0.5 <= b / a < 0.56 for a, b in pairwise(tiled))


@pytest.mark.parametrize("d, name", [(64, "h200"), (128, "a100-40"), (256, "rtx4090")])
def test_pieces_follow_the_desk_the_largest_power_of_two_that_fits(d, name):
    found, _ = scene_of(vary="m", d=d, gpu=name)
    desk = gpu(name)

    def fits(br, times):
        room = tiling.flash_room(br, BESIDE, d, found.problem().storage)
        return (room.shared_bytes <= desk.shared_per_block_bytes * times
                and room.registers_bytes <= desk.registers_per_sm_bytes * times)

    for size, rows in zip(DESKS, following_pieces("flash2", found).tolist(), strict=True):
        times = size / desk_bytes(desk)
        assert fits(rows, times) if rows else not fits(1, times)
        assert rows == found.n or not fits(2 * rows, times) or rows == 0


def test_where_the_desk_varies_caption_and_file_say_that_the_pieces_follow_it():
    _, made = scene_of(vary="m")
    assert made.chart.caption[0] == (
        "N = 4,096 · d = 128 · B_r = largest that fits · B_c = 64 · M = 128 KiB … 8 MiB · fp16")
    assert made.chart.file == "standard-vs-flash2-n4096-d128-brfit-bc64-m131072-8388608-fp16"


def test_where_no_piece_fits_the_desk_there_is_no_number():
    _, made = scene_of(vary="m", d=256)
    tiled = next(line for line in made.chart.series if line.id.startswith("flash2"))
    assert tiled.values[0] is None and None not in tiled.values[2:]


@pytest.mark.parametrize("vary", ["n", "d", "m"])
def test_no_way_of_working_goes_below_the_lower_bound(vary):
    for d in (16, 128):
        _, made = scene_of(vary=vary, ruler="both", d=d, n=16384)
        bound = next(line.values for line in made.chart.series if line.id == "bound")
        ways = [line.values for line in made.chart.series if line.id not in ("bound", "floor")]
        assert all(low <= v for values in ways for low, v in zip(bound, values, strict=True) if v is not None)


@pytest.mark.parametrize("vary", ["n", "d", "m"])
def test_the_lower_bound_which_counts_every_cell_is_not_drawn_under_a_mask(vary):
    _, made = scene_of(vary=vary, causal=1)
    assert "bound" not in {line.id for line in made.chart.series}


# Questions before numbers


@pytest.mark.parametrize("vary", QUESTIONS)
def test_before_an_answer_only_the_first_point_of_each_line_is_there_on_the_axes_of_the_whole(vary):
    _, made = scene_of(vary=vary)
    begun = drawn(made.chart, ())
    assert all(set(line.values[1:]) == {None} for line in begun.series)
    assert y_scale(begun) == y_scale(made.chart)
    assert begun.rises == ()


@pytest.mark.parametrize("vary", QUESTIONS)
def test_after_the_answers_every_line_is_whole_and_steps_show_why(vary):
    _, made = scene_of(vary=vary)
    done = drawn(made.chart, QUESTIONS[vary])
    assert done.series == made.chart.series
    assert len(done.rises) == sum(len(question.rises) for question in QUESTIONS[vary])
    assert all(question.right in question.options for question in QUESTIONS[vary])


def test_a_step_is_left_out_where_a_line_has_no_number():
    _, made = scene_of(vary="m", d=256, gpu="t4", dtype="fp32")
    lacking = [line for line in made.chart.series if line.id.startswith("flash2") and None in line.values[2:4]]
    assert lacking and drawn(made.chart, QUESTIONS["m"]).rises == ()


@pytest.mark.parametrize("vary, d, causal, name", list(product(QUESTIONS, (16, 256), (0, 1), ("t4", "h200"))))
def test_every_answer_has_its_numbers_in_every_corner_of_the_settings(vary, d, causal, name):
    found, made = scene_of(vary=vary, d=d, causal=causal, gpu=name, n=512, br=512, bc=256, dtype="fp32")
    for question in QUESTIONS[vary]:
        assert all(isinstance(value, str) for value in answers.VALUES[question.name](found, made).values())
    assert scene(drawn(made.chart, QUESTIONS[vary]))["series"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_caption_names_configuration_ruler_tag_and_date(lang):
    _, made = scene_of(lang, causal=1)
    config, ruler, tag, day = made.chart.caption
    assert config.startswith("N = 512 … 16,384 · d = 128 · B_r = 64 · B_c = 64 · fp16 · ")
    assert ruler and tag and np.datetime64(day)
