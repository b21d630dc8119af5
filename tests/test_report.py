"""How a run shows itself in a notebook and on a terminal."""

from dataclasses import replace

from ask import run

from simulator import Problem, Tiling, simulate
from simulator.cost import Desk, Traffic


def test_the_table_has_every_kernel_and_tensor_and_the_totals():
    one = run("standard", n=40, d=8, br=8, bc=8)
    for shown in (str(one), one._repr_html_()):
        for (kernel, tensor), traffic in one.cost.desk.moves.items():
            assert kernel in shown and tensor in shown
            assert f"{traffic.read:,}" in shown and f"{traffic.write:,}" in shown
        assert f"{one.cost.desk.read:,}" in shown and f"{one.cost.desk.write:,}" in shown


def test_ruler_and_tag_stand_beside_the_numbers():
    executed = run("flash2", n=8, d=4, br=4, bc=4)
    computed = simulate(Problem(n=8, d=4), Tiling(4, 4), execute=False)
    for one, tag in ((executed, "counted"), (computed, "computed")):
        assert "desk ruler" in str(one) and tag in str(one)
        assert "desk ruler" in one._repr_html_() and tag in one._repr_html_()


def test_the_terminals_table_is_aligned():
    lines = str(run("flash1", n=64, d=16, br=16, bc=16)).splitlines()
    assert len({len(line) for line in lines[1:]}) == 1


def test_names_are_escaped_in_html():
    one = run("flash2", n=4, d=2, br=2, bc=2)
    moves = {("<script>", 'K"&<b>'): Traffic(1, 2)}
    shown = replace(one, cost=replace(one.cost, desk=Desk(moves)))._repr_html_()
    assert "<script>" not in shown and "<b>" not in shown
    assert "&lt;script&gt;" in shown and "K&quot;&amp;&lt;b&gt;" in shown


def test_sizes_that_differ_from_the_plain_case_are_said():
    said = str(run("flash2", n=8, n_kv=16, d=4, br=4, bc=4, heads=6, batch=2)).splitlines()[0]
    assert "N = 8 × 16" in said and "2 × 6 heads" in said
