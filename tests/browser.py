"""The Chrome or Chromium that the tests of pages drive.

Looks at `TISCHLIGA_TEST_BROWSER`, then on PATH, then among Playwright's own downloads. `fetch` lets Playwright
download one, else lets apt install it when root; the tests themselves never download anything.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

VARIABLE = "TISCHLIGA_TEST_BROWSER"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
ADVICE = (
    "The tests need Chrome or Chromium and found none. Type one of these, then try again:\n"
    "    apt-get update && apt-get install -y chromium\n"
    "    .venv-test/bin/playwright install --with-deps chromium"
)
PATIENCE = 60_000  # milliseconds for all that a page is waited for: other runs of tests take the processor
# Without a sandbox, since root has none; the rest keeps a fresh profile from talking to its maker.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)


class NoBrowserError(Exception):
    """The text says what to type."""


def find() -> str:
    """The path of a browser that starts. Raises NoBrowserError."""
    given = os.environ.get(VARIABLE)
    candidates = [given] if given else [*map(shutil.which, NAMES), _playwrights_own()]
    for path in candidates:
        if path and _starts(path):
            return path
    raise NoBrowserError(ADVICE)


def fetch() -> str:
    """The path of a browser that starts, after getting one if there is none. Raises NoBrowserError."""
    try:
        return find()
    except NoBrowserError:
        ways = [[sys.executable, "-m", "playwright", "install", "chromium"]]
        if os.geteuid() == 0 and shutil.which("apt-get"):
            ways.append(["sh", "-c", "apt-get update && apt-get install -y --no-install-recommends chromium"])
        for way in ways:
            environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
            subprocess.run(way, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False)
            try:
                return find()
            except NoBrowserError:
                continue
        raise


def _playwrights_own() -> str | None:
    folder = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache" / "ms-playwright")
    found = sorted(folder.glob("chromium-*/chrome-*/chrome"))
    return str(found[-1]) if found else None


def _starts(path: str) -> bool:
    """Whether it runs at all: a name on PATH may be a stub, a download may lack its libraries."""
    try:
        tried = subprocess.run([path, "--version"], capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return tried.returncode == 0
