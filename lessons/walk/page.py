"""The worker walks."""

from lessons.settings import Powers, Whole

FIELDS = {
    "n": Whole(8, 2, 32),
    "d": Whole(8, 2, 16),
    "br": Powers(4, 1, 32),
    "step": Whole(0, 0, 10**7),
}


def page(view):
    """Draw the page."""
    view.section("lead", n=view.number(view.settings.n))
    view.controls("n", "d", "br")
