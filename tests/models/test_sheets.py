"""The score sheet: cells, running sums and places, read in a few queries."""

from typing import Any

import pytest

from league.models import Session
from league.models.sheets import ScoreSheet, score_sheet
from league.services import results
from league.services.results import SeatInput, SessionInput
from tests.people import NOW, People
from tests.services.given import ANYTHING, DAY, SEASON, by_places, by_points, evening, record, series

pytestmark = pytest.mark.django_db


def _columns(sheet: ScoreSheet) -> dict[str, tuple[Any, ...]]:
    return {
        one.player.name: (one.seat, one.from_round, one.until_round, one.place_sum, one.place, one.reason)
        for one in sheet.players
    }


def _sums(sheet: ScoreSheet) -> list[list[int | None]]:
    return [[cell.place_sum if cell else None for cell in row.cells] for row in sheet.rounds]


@pytest.mark.parametrize("status", ["open", "incomplete"])
def test_who_substitutes_leaves_and_comes_back(people: People, status: str) -> None:
    # Round 1: Ann 1, Ben 2, Cem 3. Ben is away in round 2, where Dora sits for him. In 3 Ben is back, Cem is gone.
    seats = (
        SeatInput("Ann"),
        SeatInput("Ben", until_round=1),
        SeatInput("Cem", until_round=2),
        SeatInput("Dora", seat=1, from_round=2, until_round=2),
        SeatInput("Ben", seat=1, from_round=3),
    )
    data = SessionInput(
        format="individual_xxl",
        planned_rounds=5,
        played_on=DAY,
        season=SEASON,
        players=seats,
        rounds=(
            by_places("xxl-6", {"Ann": 1, "Ben": 2, "Cem": 3}),
            by_places("xxl-6", {"Ann": 2, "Dora": 1, "Cem": 2}),
            by_places("xxl-6", {"Ann": 2, "Ben": 1}),
        ),
        status=status,
    )
    sheet = score_sheet(record(people, data))
    # A missed round counts as the place behind all who played it: Ben 2+4+1, Cem 3+2+3, Dora 4+1+3.
    assert _columns(sheet) == {
        "Ann": (0, 1, None, 5, 1, ""),
        "Ben": (1, 1, None, 7, 2, ""),
        "Dora": (1, 2, 2, 8, 3, ""),
        "Cem": (2, 1, 2, 8, 3, ""),
    }
    # In the cells stands what was played in person.
    assert [one.player.name for one in sheet.players] == ["Ann", "Ben", "Dora", "Cem"]
    assert _sums(sheet) == [[1, 2, None, 3], [3, None, 1, 5], [5, 3, None, None]]


def test_a_cooperative_game_has_points_and_no_places(people: People) -> None:
    data = SessionInput(
        format="single_game",
        played_on=DAY,
        players=(SeatInput("Ann"), SeatInput("Ben")),
        rounds=(by_points("the-game", {"Ann": 12, "Ben": 12}),),
        status="complete",
    )
    sheet = score_sheet(record(people, data, confirm=()))
    assert [[(cell.points, cell.place, cell.place_sum) for cell in row.cells if cell] for row in sheet.rounds] == [
        [(12, None, None), (12, None, None)]
    ]
    assert _columns(sheet) == {"Ann": (0, 1, None, 0, None, "no_places"), "Ben": (1, 1, None, 0, None, "no_places")}


def test_an_open_session_shows_the_places_so_far(people: People) -> None:
    session = record(people, series({"Ann": 2, "Ben": 1}, {"Ann": 2, "Ben": 1}, planned=4))
    assert _columns(score_sheet(session)) == {"Ann": (0, 1, None, 4, 2, ""), "Ben": (1, 1, None, 2, 1, "")}
    results.leave(access=people.access(people.owner), session_id=session.pk, player="Ben", now=NOW)
    session.refresh_from_db()
    assert _columns(score_sheet(session))["Ben"] == (1, 1, 2, 2, 1, "")


def test_notes_and_what_was_confirmed_stand_with_their_round(people: People) -> None:
    session = record(
        people,
        SessionInput(
            format="pure_xxl",
            played_on=DAY,
            players=(SeatInput("Ann"), SeatInput("Ben")),
            rounds=(
                by_points("xxl-1", {"Ann": 3, "Ben": 5}, note="draw_pile_ran_out"),
                by_points("xxl-2", {"Ann": 3, "Ben": 5}),
            ),
        ),
        confirm=ANYTHING,
    )
    assert [(row.note, row.confirmed) for row in score_sheet(session).rounds] == [
        ("draw_pile_ran_out", ()),
        ("", ("nobody_at_zero",)),
    ]


def test_a_session_without_rounds(people: People) -> None:
    data = SessionInput(format="pure_xxl", played_on=DAY, players=(SeatInput("Ann"), SeatInput("Ben")))
    sheet = score_sheet(record(people, data))
    assert sheet.rounds == ()
    assert _columns(sheet) == {"Ann": (0, 1, None, 0, None, "not_played"), "Ben": (1, 1, None, 0, None, "not_played")}


@pytest.mark.parametrize("name", ["four-players", "six-players-twice"])
def test_five_queries_are_enough(people: People, name: str, django_assert_max_num_queries: Any) -> None:
    pk = record(people, evening(name), confirm=()).pk
    session = Session.objects.get(pk=pk)
    with django_assert_max_num_queries(5):
        sheet = score_sheet(session)
        assert [column.player.name for column in sheet.players]
        assert [row.game.name for row in sheet.rounds]
