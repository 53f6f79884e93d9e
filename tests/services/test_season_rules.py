"""How odd evenings count: the choices of a season, each with an example worked by hand, and what a change does."""

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from league.models import AuditEvent, Season, SeasonRulesVersion, Session, Standing
from league.services import corrections, results, seasons
from league.services.errors import Conflict, Forbidden, InputError, NotFound
from league.services.results import SeatInput
from tests.people import NOW, People
from tests.services.given import ANYTHING, evening, places_of, rank_of, record, rows, series, table

# What evenings are worth is calculated without a database; that standings are stored is tested on both.
pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def _change(people: People, **changes: Any) -> Season:
    return seasons.update_season(
        access=people.access(people.admin), season_id=people.season.pk, changes=changes, now=NOW
    )


def _refused(people: People, **changes: Any) -> set[tuple[tuple[str | int, ...], str]]:
    before = Season.objects.values().get(pk=people.season.pk)
    with pytest.raises(InputError) as caught:
        _change(people, **changes)
    assert Season.objects.values().get(pk=people.season.pk) == before
    return {(problem.path, problem.code) for problem in caught.value.problems}


def _left_early(people: People) -> Session:
    """Three rounds. Cem leaves after the first, which he won.

    Places: Ann 2, 1, 1; Ben 3, 2, 2; Cem 1, -, -.
    """
    data = series({"Cem": 1, "Ann": 2, "Ben": 3}, {"Ann": 1, "Ben": 2}, {"Ann": 1, "Ben": 2}, status="complete")
    seats = (SeatInput("Ann"), SeatInput("Ben"), SeatInput("Cem", until_round=1))
    return record(people, replace(data, players=seats))


def test_a_missed_round_counts_as_last(people: People) -> None:
    # Cem has 1 and twice the place behind the two who played: 1 + 3 + 3.
    session = _left_early(people)
    assert places_of(session) == {"Ann": (4, 1, ""), "Ben": (7, 2, ""), "Cem": (7, 2, "")}


def test_a_missed_round_costs_the_place(people: People) -> None:
    _change(people, missing_round="exclude")
    session = _left_early(people)
    assert places_of(session) == {"Ann": (4, 1, ""), "Ben": (7, 2, ""), "Cem": (1, None, "missed_rounds")}
    assert table(people.season) == [(1, "Ann", 1, 1, 1), (2, "Ben", 1, 2, 0)]


def _substituted(people: People) -> Session:
    """Three rounds. Dora sits for Ben in the last two.

    Places: Ann 2, 2, 1; Ben 1, -, -; Dora -, 1, 2.
    """
    data = series({"Ann": 2, "Ben": 1}, {"Ann": 2, "Dora": 1}, {"Ann": 1, "Dora": 2}, status="complete")
    seats = (SeatInput("Ann"), SeatInput("Ben", until_round=1), SeatInput("Dora", seat=1, from_round=2))
    return record(people, replace(data, players=seats))


def test_a_substitute_has_the_rounds_played_in_person(people: People) -> None:
    # Ben 1 + 3 + 3, Dora 3 + 1 + 2.
    session = _substituted(people)
    assert places_of(session) == {"Ann": (5, 1, ""), "Dora": (6, 2, ""), "Ben": (7, 3, "")}


def test_a_substitute_plays_for_the_seat(people: People) -> None:
    # The seat has 1 + 1 + 2: Ben's.
    _change(people, substitution="seat")
    session = _substituted(people)
    assert places_of(session) == {"Ann": (5, 2, ""), "Ben": (4, 1, ""), "Dora": (3, None, "substitute")}
    assert table(people.season) == [(1, "Ben", 1, 1, 1), (2, "Ann", 1, 2, 0)]


def _ended_early(people: People, played: int) -> Session:
    return record(people, series(*[{"Ann": 1, "Ben": 2}] * played, planned=4, status="incomplete"))


