"""The cabinet ruler: what L2 cannot serve, modelled, the same as a plain cache fed by an executed run."""

import re
from collections import Counter
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator import Problem, SimulatorError, Tiling, accounting, gpu, simulate
from simulator.cache import ORDERS, blocks_per_sm, cabinet
from simulator.shelf import L2, effective_bytes, sides
from simulator.stream import launches, load, store

H200, RTX4090 = gpu("h200"), gpu("rtx4090")
STREAMING = {"scale", "mask", "softmax", "dropout"}       # launches whose row blocks pass over the desk


def machine(side_bytes, sms=4, like=H200):
    """A small GPU: `sms` SMs and `side_bytes` of L2 for data that all SMs share."""
    return replace(like, sms=sms, l2_bytes=side_bytes * (like.l2_bytes // effective_bytes(like)))


@st.composite
def cases(draw, algorithms=("standard", "flash1", "flash2")):
    """Any small attention problem: ragged edges, masks, grouped heads, every option."""
    algorithm = draw(st.sampled_from(algorithms))
    kv_heads, group = draw(st.integers(1, 2)), draw(st.integers(1, 3))
    passes = draw(st.lists(st.sampled_from(["scale", "mask", "dropout"]), unique=True))
    problem = Problem(
        n=draw(st.integers(1, 40)), n_kv=draw(st.integers(1, 40)), d=draw(st.integers(1, 6)),
        batch=draw(st.integers(1, 2)), heads=kv_heads * group, kv_heads=kv_heads,
        dtype=draw(st.sampled_from(["fp32", "fp16", "fp8"])), causal=draw(st.booleans()),
        window=(draw(st.integers(-1, 20)), draw(st.integers(-1, 20))), lse=draw(st.booleans()), passes=tuple(passes))
    return algorithm, problem, Tiling(draw(st.integers(1, 12)), draw(st.integers(1, 12)))


def accesses(block):
    """A thread block's accesses in the order of its program."""
    return [*block.first, *(a for s in block.steps for a in block.walk(s)), *block.last]


# The shelf, by hand.


def test_what_was_used_longest_ago_leaves_first():
    l2 = L2(machine(20, like=RTX4090))
    l2.touch(0, [load("a", 10), load("b", 10), load("a", 10), load("c", 10)])      # b leaves
    l2.touch(0, [load("a", 10)])
    assert l2.read == 30
    l2.touch(0, [load("b", 10)])
    assert l2.read == 40


def test_a_stored_tile_reaches_dram_only_when_it_has_to_leave():
    l2 = L2(machine(20, like=RTX4090))
    l2.touch(0, [store("a", 10), store("a", 10), load("b", 10)])
    assert (l2.read, l2.write, l2.left_dirty) == (10, 0, 10)
    l2.touch(0, [load("c", 10)])
    assert (l2.read, l2.write, l2.left_dirty) == (20, 10, 0)


def test_what_both_sides_read_lies_on_both_and_comes_from_dram_once():
    l2 = L2(machine(20))
    l2.touch(0, [load("a", 10)])
    l2.touch(1, [load("a", 10)])
    assert l2.read == 10
    l2.touch(1, [load("b", 10), load("c", 10)])            # side 1 forgets a, side 0 does not
    l2.touch(1, [load("a", 10)])
    assert l2.read == 30


def test_a_stored_tile_takes_room_on_both_sides_and_is_written_back_once():
    l2 = L2(machine(20))
    l2.touch(0, [store("a", 10), store("b", 10), store("c", 10)])
    l2.touch(1, [store("c", 10), load("b", 10)])
    assert (l2.read, l2.write, l2.left_dirty) == (0, 10, 20)


def test_shared_data_has_half_the_shelf_where_l2_has_two_partitions():
    assert effective_bytes(H200) == 31_457_280
    assert effective_bytes(gpu("a100")) * 2 == gpu("a100").l2_bytes
    assert effective_bytes(RTX4090) == RTX4090.l2_bytes


# The stream that feeds it is the desk ruler.


@given(cases())
def test_every_thread_block_touches_what_an_executed_run_moves(case):
    algorithm, problem, tiling = case
    run = simulate(problem, tiling, algorithm=algorithm, execute=True)
    moved = {kernel: [(e.op == "store", e.tensor, e.block, e.bytes) for e in events]
             for kernel, events in groupby((e for e in run.events if e.op in ("load", "store")), lambda e: e.kernel)}
    for kernel, grid in launches(algorithm, problem, tiling):
        touched = [(a.stores, a.tile[0], a.tile[2:], a.bytes) for block in grid(0) for a in accesses(block)]
        if kernel in STREAMING:
            touched, moved[kernel] = by_row_block(touched), by_row_block(moved[kernel])
        assert touched == moved.get(kernel, []), kernel


def by_row_block(moves):
    """Bytes of a launch that streams, by direction, tensor and row block."""
    total = Counter()
    for stores, tensor, block, size in moves:
        total[stores, tensor, block[0]] += size
    return total


@given(cases())
def test_the_stream_of_the_whole_grid_is_the_desk_ruler_to_the_byte(case):
    algorithm, problem, tiling = case
    moves = Counter()
    for kernel, grid in launches(algorithm, problem, tiling):
        for head in range(problem.batch * problem.heads):
            for a in (a for block in grid(head) for a in accesses(block)):
                moves[kernel, a.tile[0], a.stores] += a.bytes
    desk = accounting.cost(algorithm, problem, tiling).desk.moves
    for (kernel, tensor), traffic in desk.items():
        assert (moves.pop((kernel, tensor, False), 0), moves.pop((kernel, tensor, True), 0)) == (
            traffic.read, traffic.write)
    assert not moves


@given(cases(algorithms=["flash2"]))
def test_query_heads_of_a_group_read_the_same_keys_and_values(case):
    _, problem, tiling = case
    [(_, grid)] = launches("flash2", problem, tiling)
    group = problem.heads // problem.groups
    for head in range(problem.batch * problem.heads):
        owners = {a.tile[1] for block in grid(head) for a in accesses(block) if a.tile[0] in "KV"}
        assert owners <= {head // group}


# The fast model is a plain LRU cache fed by an executed run.


@settings(deadline=None)
@given(cases(), st.integers(0, 3000), st.integers(1, 3), st.integers(1, 2), st.sampled_from([H200, RTX4090]))
def test_the_model_is_a_dict_and_a_loop_over_the_events_of_a_run(case, side_bytes, sms, per_sm, like):
    algorithm, problem, tiling = case
    spec = machine(side_bytes, sms, like)
    run = simulate(problem, tiling, algorithm=algorithm, execute=True)
    model = cabinet(algorithm, problem, tiling, spec, blocks_per_sm=per_sm)
    for kernel in model.by_kernel.keys() - STREAMING:
        programs = [program for head in range(problem.batch * problem.heads)
                    for program in programs_of(run.events, kernel, head, problem)]
        crossing = model.by_kernel[kernel]
        assert (crossing.read, crossing.write, crossing.left_dirty) == plain_lru(programs, spec, per_sm), kernel


class Move(NamedTuple):
    """A load or store of an executed run."""

    op: str
    tile: tuple
    bytes: int


class Step(NamedTuple):
    """What a thread block does while all on the floor do one step."""

    opening: tuple[Move, ...]
    walk: tuple[Move, ...]
    closing: tuple[Move, ...]


GRID = {"init": "i", "flash_attention_1": "", "flash_attention_2": "i", "scores": "ij", "pv": "i"}


def programs_of(events, kernel, head, problem):
    """The thread blocks of one head, each a list of Steps."""
    crossings = [e for e in events if e.kernel == kernel and e.op in ("load", "store")]
    for _, own in groupby(crossings, lambda e: [getattr(e, index) for index in GRID[kernel]]):
        steps = groupby(own, lambda e: (e.j, e.i) if kernel == "flash_attention_1" else e.j)
        yield list(folded([(index, [moved(e, head, problem) for e in step]) for index, step in steps], kernel))


def moved(event, head, problem):
    owner = head * problem.groups // problem.heads if event.tensor in "KV" else head
    return Move(event.op, (event.tensor, owner, *event.block), event.bytes)


def folded(steps, kernel):
    """Loads outside the inner loop belong to the step that follows, stores to the step before."""
    inner = [at for at, (index, _) in enumerate(steps) if is_inner(index, kernel)]
    if not inner:
        every = [move for _, moves in steps for move in moves]
        yield Step(tuple(m for m in every if m.op == "load"), (), tuple(m for m in every if m.op == "store"))
    for at in inner:
        before = steps[at - 1][1] if at and at - 1 not in inner else []
        after = steps[at + 1][1] if at == inner[-1] and at + 1 < len(steps) else []
        walk = steps[at][1]
        if kernel == "flash_attention_1":
            before, walk = [], before + walk
        yield Step(tuple(before), tuple(walk), tuple(after))


def is_inner(index, kernel):
    return kernel != "scores" and (index[1] if kernel == "flash_attention_1" else index) is not None


def plain_lru(programs, spec, per_sm):
    """(bytes read, written, left dirty): a dict a side, and thread blocks that march together."""
    shelves, read, write = [{} for _ in range(sides(spec))], 0, 0

    def put(side, tile, size, dirty):
        nonlocal write
        shelves[side].pop(tile, None)
        shelves[side][tile] = size, dirty
        while sum(size for size, _ in shelves[side].values()) > effective_bytes(spec):
            size, dirty = shelves[side].pop(next(iter(shelves[side])))
            write += size if dirty else 0

    def touch(side, moves):
        nonlocal read
        for op, tile, size in moves:
            if op == "store":
                for other in range(len(shelves)):
                    put(other, tile, size, dirty=other == side)
            else:
                read += 0 if any(tile in shelf for shelf in shelves) else size
                _, dirty = shelves[side].get(tile, (size, False))
                put(side, tile, size, dirty)

    places, floor, lanes, waiting, now = list(range(spec.sms * per_sm)), [], {}, list(programs), 0
    while waiting or floor:
        while waiting and places:
            place, program = places.pop(0), waiting.pop(0)
            side = place % spec.sms % len(shelves)
            lane = lanes.setdefault((now, side, program[0].walk), len(lanes))
            floor.append((lane, place, side, program))
            touch(side, program[0].opening)
        asked = {lane: (side, program[0].walk) for lane, _, side, program in floor}
        for lane in sorted(asked):                        # those who began together ask for the same tiles once
            touch(*asked[lane])
        for _, place, side, program in floor:
            touch(side, program.pop(0).closing)
            if not program:
                places.append(place)
        floor, now = [entry for entry in floor if entry[3]], now + 1
    return read, write, sum(size for shelf in shelves for size, dirty in shelf.values() if dirty)


# What follows from it.


@pytest.mark.parametrize("like", [H200, RTX4090])
@pytest.mark.parametrize("waves", [1, 2, 5])
def test_keys_and_values_that_outgrow_the_shelf_come_once_for_every_wave(like, waves):
    problem, tiling = Problem(n=16 * 4 * waves, n_kv=1024, d=8), Tiling(16, 16)
    q = o = problem.n * 8 * 2
    kv = 2 * 1024 * 8 * 2
    small = cabinet("flash2", problem, tiling, machine(kv - 256, like=like), blocks_per_sm=1)
    large = cabinet("flash2", problem, tiling, machine(kv + q + o, like=like), blocks_per_sm=1)
    assert small.read == q + waves * kv
    assert large.read == q + kv


def test_rows_on_the_floor_count_not_rows_of_a_tile():
    problem, spec = Problem(n=1024, d=8), machine(4096)
    read = {(br, per_sm): cabinet("flash2", problem, Tiling(br, 16), spec, blocks_per_sm=per_sm).read
            for br, per_sm in ((64, 1), (32, 2), (16, 4), (16, 1))}
    assert read[64, 1] == read[32, 2] == read[16, 4] < read[16, 1]


def test_a_wave_that_straddles_two_heads_fetches_both():
    problem, tiling = Problem(n=16 * 6, n_kv=1024, d=8, heads=2), Tiling(16, 16)
    kv = 2 * 1024 * 8 * 2
    straddling = cabinet("flash2", problem, tiling, machine(kv - 256), blocks_per_sm=1)       # 4 | 2 + 2 | 4
    assert straddling.read == 2 * 96 * 8 * 2 + 4 * kv


def test_query_heads_of_a_group_that_run_together_share_the_shelf():
    apart, grouped = (Problem(n=64, n_kv=1024, d=8, heads=4, kv_heads=kv_heads) for kv_heads in (4, 1))
    reads = [cabinet("flash2", p, Tiling(64, 16), machine(4096), blocks_per_sm=1).read for p in (apart, grouped)]
    q, kv = 4 * 64 * 8 * 2, 2 * 1024 * 8 * 2
    assert reads == [q + 4 * kv, q + kv]


def test_heads_launched_abreast_share_the_shelf_and_lose_it():
    problem, spec = Problem(n=256, d=8, heads=4), machine(2 * 256 * 8 * 2 + 1024)
    in_turn, abreast = (cabinet("flash2", problem, Tiling(16, 16), spec, 1, order).read
                        for order in ("launch", "heads-abreast"))
    assert in_turn < abreast


def test_a_table_that_stays_on_the_shelf_never_reaches_dram_between_warm_kernels():
    problem, tiling = Problem(n=64, d=8), Tiling(16, 16)
    matrix, table = 64 * 8 * 2, 64 * 64 * 2
    warm = cabinet("standard", problem, tiling, machine(3 * table), warm=True)
    cold = cabinet("standard", problem, tiling, machine(3 * table))
    assert (warm.read, warm.write, warm.left_dirty) == (3 * matrix, 0, 2 * table + matrix)
    assert (cold.read, cold.write, cold.left_dirty) == (3 * matrix + 2 * table, 0, 2 * table + matrix)
    assert {kernel: crossing.read for kernel, crossing in warm.by_kernel.items()} == {
        "scores": 2 * matrix, "softmax": 0, "pv": matrix}


@settings(deadline=None)
@given(cases(), st.integers(0, 3000), st.sampled_from(sorted(ORDERS)), st.booleans())
def test_dram_sees_no_less_than_each_tile_once_and_no_more_than_the_desk(case, side_bytes, order, warm):
    algorithm, problem, tiling = case
    model = cabinet(algorithm, problem, tiling, machine(side_bytes), order=order, warm=warm)
    desk = accounting.cost(algorithm, problem, tiling).desk
    for kernel, grid in launches(algorithm, problem, tiling):
        crossing, loaded, stored = model.by_kernel[kernel], {}, {}
        for a in (a for head in range(problem.batch * problem.heads) for block in grid(head) for a in accesses(block)):
            if a.stores or a.tile not in stored:
                (stored if a.stores else loaded).setdefault(a.tile, a.bytes)
        assert crossing.read <= desk.by_kernel[kernel].read
        if not warm:
            assert crossing.read >= sum(loaded.values())
            assert sum(stored.values()) <= crossing.write + crossing.left_dirty <= desk.by_kernel[kernel].write
    assert model.read == sum(crossing.read for crossing in model.by_kernel.values())
    assert model.write + model.left_dirty <= desk.write


# Blocks in flight.


def test_thread_blocks_on_an_sm_follow_from_their_room():
    def of(br, bc, d, spec):
        return blocks_per_sm(accounting.cost("flash2", Problem(n=4096, d=d), Tiling(br, bc)).peak, spec)

    assert of(128, 64, 128, H200) == 2                     # 99,328 B of 256 KiB registers each
    assert of(64, 64, 64, H200) == 7                       # 33,280 B
    assert of(16, 128, 128, gpu("a100")) == 2              # 69,632 B of 164 KiB shared memory each, and 1 KiB reserved
    assert of(8, 8, 8, H200) == 32                         # as many as an SM keeps
    assert of(128, 128, 256, H200) == 1                    # does not fit: one, so that the count goes on


@pytest.mark.parametrize("options, says", [
    ({"order": "alphabetical"}, "there is no order of launch 'alphabetical'; choose one of launch, heaviest-first"),
    ({"blocks_per_sm": 0}, "blocks-per-sm = 0 is not possible: a whole number from 1 to 32"),
    ({"blocks_per_sm": 1.5}, "blocks-per-sm = 1.5 is not possible"),
])
def test_what_no_gpu_does_is_refused(options, says):
    with pytest.raises(SimulatorError, match=re.escape(says)):
        cabinet("flash2", Problem(n=64, d=8), Tiling(16, 16), H200, **options)


def test_a_grid_that_would_take_minutes_is_refused_at_once():
    with pytest.raises(SimulatorError, match="choose larger blocks or a smaller N"):
        cabinet("flash2", Problem(n=2**24, d=128), Tiling(128, 64), H200)
    with pytest.raises(SimulatorError, match="choose larger blocks or a smaller N"):
        cabinet("standard", Problem(n=2**20, d=128), Tiling(128, 64), H200)
