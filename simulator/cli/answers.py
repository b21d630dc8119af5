"""Answers as plain objects: what `--json` prints, and flattened what `--csv` prints."""

import numpy as np

from ..accounting import KEPT
from ..accounting import cost as closed_form
from ..accounting import kept as kept_by_form
from ..tiling import fits


def configuration(asked):
    """The algorithm and the flags' values, named like the flags."""
    p, t = asked.problem, asked.tiling
    return {"algorithm": asked.algorithm,
            "n": p.n, "n_kv": p.n_k, "d": p.d, "br": t.br, "bc": t.bc,
            "batch": p.batch, "heads": p.heads, "kv_heads": p.groups, "dtype": p.dtype,
            "causal": p.causal, "window": list(p.window), "lse": p.lse, "stages": t.stages,
            "splits": t.splits, "pack_gqa": t.pack_gqa,
            "gpu": asked.gpu.key, "passes": list(p.passes), "seed": p.seed}


def counts(cost, fitting, tag, max_error=None, cabinet=None):
    """A Cost as nested objects; its numbers may be arrays, one entry a row of a sweep."""
    desk = _traffic(cost.desk) | {
        "by_tensor": {name: _traffic(t) for name, t in cost.desk.by_tensor.items()},
        "by_kernel": {name: _traffic(t) for name, t in cost.desk.by_kernel.items()}}
    rulers = {"desk": desk, "paper": _traffic(cost.paper)}
    if cabinet is not None:
        rulers["cabinet"] = _shelved(cabinet) | {
            "by_kernel": {name: _shelved(crossing) for name, crossing in cabinet.by_kernel.items()},
            "blocks_per_sm": cabinet.blocks_per_sm, "tag": "modelled"}
    return {"tag": tag, "rulers": rulers,
            "flops": {name: getattr(cost.flops, name) for name in ("matmul", "exp", "other", "paper")},
            "tile_moves": cost.tile_moves,
            "peak": {"shared_bytes": cost.peak.shared_bytes, "registers_bytes": cost.peak.registers_bytes},
            "fits": fitting, "max_error": max_error}


def answer(asked, run, cabinet=None):
    """One Run as `count --json` prints it."""
    return configuration(asked) | counts(run.cost, run.fits, run.tag, run.max_error, cabinet) | kept(asked)


def kept(asked, **varied):
    """What a backward pass finds in HBM from the forward pass: {"kept": {tensor: bytes}}, of others nothing."""
    if asked.algorithm not in KEPT:
        return {}
    return {"kept": kept_by_form(asked.algorithm, asked.problem, asked.tiling, **varied)}


def sweep(swept):
    """The rows of a sweep, from one closed form: flattened answers, the varied value first."""
    first = swept.asked[0]
    varied = {swept.vary: np.array(swept.values)}
    cost = closed_form(first.algorithm, first.problem, first.tiling, **varied)
    table = flat(counts(cost, fits(cost.peak, first.gpu), "computed") | kept(first, **varied))
    columns = {name: _column(values, len(swept.values)) for name, values in table.items()}
    return [{swept.vary: value} | configuration(asked) | dict(zip(columns, row, strict=True))
            for value, asked, row in zip(swept.values, swept.asked, zip(*columns.values(), strict=True), strict=True)]


def flat(nested, prefix=""):
    """{"a": {"b": 1}} as {"a.b": 1}."""
    parts = {}
    for name, value in nested.items():
        parts |= flat(value, f"{prefix}{name}.") if isinstance(value, dict) else {prefix + name: value}
    return parts


def _traffic(t):
    return {"read": t.read, "write": t.write}


def _shelved(crossing):
    return _traffic(crossing) | {"left_dirty": crossing.left_dirty}


def _column(values, rows):
    """Plain Python values, one for each row."""
    return np.broadcast_to(np.asarray(values), rows).tolist()
