"""Tournaments from their making to the winner, by the services alone."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.models import (
    AuditEvent,
    EntryStatus,
    Player,
    Session,
    SessionStatus,
    Tournament,
    TournamentRound,
    TournamentStatus,
    name_key,
)
from league.services import (
    corrections,
    erasure,
    players,
    results,
    tournament_changes,
    tournament_entries,
    tournament_rounds,
    tournament_standings,
    tournament_state,
    tournaments,
)
from league.services.access import Access
from league.services.errors import Conflict, Forbidden, InputError, NeedsConfirmation, NotFound, Stale
from league.services.evenings import SeatInput
from league.services.tournament_entries import EntryInput
from league.services.tournament_formats import StageInput
from tests.people import NOW, People
from tests.services.given import ANYTHING, DAY, by_places

pytestmark = pytest.mark.django_db


class Club:
    """Club A with as many players as a tournament needs, and its organiser."""

    def __init__(self, people: People) -> None:
        self.people = people
        self.access: Access = people.access(people.scorekeeper)

    def players(self, count: int) -> list[Player]:
        names = [f"P{number:02}" for number in range(1, count + 1)]
        Player.objects.bulk_create(Player(club=self.people.club, name=name, name_key=name_key(name)) for name in names)
        return list(Player.objects.filter(club=self.people.club, name__startswith="P").order_by("name"))

    def tournament(self, *stages: StageInput, players: int, start: bool = True, **fields: Any) -> Tournament:
        """A tournament of duels in XXL 6+ unless told otherwise, seeded P01, P02, …; begun."""
        given = {
            "name": "Cup",
            "slug": "cup",
            "starts_on": DAY,
            "session_format": "series",
            "game": "xxl-6-plus",
            "seed": 7,
            **fields,
        }
        made = tournaments.create(access=self.access, fields=given, stages=stages, now=NOW)
        entered = tournament_entries.enter(
            access=self.access,
            tournament_id=made.pk,
            entries=[EntryInput(player=one.pk) for one in self.players(players)],
            now=NOW,
        )
        order = [one.pk for one in entered]
        tournament_entries.seed_by_hand(access=self.access, tournament_id=made.pk, order=order, now=NOW)
        if start:
            tournament_rounds.start(access=self.access, tournament_id=made.pk, now=NOW)
        made.refresh_from_db()
        return made

    def pair(self, tournament: Tournament, *, publish: bool = True) -> list[int]:
        """Pair what comes next and publish it; the numbers of the tournament rounds."""
        made = tournament_rounds.pair(access=self.access, tournament_id=tournament.pk, now=NOW).rounds
        for one in made if publish else ():
            tournament_rounds.publish(access=self.access, tournament_id=tournament.pk, number=one.number, now=NOW)
        return [one.number for one in made]

    def play(self, tournament: Tournament, number: int, places: Mapping[str, int] | None = None) -> None:
        """Let every table of a round be played: the lower number wins, unless `places` say otherwise."""
        for table in self.tables(tournament, number):
            session = Session.objects.filter(table=table.id, voided_at=None, status=SessionStatus.OPEN).first()
            if session is None:
                continue
            names = [self.name(tournament, entry) for entry in table.entries]
            given = places or {}
            ranked = sorted(given.get(name, int(name[1:])) for name in names)
            self.score(session, {name: ranked.index(given.get(name, int(name[1:]))) + 1 for name in names})

    def score(self, session: Session, places: Mapping[str, int]) -> Session:
        while True:
            session = results.record_round(
                access=self.access,
                session_id=session.pk,
                data=by_places("xxl-6-plus", places),
                confirm=ANYTHING,
                now=NOW,
            )
            if session.status != SessionStatus.OPEN:
                return session

    def correct(self, session: Session, places: Mapping[str, int]) -> None:
        """Correct the first round of a session, whatever looks odd about that."""
        corrections.correct_round(
            access=self.access,
            session_id=session.pk,
            number=1,
            data=by_places("xxl-6-plus", places),
            reason="The other way round.",
            expected=None,
            confirm=ANYTHING,
            now=NOW,
        )

    def state(self, tournament: Tournament) -> tournament_state.TournamentState:
        return tournament_state.load(Tournament.objects.select_related("club").get(pk=tournament.pk))

    def tables(self, tournament: Tournament, number: int) -> list[tournament_state.TableValue]:
        return next(one.tables for one in self.state(tournament).rounds if one.row.number == number)

    def seated(self, tournament: Tournament, number: int) -> list[list[str]]:
        return [[self.name(tournament, one) for one in table.entries] for table in self.tables(tournament, number)]

    def name(self, tournament: Tournament, entry: int) -> str:
        return str(tournament.entries.select_related("player").get(pk=entry).player.name)

    def entry(self, tournament: Tournament, name: str) -> int:
        return int(tournament.entries.get(player__name=name).pk)

    def table(self, tournament: Tournament, stage: int = 1, group: int = 1) -> list[tuple[int, str]]:
        """(rank, name) of a stage's table."""
        state = self.state(tournament)
        found = tournament_standings.tables_of(state)
        lines = next(one.lines for one in found if (one.stage, one.group) == (stage, group))
        return [(line.rank, self.name(tournament, line.entry)) for line in lines]


