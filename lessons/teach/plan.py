"""The lesson plan: which page, in which state, for how many minutes of 45 and of 90."""

from dataclasses import dataclass
from urllib.parse import urlencode

LENGTHS = (45, 90)


@dataclass(frozen=True)
class Step:
    """One part of a lesson: its section in the words, the page and its query, minutes by length (0: left out)."""

    name: str
    path: str
    query: tuple[tuple[str, str], ...]
    short: int
    long: int

    def minutes(self, length: int) -> int:
        """Return the minutes this part takes in a lesson of 45 or 90."""
        return self.short if length == LENGTHS[0] else self.long

    def link(self, lang: str, present: bool = False) -> str:
        """Return the address of the scene, below the app's."""
        query = {"lang": lang, **({"present": "1"} if present else {}), **dict(self.query)}
        return f"{self.path}?{urlencode(query, safe=',')}"


STEPS = (
    Step("table", "table", (), 6, 8),
    Step("walk", "walk", (), 9, 10),
    Step("card", "card", (("scores", "7,4,3,9"),), 12, 18),
    Step("side_by_side", "side-by-side", (), 8, 10),
    Step("overflow", "overflow", (), 0, 8),
    Step("workbench", "workbench", (), 0, 14),
    Step("rulers", "rulers", (), 0, 8),
    Step("count", "count", (), 5, 6),
    Step("quiz", "quiz", (("seed", "1"),), 5, 8),
)


def plan(length: int) -> list[tuple[int, int, Step]]:
    """Return the parts of a lesson of 45 or 90 minutes with their first and last minute."""
    parts, begins = [], 0
    for step in STEPS:
        if lasts := step.minutes(length):
            parts.append((begins, begins + lasts, step))
            begins += lasts
    return parts
