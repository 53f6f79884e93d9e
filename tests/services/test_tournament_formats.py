"""Tournaments of every format played to their end, with expectations worked out by hand.

Unless told otherwise the lower number wins, so that P01 is the strongest; sheets stand in the tests.
"""

from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

from league.models import Player, Session, SessionStatus, Tournament
from league.services import (
    corrections,
    games,
    players,
    results,
    tournament_changes,
    tournament_entries,
    tournament_jobs,
    tournament_rounds,
    tournament_standings,
    tournaments,
)
from league.services.errors import Conflict, InputError
from league.services.results import SeatInput, SessionInput
from league.services.tournament_formats import StageInput
from tests.people import NOW, People
from tests.services.given import ANYTHING, DAY, SEASON, by_places, by_points
from tests.services.test_tournaments import SWISS, Club

# What the single services store is tested on both databases; PostgreSQL has enough to do.
pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_alone]


@pytest.fixture
def club(people: People) -> Club:
    return Club(people)


def by(club: Club, cup: Tournament) -> dict[str, Any]:
    return {"access": club.access, "tournament_id": cup.pk, "now": NOW}


def scores(club: Club, cup: Tournament) -> dict[str, Fraction | None]:
    return {
        club.name(cup, line.entry): line.score
        for table in tournament_standings.tables_of(club.state(cup))
        for line in table.lines
    }


def met(club: Club, cup: Tournament, number: int) -> list[list[str]]:
    return sorted(sorted(table) for table in club.seated(cup, number))


def play_on(club: Club, cup: Tournament, places: dict[str, int] | None = None) -> int:
    """Pair the next tournament round and let it be played; its number."""
    (number,) = club.pair(cup)
    club.play(cup, number, places)
    return number


def ranks(club: Club, cup: Tournament) -> list[tuple[int, str]]:
    return [(rank, club.name(cup, one)) for rank, one in tournament_standings.final_ranks(club.state(cup))]


# --- Brackets ---------------------------------------------------------------------------------------------------------


def test_double_elimination_with_a_reset(club: Club) -> None:
    """Four: 1-4 and 2-3; 1-2 for the grand final, 3-4 for staying in; then 2-3; the second has to win twice, and P02
    wins the first of the two alone.
    """
    cup = club.tournament(StageInput("double_elimination"), players=4)
    first = play_on(club, cup)
    assert met(club, cup, first) == [["P01", "P04"], ["P02", "P03"]]
    second = play_on(club, cup)
    assert met(club, cup, second) == [["P01", "P02"], ["P03", "P04"]]
    assert met(club, cup, play_on(club, cup)) == [["P02", "P03"]]
    assert met(club, cup, play_on(club, cup, {"P02": 0})) == [["P01", "P02"]]
    # P01 has lost once only.
    assert met(club, cup, play_on(club, cup)) == [["P01", "P02"]]
    assert ranks(club, cup) == [(1, "P01"), (2, "P02"), (3, "P03"), (4, "P04")]
    with pytest.raises(Conflict, match="to its end"):
        club.pair(cup)


def test_double_elimination_without_a_reset(club: Club) -> None:
    cup = club.tournament(StageInput("double_elimination"), players=4)
    for _round in range(4):
        play_on(club, cup)
    with pytest.raises(Conflict, match="to its end"):
        club.pair(cup)
    assert ranks(club, cup) == [(1, "P01"), (2, "P02"), (3, "P03"), (4, "P04")]


def test_a_stepladder_that_the_last_climbs(club: Club) -> None:
    cup = club.tournament(StageInput("stepladder"), players=4)
    climb = {"P04": 0}
    seen = [met(club, cup, play_on(club, cup, climb))[0] for _step in range(3)]
    assert seen == [["P03", "P04"], ["P02", "P04"], ["P01", "P04"]]
    assert ranks(club, cup) == [(1, "P04"), (2, "P01"), (3, "P02"), (4, "P03")]


