"""One colour per tensor, on every stage, chart, listing and table (Okabe–Ito family)."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Swatch:
    """One tensor's colours as #RRGGBB: a filled area, the text upon it, and text or lines upon the page."""

    fill: str
    ink: str
    line: str


_DARK_INK, _WHITE = "#111820", "#FFFFFF"

LIGHT = {
    "Q": Swatch("#0072B2", _WHITE, "#005F94"),
    "K": Swatch("#E69F00", _DARK_INK, "#8F5F00"),
    "V": Swatch("#009E73", _DARK_INK, "#00694D"),
    "O": Swatch("#7B4FA3", _WHITE, "#7B4FA3"),
    "S": Swatch("#D55E00", _DARK_INK, "#A84800"),
    "P": Swatch("#CC79A7", _DARK_INK, "#9C4678"),
    "card": Swatch("#5B7083", _WHITE, "#4C6073"),
    "Z": Swatch("#8A5A3C", _WHITE, "#7A4E33"),
}

DARK = {
    "Q": Swatch("#4FA8E0", _DARK_INK, "#4FA8E0"),
    "K": Swatch("#F0B53C", _DARK_INK, "#F0B53C"),
    "V": Swatch("#2DBE93", _DARK_INK, "#2DBE93"),
    "O": Swatch("#B58BD6", _DARK_INK, "#B58BD6"),
    "S": Swatch("#F0803C", _DARK_INK, "#F0803C"),
    "P": Swatch("#E09CC2", _DARK_INK, "#E09CC2"),
    "card": Swatch("#93A9BC", _DARK_INK, "#93A9BC"),
    "Z": Swatch("#C08F6E", _DARK_INK, "#C08F6E"),
}

# Names outside the eight: partial results and gradients wear the colour of what they belong to.
_FAMILY = dict.fromkeys(("m", "l", "L", "a", "D", "rescale", "L_partial"), "card") | {"O_partial": "O"}


def family(tensor: str) -> str:
    """Return the colour family of a tensor's name: dQ is of Q, l of the card, an unknown name of Z."""
    name = _FAMILY.get(tensor, tensor)
    if name in LIGHT:
        return name
    return family(name[1:]) if name[:1] == "d" and len(name) > 1 else "Z"


def swatch(tensor: str, dark: bool = False) -> Swatch:
    """Return the colours of a tensor for a light or a dark page."""
    return (DARK if dark else LIGHT)[family(tensor)]


def css_variables(dark: bool = False) -> str:
    """Return the palette as CSS declarations --dc-<family>-fill, -ink and -line."""
    swatches = DARK if dark else LIGHT
    parts = [(name, part, colour) for name in swatches for part, colour in vars(swatches[name]).items()]
    return "".join(f"--dc-{name}-{part}:{colour};" for name, part, colour in parts)
