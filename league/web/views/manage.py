"""The overview of what there is to manage in a club."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from league.models import ApiToken, Member, Player, Role, Scope, Season, Tournament, WebhookEndpoint
from league.services import clubs, recounts
from league.services.access import Access
from league.web.access import club_page
from league.web.examples import PLACEHOLDER, curl_example
from league.web.forms import ClubForm


@require_http_methods(["GET", "POST"])
@club_page(Role.ADMIN)
def settings(request: HttpRequest, access: Access) -> HttpResponseBase:
    """Change the club's name and time zone."""
    club = access.club
    form = ClubForm(request.POST or None, initial={"name": club.name, "time_zone": club.time_zone})
    if form.is_valid():
        now = timezone.now()
        if form.attempt(lambda: clubs.update(access=access, now=now, **form.cleaned_data)) is not None:
            messages.success(request, _("Saved."))
            return redirect("web:manage", club=club.slug)
    context = {"club": club, "form": form, "heading": _("Club settings"), "action": _("Save")}
    return render(request, "web/form.html", context)


@require_safe
@club_page(Role.SCOREKEEPER)
def overview(request: HttpRequest, access: Access) -> HttpResponseBase:
    """What there is, what to do next, and how a program posts results."""
    club = access.club
    context = {
        "club": club,
        "may_manage": access.may(Role.ADMIN),
        "owns": access.may(Role.OWNER),
        "players": Player.objects.filter(club=club, archived_at=None).count(),
        "seasons": Season.objects.filter(club=club).count(),
        "tournaments": Tournament.objects.filter(club=club, archived_at=None).count(),
        "members": Member.objects.filter(club=club).count(),
        "tokens": ApiToken.objects.filter(club=club, revoked_at=None).count(),
        "webhooks": WebhookEndpoint.objects.filter(club=club).count(),
        "checked_at": recounts.last_checked(club),
        "alarm": recounts.last_alarm(club),
        "curl": curl_example(request, club, PLACEHOLDER, Scope.RESULTS_WRITE),
    }
    return render(request, "web/manage/overview.html", context)
