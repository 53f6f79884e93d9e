"""Round robin: the published tables, and what holds for any number of entrants."""

from collections import Counter
from itertools import combinations, permutations

import pytest

from league.pairing import round_robin
from league.pairing.values import PairingError

# FIDE Handbook, C.05 General Regulations for Competitions, annex 1: details of Berger tables.
BERGER = {
    4: """
        1-4 2-3
        4-3 1-2
        2-4 3-1
    """,
    6: """
        1-6 2-5 3-4
        6-4 5-3 1-2
        2-6 3-1 4-5
        6-5 1-4 2-3
        3-6 4-2 5-1
    """,
    8: """
        1-8 2-7 3-6 4-5
        8-5 6-4 7-3 1-2
        2-8 3-1 4-7 5-6
        8-6 7-5 1-4 2-3
        3-8 4-2 5-1 6-7
        8-7 1-6 2-5 3-4
        4-8 5-3 6-2 7-1
    """,
    10: """
        1-10 2-9 3-8 4-7 5-6
        10-6 7-5 8-4 9-3 1-2
        2-10 3-1 4-9 5-8 6-7
        10-7 8-6 9-5 1-4 2-3
        3-10 4-2 5-1 6-9 7-8
        10-8 9-7 1-6 2-5 3-4
        4-10 5-3 6-2 7-1 8-9
        10-9 1-8 2-7 3-6 4-5
        5-10 6-4 7-3 8-2 9-1
    """,
}


def published(places: int) -> list[list[tuple[int, int]]]:
    return [
        [(int(one), int(other)) for one, other in (pair.split("-") for pair in line.split())]
        for line in BERGER[places].strip().splitlines()
    ]


@pytest.mark.parametrize("places", BERGER)
def test_an_even_number_plays_the_published_tables(places: int) -> None:
    rounds = round_robin.schedule(range(1, places + 1), double=False)
    assert [list(one.tables) for one in rounds] == published(places)
    assert not any(one.byes or one.reasons for one in rounds)


@pytest.mark.parametrize("places", BERGER)
def test_an_odd_number_plays_the_next_table_and_the_last_place_is_the_bye(places: int) -> None:
    rounds = round_robin.schedule(range(1, places), double=False)
    for one, expected in zip(rounds, published(places), strict=True):
        assert list(one.tables) == [pair for pair in expected if places not in pair]
        (sits_out,) = (min(pair) for pair in expected if places in pair)
        assert one.byes == (sits_out,)
        assert [(reason.code, reason.entrants) for reason in one.reasons] == [("odd_number", (sits_out,))]


@pytest.mark.parametrize("entrants", range(2, 41))
def test_everybody_meets_everybody_once_with_the_first_seat_in_half_within_one(entrants: int) -> None:
    ids = [100 + 7 * place for place in range(entrants)]
    rounds = round_robin.schedule(ids, double=False)
    assert len(rounds) == (entrants if entrants % 2 else entrants - 1)
    for one in rounds:
        assert sorted([*one.byes, *(entrant for table in one.tables for entrant in table)]) == ids
    met = Counter(tuple(sorted(table)) for one in rounds for table in one.tables)
    assert met == Counter(combinations(ids, 2))
    first = Counter(table[0] for one in rounds for table in one.tables)
    assert all(abs(2 * first[entrant] - (entrants - 1)) <= 1 for entrant in ids)
    byes = Counter(entrant for one in rounds for entrant in one.byes)
    assert byes == (Counter(ids) if entrants % 2 else Counter())


@pytest.mark.parametrize("entrants", range(2, 41))
def test_double_is_everybody_twice_once_from_each_seat(entrants: int) -> None:
    rounds = round_robin.schedule(range(entrants), double=True)
    half = len(rounds) // 2
    assert rounds[:half] == round_robin.schedule(range(entrants), double=False)
    assert Counter(table for one in rounds for table in one.tables) == Counter(permutations(range(entrants), 2))
    assert [one.byes for one in rounds[half:]] == [one.byes for one in rounds[:half]]


def test_what_cannot_be_scheduled_is_refused_with_the_reason() -> None:
    with pytest.raises(PairingError) as refused:
        round_robin.schedule([7], double=False)
    assert refused.value.reason.code == "too_few_entrants"
    assert refused.value.reason.figures == {"entrants": 1, "least": 2}
    with pytest.raises(PairingError) as refused:
        round_robin.schedule([7, 8, 7, 9, 8], double=True)
    assert (refused.value.reason.code, refused.value.reason.entrants) == ("entrant_twice", (7, 8))
