"""What readers take along: tables as files, pictures of standings, calendars, the archive of a club.

Promises: a season's files, picture and calendar are for whoever may read its leaderboard; those of the whole club for
members; the archive for owners. Pictures show the public names of players to everybody, since they are passed on.
"""

import hashlib
from collections.abc import Iterator, Mapping

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Max
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.template.defaultfilters import floatformat
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override
from django.views.decorators.http import require_http_methods, require_safe

from league.exchange import calendar as calendar_format
from league.exchange import csv_tables, json_tables
from league.exchange.archive import MAXIMUM_BYTES
from league.exchange.csv_tables import Cell
from league.models import Club, Member, PlannedEvening, RankingMetric, Role, Season, Session, Standing, User
from league.models.tables import session_rows, standing_rows
from league.services import archives, rule_words
from league.services.access import Access
from league.services.errors import Conflict
from league.web import addresses, calendars, pictures, reading
from league.web.access import club_page
from league.web.forms import ArchiveForm
from league.web.languages import asked_language

ARCHIVE_TYPE = "application/zip"
# A picture that is a few minutes old does no harm in a chat.
_PICTURE_SECONDS = 300


def _kept_back(request: HttpRequest, response: HttpResponseBase, *, public: bool = False) -> HttpResponseBase:
    """Let no shared cache keep what is not for everyone, and none show it unasked."""
    private = request.user.is_authenticated or not public
    patch_cache_control(response, no_cache=True, **({"private": True} if private else {}))
    return response


def _compared(request: HttpRequest, content: bytes, media_type: str) -> HttpResponseBase:
    """The content with a digest of it as ETag, or 304 to whoever has it."""
    etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    unchanged = get_conditional_response(request, etag=etag)
    if unchanged is not None:
        return unchanged
    response = HttpResponse(content, content_type=media_type)
    response["ETag"] = etag
    return response


def _season(request: HttpRequest, club: str, league: str, season: str) -> tuple[Season, reading.Rights]:
    """The season that the request may read."""
    key = reading.board_key(request)
    return reading.season_page(reader=request.user, club=club, league=league, season=season, key=key)


# --- Tables -----------------------------------------------------------------------------------------------------------


def _table(
    request: HttpRequest,
    name: str,
    kind: str,
    headers: Mapping[str, Mapping[str, str]],
    rows: Iterator[dict[str, Cell]],
) -> StreamingHttpResponse:
    """Rows as a file to keep, `kind` csv or json."""
    language = asked_language(request)
    if kind == "csv":
        delimiter = request.GET.get("delimiter", "")
        if delimiter not in csv_tables.DELIMITERS:
            delimiter = csv_tables.USUAL_DELIMITER[language]
        pieces = csv_tables.table(headers[language], rows, language=language, delimiter=delimiter)
    else:
        pieces = json_tables.array(rows)
    media_type = "text/csv; charset=utf-8" if kind == "csv" else "application/json"
    response = StreamingHttpResponse(pieces, content_type=media_type)
    response["Content-Disposition"] = f'attachment; filename="{name}.{kind}"'
    return response


@require_safe
def standings_table(request: HttpRequest, club: str, league: str, season: str, kind: str) -> HttpResponseBase:
    """A season's standings."""
    found, rights = _season(request, club, league, season)
    name = f"{club}-{league}-{season}-standings"
    table = _table(request, name, kind, csv_tables.STANDING_HEADERS, standing_rows(found, public=not rights.member))
    return _kept_back(request, table, public=found.is_public)


@require_safe
def season_sessions_table(request: HttpRequest, club: str, league: str, season: str, kind: str) -> HttpResponseBase:
    """A season's sessions, a row for each player and round."""
    found, rights = _season(request, club, league, season)
    rows = session_rows(Session.objects.filter(season=found), public=not rights.member)
    name = f"{club}-{league}-{season}-sessions"
    return _kept_back(request, _table(request, name, kind, csv_tables.SESSION_HEADERS, rows), public=found.is_public)


@require_safe
@club_page(Role.MEMBER)
def sessions_table(request: HttpRequest, access: Access, kind: str) -> HttpResponseBase:
    """All sessions of the club."""
    rows = session_rows(Session.objects.filter(club=access.club))
    return _table(request, f"{access.club.slug}-sessions", kind, csv_tables.SESSION_HEADERS, rows)


# --- Pictures ---------------------------------------------------------------------------------------------------------


@require_safe
def picture(request: HttpRequest, club: str, league: str, season: str, kind: str) -> HttpResponseBase:
    """A season's standings as a picture, `kind` svg or png."""
    found, _rights = _season(request, club, league, season)
    theme = request.GET.get("theme", "")
    asked = request.GET.get("rows", "")
    rows = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 4 else pictures.USUAL_ROWS
    rows = min(max(rows, 1), pictures.MAXIMUM_ROWS)
    with override(asked_language(request)):
        shown = _picture(found, rows, theme if theme in pictures.THEMES else "light")
    if kind == "png":
        response = _compared(request, pictures.png(shown), "image/png")
    else:
        response = _compared(request, pictures.svg(shown), "image/svg+xml")
    if found.is_public:
        patch_cache_control(response, public=True, max_age=_PICTURE_SECONDS)
        return response
    return _kept_back(request, response)


