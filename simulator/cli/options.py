"""The flags of the command line, and what they ask for."""

import argparse
import re
from typing import NamedTuple

from ..accounting import FORMS
from ..errors import BadCommand, BadProblem, Missing
from ..hardware import GPUSpec, gpu
from ..problem import DTYPES, PASSES, Problem, Tiling

REQUIRED = ("n", "d", "br", "bc")
VARIES = ("n", "n-kv", "d", "br", "bc", "heads")
TAKERS = {                              # flags that only these algorithms take, and what the others do instead
    "passes": (("standard",), "files no table to pass over"),
    "splits": (("split_kv",), "does not deal its keys to several thread blocks"),
    "pack_gqa": (("decode", "split_kv"), "has a thread block for every query head")}


class Asked(NamedTuple):
    """What the flags ask for; `algorithm` is None where a command takes all of them."""

    algorithm: str | None
    problem: Problem
    tiling: Tiling
    gpu: GPUSpec


class Swept(NamedTuple):
    """One size that varies: its name as a field ("n_kv"), its values, and what is asked at each."""

    vary: str
    values: tuple[int, ...]
    asked: tuple[Asked, ...]


class Parser(argparse.ArgumentParser):
    """argparse that raises BadCommand, one line, where it would print its usage and exit."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, allow_abbrev=False, **options)
        self.register("action", None, _Once)
        self.register("action", "store_true", _Switch)

    def error(self, message):
        """Raise BadCommand with argparse's message and the flag's use, or all the flags there are."""
        actions = [action for action in self._actions if action.dest != "help"]
        meant = [a for a in actions if message.startswith(f"argument {'/'.join(a.option_strings)}:")]
        possible = ", ".join(_use(action) for action in meant or actions)
        raise BadCommand(command=self.prog, asked=message, possible=possible)

    def parse_known_args(self, args=None, namespace=None):
        """As argparse's, but a command refuses what it does not know itself, naming its own flags."""
        flags, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unknown: {' '.join(unknown)}")
        return flags, unknown


class _Once(argparse.Action):
    """Store a flag's value; a flag given twice is a mistake."""

    def __call__(self, parser, flags, value, option_string=None):
        given = vars(flags).setdefault("given", set())
        if self.dest in given:
            parser.error(f"{option_string} is given twice")
        given.add(self.dest)
        setattr(flags, self.dest, value)


class _Switch(_Once):
    """A flag without a value, off where it is not given."""

    def __init__(self, option_strings, dest, **options):
        super().__init__(option_strings, dest, nargs=0, const=True, default=False, **options)

    def __call__(self, parser, flags, value, option_string=None):
        super().__call__(parser, flags, self.const, option_string)


def add_algorithm_option(parser):
    """Add --algorithm, and the flags that only some of them take; `asked` reads them."""
    add = parser.add_argument
    add("--algorithm", metavar="A", help=f"one of {', '.join(FORMS)}")
    add("--splits", metavar="S", default="1", help="split_kv: thread blocks that share the keys of a head (default: 1)")
    add("--pack-gqa", action="store_true", help="decode, split_kv: one thread block serves a group of query heads")


def add_problem_options(parser):
    """Add the flags of the problem, the blocks and the GPU; `asked` reads them."""
    add = parser.add_argument
    add("--n", metavar="N", help="query rows, and keys unless --n-kv is given")
    add("--n-kv", metavar="N", help="keys and values (default: n)")
    add("--br", metavar="B", help="query rows of a block")
    add("--bc", metavar="B", help="keys of a block")
    add_desk_options(parser)
    add("--batch", metavar="B", default="1", help="(default: 1)")
    add("--heads", metavar="H", default="1", help="query heads (default: 1)")
    add("--kv-heads", metavar="H", help="K/V heads, a divisor of heads (default: heads)")
    add("--causal", action="store_true", help="no query sees a later key: the right window is 0")
    add("--window", metavar=("L", "R"), nargs=2, default=("-1", "-1"),
        help="keys seen left and right of the diagonal, -1: unlimited (default: -1 -1)")
    add("--lse", action="store_true", help="flash2 writes the logsumexp L, as training needs it")
    add("--passes", metavar="P,P", help=f"extra N² passes of standard, from {','.join(PASSES)}")
    add("--seed", metavar="S", default="0", help="of the inputs of an executed run (default: 0)")