@pytest.mark.parametrize(
    ("rules", "played", "counts"),
    [
        ({}, 1, True),
        ({"minimum_rounds": 3}, 2, False),
        ({"minimum_rounds": 3}, 3, True),
        ({"incomplete_sessions": "skip"}, 3, False),
    ],
)
def test_a_session_ended_early(people: People, rules: dict[str, Any], played: int, counts: bool) -> None:
    if rules:
        _change(people, **rules)
    session = _ended_early(people, played)
    session.refresh_from_db()
    assert (session.status, session.counts) == ("incomplete", counts)
    # Its own result stands either way.
    assert places_of(session) == {"Ann": (played, 1, ""), "Ben": (2 * played, 2, "")}
    assert table(people.season) == ([(1, "Ann", 1, 1, 1), (2, "Ben", 1, 2, 0)] if counts else [])


@pytest.mark.parametrize("rules", [{"minimum_rounds": 10}, {"incomplete_sessions": "skip"}])
def test_a_complete_session_always_counts(people: People, rules: dict[str, Any]) -> None:
    _change(people, **rules)
    session = record(people, series({"Ann": 1, "Ben": 2}, planned=1))
    assert (session.status, session.counts) == ("complete", True)


def test_a_session_without_a_season_has_results_and_no_standings(people: People) -> None:
    session = record(people, replace(evening("four-players"), season=None))
    session.refresh_from_db()
    assert (session.season, session.counts, session.results.count()) == (None, False, 4)
    assert not Standing.objects.exists()


def test_other_rules_store_everything_anew(people: People) -> None:
    left, substituted, early = _left_early(people), _substituted(people), _ended_early(people, 2)
    assert table(people.season) == [
        # Ann 1, 1, 1; Ben 2, 3, 2; Cem 2; Dora 2.
        (1, "Ann", 3, 3, 3),
        (2, "Cem", 1, 2, 0),
        (2, "Dora", 1, 2, 0),
        (4, "Ben", 3, 7, 0),
    ]
    _change(people, missing_round="exclude", substitution="seat", minimum_rounds=3)
    assert places_of(left)["Cem"] == (1, None, "missed_rounds")
    assert places_of(substituted) == {"Ann": (5, 2, ""), "Ben": (4, 1, ""), "Dora": (3, None, "substitute")}
    early.refresh_from_db()
    assert not early.counts
    # Ann 1, 2; Ben 2, 1. Cem and Dora have no place left and no line.
    assert table(people.season) == [(1, "Ann", 2, 3, 1), (1, "Ben", 2, 3, 1)]
    _change(people, missing_round="last", substitution="separate", minimum_rounds=1)
    assert [row[1:] for row in table(people.season)] == [
        ("Ann", 3, 3, 3),
        ("Cem", 1, 2, 0),
        ("Dora", 1, 2, 0),
        ("Ben", 3, 7, 0),
    ]
    event = AuditEvent.objects.filter(action="season.updated").latest("id")
    assert event.data["rules"] == {"missing_round": "last", "substitution": "separate", "minimum_rounds": 1}


def test_an_open_session_counts_by_the_rules_of_its_end(people: People) -> None:
    session = record(people, series({"Ann": 1, "Ben": 2}, planned=4))
    _change(people, incomplete_sessions="skip")
    assert not session.results.exists()
    ended = results.end(access=people.access(people.owner), session_id=session.pk, confirm=ANYTHING, now=NOW)
    assert (ended.status, ended.counts) == ("incomplete", False)


def test_wins_rank_by_wins(people: People) -> None:
    # Ann wins once of three and is last twice; Ben is second in all; Cem has a win in his only session.
    for places in ({"Ann": 1, "Ben": 2}, {"Cem": 1, "Ben": 2, "Ann": 3}, {"Dora": 1, "Ben": 2, "Ann": 3}):
        record(people, series(places))
    assert [row[:2] for row in table(people.season)] == [(1, "Cem"), (1, "Dora"), (3, "Ben"), (4, "Ann")]
    _change(people, ranking_metric="wins")
    assert [row[:2] for row in table(people.season)] == [(1, "Ann"), (1, "Cem"), (1, "Dora"), (4, "Ben")]


def test_below_the_minimum_there_is_no_rank(people: People) -> None:
    for places in ({"Ann": 1, "Ben": 2}, {"Cem": 1, "Ben": 2, "Ann": 3}):
        record(people, series(places))
    _change(people, minimum_sessions=2)
    assert [row[:2] for row in table(people.season)] == [(1, "Ann"), (1, "Ben"), (None, "Cem")]
    _change(people, minimum_sessions=3)
    assert [row[:2] for row in table(people.season)] == [(None, "Cem"), (None, "Ann"), (None, "Ben")]


