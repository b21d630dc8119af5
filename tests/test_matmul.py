"""The tiled matrix product on the same desk: each matrix of the input is fetched once for every tile across."""

import numpy as np
import pytest

from simulator.cost import Traffic
from simulator.errors import DoesNotFit
from simulator.matmul import closed_form, executed


def test_a_product_of_4_by_4_in_tiles_of_2_by_hand():
    """Four tiles of C; for each two tiles of A and two of B, of 4 numbers of 2 bytes: 4 · 2 · 8 B each."""
    counted, _ = executed(4, 4, 4, 2)
    assert counted.by_matrix == {"A": Traffic(64, 0), "B": Traffic(64, 0), "C": Traffic(0, 32)}
    assert counted.flops == 128


@pytest.mark.parametrize("sizes", [(64, 64, 64, 16), (60, 33, 70, 16), (16, 128, 8, 32), (5, 7, 9, 1)])
@pytest.mark.parametrize("storage", ["fp16", "fp32"])
def test_the_count_equals_the_closed_form(sizes, storage):
    counted, _ = executed(*sizes, storage=storage)
    assert counted == closed_form(*sizes, storage=storage)


def test_the_result_is_the_product():
    _, C = executed(60, 33, 70, 16, storage="fp32")
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal(shape, np.float32) for shape in ((60, 70), (70, 33)))
    assert np.allclose(C, a @ b, atol=1e-4)               # fp32, another order of summation


def test_a_block_of_one_fetches_every_number_for_every_product():
    assert closed_form(64, 64, 64, 1).by_matrix["A"].read == 2 * 64**3


def test_twice_the_block_halves_what_is_fetched():
    fetched = {block: closed_form(4096, 4096, 4096, block).by_matrix["A"].read for block in (32, 64, 128)}
    assert fetched[32] == 2 * fetched[64] == 4 * fetched[128]


def test_three_tiles_larger_than_the_desk_are_refused():
    with pytest.raises(DoesNotFit):
        executed(512, 512, 512, 512)
