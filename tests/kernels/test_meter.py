"""What a GPU's clock and power are said to be while something runs, and that nothing waits where nobody says so."""

import sys
from shutil import which
from time import monotonic, sleep

import pytest

from kernels.meter import Meter, Reading, reading, watching

NOTHING = Reading(None, None, None)


def saying(program):
    """A command that runs a Python program in nvidia-smi's place."""
    return [sys.executable, "-u", "-c", program]


SLOW_THEN_FAST = """
import time
for clock in [1200] * 10 + [1980] * 2000:
    print(f"{clock}, {clock / 3:.2f}, 60"); time.sleep(0.01)
"""


def test_a_line_holds_clock_power_and_temperature():
    assert reading("1980, 641.30, 58\n") == Reading(1980, 641.3, 58)


@pytest.mark.parametrize("line, read", [
    ("1980, [N/A], 58", Reading(1980, None, 58)), ("", NOTHING), ("No devices were found", NOTHING),
    ("1980, 641.30", NOTHING)], ids=str)
def test_what_is_no_number_is_nothing(line, read):
    assert reading(line) == read


def test_the_median_is_of_the_readings_between_two_moments():
    with Meter(saying(SLOW_THEN_FAST)) as meter:
        while meter.median((0, monotonic())).mhz != 1980:
            sleep(0.02)
        start = monotonic()
        sleep(0.1)
        assert meter.median((start, monotonic())) == Reading(1980, 660, 60)
    first = min(moment for moment, _ in meter._samples)
    assert meter.median((first, first + 0.02)).mhz == 1200
    assert meter.median((first, first + 0.02), (start, monotonic())).mhz == 1980
    assert meter.median((0, first - 1)) == meter.median() == NOTHING


@pytest.mark.parametrize("command", [
    ["no-such-nvidia-smi"], watching(0) if not which("nvidia-smi") else ["none"], saying("raise SystemExit(9)"),
    saying("print('1980, 641.3')")], ids=["none", "no driver", "dead", "odd"])
def test_where_nobody_says_anything_there_is_nothing_and_no_waiting(command):
    start = monotonic()
    with Meter(command) as meter:
        sleep(0.3)
        assert meter.median((start, monotonic())) == NOTHING
    assert monotonic() - start < 3


@pytest.mark.parametrize("program", [
    "import time; time.sleep(60)", "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('x');"
    "time.sleep(60)"], ids=["silent", "stubborn"])
def test_the_watching_command_is_always_ended(program):
    start = monotonic()
    with pytest.raises(ZeroDivisionError), Meter(saying(program)) as meter:
        sleep(0.5)
        raise ZeroDivisionError
    assert meter._process.returncode is not None
    assert monotonic() - start < 6


def test_nvidia_smi_is_only_asked():
    assert watching("GPU-12ab") == [
        "stdbuf", "-oL", "nvidia-smi", "--query-gpu=clocks.sm,power.draw.instant,temperature.gpu",
        "--format=csv,noheader,nounits", "-lms", "20", "-i", "GPU-12ab"]