def add_desk_options(parser):
    """Add the flags that decide what fits a desk."""
    add = parser.add_argument
    add("--d", metavar="D", help="width of a head")
    add("--dtype", metavar="T", default="fp16", help=f"one of {', '.join(DTYPES)} (default: fp16)")
    add("--stages", metavar="S", default="1", help="buffers of each tile that streams by (default: 1)")
    add("--gpu", metavar="G", default="h200", help="a name of `python -m simulator gpus` (default: h200)")


def add_sweep_options(parser):
    """Add --vary and --values; `swept` reads them with the rest."""
    parser.add_argument("--vary", metavar="SIZE", help=f"one of {', '.join(VARIES)}")
    parser.add_argument("--values", metavar="V,V,V", help="the values it takes, with commas between")


def asked(flags, **sizes):
    """The Asked of parsed flags, `sizes` in place of the flags of those names; raises SimulatorError."""
    given = {**vars(flags), **sizes}
    require(given, *(name for name in ("algorithm", *REQUIRED) if name in given))
    _refuse_strangers(given)
    problem = Problem(
        causal=flags.causal, lse=flags.lse, dtype=flags.dtype, passes=_passes(flags),
        window=tuple(number(side) for side in flags.window),
        **{name: number(given[name]) for name in ("n", "n_kv", "d", "batch", "heads", "kv_heads", "seed")})
    tiling = Tiling(pack_gqa=given.get("pack_gqa", False), splits=number(given.get("splits", "1")),
                    **{name: number(given[name]) for name in ("br", "bc", "stages")})
    return Asked(given.get("algorithm"), problem, tiling, gpu(flags.gpu))


def asked_desk(flags):
    """The Asked of a command that needs no sequence: its d, dtype, stages and GPU count."""
    require(vars(flags), "d")
    return Asked(None, Problem(n=1, d=number(flags.d), dtype=flags.dtype), Tiling(1, 1, number(flags.stages)),
                 gpu(flags.gpu))


def swept(flags):
    """The Swept of parsed flags with --vary and --values; raises SimulatorError."""
    require(vars(flags), "vary", "values")
    if flags.vary not in VARIES:
        raise BadProblem(name="vary", asked=repr(flags.vary), possible=f"one of {', '.join(VARIES)} varies",
                         remedy="name one of them")
    name = flags.vary.replace("-", "_")
    each = tuple(asked(flags, **{name: value}) for value in flags.values.split(","))
    return Swept(name, tuple(number(value) for value in flags.values.split(",")), each)


def require(given, *names):
    """Raise Missing unless each of these flags has a value."""
    missing = [f"--{name.replace('_', '-')}" for name in names if given[name] is None]
    if missing:
        raise Missing(asked=", ".join(missing), possible=", ".join(f"--{name.replace('_', '-')}" for name in names))


def number(text):
    """A whole number written in digits as an int; anything else unchanged, for the problem to refuse."""
    if isinstance(text, str) and re.fullmatch(r"[+-]?[0-9]{1,19}", text):
        return int(text)
    return text


def _use(action):
    """How a flag is written, "--window L R", or the commands there are."""
    if action.choices:
        return ", ".join(action.choices)
    letters = (action.metavar,) if isinstance(action.metavar, str) else action.metavar or ()
    return " ".join([*action.option_strings, *letters])


def _passes(flags):
    return () if flags.passes is None else tuple(flags.passes.split(","))


def _refuse_strangers(given):
    algorithm = given.get("algorithm")
    for name, (takers, why) in TAKERS.items():
        if algorithm in FORMS and algorithm not in takers and given.get(name) not in (None, False, "1"):
            flag = name.replace("_", "-")
            raise BadProblem(name=flag, asked=given[name], possible=f"{algorithm} {why}",
                             remedy=f"leave --{flag} out, or ask for {' or '.join(takers)}")
