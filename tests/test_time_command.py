"""python -m simulator time: seconds by kernel and resource, with bounds, what binds and the ceilings' sources."""

import json

import pytest

from simulator import Problem, Tiling, accounting, gpu
from simulator.ceilings import RESOURCES
from simulator.cli.commands import answer_to
from simulator.cli.guard import guarded
from simulator.roofline import time

LINE = "time --n 4096 --d 128 --br 128 --bc 64 --heads 16"


def printed(line):
    return "\n".join(answer_to(line.split()))


def answered(line):
    return json.loads(printed(f"{line} --json"))


@pytest.mark.parametrize("algorithm", list(accounting.FORMS))
def test_the_json_is_the_time_model(algorithm):
    found = answered(f"{LINE} --algorithm {algorithm}")
    model = time(algorithm, Problem(n=4096, d=128, heads=16), Tiling(128, 64), gpu("h200"))
    assert found["tag"] == "modelled"
    assert found["lower_s"] == model.lower_s and found["upper_s"] == model.upper_s
    for shown, one in zip(found["kernels"], model.kernels, strict=True):
        assert shown["kernel"] == one.kernel and set(shown["seconds"]) == set(RESOURCES)
        assert shown["seconds"] == one.seconds and shown["binds"] == one.binds
        assert shown["tflops"] == pytest.approx(one.flops / one.lower_s / 1e12)


def test_every_ceiling_says_how_it_was_found_and_where():
    for key, tag in (("h200", "measured"), ("a100", "published")):
        found = answered(f"{LINE} --algorithm flash2 --gpu {key}")["ceilings"]
        assert set(found) == {*RESOURCES, "launch"}
        assert all(one["source"] and one["unit"] for one in found.values())
        assert {one["tag"] for name, one in found.items() if name != "launch"} == {tag}


def test_a_person_reads_kernels_bounds_and_ceilings():
    shown = printed(f"{LINE} --algorithm standard")
    for words in ("scores", "softmax", "pv", "binds", "overlapped", "one by one", "TFLOP/s", "modelled", "measured",
                  "731.4 TFLOP/s", "3.33 µs"):
        assert words in shown


def test_the_model_of_the_shelf_can_be_asked():
    plain, shelved = (answered(f"time --algorithm standard --n 1024 --d 64 --br 128 --bc 128 {more}")["kernels"]
                      for more in ("", "--cabinet"))
    assert shelved[0]["dram_bytes"] < plain[0]["dram_bytes"]      # the table stays in L2 until the kernel has ended


def test_a_launch_whose_stores_all_stay_on_the_shelf_has_no_intensity():
    zeros = answered("time --algorithm flash1 --n 1 --d 64 --br 16 --bc 16 --cabinet")["kernels"][0]
    assert (zeros["flops"], zeros["dram_bytes"], zeros["intensity"]) == (0, 0, 0)


def test_blocks_that_fit_no_SM_are_said_to():
    line = "time --algorithm flash2 --n 4096 --d 256 --br 256 --bc 256"
    assert answered(line)["fits"] is False and "does not fit" in printed(line)


@pytest.mark.parametrize(("line", "words"), [
    ("time --algorithm flash2 --n 4096", "--d, --br, --bc left out"),
    ("time --algorithm flash9 --n 64 --d 16 --br 16 --bc 16", "there is no algorithm 'flash9'"),
    ("time --algorithm flash2 --n 0 --d 16 --br 16 --bc 16", "n = 0 is not possible"),
    ("time --algorithm flash2 --n 64 --d 16 --br 16 --bc 16 --gpu h300", "there is no GPU 'h300'"),
    ("time --algorithm flash2_backward --n 64 --d 16 --br 16 --bc 16 --cabinet", "there is no L2 model of"),
    ("time --fast", "unknown: --fast"),
])
def test_a_mistake_ends_with_one_line_and_2(line, words, capsys):
    assert guarded(answer_to, line.split()) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and words in err
