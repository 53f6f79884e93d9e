"""API tokens of a club: made, shown once, revoked."""

from datetime import datetime, time

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from league.models import ApiToken, Role, Scope
from league.services import tokens as service
from league.services.access import Access
from league.web.access import club_page
from league.web.examples import curl_example
from league.web.forms import TokenForm


@never_cache
@require_http_methods(["GET", "POST"])
@club_page(Role.ADMIN)
def tokens(request: HttpRequest, access: Access) -> HttpResponseBase:
    """All tokens, and the form for one more; the answer to that form is the only page that shows the token."""
    now = timezone.now()
    form = TokenForm(request.POST or None)
    context: dict[str, object] = {"club": access.club, "form": form, "now": now}
    if form.is_valid():
        data = form.cleaned_data
        day = data["expires_on"]
        expires_at = timezone.make_aware(datetime.combine(day, time.max)) if day else None
        scope = Scope(data["scope"])
        made = form.attempt(
            lambda: service.create(access=access, name=data["name"], scope=scope, expires_at=expires_at, now=now)
        )
        if made is not None:
            token, raw = made
            context |= {"token": token, "raw": raw, "curl": curl_example(request, access.club, raw)}
            # No redirect: the token would have to be kept somewhere until then.
            return render(request, "web/manage/token.html", context)
    context["tokens"] = ApiToken.objects.filter(club=access.club).select_related("created_by")
    return render(request, "web/manage/tokens.html", context)


@require_POST
@club_page(Role.ADMIN)
def revoke(request: HttpRequest, access: Access, token_id: int) -> HttpResponseBase:
    """End a token."""
    token = service.revoke(access=access, token_id=token_id, now=timezone.now())
    messages.success(request, _("The token “%(name)s” is revoked.") % {"name": token.name})
    return redirect("web:tokens", club=access.club.slug)
