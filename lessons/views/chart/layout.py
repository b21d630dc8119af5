"""Where things stand on a chart: scales, ticks and positions between 0 and 1, for every renderer alike."""

from dataclasses import dataclass
from math import ceil, floor, isfinite, log2, log10

from lessons.views.chart import Axis, Chart
from lessons.views.numbers import tick_text

_MOST_TICKS = 9
_MOVE = {"linear": lambda value: value, "log2": log2, "log10": log10}


@dataclass(frozen=True)
class Scale:
    """An axis laid out: its ends, and (value, text) ticks; a minor tick has no text."""

    kind: str
    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]

    def place(self, value):
        """Position of a value along the axis, 0 at the low end and 1 at the high end; None for no number."""
        if value is None or not isfinite(value) or (value <= 0 and self.kind != "linear"):
            return None
        move = _MOVE[self.kind]
        return (move(value) - move(self.low)) / (move(self.high) - move(self.low))


def x_scale(chart: Chart) -> Scale:
    """The horizontal scale: it ends at the first and last x, and log2 ticks are powers of two."""
    low, high = min(chart.xs), max(chart.xs)
    marks = [mark.at for mark in chart.marks if mark.axis == "x"]
    return _scale(chart.x, min([low, *marks]), max([high, *marks]), padded=False)


def y_scale(chart: Chart) -> Scale:
    """The vertical scale over every number of every series and every horizontal mark."""
    return _scale(chart.y, *(chart.y.ends or y_ends(chart)), padded=True)


def y_ends(chart: Chart) -> tuple:
    """The least and the greatest number that the plot has to hold."""
    values = [value for series in chart.series for value in series.values if value is not None]
    values += [mark.at for mark in chart.marks if mark.axis == "y"]
    if chart.y.scale != "linear":
        values = [value for value in values if value > 0]
    return min(values, default=1), max(values, default=10)


def _scale(axis: Axis, low, high, padded: bool) -> Scale:
    ends, ticks = {"linear": _linear, "log2": _log2, "log10": _log10}[axis.scale](low, high, padded)
    texts = [(value, tick_text(value, axis.unit, binary=axis.scale == "log2") if major else "")
             for value, major in ticks]
    return Scale(axis.scale, *ends, tuple(texts))


def _linear(low, high, padded):
    low = 0 if padded else low
    high = high if high > low else low + 1
    step = 10 ** floor(log10((high - low) / 4))
    step *= next(k for k in (1, 2, 5, 10) if (high - low) / (k * step) <= 6)
    step = step if padded else max(step, 1)             # along x stand sizes: whole numbers
    top = step * ceil(high / step - 1e-9) if padded else high
    first = ceil(low / step - 1e-9)
    return (low, top), [(k * step, True) for k in range(first, floor(top / step + 1e-9) + 1)]


def _log2(low, high, padded):
    if high <= low:
        low, high = low / 2, high * 2
    ends = (2 ** floor(log2(low)), 2 ** ceil(log2(high))) if padded else (low, high)
    exponents = range(ceil(log2(ends[0]) - 1e-9), floor(log2(ends[1]) + 1e-9) + 1)
    return ends, [(2 ** k, True) for k in exponents]


def _log10(low, high, padded):
    if high <= low:
        low, high = low / 3, high * 3
    ends = (_step_down(low), _step_up(high)) if padded else (low, high)
    decades = log10(ends[1] / ends[0])
    stride = ceil(decades / _MOST_TICKS)                # from here on only every second, third, … decade has a text
    ticks = [(digit * 10 ** power, (digit == 1 and power % stride == 0) or (decades <= 2.2 and digit in (2, 5)))
             for power in range(floor(log10(ends[0])), ceil(log10(ends[1])) + 1)
             for digit in (range(1, 10) if stride == 1 else (1,))]
    return ends, [(v, major) for v, major in ticks if ends[0] * 0.999 <= v <= ends[1] * 1.001]


def _step_down(value):
    power = 10 ** floor(log10(value))
    return max(digit * power for digit in (1, 2, 5) if digit * power <= value)


def _step_up(value):
    power = 10 ** floor(log10(value))
    return min(digit * power for digit in (1, 2, 5, 10) if digit * power >= value)
