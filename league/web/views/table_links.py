"""Table links: made and revoked by a scorekeeper; opened by a phone, which enters the rounds of one session."""

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import Any

import segno
from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from league.models import ApiToken, Role, Scope, Session, SessionStatus
from league.models.sheets import score_sheet
from league.services import table_links as service
from league.services.access import Access
from league.services.errors import NotFound
from league.web import addresses, shown_once
from league.web.access import club_page
from league.web.forms import TableLinkForm
from league.web.reading import members_session
from league.web.views.evenings import enter_round

# The raw token stays with the browser that made the link, for the page with its QR code: the database never holds it.
_MADE = "table-link"


# --- For scorekeepers -------------------------------------------------------------------------------------------------


@never_cache
@require_http_methods(["GET", "POST"])
@club_page(Role.SCOREKEEPER)
def links(request: HttpRequest, access: Access, session_id: int) -> HttpResponseBase:
    """The links of a session, and the form for one more, which leads to the page with its QR code."""
    now = timezone.now()
    session = members_session(access, session_id)
    # The button on the pages of the session says nothing of hours: one tap for the usual ones.
    sent = {"hours": service.USUAL_HOURS, **request.POST.dict()} if request.method == "POST" else None
    form = TableLinkForm(sent)
    if form.is_valid():
        hours = form.cleaned_data["hours"]
        made = form.attempt(lambda: service.create(access=access, session_id=session_id, hours=hours, now=now))
        if made is not None:
            link, raw = made
            own = {"club": access.club.slug, "session_id": session_id, "link_id": link.pk}
            shown = reverse("web:table-link-code", kwargs=own)
            return shown_once.hand_over(raw, name=_MADE, address=shown, seconds=hours * 3600)
    known = ApiToken.objects.filter(club=access.club, session=session, scope=Scope.TABLE)
    return render(request, "web/table_links.html", {**_context(session), "form": form, "now": now, "links": known})


@never_cache
@require_GET
@club_page(Role.SCOREKEEPER)
def code(request: HttpRequest, access: Access, session_id: int, link_id: int) -> HttpResponseBase:
    """A link as QR code and address, in the browser that made it; any other is led to the list."""
    session = members_session(access, session_id)
    link = get_object_or_404(ApiToken, club=access.club, session=session, scope=Scope.TABLE, pk=link_id)
    raw = shown_once.taken(request, name=_MADE, seconds=service.LONGEST_HOURS * 3600)
    over = link.revoked_at is not None or link.expires_at is None or link.expires_at <= timezone.now()
    if over or raw is None or not raw.startswith(f"tl_{link.prefix}_"):
        messages.info(request, _("A link is shown by the browser that made it alone. Make another here."))
        return redirect("web:table-links", club=access.club.slug, session_id=session_id)
    address = _address(request, raw)
    return render(
        request,
        "web/table_link_code.html",
        {**_context(session), "link": link, "address": address, "qr": qr_code(address)},
    )


@require_POST
@club_page(Role.SCOREKEEPER)
def revoke(request: HttpRequest, access: Access, session_id: int, link_id: int) -> HttpResponseBase:
    """End a link."""
    service.revoke(access=access, session_id=session_id, link_id=link_id, now=timezone.now())
    messages.success(request, _("The link is revoked."))
    return redirect("web:table-links", club=access.club.slug, session_id=session_id)


def _context(session: Session) -> dict[str, Any]:
    return {"club": session.club, "session": session, "season": session.season}


def _address(request: HttpRequest, raw: str) -> str:
    """The link as a phone opens it: at the installation's own address where that is known."""
    return addresses.public(request, reverse("web:table-link", kwargs={"raw": raw}))


# Any of the eight can be read; this one is the chequerboard.
_QR_MASK = 0


def qr_code(text: str) -> SafeString:
    """A QR code as inline SVG, black on white with the quiet zone of four modules (ISO/IEC 18004) in any scheme."""
    # To choose the mask takes four times as long as all the rest, and what is told is random for the most part, which
    # every mask spreads evenly.
    code = segno.make_qr(text, error="m", mask=_QR_MASK)
    svg = code.svg_inline(border=4, dark="#000", light="#fff", omitsize=True, svgclass="qr", lineclass=None)
    # Numbers and the colours above; the text itself is not in it.
    return mark_safe(svg)  # noqa: S308  # nosec B308 B703


# --- For the phone at the table ---------------------------------------------------------------------------------------


def secret_address(
    view: Callable[..., HttpResponseBase], *, referrer: str = "no-referrer"
) -> Callable[..., HttpResponseBase]:
    """Keep a page whose address is a secret out of other sites' logs, of search engines and of every cache.

    `referrer` is the policy: "same-origin" where a form of the page has a token, since with "no-referrer" browsers send
    it from an origin "null", which the token's check refuses.
    """

    @wraps(view)
    def kept(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        answer = view(request, *args, **kwargs)
        answer["Referrer-Policy"] = referrer
        answer["X-Robots-Tag"] = "noindex"
        answer["Cache-Control"] = "no-store"
        return answer

    return kept


# Without a form token: no cookie opens this page, only its address, which no other site knows. And a browser that
# keeps the address from everybody (no-referrer) sends no origin that a form token's check would accept.
@csrf_exempt
@secret_address
@require_http_methods(["GET", "POST"])
def phone(request: HttpRequest, raw: str) -> HttpResponseBase:
    """One session's score sheet, and the form for its next round, for whoever has the link."""
    now = timezone.now()
    try:
        access = service.opened(raw=raw, now=now)
        return _entry(request, access, now)
    except NotFound:
        return render(request, "web/table_link_over.html", status=404)


def _entry(request: HttpRequest, access: Access, now: datetime) -> HttpResponseBase:
    if access.only_session is None:
        raise NotFound
    session = members_session(access, access.only_session)
    with timezone.override(access.club.zone):
        if session.status == SessionStatus.OPEN and session.voided_at is None:
            return enter_round(request, access, session, template="web/table_link.html", here=request.path)
        return render(request, "web/table_link.html", {**_context(session), "sheet": score_sheet(session)})
