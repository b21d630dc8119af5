"""The worker walks: standard attention carries the table four times, and nobody wanted a number of it."""

from dataclasses import replace

from lessons.played import played, stage_scene
from lessons.predict import predict
from lessons.settings import Powers, Whole
from lessons.story import small_desk
from lessons.views.stage import stage
from simulator import accounting

FIELDS = {
    "n": Whole(8, 2, 32),
    "d": Whole(8, 2, 16),
    "br": Powers(4, 2, 16),
    "step": Whole(0, 0, 10**7),
}


def page(view):
    """Draw the page: the walk on the stage, how much of it anybody wanted, and the computer behind it."""
    settings = view.settings
    problem, tiling = settings.problem(), settings.tiling()
    shown = _played(view)
    twice = accounting.cost("standard", problem, tiling, n=2 * problem.n)
    numbers = _numbers(view, problem, shown.cost) | _numbers(view, replace(problem, n=2 * problem.n), twice, "twice_")
    view.section("lead", **numbers)
    view.controls("n", "d", "br", n="walk.people", br="walk.block")
    stage(scene(view), key="walk:stage")
    if predict(view, "wanted", ("all", "half", "none"), "none", **numbers):
        view.figures(("walk.carries", numbers["carries"], "desk", "counted"),
                     ("walk.carried", numbers["carried"], "desk", "counted"),
                     ("walk.wanted_numbers", numbers["output"], "desk", "counted"))
        if predict(view, "growth", ("×2", "×4", "×8"), "×4", **numbers):
            view.figures(("walk.unwanted_twice", numbers["twice_carried"], "desk", "computed"),
                         ("walk.wanted_twice", numbers["twice_output"], "desk", "computed"))
    view.section("computer", **numbers)


def scene(view) -> str:
    """The JSON text of the page's stage."""
    problem, block = view.settings.problem(), view.settings.br
    caption = view.label("walk.caption", n=problem.n, d=problem.d, block=block, badges=view.badges("desk", "counted"))
    return stage_scene(view, _played(view), file=f"walk-standard-n{problem.n}-d{problem.d}-b{block}", caption=caption)


def _played(view):
    problem, tiling = view.settings.problem(), view.settings.tiling()
    return played(problem, tiling, small_desk(problem, tiling), "standard", view.label("algorithm.standard"))


def _numbers(view, problem, cost, prefix=""):
    """What crossed the room: whole tables, their numbers, and the output's numbers."""
    traffic, cells, width = cost.desk.by_tensor, problem.n**2, problem.storage.bytes
    carried = (traffic["S"].total + traffic["P"].total) // width
    numbers = {"n": problem.n, "d": problem.d, "cells": cells, "carries": carried // cells, "carried": carried,
               "output": traffic["O"].write // width}
    return {prefix + name: view.number(value) for name, value in numbers.items()}
