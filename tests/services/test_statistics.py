"""Statistics follow the sessions: what enters them, corrections, years apart, no names."""

import json
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.models import Player, Season, Session, Statistics
from league.scoring.statistics import ACHIEVEMENTS, PlayerFigures
from league.services import corrections, erasure, figures, seasons, statistics
from league.services.evenings import RoundInput, ScoreInput, SeatInput, SessionInput
from tests.people import NOW, People
from tests.services.given import ANYTHING, DAY, by_points, record, series

pytestmark = pytest.mark.django_db


def refresh(people: People) -> None:
    assert figures.refresh_figures(club_id=people.club.pk)


def of(people: People, name: str) -> PlayerFigures | None:
    player = Player.objects.get(club=people.club, name=name)
    return statistics.player_figures(club_id=people.club.pk, players=[player.pk]).get(player.pk)


def totals(people: People, name: str) -> tuple[int, int, int, int]:
    """Sessions, sessions with a place, wins, rounds."""
    found = of(people, name)
    assert found is not None
    its = found["totals"]
    return its["sessions"], its["placed"], its["wins"], its["rounds"]


def game(people: People, key: str) -> statistics.GameRow:
    return statistics.game_figures(club_id=people.club.pk, games=[key])[key]


def highest(people: People, key: str) -> int:
    """The most points that a person has had in a game."""
    found = game(people, key)["people"]
    assert found is not None and found["highest"] is not None
    return found["highest"]["points"]


def single(key: str, day: date, **points: int) -> SessionInput:
    """One round of one game, all from the start."""
    return SessionInput(
        format="single_game",
        played_on=day,
        players=tuple(SeatInput(name) for name in points),
        rounds=(by_points(key, points),),
        status="complete",
    )


def everything() -> list[tuple[Any, ...]]:
    return list(
        Statistics.objects.order_by("club", "subject", "player", "game").values_list(
            "club", "subject", "player", "game", "data"
        )
    )


def test_a_result_is_followed(people: People) -> None:
    # Place sums: Ann 1 + 2 = 3, Ben 2 + 1 = 3, Cem 3 + 3 = 6.
    record(people, series({"Ann": 1, "Ben": 2, "Cem": 3}, {"Ann": 2, "Ben": 1, "Cem": 3}))
    assert of(people, "Ann") is None
    refresh(people)
    assert totals(people, "Ann") == (1, 1, 1, 2)
    assert totals(people, "Cem") == (1, 1, 0, 2)
    found = of(people, "Cem")
    assert found is not None
    assert found["totals"]["relative"] == 1
    assert found["places"] == {"sessions": [0, 0, 1], "rounds": [0, 0, 2]}
    best = statistics.club_figures(club_id=people.club.pk)
    assert best is not None
    assert [(one["player"], one["value"]) for one in best["wins"]] == [(one.pk, 1) for one in people.players[:2]]


def test_computing_again_changes_nothing(people: People) -> None:
    record(people, series({"Ann": 1, "Ben": 2}))
    record(people, single("xxl-3", DAY, Ann=30, Ben=20))
    refresh(people)
    before = everything()
    ids = [player.pk for player in people.players]
    for from_day in (DAY, DAY - timedelta(days=1000)):
        statistics.refresh(club_id=people.club.pk, from_day=from_day, players=ids, now=NOW)
        assert everything() == before


def test_step_by_step_is_as_all_at_once(people: People) -> None:
    for number in range(4):
        places = {"Ann": 1 + number % 2, "Ben": 2 - number % 2, "Cem": 3}
        record(people, series(places, season=None, played_on=DAY - timedelta(days=400 - 100 * number)))
        record(people, single("xxl-3", DAY - timedelta(days=100 * number), Ann=30 + number, Ben=20, Cem=25))
        refresh(people)
    stepwise = everything()
    Statistics.objects.all().delete()
    figures.note_all(club_id=people.club.pk)
    refresh(people)
    assert everything() == stepwise


