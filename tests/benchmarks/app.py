"""Times the app and prints every number beside its target; ends with status 1 when a target is missed.

    python -m tests.benchmarks.app                      all of it, about four minutes
    python -m tests.benchmarks.app --only slider        one of: first slider frames class
    python -m tests.benchmarks.app --only class --readers 40 --pause 0 --moves 5400    a class's hour without pauses

Nothing else should run on the machine: what did is printed as well, where Linux tells.
"""

import argparse
import json
import os
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.benchmarks import screen
from tests.benchmarks.classroom import percentiles
from tests.browser.launch import FLAGS, app_running, found_browser

STAGES = ("walk", "side-by-side", "workbench")
MEGABYTE = 10**6


def main():
    """Serve the app, take the measures asked for, print them; returns how many targets were missed."""
    asked = _asked()
    with app_running() as (address, server):
        subprocess.run(_class(address, readers=2, moves=3, pause=0, arrival=0), check=True, capture_output=True)
        print(f"{'measure':<58}{'measured':>16}   target")
        missed = sum(line(*row) for name in asked.only for row in MEASURES[name](address, server, asked))
    return missed


def line(what, measured, unit, target=None):
    """Print one measure beside its target (a largest value, or none); returns whether it was missed."""
    missed = target is not None and not measured <= target
    wanted = "" if target is None else f"≤ {target:,} {unit}   {'MISSED' if missed else 'met'}"
    print(f"{what:<58}{f'{measured:,.4g} {unit}':>16}   {wanted}", flush=True)
    return missed


def first(address, server, asked):
    """From the address to the first picture, in fresh browser profiles and a server that is warm."""
    with _chromium() as browser:
        seconds = screen.first_page(browser, f"{address}/walk?lang=en", 5)
    yield "first page of a warm server, median of 5", percentiles(seconds)["p50"], "ms", 2000


def slider(address, server, asked):
    """From an arrow key on a slider to the new picture, on every page with a stage."""
    for path in STAGES:
        with _chromium() as browser:
            page = screen.opened(browser, f"{address}/{path}?lang=en")
            found = percentiles(screen.slider_to_picture(page, asked.presses))
        yield f"{path}: slider to new picture, p50 of {asked.presses}", found["p50"], "ms"
        yield f"{path}: slider to new picture, p95", found["p95"], "ms", 80


def frames(address, server, asked):
    """The stage's frames while it plays."""
    for path in STAGES:
        with _chromium() as browser:
            page = screen.opened(browser, f"{address}/{path}?lang=en")
            gaps, longs = screen.frames_while_playing(page, asked.seconds)
        found = percentiles(gaps)
        yield f"{path}: frame to frame while playing, p50", found["p50"], "ms", 17
        yield f"{path}: frame to frame while playing, p95", found["p95"], "ms", 20
        yield f"{path}: tasks over 50 ms while playing", len(longs), "", 0


def class_(address, server, asked):
    """A whole class moving sliders: latency, errors, wrong answers, and the server's memory from start to end."""
    with _watched(server) as memory:
        busy = _machine_s(), _process_s(server.pid)
        start = time.perf_counter()
        command = _class(address, asked.readers, asked.moves, asked.pause, asked.arrival)
        found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        spent = time.perf_counter() - start
    moves = found["moves"]
    who = f"{asked.readers} readers, a move every {asked.pause:g} s"
    yield f"{asked.readers} arrive within {asked.arrival:g} s: page to last word, p95", found["opened_ms"]["p95"], "ms"
    yield f"{who}: moves answered", moves, ""
    for share, target in (("p50", None), ("p95", 500), ("p99", None)):
        yield f"{who}: move to answer, {share}", found["moved_ms"][share], "ms", target
    yield "errors", found["errors"], "", 0
    yield "wrong answers", found["wrong"], "", 0
    yield "sent to each reader per move", found["received_bytes"] / moves / 1000, "kB"
    yield "server's processor time per move", 1000 * (_process_s(server.pid) - busy[1]) / moves, "ms"
    yield "machine busy, all processes", 100 * (_machine_s() - busy[0]) / spent / os.cpu_count(), "%"
    halfway, end = (memory[int(len(memory) * share)] / MEGABYTE for share in (0.5, 0.9))
    yield "server's memory half-way", halfway, "MB"
    yield "server's memory near the end", end, "MB", 1000
    yield "grown since half-way", end - halfway, "MB", 20
    for example in found["examples"]:
        print("   ", example)


MEASURES = {"first": first, "slider": slider, "frames": frames, "class": class_}


def _class(address, readers, moves, pause, arrival):
    return [sys.executable, "-m", "tests.benchmarks.classroom", address, f"--readers={readers}", f"--moves={moves}",
            f"--pause={pause}", f"--arrival={arrival}"]


@contextmanager
def _chromium():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found_browser(), args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def _watched(server, every_s=1.0):
    """The server's resident bytes, sampled every second while the block runs."""
    samples, over = [_resident(server.pid)], threading.Event()

    def watch():
        while not over.wait(every_s):
            samples.append(_resident(server.pid))

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    yield samples
    over.set()
    watcher.join()
    samples.append(_resident(server.pid))


def _resident(pid):
    """Bytes of memory a process holds, as `ps` tells (Linux, macOS)."""
    return 1024 * int(subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True).stdout or 0)


def _process_s(pid):
    """Processor seconds a process has used; 0 where there is no /proc."""
    stat = Path(f"/proc/{pid}/stat")
    fields = stat.read_text().rsplit(")", 1)[1].split() if stat.exists() else ["0"] * 13
    return (int(fields[11]) + int(fields[12])) / 100


def _machine_s():
    """Processor seconds the whole machine has been busy; 0 where there is no /proc."""
    stat = Path("/proc/stat")
    fields = [int(field) for field in stat.read_text().split("\n")[0].split()[1:9]] if stat.exists() else [0] * 8
    return (sum(fields) - fields[3] - fields[4]) / 100


def _asked():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=MEASURES, default=list(MEASURES))
    parser.add_argument("--presses", type=int, default=60, help="slider moves on each page")
    parser.add_argument("--seconds", type=float, default=5, help="seconds each stage plays")
    parser.add_argument("--readers", type=int, default=300)
    parser.add_argument("--pause", type=float, default=5, help="seconds from move to move of one reader")
    parser.add_argument("--moves", type=int, default=14, help="moves of each reader")
    parser.add_argument("--arrival", type=float, default=20, help="seconds in which the class arrives")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
