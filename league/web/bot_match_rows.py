"""The list of bot matches: what stands in each row, for members and for visitors.

Promises: a page takes a fixed number of queries; a visitor reads of matches whose score sheet is open to everybody, by
public names. Never: loads the moves or tallies of a match.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Avg, QuerySet
from django.template.defaultfilters import floatformat
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.catalog import GAMES
from league.models import BotMatch, Club, JobState, Score, SessionResult, Visibility
from league.services.bot_results import under_way
from league.services.wording import game_title
from league.web.reading import Rights

ROWS_A_PAGE = 20


@dataclass(frozen=True, slots=True)
class BotMatchRow:
    """One match: how far it is, who plays, who won; `replay` whether a score sheet leads to its deals."""

    pk: int
    title: str
    played_on: date
    season: str
    bots: str
    state: str
    state_name: str
    done: int
    deals: int
    result: str
    session_id: int | None
    has_replay: bool

    @property
    def is_going_on(self) -> bool:
        return self.state in {JobState.QUEUED, JobState.RUNNING}


def visible(club: Club, rights: Rights) -> "QuerySet[BotMatch]":
    """The matches that the reader may see, the newest first."""
    matches = BotMatch.objects.filter(club=club).order_by("-pk")
    return matches if rights.member else matches.filter(session__season__visibility=Visibility.PUBLIC)


def rows(club: Club, rights: Rights, *, page: int) -> tuple[list[BotMatchRow], bool]:
    """The rows of a page (from 1), and whether there are more behind them."""
    matches = visible(club, rights).select_related("job", "season__league").prefetch_related("seats__player")
    start = (page - 1) * ROWS_A_PAGE
    # Any: the type checker does not know the annotation.
    found: list[Any] = list(matches.annotate(at_work=under_way("job"))[start : start + ROWS_A_PAGE + 1])
    shown = found[:ROWS_A_PAGE]
    results = _results(shown, rights)
    return [_row(match, rights, results.get(match.session_id, "")) for match in shown], len(found) > ROWS_A_PAGE


def _row(match: Any, rights: Rights, result: str) -> BotMatchRow:
    players = [seat.player for seat in match.seats.all()]
    return BotMatchRow(
        pk=match.pk,
        title=game_title(GAMES[match.game]) if match.game else match.get_format_display(),
        played_on=match.played_on,
        season=f"{match.season.league.name} {match.season.name}" if match.season else "",
        bots=", ".join(one.name if rights.member else one.public_name for one in players),
        state=match.job.state,
        state_name=match.job.get_state_display(),
        done=match.job.done + match.at_work,
        deals=match.deals,
        result=result,
        session_id=match.session_id,
        has_replay=match.session_id is not None or match.job.done > 0,
    )


def _results(matches: Sequence[BotMatch], rights: Rights) -> dict[int, str]:
    """By session: who won, or how many points a table had that plays together."""
    together: list[int] = []
    against: list[int] = []
    for match in matches:
        if match.session_id is not None:
            cooperative = bool(match.game) and GAMES[match.game].cooperative
            (together if cooperative else against).append(match.session_id)
    winners: dict[int, list[str]] = {}
    first = SessionResult.objects.filter(session__in=against, place=1).select_related("player").order_by("player__name")
    for one in first:
        winners.setdefault(one.session_id, []).append(one.player.name if rights.member else one.player.public_name)
    told = {
        session: ngettext("Winner: %(names)s", "Winners: %(names)s", len(names)) % {"names": ", ".join(names)}
        for session, names in winners.items()
    }
    averages = Score.objects.filter(round__session__in=together).values_list("round__session").annotate(Avg("points"))
    return told | {session: _average(average) for session, average in averages.order_by("round__session")}


def _average(points: float) -> str:
    return _("Result of the table on average: %(points)s") % {"points": floatformat(points, "-1")}
