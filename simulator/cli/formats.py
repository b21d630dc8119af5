"""Rows and objects as JSON and CSV, line by line."""

import csv
import json
from types import SimpleNamespace


def as_json(answer):
    """One object over several lines."""
    return [json.dumps(answer, indent=2)]


def rows_as_json(rows):
    """An array with one object a line."""
    before = "["
    for row in rows:
        yield before + json.dumps(row)
        before = ","
    yield "]"


def rows_as_csv(rows):
    """A line of names, then one line a row; a cell that is no text is compact JSON, an empty one null."""
    writer = csv.writer(SimpleNamespace(write=str), lineterminator="")
    for number, row in enumerate(rows):
        if number == 0:
            yield writer.writerow(row)
        yield writer.writerow(_cell(value) for value in row.values())


def _cell(value):
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, separators=(",", ":"))
