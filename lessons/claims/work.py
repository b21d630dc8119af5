"""Claims about the work: cells, operations, and operations for each byte."""

from lessons.claims.quantity import Found, Pair, Quantity, count, percent, times
from simulator import Problem, Tiling, accounting, gpu, simulate
from simulator.bounds import compulsory

HEAD = 128


def no_cell_less() -> Found:
    """Cells that both executed runs work out for 8 people, and the exponentials that rescaling adds."""
    n, d, said = 8, 8, count(64)
    standard, tiled = (simulate(Problem(n=n, d=d), Tiling(4, 4), algorithm=name, execute=True).cost.flops
                       for name in ("standard", "flash2"))
    cells = [flops.matmul // (4 * d) for flops in (standard, tiled)]
    return Found({"cells": said},
                 {"tiled": count(cells[1]), "standard": count(cells[0]), "rescales": count(tiled.exp - standard.exp),
                  "shares": count(standard.exp)},
                 (Pair(("A",), said, count(cells[0])), Pair(("B",), said, count(cells[1]))))


def causal_half() -> Found:
    """The part of the table that a causal mask leaves: of its cells, and of its tiles."""
    n, b = 4096, 64
    mask = Problem(n=n, d=HEAD, causal=True).mask
    visible = sum(len(mask.keys_of_rows(row, row)) for row in range(n))
    whole, causal = (accounting.cost("flash2", Problem(n=n, d=HEAD, causal=flag), Tiling(b, b)).desk.by_tensor["K"].read
                     for flag in (False, True))
    cells, tiles = percent(visible / n**2, 4), percent(causal / whole, 4)
    return Found({}, {"cells": cells, "tiles": tiles, "n": count(n), "b": count(b)},
                 tuple(Pair((name,), percent(0.5), found) for name, found in (("N²", cells), (f"{b} × {b}", tiles))))


def decoding() -> Found:
    """Operations for each byte of one new row over a KV cache, alone and with grouped heads; and the GPU's balance."""
    n, heads, kv = 4096, 32, 8
    spec = gpu("h200")
    cost = accounting.cost("flash2", Problem(n=1, n_kv=n, d=HEAD), Tiling(1, 128))
    grouped = Problem(n=1, n_kv=n, d=HEAD, heads=heads, kv_heads=kv)
    work = accounting.cost("flash2", grouped, Tiling(1, 128)).flops.matmul
    return Found({}, {"alone": _rate(cost.flops.matmul / cost.desk.total), "n": count(n),
                      "grouped": _rate(work / compulsory(grouped).total), "group": count(heads // kv),
                      "balance": _rate(spec.tensor_flops_per_s / spec.memory_bytes_per_s), "gpu": spec.name})


def not_linear() -> Found:
    """Operations of the matrix products both ways, at N and 2N."""
    n, blocks = 4096, Tiling(128, 128)
    standard, tiled = (accounting.cost(name, Problem(n=n, d=HEAD), blocks).flops for name in ("standard", "flash2"))
    twice = accounting.cost("flash2", Problem(n=2 * n, d=HEAD), blocks).flops
    growth = times(twice.matmul / tiled.matmul)
    return Found({}, {"growth": growth, "tiled": count(tiled.matmul, "FLOP"),
                      "standard": count(standard.matmul, "FLOP"), "extra": count(tiled.exp - standard.exp),
                      "n": count(n), "d": count(HEAD)},
                 (Pair(("2N",), times(4), growth),))


def _rate(flops_per_byte):
    return Quantity(flops_per_byte, f"{flops_per_byte:.3g} FLOP/B", "FLOP/B")
