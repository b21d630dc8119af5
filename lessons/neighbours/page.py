"""Neighbours: four names, four problems; a memory in pages, and slots that are never left empty."""

from lessons.claims.published import quoted
from lessons.neighbours.scenes import SCENES
from lessons.settings import Powers, Tabs, Whole
from lessons.tabs import scenes

FIELDS = {
    "scene": Tabs("who", tuple(SCENES)),
    "requests": Whole(12, 2, 16),
    "slots": Whole(4, 2, 8),
    "longest": Powers(64, 16, 128),
    "page": Powers(16, 1, 16),
    "seed": Whole(0, 0, 10**6),
    "tick": Whole(1, 1, 512),
}


def page(view):
    """Draw the page: the scenes in a row to choose from, the one chosen, and the computer behind them."""
    view.section("lead")
    scenes(view, SCENES)
    SCENES[view.settings.scene](view)
    view.section("computer", block=quoted("paged")["block"])
