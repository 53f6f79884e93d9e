"""Ways into a club and an account: invitations, and the count of failed logins.

Promises: an invitation's code is stored as its SHA-256 only (256 random bits, so that a slow hash adds nothing), works
once and for a limited time.
"""

from datetime import datetime

from django.db import models
from django.db.models import Case, OuterRef, Q, Subquery, Value, When
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from league.models.clubs import Member, Role, User
from league.models.players import Player
from league.models.tenancy import ClubOwned


class InviteState(models.TextChoices):
    """What became of an invitation."""

    OPEN = "open", _("open")
    USED = "used", _("used")
    REVOKED = "revoked", _("revoked")
    EXPIRED = "expired", _("expired")
    # Whoever made it may no longer invite anybody.
    VOID = "void", _("void")


class InviteQuerySet(models.QuerySet["Invite"]):
    def with_state(self, *, now: datetime) -> "InviteQuerySet":
        """Annotate `state`, and `inviter_role`, which is None once the inviter has left the club."""
        inviters = Member.objects.filter(club=OuterRef("club"), user=OuterRef("created_by"), user__is_active=True)
        state = Case(
            When(used_at__isnull=False, then=Value(InviteState.USED)),
            When(revoked_at__isnull=False, then=Value(InviteState.REVOKED)),
            When(expires_at__lte=now, then=Value(InviteState.EXPIRED)),
            When(Q(inviter_role__in=[Role.ADMIN, Role.OWNER]), then=Value(InviteState.OPEN)),
            default=Value(InviteState.VOID),
            output_field=models.CharField(),
        )
        return self.annotate(inviter_role=Subquery(inviters.values("role")[:1])).annotate(state=state)


class Invite(ClubOwned):
    """An invitation to become a member of a club in a role."""

    role = models.CharField(_("role"), max_length=12, choices=Role, default=Role.MEMBER)
    code_sha256 = models.CharField(max_length=64, unique=True, editable=False)
    note = models.CharField(_("for whom"), max_length=100, blank=True)
    player = models.ForeignKey(
        Player,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("player"),
        help_text=_("Whom the new member is linked to."),
    )
    created_by = models.ForeignKey(
        User, on_delete=models.CASCADE, null=True, blank=True, related_name="+", verbose_name=_("created by")
    )
    created_at = models.DateTimeField(_("created at"), db_default=Now(), editable=False)
    expires_at = models.DateTimeField(_("expires at"))
    used_at = models.DateTimeField(_("used at"), null=True, blank=True)
    used_by = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("used by")
    )
    revoked_at = models.DateTimeField(_("revoked at"), null=True, blank=True)

    objects = InviteQuerySet.as_manager()

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        ordering = ["-id"]
        constraints = [models.CheckConstraint(condition=models.Q(role__in=Role.values), name="invite_role_known")]

    def __str__(self) -> str:
        return f"{self.get_role_display()} {self.note}"


class LoginThrottle(models.Model):
    """Failed logins of late, by user name or by address; one row each."""

    # SHA-256 of what is counted: a mistyped user name may be a password.
    key = models.CharField(_("key"), max_length=64, unique=True)
    failures = models.PositiveIntegerField(_("failures"), default=0)
    last_at = models.DateTimeField(_("last failure"), db_index=True)
    blocked_until = models.DateTimeField(_("blocked until"), null=True, blank=True)

    class Meta:
        verbose_name = _("login throttle")
        verbose_name_plural = _("login throttles")

    def __str__(self) -> str:
        return f"{self.key[:8]}: {self.failures}"
