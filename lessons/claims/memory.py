"""Claims about what takes room: the tables, what training keeps, the KV cache."""

from lessons.claims.published import memory, quoted
from lessons.claims.quantity import Found, Pair, Quantity, binary, count, full, percent, percents, short, times
from simulator import Problem, Tiling, accounting
from simulator.bounds import compulsory

MIB, GIB = 2**20, 2**30
HEAD = 128                              # d of a usual head
LONG = 2**17                            # 128K tokens


def one_table() -> Found:
    """Bytes of S at N = 4096 in fp16, as the standard way files it, and of P."""
    n = 4096
    filed = _tables(n)
    said = binary(32 * MIB)
    return Found({"n": count(n), "size": said},
                 {"bytes": full(filed["S"].write), "p": binary(filed["P"].write), "cells": count(n * n),
                  "width": full(filed["S"].write // n**2)},
                 tuple(Pair((name,), said, binary(filed[name].write)) for name in "SP"))


def three_lengths() -> Found:
    """Bytes of one table at three lengths, and of S and P together."""
    said = {2**11: binary(16 * MIB), 2**14: binary(GIB), LONG: binary(64 * GIB)}
    filed = {n: _tables(n) for n in said}
    one = {f"one_{k}": binary(tables["S"].write) for k, tables in zip("abc", filed.values(), strict=True)}
    both = {f"both_{k}": binary(tables["S"].write + tables["P"].write)
            for k, tables in zip("abc", filed.values(), strict=True)}
    lengths = {f"n_{k}": count(n) for k, n in zip("abc", said, strict=True)}
    return Found(lengths | dict(zip("abc", said.values(), strict=True)), one | both,
                 tuple(Pair((f"N = {n:,}",), size, binary(filed[n]["S"].write)) for n, size in said.items()))


def long_text() -> Found:
    """Bytes of Q, K, V and O of one head at 128K, and of the extra fp32 number a row."""
    head = compulsory(Problem(n=LONG, d=HEAD)).total
    lse = _kept(LONG)["L"].write
    said = short(500 * 10**6)
    return Found({"n": count(LONG), "size": said},
                 {"head": short(head), "extra": binary(lse), "d": count(HEAD),
                  "heads": Quantity(said.value / head, f"{said.value / head:.2g}")},
                 (Pair(("Q, K, V, O",), said, short(head)), Pair(("L",), said, short(lse))))


def kept_for_backward() -> Found:
    """Bytes kept for the backward pass at N and 2N: P the standard way, the logsumexp the tiled way."""
    n = 4096
    table, lse = ([kept[name].write for kept in (_kept(n), _kept(2 * n))] for name in ("P", "L"))
    seen = memory()
    return Found({}, {
        "table": full(table[0]), "lse": full(lse[0]), "n": count(n),
        "table_growth": times(table[1] / table[0]), "lse_growth": times(lse[1] / lse[0]),
        "standard_seen": short(seen["pytorch"][n] * 10**6), "flash_seen": short(seen["flash"][n] * 10**6)})


def cache_of_a_token() -> Found:
    """Bytes that one more token adds to the KV cache of a model of 32 layers, with 32 and with 8 K/V heads."""
    n, layers, heads, fewer = 8192, 32, 32, 8
    every, grouped = ({layers * _grown_by_a_token(at, kv) for at in (1, n)} for kv in (heads, fewer))
    (mha,), (gqa,) = every, grouped                       # the first token adds as much as the n-th
    return Found({}, {"mha": binary(mha), "gqa": binary(gqa), "layers": count(layers), "heads": count(heads),
                      "kv": count(fewer), "d": count(HEAD), "n": count(n)})


def paging() -> Found:
    """Share of the KV memory that earlier systems used, and what the last block of a text can waste."""
    paged, n = quoted("paged"), 2048
    slots = paged["block"] - 1
    return Found({}, {"used": percents(*paged["used_before"]), "waste": percent(paged["waste_after"]),
                      "block": count(paged["block"]), "slots": count(slots), "n": count(n),
                      "share": percent(slots / (n + slots), 2)})


def _tables(n):
    """{tensor: Traffic} of standard attention of one fp16 head."""
    return accounting.cost("standard", Problem(n=n, d=HEAD), Tiling(128, 128)).desk.by_tensor


def _kept(n):
    """{"P": …, "L": …}: what each way writes that the backward pass reads again."""
    tiled = accounting.cost("flash2", Problem(n=n, d=HEAD, lse=True), Tiling(128, 128)).desk.by_tensor
    return {"P": _tables(n)["P"], "L": tiled["L"]}


def _grown_by_a_token(n, kv_heads):
    """Bytes of K and V that one layer holds more with n + 1 tokens than with n."""
    shorter, longer = (compulsory(Problem(n=1, n_kv=keys, d=HEAD, heads=32, kv_heads=kv_heads)) for keys in (n, n + 1))
    return longer.read - shorter.read
