"""What tests of the pages let happen: evenings through the same service as real results."""

import json
from datetime import date
from pathlib import Path

from league.models import Session
from league.services import results
from league.services.results import RoundInput, ScoreInput, SeatInput, SessionInput
from tests.people import NOW, People

EVENINGS = Path(__file__).parent.parent / "data" / "evenings"
THREE = ("four-players", "five-players", "six-players-twice")


def evening(name: str) -> SessionInput:
    """One of the worked evenings in tests/data as a service's input."""
    data = json.loads((EVENINGS / f"{name}.json").read_text())
    return SessionInput(
        format=data["format"],
        played_on=date.fromisoformat(data["played_on"]),
        players=tuple(SeatInput(seat["player"]) for seat in data["players"]),
        season=data["season"],
        repeats=data["repeats"],
        location=data.get("location", ""),
        rounds=tuple(
            RoundInput(one["game"], tuple(ScoreInput(**score) for score in one["scores"]), one["note"])
            for one in data["rounds"]
        ),
        status=data["status"],
    )


def confirmed(name: str) -> frozenset[str]:
    """The warnings that the worked evening confirms."""
    return frozenset(json.loads((EVENINGS / f"{name}.json").read_text()).get("confirm", []))


def play_three_evenings(people: People) -> list[Session]:
    """The three worked evenings in their order; their table is `season.worked.md`."""
    access = people.access(people.scorekeeper)
    return [results.record(access=access, data=evening(name), confirm=confirmed(name), now=NOW) for name in THREE]
