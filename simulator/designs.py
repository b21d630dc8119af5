"""Seconds of a kernel as it is built: which of its work overlaps, how many thread blocks share an SM, what fills a
pipeline, who waits for the last one. Mechanisms and counts alone; `designs.toml` holds the counts.
"""

import tomllib
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from math import ceil

from .ceilings import ceilings
from .errors import UnknownName
from .hardware import GPUSpec
from .pace import makespan_s, round_s
from .problem import Problem, Tiling
from .shelf import effective_bytes

MASK = 3                                # half-rate instructions a masked cell: two comparisons and a selection
READER = 64                             # query rows of one reader of a standing thread block
THREADS_PER_SM = 2048
REGISTERS = 65536                       # of one SM; a thread's are dealt out by eights
TWO_BUFFERS = 2                         # with no more, a tile is fetched when its buffer is free, in nobody's shadow
REDUCTIONS = {"half": 1, "full": 4}     # what the softmax launch has besides: it divides by the sum


@dataclass(frozen=True)
class Design:
    """One kernel design: see `designs.toml` for the fields."""

    key: str
    way: str
    half: int
    full: int
    masks: str
    registers: int
    masked: int
    carries: bool = False


@cache
def designs():
    """{kernel: Design}, in the order of `designs.toml`."""
    return {key: Design(key, **entry) for key, entry in _file()["design"].items()}


def trip_us():
    """Microseconds of one trip to memory and back: assumed, not measured."""
    return _file()["memory"]["round_trip_us"]


def seconds(kernel, problem, tiling, warps, spec):
    """Modelled seconds of `kernel`, a name of designs(), over all heads and batches; masks: causal or none.

    Raises UnknownName.
    """
    made = built(kernel, problem, tiling, warps, spec)
    return WAYS[made.design.way](made)


def built(kernel, problem, tiling, warps, spec):
    """The Built of `kernel`, a name of designs(). Raises UnknownName."""
    if kernel not in designs():
        raise UnknownName(kind="kernel design", asked=kernel, possible=", ".join(designs()))
    return Built(designs()[kernel], problem, tiling, warps, spec, 1e-6 * trip_us())


