"""Rounds whose ground has moved: when they are told, what mending them keeps, and why it is as it is afterwards."""

from collections.abc import Iterable
from itertools import combinations
from typing import Any

import pytest

from league.models import Session, TournamentRound
from league.services import tournament_changes, tournament_entries, tournament_rounds
from league.services.tournament_formats import StageInput
from tests.people import NOW, People
from tests.services.test_tournaments import Club

pytestmark = pytest.mark.django_db
TABLES = StageInput("table_swiss", {"rounds": 4})
Pair = frozenset[str]


@pytest.fixture
def club(people: People) -> Club:
    return Club(people)


class Cup:
    """A tournament of tables of four, whose second round is out."""

    def __init__(self, club: Club, *, players: int, stage: StageInput = TABLES) -> None:
        self.club = club
        self.row = club.tournament(stage, players=players, table_size=4)
        self.at: dict[str, Any] = {"access": club.access, "tournament_id": self.row.pk, "now": NOW}
        club.pair(self.row)
        club.play(self.row, 1)
        club.pair(self.row)

    def seated(self, number: int) -> dict[int, list[str]]:
        """Who sits at each table of a round, in order of seats."""
        return {
            table.number: [self.club.name(self.row, one) for one in table.entries]
            for table in self.club.tables(self.row, number)
        }

    def sessions(self, number: int) -> dict[int, int]:
        rows = Session.objects.filter(table__round__tournament=self.row, table__round__number=number, voided_at=None)
        return dict(rows.values_list("table__number", "pk"))

    def correct(self, *names: str, number: int = 1) -> None:
        """Correct the session of a round at which the first of these sits: they have the places in this order."""
        entry = self.club.entry(self.row, names[0])
        table = next(one for one in self.club.tables(self.row, number) if entry in one.entries)
        session = Session.objects.get(table=table.id, voided_at=None)
        self.club.correct(session, {name: place for place, name in enumerate(names, 1)})

    def play(self, number: int, tables: Iterable[int]) -> None:
        """Let these tables be played, the lower number first."""
        for table, session in self.sessions(number).items():
            if table in tables:
                names = sorted(self.seated(number)[table])
                self.club.score(Session.objects.get(pk=session), {name: place for place, name in enumerate(names, 1)})

    def overtaken(self) -> list[int]:
        return [one.number for one in tournament_changes.overtaken_rounds(self.club.state(self.row))]

    def told(self, number: int) -> set[tuple[int, Pair]]:
        """Of whom a round says that they meet again, and at which table."""
        reasons = TournamentRound.objects.get(tournament=self.row, number=number).reasons
        return {
            (int(one["figures"]["table"]), frozenset(self.club.name(self.row, entry) for entry in one["entries"]))
            for one in reasons
            if one["code"] == "repeat"
        }

    def repeated(self, number: int) -> set[tuple[int, Pair]]:
        """Who meets again in a round that follows the first, and at which table."""
        met = {frozenset(pair) for names in self.seated(1).values() for pair in combinations(names, 2)}
        return {
            (table, frozenset(pair))
            for table, names in self.seated(number).items()
            for pair in combinations(names, 2)
            if frozenset(pair) in met
        }


def test_reasons_name_the_tables_as_they_are_once_a_round_is_mended(club: Club) -> None:
    """At three tables of four there are three pairs at least that met at the three tables before."""
    cup = Cup(club, players=12)
    assert len(cup.repeated(2)) >= 3
    assert cup.told(2) == cup.repeated(2)
    cup.play(2, [1])
    before, sessions = cup.seated(2), cup.sessions(2)
    cup.correct(*sorted(cup.seated(1)[2], reverse=True))
    cup.correct(*sorted(cup.seated(1)[3], reverse=True))

    tournament_changes.mend(**cup.at, number=2)

    after = cup.seated(2)
    assert after[1] == before[1]
    assert {name for table in (2, 3) for name in after[table]} == {name for table in (2, 3) for name in before[table]}
    assert cup.told(2) == cup.repeated(2)
    changed = {table for table in (2, 3) if set(after[table]) != set(before[table])}
    assert changed
    assert {table for table in (1, 2, 3) if cup.sessions(2)[table] != sessions[table]} == changed
    assert cup.overtaken() == []


def test_where_the_same_meet_again_mending_changes_nothing(club: Club) -> None:
    """Of three tables two are played: the four of the third can meet nobody else."""
    cup = Cup(club, players=12)
    cup.play(2, [1, 2])
    before, sessions, told = cup.seated(2), cup.sessions(2), cup.told(2)
    cup.correct(*sorted(cup.seated(1)[1], reverse=True))
    assert cup.overtaken() == [2]

    foreseen = tournament_changes.foresee(**cup.at, number=2).tables
    assert {table: set(entries) for table, entries in foreseen.items()} == {
        table.number: set(table.entries) for table in club.tables(cup.row, 2)
    }
    tournament_changes.mend(**cup.at, number=2)

    assert (cup.seated(2), cup.sessions(2), cup.told(2)) == (before, sessions, told)
    assert cup.overtaken() == []


