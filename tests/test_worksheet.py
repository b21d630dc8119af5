"""Worksheets: drawn from a seed, solved by the simulator, printed as PDF and HTML in three languages."""

import io
import re
import subprocess
import sys
from html.parser import HTMLParser
from itertools import pairwise
from math import exp
from random import Random
from urllib.parse import parse_qsl

import pytest

from lessons import PAGES, settings, text
from lessons.__main__ import answer_to
from lessons.teach import files, paper, plan
from lessons.teach import sheet as sheets
from lessons.teach.sheet import sheet
from simulator import Problem, Tiling, accounting
from simulator.errors import BadProblem, UnknownName

SEEDS = range(30)
every_language = pytest.mark.parametrize("lang", text.LANGUAGES)
KINDS = {page.path: page.module.FIELDS for page in PAGES}


def lands(link):
    """What a scene's address opens, and the notes about what was odd in it."""
    path, _, query = link.partition("?")
    asked = {name: value for name, value in parse_qsl(query) if name not in ("lang", "present")}
    return settings.read(asked, KINDS[path])


class Slips(Random):
    """Dice that draw the slips under the lamp, all worth two."""

    def sample(self, options, k):
        return [7, 4, 3, 9]

    def randint(self, low, high):
        return 1


def test_the_slips_under_the_lamp_solve_as_told():
    task = sheets.card(Slips(), sheets._sayer("en"))
    three = 1 + exp(-3) + exp(-4)
    sums = ["1.000", f"{1 + exp(-3):.3f}", f"{three:.3f}", f"{three * exp(-2) + 1:.3f}"]
    assert [row[4] for row in task.solved[:4]] == sums
    assert task.solved[3][3] == f"{exp(-2):.3f}" and task.solved[4][5] == "2.000"


@pytest.mark.parametrize("seed", SEEDS)
def test_the_tiles_add_up_to_the_closed_form_and_the_bytes_are_the_simulators(seed):
    made = sheet("en", seed)
    found, _ = lands(made.tasks[2].scene)
    moves = accounting.cost("flash2", found.problem(), found.tiling()).tile_moves
    assert made.tasks[2].solved[-1][3] == f"{moves:,}"
    found, _ = lands(made.tasks[3].scene)
    n, d, br = found.n, found.d, found.br
    (_, standard, desk, least), (_, tiled, tiled_desk, _) = made.tasks[3].solved
    assert standard == f"{2 * (4 * n * n + 4 * n * d):,}" and tiled == f"{2 * (2 * n * d + 2 * n * n * d // br):,}"
    assert least == f"{2 * 4 * n * d:,}" and tiled == tiled_desk
    assert desk == f"{accounting.cost('standard', Problem(n=n, d=d), Tiling(br, br)).desk.total:,}"


@pytest.mark.parametrize("seed", SEEDS)
def test_blanks_are_left_to_fill_in_and_every_one_has_its_answer(seed):
    for task in sheet("en", seed).tasks:
        assert len(task.rows) == len(task.solved)
        assert {len(row) for row in (*task.rows, *task.solved)} == {len(task.head)}
        blanks = [(given, answer) for left, right in zip(task.rows, task.solved, strict=True)
                  for given, answer in zip(left, right, strict=True) if given != answer]
        assert blanks and all(given == "" and answer not in ("", "·") for given, answer in blanks)


def test_a_seed_draws_the_same_numbers_in_every_language_and_another_seed_others():
    numbers = {lang: [re.findall(r"[\d.,]+", " ".join(cell for row in task.solved for cell in row if "v2" not in cell))
                      for task in sheet(lang, 7).tasks] for lang in text.LANGUAGES}
    assert numbers["en"] == numbers["zh-Hans"] == numbers["zh-Hant"]
    assert sheet("en", 7) == sheet("en", 7) and len({sheet("en", seed).tasks for seed in SEEDS}) == len(SEEDS)


def test_every_scene_of_a_worksheet_and_of_the_plan_opens_as_it_is_written():
    scenes = [task.scene for seed in SEEDS for task in sheet("en", seed).tasks]
    links = [step.link(lang, present) for step in plan.STEPS for lang in text.LANGUAGES for present in (False, True)]
    assert {link: lands(link)[1] for link in (*scenes, *links)} == dict.fromkeys((*scenes, *links), ())


@pytest.mark.parametrize("length", plan.LENGTHS)
def test_the_plan_fills_its_minutes_without_a_gap_and_every_part_has_its_words(length):
    parts = plan.plan(length)
    assert parts[0][0] == 0 and parts[-1][1] == length
    assert all(before[1] == after[0] for before, after in pairwise(parts))
    assert all(text.section("teach", step.name, lang) for _, _, step in parts for lang in text.LANGUAGES)


@every_language
def test_a_pdf_has_the_tasks_the_answers_and_every_character(lang):
    pypdf = pytest.importorskip("pypdf")
    for seed in (1, 7):
        pages = pypdf.PdfReader(io.BytesIO(files.file(lang, seed, "pdf"))).pages
        said = "".join(page.extract_text() for page in pages).replace("\n", "")
        made = sheet(lang, seed)
        assert len(pages) >= 2 and all(said.count(task.title) == 2 for task in made.tasks)
        assert made.tasks[3].solved[0][2] in said
    assert files.file(lang, 7, "pdf") == files.file(lang, 7, "pdf")


@every_language
def test_a_page_of_html_asks_nobody_for_anything_and_shows_answers_after_the_tasks(lang):
    page = files.file(lang, 7, "html").decode()
    assert f'lang="{lang}"' in page and not re.search(r"(src|href)=|url\(|@import|<script", page)
    tasks, answers = page.split("<section>")[1:]
    answer = sheet(lang, 7).tasks[3].solved[0][2]
    assert answer not in tasks and answer in answers
    HTMLParser().feed(page)


def test_lines_of_a_paragraph_fit_the_page_and_lose_nothing():
    for words in ("word " * 60, "字，" * 90):
        lines = paper.wrapped(words.strip(), paper.TEXT)
        assert len(lines) > 1 and "".join(lines).replace(" ", "") == words.replace(" ", "")
        assert not any(line.startswith("，") for line in lines)


# The command line


def test_the_command_writes_the_file_and_says_so(tmp_path):
    out = tmp_path / "sheet.html"
    said = list(answer_to(["worksheet", "--lang", "zh-Hant", "--seed", "7", "--out", str(out)]))
    assert said == [f"{out}: {out.stat().st_size:,} B"]
    assert out.read_bytes() == files.file("zh-Hant", 7, "html")


@pytest.mark.parametrize("asked, error, says", [
    ("--out sheet.docx", BadProblem, ".pdf, .html"), ("--seed x --out s.pdf", BadProblem, "seed = 'x'"),
    ("--seed -1 --out s.pdf", BadProblem, "seed"), ("--lang fr --out s.pdf", UnknownName, "zh-Hant"),
    ("--out /nowhere/at/all/s.html", BadProblem, "a file in a folder that is there"),
])
def test_a_mistake_is_told_in_one_line(asked, error, says):
    with pytest.raises(error, match=re.escape(says)):
        list(answer_to(["worksheet", *asked.split()]))


def test_a_mistake_ends_with_exit_code_2_and_no_traceback():
    done = subprocess.run([sys.executable, "-m", "lessons", "worksheet"], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1
