"""What a correction or a voiding would move in a tournament: in groups, in the whole, in a large one."""

from collections.abc import Callable

import pytest
from django.db import transaction

from league.models import Session
from league.services import corrections, tournament_previews, tournament_rounds, tournaments
from league.services.errors import Conflict
from league.services.tournament_formats import StageInput
from league.services.tournament_previews import TournamentMoves
from tests.people import NOW, People
from tests.services.given import ANYTHING, by_places
from tests.services.test_tournaments import Club

# What a preview tells is the same on both databases; PostgreSQL has enough to do.
pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_alone]


@pytest.fixture
def club(people: People) -> Club:
    return Club(people)


def of_two(first: str, second: str) -> Session:
    """The session of two who met."""
    return Session.objects.filter(seats__player__name=first, voided_at=None).get(seats__player__name=second)


def rehearsed(club: Club, session: Session, change: Callable[[], Session]) -> TournamentMoves:
    found = corrections.rehearse(change, access=club.access, session_id=session.pk).tournament
    assert found is not None
    return found


def corrected(club: Club, winner: str, loser: str) -> TournamentMoves:
    """What it would move that of two the other won."""
    session = of_two(winner, loser)
    return rehearsed(
        club,
        session,
        lambda: corrections.correct_round(
            access=club.access,
            session_id=session.pk,
            number=1,
            data=by_places("xxl-6-plus", {winner: 1, loser: 2}),
            reason="The other way round.",
            expected=None,
            confirm=ANYTHING,
            now=NOW,
        ),
    )


def told(moves: TournamentMoves) -> list[tuple[str, int | None, int | None, int, int]]:
    """(player, stage, group, rank before, rank after) of each that moves."""
    return [(one.entry.player.name, one.stage, one.group, one.before.rank, one.after.rank) for one in moves.ranks]


def test_of_a_finished_tournament_of_two_stages_the_whole_comes_first(club: Club) -> None:
    """Groups 1-4 and 2-3, won by 1 and 2; 1 wins the final. 3 and 4 share the third rank."""
    cup = club.tournament(
        StageInput("round_robin", groups=2, advance=1), StageInput("single_elimination"), players=4, tie_breaks=["wins"]
    )
    club.pair(cup)
    club.play(cup, 1)
    tournament_rounds.open_next_stage(access=club.access, tournament_id=cup.pk, now=NOW)
    club.pair(cup)
    # While it runs, what moves is the table of the group.
    moves = corrected(club, "P04", "P01")
    assert told(moves) == [("P04", 1, 1, 2, 1), ("P01", 1, 1, 1, 2)]
    assert (moves.is_finished, moves.stages) == (False, (2,))
    club.play(cup, 2)
    tournaments.finish(access=club.access, tournament_id=cup.pk, now=NOW)

    final = corrected(club, "P02", "P01")
    assert told(final) == [
        ("P02", None, None, 2, 1),
        ("P01", None, None, 1, 2),
        ("P02", 2, None, 2, 1),
        ("P01", 2, None, 1, 2),
    ]
    assert (final.is_finished, final.is_decided, final.leaves_open, final.more) == (True, True, False, 0)
    # Who came into the final stays before those who did not.
    group = corrected(club, "P04", "P01")
    assert told(group) == [("P03", None, None, 3, 4), ("P04", 1, 1, 2, 1), ("P01", 1, 1, 1, 2)]


def test_of_many_ranks_the_first_are_told(club: Club) -> None:
    """48 with 24 winners: without one result 23 share the first rank, and the other 25 the 24th."""
    cup = club.tournament(StageInput("swiss", {"rounds": 2}), players=48, tie_breaks=["wins"])
    club.pair(cup)
    club.play(cup, 1)
    tournaments.finish(access=club.access, tournament_id=cup.pk, now=NOW)
    session = of_two("P01", "P25")

    moves = rehearsed(
        club,
        session,
        lambda: corrections.void(access=club.access, session_id=session.pk, reason="Wrong.", now=NOW),
    )

    assert (len(moves.ranks), moves.more) == (20, 5)
    assert {one.after.rank for one in moves.ranks} == {24}
    assert (moves.round, moves.is_decided, moves.leaves_open) == (1, False, True)
    # Nothing of it is kept.
    assert club.table(cup)[23:25] == [(1, "P24"), (25, "P25")]


def test_a_restored_result_moves_ranks_back(club: Club) -> None:
    cup = club.tournament(StageInput("swiss", {"rounds": 1}), players=2, tie_breaks=["wins"])
    club.pair(cup)
    club.play(cup, 1)
    session = of_two("P01", "P02")
    corrections.void(access=club.access, session_id=session.pk, reason="Wrong.", now=NOW)

    moves = rehearsed(
        club,
        session,
        lambda: corrections.restore(access=club.access, session_id=session.pk, reason="Right.", now=NOW),
    )

    assert told(moves) == [("P02", 1, None, 1, 2)]
    assert moves.is_decided


def test_a_result_between_a_change_and_what_is_told_of_it_stands_in_the_table(club: Club) -> None:
    """P01 and P02 meet P03 and P04; what was read before the second result is kept for no page."""
    cup = club.tournament(StageInput("swiss", {"rounds": 1}), players=4, tie_breaks=["wins"])
    club.pair(cup)
    with transaction.atomic():
        after = tournament_previews.read_after(of_two("P01", "P03"))
        transaction.set_rollback(True)
    assert after is not None
    club.play(cup, 1)
    tournament_previews.moves(after)
    assert club.table(cup) == [(1, "P01"), (1, "P02"), (3, "P03"), (3, "P04")]


def test_a_table_that_is_gone_meanwhile_is_told(club: Club) -> None:
    cup = club.tournament(StageInput("swiss", {"rounds": 1}), players=2)
    club.pair(cup)
    with transaction.atomic():
        after = tournament_previews.read_after(of_two("P01", "P02"))
        transaction.set_rollback(True)
    assert after is not None
    tournament_rounds.undo(access=club.access, tournament_id=cup.pk, now=NOW)
    with pytest.raises(Conflict, match="faster"):
        tournament_previews.moves(after)
