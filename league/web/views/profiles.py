"""Pages of what the sessions say: players, games, bots and the hall of fame.

All but the hall of fame are for members: statistics go over all sessions of a club, those of seasons that are not
public too.
"""

from django.db.models import Exists, OuterRef
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from league.models import Player, Role, Seat, TournamentEntry
from league.scoring.ratings import ESTABLISHED
from league.services.access import Access
from league.web import figures, pars, reading
from league.web.access import club_page

_SESSIONS = 5
_TOURNAMENTS = 20
_SEARCH_LENGTH = 60


@require_safe
@gzip_page
@club_page(Role.MEMBER)
def profiles(request: HttpRequest, access: Access) -> HttpResponseBase:
    """The people of the club, and how those who play most fare against each other."""
    search = request.GET.get("search", "")[:_SEARCH_LENGTH]
    page = reading.page_number(request, "page")
    rows, pages = figures.people_rows(access.club, page=page, search=search)
    matrix = None if search or page > 1 else figures.meetings_matrix(access.club)
    context = {
        "club": access.club,
        "rights": reading.rights_of(access.role),
        "rows": rows,
        "pages": pages,
        "search": search,
        "matrix": matrix,
    }
    return render(request, "web/profiles.html", context)


@require_safe
@gzip_page
@club_page(Role.MEMBER)
def profile(request: HttpRequest, access: Access, player_id: int) -> HttpResponseBase:
    """One player: form, places, opponents, games, streaks, achievements, ratings, seasons."""
    player = get_object_or_404(Player.objects.select_related("merged_into"), club=access.club, pk=player_id)
    rights = reading.rights_of(access.role)
    own = Seat.objects.filter(session=OuterRef("pk"), player=player)
    sessions = reading.club_sessions(access.club, rights).filter(Exists(own))
    last, _pages = reading.session_rows(sessions, page=1, rights=rights, size=_SESSIONS)
    context = {
        "club": access.club,
        "rights": rights,
        "player": player,
        "profile": figures.profile(access.club, player, today=access.club.local_date(timezone.now())),
        "ratings": figures.ratings(player),
        "standings": figures.seasons_of(player),
        "entries": TournamentEntry.objects.filter(player=player, tournament__archived_at=None)
        .select_related("tournament")
        .order_by("-tournament__starts_on", "-pk")[:_TOURNAMENTS],
        "sessions": last,
        "opponents_shown": f":{figures.OPPONENTS_SHOWN}",
        "opponents_more": f"{figures.OPPONENTS_SHOWN}:",
    }
    return render(request, "web/profile.html", context)


@require_safe
@gzip_page
@club_page(Role.MEMBER)
def played_games(request: HttpRequest, access: Access) -> HttpResponseBase:
    """All games that the club can log, those that it plays most first."""
    games = figures.played_games(access.club)
    context = {"club": access.club, "rights": reading.rights_of(access.role), "games": games}
    return render(request, "web/played_games.html", context)


@require_safe
@gzip_page
@club_page(Role.MEMBER)
def played_game(request: HttpRequest, access: Access, key: str) -> HttpResponseBase:
    """One game: records, seats, who plays it most and best."""
    game = figures.known_games(access.club).get(key)
    if game is None:
        raise Http404
    context = {
        "club": access.club,
        "rights": reading.rights_of(access.role),
        "game": game,
        "figures": figures.game_page(access.club, game),
        "pars": pars.lines(key),
    }
    return render(request, "web/played_game.html", context)


@require_safe
@gzip_page
@club_page(Role.MEMBER)
def bots(request: HttpRequest, access: Access) -> HttpResponseBase:
    """The bots' leaderboard."""
    rows, matrix = figures.bot_rows(access.club)
    context = {"club": access.club, "rights": reading.rights_of(access.role), "rows": rows, "matrix": matrix}
    return render(request, "web/bots.html", {**context, "established": ESTABLISHED})


@require_safe
@gzip_page
def hall_of_fame(request: HttpRequest, club: str) -> HttpResponseBase:
    """The winners of closed seasons; for members the best of all times as well."""
    found, rights = reading.club_page(reader=request.user, slug=club)
    page = reading.page_number(request, "page")
    seasons, pages = figures.closed_seasons(found, rights, page=page)
    told = rights.member and page == 1
    context = {
        "club": found,
        "rights": rights,
        "seasons": seasons,
        "pages": pages,
        "lists": figures.best_lists(found) if told else (),
        "records": figures.all_records(found) if told else (),
    }
    answer = render(request, "web/hall_of_fame.html", context)
    patch_cache_control(answer, no_cache=True, **({"private": True} if rights.member else {}))
    return answer
