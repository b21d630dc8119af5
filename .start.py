"""Start the app or the tests on a bare Python 3.11: makes .venv beside this file, fills it, runs in it.

    python3 .start.py app   [options of `streamlit run`]
    python3 .start.py tests [options of `pytest`]
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

HOUSE = Path(__file__).resolve().parent
VENV = HOUSE / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
TASKS = {
    "app": ("requirements.txt", ("streamlit", "run", "app.py")),
    "tests": ("requirements-dev.txt", ("pytest",)),
}


def main(task="", *options):
    """Run a task with its options in the environment; returns its exit status."""
    if sys.version_info < (3, 11):      # noqa: UP036
        return f"Python {sys.version.split()[0]} runs this; Desk and Cabinet needs 3.11 or newer."
    if task not in TASKS:
        return __doc__
    requirements, command = TASKS[task]
    if not shutil.which("pip", path=BIN):
        print("Making .venv and filling it: a minute or two, this once.", flush=True)
        run(sys.executable, "-m", "venv", VENV)
    run(BIN / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements)
    run(BIN / "python", "-m", *command, *options)
    return 0


def run(*command):
    """Run a command in the house; when it fails, end with its exit status."""
    status = subprocess.call(command, cwd=HOUSE)
    if status:
        sys.exit(status)


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
