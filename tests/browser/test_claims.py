"""The claims ledger in a browser: nothing is told before it is judged, answers stay in the tab, keys suffice."""

import csv
import io
import re

import pytest

from lessons import text
from lessons.claims import export
from lessons.claims.ledger import CLAIMS, found, told

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
VERDICTS = ("right", "if", "not")


def words(name, lang="en"):
    """A label of the ledger."""
    return text.labels("claims", lang)[name]


def opened(reader, address):
    """Open an address of the ledger and wait until the claims are there."""
    reader.open(address)
    reader.page.locator(".ledger .claim").last.wait_for(state="attached")
    return reader


def card(reader, number):
    """The claim with this number."""
    return reader.page.locator(".ledger .claim").nth(number - 1)


def judge(reader, number, verdict, lang="en"):
    """Give a claim a verdict."""
    card(reader, number).get_by_role("button", name=words(verdict, lang), exact=True).click()
    return reader


def listed(reader):
    """The ids of the claims in sight."""
    return reader.page.locator(".ledger .claim:visible .id").all_inner_texts()


def chip(reader, name):
    """A filter."""
    group = reader.page.get_by_role("group", name=words("filter"))
    return group.get_by_role("button", name=re.compile(rf"^{re.escape(words(name))} \d+$"))


def test_no_verdict_and_no_number_is_seen_before_the_reader_has_judged(reader):
    opened(reader, "/claims?lang=en")
    assert reader.page.locator(".ledger .claim").count() == len(CLAIMS)
    assert reader.page.locator(".ledger .answer:visible").count() == 0
    assert "138.4" not in reader.text()
    judge(reader, 3, "not")
    shown = reader.page.locator(".ledger .answer:visible")
    assert shown.count() == 1
    assert words("not") in shown.inner_text() and words("met") in shown.inner_text()
    assert found(CLAIMS[2]).main.alone in shown.inner_text()
    badges = [text.label(key, "en") for key in ("ruler.paper", "tag.computed")]
    assert shown.locator(".badge").all_inner_texts() == badges
    assert reader.errors == []


def test_a_verdict_that_differs_says_what_the_reader_had_said(reader):
    judge(opened(reader, "/claims?lang=en"), 2, "right")
    said = card(reader, 2).locator(".verdict").inner_text()
    assert words("if") in said and f"{words('you_said')} {words('right')}" in said


def test_the_score_counts_what_was_judged_and_what_was_met(reader):
    opened(reader, "/claims?lang=en")
    for number, verdict in ((1, "right"), (2, "right"), (3, "not")):
        judge(reader, number, verdict)
    score = reader.page.locator(".ledger .score")
    assert score.inner_text() == words("score").format(judged=3, all=len(CLAIMS), met=2)
    reader.page.get_by_role("button", name=words("again")).click()
    assert score.inner_text() == words("start").format(all=len(CLAIMS))
    assert reader.page.locator(".ledger .answer:visible").count() == 0


def test_the_answers_are_sent_nowhere(reader):
    sent = []
    reader.page.on("request", lambda request: sent.append(request.url))
    reader.page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append("frame")))
    opened(reader, "/claims?lang=en")
    sent.clear()
    for number, verdict in ((1, "right"), (2, "not"), (5, "if")):
        judge(reader, number, verdict)
    reader.page.wait_for_timeout(500)
    assert sent == []


def test_the_answers_stay_in_the_tab_over_a_language_and_a_reload(reader):
    judge(opened(reader, "/claims?lang=en"), 1, "right")
    reader.page.get_by_label("Language").select_option("zh-Hant")
    reader.page.wait_for_url("**lang=zh-Hant**")
    reader.settle()
    assert words("right", "zh-Hant") in card(reader, 1).locator(".verdict").inner_text()
    reader.page.reload()
    reader.settle()
    assert words("met", "zh-Hant") in card(reader, 1).locator(".verdict").inner_text()


def test_a_filter_by_verdict_lists_only_what_was_judged_and_stands_in_the_address(reader):
    opened(reader, "/claims?lang=en")
    judge(reader, 3, "right")
    judge(reader, 4, "not")
    judge(reader, 1, "right")
    chip(reader, "not").click()
    assert listed(reader) == ["C3", "C4"]
    assert reader.page.locator(".ledger .none").inner_text() == words("hidden").format(hidden=len(CLAIMS) - 3)
    reader.page.wait_for_url("**verdict=not**")
    reader.settle()
    reader.page.reload()
    reader.page.locator(".ledger .claim").last.wait_for(state="attached")
    assert listed(reader) == ["C3", "C4"]
    chip(reader, "unjudged").click()
    assert "C3" not in listed(reader) and len(listed(reader)) == len(CLAIMS) - 3


