"""Clock, power and heat of a GPU while something runs on it, as nvidia-smi says; nothing on the GPU is set."""

import subprocess
from bisect import bisect_left, bisect_right
from itertools import chain
from statistics import median
from threading import Thread
from time import monotonic
from typing import NamedTuple

PERIOD_MS = 20
QUERIED = "clocks.sm,power.draw.instant,temperature.gpu"
PATIENCE_S = 2                          # how long nvidia-smi may take to end once it is asked to


class Reading(NamedTuple):
    """SM clock in MHz, power of the card in W, its temperature in °C; None for what was not said."""

    mhz: float | None = None
    watts: float | None = None
    celsius: float | None = None


def watching(gpu):
    """The command that says clock, power and temperature of a GPU (its index or UUID), a line every PERIOD_MS.

    stdbuf sees to it that a line comes when it is said: a moment is known by its coming.
    """
    return ["stdbuf", "-oL", "nvidia-smi", f"--query-gpu={QUERIED}", "--format=csv,noheader,nounits",
            "-lms", str(PERIOD_MS), "-i", str(gpu)]


class Meter:
    """Keeps what a watching command says while open, each line with the moment of time.monotonic at which it came."""

    def __init__(self, command):
        self._command, self._samples, self._process = command, [], None

    def __enter__(self):
        try:
            self._process = subprocess.Popen(self._command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                             stderr=subprocess.DEVNULL, text=True, bufsize=1)
        except OSError:                                   # no nvidia-smi: there is nothing to keep
            return self
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()
        return self

    def __exit__(self, *_):
        if not self._process:
            return
        self._process.terminate()
        try:
            self._process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join(PATIENCE_S)

    def _read(self):
        for line in self._process.stdout:
            self._samples.append((monotonic(), reading(line)))

    def median(self, *spans):
        """The Reading in the middle of those that came within `spans`, pairs of moments of time.monotonic."""
        samples = self._samples[:]
        within = list(chain.from_iterable(_between(samples, *span) for span in spans))
        return Reading(*(_middle(said) for said in zip(*within, strict=True)))


def reading(line):
    """The Reading in a line of nvidia-smi: "1980, 641.30, 58"; None for each field that is no number."""
    fields = [_number(field) for field in line.split(",")]
    return Reading(*fields) if len(fields) == len(Reading._fields) else Reading()


def _between(samples, start, end):
    first, last = (cut(samples, moment, key=lambda sample: sample[0])
                   for cut, moment in ((bisect_left, start), (bisect_right, end)))
    return (said for _, said in samples[first:last])


def _middle(values):
    there = [value for value in values if value is not None]
    return median(there) if there else None


def _number(field):
    try:
        return float(field)
    except ValueError:
        return None
