"""Figure 2 of the first paper as objects and as tables, with what does not fit said beside what does."""

from .. import figure2 as figure
from .tables import quantity, table


def answer():
    """The reconstruction and the printed numbers as one object."""
    p = figure.WORKLOAD
    by_matmul = dict(zip(("standard", "flash1"), figure.flops(), strict=True))
    return {"figure": "Figure 2, Dao et al. 2022", "label": "reconstruction", "ruler": "paper", "tag": "computed",
            "workload": {"n": p.n, "d": p.d, "heads": p.heads, "batch": p.batch, "dtype": p.dtype},
            "printed": [vars(printed) for printed in figure.PRINTED],
            "table_bytes": figure.table_bytes(), "matrix_bytes": figure.matrix_bytes(),
            "standard": [_account(account, 0) for account in figure.standard()],
            "flash1": [_account(account, 1) for account in _flash1()],
            "curve": [{"bc": bc, "bytes": by_algorithm, "released_code_bytes": by_code}
                      for bc, by_algorithm, by_code in figure.curve()],
            "flops": by_matmul}


def lines():
    """The reconstruction for a person to read."""
    p = figure.WORKLOAD
    return [f"Figure 2 of Dao et al. (2022), a reconstruction · N = {p.n:,} · d = {p.d} · {p.batch} × {p.heads} heads "
            f"· {p.dtype} · forward and backward · paper ruler · computed",
            f"one pass over the N × N tables moves {quantity(figure.table_bytes())}, over an N × d matrix "
            f"{quantity(figure.matrix_bytes())}", "",
            *table([(v.version, *v.gigabytes, *v.gflops, *v.milliseconds, v.source) for v in figure.PRINTED],
                   ("published", "standard, GB", "flash1, GB", "standard, GFLOP", "flash1, GFLOP", "standard, ms",
                    "flash1, ms", "source")), "",
            *table([("standard", a.name, f"{a.tables:g}", a.matrices, f"{a.bytes / 1e9:.2f}", *_against(a, 0))
                    for a in figure.standard()] +
                   [("flash1", f"{a.name}, B_c = {a.bc}", "0", a.matrices, f"{a.bytes / 1e9:.2f}", *_against(a, 1))
                    for a in _flash1()],
                   ("way", "account", "N × N passes", "N × d passes", "GB",
                    *(f"against {v.version}" for v in figure.PRINTED))), "",
            *table([(bc, f"{by_algorithm / 1e9:.2f}", f"{by_code / 1e9:.2f}")
                    for bc, by_algorithm, by_code in figure.curve()],
                   ("middle panel, forward: B_c", "Algorithm 1, GB", "released code, O in fp32, GB")), "",
            "what does not fit:", *(f"- {words}" for words in _misfits())]


def _flash1():
    return (*map(figure.flash1, figure.BLOCKS), figure.released())


def _account(account, way):
    """An Account, and how far it lies from each printed version."""
    return vars(account) | {"against": {v.version: account.against(v.gigabytes[way]) for v in figure.PRINTED}}


def _against(account, way):
    return [f"{account.against(v.gigabytes[way]):+.1%}" for v in figure.PRINTED]


def _misfits():
    """What the reconstruction leaves open, every number of it computed."""
    algorithms, masked, dropped = figure.standard()
    arxiv, neurips = figure.PRINTED
    wide, narrow, code = figure.flash1(384), figure.flash1(figure.RELEASED), figure.released()
    standard, flash1 = figure.flops()
    rows = max(a.rows_bytes for a in _flash1() if a.bc == figure.RELEASED)
    return [
        f"the standard algorithms as printed, without mask and dropout, move {algorithms.bytes / 1e9:.1f} GB: below "
        "both published numbers",
        f"mask and dropout bring {dropped.bytes / 1e9:.2f} GB, {dropped.against(arxiv.gigabytes[0]):+.1%} from "
        f"{arxiv.version}, but they were chosen after the fact: half a pass more or less is "
        f"{figure.table_bytes(1) / 1e9 / arxiv.gigabytes[0]:.1%}",
        f"{neurips.version} speaks of a mask and no dropout; the same account then gives {masked.bytes / 1e9:.2f} GB, "
        f"{masked.against(neurips.gigabytes[0]):+.1%}: no one account gives both versions",
        f"FlashAttention's {arxiv.gigabytes[1]} GB lies between B_c = {wide.bc} ({wide.bytes / 1e9:.2f}) and "
        f"B_c = {narrow.bc} ({narrow.bytes / 1e9:.2f}); with the released code's savings it is "
        f"{code.bytes / 1e9:.2f}, if its partial sums are not counted in fp32",
        f"l and m would add {rows / 1e9:.2f} GB at B_c = {narrow.bc}",
        f"it is the same {arxiv.gigabytes[1]} GB in both versions, although the times beside it differ: "
        f"{arxiv.milliseconds[1]} and {neurips.milliseconds[1]} ms",
        f"the printed {arxiv.gflops[0]} and {arxiv.gflops[1]} GFLOP cannot be this workload's: its matrix products "
        f"take {standard / 1e9:.1f} and {flash1 / 1e9:.1f}",
        "a profiler would count behind L2, where this ruler sees what leaves SRAM; whether GB is 10⁹ or 2³⁰ bytes is "
        "not said",
        "the middle panel prints no numbers, so its curve can be compared by eye only"]
