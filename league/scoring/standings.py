"""The table of a season: what each player's sessions add up to, and the ranks.

Terms. A *session place* is one player's final place in a session that counts. A *line* is what the
places of one player add up to. A *metric* is the number that a season ranks by. A *rank* is a position
in the table, shared by equal metrics with the following ranks skipped. A *win* is a session finished
at place 1, shared or not.

Promises: the order of the input changes nothing. Ranks compare exact numbers in the sense of
``sort_key``: equal averages share a rank, from however many sessions each comes.

Never: breaks a tie, or reads a session that was not given.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Literal

Metric = Literal["place_average", "wins"]


@dataclass(frozen=True, slots=True)
class SessionPlace:
    """One player's final place (from 1) in one session with so many players; ids as plain numbers."""

    player: int
    session: int
    played_on: date
    place: int
    players: int


@dataclass(frozen=True, slots=True)
class StandingLine:
    """One player's sessions added up: ``place_total`` is the sum of the final places in them."""

    player: int
    sessions: int
    place_total: int
    wins: int
    last_session: int
    last_played_on: date
    last_place: int

    @property
    def place_average(self) -> Fraction:
        """The sum of the final places divided by the sessions; 1 is the best there can be."""
        return Fraction(self.place_total, self.sessions)


@dataclass(frozen=True, slots=True)
class RankingRules:
    """What a season ranks by, and from how many sessions on a player has a rank.

    ``place_average``: the lowest wins. ``wins``: the most win.
    """

    metric: Metric = "place_average"
    minimum_sessions: int = 1


def add(line: StandingLine | None, result: SessionPlace) -> StandingLine:
    """The line with one more session; ``None`` is the line of a player who has none yet.

    The last session is the one played last; of several on one day the one with the highest id. Raises
    ValueError for a result of another player.
    """
    if line is None:
        line = StandingLine(result.player, 0, 0, 0, result.session, result.played_on, result.place)
    if line.player != result.player:
        raise ValueError("A line adds up the sessions of exactly one player.")
    later = (result.played_on, result.session) >= (line.last_played_on, line.last_session)
    return StandingLine(
        player=line.player,
        sessions=line.sessions + 1,
        place_total=line.place_total + result.place,
        wins=line.wins + (result.place == 1),
        last_session=result.session if later else line.last_session,
        last_played_on=result.played_on if later else line.last_played_on,
        last_place=result.place if later else line.last_place,
    )


def fold(results: Iterable[SessionPlace]) -> StandingLine:
    """Add up the sessions of one player, given in any order. Raises ValueError when there is none."""
    line: StandingLine | None = None
    for result in results:
        line = add(line, result)
    if line is None:
        raise ValueError("A line adds up the sessions of exactly one player.")
    return line


def sort_key(line: StandingLine, rules: RankingRules) -> float:
    """The metric as one number to store and to sort by; lower is better.

    Division of whole numbers is rounded correctly, so it depends on the exact quotient alone: 10/2 and
    5/1, or 14/6 and 7/3, give the very same float. Different quotients give different floats, too:
    averages below 8 over fewer than ten million sessions differ by more than floats do.
    """
    if rules.metric == "wins":
        return float(-line.wins)
    return line.place_total / line.sessions


def rank(lines: Iterable[StandingLine], rules: RankingRules) -> tuple[tuple[int | None, StandingLine], ...]:
    """The table from the top: (rank, line), with ``None`` at the end for those below the minimum.

    Equal metrics share the rank and stand in the order of the players' ids.
    """
    ordered = sorted(lines, key=lambda line: (sort_key(line, rules), line.player))
    ranked = [line for line in ordered if line.sessions >= rules.minimum_sessions]
    below = [line for line in ordered if line.sessions < rules.minimum_sessions]
    ranks: dict[float, int] = {}
    for position, line in enumerate(ranked, start=1):
        ranks.setdefault(sort_key(line, rules), position)
    return (
        *((ranks[sort_key(line, rules)], line) for line in ranked),
        *((None, line) for line in below),
    )
