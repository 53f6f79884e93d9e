"""The lines of a leaderboard as HTML: written here, not by a template.

A page has a hundred lines, and what a template does a hundred times over took longer than all else of the page
(docs/benchmarks.md). Promises: every text that people wrote is escaped.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from html import escape
from itertools import groupby

from django.template.defaultfilters import floatformat
from django.urls import reverse
from django.utils.formats import date_format, localize
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import RankingMetric, Season
from league.web.reading import BoardRow, Rights
from league.web.words import rank_card

# One player's line. `other` stands beside the value: the wins, or where these are the value the place average; `told`
# are the number of sessions and the wins in words, for a narrow screen.
_LINE = """\
<tr data-row="{player}">
    <td><a class="why" id="why-{player}" href="{why}" title="{why_title}">{card}</a></td>
    <th scope="row">{name}{bot}
      <span class="sub">{told}<br><a id="last-narrow-{player}" href="{last}">{day}</a>: {place}</span></th>
    <td class="number wide">{sessions}</td>
    <td class="number average"><a id="value-{player}" href="{why}" title="{why_title}">{value}</a></td>
    <td class="number wide">{other}</td>
    <td class="number wide"><a id="last-{player}" href="{last}">{day}</a><br><small>{place}</small></td>
  </tr>"""


@dataclass(frozen=True, slots=True)
class BoardPart:
    """The lines of one division, "" for those in none."""

    division: str
    lines: SafeString


def _addresses(of_zero: str) -> Callable[[int], str]:
    """The address of each number, made from that of 0: looked up once for all lines."""
    # The last one: a short name may be 0 too.
    before, _slash, after = escape(of_zero).rpartition("/0/")
    return lambda number: f"{before}/{number}/{after}"


def board_parts(season: Season, rows: Iterable[BoardRow], rights: Rights) -> tuple[BoardPart, ...]:
    """The rows of a page of the season's table, which stand by divisions already."""
    names = [season.club.slug, season.league.slug, season.slug]
    why = _addresses(reverse("web:explanation", args=[*names, 0]) + rights.query)
    last = _addresses(reverse("web:session", args=[season.club.slug, 0]) + rights.query)
    by_wins, why_title = season.ranking_metric == RankingMetric.WINS, escape(_("Why?"))
    kind = escape(_("bot"))
    bot = f' <span class="tag">{kind}</span>'
    day = cache(lambda played_on: escape(date_format(played_on, "SHORT_DATE_FORMAT")))
    place = cache(lambda number: escape(_("place %(place)s") % {"place": number}))
    number = cache(lambda value: escape(str(localize(value))))
    sessions = cache(
        lambda count: escape(ngettext("%(number)s session", "%(number)s sessions", count) % {"number": count})
    )
    wins = cache(lambda count: escape(ngettext("%(number)s win", "%(number)s wins", count) % {"number": count}))

    def line(row: BoardRow) -> str:
        return _LINE.format(
            player=row.player_id,
            name=escape(row.player),
            bot=bot if row.is_bot else "",
            card=rank_card(row.rank, row.shared),
            value=escape(row.value),
            why=why(row.player_id),
            why_title=why_title,
            last=last(row.last_session_id),
            day=day(row.last_played_on),
            place=place(row.last_place),
            sessions=number(row.sessions),
            other=escape(floatformat(row.average, 2)) if by_wins else number(row.wins),
            told=f"{sessions(row.sessions)} · {wins(row.wins)}",
        )

    return tuple(
        # Safe: every part of a line that is no number is escaped above.
        BoardPart(division, mark_safe("".join(line(row) for row in part)))  # noqa: S308  # nosec B308, B703
        for division, part in groupby(rows, key=lambda row: row.division)
    )
