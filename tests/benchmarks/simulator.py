"""Speed of the simulator, as ratios measured in one run on one thread: python tests/benchmarks/simulator.py

Seconds are CPU seconds of this process, so that other work on the machine tells less.
"""

import os

for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[threads] = "1"                             # before NumPy reads them
os.environ["TRITON_INTERPRET"] = "1"                      # before Triton reads it

import statistics
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from simulator import Problem, Tiling, accounting, gpu
from simulator.algorithms import flash_attention_2
from simulator.memory import GPU
from simulator.run import draw

ROUNDS = 9
CONFIGURATIONS = 100_000


def main():
    """Print every measurement beside its target."""
    for name, measured, target in (execution(), interpreter(), *sweeps(), count()):
        print(f"{name:<82}{measured:>12}   target {target}", flush=True)


def execution():
    """An executed run with its full event log against the same tiles in bare NumPy."""
    problem, tiling = Problem(n=4096, d=64), Tiling(64, 64)
    inputs = draw(problem)
    stored = [problem.storage.round(x) for x in inputs]
    simulated, bare = alternated(lambda: run(problem, tiling, inputs), lambda: bare_numpy(*stored, 64))
    return "(a) executed run with event log ÷ bare NumPy, N 4096, d 64, B 64", f"{simulated / bare:.2f}", "≤ 2.0"


def interpreter():
    """The same tiled kernel in Triton's interpreter against an executed run."""
    name = "(b) Triton's CPU interpreter ÷ executed run, N 2048, d 64, B 64"
    if find_spec("triton") is None:
        return name, "skipped", "≥ 50 (Triton is not installed)"
    from kernels.flash_attention_2 import flash_attention_2 as kernel
    from kernels.interpret import Array
    from kernels.launch import Blocks

    def interpreted(N):
        arrays = [Array.of(x[None, None], "fp16") for x in draw(Problem(n=N, d=64))]
        return seconds(lambda: kernel(*arrays, blocks=Blocks(64, 64)))

    interpreted(64)                                       # imports and caches
    problem, tiling = Problem(n=2048, d=64), Tiling(64, 64)
    inputs = draw(problem)
    simulated = statistics.median(seconds(lambda: run(problem, tiling, inputs)) for _ in range(ROUNDS))
    return name, f"{interpreted(2048) / simulated:.0f}", "≥ 50"


def sweeps():
    """Many closed-form configurations in one call."""
    rng = np.random.default_rng(0)
    varied = {"n": rng.integers(1, 4097, CONFIGURATIONS), "br": rng.integers(16, 257, CONFIGURATIONS),
              "bc": rng.integers(16, 257, CONFIGURATIONS), "causal": rng.integers(0, 2, CONFIGURATIONS)}
    for algorithm in ("standard", "flash1", "flash2"):
        took = seconds(lambda name=algorithm: accounting.cost(name, Problem(n=1, d=64), Tiling(1, 1), **varied))
        yield f"(c) {CONFIGURATIONS:,} closed forms of {algorithm}, half of them causal", f"{took:.3f} s", "< 1 s"


def count():
    """One closed form of a long sequence."""
    def once():
        return seconds(lambda: accounting.cost("flash2", Problem(n=2**20, d=128, causal=True), Tiling(128, 64)))
    took = statistics.median(once() for _ in range(ROUNDS))
    return "(d) one closed form at N 1,048,576, causal", f"{took * 1e3:.2f} ms", "< 5 ms"


def run(problem, tiling, inputs):
    """One head executed: O, the ledger and the log."""
    machine = GPU(gpu("h200"))
    Q, K, V = (machine.tensor(name, x, problem.storage) for name, x in zip("QKV", inputs, strict=True))
    return flash_attention_2(machine, Q, K, V, tiling, problem.mask)


def bare_numpy(Q, K, V, B):
    """The arithmetic of flash_attention_2 over the same tiles, counting nothing."""
    N, d = Q.shape
    O = np.empty_like(Q)
    for top in range(0, N, B):
        Q_i = Q[top:top + B]
        m, l, a = np.full((B, 1), -np.inf, np.float32), np.zeros((B, 1), np.float32), np.zeros((B, d), np.float32)
        for left in range(0, N, B):
            K_j, V_j = K[left:left + B], V[left:left + B]
            S = Q_i @ K_j.T / np.float32(np.sqrt(d))
            m_new = np.maximum(m, S.max(axis=1, keepdims=True))
            P = np.exp(S - m_new)
            c = np.exp(m - m_new)
            l = c * l + P.sum(axis=1, keepdims=True)
            a = c * a + P @ V_j
            m = m_new
        O[top:top + B] = a / l
    return O


def alternated(first, second):
    """Median seconds of two calls made in turn, after one of each to warm up."""
    first(), second()
    pairs = [(seconds(first), seconds(second)) for _ in range(ROUNDS)]
    return tuple(statistics.median(column) for column in zip(*pairs, strict=True))


def seconds(work):
    """CPU seconds of one call."""
    start = time.process_time()
    work()
    return time.process_time() - start


if __name__ == "__main__":
    main()
