"""The score sheet of a session, read in a handful of queries and ready for a page or an answer.

Promises: running place sums are what the places so far add up to, round by round; final places are the stored ones
once the session is ended. Never: changes anything.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from games.catalog import GameInfo
from league.models.games import games_by_key
from league.models.players import Player
from league.models.sessions import Round, Score, Session, SessionStatus
from league.models.sessions import Seat as SeatRow
from league.scoring.sessions import EveningRules, PlayerResult, Seat, running


@dataclass(frozen=True, slots=True)
class SheetPlayer:
    """A player's column: seat, rounds (from 1; None: to the end), and the sum and place so far or in the end."""

    player: Player
    seat: int
    from_round: int
    until_round: int | None
    place_sum: int
    rounds_played: int
    rounds_missed: int
    place: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class SheetCell:
    """A player's score in a round, and the running place sum after it (None where the game gives no places)."""

    points: int | None
    place: int | None
    place_sum: int | None


@dataclass(frozen=True, slots=True)
class SheetRound:
    """A round's row: one cell a column, None where that player did not play it."""

    number: int
    game: GameInfo
    note: str
    confirmed: tuple[str, ...]
    cells: tuple[SheetCell | None, ...]


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """A whole session; columns in seat order, rounds as played."""

    session: Session
    players: tuple[SheetPlayer, ...]
    rounds: tuple[SheetRound, ...]


def score_sheet(session: Session) -> ScoreSheet:
    """Read the sheet of a session: seats, rounds, scores and results, one query each, and a game of the club's own."""
    rows = list(session.seats.select_related("player").order_by("number", "from_round"))
    rounds = [(one, list(one.scores.all())) for one in session.rounds.prefetch_related("scores").order_by("number")]
    results = [
        PlayerResult(
            result.player_id,
            result.place_sum,
            result.rounds_played,
            result.rounds_missed,
            result.place,
            result.reason,
            result.points,
        )
        for result in (session.results.all() if session.status != SessionStatus.OPEN else ())
    ]
    return assembled(session, rows, rounds, results, games_by_key(session.club_id, [one.game for one, _ in rounds]))


def assembled(
    session: Session,
    rows: Sequence[SeatRow],
    rounds: Sequence[tuple[Round, Sequence[Score]]],
    results: Iterable[PlayerResult],
    known: Mapping[str, GameInfo],
) -> ScoreSheet:
    """The sheet of a session from its rows: seats with their players in order, rounds in order, each with its scores.

    `results` are the stored ones, none while it goes on; `known` has every game that was played.
    """
    rules = session.season.evening_rules if session.season is not None else EveningRules()
    spans = [Seat(row.player_id, row.number, row.from_round, row.until_round) for row in rows]
    so_far = {one.player: one for one in results}
    if len(so_far) < len({row.player_id for row in rows}):
        played = [one.played(scores) for one, scores in rounds]
        so_far = {result.player: result for result in running(spans, played, rules)} | so_far
    order = list(dict.fromkeys(row.player_id for row in rows))
    columns = []
    for pk in order:
        own = [row for row in rows if row.player_id == pk]
        result = so_far[pk]
        columns.append(
            SheetPlayer(
                player=own[0].player,
                seat=own[0].number,
                from_round=own[0].from_round,
                until_round=own[-1].until_round,
                place_sum=result.place_sum,
                rounds_played=result.rounds_played,
                rounds_missed=result.rounds_missed,
                place=result.place,
                reason=result.reason,
            )
        )
    sums = dict.fromkeys(order, 0)
    lines = tuple(_row(one, scores, order, sums, known) for one, scores in rounds)
    return ScoreSheet(session=session, players=tuple(columns), rounds=lines)


def _row(
    one: Round, found: Iterable[Score], order: list[int], sums: dict[int, int], known: Mapping[str, GameInfo]
) -> SheetRound:
    """One round's row; adds its places to the running `sums`."""
    scores = {score.player_id: score for score in found}
    cells: list[SheetCell | None] = []
    for pk in order:
        score = scores.get(pk)
        if score is None:
            cells.append(None)
            continue
        if score.place is not None:
            sums[pk] += score.place
        cells.append(SheetCell(score.points, score.place, sums[pk] if score.place is not None else None))
    return SheetRound(one.number, known[one.game], one.note, tuple(one.confirmed), tuple(cells))
