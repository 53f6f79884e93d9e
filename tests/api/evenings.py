"""The hand-worked evenings of `tests/data/evenings`, and small sessions made up for one point."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent.parent / "data" / "evenings"
NAMES = ("four-players", "five-players", "six-players-twice")


def evening(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """What is posted, and what was worked out by hand."""
    posted = json.loads((FOLDER / f"{name}.json").read_text())
    return posted, json.loads((FOLDER / f"{name}.expected.json").read_text())


def table() -> list[dict[str, Any]]:
    """The standings after all three evenings."""
    lines: list[dict[str, Any]] = json.loads((FOLDER / "season.expected.json").read_text())["standings"]
    return lines


def game(key: str, **points: int) -> dict[str, Any]:
    """A round by points."""
    return {"game": key, "scores": [{"player": name, "points": value} for name, value in points.items()]}


def opened(*names: str, **fields: Any) -> dict[str, Any]:
    """An evening of Pure XXL that goes on."""
    players = [{"player": name} for name in names]
    return {"format": "pure_xxl", "played_on": "2026-11-09", "players": players, **fields}


# Six plausible games of Ann and Ben (docs/rules/xxl.md, "Scoring a session"): Ann is first in all but the last.
SIX_GAMES = [
    game("xxl-1", Ann=0, Ben=14),
    game("xxl-2", Ann=0, Ben=9),
    game("xxl-3", Ann=90, Ben=60),
    game("xxl-4", Ann=64, Ben=51),
    game("xxl-5", Ann=0, Ben=40),
    game("xxl-6", Ann=110, Ben=120),
]
