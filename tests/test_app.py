"""The app without a browser: every page is drawn in every language, and its controls change the scene's address."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from lessons import PAGES, address, settings, text

APP = Path(__file__).parents[1] / "app.py"
FRAME = 3                               # what stands on every page: the main block, the toolbar, the body's block


def opened(path="", **query):
    """Return the app as it is when the page at a path is opened with a query."""
    app = AppTest.from_file(str(APP), default_timeout=60)
    app._page_hash = calc_hash(path) if path else ""
    for name, value in query.items():
        app.query_params[name] = value
    return app.run()


def widget(app, label):
    """Return the control with a label of the catalogue, in English."""
    words = text.label(label, "en")
    return next(control for control in (*app.slider, *app.select_slider) if control.label == words)


@pytest.mark.parametrize("lang", text.LANGUAGES)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.path)
def test_a_page_is_drawn_in_the_language_asked(page, lang):
    app = opened(page.path, lang=lang)
    assert not app.exception and not app.warning and not app.error
    assert app.title[0].value == text.title(page.lesson, lang)
    assert app.query_params["lang"] == lang


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.path)
def test_a_page_is_drawn_for_the_last_row(page):
    app = opened(page.path, lang="en", present="1")
    assert not app.exception
    assert not app.title and not app.slider and not app.sidebar.children
    assert len(list(app.main)) > FRAME
    assert app.query_params["present"] == "1"


def test_no_question_is_asked_about_a_cabinet_that_is_not_modelled():
    ask = text.label("rulers.line.ask", "en")
    assert ask in [one.label for one in opened("rulers", lang="en").radio]
    assert ask not in [one.label for one in opened("rulers", lang="en", n="8192", heads="32").radio]


def test_the_bare_address_is_the_first_page():
    assert opened().title[0].value == text.title(PAGES[0].lesson, "en")


def test_a_moved_control_writes_the_address_and_a_default_leaves_it():
    app = opened("walk", lang="en")
    widget(app, "walk.people").set_value(12).run()
    assert app.query_params["n"] == "12"
    widget(app, "walk.people").set_value(8).run()
    assert "n" not in app.query_params


def test_controls_moved_one_after_the_other_all_stay():
    app = opened("walk", lang="en")
    widget(app, "walk.people").set_value(12).run()
    widget(app, "field.d").set_value(4).run()
    assert (app.query_params["n"], app.query_params["d"]) == ("12", "4")
    assert widget(app, "walk.people").value == 12


def test_an_address_still_on_its_way_undoes_no_move():
    app = opened("walk", lang="en")
    widget(app, "walk.people").set_value(12).run()
    app.query_params.clear()                                # as a browser says that has not heard of the move
    app.query_params["lang"] = "en"
    widget(app, "field.d").set_value(4).run()
    assert (app.query_params["n"], app.query_params["d"]) == ("12", "4")


def test_an_address_sets_the_controls():
    app = opened("walk", lang="en", n="12", br="8")
    assert (widget(app, "walk.people").value, widget(app, "walk.block").value) == (12, 8)


def test_a_strange_address_is_noted_until_the_reader_moves_on():
    app = opened("walk", lang="en", n="abc", d="99", heads="3")
    assert len(app.warning) == 1 and app.warning[0].value.count("The link") == 3
    assert app.query_params == {"lang": "en", "d": "16"}
    widget(app, "walk.people").set_value(12).run()
    assert not app.warning


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.path)
def test_a_page_asked_for_nonsense_everywhere_is_drawn_and_says_so_of_each_field(page):
    asked = {settings.flag(name): "<b>x</b>" for name in page.module.FIELDS}
    app = opened(page.path, lang="zh-Hant", **asked)
    said = " ".join(note.value for note in app.warning)
    assert not app.exception and app.title[0].value == text.title(page.lesson, "zh-Hant")
    assert said.count("·b·x··b·") == len(asked) and "<" not in said and "object" not in said


def test_blocks_that_do_not_fit_are_answered_in_words_and_the_page_goes_on():
    app = opened("workbench", lang="zh-Hant", br="512", bc="512", d="128")
    said = " ".join(message.value for message in [*app.error, *app.warning, *app.info])
    assert not app.exception
    assert "128 × 128" in said or "放得下" in said


@pytest.mark.parametrize("asked, on, noted", [
    ("0", False, False), ("1", True, False), ("", True, False), ("banana", False, True), ("<b>", False, True)])
def test_presenting_is_yes_or_no_and_anything_else_is_noted(asked, on, noted):
    found, notes = address._presented(asked)
    assert (found, bool(notes)) == (on, noted)
    assert all("<" not in note.asked for note in notes)


@pytest.mark.parametrize("asked, chosen, lang, noted", [
    ("zh-Hant", None, "zh-Hant", False), ("zh-TW", "en", "zh-Hant", False), (None, "zh-Hans", "zh-Hans", False),
    ("tlh", "zh-Hans", "zh-Hans", True), ("", None, "en", True),
])
def test_the_language_is_the_addresss_or_the_one_chosen_before(asked, chosen, lang, noted):
    found, notes = address._language(asked, chosen)
    assert (found, bool(notes)) == (lang, noted)
