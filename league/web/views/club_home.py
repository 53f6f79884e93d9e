"""The page of a club."""

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from league.models import SessionStatus
from league.web import bot_match_rows, club_home, reading

_GOING_ON = 10
_UNDECIDED = 20
_LAST = 10


@require_safe
@gzip_page
def club(request: HttpRequest, club: str) -> HttpResponseBase:
    """What waits for the reader, what goes on, the next evening, the leaders of the seasons, the last sessions."""
    now = timezone.now()
    found, rights = reading.club_page(reader=request.user, slug=club)
    sessions = reading.club_sessions(found, rights)
    open_ones = sessions.filter(status=SessionStatus.OPEN)
    going_on, _pages = reading.session_rows(open_ones, page=1, rights=rights, size=_GOING_ON)
    undecided: tuple[reading.SessionRow, ...] = ()
    if rights.member:
        waiting = reading.undecided_sessions(found, rights, request.user)
        undecided, _pages = reading.session_rows(waiting, page=1, rights=rights, size=_UNDECIDED)
    ended = sessions.exclude(status=SessionStatus.OPEN)
    last, _pages = reading.session_rows(ended, page=1, rights=rights, size=_LAST)
    context = {
        "club": found,
        "rights": rights,
        "undecided": undecided,
        "going_on": club_home.live_tables(going_on, rights),
        "evening": club_home.next_evening(found, rights, now=now),
        "tournaments": club_home.tournaments(found, rights),
        "seasons": club_home.seasons(found, rights),
        "sessions": last,
        "has_bot_matches": bot_match_rows.visible(found, rights).exists(),
    }
    with timezone.override(found.zone):
        answer = render(request, "web/club.html", context)
    patch_cache_control(answer, no_cache=True, **({"private": True} if request.user.is_authenticated else {}))
    return answer
