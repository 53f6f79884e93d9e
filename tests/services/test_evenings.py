"""Three whole evenings against the results worked out by hand, and the season that they make."""

from fractions import Fraction

import pytest

from league.models import AuditEvent, SessionStatus, Standing
from league.models.sheets import score_sheet
from league.services import results
from tests.people import NOW, People
from tests.services.given import evening, expected, rank_of, record

pytestmark = pytest.mark.django_db

NAMES = ("four-players", "five-players", "six-players-twice")


@pytest.mark.parametrize("name", NAMES)
def test_evening(people: People, name: str) -> None:
    session = record(people, evening(name), confirm=())
    session.refresh_from_db()
    worked = expected(name)
    assert session.status == SessionStatus.COMPLETE
    assert session.counts

    sheet = score_sheet(session)
    names = [column.player.name for column in sheet.players]
    assert names == [seat.player for seat in evening(name).players]
    assert [row.game.key for row in sheet.rounds] == [one["game"] for one in worked["rounds"]]
    for row, one in zip(sheet.rounds, worked["rounds"], strict=True):
        cells = {name: cell for name, cell in zip(names, row.cells, strict=True) if cell is not None}
        assert {name: cell.place for name, cell in cells.items()} == one["places"]
        assert {name: cell.place_sum for name, cell in cells.items()} == one["place_sums"]
    final = {column.player.name: {"place_sum": column.place_sum, "place": column.place} for column in sheet.players}
    assert final == worked["final"]
    assert {
        one.player.name: {"place_sum": one.place_sum, "place": one.place} for one in session.results.all()
    } == worked["final"]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_season(people: People, order: tuple[int, ...]) -> None:
    """Whatever the order in which the evenings are entered: the last one is the one played last."""
    for index in order:
        record(people, evening(NAMES[index]), confirm=())
    worked = [dict(row) for row in expected("season")["standings"]]
    ranks = [row["rank"] for row in worked]
    found = [
        {
            "rank": rank_of(row),
            "shared": ranks.count(rank_of(row)) > 1,
            "player": row.player.name,
            "sessions": row.sessions,
            "place_total": row.place_total,
            "place_average": str(Fraction(row.place_total, row.sessions)),
            "wins": row.wins,
            "last_played_on": row.last_session.played_on.isoformat(),
            "last_place": row.last_place,
        }
        for row in Standing.objects.table(people.season)
    ]
    assert found == worked


def test_the_same_evening_in_another_club_is_its_own(people: People) -> None:
    record(people, evening("four-players"), confirm=())
    by = people.access(people.stranger)
    session = results.record(access=by, data=evening("four-players"), confirm=frozenset(), now=NOW)
    assert {one.player_id for one in session.results.all()} <= {player.pk for player in people.other_players}
    assert session.season_id == people.other_season.pk
    assert Standing.objects.filter(season=people.season).count() == 4
    assert Standing.objects.filter(season=people.other_season).count() == 4


def test_one_event_says_who_recorded_it(people: People) -> None:
    session = record(people, evening("five-players"), confirm=())
    event = AuditEvent.objects.get()
    assert (event.action, event.object_id, event.user, event.token) == (
        "session.recorded",
        session.pk,
        people.scorekeeper,
        None,
    )
    assert event.at == NOW
    assert session.created_by == people.scorekeeper