def test_the_last_rounds_are_longer(club: Club) -> None:
    """Of 8: one game in the first round, best of 3 in the semi-finals, best of 5 in the final, which three wins end."""
    stage = StageInput("single_elimination", {"best_of_last": [5, 3]})
    cup = club.tournament(stage, players=8)
    planned = []
    for number in (1, 2, 3):
        assert club.pair(cup) == [number]
        planned += [set(Session.objects.filter(table__round__number=number).values_list("planned_rounds", flat=True))]
        club.play(cup, number)
    assert planned == [{1}, {3}, {5}]
    assert list(Session.objects.filter(table__round__number=2).values_list("rounds__number", flat=True)) == [1, 2, 1, 2]
    assert Session.objects.get(table__round__number=3).rounds.count() == 3
    assert ranks(club, cup)[:2] == [(1, "P01"), (2, "P02")]


@pytest.mark.parametrize(
    ("options", "where", "code"),
    [
        ({"best_of_last": [4]}, ("best_of_last", 0), "not_odd"),
        ({"best_of_last": [3, 101]}, ("best_of_last", 1), "out_of_range"),
        ({"best_of_last": [3, True]}, ("best_of_last", 1), "out_of_range"),
        ({"best_of_last": 3}, ("best_of_last",), "invalid"),
        ({"best_of_last": [1] * 11}, ("best_of_last",), "invalid"),
    ],
)
def test_longer_finals_are_checked(
    club: Club, options: dict[str, object], where: tuple[str | int, ...], code: str
) -> None:
    with pytest.raises(InputError) as error:
        club.tournament(StageInput("single_elimination", options), players=4)
    assert [(one.path, one.code) for one in error.value.problems] == [(("stages", 0, "options", *where), code)]


def test_only_a_series_is_the_best_of_several(club: Club) -> None:
    with pytest.raises(InputError) as error:
        club.tournament(StageInput("single_elimination", {"best_of": 3}), players=4, session_format="single_game")
    assert error.value.problems[0].path == ("stages", 0, "options", "best_of")


def test_individual_games_at_a_table_of_a_bracket_are_all_played(club: Club) -> None:
    """Three games make the match, whoever won the first."""
    cup = club.tournament(
        StageInput("single_elimination"), players=2, session_format="individual_xxl", game="", games_per_table=3
    )
    club.pair(cup)
    session = Session.objects.get()
    data = by_places("xxl-1", {"P01": 1, "P02": 2})
    after = results.record_round(access=club.access, session_id=session.pk, data=data, confirm=ANYTHING, now=NOW)
    assert after.status == SessionStatus.OPEN


def test_a_draw_in_a_bracket_waits_for_the_organiser(club: Club) -> None:
    """The refusal names who has no winner yet; once the session is void a forfeit decides it."""
    cup = club.tournament(StageInput("single_elimination"), players=4)
    club.pair(cup)
    club.play(cup, 1, {"P04": 1})
    with pytest.raises(Conflict, match="no winner between P01, P04"):
        # The other semi-final has its winner, who waits for this one.
        club.pair(cup)
    drawn = next(one for one in club.tables(cup, 1) if club.entry(cup, "P01") in one.entries)
    assert drawn.session is not None
    with pytest.raises(Conflict, match="void it first"):
        tournament_changes.forfeit(**by(club, cup), number=1, table=drawn.number, winner=None)
    corrections.void(access=club.access, session_id=drawn.session, reason="Drawn.", now=NOW)
    winner = club.entry(cup, "P04")
    tournament_changes.forfeit(**by(club, cup), number=1, table=drawn.number, winner=winner)
    assert met(club, cup, play_on(club, cup)) == [["P02", "P04"]]
    with pytest.raises(Conflict, match="decided without play"):
        corrections.restore(access=club.access, session_id=drawn.session, reason="Yes.", now=NOW)


def test_a_corrected_draw_decides(club: Club) -> None:
    cup = club.tournament(StageInput("single_elimination"), players=4)
    club.pair(cup)
    club.play(cup, 1, {"P04": 1})
    session = next(one.session for one in club.tables(cup, 1) if club.entry(cup, "P01") in one.entries)
    assert session is not None
    corrections.correct_round(
        access=club.access,
        session_id=session,
        number=1,
        data=by_places("xxl-6-plus", {"P01": 1, "P04": 2}),
        reason="Another game decided it.",
        expected=None,
        confirm=ANYTHING,
        now=NOW,
    )
    assert met(club, cup, play_on(club, cup)) == [["P01", "P02"]]


