"""Spreading unseen cards (docs/rules/determinization.md): every possible spread with the same chance."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import unseen
from games.rules.unseen import spread
from tests.games.chance import assert_uniform

CASES = [
    (6, [2, 2, 2], [0b11, 0b1100, 0]),
    (7, [2, 2, 1, 2], [0b1, 0b11, 0b1110, 0b1000000]),
    (6, [1] * 6, [1, 2, 4, 8, 16, 32]),
    (5, [2, 0, 3], [0b1, 0b11111, 0]),
]
"""Numbers of cards, sizes and bars, each with some possible spreads and some that are not."""


def possible(cards: int, sizes: list[int], barred: list[int]) -> Iterator[tuple[int, ...]]:
    """All spreads, by trying every owner for every card."""
    if not cards:
        yield (0,) * len(sizes)
        return
    card = cards.bit_length() - 1
    for owner, size in enumerate(sizes):
        if size and not barred[owner] >> card & 1:
            smaller = [size - (i == owner) for i, size in enumerate(sizes)]
            for rest in possible(cards ^ 1 << card, smaller, barred):
                yield tuple(hand | (i == owner) << card for i, hand in enumerate(rest))


@st.composite
def spreads(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    """A true spread over owners, and cards barred that the owner does not have."""
    cards = draw(st.lists(st.integers(0, 54), unique=True, max_size=40))
    owners = draw(st.integers(1, 6))
    hands = [0] * owners
    for card in cards:
        hands[draw(st.integers(0, owners - 1))] |= 1 << card
    barred = [draw(st.integers(0, 2**55 - 1)) & ~hand for hand in hands]
    return hands, barred


@given(spreads(), st.integers(0, 999))
def test_unseen_cards_are_always_spread_when_a_spread_exists(case: tuple[list[int], list[int]], seed: int) -> None:
    hands, barred = case
    unseen = sum(hands)
    drawn = spread(unseen, [hand.bit_count() for hand in hands], barred, Random(seed))
    assert [hand.bit_count() for hand in drawn] == [hand.bit_count() for hand in hands]
    assert sum(drawn) == unseen
    assert all(not hand & bar for hand, bar in zip(drawn, barred, strict=True))


def test_unseen_cards_that_nobody_may_have() -> None:
    with pytest.raises(ValueError, match="too many are barred"):
        spread(0b11, [1, 1], [0b01, 0b01], Random(0))


def test_more_cards_than_places() -> None:
    with pytest.raises(ValueError, match="2 cards can't be spread over 1 places"):
        spread(0b11, [1], [0], Random(0))


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("countable", [unseen._COUNTABLE, 0], ids=["counted", "chain"])
def test_every_possible_spread_is_equally_likely(
    case: tuple[int, list[int], list[int]], countable: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once by counting, once by the chain of redeals that serves where there is too much to count."""
    monkeypatch.setattr(unseen, "_COUNTABLE", countable)
    number, sizes, barred = case
    cards = (1 << number) - 1
    spreads = set(possible(cards, sizes, barred))
    rng = Random(4)
    assert_uniform(Counter(tuple(spread(cards, sizes, barred, rng)) for _ in range(20 * len(spreads))), spreads)
