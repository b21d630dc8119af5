"""Predict, then reveal: a question whose number is shown only once the learner has chosen an answer."""

import streamlit as st

from lessons.text import label_or


def predict(view, name: str, options: tuple[str, ...], right: str, **values: str) -> bool:
    """Ask `<lesson>.<name>.ask`; once answered, say the verdict with the section `name`, and return True.

    An option's words are the label `<lesson>.<name>.<option>`, or the option itself where it is a number.
    Presenter mode asks nothing and reveals nothing.
    """
    if view.present:
        return False
    table = f"{view.page.lesson}.{name}"
    pick = st.radio(view.label(f"{table}.ask", **values), options, index=None, horizontal=True,
                    format_func=lambda option: label_or(f"{table}.{option}", view.lang, option),
                    key=f"{view.page.path}:{name}", persist_state="session")
    if pick is None:
        return False
    verdict = view.label("predict.right" if pick == right else "predict.wrong")
    st.markdown(f"**{verdict}** {view.prose(name, **values)}")
    return True
