"""python -m lessons: a sweep as a picture, the ledger of claims as a table, a worksheet, the take-home site."""

import shlex
import sys
from pathlib import Path

from lessons import sweeps
from lessons.claims import export as ledger
from lessons.teach import files
from lessons.text import LANGUAGES, label
from lessons.views import export
from lessons.views.chart import Axis, Chart
from lessons.views.fonts import drawable
from simulator.cli.formats import rows_as_csv
from simulator.cli.guard import guarded
from simulator.cli.options import (
    Parser,
    Swept,
    add_algorithm_option,
    add_problem_options,
    add_sweep_options,
    number,
    require,
    swept,
)
from simulator.errors import BadProblem, UnknownName
from simulator.problem import Problem

WIDE = 4                                                # from this ratio on, an axis doubles or multiplies


def parser() -> Parser:
    """The parser of every command: `chart` has the flags of the simulator's `sweep`, and --out."""
    top = Parser(prog="python -m lessons", description="What the simulator counts, as pictures and tables.")
    commands = top.add_subparsers(metavar="command", required=True)
    one = _command(commands, chart)
    _add_lang(one)
    for add in (add_algorithm_option, add_problem_options, add_sweep_options):
        add(one)
    one.add_argument("--out", metavar="FILE", help=f"the picture, its kind by its ending: {_endings()}")
    one = _command(commands, claims)
    _add_lang(one)
    one.add_argument("--csv", action="store_true", help="comma-separated rows under a line of names")
    one = _command(commands, worksheet)
    _add_lang(one)
    one.add_argument("--seed", metavar="S", default="1", help="draws the numbers (default: 1)")
    one.add_argument("--out", metavar="FILE", help=f"the file, its kind by its ending: {_endings(files.KINDS)}")
    one = _command(commands, export_site)
    one.add_argument("dir", metavar="DIR", help="the folder to write, made where it is missing")
    return top


def chart(flags, line: str):
    """The bytes an algorithm moves on both rulers over one size, drawn into a file."""
    kind = _kind(flags, export.PICTURES)
    yield _written(flags, export.file(drawn(swept(flags), flags.lang, line), kind))


def claims(flags, line: str):
    """What is said about attention, each claim with its verdict and its number recomputed."""
    yield from rows_as_csv(ledger.rows(flags.lang)) if flags.csv else ledger.lines(flags.lang)


def worksheet(flags, line: str):
    """Tasks to work by hand, drawn from a seed, with their answers, into a file to print."""
    kind, seed = _kind(flags, files.KINDS), Problem(n=1, d=1, seed=number(flags.seed)).seed
    yield _written(flags, files.file(flags.lang, seed, kind))


def export_site(flags, line: str):
    """Scenes of the stage as pages that play without a network, and an index in three languages, into a folder."""
    from streamlit.logger import set_log_level
    set_log_level("error")                              # it has no server here, and need not say so
    if not flags.dir:
        raise BadProblem(name="dir", asked="''", possible="the name of a folder", remedy="give one; . is this folder")
    from lessons import site  # the app's frame comes with it, which no other command needs
    made = {Path(flags.dir) / name: page.encode() for name, page in site.files().items()}
    try:
        for path, content in made.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    except OSError as refused:
        raise BadProblem(name="dir", asked=repr(flags.dir), remedy="name such a folder",
                         possible=f"a folder that may be made and written ({refused.strerror})") from None
    yield f"{Path(flags.dir) / 'index.html'}: {len(made):,} files, {sum(map(len, made.values())):,} B"


def drawn(asked: Swept, lang: str, line: str) -> Chart:
    """The chart of a sweep: the algorithm on both rulers, and Q, K, V, O once each beneath."""
    values = tuple(sorted(set(asked.values)))
    first = asked.asked[0]
    if first.algorithm not in sweeps.MARKER:
        raise UnknownName(kind="chart of", asked=first.algorithm, possible=", ".join(sweeps.MARKER))
    sweep = sweeps.Sweep(first.problem, first.tiling, asked.vary, values)
    rulers = ("paper", "desk")
    series = (*sweeps.lines({first.algorithm: sweep.cost(first.algorithm)}, rulers, len(values), lang),
              sweeps.floor_line(sweep.floor(), lang))
    numbers = [value for one in series for value in one.values]
    named = " + ".join(label(f"ruler.{ruler}", lang) for ruler in rulers)
    return Chart(
        title=label("chart.over", lang, what=label(f"chart.{first.algorithm}", lang)),
        x=Axis(label(f"field.{asked.vary}", lang), scale="log2" if values[-1] >= WIDE * values[0] else "linear"),
        y=Axis(f"{label('chart.bytes', lang)} · {named}", "B",
               "log10" if max(numbers) >= WIDE * min(numbers) else "linear"),
        xs=values, series=series, lang=lang, link=drawable(line, lang),
        caption=(sweeps.configuration(first.problem, first.tiling, lang, **{asked.vary: sweeps.ends(values)}),
                 named, label("tag.computed", lang), sweeps.today()),
        file=sweeps.file_name((first.algorithm,), first.problem, first.tiling,
                              **{asked.vary: f"{values[0]}-{values[-1]}"}))


def answer_to(arguments: list[str]):
    """The lines that answer a command line; raises SimulatorError and OSError."""
    flags = parser().parse_args(arguments)
    if getattr(flags, "lang", "en") not in LANGUAGES:
        raise UnknownName(kind="language", asked=flags.lang, possible=", ".join(LANGUAGES))
    return flags.command(flags, shlex.join(["python", "-m", "lessons", *arguments]))


def _command(commands, command):
    """A command that is called as its function is."""
    one = commands.add_parser(command.__name__.replace("_", "-"), help=command.__doc__, description=command.__doc__)
    one.set_defaults(command=command)
    return one


def _add_lang(one):
    one.add_argument("--lang", metavar="L", default="en", help=f"one of {', '.join(LANGUAGES)} (default: en)")


def _kind(flags, kinds: tuple[str, ...]) -> str:
    """The kind of file that --out names by its ending."""
    require(vars(flags), "out")
    kind = Path(flags.out).suffix.lower().removeprefix(".")
    if kind not in kinds:
        raise BadProblem(name="out", asked=repr(flags.out), possible=f"a file that ends in {_endings(kinds)}",
                         remedy="give it one of these endings")
    return kind


def _written(flags, content: bytes) -> str:
    """Writes the file of --out; the line that says so."""
    try:
        Path(flags.out).write_bytes(content)
    except OSError as refused:
        raise BadProblem(name="out", asked=repr(flags.out), remedy="name such a file",
                         possible=f"a file in a folder that is there and may be written ({refused.strerror})") from None
    return f"{flags.out}: {len(content):,} B"


def _endings(kinds: tuple[str, ...] = export.PICTURES) -> str:
    return ", ".join(f".{kind}" for kind in kinds)


if __name__ == "__main__":
    sys.exit(guarded(answer_to, sys.argv[1:]))
