"""What goes wrong on a command line ends as one line on standard error, never as a traceback."""

import os
import re
import sys

from ..errors import SimulatorError

MISTAKE = 2                             # exit codes
INTERRUPTED = 130


def guarded(command, *arguments):
    """Call `command(*arguments)`, print the lines it gives, and return the exit code: 0, 2 or 130.

    Nothing is printed before the first line is there, so a mistake leaves standard output empty.
    """
    _open_streams()
    try:
        for line in command(*arguments):
            print(line)
        sys.stdout.flush()
    except (SimulatorError, MemoryError, OSError, KeyboardInterrupt) as problem:
        return _ended(problem)
    return 0


def _open_streams():
    """What a terminal cannot show becomes "?"; a stream that the caller closed becomes one that nobody reads."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))
    sys.stdout.reconfigure(errors="replace")


def _ended(problem):
    if isinstance(problem, BrokenPipeError):              # the reader has enough, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    if isinstance(problem, KeyboardInterrupt):
        return INTERRUPTED
    print(f"error: {one_line(problem)}", file=sys.stderr)
    return MISTAKE


def one_line(problem):
    """An error's text in one line; what a user typed at great length is cut short."""
    words = " ".join(str(problem).split()) or type(problem).__name__
    return re.sub(r"(\S{60})\S{20,}", r"\1…", words)
