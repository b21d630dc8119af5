"""Whatever is typed: exit code 2, nothing on standard output, one line that says what to do, never a traceback."""

import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from simulator.cli.commands import answer_to
from simulator.cli.guard import guarded

ROOT = Path(__file__).parents[1]
FLASH2 = "--algorithm flash2 --d 8 --br 4 --bc 4"
DECODE = "--algorithm decode --n 1 --n-kv 64 --d 8 --br 1 --bc 4"
STANDARD = "--algorithm standard --d 8 --br 4 --bc 4 --n 8"

MISTAKES = {                            # what is typed, and what the line says
    "no command": ("", "possible are count, compare, sweep, trace, time, fit, figure2, gpus"),
    "an unknown command": ("cuont", "invalid choice: 'cuont'"),
    "an empty command": ("''", "invalid choice: ''"),
    "a flag before the command": ("--n 3 count", "possible are count"),
    "no flags": ("count", "--algorithm, --n, --d, --br, --bc left out"),
    "a missing flag": (f"count {FLASH2}",
                       "--n left out; this command needs --algorithm, --n, --d, --br, --bc; add each"),
    "no algorithm": ("count --n 8 --d 8 --br 4 --bc 4", "--algorithm left out"),
    "a flag without its value": (f"count {FLASH2} --n", "argument --n: expected one argument; possible are --n N"),
    "an unknown flag": (f"count {FLASH2} --n 8 --blok 3", "unknown: --blok 3; possible are --algorithm A, --splits S"),
    "an abbreviated flag": (f"count {FLASH2} --n 8 --caus", "unknown: --caus"),
    "a single dash": (f"count -n 0 {FLASH2}", "unknown: -n 0"),
    "splits where nothing is split": (f"count {FLASH2} --n 8 --splits 4",
                                      "splits = 4 is not possible: flash2 does not deal its keys to several thread "
                                      "blocks; leave --splits out, or ask for split_kv"),
    "splits of one thread block": (f"count {DECODE} --splits 2", "leave --splits out, or ask for split_kv"),
    "no splits": ("count --algorithm split_kv --n 1 --d 8 --br 1 --bc 4 --splits 0", "splits = 0 is not possible"),
    "packing where every head has its block": (f"count {FLASH2} --n 8 --pack-gqa",
                                               "leave --pack-gqa out, or ask for decode or split_kv"),
    "splits of all algorithms": ("compare --n 8 --d 8 --br 4 --bc 4 --splits 2", "unknown: --splits 2"),
    "a cabinet that is not modelled": (f"count {DECODE} --cabinet", "there is no L2 model of 'decode'; choose one of"),
    "a word too many": (f"count {FLASH2} --n 8 please", "unknown: please"),
    "a flag twice": (f"count {FLASH2} --n 8 --n 9", "--n is given twice"),
    "a value on a switch": (f"count {FLASH2} --n 8 --causal=no", "argument --causal: ignored explicit argument 'no'"),
    "zero": (f"count {FLASH2} --n 0",
             "n = 0 is not possible: a whole number from 1 to 16,777,216; choose one in that range"),
    "a negative size": (f"count {FLASH2} --n -4", "n = -4 is not possible"),
    "text": (f"count {FLASH2} --n many", "n = 'many' is not possible: a whole number"),
    "an exponent": (f"count {FLASH2} --n 1e3", "n = '1e3' is not possible"),
    "a decimal point": (f"count {FLASH2} --n 8.0", "n = '8.0' is not possible"),
    "an underscore": (f"count {FLASH2} --n 1_000", "n = '1_000' is not possible"),
    "spaces": (f"count {FLASH2} --n ' 8 '", "n = ' 8 ' is not possible"),
    "nothing": (f"count {FLASH2} --n ''", "n = '' is not possible"),
    "NaN": (f"count {FLASH2} --n NaN", "n = 'NaN' is not possible"),
    "infinity": (f"count {FLASH2} --n inf", "n = 'inf' is not possible"),
    "one too many rows": (f"count {FLASH2} --n 16777217", "n = 16777217 is not possible"),
    "a huge number": (f"count {FLASH2} --n {'9' * 40}", "n = '9999"),
    "more digits than Python reads": (f"count {FLASH2} --n {'9' * 9000}", "n = '9999"),
    "digits of another script": (f"count {FLASH2} --n '８'", "n = '８' is not possible"),
    "an emoji": (f"count {FLASH2} --n '🦙'", "n = '🦙' is not possible"),
    "several lines": (f"count {FLASH2} --n '8\n9'", "n = '8\\n9' is not possible"),
    "an unknown flag of several lines": (f"count {FLASH2} --n 8 'a\nb'", "unknown: a b"),
    "an unknown algorithm": ("count --d 8 --br 4 --bc 4 --n 8 --algorithm flash3",
                             "there is no algorithm 'flash3'; choose one of standard, flash1, flash2"),
    "an unknown GPU": (f"count {FLASH2} --n 8 --gpu h300", "there is no GPU 'h300'; choose one of t4, v100"),
    "an unknown dtype": (f"count {FLASH2} --n 8 --dtype int4", "there is no dtype 'int4'; choose one of fp32"),
    "heads that cannot be grouped": (
        f"count {FLASH2} --n 8 --heads 6 --kv-heads 4",
        "kv-heads = 4 is not possible: every K/V head serves the same number of the 6 query heads; "
        "choose a divisor of 6"),
    "a window of one number": (f"count {FLASH2} --n 8 --window 3",
                               "argument --window: expected 2 arguments; possible are --window L R"),
    "a window of words": (f"count {FLASH2} --n 8 --window 3 all", "window right = 'all' is not possible"),
    "a window below -1": (f"count {FLASH2} --n 8 --window -2 0", "window left = -2 is not possible"),
    "passes without a table": (f"count {FLASH2} --n 8 --passes scale",
                               "flash2 files no table to pass over; leave --passes out, or ask for standard"),
    "an unknown pass": (f"count {STANDARD} --passes bias",
                        "there is no pass 'bias'; choose one of scale, mask, dropout"),
    "no pass": (f"count {STANDARD} --passes ''", "there is no pass ''"),
    "a pass twice": (f"count {STANDARD} --passes mask,mask", "each pass once"),
    "no such size to vary": (f"sweep {FLASH2} --vary seed --values 1", "one of n, n-kv, d, br, bc, heads varies"),
    "no values": (f"sweep {FLASH2} --vary n", "--values left out"),
    "empty values": (f"sweep {FLASH2} --vary n --values ''", "n = '' is not possible"),
    "a gap in the values": (f"sweep {FLASH2} --vary n --values 8,,9", "n = '' is not possible"),
    "a trailing comma": (f"sweep {FLASH2} --vary n --values 8,", "n = '' is not possible"),
    "a bad value among good ones": (f"sweep {FLASH2} --vary n --values 8,NaN", "n = 'NaN' is not possible"),
    "a value out of range": (f"sweep {FLASH2} --n 8 --vary d --values 8,4097", "d = 4097 is not possible"),
    "heads that stop being groups": (f"sweep {FLASH2} --n 8 --kv-heads 4 --vary heads --values 8,9",
                                     "choose a divisor of 9"),
    "two formats": (f"sweep {FLASH2} --vary n --values 8 --csv --json", "not allowed with argument"),
    "too many tiles": (f"count {FLASH2} --n 16777216 --execute", "executing 17,592,186,044,416 tiles would take about"),
    "a shelf too large": (f"count {FLASH2} --n 16777216 --cabinet", "or leave the cabinet ruler out"),
    "a matrix too large": ("count --algorithm standard --n 40000 --d 8 --br 4096 --bc 4096 --execute",
                           "would keep a matrix of 1,600,000,000 numbers"),
    "an executed run that does not fit": ("count --algorithm flash2 --n 512 --d 512 --br 256 --bc 256 --execute",
                                          "needs 262,144 B of shared memory"),
    "a trace that does not fit": ("trace --algorithm flash2 --n 512 --d 512 --br 256 --bc 256",
                                  "choose smaller blocks or fewer stages"),
    "fit without a width": ("fit", "--d left out"),
    "fit of no width": ("fit --d 0", "d = 0 is not possible"),
    "a flag that gpus has not": ("gpus --n 8", "unknown: --n 8"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_line_on_standard_error(mistake, capsys):
    arguments, said = MISTAKES[mistake]
    assert guarded(answer_to, shlex.split(arguments)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error: ") and err.endswith("\n") and err.count("\n") == 1
    assert said in err
    assert len(err) < 700


def python(line, *more, text=True, **options):
    """`python -m simulator` as a process of its own."""
    return subprocess.run([sys.executable, "-m", "simulator", *shlex.split(line), *more], cwd=ROOT, text=text,
                          stderr=subprocess.PIPE, timeout=120, **{"stdout": subprocess.PIPE} | options)


def test_a_process_ends_with_2_and_one_line():
    ended = python(f"count {FLASH2} --n many")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == ("error: n = 'many' is not possible: a whole number from 1 to 16,777,216; "
                            "choose one in that range\n")


def test_a_process_that_answers_ends_with_0_and_is_quiet_beside():
    ended = python(f"count {FLASH2} --n 8 --json")
    assert ended.returncode == 0 and ended.stderr == ""
    assert ended.stdout.startswith("{") and ended.stdout.endswith("}\n")


def test_what_does_not_fit_ends_with_0_unless_executed():
    arguments = shlex.split("count --algorithm flash2 --n 512 --d 512 --br 256 --bc 256")
    assert guarded(answer_to, arguments) == 0
    assert guarded(answer_to, [*arguments, "--execute"]) == 2


def test_bytes_that_are_no_text_are_refused_too():
    ended = python(f"count {FLASH2} --n", b"\xff\xfe", text=False)
    assert ended.returncode == 2 and ended.stdout == b"" and ended.stderr.count(b"\n") == 1


def test_a_reader_that_has_enough_ends_it_quietly():
    command = f"{sys.executable} -m simulator trace {FLASH2} --n 64 --json | head -1"
    ended = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=ROOT, capture_output=True, text=True,
                           timeout=120)
    assert ended.stdout.startswith('[{"kernel": "flash_attention_2"') and ended.stdout.count("\n") == 1
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full device here")
def test_a_full_disk_is_said_in_one_line():
    with open("/dev/full", "w") as full:
        ended = python("gpus", stdout=full)
    assert ended.returncode == 2
    assert ended.stderr.count("\n") == 1 and "Traceback" not in ended.stderr


@pytest.mark.parametrize("line, status", [("gpus", 0), ("gpus x", 2)])
def test_streams_that_the_caller_closed_are_nobody_reading(line, status):
    closed = subprocess.run(["bash", "-c", f"{sys.executable} -m simulator {line} >&-"], cwd=ROOT, capture_output=True,
                            text=True, timeout=120)
    assert closed.returncode == status and closed.stderr.count("\n") == bool(status)
    silent = subprocess.run(["bash", "-c", f"{sys.executable} -m simulator {line} 2>&-"], cwd=ROOT, capture_output=True,
                            text=True, timeout=120)
    assert silent.returncode == status and bool(silent.stdout) == (status == 0)


def test_an_interrupted_run_ends_quietly():
    command = [sys.executable, "-m", "simulator", *shlex.split(f"trace {FLASH2} --n 128 --json")]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) # as in a terminal
    process.stdout.readline()                             # it is printing, and waits for a reader
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (130, "")


def test_a_terminal_that_knows_few_characters_still_gets_its_table():
    ended = python(f"trace {FLASH2} --n 8 --values", env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert ended.returncode == 0 and ended.stderr == "" and "FlashAttention-2 ? N = 8" in ended.stdout


def test_help_is_there_for_every_command():
    for command in ("count", "compare", "sweep", "trace", "fit", "figure2", "gpus"):
        with pytest.raises(SystemExit) as ended:
            answer_to([command, "--help"])
        assert ended.value.code == 0
