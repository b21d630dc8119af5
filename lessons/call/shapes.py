"""The shape of a tensor as a field of the scene: a few whole numbers, as PyTorch prints them."""

import re
from dataclasses import dataclass

LARGEST, MOST = 2**24, 6


@dataclass(frozen=True)
class Shape:
    """From one to six sizes, each from 1 to 2^24."""

    default: tuple[int, ...]

    def read(self, text):
        """Return the sizes that "(2, 16, 1024, 64)" writes and why they differ, or None where as written."""
        asked = [int(digits) for digits in re.findall(r"\d{1,18}", text)]
        if not asked or re.search(r"-\d|\d\.\d|\d{19}", text):
            return self.default, "list"
        near = tuple(min(max(size, 1), LARGEST) for size in asked[:MOST])
        return near, None if near == tuple(asked) else "list"

    def write(self, value):
        """Return the sizes as the URL has them."""
        return ",".join(map(str, value))

    @property
    def possible(self):
        """How many, and of which size."""
        return f"1–{MOST} × (1 … {LARGEST:,})"


def shown(shape) -> str:
    """Return a shape as PyTorch prints it: (2, 16, 1024, 64)."""
    return f"({', '.join(map(str, shape))})"
