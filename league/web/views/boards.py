"""Pages that anyone may read where a season is public: sessions, leaderboards, score sheets."""

import hashlib
from dataclasses import dataclass, replace
from typing import Any, cast

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from league.models import Club, Confirmation, RankingMetric, Season, SeasonStatus, Session, SessionStatus, User
from league.models.pushes import push_links
from league.models.sheets import score_sheet
from league.services import confirmations, outlooks, rule_words, setup, tournament_company
from league.services.access import of_user
from league.web import addresses, histories, live, pars, prospects, reading
from league.web.board_lines import board_parts
from league.web.histories import Decision
from league.web.views.replays import replays_of
from league.web.views.shared_boards import embed_address

# How often a browser asks again, in seconds.
POLL = 15
# How long a board that nothing has changed is kept, in seconds.
_KEPT = 600
# Boards are long and much asked for, so they are compressed (`gzip_page`). Not by a middleware for every page: a secret
# in a page that also shows what its address says could be guessed by its length (breachattack.com).


def _fresh(request: HttpRequest, response: HttpResponseBase, etag: str | None) -> HttpResponseBase:
    """Mark a page as one to be asked for again before it is shown again."""
    if etag is not None:
        response["ETag"] = etag
    patch_cache_control(response, no_cache=True, **({"private": True} if request.user.is_authenticated else {}))
    return response


