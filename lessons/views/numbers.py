"""How a number is written: exactly with separators, or short with a prefix."""

_SI = ("", "k", "M", "G", "T", "P", "E", "Z", "Y", "R", "Q")
_BINARY = ("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "Zi", "Yi")


def exact(value, unit: str = "") -> str:
    """A number in full with thousands separators and its unit; a dash for no number."""
    if value is None:
        return "—"
    text = f"{value:,.0f}" if float(value).is_integer() else f"{value:,.4g}"
    return f"{text} {unit}".strip()


def short(value, unit: str = "", digits: int = 3, binary: bool = False) -> str:
    """A number in a few digits with an SI prefix (or a power of 1024): 1090519040 B is 1.09 GB."""
    base, names = (1024, _BINARY) if binary else (1000, _SI)
    value, power = float(value), 0
    while abs(value) >= base * (1 - 0.5 * 10.0 ** -digits) and power < len(names) - 1:
        value, power = value / base, power + 1
    text = f"{value:.{digits}g}" if abs(value) < 1000 else f"{value:.0f}"
    return f"{text} {names[power]}{unit}".strip() if unit else f"{text}{names[power]}"


def tick_text(value, unit: str = "", binary: bool = False) -> str:
    """An axis label: bytes with a prefix, powers of two and small counts in full."""
    if unit == "B":
        return short(value, unit, binary=binary)
    return exact(value, unit) if value < 1e6 or binary else short(value, unit)


def times(ratio: float) -> str:
    """A ratio as it is read aloud: ×4, ×3.97, ×0.51."""
    return f"×{ratio:.3g}"


def percent(share: float) -> str:
    """A share as whole percents: 76 %."""
    return f"{100 * share:.0f}\u00a0%"
