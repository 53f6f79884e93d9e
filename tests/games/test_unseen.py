"""Spreading unseen cards (docs/rules/determinization.md): every possible spread with the same chance."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import unseen
from games.rules.unseen import spread, spreads
from tests.games.chance import assert_uniform

CASES = [
    (6, [2, 2, 2], [0b11, 0b1100, 0]),
    (7, [2, 2, 1, 2], [0b1, 0b11, 0b1110, 0b1000000]),
    (6, [1] * 6, [1, 2, 4, 8, 16, 32]),
    (5, [2, 0, 3], [0b1, 0b11111, 0]),
    (7, [2, 1, 1, 3], [0b1100, 0b110000, 0b11, 0]),
    (8, [1, 1, 1, 1, 4], [0b11110000, 0b11000011, 0b11001111, 0b1111, 0b1]),
    (8, [2, 2, 2, 2], [0, 0b1, 0b11, 0b111]),
]
"""Numbers of cards, sizes and bars, each with some possible spreads and some that are not."""


def all_spreads(cards: int, sizes: list[int], barred: list[int]) -> Iterator[tuple[int, ...]]:
    """All spreads, by trying every owner for every card."""
    if not cards:
        yield (0,) * len(sizes)
        return
    card = cards.bit_length() - 1
    for owner, size in enumerate(sizes):
        if size and not barred[owner] >> card & 1:
            smaller = [size - (i == owner) for i, size in enumerate(sizes)]
            for rest in all_spreads(cards ^ 1 << card, smaller, barred):
                yield tuple(hand | (i == owner) << card for i, hand in enumerate(rest))


@st.composite
def possible_cases(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    """A true spread over owners, and cards barred that the owner does not have."""
    cards = draw(st.lists(st.integers(0, 54), unique=True, max_size=40))
    owners = draw(st.integers(1, 6))
    hands = [0] * owners
    for card in cards:
        hands[draw(st.integers(0, owners - 1))] |= 1 << card
    barred = [draw(st.integers(0, 2**55 - 1)) & ~hand for hand in hands]
    return hands, barred


@given(possible_cases(), st.integers(0, 999))
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


def test_a_card_that_nobody_may_have() -> None:
    with pytest.raises(ValueError, match="too many are barred"):
        spread(0b111, [1, 2], [0b100, 0b100], Random(0))


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
    possible = set(all_spreads(cards, sizes, barred))
    rng = Random(4)
    assert_uniform(Counter(tuple(spread(cards, sizes, barred, rng)) for _ in range(20 * len(possible))), possible)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("countable", [unseen._COUNTABLE, 0], ids=["counted", "chain"])
def test_so_is_every_next_one(
    case: tuple[int, list[int], list[int]], countable: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The third of a series, which a chain reaches from the first by fewer redeals."""
    monkeypatch.setattr(unseen, "_COUNTABLE", countable)
    number, sizes, barred = case
    cards = (1 << number) - 1
    possible = set(all_spreads(cards, sizes, barred))
    rng = Random(5)
    thirds = (next(islice(spreads(cards, sizes, barred, rng), 2, None)) for _ in range(20 * len(possible)))
    assert_uniform(Counter(map(tuple, thirds)), possible)


def test_what_one_owner_must_have_no_other_gets() -> None:
    """Owner 0 may have two cards and needs both, so that owner 1 has one of the other two, and owner 2 the last."""
    drawn = {tuple(spread(0b1111, [2, 1, 1], [0b1100, 0, 0], Random(chance))) for chance in range(40)}
    assert drawn == {(0b0011, 0b0100, 0b1000), (0b0011, 0b1000, 0b0100)}
