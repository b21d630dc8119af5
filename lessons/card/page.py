"""The running card."""

from lessons.settings import Powers, Whole

FIELDS = {"n": Whole(4, 2, 16), "br": Powers(1, 1, 16), "step": Whole(0, 0, 10**7)}


def page(view):
    """Draw the page."""
    view.section("lead", n=view.number(view.settings.n))
    view.controls("n", "br")
