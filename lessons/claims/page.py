"""The claims ledger: what is said about attention, to be judged first, and what a careful count gives."""

from functools import cache, partial

import streamlit as st

from lessons import address, text
from lessons.claims import export
from lessons.claims.ledger import BY_ID, CLAIMS, Claim, found, told
from lessons.settings import Choice
from lessons.views.verdicts import Item, ledger, listed, placed

FIELDS = {
    "claim": Choice(next(iter(BY_ID)), tuple(BY_ID)),
    "verdict": Choice("all", ("all", "open", "right", "if", "not")),
}


def page(view):
    """Draw the page: the ledger, its file, and why so many claims need one more word."""
    view.section("lead", count=view.number(len(CLAIMS)))
    frame = {"lang": view.lang, "present": view.present, "words": view.labels("claims"),
             "open": view.settings.claim.upper(), "filter": view.settings.verdict}
    ledger(_items(view.lang), frame, key="claims:ledger", moved=moved)
    if not view.present:
        view.section("take")
        st.download_button(view.label("claims.csv"), partial(export.csv, view.lang), f"claims-{view.lang}.csv",
                           "text/csv", key="claims:csv", on_click="ignore")
    view.section("computer")


def moved(name: str, value) -> None:
    """Take over which claim is looked at, or which are listed."""
    if name in FIELDS:
        address.change(name, FIELDS[name].read(str(value))[0], FIELDS)


@cache
def _items(lang: str) -> str:
    return listed(tuple(_item(claim, lang) for claim in CLAIMS))


def _item(claim: Claim, lang: str) -> Item:
    words, numbers = told(claim, lang), found(claim)
    badges = tuple((kind, text.label(f"{kind}.{name}", lang), text.label(f"{kind}_meaning.{name}", lang))
                   for kind, name in (("ruler", claim.ruler), ("tag", claim.tag)) if name)
    link = (claim.scene.link(lang=lang), text.title(claim.scene.page.lesson, lang)) if claim.scene else None
    return Item(claim.id, claim.verdict, words.says, numbers.main.alone, badges, words.finds, words.assumes,
                placed(_pair(pair, lang) for pair in numbers.pairs), claim.source, link)


def _pair(pair, lang):
    name = " · ".join(text.label_or(part, lang, part) for part in pair.name)
    return name, pair.said.alone, pair.said.ends, pair.found.alone, pair.found.ends
