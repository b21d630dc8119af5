"""Columns of ready words as aligned lines: the first to the left, the others to the right."""

NOTHING = "—"


def aligned(head, rows):
    """The lines of `head`, a rule, and those of `rows`; None is a dash."""
    body = [[NOTHING if cell is None else cell for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*head, *body, strict=True)]
    lines = [_line(row, widths) for row in (*head, *body)]
    return [*lines[: len(head)], "─" * (sum(widths) + 2 * len(widths) - 2), *lines[len(head):]]


def _line(row, widths):
    return "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip()
