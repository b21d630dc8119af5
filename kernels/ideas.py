"""What each idea of a kernel bought: the kernel timed without it, beside the whole one in the same rounds.

Such rows of a file of timings name the idea under "without"; "nothing" is the whole kernel. Nothing here needs a GPU.
"""

from dataclasses import dataclass

from .aligned import aligned

WHOLE = "nothing"
MEANING = {"turns": "turns at the tensor cores", "overlap": "next scores under the last P V",
           "held": "Q held in registers", "edge": "masking cut tiles alone", "top": "the part-full row block first",
           "level": "longest first, to the least loaded", "stay": "thread blocks that stay",
           "readers": "one of its readers", "ring": "more than two buffers"}


@dataclass(frozen=True)
class Idea:
    """A kernel without one idea: by cell (d, causal) its TFLOP/s, and that as a share of the whole kernel's."""

    key: str
    rates: dict
    shares: dict


def ideas(rows):
    """The Ideas in the order of the rows, the whole kernel first; none where none was timed."""
    found = {WHOLE: {}}
    for row in rows:
        if "without" in row:
            found.setdefault(row["without"], {})[row["d"], row["causal"]] = row["tflops"]
    whole = found[WHOLE]
    return tuple(Idea(key, rates, {cell: rate / whole[cell] for cell, rate in rates.items() if cell in whole})
                 for key, rates in found.items() if rates)


def cells(found):
    """Every (d, causal) at which some Idea was timed, in order."""
    return sorted({cell for one in found for cell in one.rates})


def told(record):
    """The Ideas of a file of timings as lines; none where it has none."""
    found = ideas(record["rows"])
    if not found:
        return []
    row = next(row for row in record["rows"] if "without" in row)
    head = ("without", *(f"d {d}{' causal' if causal else ''}" for d, causal in cells(found)))
    title = f"{row['kernel']} without one of its ideas · N = {row['n']:,} · TFLOP/s, ÷ the whole kernel's · measured"
    rows = [(MEANING.get(one.key, one.key), *(_rate(one, at) for at in cells(found))) for one in found]
    return ["", title, "", *aligned((head,), rows)]


def _rate(one, cell):
    if cell not in one.rates:
        return None
    share = f"{one.shares[cell]:.2f}" if cell in one.shares else ""
    return f"{one.rates[cell]:.0f}  {share:>4}"