@pytest.fixture
def club(people: People) -> Club:
    return Club(people)


SWISS = StageInput("swiss", {"rounds": 3})


def test_a_swiss_tournament_to_its_end(club: Club) -> None:
    """The first round is the fold, 1-5, 2-6, 3-7, 4-8; the stronger always wins, so that P01 wins all."""
    cup = club.tournament(SWISS, players=8)

    assert club.pair(cup) == [1]
    assert {frozenset(table) for table in club.seated(cup, 1)} == {
        frozenset(pair) for pair in (("P01", "P05"), ("P02", "P06"), ("P03", "P07"), ("P04", "P08"))
    }
    club.play(cup, 1)
    for number in (2, 3):
        club.pair(cup)
        club.play(cup, number)

    met = [frozenset(table) for number in (1, 2, 3) for table in club.seated(cup, number)]
    assert len(set(met)) == 12
    assert club.table(cup)[0] == (1, "P01")
    with pytest.raises(Conflict, match="3 tournament rounds"):
        club.pair(cup)
    tournaments.finish(access=club.access, tournament_id=cup.pk, now=NOW)
    cup.refresh_from_db()
    assert cup.status == TournamentStatus.FINISHED


def test_the_next_round_waits_for_every_result(club: Club) -> None:
    cup = club.tournament(SWISS, players=4)
    club.pair(cup, publish=False)
    with pytest.raises(Conflict, match="not published"):
        club.pair(cup)
    tournament_rounds.publish(access=club.access, tournament_id=cup.pk, number=1, now=NOW)
    with pytest.raises(Conflict, match="without a result"):
        club.pair(cup)


def test_a_draft_round_is_no_session_yet(club: Club) -> None:
    cup = club.tournament(SWISS, players=4)
    club.pair(cup, publish=False)
    assert not Session.objects.exists()
    tournament_rounds.publish(access=club.access, tournament_id=cup.pk, number=1, now=NOW)
    assert Session.objects.filter(status=SessionStatus.OPEN, table__round__number=1).count() == 2


def test_unpublish_and_undo_leave_nothing(club: Club) -> None:
    cup = club.tournament(SWISS, players=4)
    club.pair(cup)
    tournament_rounds.unpublish(access=club.access, tournament_id=cup.pk, number=1, now=NOW)
    assert not Session.objects.exists()
    assert tournament_rounds.undo(access=club.access, tournament_id=cup.pk, now=NOW) == [1]
    assert not TournamentRound.objects.exists()
    tournament_rounds.close_stage(access=club.access, tournament_id=cup.pk, now=NOW)
    cup.refresh_from_db()
    assert cup.status == TournamentStatus.DRAFT


def test_a_round_with_a_result_is_not_undone(club: Club) -> None:
    cup = club.tournament(SWISS, players=4)
    club.pair(cup)
    club.play(cup, 1)
    with pytest.raises(Conflict, match="void it first"):
        tournament_rounds.undo(access=club.access, tournament_id=cup.pk, now=NOW)


def test_byes_go_round_and_are_worth_a_win(club: Club) -> None:
    """Five players: one sits out each round, nobody twice in three rounds."""
    cup = club.tournament(SWISS, players=5)
    rested = []
    for number in (1, 2, 3):
        club.pair(cup)
        club.play(cup, number)
        rested += [table[0] for table in club.seated(cup, number) if len(table) == 1]
    assert len(rested) == len(set(rested)) == 3
    # The weakest of the first round sits out: 1 point; then 0 or more.
    assert rested[0] == "P05"
    scores = {
        club.name(cup, line.entry): line.score
        for table in tournament_standings.tables_of(club.state(cup))
        for line in table.lines
    }
    # Two duels and a bye each round: three points a round.
    assert sum(score or 0 for score in scores.values()) == 9


def test_a_round_robin_is_planned_ahead(club: Club) -> None:
    cup = club.tournament(StageInput("round_robin"), players=4)
    assert club.pair(cup) == [1, 2, 3]
    met = {frozenset(table) for number in (1, 2, 3) for table in club.seated(cup, number)}
    assert len(met) == 6
    for number in (1, 2, 3):
        club.play(cup, number)
    # The stronger always wins: 3, 2, 1, 0 points.
    assert club.table(cup) == [(1, "P01"), (2, "P02"), (3, "P03"), (4, "P04")]


