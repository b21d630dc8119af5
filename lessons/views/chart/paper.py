"""The chart drawn on paper: a matplotlib Figure with its caption, from the same positions as the live one.

matplotlib is used from several threads at once, so every choice is an explicit argument: no pyplot, no rc.
"""

import re
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties

from lessons.views.chart import Chart, Series
from lessons.views.chart.layout import Scale, x_scale, y_scale
from lessons.views.chart.roles import colour
from lessons.views.fonts import font
from lessons.views.numbers import times

WIDTH, PLOT = 9.0, 4.2                                 # inches: the page, and the height of the plot itself
HEAD, FOOT, EDGE = 0.9, 0.7, 0.25                      # inches: title, axis below the plot, margin of the page
LINE, ROW = 0.19, 0.2                                  # inches: a line of the caption, a row of mark labels
NAME, CLEAR = 0.21, 0.12                               # inches: from one line's name to the next, and to the axis
SMALL, TEXT, TITLE = 8.5, 10, 15                       # points
INK, QUIET, GRID = "#20262E", "#56606C", "#DDE2E8"
DASH = {"solid": "-", "dashed": (0, (5, 2.6)), "dotted": (0, (1, 2.2)), "dashdot": (0, (6, 2.2, 1.2, 2.2))}
DOT = "·"                                              # a whole em wide in this typeface: it needs no spaces
MARKER = {"circle": "o", "square": "s", "triangle": "^", "diamond": "D", "none": ""}


@dataclass(frozen=True)
class Page:
    """The plot under the pen: its axes in positions 0 to 1, both scales, the typeface, its width in inches.

    Texts are drawn as they are: a $ is a $.
    """

    axes: Axes
    x: Scale
    y: Scale
    face: FontProperties
    wide: float

    def say(self, at, text, shift=(0, 0), **style):
        """Writes a text at a position of the plot, shifted by points."""
        style = {"size": TEXT, "color": INK, "ha": "center", "va": "center"} | style
        self.axes.annotate(text, at, shift, textcoords="offset points", fontproperties=self.face,
                           annotation_clip=False, parse_math=False, **style)


def draw(chart: Chart) -> Figure:
    """The chart, its marks, names and caption as a Figure on white."""
    lines = caption_lines(chart)
    names = max((inches(series.label, TEXT) for series in chart.series), default=0)
    x = x_scale(chart)
    left, wide = 0.95, WIDTH - 0.95 - names - 0.5
    rows = _rows(chart, x, wide)
    above = HEAD + ROW * (1 + max((row for _, row in rows), default=-1))
    high = above + PLOT + FOOT + LINE * len(lines) + EDGE
    figure = Figure(figsize=(WIDTH, high))
    axes = figure.add_axes((left / WIDTH, 1 - (above + PLOT) / high, wide / WIDTH, PLOT / high))
    page = Page(axes, x, y_scale(chart), FontProperties(fname=str(font(chart.lang))), wide)
    figure.text(EDGE / WIDTH, 1 - 0.42 / high, chart.title, fontproperties=page.face, size=TITLE, color=INK,
                parse_math=False)
    for k, line in enumerate(reversed(lines)):
        figure.text(EDGE / WIDTH, (EDGE + LINE * k) / high, line, fontproperties=page.face, size=SMALL, color=QUIET,
                    parse_math=False)
    _frame(page, chart, above)
    _marks(page, chart, rows)
    for series in chart.series:
        _curve(page, chart, series)
    for rise in chart.rises:
        _rise(page, chart, rise)
    _names(page, chart)
    return figure


def caption_lines(chart: Chart) -> list[str]:
    """The caption and the link broken into lines that fit the page; a link breaks after its & and blanks."""
    parts = [part.replace(" · ", DOT) for part in chart.caption]
    return _filled(parts, DOT) + _filled(re.findall(r"[^& ]{1,90}[& ]?", chart.link), "")


def _filled(parts: list[str], joint: str) -> list[str]:
    lines = []
    for part in parts:
        longer = lines[-1] + joint + part if lines else ""
        if lines and inches(longer, SMALL) <= WIDTH - 2 * EDGE:
            lines[-1] = longer
        else:
            lines.append(part)
    return lines


def inches(text: str, points: float) -> float:
    """About how wide a text is: a Chinese character is as wide as it is high, a Latin one a little over half."""
    return sum(1 if ord(sign) > 0x2E7F else 0.56 for sign in text) * points / 72


