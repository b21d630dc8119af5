"""Published numbers, read as data: each file names its source."""

import json
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent


@cache
def quoted(name: str) -> dict:
    """Return one table of published.toml, its source among its entries."""
    return tomllib.loads((HERE / "published.toml").read_text(encoding="utf-8"))[name]


@dataclass(frozen=True)
class Times:
    """One table of the first paper: which pass, with which extras, and {N: milliseconds} of each way."""

    which: str
    mask: bool
    dropout: bool
    standard: dict[int, float]
    flash: dict[int, float]

    def speedup(self, n: int) -> float:
        """Return how many times as fast FlashAttention was at N, beside PyTorch."""
        return self.standard[n] / self.flash[n]

    @property
    def shared(self) -> tuple[int, ...]:
        """Return every N that both ways reached."""
        return tuple(n for n in self.flash if n in self.standard)


@cache
def first_paper() -> dict:
    """Return the file of the first paper's appendix tables."""
    return json.loads((HERE / "flash1_times.json").read_text(encoding="utf-8"))


@cache
def times() -> tuple[Times, ...]:
    """Return the first paper's tables of running times."""
    return tuple(Times(row["pass"], row["mask"], row["dropout"], _known(row["pytorch"]), _known(row["flash"]))
                 for row in first_paper()["tables"])


def both_passes(mask: bool, dropout: bool) -> Times:
    """Return the table of forward and backward together with these extras."""
    return next(one for one in times() if (one.which, one.mask, one.dropout) == ("fwd+bwd", mask, dropout))


def memory() -> dict[str, dict[int, float]]:
    """Return {way: {N: MB}} of forward and backward together."""
    return {way: _known(column) for way, column in first_paper()["memory"].items()}


def _known(column):
    return {n: value for n, value in zip(first_paper()["n"], column, strict=True) if value is not None}
