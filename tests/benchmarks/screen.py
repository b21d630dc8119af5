"""What one reader sees, timed inside a real browser: the first page, a moved slider, a playing stage."""

import time

WAIT_MS = 30_000
# The stage lives in a shadow root; the label of its picture names the scene and changes with it. Counted are the
# milliseconds from the key to the end of the first frame that has the new label.
WATCH = """() => {
  const root = [...document.querySelectorAll("*")].map((e) => e.shadowRoot).find((r) => r?.querySelector(".dc-base"));
  const before = root.querySelector(".dc-base").getAttribute("aria-label");
  window.answer = new Promise((done) => {
    let pressed;
    addEventListener("keydown", (event) => { pressed = event.timeStamp; }, { capture: true, once: true });
    const observer = new MutationObserver(() => {
      if (!pressed || root.querySelector(".dc-base").getAttribute("aria-label") === before) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => done(performance.now() - pressed)));
    });
    observer.observe(root, { subtree: true, attributes: true, attributeFilter: ["aria-label"] });
    setTimeout(() => done(10000), 10000);
  });
}"""
FRAMES = """(seconds) => new Promise((done) => {
  const gaps = [], longs = [];
  const watch = new PerformanceObserver((list) => longs.push(...list.getEntries().map((e) => e.duration)));
  watch.observe({ type: "longtask" });
  let last, end;
  const frame = (now) => {
    if (last) gaps.push(now - last);
    last = now;
    end ??= now + 1000 * seconds;
    if (now < end) requestAnimationFrame(frame);
    else setTimeout(() => done([gaps, longs]));
  };
  requestAnimationFrame(frame);
})"""


def first_page(browser, address, times):
    """Seconds from an address entered in a fresh browser profile to the first picture, `times` times."""
    return [_arrive(browser, address) for _ in range(times)]


def _arrive(browser, address):
    context = browser.new_context(viewport={"width": 1400, "height": 900}, locale="en-US")
    page = context.new_page()
    start = time.perf_counter()
    page.goto(address, wait_until="commit")
    page.locator(".dc-base").first.wait_for(timeout=WAIT_MS)
    spent = time.perf_counter() - start
    context.close()
    return spent


def opened(browser, address):
    """A page of the app with its stage drawn and at rest."""
    page = browser.new_page(viewport={"width": 1400, "height": 900}, locale="en-US")
    page.goto(address)
    page.locator(".dc-base").first.wait_for(timeout=WAIT_MS)
    page.wait_for_timeout(1000)
    return page


def slider_to_picture(page, moves):
    """Seconds from an arrow key on the first slider to its new picture, there and back `moves` times."""
    slider = page.get_by_role("slider").first
    slider.focus()
    return [_move(page, "ArrowRight" if number % 8 < 4 else "ArrowLeft") for number in range(moves)]


def _move(page, key):
    page.evaluate(WATCH)
    page.keyboard.press(key)
    milliseconds = page.evaluate("() => window.answer")
    page.wait_for_timeout(150)
    return milliseconds / 1000


def frames_while_playing(page, seconds):
    """Seconds from frame to frame while the stage plays, and the seconds of every task over 50 ms."""
    page.get_by_role("button", name="Play").first.click()
    page.wait_for_timeout(500)
    gaps, longs = page.evaluate(FRAMES, seconds)
    return [gap / 1000 for gap in gaps], [long / 1000 for long in longs]
