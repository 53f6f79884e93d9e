"""Par of a cooperative game: the form that has a bot play on."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.par import configurations
from league.models import Role
from league.services import par as service
from league.services.access import Access
from league.web.access import club_page
from league.web.par_forms import ParForm


@require_http_methods(["GET", "POST"])
@club_page(Role.ADMIN)
def extend(request: HttpRequest, access: Access, game: str) -> HttpResponseBase:
    """Ask for more games at a table of the game."""
    if not any(one.game == game for one in configurations()):
        raise Http404
    form = ParForm(request.POST or None, game=game)
    if form.is_valid():
        one, games = form.configuration, form.cleaned_data["games"]
        job = form.attempt(
            lambda: service.request(
                access=access, game=game, seats=one.seats, options=one.agreed, games=games, now=timezone.now()
            )
        )
        if job is not None:
            messages.success(request, _("The bot plays on; the list of jobs shows how far it is."))
            return redirect("web:played-game", club=access.club.slug, key=game)
    context = {
        "club": access.club,
        "form": form,
        "heading": _("More games for par"),
        "action": _("Let the bot play on"),
    }
    return render(request, "web/form.html", context)
