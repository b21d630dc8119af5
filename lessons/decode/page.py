"""One word at a time: a single row, the workers it keeps busy, the bytes it reads, and what every token leaves."""

from lessons.decode.scenes import SCENES, staged
from lessons.settings import Flag, Powers, Tabs, Whole, any_gpu
from lessons.tabs import scenes

FIELDS = {
    "scene": Tabs("row", tuple(SCENES)),
    "splits": Powers(1, 1, 256),
    "n_kv": Powers(32768, 1024, 131072),
    "batch": Powers(1, 1, 64),
    "heads": Powers(32, 1, 64),
    "kv_heads": Powers(8, 1, 64),
    "pack_gqa": Flag(True),
    "gpu": any_gpu(),
    "step": Whole(0, 0, 10**7),
}


def page(view):
    """Draw the page: the scenes in a row to choose from, the one chosen, and the computer behind them."""
    view.section("lead")
    scenes(view, SCENES)
    SCENES[view.settings.scene](view)
    view.section("computer")


def scene(view) -> str:
    """The JSON text of the page's stage."""
    return staged(view)
