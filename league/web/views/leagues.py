"""Leagues and seasons of a club, with the seasons' rules."""

from django.contrib import messages
from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from league.models import League, Role, Season
from league.services import rule_words
from league.services import seasons as service
from league.services.access import Access
from league.web import addresses, reading
from league.web.access import club_page
from league.web.forms import LeagueForm
from league.web.previews import TableMoves, table_moves
from league.web.season_forms import SeasonForm, initial_of, is_change


@require_http_methods(["GET", "POST"])
@club_page(Role.ADMIN)
def leagues(request: HttpRequest, access: Access) -> HttpResponseBase:
    """All leagues with their seasons, and the form for one more league."""
    form = LeagueForm(request.POST or None)
    if form.is_valid():
        data = form.cleaned_data
        now = timezone.now()
        made = form.attempt(lambda: service.create_league(access=access, name=data["name"], slug=data["slug"], now=now))
        if made is not None:
            return redirect("web:new-season", club=access.club.slug, league_id=made.pk)
    known = League.objects.filter(club=access.club).prefetch_related(
        Prefetch("seasons", Season.objects.select_related("league"))
    )
    return render(request, "web/manage/leagues.html", {"club": access.club, "form": form, "leagues": known})


@require_http_methods(["GET", "POST"])
@club_page(Role.ADMIN)
def league(request: HttpRequest, access: Access, league_id: int) -> HttpResponseBase:
    """Rename a league."""
    known = get_object_or_404(League, club=access.club, pk=league_id)
    form = LeagueForm(request.POST or None, initial={"name": known.name, "slug": known.slug})
    if form.is_valid():
        changes = form.cleaned_data
        now = timezone.now()
        if form.attempt(lambda: service.update_league(access=access, league_id=league_id, changes=changes, now=now)):
            messages.success(request, _("Saved."))
            return redirect("web:leagues", club=access.club.slug)
    return _league_form(request, access, form, known.name)


@require_http_methods(["GET", "POST"])
@club_page(Role.ADMIN)
def new_season(request: HttpRequest, access: Access, league_id: int) -> HttpResponseBase:
    """Add a season to a league, its rules at first the usual ones."""
    known = get_object_or_404(League, club=access.club, pk=league_id)
    today = access.club.local_date(timezone.now())
    form = SeasonForm(request.POST or None, initial={**initial_of(Season()), "starts_on": today})
    if form.is_valid():
        fields = form.values
        now = timezone.now()
        if form.attempt(lambda: service.create_season(access=access, league_id=league_id, fields=fields, now=now)):
            messages.success(request, _("Saved."))
            return redirect("web:leagues", club=access.club.slug)
    return _season_form(request, access, form, _("New season of %(league)s") % {"league": known.name})


@require_http_methods(["GET", "POST"])
@club_page(Role.ADMIN)
def season(request: HttpRequest, access: Access, season_id: int) -> HttpResponseBase:
    """Change a season and its rules; the table that other rules give is shown before they are stored."""
    known = get_object_or_404(Season.objects.select_related("league"), club=access.club, pk=season_id)
    form = SeasonForm(request.POST or None, initial=initial_of(known))
    moves: TableMoves | None = None
    if form.is_valid():
        changes, now = form.values, timezone.now()
        if is_change(known, changes) and request.POST.get("seen") != _seen(known, form):
            preview = form.attempt(
                lambda: service.rehearse_update(access=access, season_id=season_id, changes=changes, now=now)
            )
            # An empty table has nothing to be seen.
            moves = table_moves(preview, known) if preview is not None and preview.moves else None
        saved: Season | None = None
        if moves is None and form.is_valid():
            saved = form.attempt(
                lambda: service.update_season(access=access, season_id=season_id, changes=changes, now=now)
            )
        if saved is not None:
            messages.success(request, _("Saved."))
            return redirect("web:leagues", club=access.club.slug)
    return _season_form(request, access, form, str(known), known=known, moves=moves)


def _seen(season: Season, form: SeasonForm) -> str:
    """Which change of rules a preview was of: these values, of these rules."""
    return f"{season.rules_version}-{form.digest}"


@require_POST
@club_page(Role.ADMIN)
def renew_key(request: HttpRequest, access: Access, season_id: int) -> HttpResponseBase:
    """Give the leaderboard another link."""
    service.renew_board_key(access=access, season_id=season_id, now=timezone.now())
    messages.success(request, _("There is a new link; the one before leads nowhere any more."))
    return redirect("web:season-settings", club=access.club.slug, season_id=season_id)


def _season_form(
    request: HttpRequest,
    access: Access,
    form: SeasonForm,
    heading: str,
    *,
    known: Season | None = None,
    moves: TableMoves | None = None,
) -> HttpResponseBase:
    context = {"club": access.club, "form": form, "heading": heading, "parent": "web:leagues", "season": known}
    if known is not None:
        context["versions"] = rule_words.history(known.rules_versions.select_related("user"))
        if moves is not None:
            context |= {"moves": moves, "seen": _seen(known, form)}
        address = reverse("web:leaderboard", args=[access.club.slug, known.league.slug, known.slug])
        context["board_link"] = addresses.public(request, address + reading.key_query(known))
    return render(request, "web/manage/season.html", context)


def _league_form(request: HttpRequest, access: Access, form: LeagueForm, heading: str) -> HttpResponseBase:
    context = {"club": access.club, "form": form, "heading": heading, "action": _("Save")}
    context |= {"parent": "web:leagues", "parent_name": _("Leagues and seasons")}
    return render(request, "web/form.html", context)
