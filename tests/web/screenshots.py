"""The pictures of the README, taken from a running server with the demo club.

    make run                                                  in one terminal
    .venv-test/bin/python -m tests.web.screenshots            in another
    .venv-test/bin/python -m tests.web.screenshots URL        for another address than http://localhost:8000

Written to docs/images; look at them before they are committed.
"""

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser import FLAGS, find

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "images"
BOARD = "/demo/monday-league/2026/"


def main(url: str = "http://localhost:8000") -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=list(FLAGS))
        for name, width, height in [
            ("leaderboard", 1000, 860),
            ("leaderboard-phone", 360, 740),
            ("score-sheet", 1000, 960),
        ]:
            context = browser.new_context(
                base_url=url,
                viewport={"width": width, "height": height},
                color_scheme="dark" if width < 500 else "light",
                locale="en",
            )
            page = context.new_page()
            page.goto(BOARD)
            if name == "score-sheet":
                page.locator("main a:visible[href*='/sessions/']").first.click()
                page.wait_for_load_state("networkidle")
            page.screenshot(path=FOLDER / f"{name}.png")
            context.close()
        pictures = browser.new_context(base_url=url).request
        (FOLDER / "standings.png").write_bytes(pictures.get(f"{BOARD}standings.png?language=en").body())
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
