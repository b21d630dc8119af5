"""Plain tables of numbers: columns of text, numbers to the right, tensors with their colour beside the letter."""

from html import escape

from lessons.views import palette

NARROW = 4                              # columns that a phone has room for


def table(columns, rows, caption="", foot=()) -> str:
    """A table as HTML: a first column of words, then columns of ready texts; all of it escaped.

    Where a phone has no room for the columns, it shows each row as a small block, every number after its column's name.
    """
    head = f"<tr>{''.join(_head(column) for column in columns)}</tr>"
    body = "".join(_row(cells, columns) for cells in rows)
    total = f"<tfoot>{_row(foot, columns)}</tfoot>" if foot else ""
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    name = "dc-table dc-wide" if len(columns) > NARROW else "dc-table"
    return (f'<div class="dc-scroll" tabindex="0"><table class="{name}">{title}<thead>{head}</thead>'
            f"<tbody>{body}</tbody>{total}</table></div>")


class Tensor(str):
    """The name of a tensor, shown beside its colour."""


def _head(column):
    """A column's name; a column without one has nothing to be read out."""
    return f'<th scope="col">{_cell(column)}</th>' if column else "<td></td>"


def _row(cells, columns):
    return f"<tr>{''.join(map(_datum, cells, columns))}</tr>"


def _datum(cell, column):
    return f'<td data-column="{escape(str(column))}">{_cell(cell)}</td>'


def _cell(cell):
    if isinstance(cell, Tensor):
        light, dark = (palette.swatch(cell, dark).fill for dark in (False, True))
        colours = f"background:{light};background:light-dark({light},{dark})"
        return f'<span class="dc-chip" style="{colours}"></span>{escape(cell)}'
    return escape(str(cell))
