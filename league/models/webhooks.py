"""Webhooks: what a club tells other programs, and what became of each message.

Terms: an *endpoint* is an address that a club wants called; a *delivery* is one message to one endpoint, written in
the transaction of what it tells; an *attempt* is one call. After the Standard Webhooks specification.
Promises: payloads hold ids, never names of people, so that erasing a person leaves them whole.
"""

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from league.models.clubs import User
from league.models.tenancy import ClubOwned
from league.models.tokens import ApiToken


class WebhookEndpoint(ClubOwned):
    """An address of another program. Its secret is kept in the clear: each message is signed with it."""

    url = models.CharField(_("address"), max_length=500)
    description = models.CharField(_("description"), max_length=100, blank=True)
    events = models.JSONField(_("events"), default=list, help_text=_("Kinds of events; empty: all."))
    secret = models.CharField(max_length=100, editable=False)
    # After a rotation both sign, so that the receiver may change over in its own time.
    previous_secret = models.CharField(max_length=100, blank=True, editable=False)
    previous_secret_until = models.DateTimeField(null=True, blank=True, editable=False)
    disabled_at = models.DateTimeField(_("disabled at"), null=True, blank=True)
    disabled_reason = models.CharField(_("why disabled"), max_length=40, blank=True)
    failing_since = models.DateTimeField(_("failing since"), null=True, blank=True)
    # After a call without an answer, or one that asked for it: until then nothing but a ping is sent.
    paused_until = models.DateTimeField(_("paused until"), null=True, blank=True, editable=False)
    created_by = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("created by")
    )
    created_by_token = models.ForeignKey(
        ApiToken, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("token")
    )
    created_at = models.DateTimeField(_("created at"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("webhook endpoint")
        verbose_name_plural = _("webhook endpoints")
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.url


class DeliveryState(models.TextChoices):
    PENDING = "pending", _("pending")
    DELIVERED = "delivered", _("delivered")
    FAILED = "failed", _("failed")


class WebhookDelivery(ClubOwned):
    """One message to one endpoint. The row is the truth; a worker claims it for a lease, by attempt number."""

    endpoint = models.ForeignKey(
        WebhookEndpoint, on_delete=models.CASCADE, related_name="deliveries", verbose_name=_("endpoint")
    )
    # The same for every repeat, so that a receiver can tell one from a new message.
    message_id = models.CharField(_("message"), max_length=40)
    event = models.CharField(_("event"), max_length=40)
    payload = models.JSONField(_("payload"))
    state = models.CharField(_("state"), max_length=9, choices=DeliveryState, default=DeliveryState.PENDING)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    # A replay begins the schedule anew, while the attempts are counted on: a number names one attempt for good.
    attempts_before_replay = models.PositiveSmallIntegerField(default=0, editable=False)
    next_attempt_at = models.DateTimeField(_("next attempt at"), null=True, blank=True)
    lease_until = models.DateTimeField(_("lease until"), null=True, blank=True)
    rung_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(_("created at"))
    finished_at = models.DateTimeField(_("finished at"), null=True, blank=True)

    class Meta:
        verbose_name = _("webhook delivery")
        verbose_name_plural = _("webhook deliveries")
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["next_attempt_at"], condition=models.Q(state="pending"), name="webhook_delivery_due"),
            models.Index(fields=["endpoint", "-id"], name="webhook_endpoint_newest"),
            models.Index(fields=["created_at"], name="webhook_delivery_age"),
        ]
        constraints = [
            models.CheckConstraint(condition=models.Q(state__in=DeliveryState.values), name="webhook_state_known"),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.message_id}"


class WebhookAttempt(ClubOwned):
    """One call of an endpoint: the answer's status, or why there was none."""

    delivery = models.ForeignKey(
        WebhookDelivery, on_delete=models.CASCADE, related_name="log", verbose_name=_("delivery")
    )
    number = models.PositiveSmallIntegerField(_("number"))
    at = models.DateTimeField(_("at"))
    milliseconds = models.PositiveIntegerField(_("milliseconds"))
    status = models.PositiveSmallIntegerField(_("status"), null=True, blank=True)
    error = models.CharField(_("error"), max_length=200, blank=True)
    answer = models.CharField(_("answer"), max_length=500, blank=True, help_text=_("The beginning of it."))

    class Meta:
        verbose_name = _("webhook attempt")
        verbose_name_plural = _("webhook attempts")
        ordering = ["number"]

    def __str__(self) -> str:
        return f"{self.number}: {self.status or self.error}"
