"""The evenings and the season worked by hand in tests/data/evenings, from points to the table.

The expected files were written before the scoring; their reasons stand in the `.worked.md` files beside them.
"""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from games.catalog import GAMES
from league.scoring.rounds import Entry, score_round
from league.scoring.sessions import EveningRules, PlayedRound, Seat, plan_problems, running, score_session
from league.scoring.standings import RankingRules, SessionPlace, line, rank

EVENINGS = Path(__file__).parents[1] / "data" / "evenings"
NAMES = ["four-players", "five-players", "six-players-twice"]
RULES = EveningRules()


def read(name: str) -> Any:
    return json.loads((EVENINGS / name).read_text(encoding="utf-8"))


class Evening:
    """One posted evening, scored; players are numbered in the order of their seats."""

    def __init__(self, name: str) -> None:
        self.posted = read(f"{name}.json")
        self.names = [entry["player"] for entry in self.posted["players"]]
        self.seats = [Seat(number, number) for number in range(len(self.names))]
        self.rounds: list[PlayedRound] = []
        self.warnings = 0
        for number, one in enumerate(self.posted["rounds"], start=1):
            entries = [Entry(score.get("points"), score.get("place")) for score in one["scores"]]
            score = score_round(GAMES[one["game"]], entries, note=one["note"])
            players = [self.names.index(given["player"]) for given in one["scores"]]
            got = {player: place for player, place in zip(players, score.places, strict=True) if place is not None}
            self.rounds.append(PlayedRound(number, one["game"], got))
            self.warnings += len(score.warnings)

    def named(self, values: dict[int, int]) -> dict[str, int]:
        return {self.names[player]: value for player, value in values.items()}


@pytest.mark.parametrize("name", NAMES)
def test_places_of_each_round(name: str) -> None:
    evening = Evening(name)
    expected = [(one["game"], one["places"]) for one in read(f"{name}.expected.json")["rounds"]]
    assert [(one.game, evening.named(dict(one.places))) for one in evening.rounds] == expected


@pytest.mark.parametrize("name", NAMES)
def test_running_place_sums(name: str) -> None:
    evening = Evening(name)
    for after, expected in enumerate(read(f"{name}.expected.json")["rounds"], start=1):
        results = running(evening.seats, evening.rounds[:after], RULES)
        assert evening.named({one.player: one.place_sum for one in results}) == expected["place_sums"], after


@pytest.mark.parametrize("name", NAMES)
def test_final_places(name: str) -> None:
    evening = Evening(name)
    planned = 6 * evening.posted["repeats"]
    score = score_session(evening.seats, evening.rounds, planned=planned, rules=RULES)
    assert (score.counts, score.reason) == (True, "")
    assert {
        evening.names[one.player]: {"place_sum": one.place_sum, "place": one.place} for one in score.results
    } == read(f"{name}.expected.json")["final"]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_to_confirm(name: str) -> None:
    """Each evening lists why its points are plausible, and is posted with nothing confirmed."""
    evening = Evening(name)
    assert evening.warnings == 0
    games = [one.game for one in evening.rounds]
    players, repeats = len(evening.names), evening.posted["repeats"]
    assert plan_problems("pure_xxl", games, repeats=repeats, planned=None, players=players) == ((), ())
    assert evening.posted["confirm"] == []


def test_season_table() -> None:
    expected = read("season.expected.json")
    final: dict[str, list[SessionPlace]] = {}
    people: list[str] = []
    for number, file in enumerate(expected["evenings"], start=1):
        evening = Evening(file.removesuffix(".json"))
        assert evening.posted["season"] == expected["season"]
        played_on = date.fromisoformat(evening.posted["played_on"])
        for one in score_session(evening.seats, evening.rounds, planned=6, rules=RULES).results:
            name = evening.names[one.player]
            if name not in people:
                people.append(name)
            assert one.place is not None
            final.setdefault(name, []).append(
                SessionPlace(people.index(name), number, played_on, one.place, len(evening.names))
            )
    lines = [line(results[0].player, results, {}, RankingRules()) for results in final.values()]
    table = rank(lines, RankingRules())
    numbers = [number for number, _ in table]
    rows = [
        {
            "rank": number,
            "shared": numbers.count(number) > 1,
            "player": people[one.player],
            "sessions": one.sessions,
            "place_total": one.place_total,
            "place_average": str(one.place_average),
            "wins": one.wins,
            "last_played_on": one.last_played_on.isoformat(),
            "last_place": one.last_place,
        }
        for number, one in table
    ]
    # Who shares a rank stands in no agreed order.
    assert sorted(rows, key=lambda row: (row["rank"], row["player"])) == expected["standings"]