def test_what_is_void_open_or_waiting_counts_for_nothing(people: People) -> None:
    session = record(people, series({"Ann": 1, "Ben": 2}))
    record(people, series({"Ann": 1, "Cem": 2}, planned=3, status="open"))
    refresh(people)
    assert of(people, "Cem") is None
    assert totals(people, "Ann") == (1, 1, 1, 1)

    by = people.access(people.scorekeeper)
    corrections.void(access=by, session_id=session.pk, reason="Never played.", expected=None, now=NOW)
    refresh(people)
    assert of(people, "Ann") is None
    assert not Statistics.objects.exists()

    corrections.restore(access=by, session_id=session.pk, reason="It was.", expected=None, now=NOW)
    Season.objects.filter(pk=people.season.pk).update(needs_confirmation=True)
    record(people, series({"Ann": 1, "Ben": 2, "Dora": 3}))
    refresh(people)
    assert totals(people, "Ann") == (1, 1, 1, 1)
    assert of(people, "Dora") is None


def test_places_follow_the_rules_of_the_season(people: People) -> None:
    """Cem leaves after the first of two rounds: a place behind all, or none by another rule."""
    seats = (SeatInput("Ann"), SeatInput("Ben"), SeatInput("Cem", until_round=1))
    rounds = ({"Ann": 1, "Ben": 2, "Cem": 3}, {"Ann": 1, "Ben": 2})
    session = record(people, series(*rounds, players=seats))
    refresh(people)
    assert totals(people, "Cem") == (1, 1, 0, 1)
    by = people.access(people.admin)
    seasons.update_season(access=by, season_id=people.season.pk, changes={"missing_round": "exclude"}, now=NOW)
    refresh(people)
    assert totals(people, "Cem") == (1, 0, 0, 1)
    assert Session.objects.get(pk=session.pk).results.get(player__name="Cem").place is None


def test_a_substitutes_rounds_are_of_who_played_them(people: People) -> None:
    seats = (SeatInput("Ann", until_round=1), SeatInput("Ben"), SeatInput("Cem", seat=0, from_round=2))
    record(people, series({"Ann": 1, "Ben": 2}, {"Cem": 2, "Ben": 1}, players=seats, season=None))
    refresh(people)
    assert totals(people, "Ann")[3] == totals(people, "Cem")[3] == 1
    assert totals(people, "Ben")[3] == 2


def test_records_and_seats_of_a_game(people: People) -> None:
    record(people, single("xxl-3", DAY, Ann=30, Ben=20, Cem=25))
    later = record(people, single("xxl-3", DAY, Cem=10, Dora=44))
    refresh(people)
    found = game(people, "xxl-3")["people"]
    assert found is not None
    assert found["rounds"] == 2
    assert found["highest"] == {
        "points": 44,
        "times": 1,
        "day": DAY.isoformat(),
        "session": later.pk,
        "round": 1,
        "players": [people.players[3].pk],
    }
    # Seat 0: Ann first of three, Cem last of two.
    assert found["seats"]["0"] == {"rounds": 2, "total": 1.0, "squares": 1.0}
    most = [(one["player"], one["value"]) for one in game(people, "xxl-3")["most_played"]]
    assert most[0] == (people.players[2].pk, 2)


def test_years_are_kept_apart_and_earlier_ones_are_not_read_again(people: People) -> None:
    last_year = DAY.replace(year=DAY.year - 1)
    record(people, single("xxl-3", last_year, Ann=30, Ben=20))
    refresh(people)
    row = Statistics.objects.get(subject="game", game="xxl-3")
    # Nobody reads last year's rounds again, or this would be put right.
    row.data["years"][str(last_year.year)]["people"]["highest"]["points"] = 99
    row.save()
    record(people, single("xxl-3", DAY, Ann=31, Ben=20))
    refresh(people)
    found = game(people, "xxl-3")["people"]
    assert found is not None
    assert (found["rounds"], highest(people, "xxl-3")) == (2, 99)


def test_a_session_moved_to_another_year_is_in_that_year(people: People) -> None:
    session = record(people, single("xxl-3", DAY, Ann=30, Ben=20))
    refresh(people)
    by = people.access(people.scorekeeper)
    earlier = DAY.replace(year=DAY.year - 1)
    for day in (earlier, DAY):
        session.refresh_from_db()
        corrections.correct(
            access=by,
            session_id=session.pk,
            changes={"played_on": day},
            reason="Wrong day.",
            expected=session.revision,
            confirm=ANYTHING,
            now=NOW,
        )
        refresh(people)
        assert list(game(people, "xxl-3")["years"]) == [str(day.year)]


