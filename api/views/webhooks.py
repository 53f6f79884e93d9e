"""Webhooks: endpoints made, changed, tried out; their deliveries looked at and repeated."""

from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.filters import by_values
from api.idempotency import Answer, refuse_key
from api.schema import page_of
from api.serializers.base import PageQuerySerializer
from api.serializers.sessions import NothingSerializer
from api.serializers.webhooks import (
    DeliveriesQuerySerializer,
    DeliveryLogSerializer,
    DeliverySerializer,
    NewWebhookSerializer,
    ReplayedSerializer,
    ReplaySerializer,
    WebhookChangeSerializer,
    WebhookSecretSerializer,
    WebhookSerializer,
)
from api.views.base import ClubView
from league.models import Role, WebhookDelivery, WebhookEndpoint
from league.services import webhooks


class _WebhookView(ClubView):
    reads = writes = Role.ADMIN

    def endpoint(self, webhook_id: int) -> Any:
        """The club's endpoint. Raises Http404."""
        return self.find(WebhookEndpoint.objects.all(), webhook_id)

    def with_secret(self, endpoint: WebhookEndpoint, status: int) -> HttpResponse:
        """An answer that shows the secret, and that nothing on its way keeps."""
        data = self.shown(WebhookSecretSerializer, endpoint)
        location = reverse("api:webhook", kwargs={"club": self.access.club.slug, "webhook_id": endpoint.pk})
        response = self.answer(status, data, location if status == 201 else "").response()
        patch_cache_control(response, no_store=True)
        return response

    def sent(self, delivery: WebhookDelivery) -> Answer:
        """An answer that says where to ask what became of a message."""
        data = self.shown(DeliverySerializer, delivery)
        return self.answer(202, data, data["url"])


class WebhooksView(_WebhookView):
    query_shapes = {"GET": PageQuerySerializer}

    @extend_schema(
        operation_id="list_webhooks",
        summary=_("List the webhooks, newest first"),
        parameters=[PageQuerySerializer],
        responses=page_of(WebhookSerializer),
    )
    def get(self, request: Request, club: str) -> Response:
        return self.listed(WebhookSerializer, WebhookEndpoint.objects.filter(club=self.access.club), newest_first=True)

    @extend_schema(
        operation_id="create_webhook",
        summary=_("Make a webhook"),
        description=_(
            "The answer shows the secret this once. It takes no Idempotency-Key, since answers with a secret are not "
            "stored: when an answer gets lost, rotate the secret."
        ),
        request=NewWebhookSerializer,
        responses={201: WebhookSecretSerializer},
    )
    def post(self, request: Request, club: str) -> HttpResponse:
        refuse_key(request)
        made = webhooks.create(access=self.access, now=self.now, **self.body(NewWebhookSerializer))
        made.refresh_from_db()
        return self.with_secret(made, 201)


class WebhookDetailView(_WebhookView):
    @extend_schema(operation_id="get_webhook", summary=_("Read a webhook"), responses=WebhookSerializer)
    def get(self, request: Request, club: str, webhook_id: int) -> Response:
        return Response(self.shown(WebhookSerializer, self.endpoint(webhook_id)))

    @extend_schema(
        operation_id="change_webhook",
        summary=_("Change, enable or disable a webhook"),
        request=WebhookChangeSerializer,
        responses=WebhookSerializer,
    )
    def patch(self, request: Request, club: str, webhook_id: int) -> Response:
        self.endpoint(webhook_id)
        changes = self.body(WebhookChangeSerializer)
        changed = webhooks.update(access=self.access, endpoint_id=webhook_id, changes=changes, now=self.now)
        return Response(self.shown(WebhookSerializer, changed))

    @extend_schema(
        operation_id="delete_webhook",
        summary=_("Delete a webhook"),
        description=_("Its deliveries are deleted with it."),
        responses={204: None},
    )
    def delete(self, request: Request, club: str, webhook_id: int) -> Response:
        webhooks.delete(access=self.access, endpoint_id=webhook_id, now=self.now)
        return Response(status=204)