def _page(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    """A page of `context["club"]`, with the times of its clock."""
    club: Club = context["club"]
    with timezone.override(club.zone):
        return render(request, template, {**context, "timezone": club.time_zone})


@require_safe
@gzip_page
def home(request: HttpRequest) -> HttpResponseBase:
    """The reader's clubs, and what is public here."""
    if request.user.is_anonymous and setup.is_needed():
        return render(request, "web/closed.html")
    clubs = reading.my_clubs(request.user) if request.user.is_authenticated else ()
    shown = {"seasons": reading.public_seasons(), "tournaments": reading.public_tournaments()}
    page = render(request, "web/home.html", {"clubs": clubs, **shown})
    return _fresh(request, page, None)


@require_safe
@gzip_page
def sessions(request: HttpRequest, club: str) -> HttpResponseBase:
    """All sessions of a club, newest first; members are shown the void ones by themselves with `?void=1`."""
    found, rights = reading.club_page(reader=request.user, slug=club)
    page = reading.page_number(request, "page")
    void = rights.member and request.GET.get("void") == "1"
    rows, pages = reading.session_rows(reading.club_sessions(found, rights, void=void), page=page, rights=rights)
    context = {"club": found, "rights": rights, "sessions": rows, "pages": pages, "void": void}
    return _fresh(request, _page(request, "web/sessions.html", context), None)


@require_safe
@gzip_page
def leaderboard(request: HttpRequest, club: str, league: str, season: str) -> HttpResponseBase:
    """A season's table and sessions; answers 304 to whoever has seen just this.

    The state of the board comes with the season, before all else is read: a change that is stored meanwhile makes a
    newer board under an older state, which nobody is shown any more.
    """
    now = timezone.now()
    found, rights = reading.season_page(
        reader=request.user, club=club, league=league, season=season, key=reading.board_key(request)
    )
    page, sessions_page = reading.page_number(request, "page"), reading.page_number(request, "sessions")
    embed = embed_address(request, found, rights)
    state = reading.board_state(found)
    # That there is one: the address itself names the host, which another process may know by another name.
    etag = reading.etag(request, request.user, state, page, sessions_page, rights, bool(embed))
    unchanged = get_conditional_response(request, etag=etag) if etag else None
    if unchanged is not None:
        return _fresh(request, unchanged, etag)
    key = _kept_at(state, rights, embed) if page == sessions_page == 1 else ""
    board = cache.get(key) if key else None
    if board is None:
        board = _board(found, rights, page=page, sessions_page=sessions_page, embed=embed)
        if key:
            cache.set(key, board, _KEPT)
    context = {
        "season": found,
        "club": found.club,
        "rights": rights,
        "board": board,
        "address": addresses.public(request, request.path),
        "picture": addresses.public(request, reverse("web:standings-png", args=[club, league, season])),
        "etag": etag or "",
        "poll": POLL,
        "now": now,
    }
    return _fresh(request, _page(request, "web/leaderboard.html", context), etag)


def _kept_at(state: tuple[int, ...], rights: reading.Rights, embed: str) -> str:
    """Where the cache has the first page of a board in this state: one for all readers of equal rights.

    Told by all that it is made of: what the state does not cover is the release, the language and the host. Others than
    the first pages are not kept: they are asked for seldom, and are many.
    """
    told = repr((settings.VERSION, get_language(), state, rights, embed))
    return f"board:{hashlib.sha256(told.encode()).hexdigest()}"


def _board(season: Season, rights: reading.Rights, *, page: int, sessions_page: int, embed: str) -> SafeString:
    """The tables, rules, links and sessions of a season: what is alike for all readers of equal rights."""
    rows, players, pages = reading.board_rows(season, page=page, rights=rights)
    session_rows, session_pages = reading.session_rows(
        reading.season_sessions(season), page=sessions_page, rights=rights
    )
    context = {
        "season": season,
        "club": season.club,
        "rights": rights,
        "parts": board_parts(season, rows, rights),
        "rules": rule_words.in_words(season),
        "ranked_by": rule_words.ranked_by(season),
        "needed_for_a_rank": rule_words.needed_for_a_rank(season),
        "value_name": rule_words.value_name(season),
        "by_wins": season.ranking_metric == RankingMetric.WINS,
        "players": players,
        "pages": pages,
        "sessions": session_rows,
        "session_pages": session_pages,
        "embed": embed,
    }
    return render_to_string("web/parts/board.html", context)


@dataclass(frozen=True, slots=True)
class _State:
    """What the reader may do about a session beyond reading it, and to members why it is void or disputed."""

    correct: bool = False
    void: bool = False
    confirm: bool = False
    dispute: bool = False
    decision: Decision | None = None


def _state(request: HttpRequest, session: Session, rights: reading.Rights) -> _State:
    if not rights.member:
        return _State()
    locked = session.season is not None and session.season.status == SeasonStatus.CLOSED
    void = session.voided_at is not None
    by_bots: bool = vars(session)["is_bot_match"]
    state = _State(correct=rights.write and not (locked or void or by_bots), void=rights.write and not locked)
    asked = bool(session.confirmation) and session.status != SessionStatus.OPEN and not void
    if not (asked or void):
        return state
    access = of_user(user=cast(User, request.user), club_slug=session.club.slug)
    told = void or session.confirmation == Confirmation.DISPUTED
    confirmed = session.confirmation == Confirmation.CONFIRMED
    return replace(
        state,
        decision=histories.decision(session, access) if told else None,
        confirm=asked and not (locked or confirmed) and confirmations.may_confirm(access=access, session=session),
        dispute=asked and not locked and confirmations.may_decide(access=access, session=session),
    )


@require_safe
@gzip_page
def sheet(request: HttpRequest, club: str, session_id: int) -> HttpResponseBase:
    """A session's score sheet: every round with points, places and running sums."""
    now = timezone.now()
    key = reading.board_key(request)
    session, rights = reading.session_page(reader=request.user, club=club, session_id=session_id, key=key)
    scores = reading.shown_sheet(score_sheet(session), rights)
    state = _state(request, session, rights)
    par = pars.of_sheet(scores)
    odd_seats = tournament_company.told_of_session(session, public=not rights.member)
    etag = reading.etag(request, request.user, *reading.told_by_sheet(scores), rights, state, par, odd_seats)
    unchanged = get_conditional_response(request, etag=etag) if etag else None
    if unchanged is not None:
        return _fresh(request, unchanged, etag)
    context = {
        "session": session,
        "sheet": scores,
        "course": live.course(scores),
        "still_possible": prospects.in_short(outlooks.of_session(session), rights),
        "state": state,
        "odd_seats": odd_seats,
        "par": par,
        "pushes": push_links(scores) if rights.member else [],
        "replays": replays_of(session),
        "club": session.club,
        "season": session.season,
        "rights": rights,
        "etag": etag or "",
        # An ended session changes by a correction alone.
        "poll": POLL if session.status == SessionStatus.OPEN else 0,
        "now": now,
    }
    return _fresh(request, _page(request, "web/sheet.html", context), etag)