def test_a_bracket_with_byes_and_a_match_for_third_place(club: Club) -> None:
    """Six: the first two sit the first round out by plan; then semi-finals; then final and third place at once."""
    cup = club.tournament(StageInput("single_elimination", {"third_place": True}), players=6)
    club.pair(cup)
    assert sorted(map(sorted, club.seated(cup, 1))) == [["P03", "P06"], ["P04", "P05"]]
    club.play(cup, 1)
    club.pair(cup)
    assert sorted(map(sorted, club.seated(cup, 2))) == [["P01", "P04"], ["P02", "P03"]]
    club.play(cup, 2)
    club.pair(cup)
    assert sorted(map(sorted, club.seated(cup, 3))) == [["P01", "P02"], ["P03", "P04"]]
    club.play(cup, 3)
    assert club.table(cup)[:4] == [(1, "P01"), (2, "P02"), (3, "P03"), (4, "P04")]
    assert [rank for rank, _name in club.table(cup)[4:]] == [5, 5]


def test_the_best_of_three_ends_with_the_second_win(club: Club) -> None:
    cup = club.tournament(StageInput("single_elimination", {"best_of": 3}), players=2)
    club.pair(cup)
    session = Session.objects.get()
    assert session.planned_rounds == 3
    done = club.score(session, {"P01": 2, "P02": 1})
    # Nothing was broken off: in a season that counts no session that ended early, this one counts.
    assert done.status == SessionStatus.COMPLETE
    assert done.rounds.count() == 2
    assert club.table(cup) == [(1, "P02"), (2, "P01")]


def test_a_corrected_winner_comes_into_the_next_match(club: Club) -> None:
    cup = club.tournament(StageInput("single_elimination"), players=4)
    club.pair(cup)
    club.play(cup, 1)
    club.pair(cup)
    assert sorted(club.seated(cup, 2)[0]) == ["P01", "P02"]
    wrong = next(one for one in club.tables(cup, 1) if club.entry(cup, "P01") in one.entries)
    session = Session.objects.get(table=wrong.id)

    club.correct(session, {"P01": 2, "P04": 1})

    (over,) = tournament_changes.overtaken_rounds(club.state(cup))
    assert (over.number, over.tables, over.played) == (2, (1,), ())
    tournament_changes.mend(access=club.access, tournament_id=cup.pk, number=2, now=NOW)
    assert sorted(club.seated(cup, 2)[0]) == ["P02", "P04"]
    assert tournament_changes.overtaken_rounds(club.state(cup)) == []
    players = set(Session.objects.get(table__round__number=2).seats.values_list("player__name", flat=True))
    assert players == {"P02", "P04"}


def test_a_swiss_round_that_was_overtaken_is_kept_or_mended(club: Club) -> None:
    cup = club.tournament(SWISS, players=4)
    club.pair(cup)
    club.play(cup, 1)
    club.pair(cup)
    assert {frozenset(table) for table in club.seated(cup, 2)} == {
        frozenset({"P01", "P02"}),
        frozenset({"P03", "P04"}),
    }
    wrong = next(one for one in club.tables(cup, 1) if club.entry(cup, "P01") in one.entries)
    session = Session.objects.get(table=wrong.id)
    club.correct(session, {"P01": 2, "P03": 1})
    (over,) = tournament_changes.overtaken_rounds(club.state(cup))
    assert (over.number, over.tables) == (2, (1, 2))

    tournament_changes.keep(access=club.access, tournament_id=cup.pk, number=2, now=NOW)
    assert tournament_changes.overtaken_rounds(club.state(cup)) == []
    with pytest.raises(Conflict, match="results of now"):
        tournament_changes.mend(access=club.access, tournament_id=cup.pk, number=2, now=NOW)

    def void() -> Session:
        return corrections.void(access=club.access, session_id=session.pk, reason="Again.", now=NOW)

    told = corrections.rehearse(void, access=club.access, session_id=session.pk).tournament_rounds
    assert [(one.number, one.tables, one.played) for one in told] == [(2, (1, 2), ())]
    void()
    corrections.restore(access=club.access, session_id=session.pk, reason="No.", now=NOW)
    assert tournament_changes.overtaken_rounds(club.state(cup)) == []


def test_mending_pairs_by_the_new_scores(club: Club) -> None:
    cup = club.tournament(SWISS, players=4)
    club.pair(cup)
    club.play(cup, 1)
    club.pair(cup)
    wrong = next(one for one in club.tables(cup, 1) if club.entry(cup, "P01") in one.entries)
    session = Session.objects.get(table=wrong.id)
    club.correct(session, {"P01": 2, "P03": 1})
    tournament_changes.mend(access=club.access, tournament_id=cup.pk, number=2, now=NOW)
    # Winners P02 and P03, losers P01 and P04.
    assert {frozenset(table) for table in club.seated(cup, 2)} == {
        frozenset({"P02", "P03"}),
        frozenset({"P01", "P04"}),
    }


