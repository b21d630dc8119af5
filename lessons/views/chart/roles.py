"""The colours of a chart's lines: an algorithm's own, or its tensor's from the palette."""

from lessons.views import palette

# (light, dark): 4.5:1 on the page, and apart from each other in lightness as well as in hue.
ALGORITHMS = {
    "standard": ("#1F2933", "#E8ECF1"),
    "flash1": ("#0A779B", "#56C3E6"),
    "flash2": ("#B4124A", "#FF7A9E"),
    "decode": ("#B4124A", "#FF7A9E"),
    "split_kv": ("#6A4A0B", "#E2B45C"),
    "floor": ("#5F6B7A", "#9AA7B6"),
}


def colour(role: str, dark: bool = False) -> str:
    """The #RRGGBB of a role's lines and names on a light or a dark page."""
    if role in ALGORITHMS:
        return ALGORITHMS[role][dark]
    return palette.swatch(role, dark).line


def css() -> str:
    """CSS rules that set --role, the colour of everything that wears a role, by the page's colour scheme."""
    roles = (*ALGORITHMS, *palette.LIGHT)
    plain = "".join(f".role-{role} {{ --role: {colour(role)}; }}\n" for role in roles)
    themed = "".join(f".role-{role} {{ --role: light-dark({colour(role)}, {colour(role, dark=True)}); }}\n"
                     for role in roles)
    return f"{plain}@supports (color: light-dark(red, red)) {{\n{themed}}}\n"
