"""The running card in a real browser: people are dragged, questions hold their answers back, cards are merged."""

import re

import pytest

from lessons import text

OPENING = "/card?lang=en"


def word(key, lang="en", **values):
    return text.label(key, lang, **values)


def board(reader):
    """The picture of people and card: the one with draggable scores."""
    return reader.page.locator(".dc-stage", has=reader.page.locator('.dc-handle[data-rail="scores"]'))


def handle(reader, person, rail="scores"):
    return board(reader).get_by_role("slider", name=word(f"card.board.{rail}_of", person=person))


def button(place, key):
    return place.get_by_role("button", name=word(key), exact=True)


def answer(reader, question, option):
    """Choose an option; its words stand nowhere else on the page."""
    reader.page.get_by_role("radiogroup").get_by_text(word(f"card.{question}.{option}"), exact=True).click()
    reader.settle()


def said(reader, words):
    board(reader).get_by_text(words).first.wait_for()


def drag(reader, knob, by):
    box = knob.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    reader.page.mouse.move(x, y)
    reader.page.mouse.down()
    reader.page.mouse.move(x, y + by / 2)
    reader.page.mouse.move(x, y + by)
    reader.page.mouse.up()


@pytest.mark.parametrize("lang", text.LANGUAGES)
def test_the_page_opens_with_a_blank_card_in_every_language(reader, lang):
    reader.open(f"/card?lang={lang}")
    said(reader, word("card.said.blank", lang))
    assert reader.errors == []


def test_each_step_puts_the_programs_numbers_on_the_card_and_in_the_address(reader):
    reader.open(OPENING)
    for _ in range(3):
        button(board(reader), "stage.next").click()
        reader.page.wait_for_timeout(1100)
    said(reader, "1.0681")
    said(reader, "93.6\u00a0%")
    reader.page.wait_for_url("**step=3**")


def test_what_a_question_asks_is_held_back_until_it_is_answered_and_then_shown(reader):
    reader.open(OPENING)
    button(board(reader), "stage.last").click()
    said(reader, word("card.board.locked")[:20])
    assert "0.1353" not in board(reader).inner_text()
    answer(reader, "shrink", "stay")
    said(reader, word("card.board.shrinks", factor="0.1353"))
    said(reader, "11.8\u00a0%")
    assert "7.27010515" not in board(reader).inner_text()
    answer(reader, "same", "same")
    said(reader, "7.27010515")
    assert reader.errors == []


def test_a_link_to_a_step_shows_that_step(reader):
    reader.open(f"{OPENING}&step=5&scores=7,4,3&values=1,2,3&piece=3")
    said(reader, word("card.board.answer_direct"))


def test_a_dragged_score_changes_the_card_and_the_address(reader):
    reader.open(f"{OPENING}&step=5")
    handle(reader, 2).scroll_into_view_if_needed()
    drag(reader, handle(reader, 2).locator(".dc-knob"), -40)
    reader.page.wait_for_url(re.compile(r"scores=7%2C(5|6|7|8|9|1\d)"))
    score = handle(reader, 2).get_attribute("aria-valuenow")
    assert float(score) > 4
    reader.settle()
    reader.open(reader.page.url.removeprefix(reader.app))
    assert handle(reader, 2).get_attribute("aria-valuenow") == score
    assert reader.errors == []


@pytest.mark.parametrize("key, score", [
    ("ArrowUp", "4.5"), ("ArrowDown", "3.5"), ("ArrowRight", "4.5"), ("PageUp", "6"), ("Shift+ArrowUp", "4.1"),
    ("Home", "0"), ("End", "20")])
def test_a_score_is_moved_by_key(reader, key, score):
    reader.open(f"{OPENING}&step=2")
    handle(reader, 2).press(key)
    reader.page.wait_for_url(f"**scores=7%2C{score}%2C3%2C9**")
    assert handle(reader, 2).get_attribute("aria-valuenow") == score
    assert "step=2" in reader.page.url


