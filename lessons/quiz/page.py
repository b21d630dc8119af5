"""The quiz: answer first, then the reason; the score lives in this page and is sent nowhere."""

import streamlit as st

from lessons import PAGES, address, text
from lessons.quiz.questions import Question, lessons, questions
from lessons.settings import Choice, Whole

FIELDS = {
    "lesson": Choice(lessons()[0], lessons()),
    "seed": Whole(0, 0, 10**6),
}
FIRST = "quiz:first"                    # {(question, seed): whether the first answer was right}


def page(view):
    """Draw the page: the questions of one lesson with the numbers of the seed, and the score."""
    view.section("lead")
    _lessons(view)
    lesson, seed = view.settings.lesson, view.settings.seed
    for number, question in enumerate(questions(lesson), 1):
        with st.container(border=True):
            _ask(view, number, question, seed)
    _score(view, lesson, seed)


def _lessons(view):
    """Draw the choice of lesson, and the button for new numbers."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        key = "quiz:lesson"
        if st.session_state.get(key) != view.settings.lesson:
            st.session_state[key] = view.settings.lesson
        st.selectbox(view.label("field.lesson"), lessons(), key=key, width=320,
                     format_func=lambda lesson: text.title(lesson, view.lang),
                     on_change=lambda: address.change("lesson", st.session_state[key], FIELDS))
        st.button(view.label("quiz.again"), key="quiz:again",
                  on_click=lambda: address.change("seed", view.settings.seed + 1, FIELDS))
        path = next(page.path for page in PAGES if page.lesson == view.settings.lesson)
        st.markdown(f"[{view.label('quiz.read')}]({path}?lang={view.lang})")


def _ask(view, number, question: Question, seed):
    """Draw one question; once answered, the verdict and the reason."""
    asked = f"{number} · {question.say(question.ask, view.lang, seed)}"
    key = f"quiz:{question.lesson}:{question.name}:{seed}"
    answer = _choose if question.choices else _type
    verdict = answer(view, question, seed, asked, key)
    if verdict is None:
        return
    right, why = verdict
    st.session_state.setdefault(FIRST, {}).setdefault((question.lesson, question.name, seed), right)
    said = view.label("predict.right" if right else "predict.wrong")
    st.markdown(f"**{said}** {question.say(why, view.lang, seed)}")


def _choose(view, question, seed, asked, key):
    choices = {choice.name: choice for choice in question.shuffled(seed)}
    picked = st.radio(asked, tuple(choices), index=None, key=key, persist_state="session",
                      format_func=lambda name: question.say(choices[name].say, view.lang, seed))
    return picked and (choices[picked].right, choices[picked].why)


def _type(view, question, seed, asked, key):
    instance = question.instance(seed)
    step, form = (10.0**-instance.decimals, f"%.{instance.decimals}f") if instance.decimals else (1, "%d")
    st.markdown(f"**{asked}**")
    given = st.number_input(asked, value=None, step=step, format=form, key=key, persist_state="session", width=320,
                            placeholder=view.label("quiz.type"), label_visibility="collapsed")
    return None if given is None else (instance.right(given), question.why)


def _score(view, lesson, seed):
    """Say how many first answers were right, of this lesson and seed and of all."""
    first = st.session_state.get(FIRST, {})
    here = [right for (of, _, at), right in first.items() if (of, at) == (lesson, seed)]
    st.markdown(f"**{view.label('quiz.score', right=sum(here), asked=len(here), all=len(questions(lesson)))}**"
                f" {view.label('quiz.total', right=sum(first.values()), asked=len(first))}")
