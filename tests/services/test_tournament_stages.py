"""Those who came late, dropped out, were replaced at a table or entered before they were invited, by services alone."""

import pytest

from league.models import Member, Player, Session, TournamentTable, name_key
from league.services import (
    corrections,
    results,
    tournament_changes,
    tournament_entries,
    tournament_rounds,
    tournament_standings,
    tournaments,
)
from league.services.errors import Conflict
from league.services.tournament_entries import EntryInput
from league.services.tournament_formats import StageInput
from tests.people import NOW, People
from tests.services.given import ANYTHING, by_places, by_points
from tests.services.test_tournaments import Club

# What the single services store is tested on both databases; PostgreSQL has enough to do.
pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_alone]

SWISS = StageInput("swiss", {"rounds": 3})


@pytest.fixture
def club(people: People) -> Club:
    return Club(people)


@pytest.mark.parametrize("format_", ["swiss", "dutch"])
def test_who_came_late_plays_from_the_first_round_of_the_next_stage(club: Club, format_: str) -> None:
    """P05 enters after round 1 and goes on with three of five: of four nobody has a bye, whatever the number of the
    round. In the Dutch system too, which is told which round of the stage is the last one.
    """
    cup = club.tournament(
        StageInput("swiss", {"rounds": 2}, advance=4),
        StageInput(format_, {"rounds": 2}),
        players=4,
        tie_breaks=["wins"],
    )
    club.pair(cup)
    club.play(cup, 1)
    late = Player.objects.create(club=club.people.club, name="P05", name_key=name_key("P05"))
    entries = [EntryInput(player=late.pk)]
    tournament_entries.enter(access=club.access, tournament_id=cup.pk, entries=entries, now=NOW)
    club.pair(cup)
    club.play(cup, 2, {"P05": 0})
    tournament_rounds.open_next_stage(access=club.access, tournament_id=cup.pk, now=NOW)
    going = {club.name(cup, one.entry_id) for one in club.state(cup).stages[1].places}
    assert "P05" in going
    for number in (3, 4):
        club.pair(cup)
        seated = club.seated(cup, number)
        assert [len(table) for table in seated] == [2, 2]
        assert {name for table in seated for name in table} == going
        club.play(cup, number)


@pytest.mark.parametrize("format_", ["swiss", "dutch", "table_swiss"])
def test_of_nobody_no_round_is_made(club: Club, format_: str) -> None:
    cup = club.tournament(StageInput(format_, {"rounds": 3}), players=4, table_size=3)
    for entry in cup.entries.all():
        tournament_entries.withdraw(access=club.access, tournament_id=cup.pk, entry_id=entry.pk, now=NOW)
    with pytest.raises(Conflict, match="Nobody is there") as caught:
        club.pair(cup)
    assert caught.value.code == "nobody"
    assert club.state(cup).rounds == []


def test_whoever_dropped_out_is_seated_by_no_mending_of_a_bracket(club: Club) -> None:
    """P01 and P02 are in the final that is out, P01 drops out; then P03 turns out to have beaten P02."""
    cup = club.tournament(StageInput("single_elimination"), players=4)
    club.pair(cup)
    club.play(cup, 1)
    club.pair(cup)
    gone = club.entry(cup, "P01")
    tournament_entries.withdraw(access=club.access, tournament_id=cup.pk, entry_id=gone, now=NOW)
    session = Session.objects.get(table__round__number=1, seats__player__name="P02")
    corrections.correct_round(
        access=club.access,
        session_id=session.pk,
        number=1,
        data=by_places("xxl-6-plus", {"P03": 1, "P02": 2}),
        reason="Mixed up.",
        expected=None,
        confirm=ANYTHING,
        now=NOW,
    )
    tournament_changes.mend(access=club.access, tournament_id=cup.pk, number=2, now=NOW)
    (final,) = club.tables(cup, 2)
    assert (final.kind, final.decided, final.session) == ("forfeit", True, None)
    assert [club.name(cup, one) for one in final.entries] == ["P03", "P01"]
    assert club.table(cup)[:2] == [(1, "P03"), (2, "P01")]