def test_a_value_changes_a_and_not_l(reader):
    reader.open(f"{OPENING}&step=4")
    said(reader, "8.321")
    handle(reader, 4, "values").press("Home")
    said(reader, "0.321")
    said(reader, "1.1446")
    reader.page.wait_for_url("**values=2%2C6%2C4%2C0**")


def test_keys_pressed_on_the_page_step_the_card_and_not_the_warm_up(reader):
    reader.open(f"{OPENING}&step=1")
    answer(reader, "keeps", "two")
    warm_up = reader.page.locator(".dc-stage").first
    warm_up.get_by_text(word("card.said.plain_blank")).first.wait_for()         # drawn, then read aloud
    reader.page.evaluate("document.activeElement.blur()")
    reader.page.keyboard.press("ArrowRight")
    reader.page.wait_for_url("**step=2**")
    assert word("stage.step_of", step=0, steps=4) in warm_up.inner_text()


def test_the_warm_up_adds_and_counts_the_folders_as_they_are_set(reader):
    reader.open(OPENING)
    answer(reader, "keeps", "two")
    warm_up = reader.page.locator(".dc-stage").first
    warm_up.get_by_role("slider", name=word("card.board.values_of", person=4)).press("Home")
    reader.page.wait_for_url("**values=2%2C6%2C4%2C0**")
    button(warm_up, "stage.last").click()
    told = word("card.said.plain", who=word("card.person", person=4), a=12, l=4, mean=3)
    warm_up.get_by_text(told[:40]).first.wait_for()
    assert "scores" not in reader.page.url


@pytest.mark.parametrize("reader", [{"viewport": {"width": 390, "height": 844}, "has_touch": True}], indirect=True)
def test_a_finger_moves_a_score(reader):
    reader.open(f"{OPENING}&step=4")
    knob = handle(reader, 1).locator(".dc-knob")
    knob.scroll_into_view_if_needed()
    box = knob.bounding_box()
    touch = reader.page.context.new_cdp_session(reader.page)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for kind, dy in (("touchStart", 0), ("touchMove", -10), ("touchMove", -30)):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y + dy}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    reader.page.wait_for_url("**scores=**")
    assert float(handle(reader, 1).get_attribute("aria-valuenow")) > 7


def test_people_come_and_go_between_two_and_eight(reader):
    reader.open(OPENING)
    for people in (5, 6, 7, 8):
        button(board(reader), "card.board.person_more").click()
        handle(reader, people).wait_for()
    assert button(board(reader), "card.board.person_more").is_disabled()
    for people in (7, 6, 5, 4, 3, 2):
        button(board(reader), "card.board.person_less").click()
        handle(reader, people + 1).wait_for(state="detached")
    assert button(board(reader), "card.board.person_less").is_disabled()
    assert reader.errors == []


def test_larger_pieces_make_fewer_steps_and_the_same_answer(reader):
    reader.open(f"{OPENING}&step=5")
    said(reader, "7.27010515")
    button(board(reader), "card.board.piece_more").click()
    reader.page.wait_for_url("**piece=2**")
    said(reader, word("stage.step_of", step=3, steps=3))
    said(reader, "7.27010515")


def test_making_the_last_one_the_highest_makes_the_first_ones_share_collapse(reader):
    reader.open(f"{OPENING}&step=5&scores=6,4,3,1")
    button(board(reader), "card.board.highest").click()
    reader.page.wait_for_url("**scores=6%2C4%2C3%2C8**")
    said(reader, "11.7\u00a0%")
    button(board(reader), "card.board.reset").click()
    reader.page.wait_for_url(lambda url: "scores" not in url)


def test_the_sums_explode_when_the_score_is_pushed_up_and_not_when_the_maximum_is_taken_off(reader):
    reader.open(OPENING)
    reader.page.get_by_role("radiogroup").nth(1).get_by_text("11", exact=True).click()
    reader.settle()
    panel = reader.page.locator(".dc-panel", has=reader.page.get_by_role("switch"))
    assert "NaN" not in panel.inner_text()
    panel.get_by_role("slider").press("End")
    panel.get_by_text("NaN").first.wait_for()
    reader.page.wait_for_url("**push=90**")
    panel.get_by_role("switch").click()
    panel.get_by_text("NaN").first.wait_for(state="detached")
    assert panel.get_by_role("switch").get_attribute("aria-checked") == "true"
    assert "∞" not in panel.inner_text()


