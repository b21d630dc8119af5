"""Every kernel compiled for every GPU generation, as a file of facts; no GPU is needed.

`python -m kernels compile` writes measurements/triton-compiled.json: shared memory a block, registers and spilled
bytes a thread, and by which instructions matrices are multiplied and tiles fetched.
"""

import re
import sys
from datetime import date
from itertools import product

import triton

from simulator.problem import Problem

from .catalogue import SIMULATED, architectures, prepare
from .compiled import Sketch, compiled
from .device import MEASUREMENTS, save
from .launch import Case, StorageType

FILE = MEASUREMENTS / "triton-compiled.json"
N, HEADS = 4096, 16
WIDTHS = (64, 128)
MULTIPLY = ("tcgen05.mma", "wgmma.mma_async", "mma.sync")
FETCH = ("cp.async.bulk.tensor", "cp.async.cg", "cp.async.ca", "ld.global")


def generations():
    """One row for each launch, width and generation; what cannot be compiled is named and left out."""
    for name, d in product(SIMULATED, WIDTHS):
        for arch in architectures(name):
            try:
                yield from [row(name, d, launch, compiled(launch, arch)) for launch in sketched(name, d)]
            except triton.CompilationError as error:
                print(f"left out: {name}, d {d}, sm_{arch}: {str(error).splitlines()[-1]}", file=sys.stderr)


def sketched(name, d):
    """The launches of a kernel at its default blocks, over tensors that are nowhere."""
    q, k, v = (Sketch((1, HEADS, N, d), StorageType("bf16")) for _ in range(3))
    problem = Problem(n=N, d=d, heads=HEADS, dtype="bf16")
    case = Case.of(q, k, v, problem.causal, problem.window, problem.lse, problem.passes)
    return prepare(name, case, q, k, v).launches


def row(name, d, launch, made):
    """One line of the file."""
    return dict(kernel=name, algorithm=SIMULATED[name], launch=launch.name, arch=made.arch, d=d, dtype="bf16",
                br=launch.br, bc=launch.bc, warps=launch.warps, stages=launch.stages, shared_bytes=made.shared_bytes,
                registers=made.registers, spilled_bytes=made.spilled_bytes, multiplies=first_of(MULTIPLY, made.ptx),
                fetches=first_of(FETCH, made.ptx), ptx=line_of(MULTIPLY, made.ptx))


def first_of(instructions, ptx):
    """The first of these instructions that a PTX text holds, or None."""
    return next((name for name in instructions if name in ptx), None)


def line_of(instructions, ptx):
    """The opcode, without its operands, of the first line that multiplies matrices, or None."""
    name = first_of(instructions, ptx)
    return re.search(rf"{re.escape(name)}[\w.:]*", ptx)[0] if name else None


def compile_all():
    """Compile all and write the file; returns the lines to print."""
    record = dict(device=None, driver=None, versions=dict(triton=triton.__version__), date=date.today().isoformat(),
                  command="python -m kernels compile", rows=list(generations()))
    return [f"{len(record['rows'])} rows in {save(FILE, record)}"]
