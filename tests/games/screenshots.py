"""The pictures of docs/games.md: the program's real output, drawn as terminals show it.

    .venv-test/bin/python -m tests.games.screenshots

Written to docs/images; look at them before they are committed.
"""

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from html import escape
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser import FLAGS, find

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "images"
PROMPT = "Your move (help: what can be typed): "
GROUNDS = {"160": "#d70000", "220": "#ffd700", "28": "#008700", "26": "#005fd7"}
LETTERS = {"97": "#ffffff", "30": "#000000"}
PAGE = """<style>body {{ margin: 0; }} pre {{ margin: 0; padding: 14px 18px; display: inline-block;
font: 15px/1.35 "DejaVu Sans Mono", "Liberation Mono", monospace; background: {ground}; color: {letters}; }}</style>
<pre>{text}</pre>"""


def shown(arguments: Sequence[str], typed: Sequence[str] = ()) -> str:
    """What the program prints in colour, with what was typed behind its prompts."""
    command = [sys.executable, "-m", "games", "--colour", "always", "--language", "en", *arguments]
    text = "".join(f"{line}\n" for line in typed)
    environ = {**os.environ, "COLUMNS": "130"}
    done = subprocess.run(command, cwd=ROOT, env=environ, input=text, capture_output=True, text=True, check=True)
    # Input that comes from a pipe is not echoed as a terminal would.
    first, *parts = done.stdout.split(PROMPT)
    echoed = [f"{PROMPT}\x1b[1m{line}\x1b[0m\n{part}" for line, part in zip(typed, parts, strict=True)]
    return "".join([f"$ python -m games {' '.join(arguments)}\n", first, *echoed])


def html(text: str) -> str:
    """The text with its colours as elements."""
    parts = []
    for part in re.split(r"(\x1b\[[0-9;]*m)", text):
        match re.fullmatch(r"\x1b\[([0-9;]*)m", part):
            case None:
                parts.append(escape(part))
            case found if found[1] == "0":
                parts.append("</span>")
            case found if found[1] == "1":
                parts.append('<span style="font-weight:bold">')
            case found:
                letters, _kind, _palette, ground = found[1].split(";")
                parts.append(f'<span style="color:{LETTERS[letters]};background:{GROUNDS[ground]}">')
    return "".join(parts)


def picture(page: Page, name: str, text: str, *, dark: bool) -> None:
    """Write one picture."""
    ground, letters = ("#1c1c1c", "#e4e4e4") if dark else ("#ffffff", "#1c1c1c")
    page.set_content(PAGE.format(ground=ground, letters=letters, text=html(text)))
    page.locator("pre").screenshot(path=FOLDER / f"{name}.png")


def main() -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=list(FLAGS))
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        play = shown(["play", "xxl-6", "--seats", "3", "--bots", "random", "--seed", "7"], ["hint", "7", "quit"])
        picture(page, "terminal-play", play, dark=True)
        watch = shown(["watch", "xxl-1", "--seats", "3", "--bots", "random", "--seed", "7"])
        picture(page, "terminal-watch", "\n".join(watch.splitlines()[:42]), dark=False)
        browser.close()


if __name__ == "__main__":
    main()
