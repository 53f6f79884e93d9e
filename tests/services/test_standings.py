"""Stored standings are what a full recount from scratch gives, whatever happened in whatever order."""

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
from league.services import seasons
from tests.people import NAMES, NOW, People
from tests.services.given import rank_of, record, series, table

pytestmark = pytest.mark.django_db

START = date(2026, 9, 1)
# (rank, name, sessions, sum of places, wins, day of the last session, last place)
Line = tuple[int | None, str, int, int, int, date, int]


def _naive_table(evenings: list[tuple[date, dict[str, int]]], metric: str, minimum: int) -> set[Line]:
    """Counted by hand from the places of the evenings, in the order in which they were entered."""
    lines = {}
    for name in NAMES:
        own = [(day, number, places[name]) for number, (day, places) in enumerate(evenings) if name in places]
        if own:
            lines[name] = (
                len(own),
                sum(place for _day, _number, place in own),
                sum(place == 1 for _day, _number, place in own),
                max(own)[0],
                max(own)[2],
            )

    def better(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
        if metric == "wins":
            return bool(one[2] > other[2])
        return Fraction(one[1], one[0]) < Fraction(other[1], other[0])

    ranked = [line for line in lines.values() if line[0] >= minimum]
    return {
        (1 + sum(better(other, line) for other in ranked) if line[0] >= minimum else None, name, *line)
        for name, line in lines.items()
    }


def _table(season: Season) -> list[Line]:
    season.refresh_from_db()
    return [
        (
            rank_of(row),
            row.player.name,
            row.sessions,
            row.place_total,
            row.wins,
            row.last_session.played_on,
            row.last_place,
        )
        for row in Standing.objects.table(season)
    ]


@st.composite
def evenings(draw: st.DrawFn) -> tuple[date, dict[str, int]]:
    names = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=6, unique=True))
    scores = {name: draw(st.integers(0, 3)) for name in names}
    places = {name: 1 + sum(other < own for other in scores.values()) for name, own in scores.items()}
    return START + timedelta(days=draw(st.integers(0, 5))), places


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    played=st.lists(evenings(), min_size=1, max_size=7),
    metric=st.sampled_from(("place_average", "wins")),
    minimum=st.integers(1, 3),
    change_at=st.integers(0, 7),
)
def test_a_full_recount_gives_the_same(
    people: People, played: list[tuple[date, dict[str, int]]], metric: str, minimum: int, change_at: int
) -> None:
    with transaction.atomic():
        # The rules change somewhere on the way: what came before follows, what comes after goes on from there.
        for number, (day, places) in enumerate(played):
            if number == change_at:
                _set(people, metric, minimum)
            record(people, replace(series(places), played_on=day))
        _set(people, metric, minimum)
        found = _table(people.season)
        assert set(found) == _naive_table(played, metric, minimum)
        # Best first, those without a rank behind.
        assert [line[0] for line in found] == sorted((line[0] for line in found), key=lambda rank: rank or 10**6)

        fields = [field.attname for field in Standing._meta.concrete_fields if not field.primary_key]
        before = list(Standing.objects.order_by("player").values_list(*fields))
        Standing.objects.filter(season=people.season).delete()
        seasons.recompute(season=people.season)
        assert list(Standing.objects.order_by("player").values_list(*fields)) == before
        transaction.set_rollback(True)


def _set(people: People, metric: str, minimum: int) -> None:
    seasons.update_season(
        access=people.access(people.owner),
        season_id=people.season.pk,
        changes={"ranking_metric": metric, "minimum_sessions": minimum},
        now=NOW,
    )


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
    "changes", [{"ranking_metric": "wins"}, {"minimum_sessions": 2}, {"missing_round": "exclude"}], ids=str
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
