"""Two workers, one table: the same scores and shares, kept in two different places."""

import numpy as np
import streamlit as st

from lessons.card.written import figure
from lessons.played import at_one_desk, stage_scene
from lessons.predict import predict
from lessons.settings import Choice, Powers, Whole
from lessons.story import small_desk
from lessons.views.stage import stage
from lessons.views.table import table

SHOWN, WIDE = 3, 8                      # people and numbers of the results shown

FIELDS = {
    "n": Whole(8, 2, 16),
    "d": Whole(8, 2, 16),
    "br": Powers(4, 2, 8),
    "dtype": Choice("fp32", ("fp32", "fp16", "bf16")),
    "step": Whole(0, 0, 10**7),
}


def page(view):
    """Draw the page: both workers under one step button, what differs and what does not."""
    left, right = _played(view)
    numbers = _numbers(view, view.settings.problem(), left, right)
    view.section("lead", **numbers)
    view.controls("n", "d", "br", "dtype", n="walk.people", br="walk.block")
    stage(scene(view), key="side-by-side:stage")
    view.section("steps")
    if predict(view, "cells", ("standard", "tiled", "same"), "same", **numbers):
        view.figures(("side.cells_standard", numbers["cells_standard"], "", "counted"),
                     ("side.cells_tiled", numbers["cells_tiled"], "", "counted"),
                     ("side.rescales", numbers["rescales"], "", "counted"))
        if predict(view, "tables", ("none", "half", "all"), "none", **numbers):
            view.figures(("side.table_standard", numbers["table_standard"], "desk", "counted"),
                         ("side.carries_standard", numbers["carries"], "desk", "counted"),
                         ("side.table_tiled", numbers["table_tiled"], "desk", "counted"))
        view.section("agree", **numbers)
        _results(view, left, right)
    view.section("computer", **numbers)


def scene(view) -> str:
    """The JSON text of the page's stage."""
    n, d, block = view.settings.n, view.settings.d, view.settings.br
    caption = view.label("walk.caption", n=n, d=d, block=block, badges=view.badges("desk", "counted"))
    return stage_scene(view, *_played(view), file=f"side-by-side-n{n}-d{d}-b{block}", caption=caption)


def _played(view):
    """Both workers' runs at one desk."""
    problem, tiling = view.settings.problem(), view.settings.tiling()
    return at_one_desk(view, problem, tiling, small_desk(problem, tiling), ("standard", "flash2"))


def _numbers(view, problem, standard, tiled):
    """Cells worked out, table numbers carried, and how far the two results lie apart."""
    width, cells = problem.storage.bytes, problem.n**2
    ledgers = [worker.cost.desk.by_tensor for worker in (standard, tiled)]
    carried = [sum(moved[table].total for table in "SP" if table in moved) // width for moved in ledgers]
    apart = np.abs(np.subtract(standard.output, tiled.output)).max()
    counts = {"n": problem.n, "cells": cells, "output": problem.n * problem.d,
              "cells_standard": standard.cost.flops.matmul // (4 * problem.d),
              "cells_tiled": tiled.cost.flops.matmul // (4 * problem.d),
              "rescales": tiled.cost.flops.exp - cells, "table_standard": carried[0], "table_tiled": carried[1],
              "carries": carried[0] // cells}
    return {name: view.number(value) for name, value in counts.items()} | {
        "apart": figure(apart), "error_standard": figure(standard.max_error), "error_tiled": figure(tiled.max_error),
        "dtype": problem.dtype, "epsilon": figure(problem.storage.epsilon)}


def _results(view, standard, tiled):
    """The first people's results from both workers, in three decimals, one under the other."""
    rows = [(f"{view.label('side.person', person=person + 1)} · {view.label(f'side.{name}')}",
             *(f"{x:.3f}".replace("-", "−") for x in line))
            for person, lines in enumerate(zip(standard.output[:SHOWN], tiled.output[:SHOWN], strict=True))
            for name, line in zip(("left", "right"), (line[:WIDE] for line in lines), strict=True)]
    numbered = (f"O{column}" for column in range(1, len(rows[0])))
    st.html(table(("", *numbered), rows, view.badges("", "counted")))