class RotateView(_WebhookView):
    @extend_schema(
        operation_id="rotate_webhook_secret",
        summary=_("Give a webhook a new secret"),
        description=_(
            "The answer shows it this once. For 24 hours messages are signed with the one before it too. It takes no "
            "Idempotency-Key, since answers with a secret are not stored."
        ),
        request={"application/json": NothingSerializer},
        responses={200: WebhookSecretSerializer},
    )
    def post(self, request: Request, club: str, webhook_id: int) -> HttpResponse:
        refuse_key(request)
        self.body(NothingSerializer, optional=True)
        return self.with_secret(webhooks.rotate(access=self.access, endpoint_id=webhook_id, now=self.now), 200)


class PingView(_WebhookView):
    @extend_schema(
        operation_id="ping_webhook",
        summary=_("Send a test message"),
        description=_("One webhook.ping, sent once, without repeats. `Location` is where to ask what became of it."),
        request={"application/json": NothingSerializer},
        responses={202: DeliverySerializer},
    )
    def post(self, request: Request, club: str, webhook_id: int) -> HttpResponse:
        self.body(NothingSerializer, optional=True)
        return self.once(lambda: self.sent(webhooks.ping(access=self.access, endpoint_id=webhook_id, now=self.now)))


class ReplayFailedView(_WebhookView):
    @extend_schema(
        operation_id="replay_failed_deliveries",
        summary=_("Send all failed messages again"),
        description=_("Those written since a time, pings left out; each with its first id and a new schedule."),
        request=ReplaySerializer,
        responses={202: ReplayedSerializer},
    )
    def post(self, request: Request, club: str, webhook_id: int) -> HttpResponse:
        self.endpoint(webhook_id)
        since = self.body(ReplaySerializer)["since"]

        def act() -> Answer:
            count = webhooks.replay_failed(access=self.access, endpoint_id=webhook_id, since=since, now=self.now)
            return self.answer(202, {"replayed": count})

        return self.once(act)


class DeliveriesView(_WebhookView):
    query_shapes = {"GET": DeliveriesQuerySerializer}

    @extend_schema(
        operation_id="list_deliveries",
        summary=_("List the deliveries of a webhook, newest first"),
        description=_("They are kept for 30 days."),
        parameters=[DeliveriesQuerySerializer],
        responses=page_of(DeliverySerializer),
    )
    def get(self, request: Request, club: str, webhook_id: int) -> Response:
        rows: QuerySet[WebhookDelivery] = self.endpoint(webhook_id).deliveries.defer("payload")
        rows = by_values(rows, self.query, {"state": "state", "event": "event"})
        return self.listed(DeliverySerializer, rows, newest_first=True)


class DeliveryDetailView(_WebhookView):
    @extend_schema(
        operation_id="get_delivery", summary=_("Read a message and its attempts"), responses=DeliveryLogSerializer
    )
    def get(self, request: Request, club: str, webhook_id: int, delivery_id: int) -> Response:
        rows = self.endpoint(webhook_id).deliveries.prefetch_related("log")
        return Response(self.shown(DeliveryLogSerializer, self.find(rows, delivery_id)))


class ReplayView(_WebhookView):
    @extend_schema(
        operation_id="replay_delivery",
        summary=_("Send a message again"),
        description=_("Whatever became of it before: with its first id and a new schedule, beginning now."),
        request={"application/json": NothingSerializer},
        responses={202: DeliverySerializer},
    )
    def post(self, request: Request, club: str, webhook_id: int, delivery_id: int) -> HttpResponse:
        self.body(NothingSerializer, optional=True)
        return self.once(
            lambda: self.sent(
                webhooks.replay(access=self.access, endpoint_id=webhook_id, delivery_id=delivery_id, now=self.now)
            )
        )
