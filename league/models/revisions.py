"""The history of a session: what it said after each change, who made it and why.

Terms: a *revision* is the whole session as it was after one change; its number is the session's `revision` of then.
Promises: rows are added and never changed or removed; they hold ids of players, never names, so that erasing a person
leaves the history whole.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.clubs import User
from league.models.sessions import Session
from league.models.tenancy import ClubOwned
from league.models.tokens import ApiToken


class RevisionKind(models.TextChoices):
    RECORDED = "recorded", _("recorded")
    ROUND_RECORDED = "round_recorded", _("round recorded")
    SEATS_CHANGED = "seats_changed", _("seats changed")
    ENDED = "ended", _("ended early")
    CORRECTED = "corrected", _("corrected")
    VOIDED = "voided", _("voided")
    RESTORED = "restored", _("restored")
    CONFIRMED = "confirmed", _("confirmed")
    DISPUTED = "disputed", _("disputed")


class SessionRevision(ClubOwned):
    """A session as it was after one change."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="revisions", verbose_name=_("session"))
    number = models.PositiveIntegerField(_("number"), help_text=_("From 1."))
    kind = models.CharField(_("kind"), max_length=14, choices=RevisionKind)
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    at = models.DateTimeField(_("at"))
    user = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("user")
    )
    token = models.ForeignKey(
        ApiToken, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("token")
    )
    data = models.JSONField(_("data"), help_text=_("The session in whole: seats, rounds, scores, status."))

    class Meta:
        verbose_name = _("revision of a session")
        verbose_name_plural = _("revisions of sessions")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["session", "number"], name="revision_number_once_a_session"),
            models.CheckConstraint(condition=models.Q(kind__in=RevisionKind.values), name="revision_kind_known"),
        ]

    def __str__(self) -> str:
        return f"{self.session}: {self.number}"
