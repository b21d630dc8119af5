"""What each idea bought: rates without it, each beside the whole kernel at the same size."""

import pytest

from kernels.ideas import cells, ideas, told


def row(without, tflops, d=128, causal=False):
    """A line of a file of timings: the kernel without an idea."""
    return {"kernel": "flash_attention_3", "n": 4096, "d": d, "causal": causal, "tflops": tflops, "without": without}


ROWS = [{"kernel": "flash_attention_3", "n": 4096, "d": 128, "causal": False, "tflops": 650.0},
        row("ring", 300.0), row("nothing", 600.0), row("nothing", 500.0, 64, True), row("ring", 400.0, 64, True),
        row("a new one", 630.0)]


def test_the_whole_kernel_comes_first_and_is_the_one_that_is_timed_in_the_same_rounds():
    whole, ring, new = ideas(ROWS)
    assert (whole.key, whole.rates) == ("nothing", {(128, False): 600.0, (64, True): 500.0})
    assert set(whole.shares.values()) == {1.0}
    assert ring.shares == {(128, False): 0.5, (64, True): 0.8}
    assert new.shares == {(128, False): 1.05}                        # it costs here
    assert cells((whole, ring, new)) == [(64, True), (128, False)]


def test_where_nothing_was_left_out_nothing_is_said():
    assert ideas(ROWS[:1]) == () and told({"rows": ROWS[:1]}) == []


def test_an_idea_without_the_whole_kernel_beside_it_has_a_rate_and_no_share():
    found, = ideas([row("ring", 300.0)])
    assert found.rates == {(128, False): 300.0} and found.shares == {}


@pytest.mark.parametrize("line", [
    "without    d 64 causal      d 128", "nothing      500  1.00  600  1.00", "ring         400  0.80  300  0.50",
    "a new one            —  630  1.05"])
def test_the_table_is_plain_text(line):
    lines = told({"rows": ROWS})
    assert line in lines and max(map(len, lines)) <= 100
