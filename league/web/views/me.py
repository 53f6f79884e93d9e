"""The member's own page in a club: who one is at the tables, and what others call one."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_http_methods

from league.models import Player, Role
from league.services import players as service
from league.services.access import Access
from league.services.errors import NotFound
from league.web.access import club_page
from league.web.forms import ServiceForm
from league.web.reading import rights_of


class NicknameForm(ServiceForm):
    """What the public reads in place of the own name."""

    nickname = forms.CharField(
        label=_l("Nickname"),
        max_length=60,
        required=False,
        help_text=_l("Shown instead of your name to all but members of the club. Empty: the name is shown."),
    )


@require_http_methods(["GET", "POST"])
@club_page(Role.MEMBER)
def me(request: HttpRequest, access: Access) -> HttpResponseBase:
    """The own player with the own nickname; who is no player is told whom to ask."""
    try:
        player: Player | None = service.own_player(access=access)
    except NotFound:
        player = None
    context = {"club": access.club, "rights": rights_of(access.role), "player": player}
    if player is None:
        return render(request, "web/me.html", context)
    form = NicknameForm(request.POST or None, initial={"nickname": player.nickname})
    if form.is_valid():
        nickname, now = form.cleaned_data["nickname"], timezone.now()
        if form.attempt(lambda: service.choose_nickname(access=access, nickname=nickname, now=now)) is not None:
            messages.success(request, _("Saved."))
            return redirect("web:me", club=access.club.slug)
    return render(request, "web/me.html", {**context, "form": form})
