"""What each idea of a kernel bought, as a table: its rate without the idea, at several sizes."""

from kernels.ideas import WHOLE, cells, ideas
from lessons.gpu import speed
from lessons.measured import Bench
from lessons.text import label, label_or
from lessons.views.numbers import exact, percent
from lessons.views.table import table
from simulator.designs import READER


def timed(bench: Bench) -> dict | None:
    """The row that says for which kernel and N ideas were left out; None where none was."""
    return next((row for row in bench.rows if "without" in row), None)


def draw(bench: Bench, lang: str) -> str:
    """The table as HTML: a row for each idea, a column for each width and mask."""
    found = ideas(bench.rows)
    columns = [label("gpu.ideas_without", lang), *(_size(d, causal, lang) for d, causal in cells(found))]
    rows = [(label_or(f"gpu.ideas.{one.key}", lang, one.key), *(_rate(one, cell, lang) for cell in cells(found)))
            for one in found]
    return table(columns, rows, _caption(bench, lang))


def _caption(bench, lang):
    """Kernel, size, type and unit, and where and when the rates come from."""
    row, origin = timed(bench), bench.record.origin(label("gpu.undated", lang))
    return " · ".join((speed.name(row["kernel"], lang), f"N = {exact(row['n'])}", row["dtype"], "TFLOP/s", origin,
                       label("tag.measured", lang)))


def readers(bench: Bench) -> dict[int, int]:
    """{d: how many readers the whole kernel has}, the narrow heads first."""
    return {row["d"]: row["br"] // READER for row in sorted(bench.rows, key=lambda row: row["d"])
            if row.get("without") == WHOLE}


def spans(bench: Bench) -> dict[str, str]:
    """{idea_low and idea_high: the least and the most that was left of the rate without it, over the sizes}."""
    shares = {one.key: one.shares.values() for one in ideas(bench.rows) if one.shares}
    return {f"{key}_{end}": percent(pick(found)) for key, found in shares.items()
            for end, pick in (("low", min), ("high", max))}


def fewer_readers(bench: Bench) -> dict[str, str]:
    """What is left without one of the readers, at the narrowest and at the widest heads; {} where none was left out."""
    left = next((one.shares for one in ideas(bench.rows) if one.key == "readers"), {})
    said = {}
    for name, pick in (("narrow", min), ("wide", max)) if left else ():
        d = pick(width for width, _ in left)
        shares, whole = [share for (width, _), share in left.items() if width == d], readers(bench)[d]
        said |= {name: exact(d), f"{name}_readers": exact(whole), f"{name}_left": exact(whole - 1),
                 f"{name}_low": percent(min(shares)), f"{name}_high": percent(max(shares))}
    return said


def _size(d, causal, lang):
    return label("gpu.ideas_causal", lang, d=exact(d)) if causal else f"d = {exact(d)}"


def _rate(one, cell, lang):
    if cell not in one.rates:
        return "–"
    rate = f"{one.rates[cell]:.0f}"
    return label("gpu.ideas_rate", lang, rate=rate, share=percent(one.shares[cell])) if cell in one.shares else rate
