"""The commands: each takes parsed flags and gives the lines to print."""

from dataclasses import asdict
from functools import partial

from ..cache import cabinet
from ..hardware import gpus as catalogue
from ..run import simulate
from . import answers, events, seconds, show
from . import figure2 as figure
from .formats import as_json, rows_as_csv, rows_as_json
from .options import (
    Parser,
    add_algorithm_option,
    add_desk_options,
    add_problem_options,
    add_sweep_options,
    asked,
    asked_desk,
    swept,
)
from .room import room

COMPARED = ("standard", "flash1", "flash2")


def answer_to(arguments):
    """The lines that answer a command line; raises SimulatorError."""
    flags = parser().parse_args(arguments)
    return flags.command(flags)


def parser():
    """The parser of every command and its flags."""
    top = Parser(prog="python -m simulator", description="Counts every byte attention moves between desk and cabinet.")
    commands = top.add_subparsers(metavar="command", required=True)
    add = partial(_add, commands)
    add(count, add_algorithm_option, add_problem_options, _flag("execute", "run it and count, instead of computing"),
        _flag("cabinet", "also model L2: the bytes that reach DRAM"), _flag("json", "one JSON object"))
    add(compare, add_problem_options, _flag("json", "one JSON object, an answer for each algorithm"))
    add(sweep, add_algorithm_option, add_problem_options, add_sweep_options, _add_row_formats)
    add(trace, add_algorithm_option, add_problem_options, _flag("values", "with m, l, a and rescale of the held rows"),
        _add_row_formats)
    add(time, add_algorithm_option, add_problem_options,
        _flag("cabinet", "DRAM bytes by the L2 model, instead of every tensor once a kernel"),
        _flag("json", "one JSON object"))
    add(fit, add_desk_options, _flag("json", "one JSON object"))
    add(figure2, _flag("json", "one JSON object"))
    add(gpus, _flag("json", "a JSON array"))
    return top


def count(flags):
    """Bytes and work of one algorithm, by closed form or in an executed run."""
    one = asked(flags)
    run = simulate(one.problem, one.tiling, one.gpu, one.algorithm, execute=flags.execute)
    shelf = cabinet(one.algorithm, one.problem, one.tiling, one.gpu) if flags.cabinet else None
    answer = answers.answer(one, run, shelf)
    return as_json(answer) if flags.json else show.count(one, answer)


def compare(flags):
    """Standard attention, FlashAttention and FlashAttention-2 side by side."""
    one = asked(flags)
    each = {name: answers.answer(one._replace(algorithm=name), _computed(one, name)) for name in COMPARED}
    return as_json(each) if flags.json else show.compare(one, each)


def sweep(flags):
    """One answer for each value of one size."""
    table = swept(flags)
    rows = answers.sweep(table)
    return _rows(flags, rows) or show.sweep(table, rows)


def trace(flags):
    """Every event of an executed run, in the order it happened."""
    one = asked(flags)
    recorded = events.CARD if flags.values else ()
    run = simulate(one.problem, one.tiling, one.gpu, one.algorithm, values=recorded, execute=True)
    rows = events.rows_with_card(run.events) if flags.values else events.rows(run.events)
    return _rows(flags, rows) or show.trace(one, run, rows)


def time(flags):
    """Seconds of every kernel by resource, between everything overlapped and nothing."""
    one = asked(flags)
    answer = seconds.answer(one, flags.cabinet)
    return as_json(answer) if flags.json else seconds.lines(one, answer)


def fit(flags):
    """What fits one SM, and the largest blocks."""
    one = asked_desk(flags)
    answer = room(one)
    return as_json(answer) if flags.json else show.fit(one.gpu, answer)


def figure2(flags):
    """Figure 2 of the first FlashAttention paper, rebuilt from counts beside its printed numbers."""
    return as_json(figure.answer()) if flags.json else figure.lines()


def gpus(flags):
    """The catalogue of GPUs, with sources."""
    answer = [asdict(spec) for spec in catalogue().values()]
    return as_json(answer) if flags.json else show.gpus(answer)


def _computed(one, algorithm):
    return simulate(one.problem, one.tiling, one.gpu, algorithm, execute=False)


def _rows(flags, rows):
    """Rows in the format that is asked for, None where a person reads."""
    return rows_as_csv(rows) if flags.csv else rows_as_json(rows) if flags.json else None


def _add(commands, command, *options):
    one = commands.add_parser(command.__name__, help=command.__doc__, description=command.__doc__)
    for add_options in options:
        add_options(one)
    one.set_defaults(command=command)


def _flag(name, words):
    return lambda one: one.add_argument(f"--{name}", action="store_true", help=words)


def _add_row_formats(one):
    formats = one.add_mutually_exclusive_group()
    formats.add_argument("--csv", action="store_true", help="comma-separated rows under a line of names")
    formats.add_argument("--json", action="store_true", help="a JSON array of rows")
