"""A chart as a file: PNG, SVG and PDF drawn by matplotlib, its numbers as CSV and JSON.

Every file is made on demand, in whatever thread asks: Figure objects with explicit arguments, no pyplot, no rc.
"""

import csv
import io
import json

from lessons.views.chart import Chart
from lessons.views.chart.layout import x_scale, y_scale
from lessons.views.fonts import REBUILD, missing

PICTURES = ("png", "svg", "pdf")
NUMBERS = ("csv", "json")
MIME = {"png": "image/png", "svg": "image/svg+xml", "pdf": "application/pdf", "csv": "text/csv",
        "json": "application/json"}


class MissingGlyph(ValueError):
    """A label with a character that the shipped fonts cannot draw."""


def file(chart: Chart, kind: str) -> bytes:
    """The chart as the bytes of a file: kind is png, svg, pdf, csv or json."""
    return {"csv": numbers_csv, "json": numbers_json}.get(kind, lambda one: picture(one, kind))(chart)


def picture(chart: Chart, kind: str) -> bytes:
    """The chart with its caption as PNG (1800 pixels wide), SVG or PDF; raises MissingGlyph."""
    from lessons.views.chart.paper import draw  # matplotlib loads at the first picture, not with the app

    lacking = missing("".join(texts(chart)), chart.lang)
    if lacking:
        raise MissingGlyph(f"the fonts lack {lacking!r}; cut them anew with: {REBUILD}")
    about = {"Title": chart.title, "Creator": "Desk and Cabinet"}
    if kind == "svg":
        about |= {"Description": " · ".join(chart.caption), "Source": chart.link, "Date": None}
    if kind == "pdf":
        about |= {"Subject": " · ".join((*chart.caption, chart.link)), "CreationDate": None}
    if kind == "png":
        about |= {"Description": " · ".join(chart.caption), "Source": chart.link}
    out = io.BytesIO()
    draw(chart).savefig(out, format=kind, dpi=200, facecolor="white", metadata=about)
    return out.getvalue()


def numbers_csv(chart: Chart) -> bytes:
    """The chart's numbers as CSV (UTF-8 with a mark that spreadsheets know): one row per x value and series."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(["series", "ruler", "tag", chart.x.label, chart.y.label, "unit"])
    for series in chart.series:
        for x, value in zip(chart.xs, series.values, strict=True):
            writer.writerow([series.id, series.ruler, series.tag, x, "" if value is None else value, chart.y.unit])
    return out.getvalue().encode("utf-8-sig")


def numbers_json(chart: Chart) -> bytes:
    """The chart's numbers, labels and caption as one JSON object."""
    content = {
        "title": chart.title, "caption": list(chart.caption), "link": chart.link, "lang": chart.lang,
        "x": {"label": chart.x.label, "unit": chart.x.unit, "values": list(chart.xs)},
        "y": {"label": chart.y.label, "unit": chart.y.unit},
        "series": [{"id": s.id, "label": s.label, "ruler": s.ruler, "tag": s.tag, "values": list(s.values)}
                   for s in chart.series],
        "marks": [{"axis": m.axis, "at": m.at, "label": m.label} for m in chart.marks],
    }
    return json.dumps(content, ensure_ascii=False, indent=1).encode("utf-8")


def texts(chart: Chart) -> list[str]:
    """Every text that the picture of a chart holds."""
    labels = [chart.title, chart.x.label, chart.y.label, *chart.caption, chart.link]
    labels += [series.label for series in chart.series] + [mark.label for mark in chart.marks]
    return labels + [text for scale in (x_scale(chart), y_scale(chart)) for _, text in scale.ticks]
