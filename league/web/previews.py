"""What a change would move, as the tables of a page.

Terms: a *move* is one figure before and after; equal ones did not move. Promises: the players of the session come in
the order of their places afterwards, those of a season in the order of its table.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from django.template.defaultfilters import floatformat

from league.models import RankingMetric, Season
from league.services.corrections import Line, Preview, StandingMove

_NOTHING = "\N{EN DASH}"


@dataclass(frozen=True, slots=True)
class Move:
    """One figure before and after, in words; a dash for none."""

    before: str
    after: str

    @property
    def moved(self) -> bool:
        return self.before != self.after


@dataclass(frozen=True, slots=True)
class Row:
    """A player with the figures of one table."""

    player: str
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class SeasonMoves:
    """A season's table where it moves: rank, what it ranks by, and sessions of each player concerned."""

    season: Season
    by_wins: bool
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Moves:
    """A whole preview: place and place sum of the players in the session, and the standings."""

    players: tuple[Row, ...]
    seasons: tuple[SeasonMoves, ...]

    @property
    def in_session(self) -> bool:
        """Whether anybody's place or sum moves."""
        return any(move.moved for row in self.players for move in row.moves)

    @property
    def nothing(self) -> bool:
        """Whether every place, sum and standing stays."""
        return not self.seasons and not self.in_session


def moves(preview: Preview) -> Moves:
    """The tables of a preview."""
    players = sorted(preview.players, key=lambda one: (one.after.place is None, one.after.place, one.player.name_key))
    return Moves(
        players=tuple(
            Row(
                one.player.name,
                (_move(one.before.place, one.after.place), _move(one.before.place_sum, one.after.place_sum)),
            )
            for one in players
        ),
        seasons=tuple(_seasons(preview)),
    )


def _seasons(preview: Preview) -> Iterator[SeasonMoves]:
    for season in dict.fromkeys(one.season for one in preview.standings):
        by_wins = season.ranking_metric == RankingMetric.WINS
        lines = sorted((one for one in preview.standings if one.season == season), key=_rank)
        yield SeasonMoves(
            season, by_wins, tuple(Row(one.player.name, tuple(_figures(one, by_wins=by_wins))) for one in lines)
        )


def _rank(move: StandingMove) -> tuple[bool, int, str]:
    rank = move.after.rank if move.after is not None else None
    return rank is None, rank or 0, move.player.name_key


def _figures(one: StandingMove, *, by_wins: bool) -> Iterator[Move]:
    def figures(line: Line | None) -> tuple[object, ...]:
        if line is None:
            return None, None, None
        return line.rank, line.wins if by_wins else floatformat(line.place_average, 2), line.sessions

    for before, after in zip(figures(one.before), figures(one.after), strict=True):
        yield _move(before, after)


def _move(before: object, after: object) -> Move:
    return Move(*(_NOTHING if value is None else str(value) for value in (before, after)))
