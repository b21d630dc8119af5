"""Times every kernel beside PyTorch's scaled_dot_product_attention backends, at the same sizes.

Where the numbers of a row come from: `ms` from CUDA events around single replays of a CUDA graph (`race.py`); `tflops`
from `ms` and the formula's operations; `mhz`, `watts` and `celsius` from nvidia-smi meanwhile (`meter.py`); `error`
from attention in float64 on the same inputs.
"""

from statistics import median

from simulator.hardware import gpu, gpus

from . import ideas, ladder
from .catalogue import SIMULATED, prepare, runnable
from .device import MEASUREMENTS, head, key, key_of, newest, save, torch_with_gpu
from .launch import Blocks, Case
from .meter import PERIOD_MS, Meter, watching
from .race import WARM_MS, Contestant, Rounds, race, ready
from .recordings import recording
from .rulers import cost, modelled, problem

TOKENS, HIDDEN = 16_384, 2_048
CELLS = [(d, causal, n) for d in (64, 128) for causal in (False, True) for n in (512, 1024, 2048, 4096, 8192, 16_384)]
BACKENDS = {"cudnn": "CUDNN_ATTENTION", "flash": "FLASH_ATTENTION", "efficient": "EFFICIENT_ATTENTION", "math": "MATH"}
SWEPT = [Blocks(br, bc, warps, 2) for br, warps in ((64, 4), (128, 4), (128, 8), (256, 8)) for bc in (32, 64, 128)]
PAIR = ("flash_attention_3", "cudnn")   # the fastest two, which heat the card most
ALL_ROUNDS, PAIR_ROUNDS, SWEEP_ROUND = Rounds("all", 4, 140), Rounds("pair", 6, 140), Rounds("all", 1, 50)
CONVENTION = (
    "ms is the median of single launches, replayed from a CUDA graph, "
    f"in turns of {ALL_ROUNDS.ms} ms after {WARM_MS} ms of the same; rounds says against whom: "
    f"'all' kernels of a cell, {ALL_ROUNDS.turns} turns each, forth and back; or, where both run, {' and '.join(PAIR)} "
    f"as a 'pair', which after those rounds take {PAIR_ROUNDS.turns} turns each alone, so that neither runs on what a "
    f"slower neighbour let cool; a sweep's kernels have one turn of {SWEEP_ROUND.ms} ms; "
    f"mhz, watts and celsius are medians over these turns of what nvidia-smi says every {PERIOD_MS} ms "
    "of the SM clock, the card's power at that instant and its temperature, null where it said nothing; "
    "clocks and power not set; "
    "tflops is 4 B H N_q N_k d / time, halved when causal; inputs are normal numbers and outgrow L2; "
    "error is the relative distance of the first head's O from float64 on the same inputs (Frobenius norm)"
)


def bench(out=None):
    """Time all cells and write the file; returns the lines to print: the ladder at one size, and what each idea bought.

    Raises NoDevice.
    """
    torch = torch_with_gpu("bench")
    with Meter(watching(uuid(torch))) as meter:
        rows = [row for cell in CELLS for row in cell_rows(torch, meter, *cell)]
        rows += [row for d in (64, 128) for row in sweep_rows(torch, meter, d)]
        rows += [row for d in (64, 128) for causal in (False, True) for row in idea_rows(torch, meter, d, causal)]
    record = head(torch, convention=CONVENTION, rows=rows)
    path = save(out or MEASUREMENTS / f"{key(torch)}-bench.json", record)
    spec = gpus().get(key(torch))
    shown = record | {"rows": ladder.shelved(rows, spec)} if spec else record
    counters = newest("counters", key(torch))[1]["rows"]
    return [*ladder.told(shown, counters), *ideas.told(record), "", f"{len(rows)} rows in {path}"]


def recounted(path):
    """Write what the L2 model says of the ladder's rungs anew into a recorded file; returns the lines to print."""
    record = recorded(path)
    spec = gpu(key_of(record["device"]))
    rungs = [row for row in ladder.cells(record["rows"]) if row["kernel"] in ladder.RUNGS]
    record["rows"] = [row | {"cabinet": modelled(row, spec)} if row in rungs else row for row in record["rows"]]
    return [f"{len(rungs)} of {len(record['rows'])} rows in {save(path, record)}"]


def recorded(path):
    """The record in a file that `bench` wrote; raises BadProblem."""
    return recording(path, "a file of times that `python -m kernels bench` wrote on a GPU", _sound)


