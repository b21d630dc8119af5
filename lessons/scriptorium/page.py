"""The scriptorium: the older tale in five scenes, one at a time, from the master's walks to a number and its unit."""

from lessons.scriptorium.scenes import SCENES, staged
from lessons.settings import Flag, Powers, Tabs, Whole, any_gpu
from lessons.tabs import scenes

FIELDS = {
    "scene": Tabs("master", tuple(SCENES)),
    "n": Powers(16, 8, 32),
    "br": Powers(4, 2, 8),
    "gpu": any_gpu(),
    "alike": Flag(),
    "step": Whole(0, 0, 10**7),
}


def page(view):
    """Draw the page: the scenes in a row to choose from, the one chosen, and the computer behind them."""
    view.section("lead")
    scenes(view, SCENES)
    SCENES[view.settings.scene](view)
    view.section("computer")


def scene(view) -> str:
    """The JSON text of the stage of a scene that has one."""
    return staged(view)
