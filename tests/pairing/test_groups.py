"""Groups: the snake, all groups side by side, who goes on, and finals that keep members of a group apart."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.pairing import round_robin
from league.pairing.brackets import Decision
from league.pairing.groups import Qualifier, advance, cross_over, divide, schedule
from league.pairing.single_elimination import single_elimination
from league.pairing.values import PairingError
from tests.pairing.playing import play


def qualifiers(text: str) -> list[Qualifier]:
    """ "A1 B1 A2": group A is 0, and so on; the entrant is 10 for A, 20 for B, and the place."""
    return [Qualifier(entrant=name(word), group=ord(word[0]) - ord("A"), place=int(word[1:])) for word in text.split()]


def name(word: str) -> int:
    return 10 * (ord(word[0]) - ord("A") + 1) + int(word[1:])


def first_round(seeding: Sequence[int]) -> list[str]:
    """The bracket's first round from top to bottom, as "A1-B2"; who has a bye stands alone."""
    said = {seed: f"{chr(ord('A') + entrant // 10 - 1)}{entrant % 10}" for seed, entrant in enumerate(seeding, 1)}
    matches = [match for match in single_elimination(len(seeding)).matches if match.round == 1]
    return ["-".join(said[source.seed] for source in match.sources if source.seed) for match in matches]


def meeting_round(seeding: Sequence[int], one: int, other: int) -> int:
    """The round in which the two meet if they win all before: by playing a bracket that they win."""

    def wins(_code: str, first: int, second: int) -> Decision:
        first, second = (first, second) if first in {one, other} else (second, first)
        return Decision(winner=first, loser=second)

    bracket = single_elimination(len(seeding))
    outcomes, _ = play(bracket, wins, seeding)
    (code,) = (code for code, outcome in outcomes.items() if {outcome.winner, outcome.loser} == {one, other})
    return bracket.match(code).round


# --- Into groups ------------------------------------------------------------------------------------------------------


def test_ten_by_the_snake_into_three() -> None:
    assert divide([*range(1, 11)], groups=3) == ((1, 6, 7), (2, 5, 8), (3, 4, 9, 10))


@pytest.mark.parametrize("groups", range(1, 10))
@pytest.mark.parametrize("entrants", [18, 19, 23, 36, 40])
def test_groups_are_of_equal_size_within_one_and_the_first_seeds_are_apart(groups: int, entrants: int) -> None:
    divided = divide(range(1, entrants + 1), groups=groups)
    assert sorted(entrant for group in divided for entrant in group) == list(range(1, entrants + 1))
    sizes = {len(group) for group in divided}
    assert max(sizes) - min(sizes) <= 1
    for pot in range(0, entrants, groups):  # each next `groups` seeds are all in different groups
        seeds = range(pot + 1, min(pot + groups, entrants) + 1)
        assert max(Counter(next(i for i, group in enumerate(divided) if seed in group) for seed in seeds).values()) == 1
    if entrants % (2 * groups) == 0:
        assert len({sum(group) for group in divided}) == 1


def test_groups_of_less_than_two_are_refused_with_the_reason() -> None:
    with pytest.raises(PairingError) as refused:
        divide([1, 2, 3], groups=2)
    assert (refused.value.reason.code, refused.value.reason.figures) == (
        "too_few_entrants",
        {"entrants": 3, "least": 4},
    )
    with pytest.raises(PairingError) as refused:
        divide([1, 2, 3], groups=0)
    assert refused.value.reason.code == "too_few_groups"
    with pytest.raises(PairingError) as refused:
        divide([1, 2, 2, 3], groups=1)
    assert refused.value.reason.code == "entrant_twice"


@pytest.mark.parametrize("double", [True, False])
def test_groups_are_played_side_by_side(double: bool) -> None:
    groups = ((1, 2, 3, 4), (5, 6, 7), (8, 9))
    rounds = schedule(groups, double=double)
    assert len(rounds) == (6 if double else 3)  # three entrants take three rounds as well
    for group in groups:
        alone = round_robin.schedule(group, double=double)
        tables = [table for one in rounds for table in one.tables if set(table) <= set(group)]
        assert tables == [table for one in alone for table in one.tables]
    assert [one.byes for one in rounds[:3]] == [(5,), (7,), (6,)]
    assert [reason.code for reason in rounds[0].reasons] == ["odd_number"]
    assert all(len({next(g for g in groups if seat in g) for seat in table}) == 1 for r in rounds for table in r.tables)
    with pytest.raises(PairingError) as refused:
        schedule(((1, 2), (2, 3)), double=double)
    assert refused.value.reason.entrants == (2,)


# --- Who goes on ------------------------------------------------------------------------------------------------------

RANKINGS = ((11, 12, 13, 14), (21, 22, 23, 24), (31, 32, 33))


def test_the_first_of_each_group_go_on_and_the_best_of_the_next() -> None:
    assert [one.entrant for one in advance(RANKINGS, per_group=2)] == [11, 21, 31, 12, 22, 32]
    third = advance(RANKINGS, per_group=2, best_next=2, across=[33, 13, 23])
    assert third[6:] == (Qualifier(entrant=33, group=2, place=3), Qualifier(entrant=13, group=0, place=3))
    assert [one.entrant for one in advance(RANKINGS, per_group=0, best_next=2, across=[21, 11, 31])] == [21, 11]


