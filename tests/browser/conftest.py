"""A browser that is found, not assumed; the app started once; a page that remembers what went wrong in it."""

import os
from pathlib import Path

import pytest

from tests.browser.launch import FLAGS, app_running, found_browser

# Streamlit looks for its server beside the page's path before it looks at the root: two expected 404s.
EXPECTED = ("/_stcore/health", "/_stcore/host-config")


def pytest_collection_modifyitems(items):
    """Everything in this folder is a browser test."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser():
    """A headless Chromium; without one the test is skipped with the reason, or fails where CI=true."""
    if os.environ.get("CI") == "true":
        from playwright.sync_api import sync_playwright
    else:
        sync_playwright = pytest.importorskip("playwright.sync_api").sync_playwright
    with sync_playwright() as playwright:
        path = found_browser() or playwright.chromium.executable_path
        if not Path(path).exists():
            reason = "no Chromium: set CHROMIUM, install one, or run `playwright install chromium`"
            pytest.fail(reason) if os.environ.get("CI") == "true" else pytest.skip(reason)
        chromium = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def app():
    """The app's address, served by a Streamlit of its own on a free port; DESK_URL names one that runs already."""
    if os.environ.get("DESK_URL"):
        yield os.environ["DESK_URL"].rstrip("/")
        return
    with app_running() as (address, _):
        yield address


# When the page last changed, shadow roots included, and whether the server has answered what it was last asked.
WATCH = """(() => {
  const seen = (window.seen = { changed: 0, asked: 0, answered: 0 });
  const watch = new MutationObserver((changes) => {
    seen.changed = performance.now();
    const ended = changes.some(({ target, attributeName }) =>
      attributeName === "data-test-script-state" && target.getAttribute(attributeName) === "notRunning");
    if (ended) seen.answered = seen.changed;
  });
  const every = { subtree: true, childList: true, attributes: true, characterData: true };
  watch.observe(document, every);
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (...how) {
    const root = attach.apply(this, how);
    watch.observe(root, every);
    return root;
  };
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (...what) {
    seen.asked = performance.now();
    return send.apply(this, what);
  };
})()"""
# The toolbar, which names the page, is on every page. A question that starts no run gets no answer: it is waited for
# three seconds. A widget whose code has not come is a grey bar; a picture then has a height, or is not there.
AT_REST = """() => {
  const { changed, asked, answered } = window.seen, now = performance.now();
  const pictures = [...document.querySelectorAll('[data-testid="stBidiComponentIsolated"]')];
  return document.documentElement.dataset.page
    && new URLSearchParams(location.search).get("lang") === document.documentElement.lang
    && document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState === "notRunning"
    && answered && (answered > asked || now - asked > 3000)
    && !document.querySelector('[data-testid="stSkeleton"]')
    && pictures.every((one) => !one.getClientRects().length || one.getBoundingClientRect().height > 1)
    && now - changed > 150;
}"""


class Reader:
    """One reader at a browser: opens addresses of the app and remembers every error the browser reported."""

    def __init__(self, page, app):
        self.page, self.app, self.errors = page, app, []
        page.add_init_script(WATCH)
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def _console(self, message):
        if message.type == "error" and not (message.location or {}).get("url", "").endswith(EXPECTED):
            self.errors.append(message.text)

    def open(self, address):
        """Open an address of the app ("/walk?lang=en") and wait until the page has been drawn."""
        self.page.goto(self.app + address)
        self.settle()
        return self

    def settle(self):
        """Wait until the page is at rest: asked and answered, every picture drawn, nothing changing any more."""
        self.page.wait_for_function(AT_REST, timeout=20_000)

    def text(self):
        """Return the text on the page, the sidebar's included."""
        return self.page.locator(".stApp").inner_text()


@pytest.fixture(scope="session")
def profile(browser):
    """A browser profile for each set of options, kept so that the app's code is read and compiled once in it."""
    kept = {}

    def profile(**options):
        name = repr(sorted(options.items()))
        if name not in kept:
            kept[name] = browser.new_context(**options)
        return kept[name]

    yield profile
    for context in kept.values():
        context.close()


@pytest.fixture
def reader(profile, app, request):
    """A reader at a tab of their own; parametrise indirectly with options of the profile (locale, viewport …)."""
    options = {"viewport": {"width": 1400, "height": 900}, "locale": "en-US"} | getattr(request, "param", {})
    page = profile(**options).new_page()
    yield Reader(page, app)
    page.evaluate("localStorage.clear()")
    page.close()