# --- Changing seasons -------------------------------------------------------------------------------------------------


def test_closing_and_opening_again(people: People) -> None:
    record(people, evening("four-players"), confirm=())
    _change(people, status="closed")
    before = rows()
    with pytest.raises(Conflict):
        record(people, evening("five-players"), confirm=())
    assert rows() == before
    assert len(table(people.season)) == 4
    _change(people, status="open")
    record(people, evening("five-players"), confirm=())


def test_dates_hold_the_sessions_that_stand(people: People) -> None:
    record(people, evening("four-players"), confirm=())  # 5 October
    record(people, evening("five-players"), confirm=())  # 19 October
    assert _refused(people, starts_on=date(2026, 10, 6)) == {(("starts_on",), "sessions_outside")}
    assert _refused(people, ends_on=date(2026, 10, 18)) == {(("ends_on",), "sessions_outside")}
    assert _refused(people, ends_on=date(2026, 8, 31)) == {(("ends_on",), "before_start")}
    season = _change(people, starts_on=date(2026, 10, 5), ends_on=date(2026, 10, 19))
    assert (season.starts_on, season.ends_on) == (date(2026, 10, 5), date(2026, 10, 19))


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"status": "over"}, "unknown_choice"),
        ({"ranking_metric": "luck"}, "unknown_choice"),
        ({"ranking_best": "middle"}, "unknown_choice"),
        ({"table_weight": "heavy"}, "unknown_choice"),
        ({"absence": "first"}, "unknown_choice"),
        ({"tie_breaks": ["countback", "dice"]}, "unknown_choice"),
        ({"tie_breaks": "countback"}, "unknown_choice"),
        ({"tie_breaks": ["direct", "countback", "direct"]}, "repeated"),
        ({"drop_worst": -1}, "out_of_range"),
        ({"drop_worst": 366}, "out_of_range"),
        ({"drop_worst": None}, "out_of_range"),
        ({"count_best": -1}, "out_of_range"),
        ({"count_best": 366}, "out_of_range"),
        ({"planned_evenings": -1}, "out_of_range"),
        ({"planned_evenings": 366}, "out_of_range"),
        ({"points_by_place": []}, "invalid"),
        ({"points_by_place": "10"}, "invalid"),
        ({"points_by_place": [1] * 101}, "invalid"),
        ({"incomplete_sessions": ""}, "unknown_choice"),
        ({"missing_round": None}, "unknown_choice"),
        ({"substitution": "both"}, "unknown_choice"),
        ({"minimum_sessions": 0}, "out_of_range"),
        ({"minimum_rounds": 1001}, "out_of_range"),
        ({"name": "  "}, "invalid"),
        ({"name": "x" * 101}, "invalid"),
        ({"name": "a\0b"}, "invalid"),
        ({"slug": "Zwei Worte"}, "invalid"),
        ({"starts_on": None}, "required"),
    ],
)
def test_refused_values(people: People, changes: dict[str, Any], code: str) -> None:
    assert _refused(people, **changes) == {((next(iter(changes)),), code)}


@pytest.mark.parametrize(
    ("changes", "field", "allowed"),
    [
        # The lowest sum of places, the most wins: the other way round is no competition.
        ({"ranking_metric": "place_sum", "ranking_best": "high"}, "ranking_best", "low"),
        ({"ranking_metric": "place_average", "ranking_best": "high"}, "ranking_best", "low"),
        ({"ranking_metric": "wins", "ranking_best": "low"}, "ranking_best", "high"),
        # Each weight is a formula for some metrics.
        ({"ranking_metric": "points", "table_weight": "relative"}, "table_weight", "opponents"),
        ({"ranking_metric": "wins", "table_weight": "midpoint"}, "table_weight", "opponents"),
        ({"ranking_metric": "place_sum", "table_weight": "opponents"}, "table_weight", "midpoint"),
        ({"ranking_metric": "game_points", "table_weight": "opponents"}, "table_weight", "none"),
        # A missed evening has a last place, but no points of a game.
        ({"ranking_metric": "game_points", "absence": "last"}, "absence", "average"),
    ],
)
def test_rules_that_do_not_go_together(people: People, changes: dict[str, Any], field: str, allowed: str) -> None:
    with pytest.raises(InputError) as caught:
        _change(people, **changes)
    (problem,) = caught.value.problems
    assert (problem.path, problem.code) == ((field,), "unknown_choice")
    assert allowed in problem.message


