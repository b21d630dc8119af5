"""Which keys a query sees, which tiles are visited, and their sums in closed form against enumeration."""

import numpy as np
import pytest
from ask import computed
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator import Problem, Tiling, accounting
from simulator.accounting import floor_sum
from simulator.masks import Mask

exactly = settings(max_examples=200, derandomize=True, deadline=None, database=None)
side = st.one_of(st.just(-1), st.integers(0, 20))


def table(mask):
    """The whole table of visible cells, cell by cell from the definition."""
    def sees(i, j):
        diagonal = i + mask.n_k - mask.n_q
        return (mask.left < 0 or j >= diagonal - mask.left) and (mask.right < 0 or j <= diagonal + mask.right)
    return np.array([[sees(i, j) for j in range(mask.n_k)] for i in range(mask.n_q)])


def whole(mask):
    """The same from Mask.cells."""
    return np.broadcast_to(mask.cells(range(mask.n_q), range(mask.n_k)), (mask.n_q, mask.n_k))


def test_causal_hangs_on_the_bottom_right_corner():
    assert whole(Mask(2, 5, right=0)).astype(int).tolist() == [[1, 1, 1, 1, 0], [1, 1, 1, 1, 1]]


def test_with_more_queries_than_keys_the_top_rows_see_nothing():
    assert whole(Mask(4, 2, right=0)).astype(int).tolist() == [[0, 0], [0, 0], [1, 0], [1, 1]]


def test_a_window_counts_keys_beside_the_diagonal():
    assert whole(Mask(4, 4, left=1, right=0)).astype(int).tolist() == [
        [1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]]


@exactly
@given(st.integers(1, 25), st.integers(1, 25), side, side, st.integers(1, 9), st.integers(1, 9))
def test_a_tile_is_visited_exactly_if_it_holds_a_visible_cell(n_q, n_k, left, right, B_r, B_c):
    mask = Mask(n_q, n_k, left, right)
    cells, tiles = table(mask), mask.tiles(B_r, B_c)
    assert (whole(mask) == cells).all()
    T_r, T_c = -(-n_q // B_r), -(-n_k // B_c)
    visible = {(i, j) for i in range(T_r) for j in range(T_c)
               if cells[i * B_r:(i + 1) * B_r, j * B_c:(j + 1) * B_c].any()}
    assert {(i, j) for i in range(T_r) for j in tiles.seen_by(i)} == visible
    assert {(i, j) for j in range(T_c) for i in tiles.that_see(j)} == visible
    for i, j in visible:
        part = cells[i * B_r:(i + 1) * B_r, j * B_c:(j + 1) * B_c]
        assert (np.broadcast_to(tiles.cells(i, j), part.shape) == part).all()


@exactly
@given(st.integers(0, 40), st.integers(1, 30), st.integers(0, 60), st.integers(0, 60))
def test_the_sum_of_floors_is_what_a_loop_adds_up(n, m, a, b):
    assert floor_sum(n, m, a, b) == sum((a * k + b) // m for k in range(n))


def test_the_sum_of_floors_takes_arrays_and_python_integers():
    n = np.arange(6)
    assert floor_sum(n, 3, 2, 1).tolist() == [sum((2 * k + 1) // 3 for k in range(stop)) for stop in n]
    huge = np.array([2**40], object)
    assert floor_sum(huge, 1, 2**40, 0)[0] == 2**40 * (2**40 * (2**40 - 1) // 2)


def enumerated(problem, tiling):
    """(tiles, keys loaded, rows visited, cells, K/V blocks, their keys) by walking over the row blocks."""
    seen = problem.mask.tiles(tiling.br, tiling.bc)
    visits = [(len(seen.rows(i)), seen.seen_by(i)) for i in range(-(-problem.n // tiling.br))]
    keys = [sum(len(seen.keys(j)) for j in js) for _, js in visits]
    blocks = {j for _, js in visits for j in js}
    return (sum(len(js) for _, js in visits), sum(keys), sum(rows * len(js) for rows, js in visits),
            sum(rows * k for (rows, _), k in zip(visits, keys, strict=True)),
            len(blocks), sum(len(seen.keys(j)) for j in blocks))


@exactly
@given(st.integers(1, 3000), st.integers(1, 3000), st.integers(1, 300), st.integers(1, 300),
       st.one_of(st.just(-1), st.integers(0, 3000)), st.one_of(st.just(-1), st.integers(0, 3000)))
def test_sums_over_visited_tiles_in_closed_form_are_those_of_an_enumeration(n, n_kv, br, bc, left, right):
    problem, tiling, d, e = Problem(n=n, d=3, n_kv=n_kv, window=(left, right)), Tiling(br, bc), 3, 2
    tiles, keys, rows, cells, blocks, block_keys = enumerated(problem, tiling)
    v2 = accounting.cost("flash2", problem, tiling)
    assert v2.desk.by_tensor["K"].read == e * d * keys
    assert v2.flops.matmul == 4 * d * cells
    assert v2.flops.exp == cells + rows
    assert v2.tile_moves == 2 * -(-n // br) + 2 * tiles
    v1 = accounting.cost("flash1", problem, tiling)
    assert v1.desk.by_tensor["K"].read == e * d * block_keys
    assert v1.desk.by_tensor["Q"].read == e * d * rows
    assert v1.tile_moves == 3 * -(-n // br) + 2 * blocks + 7 * tiles


@pytest.mark.parametrize(("br", "bc"), [(128, 64), (96, 80), (1000, 37)])
def test_closed_forms_are_exact_beyond_64_bits(br, bc):
    n, d, heads = 2**24, 128, 512
    cost = computed("flash2", n=n, d=d, br=br, bc=bc, heads=heads, causal=True)
    ends = [min(n, top + br) for top in range(0, n, br)]                   # behind the last key a row block sees
    tiles = [-(-end // bc) for end in ends]
    keys = [min(n, count * bc) for count in tiles]
    rows = [end - top for top, end in zip(range(0, n, br), ends, strict=True)]
    cells = sum(r * k for r, k in zip(rows, keys, strict=True))
    assert cost.flops.matmul == 4 * d * heads * cells > 2**63
    assert cost.desk.by_tensor["K"].read == 2 * d * heads * sum(keys)
    assert cost.tile_moves == heads * (2 * len(ends) + 2 * sum(tiles))
    assert cost.desk.read == 2 * d * heads * (n + 2 * sum(keys))


def test_the_standard_way_is_exact_beyond_64_bits_too():
    n, heads = 2**24, 2**20
    cost = computed("standard", n=n, d=1, br=1, bc=1, heads=heads)
    assert cost.desk.by_tensor["S"].write == 2 * n * n * heads == 2**69
    assert type(cost.desk.read) is int


def test_a_sweep_is_the_single_answers_side_by_side():
    ns, br = np.array([[1], [63], [64], [1000], [2**24]]), np.array([1, 64, 65])
    for algorithm in ("standard", "flash1", "flash2"):
        for causal in (False, True):
            options = {"d": 64, "heads": 8, "causal": causal, "window": (100, -1)}
            swept = accounting.cost(algorithm, Problem(n=1, **options), Tiling(1, 32), n=ns, br=br)
            for k, n in enumerate(ns[:, 0]):
                for b, size in enumerate(br):
                    one = computed(algorithm, n=int(n), br=int(size), bc=32, **options)
                    assert np.broadcast_to(swept.desk.read, (5, 3))[k, b] == one.desk.read
                    assert np.broadcast_to(swept.flops.exp, (5, 3))[k, b] == one.flops.exp
                    assert np.broadcast_to(swept.tile_moves, (5, 3))[k, b] == one.tile_moves