# --- Groups and finals ------------------------------------------------------------------------------------------------


def test_groups_and_then_tables_for_places(club: Club) -> None:
    """Six by the snake: 1 4 5 and 2 3 6, who come in this order. Firsts, seconds and thirds in turn: 1 2 4 play for the
    first three places, 3 5 6 for the others.
    """
    cup = club.tournament(
        StageInput("round_robin", groups=2, advance=3),
        StageInput("final_tables", {"crossing": False}),
        players=6,
        table_size=3,
    )
    for number in club.pair(cup):
        club.play(cup, number)
    tournament_rounds.open_next_stage(**by(club, cup))
    final = play_on(club, cup, {"P04": 0})
    assert [sorted(one) for one in club.seated(cup, final)] == [["P01", "P02", "P04"], ["P03", "P05", "P06"]]
    assert ranks(club, cup) == [(1, "P04"), (2, "P01"), (3, "P02"), (4, "P03"), (5, "P05"), (6, "P06")]


def test_crossed_tables_send_their_winners_on(club: Club) -> None:
    """Groups 1 4 5 and 2 3 6; pots of firsts, seconds and thirds: A1 B2 A3 and B1 A2 B3, that is 1 3 5 and 2 4 6. P05
    and P02 win there, and meet for the title.
    """
    cup = club.tournament(
        StageInput("round_robin", groups=2, advance=3),
        StageInput("final_tables", advance=2),
        StageInput("single_elimination"),
        players=6,
        table_size=3,
    )
    for number in club.pair(cup):
        club.play(cup, number)
    tournament_rounds.open_next_stage(**by(club, cup))
    semi = play_on(club, cup, {"P05": 0})
    assert sorted(map(sorted, club.seated(cup, semi)))[1] in (["P02", "P03", "P06"], ["P02", "P04", "P06"])
    tournament_rounds.open_next_stage(**by(club, cup))
    assert met(club, cup, play_on(club, cup)) == [["P02", "P05"]]
    assert ranks(club, cup)[:2] == [(1, "P02"), (2, "P05")]


def test_the_best_of_those_next_behind_goes_on(club: Club) -> None:
    """Nine by the snake: 1 6 7, 2 5 8, 3 4 9. As 6-7 and 4-9 draw, P05 alone has a whole point behind a winner."""
    stages = (StageInput("round_robin", {"best_next": 1}, groups=3, advance=1), StageInput("single_elimination"))
    cup = club.tournament(*stages, players=9)
    for number in club.pair(cup):
        club.play(cup, number, {"P07": 6, "P09": 4})
    tournament_rounds.open_next_stage(**by(club, cup))
    (number,) = club.pair(cup)
    assert sorted(name for table in club.seated(cup, number) for name in table) == ["P01", "P02", "P03", "P05"]


def test_who_dropped_out_goes_on_only_where_nobody_else_is_left(club: Club) -> None:
    cup = club.tournament(StageInput("round_robin", groups=2, advance=1), StageInput("stepladder"), players=4)
    for number in club.pair(cup):
        club.play(cup, number)
    tournament_entries.withdraw(**by(club, cup), entry_id=club.entry(cup, "P01"))
    tournament_rounds.open_next_stage(**by(club, cup))
    # Groups 1 4 and 2 3.
    assert met(club, cup, play_on(club, cup)) == [["P02", "P04"]]


@pytest.mark.parametrize(
    ("stages", "field"),
    [
        ([StageInput("swiss", {"rounds": 3}, advance=1), StageInput("stepladder")], ("stages", 0, "advance")),
        (
            [StageInput("round_robin", {"best_next": 2}, groups=2, advance=1), StageInput("stepladder")],
            ("stages", 0, "options", "best_next"),
        ),
    ],
)
def test_stages_that_could_never_follow_are_refused(
    club: Club, stages: list[StageInput], field: tuple[str | int, ...]
) -> None:
    with pytest.raises(InputError) as error:
        club.tournament(*stages, players=4)
    assert [one.path for one in error.value.problems] == [field]


