"""How a figure of the table comes about, told in numbers: the items of a line, what each is worth, how they add up.

Terms as in ``league/scoring/standings.py``. A *formula* is what an item's value is worked out from, written with
numbers alone, so that it reads alike in every language.

Promises: the items and the line are those that the table is made of; nothing is worked out a second way.

Never: breaks a tie, or rounds: values are exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import groupby

from league.scoring.standings import Item, RankingRules, SessionPlace, StandingLine, items, line

# From how many terms on a sum is told by what is added how often.
LONG_SUM = 12


@dataclass(frozen=True, slots=True)
class DerivedItem:
    """An item with its formula; of an evening missed, ``place`` of ``players`` are what it counts as.

    ``formula`` is "" where the value is the place itself, or the points that were noted.
    """

    item: Item
    place: int | None
    players: int
    formula: str


@dataclass(frozen=True, slots=True)
class Derivation:
    """One player's line from its items, in the order of the days.

    ``divisor`` is the number of items that count where the value is their mean, ``None`` where it is their sum.
    """

    items: tuple[DerivedItem, ...]
    line: StandingLine
    divisor: int | None

    @property
    def terms(self) -> tuple[Fraction, ...]:
        """What the items that count are worth."""
        return tuple(one.item.value for one in self.items if one.item.counts)

    @property
    def total(self) -> Fraction:
        """The terms added up."""
        return sum(self.terms, Fraction(0))

    @property
    def arithmetic(self) -> str:
        """The value as a line of arithmetic, as in ``(1 + 2 + 4) / 3 = 7/3``; "" where nothing counts."""
        if not self.terms:
            return ""
        told = _sum(self.terms)
        if self.divisor is None:
            return told if told == exact(self.total) else f"{told} = {exact(self.total)}"
        inside = f"({told})" if len(self.terms) > 1 else told
        quotient = f"{inside} / {self.divisor}"
        # A division that is not carried out is the value already.
        return quotient if quotient == exact(self.line.value) else f"{quotient} = {exact(self.line.value)}"


def derive(player: int, results: Sequence[SessionPlace], days: Mapping[date, int], rules: RankingRules) -> Derivation:
    """The derivation of a player's line from these sessions; what is given as ``standings.line`` takes it.

    Raises ValueError as that does.
    """
    found = items(results, days, rules)
    return Derivation(
        items=tuple(_derived(item, days, found, rules) for item in found),
        line=line(player, results, days, rules),
        divisor=sum(item.counts for item in found) if rules.metric == "place_average" else None,
    )


def exact(value: Fraction) -> str:
    """A number without rounding: 3, or 7/3."""
    return str(value)


def _derived(item: Item, days: Mapping[date, int], found: Iterable[Item], rules: RankingRules) -> DerivedItem:
    if item.session is not None:
        return DerivedItem(item, item.place, item.players, _formula(item.place or 0, item.players, rules))
    if rules.absence == "average":
        played = [one.value for one in found if one.session is not None and (one.counts or one.dropped)]
        # A mean of one is that one.
        formula = f"({_sum(played)}) / {len(played)}" if len(played) > 1 else ""
        return DerivedItem(item, None, 0, formula)
    last = days[item.played_on] + 1
    return DerivedItem(item, last, last, _formula(last, last, rules))


def _formula(place: int, players: int, rules: RankingRules) -> str:
    """What ``standings.place_value`` works out, in writing."""
    if rules.metric == "game_points":
        return ""
    if rules.table_weight == "relative":
        return f"({place} - 1) / ({players} - 1)" if players > 1 else ""
    if rules.table_weight == "midpoint":
        return f"({place} - 1/2) / {players}"
    if rules.table_weight == "opponents":
        points = rules.points_by_place[place - 1 : place] if rules.metric == "points" else (int(place == 1),)
        return f"{points[0] if points else 0} x ({players} - 1)"
    return ""


def _sum(terms: Sequence[Fraction]) -> str:
    """Terms added up in writing; a long sum by what is added how often."""
    if len(terms) <= LONG_SUM:
        return _joined(_bracketed(one) for one in terms)
    return _joined(
        f"{times} x {_bracketed(value)}"
        for value, times in ((one, len(list(same))) for one, same in groupby(sorted(terms)))
    )


def _bracketed(value: Fraction) -> str:
    return f"({exact(value)})" if value < 0 else exact(value)


def _joined(terms: Iterable[str]) -> str:
    return " + ".join(terms)
