"""Times every kernel beside PyTorch's scaled_dot_product_attention backends, at the same sizes."""

from dataclasses import dataclass
from functools import partial
from statistics import median

from .catalogue import prepare, runnable
from .device import MEASUREMENTS, head, key, save, torch_with_gpu
from .launch import Blocks, Case

TOKENS, HIDDEN = 16_384, 2_048
CELLS = [(d, causal, n) for d in (64, 128) for causal in (False, True) for n in (512, 1024, 2048, 4096, 8192, 16_384)]
BACKENDS = {"cudnn": "CUDNN_ATTENTION", "flash": "FLASH_ATTENTION", "efficient": "EFFICIENT_ATTENTION", "math": "MATH"}
SWEPT = [Blocks(br, bc, warps, 2) for br, warps in ((64, 4), (128, 4), (128, 8), (256, 8)) for bc in (32, 64, 128)]
ROUNDS, ROUND_MS, WARM_MS = 4, 50, 30
CONVENTION = (
    "ms is the median of single launches, replayed from a CUDA graph, in rounds over all kernels forth and back, so "
    "that each runs as often after a cool neighbour as after a hot one; "
    "tflops is 4 B H N_q N_k d / time, halved when causal; inputs are normal numbers and outgrow L2; clocks not "
    "locked; "
    "error is the relative distance of the first head's O from float64 on the same inputs (Frobenius norm)"
)


@dataclass(frozen=True, eq=False)
class Contestant:
    """Something to time: what it is called, its blocks where they are ours, and a function that launches it."""

    kernel: str
    launch: object
    shape: dict


def bench(out=None):
    """Time all cells and write the file; returns the lines to print. Raises NoDevice."""
    torch = torch_with_gpu("bench")
    rows = [row for cell in CELLS for row in cell_rows(torch, *cell)]
    rows += [row for d in (64, 128) for row in sweep_rows(torch, d)]
    record = head(torch, convention=CONVENTION, rows=rows)
    path = save(out or MEASUREMENTS / f"{key(torch)}-bench.json", record)
    return [f"{len(rows)} rows in {path}"]


def cell_rows(torch, d, causal, n):
    """Every kernel and backend at one size."""
    q, k, v = inputs(torch, n, d)
    case = Case.of(q, k, v, causal)
    ours = [contestant(name, case, q, k, v) for name in runnable(torch.cuda.get_device_capability())]
    peers = [backend(torch, name, causal, q, k, v) for name in BACKENDS if name != "math" or table_fits(torch, case)]
    return rows_of(torch, case, ours + peers, exact(torch, case, q, k, v))


def sweep_rows(torch, d, n=4096):
    """Our two kernels of FlashAttention-2 at one size over many blocks; what does not compile is left out."""
    q, k, v = inputs(torch, n, d)
    case = Case.of(q, k, v)
    ours = [contestant(name, case, q, k, v, blocks, sweep=True)
            for name in ("flash_attention_2", "flash_attention_2_tma") for blocks in SWEPT]
    return rows_of(torch, case, ours, exact(torch, case, q, k, v), rounds=1)


def table_fits(torch, case):
    """Whether several fp32 tables of all heads fit the GPU's memory, as PyTorch's unfused way needs."""
    p = case.problem
    torch.cuda.empty_cache()
    return 6 * 4 * case.units * p.n * p.n_k < torch.cuda.mem_get_info()[0]


def inputs(torch, n, d, dtype="bfloat16"):
    """q, k and v of one cell: 16,384 tokens, hidden size 2048."""
    shape = (TOKENS // n, HIDDEN // d, n, d)
    return [torch.randn(shape, device="cuda", dtype=getattr(torch, dtype)) for _ in range(3)]


def contestant(name, case, q, k, v, blocks=None, **more):
    """One of our kernels."""
    prepared = prepare(name, case, q, k, v, blocks)
    last = prepared.launches[-1]
    return Contestant(name, prepared.go, dict(br=last.br, bc=last.bc, warps=last.warps, stages=last.stages, **more))


def backend(torch, name, causal, q, k, v):
    """One of PyTorch's backends."""
    from torch.nn.attention import SDPBackend, sdpa_kernel

    def launch():
        with sdpa_kernel(getattr(SDPBackend, BACKENDS[name])):
            return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)

    return Contestant(name, launch, dict(br=None, bc=None))


def exact(torch, case, q, k, v):
    """Attention of the first head in float64: (n, d)."""
    p = case.problem
    S = q[0, 0].double() @ k[0, 0].double().T / p.d**0.5
    if p.causal:
        S = S.masked_fill(torch.ones_like(S, dtype=torch.bool).triu(1 + p.n_k - p.n), float("-inf"))
    return S.softmax(-1) @ v[0, 0].double()


def rows_of(torch, case, contestants, expected, rounds=ROUNDS):
    """The rows of a cell: times of all rounds together, their median."""
    running = {c: found for c in contestants if (found := captured(torch, c.launch, expected))}
    times = {c: [] for c in running}
    for turn in range(rounds):
        for c in list(running)[:: (1, -1)[turn % 2]]:
            times[c] += timed(torch, running[c][0])
    return [row(case, c, median(ms), running[c][1]) for c, ms in times.items()]


def captured(torch, launch, expected):
    """(replay, error): the launch in a CUDA graph, and how far its O is off; None where it does not fit or compile."""
    from triton import CompilationError, OutOfResources

    try:
        error = (launch()[0, 0].double() - expected).norm() / expected.norm()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            launch()
    except (RuntimeError, CompilationError, OutOfResources):
        return None
    return graph.replay, error.item()


def timed(torch, replay):
    """Milliseconds of single launches over about ROUND_MS, after WARM_MS of the same."""
    event = partial(torch.cuda.Event, enable_timing=True)
    once = between(torch, replay, event(), event())
    for _ in range(int(WARM_MS / once)):
        replay()
    marks = [(event(), event()) for _ in range(max(1, int(ROUND_MS / once)))]
    for start, end in marks:
        start.record()
        replay()
        end.record()
    torch.cuda.synchronize()
    return [start.elapsed_time(end) for start, end in marks]


def between(torch, replay, start, end):
    """Milliseconds of one launch from an idle device."""
    start.record()
    replay()
    end.record()
    torch.cuda.synchronize()
    return start.elapsed_time(end)


def row(case, c, ms, error):
    """One line of the file."""
    p = case.problem
    flops = 4 * p.batch * p.heads * p.n * p.n_k * p.d / (2 if p.causal else 1)
    return {"kernel": c.kernel, "pass": "forward", "batch": p.batch, "heads": p.heads, "kv_heads": p.groups, "n": p.n,
            "n_kv": p.n_k, "d": p.d, "dtype": p.dtype, "causal": p.causal, **c.shape,
            "ms": round(ms, 5), "tflops": round(flops / ms / 1e9, 1), "error": float(f"{error:.3g}")}
