"""Story word and real word, in three languages: what every term of the pages means, and where to see it."""

import streamlit as st

from lessons import PAGES, text
from lessons.glossary import entries
from lessons.settings import Choice

FIELDS = {"term": Choice("", ("", *text.glossary()["term"]))}


def page(view):
    """Draw the page: the term the link asks for, all terms, and words that differ between the two Chineses."""
    chosen = view.settings.term
    if not view.present:
        st.markdown(view.text("lead"))
    if chosen:
        st.html(entries.listed(view.lang, (chosen,), PAGES, chosen=True))
        st.markdown(view.text("all"))
    wanted = st.text_input(view.label("glossary.search"), key="glossary:search", max_chars=40)
    found = entries.matching(wanted)
    if not found and not entries.words(wanted):
        st.info(view.label("glossary.nothing"))
    st.html(entries.listed(view.lang, found, PAGES))
    if not view.present:
        st.markdown(view.text("words"))
        st.html(entries.side_by_side(wanted))