def test_dropping_and_counting_the_best_exclude_each_other(people: People) -> None:
    assert _refused(people, drop_worst=2, count_best=5) == {(("count_best",), "drops_and_counts_best")}
    _change(people, drop_worst=2)
    assert _refused(people, count_best=5) == {(("count_best",), "drops_and_counts_best")}
    season = _change(people, drop_worst=0, count_best=5)
    assert (season.drop_worst, season.count_best) == (0, 5)


@pytest.mark.parametrize("number", [10_001, -10_001, "7", 1.5, True, None], ids=str)
def test_points_for_places_are_whole_numbers(people: People, number: Any) -> None:
    assert _refused(people, points_by_place=[10, number, 1]) == {(("points_by_place", 1), "out_of_range")}
    assert _change(people, points_by_place=[10_000, 0, -10_000]).points_by_place == [10_000, 0, -10_000]


@pytest.mark.parametrize(
    ("metric", "best"),
    [("place_average", "low"), ("place_sum", "low"), ("points", "high"), ("game_points", "high"), ("wins", "high")],
)
def test_what_is_best_where_nothing_is_said(people: People, metric: str, best: str) -> None:
    _change(people, ranking_metric="points", ranking_best="low")
    assert _change(people, ranking_metric=metric).ranking_best == best


def test_several_wrong_values_are_told_at_once(people: People) -> None:
    assert _refused(people, status="over", minimum_rounds=0, missing_round="never") == {
        (("status",), "unknown_choice"),
        (("minimum_rounds",), "out_of_range"),
        (("missing_round",), "unknown_choice"),
    }


def test_short_names_are_once_a_league(people: People) -> None:
    by = people.access(people.admin)
    fields = {"name": "2027", "slug": "2027", "starts_on": date(2027, 1, 1)}
    made = seasons.create_season(access=by, league_id=people.season.league_id, fields=fields, now=NOW)
    with pytest.raises(Conflict) as caught:
        seasons.create_season(access=by, league_id=people.season.league_id, fields=fields, now=NOW)
    assert caught.value.code == "slug_taken"
    with pytest.raises(Conflict) as caught:
        _change(people, slug="2027")
    assert caught.value.code == "slug_taken"
    other = seasons.create_league(access=by, name="Chess", slug="chess", now=NOW)
    seasons.create_season(access=by, league_id=other.pk, fields=fields, now=NOW)
    with pytest.raises(Conflict) as caught:
        seasons.update_league(access=by, league_id=other.pk, changes={"slug": "monday-league"}, now=NOW)
    assert caught.value.code == "slug_taken"
    assert made.league == people.season.league


def test_who_may_change_seasons(people: People) -> None:
    by, stranger = people.access(people.scorekeeper), people.access(people.stranger)
    season, league = people.season, people.season.league
    fields = {"name": "2027", "slug": "2027", "starts_on": date(2027, 1, 1)}
    before = rows()
    with pytest.raises(Forbidden):
        seasons.create_league(access=by, name="Chess", slug="chess", now=NOW)
    with pytest.raises(Forbidden):
        seasons.update_league(access=by, league_id=league.pk, changes={"name": "x"}, now=NOW)
    with pytest.raises(Forbidden):
        seasons.create_season(access=by, league_id=league.pk, fields=fields, now=NOW)
    with pytest.raises(Forbidden):
        seasons.update_season(access=by, season_id=season.pk, changes={"name": "x"}, now=NOW)
    with pytest.raises(NotFound):
        seasons.update_league(access=stranger, league_id=league.pk, changes={"name": "x"}, now=NOW)
    with pytest.raises(NotFound):
        seasons.update_season(access=stranger, season_id=season.pk, changes={"name": "x"}, now=NOW)
    with pytest.raises(InputError) as caught:
        seasons.create_season(access=stranger, league_id=league.pk, fields=fields, now=NOW)
    assert [(problem.path, problem.code) for problem in caught.value.problems] == [(("league",), "unknown_league")]
    assert rows() == before


