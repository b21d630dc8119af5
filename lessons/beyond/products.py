"""The tiled matrix product by block: what was counted in a run, its closed form, the work for each byte."""

from lessons.beyond import facts
from lessons.views.table import table
from simulator.matmul import closed_form

BLOCKS = (8, 16, 32, 64, 128)


def rows(view) -> str:
    """One line a block: bytes of A, B and C counted, by the closed form, FLOP a byte; the chosen block is marked."""
    columns = [view.label(f"beyond.column.{name}") for name in ("block", "A", "B", "C", "form", "flop_byte")]
    caption = view.label("beyond.caption.product", n=view.number(facts.COUNTED), badges=view.badges("desk", "counted"),
                         form=view.label("tag.computed"))
    return table(columns, [_row(view, block) for block in BLOCKS], caption)


def _row(view, block):
    counted = facts.product(block)
    form = closed_form(facts.COUNTED, facts.COUNTED, facts.COUNTED, block)
    mark = " ◂" if block == view.settings.block else ""
    return (f"{block} × {block}{mark}", view.number(counted.by_matrix["A"].read),
            view.number(counted.by_matrix["B"].read), view.number(counted.by_matrix["C"].write),
            view.number(form.total), f"{counted.intensity:.3g}")
