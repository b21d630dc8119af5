"""The machine: HBM yields no numbers, the desk has room for so much, and a mistake leaves it clean."""

import operator

import numpy as np
import pytest

from simulator import gpu
from simulator.errors import ArithmeticOnHBM, DoesNotFit, UsedAfterScope, WrongPlace, WrongShape
from simulator.hardware import GPUSpec
from simulator.memory import GPU
from simulator.problem import FP8, FP16, FP32
from simulator.values import exp, log, maximum, rowmax, rowsum


def spec(shared=64, registers=64):
    """A toy GPU with a desk of so many bytes."""
    fields = {name: getattr(gpu("h200"), name) for name in GPUSpec.__dataclass_fields__}
    return GPUSpec(**fields | {"shared_per_block_bytes": shared, "registers_per_sm_bytes": registers})


@pytest.fixture
def machine():
    return GPU(spec())


@pytest.fixture
def Q(machine):
    """Six rows of two fp16 numbers, in row blocks of two: 8 B each."""
    return machine.tensor("Q", np.arange(12.0).reshape(6, 2), FP16).split(2)


# HBM yields no numbers.

FORMS = {
    "tensor": lambda Q: Q.tensor,
    "row blocks": lambda Q: Q,
    "block": lambda Q: Q[0],
}
ONE = np.ones((2, 2), np.float32)
USES = {
    **{f"{name} on its left": lambda x, op=op: op(x, ONE) for name, op in vars(operator).items()
       if name in ("add", "sub", "mul", "truediv", "matmul", "pow", "mod", "lt", "eq", "and_")},
    **{f"{name} on its right": lambda x, op=op: op(ONE, x) for name, op in vars(operator).items()
       if name in ("add", "sub", "mul", "truediv", "matmul", "pow", "mod", "lt", "eq", "and_")},
    "two of it": lambda x: x * x,
    "number times it": lambda x: 2 * x,
    "negation": lambda x: -x,
    "np.exp": np.exp, "np.sum": np.sum, "np.max": np.max, "np.dot": lambda x: np.dot(x, ONE),
    "np.transpose": np.transpose, "np.concatenate": lambda x: np.concatenate([x, x]),
    "np.linalg.norm": np.linalg.norm, "np.where": lambda x: np.where(x, 1, 0),
    "np.asarray": np.asarray, "np.array": np.array, "float": float, "int": int, "bool": bool, "list": list,
    "iteration": lambda x: [row for row in x], "in": lambda x: 1.0 in x, "unpacking": lambda x: (lambda *_: 0)(*x),
    "transpose": lambda x: x.T, "max": lambda x: x.max(), "sum": lambda x: x.sum(), "its numbers": lambda x: x.array,
    "assignment": lambda x: operator.setitem(x, 0, 1.0),
    "exp": exp, "log": log, "maximum": lambda x: maximum(x, 1), "rowmax": rowmax, "rowsum": rowsum,
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("use", USES)
def test_hbm_refuses_to_be_computed_with(Q, form, use):
    with pytest.raises(ArithmeticOnHBM) as refused:
        USES[use](FORMS[form](Q))
    name = "Q[0]" if form == "block" else "Q"
    assert str(refused.value) == (f"{name} lies in HBM, where nothing is computed; "
                                  "load a block of it and compute with that")


def test_a_value_on_the_desk_does_not_compute_with_hbm_either(machine, Q):
    sram = machine.sram
    with sram.launch("k"):
        q = sram.load(Q[0])
        for use in (lambda: q + Q[1], lambda: Q[1] + q, lambda: q @ Q[1], lambda: Q[1] @ q, lambda: maximum(q, Q[1]),
                    lambda: sram.hold("S", Q[1]), lambda: sram.load(Q.tensor), lambda: sram.store(Q[0], Q[1])):
            with pytest.raises(ArithmeticOnHBM):
                use()


def test_naming_a_block_moves_nothing(machine, Q):
    assert Q[2].shape == (2, 2) and len(Q) == 3
    assert machine.sram.ledger.desk.total == 0 and len(machine.sram.log) == 0


def test_there_is_no_block_outside_the_tensor(Q):
    for index in (3, -1):
        with pytest.raises(IndexError):
            Q[index]


def test_a_tensor_is_rounded_to_its_storage_type(machine):
    x = machine.tensor("x", [[1 / 3, 70000.0]], FP16)
    assert machine.read_back(x).tolist() == [[float(np.float16(1 / 3)), np.inf]]


def test_fp8_has_no_infinity_and_saturates(machine):
    x = machine.tensor("x", [[1000.0, -1e9], [447.0, np.nan]], FP8)
    assert np.nan_to_num(machine.read_back(x), nan=-1).tolist() == [[448, -448], [448, -1]]


def test_the_host_does_not_read_while_a_kernel_runs(machine, Q):
    with machine.sram.launch("k"), pytest.raises(ArithmeticOnHBM):
        machine.read_back(Q.tensor)


# Loads and stores are the only ways across, and are counted.


def test_a_load_counts_bytes_and_brings_a_copy(machine, Q):
    sram = machine.sram
    with sram.launch("k"):
        tile = sram.load(Q[1])
        assert tile.array.tolist() == [[4, 5], [6, 7]] and tile.array.dtype == np.float32
        sram.store(Q[1], np.zeros((2, 2), np.float32))
        assert tile.array.tolist() == [[4, 5], [6, 7]]    # what lies on the desk does not change with HBM
    assert sram.ledger.desk.by_tensor["Q"].read == 8
    assert sram.ledger.tile_moves == 2


def test_a_store_rounds_to_the_tensors_type_and_counts_its_width(machine):
    sram, O = machine.sram, machine.empty("O", (2, 2), FP16).split(2)
    l = machine.empty("l", (2, 1), FP32).split(2)
    with sram.launch("k"):
        sram.store(O[0], np.full((2, 2), 1 / 3, np.float32))
        sram.store(l[0], np.full((2, 1), 1 / 3, np.float32))
    assert machine.read_back(O.tensor)[0, 0] == np.float16(1 / 3)
    assert machine.read_back(l.tensor)[0, 0] == np.float32(1 / 3)
    assert [t.write for t in sram.ledger.desk.by_tensor.values()] == [2 * 2 * 2, 2 * 1 * 4]


def test_memory_that_no_kernel_has_written_shows_as_nan(machine):
    assert np.isnan(machine.read_back(machine.empty("O", (2, 2), FP16))).all()


def test_a_wrong_shape_is_refused_and_nothing_is_written(machine, Q):
    sram, before = machine.sram, machine.read_back(Q.tensor)
    with sram.launch("k"), pytest.raises(WrongShape) as refused:
        sram.store(Q[0], np.zeros((2, 3), np.float32))
    assert str(refused.value) == "Q[0] has the shape (2, 2) but was given (2, 3); give it a value of its own shape"
    assert (machine.read_back(Q.tensor) == before).all()
    assert sram.ledger.tile_moves == 0


def test_a_product_of_shapes_that_do_not_meet_is_refused(machine, Q):
    V = machine.tensor("V", np.ones((3, 2)), FP16).split(3)
    with machine.sram.launch("k"):
        q, v = machine.sram.load(Q[0]), machine.sram.load(V[0])
        with pytest.raises(WrongShape) as refused:
            q @ v
    assert str(refused.value) == ("the right side of the product has the shape (2, 2) but was given (3, 2); "
                                  "give it a value of its own shape")


def test_a_held_tile_is_overwritten_whole_or_not_at_all(machine, Q):
    sram = machine.sram
    with sram.launch("k"):
        q = sram.load(Q[0])
        a, m = sram.full("a", q, 2), sram.full("m", q, 1, -1.0)
        a[:] = q + 1
        assert a.array.tolist() == [[1, 2], [3, 4]]
        with pytest.raises(WrongShape, match=r"a has the shape \(2, 2\) but was given \(2, 1\)"):
            a[:] = m
        with pytest.raises(WrongShape):
            a[0] = q
        assert a.array.tolist() == [[1, 2], [3, 4]]


# Scopes.


def test_what_an_iteration_brought_in_leaves_when_it_ends(machine, Q):
    sram = machine.sram
    with sram.launch("k"):
        outside = sram.load(Q[0])
        for i in sram.loop("i", 3):
            sram.load(Q[i])
            assert sram.shared.resident == 16             # never more than one of the three
        assert sram.shared.resident == 8
        assert outside.array is not None
    assert sram.shared.resident == 0
    assert sram.shared.peak == 16


def test_what_came_last_leaves_first(machine, Q):
    sram = machine.sram
    with sram.launch("k"):
        for _ in sram.loop("i", 1):
            for index in (2, 0, 1):
                sram.load(Q[index])
    assert [event.block for event in sram.log if event.op == "free"] == [(1,), (0,), (2,)]


def test_a_tile_used_after_its_scope_says_where_it_went(machine, Q):
    sram = machine.sram
    with sram.launch("scores"):
        for i in sram.loop("i", 3):
            tile = sram.load(Q[i])
        for use in (lambda: tile + 1, lambda: 1 - tile, lambda: tile @ tile, lambda: exp(tile), lambda: log(tile),
                    lambda: rowmax(tile), lambda: rowsum(tile), lambda: tile.T, lambda: tile.shape, lambda: len(tile),
                    lambda: sram.store(Q[0], tile), lambda: sram.hold("S", tile)):
            with pytest.raises(UsedAfterScope) as refused:
                use()
            assert str(refused.value) == ("tile Q[2] left the desk when its scope (i 2) ended; "
                                          "load it again or open the scope further out")
        held = sram.load(Q[0])
    with pytest.raises(UsedAfterScope, match=r"its scope \(scores launch\) ended"):
        held + 1


def test_leaving_a_loop_early_frees_its_tiles(machine, Q):
    sram = machine.sram
    with sram.launch("k"):
        for i in sram.loop("i", 3):
            for j in sram.loop("j", 3):
                sram.load(Q[j])
                if j == 1:
                    break
            assert sram.shared.resident == 0
            sram.load(Q[i])
            break
        assert sram.shared.resident == 0


def test_an_exception_leaves_the_machine_clean_and_it_can_go_on(machine, Q):
    sram = machine.sram
    with pytest.raises(KeyboardInterrupt), sram.launch("k"):
        sram.load(Q[0])
        for i in sram.loop("i", 3):
            sram.load(Q[i])
            for j in sram.loop("j", 3):
                sram.load(Q[j])
                raise KeyboardInterrupt
    assert sram.shared.resident == sram.registers.resident == 0
    with sram.launch("again"):
        for i in sram.grid("i", 3):
            sram.load(Q[i])
    last = list(sram.log)[-1]
    assert (last.kernel, last.op, last.shared_resident) == ("again", "free", 0)


def test_a_grid_starts_only_on_an_empty_desk(machine, Q):
    sram = machine.sram
    with sram.launch("k"):
        sram.load(Q[1])
        with pytest.raises(WrongPlace) as refused:
            sram.grid("i", 3)
        assert str(refused.value) == ("grid 'i' is not possible here: thread blocks start with an empty desk, "
                                      "it holds Q[1]; load inside the grid, or use loop")
        for _ in sram.loop("i", 1):                       # a loop may
            pass


@pytest.mark.parametrize("what", [lambda s, Q: s.load(Q[0]), lambda s, Q: s.stream(Q[0]),
                                  lambda s, Q: s.store(Q[0], np.zeros((2, 2)))])
def test_nothing_moves_outside_a_kernel(machine, Q, what):
    with pytest.raises(WrongPlace, match=r"of Q\[0\] is not possible here: the desk exists only while a kernel runs"):
        what(machine.sram, Q)
    assert len(machine.sram.log) == 0


def test_one_kernel_at_a_time(machine):
    with machine.sram.launch("a"):
        with pytest.raises(WrongPlace, match=r"launch 'b' is not possible here: 'a' is still running"):
            machine.sram.launch("b")


def test_loops_have_the_papers_names(machine):
    with machine.sram.launch("k"), pytest.raises(WrongPlace, match="loop 'k' is not possible here"):
        next(machine.sram.loop("k", 2))


# Capacity.


def test_what_does_not_fit_is_refused_before_anything_changes():
    machine = GPU(spec(shared=20))
    sram, Q = machine.sram, machine.tensor("Q", np.ones((6, 2)), FP16).split(2)
    with sram.launch("k"):
        sram.load(Q[0])
        sram.load(Q[1])
        with pytest.raises(DoesNotFit) as refused:
            sram.load(Q[2])
        assert str(refused.value) == ("Q[2] needs 8 B of shared memory, 4 B of 20 B are free (it holds Q[0], Q[1]); "
                                      "choose smaller blocks or fewer stages")
        assert refused.value.facts["free_bytes"] == 4
        assert sram.shared.resident == 16 and sram.ledger.tile_moves == 2 and len(sram.log) == 2


def test_registers_have_their_own_capacity():
    machine = GPU(spec(shared=64, registers=20))
    sram, Q = machine.sram, machine.tensor("Q", np.ones((2, 2)), FP16).split(2)
    with sram.launch("k"):
        q = sram.load(Q[0])
        sram.hold("a", q + 0)                             # 4 numbers × 4 B
        with pytest.raises(DoesNotFit, match=r"m needs 8 B of registers, 4 B of 20 B are free \(it holds a\)"):
            sram.full("m", q, 1)
        assert sram.registers.resident == 16


def test_a_tile_of_exactly_the_free_bytes_fits():
    sram_bytes = 8
    machine = GPU(spec(shared=sram_bytes))
    Q = machine.tensor("Q", np.ones((2, 2)), FP16).split(2)
    with machine.sram.launch("k"):
        machine.sram.load(Q[0])
    assert machine.sram.shared.peak == sram_bytes


def test_an_empty_desk_is_said_to_hold_nothing():
    machine = GPU(spec(shared=4))
    Q = machine.tensor("Q", np.ones((2, 2)), FP16).split(2)
    with machine.sram.launch("k"), pytest.raises(DoesNotFit, match="it holds nothing"):
        machine.sram.load(Q[0])


def test_loads_take_their_storage_width_in_shared_memory_and_four_bytes_in_registers(machine, Q):
    sram = machine.sram
    with sram.launch("k"):
        sram.load(Q[0], buffers=3)
        assert sram.shared.resident == 3 * 8
        sram.load(Q[1], into=sram.registers)
        assert sram.registers.resident == 2 * 2 * 4
        sram.stream(Q[2])                                 # passes over the desk, never lies there whole
        assert (sram.shared.resident, sram.registers.resident) == (24, 16)


def test_a_ragged_block_moves_its_rows_but_takes_a_whole_blocks_place(machine):
    sram, K = machine.sram, machine.tensor("K", np.ones((5, 2)), FP16).split(2)
    with sram.launch("k"):
        tile = sram.load(K[2])
        assert tile.shape == (1, 2) and sram.shared.resident == 8
    assert sram.ledger.desk.by_tensor["K"].read == 4


def test_a_result_takes_the_room_of_its_widest_operand(machine):
    sram, K = machine.sram, machine.tensor("K", np.ones((5, 2)), FP16).split(2)
    with sram.launch("k"):
        tile = sram.load(K[2])                            # one valid row, room for two
        column = rowmax(tile)
        for result in (tile * column, column * tile):
            assert result.shape == (1, 2)
            before = sram.registers.resident
            sram.hold("a", result)
            assert sram.registers.resident - before == 2 * 2 * 4


# Arithmetic is counted.


def test_operations_are_counted_where_they_are_done(machine, Q):
    sram = machine.sram
    with sram.launch("k"):
        q = sram.load(Q[0])                               # (2, 2)
        q @ q.T
        assert sram.ledger.matmul == 2 * 2 * 2 * 2
        exp(q)
        assert sram.ledger.exp == 4
        (q + 1, 1 - q, q * q, q / 2, maximum(q, 0), rowmax(q), rowsum(q), log(q))
        assert sram.ledger.other == 8 * 4
        q.where(np.eye(2, dtype=bool))                    # selection is no arithmetic
        assert sram.ledger.other == 8 * 4


def test_numpys_own_functions_would_not_be_counted_and_are_refused(machine, Q):
    with machine.sram.launch("k"):
        q = machine.sram.load(Q[0])
        with pytest.raises(TypeError):
            np.exp(q)
        with pytest.raises(TypeError):
            np.add(q, 1)
