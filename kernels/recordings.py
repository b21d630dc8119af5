"""Files of measurements, read back: whole and of the right kind, or refused in one line."""

import json
from pathlib import Path

from simulator.errors import BadProblem, SimulatorError


def recording(path, possible, sound):
    """The record in a JSON file with rows, each of which `sound(record, row)` takes; raises BadProblem for another.

    `possible` says which file it should be. `sound` answers whether a row is as it should be, or raises.
    """
    try:
        if Path(path).is_file():                          # a pipe would be waited for
            record = json.loads(Path(path).read_text(encoding="utf-8"))
            rows = record["rows"]
            if isinstance(rows, list) and rows and all(sound(record, row) for row in rows):
                return record
    except (SimulatorError, OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        pass
    raise BadProblem(name="recount", asked=repr(str(path)), possible=possible, remedy="name such a file")


def whole(number):
    """Whether this is a whole number that counts something."""
    return isinstance(number, int) and not isinstance(number, bool) and number >= 0
