"""The straights of a deck, for XXL game 4 (docs/rules/xxl.md, "Game 4").

Terms. A *straight* is three cards with consecutive numbers of one colour; the nine triples of numbers of each
colour are its *runs*. A straight is numbered by its run and within it; three cards that make two straights
are numbered once.

Never: knows whose turn it is or what happens after a straight is laid.

Cards, sets of cards and colours are as in ``games.rules.xxl_deck``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, product

from games.core import Move
from games.rules.xxl_deck import LOW, NUMBERS, PARTS, TEN, THIRTEEN, Deck, as_set, cards_in

_COLOUR_BITS = 12  # eleven numbers and a gap, so that no run goes on from one colour to the next
_RUNS = len(NUMBERS) - 2
_ALL_RUNS = (1 << _RUNS) - 1
_REMEMBERED = 2**10
_NO_STRAIGHT = (-1, -1)


class Run(dict[int, tuple[Move, ...]]):
    """The straights of three consecutive numbers of one colour.

    By set of cards that bear one of them: the straights within the set, found out when first asked for, and
    remembered; the memory is emptied when it grows large, which takes a deck with many cards of one colour.
    """

    def __init__(self, straights: Sequence[tuple[Move, int]]) -> None:
        self._straights = straights

    def __missing__(self, cards: int) -> tuple[Move, ...]:
        if len(self) == _REMEMBERED:
            self.clear()
        self[cards] = within = tuple(move for move, straight in self._straights if straight & cards == straight)
        return within


class Straights:
    """All straights of a deck: ``sets`` has the three cards by move, ``values`` their total value.

    A set of halves is an int with one bit for each colour and number. A set of runs is the same with the bits
    of their lowest halves.
    """

    def __init__(self, deck: Deck) -> None:
        numbered: dict[int, Move] = {}
        runs = [[self._run(having[number : number + 3], numbered) for number in range(_RUNS)] for having in deck.having]
        self.sets = tuple(numbered)
        self.values = tuple(map(deck.hand_points, numbered))
        self.move_of: Mapping[int, Move] = numbered
        self._runs = tuple(
            tuple(tuple(run for i, run in enumerate(row) if some >> i & 1) for some in range(1 << _RUNS))
            for row in runs
        )
        using = [[one for one in enumerate(self.sets) if one[1] >> card & 1] for card in range(len(deck.cards))]
        self.most_using = max(map(len, using))
        """The most straights that one card is in."""
        self.using = tuple((*some, *[_NO_STRAIGHT] * (self.most_using - len(some))) for some in using)
        """By card: move and cards of the straights it is in, filled up to ``most_using`` with what nobody holds."""
        halves = [
            sum(1 << colour * _COLOUR_BITS + row[card] for colour, row in enumerate(deck.number) if row[card] >= 0)
            for card in range(len(deck.cards))
        ]
        self._halves = tuple(
            _unions(halves[end - many : end]) for many, end in zip(PARTS, accumulate(PARTS), strict=True)
        )

    @staticmethod
    def _run(numbers: Sequence[int], numbered: dict[int, Move]) -> tuple[int, Run]:
        """The cards of a run, by number a set, as one set, and its straights, which get the next numbers."""
        straights = []
        for straight in map(as_set, product(*map(cards_in, numbers))):
            # Three cards that are a straight twice are one move: that of their first run.
            if straight not in numbered:
                straights.append((len(numbered), straight))
                numbered[straight] = len(numbered)
        return numbers[0] | numbers[1] | numbers[2], Run(straights)

    def runs(self, hand: int, display: int) -> int:
        """The runs of which a straight can be laid from at least one card of the hand and some of the display."""
        a, b, c, d, e = self._halves
        low, high = hand & LOW, hand >> 30
        own = a[low & TEN] | b[low >> 10 & TEN] | c[low >> 20] | d[high & THIRTEEN] | e[high >> 13]
        low, high = display & LOW, display >> 30
        both = own | a[low & TEN] | b[low >> 10 & TEN] | c[low >> 20] | d[high & THIRTEEN] | e[high >> 13]
        # All three numbers are there, and the hand has one of them: no card has two, so the others can be taken
        # from the display or the hand as they come.
        return both & both >> 1 & both >> 2 & (own | own >> 1 | own >> 2)

    def _members(self, runs: int) -> tuple[tuple[int, Run], ...]:
        red, yellow, green, blue = self._runs
        return red[runs & _ALL_RUNS] + yellow[runs >> 12 & _ALL_RUNS] + green[runs >> 24 & _ALL_RUNS] + blue[runs >> 36]

    def possible(self, hand: int, display: int) -> list[Move]:
        """The straights of at least one card of the hand, the others from the display; ascending."""
        sets, together = self.sets, hand | display
        return [
            move
            for cards, run in self._members(self.runs(hand, display))
            for move in run[together & cards]
            if sets[move] & hand
        ]


def _unions(halves: Sequence[int]) -> tuple[int, ...]:
    """By set of some cards with these halves: the halves of all its members."""
    unions = [0]
    for one in halves:
        unions += [one | union for union in unions]
    return tuple(unions)


@lru_cache(maxsize=32)
def straights_of(deck: Deck) -> Straights:
    """All straights of a deck; kept, as the tables take a while and a series of games asks for the same each time."""
    return Straights(deck)