def test_forfeits_and_back(club: Club) -> None:
    cup = club.tournament(SWISS, players=4)
    club.pair(cup)
    first = club.tables(cup, 1)[0]
    winner = first.entries[1]
    tournament_changes.forfeit(access=club.access, tournament_id=cup.pk, number=1, table=1, winner=winner, now=NOW)
    assert club.tables(cup, 1)[0].entries[0] == winner
    assert Session.objects.count() == 1
    tournament_changes.take_forfeit_back(access=club.access, tournament_id=cup.pk, number=1, table=1, now=NOW)
    assert Session.objects.count() == 2
    assert not club.tables(cup, 1)[0].decided
    tournament_changes.forfeit(access=club.access, tournament_id=cup.pk, number=1, table=1, winner=None, now=NOW)
    scores = {line.entry: line.score for one in tournament_standings.tables_of(club.state(cup)) for line in one.lines}
    assert [scores[one] for one in first.entries] == [0, 0]


def test_many_tables_are_published_by_as_many_queries_as_few(club: Club) -> None:
    """The first round of two tables, and the second one of twelve, since twenty came late."""
    cup = club.tournament(SWISS, players=4)
    counts = []
    for number in (1, 2):
        club.pair(cup, publish=False)
        with CaptureQueriesContext(connection) as queries:
            tournament_rounds.publish(access=club.access, tournament_id=cup.pk, number=number, now=NOW)
        counts.append((len(club.tables(cup, number)), len(queries)))
        if number == 1:
            club.play(cup, 1)
            late = [EntryInput(guest=f"G{index:02}") for index in range(20)]
            tournament_entries.enter(access=club.access, tournament_id=cup.pk, entries=late, now=NOW)
    (few, queries_of_few), (many, queries_of_many) = counts
    assert (few, many) == (2, 12)
    assert queries_of_many == queries_of_few


def test_a_tournament_is_read_with_the_tables_of_the_rounds_that_are_asked_for(club: Club) -> None:
    cup = club.tournament(SWISS, players=4)
    club.pair(cup)
    club.play(cup, 1)
    club.pair(cup)
    whole, part = club.state(cup), tournament_state.load(cup, tables_of=[2])
    assert [len(one.tables) for one in whole.rounds] == [2, 2]
    assert [one.tables for one in part.rounds] == [[], whole.rounds[1].tables]
    assert part.entries == whole.entries


def test_many_strangers_enter_by_as_few_queries_as_two(club: Club) -> None:
    cup = club.tournament(SWISS, players=4, start=False)
    at: dict[str, Any] = {"access": club.access, "tournament_id": cup.pk, "now": NOW}
    counts = []
    for number in (2, 200):
        guests = [EntryInput(guest=f"Guest {number} {index}") for index in range(number)]
        with CaptureQueriesContext(connection) as queries:
            tournament_entries.enter(**at, entries=guests)
        counts.append(len(queries))
    # A statement holds so many rows.
    assert counts[1] <= counts[0] + 10
    assert Player.objects.filter(club=club.people.club, is_guest=True).count() == 202
    assert AuditEvent.objects.filter(action="player.created", data={"kind": "person"}).count() == 202


def test_every_name_that_no_guest_can_have_is_named(club: Club) -> None:
    """Taken in the club whatever its case, given twice, empty but for a blank, too long; and nobody enters."""
    cup = club.tournament(SWISS, players=4, start=False)
    players = Player.objects.count()
    names = ["Gus", "p01", "GUS", " ", "x" * 61]
    with pytest.raises(InputError) as caught:
        tournament_entries.enter(
            access=club.access, tournament_id=cup.pk, entries=[EntryInput(guest=name) for name in names], now=NOW
        )
    assert sorted((str(one.path[1]), one.path[2]) for one in caught.value.problems) == [
        (str(index), "guest") for index in (1, 2, 3, 4)
    ]
    assert {one.code for one in caught.value.problems if one.path[1] in {1, 2}} == {"name_taken"}
    assert Player.objects.count() == players


@pytest.mark.parametrize("seat", range(4))
def test_a_forfeit_that_is_taken_back_leaves_everybody_in_their_seats(club: Club, seat: int) -> None:
    """Whoever won without play, also in the place of another winner or of nobody: who plays first is as it was."""
    cup = club.tournament(StageInput("table_swiss", {"rounds": 2}), players=4, table_size=4)
    club.pair(cup)
    before = club.seated(cup, 1)
    winner = club.entry(cup, before[0][seat])
    at: dict[str, Any] = {"access": club.access, "tournament_id": cup.pk, "number": 1, "table": 1, "now": NOW}
    others = [one for one in club.tables(cup, 1)[0].entries if one != winner]
    for decided in ([winner], [others[2], winner], [winner, None, winner], [winner, others[0]], [None]):
        for one in decided:
            tournament_changes.forfeit(**at, winner=one)
        assert decided[-1] is None or club.tables(cup, 1)[0].entries[0] == decided[-1]
        tournament_changes.take_forfeit_back(**at)
        assert club.seated(cup, 1) == before
    session = Session.objects.get(voided_at=None, table__round__tournament=cup)
    assert [one.player.name for one in session.seats.order_by("number")] == before[0]