def test_a_group_smaller_than_who_go_on_is_refused_at_the_start(club: Club) -> None:
    stages = (StageInput("round_robin", groups=2, advance=3), StageInput("stepladder"))
    with pytest.raises(Conflict, match="smallest group has 2"):
        club.tournament(*stages, players=5)


def test_a_round_robin_that_would_never_end_is_refused(club: Club) -> None:
    """102 players take 101 tournament rounds; in two groups 50 are enough."""
    with pytest.raises(Conflict, match="101 tournament rounds"):
        club.tournament(StageInput("round_robin"), players=102)
    cup = Tournament.objects.get()
    stages = [StageInput("round_robin", groups=2)]
    tournaments.update(**by(club, cup), changes={}, stages=stages)
    tournament_rounds.start(**by(club, cup))


def test_a_fixed_schedule_in_groups(club: Club) -> None:
    """Two groups of nine at tables of three: in four tournament rounds everybody meets the whole group once."""
    cup = club.tournament(StageInput("fixed_schedule", {"rounds": 4}, groups=2), players=18, table_size=3)
    job = tournament_rounds.pair(**by(club, cup)).job
    assert job is not None
    tournament_jobs.pair_job(job.pk)
    group_of = {club.name(cup, one.entry_id): one.group for one in club.state(cup).stages[0].places}
    pairs = [
        pair for number in (1, 2, 3, 4) for table in club.seated(cup, number) for pair in combinations(sorted(table), 2)
    ]
    assert len(pairs) == len(set(pairs)) == 2 * 36
    assert all(group_of[one] == group_of[other] for one, other in pairs)


def test_a_plan_is_taken_back_as_a_whole_or_not_at_all(club: Club) -> None:
    cup = club.tournament(StageInput("round_robin"), players=4)
    assert club.pair(cup, publish=False) == [1, 2, 3]
    tournament_rounds.publish(**by(club, cup), number=1)
    assert tournament_rounds.undo(**by(club, cup)) == [1, 2, 3]
    assert not Session.objects.exists()
    club.pair(cup, publish=False)
    tournament_rounds.publish(**by(club, cup), number=1)
    club.play(cup, 1)
    with pytest.raises(Conflict, match="void it first"):
        tournament_rounds.undo(**by(club, cup))
    assert [one.row.number for one in club.state(cup).rounds] == [1, 2, 3]


# --- Tables -----------------------------------------------------------------------------------------------------------


def test_a_club_evening_heeds_who_met_in_the_season(club: Club, people: People) -> None:
    """P01 to P04 sat together last week: of two tables of four each gets two of them, two repeats instead of twelve."""
    cup = club.tournament(StageInput("club_evening"), players=8, season=people.season.pk, start=False)
    before = {f"P{number:02}": number for number in (1, 2, 3, 4)}
    results.record(
        access=club.access,
        data=SessionInput(
            format="individual_xxl",
            played_on=DAY,
            players=tuple(map(SeatInput, before)),
            season=SEASON,
            planned_rounds=1,
            rounds=(by_places("xxl-6-plus", before),),
        ),
        confirm=ANYTHING,
        now=NOW,
    )
    here = list(cup.entries.values_list("pk", flat=True))
    tournament_entries.check_in(**by(club, cup), entry_ids=here)
    tournament_rounds.start(**by(club, cup))
    (number,) = club.pair(cup)
    assert [len(set(table) & set(before)) for table in club.seated(cup, number)] == [2, 2]
    # Tables go on, and who plays there is at no second one.
    with pytest.raises(Conflict, match="Nobody is there"):
        club.pair(cup)
    assert tournament_changes.overtaken_rounds(club.state(cup)) == []


