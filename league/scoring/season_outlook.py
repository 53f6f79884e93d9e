"""What is still possible in a season: who can win or finish in the top N, and who has clinched it.

Terms as in ``league/scoring/standings.py``. An *evening left* is one that is yet to be played; on each of them a
player *plays* one session or misses it. A *key* is a value with its sign turned so that lower is better, or infinity
for who has no rank. A *contest* is the question whether a player can finish, or surely finishes, at rank N or better.

What is taken to be given (docs/outlook.md tells it to players): nobody new comes into the table; every evening left
takes place; tables have 2 to ``largest`` players. With ``one_table`` all who come sit at one table, and the players of
the table alone. Without, there are as many tables as it takes, with guests at them: what one player gets then says
nothing of what another gets.

Promises: every answer is proved. *Bounds*: a value moves in one direction with each of its items, so that the best
and the worst value of a player come from a number of evenings played (each number is tried), all at the best or all
at the worst place that there is. Without ``one_table`` the bounds of all players can be reached at once; only a
missed evening that counts by its largest table ties players together. With it, the bounds prove what holds for any
tables, and a search goes through all ends of the evenings left that the following leaves over. *Best for a player*:
where the player plays, at place 1, alone, and nobody else level: that makes nobody else's value better. *Worst*: at
the last place, alone, all others at the table level at place 1. A search that hits its limit leaves its answer
undecided.

Never: samples outcomes, breaks a tie of values (``tie_break`` says that one would decide), or bounds what has none:
points in the games.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations, count, permutations
from math import lcm
from typing import Literal, NamedTuple

from league.scoring.standings import RankingRules, SessionPlace, has_rank, place_value

Verdict = Literal["yes", "tie_break", "no", "undecided"]
Key = Fraction | float

# How many players all searches of one outlook look at together, in all states that they come through.
LIMIT = 20_000
# How many values are worked out for each of them for ends that are tried at once, without a search: likely ones, and
# those where missed evenings count by the largest table.
_TRIES = 10
# No rank: behind everybody who has one.
_NO_RANK = float("inf")


@dataclass(frozen=True, slots=True)
class Past:
    """A player of the table with the sessions that count."""

    player: int
    results: tuple[SessionPlace, ...]


@dataclass(frozen=True, slots=True)
class Left:
    """What is left of a season; the module says what is taken to be given."""

    evenings: int
    largest: int
    one_table: bool


@dataclass(frozen=True, slots=True)
class Contest:
    """Whether rank N or better is ``possible`` and ``certain``.

    ``yes``: by the values alone; a shared rank counts where the season breaks no ties. ``tie_break``: only with, or
    but for, a tie-break between equal values.

    ``keep`` and ``clinch``: the last place at a full table on the next evening with which it stays possible, or is
    certain, by the values or a tie-break; ``None``: no place does, or the contest is over. ``next_undecided``: it may
    be a later place, or one where none is given.
    """

    possible: Verdict
    certain: Verdict
    keep: int | None = None
    clinch: int | None = None
    next_undecided: bool = False


@dataclass(frozen=True, slots=True)
class SeasonProspect:
    """A player's prospects: the best and the worst value at the end, ``None``: no rank; winning, and the top N."""

    player: int
    best: Fraction | None
    worst: Fraction | None
    win: Contest
    top: Contest


class _Evening(NamedTuple):
    """What an evening is to a player: ``place`` of ``players``; 0: missed, with so many at a largest table."""

    place: int
    players: int


@dataclass(frozen=True)
class _Sum:
    """What a player has so far, in units (`_Season.unit`), lower being better: of each session that counts, and of each
    evening missed where it counts by its largest table."""

    sessions: int
    played: tuple[int, ...]
    missed: tuple[int, ...]

    @cached_property
    def total(self) -> int:
        return sum(self.played)


@dataclass(frozen=True, slots=True)
class _Span:
    """The best and the worst key that a player can have."""

    best: Key
    worst: Key


# An evening of all players: what it is to each.
_Night = Mapping[int, _Evening]


