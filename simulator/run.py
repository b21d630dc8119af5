"""`simulate`: execute an algorithm on real numbers where that is quick, answer by closed form beyond."""

import inspect
from dataclasses import dataclass
from functools import cache

import numpy as np

from . import accounting, report
from .cost import Cost, Desk, Flops, Peak
from .errors import MatrixTooLarge, TooLarge
from .hardware import GPUSpec
from .hardware import gpu as gpu_named
from .heads import DECODING, Gradients, draw, drawn, function, gathered, given, run_of, served
from .ledger import Log
from .memory import GPU, Everything
from .problem import Problem, Tiling
from .tiling import fits as fits_one_sm

QUICK_MOVES = 50_000                    # up to here simulate() executes; about a second at most
MOST_TILES = 10**6                      # up to here it executes when told to
MOST_NUMBERS = 2**28                    # of one matrix: a GiB of this computer's memory
SECONDS_PER_MOVE = 2e-5                 # on one core: about 70 µs for a 64 × 64 tile of flash2
SECONDS_PER_FLOP = 3e-11

__all__ = ["Program", "Run", "draw", "program", "simulate"]


@dataclass(frozen=True)
class Program:
    """The text of an algorithm's file, in which `Event.line` counts."""

    name: str
    source: str

    @property
    def lines(self):
        """The lines of the file; `lines[event.line - 1]` is the one that ran."""
        return self.source.splitlines()


@dataclass(frozen=True)
class Run:
    """What one simulation gave: its cost, and when executed its events and output."""

    algorithm: str
    problem: Problem
    tiling: Tiling
    gpu: GPUSpec
    tag: str                            # "counted": executed; "computed": closed form
    cost: Cost
    fits: bool                          # whether a thread block fits one SM of the GPU
    program: Program
    events: Log | None = None           # of one head
    output: np.ndarray | Gradients | None = None          # O, or the gradients, of one run or of all given inputs
    max_error: float | None = None      # largest absolute difference from float64

    def _repr_html_(self):
        return report.html(self)

    def __str__(self):
        return report.text(self)


def simulate(problem, tiling, gpu="h200", algorithm="flash2", values=False, inputs=None, execute=None):
    """Run `algorithm` on `problem` with the blocks of `tiling` on one SM of `gpu`; returns a Run.

    Without `inputs` one head of normal numbers is drawn from the seed (a group of heads where one thread
    block serves them all) and its cost multiplied by heads and batches. `inputs` = (q, k, v) of shapes
    (batch, heads, n, d), (batch, kv_heads, n_kv, d) runs every head; a backward pass also takes dO, of
    q's shape, and a K/V head's gradients are summed over its group after the run. `execute` forces (True) or forbids
    (False) execution; left out, runs of up to QUICK_MOVES tile moves are executed. `values` records the
    numbers of every event (True) or of the named tensors.
    Raises DoesNotFit when a tile is larger than the desk, TooLarge, UnknownName, WrongShape.
    """
    spec = gpu if isinstance(gpu, GPUSpec) else gpu_named(gpu)
    computed = accounting.cost(algorithm, problem, tiling)
    fits = bool(fits_one_sm(computed.peak, spec))
    packed = served(algorithm, problem, tiling)
    runs = problem.heads * problem.batch // packed
    if execute is None:
        execute = fits and computed.tile_moves <= QUICK_MOVES * runs
    if not execute and inputs is None:
        return Run(algorithm, problem, tiling, spec, "computed", computed, fits, program(algorithm))
    _refuse_too_large(algorithm, problem, tiling, computed, 1 if inputs is None else runs, runs)
    heads = [drawn(algorithm, problem, packed)] if inputs is None else given(algorithm, problem, packed, inputs)
    machine = GPU(spec, Everything() if values is True else values or ())
    left, exact = zip(*(run_of(algorithm)(machine, algorithm, problem, tiling, packed, *head) for head in heads),
                      strict=True)
    errors = [np.abs(x - y).max() for pair in zip(left, exact, strict=True) for x, y in zip(*pair, strict=True)]
    times = runs if inputs is None else 1
    return Run(algorithm, problem, tiling, spec, "counted", _counted(machine, computed, times), fits,
               program(algorithm), machine.sram.log,
               _one(left[0]) if inputs is None else gathered(problem, left), float(np.max(errors)))


@cache
def program(algorithm):
    """The Program of `algorithm`; raises UnknownName."""
    source = inspect.getsource(inspect.getmodule(function(algorithm)))
    return Program(function(algorithm).__name__, source)


def _one(left):
    """O itself, or the three gradients."""
    return left[0] if len(left) == 1 else left


def _counted(machine, computed, times):
    """The executed run's Cost; the paper ruler and the papers' FLOPs are conventions, not counted."""
    sram, ledger = machine.sram, machine.sram.ledger
    return Cost(
        desk=Desk({key: traffic * times for key, traffic in ledger.desk.moves.items()}),
        paper=computed.paper,
        flops=Flops(ledger.matmul * times, ledger.exp * times, ledger.other * times, computed.flops.paper),
        tile_moves=ledger.tile_moves * times,
        peak=Peak(sram.shared.peak, sram.registers.peak))


def _refuse_too_large(algorithm, problem, tiling, computed, executed, runs):
    """Whether `executed` of the `runs` that the closed form counts are too many, or one of them too large."""
    tiles = executed * _tiles(algorithm, problem, tiling)
    if tiles > MOST_TILES:
        seconds = computed.tile_moves * SECONDS_PER_MOVE + computed.flops.matmul * SECONDS_PER_FLOP
        raise TooLarge(tiles=tiles, seconds=seconds * executed / runs, possible=MOST_TILES)
    rows = problem.n * (problem.heads * problem.batch // runs)
    parts = tiling.splits if algorithm == "split_kv" else 1
    table = problem.n * problem.n_k if algorithm in ("standard", "standard_backward") else 0
    largest = max(rows * parts * problem.d, problem.n_k * problem.d, table)
    if largest > MOST_NUMBERS:
        raise MatrixTooLarge(numbers=largest, possible=MOST_NUMBERS)


def _tiles(algorithm, problem, tiling):
    """Tiles that one run visits at most; for a split its part counts as one more."""
    across = -(-problem.n_k // tiling.bc)
    if algorithm in DECODING:
        return across + tiling.splits
    return -(-problem.n // tiling.br) * across
