"""Claims about what is carried: how many bytes, how often, in which unit."""

from lessons.claims.quantity import Found, Pair, binary, count, repeated, short, times
from lessons.scriptorium.facts import TRIAL, VOLUMES, tiling, trial
from simulator import Problem, Tiling, accounting, simulate
from simulator.tiling import papers_rule

N, D = 4096, 128


def standard_and_tiled() -> Found:
    """Bytes on the paper ruler: standard attention, and v2 with blocks of 64, 128 and 256 rows."""
    problem, rows = Problem(n=N, d=D), (64, 128, 256)
    standard = accounting.cost("standard", problem, Tiling(128, 128)).paper.total
    tiled = {b: accounting.cost("flash2", problem, Tiling(b, 64)).paper.total for b in rows}
    said, said_tiled = short(256 * 10**6), short(32 * 10**6)
    wide = _table_bytes(Problem(n=N, d=D, dtype="fp32"))
    more = Problem(n=N, d=D, passes=("scale", "mask"))
    cell = N * N * problem.storage.bytes
    return Found(
        {"n": count(N), "d": count(D), "standard": said, "flash": said_tiled},
        {"moved": short(standard), **{f"b{b}": short(size) for b, size in tiled.items()},
         **{f"r{b}": count(b) for b in rows}, "fp32": short(wide), "passes": count(_table_bytes(more) // cell),
         "crossings": count(_table_bytes(problem) // cell)},
        (Pair(("algorithm.standard",), said, short(standard)),
         *(Pair((f"v2, B_r = {b}",), said_tiled, short(size)) for b, size in tiled.items())))


def read_once() -> Found:
    """How often v2 reads K and v1 reads Q, and how traffic and extra memory grow with N."""
    blocks = Tiling(128, 128)
    v2, twice = (accounting.cost("flash2", Problem(n=n, d=D, lse=True), blocks).desk for n in (N, 2 * N))
    v1 = accounting.cost("flash1", Problem(n=N, d=D), blocks).desk
    once = v2.by_tensor["Q"].read                         # Q, K and V are of one size
    growth, said = times(twice.total / v2.total), times(2)
    k_times, q_times = (repeated(tensor.read // once) for tensor in (v2.by_tensor["K"], v1.by_tensor["Q"]))
    return Found({}, {"k_times": k_times, "q_times": q_times, "n": count(N), "b": count(blocks.br), "growth": growth,
                      "extra_growth": times(twice.by_tensor["L"].write / v2.by_tensor["L"].write)},
                 (Pair(("2N",), said, growth),))


def order_of_growth() -> Found:
    """What doubling d, M and N does to v1's traffic when its blocks follow the desk by the first paper's rule."""
    n, d, m = 2**16, 64, 2**17
    first = _v1_bytes(n, d, m)
    wider, roomier, longer = (_v1_bytes(*sizes) / first for sizes in ((n, 2 * d, m), (n, d, 2 * m), (2 * n, d, m)))
    return Found({"said": times(2)},
                 {"wider": times(wider, 2), "roomier": times(roomier, 2), "longer": times(longer, 2), "n": count(n),
                  "d": count(d), "m": binary(m)},
                 tuple(Pair((name,), times(said), times(found, 2)) for name, said, found in
                       (("2d", 2, wider), ("2M", 0.5, roomier), ("2N", 4, longer))))


def walks_and_batches() -> Found:
    """Lists that the master carries, batches of the scribe, and the tiles that each moves."""
    master, scribe = trial("master"), trial("scribe")
    said, said_scribe, by_master, by_scribe = map(count, (4096, 64, master.tiles, scribe.tiles))
    return Found({"n": count(TRIAL.n), "master": said, "scribe": said_scribe},
                 {"scribe_tiles": by_scribe, "master_tiles": by_master, "lists": count(master.lists),
                  "walks": count(master.lists // TRIAL.n), "batches": count(scribe.batches), "rows": count(VOLUMES)},
                 (Pair(("claims.master",), said, by_master), Pair(("claims.scribe",), said_scribe, by_scribe)))


def carries_of_eight() -> Found:
    """Table numbers that an executed run carries for 8 people, and all numbers on the paper ruler."""
    n, d = 8, 8
    run = simulate(Problem(n=n, d=d), Tiling(4, 4), algorithm="standard", execute=True)
    width = run.problem.storage.bytes
    carried = sum(run.cost.desk.by_tensor[name].total for name in "SP") // width
    everything = run.cost.paper.total // width
    said = count(256)
    return Found({"n": count(n), "times": count(4), "numbers": said},
                 {"carried": count(carried), "carries": count(carried // n**2), "cells": count(n * n),
                  "everything": count(everything), "d": count(d)},
                 (Pair(("S, P",), said, count(carried)), Pair(("S, P, Q, K, V, O",), said, count(everything))))


def batches_of_the_desk() -> Found:
    """How often v2 fetches K when a row block holds 16 passages: once a batch."""
    moved = accounting.cost("flash2", TRIAL, tiling("scribe", VOLUMES)).desk.by_tensor
    said, times_k = count(64), moved["K"].read // moved["Q"].read
    return Found({"desk": count(VOLUMES), "batches": said, "n": count(TRIAL.n)}, {"fetched": repeated(times_k)},
                 (Pair(("claims.scribe",), said, count(times_k)),))


def _table_bytes(problem):
    """Bytes of S and P, read and written, the standard way."""
    moved = accounting.cost("standard", problem, Tiling(128, 128)).desk.by_tensor
    return moved["S"].total + moved["P"].total


def _v1_bytes(n, d, capacity):
    problem = Problem(n=n, d=d)
    blocks = Tiling(*papers_rule(d, capacity, problem.storage.bytes))
    return accounting.cost("flash1", problem, blocks).paper.total
