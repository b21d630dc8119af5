"""Reads a GPU's own byte counters while the kernels run, and holds them against the simulator's count."""

import csv
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shutil import which

from simulator.cache import cabinet
from simulator.errors import TooLarge
from simulator.hardware import gpu
from simulator.problem import Problem, Tiling

from .catalogue import SIMULATED, prepare, runnable
from .compiled import Sketch
from .device import MEASUREMENTS, head, key, save, torch_with_gpu
from .errors import CountersRefused
from .ladder import RUNGS
from .launch import Blocks, Case, StorageType
from .recordings import recording, whole
from .rulers import desk, problem, tiling

METRICS = {"l2_to_sm_read": "l1tex__m_xbar2l1tex_read_bytes.sum",
           "sm_to_l2_write": "l1tex__m_l1tex2xbar_write_bytes.sum",
           "dram_read": "dram__bytes_read.sum", "dram_write": "dram__bytes_write.sum"}
LIMITS = [f"launch__occupancy_limit_{what}" for what in ("blocks", "registers", "shared_mem", "warps")]
DURATION = "gpu__time_duration.sum"
WITHOUT = ("`python -m kernels bench` times the kernels, the test suite counts their bytes in Triton's interpreter, "
           "`python -m simulator count --cabinet` models the rest, and kernels/measurements holds recorded counters")
STREAMED = Tiling(128, 64)
TORCH = {"fp16": "float16", "bf16": "bfloat16", "fp32": "float32"}


@dataclass(frozen=True)
class Trial:
    """One kernel of ours at one configuration."""

    kernel: str
    problem: Problem
    blocks: Blocks | None = None

    def prepared(self, make):
        """The Prepared launches over tensors that `make(shape)` gives."""
        p = self.problem
        kv = (p.batch, p.groups, p.n_k, p.d)
        q, k, v = make((p.batch, p.heads, p.n, p.d)), make(kv), make(kv)
        case = Case.of(q, k, v, p.causal, p.window, p.lse, p.passes)
        return prepare(self.kernel, case, q, k, v, self.blocks)

    def sketched(self):
        """The launches without any memory, to know what was launched."""
        return self.prepared(lambda shape: Sketch(shape, StorageType(self.problem.dtype))).launches


def trials() -> Iterator[Trial]:
    """What is measured: several N, d, masks, groups, types and blocks; and K and V too large for L2."""
    yield from flash_attention_2()
    for n, d, heads in ((1024, 64, 64), (2048, 128, 64), (4096, 128, 132), (4096, 80, 64), (1500, 64, 64)):
        for causal in (False, True):
            yield Trial("flash_attention_1", Problem(n=n, d=d, heads=heads, causal=causal))
    for n, d, dtype in ((1024, 64, "fp16"), (4096, 64, "fp16"), (4096, 128, "bf16"), (4000, 128, "fp16"),
                        (8192, 128, "fp16")):
        yield Trial("standard", Problem(n=n, d=d, heads=16, dtype=dtype))
    yield Trial("standard", Problem(n=4096, d=128, heads=16, causal=True))
    yield Trial("standard", Problem(n=4096, d=128, batch=4, heads=32, dtype="fp32", passes=("mask",)))
    yield from square_blocks()
    yield from larger_than_l2()
    yield from ladder()


def ladder():
    """Every rung of the ladder at the size and the blocks at which `bench` times it."""
    for d, heads in ((64, 32), (128, 16)):
        for causal in (False, True):
            for kernel in RUNGS:
                yield Trial(kernel, Problem(n=4096, d=d, batch=4, heads=heads, dtype="bf16", causal=causal))


def square_blocks():
    """The other two algorithms at the blocks where the three are compared: the same edge for rows and columns."""
    problem = Problem(n=4096, d=128, heads=16)
    yield Trial("standard", problem, Blocks(128, 128, 8, 2))
    yield Trial("flash_attention_1", problem, Blocks(128, 128, 8, 1))
    yield Trial("flash_attention_1", problem, Blocks(64, 64, 4, 1))
    yield Trial("standard", problem, Blocks(64, 64, 4, 2))


