"""Idempotency keys: what was answered to which request, kept so that a repeat gets the same answer.

Promises: the row is written in the transaction of the request's effect, so neither stands without the other.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _


class IdempotencyRecord(models.Model):
    """The first answer to a request with an `Idempotency-Key`."""

    # `user:ID` or `token:ID`: keys of different actors never meet.
    actor = models.CharField(_("actor"), max_length=40)
    key = models.CharField(_("key"), max_length=255)
    # SHA-256 of method, path and body: tells a repeat from another request under the same key.
    fingerprint = models.CharField(_("fingerprint"), max_length=64)
    status = models.PositiveSmallIntegerField(_("status"), null=True)
    body = models.TextField(_("body"), blank=True)
    location = models.CharField(_("location"), max_length=500, blank=True)
    created_at = models.DateTimeField(_("created at"), db_index=True)

    class Meta:
        verbose_name = _("idempotency record")
        verbose_name_plural = _("idempotency records")
        constraints = [models.UniqueConstraint(fields=["actor", "key"], name="idempotency_key_once_an_actor")]

    def __str__(self) -> str:
        return f"{self.actor} {self.key}"
