"""Row blocks dealt out to thread blocks that stay: each once, the work level, short rows together."""

from itertools import chain

import pytest

from kernels.schedule import deal, flat, unseen
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