def flash_attention_2():
    """Its three kernels side by side, then what only the first one does, then its block shapes."""
    problems = [Problem(n=n, d=d, heads=16, causal=causal)
                for n in (1024, 4096, 16_384) for d in (64, 128) for causal in (False, True)]
    problems += [Problem(n=n, n_kv=n_kv, d=128, heads=16, causal=causal, lse=True)
                 for n, n_kv in ((4000, None), (1001, 3003), (2048, 8192)) for causal in (False, True)]
    problems += [Problem(n=4096, d=128, heads=32, kv_heads=8, dtype="bf16"),
                 Problem(n=4096, d=128, heads=28, kv_heads=4, dtype="bf16", causal=True),
                 Problem(n=8192, d=64, heads=16, window=(1024, 0)),
                 Problem(n=4096, d=128, batch=4, heads=32, dtype="bf16"),
                 Problem(n=4096, d=128, batch=4, heads=32, dtype="bf16", causal=True)]
    for one in problems:
        for kernel in ("flash_attention_2", "flash_attention_2_tma", "flash_attention_3"):
            yield Trial(kernel, one)
    for d, dtype in ((80, "bf16"), (256, "bf16"), (63, "fp16"), (64, "fp32")):
        for causal in (False, True):
            yield Trial("flash_attention_2", Problem(n=4096, d=d, heads=8, dtype=dtype, causal=causal))
    for br, bc, warps in ((64, 32, 4), (64, 64, 4), (64, 128, 4), (128, 32, 8), (128, 128, 8)):
        yield Trial("flash_attention_2", Problem(n=4096, d=128, heads=16), Blocks(br, bc, warps, 2))


def larger_than_l2():
    """One head's K and V outgrow the shelf: they come from DRAM once per wave of thread blocks."""
    one = Blocks(128, 64, 8, 3)
    for n, d, heads, blocks in ((65_536, 128, 1, one), (131_072, 128, 1, one), (65_536, 256, 1, None),
                                (131_072, 64, 1, None), (65_536, 128, 4, one)):
        for causal in (False, True):
            yield Trial("flash_attention_2", Problem(n=n, d=d, heads=heads, causal=causal), blocks)
    for n in (65_536, 131_072):
        for causal in (False, True):
            yield Trial("flash_attention_2_tma", Problem(n=n, d=128, causal=causal))


def counters(out=None, count=True):
    """Run all trials under Nsight Compute and write the file, with the simulator's count where asked for;
    returns the lines to print. Raises NoDevice, CountersRefused.
    """
    torch = torch_with_gpu("counters")
    record = head(torch, metrics=METRICS, gpu=key(torch), rows=[])
    path = out or MEASUREMENTS / f"{key(torch)}-counters.json"
    record["rows"] = measured(here(torch))
    save(path, record)
    return recounted(path) if count else [f"{len(record['rows'])} rows in {path}"]


def here(torch):
    """The trials whose kernels run on this GPU."""
    names = runnable(torch.cuda.get_device_capability())
    return [trial for trial in trials() if trial.kernel in names]


def recounted(path):
    """Write the simulator's count anew beside the measured bytes of a recorded file; needs no GPU."""
    record = recorded(path)
    spec = gpu(record["gpu"])
    record["rows"] = [{**row, **simulated(row, spec)} for row in record["rows"]]
    save(path, record)
    return [f"{len(record['rows'])} rows in {path}"]


def recorded(path):
    """The record in a file that `counters` wrote; raises BadProblem."""
    return recording(path, "a file with the bytes that `python -m kernels counters` read on a GPU", _sound)


def _sound(record, row):
    """Whether a row has what was measured of a launch that the simulator knows."""
    measured = all(whole(row["measured"][ours]) for ours in METRICS) and whole(row["blocks_per_sm"])
    named = isinstance(row["kernel"], str) and row["launch_order"] in (None, "launch", "heaviest-first")
    return bool(record["metrics"] == METRICS and record["gpu"] and measured and named and row["launch"] in desk(row))


def measured(trials):
    """One row for each launch of each trial: its configuration and what the counters read."""
    launches = [(trial, launch) for trial in trials for launch in trial.sketched()]
    readings = profiled()
    if len(readings) != len(launches):
        raise CountersRefused(found=f"{len(readings)} launches profiled of {len(launches)}", remedy=WITHOUT)
    return [row(*launched, reading) for launched, reading in zip(launches, readings, strict=True)]


