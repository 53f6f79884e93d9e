"""Divisions of a season, who plays in which, and the season that follows."""

from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_http_methods, require_POST

from league.models import Division, DivisionPlayer, Player, PlayerKind, Role, Season, SeasonStatus
from league.services import divisions as service
from league.services.access import Access
from league.services.errors import Conflict
from league.web.access import club_page
from league.web.fields import WholeNumberField
from league.web.forms import ServiceForm, date_field


class DivisionForm(ServiceForm):
    """A division: its name and how many move."""

    name = forms.CharField(label=_l("Name"), max_length=100)
    level = WholeNumberField(
        label=_l("Level"),
        min_value=1,
        max_value=service.LARGEST_DIVISIONS,
        required=False,
        help_text=_l("1 is the highest. Empty: below all others."),
    )
    promoted = WholeNumberField(label=_l("How many move up"), min_value=0, max_value=service.LARGEST_MOVES, initial=0)
    relegated = WholeNumberField(
        label=_l("How many move down"), min_value=0, max_value=service.LARGEST_MOVES, initial=0
    )


class PlacesForm(ServiceForm):
    """In which division each player plays."""

    def __init__(self, *args: Any, season: Season, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        inside = dict(DivisionPlayer.objects.filter(season=season).values_list("player_id", "division_id"))
        choices = [("", _("in none")), *((one.pk, one.name) for one in season.divisions.order_by("level"))]
        wanted = Q(archived_at=None, kind=PlayerKind.PERSON) | Q(pk__in=inside)
        for player in Player.objects.filter(wanted, club=season.club_id).order_by("name_key"):
            self.fields[f"player_{player.pk}"] = forms.TypedChoiceField(
                label=player.name,
                choices=choices,
                required=False,
                coerce=int,
                empty_value=None,
                initial=inside.get(player.pk),
            )

    @property
    def places(self) -> dict[int, int | None]:
        """The division of each player that the form names."""
        named = {name for name in self.fields if name in self.data}
        return {int(name.partition("_")[2]): self.cleaned_data[name] for name in named}


class FollowingForm(ServiceForm):
    """The season that follows, and who moves where ranks are shared at a line."""

    name = forms.CharField(label=_l("Name"), max_length=100)
    slug = forms.CharField(
        label=_l("Short name"), max_length=50, help_text=_l("Stands in addresses: small letters, digits and hyphens.")
    )
    starts_on = date_field(label=_l("Starts on"))
    ends_on = date_field(label=_l("Ends on"), required=False, help_text=_l("Empty: without an end."))

    def __init__(self, *args: Any, season: Season, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        ties = service.undecided(season)
        players = Player.objects.in_bulk({player for tie in ties for player in tie.players})
        self.ways: dict[str, service.Way] = {}
        for number, tie in enumerate(ties):
            words = {"division": tie.division, "number": tie.moving}
            label = (
                _("%(division)s: %(number)d of these move up")
                if tie.way == "up"
                else _("%(division)s: %(number)d of these move down")
            )
            self.ways[f"tie_{number}"] = tie.way
            self.fields[f"tie_{number}"] = forms.TypedMultipleChoiceField(
                label=label % words,
                choices=[(pk, players[pk].name) for pk in tie.players],
                coerce=int,
                required=False,
                widget=forms.CheckboxSelectMultiple,
                help_text=_("They share the rank where the line is."),
            )

    def chosen(self, way: service.Way) -> list[int]:
        """The players who are said to move this way."""
        return [player for name, its in self.ways.items() if its == way for player in self.cleaned_data[name]]


def _season(access: Access, season_id: int) -> Season:
    return get_object_or_404(Season.objects.select_related("league"), club=access.club, pk=season_id)


@require_http_methods(["GET", "POST"])
@club_page(Role.ADMIN)
def divisions(request: HttpRequest, access: Access, season_id: int) -> HttpResponseBase:
    """All divisions of a season, and who plays in which."""
    season = _season(access, season_id)
    form = PlacesForm(request.POST if request.method == "POST" else None, season=season)
    if form.is_valid():
        now = timezone.now()

        def put() -> bool:
            service.assign(access=access, season_id=season_id, places=form.places, now=now)
            return True

        if form.attempt(put):
            messages.success(request, _("Saved."))
            return redirect("web:divisions", club=access.club.slug, season_id=season_id)
    context = {
        "club": access.club,
        "managed": season,
        "form": form,
        "divisions": season.divisions.order_by("level"),
        "is_open": season.status == SeasonStatus.OPEN,
    }
    return render(request, "web/manage/divisions.html", context)


@require_http_methods(["GET", "POST"])
@club_page(Role.ADMIN)
def new_division(request: HttpRequest, access: Access, season_id: int) -> HttpResponseBase:
    """Add a division."""
    season = _season(access, season_id)
    form = DivisionForm(request.POST or None)
    if form.is_valid():
        fields, now = form.cleaned_data, timezone.now()
        if form.attempt(lambda: service.create(access=access, season_id=season_id, fields=fields, now=now)):
            return redirect("web:divisions", club=access.club.slug, season_id=season_id)
    return _form(request, access, season, form, heading=_("New division"))


@require_http_methods(["GET", "POST"])
@club_page(Role.ADMIN)
def division(request: HttpRequest, access: Access, season_id: int, division_id: int) -> HttpResponseBase:
    """Change a division."""
    season = _season(access, season_id)
    known = get_object_or_404(Division, season=season, pk=division_id)
    initial = {field: getattr(known, field) for field in service.FIELDS}
    form = DivisionForm(request.POST or None, initial=initial)
    if form.is_valid():
        changes, now = form.cleaned_data, timezone.now()

        def change() -> Division:
            return service.update(access=access, season_id=season_id, division_id=division_id, changes=changes, now=now)

        if form.attempt(change):
            messages.success(request, _("Saved."))
            return redirect("web:divisions", club=access.club.slug, season_id=season_id)
    return _form(request, access, season, form, heading=known.name, known=known)


@require_POST
@club_page(Role.ADMIN)
def delete_division(request: HttpRequest, access: Access, season_id: int, division_id: int) -> HttpResponseBase:
    """Delete a division; its players are in none then."""
    try:
        service.remove(access=access, season_id=season_id, division_id=division_id, now=timezone.now())
    except Conflict as error:
        messages.error(request, error.message)
    else:
        messages.success(request, _("The division is deleted; its players are in none."))
    return redirect("web:divisions", club=access.club.slug, season_id=season_id)


@require_http_methods(["GET", "POST"])
@club_page(Role.ADMIN)
def following(request: HttpRequest, access: Access, season_id: int) -> HttpResponseBase:
    """Open the season that follows."""
    season = _season(access, season_id)
    today = access.club.local_date(timezone.now())
    form = FollowingForm(request.POST or None, season=season, initial={"starts_on": today})
    if form.is_valid():
        fields = {name: form.cleaned_data[name] for name in ("name", "slug", "starts_on", "ends_on")}
        now = timezone.now()

        def follow() -> Season:
            return service.open_following_season(
                access=access,
                season_id=season_id,
                fields=fields,
                promoted=form.chosen("up"),
                relegated=form.chosen("down"),
                now=now,
            )

        made = form.attempt(follow)
        if made is not None:
            messages.success(request, _("The season is open, with the rules and divisions of the one before."))
            return redirect("web:divisions", club=access.club.slug, season_id=made.pk)
    context = {
        "club": access.club,
        "managed": season,
        "form": form,
        "heading": _("The season after %(season)s") % {"season": season.name},
        "moves": service.foreseen(season),
    }
    return render(request, "web/manage/following.html", context)


def _form(
    request: HttpRequest,
    access: Access,
    season: Season,
    form: ServiceForm,
    *,
    heading: str,
    known: Division | None = None,
) -> HttpResponseBase:
    context = {"club": access.club, "managed": season, "form": form, "heading": heading, "division": known}
    return render(request, "web/manage/division.html", context)
