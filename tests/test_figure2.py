"""Figure 2 of the first paper, rebuilt: exact passes by the algorithms, and an open account of what does not fit."""

import json

import pytest
from ask import computed, counted

from simulator import figure2
from simulator.cli.commands import answer_to

T, n = 2 * 1024 * 1024 * 1024, 2 * 1024 * 64 * 1024      # a pass over the tables, over a matrix, of 1,024 heads


def test_the_standard_algorithms_make_11_passes_over_tables_and_12_over_matrices():
    algorithms, masked, dropped = figure2.standard()
    assert algorithms.bytes == 11 * T + 12 * n == 25_232_932_864
    assert masked.bytes == 13 * T + 12 * n
    assert dropped.bytes == 18 * T + 12 * n == 40_265_318_400
    assert [account.tables for account in figure2.standard()] == [11, 13, 18]


def test_those_passes_are_what_an_executed_run_in_one_block_counts():
    """One block as large as the table: every operand crosses once, as on the paper ruler."""
    whole = {"n": 16, "d": 4, "br": 16, "bc": 16}
    forward, backward = counted("standard", **whole), counted("standard_backward", **whole)
    assert forward.desk.total + backward.desk.total == 2 * (11 * 16 * 16 + 12 * 16 * 4)
    assert forward.paper.total + backward.paper.total == forward.desk.total + backward.desk.total


@pytest.mark.parametrize(("bc", "passes", "gigabytes"), [(64, 134, 17.99), (128, 70, 9.40), (256, 38, 5.10),
                                                         (384, 30, 4.03), (512, 22, 2.95)])
def test_flash_attention_makes_fewer_passes_with_larger_blocks(bc, passes, gigabytes):
    account = figure2.flash1(bc)
    assert account.matrices == passes and account.bytes == passes * n
    assert account.bytes / 1e9 == pytest.approx(gigabytes, abs=0.005)      # two digits
    assert account.rows_bytes == 6 * -(-1024 // bc) * 2 * 1024 * 1024      # l, m: read and written, then read again


def test_the_released_code_saves_five_passes():
    assert figure2.released().bytes == 33 * n


@pytest.mark.parametrize(("bc", "algorithm", "code"), [(64, 6.71, 10.60), (128, 3.49, 5.23), (256, 1.88, 2.55),
                                                       (512, 1.07, 1.21)])
def test_the_curve_of_the_middle_panel_falls_with_the_block(bc, algorithm, code):
    by_block = {one: rest for one, *rest in figure2.curve()}
    assert [bytes_ / 1e9 for bytes_ in by_block[bc]] == pytest.approx([algorithm, code], abs=0.005)    # two digits
    l_and_m = 2 * 4 * 1024 * 1024 * -(-1024 // bc)
    assert by_block[bc][0] + l_and_m == computed("flash1", n=1024, d=64, br=64, bc=bc, heads=16, batch=64).paper.total


def test_the_account_of_18_passes_meets_one_printed_version_and_no_account_meets_both():
    arxiv, _ = figure2.PRINTED
    dropped = figure2.standard()[-1]
    assert abs(dropped.against(arxiv.gigabytes[0])) < 0.001
    for account in figure2.standard():
        assert max(abs(account.against(version.gigabytes[0])) for version in figure2.PRINTED) > 0.05
    assert figure2.flash1(384).bytes < arxiv.gigabytes[1] * 1e9 < figure2.flash1(256).bytes


def test_the_printed_flops_are_a_twelfth_of_the_products():
    for printed, needed in zip(figure2.PRINTED[0].gflops, figure2.flops(), strict=True):
        assert 12 < needed / 1e9 / printed < 13
    assert [round(flops / 1e9, 1) for flops in figure2.flops()] == [824.6, 962.1]


def test_the_command_says_that_it_is_a_reconstruction_and_what_does_not_fit():
    shown = "\n".join(answer_to(["figure2"]))
    for words in ("reconstruction", "computed", "published", "25.23", "40.27", "40.3", "35.3", "4.4",
                  "what does not fit", "no one account gives both versions", "cannot be this workload's"):
        assert words in shown
    answer = json.loads("\n".join(answer_to(["figure2", "--json"])))
    assert answer["label"] == "reconstruction" and answer["tag"] == "computed"
    assert [account["bytes"] for account in answer["standard"]] == [account.bytes for account in figure2.standard()]
    assert answer["standard"][2]["against"]["arXiv"] == pytest.approx(-0.0009, abs=1e-4)    # two printed digits
