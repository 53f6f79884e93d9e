"""Ranking a tournament: by score, then by a chain of named tie-breaks, each asked among those who are still level.

Terms. A *tie* is a group of entrants who are level. A *tie-break* gives each a *figure*, and the better one stands
before; a *chain* is a list of them in the order in which they are asked. To *meet* is to sit at one table that was
played. An *unplayed round* is one without: a bye, a forfeit, or no meeting at all.

FIDE. Buchholz, Sonneborn-Berger, direct encounter, progressive score and number of wins follow the Play-Off and
Tie-Break Regulations, FIDE Handbook C.07, in the edition applied from 1 March 2026 ("2026") or the one applied from
1 August 2024 until then ("2024"). Of unplayed rounds in a Swiss system (article 16):

- As opponents see it (16.3), a round counts what was awarded for it, but a bye that was asked for counts as a draw
  where nothing but byes asked for and lost forfeits follows (16.2.5). A round without a meeting is such a bye of 0
  points (16.1.1): so the rest of somebody who left counts as draws.
- In one's own figure (16.4), it counts as a meeting with a dummy of one's own score, with the points awarded. From
  2026 on the dummy has at most the score of the opponent who was forfeited to (16.4.1), and in other unplayed rounds at
  most a draw for each round (16.4.2). The virtual opponent of the editions until 2023 is none of this.
- A cut takes the lowest of one's own byes asked for and lost forfeits first (16.5).

In a ``predetermined`` schedule (round robin, a fixed plan) a forfeit is as good as played, and there are no other
unplayed rounds (15.2). Tables of more than two, of which FIDE knows nothing, count the mean of the others at the table
where a duel counts the opponent, and as result against each of them a win, a draw or a loss by place.

Promises: the order of entrants and meetings changes nothing. Whoever shares a rank is equal in the score and in every
figure of the chain, and the ranks behind are skipped. All figures are exact.

Never: knows a name or a sentence: ``league/services/tie_break_words.py`` has them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from math import inf, lcm
from operator import itemgetter
from random import Random
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from league.scoring.tournaments import Flaw, Meeting, Scoring, Worth, worth

Edition = Literal["2024", "2026"]
# A figure as it is shown; None where an entrant has none, or the tie-break was not asked.
Value = Fraction | int | tuple[int | None, ...] | None


@dataclass(frozen=True, slots=True)
class Ranked:
    """An entrant in the table.

    ``values``: the figure of each tie-break of the chain. ``decided_by``: the code of the tie-break that put all who
    have this rank behind those just before; "" where the score did, and for the first.
    """

    entrant: int
    rank: int
    is_shared: bool
    score: Fraction
    values: tuple[Value, ...]
    decided_by: str


class ChainError(ValueError):
    """A chain that can't be asked: the user's error."""

    def __init__(self, flaws: Sequence[Flaw]) -> None:
        super().__init__(", ".join(f"{flaw.code} {dict(flaw.params)}" for flaw in flaws))
        self.flaws = tuple(flaws)


def rank(
    entrants: Sequence[int],
    meetings: Sequence[Meeting],
    chain: Sequence[str],
    *,
    lots_seed: int,
    scoring: Scoring | None = None,
    rounds: int | None = None,
    predetermined: bool = False,
    edition: Edition = "2026",
) -> list[Ranked]:
    """The table, best first, equals by their ids.

    ``meetings``: of all who met them, too, as their scores are asked for. ``scoring``: what gave the meetings their
    scores; ``None`` for win, draw and loss of 1, 1/2 and 0. ``rounds``: the table after so many, ``None`` for after the
    last that has a meeting; a meeting of which nothing came yet is neither played nor missed. Raises ChainError.
    """
    scoring = scoring or Scoring()
    if flaws := check_chain(chain, scoring):
        raise ChainError(flaws)
    table = Crosstable(
        entrants, meetings, scoring, rounds=rounds, predetermined=predetermined, edition=edition, lots_seed=lots_seed
    )
    ties = _by_keys([table.index[one] for one in set(entrants)], _numbers(table.score, 1, high=table.high).keys)
    # Which tie-break put each tie behind the one before.
    decided = [""] * len(ties)
    columns: list[Sequence[Value]] = []
    for code in chain:
        ask, column = TIE_BREAKS[code].within(table)
        columns.append(column)
        parts: list[list[int]] = []
        deciders: list[str] = []
        for tie, decider in zip(ties, decided, strict=True):
            asked = ask(tie) if len(tie) > 1 else [tie]
            parts += asked
            deciders += [decider, *[code] * (len(asked) - 1)]
        ties, decided = parts, deciders
    return list(_lines(table, ties, decided, columns))


def _lines(
    table: Crosstable, ties: Sequence[Sequence[int]], decided: Sequence[str], columns: Sequence[Sequence[Value]]
) -> Iterator[Ranked]:
    place = 1
    for tie, decider in zip(ties, decided, strict=True):
        for one in sorted(tie):
            values = tuple([column[one] for column in columns])
            score = Fraction(table.score[one], table.unit)
            yield Ranked(table.ids[one], place, len(tie) > 1, score, values, decider)
        place += len(tie)


def check_chain(chain: Sequence[str], scoring: Scoring) -> tuple[Flaw, ...]:
    """What is wrong with it; empty where nothing is.

    ``unknown_tie_break``, ``tie_break_twice``, ``after_lots`` (lots leave nothing to decide), ``needs_worth`` (asked of
    a tournament whose points know no win); each with the ``code`` in question.
    """
    return tuple(_flaws(chain, scoring))


def _flaws(chain: Sequence[str], scoring: Scoring) -> Iterator[Flaw]:
    for number, code in enumerate(chain):
        if code not in TIE_BREAKS:
            yield Flaw("unknown_tie_break", "tie_breaks", {"code": code})
        elif code in chain[:number]:
            yield Flaw("tie_break_twice", "tie_breaks", {"code": code})
        elif "lots" in chain[:number]:
            yield Flaw("after_lots", "tie_breaks", {"code": code})
        elif TIE_BREAKS[code].needs_worth and not has_worth(scoring):
            yield Flaw("needs_worth", "tie_breaks", {"code": code})


def has_worth(scoring: Scoring) -> bool:
    """Whether a win, a draw and a loss are worth something in these points, the most for a win."""
    return scoring.basis in ("result", "places", "place_points")


def _by_keys(tie: Sequence[int], keys: Sequence[Any]) -> list[list[int]]:
    """The tie in parts of equal keys, the lowest first."""
    return [list(part) for _key, part in groupby(sorted(tie, key=keys.__getitem__), key=keys.__getitem__)]


# --- What tie-breaks ask ----------------------------------------------------------------------------------------------

_PLAYED, _GIVEN, _ASKED, _WON, _LOST = range(5)


class _Row(NamedTuple):
    """A round of an entrant: what it was, its points in units, the place, who else sat there with the result in units
    against each."""

    number: int
    kind: int
    points: int
    place: int | None = None
    against: tuple[tuple[int, int], ...] = ()


class Crosstable:
    """All meetings by entrant, prepared once. Entrants are told by an index in the order of their ids.

    Points are whole numbers of ``1 / unit``; ``parts`` is what a sum over a table is multiplied by, so that the mean of
    the others is a whole number, too.
    """

    def __init__(
        self,
        entrants: Sequence[int],
        meetings: Sequence[Meeting],
        scoring: Scoring,
        *,
        rounds: int | None,
        predetermined: bool,
        edition: Edition,
        lots_seed: int,
    ) -> None:
        self.scoring, self.predetermined, self.edition, self.lots_seed = scoring, predetermined, edition, lots_seed
        self.high, self.has_worth = scoring.high_is_best, has_worth(scoring)
        self.ids = sorted({*entrants, *(one for meeting in meetings for one in meeting.entrants)})
        self.index = {one: index for index, one in enumerate(self.ids)}
        self.rounds = max((meeting.round for meeting in meetings), default=0) if rounds is None else rounds
        meetings = [meeting for meeting in meetings if meeting.round <= self.rounds]
        values = worth(scoring) if self.has_worth else Worth(Fraction(1), Fraction(1, 2), Fraction(0))
        done = [meeting for meeting in meetings if meeting.scores]
        # Each value once, by its identity: tables alike share theirs, and a ratio costs more than what is made of it.
        ratios = {
            mark: one.as_integer_ratio()
            for mark, one in {id(one): one for meeting in done for one in meeting.scores.values()}.items()
        }
        self.unit = lcm(
            *{one.denominator for one in (*values, scoring.missed)},
            *{denominator for _numerator, denominator in ratios.values()},
        )
        units = {mark: numerator * (self.unit // denominator) for mark, (numerator, denominator) in ratios.items()}
        self.win, self.draw, self.loss, missed = (self._units(one) for one in (*values, scoring.missed))
        self.parts = lcm(*{len(meeting.entrants) - 1 for meeting in done} - {0})
        # The largest table of each round, for those who had none.
        self.largest: dict[int, int] = {}
        self.game_points = [0] * len(self.ids)
        self.rows: list[list[_Row]] = [[] for _one in self.ids]
        # Forfeits last: what place their losers have depends on the largest table that was played.
        for forfeits in (False, True):
            for meeting in done:
                if (meeting.kind == "forfeit") is forfeits:
                    scores = meeting.scores
                    self._add(meeting, [units[id(scores[one])] for one in meeting.entrants])
        self._add_missed(missed, [meeting for meeting in meetings if not meeting.scores])
        self.score = [sum([row.points for row in rows]) for rows in self.rows]

    def _units(self, value: Fraction) -> int:
        return value.numerator * (self.unit // value.denominator)

    def _add(self, meeting: Meeting, points: list[int]) -> None:
        """Add the rows of a meeting, given the points of each seat."""
        number, kind, places = meeting.round, meeting.kind, meeting.places
        indices = [self.index[one] for one in meeting.entrants]
        for one, noted in meeting.game_points.items():
            self.game_points[self.index[one]] += noted
        if kind == "played" and len(indices) == 2 and self.has_worth:
            # A large tournament has thousands of these: what follows comes to the same in more steps.
            self.largest[number] = max(2, self.largest.get(number, 0))
            (first, second), (won, lost) = indices, points
            one, other = meeting.entrants
            self.rows[first].append(_Row(number, _PLAYED, won, places.get(one), ((second, won),)))
            self.rows[second].append(_Row(number, _PLAYED, lost, places.get(other), ((first, lost),)))
            return
        if kind == "bye":
            what, least = _ASKED if meeting.requested else _GIVEN, self.win if self.has_worth else inf
            for index, own in zip(indices, points, strict=True):
                self.rows[index].append(_Row(number, what, own, 1 if what == _GIVEN and own >= least else None))
            return
        known = [places.get(one) for one in meeting.entrants]
        kinds = [_PLAYED] * len(indices)
        if kind == "played":
            self.largest[number] = max(len(indices), self.largest.get(number, 0))
        else:
            # 15.2: in a predetermined schedule a forfeit is as good as played.
            if not self.predetermined:
                kinds = [_WON if kind == "forfeit" and seat == 0 else _LOST for seat in range(len(indices))]
            if kind == "forfeit" and not places:
                # Nobody who played and came last is to stand behind who did not.
                last = max(len(indices), self.largest.get(number, 0))
                known = [1, *[last] * (len(indices) - 1)]
        against = self._against(meeting, indices, points, known)
        for seat, index in enumerate(indices):
            self.rows[index].append(_Row(number, kinds[seat], points[seat], known[seat], against[seat]))

    def _against(
        self, meeting: Meeting, indices: list[int], points: list[int], places: Sequence[int | None]
    ) -> Sequence[tuple[tuple[int, int], ...]]:
        """Of each seat, the others with the result: of a duel its points, else a win, a draw or a loss by place."""
        if len(indices) == 2 and self.has_worth:
            return ((indices[1], points[0]),), ((indices[0], points[1]),)
        order = [-one if self.high else one for one in points]
        if None not in places:
            order = [place or 0 for place in places]
        seats = list(zip(indices, order, strict=True))
        win, draw, loss = self.win, self.draw, self.loss
        if meeting.kind == "double_forfeit":
            win = draw = loss
        return [
            tuple(
                [
                    (other, win if place < its else draw if place == its else loss)
                    for other, its in seats
                    if other != index
                ]
            )
            for index, place in seats
        ]

    def _add_missed(self, points: int, unfinished: Sequence[Meeting]) -> None:
        """Put the rows in order; a round without a meeting is a bye that was asked for (16.1.1)."""
        # Of a round that is not over for somebody there is nothing to say yet.
        unsaid: dict[int, set[int]] = defaultdict(set)
        for meeting in unfinished:
            for one in meeting.entrants:
                unsaid[self.index[one]].add(meeting.round)
        every = list(range(1, self.rounds + 1))
        for index, own in enumerate(self.rows):
            if [row.number for row in own] == every:
                # One row of each round, in order.
                continue
            numbers = {row.number for row in own} | unsaid.get(index, set())
            if len(numbers) < self.rounds:
                own += [_Row(n, _ASKED, points) for n in every if n not in numbers]
            own.sort(key=itemgetter(0, 1, 2))

    @cached_property
    def encounters(self) -> list[list[tuple[int, int]]]:
        """Everybody whom each met, as often as that was, with the result in units."""
        return [[pair for row in rows if row.kind == _PLAYED for pair in row.against] for rows in self.rows]

    @cached_property
    def adjusted(self) -> list[int]:
        """The scores as opponents see them (16.3)."""
        if self.predetermined:
            return self.score
        return [score + self._adjustment(rows) for score, rows in zip(self.score, self.rows, strict=True)]

    def _adjustment(self, rows: Sequence[_Row]) -> int:
        added, later = 0, self.rounds + 1
        for row in reversed(rows):
            if row.number < later - 1:
                # Between them lies a round that is not over.
                break
            later = row.number
            if row.kind == _ASKED:
                added += self.draw - row.points
            elif row.kind != _LOST:
                break
        return added

    @cached_property
    def opponents(self) -> list[list[tuple[_Row, int]]]:
        """The score of the opponents of each round, in units times parts: their mean, or the dummy (16.4)."""
        return [
            [(row, self._opponent(index, row)) for row in rows if row.kind == _PLAYED or not self.predetermined]
            for index, rows in enumerate(self.rows)
        ]

    def _opponent(self, index: int, row: _Row) -> int:
        adjusted, against = self.adjusted, row.against
        if against:
            if len(against) == 1:
                mean = adjusted[against[0][0]] * self.parts
            else:
                mean = sum([adjusted[other] for other, _result in against]) * (self.parts // len(against))
            if row.kind == _PLAYED:
                return mean
        else:
            mean = self.draw * self.rounds * self.parts
        dummy = self.score[index] * self.parts
        return min(dummy, mean) if self.edition == "2026" else dummy


# --- Figures ----------------------------------------------------------------------------------------------------------


class Figures(NamedTuple):
    """A tie-break's figures by index: keys that sort (lower is better) and values to show."""

    keys: Sequence[Any]
    values: Sequence[Value]


