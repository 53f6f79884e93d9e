"""What is still possible at a table: who can win, who has won already, and which place in the next game that takes.

Terms. A *table* is a session that goes on, at which place sums decide (docs/rules/xxl.md, "Scoring a session"). Those
who *sit* there share out the places of every game left; who has left misses them, each for one place more than sit
there. A *total* is a player's place sum in the end; a final place is one more than the number of smaller totals. A
player *can* finish at place N or better where some outcome of the games left ends so, and *has clinched* it where
every outcome does. Each game left may end in any order, with ties, the places after them skipped.

Promises: every answer is proved, by the arguments below or by a search of all that these leave; what a search does
not decide within its limit is called undecided. A shared first place counts as winning.

Never: samples outcomes, or guesses how probable one is.

The arguments (docs/outlook.md tells them to players). *Best*: raising a player to the first place of a game, alone,
lowers nobody else's place number, and so does breaking a tie of others. So a player has the best end in an outcome
without ties in which the own place is 1 wherever it is free. Of the others those who may stay ahead, at best those
with the smallest sums, take the next places; whether the rest can all be kept behind is the question whether the
largest places of each game can be shared out so that each gets a given sum. *Worst*: all others share the first
place and the player is last, alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, permutations
from typing import Literal

from league.scoring.sessions import EveningRules, PlayedRound, Seat, running

Answer = Literal["yes", "no", "undecided"]

# How many states one search looks at; a table of six with twelve games left needs a few dozen.
LIMIT = 20_000


@dataclass(frozen=True, slots=True)
class Entry:
    """Somebody who gets a final place: the sum so far, and whether the places of the games left are added to it."""

    player: int
    place_sum: int
    plays: bool = True


@dataclass(frozen=True, slots=True)
class Table:
    """``sitting`` share out the places of each of the ``games`` left; who of them gets no final place has no entry."""

    entries: tuple[Entry, ...]
    sitting: int
    games: int


@dataclass(frozen=True, slots=True)
class Reach:
    """The final places that a player may have.

    ``possible[N - 1]``: whether place ``N`` or better can be; ``alone``: whether the first place can, not shared.
    ``worst`` is the last place that can be; ``surely_alone``: first and not shared, whatever happens.
    """

    possible: tuple[Answer, ...]
    alone: Answer
    worst: int
    surely_alone: bool

    def can(self, place: int) -> Answer:
        """Whether this place or better can be reached."""
        return self.possible[min(place, len(self.possible)) - 1]

    def clinched(self, place: int) -> bool:
        """Whether it is this place or better whatever happens."""
        return self.worst <= place


@dataclass(frozen=True, slots=True)
class Need:
    """What a player's place in the next game has to be for a final place: at most ``keep``, so that it can still be
    reached, and at most ``clinch``, so that it is reached whatever else happens.

    ``None``: no place in the next game does. ``decides``: with the next game all is settled for this player, one way
    by some places and the other way by others. ``undecided``: a search hit its limit, and ``keep`` may be more.
    """

    keep: int | None
    clinch: int | None
    decides: bool
    undecided: bool = False


@dataclass(frozen=True, slots=True)
class PlayerOutlook:
    """A player's prospects: in all, and by the own place (1, 2, …) in the next game; none for who does not play it."""

    player: int
    place_sum: int
    reach: Reach
    by_next_place: tuple[Reach, ...]

    def need(self, place: int) -> Need:
        """What it takes to finish at this place or better."""
        answers = [reach.can(place) for reach in self.by_next_place]
        keep = [own for own, answer in enumerate(answers, start=1) if answer == "yes"]
        clinch = [own for own, reach in enumerate(self.by_next_place, start=1) if reach.clinched(place)]
        undecided = "undecided" in answers
        open_ = sum(own not in clinch and answers[own - 1] != "no" for own in range(1, len(answers) + 1))
        return Need(
            keep=max(keep, default=None),
            clinch=max(clinch, default=None),
            decides=not open_ and 0 < len(clinch) < len(answers),
            undecided=undecided,
        )


def table_of(
    seats: Sequence[Seat], rounds: Sequence[PlayedRound], *, planned: int, rules: EveningRules
) -> Table | None:
    """The table of a session that goes on; ``None`` where nothing is left or the table is known to change.

    Whoever sits there now is taken to play all rounds left. Raises ScoringError as ``running`` does.
    """
    left = range(len(rounds) + 1, planned + 1)
    at_table = [frozenset(seat.player for seat in seats if seat.holds(number)) for number in left]
    if not at_table or not at_table[0] or len(set(at_table)) > 1:
        return None
    before = {one.player: one for one in running(seats, rounds, rules)}
    # A round in which place 0 adds nothing: it tells who plays on, for whom, and what was missed until now.
    empty = PlayedRound(left[0], "", dict.fromkeys(at_table[0], 0))
    entries = []
    for one in running(seats, [*rounds, empty], rules):
        plays = one.rounds_played > before[one.player].rounds_played
        if not one.reason:
            missed = 0 if plays else len(at_table[0]) + 1
            entries.append(Entry(one.player, one.place_sum - missed, plays))
    return Table(tuple(entries), len(at_table[0]), len(left))


