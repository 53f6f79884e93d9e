"""The lines of a leaderboard, in words and addresses: made here, before the template writes them.

A page has a hundred lines, and what a tag of a template does a hundred times over took longer than all else of the page
(docs/benchmarks.md).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from django.template.defaultfilters import floatformat
from django.urls import reverse
from django.utils.formats import date_format, localize
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import RankingMetric, Season
from league.web.reading import BoardRow, Rights
from league.web.words import rank_card


@dataclass(frozen=True, slots=True)
class BoardLine:
    """One player's line; `why` and `last` are the addresses of its explanation and of the last session."""

    player_id: str
    player: str
    is_bot: bool
    card: SafeString
    value: str
    why: str
    last: str
    last_day: str
    last_place: str
    sessions: str
    # Beside the value: the wins, or where these are the value the place average.
    other: str
    # Number of sessions and wins in words, for a narrow screen.
    told: str


@dataclass(frozen=True, slots=True)
class BoardPart:
    """The lines of one division, "" for those in none."""

    division: str
    lines: tuple[BoardLine, ...]


def board_parts(season: Season, rows: Iterable[BoardRow], rights: Rights) -> tuple[BoardPart, ...]:
    """The rows of a page of the season's table, which stand by divisions already."""
    names = [season.club.slug, season.league.slug, season.slug]
    # An address for all lines: looked up once, with a number that none of them has.
    why = reverse("web:explanation", args=[*names, 0]).replace("/0/", "/{}/") + rights.query
    last = reverse("web:session", args=[season.club.slug, 0]).replace("/0/", "/{}/") + rights.query
    place, by_wins = _("place %(place)s"), season.ranking_metric == RankingMetric.WINS
    days: dict[object, str] = {}

    def line(row: BoardRow) -> BoardLine:
        day = row.last_played_on
        if day not in days:
            days[day] = date_format(day, "SHORT_DATE_FORMAT")
        sessions = ngettext("%(number)s session", "%(number)s sessions", row.sessions) % {"number": row.sessions}
        wins = ngettext("%(number)s win", "%(number)s wins", row.wins) % {"number": row.wins}
        return BoardLine(
            player_id=str(row.player_id),
            player=row.player,
            is_bot=row.is_bot,
            card=rank_card(row.rank, row.shared),
            value=row.value,
            why=why.format(row.player_id),
            last=last.format(row.last_session_id),
            last_day=days[day],
            last_place=place % {"place": row.last_place},
            sessions=localize(row.sessions),
            other=floatformat(row.average, 2) if by_wins else localize(row.wins),
            told=f"{sessions} · {wins}",
        )

    return tuple(
        BoardPart(division, tuple(line(row) for row in part))
        for division, part in groupby(rows, key=lambda row: row.division)
    )
