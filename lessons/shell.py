"""The frame around every page, and the View through which a page speaks and draws."""

from dataclasses import dataclass
from functools import cache
from html import escape
from itertools import groupby
from pathlib import Path
from urllib.parse import urlsplit

import segno
import streamlit as st

from lessons import PAGES, Page, address, controls, errors, links, settings, text
from lessons.views import numbers
from lessons.views.toolbar import toolbar
from simulator.errors import SimulatorError

HERE = Path(__file__).parent


@dataclass(frozen=True)
class View:
    """What a page is given: the reader's language, the scene's settings, and how to draw words and numbers."""

    page: Page
    lang: str
    present: bool
    settings: settings.Settings
    link: str

    def label(self, key: str, **values) -> str:
        """Return a label of ui.toml in the reader's language."""
        return text.label(key, self.lang, **values)

    def labels(self, table: str) -> dict:
        """Return every label of a table of ui.toml in the reader's language."""
        return text.labels(table, self.lang)

    def text(self, name: str, **values) -> str:
        """Return a section of this lesson as Markdown."""
        return text.section(self.page.lesson, name, self.lang, **values)

    def prose(self, name: str, **values) -> str:
        """Return a section as Markdown whose words lead to the glossary."""
        return links.section(self.page.lesson, name, self.lang, **values)

    def section(self, name: str, **values) -> None:
        """Draw a section of this lesson; presenter mode shows no prose."""
        if not self.present:
            st.markdown(self.prose(name, **values))

    def controls(self, *names: str, **titles: str) -> None:
        """Draw the widgets of these fields side by side; titles={field: label} overrides a field's own label."""
        if self.present:
            return
        kinds = self.page.module.FIELDS
        with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
            for name in names:
                title = self.label(titles.get(name, f"field.{name}"))
                controls.control(name, kinds[name], getattr(self.settings, name), kinds, self.lang, title)

    def turns(self, name: str, stops):
        """Return what a picture's knob does: a field takes the value of the stop turned to, if there is such a stop."""
        def turned(stop):
            if 0 <= stop < len(stops):
                address.change(name, stops[stop], self.page.module.FIELDS)
        return turned

    def badges(self, ruler: str, tag: str) -> str:
        """Return a number's ruler and tag in words: "desk ruler · counted"."""
        names = (self.label(f"ruler.{ruler}") if ruler else "", self.label(f"tag.{tag}") if tag else "")
        return " · ".join(filter(None, names))

    def figures(self, *numbers: tuple) -> None:
        """Draw numbers in a row, each a tuple (label, value text, ruler, tag), as one element."""
        st.html(f'<div class="dc-figures">{"".join(self._figure(*number) for number in numbers)}</div>')

    def problem(self, error: SimulatorError) -> None:
        """Say a named error of the simulator in the reader's language."""
        st.error(errors.words(error, self.settings, self.lang))

    number = staticmethod(numbers.exact)
    ratio = staticmethod(numbers.times)

    @staticmethod
    def bytes(count: int) -> str:
        """Return a number of bytes in full."""
        return numbers.exact(count, "B")

    @staticmethod
    def size(count: int) -> str:
        """Return a number of bytes in short, by thousands: 1.09 GB."""
        return numbers.short(count, "B")

    @staticmethod
    def binary(count: int) -> str:
        """Return a number of bytes in short, by 1024: 1.02 GiB."""
        return numbers.short(count, "B", binary=True)

    def _figure(self, key, value, ruler="", tag=""):
        return (f'<div class="dc-figure"><div class="dc-what">{escape(self.label(key))}</div>'
                f'<div class="dc-value">{escape(str(value))}</div>'
                f'<div class="dc-badges">{_badge("ruler", ruler, self.lang)}{_badge("tag", tag, self.lang)}'
                "</div></div>")


def run() -> None:
    """Draw the page the URL names, in its frame; the bare address shows the first page."""
    pages = {page: st.Page(lambda page=page: _frame(page), title=page.path, url_path=page.path)
             for page in PAGES}
    home = st.Page(lambda: _frame(PAGES[0]), title="home", url_path="home", default=True)
    current = st.navigation([home, *pages.values()], position="hidden")
    page = next((page for page, shown in pages.items() if shown is current), PAGES[0])
    address.arrive(page)
    lang = st.session_state.lang
    st.set_page_config(page_title=f"{text.title(page.lesson, lang)} · {text.label('app.name', lang)}",
                       page_icon=_icon(), layout="wide")
    if not st.session_state.present:
        _contents({**pages, page: current}, lang)
    current.run()


def _contents(pages, lang):
    with st.sidebar:
        st.html(f'<p class="dc-name">{escape(text.label("app.name", lang))}</p>')
        for group, members in groupby(pages, key=lambda page: page.group):
            st.html(f'<h2 class="dc-group">{escape(text.label(f"group.{group}", lang))}</h2>')
            for page in members:
                st.page_link(pages[page], label=text.title(page.lesson, lang), query_params={"lang": lang})


def _frame(page):
    lang, present = st.session_state.lang, st.session_state.present
    st.html(_css(present))
    toolbar(page.path, lang, text.LANGUAGES, present, text.labels("toolbar", lang), address.speak, _share, _present)
    if not present:
        st.title(text.title(page.lesson, lang), anchor=False)
    body(page)
    if st.session_state.pop("share", None):
        st.dialog(text.label("share.title", lang))(_sharing)(st.session_state.shared, lang)


@st.fragment
def body(page: Page) -> None:
    """Draw the page itself for the scene its address names, notes about the address first."""
    state = st.session_state
    found, _ = settings.read(state.query, page.module.FIELDS)
    address.publish()
    _notes(state.notes, state.lang)
    view = View(page, state.lang, state.present, found, address.link())
    try:
        page.module.page(view)
    except SimulatorError as error:
        view.problem(error)


def _badge(kind, name, lang):
    if not name:
        return ""
    words = escape(text.label(f"{kind}.{name}", lang))
    why = escape(text.label(f"{kind}_meaning.{name}", lang))
    return f'<span class="dc-badge dc-{kind}" title="{why}">{words}</span>'


def _notes(notes, lang):
    if notes:
        st.warning("\n\n".join(text.label(f"note.{note.reason}", lang, **vars(note)) for note in notes))


@cache
def _css(present):
    sheets = ("shell.css", "presenter.css") if present else ("shell.css",)
    return f"<style>{''.join((HERE / name).read_text(encoding='utf-8') for name in sheets)}</style>"


@cache
def _icon():
    return (HERE / "views" / "icon.svg").read_text(encoding="utf-8")


def _present(wanted, step):
    address.stay(step)
    st.session_state.present = wanted == "1"


def _share(href):
    st.session_state.share, st.session_state.shared = True, href


def _sharing(href, lang):
    code = segno.make(href, error="m").svg_inline(border=4, dark="#111", light="#fff", omitsize=True)
    st.markdown(f'<div class="dc-qr" role="img" aria-label="{escape(text.label("share.code", lang))}">{code}</div>',
                unsafe_allow_html=True)
    st.code(href, language=None, wrap_lines=True)
    if urlsplit(href).hostname in ("localhost", "127.0.0.1", "::1"):
        st.caption(text.label("share.local", lang))
