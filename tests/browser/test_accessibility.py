"""Every page, its answers revealed, is held against axe-core's rules: names, roles, order of headings, contrast."""

import pytest

from lessons import PAGES, site, text

Axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe

WIDE, PHONE = {"width": 1400, "height": 900}, {"width": 390, "height": 844}
UNANSWERED = ".stRadio:not(:has(input:checked)) [data-testid=stRadioGroup] > :first-child label"
GROUND = "getComputedStyle(document.querySelector('.stApp')).backgroundColor"
LANGUAGES = tuple(text.LANGUAGES)       # they take turns


@pytest.fixture(scope="module")
def home():
    """The take-home set, {path: page}."""
    return site.files()


def reveal(reader):
    """Answer every question on the page with its first choice, so that what stands behind it is there too."""
    while reader.page.locator(UNANSWERED).count():
        reader.page.locator(UNANSWERED).evaluate_all("all => all.forEach((question) => question.click())")
        reader.settle()


def broken(page):
    """The rules of axe-core that a page breaks, each with its places; shadow roots are looked into."""
    return {rule["id"]: [(place["target"], place["failureSummary"]) for place in rule["nodes"]]
            for rule in Axe().run(page).response["violations"]}


@pytest.mark.parametrize("place, path", tuple(enumerate(page.path for page in PAGES)))
def test_a_page_breaks_no_rule_in_light_or_dark(reader, place, path):
    reader.open(f"/{path}?lang={LANGUAGES[place % 3]}")
    reveal(reader)
    light = reader.page.evaluate(GROUND)
    assert broken(reader.page) == {}
    reader.page.emulate_media(color_scheme="dark")
    reader.page.set_viewport_size((WIDE, PHONE)[place % 2])
    reader.page.wait_for_function(f"light => {GROUND} !== light", arg=light)
    reader.settle()
    assert broken(reader.page) == {}


def test_the_rules_reach_into_the_pictures(reader):
    reader.open("/walk?lang=en")
    reader.page.evaluate("""() => {
      for (const one of document.querySelectorAll("[data-testid=stBidiComponentIsolated]"))
        one.shadowRoot.append(Object.assign(new Image(), { src: "data:," }));
    }""")
    assert len(broken(reader.page)["image-alt"]) == 2


@pytest.mark.parametrize("reader", [{"viewport": WIDE}, {"viewport": PHONE, "has_touch": True}], indirect=True)
def test_the_list_of_pages_says_which_one_is_open(reader):
    reader.open("/walk?lang=en")
    for lesson in ("walk", "card"):
        if opener := reader.page.get_by_test_id("stExpandSidebarButton").all():
            opener[0].click()
        here = reader.page.locator(".stSidebar a[aria-current=page]")
        here.filter(has_text=text.title(lesson, "en")).wait_for()
        assert here.count() == 1
        reader.page.get_by_role("link", name=text.title("card", "en")).click()
        reader.page.wait_for_url("**/card?lang=en")
        reader.settle()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["index.html", "en/running-card-n4.html", "zh-Hant/walk-standard-n8-d8-b4.html"])
def test_what_is_taken_home_breaks_none_either(browser, tmp_path, home, scheme, name):
    context = browser.new_context(color_scheme=scheme, bypass_csp=True)
    page = context.new_page()
    path = tmp_path / "page.html"
    path.write_text(home[name], encoding="utf-8")
    page.goto(path.as_uri())
    assert broken(page) == {}
    context.close()
