"""The two themes: everything that is read stands out from what it stands on by 4.5 : 1 at least."""

import tomllib
from pathlib import Path

import pytest

CONFIG = tomllib.loads((Path(__file__).parents[1] / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
QUIET = 0.72                                                # the share of text in --dc-quiet (shell.css)


def luminance(colour):
    """Return the relative luminance of #RRGGBB (WCAG 2)."""
    parts = (int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    """Return the contrast of two colours, from 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def mixed(colour, ground, share):
    """Return a colour laid over a ground with an opacity."""
    parts = ((int(colour[i:i + 2], 16), int(ground[i:i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(c * share + g * (1 - share)):02x}" for c, g in parts)


def test_black_on_white_is_the_most():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)


@pytest.mark.parametrize("name", ["light", "dark"])
def test_text_stands_out(name):
    theme = CONFIG["theme"][name]
    page, sidebar = theme["backgroundColor"], theme["sidebar"]["backgroundColor"]
    for ground in (page, theme["secondaryBackgroundColor"], sidebar, theme["sidebar"]["secondaryBackgroundColor"]):
        assert contrast(theme["textColor"], ground) >= 7
    for ground in (page, sidebar):
        assert contrast(mixed(theme["textColor"], ground, QUIET), ground) >= 4.5
    for colour in ("primaryColor", "linkColor"):
        assert contrast(theme[colour], page) >= 4.5
    for colour in ("yellow", "red"):
        assert contrast(theme[f"{colour}TextColor"], theme[f"{colour}BackgroundColor"]) >= 4.5


def test_nothing_is_sent_anywhere_and_no_run_stops_all_readers():
    assert CONFIG["browser"]["gatherUsageStats"] is False
    assert CONFIG["runner"]["postScriptGC"] is False
