"""Who drops out, of what is out already: duels are lost at once, and played after all by who comes back in time."""

from typing import Any

import pytest

from league.models import AuditEvent, EntryStatus, Session, Tournament
from league.services import erasure, results, tournament_changes, tournament_entries, tournament_rounds
from league.services.tournament_drop_outs import At, Departure, Return
from league.services.tournament_formats import StageInput
from tests.people import NOW, People
from tests.services.given import ANYTHING, DAY, by_places
from tests.services.test_tournaments import SWISS, Club

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

ALL_MEET = StageInput("round_robin")


@pytest.fixture
def club(people: People) -> Club:
    return Club(people)


def drop_out(club: Club, cup: Tournament, name: str, *, no_show: bool = False) -> Departure:
    by: dict[str, Any] = {"access": club.access, "tournament_id": cup.pk, "entry_id": club.entry(cup, name), "now": NOW}
    return tournament_entries.withdraw(**by, no_show=no_show)


def come_back(club: Club, cup: Tournament, name: str) -> Return:
    by: dict[str, Any] = {"access": club.access, "tournament_id": cup.pk, "entry_id": club.entry(cup, name), "now": NOW}
    return tournament_entries.bring_back(**by)


def outcome(club: Club, cup: Tournament, name: str) -> dict[int, tuple[str, str]]:
    """By round, of the table where this one sits: its kind and who sits first there, who wins a forfeit."""
    found = {}
    for round_ in club.state(cup).rounds:
        for table in round_.tables:
            if club.entry(cup, name) in table.entries and len(table.entries) > 1:
                found[round_.row.number] = (table.kind.value, club.name(cup, table.entries[0]))
    return found


def met(club: Club, cup: Tournament, name: str) -> dict[int, str]:
    """By round, whom this one meets."""
    return {
        round_.row.number: next(one for one in seated if one != name)
        for round_ in club.state(cup).rounds
        for seated in club.seated(cup, round_.row.number)
        if name in seated and len(seated) == 2
    }


@pytest.mark.parametrize("no_show", [False, True])
def test_who_drops_out_of_a_plan_that_is_out_loses_what_has_not_begun(club: Club, no_show: bool) -> None:
    """Five meet in five rounds, all published; P01 goes after the first: its other duels are lost, none waits."""
    cup = club.tournament(ALL_MEET, players=5)
    club.pair(cup)
    others = met(club, cup, "P01")
    # P01 meets all four others, and sits out in one of the five rounds.
    assert len(others) == 4
    first = min(others)
    for number in range(1, first + 1):
        club.play(cup, number)
    gone = drop_out(club, cup, "P01", no_show=no_show)
    assert gone.entry.status == (EntryStatus.NO_SHOW if no_show else EntryStatus.WITHDRAWN)
    assert [at.round for at in gone.forfeited] == sorted(others)[1:]
    assert gone.without == ()
    lost = {number: ("forfeit", who) for number, who in others.items() if number != first}
    assert {number: told for number, told in outcome(club, cup, "P01").items() if number != first} == lost
    assert outcome(club, cup, "P01")[first][0] == "played"
    assert not Session.objects.filter(table__kind="forfeit").exists()
    reasons = [
        one.row.reasons for one in club.state(cup).rounds if one.row.number in {at.round for at in gone.forfeited}
    ]
    assert all(any(reason["code"] == "gone" for reason in its) for its in reasons)


def test_who_comes_back_plays_what_was_lost_by_the_drop_out_alone(club: Club) -> None:
    """What the organiser decided by forfeit stays so."""
    cup = club.tournament(ALL_MEET, players=4)
    club.pair(cup)
    before = {number: club.seated(cup, number) for number in (1, 2, 3)}
    at: dict[str, Any] = {"access": club.access, "tournament_id": cup.pk, "now": NOW}
    (table,) = [one for one in club.tables(cup, 1) if club.entry(cup, "P01") in one.entries]
    tournament_changes.forfeit(**at, number=1, table=table.number, winner=club.entry(cup, met(club, cup, "P01")[1]))
    assert len(drop_out(club, cup, "P01").forfeited) == 2
    back = come_back(club, cup, "P01")
    assert ([one.round for one in back.opened], back.kept) == ([2, 3], ())
    assert [outcome(club, cup, "P01")[number][0] for number in (1, 2, 3)] == ["forfeit", "played", "played"]
    assert {number: club.seated(cup, number) for number in (2, 3)} == {number: before[number] for number in (2, 3)}
    assert [one.row.reasons for one in club.state(cup).rounds][1:] == [[], []]
    club.play(cup, 2)
    club.play(cup, 3)
    assert all(table.decided for number in (2, 3) for table in club.tables(cup, number))
    data = AuditEvent.objects.get(action="tournament.returned").data
    assert data["opened"] == [[one.round, one.table] for one in back.opened]


def test_what_later_rounds_were_paired_on_stays(club: Club) -> None:
    cup = club.tournament(SWISS, players=4)
    club.pair(cup)
    gone = drop_out(club, cup, "P01")
    assert len(gone.forfeited) == 1
    club.play(cup, 1)
    club.pair(cup)
    back = come_back(club, cup, "P01")
    assert (back.opened, back.kept) == ((), gone.forfeited)
    assert outcome(club, cup, "P01")[1][0] == "forfeit"


def test_two_who_are_gone_both_lose_and_the_first_back_does_not_win(club: Club) -> None:
    cup = club.tournament(ALL_MEET, players=4)
    club.pair(cup, publish=False)
    both = [number for number, who in met(club, cup, "P01").items() if who == "P02"]
    drop_out(club, cup, "P02")
    tournament_rounds.publish_all(access=club.access, tournament_id=cup.pk, now=NOW)
    gone = drop_out(club, cup, "P01")
    # Against P02, who went before, P01 has won without play.
    assert [one.round for one in gone.forfeited] == [number for number in (1, 2, 3) if number not in both]
    back = come_back(club, cup, "P02")
    assert [one.round for one in back.kept] == both
    assert len(back.opened) == 2


