"""Why a player stands where: the same numbers as are stored, and each tie-break in a table worked by hand."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from league.models import Player, Season, Standing
from league.scoring.standings import sort_key
from league.services import corrections, explanations, seasons
from league.services.errors import NotFound
from league.services.explanations import Explanation
from tests.people import NOW, People
from tests.services.given import rank_of, record, series
from tests.services.test_standings import STEPS, Story, rules

# The numbers are made without a database.
pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def explain(season: Season, name: str) -> Explanation:
    season.refresh_from_db()
    player = Player.objects.get(club=season.club, name=name)
    return explanations.explain(season=season, player_id=player.pk, naming=lambda one: one.name)


def _set(people: People, **changes: Any) -> None:
    seasons.update_season(access=people.access(people.admin), season_id=people.season.pk, changes=changes, now=NOW)


@settings(
    max_examples=10,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(first=rules(), steps=st.lists(STEPS, min_size=2, max_size=8))
def test_any_story_is_explained_by_what_is_stored(
    people: People, first: dict[str, Any], steps: list[tuple[str, Any, Any]]
) -> None:
    with transaction.atomic():
        story = Story(people)
        story.take("rules", first, None)
        for step in steps:
            story.take(*step)
        people.season.refresh_from_db()
        table = list(Standing.objects.table(people.season))
        ranks = [rank_of(row) for row in table]
        for row, rank in zip(table, ranks, strict=True):
            found = explain(people.season, row.player.name)
            assert found.derivation is not None
            line = found.derivation.line
            assert (found.rank, line.sessions, line.counted, line.absences) == (
                *(rank, row.sessions, row.counted, row.absences),
            )
            assert (float(line.value), sort_key(line, people.season.ranking_rules)) == (row.value, row.sort_key)
            assert len(found.derivation.terms) == row.counted
            mean = people.season.ranking_metric == "place_average" and row.counted
            assert found.derivation.total / (row.counted if mean else 1) == line.value
            others = [one for one in ranks if one is not None]
            assert len(found.sharing) == (others.count(rank) - 1 if rank else 0)
            above = [one for one in others if rank is not None and one < rank]
            below = [one for one in others if rank is not None and one > rank]
            assert (found.above.rank if found.above else None) == max(above, default=None)
            assert (found.below.rank if found.below else None) == min(below, default=None)
        transaction.set_rollback(True)


# --- Tables worked by hand ------------------------------------------------------------------------------------------


def _tied(people: People, *tie_breaks: str) -> None:
    """Ann 1, 3, 2; Ben 2, 1, 3; Cem 3, 2, 1: 2 on average for each. Dora is last each time."""
    for number, places in enumerate(
        ({"Ann": 1, "Ben": 2, "Cem": 3}, {"Ben": 1, "Cem": 2, "Ann": 3}, {"Cem": 1, "Ann": 2, "Ben": 3}), start=1
    ):
        record(people, replace(series({**places, "Dora": 4}), played_on=date(2026, 10, number)))
    _set(people, tie_breaks=list(tie_breaks))


def test_neighbours_by_value(people: People) -> None:
    _tied(people)
    found = explain(people.season, "Dora")
    assert (found.rank, found.ranked, found.value) == (4, 4, 4.0)
    assert found.text == "Dora has rank 4 of 4."
    assert found.above is not None
    assert found.above.tie is None
    assert found.above.text == "Cem stands before Dora by the value: 2.00 against 4.00."
    assert found.below is None
    assert found.derivation is not None
    assert found.derivation.arithmetic == "(4 + 4 + 4) / 3 = 4"


def test_a_shared_rank(people: People) -> None:
    _tied(people)
    found = explain(people.season, "Ben")
    assert found.text == "Ben shares rank 1 of 4 with Ann, Cem, whose value is the same."
    assert (found.above, [one.name for one in found.sharing]) == (None, ["Ann", "Cem"])
    # Each has one first, second and third place, and beat the others once.
    _set(people, tie_breaks=["direct", "countback", "fewer_sessions"])
    assert explain(people.season, "Ben").text == "Ben shares rank 1 of 4 with Ann, Cem: equal in every tie-break, too."


def test_the_last_evening_parts_them(people: People) -> None:
    """On 3 October Cem was first, Ann second, Ben third."""
    _tied(people, "direct", "last_evening")
    found = explain(people.season, "Ann")
    assert found.rank == 2
    assert found.above is not None
    assert found.below is not None
    assert found.above.text == (
        "Cem and Ann have the same value, 2.00. The tie-break “best place on the last evening” puts Cem before Ann: "
        "place 1 on 3 Oct 2026 against place 2 on 3 Oct 2026."
    )
    assert (found.below.player.name, found.below.tie and found.below.tie.code) == ("Ben", "last_evening")


def test_direct_comparison_and_countback(people: People) -> None:
    """Ann 1, 3 and Ben 2, 2 at one table of three, another time 1, 3 and 2, 2: 2 on average. Each was before the other
    once, so only the first place tells."""
    record(people, series({"Ann": 1, "Ben": 2, "Cem": 3}))
    record(people, series({"Cem": 1, "Ben": 2, "Ann": 3}))
    record(people, series({"Cem": 1, "Dora": 2}))
    _set(people, tie_breaks=["direct", "countback"])
    above = explain(people.season, "Ben").above
    assert above is not None
    assert above.tie is not None
    assert (above.player.name, above.tie.code) == ("Ann", "countback")
    assert (above.tie.above, above.tie.below) == ("1 time place 1", "0 times place 1")
    # One more table at which Ben is before Ann, both for 2 on average again: 5 sessions of Ben against Ann's.
    record(people, series({"Dora": 1, "Ben": 2, "Ann": 2}))
    record(people, series({"Dora": 1, "Ben": 1, "Ann": 3}))
    record(people, series({"Ann": 1, "Ben": 3, "Cem": 2}))
    # Ann 1 3 2 3 1, Ben 2 2 2 1 3: 10 each. Before the other: Ann twice, Ben twice, level once.
    above = explain(people.season, "Ben").above
    assert above is not None
    assert above.tie is not None
    assert above.tie.code == "countback"


def test_thirds_are_rounded(people: People) -> None:
    """Ann 1, 1, 3 and Ben 2, 2, 1: 5/3 each. Ann was before Ben in two of three meetings."""
    record(people, series({"Ann": 1, "Ben": 2}))
    record(people, series({"Ann": 1, "Ben": 2}))
    record(people, series({"Ben": 1, "Cem": 2, "Ann": 3}))
    _set(people, tie_breaks=["direct"])
    above = explain(people.season, "Ben").above
    assert above is not None
    assert above.tie is not None
    assert (above.player.name, above.tie.above, above.tie.below) == ("Ann", "0.67", "0.33")


def test_fewer_sessions_and_opponents(people: People) -> None:
    """Ann has place 1 of two twice, Ben once. Ann's opponents were Cem (place 2 each time)."""
    record(people, series({"Ann": 1, "Cem": 2}))
    record(people, series({"Ann": 1, "Cem": 2}))
    record(people, series({"Ben": 1, "Dora": 2, "Eva": 3}))
    _set(people, tie_breaks=["fewer_sessions"])
    below = explain(people.season, "Ben").below
    assert below is not None
    assert below.tie is not None
    assert (below.player.name, below.tie.above, below.tie.below) == ("Ann", "1 session", "2 sessions")
    # Ben's opponents have 2 and 3 on average, 2.5 together.
    _set(people, tie_breaks=["opponents"])
    above = explain(people.season, "Ben").above
    assert above is not None
    assert above.tie is not None
    assert above.tie.above == "opponents with a place average of 2.00"
    assert above.tie.below == "opponents with a place average of 2.50"


