"""A deal of bots looked at move by move."""

import re
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.db.models import BooleanField, ExpressionWrapper, Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.catalog import GAMES
from games.series import fingerprint
from league.models import BotMatch, Session
from league.services.bot_matches import DEALS_AS_ROUNDS, NoReplay, plan_of, played_back
from league.services.wording import game_title
from league.web import reading, replays
from league.web.reading import Rights
from league.web.replays import OPEN, TABLE, Watcher

_NUMBER = re.compile(r"[0-9]{1,5}")


@require_safe
def replay(request: HttpRequest, club: str, match_id: int, number: int) -> HttpResponseBase:
    """The position of deal `number` (from 1) after `?move=` moves, as `?seat=` sees it.

    Members see it, and whoever may see the session that the match is stored as.
    """
    match, rights = _found(request, club, match_id)
    if match is None or rights is None:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        raise Http404
    if not 1 <= number <= match.deals:
        raise Http404
    players = [seat.player for seat in match.seats.select_related("player").order_by("number")]
    names = [one.name if rights.member else one.public_name for one in players]
    bots = [one.bot for one in players]
    told = (match.pk, number, sorted(request.GET.items()), names, bots, match.club.name, match.session_id)
    etag = reading.etag(request, request.user, *told, _state(match, number), rights, fingerprint())
    unchanged = get_conditional_response(request, etag=etag) if etag else None
    response = unchanged if unchanged is not None else _shown(request, match, rights, number, names)
    if etag is not None and response.status_code in {200, 304}:
        response["ETag"] = etag
    patch_cache_control(response, no_cache=True, **({"private": True} if request.user.is_authenticated else {}))
    return response


def replays_of(session: Session) -> int | None:
    """The bot match whose deals are the rounds of a session as `reading.session_page` read it; None for none."""
    if not vars(session)["is_bot_match"]:
        return None
    matches = BotMatch.objects.filter(session=session, deals__lte=DEALS_AS_ROUNDS)
    return matches.values_list("pk", flat=True).first()


def _found(request: HttpRequest, club: str, match_id: int) -> tuple[BotMatch | None, Rights | None]:
    """The match and what the reader may do in its club; without rights for who may see neither it nor its session."""
    matches = BotMatch.objects.select_related("club", "season__league")
    role = reading.role_of(request.user, "club")
    # Any: the type checker does not know the annotation.
    match: Any = matches.filter(club__slug=club, pk=match_id).annotate(reader_role=role).first()
    if match is None:
        return None, None
    if match.reader_role is not None:
        return match, reading.rights_of(match.reader_role)
    if match.session_id is None:
        return match, None
    try:
        key = reading.board_key(request)
        _session, rights = reading.session_page(reader=request.user, club=club, session_id=match.session_id, key=key)
    except Http404:
        return match, None
    return match, rights


def _state(match: BotMatch, number: int) -> list[tuple[bool, bool]]:
    """Whether the deal's chunk was played, and whether its records are there; empty without a chunk."""
    chunks = match.chunks.filter(first_deal__lt=number).order_by("-first_deal")
    boolean = BooleanField()
    told = chunks.annotate(
        played=ExpressionWrapper(Q(tally__isnull=False), boolean),
        kept=ExpressionWrapper(Q(records__isnull=False), boolean),
    )
    return list(told.values_list("played", "kept")[:1])


def _shown(request: HttpRequest, match: BotMatch, rights: Rights, number: int, names: list[str]) -> HttpResponse:
    plan = plan_of(match)
    key = plan.games[(number - 1) % len(plan.games)]
    path = reverse("web:replay", args=[match.club.slug, match.pk, number])
    context: dict[str, Any] = {
        "club": match.club,
        "season": match.season,
        "match": match,
        "rights": rights,
        "number": number,
        "game": game_title(GAMES[key]),
        "path": path,
    }

    def refuse(message: str, status: int) -> HttpResponse:
        return render(request, "web/no_replay.html", {**context, "message": message}, status=status)

    played = played_back(match, number - 1)
    if isinstance(played, NoReplay):
        return refuse(played.message, 200)
    last, asked = len(played.turns), request.GET.get("move", "0")
    bounds = {"last": last}
    if not _NUMBER.fullmatch(asked):
        return refuse(_("“move” is a whole number from 0 to %(last)d.") % bounds, 400)
    at = int(asked)
    if at > last:
        return refuse(_("This deal has %(last)d moves: give a number from 0 to %(last)d.") % bounds, 404)
    seat = request.GET.get("seat", OPEN)
    views = {OPEN: _("all hands open"), TABLE: _("the table")} | {
        str(one): name for one, name in enumerate(names, start=1)
    }
    if seat not in views:
        return refuse(_("“seat” is one of: %(choices)s.") % {"choices": ", ".join(views)}, 404)
    watcher: Watcher = int(seat) - 1 if seat.isdigit() else seat
    shown = replays.replay_of(played, at=at, watcher=watcher, names=names, bots=plan.bots)
    further = f"&seat={seat}{rights.further}" if seat != OPEN else rights.further
    context |= {
        "replay": shown,
        "seat": seat,
        "watchers": list(views.items()),
        "further": further,
        "address": request.build_absolute_uri(f"{path}?move={at}&seat={seat}{rights.further}"),
        "next_deal": number + 1 if number < match.deals else None,
        "previous_deal": number - 1 if number > 1 else None,
    }
    return render(request, "web/replay.html", context)
