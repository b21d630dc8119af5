"""`simulate`: executed where that is quick, answered by closed form beyond, and every head alike."""

import numpy as np
import pytest
from ask import ALGORITHMS, run

from simulator import Problem, Tiling, accounting, gpu, simulate
from simulator.errors import BadProblem, MatrixTooLarge, TooLarge, UnknownName, WrongShape
from simulator.problem import DTYPES
from simulator.run import MOST_TILES, draw, program


def test_a_small_run_is_counted_and_has_events_and_an_output():
    one = simulate(Problem(n=8, d=4), Tiling(4, 4))
    assert (one.tag, one.algorithm, one.gpu) == ("counted", "flash2", gpu("h200"))
    assert len(one.events) > 0 and one.output.shape == (8, 4)
    assert 0 < one.max_error < 2.0**-10                   # fp16 of numbers below 2


def test_a_large_one_is_computed_and_has_none():
    one = simulate(Problem(n=2**20, d=64), Tiling(64, 64))
    assert (one.tag, one.events, one.output, one.max_error) == ("computed", None, None, None)
    assert one.cost == accounting.cost("flash2", Problem(n=2**20, d=64), Tiling(64, 64))


def test_the_line_between_them_is_drawn_by_tile_moves_of_one_head(monkeypatch):
    monkeypatch.setattr("simulator.run.QUICK_MOVES", 3 * 2 + 2 * 9)        # 3 row blocks, 9 tiles
    assert simulate(Problem(n=12, d=2, heads=1000), Tiling(4, 4)).tag == "counted"
    assert simulate(Problem(n=13, d=2), Tiling(4, 4)).tag == "computed"


def test_what_does_not_fit_is_computed_and_says_so():
    one = simulate(Problem(n=1024, d=256), Tiling(512, 512))
    assert (one.tag, one.fits) == ("computed", False)


def test_heads_and_batches_multiply_all_but_the_peak():
    one, many = (simulate(Problem(n=20, d=4, heads=h, batch=b), Tiling(8, 8)).cost for h, b in ((1, 1), (3, 2)))
    assert many.desk.moves == {key: traffic * 6 for key, traffic in one.desk.moves.items()}
    assert many.tile_moves == 6 * one.tile_moves and many.flops.matmul == 6 * one.flops.matmul
    assert many.flops.exp == 6 * one.flops.exp and many.flops.other == 6 * one.flops.other
    assert many.peak == one.peak


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_given_inputs_every_head_runs_and_counts_the_same(algorithm):
    options = {"n": 10, "n_kv": 7, "d": 4, "br": 4, "bc": 3, "heads": 4, "kv_heads": 2, "batch": 2}
    rng = np.random.default_rng(1)
    q, k, v = (rng.standard_normal((2, heads, rows, 4)) for heads, rows in ((4, 10), (2, 7), (2, 7)))
    given = run(algorithm, inputs=(q, k, v), **options)
    assert given.cost == run(algorithm, **options).cost
    assert given.output.shape == (2, 4, 10, 4)
    one = options | {"heads": 1, "kv_heads": 1, "batch": 1}
    alone = run(algorithm, inputs=(q[1:, 3:], k[1:, 1:], v[1:, 1:]), **one)
    assert (given.output[1, 3] == alone.output[0, 0]).all()                # query head 3 reads K/V head 1


def test_the_same_seed_draws_the_same_inputs_and_another_seed_others():
    one, same, other = (draw(Problem(n=5, n_kv=6, d=3, seed=s)) for s in (0, 0, 1))
    assert [x.shape for x in one] == [(5, 3), (6, 3), (6, 3)]
    assert all((a == b).all() for a, b in zip(one, same, strict=True))
    assert not (one[0] == other[0]).any()


def test_the_program_is_the_text_that_ran():
    for algorithm, name in (("standard", "standard"), ("flash1", "flash_attention_1"), ("flash2", "flash_attention_2")):
        text = program(algorithm)
        assert text.name == name
        assert f"def {name}(gpu, Q, K, V, tiling, mask" in text.source


# Mistakes.


def test_more_than_a_million_tiles_are_not_executed():
    problem, tiling = Problem(n=16 * 1001, d=2), Tiling(16, 16)
    with pytest.raises(TooLarge) as refused:
        simulate(problem, tiling, execute=True)
    assert refused.value.facts["tiles"] == 1001**2 > MOST_TILES
    assert str(refused.value).startswith("executing 1,002,001 tiles would take about ")
    assert str(refused.value).endswith("at most 1,000,000 tiles are executed; choose larger blocks or a smaller N, "
                                       "or ask for the closed form")
    assert simulate(problem, tiling).tag == "computed"


def test_the_estimate_is_of_one_head_unless_every_head_runs():
    def seconds(heads, **options):
        with pytest.raises(TooLarge) as refused:
            simulate(Problem(n=16 * 1001, d=2, heads=heads), Tiling(16, 16), execute=True, **options)
        return refused.value.facts["seconds"]

    q = np.broadcast_to(np.float32(0), (1, 3, 16 * 1001, 2))
    assert seconds(3) == seconds(1)
    assert seconds(3, inputs=(q, q, q)) == pytest.approx(3 * seconds(1))   # floats


@pytest.mark.parametrize(("algorithm", "sizes"), [("standard", {"n": 20000, "d": 64}),
                                                  ("flash2", {"n": 2**20, "d": 512})])