@pytest.mark.parametrize("gone", [0, 1])
def test_who_was_gone_and_comes_back_has_the_own_seat(club: Club, gone: int) -> None:
    cup = club.tournament(SWISS, players=4)
    club.pair(cup, publish=False)
    before = club.seated(cup, 1)
    at: dict[str, Any] = {"access": club.access, "tournament_id": cup.pk, "now": NOW}
    entry = club.entry(cup, before[0][gone])
    tournament_entries.withdraw(**at, entry_id=entry)
    tournament_rounds.publish(**at, number=1)
    assert club.tables(cup, 1)[0].kind == "forfeit"
    tournament_entries.bring_back(**at, entry_id=entry)
    assert club.tables(cup, 1)[0].kind == "played"
    assert club.seated(cup, 1) == before


def test_who_is_erased_drops_out_of_what_goes_on(club: Club) -> None:
    """A tournament round with an archived player could not be published; what is finished stays as it was."""
    admin = club.people.access(club.people.admin)
    over = club.tournament(SWISS, players=4)
    club.pair(over)
    club.play(over, 1)
    tournaments.finish(access=club.access, tournament_id=over.pk, now=NOW)
    cup = tournaments.clone(
        access=club.access, tournament_id=over.pk, name="Next", slug="next", starts_on=DAY, entries=True, now=NOW
    )
    at: dict[str, Any] = {"access": club.access, "tournament_id": cup.pk, "now": NOW}
    tournament_rounds.start(**at)
    club.pair(cup, publish=False)
    gone = cup.entries.get(player__name="P01")
    erasure.erase(access=admin, player_id=gone.player_id, confirmed=True, now=NOW)
    gone.refresh_from_db()
    assert gone.status == EntryStatus.WITHDRAWN
    assert AuditEvent.objects.filter(action="tournament.withdrawn", data={"entry": gone.pk}).exists()
    assert over.entries.get(player=gone.player_id).status == EntryStatus.ENTERED
    tournament_rounds.publish(**at, number=1)
    assert [one.kind for one in club.tables(cup, 1) if gone.pk in one.entries] == ["forfeit"]
    with pytest.raises(Conflict, match="erased"):
        tournament_entries.bring_back(**at, entry_id=gone.pk)


def test_a_copy_with_the_same_players_takes_their_wishes_along(club: Club) -> None:
    """But for a wish with somebody who does not enter the copy."""
    cup = club.tournament(SWISS, players=4, start=False)
    at: dict[str, Any] = {"access": club.access, "tournament_id": cup.pk, "now": NOW}
    one, two, three, gone = (club.entry(cup, name) for name in ("P01", "P02", "P03", "P04"))
    for pair, kind in (((three, one), "apart"), ((two, one), "together"), ((two, gone), "apart")):
        tournament_entries.set_wish(**at, first=pair[0], second=pair[1], kind=kind)
    player = cup.entries.get(pk=gone).player_id
    players.update(access=club.people.access(club.people.admin), player_id=player, changes={"archived": True}, now=NOW)
    copy: dict[str, Any] = {"name": "Cup", "slug": "", "starts_on": DAY}
    with_players = tournaments.clone(**at, **copy, entries=True)
    wishes = with_players.pair_wishes.order_by("kind").values_list(
        "kind", "first__player__name", "second__player__name"
    )
    assert list(wishes) == [("apart", "P01", "P03"), ("together", "P01", "P02")]
    assert not tournaments.clone(**at, **copy, entries=False).pair_wishes.exists()


def test_who_did_not_come_and_is_erased_is_not_let_in_by_taking_the_start_back(club: Club) -> None:
    cup = club.tournament(SWISS, players=4, start=False)
    at: dict[str, Any] = {"access": club.access, "tournament_id": cup.pk, "now": NOW}
    here = [club.entry(cup, name) for name in ("P01", "P02", "P03")]
    tournament_entries.check_in(**at, entry_ids=here)
    tournament_rounds.start(**at, only_checked_in=True)
    gone = cup.entries.get(player__name="P04")
    assert gone.status == EntryStatus.NO_SHOW
    erasure.erase(access=club.people.access(club.people.admin), player_id=gone.player_id, confirmed=True, now=NOW)
    tournament_rounds.close_stage(**at)
    gone.refresh_from_db()
    assert gone.status == EntryStatus.WITHDRAWN


def test_who_is_archived_is_not_brought_back(club: Club) -> None:
    cup = club.tournament(SWISS, players=4)
    at: dict[str, Any] = {"access": club.access, "tournament_id": cup.pk, "now": NOW}
    entry = cup.entries.get(player__name="P04")
    tournament_entries.withdraw(**at, entry_id=entry.pk)
    Player.objects.filter(pk=entry.player_id).update(archived_at=NOW)
    with pytest.raises(Conflict, match="archived: restore the player first"):
        tournament_entries.bring_back(**at, entry_id=entry.pk)


