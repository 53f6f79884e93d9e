"""The BG Stats links of a session, made from its score sheet.

Terms: a *push* is one play as BG Stats takes it over (`league/exchange/bg_stats_link.py`); here it is a whole session.
Promises: a session of one round by points is told by its points, any other by its sums of places, the lowest of which
wins; ids are the same whenever the link is made and those of no other installation. Never: asks the database.
"""

from collections.abc import Sequence

from django.utils.crypto import salted_hmac

from league.exchange.bg_stats_link import Push, PushPlayer, link
from league.models.players import Player
from league.models.sessions import SessionFormat, SessionStatus
from league.models.sheets import ScoreSheet, SheetPlayer

_XXL = "XXL"
_BOARDS = {SessionFormat.PURE_XXL: "Pure XXL", SessionFormat.INDIVIDUAL_XXL: "Individual XXL"}


def shared_id(kind: str, pk: int) -> str:
    """What programs outside call a row: always the same, and that of no other installation."""
    return salted_hmac("league.shared", f"{kind} {pk}", algorithm="sha256").hexdigest()[:32]


def push_links(sheet: ScoreSheet) -> list[tuple[Player, str]]:
    """(participant, link) of an ended session; each link names its participant first. None while it goes on or void."""
    session = sheet.session
    if session.status == SessionStatus.OPEN or session.voided_at is not None or not sheet.rounds:
        return []
    by_points = len(sheet.rounds) == 1 and all(
        cell is None or cell.points is not None for cell in sheet.rounds[0].cells
    )
    rows = [_row(sheet, index, by_points=by_points) for index in range(len(sheet.players))]
    return [
        (column.player, link(_push(sheet, [rows[index], *rows[:index], *rows[index + 1 :]], by_points=by_points)))
        for index, column in enumerate(sheet.players)
    ]


def _push(sheet: ScoreSheet, players: Sequence[PushPlayer], *, by_points: bool) -> Push:
    session, game = sheet.session, sheet.rounds[0].game
    is_xxl = game.family == "xxl"
    return Push(
        source_id=shared_id("session", session.pk),
        day=session.played_on,
        game=_XXL if is_xxl else game.name,
        game_source_id=shared_id(f"game {_XXL if is_xxl else game.key} of", session.club_id),
        board=_BOARDS.get(SessionFormat(session.format), game.name) if is_xxl else "",
        high_wins=by_points and game.high_wins,
        no_points=len(sheet.rounds) == 1 and not by_points,
        location=session.location,
        comment=session.comment,
        players=players,
    )


def _row(sheet: ScoreSheet, index: int, *, by_points: bool) -> PushPlayer:
    column = sheet.players[index]
    cells = [one.cells[index] for one in sheet.rounds]
    score = str(column.place_sum)
    if sheet.rounds[0].game.cooperative:
        score = str(sum(cell.points or 0 for cell in cells if cell is not None))
    elif by_points:
        score = "" if cells[0] is None else str(cells[0].points)
    elif len(cells) == 1:
        score = ""
    return PushPlayer(
        source_id=shared_id("player", column.player.pk),
        name=column.player.name,
        score=score,
        rank=column.place or 0,
        winner=_won(sheet, column),
    )


def _won(sheet: ScoreSheet, column: SheetPlayer) -> bool:
    """First place; together, when the table reached the best that there is in every round."""
    if not sheet.rounds[0].game.cooperative:
        return column.place == 1
    for one in sheet.rounds:
        limits = one.game.bounds.for_table(len(sheet.players))
        best = limits.maximum if one.game.high_wins else limits.minimum
        if best is None or any(cell is not None and cell.points != best for cell in one.cells):
            return False
    return True
