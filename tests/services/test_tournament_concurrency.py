"""Two organisers at once: no change is lost, nobody waits for good, no tournament round or session is made twice."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import connection

from league.models import (
    AuditEvent,
    Session,
    SessionStatus,
    Tournament,
    TournamentEntry,
    TournamentRound,
    TournamentSeat,
    TournamentTable,
)
from league.services import (
    corrections,
    results,
    tournament_changes,
    tournament_entries,
    tournament_rounds,
    tournament_state,
)
from league.services.errors import ServiceError
from league.services.tournament_entries import EntryInput
from league.services.tournament_formats import StageInput
from tests.people import NOW, People
from tests.services.given import ANYTHING, by_places
from tests.services.test_tournaments import SWISS, Club
from tests.services.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)

Call = Callable[[], object]


@pytest.fixture
def club(people: People) -> Club:
    return Club(people)


def together(*calls: Call) -> list[object]:
    """All at once; every answer is a result or a refusal, never a deadlock or another fault."""
    done = at_once(list(calls))
    assert not [one for one in done if isinstance(one, BaseException) and not isinstance(one, ServiceError)], done
    return done


def succeeded(done: list[object]) -> int:
    return sum(not isinstance(one, ServiceError) for one in done)


def by(club: Club, cup: Tournament) -> dict[str, Any]:
    return {"access": club.access, "tournament_id": cup.pk, "now": NOW}


def record(club: Club, session: Session, first: str) -> object:
    """One game, won by `first`."""
    names = list(session.seats.values_list("player__name", flat=True))
    places = {name: 1 if name == first else 2 for name in names}
    data = by_places("xxl-6-plus", places)
    return results.record_round(access=club.access, session_id=session.pk, data=data, confirm=ANYTHING, now=NOW)


def is_whole(cup: Tournament) -> None:
    """What holds whoever was first: nobody sits twice, tables and sessions agree, versions and audit events too."""
    seats = list(TournamentSeat.objects.values_list("table__round", "entry"))
    assert len(set(seats)) == len(seats)
    numbers = list(TournamentRound.objects.values_list("number", flat=True))
    assert sorted(numbers) == list(range(1, len(numbers) + 1))
    for table in TournamentTable.objects.select_related("round"):
        live = list(Session.objects.filter(table=table, voided_at=None))
        ended = any(one.status != SessionStatus.OPEN for one in live)
        assert len(live) <= (table.kind == "played" and table.round.status == "published")
        assert table.decided == (table.kind != "played" or ended)
        if live:
            players = set(table.seats.values_list("entry__player", flat=True))
            assert players == set(live[0].seats.values_list("player", flat=True))
    cup.refresh_from_db()
    told = AuditEvent.objects.filter(action__startswith="tournament.").exclude(action="tournament.created").count()
    assert cup.version >= 1 + told


def corrected(club: Club, session: Session, first: str) -> object:
    names = list(session.seats.values_list("player__name", flat=True))
    places = {name: 1 if name == first else 2 for name in names}
    return corrections.correct_round(
        access=club.access,
        session_id=session.pk,
        number=1,
        data=by_places("xxl-6-plus", places),
        reason="The other way round.",
        expected=None,
        confirm=ANYTHING,
        now=NOW,
    )


def test_two_pair_at_once(club: Club) -> None:
    cup = club.tournament(SWISS, players=8)
    done = together(*[partial(tournament_rounds.pair, **by(club, cup))] * 3)
    assert succeeded(done) == 1
    assert TournamentRound.objects.count() == 1
    is_whole(cup)


@pytest.mark.parametrize("after", ["league_tournamententry", "league_stageentry", "league_tournamentround"])
def test_a_tournament_is_read_as_of_one_moment(club: Club, after: str) -> None:
    """A round that is paired, and somebody who enters, between two queries of a reader: there wholly or not at all."""
    cup = club.tournament(SWISS, players=8)
    done: list[object] = []

    def in_between(execute: Callable[..., object], sql: str, *rest: Any) -> object:
        answer = execute(sql, *rest)
        if not done and f'FROM "{after}"' in sql:
            done.extend(at_once([partial(tournament_rounds.pair, **by(club, cup))]))
            late = partial(tournament_entries.enter, **by(club, cup), entries=[EntryInput(guest="Late")])
            done.extend(at_once([late]))
        return answer

    with connection.execute_wrapper(in_between):
        seen = tournament_state.load(cup)
    assert len(done) == 2 and not [one for one in done if isinstance(one, BaseException)], done
    assert (len(seen.entries), len(seen.stages[0].places), seen.rounds) == (8, 8, [])
    now = tournament_state.load(cup)
    assert (len(now.entries), len(now.stages[0].places), len(now.rounds), len(now.rounds[0].tables)) == (9, 9, 1, 4)


def test_a_late_entry_comes_as_the_round_is_paired(club: Club) -> None:
    """Either is first: then the late one plays in the first round or from the second."""
    cup = club.tournament(SWISS, players=8)
    late = partial(tournament_entries.enter, **by(club, cup), entries=[EntryInput(guest="Late")])
    done = together(partial(tournament_rounds.pair, **by(club, cup)), late)
    assert succeeded(done) == 2
    entry = TournamentEntry.objects.get(player__name="Late")
    assert TournamentSeat.objects.filter(entry=entry).count() == (1 if entry.first_round == 1 else 0)
    is_whole(cup)


def test_two_publish_at_once(club: Club) -> None:
    cup = club.tournament(SWISS, players=8)
    club.pair(cup, publish=False)
    done = together(*[partial(tournament_rounds.publish, **by(club, cup), number=1)] * 3)
    assert succeeded(done) == 3
    assert Session.objects.count() == 4
    assert AuditEvent.objects.filter(action="tournament.published").count() == 1
    is_whole(cup)


@pytest.mark.parametrize("other", ["unpublish", "forfeit", "undo", "swap"])
@pytest.mark.parametrize("in_season", [True, False])
def test_a_result_comes_as_the_round_is_changed(club: Club, people: People, other: str, in_season: bool) -> None:
    """Of the result and the change one is refused, or the session that the result was for is gone."""
    fields: dict[str, Any] = {"season": people.season.pk} if in_season else {}
    cup = club.tournament(SWISS, players=4, **fields)
    club.pair(cup)
    session = Session.objects.get(table__round__number=1, table__number=1)
    names = list(session.seats.values_list("player__name", flat=True))
    two = [club.entry(cup, names[0]), club.tables(cup, 1)[1].entries[0]]
    changes: dict[str, Call] = {
        "unpublish": partial(tournament_rounds.unpublish, **by(club, cup), number=1),
        "undo": partial(tournament_rounds.undo, **by(club, cup)),
        "forfeit": partial(tournament_changes.forfeit, **by(club, cup), number=1, table=1, winner=None),
        "swap": partial(tournament_changes.swap, **by(club, cup), number=1, first=two[0], second=two[1]),
    }
    done = together(partial(record, club, session, names[0]), changes[other])
    assert succeeded(done) == 1
    is_whole(cup)


@pytest.mark.parametrize("in_season", [True, False])
def test_a_correction_comes_as_the_next_round_is_paired_and_the_last_taken_back(
    club: Club, people: People, in_season: bool
) -> None:
    fields: dict[str, Any] = {"season": people.season.pk} if in_season else {}
    cup = club.tournament(SWISS, players=4, **fields)
    club.pair(cup)
    club.play(cup, 1)
    session = Session.objects.get(table__round__number=1, table__number=1)
    loser = str(session.results.get(place=2).player.name)
    done = together(
        partial(corrected, club, session, loser),
        partial(tournament_rounds.pair, **by(club, cup)),
        partial(tournament_rounds.undo, **by(club, cup)),
    )
    assert not isinstance(done[0], ServiceError), done
    is_whole(cup)
    # Whoever was first: where the round stands, it is paired on the results of now, or told to be overtaken.
    paired_first = TournamentRound.objects.filter(number=2).exists()
    over = tournament_changes.overtaken_rounds(club.state(cup))
    assert len(over) <= paired_first


def test_a_session_is_restored_as_its_table_is_decided_without_it(club: Club) -> None:
    """The void session comes back, or the forfeit stands: never both."""
    cup = club.tournament(SWISS, players=4)
    club.pair(cup)
    session = Session.objects.get(table__round__number=1, table__number=1)
    corrections.void(access=club.access, session_id=session.pk, reason="No.", now=NOW)
    together(
        partial(corrections.restore, access=club.access, session_id=session.pk, reason="Yes.", now=NOW),
        partial(tournament_changes.forfeit, **by(club, cup), number=1, table=1, winner=None),
        partial(tournament_changes.open_table, **by(club, cup), number=1, table=1),
    )
    is_whole(cup)


def test_all_tables_end_at_once_and_the_next_round_follows_once(club: Club) -> None:
    cup = club.tournament(StageInput("single_elimination"), players=8)
    club.pair(cup)
    sessions = list(Session.objects.order_by("pk"))
    winners = [str(one.seats.order_by("number").first().player.name) for one in sessions]  # type: ignore[union-attr]
    calls: list[Call] = [partial(record, club, one, first) for one, first in zip(sessions, winners, strict=True)]
    done = together(*calls, partial(tournament_rounds.pair, **by(club, cup)))
    assert succeeded(done[:4]) == 4
    assert all(table.decided for table in club.tables(cup, 1))
    is_whole(cup)