def test_a_stage_whose_last_round_is_a_draft_is_not_over(club: Club) -> None:
    """The final is decided by forfeit as it is paired, and nobody has seen it: who goes on is not known yet."""
    cup = club.tournament(StageInput("single_elimination", advance=2), StageInput("stepladder"), players=4)
    club.pair(cup)
    club.play(cup, 1)
    gone = club.entry(cup, "P01")
    tournament_entries.withdraw(access=club.access, tournament_id=cup.pk, entry_id=gone, now=NOW)
    club.pair(cup, publish=False)
    with pytest.raises(Conflict) as caught:
        tournament_rounds.open_next_stage(access=club.access, tournament_id=cup.pk, now=NOW)
    assert caught.value.code == "round_not_published"


def test_an_endless_round_robin_is_refused_as_a_second_stage_too(club: Club) -> None:
    """Of 52 everybody meets everybody twice in 102 tournament rounds; 100 there can be."""
    twice = StageInput("round_robin", {"double": True})
    cup = club.tournament(StageInput("swiss", {"rounds": 1}, advance=52), twice, players=52, tie_breaks=["wins"])
    club.pair(cup)
    # How the first stage came to its end is not what this is about.
    TournamentTable.objects.update(kind="double_forfeit", decided=True)
    with pytest.raises(Conflict) as caught:
        tournament_rounds.open_next_stage(access=club.access, tournament_id=cup.pk, now=NOW)
    assert caught.value.code == "too_many_rounds"


def test_tables_of_a_final_that_is_a_draft_rank_nobody(club: Club) -> None:
    cup = club.tournament(
        StageInput("swiss", {"rounds": 1}, advance=6),
        StageInput("final_tables", {"crossing": False}),
        players=6,
        table_size=3,
        tie_breaks=[],
    )
    club.pair(cup)
    club.play(cup, 1)
    tournament_rounds.open_next_stage(access=club.access, tournament_id=cup.pk, now=NOW)
    club.pair(cup, publish=False)
    assert {rank for rank, _name in club.table(cup, stage=2)} == {1}


def test_who_is_substituted_all_along_takes_nothing_from_the_others(club: Club) -> None:
    """Und Tschüss, by its points: Eva sits for P01 from the first round on. The others have their own points, P01 what
    a lost forfeit is worth, none.
    """
    cup = club.tournament(
        StageInput("table_swiss", {"rounds": 1}),
        players=3,
        table_size=3,
        session_format="single_game",
        game="und-tschuess",
        metric="game_points",
    )
    club.pair(cup)
    session = Session.objects.get()
    results.substitute(access=club.access, session_id=session.pk, player="Eva", for_player="P01", now=NOW)
    results.record_round(
        access=club.access,
        session_id=session.pk,
        data=by_points("und-tschuess", {"Eva": 30, "P02": 10, "P03": 20}),
        confirm=ANYTHING,
        now=NOW,
    )
    (table,) = tournament_standings.tables_of(club.state(cup))
    told = [(club.name(cup, line.entry), str(line.score)) for line in table.lines]
    assert told == [("P03", "20"), ("P02", "10"), ("P01", "0")]


def test_a_member_who_was_entered_before_takes_that_entry_by_the_invitation(club: Club, people: People) -> None:
    cup = club.tournament(SWISS, players=2, start=False)
    ann = people.players[0]
    ann.member = Member.objects.get(user=people.member)
    ann.save()
    entries = [EntryInput(player=ann.pk)]
    (before,) = tournament_entries.enter(access=club.access, tournament_id=cup.pk, entries=entries, now=NOW)
    key = tournaments.invite(access=club.access, tournament_id=cup.pk, is_open=True, now=NOW).entry_key
    for _twice in range(2):
        _cup, entry = tournament_entries.accept_invitation(
            key=key, user=people.member, name="Ann", home_club="", now=NOW
        )
        assert (entry.pk, entry.user) == (before.pk, people.member)
    assert cup.entries.count() == 3


def test_a_cooperative_game_has_no_tie_breaks_unless_they_are_named(club: Club) -> None:
    """Its tables give no places, so that the places of the last round have nothing to look at (docs/tie-breaks.md)."""
    cup = club.tournament(StageInput("club_evening"), players=3, start=False, game="the-game", table_size=3)
    assert (cup.metric, cup.tie_breaks) == ("cards_left", [])


