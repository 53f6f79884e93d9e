"""Webhooks: endpoints, and what became of each message to them."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.serializers.base import ChangeSerializer, PageQuerySerializer, StrictSerializer, id_field
from api.serializers.fields import BooleanField, ChoiceField, IntegerField, TextField, TimeField
from league.models import DeliveryState, WebhookAttempt, WebhookDelivery, WebhookEndpoint
from league.services.deliveries import PING, REASONS
from league.services.outbound import ERRORS, URL_LENGTH
from league.services.webhooks import DESCRIPTION_LENGTH, EVENTS

# --- In ---------------------------------------------------------------------------------------------------------------


def _url_field(**kwargs: Any) -> TextField:
    help_text = _("Where messages are posted to: http or https, on the public Internet.")
    return TextField(max_length=URL_LENGTH, help_text=help_text, **kwargs)


def _description_field(**kwargs: Any) -> TextField:
    return TextField(max_length=DESCRIPTION_LENGTH, allow_blank=True, help_text=_("What it is for."), **kwargs)


def _events_field(**kwargs: Any) -> serializers.ListField:
    return serializers.ListField(
        child=ChoiceField(list(EVENTS.items())),
        max_length=50,
        help_text=_("Which events are told of; an empty list: all, also those of later versions."),
        **kwargs,
    )


class NewWebhookSerializer(StrictSerializer):
    """An endpoint to be made."""

    url = _url_field()
    description = _description_field(default="")
    events = _events_field(default=list)


class WebhookChangeSerializer(ChangeSerializer):
    """What to change of an endpoint."""

    url = _url_field(required=False)
    description = _description_field(required=False)
    events = _events_field(required=False)
    enabled = BooleanField(
        required=False, help_text=_("false: nothing is sent, and what waits to be sent has failed. true: sends again.")
    )


class ReplaySerializer(StrictSerializer):
    """Which failed messages to send again."""

    since = TimeField(help_text=_("Those written at this time or later."))


class DeliveriesQuerySerializer(PageQuerySerializer):
    """Which deliveries to list."""

    state = ChoiceField(DeliveryState.choices, required=False)
    event = ChoiceField([*EVENTS.items(), (PING, _("A test message."))], required=False)


# --- Out --------------------------------------------------------------------------------------------------------------


class WebhookSerializer(serializers.Serializer[WebhookEndpoint]):
    """An endpoint, without its secret."""

    id = id_field()
    url = serializers.CharField(help_text=_("Where messages are posted to."))
    description = serializers.CharField(allow_blank=True)
    events = serializers.ListField(child=serializers.CharField(), help_text=_("Empty: all."))
    enabled = serializers.SerializerMethodField()
    disabled_at = serializers.DateTimeField(allow_null=True)
    disabled_reason = ChoiceField(
        [*REASONS.items(), ("", "")], help_text=_("by_hand, gone (the receiver answered 410), failing (for five days)…")
    )
    failing_since = serializers.DateTimeField(
        allow_null=True, help_text=_("When the first of the calls failed since the last that went well.")
    )
    previous_secret_until = serializers.DateTimeField(
        allow_null=True, help_text=_("Until when the secret before the last rotation signs too.")
    )
    created_at = serializers.DateTimeField()

    @extend_schema_field({"type": "boolean"})
    def get_enabled(self, endpoint: WebhookEndpoint) -> bool:
        return endpoint.disabled_at is None


class WebhookSecretSerializer(WebhookSerializer):
    """An endpoint with its new secret, which is shown this once."""

    secret = serializers.CharField(help_text=_("whsec_ and the key in Base64: with it the receiver checks messages."))


class DeliverySerializer(serializers.Serializer[WebhookDelivery]):
    """One message to one endpoint."""

    id = id_field()
    url = serializers.SerializerMethodField()
    message = serializers.CharField(source="message_id", help_text=_("The header webhook-id, alike in every repeat."))
    event = serializers.CharField()
    state = ChoiceField(DeliveryState.choices)
    attempts = IntegerField(min_value=0, max_value=32767)
    next_attempt_at = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)

    @extend_schema_field({"type": "string"})
    def get_url(self, delivery: WebhookDelivery) -> str:
        ids = {"webhook_id": delivery.endpoint_id, "delivery_id": delivery.pk}
        return reverse("api:delivery", kwargs={"club": self.context["club"], **ids})


class AttemptSerializer(serializers.Serializer[WebhookAttempt]):
    """One call of the endpoint."""

    number = IntegerField(min_value=1, max_value=32767)
    at = serializers.DateTimeField()
    milliseconds = IntegerField(min_value=0, max_value=2**31 - 1)
    status = IntegerField(min_value=0, max_value=32767, allow_null=True, help_text=_("null: there was no answer."))
    error = ChoiceField([*ERRORS.items(), ("", "")], help_text=_("Why there was no answer; empty where there was one."))
    answer = serializers.CharField(allow_blank=True, help_text=_("The beginning of the answer's body."))


class DeliveryLogSerializer(DeliverySerializer):
    """A message with what it says and every attempt to deliver it."""

    payload = serializers.JSONField(help_text=_("The message: type, timestamp, data."))
    log = AttemptSerializer(many=True)


class ReplayedSerializer(serializers.Serializer[Any]):
    """What is being sent again."""

    replayed = IntegerField(min_value=0, max_value=2**31 - 1, help_text=_("How many messages."))
