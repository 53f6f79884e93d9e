"""API tokens: how a program shows who it is.

Terms: a token reads `tl_PREFIX_SECRET`; the *prefix* is public and finds the row, the *secret* is 256 random bits of
which only the SHA-256 is stored. (A slow password hash protects guessable secrets; this one can't be guessed.)
"""

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from league.models.clubs import User
from league.models.sessions import Session
from league.models.tenancy import ClubOwned


class Scope(models.TextChoices):
    """What a token may do in its club, each scope including those before it."""

    READ = "read", _("read")
    RESULTS_WRITE = "results:write", _("write results")
    CLUB_ADMIN = "club:admin", _("administer the club")
    # Beside that order: one session and nothing else.
    TABLE = "table", _("enter results of one session")


class ApiToken(ClubOwned):
    """A program's access to one club."""

    name = models.CharField(_("name"), max_length=60)
    prefix = models.CharField(_("prefix"), max_length=12, unique=True)
    secret_sha256 = models.CharField(max_length=64, editable=False)
    scope = models.CharField(_("scope"), max_length=13, choices=Scope, default=Scope.READ)
    created_by = models.ForeignKey(
        User, on_delete=models.CASCADE, null=True, blank=True, related_name="+", verbose_name=_("created by")
    )
    parent = models.ForeignKey(
        "self",
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="children",
        verbose_name=_("parent"),
        help_text=_("The token that made this one, which ends with it."),
    )
    session = models.ForeignKey(
        Session,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="table_links",
        verbose_name=_("session"),
        help_text=_("The one session that a table link opens."),
    )
    rate_limit = models.PositiveIntegerField(
        _("requests a minute"), null=True, blank=True, help_text=_("Empty: the installation's limit.")
    )
    created_at = models.DateTimeField(_("created at"), db_default=Now(), editable=False)
    expires_at = models.DateTimeField(_("expires at"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("revoked at"), null=True, blank=True)
    last_used_at = models.DateTimeField(_("last used at"), null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("API token")
        verbose_name_plural = _("API tokens")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=models.Q(scope__in=Scope.values), name="token_scope_known"),
            models.CheckConstraint(
                condition=models.Q(scope=Scope.TABLE, session__isnull=False, expires_at__isnull=False)
                | (~models.Q(scope=Scope.TABLE) & models.Q(session=None)),
                name="token_table_link_has_session_and_end",
            ),
            models.CheckConstraint(
                condition=models.Q(rate_limit=None) | models.Q(rate_limit__gte=1), name="token_rate_limit_from_one"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} (tl_{self.prefix}_…)"