def _numbers(amounts: Sequence[int | None], denominator: int, *, high: bool) -> Figures:
    """Figures from whole numbers of 1 / denominator; None stands behind all."""
    keys = [inf if one is None else -one if high else one for one in amounts]
    shown: dict[int | None, Value] = {one: None if one is None else Fraction(one, denominator) for one in set(amounts)}
    return Figures(keys, [shown[one] for one in amounts])


def _ratios(sums: Sequence[tuple[int, int]], denominator: int, *, high: bool) -> Figures:
    """Figures from sums and how many of what they are the mean; None for the mean of nothing."""
    many = lcm(*{count for _total, count in sums} - {0})
    amounts = [total * (many // count) if count else None for total, count in sums]
    return _numbers(amounts, denominator * many, high=high)


def _buchholz(table: Crosstable) -> Figures:
    """The sum of the opponents' scores (8.1)."""
    sums = [sum([score for _row, score in rows]) for rows in table.opponents]
    return _numbers(sums, table.unit * table.parts, high=True)


def _buchholz_cut1(table: Crosstable) -> Figures:
    """Buchholz without the least score (14.1)."""
    sums = [sum(_cut(rows)) for rows in table.opponents]
    return _numbers(sums, table.unit * table.parts, high=True)


def _buchholz_median(table: Crosstable) -> Figures:
    """Buchholz without the least and then without the highest score (14.3)."""
    sums = [sum(kept) - max(kept, default=0) for kept in map(_cut, table.opponents)]
    return _numbers(sums, table.unit * table.parts, high=True)


def _cut(rows: Sequence[tuple[_Row, int]]) -> list[int]:
    """All but the lowest of one's own doing, or else the lowest of all (16.5)."""
    scores = [score for _row, score in rows]
    voluntary = [score for row, score in rows if row.kind in (_ASKED, _LOST)]
    if scores:
        scores.remove(min(voluntary or scores))
    return scores


def _sonneborn_berger(table: Crosstable) -> Figures:
    """The sum of the opponents' scores, each times the points against that opponent (9.1)."""
    return _numbers(
        [
            sum([score * row.points if len(row.against) < 2 else _product(table, row, score) for row, score in rows])
            for rows in table.opponents
        ],
        table.unit**2 * table.parts,
        high=True,
    )


def _product(table: Crosstable, row: _Row, score: int) -> int:
    if row.kind != _PLAYED:
        return score * row.points
    return sum([table.adjusted[other] * result for other, result in row.against]) * (table.parts // len(row.against))


def _win_rate(table: Crosstable) -> Figures:
    """The mean share of the points that opponents won of those they could have, each taken as 1/3 at least.

    Magic: The Gathering Tournament Rules, appendix C: of rounds with a table alone, so that byes count on neither side.
    """
    seated = [[row for row in rows if row.against] for rows in table.rows]
    many = lcm(*{len(rows) for rows in seated} - {0})
    floor = table.win * many
    rates = [
        max(floor, 3 * sum([row.points for row in rows]) * (many // len(rows))) if rows else floor for rows in seated
    ]
    return _ratios(_met(table, rates), 3 * floor, high=True)


def _opponents(table: Crosstable) -> Figures:
    """The mean score of all whom one sat with."""
    return _ratios(_met(table, table.score), table.unit, high=table.high)


def _met(table: Crosstable, of: Sequence[int]) -> list[tuple[int, int]]:
    """The sum of something over everybody whom each met, and how many that were."""
    return [(sum([of[other] for other, _result in met]), len(met)) for met in table.encounters]


def _cumulative(table: Crosstable) -> Figures:
    """The sum of the scores after each round (7.5)."""
    last = table.rounds + 1
    sums = [sum([row.points * (last - row.number) for row in rows]) for rows in table.rows]
    return _numbers(sums, table.unit, high=table.high)


def _wins(table: Crosstable) -> Figures:
    """Rounds that brought the points of a win, with or without playing (7.1); first places with somebody behind."""
    # Who came in at another place than the first needs no closer look.
    counted = [
        sum([_won(table, row) for row in rows if row.place == 1 or row.kind != _PLAYED or not row.place])
        for rows in table.rows
    ]
    return Figures([-one for one in counted], counted)


def _won(table: Crosstable, row: _Row) -> bool:
    if row.kind != _PLAYED or row.place is None:
        return row.kind == _WON or (table.has_worth and row.points >= table.win)
    return row.place == 1 and any(result != table.draw for _other, result in row.against)


def _countback(table: Crosstable) -> Figures:
    """Most first places, then most second places, and so on (Racing Rules of Sailing 2025-2028, A8.1, in counts)."""
    counts = [Counter([row.place for row in rows if row.place]) for rows in table.rows]
    width = max((place for own in counts for place in own if place), default=0)
    values = [tuple([own[place] for place in range(1, width + 1)]) for own in counts]
    return Figures([tuple([-one for one in own]) for own in values], values)


def _last_round(table: Crosstable) -> Figures:
    """The better place in the last round, then in the one before (A8.2); who has none stands behind."""
    back = range(table.rounds, 0, -1)
    values: list[tuple[int | None, ...]] = []
    for rows in table.rows:
        # The best place of a round stays where a round has several.
        places = {row.number: row.place for row in sorted(rows, key=lambda row: -(row.place or 0))}
        values.append(tuple([places.get(number) for number in back]))
    return Figures([tuple([place or inf for place in own]) for own in values], values)


def _place_sum(table: Crosstable) -> Figures:
    """The sum of the places. A bye without one counts as the middle of the round's largest table, else as behind it."""
    sums = [sum([2 * row.place if row.place else _placeless(table, row) for row in rows]) for rows in table.rows]
    return _numbers(sums, 2, high=False)


def _placeless(table: Crosstable, row: _Row) -> int:
    """Twice the place that such a round counts as."""
    size = table.largest.get(row.number, 1)
    return size + 1 if row.kind == _GIVEN else 2 * (size + 1)


def _game_points(table: Crosstable) -> Figures:
    """The sum of the points of the games."""
    low = table.scoring.low_game_points
    return Figures([one if low else -one for one in table.game_points], table.game_points)


def _lots(table: Crosstable) -> Figures:
    """The number drawn, 1 first: by the seed, in the order of the ids.

    ``Random(seed).random()`` gives the same on every machine. Who enters later has a higher id and is drawn later, so
    that the lots of the others keep their order.
    """
    draw = Random(table.lots_seed).random
    drawn = sorted((draw(), one) for one in range(len(table.ids)))
    numbers = [0] * len(drawn)
    for number, (_lot, one) in enumerate(drawn, start=1):
        numbers[one] = number
    return Figures(numbers, numbers)


# --- Direct encounter -------------------------------------------------------------------------------------------------


class _Standing(NamedTuple):
    """The points against others of the tie, in units times a common number, and how many of them were not met."""

    points: int
    missing: int


def _direct(table: Crosstable, tie: Sequence[int], values: list[Value]) -> list[list[int]]:
    """The tie in order of the points that its members won off each other (6.1); notes in ``values`` what decided."""
    standings, many = _standings(table, tie)
    ordered = sorted(tie, key=lambda one: (-standings[one].points, one))
    if not any(standing.missing for standing in standings.values()):
        # 6.2: all of them met; asked again among those who are still level.
        _note(table, ordered, standings, many, values)
        parts = [list(part) for _points, part in groupby(ordered, key=lambda one: standings[one].points)]
        if len(parts) == 1:
            return parts
        return [again for part in parts for again in (_direct(table, part, values) if len(part) > 1 else [part])]
    # 6.3: who stays alone at the top whatever the missing meetings had brought is first, and so on.
    leaders = 0
    while leaders < len(ordered) - 1 and _is_safe(table, ordered[leaders:], standings, many):
        leaders += 1
    _note(table, ordered[:leaders], standings, many, values)
    rest = ordered[leaders:]
    heads = [[one] for one in ordered[:leaders]]
    return heads + (_direct(table, rest, values) if leaders and len(rest) > 1 else [rest])


def _note(
    table: Crosstable, decided: Sequence[int], standings: Mapping[int, _Standing], many: int, values: list[Value]
) -> None:
    """Show what decided; who was told apart before keeps the figure that did it."""
    for one in decided:
        if values[one] is None:
            values[one] = Fraction(standings[one].points, many * table.unit)


def _is_safe(table: Crosstable, ordered: Sequence[int], standings: Mapping[int, _Standing], many: int) -> bool:
    """Whether the first keeps ahead of all others even by losing all that is missing while they win it."""
    worst = standings[ordered[0]].points + standings[ordered[0]].missing * table.loss * many
    return all(worst > standings[one].points + standings[one].missing * table.win * many for one in ordered[1:])


def _standings(table: Crosstable, tie: Sequence[int]) -> tuple[dict[int, _Standing], int]:
    """The separate standings of 6.1; two who met more often have the average of it (6.1.2)."""
    members = set(tie)
    results: dict[int, dict[int, list[int]]] = {one: {} for one in tie}
    for one, against in results.items():
        for other, result in table.encounters[one]:
            if other in members:
                against.setdefault(other, []).append(result)
    many = lcm(*{len(met) for against in results.values() for met in against.values()})
    return {
        one: _Standing(sum([sum(met) * (many // len(met)) for met in against.values()]), len(tie) - 1 - len(against))
        for one, against in results.items()
    }, many


# --- The registry -----------------------------------------------------------------------------------------------------

_Ask = Callable[[list[int]], list[list[int]]]


@dataclass(frozen=True, slots=True)
class TieBreak:
    """A tie-break: its code, which figure is best, and the function that gives the figures.

    ``best``: ``high`` or ``low``; ``score`` as the scores of the tournament; ``game`` as the points of its game.
    ``figures`` is ``None`` for the direct encounter, whose figures are those of a tie. ``needs_worth``: asked only
    where the points know a win (``has_worth``).
    """

    code: str
    best: Literal["high", "low", "score", "game"]
    figures: Callable[[Crosstable], Figures] | None
    needs_worth: bool = False

    def within(self, table: Crosstable) -> tuple[_Ask, Sequence[Value]]:
        """What puts a tie in order, and the figures to show, those of a tie once it was asked."""
        if self.figures is None:
            values: list[Value] = [None] * len(table.ids)
            return lambda tie: _direct(table, tie, values), values
        keys, shown = self.figures(table)
        return lambda tie: _by_keys(tie, keys), shown


TIE_BREAKS: Mapping[str, TieBreak] = MappingProxyType(
    {
        one.code: one
        for one in (
            TieBreak("buchholz", "high", _buchholz, needs_worth=True),
            TieBreak("buchholz_cut1", "high", _buchholz_cut1, needs_worth=True),
            TieBreak("buchholz_median", "high", _buchholz_median, needs_worth=True),
            TieBreak("sonneborn_berger", "high", _sonneborn_berger, needs_worth=True),
            TieBreak("direct", "high", None),
            TieBreak("opponents_win_rate", "high", _win_rate, needs_worth=True),
            TieBreak("cumulative", "score", _cumulative),
            TieBreak("wins", "high", _wins),
            TieBreak("countback", "high", _countback),
            TieBreak("last_round", "low", _last_round),
            TieBreak("opponents", "score", _opponents),
            TieBreak("place_sum", "low", _place_sum),
            TieBreak("game_points", "game", _game_points),
            TieBreak("lots", "low", _lots),
        )
    }
)
