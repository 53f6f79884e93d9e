"""Webhooks of a club: endpoints set up and tried out, and what became of each message."""

import json
from collections.abc import Callable
from datetime import datetime, time

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.models import DeliveryState, Role, WebhookDelivery, WebhookEndpoint
from league.services import webhooks as service
from league.services.access import Access
from league.services.deliveries import REASONS
from league.services.errors import Conflict
from league.services.outbound import ERRORS
from league.web import shown_once
from league.web.access import club_page
from league.web.forms import ReplayForm, WebhookForm

# From the making of a secret to the one page that shows it: a browser without this note is not shown it again.
_MADE = "made-secret"
_PAGE = 50


@require_http_methods(["GET", "POST"])
@club_page(Role.ADMIN)
def webhooks(request: HttpRequest, access: Access) -> HttpResponseBase:
    """All endpoints, and the form for one more, which leads to the page that shows its secret."""
    form = WebhookForm(request.POST or None)
    if form.is_valid():
        now = timezone.now()
        made = form.attempt(lambda: service.create(access=access, now=now, **form.cleaned_data))
        if made is not None:
            return _to_secret(access, made)
    known = WebhookEndpoint.objects.filter(club=access.club)
    return render(request, "web/manage/webhooks.html", {"club": access.club, "form": form, "webhooks": known})


def _to_secret(access: Access, endpoint: WebhookEndpoint) -> HttpResponse:
    shown = reverse("web:webhook-secret", kwargs={"club": access.club.slug, "webhook_id": endpoint.pk})
    return shown_once.hand_over(str(endpoint.pk), name=_MADE, address=shown)


@never_cache
@require_safe
@club_page(Role.ADMIN)
def secret(request: HttpRequest, access: Access, webhook_id: int) -> HttpResponseBase:
    """The secret that was just made; asked for again it leads back to the endpoint."""
    endpoint = get_object_or_404(WebhookEndpoint, club=access.club, pk=webhook_id)
    if shown_once.taken(request, name=_MADE) != str(webhook_id):
        messages.info(request, _("A secret is shown once only. If it is lost, make a new one."))
        return redirect("web:webhook", club=access.club.slug, webhook_id=webhook_id)
    answer = render(request, "web/manage/webhook_secret.html", {"club": access.club, "webhook": endpoint})
    return shown_once.shown(answer, request, name=_MADE)


@require_http_methods(["GET", "POST"])
@club_page(Role.ADMIN)
def webhook(request: HttpRequest, access: Access, webhook_id: int) -> HttpResponseBase:
    """An endpoint: how it does, its settings, its messages newest first."""
    club = access.club
    endpoint = get_object_or_404(WebhookEndpoint, club=club, pk=webhook_id)
    initial = {"url": endpoint.url, "description": endpoint.description, "events": endpoint.events}
    form = WebhookForm(request.POST or None, initial=initial)
    if form.is_valid():
        now, changes = timezone.now(), service.Changes(**form.cleaned_data)  # type: ignore[typeddict-item]
        saved = form.attempt(lambda: service.update(access=access, endpoint_id=webhook_id, changes=changes, now=now))
        if saved is not None:
            messages.success(request, _("Saved."))
            return redirect("web:webhook", club=club.slug, webhook_id=webhook_id)
    state = request.GET.get("state", "")
    rows = endpoint.deliveries.defer("payload")
    if state in DeliveryState.values:
        rows = rows.filter(state=state)
    before = request.GET.get("before", "")
    if before.isascii() and before.isdigit():
        rows = rows.filter(pk__lt=int(before[:18]))
    found = list(rows[: _PAGE + 1])
    context = {
        "club": club,
        "webhook": endpoint,
        "reason": REASONS.get(endpoint.disabled_reason, ""),
        "both_secrets": endpoint.previous_secret_until is not None and endpoint.previous_secret_until > timezone.now(),
        "form": form,
        "replay_form": ReplayForm(),
        "states": DeliveryState.choices,
        "state": state,
        "deliveries": found[:_PAGE],
        "older": found[_PAGE - 1].pk if len(found) > _PAGE else None,
        "any_failed": endpoint.deliveries.filter(state=DeliveryState.FAILED).exists(),
    }
    return render(request, "web/manage/webhook.html", context)


