"""Stored standings are what a full recount from scratch gives, whatever happened in whatever order."""

import os
from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from league.models import Season, Standing
from league.services import corrections, seasons, standings
from league.services.results import RoundInput, ScoreInput, SeatInput, SessionInput
from tests.people import NAMES, NOW, People
from tests.services.given import ANYTHING, SEASON, rank_of, record, series, table
from tests.services.recount import Counted, Played, recount

pytestmark = pytest.mark.django_db

START = date(2026, 9, 1)


def test_equal_averages_share_a_rank_from_however_many_sessions(people: People) -> None:
    # Ann 2, 3, 2 of 3 sessions; Ben 7/3 as well; Cem 7/3 over 6 sessions: floats would call thirds unequal if added up.
    for places in (
        {"Dora": 1, "Ann": 2, "Ben": 2, "Cem": 4},
        {"Dora": 1, "Cem": 1, "Ann": 3, "Ben": 3},
        {"Dora": 1, "Ann": 2, "Ben": 2, "Cem": 2},
        {"Dora": 1, "Cem": 2},
        {"Dora": 1, "Eva": 1, "Cem": 3},
        {"Dora": 1, "Cem": 2},
    ):
        record(people, series(places))
    # Cem has 4 + 1 + 2 + 2 + 3 + 2 = 14 over 6, which is 7/3.
    assert table(people.season) == [
        (1, "Dora", 6, 6, 6),
        (1, "Eva", 1, 1, 1),
        (3, "Ann", 3, 7, 0),
        (3, "Ben", 3, 7, 0),
        (3, "Cem", 6, 14, 1),
    ]


def test_ties_follow_who_comes_and_who_leaves(people: People) -> None:
    def positions() -> dict[str, int]:
        return dict(Standing.objects.filter(season=people.season).values_list("player__name", "tie_position"))

    access = people.access(people.owner)
    changes = {"tie_breaks": ["last_evening"]}
    seasons.update_season(access=access, season_id=people.season.pk, changes=changes, now=NOW)
    record(people, series({"Ann": 1, "Cem": 2}, played_on=START))
    record(people, series({"Ben": 1, "Dora": 2}, played_on=START + timedelta(days=1)))
    # Ann and Ben have 1, Cem and Dora 2; the last evening is Ben's and Dora's.
    assert positions() == {"Ben": 0, "Ann": 1, "Dora": 0, "Cem": 1}
    record(people, series({"Cem": 1, "Ben": 2}, played_on=START + timedelta(days=2)))
    # Ben and Cem have 3/2; Ann and Dora are left alone.
    assert positions() == {"Ann": 0, "Cem": 0, "Ben": 1, "Dora": 0}
    assert [row[:2] for row in table(people.season)] == [(1, "Ann"), (2, "Cem"), (3, "Ben"), (4, "Dora")]


def test_seasons_are_counted_apart(people: People) -> None:
    second = seasons.create_season(
        access=people.access(people.admin),
        league_id=people.season.league_id,
        fields={"name": "Cup", "slug": "cup", "starts_on": START},
        now=NOW,
    )
    record(people, series({"Ann": 1, "Ben": 2}))
    record(people, replace(series({"Ben": 1, "Ann": 2}), season="monday-league/cup"))
    assert table(people.season) == [(1, "Ann", 1, 1, 1), (2, "Ben", 1, 2, 0)]
    assert table(second) == [(1, "Ben", 1, 1, 1), (2, "Ann", 1, 2, 0)]


def test_a_result_costs_the_same_however_long_the_season(people: People) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            record(people, series({"Ann": 1, "Ben": 2, "Cem": 3}))
        return len(captured)

    queries()
    early = queries()
    for _ in range(5):
        queries()
    assert queries() == early


@pytest.mark.parametrize(
    "changes",
    [
        {"ranking_metric": "wins"},
        {"minimum_sessions": 2},
        {"missing_round": "exclude"},
        {"absence": "last", "drop_worst": 1},
        {"tie_breaks": ["countback", "direct", "last_evening", "opponents"]},
    ],
    ids=str,
)
def test_a_change_of_rules_takes_no_query_a_session(people: People, changes: dict[str, Any]) -> None:
    """The season is locked meanwhile, and with SQLite everything: a long one must not keep the tables waiting."""

    def change(fields: dict[str, Any]) -> int:
        with CaptureQueriesContext(connection) as queries:
            seasons.update_season(
                access=people.access(people.owner), season_id=people.season.pk, changes=fields, now=NOW
            )
        return len(queries)

    usual = {field: getattr(people.season, field) for field in changes}
    record(people, series({"Ann": 1, "Ben": 2}, {"Ann": 2, "Ben": 1}))
    few = change(changes)
    change(usual)
    for _evening in range(5):
        record(people, series({"Ann": 1, "Ben": 2}, {"Ann": 2, "Ben": 1}))
    assert change(changes) == few


# --- Any rules, any story ---------------------------------------------------------------------------------------------


@st.composite
def rules(draw: st.DrawFn) -> dict[str, Any]:
    """Rules that a season can have, half of them such that a line is added to without the sessions before."""
    metric = draw(st.sampled_from(["place_average", "place_sum", "points", "game_points", "wins"]))
    by_place, by_win = ["none", "none", "none", "relative", "midpoint"], ["none", "opponents"]
    weights = {"place_average": by_place, "place_sum": by_place, "points": by_win, "wins": by_win}
    drops, best_of = draw(st.sampled_from([*[(0, 0)] * 8, (1, 0), (2, 0), (0, 1), (0, 2)]))
    usual = "low" if metric in {"place_average", "place_sum"} else "high"
    return {
        "ranking_metric": metric,
        "ranking_best": draw(st.sampled_from(["low", "high"])) if metric in {"points", "game_points"} else usual,
        "points_by_place": draw(st.sampled_from([[10, 7, 5, 3, 2, 1], [3, 1], [2, 2, 1], [1, 0, -1]])),
        "table_weight": draw(st.sampled_from(weights.get(metric, ["none"]))),
        "drop_worst": drops,
        "count_best": best_of,
        "absence": draw(
            st.sampled_from(["none", "none", "none", "average", "average" if metric == "game_points" else "last"])
        ),
        "tie_breaks": draw(
            st.lists(
                st.sampled_from(["direct", "countback", "last_evening", "fewer_sessions", "opponents"]),
                unique=True,
                max_size=3,
            )
        ),
        "minimum_sessions": draw(st.sampled_from([1, 1, 2])),
    }