def test_the_game_is_ranked_by_the_cards_left(club: Club) -> None:
    """Two tables of three: one has 3 cards left, the other 12; all at a table share it, and the fewest are first."""
    cup = club.tournament(StageInput("table_swiss", {"rounds": 1}), players=6, game="the-game", table_size=3, minimum=2)
    assert (cup.metric, cup.minimum) == ("cards_left", 2)
    club.pair(cup)
    first, second = club.tables(cup, 1)
    for table, left in ((first, 12), (second, 3)):
        names = [club.name(cup, one) for one in table.entries]
        data = by_points("the-game", dict.fromkeys(names, left))
        assert table.session is not None
        results.record_round(access=club.access, session_id=table.session, data=data, confirm=ANYTHING, now=NOW)
    found = scores(club, cup)
    assert [found[club.name(cup, one)] for one in (*first.entries, *second.entries)] == [12] * 3 + [3] * 3
    assert {name for rank, name in ranks(club, cup)[:3]} == {club.name(cup, one) for one in second.entries}


def test_a_game_of_the_club_sets_the_tables(club: Club, people: People) -> None:
    """A game for four and five: nine players sit at 5 and 4, never at three tables of three."""
    given = {"min_players": 4, "max_players": 5}
    games.create(access=people.access(people.admin), key="golf", name="Golf", fields=given, now=NOW)
    cup = club.tournament(StageInput("table_swiss", {"rounds": 2}), players=9, game="golf", table_size=4)
    club.pair(cup)
    assert sorted(map(len, club.seated(cup, 1))) == [4, 5]


def test_pure_xxl_at_a_table(club: Club) -> None:
    cup = club.tournament(
        StageInput("table_swiss", {"rounds": 1}), players=4, session_format="pure_xxl", game="", table_size=4
    )
    club.pair(cup)
    session = Session.objects.get()
    for number in range(1, 7):
        assert not club.tables(cup, 1)[0].decided
        data = by_places(f"xxl-{number}", {"P01": 2, "P02": 1, "P03": 3, "P04": 4})
        session = results.record_round(access=club.access, session_id=session.pk, data=data, confirm=ANYTHING, now=NOW)
    assert session.status == SessionStatus.COMPLETE
    assert ranks(club, cup) == [(1, "P02"), (2, "P01"), (3, "P03"), (4, "P04")]


def test_who_is_left_with_too_few_for_the_game_has_a_bye(club: Club) -> None:
    """und Tschüss is for three at least: as one of a table of three drops out before it begins, the others rest."""
    cup = club.tournament(StageInput("table_swiss", {"rounds": 2}), players=6, game="und-tschuess", table_size=3)
    club.pair(cup, publish=False)
    gone, *left = club.tables(cup, 1)[0].entries
    tournament_entries.withdraw(**by(club, cup), entry_id=gone)
    tournament_rounds.publish(**by(club, cup), number=1)
    tables = {table.entries: table.kind.value for table in club.tables(cup, 1)}
    assert [tables[one,] for one in left] == ["bye", "bye"]
    assert Session.objects.count() == 1
    assert gone not in [one for table in tables for one in table]


# --- Players ----------------------------------------------------------------------------------------------------------


def test_a_bye_that_was_asked_for_can_be_worth_half(club: Club) -> None:
    """P05 sits the first of three rounds out: half a point; who is missing without having asked has none."""
    cup = club.tournament(SWISS, players=5, scores={"requested_bye": 0.5})
    entry = club.entry(cup, "P05")
    tournament_entries.sit_out(**by(club, cup), entry_id=entry, from_round=1, until_round=1)
    play_on(club, cup)
    assert scores(club, cup)["P05"] == Fraction(1, 2)
    tournament_entries.withdraw(**by(club, cup), entry_id=entry)
    play_on(club, cup)
    assert scores(club, cup)["P05"] == Fraction(1, 2)


