"""What a change would move, as the tables of a page.

Terms: a *move* is one figure before and after; equal ones did not move. Promises: the players of the session come in
the order of their places afterwards, those of a season in the order of its table, those of a board of ratings from the
highest number afterwards on.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from django.utils.translation import gettext as _

from league.models import Season, Tournament
from league.services import rule_words
from league.services.corrections import Line, Preview, RatingMove, RatingMoves, StandingMove
from league.services.seasons import TableLine, TablePreview
from league.services.tournament_changes import Overtaken
from league.services.tournament_previews import Rank, RankMove, TournamentMoves
from league.web.rating_words import board_title

_NOTHING = "\N{EN DASH}"
# Of a table under other rules: the top, which says most.
ROWS = 100


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
    value_name: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class BoardMoves:
    """A board of ratings with the rating of each player who moves."""

    title: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class TournamentRanks:
    """The ranks that move in a table of a tournament: of a stage, of a group, or of the whole."""

    title: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class OfTournament:
    """What moves in the session's tournament: the first of the ranks, and how many `more`.

    `is_final`: they are final ones. `leaves_open`: it is finished, and the table of these numbers has no result then.
    """

    row: Tournament
    ranks: tuple[TournamentRanks, ...]
    more: int
    is_final: bool
    leaves_open: bool
    round: int
    table: int


@dataclass(frozen=True, slots=True)
class Moves:
    """A whole preview: place and place sum of the players in the session, the standings and the ratings.

    `has_season` says whether there are standings that could move; `tournament` is None for a session of none.
    `tournament_rounds` are those that were paired on results that change, `tournament_stages` the numbers of those that
    were seeded by them.
    `ratings_from` is the day from which on ratings are worked out anew where it is not told whose move; else None.
    """

    players: tuple[Row, ...]
    seasons: tuple[SeasonMoves, ...]
    boards: tuple[BoardMoves, ...]
    ratings_from: date | None
    has_season: bool
    tournament: OfTournament | None = None
    tournament_rounds: tuple[Overtaken, ...] = ()
    tournament_stages: tuple[int, ...] = ()

    @property
    def in_session(self) -> bool:
        """Whether anybody's place or sum moves."""
        return any(move.moved for row in self.players for move in row.moves)

    @property
    def nothing(self) -> bool:
        """Whether every place, sum, standing, rank and rating stays, and nothing of a tournament was made on them."""
        of_tournament = (
            self.tournament_rounds
            or self.tournament_stages
            or (self.tournament is not None and (self.tournament.ranks or self.tournament.leaves_open))
        )
        return not (self.seasons or self.in_session or self.boards or self.ratings_from or of_tournament)


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
        boards=tuple(_boards(preview.ratings)),
        ratings_from=None if preview.ratings.is_told else preview.ratings.from_day,
        has_season=preview.has_season,
        tournament=_of_tournament(preview.tournament) if preview.tournament is not None else None,
        tournament_rounds=preview.tournament_rounds,
        tournament_stages=preview.tournament_stages,
    )


def _boards(moves: RatingMoves) -> Iterator[BoardMoves]:
    found: dict[str, list[RatingMove]] = {}
    for one in moves.players:
        found.setdefault(board_title(one.board, one.family, one.player.kind), []).append(one)
    for title, ones in found.items():
        ones.sort(key=lambda one: (-(one.after or 0), one.player.name_key))
        yield BoardMoves(title, tuple(Row(one.player.name, (_move(one.before, one.after),)) for one in ones))


def _seasons(preview: Preview) -> Iterator[SeasonMoves]:
    for season in dict.fromkeys(one.season for one in preview.standings):
        lines = sorted((one for one in preview.standings if one.season == season), key=_rank)
        rows = tuple(Row(one.player.name, tuple(_figures(one))) for one in lines)
        yield SeasonMoves(season, rule_words.value_name(season), rows)


def _of_tournament(moves: TournamentMoves) -> OfTournament:
    ranks = tuple(
        TournamentRanks(_ranks_title(*key), tuple(_rank_row(one) for one in found))
        for key, found in groupby(moves.ranks, key=lambda one: (one.stage, one.group, moves.has_stages))
    )
    return OfTournament(
        row=moves.tournament,
        ranks=ranks,
        more=moves.more,
        is_final=moves.is_finished,
        leaves_open=moves.leaves_open,
        round=moves.round,
        table=moves.table,
    )


def _ranks_title(stage: int | None, group: int | None, has_stages: bool) -> str:
    if stage is None:
        return _("Ranks in the whole tournament")
    if group is not None:
        params = {"stage": stage, "group": group}
        return (
            _("Ranks in stage %(stage)d, group %(group)d") if has_stages else _("Ranks in group %(group)d")
        ) % params
    return _("Ranks in stage %(stage)d") % {"stage": stage} if has_stages else _("Ranks in the tournament")


def _rank_row(one: RankMove) -> Row:
    return Row(one.entry.player.name, (Move(_rank_told(one.before), _rank_told(one.after)),))


def _rank_told(one: Rank) -> str:
    return f"{one.rank}{_NOTHING}{one.rank_to}" if one.rank_to > one.rank else str(one.rank)


def _rank(move: StandingMove) -> tuple[bool, int, str]:
    rank = move.after.rank if move.after is not None else None
    return rank is None, rank or 0, move.player.name_key


def _figures(one: StandingMove) -> Iterator[Move]:
    return _compared(_told(one.season, one.before), _told(one.season, one.after))


def _told(season: Season, line: Line | TableLine | None) -> tuple[object, ...]:
    """Rank, what the season ranks by, and sessions."""
    if line is None:
        return None, None, None
    return line.rank, rule_words.value_told(season, line.value, line.counted), line.sessions


def _compared(before: tuple[object, ...], after: tuple[object, ...]) -> Iterator[Move]:
    for one, other in zip(before, after, strict=True):
        yield _move(one, other)


def _move(before: object, after: object) -> Move:
    return Move(*(_NOTHING if value is None else str(value) for value in (before, after)))


# --- Other rules ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TableMoves:
    """A season's table under other rules: the first `ROWS` of it, and how many more there are.

    `ranks` is how many players of the whole table have another rank, `value` the heading of what it ranks by.
    """

    value: Move
    rows: tuple[Row, ...]
    ranks: int
    more: int


def table_moves(preview: TablePreview, before: Season) -> TableMoves:
    """The table of a preview; `before` is the season with the rules that it has."""
    after = preview.season
    rows = tuple(
        Row(one.player.name, tuple(_compared(_told(before, one.before), _told(after, one.after))))
        for one in preview.moves[:ROWS]
    )
    names = Move(rule_words.value_name(before), rule_words.value_name(after))
    return TableMoves(names, rows, preview.moved, len(preview.moves) - len(rows))
