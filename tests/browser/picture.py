"""The README's pictures, taken from the app itself: python -m tests.browser.picture"""

import io

from PIL import Image
from playwright.sync_api import sync_playwright

from tests.browser.launch import FLAGS, ROOT, app_running, found_browser

SCENE = "/side-by-side?lang=en&n=8&br=4&step=24"
FOLDER = ROOT / ".github"
PATIENCE_MS = 30_000


def main():
    """Write one picture of the scene for each theme."""
    FOLDER.mkdir(exist_ok=True)
    with app_running() as (address, _), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found_browser(), args=FLAGS)
        for theme in ("light", "dark"):
            page = browser.new_page(viewport={"width": 1440, "height": 1040}, color_scheme=theme, locale="en-US",
                                    device_scale_factor=1.4)
            page.goto(address + SCENE)
            page.locator(".dc-base").first.wait_for(timeout=PATIENCE_MS)
            page.wait_for_timeout(1500)
            Image.open(io.BytesIO(page.screenshot())).save(FOLDER / f"app-{theme}.webp", quality=82, method=6)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
