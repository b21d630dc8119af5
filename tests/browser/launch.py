"""What a test in a browser starts: a Chromium that is found, not assumed, and the app on a port of its own."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
NAMES = (
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)
FLAGS = ("--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
         "--disable-component-update --disable-sync").split()
PATIENCE_S = 60


def found_browser() -> str | None:
    """Return the path of a Chromium: CHROMIUM, on the PATH, or where it is usually installed; else None."""
    wanted = os.environ.get("CHROMIUM")
    return wanted or next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def app_running():
    """The app served on a free port, as (its address, its process)."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true",
               "--server.address=127.0.0.1", f"--server.port={port}", "--server.fileWatcherType=none"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        _wait(f"{address}/_stcore/health", process)
        yield address, process
    finally:
        process.terminate()
        process.wait(10)


def _wait(address, process):
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end and process.poll() is None:
        try:
            if urllib.request.urlopen(address, timeout=2).status == 200:
                return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(f"the app did not answer at {address} within {PATIENCE_S} s")