@pytest.mark.parametrize(
    ("asked", "code", "entrants"),
    [
        ({"per_group": 4}, "group_too_small", ()),
        ({"per_group": 2, "best_next": 1, "across": [13, 23]}, "not_next", (33,)),
        ({"per_group": 2, "best_next": 1, "across": [13, 23, 33, 14]}, "not_next", (14,)),
        ({"per_group": 2, "best_next": 1, "across": [13, 23, 33, 13]}, "entrant_twice", (13,)),
        ({"per_group": 3, "best_next": 3, "across": [14, 24]}, "too_few_next", ()),
        ({"per_group": 0}, "too_few_entrants", ()),
    ],
)
def test_who_cannot_go_on_is_refused_with_the_reason(
    asked: dict[str, int], code: str, entrants: tuple[int, ...]
) -> None:
    with pytest.raises(PairingError) as refused:
        advance(RANKINGS, **asked)  # type: ignore[arg-type]
    assert (refused.value.reason.code, refused.value.reason.entrants) == (code, entrants)


# --- Into the finals --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("going", "expected"),
    [
        ("A1 B1 A2 B2", ["A1-B2", "B1-A2"]),
        # With byes for A1 and B1: A2 must be in the half without A1, the others in that without B1 and C1.
        ("A1 B1 C1 A2 B2 C2", ["A1", "B2-C2", "B1", "C1-A2"]),
        ("A1 B1 A2 B2 A3 B3 A4 B4", ["A1-B4", "B2-A3", "B1-A4", "A2-B3"]),
    ],
)
def test_small_finals_as_drawn_by_hand(going: str, expected: list[str]) -> None:
    assert first_round(cross_over(qualifiers(going))) == expected


@pytest.mark.parametrize("groups", [2, 4, 8, 16])
def test_winners_meet_the_second_of_another_group(groups: int) -> None:
    letters = [chr(ord("A") + group) for group in range(groups)]
    going = qualifiers(" ".join(f"{letter}{place}" for place in (1, 2) for letter in letters))
    matches = first_round(cross_over(going))
    assert sorted(matches) == sorted(match for match in matches if match[1:3] == "1-" and match[-1] == "2")
    assert all(match[0] != match[3] for match in matches)


@pytest.mark.parametrize("groups", range(2, 13))
def test_the_two_of_a_group_can_meet_in_the_final_only(groups: int) -> None:
    going = [
        Qualifier(entrant=100 * place + group, group=group, place=place) for place in (1, 2) for group in range(groups)
    ]
    seeding = cross_over(going)
    assert [entrant // 100 for entrant in seeding] == [1] * groups + [2] * groups
    assert seeding[:groups] == tuple(range(100, 100 + groups)), "winners in the order given"
    last = next(rounds for rounds in range(1, 7) if 2**rounds >= len(seeding))
    for group in range(groups):
        assert meeting_round(seeding, 100 + group, 200 + group) == last


def earliest_first(seeding: Sequence[int], groups: dict[int, int]) -> list[int]:
    """How many pairs of one group meet in round 1, 2, and so on: less is better, the earlier rounds first."""
    rounds = Counter(
        meeting_round(seeding, one, other) for one, other in combinations(seeding, 2) if groups[one] == groups[other]
    )
    return [rounds[number] for number in range(1, 7)]


@pytest.mark.parametrize(
    "going",
    [
        "A1 B1 C1 A2 B2 C2",
        "A1 B1 C1 A2 B2 C2 A3",
        "A1 B1 A2 B2 A3 B3",
        "A1 B1 C1 D1 A2 B2 C2 D2 C3 B3",
        "A1 B1 C1 A2 B2 C2 A3 B3 C3",
        "A1 B1 C1 D1 A2 B2 C2 D2 B3 D3 B4 D4",
    ],
)
def test_no_other_order_of_the_last_of_each_keeps_groups_further_apart(going: str) -> None:
    qualified = qualifiers(going)
    seeding = cross_over(qualified)
    groups = {one.entrant: one.group for one in qualified}
    last = sorted(one.entrant for one in qualified if one.place == max(other.place for other in qualified))
    fixed = seeding[: len(seeding) - len(last)]
    best = min(earliest_first((*fixed, *order), groups) for order in permutations(last))
    assert earliest_first(seeding, groups) == best


@given(st.integers(2, 12), st.integers(1, 4))
@settings(max_examples=60, deadline=None)
def test_better_places_are_better_seeds_whatever_the_groups(groups: int, per_group: int) -> None:
    going = [
        Qualifier(entrant=place * 100 + group, group=group, place=place)
        for place in range(1, per_group + 1)
        for group in range(groups)
    ]
    seeding = cross_over(going)
    assert sorted(seeding) == sorted(one.entrant for one in going)
    places = [entrant // 100 for entrant in seeding]
    assert places == sorted(places)
    # In a bracket without byes nobody meets the own group in the first round while it has no more than half of it.
    if per_group > 1 and len(seeding) & (len(seeding) - 1) == 0:
        pairs = [match.sources for match in single_elimination(len(seeding)).matches if match.round == 1]
        assert all(seeding[one.seed - 1] % 100 != seeding[other.seed - 1] % 100 for one, other in pairs)


def test_finals_of_one_or_of_somebody_twice_are_refused() -> None:
    with pytest.raises(PairingError) as refused:
        cross_over(qualifiers("A1"))
    assert refused.value.reason.code == "too_few_entrants"
    with pytest.raises(PairingError) as refused:
        cross_over(qualifiers("A1 B1 A1"))
    assert refused.value.reason.entrants == (11,)
