"""Score sheets on paper: blank ones to write on, filled ones of what is recorded; plain values for a template.

Terms: a *paper* is one score sheet for print; a *line* is a round on it, a *column* a player. Promises: what a round
lacks is an empty cell to write into, so that an evening can go on by hand where the network or the phone ends; up to
twelve lines fit one page of A4 (`static/print.css` has their heights). Never: reads or changes what is stored.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.catalog import GAMES, GameInfo
from league.models import Session, SessionFormat, SessionStatus
from league.models.sheets import ScoreSheet, SheetCell, SheetPlayer
from league.scoring.sessions import PURE_XXL
from league.services.wording import game_title, points_name
from league.web.words import code_words, shared_places

FEWEST, MOST = 2, 8
# A paper of more lines takes another page; so many more are not for writing by hand.
_MOST_OPEN_LINES = 60
_LONG_NAME = 14


@dataclass(frozen=True, slots=True)
class PaperCell:
    """A player's part of a line: "" to write into; `sum` is the place sum so far."""

    points: str = ""
    place: str = ""
    sum: str = ""
    is_first: bool = False
    # Not played by this player: struck, so that nobody writes there.
    is_struck: bool = False


@dataclass(frozen=True, slots=True)
class PaperLine:
    """A round; `title` is "" where the game is yet to be chosen. `begins_again`: the first of the second time.

    `remark` says how the round ended, or before it is played who wins it.
    """

    number: int
    title: str
    remark: str
    cells: tuple[PaperCell, ...]
    begins_again: bool = False


@dataclass(frozen=True, slots=True)
class PaperColumn:
    """A player: name, sum of places and final place, each "" to write into; `remark` on a shared place or on none."""

    name: str
    place_sum: str = ""
    place: str = ""
    remark: str = ""

    @property
    def is_long(self) -> bool:
        """Whether the name is set smaller."""
        return len(self.name) > _LONG_NAME


@dataclass(frozen=True, slots=True)
class Paper:
    """A score sheet; `rule` says in small print how places and the winner come about."""

    columns: tuple[PaperColumn, ...]
    lines: tuple[PaperLine, ...]
    rule: str
    has_places: bool = True

    @property
    def size(self) -> str:
        """How high the lines are: `tall` up to 6, `usual` up to 12, `small` for more."""
        return "tall" if len(self.lines) <= 6 else "usual" if len(self.lines) <= 12 else "small"

    @property
    def is_crowded(self) -> bool:
        """Whether the columns are narrow."""
        return len(self.columns) > 6


def blank(*, players: int, repeats: int, names: Sequence[str] = ()) -> Paper:
    """A sheet of Pure XXL to write on, each game `repeats` times (1 or 2), the first columns with these names."""
    columns = tuple(PaperColumn(names[index] if index < len(names) else "") for index in range(players))
    lines = tuple(
        _open_line(number, GAMES[key], players, begins_again=repeats > 1 and number == len(PURE_XXL) + 1)
        for number, key in enumerate(PURE_XXL * repeats, start=1)
    )
    return Paper(columns, lines, _rule())


def filled(sheet: ScoreSheet) -> Paper:
    """The sheet of a session; an open one has lines for the rounds to come."""
    session = sheet.session
    cooperative = bool(sheet.rounds) and sheet.rounds[0].game.cooperative
    over = session.status != SessionStatus.OPEN
    columns = tuple(_ended(sheet, one) if over else PaperColumn(one.player.name) for one in sheet.players)
    lines = [
        PaperLine(
            number=one.number,
            title=game_title(one.game),
            remark=code_words(one.note),
            cells=tuple(_cell(cell) for cell in one.cells),
            begins_again=_begins_again(session, one.number),
        )
        for one in sheet.rounds
    ]
    if not over:
        lines += _lines_to_come(sheet, len(columns))
    rule = _("One result for the table: nobody has a place.") if cooperative else _rule()
    return Paper(columns, tuple(lines), rule, has_places=not cooperative)


def _ended(sheet: ScoreSheet, one: SheetPlayer) -> PaperColumn:
    """A player's column of a session that is over."""
    has_sum = bool(sheet.rounds) and bool(one.place_sum or not one.reason)
    shared = one.place is not None and one.place in shared_places(sheet)
    return PaperColumn(
        name=one.player.name,
        place_sum=str(one.place_sum) if has_sum else "",
        place="" if one.place is None else str(one.place),
        remark=_("shared") if shared else code_words(one.reason),
    )


def _lines_to_come(sheet: ScoreSheet, players: int) -> list[PaperLine]:
    """Lines for what is yet to be played, named where the format says which games."""
    session, played = sheet.session, len(sheet.rounds)
    if session.format == SessionFormat.PURE_XXL:
        games = list(PURE_XXL * session.repeats)
        for one in sheet.rounds:
            if one.game.key in games:
                games.remove(one.game.key)
        known: list[GameInfo | None] = [GAMES[key] for key in games]
    else:
        left = min(session.planned_rounds - played, _MOST_OPEN_LINES)
        known = [sheet.rounds[0].game if sheet.rounds and session.format == SessionFormat.SERIES else None] * left
    return [
        _open_line(number, game, players, begins_again=_begins_again(session, number))
        for number, game in enumerate(known, start=played + 1)
    ]


def _open_line(number: int, game: GameInfo | None, players: int, *, begins_again: bool) -> PaperLine:
    title, remark = (game_title(game), _who_wins(game)) if game is not None else ("", "")
    return PaperLine(number, title, remark, (PaperCell(),) * players, begins_again)


def _begins_again(session: Session, number: int) -> bool:
    return session.repeats > 1 and number == len(PURE_XXL) + 1


def _cell(cell: SheetCell | None) -> PaperCell:
    if cell is None:
        return PaperCell(is_struck=True)
    return PaperCell(
        points="" if cell.points is None else str(cell.points),
        place="" if cell.place is None else str(cell.place),
        sum="" if cell.place_sum is None else str(cell.place_sum),
        is_first=cell.place == 1,
    )


def _who_wins(game: GameInfo) -> str:
    if game.scored_by == "places":
        return ""
    if game.cooperative:
        return _("for the whole table: %(unit)s") % {"unit": points_name(game)}
    return _("most points win") if game.high_wins else _("fewest points win")


def _rule() -> str:
    return _(
        "Place in a game: equal points share the place and the next places are skipped (1, 2, 2, 4). The places of all "
        "games are added up; the lowest sum wins. Equal sums share the final place in the same way."
    )


def rounds_played(sheet: ScoreSheet) -> str:
    """How far a session is, in words."""
    session = sheet.session
    return ngettext("%(played)d of %(planned)d round", "%(played)d of %(planned)d rounds", session.planned_rounds) % {
        "played": len(sheet.rounds),
        "planned": session.planned_rounds,
    }
