"""Pages that anyone may read where a season is public: sessions, leaderboards, score sheets."""

import hashlib
from dataclasses import dataclass, replace
from typing import Any, cast

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from league.models import Club, Confirmation, RankingMetric, SeasonStatus, Session, SessionStatus, User
from league.models.pushes import push_links
from league.models.sheets import score_sheet
from league.services import confirmations, outlooks, rule_words, setup
from league.services.access import of_user
from league.web import addresses, histories, live, prospects, reading
from league.web.board_lines import board_parts
from league.web.histories import Decision
from league.web.views.shared_boards import embed_address

# How often a browser asks again, in seconds.
POLL = 15
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
    page = render(request, "web/home.html", {"clubs": clubs, "seasons": reading.public_seasons()})
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
    """A season's table and sessions; answers 304 to whoever has seen just this."""
    now = timezone.now()
    found, rights = reading.season_page(
        reader=request.user, club=club, league=league, season=season, key=reading.board_key(request)
    )
    page, sessions_page = reading.page_number(request, "page"), reading.page_number(request, "sessions")
    rows, players, pages = reading.board_rows(found, page=page, rights=rights)
    session_rows, session_pages = reading.session_rows(
        reading.season_sessions(found), page=sessions_page, rights=rights
    )
    names = (found.club.name, found.club.time_zone, found.league.name, found.name)
    span = (found.status, found.starts_on, found.ends_on)
    rules = rule_words.in_words(found)
    embed = embed_address(request, found, rights)
    # That there is one: the address itself names the host, which another process may know by another name.
    shown_to = (found.visibility, bool(embed), rights)
    told = (names, span, rules, shown_to, found.has_divisions, rows, players, pages, session_rows, session_pages)
    etag = reading.etag(request, request.user, *told)
    unchanged = get_conditional_response(request, etag=etag) if etag else None
    if unchanged is not None:
        return _fresh(request, unchanged, etag)
    kept = _address_of_kept(request, etag)
    made = cache.get(kept) if kept else None
    if made is not None:
        return _fresh(request, HttpResponse(made), etag)
    context = {
        "season": found,
        "club": found.club,
        "rights": rights,
        "parts": board_parts(found, rows, rights),
        "rules": rules,
        "ranked_by": rule_words.ranked_by(found),
        "needed_for_a_rank": rule_words.needed_for_a_rank(found),
        "value_name": rule_words.value_name(found),
        "by_wins": found.ranking_metric == RankingMetric.WINS,
        "players": players,
        "pages": pages,
        "sessions": session_rows,
        "session_pages": session_pages,
        "address": addresses.public(request, request.path),
        "embed": embed,
        "picture": addresses.public(request, reverse("web:standings-png", args=[club, league, season])),
        "etag": etag or "",
        "poll": POLL,
        "now": now,
    }
    answer = _page(request, "web/leaderboard.html", context)
    if kept:
        cache.set(kept, answer.content, POLL)
    return _fresh(request, answer, etag)


def _address_of_kept(request: HttpRequest, etag: str | None) -> str:
    """Where the page of just this content is kept for other visitors for a moment; "" for a reader's own page.

    The tag tells the content and its language; the address is in the page, with the host.
    """
    if etag is None or request.user.is_authenticated:
        return ""
    address = hashlib.sha256(request.build_absolute_uri().encode()).hexdigest()
    return f"board:{etag.strip(chr(34))}:{address}"


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
    etag = reading.etag(request, request.user, *reading.told_by_sheet(scores), rights, state)
    unchanged = get_conditional_response(request, etag=etag) if etag else None
    if unchanged is not None:
        return _fresh(request, unchanged, etag)
    context = {
        "session": session,
        "sheet": scores,
        "course": live.course(scores),
        "still_possible": prospects.in_short(outlooks.of_session(session), rights),
        "state": state,
        "pushes": push_links(scores) if rights.member else [],
        "club": session.club,
        "season": session.season,
        "rights": rights,
        "etag": etag or "",
        # An ended session changes by a correction alone.
        "poll": POLL if session.status == SessionStatus.OPEN else 0,
        "now": now,
    }
    return _fresh(request, _page(request, "web/sheet.html", context), etag)