def test_bots_among_themselves_are_counted_apart(people: People) -> None:
    for name in ("Rot", "Blau"):
        Player.objects.create(club=people.club, name=name, kind="bot", bot="random")
    record(people, single("xxl-3", DAY, Rot=90, Blau=20))
    record(people, single("xxl-3", DAY, Rot=80, Ann=20, Ben=30))
    refresh(people)
    found = game(people, "xxl-3")
    assert found["bots"] is not None and found["people"] is not None
    assert (found["bots"]["rounds"], found["people"]["rounds"]) == (1, 1)
    # Of people's tables people hold the records.
    assert highest(people, "xxl-3") == 30
    best = statistics.club_figures(club_id=people.club.pk)
    assert best is not None
    assert {one["player"] for one in best["sessions"]} == {one.pk for one in people.players[:2]}


def test_a_player_is_read_with_the_own_sessions_alone(people: People) -> None:
    record(people, series({"Ann": 1, "Ben": 2}))
    refresh(people)

    def asked() -> int:
        with CaptureQueriesContext(
            connection,
        ) as queries:
            statistics.compute(club_id=people.club.pk, from_day=DAY, players=[people.players[0].pk])
        return len(queries)

    before = asked()
    for number in range(5):
        record(people, series({"Cem": 1, "Dora": 2}, played_on=DAY - timedelta(days=number)))
    found = statistics.compute(club_id=people.club.pk, from_day=DAY, players=[people.players[0].pk])
    assert asked() == before
    assert found.players.keys() == {people.players[0].pk}


def test_no_name_is_stored(people: People) -> None:
    record(people, series({"Ann": 1, "Ben": 2, "Cem": 3}))
    refresh(people)
    told = json.dumps(everything())
    assert not [player.name for player in people.players if player.name in told]
    erasure.erase(access=people.access(people.admin), player_id=people.players[0].pk, confirmed=True, now=NOW)
    refresh(people)
    assert statistics.player_figures(club_id=people.club.pk, players=[people.players[0].pk])


def test_the_other_club_has_its_own(people: People) -> None:
    record(people, series({"Ann": 1, "Ben": 2}))
    refresh(people)
    other = people.other_club.pk
    assert statistics.club_figures(club_id=other) is None
    assert statistics.game_figures(club_id=other) == {}
    assert statistics.player_figures(club_id=other, players=[one.pk for one in people.players]) == {}


def test_the_first_three_with_who_is_level(people: People) -> None:
    """Place averages: Ann 1, Ben 2, Cem and Dora 3 each, Eva 5."""
    record(people, series({"Ann": 1, "Ben": 2, "Cem": 3, "Dora": 3, "Eva": 5}))
    found = statistics.first_three([Season.objects.get(pk=people.season.pk)])
    assert [(one.rank, one.player.name) for one in found] == [(1, "Ann"), (2, "Ben"), (3, "Cem"), (3, "Dora")]
    Season.objects.filter(pk=people.season.pk).update(minimum_sessions=2)
    assert statistics.first_three([Season.objects.get(pk=people.season.pk)]) == []


def test_every_achievement_has_its_words() -> None:
    assert tuple(statistics.ACHIEVEMENTS) == ACHIEVEMENTS


def test_a_club_game_has_figures(people: People) -> None:
    from league.services import games

    games.create(access=people.access(people.admin), key="golf", name="Golf", fields={"high_wins": False}, now=NOW)
    data = SessionInput(
        format="single_game",
        played_on=DAY,
        players=(SeatInput("Ann"), SeatInput("Ben")),
        rounds=(RoundInput("golf", (ScoreInput("Ann", points=72), ScoreInput("Ben", points=80))),),
        status="complete",
    )
    record(people, data)
    refresh(people)
    found = of(people, "Ann")
    assert found is not None
    assert [(one["game"], one["wins"]) for one in found["games"]] == [("golf", 1)]