def test_a_matrix_that_this_computer_could_not_keep_is_refused(algorithm, sizes):
    with pytest.raises(MatrixTooLarge, match=r"would keep a matrix of [\d,]+ numbers .* at most 268,435,456 are kept"):
        simulate(Problem(**sizes), Tiling(4096, 4096), algorithm=algorithm, execute=True)


def test_a_name_that_is_in_no_catalogue_is_refused_with_those_that_are():
    problem, tiling = Problem(n=8, d=4), Tiling(4, 4)
    with pytest.raises(UnknownName, match="there is no algorithm 'flash3'; choose one of standard, flash1, flash2"):
        simulate(problem, tiling, algorithm="flash3")
    with pytest.raises(UnknownName, match="there is no algorithm 'flash3'"):
        program("flash3")
    with pytest.raises(UnknownName, match="there is no GPU 'x'"):
        simulate(problem, tiling, gpu="x")
    with pytest.raises(UnknownName, match="there is no dtype 'fp64'; choose one of fp32, fp16, bf16, fp8"):
        Problem(n=8, d=4, dtype="fp64")
    with pytest.raises(UnknownName, match="there is no pass 'bias'; choose one of scale, mask, dropout"):
        Problem(n=8, d=4, passes=("bias",))
    with pytest.raises(UnknownName, match="there is no varied size 'dtype'"):
        accounting.cost("flash2", problem, tiling, dtype=np.array([1]))


@pytest.mark.parametrize("which", [0, 1, 2])
def test_inputs_of_the_wrong_shape_are_refused(which):
    given = [np.zeros((1, 1, 8, 4)) for _ in "qkv"]
    given[which] = np.zeros((1, 1, 8, 5))
    with pytest.raises(WrongShape, match=rf"{'qkv'[which]} has the shape \(1, 1, 8, 4\) but was given \(1, 1, 8, 5\)"):
        simulate(Problem(n=8, d=4), Tiling(4, 4), inputs=given)


BAD = [("n", 0), ("n", -3), ("n", 2**24 + 1), ("n", 1.5), ("n", "8"), ("n", True), ("n", float("nan")), ("n_kv", 0),
       ("d", 0), ("d", 4097), ("batch", 0), ("heads", 0), ("kv_heads", 3), ("seed", -1), ("window", (-2, 0)),
       ("window", (0, "x")), ("window", None), ("window", 3), ("window", (1,)), ("n", None), ("n", np.zeros((9, 9))),
       ("causal", 1), ("causal", "no"), ("lse", None), ("passes", "scale"), ("passes", None), ("passes", ("mask",) * 2)]


@pytest.mark.parametrize(("name", "value"), BAD)
def test_a_size_that_no_problem_has_is_refused(name, value):
    with pytest.raises(BadProblem) as refused:
        Problem(**{"n": 8, "d": 4, "heads": 4} | {name: value})
    facts = refused.value.facts
    assert facts["name"].startswith(name.replace("_", "-"))
    assert facts["possible"] and facts["remedy"]
    assert len(str(refused.value).splitlines()) == 1


def test_numpys_narrow_integers_do_not_overflow():
    narrow = Problem(n=np.uint8(200), d=np.uint8(100), heads=np.int8(10)), Tiling(np.uint8(16), np.uint8(16))
    plain = Problem(n=200, d=100, heads=10), Tiling(16, 16)
    assert narrow == plain and repr(narrow) == repr(plain)
    assert simulate(*narrow, algorithm="standard").cost == simulate(*plain, algorithm="standard").cost
    with pytest.raises(TooLarge):                         # 65,536² row blocks: 0 in int32
        simulate(Problem(n=np.int32(2**20), d=1), Tiling(np.int32(16), np.int32(16)), execute=True)


@pytest.mark.parametrize("inputs", [3, (), (np.zeros((1, 1, 8, 4)),) * 2, ("q", "k", "v"),
                                    (np.zeros((1, 1, 8, 4), complex),) * 3, (np.zeros((1, 1, 8, 4), "M8[s]"),) * 3,
                                    (np.full((1, 1, 8, 4), None),) * 3])
def test_inputs_that_are_no_three_arrays_of_real_numbers_are_refused(inputs):
    with pytest.raises(BadProblem, match="three arrays of real numbers; give q, k and v"):
        simulate(Problem(n=8, d=4), Tiling(4, 4), inputs=inputs)


def test_inputs_may_be_of_any_real_type():
    for dtype in (bool, np.int8, np.float64, *(t.storage for t in DTYPES.values())):
        assert simulate(Problem(n=8, d=4), Tiling(4, 4), inputs=(np.ones((1, 1, 8, 4), dtype),) * 3).max_error == 0


@pytest.mark.parametrize(("name", "value"), [("br", 0), ("bc", -1), ("stages", 0), ("stages", 65), ("br", 2.0)])
def test_a_block_size_that_is_none_is_refused(name, value):
    with pytest.raises(BadProblem, match=f"{name} = .* is not possible: a whole number from 1 to "):
        Tiling(**{"br": 4, "bc": 4} | {name: value})


@pytest.mark.parametrize(("name", "values"), [("n", [0, 4]), ("n", [2.5]), ("d", [4097]), ("br", []), ("heads", [3]),
                                              ("causal", [2])])
def test_a_sweep_over_values_that_no_problem_has_is_refused(name, values):
    with pytest.raises(BadProblem):
        accounting.cost("flash2", Problem(n=8, d=4, heads=4, kv_heads=2), Tiling(4, 4), **{name: np.array(values)})