def test_a_round_by_places_alone(people: People) -> None:
    session = record(people, series({"Ann": 1, "Ben": 1, "Cem": 3}))
    assert list(session.rounds.get().scores.order_by("pk").values_list("points", "place")) == [
        (None, 1),
        (None, 1),
        (None, 3),
    ]


def test_a_season_is_closed_once_its_sessions_are_ended(people: People) -> None:
    session = record(people, series({"Ann": 1, "Ben": 2}, planned=3, status="open"))
    with pytest.raises(Conflict) as caught:
        _change(people, status="closed")
    assert caught.value.code == "sessions_open"
    assert "1 session " in caught.value.message
    assert Season.objects.get(pk=people.season.pk).status == "open"
    results.end(access=people.access(people.scorekeeper), session_id=session.pk, confirm=ANYTHING, now=NOW)
    assert _change(people, status="closed").status == "closed"


def test_a_season_that_asks_no_more_counts_what_waited(people: People) -> None:
    _change(people, needs_confirmation=True)
    session = record(people, series({"Ann": 1, "Ben": 2}))
    # What stood before is not asked about.
    assert (session.confirmation, table(people.season)) == ("awaited", [])
    _change(people, needs_confirmation=False)
    session.refresh_from_db()
    assert (session.confirmation, session.counts) == ("", True)
    assert table(people.season) == [(1, "Ann", 1, 1, 1), (2, "Ben", 1, 2, 0)]
    assert [(one.kind, one.data["counts"]) for one in session.revisions.all()] == [
        ("recorded", False),
        ("confirmed", True),
    ]


def test_what_counted_before_a_season_asked_still_counts(people: People) -> None:
    record(people, series({"Ann": 1, "Ben": 2}))
    _change(people, needs_confirmation=True)
    assert table(people.season) == [(1, "Ann", 1, 1, 1), (2, "Ben", 1, 2, 0)]


def test_a_closed_season_keeps_its_rules_and_dates(people: People) -> None:
    record(people, series({"Ann": 1, "Ben": 2}))
    _change(people, status="closed")
    for change in ({"ranking_metric": "wins"}, {"minimum_sessions": 2}, {"starts_on": date(2026, 8, 1)}):
        with pytest.raises(Conflict) as caught:
            _change(people, **change)
        assert caught.value.code == "season_closed"
    assert _change(people, name="The first").name == "The first"
    assert _change(people, status="open", minimum_sessions=2).minimum_sessions == 2


# --- How a season ranks, told by its own results ----------------------------------------------------------------------


def _three_evenings(people: People) -> None:
    """Ann 1, 2, -; Ben 2, 1, 3; Cem 3, 3, 1; Dora -, -, 2, each on an evening of its own."""
    for day, places in enumerate(({"Ann": 1, "Ben": 2, "Cem": 3}, {"Ben": 1, "Ann": 2, "Cem": 3}), start=1):
        record(people, series(places, played_on=date(2026, 10, day)))
    record(people, series({"Cem": 1, "Dora": 2, "Ben": 3}, played_on=date(2026, 10, 3)))


