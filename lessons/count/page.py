"""Count the bytes."""

from lessons.settings import DTYPES, Choice, Powers, Whole

FIELDS = {"n": Whole(4096, 1, 2**24), "d": Whole(128, 1, 512), "br": Powers(128, 1, 512), "dtype": Choice("fp16", DTYPES)}


def page(view):
    """Draw the page."""
    view.section("lead", n=view.number(view.settings.n))
    view.controls("n", "d", "br", "dtype")