def test_a_swap_says_what_it_breaks(club: Club) -> None:
    cup = club.tournament(SWISS, players=4)
    club.pair(cup)
    club.play(cup, 1)
    club.pair(cup)
    # Round 1: 1-3, 2-4. Round 2: 1-2, 3-4. To exchange 2 and 3 brings 1 and 3 together again, and 2 and 4.
    exchange: dict[str, Any] = {
        "access": club.access,
        "tournament_id": cup.pk,
        "number": 2,
        "first": club.entry(cup, "P02"),
        "second": club.entry(cup, "P03"),
        "now": NOW,
    }
    with pytest.raises(NeedsConfirmation) as error:
        tournament_changes.swap(**exchange)
    assert {one.code for one in error.value.warnings} == {"repeat_meeting"}
    tournament_changes.swap(**exchange, confirm=["repeat_meeting"])
    assert {frozenset(table) for table in club.seated(cup, 2)} == {
        frozenset({"P01", "P03"}),
        frozenset({"P02", "P04"}),
    }
    assert Session.objects.filter(table__round__number=2).count() == 2


def test_dropping_out_and_coming_back(club: Club) -> None:
    cup = club.tournament(SWISS, players=5)
    club.pair(cup)
    club.play(cup, 1)
    gone = club.entry(cup, "P01")
    tournament_entries.withdraw(access=club.access, tournament_id=cup.pk, entry_id=gone, now=NOW)
    club.pair(cup)
    assert "P01" not in [name for table in club.seated(cup, 2) for name in table]
    club.play(cup, 2)
    tournament_entries.bring_back(access=club.access, tournament_id=cup.pk, entry_id=gone, now=NOW)
    club.pair(cup)
    assert "P01" in [name for table in club.seated(cup, 3) for name in table]


def test_a_late_entry_plays_from_the_next_round(club: Club) -> None:
    cup = club.tournament(SWISS, players=4)
    club.pair(cup)
    late = tournament_entries.enter(
        access=club.access,
        tournament_id=cup.pk,
        entries=[EntryInput(guest="Late", home_club="Pikclub"), EntryInput(player="Ann")],
        now=NOW,
    )
    assert [one.first_round for one in late] == [2, 2]
    assert late[0].player.is_guest
    club.play(cup, 1)
    club.pair(cup)
    assert {"Late", "Ann"} <= {name for table in club.seated(cup, 2) for name in table}


def test_who_is_not_checked_in_did_not_come(club: Club) -> None:
    cup = club.tournament(SWISS, players=5, start=False)
    here = [club.entry(cup, name) for name in ("P01", "P02", "P04", "P05")]
    tournament_entries.check_in(access=club.access, tournament_id=cup.pk, entry_ids=here, now=NOW)
    tournament_rounds.start(access=club.access, tournament_id=cup.pk, only_checked_in=True, now=NOW)
    assert cup.entries.get(player__name="P03").status == EntryStatus.NO_SHOW
    club.pair(cup)
    assert sorted(name for table in club.seated(cup, 1) for name in table) == ["P01", "P02", "P04", "P05"]


def test_two_groups_cross_over_into_a_bracket(club: Club) -> None:
    """Eight by the snake: group 1 has 1 4 5 8, group 2 has 2 3 6 7; the first two of each go on, crossed."""
    cup = club.tournament(StageInput("round_robin", groups=2, advance=2), StageInput("single_elimination"), players=8)
    for number in club.pair(cup):
        club.play(cup, number)
    assert club.table(cup, 1, 1)[:2] == [(1, "P01"), (2, "P04")]
    assert club.table(cup, 1, 2)[:2] == [(1, "P02"), (2, "P03")]
    tournament_rounds.open_next_stage(access=club.access, tournament_id=cup.pk, now=NOW)
    (number,) = club.pair(cup)
    assert sorted(map(sorted, club.seated(cup, number))) == [["P01", "P03"], ["P02", "P04"]]
    club.play(cup, number)
    (final,) = club.pair(cup)
    club.play(cup, final)
    ranks = tournament_standings.final_ranks(club.state(cup))
    assert [(rank, club.name(cup, entry)) for rank, entry in ranks][:2] == [(1, "P01"), (2, "P02")]
    assert [rank for rank, _entry in ranks] == [1, 2, 3, 3, 5, 5, 7, 7]


def test_another_version_is_refused(club: Club) -> None:
    cup = club.tournament(SWISS, players=4)
    with pytest.raises(Stale) as error:
        tournaments.pause(access=club.access, tournament_id=cup.pk, expected=cup.version - 1, now=NOW)
    assert error.value.revision == cup.version


def test_a_pause_holds_everything(club: Club) -> None:
    cup = club.tournament(SWISS, players=4)
    tournaments.pause(access=club.access, tournament_id=cup.pk, now=NOW)
    with pytest.raises(Conflict, match="paused"):
        club.pair(cup)
    tournaments.resume(access=club.access, tournament_id=cup.pk, now=NOW)
    assert club.pair(cup) == [1]


