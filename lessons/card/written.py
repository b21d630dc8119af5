"""How the card's numbers are written: a few decimals to look at, nine figures to compare."""

from math import inf, isinf, isnan

from simulator.online_softmax import NOTHING

_RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def power_of_ten(power: int) -> str:
    """A power of ten: 10⁻⁵."""
    return f"10{str(power).translate(_RAISED)}"


def figure(number: float, decimals: int = 1) -> str:
    """A number in at most four decimals, tiny and huge ones with a power of ten: 7, 1.0681, 1.1 × 10⁻⁵, ∞, NaN.

    `decimals` is how many the factor before a power of ten has.
    """
    if isnan(number):
        return "NaN"
    if number <= NOTHING or isinf(number):
        return "−∞" if number < 0 else "∞"
    if number and not 0.0005 <= abs(number) < 100_000:
        mantissa, power = f"{number:.{decimals}e}".split("e")
        return f"{mantissa} × {power_of_ten(int(power))}".replace("-", "−")
    return f"{number:,.4f}".rstrip("0").rstrip(".").replace("-", "−")


def nine(number: float) -> str:
    """A number in nine significant figures, which tell any two float32 numbers apart."""
    return f"{number:#.9g}".replace("-", "−")


def percent(share: float) -> str:
    """A share as a percentage of one decimal; what is not nothing is never written as nothing."""
    return "<\u00a00.1\u00a0%" if 0 < share < 0.0005 else f"{100 * share:.1f}\u00a0%"


def units(apart: float) -> str:
    """A distance in units in the last place, to one decimal."""
    return "∞" if apart == inf else f"{apart:.1f}"
