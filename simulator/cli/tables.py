"""Aligned text: numbers to the right, words to the left."""

from ..online_softmax import NOTHING

PREFIXES = ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))


def table(rows, header):
    """A header and rows of cells (words, or numbers to be grouped) as aligned lines."""
    cells = [[f"{cell:,}" if _is_number(cell) else str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(header, *cells, strict=True)]
    right = [any(map(_is_number, column)) for column in zip(*rows, strict=True)]
    lines = [_line(row, widths, right) for row in (header, *cells)]
    return [lines[0], "─" * (sum(widths) + 2 * len(widths) - 2), *lines[1:]]


def quantity(value, unit="B"):
    """A number with four digits and a prefix: 1,090,519,040 as "1.091 GB"."""
    for size, prefix in PREFIXES:
        if value >= size:
            return f"{value / size:,.4g} {prefix}{unit}"
    return f"{value} {unit}"


def short(value):
    """A number in three digits, a list of them in brackets, nothing as nothing."""
    if value is None:
        return ""
    if isinstance(value, list):
        return f"[{' '.join(map(short, value))}]"
    return "−∞" if value == NOTHING else f"{value:.3g}"


def _line(cells, widths, right):
    padded = (c.rjust(w) if r else c.ljust(w) for c, w, r in zip(cells, widths, right, strict=True))
    return "  ".join(padded).rstrip()


def _is_number(cell):
    return isinstance(cell, int | float) and not isinstance(cell, bool)