def test_who_drops_out_keeps_what_was_asked_to_sit_out(club: Club) -> None:
    """Asked to miss round 3, dropped out in round 1 and came back: misses round 3 and no other."""
    cup = club.tournament(SWISS, players=5)
    entry = club.entry(cup, "P02")
    tournament_entries.sit_out(**by(club, cup), entry_id=entry, from_round=3, until_round=3)
    tournament_entries.withdraw(**by(club, cup), entry_id=entry)
    tournament_entries.bring_back(**by(club, cup), entry_id=entry)
    there = [entry in {one for table in club.tables(cup, play_on(club, cup)) for one in table.entries} for _ in "123"]
    assert there == [True, True, False]


def test_who_sat_out_to_the_end_can_come_back_before(club: Club) -> None:
    cup = club.tournament(SWISS, players=5)
    entry = club.entry(cup, "P02")
    tournament_entries.sit_out(**by(club, cup), entry_id=entry, from_round=1, until_round=None)
    play_on(club, cup)
    tournament_entries.sit_out(**by(club, cup), entry_id=entry, from_round=2, until_round=1)
    number = play_on(club, cup)
    assert entry in {one for table in club.tables(cup, number) for one in table.entries}


def test_who_came_after_the_start_plays_from_the_next_round(club: Club) -> None:
    cup = club.tournament(SWISS, players=5, start=False)
    late = club.entry(cup, "P03")
    here = list(cup.entries.exclude(pk=late).values_list("pk", flat=True))
    tournament_entries.check_in(**by(club, cup), entry_ids=here)
    tournament_rounds.start(**by(club, cup), only_checked_in=True)
    play_on(club, cup)
    tournament_entries.bring_back(**by(club, cup), entry_id=late)
    number = play_on(club, cup)
    assert late in {one for table in club.tables(cup, number) for one in table.entries}


def test_who_came_after_the_start_of_a_bracket_is_told_so(club: Club) -> None:
    cup = club.tournament(StageInput("single_elimination"), players=5, start=False)
    late = club.entry(cup, "P03")
    tournament_entries.withdraw(**by(club, cup), entry_id=late)
    tournament_rounds.start(**by(club, cup))
    with pytest.raises(Conflict, match="nobody can enter"):
        tournament_entries.bring_back(**by(club, cup), entry_id=late)


def test_an_archived_player_is_named_before_the_round_is_out(club: Club, people: People) -> None:
    cup = club.tournament(SWISS, players=4)
    club.pair(cup, publish=False)
    player = Player.objects.get(club=people.club, name="P02")
    players.update(access=people.access(people.admin), player_id=player.pk, changes={"archived": True}, now=NOW)
    with pytest.raises(Conflict, match="“P02” at table"):
        tournament_rounds.publish(**by(club, cup), number=1)
    tournament_entries.withdraw(**by(club, cup), entry_id=club.entry(cup, "P02"))
    tournament_rounds.publish(**by(club, cup), number=1)


def test_a_substitute_plays_for_the_session_alone(club: Club, people: People) -> None:
    """Eva plays the second of two games for P01, who misses it as if last of four: P02 2+2, P01 1+4, P03 3+3."""
    cup = club.tournament(StageInput("table_swiss", {"rounds": 1}), players=3, table_size=3, games_per_table=2)
    club.pair(cup)
    session = Session.objects.get()
    data = by_places("xxl-6-plus", {"P01": 1, "P02": 2, "P03": 3})
    results.record_round(access=club.access, session_id=session.pk, data=data, confirm=ANYTHING, now=NOW)
    results.substitute(access=club.access, session_id=session.pk, player="Eva", for_player="P01", now=NOW)
    data = by_places("xxl-6-plus", {"Eva": 1, "P02": 2, "P03": 3})
    results.record_round(access=club.access, session_id=session.pk, data=data, confirm=ANYTHING, now=NOW)
    places = {club.name(cup, seat.entry): seat.place for seat in club.tables(cup, 1)[0].seats}
    assert places == {"P02": 1, "P01": 2, "P03": 3}
    # Who was substituted still is whom the table was made for.
    corrections.void(access=club.access, session_id=session.pk, reason="No.", now=NOW)
    assert not club.tables(cup, 1)[0].decided
    corrections.restore(access=club.access, session_id=session.pk, reason="Yes.", now=NOW)
    assert club.tables(cup, 1)[0].decided
