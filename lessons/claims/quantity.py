"""A number as a claim needs it: exact, and as it is written."""

from dataclasses import dataclass

from lessons.text import Several
from lessons.views import numbers


@dataclass(frozen=True)
class Quantity:
    """A number, a range (low, high) or a list of names; its text, which fills a sentence; and its unit.

    `sign` stands before the text where the number stands alone: a ratio is 3.31 in a sentence and ×3.31 by itself.
    """

    value: float | tuple | None
    text: str
    unit: str = ""
    sign: str = ""

    def __str__(self) -> str:
        return self.text.replace(" ", "\u00a0") if self.unit else self.text           # a number stays beside its unit

    @property
    def alone(self) -> str:
        """Return the text of a number that stands by itself."""
        return self.sign + self.text

    @property
    def ends(self) -> tuple[float, float]:
        """Return the smallest and largest number meant."""
        return self.value if isinstance(self.value, tuple) else (self.value, self.value)


@dataclass(frozen=True)
class Pair:
    """What was said beside what was found, for the picture; its name is made of symbols and of keys of labels."""

    name: tuple[str, ...]
    said: Quantity
    found: Quantity


@dataclass(frozen=True)
class Found:
    """What recomputing a claim gave: the numbers it said, the numbers found (the main one first), and pairs to draw."""

    said: dict
    found: dict
    pairs: tuple[Pair, ...] = ()

    @property
    def main(self) -> Quantity:
        """Return the number that stands large beside the claim."""
        return next(iter(self.found.values()))

    @property
    def words(self) -> dict:
        """Return {name: number, or names in a row} for the placeholders of the claim's section."""
        return {name: _spoken(one) for name, one in (self.said | self.found).items()}


def count(number: int, unit: str = "") -> Quantity:
    """A whole number in full: 8,320."""
    return Quantity(number, numbers.exact(number, unit), unit)


def repeated(number: int) -> Quantity:
    """How often something was done: 32, and ×32 by itself."""
    return Quantity(number, numbers.exact(number), "×", "×")


def full(size: int) -> Quantity:
    """Bytes in full: 33,554,432 B."""
    return Quantity(size, numbers.exact(size, "B"), "B")


def short(size: int) -> Quantity:
    """Bytes by thousands, in four digits: 138.4 MB."""
    return Quantity(size, numbers.short(size, "B", digits=4), "B")


def binary(size: int) -> Quantity:
    """Bytes by powers of 1024: 32 MiB."""
    return Quantity(size, numbers.short(size, "B", digits=4, binary=True), "B")


def times(ratio: float, digits: int = 3) -> Quantity:
    """A ratio: ×3.31."""
    return Quantity(ratio, f"{ratio:.{digits}g}", "×", "×")


def timespan(low: float, high: float) -> Quantity:
    """A range of ratios: ×1.5–3.6."""
    return Quantity((low, high), f"{low:.3g}–{high:.3g}", "×", "×")


def percent(share: float, digits: int = 3) -> Quantity:
    """A share of one: 50.8 %."""
    return Quantity(share, f"{100 * share:.{digits}g}\u00a0%", "1")


def percents(low: float, high: float, digits: int = 3) -> Quantity:
    """A range of shares: 3.5–10.7 %."""
    return Quantity((low, high), f"{100 * low:.{digits}g}–{100 * high:.{digits}g}\u00a0%", "1")


def decimal(number: float, places: int, unit: str = "") -> Quantity:
    """A number to so many decimals: 1.145."""
    return Quantity(number, f"{number:,.{places}f}", unit)


def power(number: float, digits: int = 2) -> Quantity:
    """A very small or large number with a power of ten: 2.35 × 10¹⁷."""
    mantissa, exponent = f"{number:.{digits}e}".split("e")
    return Quantity(number, f"{mantissa} × 10{str(int(exponent)).translate(_RAISED)}")


def named(names: tuple[str, ...]) -> Quantity:
    """Names in a row: fp16, bf16."""
    several = Several(names)
    return Quantity(several, str(several))


def _spoken(one):
    """Names in a row as they are: the sentence sets them apart."""
    return one.value if isinstance(one, Quantity) and isinstance(one.value, Several) else one


_RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
