"""`simulate`: execute an algorithm on real numbers where that is quick, answer by closed form beyond."""

import inspect
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from . import accounting, algorithms, reference, report
from .cost import Cost, Desk, Flops, Peak
from .errors import BadProblem, MatrixTooLarge, TooLarge, UnknownName, WrongShape
from .hardware import GPUSpec
from .hardware import gpu as gpu_named
from .ledger import Log
from .masks import PackedMask
from .memory import GPU, Everything
from .problem import DTYPES, Problem, Tiling
from .tiling import fits as fits_one_sm

QUICK_MOVES = 50_000                    # up to here simulate() executes; about a second at most
MOST_TILES = 10**6                      # up to here it executes when told to
MOST_NUMBERS = 2**28                    # of one matrix: a GiB of this computer's memory
SECONDS_PER_MOVE = 2e-5                 # on one core: about 70 µs for a 64 × 64 tile of flash2
SECONDS_PER_FLOP = 3e-11
STORED = [t.storage for t in DTYPES.values()]


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
    output: np.ndarray | None = None    # O: the rows of one run, or (batch, heads, n, d) of given inputs
    max_error: float | None = None      # largest absolute difference from float64

    def _repr_html_(self):
        return report.html(self)

    def __str__(self):
        return report.text(self)


def simulate(problem, tiling, gpu="h200", algorithm="flash2", values=False, inputs=None, execute=None):
    """Run `algorithm` on `problem` with the blocks of `tiling` on one SM of `gpu`; returns a Run.

    Without `inputs` one head of normal numbers is drawn from the seed (a group of heads where one thread
    block serves them all) and its cost multiplied by heads and batches. `inputs` = (q, k, v) of shapes
    (batch, heads, n, d), (batch, kv_heads, n_kv, d) runs every head. `execute` forces (True) or forbids
    (False) execution; left out, runs of up to QUICK_MOVES tile moves are executed. `values` records the
    numbers of every event (True) or of the named tensors.
    Raises DoesNotFit when a tile is larger than the desk, TooLarge, UnknownName, WrongShape.
    """
    spec = gpu if isinstance(gpu, GPUSpec) else gpu_named(gpu)
    computed = accounting.cost(algorithm, problem, tiling)
    fits = bool(fits_one_sm(computed.peak, spec))
    packed = _packed(algorithm, problem, tiling)
    runs = problem.heads * problem.batch // packed
    if execute is None:
        execute = fits and computed.tile_moves <= QUICK_MOVES * runs
    if not execute and inputs is None:
        return Run(algorithm, problem, tiling, spec, "computed", computed, fits, program(algorithm))
    _refuse_too_large(algorithm, problem, tiling, computed, 1 if inputs is None else runs, runs)
    heads = _heads(problem, inputs, packed)
    mask = problem.mask if packed == 1 else PackedMask(problem.mask, packed)
    machine = GPU(spec, Everything() if values is True else values or ())
    outputs = [_run_head(machine, algorithm, problem, tiling, mask, *head) for head in heads]
    errors = [np.abs(o - reference.attention(*_rounded(head, problem), mask)).max()
              for o, head in zip(outputs, heads, strict=True)]
    times = runs if inputs is None else 1
    shape = (problem.batch, problem.heads, problem.n, problem.d)
    return Run(algorithm, problem, tiling, spec, "counted", _counted(machine, computed, times), fits,
               program(algorithm), machine.sram.log,
               outputs[0] if inputs is None else np.stack(outputs).reshape(shape), float(np.max(errors)))


def draw(problem):
    """One head's Q, K and V: normal numbers from the seed, (n, d), (n_kv, d), (n_kv, d) in float32."""
    rng = np.random.default_rng(problem.seed)
    return tuple(rng.standard_normal((rows, problem.d), np.float32)
                 for rows in (problem.n, problem.n_k, problem.n_k))


@cache
def program(algorithm):
    """The Program of `algorithm`; raises UnknownName."""
    function = _function(algorithm)
    source = inspect.getsource(inspect.getmodule(function))
    return Program(function.__name__, source)


FUNCTIONS = {"standard": algorithms.standard, "flash1": algorithms.flash_attention_1,
             "flash2": algorithms.flash_attention_2, "decode": algorithms.decode, "split_kv": algorithms.split_kv}
DECODING = ("decode", "split_kv")       # all rows are one row block, and a group's heads may share it


def _function(algorithm):
    if algorithm not in FUNCTIONS:
        raise UnknownName(kind="algorithm", asked=algorithm, possible=", ".join(FUNCTIONS))
    return FUNCTIONS[algorithm]


def _packed(algorithm, problem, tiling):
    """Query heads that one run of the program serves."""
    return problem.heads // problem.groups if tiling.pack_gqa and algorithm in DECODING else 1


def _run_head(machine, algorithm, problem, tiling, mask, q, k, v):
    storage = problem.storage
    Q, K, V = (machine.tensor(name, x, storage) for name, x in zip("QKV", (q, k, v), strict=True))
    options = {"standard": {"passes": problem.passes}, "flash2": {"lse": problem.lse}}.get(algorithm, {})
    O = _function(algorithm)(machine, Q, K, V, tiling, mask, **options)
    return machine.read_back(O)


def _heads(problem, inputs, packed):
    """(q, k, v) of every run, `packed` heads' q below each other: query head h reads K/V head h // group."""
    if inputs is None:
        return [draw(problem if packed == 1 else replace(problem, n=packed * problem.n, n_kv=problem.n_k))]
    q, k, v = _given(inputs)
    wanted = (problem.batch, problem.heads, problem.n, problem.d)
    stored = (problem.batch, problem.groups, problem.n_k, problem.d)
    for name, x, shape in (("q", q, wanted), ("k", k, stored), ("v", v, stored)):
        if x.shape != shape:
            raise WrongShape(block=name, possible=shape, asked=x.shape)
    group = problem.heads // problem.groups
    return [(q[b, h:h + packed].reshape(-1, problem.d), k[b, h // group], v[b, h // group])
            for b in range(problem.batch) for h in range(0, problem.heads, packed)]


def _given(inputs):
    """q, k and v as arrays; raises BadProblem for anything but three of real numbers."""
    arrays = [np.asarray(x) for x in inputs] if np.iterable(inputs) else [np.asarray(inputs)]
    if len(arrays) != 3 or not all(x.dtype.kind in "biuf" or x.dtype in STORED for x in arrays):
        raise BadProblem(name="inputs", asked=f"({', '.join(str(x.dtype) for x in arrays)})",
                         possible="three arrays of real numbers", remedy="give q, k and v")
    return arrays


def _rounded(head, problem):
    return (problem.storage.round(x) for x in head)


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
    table = problem.n * problem.n_k if algorithm == "standard" else 0
    largest = max(rows * parts * problem.d, problem.n_k * problem.d, table)
    if largest > MOST_NUMBERS:
        raise MatrixTooLarge(numbers=largest, possible=MOST_NUMBERS)


def _tiles(algorithm, problem, tiling):
    """Tiles that one run visits at most; for a split its part counts as one more."""
    across = -(-problem.n_k // tiling.bc)
    if algorithm in DECODING:
        return across + tiling.splits
    return -(-problem.n // tiling.br) * across
