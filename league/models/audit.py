"""The audit trail: what was changed, by whom, when.

Promises: one row a change, in the change's own transaction; holds ids and figures, never names, so that erasing a
person leaves the trail whole.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.clubs import User
from league.models.tenancy import ClubOwned
from league.models.tokens import ApiToken


class AuditEvent(ClubOwned):
    """One change of the store."""

    at = models.DateTimeField(_("at"))
    user = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("user")
    )
    token = models.ForeignKey(
        ApiToken, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("token")
    )
    action = models.CharField(_("action"), max_length=40, help_text=_("Topic and verb, as in session.recorded."))
    object_id = models.BigIntegerField(_("object"))
    data = models.JSONField(_("data"), default=dict, blank=True)

    class Meta:
        verbose_name = _("audit event")
        verbose_name_plural = _("audit events")
        ordering = ["-id"]
        indexes = [models.Index(fields=["club", "-id"], name="audit_club_newest")]

    def __str__(self) -> str:
        return f"{self.action} {self.object_id}"
