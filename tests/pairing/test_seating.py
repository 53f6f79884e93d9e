"""Planned seatings: F is what theory says it can be, wishes are kept, and a seed is a plan."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.pairing.seating import Plan, plan_seating
from league.pairing.sizes import table_sizes
from league.pairing.values import PairingError, Wishes

# Players, preferred size, rounds, F: what a plan has to reach. Quick by construction or by a short search.
QUICK = [
    (9, 3, 4, 0),
    (15, 3, 7, 0),
    (18, 3, 8, 0),
    (21, 3, 10, 0),
    (8, 4, 7, 84),
    (12, 4, 6, 45),
    (12, 4, 11, 198),
    (16, 4, 5, 0),
    (16, 4, 6, 24),
    (20, 4, 5, 0),
    (24, 4, 6, 0),
    (24, 4, 7, 0),
    (27, 4, 7, 0),
    (28, 4, 8, 0),
    (28, 4, 9, 0),
    (32, 4, 9, 0),
    (25, 5, 6, 0),
    (30, 5, 6, 0),
    (35, 5, 7, 0),
    (18, 6, 6, 135),
    (36, 6, 3, 0),
    (36, 4, 11, 0),
    (40, 4, 13, 0),
    (48, 4, 15, 0),
    (100, 4, 10, 0),
    (200, 4, 10, 0),
]
# These use most of the budget; `make soak` tries them with several seeds.
LONG = [
    (13, 4, 6, 12),
    (14, 4, 6, 17),
    (17, 5, 6, 32),
    (22, 4, 6, 0),
    (23, 6, 6, 105),
    (25, 4, 7, 0),
    (26, 4, 7, 0),
]
SEEDS = range(int(os.environ.get("TISCHLIGA_SEATING_SEEDS", "0")))
SMALL = 20_000


def met(plan: Plan) -> Counter[tuple[int, int]]:
    return Counter(pair for one in plan.rounds for table in one for pair in combinations(sorted(table), 2))


def check(plan: Plan, players: Sequence[int], preferred: int, rounds: int) -> None:
    """What holds for any plan."""
    assert len(plan.rounds) == rounds
    for one in plan.rounds:
        assert sorted(player for table in one for player in table) == sorted(players)
        assert sorted(map(len, one), reverse=True) == list(table_sizes(len(players), preferred)) == list(plan.sizes)
    counts = met(plan)
    assert plan.repeats == sum(c * (c - 1) // 2 for c in counts.values()) >= plan.bound
    assert plan.largest == max(counts.values())
    assert plan.is_proven == (plan.repeats == plan.bound)
    short = Counter(p for one in plan.rounds for table in one if len(table) < max(plan.sizes) for p in table)
    assert plan.short == (min(short[p] for p in players), max(short[p] for p in players))
    seats = Counter((p, seat) for one in plan.rounds for table in one for seat, p in enumerate(table))
    for player in players:
        common = [seats[player, seat] for seat in range(min(plan.sizes))]
        assert max(common) - min(common) <= 1


@pytest.mark.parametrize(("players", "preferred", "rounds", "repeats"), QUICK)
def test_the_fewest_repeats(players: int, preferred: int, rounds: int, repeats: int) -> None:
    plan = plan_seating(range(1, players + 1), preferred, rounds, seed=1)
    check(plan, range(1, players + 1), preferred, rounds)
    assert (plan.repeats, plan.is_proven, plan.is_reproducible) == (repeats, True, True)


if SEEDS:  # as in `make soak`

    @pytest.mark.timeout(1200)
    @pytest.mark.parametrize(("players", "preferred", "rounds", "repeats"), QUICK + LONG)
    def test_the_fewest_repeats_with_any_seed(players: int, preferred: int, rounds: int, repeats: int) -> None:
        for seed in SEEDS:
            plan = plan_seating(range(players), preferred, rounds, seed=seed)
            check(plan, range(players), preferred, rounds)
            assert (plan.repeats, plan.is_proven) == (repeats, True)


@settings(max_examples=40, deadline=None)
@given(st.integers(3, 30), st.integers(3, 6), st.integers(1, 8), st.integers(0, 1000))
def test_any_numbers_are_seated(players: int, preferred: int, rounds: int, seed: int) -> None:
    ids = [7 * number + 3 for number in range(players)]
    plan = plan_seating(ids, preferred, rounds, seed=seed, budget=SMALL)
    check(plan, ids, preferred, rounds)


def test_first_players_and_seats_are_even() -> None:
    # 16 at 4s for five rounds: each seat is taken once or twice by each.
    plan = plan_seating(range(16), 4, 5, seed=3)
    seats = Counter((p, seat) for one in plan.rounds for table in one for seat, p in enumerate(table))
    assert {seats[p, seat] for p in range(16) for seat in range(4)} == {1, 2}


def test_short_tables_are_shared_out() -> None:
    # 27 at 4s: one table of three a round, 21 places in seven rounds: once or never.
    assert plan_seating(range(27), 4, 7, seed=2).short == (0, 1)
    # The lines of Fano's plane and what they leave, 3 + 4: everybody three times at the short table, each pair three
    # times together, once in a line and twice out of one.
    plan = plan_seating(range(7), 4, 7, seed=2, budget=200_000)
    assert (plan.repeats, plan.largest, plan.short) == (21 * 3, 3, (3, 3))


def test_a_seed_is_a_plan() -> None:
    one = plan_seating(range(13), 4, 6, seed=5, budget=SMALL)
    assert one == plan_seating(range(13), 4, 6, seed=5, budget=SMALL)
    assert one.rounds != plan_seating(range(13), 4, 6, seed=6, budget=SMALL).rounds


def test_a_plan_does_not_hang_on_the_order_of_sets() -> None:
    script = (
        "from league.pairing.seating import plan_seating;"
        "from league.pairing.values import Wishes;"
        "wishes = Wishes(apart=frozenset({(1, 2), (3, 5), (4, 6)}), together=frozenset({(7, 8)}));"
        "print(plan_seating(range(14), 4, 5, seed=1, wishes=wishes, budget=3000).rounds,"
        " plan_seating(range(14), 3, 5, seed=1, budget=3000).rounds)"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": number},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for number in "123"
    }
    assert len(printed) == 1


def test_progress_and_stopping() -> None:
    told: list[float] = []
    plan = plan_seating(range(17), 5, 6, seed=1, budget=50_000, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert all(0 <= share <= 1 for share in told)
    assert (plan.is_reproducible, plan.spent) == (True, 50_000)
    stopped = plan_seating(range(17), 5, 6, seed=1, budget=50_000, stop=lambda: True)
    assert not stopped.is_reproducible
    assert stopped.spent < 50_000
    check(stopped, range(17), 5, 6)
    # What is found at once needs nobody to stop it.
    assert plan_seating(range(16), 4, 5, seed=1, stop=lambda: True).is_reproducible


def test_wishes_are_kept() -> None:
    wishes = Wishes(
        apart=frozenset({(1, 2), (1, 3), (5, 9)}), together=frozenset({(3, 4), (10, 11)}), fixed={7: 2, 8: 2, 12: 4}
    )
    players = range(1, 15)
    plan = plan_seating(players, 4, 6, seed=1, wishes=wishes, budget=SMALL)
    check(plan, players, 4, 6)
    counts = met(plan)
    # 1 keeps away from 3, so from 4 who sits with 3.
    assert all(counts[pair] == 0 for pair in [(1, 2), (1, 3), (1, 4), (5, 9), (7, 12), (8, 12)])
    assert all(counts[pair] == 6 for pair in [(3, 4), (10, 11), (7, 8)])
    for one in plan.rounds:
        assert {7, 8} <= set(one[1])
        assert 12 in one[3]
    # Three pairs meet six times, 15 repeats each, which no plan can avoid.
    assert plan.bound >= 45


def test_pairs_apart_need_not_spoil_a_design() -> None:
    # 20 at 4s for five rounds: everybody meets 15 of 19, so there is room for these.
    wishes = Wishes(apart=frozenset({(0, 1), (0, 2), (5, 6), (7, 8)}))
    plan = plan_seating(range(20), 4, 5, seed=1, wishes=wishes)
    assert (plan.repeats, plan.method) == (0, "field")
    assert all(met(plan)[pair] == 0 for pair in wishes.apart)


def test_wishes_about_others_are_left_out() -> None:
    wishes = Wishes(apart=frozenset({(1, 99)}), together=frozenset({(98, 99)}), fixed={99: 50})
    assert plan_seating(range(1, 9), 4, 1, seed=1, wishes=wishes).repeats == 0


@pytest.mark.parametrize(
    ("players", "preferred", "rounds", "wishes", "code", "entrants"),
    [
        (range(8), 4, 0, Wishes(), "no_rounds", ()),
        ([1, 2, 3, 2], 4, 1, Wishes(), "player_twice", (2,)),
        (range(2), 4, 1, Wishes(), "too_few_players", ()),
        (range(8), 7, 1, Wishes(), "table_size_out_of_range", ()),
        (
            range(8),
            4,
            1,
            Wishes(together=frozenset({(1, 2), (2, 3)}), apart=frozenset({(1, 3)})),
            "wishes_contradict",
            (1, 3),
        ),
        (
            range(8),
            4,
            1,
            Wishes(fixed={1: 1, 2: 2}, together=frozenset({(1, 2)})),
            "wishes_contradict",
            (1, 2),
        ),
        (
            range(9),
            3,
            1,
            Wishes(together=frozenset({(1, 2), (2, 3), (3, 4)})),
            "together_too_many",
            (1, 2, 3, 4),
        ),
        (range(9), 3, 1, Wishes(fixed={1: 1, 2: 1, 3: 1, 4: 1}), "together_too_many", (1, 2, 3, 4)),
        (range(9), 3, 1, Wishes(fixed={1: 4}), "fixed_table_missing", (1,)),
        # Three who all keep apart need three tables.
        (range(8), 4, 2, Wishes(apart=frozenset({(0, 1), (0, 2), (1, 2)})), "wishes_not_met", (0, 1, 2)),
        # Three pairs don't fit at two tables of three.
        (
            range(10, 16),
            3,
            2,
            Wishes(together=frozenset({(10, 11), (12, 13), (14, 15)})),
            "wishes_not_met",
            (10, 11, 12, 13, 14, 15),
        ),
    ],
)
def test_what_is_impossible_is_refused(  # noqa: PLR0917 - a row of the table
    players: Sequence[int],
    preferred: int,
    rounds: int,
    wishes: Wishes,
    code: str,
    entrants: tuple[int, ...],
) -> None:
    with pytest.raises(PairingError) as refused:
        plan_seating(players, preferred, rounds, seed=1, wishes=wishes)
    assert (refused.value.reason.code, refused.value.reason.entrants) == (code, entrants)
