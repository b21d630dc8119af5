"""Colours: one per tensor, the same family for what belongs together, and text that can be read."""

import pytest

from lessons.views import palette

LIGHT_PAGE, DARK_PAGE = "#FCFBF8", "#15191B"


def luminance(colour):
    channels = [int(colour[at:at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_black_on_white_is_21_to_1():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)


@pytest.mark.parametrize("dark, page", [(False, LIGHT_PAGE), (True, DARK_PAGE)])
@pytest.mark.parametrize("tensor", palette.LIGHT)
def test_text_reads_on_a_tensors_colour_and_its_line_colour_reads_on_the_page(tensor, dark, page):
    colours = palette.swatch(tensor, dark)
    assert contrast(colours.ink, colours.fill) >= 4.5
    assert contrast(colours.line, page) >= 4.5


@pytest.mark.parametrize("tensor, family", [("Q", "Q"), ("dQ", "Q"), ("dP", "P"), ("m", "card"), ("L_partial", "card"),
                                            ("O_partial", "O"), ("dO", "O"), ("Z", "Z"), ("anything", "Z"), ("d", "Z")])
def test_what_belongs_to_a_tensor_wears_its_colour(tensor, family):
    assert palette.family(tensor) == family


def test_no_two_tensors_share_a_colour():
    for colours in (palette.LIGHT, palette.DARK):
        assert len({swatch.fill for swatch in colours.values()}) == len(colours)