def season_outlook(
    pasts: Sequence[Past],
    days: Mapping[date, int],
    rules: RankingRules,
    left: Left,
    *,
    top: int,
    limit: int = LIMIT,
) -> tuple[SeasonProspect, ...] | None:
    """The prospects of all players of a table, in their order; ``None`` where values have no bounds.

    ``days`` as ``standings.items`` takes them. Values have no bounds where points in the games are added up and
    evenings are left.
    """
    if rules.metric == "game_points" and left.evenings:
        return None
    season = _Season(pasts, days, rules, left, limit)
    # What is asked first is answered first, for everybody, should the searches come to their limit.
    contests = {(end, past.player): season.contest(past.player, end) for end in (1, top) for past in pasts}
    for (end, player), contest in contests.items():
        contests[end, player] = season.with_next_place(contest, player, end)
    return tuple(
        SeasonProspect(past.player, *season.values(past.player), contests[1, past.player], contests[top, past.player])
        for past in pasts
    )


class _LimitHit(Exception):
    """All searches together have looked at as many states as they may."""


class _Season:
    def __init__(
        self, pasts: Sequence[Past], days: Mapping[date, int], rules: RankingRules, left: Left, limit: int
    ) -> None:
        self.pasts = {past.player: past for past in pasts}
        self.rules, self.left = rules, left
        self.sign = 1 if rules.best == "low" else -1
        # Two players need not be two, where an evening is to be at all.
        self.one_table = left.one_table and len(pasts) > 1
        self.largest = max(2, min(left.largest, len(pasts)) if self.one_table else left.largest)
        self.left_to_look_at = limit
        self.left_to_try = limit * _TRIES
        # One hard question leaves something for the others.
        self.share = self.left_of_share = limit // len(pasts) if pasts else limit
        self.key = cache(self._key)
        self.span = cache(self._span)
        self.free = cache(self._free)
        self.sizes = range(2, self.largest + 1)
        evenings = [_Evening(place, size) for size in self.sizes for place in range(1, size + 1)]
        missed = [_Evening(0, size) for size in self.sizes]
        if rules.metric == "game_points":
            # None is left, or there would be no outlook.
            evenings = missed = [_Evening(0, 2)]
        self.good, self.bad = min(evenings, key=self._worth), max(evenings, key=self._worth)
        self.missed_good, self.missed_bad = min(missed, key=self._worth), max(missed, key=self._worth)
        self._measure(days, [*evenings, *missed])

    def _worth(self, evening: _Evening) -> Fraction:
        """The key of one evening; lower is better. Of one missed, where it counts by its largest table."""
        if self.rules.metric == "game_points":
            return Fraction(0)
        place = evening.place or evening.players + 1
        return self.sign * place_value(place, max(place, evening.players), self.rules)

    # --- Values ---------------------------------------------------------------------------------------------------

    def _measure(self, days: Mapping[date, int], evenings: Sequence[_Evening]) -> None:
        """Turn all values into whole numbers of one unit: thousands of ends are added up."""
        missed = {day: self._worth(_Evening(0, players)) for day, players in days.items()}
        played = {player: [self._so_far(one) for one in past.results] for player, past in self.pasts.items()}
        there = {player: {one.played_on for one in past.results} for player, past in self.pasts.items()}
        future = {evening: self._worth(evening) for evening in evenings}
        known = [
            *missed.values(),
            *future.values(),
            *(one for its in played.values() for one in its if one is not None),
        ]
        # One unit is 1 / unit.
        self.unit = lcm(*(one.denominator for one in known))
        self.units = {evening: int(one * self.unit) for evening, one in future.items()}
        self.sums = {
            player: _Sum(
                len(its),
                tuple(int(one * self.unit) for one in its if one is not None),
                tuple(int(one * self.unit) for day, one in missed.items() if day not in there[player]),
            )
            for player, its in played.items()
        }

    def _so_far(self, result: SessionPlace) -> Fraction | None:
        """The key of a session that was played; ``None`` where it has no points in a season that adds them up."""
        if self.rules.metric != "game_points":
            return self._worth(_Evening(result.place, result.players))
        return None if result.points is None else Fraction(self.sign * result.points)

    def _key(self, player: int, future: tuple[_Evening, ...]) -> Key:
        """The key of a player after these evenings, as ``standings.line`` has it; their order changes nothing."""
        rules, so_far = self.rules, self.sums[player]
        played = [self.units[evening] for evening in future if evening.place]
        counted, unit = len(so_far.played) + len(played), self.unit
        if not has_rank(so_far.sessions + len(played), counted, rules):
            return _NO_RANK
        average = rules.metric == "place_average"
        if rules.absence == "none" and not rules.drop_worst and not rules.count_best:
            # A long past is not gone through for each of thousands of ends.
            return Fraction(so_far.total + sum(played), unit * (counted if average else 1))
        values = [*so_far.played, *played]
        missed = [*so_far.missed, *(self.units[evening] for evening in future if not evening.place)]
        if rules.absence == "last":
            values += missed
        elif rules.absence == "average":
            # In a unit so many times smaller the mean of so many is a whole number.
            mean, unit = sum(values), unit * len(values)
            values = [one * len(values) for one in values] + [mean] * len(missed)
        surplus = max(rules.drop_worst, len(values) - rules.count_best if rules.count_best else 0)
        if surplus > 0:
            values = sorted(values)[: max(1, len(values) - surplus)]
        return Fraction(sum(values), unit * (len(values) if average else 1))

    def _span(self, player: int, known: tuple[_Evening, ...]) -> _Span:
        """The best and the worst key with these evenings known and the others free."""
        rest = self.left.evenings - len(known)
        best = [
            self.key(player, _sorted((*known, *[self.good] * plays, *[self.missed_good] * (rest - plays))))
            for plays in range(rest + 1)
        ]
        return _Span(min(best), max(self.worst(player, known, plays) for plays in range(rest + 1)))

    def worst(self, player: int, known: tuple[_Evening, ...], plays: int) -> Key:
        """The worst key with these evenings known, so many of the others played, and the rest of them missed."""
        rest = self.left.evenings - len(known)
        return self.key(player, _sorted((*known, *[self.bad] * plays, *[self.missed_bad] * (rest - plays))))

    # --- Answers --------------------------------------------------------------------------------------------------

    def values(self, player: int) -> tuple[Fraction | None, Fraction | None]:
        """The best and the worst value at the end; None: no rank."""
        span = self.span(player, ())
        best, worst = (None if isinstance(key, float) else self.sign * key for key in (span.best, span.worst))
        return best, worst

    def contest(self, player: int, end: int) -> Contest:
        """Whether rank ``end`` or better can be, and whether it is sure."""
        return Contest(self._possible(player, end, None), self._certain(player, end, None))

    def with_next_place(self, contest: Contest, player: int, end: int) -> Contest:
        """The contest with the places on the next evening that count for it, where it is open still."""
        if not self.left.evenings or self._tied_by_absences or contest.possible == "no" or contest.certain == "yes":
            return contest
        keep, keep_open = self._last_place(lambda place: self._possible(player, end, place))
        clinch, clinch_open = self._last_place(lambda place: self._certain(player, end, place))
        return replace(contest, keep=keep, clinch=clinch, next_undecided=keep_open or clinch_open)

    def _last_place(self, verdict: Callable[[int], Verdict]) -> tuple[int | None, bool]:
        """The last place on the next evening with this verdict for the player, and whether it may be a later one."""
        undecided = False
        for place in range(self.largest, 0, -1):
            found = verdict(place)
            if found in {"yes", "tie_break"}:
                return place, undecided
            undecided |= found == "undecided"
        return None, undecided

    @property
    def _tied_by_absences(self) -> bool:
        """Whether the largest table of an evening counts for who missed it, so that players are not independent."""
        return self.rules.absence == "last" and not self.one_table

    def _known(self, next_place: int | None) -> tuple[_Evening, ...]:
        return () if next_place is None else (_Evening(next_place, self.largest),)

    def _possible(self, player: int, end: int, next_place: int | None) -> Verdict:
        """Whether rank ``end`` or better can be; with this place at a full table on the next evening."""
        best = self.span(player, self._known(next_place)).best
        if best == _NO_RANK:
            return "no"
        others = [self.span(other, ()).worst for other in self.pasts if other != player]
        undecided = False
        # Whether to stay before equal ones as well: a tie-break may be for or against the player.
        for verdict, strict in self._modes():
            if sum(_is_ahead(other, best, strict) for other in others) >= end:
                continue
            answer = self._some_end(_Best, player, end, strict, next_place)
            if answer:
                return "undecided" if undecided else verdict
            undecided |= answer is None
        return "undecided" if undecided else "no"

    def _certain(self, player: int, end: int, next_place: int | None) -> Verdict:
        """Whether rank ``end`` or better comes whatever happens; with this place on the next evening."""
        worst = self.span(player, self._known(next_place)).worst
        others = [self.span(other, ()).best for other in self.pasts if other != player]
        undecided = False
        for verdict, strict in self._modes():
            safe = worst != _NO_RANK and sum(_is_ahead(other, worst, strict) for other in others) < end
            answer = False if safe else self._some_end(_Worst, player, end, strict, next_place)
            if answer is False:
                return "undecided" if undecided else verdict
            undecided |= answer is None
        return "undecided" if undecided else "no"

    def _modes(self) -> tuple[tuple[Verdict, bool], ...]:
        return (("yes", True), ("tie_break", False)) if self.rules.tie_breaks else (("yes", False),)

    def _some_end(
        self, search: type[_Search], player: int, end: int, strict: bool, next_place: int | None
    ) -> bool | None:
        """Whether some end is as the search wants it, where the bounds allow it; None: not known."""
        if not self.left.evenings:
            return True
        if not self._tied_by_absences:
            if not self.one_table:
                return True
            if not self.left_to_try or not self.is_regular:
                return None
        try:
            if self._tied_by_absences:
                return self._some_scenario(player, end, strict, good=search is _Best) or None
            return search(self, player, end, strict).found(next_place)
        except _LimitHit:
            return None

    @cached_property
    def is_regular(self) -> bool:
        """Whether at each table a better place is worth no less, as the search takes for granted."""
        return all(
            self._worth(_Evening(place, size)) <= self._worth(_Evening(place + 1, size))
            for size in self.sizes
            for place in range(1, size)
        )

    def look(self, players: int) -> None:
        """Count the players looked at in one state of a search. Raises _LimitHit when they are too many."""
        if min(self.left_to_look_at, self.left_of_share) < players:
            raise _LimitHit
        self.left_to_look_at -= players
        self.left_of_share -= players

    def try_out(self, values: int) -> None:
        """Count so many values before they are worked out. Raises _LimitHit when they are too many, and nothing more
        is tried then."""
        if self.left_to_try < values:
            self.left_to_try = 0
            raise _LimitHit
        self.left_to_try -= values

    # --- Where missed evenings count by the largest table -----------------------------------------------------------

    def _nights(self) -> Iterator[tuple[int, int]]:
        """(How many evenings the player plays, the largest table of the others): enough to prove most answers."""
        for plays in range(self.left.evenings + 1):
            for size in {2, self.largest}:
                yield plays, size

    def _some_scenario(self, player: int, end: int, strict: bool, *, good: bool) -> bool:
        """Whether an end of these has fewer than ``end`` others ahead (``good``), or too many, or no rank."""
        own_place, others_place = (self.good, self.bad) if good else (self.bad, self.good)
        for plays, size in self._nights():
            missed = self.left.evenings - plays
            own = self.key(player, _sorted((*[own_place] * plays, *[_Evening(0, size)] * missed)))
            others = (self.free(other, plays, size, others_place) for other in self.pasts if other != player)
            if (own != _NO_RANK and sum(_is_ahead(other, own, strict) for other in others) < end) == good:
                return True
        return False

    def _free(self, other: int, full: int, size: int, extreme: _Evening) -> Key:
        """The best key, or the worst, of who plays some evenings: of those with a full table at ``extreme``, of the
        others at its like at a table of ``size`` at most. Raises _LimitHit where too many were tried."""
        choose = min if extreme == self.good else max
        smaller = [_Evening(place, players) for players in range(2, size + 1) for place in range(1, players + 1)]
        like = choose(smaller, key=self._worth)
        rest = self.left.evenings - full
        self.try_out((full + 1) * (rest + 1))
        return choose(
            self.key(
                other,
                _sorted(
                    (
                        *[extreme] * some,
                        *[_Evening(0, self.largest)] * (full - some),
                        *[like] * more,
                        *[_Evening(0, size)] * (rest - more),
                    )
                ),
            )
            for some in range(full + 1)
            for more in range(rest + 1)
        )


