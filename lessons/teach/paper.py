"""A worksheet as PDF: A4 pages drawn by matplotlib with the shipped typefaces, then the answers on pages of their own.

As everywhere on paper: Figure objects with explicit arguments, no pyplot, no rc, so that several threads may draw.
"""

import io
import re

from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D

from lessons.teach.sheet import Sheet
from lessons.views.chart.paper import inches
from lessons.views.export import MissingGlyph
from lessons.views.fonts import REBUILD, font, missing

WIDE, HIGH, EDGE = 8.27, 11.69, 0.8                    # inches
TITLE, HEAD, TEXT, SMALL = 17, 12, 10, 8.5             # points
ROW, LINE = 0.31, 1.5                                  # inches of a table's row; a line of text by its size
INK, QUIET, RULE = "#20262E", "#56606C", "#9AA3AD"


def pdf(sheet: Sheet) -> bytes:
    """Return the worksheet and its answers as a PDF; raises MissingGlyph."""
    lacking = missing("".join(_texts(sheet)), sheet.lang)
    if lacking:
        raise MissingGlyph(f"the fonts lack {lacking!r}; cut them anew with: {REBUILD}")
    out = io.BytesIO()
    with PdfPages(out, metadata={"Title": sheet.title, "Creator": "Desk and Cabinet", "CreationDate": None}) as pages:
        for answers in (False, True):
            for figure in _drawn(sheet, answers):
                pages.savefig(figure)
    return out.getvalue()


def _texts(sheet):
    yield from (sheet.title, sheet.note, sheet.name, sheet.key, sheet.check)
    for task in sheet.tasks:
        yield from (task.title, *task.ask, *task.head, task.scene)
        yield from (cell for row in (*task.rows, *task.solved) for cell in row)


def _drawn(sheet, answers):
    """The pages of the sheet, or of its answers."""
    pen = Pen(sheet.lang)
    pen.say(f"{sheet.title} · {sheet.key}" if answers else sheet.title, TITLE)
    pen.say(sheet.note if answers else f"{sheet.name} {'_' * 30}", TEXT, QUIET)
    for number, task in enumerate(sheet.tasks, 1):
        rows = task.solved if answers else task.rows
        pen.room_for(task, rows)
        pen.skip(0.2)
        pen.say(f"{number}. {task.title}", HEAD)
        for words in task.ask:
            pen.say(words, TEXT)
        pen.table(task.head, rows)
        pen.say(f"{sheet.check} {task.scene}", SMALL, QUIET)
    return pen.pages


class Pen:
    """Writes downwards over as many pages as it takes; `at` is the height left in inches."""

    def __init__(self, lang):
        self.face, self.pages = FontProperties(fname=str(font(lang))), []
        self._turn()

    def room_for(self, task, rows):
        """Turn the page where a task would not fit on what is left of it."""
        lines = sum(len(wrapped(words, TEXT)) for words in task.ask)
        needed = 0.7 + lines * TEXT * LINE / 72 + ROW * (len(rows) + 1)
        if self.at - needed < EDGE:
            self._turn()

    def skip(self, high):
        """Leave a gap in inches."""
        self.at -= high

    def say(self, words, size, colour=INK):
        """Write a paragraph."""
        for line in wrapped(words, size):
            self.skip(size * LINE / 72)
            self._text(EDGE, self.at, line, size, colour)
        self.skip(0.06)

    def table(self, head, rows):
        """Draw a ruled table of equal columns, the first for names."""
        width = (WIDE - 2 * EDGE) / len(head)
        top = self.at
        for k, row in enumerate((head, *rows)):
            self.skip(ROW)
            self._rule((EDGE, WIDE - EDGE), (self.at, self.at))
            for column, cell in enumerate(row):
                self._text(EDGE + 0.08 + column * width, self.at + 0.1, cell, SMALL if k == 0 else TEXT,
                           QUIET if k == 0 else INK)
        self._rule((EDGE, WIDE - EDGE), (top, top))
        for column in range(len(head) + 1):
            self._rule((EDGE + column * width,) * 2, (top, self.at))
        self.skip(0.08)

    def _turn(self):
        self.pages.append(Figure(figsize=(WIDE, HIGH)))
        self.at = HIGH - EDGE

    def _text(self, x, y, words, size, colour):
        self.pages[-1].text(x / WIDE, y / HIGH, words.replace("$", r"\$"), fontproperties=self.face, size=size,
                            color=colour)

    def _rule(self, xs, ys):
        line = Line2D([x / WIDE for x in xs], [y / HIGH for y in ys], color=RULE, linewidth=0.6)
        self.pages[-1].add_artist(line)


def wrapped(words: str, size: float) -> list[str]:
    """Return a text in lines that fit the page: Latin breaks at blanks, Chinese between characters."""
    lines = [""]
    for part in re.findall(r"[^\s\u2e80-\uffff]+\s*|[\u2e80-\uffff]\s*", words):
        longer = lines[-1] + part
        if lines[-1] and inches(longer.rstrip(), size) > WIDE - 2 * EDGE and part.strip() not in "，。；：？！、）」”":
            lines.append(part)
        else:
            lines[-1] = longer
    return [line.rstrip() for line in lines]