def _first_of(club: Club, name: str, other: str) -> Session:
    """The session of the first stage in which the two met."""
    return Session.objects.filter(seats__player__name=name).get(
        seats__player__name=other, table__round__stage__number=1, voided_at=None
    )


def _rehearsed(club: Club, session: Session, places: dict[str, int]) -> tuple[int, ...]:
    """The stages that a correction would move, by its preview."""
    return corrections.rehearse(
        lambda: corrections.correct_round(
            access=club.access,
            session_id=session.pk,
            number=1,
            data=by_places("xxl-6-plus", places),
            reason="Mixed up.",
            expected=None,
            confirm=ANYTHING,
            now=NOW,
        ),
        access=club.access,
        session_id=session.pk,
    ).tournament_stages


def test_a_correction_that_moves_the_seeding_of_the_next_stage_names_it(club: Club) -> None:
    """Two groups of three, of each the first two go on. To exchange the second and the third of a group moves the
    seeding; what leaves the order of the group alone does not.
    """
    groups = StageInput("round_robin", groups=2, advance=2)
    cup = club.tournament(groups, StageInput("single_elimination"), players=6, tie_breaks=["direct", "wins"])
    for number in club.pair(cup):
        club.play(cup, number)
    first = {one.entry_id: one.group for one in club.state(cup).stages[0].places}
    best, second, third = sorted(club.name(cup, entry) for entry, group in first.items() if group == 1)
    tournament_rounds.open_next_stage(access=club.access, tournament_id=cup.pk, now=NOW)
    assert tournament_changes.overtaken_stages(club.state(cup)) == []

    assert _rehearsed(club, _first_of(club, second, third), {third: 1, second: 2}) == (2,)
    assert tournament_changes.overtaken_stages(club.state(cup)) == []
    # Somebody drops out of the second stage: that moves nothing.
    gone = club.entry(cup, second)
    tournament_entries.withdraw(access=club.access, tournament_id=cup.pk, entry_id=gone, now=NOW)
    assert tournament_changes.overtaken_stages(club.state(cup)) == []
    # Whoever is behind both stays there: 1 and 0 wins as 1 and 0 wins.
    assert _rehearsed(club, _first_of(club, best, third), {best: 1, third: 2}) == ()
    club.correct(_first_of(club, second, third), {third: 1, second: 2})
    assert tournament_changes.overtaken_stages(club.state(cup)) == [2]

    tournament_rounds.close_stage(access=club.access, tournament_id=cup.pk, now=NOW)
    assert tournament_changes.overtaken_stages(club.state(cup)) == []
    tournament_rounds.open_next_stage(access=club.access, tournament_id=cup.pk, now=NOW)
    assert tournament_changes.overtaken_stages(club.state(cup)) == []
    assert club.entry(cup, third) in {one.entry_id for one in club.state(cup).stages[1].places}


def test_groups_of_final_tables_are_named_where_they_would_be_others(club: Club) -> None:
    """Three of each group come to final tables, which keep the groups: to exchange two of them moves it, too."""
    groups = StageInput("round_robin", groups=2, advance=3)
    cup = club.tournament(groups, StageInput("final_tables", {"crossing": True}), players=8, table_size=3)
    for number in club.pair(cup):
        club.play(cup, number)
    tournament_rounds.open_next_stage(access=club.access, tournament_id=cup.pk, now=NOW)
    assert tournament_changes.overtaken_stages(club.state(cup)) == []
    members = [one.entry_id for one in club.state(cup).stages[0].places if one.group == 2]
    best, second, *_ = sorted(club.name(cup, entry) for entry in members)
    club.correct(_first_of(club, best, second), {second: 1, best: 2})
    assert tournament_changes.overtaken_stages(club.state(cup)) == [2]


def test_who_came_late_into_a_stage_moves_nothing(club: Club) -> None:
    cup = club.tournament(StageInput("swiss", {"rounds": 2}, advance=4), StageInput("swiss", {"rounds": 2}), players=6)
    for _number in range(2):
        (number,) = club.pair(cup)
        club.play(cup, number)
    tournament_rounds.open_next_stage(access=club.access, tournament_id=cup.pk, now=NOW)
    late = [EntryInput(guest="Late")]
    tournament_entries.enter(access=club.access, tournament_id=cup.pk, entries=late, now=NOW)
    assert tournament_changes.overtaken_stages(club.state(cup)) == []
