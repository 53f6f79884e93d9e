"""Statistics by program: of a player, of a game, the hall of fame."""

import pytest

from league.models import Season
from league.services import erasure, figures
from tests.api.client import OTHER_CLUB, Program
from tests.api.test_lists import play
from tests.people import NOW, People
from tests.services.given import record, series


def refresh(people: People) -> None:
    assert figures.refresh_figures(club_id=people.club.pk)


def test_a_players_statistics(scorer: Program, people: People) -> None:
    ann, ben, cem, *_rest = people.players
    path = f"players/{ann.pk}/statistics/"
    assert scorer.get(path).json() == {"player": {"id": ann.pk, "name": "Ann"}, "statistics": None}
    # und Tschüss: the most points win. Ann 1st of 3, then level with Ben: (0 + 1/4) / 2.
    play(scorer, "2026-11-10", Ann=5, Ben=0, Cem=1)
    play(scorer, "2026-11-17", Ann=5, Ben=5, Cem=1)
    refresh(people)
    found = scorer.get(path).json()["statistics"]
    assert found["totals"] == {
        "sessions": 2,
        "placed": 2,
        "wins": 2,
        "front": 2,
        "relative": 0.125,
        "rounds": 2,
        "round_wins": 2,
        "first_day": "2026-11-10",
        "last_day": "2026-11-17",
    }
    assert [(one["place"], one["players"]) for one in found["form"]] == [(1, 3), (1, 3)]
    assert found["opponents"][0] == {
        "player": ben.pk,
        "sessions": {"met": 2, "before": 1, "level": 1, "behind": 0},
        "rounds": {"met": 2, "before": 1, "level": 1, "behind": 0},
    }
    assert found["opponents"][1]["player"] == cem.pk
    assert found["streaks"]["wins"]["current"] == {"length": 2, "since": "2026-11-10", "until": "2026-11-17"}
    (first,) = found["achievements"]
    assert (first["code"], first["name"], first["rule"]) == ("first_win", "First win", "Won a session.")


def test_a_games_statistics(scorer: Program, people: People) -> None:
    assert scorer.get("games/und-tschuess/statistics/").json() == {
        "game": "und-tschuess",
        "people": None,
        "bots": None,
        "most_played": [],
        "strongest": [],
    }
    play(scorer, "2026-11-10", Ann=5, Ben=0, Cem=1)
    refresh(people)
    found = scorer.get("games/und-tschuess/statistics/").json()
    people_ = found["people"]
    assert (people_["rounds"], people_["highest"]["points"], people_["lowest"]["points"]) == (1, 5, 0)
    assert people_["highest"]["players"] == [people.players[0].pk]
    assert people_["tables"] == [{"players": 3, "rounds": 1}]
    assert [(one["seat"], one["relative"], one["error"], one["differs"]) for one in people_["seats"]] == [
        (0, 0, None, False),
        (1, 1, None, False),
        (2, 0.5, None, False),
    ]
    assert scorer.get("games/whist/statistics/").status_code == 404


def test_the_hall_of_fame(scorer: Program, people: People) -> None:
    assert scorer.get("hall-of-fame/").json() == {"results": [], "best": None, "next": None}
    play(scorer, "2026-11-10", Ann=5, Ben=0, Cem=1)
    refresh(people)
    Season.objects.filter(club=people.club).update(status="closed")
    found = scorer.get("hall-of-fame/").json()
    (season,) = found["results"]
    assert (season["season"]["name"], season["first_three"]) == ("2026", [])
    assert [(one["player"], one["value"]) for one in found["best"]["wins"]] == [(people.players[0].pk, 1)]


def test_the_first_three_of_a_closed_season(scorer: Program, people: People) -> None:
    record(people, series({"Ann": 1, "Dora": 2, "Cem": 3, "Ben": 4}))
    Season.objects.filter(club=people.club).update(status="closed")
    (season,) = scorer.get("hall-of-fame/").json()["results"]
    told = [(one["rank"], one["player"]["name"], one["value"], one["wins"]) for one in season["first_three"]]
    assert told == [(1, "Ann", 1, 1), (2, "Dora", 2, 0), (3, "Cem", 3, 0)]


def test_who_is_erased_bears_the_neutral_name(scorer: Program, people: People) -> None:
    ann = people.players[0]
    play(scorer, "2026-11-10", Ann=5, Ben=0, Cem=1)
    refresh(people)
    erasure.erase(access=people.access(people.admin), player_id=ann.pk, confirmed=True, now=NOW)
    answer = scorer.get(f"players/{ann.pk}/statistics/")
    assert answer.json()["statistics"]["totals"]["wins"] == 1
    assert "Ann" not in answer.content.decode()


@pytest.mark.parametrize("path", ["players/{ann}/statistics/", "games/xxl-1/statistics/", "hall-of-fame/"])
def test_a_stranger_finds_nothing_of_it(stranger: Program, people: People, path: str) -> None:
    path = path.format(ann=people.players[0].pk)
    assert stranger.get(f"/api/v1/clubs/herzclub/{path}").status_code == 404
    own = stranger.get(f"{OTHER_CLUB}/{path}")
    assert own.status_code == (404 if path.startswith("players") else 200)