@require_safe
@club_page(Role.ADMIN)
def delivery(request: HttpRequest, access: Access, webhook_id: int, delivery_id: int) -> HttpResponseBase:
    """A message: what it says, and every attempt to deliver it."""
    rows = WebhookDelivery.objects.select_related("endpoint").filter(club=access.club, endpoint=webhook_id)
    found = get_object_or_404(rows, pk=delivery_id)
    context = {
        "club": access.club,
        "webhook": found.endpoint,
        "delivery": found,
        "payload": json.dumps(found.payload, indent=2, ensure_ascii=False),
        "attempts": [(attempt, ERRORS.get(attempt.error, "")) for attempt in found.log.all()],
    }
    return render(request, "web/manage/webhook_delivery.html", context)


@require_POST
@club_page(Role.ADMIN)
def rotate(request: HttpRequest, access: Access, webhook_id: int) -> HttpResponseBase:
    """Make a new secret."""
    return _to_secret(access, service.rotate(access=access, endpoint_id=webhook_id, now=timezone.now()))


@require_POST
@club_page(Role.ADMIN)
def switch(request: HttpRequest, access: Access, webhook_id: int) -> HttpResponseBase:
    """Enable or disable an endpoint."""
    enabled = request.POST.get("enabled") == "yes"
    service.update(access=access, endpoint_id=webhook_id, changes={"enabled": enabled}, now=timezone.now())
    messages.success(request, _("The webhook is enabled.") if enabled else _("The webhook is disabled."))
    return redirect("web:webhook", club=access.club.slug, webhook_id=webhook_id)


@require_POST
@club_page(Role.ADMIN)
def delete(request: HttpRequest, access: Access, webhook_id: int) -> HttpResponseBase:
    """Delete an endpoint with its messages."""
    service.delete(access=access, endpoint_id=webhook_id, now=timezone.now())
    messages.success(request, _("The webhook is deleted."))
    return redirect("web:webhooks", club=access.club.slug)


@require_POST
@club_page(Role.ADMIN)
def ping(request: HttpRequest, access: Access, webhook_id: int) -> HttpResponseBase:
    """Send a test message and lead to its page."""

    def call() -> HttpResponseBase:
        sent = service.ping(access=access, endpoint_id=webhook_id, now=timezone.now())
        messages.success(request, _("A test message is on its way. Load this page again to see the answer."))
        return redirect("web:webhook-delivery", club=access.club.slug, webhook_id=webhook_id, delivery_id=sent.pk)

    return _unless_refused(request, access, webhook_id, call)


@require_POST
@club_page(Role.ADMIN)
def replay(request: HttpRequest, access: Access, webhook_id: int, delivery_id: int) -> HttpResponseBase:
    """Send a message again and lead to its page."""

    def call() -> HttpResponseBase:
        service.replay(access=access, endpoint_id=webhook_id, delivery_id=delivery_id, now=timezone.now())
        messages.success(request, _("The message is on its way again. Load this page again to see the answer."))
        return redirect("web:webhook-delivery", club=access.club.slug, webhook_id=webhook_id, delivery_id=delivery_id)

    return _unless_refused(request, access, webhook_id, call)


@require_POST
@club_page(Role.ADMIN)
def replay_failed(request: HttpRequest, access: Access, webhook_id: int) -> HttpResponseBase:
    """Send again what failed since a day."""
    get_object_or_404(WebhookEndpoint, club=access.club, pk=webhook_id)
    form = ReplayForm(request.POST)
    back = redirect("web:webhook", club=access.club.slug, webhook_id=webhook_id)
    if not form.is_valid():
        messages.error(request, _("Give the day since when failed messages are to be sent again."))
        return back
    since = timezone.make_aware(datetime.combine(form.cleaned_data["since"], time.min))

    def call() -> HttpResponseBase:
        count = service.replay_failed(access=access, endpoint_id=webhook_id, since=since, now=timezone.now())
        text = ngettext("%(number)d message is sent again.", "%(number)d messages are sent again.", count)
        messages.success(request, text % {"number": count})
        return back

    return _unless_refused(request, access, webhook_id, call)


def _unless_refused(
    request: HttpRequest, access: Access, webhook_id: int, call: Callable[[], HttpResponseBase]
) -> HttpResponseBase:
    try:
        return call()
    except Conflict as refusal:
        messages.error(request, refusal.message)
        return redirect("web:webhook", club=access.club.slug, webhook_id=webhook_id)
