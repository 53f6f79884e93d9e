"""A season's leaderboard beyond its page: in a frame of another site, and on the television of a club.

Terms: an *embed* is the table alone, for a frame; the *screen* pages through the table by itself, in letters to be read
from across a room. Promises: an embed shows what a stranger may read, whoever looks at it, sets no cookie and leads
nowhere by itself; the screen stands still for whoever asks it to.
"""

from typing import Any

from csp.constants import NONE, SELF
from csp.decorators import csp_replace
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.translation import override
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from league.models import PlannedEvening, Season
from league.services import rule_words
from league.services.planned_evenings import OVER_AFTER
from league.web import addresses, reading
from league.web.languages import asked_language

# Rows of an embed where its address names no number, and at most.
USUAL_ROWS = 20
# As many lines as can be read from across a room on a usual television.
SCREEN_ROWS = 10
_SCREEN_SESSIONS = 4
# Long enough to find a name among so many, in seconds.
_TURN = 20


def embed_address(request: HttpRequest, season: Season, rights: reading.Rights) -> str:
    """Where other sites take the table from, as far as the reader may pass it on; "" for nowhere."""
    query = reading.key_query(season)
    if not (season.is_public or rights.key or (query and rights.manage)):
        return ""
    names = [season.club.slug, season.league.slug, season.slug]
    return addresses.public(request, reverse("web:embed", args=names) + query)


def _context(season: Season, rights: reading.Rights, rows: tuple[reading.BoardRow, ...]) -> dict[str, Any]:
    return {
        "season": season,
        "club": season.club,
        "rights": rights,
        "rows": rows,
        "value_name": rule_words.value_name(season),
    }


@require_safe
@xframe_options_exempt
# "*" is any site, but not a page that is opened as a file, as by whoever tries the code out before it goes online.
# The library's type is of views without arguments.
@csp_replace({"default-src": [NONE], "style-src": [SELF], "form-action": [NONE], "frame-ancestors": ["*", "file:"]})  # type: ignore[arg-type]
def embed(request: HttpRequest, club: str, league: str, season: str) -> HttpResponseBase:
    """The table of a season that is public or whose key the address has, for a frame of any site."""
    # Nobody: a frame of another site must not show what its visitor alone may read.
    reader, key = AnonymousUser(), reading.board_key(request)
    found, rights = reading.season_page(reader=reader, club=club, league=league, season=season, key=key)
    asked = request.GET.get("rows", "")
    size = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 4 else USUAL_ROWS
    size = min(max(size, 1), reading.PLAYERS_A_PAGE)
    rows, players, _pages = reading.board_rows(found, page=1, rights=rights, size=size)
    address = reverse("web:leaderboard", args=[club, league, season]) + rights.query
    with override(asked_language(request)):
        context = _context(found, rights, rows)
        names = (found.name, found.league.name, found.club.name, context["value_name"])
        told = (names, found.has_divisions, rows, players, rights)
        etag = reading.etag(request, reader, *told)
        response = get_conditional_response(request, etag=etag) if etag else None
        if response is None:
            more = {"more": players - len(rows), "address": addresses.public(request, address)}
            response = render(request, "web/embed.html", context | more)
    if etag:
        response["ETag"] = etag
    patch_cache_control(response, no_cache=True)
    return response


@require_safe
def screen(request: HttpRequest, club: str, league: str, season: str) -> HttpResponseBase:
    """The table page by page, the last sessions and the next evening, for whoever may read the leaderboard."""
    key, now = reading.board_key(request), timezone.now()
    found, rights = reading.season_page(reader=request.user, club=club, league=league, season=season, key=key)
    page = reading.page_number(request, "page")
    rows, players, pages = reading.board_rows(found, page=page, rights=rights, size=SCREEN_ROWS)
    sessions, _more = reading.session_rows(reading.season_sessions(found), page=1, rights=rights, size=_SCREEN_SESSIONS)
    evenings = PlannedEvening.objects.filter(season=found, cancelled_at=None, starts_at__gte=now - OVER_AFTER)
    still = request.GET.get("still") == "1"
    language = asked_language(request)
    carried = f"&language={language}" * ("language" in request.GET) + rights.further
    following = f"?page={pages.next or 1}{carried}"
    with override(language), timezone.override(found.club.zone):
        context = _context(found, rights, rows) | {
            "pages": pages,
            "last_page": max(1, -(-players // SCREEN_ROWS)),
            "sessions": sessions,
            "evening": evenings.order_by("starts_at", "pk").first(),
            "turn": 0 if still else _TURN,
            "following": following,
            "other_way": f"?page={page}{carried}" + ("" if still else "&still=1"),
            "now": now,
        }
        response = render(request, "web/screen.html", context)
    patch_cache_control(response, no_cache=True, **({"private": True} if request.user.is_authenticated else {}))
    return response
