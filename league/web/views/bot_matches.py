"""Bot matches: asked for, watched."""

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from league.models import OVER, BotMatch, Role
from league.services import bot_matches as service
from league.services.access import Access
from league.services.bot_matches import BotMatchInput
from league.web.access import club_page
from league.web.forms import BotMatchForm


@require_http_methods(["GET", "POST"])
@club_page(Role.SCOREKEEPER)
def bot_matches(request: HttpRequest, access: Access) -> HttpResponseBase:
    """The form for a bot match, and the last ones."""
    form = BotMatchForm(request.POST or None, club=access.club)
    if form.is_valid():
        chosen = form.cleaned_data
        data = BotMatchInput(
            game=chosen["game"],
            players=form.players,
            seed=chosen["seed"],
            deals=chosen["deals"],
            season=chosen["season"],
        )
        now = timezone.now()
        match = form.attempt(lambda: service.request(access=access, data=data, now=now))
        if match is not None:
            return redirect("web:bot-match", club=access.club.slug, match_id=match.pk)
    last = BotMatch.objects.filter(club=access.club).select_related("job")[:20]
    return render(request, "web/bot_matches.html", {"club": access.club, "form": form, "matches": last})


@require_safe
@club_page(Role.MEMBER)
def bot_match(request: HttpRequest, access: Access, match_id: int) -> HttpResponseBase:
    """How far a bot match is; asks again by itself until it is over."""
    matches = BotMatch.objects.select_related("job", "season__league").prefetch_related("seats__player")
    match = get_object_or_404(matches, club=access.club, pk=match_id)
    over = match.job.state in OVER
    context = {"club": access.club, "match": match, "job": match.job, "over": over, "poll": 0 if over else 1}
    return render(request, "web/bot_match.html", context)
