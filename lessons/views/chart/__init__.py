"""What a chart is: plain frozen data that the live picture, the exports and the table all read."""

from dataclasses import dataclass

SCALES = ("linear", "log2", "log10")
DASHES = ("solid", "dashed", "dotted", "dashdot")
MARKERS = ("circle", "square", "triangle", "diamond", "none")


@dataclass(frozen=True)
class Axis:
    """One axis: what it measures (label), in what (unit "B" is bytes, "" a plain count), on which scale.

    ends are the least and greatest value to make room for; left out, those of the chart's numbers.
    """

    label: str
    unit: str = ""
    scale: str = "linear"
    ends: tuple = ()


@dataclass(frozen=True)
class Series:
    """One line of numbers over the chart's x values; None where there is no number.

    Colour role, dash and marker all tell series apart, so that none depends on colour alone.
    ruler and tag name how the numbers were counted ("desk", "computed"); note says it in words.
    """

    id: str
    label: str
    values: tuple
    role: str
    dash: str = "solid"
    marker: str = "circle"
    ruler: str = ""
    tag: str = ""
    note: str = ""


@dataclass(frozen=True)
class Mark:
    """A reference line across the plot at one value of an axis ("x": vertical, "y": horizontal)."""

    axis: str
    at: float
    label: str


@dataclass(frozen=True)
class Rise:
    """A step drawn on a series from one x position to another: how many times as much, both ways."""

    series: str
    start: int
    stop: int


@dataclass(frozen=True)
class Chart:
    """A picture of numbers: x values, series over them, reference lines, the caption and a file name.

    The caption holds one text per line: configuration, ruler, tag, date. The link is the scene's.
    """

    title: str
    x: Axis
    y: Axis
    xs: tuple
    series: tuple[Series, ...]
    marks: tuple[Mark, ...] = ()
    rises: tuple[Rise, ...] = ()
    caption: tuple[str, ...] = ()
    link: str = ""
    file: str = "chart"
    lang: str = "en"