def deck(reader):
    return reader.page.locator(".dc-panel", has=reader.page.locator(".dc-deck"))


def pile(reader, person):
    """The card that holds a person."""
    return deck(reader).get_by_role("button", name=re.compile(rf"^Card of [\d, ]*\b{person}\b[\d, ]*:"))


def test_cards_are_tapped_together_in_any_order_and_every_order_is_kept(reader):
    reader.open(OPENING)
    answer(reader, "order", "any")
    for first, second in ((4, 1), (3, 2), (4, 3)):
        for person in (first, second):
            pile(reader, person).click()
        reader.settle()
    row = deck(reader).get_by_role("row", name="(4 + 1) + (3 + 2)")
    assert "1.14455199" in row.inner_text() and "7.2701" in row.inner_text()
    reader.page.wait_for_url("**merges=4-1%2C3-2%2C4-3**")
    button(deck(reader), "card.deck.apart").click()
    deck(reader).locator(".dc-pile").nth(3).wait_for()
    button(deck(reader), "card.deck.backward").click()
    deck(reader).get_by_role("row", name="((4 + 3) + 2) + 1").wait_for()
    assert row.is_visible()
    assert reader.errors == []


def test_the_row_is_cut_in_two_and_the_halves_merge_both_ways(reader):
    reader.open(OPENING)
    answer(reader, "order", "any")
    for order in ((0, 1), (1, 0)):
        deck(reader).get_by_role("button", name=word("card.deck.cut", left=2, right=3)).click()
        deck(reader).locator(".dc-pile").nth(2).wait_for(state="detached")
        for half in order:
            deck(reader).locator(".dc-pile").nth(half).click()
        deck(reader).locator(".dc-pile").nth(1).wait_for(state="detached")
        button(deck(reader), "card.deck.apart").click()
        deck(reader).locator(".dc-pile").nth(3).wait_for()
    rows = [deck(reader).get_by_role("row", name=name).inner_text().split("\t")[1:]
            for name in ("(1 + 2) + (3 + 4)", "(3 + 4) + (1 + 2)")]
    assert rows[0] == rows[1]


@pytest.mark.parametrize("query, used", [("scores=a,b", "7,4,3,9"), ("scores=1,99", "1,20"), ("merges=1-99", "")])
def test_nonsense_in_the_address_opens_the_nearest_people_with_a_note(reader, query, used):
    reader.open(f"{OPENING}&{query}")
    assert used in reader.page.locator(".stAlert").inner_text()
    handle(reader, 2).wait_for()
    assert reader.errors == []


def test_a_projector_shows_one_picture_and_holds_nothing_back(reader):
    reader.open(f"{OPENING}&present=1&step=5")
    said(reader, "7.27010515")
    assert reader.page.locator(".dc-stage").count() == 1
    reader.page.get_by_text(word("card.pictures.deck"), exact=True).click()
    deck(reader).wait_for()
    assert reader.errors == []


@pytest.mark.parametrize("reader", [{"viewport": {"width": 390, "height": 844}, "has_touch": True}], indirect=True)
@pytest.mark.parametrize("lang", text.LANGUAGES)
def test_eight_people_fit_a_phone(reader, lang):
    reader.open(f"/card?lang={lang}&scores=1,2,3,4,5,6,7,8&step=9")
    board(reader).locator(".dc-handle").last.wait_for()
    assert reader.page.evaluate("document.querySelector('.stMain').scrollWidth") <= 390
    knobs = [handle.bounding_box() for handle in board(reader).locator('.dc-handle[data-rail="scores"] .dc-grip').all()]
    assert len(knobs) == 8 and all(knob["width"] >= 38 for knob in knobs)
