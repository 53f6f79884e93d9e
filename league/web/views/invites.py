"""Invitations: made, listed and revoked by admins; accepted by whoever has the link."""

from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from league.models import Invite, Role, User
from league.services import invites as service
from league.services.access import Access
from league.services.errors import Conflict, NotFound
from league.web import addresses, shown_once
from league.web.access import club_page
from league.web.account_forms import InviteForm, NewAccountForm

# Carries a new invitation's code to the one page that shows it.
_MADE = "made-invite"
_LISTED = 100


@require_http_methods(["GET", "POST"])
@club_page(Role.ADMIN)
def invites(request: HttpRequest, access: Access) -> HttpResponseBase:
    """The newest invitations, and the form for one more, which leads to the page that shows its link."""
    now = timezone.now()
    form = InviteForm(request.POST or None, access=access)
    if form.is_valid():
        data = form.cleaned_data
        role = Role(data["role"])
        made = form.attempt(
            lambda: service.create(
                access=access, role=role, note=data["note"], player_id=data["player"], days=data["days"], now=now
            )
        )
        if made is not None:
            invite, code = made
            address = reverse("web:invite-made", kwargs={"club": access.club.slug, "invite_id": invite.pk})
            return shown_once.hand_over(code, name=_MADE, address=address)
    known = Invite.objects.filter(club=access.club).select_related("created_by", "used_by", "player")
    context = {"club": access.club, "form": form, "invites": known.with_state(now=now)[:_LISTED]}
    return render(request, "web/manage/invites.html", context)


@never_cache
@require_GET
@club_page(Role.ADMIN)
def made(request: HttpRequest, access: Access, invite_id: int) -> HttpResponseBase:
    """An invitation that was just made, with its link; asked for again it leads back to the list."""
    known = get_object_or_404(Invite, club=access.club, pk=invite_id)
    code = shown_once.taken(request, name=_MADE)
    if code is None or not service.is_code_of(invite=known, code=code):
        messages.info(request, _("A link is shown once only. If it is lost, revoke the invitation and make another."))
        return redirect("web:invites", club=access.club.slug)
    link = addresses.public(request, reverse("web:invite", kwargs={"code": code}))
    context = {"club": access.club, "invite": known, "link": link}
    return shown_once.shown(render(request, "web/manage/invite.html", context), request, name=_MADE)


@require_POST
@club_page(Role.ADMIN)
def revoke(request: HttpRequest, access: Access, invite_id: int) -> HttpResponseBase:
    """End an invitation."""
    service.revoke(access=access, invite_id=invite_id, now=timezone.now())
    messages.success(request, _("The invitation is revoked."))
    return redirect("web:invites", club=access.club.slug)


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def invite(request: HttpRequest, code: str) -> HttpResponseBase:
    """What somebody is invited to: accepted by a button, or with a new login."""
    now = timezone.now()
    user = request.user if isinstance(request.user, User) else None
    try:
        offer = service.find(code=code, now=now)
        if user is not None:
            return _as_user(request, code, offer, user)
        form = NewAccountForm(request.POST or None)
        if form.is_valid():
            data = form.cleaned_data
            made = form.attempt(lambda: service.accept_with_account(code=code, now=now, **data))
            if made is not None:
                login(request, made)
                return _welcome(request, offer)
    except NotFound:
        used = service.used_by(code=code, user=user) if user is not None else None
        if used is not None:
            return redirect("web:club", club=used.club.slug)
        return render(request, "web/invite_over.html", status=404)
    return render(request, "web/invite.html", {**_told(offer), "form": form, "path": request.path})


def _as_user(request: HttpRequest, code: str, offer: service.Offer, user: User) -> HttpResponse:
    refused = ""
    if request.method == "POST":
        try:
            service.accept(code=code, user=user, now=timezone.now())
            return _welcome(request, offer)
        except Conflict as error:
            refused = error.message
    context = {**_told(offer), "refused": refused}
    return render(request, "web/invite.html", context, status=409 if refused else 200)


def _told(offer: service.Offer) -> dict[str, object]:
    return {"club_name": offer.invite.club.name, "slug": offer.invite.club.slug, "role": offer.role.label}


def _welcome(request: HttpRequest, offer: service.Offer) -> HttpResponse:
    messages.success(request, _("Welcome to %(club)s.") % {"club": offer.invite.club.name})
    return redirect("web:club", club=offer.invite.club.slug)