def _sorted(future: tuple[_Evening, ...]) -> tuple[_Evening, ...]:
    """The same evenings in one order, since it changes nothing."""
    return tuple(sorted(future))


def _is_ahead(other: Key, own: Key, strict: bool) -> bool:
    """Whether another stands ahead, where ``strict`` those with an equal value as well."""
    return other <= own if strict else other < own


# --- Search at one table --------------------------------------------------------------------------------------------


class _Nights:
    """Nights that are made when they are first asked for."""

    def __init__(self, source: Iterator[_Night]) -> None:
        self._source = source
        self._made: list[_Night] = []

    def since(self, start: int) -> Iterator[tuple[int, _Night]]:
        """Those from an index on, with their indices."""
        for index in count(start):
            while index >= len(self._made):
                night = next(self._source, None)
                if night is None:
                    return
                self._made.append(night)
            yield index, self._made[index]


class _Search(ABC):
    """Through all ends of the evenings left, in no order, for one that is good, or bad, for a player."""

    def __init__(self, season: _Season, player: int, end: int, strict: bool) -> None:
        self.season, self.player, self.strict = season, player, strict
        own = season.span(player, ())
        spans = {other: season.span(other, ()) for other in season.pasts if other != player}
        always = [other for other, span in spans.items() if _is_ahead(span.worst, own.best, strict)]
        # What those get who are ahead in every end, or in none, changes nothing. The most dangerous come first.
        self.rivals = sorted(
            (other for other, span in spans.items() if other not in always and _is_ahead(span.best, own.worst, strict)),
            key=lambda other: (spans[other].best, other),
        )
        self.fillers = len(spans) - len(self.rivals)
        # So many rivals ahead are one too many.
        self.too_many = end - len(always)

    def found(self, next_place: int | None) -> bool:
        """Whether there is such an end. Raises _LimitHit where the search was cut short without one."""
        self.season.left_of_share = self.season.share
        later = _Nights(self._nights())
        if self._at_once(next_place):
            return True
        return self._from([], later if next_place is None else _Nights(self._next_nights(next_place)), later, 0)

    def _from(self, known: list[_Night], now: _Nights, later: _Nights, start: int) -> bool:
        """Whether an end that begins with the nights ``known`` is one; the next is of ``now`` from ``start`` on."""
        self.season.look(1 + len(self.rivals))
        if not self._may_be(known):
            return False
        if len(known) == self.season.left.evenings:
            return True
        # In order, since the order of the nights changes nothing.
        return any(
            self._from([*known, night], later, later, index if now is later else 0) for index, night in now.since(start)
        )

    def _known(self, player: int, known: list[_Night]) -> tuple[_Evening, ...]:
        return _sorted(tuple(night[player] for night in known))

    def _span(self, player: int, known: list[_Night]) -> _Span:
        return self.season.span(player, self._known(player, known))

    def _at_once(self, next_place: int | None) -> bool:
        """Whether a likely end is one: the whole search finds no other answer, but may take long."""
        return False

    @abstractmethod
    def _may_be(self, known: list[_Night]) -> bool:
        """False where no end is one; with all nights known, whether this one is."""

    @abstractmethod
    def _nights(self) -> Iterator[_Night]:
        """All nights that the arguments leave over."""

    @abstractmethod
    def _next_nights(self, place: int) -> Iterator[_Night]:
        """Those with a full table at which the player has this place."""

    def _night(self, own: int, places: Mapping[int, int], players: int) -> _Night:
        """A night of so many: the place of the player (0: missed) and of rivals; all others missed it."""
        night = {rival: _Evening(places.get(rival, 0), players) for rival in self.rivals}
        night[self.player] = _Evening(own, players)
        return night


