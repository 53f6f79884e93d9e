"""Statistics of players and games, each figure worked out by hand from the few sessions of the test.

Players are numbers: 1 Ann, 2 Ben, 3 Cem, 4 Dora, 5 Eva, 6 Finn.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.catalog import GAMES
from league.scoring.places import places as places_of
from league.scoring.statistics import (
    FORM,
    GameTally,
    Leader,
    Played,
    PlayerFigures,
    PlayerTally,
    Scored,
    Sitting,
    leaders,
    merged,
    relative_places,
    seat_figures,
)

ANN, BEN, CEM, DORA, EVA, FINN = 1, 2, 3, 4, 5, 6
MONDAY = date(2026, 9, 7)


def played(number: int, game: str, points: Mapping[int, int]) -> Played:
    """A round by points; players sit in the order in which they are given."""
    got = places_of(list(points.values()), high_wins=GAMES[game].high_wins)
    scores = [
        Scored(player, its, place, seat)
        for seat, ((player, its), place) in enumerate(zip(points.items(), got, strict=True))
    ]
    return Played(number, game, scores)


def by_places(number: int, places: Mapping[int, int], game: str = "xxl-6-plus") -> Played:
    return Played(number, game, [Scored(player, None, place) for player, place in places.items()])


def sitting(
    places: Mapping[int, int],
    *rounds: Played,
    session: int = 1,
    day: date = MONDAY,
    sums: Mapping[int, int] | None = None,
    **fields: Any,
) -> Sitting:
    given_fields = {"format": "individual_xxl", "is_complete": True, **fields}
    return Sitting(session, day, places=places, sums=sums or {}, rounds=rounds, **given_fields)


def figures_of(player: int, sittings: Sequence[Sitting]) -> PlayerFigures:
    tally = PlayerTally(player, GAMES)
    for one in sittings:
        tally.add(one)
    found = tally.figures()
    assert found is not None
    return found


def codes(player: int, *sittings: Sitting) -> dict[str, tuple[str, int]]:
    return {one["code"]: (one["day"], one["session"]) for one in figures_of(player, sittings)["achievements"]}


# --- Relative places --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        ({ANN: 1, BEN: 2}, {ANN: 0, BEN: 1}),
        ({ANN: 1, BEN: 2, CEM: 3}, {ANN: 0, BEN: 1 / 2, CEM: 1}),
        # Ann and Ben are level: of three opponents none is better and one equal, half of one third.
        ({ANN: 1, BEN: 1, CEM: 3, DORA: 4}, {ANN: 1 / 6, BEN: 1 / 6, CEM: 2 / 3, DORA: 1}),
        ({ANN: 1, BEN: 1, CEM: 1}, {ANN: 1 / 2, BEN: 1 / 2, CEM: 1 / 2}),
        ({ANN: 1}, {}),
        ({}, {}),
    ],
)
def test_relative_places(places: dict[int, int], expected: dict[int, float]) -> None:
    assert relative_places(places) == pytest.approx(expected)


@given(st.lists(st.integers(0, 5), min_size=2, max_size=8))
def test_relative_places_are_one_half_on_average_at_every_table(points: list[int]) -> None:
    places = dict(enumerate(places_of(points, high_wins=True)))
    assert sum(relative_places(places).values()) / len(points) == pytest.approx(1 / 2)


# --- Players ----------------------------------------------------------------------------------------------------------

# Three evenings a week apart: Ann is 1st of 3, then level at the top with Ben, then last of 4.
EVENINGS = [
    sitting(
        {ANN: 1, BEN: 2, CEM: 3},
        played(1, "xxl-1", {ANN: 0, BEN: 10, CEM: 20}),  # places 1 2 3
        played(2, "xxl-3", {ANN: 30, BEN: 30, CEM: 40}),  # most points win: 2 2 1
        session=11,
        day=MONDAY,
    ),
    sitting({ANN: 1, BEN: 1}, played(1, "xxl-1", {BEN: 0, ANN: 12}), session=12, day=MONDAY + timedelta(7)),
    sitting(
        {ANN: 4, BEN: 1, CEM: 2, DORA: 3},
        played(1, "xxl-1", {ANN: 40, BEN: 0, CEM: 5, DORA: 9}),
        session=13,
        day=MONDAY + timedelta(14),
    ),
]


def test_totals_form_and_places() -> None:
    found = figures_of(ANN, EVENINGS)
    assert found["totals"] == {
        "sessions": 3,
        "placed": 3,
        "wins": 2,  # a shared first place is one
        "front": 1,  # nobody was behind in the second
        "relative": pytest.approx((0 + 1 / 2 + 1) / 3),
        "rounds": 4,
        "round_wins": 1,
        "first_day": "2026-09-07",
        "last_day": "2026-09-21",
    }
    assert [(one["session"], one["place"], one["players"]) for one in found["form"]] == [
        (11, 1, 3),
        (12, 1, 2),
        (13, 4, 4),
    ]
    # Rounds: 1st, 2nd, 2nd, 4th.
    assert found["places"] == {"sessions": [2, 0, 0, 1], "rounds": [1, 2, 0, 1]}


def test_the_form_curve_has_the_last_sessions() -> None:
    many = [sitting({ANN: 1 + number % 2, BEN: 2 - number % 2}, session=number) for number in range(1, FORM + 6)]
    found = figures_of(ANN, many)["form"]
    assert [one["session"] for one in found] == list(range(6, FORM + 6))


def test_meetings_with_each_opponent() -> None:
    found = {one["player"]: one for one in figures_of(ANN, EVENINGS)["opponents"]}
    assert list(found) == [BEN, CEM, DORA]  # met most often first
    assert found[BEN]["sessions"] == {"met": 3, "before": 1, "level": 1, "behind": 1}
    # xxl-1: before; xxl-3: level; then behind twice.
    assert found[BEN]["rounds"] == {"met": 4, "before": 1, "level": 1, "behind": 2}
    assert found[CEM]["sessions"] == {"met": 2, "before": 1, "level": 0, "behind": 1}
    assert found[DORA]["rounds"] == {"met": 1, "before": 0, "level": 0, "behind": 1}


def test_what_one_met_before_the_other_met_behind() -> None:
    ann = {one["player"]: one for one in figures_of(ANN, EVENINGS)["opponents"]}[BEN]
    ben = {one["player"]: one for one in figures_of(BEN, EVENINGS)["opponents"]}[ANN]
    for own, other in ((ann["sessions"], ben["sessions"]), (ann["rounds"], ben["rounds"])):
        assert (own["met"], own["before"], own["level"]) == (other["met"], other["behind"], other["level"])


def test_strengths_game_by_game() -> None:
    first, third = figures_of(ANN, EVENINGS)["games"]
    # Up and Down: 1st of 3, 2nd of 2, 4th of 4; the fewest points are best.
    assert (first["game"], first["sessions"], first["rounds"], first["placed"], first["wins"]) == ("xxl-1", 3, 3, 3, 1)
    assert first["relative"] == pytest.approx((0 + 1 + 1) / 3)
    assert first["best"] == {"points": 0, "day": "2026-09-07", "session": 11}
    assert first["worst"] == {"points": 40, "day": "2026-09-21", "session": 13}
    # Allow to Refuse: level with Ben behind Cem, so (1 + 1/2) of two opponents.
    assert (third["game"], third["relative"], third["wins"]) == ("xxl-3", 3 / 4, 0)


def test_the_first_of_equal_bests_counts() -> None:
    twice = [
        sitting({}, played(1, "xxl-3", {ANN: 50, BEN: 1}), session=1),
        sitting({}, played(1, "xxl-3", {ANN: 50, BEN: 1}), session=2),
    ]
    best = figures_of(ANN, twice)["games"][0]["best"]
    assert best is not None
    assert best["session"] == 1


def test_games_by_places_alone_have_no_points() -> None:
    (game,) = figures_of(ANN, [sitting({ANN: 1, BEN: 2}, by_places(1, {ANN: 1, BEN: 2}))])["games"]
    assert (game["best"], game["worst"], game["wins"]) == (None, None, 1)


def test_a_table_that_plays_together_has_no_places() -> None:
    together = Played(1, "the-game", [Scored(ANN, 7, None, 0), Scored(BEN, 7, None, 1)])
    found = figures_of(ANN, [sitting({}, together, format="single_game")])
    assert (found["totals"]["sessions"], found["totals"]["placed"], found["totals"]["relative"]) == (1, 0, None)
    assert found["opponents"] == []
    (game,) = found["games"]
    assert (game["rounds"], game["placed"], game["relative"]) == (1, 0, None)
    assert game["best"] == {"points": 7, "day": "2026-09-07", "session": 1}


def test_a_single_place_is_no_win() -> None:
    found = figures_of(ANN, [sitting({ANN: 1})])
    assert (found["totals"]["placed"], found["totals"]["wins"], found["form"]) == (0, 0, [])


def test_nobody_who_never_played_has_figures() -> None:
    assert PlayerTally(ANN, GAMES).figures() is None


# --- Streaks ----------------------------------------------------------------------------------------------------------


def _row(places: Sequence[int], days: Sequence[int] | None = None) -> list[Sitting]:
    """Sessions in which Ann has these places of four, on these days counted from the first Monday."""
    found = []
    for number, place in enumerate(places):
        others = [one for one in (1, 2, 3, 4) if one != place]
        day = MONDAY + timedelta(days[number] if days is not None else 7 * number)
        found.append(
            sitting({ANN: place, **dict(zip((BEN, CEM, DORA), others, strict=True))}, session=number + 1, day=day)
        )
    return found


def test_wins_and_places_in_front_in_a_row() -> None:
    streaks = figures_of(ANN, _row([1, 1, 2, 4, 1, 3]))["streaks"]
    assert streaks["wins"] == {
        "longest": {"length": 2, "since": "2026-09-07", "until": "2026-09-14"},
        "current": None,
    }
    assert streaks["front"] == {
        "longest": {"length": 3, "since": "2026-09-07", "until": "2026-09-21"},
        "current": {"length": 2, "since": "2026-10-05", "until": "2026-10-12"},
    }


def test_the_earlier_of_equal_streaks_is_the_longest() -> None:
    longest = figures_of(ANN, _row([1, 2, 1]))["streaks"]["wins"]["longest"]
    assert longest == {"length": 1, "since": "2026-09-07", "until": "2026-09-07"}


def test_the_third_of_three_is_not_in_front() -> None:
    streaks = figures_of(ANN, [sitting({ANN: 3, BEN: 1, CEM: 2})])["streaks"]
    assert streaks["front"] == {"longest": None, "current": None}


def test_weeks_in_a_row() -> None:
    # Monday and Sunday of one week, Tuesday of the next, then a week without.
    weeks = figures_of(ANN, _row([4, 4, 4, 4], days=[0, 6, 8, 21]))["streaks"]["weeks"]
    assert weeks == {
        "longest": {"length": 2, "since": "2026-09-07", "until": "2026-09-15"},
        "current": {"length": 1, "since": "2026-09-28", "until": "2026-09-28"},
    }


# --- Achievements -----------------------------------------------------------------------------------------------------


def test_first_win_and_hat_trick_are_dated() -> None:
    found = codes(ANN, *_row([2, 1, 1, 1, 1]))
    assert found["first_win"] == ("2026-09-14", 2)
    assert found["hat_trick"] == ("2026-09-28", 4)


def test_photo_finish() -> None:
    three = [by_places(number, {ANN: 1, BEN: 2, CEM: 3}) for number in (1, 2, 3)]

    def won(rounds: Sequence[Played], **sums: int) -> set[str]:
        by_id = {ANN: sums["ann"], BEN: sums["ben"], CEM: sums["cem"]}
        places = dict(zip(by_id, places_of(list(by_id.values()), high_wins=False), strict=True))
        return set(codes(ANN, sitting(places, *rounds, sums=by_id)))

    assert "photo_finish" in won(three, ann=5, ben=6, cem=7)
    assert "photo_finish" not in won(three, ann=4, ben=6, cem=8)
    assert "photo_finish" not in won(three, ann=5, ben=5, cem=8), "level is no finish by one"
    assert "photo_finish" not in won(three[:2], ann=3, ben=4, cem=5)


def test_table_of_six() -> None:
    six = {ANN: 1, BEN: 2, CEM: 3, DORA: 4, EVA: 5, FINN: 6}
    assert "table_of_six" in codes(ANN, sitting(six))
    assert "table_of_six" not in codes(BEN, sitting(six))
    assert "table_of_six" not in codes(ANN, sitting({ANN: 1, BEN: 2, CEM: 3, DORA: 4, EVA: 5}))


def _evening(places: Sequence[Mapping[int, int]], **fields: Any) -> Sitting:
    rounds = [by_places(number, its, f"xxl-{number}") for number, its in enumerate(places, 1)]
    return sitting({ANN: 1, BEN: 2, CEM: 3}, *rounds, **{"format": "pure_xxl", **fields})


FIRST = {ANN: 1, BEN: 2, CEM: 3}
LAST = {ANN: 3, BEN: 1, CEM: 2}


def test_perfect_evening() -> None:
    assert "perfect_evening" in codes(ANN, _evening([FIRST] * 6))
    assert "perfect_evening" not in codes(ANN, _evening([FIRST] * 5 + [LAST]))
    assert "perfect_evening" not in codes(ANN, _evening([FIRST] * 5, is_complete=False))
    assert "perfect_evening" not in codes(ANN, _evening([FIRST] * 6, format="individual_xxl"))
    # Not there for the last game.
    assert "perfect_evening" not in codes(ANN, _evening([FIRST] * 5 + [{BEN: 1, CEM: 2}]))


def test_all_six_games_won_takes_as_long_as_it_takes() -> None:
    found = codes(ANN, _evening([FIRST] * 5 + [LAST], session=1), _evening([LAST] * 5 + [FIRST], session=2))
    assert found["all_xxl_won"][1] == 2
    assert "all_xxl_won" not in codes(ANN, _evening([FIRST] * 5 + [LAST]))


def test_comeback() -> None:
    assert "comeback" in codes(ANN, _evening([LAST, LAST, LAST, FIRST, FIRST, FIRST]))
    # Ann 6, Ben 6, Cem 6 after three: nobody was last.
    turns = [{ANN: 1, BEN: 2, CEM: 3}, {ANN: 2, BEN: 3, CEM: 1}, {ANN: 3, BEN: 1, CEM: 2}]
    assert "comeback" not in codes(ANN, _evening([*turns, FIRST, FIRST, FIRST]))
    # Ann 7, Ben 4, Cem 7: last together is last.
    level = [{ANN: 3, BEN: 1, CEM: 2}, {ANN: 3, BEN: 1, CEM: 2}, {ANN: 1, BEN: 2, CEM: 3}]
    assert "comeback" in codes(ANN, _evening([*level, FIRST, FIRST, FIRST]))
    # Three rounds are all there are.
    assert "comeback" not in codes(ANN, _evening([LAST, LAST, LAST]))


def test_comeback_compares_those_who_played_all_three() -> None:
    without_ben = [LAST, LAST, {ANN: 2, CEM: 1}]
    assert "comeback" not in codes(ANN, _evening([*without_ben, FIRST, FIRST, FIRST])), "two were left to compare"


def test_ten_opponents() -> None:
    nine = [sitting({ANN: 1, other: 2}, session=other) for other in range(2, 11)]
    assert "ten_opponents" not in codes(ANN, *nine)
    assert codes(ANN, *nine, sitting({ANN: 1, 11: 2}, session=99))["ten_opponents"][1] == 99
    # Against one of the ten never before.
    assert "ten_opponents" not in codes(ANN, *nine, sitting({ANN: 2, 11: 1}, session=99))


def test_nothing_left() -> None:
    def cards(left: int) -> Sitting:
        return sitting({}, Played(1, "the-game", [Scored(ANN, left, None), Scored(BEN, left, None)]))

    assert "nothing_left" in codes(ANN, cards(0))
    assert "nothing_left" not in codes(ANN, cards(1))
    assert "nothing_left" not in codes(ANN, sitting({}, played(1, "xxl-1", {ANN: 0, BEN: 9})))


def test_ten_fifty_a_hundred_sessions() -> None:
    found = codes(ANN, *[sitting({}, session=number) for number in range(1, 101)])
    assert {code: session for code, (_day, session) in found.items()} == {
        "ten_sessions": 10,
        "fifty_sessions": 50,
        "hundred_sessions": 100,
    }


def test_figures_are_json() -> None:
    found = figures_of(ANN, EVENINGS)
    assert json.loads(json.dumps(found)) == found


# --- Games ------------------------------------------------------------------------------------------------------------


def game_of(game: str, *rounds: tuple[int, date, Played], bots: Sequence[int] = ()) -> Any:
    tally = GameTally(GAMES[game])
    for session, day, one in rounds:
        tally.add(one, session=session, day=day, holders=lambda player: player not in bots)
    return tally.figures()


DAY_2 = MONDAY + timedelta(1)
THREE = (
    (1, MONDAY, played(1, "xxl-3", {ANN: 30, BEN: 20, CEM: 25})),
    (1, MONDAY, played(2, "xxl-3", {ANN: 10, BEN: 60, CEM: 18})),
    (2, DAY_2, played(1, "xxl-3", {CEM: 60, DORA: 58, ANN: 55, BEN: 50})),
)


def test_records_of_a_game() -> None:
    found = game_of("xxl-3", *THREE)
    assert (found["rounds"], found["sessions"], found["first_day"], found["last_day"]) == (
        3,
        2,
        "2026-09-07",
        "2026-09-08",
    )
    assert found["tables"] == {"3": 2, "4": 1}
    # 60 was reached by Ben first and by Cem again.
    ben = {"points": 60, "times": 2, "day": "2026-09-07", "session": 1, "round": 2, "players": [BEN]}
    assert found["highest"] == ben
    assert (found["lowest"]["points"], found["lowest"]["players"]) == (10, [ANN])
    # First to last: 10, 50, 10; the earlier of the equal ones stands.
    assert (found["closest"]["points"], found["closest"]["times"], found["closest"]["players"]) == (
        10,
        2,
        [ANN, CEM, BEN],
    )
    # First to second: 5, 42, 2.
    assert (found["clearest"]["points"], found["clearest"]["players"]) == (42, [BEN])


def test_bots_hold_no_record_of_people() -> None:
    found = game_of("xxl-3", *THREE, bots=[BEN])
    assert (found["highest"]["points"], found["highest"]["players"]) == (60, [CEM])


def test_a_shared_win_is_not_clear_and_two_are_not_close() -> None:
    found = game_of("xxl-3", (1, MONDAY, played(1, "xxl-3", {ANN: 30, BEN: 30})))
    assert (found["clearest"], found["closest"]) == (None, None)
    assert found["highest"]["players"] == [ANN, BEN]


def test_records_of_a_table_that_plays_together_are_the_tables() -> None:
    together = Played(1, "the-game", [Scored(ANN, 7, None, 0), Scored(BEN, 7, None, 1)])
    found = game_of("the-game", (1, MONDAY, together))
    assert (found["lowest"]["points"], found["lowest"]["times"], found["lowest"]["players"]) == (7, 1, [ANN, BEN])
    assert (found["seats"], found["closest"], found["clearest"]) == ({}, None, None)


def test_parts_of_a_games_rounds_make_the_whole() -> None:
    parts = [game_of("xxl-3", *THREE[:2]), game_of("xxl-3", *THREE[2:])]
    assert merged(parts) == game_of("xxl-3", *THREE)
    assert merged(reversed(parts)) == game_of("xxl-3", *THREE)
    assert merged([]) is None


def test_seats_with_their_uncertainty() -> None:
    # Seat 1 of two: first, first, last, first. Mean relative place 1/4; the squares of the deviations are
    # 3 * 1/16 + 9/16 = 3/4, by 3 a variance of 1/4, so an error of 1/2 by the root of 4.
    points = [{ANN: 9, BEN: 1}, {ANN: 9, BEN: 1}, {ANN: 1, BEN: 9}, {ANN: 9, BEN: 1}]
    found = game_of("xxl-3", *[(number, MONDAY, played(1, "xxl-3", its)) for number, its in enumerate(points, 1)])
    first, second = seat_figures(found["seats"])
    assert (first.seat, first.rounds, first.relative, first.error) == (0, 4, 1 / 4, 1 / 4)
    assert (second.seat, second.relative, second.error) == (1, 3 / 4, 1 / 4)
    assert not first.differs, "a quarter off is one error, not two"


def test_a_seat_that_always_wins_differs_and_few_rounds_say_nothing() -> None:
    once = game_of("xxl-3", (1, MONDAY, played(1, "xxl-3", {ANN: 9, BEN: 1})))
    first, _second = seat_figures(once["seats"])
    assert (first.error, first.differs) == (None, False)
    for rounds, differs in ((2, False), (9, False), (10, True)):
        alike = [(number, MONDAY, played(1, "xxl-3", {ANN: 9, BEN: 1})) for number in range(rounds)]
        first, _second = seat_figures(game_of("xxl-3", *alike)["seats"])
        assert (first.error, first.differs) == (0, differs)


def test_seats_stand_in_their_order() -> None:
    sums = {str(seat): {"rounds": 1, "total": 0.5, "squares": 0.25} for seat in (10, 2, 0)}
    assert [one.seat for one in seat_figures(sums)] == [0, 2, 10]  # type: ignore[arg-type]  # as read from JSON


# --- Leaders ----------------------------------------------------------------------------------------------------------


def _leader(player: int, value: float, since: str = "2026-01-01") -> Leader:
    return {"player": player, "value": value, "since": since, "until": ""}


def test_the_best_with_those_level_with_the_last_of_them() -> None:
    entries = [_leader(ANN, 3), _leader(BEN, 5), _leader(CEM, 3), _leader(DORA, 1), _leader(EVA, 0)]
    assert [one["player"] for one in leaders(entries, most=2)] == [BEN, ANN, CEM]
    assert [one["player"] for one in leaders(entries, most=5)] == [BEN, ANN, CEM, DORA], "nothing is no merit"
    assert [one["player"] for one in leaders(entries, most=1, lowest=True)] == [EVA]
    assert leaders([], most=3) == []


def test_the_earlier_of_equal_ones_comes_first() -> None:
    entries = [_leader(ANN, 3, "2026-02-01"), _leader(BEN, 3, "2026-01-01")]
    assert [one["player"] for one in leaders(entries, most=1)] == [BEN, ANN]
