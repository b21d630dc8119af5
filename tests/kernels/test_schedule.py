"""Row blocks dealt out to thread blocks that stay: each once, the work level, short rows together."""

from itertools import chain

import pytest

from kernels.schedule import deal, flat, in_order, read, rows_above, unseen
from simulator import Problem

PROBLEMS = [
    Problem(n=512, d=64, heads=32, batch=4), Problem(n=512, d=64, heads=32, batch=4, causal=True),
    Problem(n=16384, d=128, heads=16, causal=True), Problem(n=1000, n_kv=300, d=64, heads=6, kv_heads=2, causal=True),
    Problem(n=4096, d=128, heads=28, kv_heads=4, window=(500, 0)), Problem(n=64, d=64),
]


@pytest.mark.parametrize("problem", PROBLEMS, ids=str)
def test_every_row_block_that_sees_a_key_is_dealt_once(problem):
    tiles = problem.mask.tiles(128, 128)
    seeing = [i for i in range(-(-problem.n // 128)) if tiles.seen_by(i)]
    dealt = sorted(chain.from_iterable(deal(problem, 128, 128, 132)))
    assert dealt == [(b, h, i) for b in range(problem.batch) for h in range(problem.heads) for i in seeing]
    assert unseen(problem, 128) + len(seeing) == -(-problem.n // 128)


@pytest.mark.parametrize("problem", PROBLEMS, ids=str)
def test_no_program_has_more_to_do_than_another_by_more_than_one_row_block(problem):
    tiles = problem.mask.tiles(128, 128)
    loads = [sum(len(tiles.seen_by(i)) + 1 for _, _, i in mine) for mine in deal(problem, 128, 128, 132)]
    longest = max(len(tiles.seen_by(i)) + 1 for i in range(-(-problem.n // 128)))
    assert max(loads) - min(loads) <= longest


def test_row_blocks_of_one_length_keep_heads_together():
    lists = deal(Problem(n=512, d=64, heads=4), 128, 128, 4)
    assert lists == [[(0, h, i) for h in range(4)] for i in range(4)]


def test_lists_lie_one_after_another_with_a_row_block_to_spare():
    assert flat([[(0, 1, 2), (0, 1, 0)], [(0, 1, 1)]]) == ([2, 0, 1, 2, 0, 1, 0, 0, 0, 0, 1, 0, 1, 1] + 6 * [0], 10)


def test_only_the_first_row_block_is_part_full():
    """1,024 rows are 16 readers' rows: of six row blocks of three readers the first has one below its top."""
    assert rows_above(1024, 192) == 2 * 64 and rows_above(1024, 128) == 0
    assert (rows_above(1, 192), rows_above(64, 128), rows_above(65, 128)) == (128, 64, 0)
    for n in range(1, 700):
        for br in (64, 128, 192):
            over = rows_above(n, br)
            assert over % 64 == 0 and over < br and -(-(n + over) // br) == -(-n // br)
            assert (n + over) % br == 0 or br - (n + over) % br < 64


def test_in_order_means_heads_and_rows_one_after_another_dealt_in_turn():
    assert in_order(Problem(n=512, d=64, heads=2), 128, 128, 3) == [
        [(0, 0, 0), (0, 0, 3), (0, 1, 2)], [(0, 0, 1), (0, 1, 0), (0, 1, 3)], [(0, 0, 2), (0, 1, 1)]]


@pytest.mark.parametrize("problem", PROBLEMS, ids=str)
def test_in_order_deals_the_same_row_blocks(problem):
    dealt = (sorted(chain.from_iterable(how(problem, 128, 128, 132))) for how in (deal, in_order))
    assert next(dealt) == next(dealt)


def test_a_program_reads_its_list_and_one_number_ahead():
    assert read(2) == [0, 1, 2, 3, 4, 5, 6, 9]
