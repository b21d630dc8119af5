"""What the kernels cannot do they refuse by name: what was asked, what is possible, what to do."""

import numpy as np
import pytest

from simulator.errors import BadProblem

pytestmark = pytest.mark.usefixtures("interpreted")


def array(*shape, dtype="fp16"):
    from kernels.interpret import Array

    return Array.of(np.zeros(shape, np.float32), dtype)


@pytest.mark.parametrize("q, k, v, says", [
    ((2, 32, 16), (1, 2, 32, 16), (1, 2, 32, 16), "q.shape"),
    ((1, 2, 0, 16), (1, 2, 32, 16), (1, 2, 32, 16), "q.shape"),
    ((1, 2, 32, 16), (1, 2, 32, 16), (1, 2, 16, 16), "v.shape"),
    ((1, 2, 32, 16), (2, 2, 32, 16), (2, 2, 32, 16), "k.shape"),
    ((1, 2, 32, 16), (1, 2, 32, 8), (1, 2, 32, 8), "k.shape"),
    ((1, 3, 32, 16), (1, 2, 32, 16), (1, 2, 32, 16), "kv-heads"),
    ((1, 2, 32, 257), (1, 2, 32, 257), (1, 2, 32, 257), "d = 257"),
])
def test_shapes_that_do_not_go_together(q, k, v, says):
    from kernels.flash_attention_2 import flash_attention_2

    with pytest.raises(BadProblem, match=says):
        flash_attention_2(array(*q), array(*k), array(*v))


def test_types_that_differ_or_are_unknown():
    from kernels.flash_attention_1 import flash_attention_1

    x = array(1, 1, 16, 16)
    with pytest.raises(BadProblem, match="q's dtype fp16"):
        flash_attention_1(x, array(1, 1, 16, 16, dtype="bf16"), x)
    with pytest.raises(BadProblem, match="fp16, bf16, fp32"):
        flash_attention_1(*[array(1, 1, 16, 16, dtype="fp8")] * 3)


def test_blocks_that_are_no_power_of_two():
    from kernels.flash_attention_2 import flash_attention_2
    from kernels.launch import Blocks

    for br, bc in ((96, 64), (64, 96), (8, 64)):
        with pytest.raises(BadProblem, match="power of two from 16"):
            flash_attention_2(*[array(1, 1, 32, 16)] * 3, blocks=Blocks(br, bc))


def test_descriptors_need_aligned_rows_and_say_which_kernel_does_not():
    from kernels.flash_attention_2_tma import flash_attention_2_tma

    with pytest.raises(BadProblem, match="take flash_attention_2"):
        flash_attention_2_tma(*[array(1, 1, 32, 63)] * 3)


def test_standard_refuses_a_row_that_no_block_can_hold_and_a_pass_it_does_not_have():
    from kernels.standard import LONGEST_ROW, standard

    with pytest.raises(BadProblem, match="flash_attention_2"):
        standard(array(1, 1, 1, 16), array(1, 1, LONGEST_ROW + 1, 16), array(1, 1, LONGEST_ROW + 1, 16))
    with pytest.raises(BadProblem, match="dropout"):
        standard(*[array(1, 1, 16, 16)] * 3, passes=("dropout",))
