"""Workbench."""

from lessons.settings import ALGORITHMS, DTYPES, Choice, Flag, Powers, Whole, any_gpu

FIELDS = {
    "n": Whole(256, 1, 2**20),
    "d": Whole(64, 1, 512),
    "br": Powers(64, 1, 512),
    "bc": Powers(64, 1, 512),
    "gpu": any_gpu(),
    "dtype": Choice("fp16", DTYPES),
    "causal": Flag(),
    "algorithm": Choice("flash2", ALGORITHMS),
    "step": Whole(0, 0, 10**7),
}


def page(view):
    """Draw the page."""
    view.section("lead", n=view.number(view.settings.n))
    view.controls("n", "d", "br", "bc")
