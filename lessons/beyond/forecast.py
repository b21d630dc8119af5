"""The time model against the stopwatch: every recorded forward time of a kernel whose design is known."""

from dataclasses import dataclass
from functools import cache

from lessons import measured
from simulator import Problem, Tiling, gpu
from simulator.designs import designs, seconds

WITHIN = 0.15
PLAIN = measured.FOLDER / "h200-plain.json"
MOST_REGISTERS = 255                    # of a thread
ROWS_PER_WARP = 16                      # that one warp's part of a Hopper product has


@dataclass(frozen=True)
class Cell:
    """One kernel at one size: milliseconds measured and modelled."""

    kernel: str
    problem: Problem
    tiling: Tiling
    warps: int
    sweep: bool                         # one of many blocks tried at one size, most of them bad ones
    measured_ms: float
    modelled_ms: float

    @property
    def ratio(self) -> float:
        """Modelled time over measured time."""
        return self.modelled_ms / self.measured_ms

    @property
    def hit(self) -> bool:
        """Whether the model is within 15 % of the stopwatch."""
        return abs(self.ratio - 1) <= WITHIN

    @property
    def tflops(self) -> tuple[float, float]:
        """TFLOP/s measured and modelled, as papers count."""
        p = self.problem
        flops = 4 * p.batch * p.heads * p.n * p.n_k * p.d / (2 if p.causal else 1)
        return flops / self.measured_ms / 1e9, flops / self.modelled_ms / 1e9

    @property
    def reason(self) -> str:
        """Why a miss is one: a key of the page's words."""
        if self.sweep:
            return _of_blocks(self)
        return {"standard": "short_rows", "flash_attention_1": "travels"}.get(self.kernel, "shadow")


@cache
def cells(sweep: bool = False) -> tuple[Cell, ...]:
    """Every cell of the record: at the kernels' own blocks, or those of the block sweep."""
    return tuple(_cell(bench.record.gpu, one)
                 for bench in (*measured.benches(), measured.bench(PLAIN)) for one in bench.timings
                 if one.kernel in designs() and one.sweep == sweep and one.direction == "forward")


def share(found) -> tuple[int, int]:
    """How many of these cells are within 15 %, of how many."""
    return sum(one.hit for one in found), len(found)


def _cell(key, one):
    modelled = seconds(one.kernel, one.problem, one.tiling, one.warps, gpu(key))
    return Cell(one.kernel, one.problem, one.tiling, one.warps, one.sweep, one.ms, 1e3 * modelled)


def _of_blocks(cell):
    """Blocks the compiler cannot do well: rows too few for the warps, tiles too large for a thread's registers."""
    pair = 2 if cell.kernel == "flash_attention_2_tma" else 1
    if cell.tiling.br / pair < ROWS_PER_WARP * cell.warps:
        return "narrow"
    threads = 32 * cell.warps
    held = (1.5 * cell.tiling.br * cell.tiling.bc + cell.tiling.br * cell.problem.d) / threads
    return "spills" if held + designs()[cell.kernel].registers > MOST_REGISTERS else "blocks"
