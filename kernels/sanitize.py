"""Every kernel under NVIDIA's compute-sanitizer on small, ragged cases: no access out of bounds, no race.

Of a kernel whose warps have roles, racecheck also names the bytes in which Triton keeps each warp's role, one a warp at
the very end of shared memory: it does not follow the barrier by which they are handed over. They are told apart by
their address, and a hazard in any byte before them counts.
"""

import os
import re
import subprocess
import sys
from shutil import which

from simulator.problem import Problem

from .aligned import aligned
from .catalogue import HOPPER_ALONE
from .counters import TORCH, Trial
from .device import torch_with_gpu
from .errors import SanitizerRefused
from .schedule import READER

TOOLS = {"memcheck": (), "racecheck": ("--racecheck-report", "all")}     # every hazard with its address
RESERVED_BYTES = 1024                   # of shared memory, before what a thread block asked for
FETCHERS = 2                            # warps beside a thread block's readers
HAZARD = re.compile(r"hazard detected at __shared__ (0x[0-9a-f]+)")
LAUNCHED = re.compile(r"^launched \w+ with (\d+) bytes of shared memory, (\d+) of them roles$")
ERRORS = re.compile(r"ERROR SUMMARY: (\d+) error")
RACES = re.compile(r"RACECHECK SUMMARY: (\d+) hazard")


def trials():
    """Ragged cases of one or two heads: every kernel plain and causal, and what only flash_attention_3 has."""
    for kernel in ("standard", "flash_attention_1", "flash_attention_2", "flash_attention_2_tma"):
        for causal in (False, True):
            yield Trial(kernel, Problem(n=200, d=64, heads=2, dtype="bf16", causal=causal))
    for problem in (Problem(n=200, n_kv=300, d=64, heads=2, kv_heads=1, dtype="bf16", lse=True),
                    Problem(n=200, d=64, heads=2, dtype="bf16", causal=True),
                    Problem(n=1100, d=64, heads=2, kv_heads=1, dtype="bf16", causal=True, lse=True),
                    Problem(n=130, n_kv=260, d=128, heads=2, dtype="fp16", causal=True),
                    Problem(n=300, d=128, heads=2, dtype="bf16", window=(90, 5), lse=True)):
        yield Trial("flash_attention_3", problem)


def sanitize():
    """Run both tools; returns the lines to print. Raises NoDevice, SanitizerRefused."""
    torch_with_gpu("sanitize")
    tool = which("compute-sanitizer") or which("/usr/local/cuda/bin/compute-sanitizer")
    if not tool:
        raise SanitizerRefused(found="compute-sanitizer is not installed")
    said = {name: checked(tool, name) for name in TOOLS}
    head = (("", "launches", "accesses out of bounds", "hazards", "in Triton's roles"),)
    return aligned(head, [(name, *found) for name, found in said.items()])


def checked(tool, name):
    """(launches, errors, hazards in what kernels hold, hazards in the roles) under one of the tools, as text."""
    launching = [sys.executable, "-m", "kernels", "sanitize", "--launch"]
    said = subprocess.run([tool, "--tool", name, *TOOLS[name], "--print-limit", "1000000", *launching],
                          capture_output=True, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"})
    launches, ours, roles = hazards(said.stdout.splitlines())
    if said.returncode or not launches:
        why = [line for line in (said.stdout + said.stderr).splitlines() if "rror" in line]
        raise SanitizerRefused(found=(why or ["it gave no report"])[-1].strip("= "))
    if errors := ERRORS.search(said.stdout):
        return str(launches), errors[1], None, None
    races = RACES.search(said.stdout)
    if not races or bool(int(races[1])) != bool(ours + roles):
        raise SanitizerRefused(found="hazards without their addresses")
    return str(launches), None, str(ours), str(roles)


def hazards(lines):
    """(launches, hazards in what kernels hold, hazards in the roles) of a report: hazards, then their launch."""
    launches, ours, roles, found = 0, 0, 0, []
    for line in lines:
        if hazard := HAZARD.search(line):
            found.append(int(hazard[1], 16))
        elif launched := LAUNCHED.match(line):
            end = RESERVED_BYTES + int(launched[1])
            there = sum(end - int(launched[2]) <= address < end for address in found)
            launches, ours, roles, found = launches + 1, ours + len(found) - there, roles + there, []
    return launches, ours + len(found), roles


def role_bytes(kernel, launch):
    """How many warps have a role that is handed to them: all but the first four, in whole fours."""
    if kernel not in HOPPER_ALONE:
        return 0
    warps = launch.warps * launch.br // READER + FETCHERS
    return -(-warps // 4) * 4 - launch.warps


def launch_all():
    """Under the sanitizer: run every trial that runs on this GPU, and say after each launch what it was."""
    from .catalogue import runnable

    torch = torch_with_gpu("sanitize")
    names = runnable(torch.cuda.get_device_capability())
    for trial in trials():
        if trial.kernel in names:
            dtype = getattr(torch, TORCH[trial.problem.dtype])
            prepared = trial.prepared(lambda shape, dtype=dtype: torch.randn(shape, device="cuda", dtype=dtype))
            for launch in prepared.launches:
                made = launch.go()
                torch.cuda.synchronize()
                held, roles = made.metadata.shared, role_bytes(trial.kernel, launch)
                print(f"launched {trial.kernel} with {held} bytes of shared memory, {roles} of them roles", flush=True)
    return []