def _picture(season: Season, limit: int, theme: str) -> pictures.Picture:
    rows, players, _pages = reading.board_rows(season, page=1)
    by_wins = season.ranking_metric == RankingMetric.WINS
    # Beside what ranks, the other of the two that say most of a player.
    beside = _("Place average") if by_wins else _("Wins")
    lines = []
    for row in rows[:limit]:
        aside = floatformat(row.average, 2) if by_wins else str(row.wins)
        lines.append(
            pictures.Line(
                rank="" if row.rank is None else f"{row.rank}{'=' if row.shared else ''}",
                is_first=row.rank == 1,
                name=row.player,
                values=(str(row.sessions), aside, row.value),
            )
        )
    last = Standing.objects.filter(season=season).aggregate(day=Max("last_session__played_on"))["day"]
    subtitle = season.club.name
    if last is not None:
        # Apart from the f-string, inside which strings are not collected.
        told = _("Last session: %(day)s") % {"day": date_format(last, "DATE_FORMAT")}
        subtitle = f"{subtitle} · {told}"
    more = players - len(lines)
    foot = ngettext("and %(count)d more player", "and %(count)d more players", more) % {"count": more} if more else ""
    return pictures.Picture(
        title=str(season),
        subtitle=subtitle,
        columns=(_("Sessions"), beside, rule_words.value_name(season)),
        lines=tuple(lines),
        foot=foot if lines else _("Nobody stands in this table yet."),
        theme=theme,
    )


# --- Calendars --------------------------------------------------------------------------------------------------------


def _feed(
    request: HttpRequest,
    club: Club,
    name: str,
    *,
    season: Season | None = None,
    rights: reading.Rights,
    member: Member | None = None,
) -> HttpResponseBase:
    """The sessions and planned evenings of the club, or of one season of it."""
    of_season = {} if season is None else {"season": season}
    with override(asked_language(request)):
        content = calendars.calendar(
            request,
            club=club,
            name=name,
            sessions=Session.objects.filter(club=club, **of_season),
            evenings=PlannedEvening.objects.filter(club=club, **of_season),
            rights=rights,
            member=member,
            now=timezone.now(),
        )
    return _compared(request, content, f"{calendar_format.MEDIA_TYPE}; charset=utf-8")


@require_safe
def season_calendar(request: HttpRequest, club: str, league: str, season: str) -> HttpResponseBase:
    """A season's sessions and planned evenings as a feed; without a secret, so that programs can read only that of a
    public season, or of one whose address carries its key."""
    found, rights = _season(request, club, league, season)
    name = f"{found} · {found.club.name}"
    response = _feed(request, found.club, name, season=found, rights=rights)
    return _kept_back(request, response, public=found.is_public)


@require_safe
def member_calendar(request: HttpRequest, club: str, key: str) -> HttpResponseBase:
    """All sessions and planned evenings of a member's club as a feed: whoever has the address reads it, without a
    login."""
    member = calendars.member_of(club=club, key=key)
    if member is None:
        raise Http404
    rights = reading.rights_of(member.role)
    response = _feed(request, member.club, member.club.name, rights=rights, member=member)
    return _kept_back(request, response)


@require_safe
@club_page(Role.MEMBER)
def calendar(request: HttpRequest, access: Access) -> HttpResponseBase:
    """The address of the member's own calendar."""
    member = Member.objects.select_related("user").get(club=access.club, user=access.actor.user_id)
    arguments = {"club": access.club.slug, "key": calendars.key_of(member)}
    address = addresses.public(request, reverse("web:member-calendar", kwargs=arguments))
    context = {"club": access.club, "address": f"{address}?language={asked_language(request)}"}
    return render(request, "web/calendar.html", context)


# --- Archives ---------------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "POST"])
@club_page(Role.OWNER)
def archive(request: HttpRequest, access: Access) -> HttpResponseBase:
    """What the archive of the club is, and on a POST the archive itself."""
    if request.method == "POST":
        now = timezone.now()
        try:
            file = archives.export_club(access=access, now=now)
        except Conflict as error:
            messages.error(request, error.message)
            return redirect("web:archive", club=access.club.slug)
        name = f"{access.club.slug}-{timezone.localdate(now).isoformat()}.zip"
        return FileResponse(file, as_attachment=True, filename=name, content_type=ARCHIVE_TYPE)
    return render(request, "web/manage/archive.html", {"club": access.club})


@login_required
@require_http_methods(["GET", "POST"])
def import_archive(request: HttpRequest) -> HttpResponseBase:
    """Found the club that an archive holds; whoever does becomes an owner."""
    user = request.user
    if not isinstance(user, User):
        raise Http404
    form = ArchiveForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        data = form.cleaned_data
        now = timezone.now()
        club = form.attempt(
            lambda: archives.import_club(
                file=data["file"],
                slug=data["slug"] or None,
                owner=user,
                # Only who runs the installation may bring other people into it.
                with_users=user.is_superuser,
                maximum_bytes=MAXIMUM_BYTES if user.is_superuser else archives.MEMBERS_MAXIMUM_BYTES,
                now=now,
            )
        )
        if club is not None:
            messages.success(request, _("The club is here, with all that its archive holds."))
            return redirect("web:manage", club=club.slug)
    return render(request, "web/import_archive.html", {"form": form, "with_users": user.is_superuser})
