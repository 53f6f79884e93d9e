"""Table sizes: worked by hand from the rules of the module."""

import pytest

from league.pairing.sizes import table_sizes
from league.pairing.values import PairingError


@pytest.mark.parametrize(
    ("players", "preferred", "sizes"),
    [
        (13, 4, (4, 3, 3, 3)),
        (12, 4, (4, 4, 4)),
        (14, 4, (4, 4, 3, 3)),
        (17, 5, (5, 4, 4, 4)),
        (23, 6, (6, 6, 6, 5)),
        (25, 4, (4, 4, 4, 4, 3, 3, 3)),
        # Three at least: a pair at a table of its own is no table.
        (5, 4, (5,)),
        (4, 3, (4,)),
        (5, 3, (5,)),
        # Two small tables rather than one that is too large.
        (6, 4, (3, 3)),
        (7, 5, (4, 3)),
        (7, 6, (4, 3)),
        (8, 3, (4, 4)),
        (3, 6, (3,)),
    ],
)
def test_sizes(players: int, preferred: int, sizes: tuple[int, ...]) -> None:
    assert table_sizes(players, preferred) == sizes


def test_every_number_of_players_from_three_is_seated() -> None:
    for preferred in range(3, 7):
        for players in range(3, 200):
            sizes = table_sizes(players, preferred)
            assert sum(sizes) == players
            assert sizes == tuple(sorted(sizes, reverse=True))
            assert sizes[0] - sizes[-1] <= 1
            assert sizes[-1] >= 3
            assert sizes[0] <= preferred or players < 6 or preferred == 3


def test_a_game_with_few_seats() -> None:
    assert table_sizes(8, 2, smallest=2, largest=2) == (2, 2, 2, 2)
    assert table_sizes(9, 4, smallest=4, largest=5) == (5, 4)


@pytest.mark.parametrize(
    ("players", "preferred", "smallest", "largest", "code"),
    [
        (2, 4, 3, 6, "too_few_players"),
        (0, 4, 3, 6, "too_few_players"),
        (12, 7, 3, 6, "table_size_out_of_range"),
        (12, 2, 3, 6, "table_size_out_of_range"),
        (5, 4, 3, 4, "no_table_sizes"),
        (7, 4, 4, 6, "no_table_sizes"),
        (9, 2, 2, 2, "no_table_sizes"),
    ],
)
def test_impossible_numbers_are_refused(players: int, preferred: int, smallest: int, largest: int, code: str) -> None:
    with pytest.raises(PairingError) as refused:
        table_sizes(players, preferred, smallest=smallest, largest=largest)
    assert refused.value.reason.code == code