def gone_by(club: Club, cup: Tournament) -> list[dict[str, Any]]:
    return [reason for one in club.state(cup).rounds for reason in one.row.reasons if reason["code"] == "gone"]


def test_nobody_is_told_as_gone_whose_table_is_played_after_all(club: Club) -> None:
    """Both are out when all is published; the first back can't play the other yet, the second opens their table."""
    cup = club.tournament(ALL_MEET, players=4)
    club.pair(cup, publish=False)
    drop_out(club, cup, "P01")
    drop_out(club, cup, "P02")
    tournament_rounds.publish_all(access=club.access, tournament_id=cup.pk, now=NOW)
    kinds = [table.kind.value for number in (1, 2, 3) for table in club.tables(cup, number)]
    assert sorted(kinds) == ["double_forfeit", *["forfeit"] * 4, "played"]
    assert len(come_back(club, cup, "P01").kept) == 1
    assert gone_by(club, cup)
    assert come_back(club, cup, "P02").kept == ()
    assert gone_by(club, cup) == []


def test_what_the_organiser_decides_later_is_nothing_of_the_drop_out(club: Club) -> None:
    """A table that was lost by a drop-out is opened by hand, and decided by forfeit by hand: that stays."""
    cup = club.tournament(SWISS, players=4)
    club.pair(cup)
    (lost,) = drop_out(club, cup, "P01").forfeited
    club.play(cup, 1)
    club.pair(cup)
    assert come_back(club, cup, "P01").kept == (lost,)
    table: dict[str, Any] = {
        "access": club.access,
        "tournament_id": cup.pk,
        "number": 1,
        "table": lost.table,
        "now": NOW,
    }
    tournament_changes.take_forfeit_back(**table)
    assert gone_by(club, cup) == []
    tournament_changes.forfeit(**table, winner=None)
    drop_out(club, cup, "P01")
    assert lost not in come_back(club, cup, "P01").opened
    assert outcome(club, cup, "P01")[1][0] == "double_forfeit"


def test_at_a_larger_table_nobody_forfeits(club: Club) -> None:
    cup = club.tournament(StageInput("table_swiss", {"rounds": 2}), players=8)
    club.pair(cup)
    gone = drop_out(club, cup, "P01")
    (table,) = [one for one in club.tables(cup, 1) if club.entry(cup, "P01") in one.entries]
    assert (gone.forfeited, gone.without) == ((), (At(1, table.number),))
    assert (table.kind.value, table.decided, len(table.entries)) == ("played", False, 4)


def test_a_match_of_a_bracket_is_lost_and_played_after_all(club: Club) -> None:
    cup = club.tournament(StageInput("single_elimination"), players=4)
    club.pair(cup)
    gone = drop_out(club, cup, "P01")
    assert len(gone.forfeited) == 1
    back = come_back(club, cup, "P01")
    assert back.opened == gone.forfeited
    drop_out(club, cup, "P01")
    club.play(cup, 1)
    club.pair(cup)
    assert come_back(club, cup, "P01").kept == gone.forfeited


def test_what_has_begun_is_left_alone(club: Club) -> None:
    """A series of three games is at its second: who drops out there has begun it."""
    cup = club.tournament(ALL_MEET, players=4, games_per_table=3)
    club.pair(cup)
    (table,) = [one for one in club.tables(cup, 1) if club.entry(cup, "P01") in one.entries]
    data = by_places("xxl-6-plus", {"P01": 1, met(club, cup, "P01")[1]: 2})
    results.record_round(access=club.access, session_id=table.session or 0, data=data, confirm=ANYTHING, now=NOW)
    assert [one.round for one in drop_out(club, cup, "P01").forfeited] == [2, 3]
    assert outcome(club, cup, "P01")[1][0] == "played"


def test_who_is_erased_loses_what_is_out(club: Club) -> None:
    cup = club.tournament(ALL_MEET, players=4)
    club.pair(cup)
    admin = club.people.access(club.people.admin)
    pk = club.entry(cup, "P01")
    player = cup.entries.get(pk=pk).player_id
    erasure.erase(access=admin, player_id=player, confirmed=True, now=NOW)
    tables = [table for one in club.state(cup).rounds for table in one.tables if pk in table.entries]
    assert [table.kind.value for table in tables] == ["forfeit"] * 3
    assert all(table.entries[0] != pk for table in tables)


def test_of_what_is_not_begun_nothing_is_decided(club: Club) -> None:
    cup = club.tournament(ALL_MEET, players=4, start=False, starts_on=DAY)
    assert drop_out(club, cup, "P01").forfeited == ()
    assert come_back(club, cup, "P01").opened == ()


def test_at_the_tables_of_who_is_erased_nobody_sits_in_any_more(club: Club) -> None:
    cup = club.tournament(ALL_MEET, players=4)
    club.pair(cup)
    pk = club.entry(cup, "P01")
    (table,) = [one for one in club.tables(cup, 1) if pk in one.entries]
    results.substitute(access=club.access, session_id=table.session or 0, player="Ann", for_player="P01", now=NOW)
    admin = club.people.access(club.people.admin)
    erasure.erase(access=admin, player_id=cup.entries.get(pk=pk).player_id, confirmed=True, now=NOW)
    (table,) = [one for one in club.tables(cup, 1) if pk in one.entries]
    assert (table.kind.value, table.session) == ("forfeit", None)
