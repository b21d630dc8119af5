"""`python -m kernels` on a machine without a GPU: one line on standard error, exit 2, nothing on standard output."""

import json
import os
import shlex
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from kernels.cli import answer_to
from kernels.ladder import BESIDE, RUNGS
from simulator.cli.guard import guarded

SHOW = "compile --show ptx"
MISTAKES = {                            # what is typed, and what the line says
    "a GPU of no generation": (f"{SHOW} --arch 12", "flash_attention_2 compiles for 80, 90, 100, 120"),
    "a GPU in words": (f"{SHOW} --arch hopper", "arch = 'hopper' is not possible"),
    "a kernel for Hopper alone": (f"{SHOW} --kernel flash_attention_3 --arch 80", "flash_attention_3 compiles for 90"),
    "a choice where all are compiled": ("compile --kernel standard", "add --show ptx or --show ttgir"),
    "a width where all are compiled": ("compile --d 64", "without --show every kernel is compiled"),
    "no such recording": ("counters --recount nowhere.json", "recount = 'nowhere.json' is not possible"),
    "a recording that is none": ("counters --recount README.md", "that `python -m kernels counters` read on a GPU"),
    "a recording of times": ("counters --recount kernels/measurements/h200-bench.json", "name such a file"),
    "a folder as a recording": ("counters --recount kernels", "name such a file"),
    "times that are none": ("bench --recount README.md", "that `python -m kernels bench` wrote on a GPU"),
    "counters as times": ("bench --recount kernels/measurements/h200-counters.json", "name such a file"),
    "times into two files": ("bench --recount a.json --out b.json", "leave --out out"),
    "a ladder of no size": ("ladder --n 3000", "n 512, 1024, 2048, 4096, 8192, 16384; choose a size that was timed"),
    "a ladder in words": ("ladder --d wide", "d 64, 128; n 512"),
    "two tasks at once": ("counters --launch --measure-only", "not allowed with argument"),
    "two files to write": ("counters --recount a.json --out b.json", "leave --out out"),
    "counters into no folder": ("counters --out /nowhere/at/all.json", "a file in a folder that is there"),
    "times into no folder": ("bench --out /nowhere/at/all.json", "a file in a folder that is there"),
    "times into nothing": ("bench --out ''", "out = '' is not possible"),
    "times into a file as a folder": ("bench --out README.md/x.json", "a file in a folder that is there"),
    "a file and nothing": ("bench --recount kernels/measurements/h200-bench.json --out ''", "leave --out out"),
    "a switch twice": ("ladder --causal --causal", "--causal is given twice"),
    "times into a folder": ("bench --out kernels", "out = 'kernels' is not possible"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_says_what_is_possible_and_what_to_do(mistake, capsys):
    line, words = MISTAKES[mistake]
    assert guarded(answer_to, shlex.split(line)) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("error: ") and err.count("\n") == 1
    assert words in err


def run(*arguments):
    environment = {key: value for key, value in os.environ.items() if key != "TRITON_INTERPRET"}
    command = [sys.executable, "-m", "kernels", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment)


def has_gpu():
    if not find_spec("torch"):
        return False
    import torch

    return torch.cuda.is_available()


@pytest.mark.skipif(has_gpu(), reason="a GPU is here")
@pytest.mark.parametrize("command", ["bench", "counters", "sanitize"])
def test_without_a_gpu_it_says_so_in_one_line(command):
    said = run(*command.split())
    assert (said.returncode, said.stdout) == (2, "")
    assert said.stderr.count("\n") == 1 and "needs a CUDA GPU" in said.stderr and "recorded" in said.stderr


@pytest.mark.parametrize("arguments", [
    (), ("bnech",), ("bench", "--fast"), ("compile", "--show", "ptx", "--kernel", "x")], ids=str)
def test_a_mistake_is_one_line(arguments):
    said = run(*arguments)
    assert (said.returncode, said.stdout) == (2, "")
    assert said.stderr.count("\n") == 1 and "Traceback" not in said.stderr


@pytest.mark.parametrize("size", ["", "--d 64 --n 512 --causal"])
def test_the_ladder_is_climbed_from_what_was_recorded(size, capsys):
    assert guarded(answer_to, shlex.split(f"ladder {size}")) == 0
    out, err = capsys.readouterr()
    assert err == "" and max(map(len, out.splitlines())) <= 100
    order = [line.split()[0] for line in out.splitlines() if line and line.split()[0] in (*RUNGS, *BESIDE)]
    assert order[:5] == [*RUNGS, *BESIDE] and ("· causal ·" in out) == ("--causal" in size)


def test_times_get_the_models_bytes_anew(tmp_path, capsys):
    """Only the rungs of the ladder, at whole cells; every other line and number stays."""
    record = json.loads(Path("kernels/measurements/h200-bench.json").read_text(encoding="utf-8"))
    few = [row for row in record["rows"] if row["n"] == 512 and row["causal"] and row["d"] == 128]
    swept = next(row for row in record["rows"] if row.get("sweep"))
    path = tmp_path / "h200-bench.json"
    path.write_text(json.dumps(record | {"rows": [*few, swept]}), encoding="utf-8")
    assert guarded(answer_to, ["bench", "--recount", str(path)]) == 0
    again = json.loads(path.read_text(encoding="utf-8"))
    rungs = {row["kernel"]: row["cabinet"] for row in again["rows"] if "cabinet" in row}
    assert list(rungs) == list(RUNGS) and rungs["standard"]["read"] > 2 * rungs["flash_attention_2"]["read"]
    assert [{key: value for key, value in row.items() if key != "cabinet"} for row in again["rows"]] == [
        {key: value for key, value in row.items() if key != "cabinet"} for row in (*few, swept)]
    assert "4 of" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.skipif(not find_spec("triton"), reason=f"Triton has no package for {sys.platform}")
def test_a_kernel_compiles_for_a_gpu_that_is_not_there():
    said = run("compile", "--show", "ptx", "--d", "64", "--arch", "90")
    assert said.returncode == 0 and said.stderr == "" and ".target sm_90a" in said.stdout and "wgmma" in said.stdout


@pytest.mark.slow
@pytest.mark.skipif(not find_spec("triton"), reason=f"Triton has no package for {sys.platform}")
def test_the_third_version_gives_its_warps_roles_and_its_products_to_the_tensor_cores():
    said = run("compile", "--show", "ptx", "--kernel", "flash_attention_3")
    assert all(word in said.stdout for word in ("setmaxnreg", "cp.async.bulk.tensor", "wgmma.mma_async", "mbarrier"))


SPOILT = {
    "no rows": lambda record: record | {"rows": []}, "a word for rows": lambda record: record | {"rows": "abc"},
    "a number for rows": lambda record: record | {"rows": 7}, "words as rows": lambda record: record | {"rows": ["a"]},
    "an empty row": lambda record: record | {"rows": [{}]}, "rows in rows": lambda record: record | {"rows": [[1]]},
    "a list for a kernel": lambda record: record | {"rows": [record["rows"][0] | {"kernel": ["x"]}]},
    "a size below none": lambda record: record | {"rows": [record["rows"][0] | {"n": -5}]},
    "a word for blocks": lambda record: record | {"rows": [record["rows"][0] | {"br": "many"}]},
    "a launch nobody knows": lambda record: record | {"rows": [record["rows"][0] | {"launch": "x", "ms": 0}]},
    "nothing measured": lambda record: record | {"rows": [record["rows"][0] | {"measured": None, "ms": None}]},
}


@pytest.mark.parametrize("spoil", SPOILT.values(), ids=SPOILT)
@pytest.mark.parametrize("kind", ["bench", "counters"])
def test_a_spoilt_file_is_refused_and_left_as_it_is(kind, spoil, tmp_path, capsys):
    record = json.loads(Path(f"kernels/measurements/h200-{kind}.json").read_text(encoding="utf-8"))
    path = tmp_path / "spoilt.json"
    path.write_text(json.dumps(spoil(record)), encoding="utf-8")
    before = path.read_bytes()
    assert guarded(answer_to, [kind, "--recount", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and "recount = " in err and path.read_bytes() == before


@pytest.mark.parametrize("kind", ["bench", "counters"])
def test_brackets_without_end_are_refused(kind, tmp_path, capsys):
    path = tmp_path / "deep.json"
    path.write_text("[" * 100_000, encoding="utf-8")
    assert guarded(answer_to, [kind, "--recount", str(path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
