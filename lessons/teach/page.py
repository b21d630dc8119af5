"""For the teacher: a lesson plan with links to its scenes, and worksheets printed from a seed."""

from functools import partial

import streamlit as st

from lessons import PAGES, text
from lessons.settings import Whole
from lessons.teach import files, plan, web
from lessons.teach.sheet import sheet

FIELDS = {"seed": Whole(1, 0, 10**6)}
PREVIEW = """
.dc-sheet h1 { font-size: 1.3rem } .dc-sheet h2 { font-size: 1.05rem }
.dc-sheet table { border-collapse: collapse; width: 100% }
.dc-sheet :is(th, td) { border: 1px solid var(--dc-line); padding: .3rem .5rem; height: 2rem; text-align: start }
"""


def page(view):
    """Draw the page: before class, the plan, the worksheet with its files, what to take home."""
    view.section("lead")
    view.section("before")
    view.section("plan")
    length = st.segmented_control(view.label("teach.length"), plan.LENGTHS, default=plan.LENGTHS[0], required=True,
                                  format_func=lambda one: view.label("teach.minutes", minutes=one), key="teach:length")
    st.markdown(_plan(view, length))
    if view.present:
        return
    view.section("sheets")
    view.controls("seed")
    _downloads(view)
    with st.expander(view.label("teach.preview")):
        st.html(f'<div class="dc-scroll">{_preview(view)}</div>')
    view.section("line")
    view.section("home")


def _plan(view, length):
    """The parts of the lesson as a Markdown table, each with its scene to open and to project."""
    titles = {page.path: text.title(page.lesson, view.lang) for page in PAGES}
    head = [view.label(f"teach.column_{name}") for name in ("minutes", "scene", "do")]
    rows = [f"| {first}\u2060–\u2060{last} | [{titles[step.path]}]({step.link(view.lang)}) · "
            f"[{view.label('teach.project')}]({step.link(view.lang, present=True)}) | {view.text(step.name)} |"
            for first, last, step in plan.plan(length)]
    return "\n".join((f"| {' | '.join(head)} |", "|---|---|---|", *rows))


def _downloads(view):
    seed, lang = view.settings.seed, view.lang
    with st.container(horizontal=True):
        for kind in files.KINDS:
            name = f"worksheet-{lang}-{seed}.{kind}"
            st.download_button(view.label(f"teach.{kind}"), partial(files.file, lang, seed, kind), name,
                               files.MIME[kind], key=f"teach:{kind}", on_click="ignore")


def _preview(view):
    made = sheet(view.lang, view.settings.seed)
    return f'<style>{PREVIEW}</style><div class="dc-sheet">{web.section(made, answers=False)}</div>'