def outlook(table: Table, *, limit: int = LIMIT) -> tuple[PlayerOutlook, ...]:
    """The prospects of everybody who gets a final place, in the order of the entries.

    ``limit`` is the number of states that the search behind each single answer may look at.
    """
    return tuple(
        PlayerOutlook(
            player=entry.player,
            place_sum=entry.place_sum,
            reach=_reach(table, entry, None, limit),
            by_next_place=tuple(
                _reach(table, entry, place, limit)
                for place in range(1, table.sitting + 1)
                if entry.plays and table.games
            ),
        )
        for entry in table.entries
    )


def _reach(table: Table, entry: Entry, next_place: int | None, limit: int) -> Reach:
    """The places that ``entry`` may have, in the next game at ``next_place``; ``None``: wherever."""
    worst, surely_alone = _worst(table, entry, next_place)
    return Reach(
        possible=tuple(_possible(table, entry, next_place, end, limit) for end in range(1, len(table.entries) + 1)),
        alone=_possible(table, entry, next_place, 1, limit, alone=True),
        worst=worst,
        surely_alone=surely_alone,
    )


def _total(table: Table, entry: Entry) -> int:
    """The total of who does not play on."""
    return entry.place_sum + table.games * (table.sitting + 1)


# --- The best that can be -------------------------------------------------------------------------------------------


def _possible(
    table: Table, entry: Entry, next_place: int | None, end: int, limit: int, *, alone: bool = False
) -> Answer:
    """Whether ``entry`` can finish at place ``end`` or better; ``alone``: with nobody else at that total."""
    places = range(1, table.sitting + 1)
    if entry.plays:
        own = [1 if next_place is None else next_place, *[1] * (table.games - 1)][: table.games]
        total = entry.place_sum + sum(own)
        free = [[place for place in places if place != taken] for taken in own]
    else:
        total = _total(table, entry)
        free = [list(places)] * table.games
    others = [one for one in table.entries if one is not entry]
    # Totals from here on stay behind.
    behind = total + alone
    allowed = end - 1 - sum(not one.plays and _total(table, one) < behind for one in others)
    if allowed < 0:
        return "no"
    needs = sorted((behind - one.place_sum for one in others if one.plays), reverse=True)[allowed:]
    games = tuple(tuple(sorted(game, reverse=True)[: len(needs)]) for game in free)
    search = _Sharing(games, limit)
    try:
        return "yes" if search.serves(0, tuple(needs)) else "no"
    except _LimitHit:
        return "undecided"


class _LimitHit(Exception):
    """The search has looked at as many states as it may."""


class _Sharing:
    """Whether places can be shared out, game by game, so that each player's add up to a given need at least.

    ``games`` has the places of each game from the largest, one a player; who gets which is free.
    """

    def __init__(self, games: Sequence[tuple[int, ...]], limit: int) -> None:
        self.games = games
        self.left = limit
        self.failed: set[tuple[int, tuple[int, ...]]] = set()
        # tops[i][k]: the most that k players together can get from game i on.
        self.tops: list[list[int]] = [[0] * (len(games[0]) + 1 if games else 1)]
        for game in reversed(games):
            after = self.tops[0]
            self.tops.insert(0, [after[k] + sum(game[:k]) for k in range(len(after))])

    def serves(self, index: int, needs: tuple[int, ...]) -> bool:
        """Whether the games from ``index`` on serve these needs, given from the largest."""
        if not needs or needs[0] <= 0:
            return True
        if index == len(self.games) or not self._may_serve(index, needs):
            return False
        game = self.games[index]
        if index == len(self.games) - 1:
            # The last game: largest to largest, or not at all.
            return all(need <= place for need, place in zip(needs, game, strict=True))
        state = index, needs
        if state in self.failed:
            return False
        if self.left <= 0:
            raise _LimitHit
        self.left -= 1
        # The first permutation gives the largest place to the largest need.
        for shared in permutations(game):
            rest = (max(need - place, 0) for need, place in zip(needs, shared, strict=True))
            if self.serves(index + 1, tuple(sorted(rest, reverse=True))):
                return True
        self.failed.add(state)
        return False

    def _may_serve(self, index: int, needs: tuple[int, ...]) -> bool:
        """False where the largest needs together are more than the largest places together."""
        together = accumulate(max(need, 0) for need in needs)
        return all(need <= most for need, most in zip(together, self.tops[index][1:], strict=True))


# --- The worst that can be ------------------------------------------------------------------------------------------


def _worst(table: Table, entry: Entry, next_place: int | None) -> tuple[int, bool]:
    """The last final place that can be, and whether it is the first, alone, whatever happens."""
    others = [one for one in table.entries if one is not entry]
    if entry.plays and table.games:
        own = table.sitting if next_place is None else next_place
        total = entry.place_sum + own + (table.games - 1) * table.sitting
        # In the next game own - 1 players are at place 1 and the others level with the player; in the games after
        # it all of them are at place 1.
        first, level = table.games, table.games - 1 + own
    else:
        own, first, level = table.sitting + 1, table.games, table.games
        total = _total(table, entry) if not entry.plays else entry.place_sum

    def ahead(totals_below: int) -> int:
        """How many totals can be below."""
        away = sum(not one.plays and _total(table, one) < totals_below for one in others)
        playing = [one.place_sum for one in others if one.plays]
        even_level = sum(place_sum + level < totals_below for place_sum in playing)
        as_first = sum(place_sum + first < totals_below for place_sum in playing)
        return away + even_level + min(own - 1, as_first - even_level)

    return 1 + ahead(total), ahead(total + 1) == 0