@dataclass(frozen=True)
class Built:
    """A design with its problem, blocks and GPU: what each piece of work takes on one SM, in seconds."""

    design: Design
    problem: Problem
    tiling: Tiling
    warps: int
    spec: GPUSpec
    trip_s: float                       # to DRAM and back

    @cached_property
    def top(self):
        """The GPU's ceilings."""
        return ceilings(self.spec)

    @property
    def heads(self):
        """Over all batches."""
        return self.problem.batch * self.problem.heads

    def share(self, resource, work):
        """Seconds of `work` on one SM's part of a resource."""
        return self.spec.sms * work / getattr(self.top, resource).rate

    def rows(self, count):
        """Bytes of `count` rows of Q, K, V or O."""
        return count * self.problem.d * self.problem.storage.bytes

    def arithmetic(self, cells, half, full, exp=1):
        """Seconds of instructions on cells: exponentials, half-rate and full-rate ones, one after another."""
        return self.share("exp", exp * cells) + self.share("half", half * cells) + self.share("full", full * cells)

    def softmax(self, rows, masked):
        """Seconds of one tile's exponentials and what belongs to them, and of a's rescaling, for `rows` of its rows."""
        return self.weights(rows, masked) + self.rescaling(rows)

    def weights(self, rows, masked):
        """Seconds from scores to rounded weights of one tile, m and l included, for `rows` of its rows."""
        return self.arithmetic(rows * self.tiling.bc, self.design.half + MASK * masked, self.design.full)

    def rescaling(self, rows):
        """Seconds of a's rescaling for `rows` rows."""
        return self.share("full", rows * self.problem.d)

    def products(self, rows):
        """Seconds of both matrix products of one tile, for `rows` of its rows."""
        return self.share("tensor", 4 * rows * self.tiling.bc * self.problem.d)

    def blocks_per_sm(self):
        """Thread blocks that share an SM: by registers for S, its rounded copy and a, and by the buffers' room."""
        p, t, threads = self.problem, self.tiling, 32 * self.warps
        held = 1.5 * t.br * t.bc + (1 + self.design.carries) * t.br * p.d
        registers = held / threads + self.design.registers + self.design.masked * p.causal
        room = self.rows(t.br) + 2 * t.stages * self.rows(t.bc)
        reserved = self.spec.shared_per_sm_bytes - self.spec.shared_per_block_bytes
        return max(1, min(by_registers(registers, threads), self.spec.shared_per_sm_bytes // (room + reserved)))

    def tiles(self, i):
        """(tiles without the mask's arithmetic, tiles with it) that row block i visits."""
        p, t = self.problem, self.tiling
        visited = min(-(-p.n_k // t.bc), ceil((i + 1) * t.br / t.bc)) if p.causal else -(-p.n_k // t.bc)
        cut = min(visited, ceil(t.br / t.bc)) if p.causal else 0
        return (0, visited) if p.causal and self.design.masks == "every" else (visited - cut, cut)

    def row_blocks(self):
        """Row blocks of one head in the order of launch: with a causal mask those with the most to do come first."""
        order = range(-(-self.problem.n // self.tiling.br))
        return reversed(order) if self.problem.causal else order


def by_registers(registers, threads):
    """Thread blocks that the registers and threads of one SM suffice for."""
    dealt = 8 * ceil(min(registers, 255) / 8)
    return min(int(REGISTERS // (dealt * threads)), THREADS_PER_SM // threads)


def _tiled(b):
    """One thread block a row block: products and softmax take turns; other thread blocks of the SM fill the gaps."""
    workers, t = b.blocks_per_sm(), b.tiling
    fetch = b.share("l2", 2 * b.rows(t.bc))
    exposed = fetch if t.stages <= TWO_BUFFERS else 0
    plain, masked = (round_s((b.products(t.br), b.softmax(t.br, cut)), exposed, workers) for cut in (False, True))
    start = workers * b.share("dram", 2 * b.rows(t.br)) + fetch + 2 * b.trip_s         # Q comes, O goes, at every SM
    return _in_turn(b, workers, start, plain, masked)


def _standing(b):
    """One thread block stays on each SM; readers of 64 rows take turns at its units, row block after row block."""
    readers = b.tiling.br // READER
    plain, masked = (round_s((b.products(READER), b.softmax(READER, cut)), 0, readers) for cut in (False, True))
    return _in_turn(b, 1, b.trip_s, plain, masked)                 # the next Q is there before it is needed


def _in_turn(b, workers, start, plain, masked):
    """Row blocks of all heads, each taken by the first place that is free; never faster than Q, K, V, O can cross."""
    lengths = [b.tiles(i) for i in b.row_blocks()]
    durations = [start + whole * plain + cut * masked for _ in range(b.heads) for whole, cut in lengths]
    crossing = b.heads * 2 * (b.rows(b.problem.n) + b.rows(b.problem.n_k)) / b.top.dram.rate
    return b.top.launch.rate + max(makespan_s(durations, workers * b.spec.sms), crossing)


def _travelling(b):
    """One thread block a head; for every tile O comes and goes, and nothing is fetched before it is needed."""
    p, t = b.problem, b.tiling
    active = min(b.spec.sms, b.heads)
    tile, far = b.rows(t.br), active * 2 * b.rows(p.n) > effective_bytes(b.spec)       # Q and O of those at work
    normalise = b.arithmetic(t.br * p.d, half=2, full=6, exp=0)                        # undone, done again, rounded
    layouts = 5 * tile / (b.spec.shared_bytes_per_s / b.spec.sms)                      # Q, O and O through the desk
    visit = (b.products(t.br) + b.softmax(t.br, p.causal) - b.share("full", t.br * p.d) + normalise + layouts
             + b.share("l2", 3 * tile) + 2 * b.trip_s / (1 if far else 2))
    if far:
        visit = max(visit, 3 * tile * active / b.top.dram.rate)
    visits = sum(sum(b.tiles(i)) for i in range(-(-p.n // t.br)))
    return 2 * b.top.launch.rate + makespan_s([visits * visit] * b.heads, b.spec.sms)


def _tables(b):
    """Three launches, each with its own units to queue for: tensor cores, arithmetic, L2, DRAM."""
    return 3 * b.top.launch.rate + sum(kernels(b).values())


def kernels(b):
    """{kernel: seconds without the launch} of the standard way."""
    p, t = b.problem, b.tiling
    cells = t.br * t.bc
    table = cells * p.storage.table.bytes
    tiles = b.heads * (p.n * p.n_k) / cells / b.spec.sms                               # on one SM
    each, way = b.share("tensor", 2 * cells * p.d), {name: b.share(name, table) for name in ("dram", "l2")}
    threads = 32 * b.warps
    score = b.arithmetic(cells, half=1 + (MASK - 1) * p.causal, full=2, exp=0)
    at_scores = by_registers(b.design.registers + cells / threads + b.design.masked * p.causal, threads)
    fetch = b.share("l2", b.rows(t.br) + b.rows(t.bc))
    scores = round_s((each, score, way["l2"] + fetch, way["dram"]), 2 * b.trip_s, at_scores) / at_scores
    at_pv = by_registers(b.design.registers + t.br * p.d / threads, threads)
    pv = round_s((each, way["l2"] + b.share("l2", b.rows(t.bc)), way["dram"]), 0, at_pv) / at_pv
    fill = (2 * b.trip_s + b.share("dram", b.rows(t.br))) * b.heads * p.n / t.br / b.spec.sms / at_pv
    return {"scores": tiles * scores, "softmax": b.heads * p.n / b.spec.sms * _row(b), "pv": tiles * pv + fill}


def _row(b):
    """Seconds of one row of the softmax launch, a thread block of its own; each four of its warps are one worker."""
    n = b.problem.n_k
    workers = max(1, min(8, (1 << (n // 2048).bit_length()) // 4))
    at_once = by_registers(b.design.registers + n / (128 * workers) / 2, 128 * workers)
    cells = b.arithmetic(n, b.design.half + REDUCTIONS["half"], b.design.full + REDUCTIONS["full"], exp=2)
    crossing = b.share("dram", 2 * n * b.problem.storage.table.bytes)
    return round_s((crossing / workers, cells / workers), 2 * b.trip_s, at_once * workers) / at_once


WAYS = {"tables": _tables, "travelling": _travelling, "tiled": _tiled, "standing": _standing}


@cache
def _file():
    return tomllib.loads(files(__package__).joinpath("designs.toml").read_text(encoding="utf-8"))
