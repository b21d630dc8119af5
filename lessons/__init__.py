"""The lessons and their order.

A lesson is a folder `lessons/<path with _ for ->/` and one line below. Its `page.py` holds

    FIELDS = {"n": Whole(8, 2, 32), …}      the settings it reads from the URL (kinds: lessons/settings.py)
    def page(view): …                       what it draws (view: lessons/shell.py)

and its words are `en.md`, `zh-Hans.md`, `zh-Hant.md`: a `# title`, then `## id` sections.
Nothing here is imported before it is opened.
"""

from dataclasses import dataclass
from importlib import import_module


@dataclass(frozen=True)
class Page:
    """One lesson: its URL path and the group it stands in (labels `group.<group>`)."""

    path: str
    group: str

    @property
    def lesson(self):
        """The name of the lesson's folder and package."""
        return self.path.replace("-", "_")

    @property
    def module(self):
        """The lesson's page module, with FIELDS and page(view)."""
        return import_module(f"lessons.{self.lesson}.page")


PAGES = (
    Page("table", "story"),
    Page("walk", "story"),
    Page("scriptorium", "story"),
    Page("card", "story"),
    Page("side-by-side", "story"),
    Page("masks", "story"),
    Page("overflow", "story"),
    Page("backward", "story"),
    Page("versions", "story"),
    Page("decode", "story"),
    Page("neighbours", "story"),
    Page("beyond", "story"),
    Page("workbench", "lab"),
    Page("count", "lab"),
    Page("rulers", "lab"),
    Page("gpu", "lab"),
    Page("call", "lab"),
    Page("claims", "lab"),
    Page("quiz", "class"),
    Page("glossary", "class"),
    Page("teach", "class"),
    Page("about", "class"),
)