class _Best(_Search):
    """For an end with few enough ahead."""

    def _may_be(self, known: list[_Night]) -> bool:
        own = self._span(self.player, known).best
        if own == _NO_RANK:
            return False
        needed = [self._needed(rival, known, own) for rival in self.rivals]
        behind = sorted(plays for plays in needed if plays is not None)
        # Those who need the most evenings may stay ahead.
        may_stay = self.too_many - 1 - (len(needed) - len(behind))
        if may_stay < 0:
            return False
        rest = self.season.left.evenings - len(known)
        return sum(behind[: max(0, len(behind) - may_stay)]) <= rest * self.season.largest

    def _needed(self, rival: int, known: list[_Night], own: Key) -> int | None:
        """How many evenings a rival has to play to come behind this key; None where none is enough."""
        rest = self.season.left.evenings - len(known)
        for plays in range(rest + 1):
            if not _is_ahead(self.season.worst(rival, self._known(rival, known), plays), own, self.strict):
                return plays
        return None

    def _at_once(self, next_place: int | None) -> bool:
        self.season.try_out((self.season.left.evenings + 1) * len(self.rivals))
        known: list[_Night] = []
        for _evening in range(self.season.left.evenings):
            # Each evening those who are the greatest danger by then come last.
            now = {rival: self.season.key(rival, self._known(rival, known)) for rival in self.rivals}
            order = sorted(self.rivals, key=lambda rival: (now[rival], rival))[: self.season.largest - 1]
            if next_place is not None and not known:
                known.append(self._next_night(next_place, order))
            else:
                known.append(self._behind(1, min(self.fillers, self.season.largest - 1 - len(order)), order))
        return self._may_be(known)

    def _next_night(self, place: int, order: Sequence[int]) -> _Night:
        """A full table at which the player has this place and these rivals the last of the others."""
        size = self.season.largest
        last = [other for other in range(size, 0, -1) if other != place][: len(order)]
        return self._night(place, dict(zip(order, last, strict=True)), size)

    def _behind(self, plays: int, fillers: int, order: Sequence[int]) -> _Night:
        """A night on which these rivals have the last places, the first of them the very last."""
        size = plays + fillers + len(order)
        return self._night(plays, {rival: size - index for index, rival in enumerate(order)}, size)

    def _nights(self) -> Iterator[_Night]:
        for plays in (1, 0):
            for rivals in range(min(len(self.rivals), self.season.largest - plays), -1, -1):
                for fillers in range(min(self.fillers, self.season.largest - plays - rivals), -1, -1):
                    if plays + fillers + rivals >= 2:
                        # Who can't be a danger takes the better places.
                        for order in permutations(self.rivals, rivals):
                            yield self._behind(plays, fillers, order)

    def _next_nights(self, place: int) -> Iterator[_Night]:
        others = self.season.largest - 1
        for rivals in range(min(len(self.rivals), others), -1, -1):
            if others - rivals <= self.fillers:
                for order in permutations(self.rivals, rivals):
                    yield self._next_night(place, order)