def _frame(page: Page, chart: Chart, above: float):
    axes = page.axes
    axes.set(xlim=(0, 1), ylim=(0, 1), xticks=[], yticks=[])
    for side in ("left", "top", "right"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set(color=QUIET, linewidth=0.8)
    for value, text in page.y.ticks:
        at = page.y.place(value)
        axes.plot((0, 1) if text else (-0.006, 0), (at, at), color=GRID if text else QUIET, linewidth=0.7,
                  clip_on=False, zorder=0.5)
        page.say((0, at), text, (-8, 0), ha="right", color=QUIET)
    free = 0.0
    for value, text in page.x.ticks:
        at, half = page.x.place(value), inches(text, TEXT) / 2 / page.wide
        if text and at - half >= free - half:
            axes.plot((at, at), (0, 1), color=GRID, linewidth=0.7, zorder=0.5)
            page.say((at, 0), text, (0, -12), color=QUIET)
            free = at + 2.3 * half
    page.say((0.5, 0), chart.x.label, (0, -33))
    page.say((0, 1), chart.y.label.replace(" · ", DOT), (0, (above - HEAD) * 72 + 13), ha="left")


def _rows(chart: Chart, x: Scale, wide: float):
    """Vertical marks with the row above the plot in which each label is clear of the others."""
    ends, placed = [], []
    for mark in sorted((mark for mark in chart.marks if mark.axis == "x"), key=lambda mark: mark.at):
        half, at = inches(mark.label, TEXT) / 2 / wide, x.place(mark.at)
        row = next((k for k, end in enumerate(ends) if end < at - half), len(ends))
        ends[row:row + 1] = [at + half + 0.1 / wide]
        placed.append((mark, row))
    return placed


def _marks(page: Page, chart: Chart, rows):
    for mark, row in rows:
        at = page.x.place(mark.at)
        top = 1 + (0.03 + ROW * (max(r for _, r in rows) - row)) / PLOT
        page.axes.plot((at, at), (0, top), color=QUIET, linewidth=0.9, linestyle=(0, (2, 2)), clip_on=False)
        page.say((at, top), mark.label, (0, 7), bbox={"fc": "white", "ec": "none", "pad": 1})
    for mark in chart.marks:
        at = page.y.place(mark.at) if mark.axis == "y" else None
        if at is not None:
            page.axes.plot((0, 1), (at, at), color=QUIET, linewidth=0.9, linestyle=(0, (2, 2)))
            page.say((0, at), mark.label, (6, 7), ha="left")


def _curve(page: Page, chart: Chart, series: Series):
    none = float("nan")                                 # a gap in the line, where there is no number
    places = [page.y.place(value) for value in series.values]
    page.axes.plot([page.x.place(value) for value in chart.xs], [none if at is None else at for at in places],
                   color=colour(series.role), linestyle=DASH[series.dash], marker=MARKER[series.marker],
                   linewidth=1.8, markersize=6, markeredgecolor="white", markeredgewidth=0.8, clip_on=False)


def _rise(page: Page, chart: Chart, rise):
    series = next(one for one in chart.series if one.id == rise.series)
    (x0, x1), (v0, v1) = [(values[rise.start], values[rise.stop]) for values in (chart.xs, series.values)]
    (left, right), (low, high) = map(page.x.place, (x0, x1)), map(page.y.place, (v0, v1))
    tint = colour(series.role)
    page.axes.plot((left, right, right), (low, low, high), color=tint, linewidth=1.1, linestyle=(0, (2.5, 2)))
    page.say(((left + right) / 2, low), times(x1 / x0), (0, -9 if high >= low else 9), color=tint)
    page.say((right, (low + high) / 2), times(v1 / v0), (6, 0), ha="left", color=tint)


def _names(page: Page, chart: Chart):
    """Names at the ends of the lines, pushed apart where they would touch and tied back by a thin line."""
    ends = []
    for series in chart.series:
        known = [(x, v) for x, v in zip(chart.xs, series.values, strict=True) if page.y.place(v) is not None]
        if known:
            ends.append((page.y.place(known[-1][1]), page.x.place(known[-1][0]), series))
    ends.sort(key=lambda end: end[0])
    for at, (own, x, series) in zip(apart([own for own, _, _ in ends], NAME / PLOT, CLEAR / PLOT), ends, strict=True):
        tint = colour(series.role)
        if abs(at - own) > 0.01:
            page.axes.plot((x + 0.01, x + 0.02), (own, at), color=tint, linewidth=0.7, alpha=0.7, clip_on=False)
        page.say((x + 0.02, at), series.label, (4, 0), ha="left", color=tint)


def apart(places: list[float], gap: float, low: float = 0.0) -> list[float]:
    """Rising positions between low and 1 moved as little as need be to stand at least a gap apart."""
    moved = []
    for place in places:
        moved.append(max(place, moved[-1] + gap if moved else low))
    limit = 1.0
    for k in range(len(moved) - 1, -1, -1):
        moved[k] = min(moved[k], limit)
        limit = moved[k] - gap
    return moved