COLUMNS = [field.attname for field in Standing._meta.concrete_fields if not field.primary_key]
DAYS = st.integers(0, 3).map(lambda days: START + timedelta(days))


@st.composite
def tables(draw: st.DrawFn) -> dict[str, Any]:
    """The scores of a session of three to five players, by points (the most are best) or by places alone."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=3, max_size=5, unique=True))
    numbers = {name: draw(st.integers(0, 3)) for name in names}
    return {"numbers": numbers, "by_points": draw(st.booleans())}


STEPS = st.one_of(
    st.tuples(st.just("record"), DAYS, tables()),
    st.tuples(st.just("record"), DAYS, tables()),
    st.tuples(st.just("move"), DAYS, st.integers(0, 9)),
    st.tuples(st.just("rescore"), tables(), st.integers(0, 9)),
    st.tuples(st.just("void"), st.none(), st.integers(0, 9)),
    st.tuples(st.just("restore"), st.none(), st.integers(0, 9)),
    st.tuples(st.just("rules"), rules(), st.none()),
)


def _places(table: dict[str, Any]) -> dict[str, int]:
    numbers = table["numbers"]
    return {name: 1 + sum(other > own for other in numbers.values()) for name, own in numbers.items()}


def _as_given(table: dict[str, Any]) -> dict[str, Any]:
    scores = (
        [ScoreInput(name, points=points) for name, points in table["numbers"].items()]
        if table["by_points"]
        else [ScoreInput(name, place=place) for name, place in _places(table).items()]
    )
    seats = tuple(SeatInput(name) for name in table["numbers"])
    return {"players": seats, "rounds": (RoundInput("und-tschuess", tuple(scores)),)}


class Story:
    """What was given so far: session's id -> day, table, void."""

    def __init__(self, people: People) -> None:
        self.people, self.known = people, dict[int, dict[str, Any]]()
        self.by = people.access(people.owner)

    def take(self, kind: str, what: Any, which: Any) -> None:
        if kind == "rules":
            seasons.update_season(access=self.by, season_id=self.people.season.pk, changes=what, now=NOW)
            return
        if kind == "record":
            data = SessionInput(
                format="series", planned_rounds=1, season=SEASON, status="complete", played_on=what, **_as_given(which)
            )
            self.known[record(self.people, data).pk] = {"day": what, "table": which, "void": False}
            return
        if not self.known:
            return
        pk = list(self.known)[which % len(self.known)]
        one = self.known[pk]
        if kind in {"void", "restore"}:
            if one["void"] == (kind == "restore"):
                change = getattr(corrections, kind)
                change(access=self.by, session_id=pk, reason="A test", expected=None, now=NOW)
                one["void"] = kind == "void"
        elif not one["void"]:
            one.update({"day": what} if kind == "move" else {"table": what})
            changes = {"played_on": what} if kind == "move" else _as_given(what)
            corrections.correct(
                access=self.by,
                session_id=pk,
                changes=changes,
                reason="A test",
                expected=None,
                confirm=ANYTHING,
                now=NOW,
            )

    def played(self) -> list[Played]:
        found = []
        for pk, one in self.known.items():
            numbers, by_points = one["table"]["numbers"], one["table"]["by_points"]
            points = {name: number if by_points else None for name, number in numbers.items()}
            if not one["void"]:
                found.append(Played(pk, one["day"], _places(one["table"]), points))
        return found


def _stored(season: Season) -> dict[str, Counted]:
    season.refresh_from_db()
    return {
        row.player.name: Counted(
            rank=rank_of(row),
            sessions=row.sessions,
            place_total=row.place_total,
            wins=row.wins,
            counted=row.counted,
            absences=row.absences,
            value=Fraction(row.value).limit_denominator(10**4),
            game_points=row.game_points,
            place_counts={place: times for place, times in enumerate(row.place_counts, start=1) if times},
            last=(row.last_session.played_on, row.last_session_id, row.last_place),
        )
        for row in Standing.objects.table(season)
    }


@settings(
    max_examples=int(os.environ.get("TISCHLIGA_RULES_STORIES", "12")),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(first=rules(), steps=st.lists(STEPS, min_size=2, max_size=9))
def test_any_story_under_any_rules_is_a_recount(
    people: People, first: dict[str, Any], steps: list[tuple[str, Any, Any]]
) -> None:
    with transaction.atomic():
        story = Story(people)
        for step in [("rules", first, None), *steps]:
            story.take(*step)
            found = _stored(people.season)
            assert found == recount(people.season, story.played())
            # From the top, those without a rank behind.
            ranks = [line.rank for line in found.values()]
            assert ranks == sorted(ranks, key=lambda rank: rank or 10**6)
        assert standings.differences(season=people.season) == []
        before = list(Standing.objects.order_by("player").values(*COLUMNS))
        Standing.objects.filter(season=people.season).delete()
        seasons.recompute(season=people.season)
        assert list(Standing.objects.order_by("player").values(*COLUMNS)) == before
        transaction.set_rollback(True)
