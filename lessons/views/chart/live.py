"""The live chart: an SVG drawn in the browser from positions, texts and roles that are ready to show."""

import json
from functools import cache, partial
from pathlib import Path

import streamlit as st

from lessons.text import label
from lessons.views import export
from lessons.views.chart import Chart
from lessons.views.chart.layout import Scale, x_scale, y_scale
from lessons.views.chart.roles import css
from lessons.views.component import component
from lessons.views.numbers import exact, tick_text, times

_HERE = Path(__file__).parent
_WORDS = ("table", "read", "hide", "missing")


@cache
def _component():
    script = (_HERE / "chart.js").read_text(encoding="utf-8")
    style = (_HERE / "chart.css").read_text(encoding="utf-8") + css()
    return component("chart", f"const STYLE = {json.dumps(style)};\n{script}")


def show(chart: Chart, key: str, table: bool = False):
    """Draws the chart on the page; with table, its table of numbers starts open."""
    _component()(key=key, data=scene(chart) | {"open": table})


def scene(chart: Chart) -> dict:
    """What the browser draws: positions between 0 and 1, every text ready, nothing left to compute."""
    x, y = x_scale(chart), y_scale(chart)
    return {
        "title": chart.title, "lang": chart.lang, "caption": list(chart.caption),
        "summary": summary(chart),
        "x": _axis(chart.x, x) | {"at": [x.place(v) for v in chart.xs],
                                  "texts": [_at(chart, v) for v in chart.xs]},
        "y": _axis(chart.y, y),
        "series": [_series(series, chart, y) for series in chart.series],
        "marks": [{"axis": m.axis, "at": (x if m.axis == "x" else y).place(m.at), "label": m.label}
                  for m in chart.marks],
        "rises": [_rise(rise, chart) for rise in chart.rises],
        "words": {name: label(f"chart.{name}", chart.lang) for name in _WORDS},
    }


def summary(chart: Chart) -> str:
    """The picture in words: what is drawn over what, and each series' first and last number."""
    parts = []
    for series in chart.series:
        known = [(x, v) for x, v in zip(chart.xs, series.values, strict=True) if v is not None]
        if known:
            (x0, v0), (x1, v1) = known[0], known[-1]
            parts.append(f"{series.label}: {exact(v0, chart.y.unit)} ({_at(chart, x0)}) → "
                         f"{exact(v1, chart.y.unit)} ({_at(chart, x1)})")
    return f"{chart.title}. {chart.x.label}, {chart.y.label}. " + "; ".join(parts)


def take(chart: Chart, key: str):
    """Draws a row of buttons that make the chart's files when pressed."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(label("chart.take", chart.lang), width="content")
        for kind in (*export.PICTURES, *export.NUMBERS):
            st.download_button(kind.upper(), partial(export.file, chart, kind), f"{chart.file}.{kind}",
                               export.MIME[kind], key=f"{key}:{kind}", on_click="ignore")


def _at(chart, x):
    return tick_text(x, chart.x.unit, binary=chart.x.scale == "log2")


def _axis(axis, scale: Scale) -> dict:
    return {"label": axis.label,
            "ticks": [[scale.place(value), text] for value, text in scale.ticks]}


def _series(series, chart, scale: Scale) -> dict:
    return {"id": series.id, "label": series.label, "role": series.role, "dash": series.dash,
            "marker": series.marker, "note": series.note,
            "at": [scale.place(v) for v in series.values],
            "texts": [exact(v, chart.y.unit) for v in series.values]}


def _rise(rise, chart) -> dict:
    values = next(series.values for series in chart.series if series.id == rise.series)
    return {"series": rise.series, "start": rise.start, "stop": rise.stop,
            "run": times(chart.xs[rise.stop] / chart.xs[rise.start]),
            "rise": times(values[rise.stop] / values[rise.start])}