def profiled():
    """Nsight Compute's table, a dict for each launch."""
    ncu = which("ncu") or which("/usr/local/cuda/bin/ncu")
    if not ncu:
        raise CountersRefused(found="Nsight Compute (ncu) is not installed", remedy=WITHOUT)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "ncu.csv")
        said = subprocess.run(
            [ncu, "--clock-control", "none", "--cache-control", "all", "--profile-from-start", "off",
             "--metrics", ",".join([*METRICS.values(), *LIMITS, DURATION]), "--csv", "--page", "raw",
             "--print-units", "base", "--log-file", str(log), sys.executable, "-m", "kernels", "counters", "--launch"],
            capture_output=True, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"})
        lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    table = [line for line in lines if line.startswith('"')]
    if said.returncode or not table:
        why = [line for line in [*lines, *said.stderr.splitlines()] if "ERR" in line or "rror" in line]
        raise CountersRefused(found=(why or ["the profiler gave no table"])[-1].strip("= "), remedy=WITHOUT)
    return list(csv.DictReader(table))[1:]                # the first row holds the units


def launch_all():
    """Under the profiler: run every trial once, with numbers in its tensors."""
    torch = torch_with_gpu("counters")
    for trial in here(torch):
        dtype = getattr(torch, TORCH[trial.problem.dtype])
        prepared = trial.prepared(lambda shape, dtype=dtype: torch.randn(shape, device="cuda", dtype=dtype))
        torch.cuda.synchronize()
        torch.cuda.cudart().cudaProfilerStart()
        prepared.go()
        torch.cuda.synchronize()
        torch.cuda.cudart().cudaProfilerStop()
        del prepared
        torch.cuda.empty_cache()
    return []


def row(trial, launch, reading):
    """One line of the file."""
    p, name = trial.problem, launch.kernel.__name__.removesuffix("_kernel")
    if reading["Kernel Name"] != launch.kernel.__name__:
        raise CountersRefused(found=f"{reading['Kernel Name']} profiled in place of {name}", remedy=WITHOUT)
    return dict(
        kernel=name, algorithm=SIMULATED[trial.kernel], launch=launch.name, batch=p.batch, heads=p.heads,
        kv_heads=p.groups, n=p.n, n_kv=p.n_k, d=p.d, dtype=p.dtype, causal=p.causal, window=p.window, lse=p.lse,
        passes=p.passes, br=launch.br, bc=launch.bc, warps=launch.warps, stages=launch.stages,
        blocks_per_sm=min(printed(reading[limit]) for limit in LIMITS),
        launch_order=order(trial, launch),
        ms=round(float(reading[DURATION].replace(",", "")) / 1e6, 5),
        measured={ours: printed(reading[theirs]) for ours, theirs in METRICS.items()})


def order(trial, launch):
    """The order of launch by its name in the L2 model; None where a program takes many row blocks from a list."""
    if trial.kernel == "flash_attention_3":
        return None
    return "heaviest-first" if launch.constants.get("CAUSAL") else "launch"


def printed(text):
    """A whole number as Nsight Compute prints it."""
    return round(float(text.replace(",", "")))


def simulated(row, spec):
    """The desk and the cabinet ruler of the same launch."""
    crossing = desk(row)[row["launch"]]
    return dict(desk=dict(read=crossing.read, write=crossing.write), cabinet=shelved(row, spec))


def shelved(row, spec):
    """What the L2 model says reaches DRAM during the launch, alone on a cold shelf; None where it takes too long.

    Rows that stream over the desk, one a program, are modelled in blocks.
    """
    blocks = STREAMED if row["br"] == 1 else tiling(row)
    try:
        model = cabinet(row["algorithm"], problem(row), blocks, spec, row["blocks_per_sm"],
                        row["launch_order"] or "launch")
    except TooLarge:
        return None
    crossing = model.by_kernel[row["launch"]]
    return dict(read=crossing.read, write=crossing.write, left_dirty=crossing.left_dirty)