def test_who_has_a_table_for_good_has_it_once_a_round_is_mended(club: Club) -> None:
    cup = Cup(club, players=12)
    cup.play(2, [1])
    stays, moves, away = cup.seated(2)[3][0], cup.seated(2)[3][1], cup.seated(2)[2][0]
    for name, table in ((stays, 3), (moves, 2), (away, 1)):
        tournament_entries.update(
            access=club.access,
            tournament_id=cup.row.pk,
            entry_id=club.entry(cup.row, name),
            changes={"fixed_table": table},
            now=NOW,
        )
    cup.correct(*sorted(cup.seated(1)[1], reverse=True))

    tournament_changes.mend(**cup.at, number=2)

    assert stays in cup.seated(2)[3]
    assert moves in cup.seated(2)[2]
    reasons = TournamentRound.objects.get(tournament=cup.row, number=2).reasons
    missed = [one for one in reasons if one["code"] == "table_missed"]
    assert missed == [{"code": "table_missed", "entries": [club.entry(cup.row, away)], "figures": {"table": 1}}]


def test_reasons_of_groups_name_the_tables_as_they_are(club: Club) -> None:
    """Two groups of eight at two tables each: in each two pairs at least meet again at each table."""
    cup = Cup(club, players=16, stage=StageInput("table_swiss", {"rounds": 4}, groups=2))
    assert {table for table, _pair in cup.repeated(2)} == {1, 2, 3, 4}
    assert cup.told(2) == cup.repeated(2)


def test_reasons_are_true_once_two_have_exchanged_their_seats(club: Club) -> None:
    cup = Cup(club, players=12)
    before = cup.told(2)
    tables = cup.seated(2)
    (_table, pair) = min((table, sorted(pair)) for table, pair in before)
    other = next(name for name in tables[3 if pair[0] not in tables[3] else 2] if name not in pair)

    tournament_changes.swap(
        **cup.at,
        number=2,
        first=club.entry(cup.row, pair[0]),
        second=club.entry(cup.row, other),
        confirm=["repeat_meeting"],
    )

    assert cup.told(2) <= cup.repeated(2)
    untouched = {(table, two) for table, two in before if two.isdisjoint({pair[0], other})}
    assert untouched and untouched <= cup.told(2)


def test_back_at_the_results_that_it_was_paired_on_a_round_is_overtaken_no_more(club: Club) -> None:
    """Paired on A; on B it is kept as it is: A and B are both good, and a third result is not."""
    cup = Cup(club, players=12)
    names = sorted(cup.seated(1)[1])
    assert cup.overtaken() == []
    cup.correct(*reversed(names))
    assert cup.overtaken() == [2]
    cup.correct(*names)
    assert cup.overtaken() == []

    cup.correct(*reversed(names))
    tournament_changes.keep(**cup.at, number=2)
    assert cup.overtaken() == []
    cup.correct(*names)
    assert cup.overtaken() == []
    cup.correct(*reversed(names))
    assert cup.overtaken() == []
    cup.correct(names[1], names[0], *names[2:])
    assert cup.overtaken() == [2]


def test_what_was_mended_stands_on_the_new_results_alone(club: Club) -> None:
    cup = Cup(club, players=12)
    first, third = sorted(cup.seated(1)[1]), sorted(cup.seated(1)[3])
    before = cup.seated(2)
    cup.correct(*reversed(first))
    cup.correct(*reversed(third))
    tournament_changes.mend(**cup.at, number=2)
    assert {frozenset(names) for names in cup.seated(2).values()} != {frozenset(names) for names in before.values()}

    cup.correct(*first)
    cup.correct(*third)

    assert cup.overtaken() == [2]


def test_a_mended_match_says_who_is_gone_now(club: Club) -> None:
    """1-4 and 2-3; the final of 1 and 2 is a forfeit, since 1 is gone; then it turns out that 4 had beaten 1."""
    row = club.tournament(StageInput("single_elimination"), players=4)
    at: dict[str, Any] = {"access": club.access, "tournament_id": row.pk, "now": NOW}
    club.pair(row)
    club.play(row, 1)
    tournament_entries.withdraw(**at, entry_id=club.entry(row, "P01"))
    club.pair(row)
    final = TournamentRound.objects.get(tournament=row, number=2)
    assert [one["entries"] for one in final.reasons] == [[club.entry(row, "P01")]]
    semi = next(one for one in club.tables(row, 1) if club.entry(row, "P01") in one.entries)

    club.correct(Session.objects.get(table=semi.id), {"P04": 1, "P01": 2})
    tournament_changes.mend(**at, number=2)

    assert sorted(club.seated(row, 2)[0]) == ["P02", "P04"]
    final.refresh_from_db()
    assert final.reasons == []


def test_unpublished_rounds_are_mended_without_sessions(club: Club) -> None:
    cup = Cup(club, players=12)
    tournament_rounds.unpublish(**cup.at, number=2)
    cup.correct(*sorted(cup.seated(1)[1], reverse=True))
    cup.correct(*sorted(cup.seated(1)[3], reverse=True))

    tournament_changes.mend(**cup.at, number=2)

    assert cup.sessions(2) == {}
    assert cup.told(2) == cup.repeated(2)
