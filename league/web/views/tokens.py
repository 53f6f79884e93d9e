"""API tokens of a club: made, shown once, revoked."""

from datetime import datetime, time

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from league.models import ApiToken, Role, Scope
from league.services import tokens as service
from league.services.access import Access
from league.web import shown_once
from league.web.access import club_page
from league.web.examples import curl_example
from league.web.forms import TokenForm

# The raw token from its making to the one page that shows it: with its maker alone, since the database never holds it.
_MADE = "made-token"


@never_cache
@require_http_methods(["GET", "POST"])
@club_page(Role.ADMIN)
def tokens(request: HttpRequest, access: Access) -> HttpResponseBase:
    """All tokens, and the form for one more, which leads to the page that shows the new one."""
    now = timezone.now()
    form = TokenForm(request.POST or None)
    if form.is_valid():
        data = form.cleaned_data
        day = data["expires_on"]
        expires_at = timezone.make_aware(datetime.combine(day, time.max)) if day else None
        scope = Scope(data["scope"])
        made = form.attempt(
            lambda: service.create(
                access=access,
                name=data["name"],
                scope=scope,
                expires_at=expires_at,
                rate_limit=data["rate_limit"],
                now=now,
            )
        )
        if made is not None:
            token, raw = made
            shown = reverse("web:token", kwargs={"club": access.club.slug, "token_id": token.pk})
            return shown_once.hand_over(raw, name=_MADE, address=shown)
    known = ApiToken.objects.filter(club=access.club).select_related("created_by")
    return render(request, "web/manage/tokens.html", {"club": access.club, "form": form, "now": now, "tokens": known})


@never_cache
@require_GET
@club_page(Role.ADMIN)
def token(request: HttpRequest, access: Access, token_id: int) -> HttpResponseBase:
    """A token that was just made, with its secret; asked for again it leads back to the list."""
    known = get_object_or_404(ApiToken, club=access.club, pk=token_id)
    raw = shown_once.taken(request, name=_MADE)
    if raw is None or not raw.startswith(f"tl_{known.prefix}_"):
        messages.info(request, _("A token is shown once only. If it is lost, revoke it and make another."))
        return redirect("web:tokens", club=access.club.slug)
    scope = Scope(known.scope)
    context = {
        "club": access.club,
        "token": known,
        "raw": raw,
        "reads": scope == Scope.READ,
        "curl": curl_example(request, access.club, raw, scope),
    }
    return shown_once.shown(render(request, "web/manage/token.html", context), request, name=_MADE)


@require_POST
@club_page(Role.ADMIN)
def revoke(request: HttpRequest, access: Access, token_id: int) -> HttpResponseBase:
    """End a token."""
    ended = service.revoke(access=access, token_id=token_id, now=timezone.now())
    messages.success(request, _("The token “%(name)s” is revoked.") % {"name": ended.name})
    return redirect("web:tokens", club=access.club.slug)
