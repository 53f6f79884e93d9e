"""How good a seating is, and how good any could be.

Terms. c is how often a pair sits together over all rounds; a *repeat* is a pair of rounds in which the same pair sits
together, so a pair that meets c times brings c(c-1)/2; F is the sum over all pairs. The bounds are exact whole numbers
below which no seating of these sizes can come; the best of them is shown beside a plan.

- *Counting.* The tables of all rounds have T places for pairs; P pairs share them. F is smallest if they are shared
  evenly: with T = qP + r, r pairs meet q + 1 times and the others q times, so F >= P q(q-1)/2 + r q.
- *Pigeonhole.* Take two rounds, and a table of s in one of them. Its players come from the g tables of the other, so
  shared evenly, with s = qg + r, at least g q(q-1)/2 + r q pairs sit together in both. Summed over the tables, for each
  two rounds; for a round with other sizes the better of both directions.
- *Pairs that must sit together* in all R rounds bring R(R-1)/2 each; neither they nor pairs that must never meet take
  part in the counting. (The pigeonhole bound stands as it is: it holds for any seating.)
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

# The tables of each round, by size.
Sizes = Sequence[Sequence[int]]


def count_meetings(rounds: Sequence[Sequence[Sequence[int]]]) -> Counter[tuple[int, int]]:
    """How often each pair sits together, the lower id first; pairs that never do are missing."""
    return Counter(pair for one in rounds for table in one for pair in combinations(sorted(table), 2))


def repeats(rounds: Sequence[Sequence[Sequence[int]]]) -> int:
    """F."""
    return sum(c * (c - 1) // 2 for c in count_meetings(rounds).values())


def largest_count(rounds: Sequence[Sequence[Sequence[int]]]) -> int:
    """The largest c; 0 without any table."""
    return max(count_meetings(rounds).values(), default=0)


def counting_bound(players: int, sizes: Sizes, *, together: int = 0, apart: int = 0) -> int:
    """The counting bound; `together` and `apart` are numbers of pairs."""
    slots = sum(size * (size - 1) // 2 for one in sizes for size in one)
    pairs = players * (players - 1) // 2
    return together * _pairs(len(sizes)) + _evenly(slots - together * len(sizes), pairs - together - apart)


def pigeonhole_bound(sizes: Sizes) -> int:
    """The pigeonhole bound."""
    return sum(
        max(sum(_evenly(size, len(there)) for size in here) for here, there in ((one, other), (other, one)))
        for one, other in combinations(sizes, 2)
    )


def lower_bound(players: int, sizes: Sizes, *, together: int = 0, apart: int = 0) -> int:
    """The best of the bounds."""
    return max(counting_bound(players, sizes, together=together, apart=apart), pigeonhole_bound(sizes))


def _pairs(number: int) -> int:
    return number * (number - 1) // 2


def _evenly(things: int, places: int) -> int:
    """The pairs that share a place if things are shared evenly among the places."""
    if places <= 0:
        return 0
    each, more = divmod(things, places)
    return places * _pairs(each) + more * each