def _sound(record, row):
    """Whether a row has a kernel's time at some size, and one of ours its blocks."""
    ours = row["kernel"] in SIMULATED
    return bool(record["convention"] and key_of(record["device"]) and row["ms"] > 0 and problem(row)
                and (not ours or cost(row)))


def uuid(torch):
    """What nvidia-smi calls the GPU that PyTorch uses, whichever ones are visible here."""
    return f"GPU-{torch.cuda.get_device_properties(torch.cuda.current_device()).uuid}"


def cell_rows(torch, meter, d, causal, n):
    """Every kernel and backend at one size; the pair's times are those of the pair alone."""
    q, k, v = inputs(torch, n, d)
    case = Case.of(q, k, v, causal)
    ours = [contestant(name, case, q, k, v) for name in runnable(torch.cuda.get_device_capability())]
    peers = [backend(torch, name, causal, q, k, v) for name in BACKENDS if name != "math" or table_fits(torch, case)]
    running = ready(torch, ours + peers, exact(torch, case, q, k, v))
    times = race(torch, running, ALL_ROUNDS)
    pair = {c: run for c, run in running.items() if c.kernel in PAIR}
    if len(pair) == len(PAIR):
        times |= race(torch, pair, PAIR_ROUNDS)
    return rows_of(case, running, times, meter)


def sweep_rows(torch, meter, d, n=4096):
    """Our two kernels of FlashAttention-2 at one size over many blocks; what does not compile is left out."""
    q, k, v = inputs(torch, n, d)
    case = Case.of(q, k, v)
    ours = [contestant(name, case, q, k, v, blocks, sweep=True)
            for name in ("flash_attention_2", "flash_attention_2_tma") for blocks in SWEPT]
    running = ready(torch, ours, exact(torch, case, q, k, v))
    return rows_of(case, running, race(torch, running, SWEEP_ROUND), meter)


def idea_rows(torch, meter, d, causal, n=4096):
    """flash_attention_3 whole and without each idea that makes a difference at one size, all in the same rounds; none
    where it does not run.
    """
    if "flash_attention_3" not in runnable(torch.cuda.get_device_capability()):
        return []
    from .flash_attention_3 import without

    q, k, v = inputs(torch, n, d)
    case = Case.of(q, k, v, causal)
    apart = [contestant("flash_attention_3", case, q, k, v, how["blocks"], how["ideas"], without=idea)
             for idea, how in without(case).items()]
    running = ready(torch, apart, exact(torch, case, q, k, v))
    return rows_of(case, running, race(torch, running, ALL_ROUNDS), meter)


def table_fits(torch, case):
    """Whether several fp32 tables of all heads fit the GPU's memory, as PyTorch's unfused way needs."""
    p = case.problem
    torch.cuda.empty_cache()
    return 6 * 4 * case.units * p.n * p.n_k < torch.cuda.mem_get_info()[0]


def inputs(torch, n, d, dtype="bfloat16"):
    """q, k and v of one cell: 16,384 tokens, hidden size 2048."""
    shape = (TOKENS // n, HIDDEN // d, n, d)
    return [torch.randn(shape, device="cuda", dtype=getattr(torch, dtype)) for _ in range(3)]


def contestant(name, case, q, k, v, blocks=None, ideas=None, **more):
    """One of our kernels; `ideas` for a kernel that can do without some, `more` for its row."""
    prepared = prepare(name, case, q, k, v, blocks, **({"ideas": ideas} if ideas else {}))
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


def rows_of(case, running, times, meter):
    """One row for each contestant of a race."""
    return [row(case, c, one, meter.median(*one.spans), running[c][1]) for c, one in times.items()]


def row(case, c, times, reading, error):
    """One line of the file."""
    p, ms = case.problem, median(times.ms)
    flops = 4 * p.batch * p.heads * p.n * p.n_k * p.d / (2 if p.causal else 1)
    return {"kernel": c.kernel, "pass": "forward", "batch": p.batch, "heads": p.heads, "kv_heads": p.groups, "n": p.n,
            "n_kv": p.n_k, "d": p.d, "dtype": p.dtype, "causal": p.causal, **c.shape, "rounds": times.rounds.among,
            "ms": round(ms, 5), "tflops": round(flops / ms / 1e9, 1), **reading._asdict(),
            "error": float(f"{error:.3g}")}
