"""Timings made here and now: `python -m kernels bench` in a process of its own, once for everybody who asks."""

import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

import streamlit as st

from lessons import measured

DRIVER = Path("/proc/driver/nvidia/version")
ROOT = Path(__file__).parents[2]


def possible() -> bool:
    """Whether this machine has a GPU's driver, PyTorch and Triton; imports neither."""
    return DRIVER.exists() and all(find_spec(name) for name in ("torch", "triton"))


@st.cache_resource
def stopwatch():
    """The one Stopwatch of this server: a GPU that times two things at once times neither."""
    return Stopwatch([sys.executable, "-m", "kernels", "bench", "--out"])


class Stopwatch:
    """Runs a command that writes a file of timings, and knows how far it is."""

    def __init__(self, command):
        self._command, self._process = command, None
        self._folder = tempfile.TemporaryDirectory()
        self._file = Path(self._folder.name) / "live-bench.json"

    def start(self):
        """Begin, unless it runs already."""
        if self.state != "running":
            self._file.unlink(missing_ok=True)
            self._process = subprocess.Popen([*self._command, str(self._file)], cwd=ROOT, stdout=subprocess.DEVNULL,
                                             stderr=subprocess.DEVNULL)

    @property
    def state(self) -> str:
        """One of "idle", "running", "done", "failed"."""
        if self._process is None:
            return "idle"
        if self._process.poll() is None:
            return "running"
        return "done" if self._file.exists() else "failed"

    def bench(self) -> measured.Bench:
        """The timings, once it is done."""
        return measured.bench(self._file)
