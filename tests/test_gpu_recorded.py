"""What the page of real kernels says of the recorded timings is true of them."""

import pytest

from kernels.ideas import ideas as found_ideas
from lessons import PAGES, measured
from lessons.gpu import facts, ideas, ladder, page
from lessons.settings import Settings
from lessons.shell import View

pytestmark = pytest.mark.skipif(not measured.benches(), reason="no timings are recorded in kernels/measurements")


@pytest.mark.parametrize("lang", ["en", "zh-Hans", "zh-Hant"])
@pytest.mark.parametrize("n, d, causal, said", [
    (4096, 128, False, ("flash_attention_2", "few")), (512, 64, False, ("flash_attention_2", "enough")),
    (512, 64, True, ("flash_attention_3", "enough")), (1024, 64, True, ("near", "enough"))])
def test_the_text_explains_the_answer_that_is_right(n, d, causal, said, lang):
    shown, = (one for one in PAGES if one.path == "gpu")
    view, bench = View(shown, lang, False, Settings(n=n, d=d, causal=causal), ""), measured.benches()[0]
    numbers = page._steps(view, bench, ladder.climbed(bench, view.settings))
    most, dealt = said
    assert numbers["most"] == view.label(f"gpu.most.{most}", **numbers)
    assert numbers["dealt"] == view.label(f"gpu.dealt.{dealt}", **numbers)
    assert numbers["most"] in view.text("rung", **numbers) and numbers["dealt"] in view.text("rung", **numbers)


def test_two_recorded_runs_of_v3_differ_by_no_more_than_is_said():
    bench = measured.benches()[0]
    cells = {(one.problem.d, one.problem.causal, one.problem.n): one.tflops for one in bench.timings
             if one.kernel == facts.FASTEST_OURS and not one.sweep}
    again = [row for row in bench.rows if row.get("without") == "nothing"]
    assert len(again) == 4
    for one in again:
        assert abs(one["tflops"] / cells[one["d"], one["causal"], one["n"]] - 1) < facts.SPREAD


def test_on_long_texts_a_tiled_kernel_keeps_most_of_its_rate_under_a_mask():
    rates = {(one.kernel, one.problem.d, one.problem.n, one.problem.causal): one.tflops
             for one in measured.benches()[0].timings if not one.sweep and one.problem.n >= 4096}
    kept = {key[:3]: rates[*key[:3], True] / rate for key, rate in rates.items() if not key[3]}
    assert all(share > 0.6 for (kernel, *_), share in kept.items() if kernel.startswith("flash_attention"))
    assert all(0.4 < share < 0.6 for (kernel, *_), share in kept.items() if kernel == "standard")


def test_in_every_recorded_cell_the_step_to_v2_saves_bytes_on_every_ruler():
    bench = measured.benches()[0]
    cells = {(one.problem.n, one.problem.d, one.problem.causal) for one in bench.timings if not one.sweep}
    for n, d, causal in cells:
        found = {one.kernel: one for one in ladder.climbed(bench, Settings(n=n, d=d, causal=causal))}
        first, second = found["flash_attention_1"], found["flash_attention_2"]
        assert first.paper > second.paper and first.desk > second.desk
        assert second.cabinet is None or first.cabinet > second.cabinet


def test_the_recorded_ideas_are_worth_what_the_text_says():
    """At wide heads a reader is worth most; staying and the mask's ideas buy much, turns and overlap are noise."""
    shares = {one.key: one.shares for one in found_ideas(measured.benches()[0].rows)}
    assert shares.keys() >= set(page.WEIGHED)
    for mask in (False, True):
        left = {name: found[128, mask] for name, found in shares.items() if (128, mask) in found}
        assert min(left, key=left.get) == "readers" and shares["readers"][64, mask] > left["readers"] + 0.1
    assert all(share < 1 for name in ("stay", "edge", "level") for share in shares[name].values())
    assert all(mask for name in ("edge", "level", "top") for _, mask in shares[name])
    assert all(abs(share - 1) <= facts.SPREAD for name in ("turns", "overlap") for share in shares[name].values())


def test_what_a_reader_is_worth_is_said_for_wide_and_for_narrow_heads():
    said = ideas.fewer_readers(measured.benches()[0])
    assert (said["wide"], said["wide_readers"], said["narrow"], said["narrow_readers"], said["narrow_left"]) == (
        "128", "2", "64", "3", "2")
    assert said["wide_high"] < said["narrow_low"]


@pytest.mark.parametrize("d, section", [(128, "swept"), (64, "settled")])
def test_v2s_own_block_is_said_to_be_beaten_only_where_a_swept_one_is_plainly_faster(d, section, monkeypatch):
    said = {}
    shown, = (one for one in PAGES if one.path == "gpu")
    monkeypatch.setattr(View, "section", lambda view, name, **values: said.update({name: view.text(name, **values)}))
    page._swept(View(shown, "en", False, Settings(n=4096, d=d), ""), measured.benches()[0])
    assert list(said) == [section] and "stages)" in said[section]