def test_with_all_verdicts_shown_the_filters_part_the_ledger_and_no_score_is_given(reader):
    opened(reader, "/claims?lang=en")
    reader.page.get_by_role("button", name=words("show_all")).click()
    assert reader.page.locator(".ledger .score").inner_text() == words("start").format(all=len(CLAIMS))
    seen = []
    for verdict in VERDICTS:
        chip(reader, verdict).click()
        assert listed(reader) == [claim.id for claim in CLAIMS if claim.verdict == verdict]
        seen += listed(reader)
    assert len(seen) == len(CLAIMS)


def test_the_keys_alone_judge_a_claim_and_lead_to_its_verdict(reader):
    opened(reader, "/claims?lang=en")
    first = card(reader, 1).get_by_role("button", name=words("right"), exact=True)
    first.focus()
    reader.page.keyboard.press("Tab")
    reader.page.keyboard.press("Enter")
    assert words("you_said") in card(reader, 1).locator(".verdict").inner_text()
    assert card(reader, 1).locator(".verdict").evaluate("verdict => verdict.getRootNode().activeElement === verdict")
    assert reader.page.locator(".ledger [role=status]").inner_text().startswith("C1: ")


def test_the_link_of_a_claim_opens_it_in_sight_and_the_strip_finds_any(reader):
    opened(reader, "/claims?lang=en&claim=c12")
    reader.page.wait_for_timeout(900)
    assert card(reader, 12).evaluate(_IN_SIGHT)
    reader.page.get_by_role("button", name="C30").click()
    reader.page.wait_for_url("**claim=c30**")
    reader.page.wait_for_timeout(900)
    assert card(reader, 30).evaluate(_IN_SIGHT)


_IN_SIGHT = "card => { const box = card.getBoundingClientRect(); return box.top >= 0 && box.top < innerHeight; }"


def test_a_claims_link_leads_to_its_scene(reader):
    opened(reader, "/claims?lang=zh-Hans")
    reader.page.get_by_role("button", name=words("show_all", "zh-Hans")).click()
    links = reader.page.locator(".ledger .answer a")
    assert links.evaluate_all("all => all.map(a => a.getAttribute('href'))") == [
        claim.scene.link(lang="zh-Hans") for claim in CLAIMS if claim.scene]
    links.first.click()
    reader.page.wait_for_url("**/table?lang=zh-Hans&n=4096")
    reader.settle()
    assert reader.page.locator(".stHeading h1").inner_text() == text.title("table", "zh-Hans")


def test_the_ledger_is_handed_out_as_the_command_prints_it(reader, tmp_path):
    opened(reader, "/claims?lang=zh-Hant")
    with reader.page.expect_download() as caught:
        reader.page.get_by_role("button", name=words("csv", "zh-Hant")).click()
    assert caught.value.suggested_filename == "claims-zh-Hant.csv"
    caught.value.save_as(tmp_path / "file")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "file").read_text(encoding="utf-8-sig"))))
    assert [row["found"] for row in rows] == [row["found"] for row in export.rows("zh-Hant")]


def test_presenter_mode_shows_one_claim_and_the_arrows_turn_to_the_next(reader):
    opened(reader, "/claims?lang=en&claim=c3&present=1")
    assert listed(reader) == ["C3"]
    judge(reader, 3, "not")
    assert told(CLAIMS[2], "en").assumes.replace("\u00a0", " ") in card(reader, 3).inner_text().replace("\u00a0", " ")
    for claim in ("C4", "C5"):
        reader.page.keyboard.press("ArrowRight")
        assert listed(reader) == [claim]
    reader.page.keyboard.press("ArrowLeft")
    reader.page.wait_for_url("**claim=c4**")
    reader.settle()
    assert listed(reader) == ["C4"] and reader.errors == []


@pytest.mark.parametrize("reader", [PHONE], indirect=True)
@pytest.mark.parametrize("lang", text.LANGUAGES)
def test_a_phone_shows_every_verdict_within_its_width(reader, lang):
    opened(reader, f"/claims?lang={lang}")
    reader.page.get_by_role("button", name=words("show_all", lang)).click()
    assert reader.page.locator(".ledger .answer:visible").count() == len(CLAIMS)
    assert reader.page.locator(".ledger").evaluate(_RIGHT_END) <= 390
    assert reader.page.evaluate("document.querySelector('.stMain').scrollWidth") <= 390


_RIGHT_END = """ledger => Math.max(
  ...[...ledger.querySelectorAll('.claim *:not(.live)')].map(e => e.getBoundingClientRect().right))"""
