"""What each idea bought: rates without it, each beside the whole kernel at the same size."""

import subprocess
import sys
from importlib.util import find_spec

import pytest

from kernels.ideas import MEANING, cells, ideas, told


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
    "without                d 64 causal      d 128", "nothing                  500  1.00  600  1.00",
    "more than two buffers    400  0.80  300  0.50", "a new one                        —  630  1.05"])
def test_the_table_says_in_words_what_was_left_out(line):
    lines = told({"rows": ROWS})
    assert line in lines and max(map(len, lines)) <= 100


LEFT_OUT = """
from kernels.compiled import Sketch
from kernels.flash_attention_3 import without
from kernels.launch import Case, StorageType
x = Sketch((1, 4, 1024, 64), StorageType("bf16"))
print(*{name for causal in (False, True) for name in without(Case.of(x, x, x, causal))})
"""


@pytest.mark.skipif(not find_spec("triton"), reason=f"Triton has no package for {sys.platform}")
def test_every_idea_that_can_be_left_out_has_words():
    """In a process of its own: kernels that were loaded to be compiled cannot be interpreted afterwards."""
    said = subprocess.run([sys.executable, "-c", LEFT_OUT], capture_output=True, text=True)
    left_out = set(said.stdout.split())
    assert left_out - {"nothing"} <= set(MEANING) and {"held", "ring", "edge"} <= left_out, said.stderr