@pytest.mark.parametrize(
    ("metric", "chain"),
    [
        ("result", ["direct", "buchholz_cut1", "buchholz", "sonneborn_berger", "wins"]),
        ("place_sum", ["direct", "wins"]),
        ("game_points", ["direct", "wins"]),
    ],
)
def test_the_usual_tie_breaks_go_with_what_is_added_up(club: Club, metric: str, chain: list[str]) -> None:
    """Buchholz and Sonneborn-Berger ask what a win is worth, which sums of places or points don't say."""
    cup = club.tournament(SWISS, players=4, metric=metric)
    assert cup.tie_breaks == chain
    club.pair(cup)
    club.play(cup, 1)
    (table,) = tournament_standings.tables_of(club.state(cup))
    assert len(table.lines) == 4


def test_members_and_strangers_organise_nothing(club: Club, people: People) -> None:
    cup = club.tournament(SWISS, players=4)
    with pytest.raises(Forbidden):
        tournaments.pause(access=people.access(people.member), tournament_id=cup.pk, now=NOW)
    with pytest.raises(NotFound):
        tournaments.pause(access=people.access(people.stranger), tournament_id=cup.pk, now=NOW)


@pytest.mark.parametrize(
    ("fields", "stages", "field", "code"),
    [
        ({"session_format": "series", "game": ""}, [SWISS], ("game",), "required"),
        ({"table_size": 7}, [SWISS], ("table_size",), "out_of_range"),
        ({"metric": "cards_left"}, [SWISS], ("metric",), "unknown_choice"),
        ({"tie_breaks": ["coin"]}, [SWISS], ("tie_breaks", 0), "unknown_choice"),
        ({"scores": {"win": -1}}, [SWISS], ("scores", "win"), "out_of_range"),
        ({"scores": {"win": 0, "loss": 1}}, [SWISS], ("scores", "win"), "order_of_points"),
        ({"minimum": 2}, [SWISS], ("minimum",), "not_allowed"),
        ({"game": "the-game"}, [SWISS], ("stages",), "cooperative"),
        ({}, [], ("stages",), "out_of_range"),
        ({}, [StageInput("swiss")], ("stages", 0, "options", "rounds"), "required"),
        ({}, [StageInput("swiss", {"rounds": 3, "x": 1})], ("stages", 0, "options", "x"), "unknown_option"),
        ({}, [StageInput("chess")], ("stages", 0, "format"), "unknown_format"),
        ({}, [StageInput("single_elimination", {"best_of": 2})], ("stages", 0, "options", "best_of"), "not_odd"),
        ({}, [SWISS, StageInput("stepladder")], ("stages", 0, "advance"), "required"),
    ],
)
def test_what_can_not_be_is_named(
    club: Club, fields: dict[str, Any], stages: Sequence[StageInput], field: tuple[str | int, ...], code: str
) -> None:
    given = {
        "name": "Cup",
        "slug": "cup",
        "starts_on": DAY,
        "session_format": "series",
        "game": "xxl-6-plus",
        **fields,
    }
    with pytest.raises(InputError) as error:
        tournaments.create(access=club.access, fields=given, stages=stages, now=NOW)
    assert (field, code) in {(one.path, one.code) for one in error.value.problems}
    assert not Tournament.objects.exists()


def test_a_clone_has_the_fields_the_stages_and_the_entries(club: Club) -> None:
    cup = club.tournament(SWISS, players=4, scores={"win": 3, "draw": 1})
    copy = tournaments.clone(
        access=club.access, tournament_id=cup.pk, name="Cup 2", slug="cup-2", starts_on=DAY, entries=True, now=NOW
    )
    assert copy.status == TournamentStatus.DRAFT
    assert copy.scores == {"win": 3, "draw": 1}
    assert [(one.format, one.options) for one in copy.stages.all()] == [
        ("swiss", {"rounds": 3, "allow_rematches": False, "best_next": 0})
    ]
    assert copy.entries.count() == 4


def test_archived_and_back(club: Club) -> None:
    cup = club.tournament(SWISS, players=4)
    tournaments.archive(access=club.access, tournament_id=cup.pk, now=NOW)
    with pytest.raises(Conflict, match="archived"):
        club.pair(cup)
    tournaments.restore(access=club.access, tournament_id=cup.pk, now=NOW)
    assert club.pair(cup) == [1]


def test_a_correction_leaves_somebody_of_the_table(club: Club) -> None:
    cup = club.tournament(SWISS, players=4)
    club.pair(cup)
    club.play(cup, 1)
    session = Session.objects.filter(table__round__number=1).order_by("pk")[0]
    others = (SeatInput("Ann"), SeatInput("Ben"))
    with pytest.raises(InputError) as error:
        corrections.correct(
            access=club.access,
            session_id=session.pk,
            changes={"players": others, "rounds": (by_places("xxl-6-plus", {"Ann": 1, "Ben": 2}),)},
            reason="Others.",
            confirm=ANYTHING,
            expected=None,
            now=NOW,
        )
    assert [one.code for one in error.value.problems] == ["others_at_table"]