def _values(people: People) -> list[tuple[int | None, str, float]]:
    return [(rank_of(row), row.player.name, row.value) for row in Standing.objects.table(people.season)]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"ranking_metric": "place_sum"}, [(1, "Dora", 2), (2, "Ann", 3), (3, "Ben", 6), (4, "Cem", 7)]),
        # Points 10, 7, 5: Ben 7 + 10 + 5, Cem 5 + 5 + 10, Ann 17, Dora 7.
        ({"ranking_metric": "points"}, [(1, "Ben", 22), (2, "Cem", 20), (3, "Ann", 17), (4, "Dora", 7)]),
        (
            {"ranking_metric": "points", "points_by_place": [1], "table_weight": "opponents"},
            [(1, "Ann", 2), (1, "Ben", 2), (1, "Cem", 2), (4, "Dora", 0)],
        ),
        # Ann 3 + 4; Ben 6; Cem 7; Dora 2 + 4 + 4: a missed evening of three is a fourth place.
        (
            {"ranking_metric": "place_sum", "absence": "last"},
            [(1, "Ben", 6), (2, "Ann", 7), (2, "Cem", 7), (4, "Dora", 10)],
        ),
        # Without the worst: Ann 3, Ben 3, Cem 4, Dora 6.
        (
            {"ranking_metric": "place_sum", "absence": "last", "drop_worst": 1},
            [(1, "Ann", 3), (1, "Ben", 3), (3, "Cem", 4), (4, "Dora", 6)],
        ),
        # Ann and Ben have 1 and 2 each, met twice and are level; on the last evening Ben was third, Ann missed it.
        (
            {
                "ranking_metric": "place_sum",
                "absence": "last",
                "drop_worst": 1,
                "tie_breaks": ["countback", "direct", "last_evening"],
            },
            [(1, "Ben", 3), (2, "Ann", 3), (3, "Cem", 4), (4, "Dora", 6)],
        ),
        # Places halves and ends of a table of three: 0, 1/2, 1. Nobody by points: all by places alone.
        ({"table_weight": "relative"}, [(1, "Ann", 0.25), (2, "Ben", 0.5), (2, "Dora", 0.5), (4, "Cem", 2 / 3)]),
        ({"ranking_metric": "game_points"}, [(None, "Ann", 0), (None, "Ben", 0), (None, "Cem", 0), (None, "Dora", 0)]),
    ],
    ids=str,
)
def test_tables(people: People, changes: dict[str, Any], expected: list[tuple[int | None, str, float]]) -> None:
    _three_evenings(people)
    _change(people, **changes)
    found = _values(people)
    assert [one[:2] for one in found] == [one[:2] for one in expected]
    assert [one[2] for one in found] == pytest.approx([one[2] for one in expected])


@pytest.mark.parametrize(
    ("weight", "values"),
    [
        # Second of three, four and five, one after the other: 1/2, + 1/3, + 1/4.
        ("relative", [1 / 2, 5 / 6, 13 / 12]),
        # 1.5/3, + 1.5/4, + 1.5/5.
        ("midpoint", [1 / 2, 7 / 8, 47 / 40]),
    ],
)
def test_weighted_places_are_added_up_exactly(people: People, weight: str, values: list[float]) -> None:
    _change(people, ranking_metric="place_sum", table_weight=weight)
    found = []
    for players in (3, 4, 5):
        others = ("Ben", "Cem", "Dora", "Eva")[: players - 1]
        places = [1, *range(3, players + 1)]
        record(people, series({"Ann": 2, **dict(zip(others, places, strict=True))}))
        found.append(Standing.objects.get(player__name="Ann", season=people.season).value)
    assert found == pytest.approx(values)


def test_who_has_no_rank_breaks_no_tie(people: People) -> None:
    """Ann and Ben have a mean of 3/2 each and Ann won once of twice, was before Ben: they met, but never Cem, who has
    3/2, too, and too few sessions."""
    record(people, series({"Ann": 1, "Ben": 2}))
    record(people, series({"Dora": 1, "Ann": 2}))
    record(people, series({"Ben": 1, "Dora": 2}))
    record(people, series({"Cem": 1, "Eva": 2}))
    record(people, series({"Finn": 1, "Cem": 2}))
    record(people, series({"Ben": 1, "Dora": 2}))
    record(people, series({"Finn": 1, "Ben": 2}))
    record(people, series({"Finn": 1, "Ann": 2}))
    record(people, series({"Ann": 1, "Eva": 2}))
    _change(people, tie_breaks=["direct"], minimum_sessions=3)
    assert [row[:2] for row in table(people.season)][:3] == [(1, "Finn"), (2, "Ann"), (3, "Ben")]


def test_a_result_of_others_moves_the_strength_of_opponents(people: People) -> None:
    """Ann and Ben won once each, Ann against Cem, Ben against Dora: level, until Cem wins against Dora."""
    _change(people, tie_breaks=["opponents"])
    record(people, series({"Ann": 1, "Cem": 2}))
    record(people, series({"Ben": 1, "Dora": 2}))
    assert [row[:2] for row in table(people.season)] == [(1, "Ann"), (1, "Ben"), (3, "Cem"), (3, "Dora")]
    record(people, series({"Dora": 1, "Cem": 2}))
    # Dora has 3/2, Cem 2.
    assert [row[:2] for row in table(people.season)] == [(1, "Ben"), (2, "Ann"), (3, "Dora"), (4, "Cem")]