def test_somebody_without_a_rank_stands_in_no_tie(people: People) -> None:
    """Ann 1 3, Ben 2 2, Eva one second place: 2 each; two sessions are needed. The first place parts Ann from Ben."""
    record(people, series({"Ann": 1, "Ben": 2, "Cem": 3}))
    record(people, series({"Cem": 1, "Ben": 2, "Ann": 3}))
    record(people, series({"Cem": 1, "Eva": 2}))
    _set(people, tie_breaks=["fewer_sessions", "countback"], minimum_sessions=2)
    above = explain(people.season, "Ben").above
    assert above is not None
    assert above.tie is not None
    assert (above.player.name, above.tie.code, above.tie.above) == ("Ann", "countback", "1 time place 1")
    eva = explain(people.season, "Eva")
    assert (eva.rank, eva.above, eva.below) == (None, None, None)
    assert eva.text == "A rank needs 2 sessions that count; Eva has 1."


def test_what_brings_nothing(people: People) -> None:
    """Cem left after the first round: no place by these rules. What was ended early does not count."""
    _set(people, missing_round="exclude", incomplete_sessions="skip")
    data = series({"Cem": 1, "Ann": 2, "Ben": 3}, {"Ann": 1, "Ben": 2}, status="complete")
    seats = (data.players[0], data.players[1], data.players[2])
    left = record(people, replace(data, players=(replace(seats[0], until_round=1), *seats[1:])))
    early = record(people, series({"Ann": 1, "Ben": 2}, planned=3, status="incomplete"))
    found = explain(people.season, "Cem")
    assert found.text == "Cem does not stand in this table: no session of theirs counts."
    assert (found.derivation, found.rank, found.value) == (None, None, None)
    assert [(one.session, one.text) for one in found.left_out] == [(left.pk, "missed a round")]
    assert [(one.session, one.text) for one in explain(people.season, "Ann").left_out] == [(early.pk, "ended early")]
    corrections.void(access=people.access(people.owner), session_id=left.pk, reason="A test", expected=None, now=NOW)
    with pytest.raises(NotFound):
        explain(people.season, "Cem")


def test_only_who_sat_there_is_explained(people: People) -> None:
    _tied(people)
    for stranger in (people.other_players[0].pk, people.players[5].pk, 10**9):
        with pytest.raises(NotFound):
            explanations.explain(season=people.season, player_id=stranger, naming=str)


def test_no_session_has_points(people: People) -> None:
    record(people, series({"Ann": 1, "Ben": 2}))
    _set(people, ranking_metric="game_points")
    found = explain(people.season, "Ann")
    assert (found.rank, found.value, found.text) == (None, None, "Ann has no rank: no session has points.")


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"drop_worst": 1}, "dropped: the worst result does not count"),
        ({"count_best": 2}, "dropped: only the best 2 results count"),
    ],
)
def test_why_an_item_does_not_count(people: People, changes: dict[str, int], told: str) -> None:
    """Ann 1, 3, 2: the third place goes."""
    _tied(people)
    _set(people, **changes)
    found = explain(people.season, "Ann")
    assert found.derivation is not None
    assert [explanations.item_told(people.season, one) for one in found.derivation.items] == ["counts", told, "counts"]
    assert found.derivation.arithmetic == "(1 + 2) / 2 = 3/2"
