"""A season's table counted anew from what was given, in the plainest way: no step of it is the product's.

It knows the rules by their words alone (docs/season-rules.md) and takes its time.
"""

from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any

from league.models import Season


@dataclass(frozen=True)
class Played:
    """One session that counts: who finished where, and with how many points (None: by places alone)."""

    pk: int
    day: date
    places: dict[str, int]
    points: dict[str, int | None]


@dataclass(frozen=True)
class Counted:
    """One player's line."""

    rank: int | None
    sessions: int
    place_total: int
    wins: int
    counted: int
    absences: int
    value: Fraction
    game_points: int | None
    place_counts: dict[int, int]
    last: tuple[date, int, int]


def recount(season: Season, sessions: list[Played]) -> dict[str, Counted]:
    """Every player's line by the season's rules."""
    return _Recount(season, sessions).lines()


class _Recount:
    def __init__(self, season: Season, sessions: list[Played]) -> None:
        self.rules = season
        self.sessions = sorted(sessions, key=lambda one: (one.day, one.pk))
        self.names = sorted({name for one in sessions for name in one.places})
        self.own = {name: [one for one in self.sessions if name in one.places] for name in self.names}
        self.low = season.ranking_best == "low"

    # --- Values -------------------------------------------------------------------------------------------------------

    def worth(self, place: int, players: int) -> Fraction:
        metric, weight = self.rules.ranking_metric, self.rules.table_weight
        if metric in {"points", "wins"}:
            table = dict(enumerate(self.rules.points_by_place, start=1)) if metric == "points" else {1: 1}
            times = players - 1 if weight == "opponents" else 1
            return Fraction(table.get(place, 0) * times)
        if weight == "relative":
            return Fraction(0) if players == 1 else Fraction(place - 1) / Fraction(players - 1)
        if weight == "midpoint":
            return (Fraction(place) - Fraction(1, 2)) / players
        return Fraction(place)

    def all_items(self, name: str) -> list[tuple[Fraction, int | None]]:
        """(value, place or None for a missed evening) of what may count, by days."""
        dated: list[tuple[date, int, Fraction, int | None]] = []
        for one in self.own[name]:
            place, points = one.places[name], one.points[name]
            if self.rules.ranking_metric == "game_points":
                if points is not None:
                    dated.append((one.day, one.pk, Fraction(points), place))
            else:
                dated.append((one.day, one.pk, self.worth(place, len(one.places)), place))
        if dated:
            mean = sum(value for _day, _pk, value, _place in dated) / Fraction(len(dated))
            for day in self.missed(name):
                largest = max(len(one.places) for one in self.sessions if one.day == day)
                missed = mean if self.rules.absence == "average" else self.worth(largest + 1, largest + 1)
                dated.append((day, 0, missed, None))
        return [(value, place) for _day, _pk, value, place in sorted(dated, key=lambda one: one[:2])]

    def missed(self, name: str) -> list[date]:
        if self.rules.absence == "none":
            return []
        days = {one.day for one in self.sessions}
        return sorted(days - {one.day for one in self.own[name]})

    def kept(self, name: str) -> list[tuple[Fraction, int | None]]:
        """What counts: the worst taken away one by one, of equal ones the first."""
        left = self.all_items(name)
        dropped = 0
        while len(left) > 1 and (
            dropped < self.rules.drop_worst or (self.rules.count_best and len(left) > self.rules.count_best)
        ):
            values = [value for value, _place in left]
            del left[values.index(max(values) if self.low else min(values))]
            dropped += 1
        return left

    def value(self, name: str) -> Fraction:
        kept = [value for value, _place in self.kept(name)]
        total = sum(kept, Fraction(0))
        return total / len(kept) if self.rules.ranking_metric == "place_average" and kept else total

    # --- Lines --------------------------------------------------------------------------------------------------------

    def lines(self) -> dict[str, Counted]:
        ranks = self.ranks()
        found = {}
        for name in self.names:
            own, kept = self.own[name], self.kept(name)
            points = [one.points[name] for one in own]
            given = [one for one in points if one is not None]
            places = [place for _value, place in kept if place is not None]
            found[name] = Counted(
                rank=ranks.get(name),
                sessions=len(own),
                place_total=sum(one.places[name] for one in own),
                wins=len([one for one in own if one.places[name] == 1]),
                counted=len(kept),
                absences=len(self.missed(name)) if self.all_items(name) else 0,
                value=self.value(name),
                game_points=sum(given) if given else None,
                place_counts={place: places.count(place) for place in places},
                last=(own[-1].day, own[-1].pk, own[-1].places[name]),
            )
        return found

    def ranks(self) -> dict[str, int]:
        ranked = [name for name in self.names if len(self.own[name]) >= self.rules.minimum_sessions and self.kept(name)]
        ranks: dict[str, int] = {}
        for value in sorted({self.value(name) for name in ranked}, reverse=not self.low):
            for group in self.parted([name for name in ranked if self.value(name) == value], self.rules.tie_breaks):
                ranks.update(dict.fromkeys(group, len(ranks) + 1))
        return ranks

    # --- Ties ---------------------------------------------------------------------------------------------------------

    def parted(self, tied: list[str], chain: list[str]) -> list[list[str]]:
        """Groups of those who stay level, the best first."""
        if len(tied) == 1 or not chain:
            return [tied]
        first, rest = chain[0], chain[1:]
        scores = getattr(self, first)(tied)
        if scores is None:
            return self.parted(tied, rest)
        groups = [
            [name for name in tied if scores[name] == score] for score in sorted(set(scores.values()), reverse=True)
        ]
        # Direct comparison is asked again among those it leaves level.
        again = chain if first == "direct" and len(groups) > 1 else rest
        return [part for group in groups for part in self.parted(group, again)]

    def direct(self, tied: list[str]) -> dict[str, Any] | None:
        scores = {}
        for name in tied:
            total = Fraction(0)
            for other in tied:
                both = [one.places for one in self.sessions if {name, other} <= set(one.places)]
                if other != name and not both:
                    return None
                if other != name:
                    before = sum(places[name] < places[other] for places in both)
                    level = sum(places[name] == places[other] for places in both)
                    total += (before + Fraction(level, 2)) / len(both)
            scores[name] = total
        return scores

    def countback(self, tied: list[str]) -> dict[str, Any]:
        scores = {}
        for name in tied:
            places = [place for _value, place in self.kept(name) if place is not None]
            scores[name] = tuple(places.count(place) for place in range(1, 10))
        return scores

    def last_evening(self, tied: list[str]) -> dict[str, Any]:
        days = sorted({one.day for name in tied for one in self.own[name]}, reverse=True)
        scores = {}
        for name in tied:
            best = [min([one.places[name] for one in self.own[name] if one.day == day], default=99) for day in days]
            scores[name] = tuple(-place for place in best)
        return scores

    def fewer_sessions(self, tied: list[str]) -> dict[str, Any]:
        return {name: -len(self.own[name]) for name in tied}

    def opponents(self, tied: list[str]) -> dict[str, Any] | None:
        def average(name: str) -> Fraction:
            return Fraction(sum(one.places[name] for one in self.own[name]), len(self.own[name]))

        scores = {}
        for name in tied:
            met = [average(other) for one in self.own[name] for other in one.places if other != name]
            if not met:
                return None
            scores[name] = -sum(met, Fraction(0)) / len(met)
        return scores