def test_another_day_moves_whoever_missed_it(people: People) -> None:
    """Ann's table of three alone on the first evening; Ben's of two moved to it: nobody of either missed it then."""
    _change(people, ranking_metric="place_sum", absence="last")
    record(people, series({"Ann": 1, "Cem": 2, "Dora": 3}, played_on=date(2026, 10, 1)))
    other = record(people, series({"Ben": 1, "Eva": 2}, played_on=date(2026, 10, 2)))
    # Ann 1 + 3, Ben 1 + 4, Cem 2 + 3, Dora 3 + 3, Eva 2 + 4.
    assert _values(people) == [(1, "Ann", 4), (2, "Ben", 5), (2, "Cem", 5), (4, "Dora", 6), (4, "Eva", 6)]
    corrections.correct(
        access=people.access(people.scorekeeper),
        session_id=other.pk,
        changes={"played_on": date(2026, 10, 1)},
        reason="It was the day before",
        expected=None,
        confirm=ANYTHING,
        now=NOW,
    )
    assert _values(people) == [(1, "Ann", 1), (1, "Ben", 1), (3, "Cem", 2), (3, "Eva", 2), (5, "Dora", 3)]


# --- Versions and previews --------------------------------------------------------------------------------------------


def test_versions_of_the_rules(people: People) -> None:
    by = people.access(people.admin)
    fields = {"name": "Cup", "slug": "cup", "starts_on": date(2026, 9, 1), "drop_worst": 1}
    season = seasons.create_season(access=by, league_id=people.season.league_id, fields=fields, now=NOW)
    later = NOW + timedelta(days=1)

    def change(**changes: Any) -> None:
        seasons.update_season(access=people.access(people.owner), season_id=season.pk, changes=changes, now=later)

    change(name="Spring cup", planned_evenings=8)
    change(drop_worst=1)
    change(drop_worst=2, tie_breaks=["countback"])
    versions = list(SeasonRulesVersion.objects.filter(season=season).order_by("number"))
    assert [(one.number, one.at, one.user) for one in versions] == [(1, NOW, people.admin), (2, later, people.owner)]
    first, second = (one.rules for one in versions)
    assert set(first) == seasons.RULES
    assert {key for key in first if first[key] != second[key]} == {"drop_worst", "tie_breaks"}
    assert (second["drop_worst"], second["tie_breaks"]) == (2, ["countback"])
    season.refresh_from_db()
    assert season.rules_version == 2


def test_a_preview_of_other_rules(people: People) -> None:
    _three_evenings(people)
    before = rows()
    preview = seasons.rehearse_update(
        access=people.access(people.admin),
        season_id=people.season.pk,
        changes={"ranking_metric": "points", "minimum_sessions": 2},
        now=NOW,
    )
    assert rows() == before
    people.season.refresh_from_db()
    assert (people.season.ranking_metric, people.season.rules_version) == ("place_average", 1)
    told = [
        (
            one.player.name,
            one.before and (one.before.rank, one.before.value),
            one.after and (one.after.rank, one.after.value),
        )
        for one in preview.moves
    ]
    # Before 3/2, 2, 2, 7/3.
    assert told == [
        ("Ben", (2, 2), (1, 22)),
        ("Cem", (4, pytest.approx(7 / 3)), (2, 20)),
        ("Ann", (1, 1.5), (3, 17)),
        ("Dora", (2, 2), (None, 7)),
    ]
    assert preview.moved == 4
    assert preview.season.ranking_metric == "points"


def test_a_preview_refuses_what_the_change_refuses(people: People) -> None:
    for access, changes, error in (
        (people.access(people.admin), {"drop_worst": -1}, InputError),
        (people.access(people.scorekeeper), {"drop_worst": 1}, Forbidden),
        (people.access(people.stranger), {"drop_worst": 1}, NotFound),
    ):
        with pytest.raises(error):
            seasons.rehearse_update(access=access, season_id=people.season.pk, changes=changes, now=NOW)
