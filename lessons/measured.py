"""What GPUs were seen to do: the files of kernels/measurements/, read as data. No GPU and no Triton is needed."""

import json
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from simulator import Problem, Tiling, accounting
from simulator.cost import Traffic

FOLDER = Path(__file__).parents[1] / "kernels" / "measurements"


@dataclass(frozen=True)
class Record:
    """On which GPU (`gpu` is the catalogue's key), when and with what a file was measured; None where not recorded."""

    gpu: str
    device: str
    driver: str | None
    date: str | None
    versions: tuple[tuple[str, str], ...]
    command: str | None

    def origin(self, undated: str) -> str:
        """Device, day (or the words for none), driver and versions in one line."""
        parts = (self.device, self.date or undated, self.driver and f"driver {self.driver}",
                 *(f"{name} {version}" for name, version in self.versions if name in ("triton", "torch")))
        return " · ".join(filter(None, parts))


@dataclass(frozen=True)
class Launch:
    """The byte counters of one launch: its configuration, bytes between L2 and the SMs, and between L2 and DRAM."""

    record: Record
    kernel: str
    algorithm: str
    launch: str
    problem: Problem
    tiling: Tiling
    blocks_per_sm: int | None
    order: str
    desk: Traffic
    cabinet: Traffic


@dataclass(frozen=True)
class Measured:
    """All launches of one algorithm, counted on one GPU."""

    launches: tuple[Launch, ...]

    @property
    def record(self) -> Record:
        """Where and when."""
        return self.launches[0].record

    @property
    def desk(self) -> Traffic:
        """Bytes between L2 and the SMs."""
        return sum((launch.desk for launch in self.launches), Traffic())

    @property
    def cabinet(self) -> Traffic:
        """Bytes between L2 and DRAM while the kernels ran."""
        return sum((launch.cabinet for launch in self.launches), Traffic())

    @property
    def blocks(self) -> tuple[tuple[int, int], ...]:
        """(B_r, B_c) of every launch."""
        return tuple(dict.fromkeys((one.tiling.br, one.tiling.bc) for one in self.launches))


@dataclass(frozen=True)
class Timing:
    """How long one kernel took: one of ours, with its blocks, or one of PyTorch's, whose blocks are its own affair."""

    kernel: str
    direction: str                      # "forward"
    problem: Problem
    tiling: Tiling | None
    warps: int | None
    sweep: bool                         # one of many blocks at one size
    ms: float
    tflops: float


@dataclass(frozen=True)
class Bench:
    """The timings of one GPU, and its file's rows as they are; a kernel without one of its ideas is in `rows` alone."""

    record: Record
    timings: tuple[Timing, ...]
    rows: tuple[dict, ...]


@lru_cache(maxsize=1024)
def counters(algorithm: str, problem: Problem, tiling: Tiling, gpu: str, folder: Path = FOLDER) -> Measured | None:
    """The counters of `algorithm` on `gpu` at this configuration, or None where it was not measured.

    A launch was at this configuration if it solved the same problem and moved the same counted bytes over the
    edge of the desk; its other block size may differ where that moves no byte. The newest file answers first.
    """
    wanted = accounting.cost(algorithm, problem, tiling).desk.by_kernel
    for record in sorted({one.record for one in launches(folder)}, key=lambda one: one.date or "", reverse=True):
        found = [_find(algorithm, name, traffic, problem, tiling, record, folder) for name, traffic in wanted.items()]
        if record.gpu == gpu and all(found):
            return Measured(tuple(found))
    return None


@cache
def launches(folder: Path = FOLDER) -> tuple[Launch, ...]:
    """Every launch of every file of counters."""
    return tuple(_launch(record, row) for record, rows in files("counters", folder) for row in rows)


@cache
def benches(folder: Path = FOLDER) -> tuple[Bench, ...]:
    """Every file of timings, the newest first."""
    found = [bench(path) for path in folder.glob("*-bench.json")]
    return tuple(sorted(found, key=lambda one: one.record.date or "", reverse=True))


def bench(path: Path) -> Bench:
    """The timings of one file."""
    record, rows = _file(path)
    return Bench(record, tuple(_timing(row) for row in rows if "without" not in row), rows)


@cache
def files(kind: str, folder: Path = FOLDER) -> tuple[tuple[Record, tuple[dict, ...]], ...]:
    """(Record, rows) of every file called <gpu>-<kind>.json or <gpu>-<name>-<kind>.json."""
    return tuple(_file(path) for path in sorted(folder.glob(f"*-{kind}.json")))


def _file(path):
    content = json.loads(path.read_text(encoding="utf-8"))
    record = Record(path.name.split("-")[0], content["device"], content["driver"], content["date"],
                    tuple(content["versions"].items()), content["command"])
    return record, tuple(content["rows"])


SIZES = ("n", "n_kv", "d", "batch", "heads", "kv_heads", "dtype", "causal")


def _timing(row):
    tiling = Tiling(row["br"], row["bc"], row.get("stages") or 1) if row["br"] else None
    return Timing(row["kernel"], row["pass"], Problem(**{name: row[name] for name in SIZES}), tiling, row.get("warps"),
                  row.get("sweep", False), row["ms"], row["tflops"])


def _launch(record, row):
    problem = Problem(**{name: row[name] for name in SIZES}, lse=row["lse"], window=tuple(row["window"]),
                      passes=tuple(row["passes"]))
    seen = row["measured"]
    return Launch(record, row["kernel"], row["algorithm"], row["launch"], problem, Tiling(row["br"], row["bc"]),
                  row["blocks_per_sm"], row["launch_order"], Traffic(seen["l2_to_sm_read"], seen["sm_to_l2_write"]),
                  Traffic(seen["dram_read"], seen["dram_write"]))


def _find(algorithm, name, traffic, problem, tiling, record, folder):
    """The launch called `name` of this problem that moves `traffic` by count; best at these blocks, and plain."""
    alike = [one for one in launches(folder)
             if (one.record, one.algorithm, one.launch) == (record, algorithm, name) and _same(one.problem, problem)
             and accounting.cost(algorithm, one.problem, one.tiling).desk.by_kernel[name] == traffic]
    return min(alike, default=None, key=lambda one: (
        (one.tiling.br, one.tiling.bc) != (tiling.br, tiling.bc), one.kernel != one.launch))


def _same(measured, asked):
    """Whether two problems move the same numbers of the same width; GPUs see no seed and no type beyond its width."""
    return _shape(measured) == _shape(asked)


def _shape(p):
    return p.n, p.n_k, p.d, p.batch, p.heads, p.groups, p.storage.bytes, p.mask, p.lse, p.passes
