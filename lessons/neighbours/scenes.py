"""The three scenes of the neighbours: who solves what, a memory in pages, slots through time."""

import streamlit as st

from lessons import address
from lessons.claims.published import quoted
from lessons.neighbours import chart, facts, pictures
from lessons.predict import predict
from lessons.views.chart.live import show, take
from lessons.views.table import table
from lessons.views.yardstick import yardstick


def who(view):
    """Four complaints to be given a name each; the answers and their counts once all have one."""
    view.section("who")
    given = {problem: _given(view, problem) for problem in facts.PROBLEMS}
    if None in given.values():
        return
    for problem, name in given.items():
        verdict = view.label("predict.right" if name == problem else "predict.wrong")
        st.markdown(f"**{verdict}** {view.prose(f'solves_{problem}')}")
    view.section("together", requests=view.settings.requests, seed=view.settings.seed)
    _spared(view)


def _given(view, problem):
    """The name a reader gives to one complaint."""
    return st.segmented_control(view.label(f"neighbours.problem_{problem}"), facts.SOLVES,
                                key=f"neighbours:{problem}", persist_state="session",
                                format_func=lambda name: view.label(f"neighbours.name_{name}"))


def _spared(view):
    """What each of the four spares, in its own unit."""
    ask = facts.asked(view.settings)
    memories, times = facts.memories(ask), facts.timelines(ask)
    found = {"kv_cache": (*map(view.number, facts.worked_out(ask)), "", "computed"),
             "paged": (*(f"{memories[way].unused:.1f}" for way in ("contiguous", "paged")), "", "counted"),
             "batching": (*(view.number(times[way].idle) for way in ("static", "continuous")), "", "counted"),
             "flash": (*map(view.bytes, facts.tables()), "desk", "computed")}
    rows = [(view.label(f"neighbours.name_{name}"),
             view.label(f"neighbours.unit_{name}", n=view.number(facts.N)), without, with_it, view.badges(ruler, tag))
            for name, (without, with_it, ruler, tag) in found.items()]
    head = [view.label(f"neighbours.column_{name}") for name in ("name", "unit", "without", "with", "tag")]
    st.html(table(head, rows))


def pages(view):
    """A memory that fills: by one long reservation each, and by pages."""
    ask = facts.asked(view.settings)
    values = {"longest": ask.longest, "slots": ask.slots, "page": ask.page, "most": ask.page - 1}
    view.section("pages", **values)
    if not view.present and not predict(view, "waste", ("last", "half", "reservation"), "last", **values):
        return
    yardstick(pictures.memory(view, view.settings), key="neighbours:memory", moved=lambda stop: _turned(view, stop))
    view.controls("requests", "slots", "longest", "page", "seed")
    if view.present:
        return
    kept = facts.memories(ask)
    old, new = kept["contiguous"], kept["paged"]
    low, high = quoted("paged")["used_before"]
    view.figures(("neighbours.used_contiguous", _percent(old.used_share), "", "counted"),
                 ("neighbours.used_paged", _percent(new.used_share), "", "counted"),
                 ("neighbours.steps_contiguous", view.number(len(old.steps)), "", "counted"),
                 ("neighbours.steps_paged", view.number(len(new.steps)), "", "counted"),
                 ("neighbours.preempted", view.number(new.preempted), "", "counted"))
    view.section("price", low=_percent(low), high=_percent(high))
    _to_take(chart.empty(view, view.settings))


def slots(view):
    """Slots through time: in whole batches, and filled again at once."""
    ask = facts.asked(view.settings)
    view.section("slots", slots=ask.slots)
    if not view.present and not predict(view, "idle", ("next", "batch", "all"), "batch"):
        return
    yardstick(pictures.slots(view, view.settings), key="neighbours:timeline", moved=lambda stop: _turned(view, stop))
    view.controls("requests", "slots", "longest", "seed")
    if view.present:
        return
    times = facts.timelines(ask)
    view.figures(*((f"neighbours.{what}_{way}", view.number(getattr(times[way], what)), "", "counted")
                   for what in ("steps", "idle") for way in times))
    view.section("end", requests=ask.requests)
    _to_take(chart.idle(view, view.settings))


def _to_take(made):
    """A chart, and the files of it."""
    show(made, key="neighbours:chart")
    take(made, key="neighbours:take")


def _turned(view, stop):
    if stop >= 0:
        address.change("tick", stop + 1, view.page.module.FIELDS)


def _percent(share):
    return f"{100 * share:.1f}\u00a0%"


SCENES = {scene.__name__: scene for scene in (who, pages, slots)}
