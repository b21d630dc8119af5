"""The quiz on caches, splits, pages and slots: answers worked out by hand for chosen dice."""

from random import Random

import pytest

from lessons.quiz import serving

HEADS, BYTES = 32, 2


class Loaded(Random):
    """Dice that always show the first choice, and the numbers given in turn."""

    def __init__(self, *numbers):
        super().__init__(0)
        self.numbers = list(numbers)

    def choice(self, options):
        return options[0]

    def randint(self, low, high):
        return self.numbers.pop(0) if self.numbers else low


def test_a_token_leaves_K_and_V_of_one_head_in_sixteen_layers():
    assert serving.token_bytes(Loaded()).answer == 16 * 2 * 1 * 64 * BYTES


def test_one_head_in_three_splits_keeps_three_workers_busy():
    assert serving.workers_with_work(Loaded()).answer == 3


def test_two_splits_file_a_result_and_a_number_each():
    assert serving.parts_filed(Loaded(2)).answer == 2 * (32 + 1) * 4


def test_twenty_tokens_hold_three_pages_of_eight():
    held = serving.held_slots(Loaded(20))
    assert held.answer == 24 and held.values["empty"] == "4"


def test_batches_of_2_and_5_and_of_3_and_3_tokens_leave_three_cells_idle():
    asked = serving.idle_in_batches(Loaded(2, 9, 3, 3, 3))               # the second is the first and three more
    assert asked.values["outputs"] == (2, 5, 3, 3) and asked.answer == 3


def test_a_free_slot_takes_the_next():
    # slot 0: 4 then 2; slot 1: 1, 1, then 3
    asked = serving.steps_without_batches(Loaded(4, 1, 1, 3, 2))
    assert asked.answer == 6 and asked.values["static"] == str(4 + 3 + 2)


@pytest.mark.parametrize("seed", range(5))
def test_tiling_saves_next_to_nothing_for_the_next_word_whatever_the_length(seed):
    prefill, decode = (float(serving.saved_by_tiling(Random(seed)).values[name][1:]) for name in ("prefill", "decode"))
    assert prefill > 3 and decode < 1.03