class _Worst(_Search):
    """For an end with too many ahead, or without a rank."""

    def _may_be(self, known: list[_Night]) -> bool:
        own = self._span(self.player, known).worst
        ahead = sum(_is_ahead(self._span(rival, known).best, own, self.strict) for rival in self.rivals)
        return own == _NO_RANK or ahead >= self.too_many

    def _nights(self) -> Iterator[_Night]:
        for plays in (1, 0):
            for rivals in range(min(len(self.rivals), self.season.largest - plays), -1, -1):
                for fillers in range(min(self.fillers, self.season.largest - plays - rivals), -1, -1):
                    size = plays + fillers + rivals
                    if size >= 2:
                        for there in combinations(self.rivals, rivals):
                            yield self._night(plays * size, dict.fromkeys(there, 1), size)

    def _next_nights(self, place: int) -> Iterator[_Night]:
        size = self.season.largest
        for before in range(min(len(self.rivals), place - 1), -1, -1):
            for level in range(min(len(self.rivals) - before, size - place), -1, -1):
                if size - 1 - before - level <= self.fillers:
                    for first in combinations(self.rivals, before):
                        rest = [rival for rival in self.rivals if rival not in first]
                        for others in combinations(rest, level):
                            yield self._night(place, dict.fromkeys(first, 1) | dict.fromkeys(others, place), size)
