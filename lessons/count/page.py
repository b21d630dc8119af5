"""Count the bytes: four bills as charts, each behind a question, and the floor beneath them."""

from dataclasses import dataclass, replace

import streamlit as st

from lessons.count import answers
from lessons.count.bills import bill
from lessons.predict import predict
from lessons.settings import DTYPES, Choice, Flag, Powers, Tabs
from lessons.views.chart import Chart, Rise
from lessons.views.chart.layout import y_ends
from lessons.views.chart.live import show, take
from simulator import gpus

FIELDS = {
    "vary": Tabs("n", ("n", "br", "d", "m")),
    "ruler": Tabs("desk", ("paper", "desk", "both")),
    "axes": Tabs("log", ("log", "plain")),
    "n": Powers(4096, 512, 16384),
    "d": Powers(128, 16, 256),
    "br": Powers(64, 16, 512),
    "bc": Powers(64, 16, 256),
    "dtype": Choice("fp16", DTYPES),
    "causal": Flag(),
    "gpu": Choice("h200", tuple(gpus()), {key: spec.name for key, spec in gpus().items()}),
}

CONTROLS = {"n": ("d", "br", "bc"), "br": ("n", "d", "bc"), "d": ("n", "br", "bc"), "m": ("n", "d")}
CHOICES = {"n": ("ruler", "axes"), "d": ("ruler",)}
MORE = ("dtype", "gpu", "causal")
ABOUT = {"n": ("rulers", "lower"), "br": ("rulers",), "d": ("rulers", "lower"), "m": ("pieces", "lower")}


@dataclass(frozen=True)
class Question:
    """A question with a few answers, of which one is right, and the steps on the chart that show why.

    ruler is the one the answer speaks by, where it is not the reader's.
    """

    name: str
    options: tuple[str, ...]
    right: str
    rises: tuple[Rise, ...] = ()
    ruler: str = ""


QUESTIONS = {
    "n": (Question("bend", ("standard", "v1", "all", "none"), "all"),
          Question("double", ("×2", "×4", "×8"), "×4", (Rise("flash2", 3, 4), Rise("floor", 3, 4)))),
    "br": (Question("halves", ("q", "kv", "o", "all"), "kv", (Rise("flash2-kv", 2, 3),)),
           Question("wins", ("any", "half", "whole", "twice"), "half", ruler="paper")),
    "d": (Question("wider", ("standard", "v2", "both", "neither"), "v2", (Rise("flash2", 2, 3),)),),
    "m": (Question("flat", ("half", "quarter", "nothing"), "nothing"),
          Question("falls", ("quarter", "half", "same"), "half", (Rise("flash2", 2, 3),))),
}


def page(view):
    """Draw the page: what grows, its questions beside the chart so far, its files, and what it means."""
    vary = view.settings.vary
    made = bill(view.settings, view.lang, view.link)
    if view.present:
        show(drawn(made.chart, QUESTIONS[vary]), key="count:chart")
        return
    view.section("lead")
    view.controls("vary")
    words, picture = st.columns((5, 9), gap="medium")
    with words:
        answered = ask(view, made, QUESTIONS[vary])
    with picture:
        lay_out(view, drawn(made.chart, answered), begun=not answered)
    about = [name for name in ABOUT[vary] if name != "lower" or not view.settings.causal]
    st.markdown("\n\n".join(view.text(name, **answers.desk(view.settings)) for name in (*about, "computer")))


def lay_out(view, chart: Chart, begun: bool):
    """Draw the chart among its controls; a chart that has only begun says so and is no file yet."""
    vary = view.settings.vary
    view.controls(*CONTROLS[vary])
    if vary in CHOICES:
        view.controls(*CHOICES[vary])
    if begun:
        view.section("start")
    show(chart, key="count:chart", table=not begun)
    if not begun:
        take(chart, key="count:take")
    view.controls(*MORE)


def ask(view, made, questions) -> tuple[Question, ...]:
    """Ask the questions one after the other and return those answered."""
    answered = []
    for question in questions:
        values = answers.VALUES[question.name](view.settings, made)
        ruler = view.label(f"ruler.{question.ruler or made.ruler}")
        if not predict(view, question.name, question.options, question.right, ruler=ruler,
                       tag=view.label("tag.computed"), **values):
            break
        answered.append(question)
    return tuple(answered)


def drawn(chart: Chart, answered: tuple[Question, ...]) -> Chart:
    """Return the chart as far as the reader has come: first points until an answer, then whole, with its steps."""
    if not answered:
        ends = replace(chart.y, ends=y_ends(chart))
        series = tuple(replace(line, values=(*line.values[:1], *(None for _ in line.values[1:])))
                       for line in chart.series)
        return replace(chart, y=ends, series=series)
    wanted = [rise for question in answered for rise in question.rises]
    return replace(chart, rises=tuple(placed for rise in wanted for placed in _placed(chart, rise)))


def _placed(chart, rise):
    """The step on the first line whose id begins with the step's, if the line has numbers there."""
    for line in chart.series:
        if line.id.startswith(rise.series):
            whole = None not in (line.values[rise.start], line.values[rise.stop])
            return [replace(rise, series=line.id)] if whole else []
    return []
