"""The pictures of the README and of docs/, taken from a running server with the demo club.

    make run                                                  in one terminal
    .venv-test/bin/python -m tests.web.screenshots            in another
    .venv-test/bin/python -m tests.web.screenshots URL FOLDER for another address than http://localhost:8000, and
                                                              another data folder than data/

Written to docs/images; look at them before they are committed.
"""

import sys
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser import FLAGS, find

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "images"
BOARD = "/demo/monday-league/2026/"
TOURNAMENTS = "/demo/tournaments/"
BOT_MATCHES = "/demo/bot-matches/new/"


def main(url: str = "http://localhost:8000", folder: str = "data") -> None:
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
        _tournaments(browser, url)
        _correction(browser, url, _password(Path(folder)))
        _replays(browser, url, _password(Path(folder)))
        browser.close()


def _password(folder: Path) -> str:
    """The demo club's scorekeeper's."""
    lines = (folder / "demo-access.txt").read_text().splitlines()
    return next(line.split()[-1] for line in lines if line.startswith("scorekeeper"))


def _tournaments(browser: Browser, url: str) -> None:
    """A bracket that goes on, standings with what decided, and a player's next table on a phone."""
    for name, path, width, height in [
        ("tournament-bracket", "knock-out-night/bracket/", 1000, 560),
        ("tournament-standings", "autumn-cup/standings/?stage=1", 1000, 860),
        ("tournament-next-table", "knock-out-night/", 360, 800),
    ]:
        context = browser.new_context(
            base_url=url,
            viewport={"width": width, "height": height},
            color_scheme="dark" if width < 500 else "light",
            locale="en",
        )
        page = context.new_page()
        page.goto(TOURNAMENTS + path)
        if name == "tournament-next-table":
            page.locator(".table-seats a").first.click()
            page.locator(".next-table").wait_for()
            page.locator("[data-ends]:visible").wait_for()
        page.screenshot(path=FOLDER / f"{name}.png")
        context.close()


def _correction(browser: Browser, url: str, password: str) -> None:
    """A round with the points of the best and the worst exchanged, and what that would move; nothing is stored."""
    context = browser.new_context(base_url=url, viewport={"width": 760, "height": 900}, locale="en")
    page = context.new_page()
    page.goto(f"/login/?next={BOARD}")
    page.get_by_label("User name").fill("scorekeeper")
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()
    page.locator("main a:visible[href*='/sessions/'][id^='session-']").nth(3).click()
    page.locator("#correct-5").click()
    fields = sorted(page.locator("input[name^='score_']").all(), key=lambda field: int(field.input_value()))
    lowest, highest = fields[0].input_value(), fields[-1].input_value()
    fields[0].fill(highest)
    fields[-1].fill(lowest)
    page.get_by_role("button", name="Show what would move").click()
    page.get_by_role("heading", name="What would move").wait_for()
    page.evaluate("document.activeElement.blur()")
    page.screenshot(path=FOLDER / "correction.png", full_page=True)
    context.close()


def _replays(browser: Browser, url: str, password: str) -> None:
    """A trick with all hands open, and what one seat of und Tschüss sees on a phone; plays a match of new bots each."""
    for name, game, query, width, height in [
        ("replay", "xxl-6", "?move=14", 1000, 920),
        ("replay-phone", "und-tschuess", "?move=14&seat=2", 360, 800),
    ]:
        context = browser.new_context(
            base_url=url,
            viewport={"width": width, "height": height},
            color_scheme="dark" if width < 500 else "light",
            locale="en",
        )
        page = context.new_page()
        page.goto(f"/login/?next={BOT_MATCHES}")
        page.get_by_label("User name").fill("scorekeeper")
        page.get_by_label("Password").fill(password)
        page.get_by_role("button", name="Log in").click()
        page.locator("#add-bots [name=bot]").select_option("greedy")
        page.locator("#add-bots [name=count]").fill("4")
        page.locator("#add-bots button").click()
        added = page.get_by_text("Added: ").inner_text().removeprefix("Added: ").rstrip(".").split(", ")
        page.locator("[name=game]").select_option(game)
        page.locator("[name=seed]").fill("7")
        for seat, bot in enumerate(added):
            page.locator(f"[name=seat_{seat}]").select_option(label=bot)
        page.get_by_role("button", name="Let them play").click()
        page.locator("#result").wait_for()
        page.goto(f"{page.url}deals/1/{query}")
        if width < 500:
            page.locator("#position").evaluate("one => one.scrollIntoView()")
        page.screenshot(path=FOLDER / f"{name}.png")
        context.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