def test_places_decide_nothing_where_points_are_added_up(club: Club) -> None:
    cup = club.tournament(SWISS, players=2, metric="game_points", game="xxl-6")
    club.pair(cup)
    session = Session.objects.get()
    results.record_round(
        access=club.access,
        session_id=session.pk,
        data=by_places("xxl-6", {"P01": 1, "P02": 2}),
        confirm=ANYTHING,
        now=NOW,
    )
    assert not club.tables(cup, 1)[0].decided


def test_who_was_not_there_at_the_start_can_come_once_it_is_taken_back(club: Club) -> None:
    cup = club.tournament(SWISS, players=3, start=False)
    here = [club.entry(cup, name) for name in ("P01", "P02")]
    tournament_entries.check_in(access=club.access, tournament_id=cup.pk, entry_ids=here, now=NOW)
    tournament_rounds.start(access=club.access, tournament_id=cup.pk, only_checked_in=True, now=NOW)
    tournament_rounds.close_stage(access=club.access, tournament_id=cup.pk, now=NOW)
    assert cup.entries.get(player__name="P03").status == EntryStatus.ENTERED


def test_a_first_round_that_is_paired_is_refused(club: Club) -> None:
    cup = club.tournament(SWISS, players=4)
    club.pair(cup)
    (late,) = tournament_entries.enter(
        access=club.access, tournament_id=cup.pk, entries=[EntryInput(player="Ann", first_round=3)], now=NOW
    )
    with pytest.raises(InputError, match="2 to 1000"):
        tournament_entries.update(
            access=club.access, tournament_id=cup.pk, entry_id=late.pk, changes={"first_round": 1}, now=NOW
        )
    club.play(cup, 1)
    club.pair(cup)
    assert "Ann" not in [name for table in club.seated(cup, 2) for name in table]
    club.play(cup, 2)
    club.pair(cup)
    assert "Ann" in [name for table in club.seated(cup, 3) for name in table]


def test_an_invitation_lets_a_stranger_in_once(club: Club, people: People) -> None:
    cup = club.tournament(SWISS, players=4, start=False)
    invited = tournaments.invite(access=club.access, tournament_id=cup.pk, is_open=True, now=NOW)
    for _time in range(2):
        _cup, entry = tournament_entries.accept_invitation(
            key=invited.entry_key, user=people.stranger, name="Zoe", home_club="Pikclub", now=NOW
        )
    assert (entry.player.name, entry.player.is_guest, entry.home_club) == ("Zoe", True, "Pikclub")
    assert cup.entries.filter(user=people.stranger).count() == 1
    tournaments.invite(access=club.access, tournament_id=cup.pk, is_open=False, now=NOW)
    for key in (invited.entry_key, ""):
        with pytest.raises(NotFound):
            tournament_entries.accept_invitation(key=key, user=people.owner, name="Yan", home_club="", now=NOW)


def test_every_change_is_in_the_audit_trail_and_counts_the_version_up(club: Club) -> None:
    cup = club.tournament(SWISS, players=4)
    before = cup.version
    club.pair(cup)
    cup.refresh_from_db()
    # Paired and published.
    assert cup.version == before + 2
    club.play(cup, 1)
    cup.refresh_from_db()
    assert cup.version == before + 4
    actions = list(
        AuditEvent.objects.filter(action__startswith="tournament.").order_by("pk").values_list("action", flat=True)
    )
    assert actions == [
        f"tournament.{one}" for one in ("created", "entered", "seeded", "started", "paired", "published")
    ]


@pytest.mark.parametrize("played_as", ["single_game", "series"])
def test_a_table_plays_the_game_of_the_tournament_and_no_other(club: Club, played_as: str) -> None:
    cup = club.tournament(SWISS, players=2, session_format=played_as, game="xxl-6-plus")
    club.pair(cup)
    session = Session.objects.get(table__round__tournament=cup)
    given: dict[str, Any] = {"access": club.access, "session_id": session.pk, "confirm": ANYTHING, "now": NOW}
    with pytest.raises(InputError) as refused:
        results.record_round(data=by_places("xxl-1", {"P01": 1, "P02": 2}), **given)
    (problem,) = refused.value.problems
    assert (problem.path, problem.code) == (("game",), "another_game")
    assert "xxl-6-plus" in problem.message
    results.record_round(data=by_places("xxl-6-plus", {"P01": 1, "P02": 2}), **given)
    with pytest.raises(InputError) as refused:
        corrections.correct_round(
            number=1, data=by_places("xxl-1", {"P01": 2, "P02": 1}), reason="slip", expected=None, **given
        )
    assert refused.value.problems[0].path == ("game",)
