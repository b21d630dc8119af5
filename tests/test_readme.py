"""The README: what it shows is what one gets, and what it names is there."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from lessons import PAGES
from simulator import Problem, Tiling, accounting, gpu
from simulator.cache import cabinet

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PYTHON = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", README, re.DOTALL)
CONSOLE = re.findall(r"```console\n\$ (.*?)\n(.*?)```", README, re.DOTALL)
LARGEST_PICTURE = 400_000               # bytes


def printed(*command):
    """What a command prints, run in the repository's root."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=True)
    return [line.rstrip() for line in done.stdout.splitlines()]


@pytest.mark.parametrize("code, shown", PYTHON)
def test_the_python_example_prints_what_stands_below_it(code, shown):
    assert printed(sys.executable, "-X", "utf8", "-c", code) == shown.splitlines()


@pytest.mark.parametrize("command, shown", CONSOLE)
def test_a_command_prints_what_stands_below_it(command, shown):
    assert command.startswith("python -m simulator ")
    assert printed(sys.executable, "-X", "utf8", *shlex.split(command)[1:]) == shown.splitlines()


def test_there_is_an_example_of_each_kind():
    assert PYTHON and CONSOLE


def test_the_three_rulers_ratios_are_those_of_the_configuration_named_below_them():
    problem, tiling = Problem(n=4096, d=128, heads=16), Tiling(br=128, bc=128)
    standard, tiled = (accounting.cost(name, problem, tiling) for name in ("standard", "flash2"))
    far, near = (cabinet(name, problem, tiling, gpu("h200")) for name in ("standard", "flash2"))
    assert column("paper") == f"{standard.paper.total / tiled.paper.total:.1f}"
    assert column("desk") == f"{standard.desk.total / tiled.desk.total:.1f}"
    assert column("cabinet") == f"{(far.read + far.write) / (near.read + near.write):.0f}"


def column(ruler):
    """The last column of a ruler's row."""
    return re.search(rf"^\| \*\*{ruler}\*\* .*\| ([\d.]+)[^|]*\|$", README, re.MULTILINE).group(1)


def test_the_pages_it_names_stand_in_the_order_of_the_app():
    named = re.findall(r"^\| `/([a-z-]+)` \|", README, re.MULTILINE)
    assert named == [page.path for page in PAGES if page.path in named] != []


def test_every_place_it_links_to_is_there():
    links = [link for link in re.findall(r'(?:\]\(|srcset="|src=")([^)"]+)', README) if "://" not in link]
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_every_module_of_the_simulator_folder_on_the_map_is_beside_its_neighbours():
    named = re.findall(r"^\| (\[.*?) \|", README, re.MULTILINE)
    assert {row.split("`")[1].split("/")[0] for row in named} >= {"simulator", "kernels", "lessons", "tests"}


def test_its_pictures_are_small():
    pictures = {ROOT / name for name in re.findall(r'(?:srcset|src)="([^"]+)"', README)}
    assert pictures
    assert all(picture.stat().st_size < LARGEST_PICTURE for picture in pictures)
