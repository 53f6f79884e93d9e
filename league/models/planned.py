"""Planned evenings: when a club meets next, and who comes.

Terms: a *planned evening* is a date on which a club means to play; a player *signs up* for it, and where its places
are taken waits on the *waiting list* in the order of signing up. It holds no results: those are sessions.
"""

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.models.clubs import User
from league.models.players import Player
from league.models.seasons import Season
from league.models.tenancy import ClubOwned


class PlannedEvening(ClubOwned):
    """An evening that is to be."""

    season = models.ForeignKey(
        Season, on_delete=models.SET_NULL, null=True, blank=True, related_name="evenings", verbose_name=_("season")
    )
    starts_at = models.DateTimeField(_("starts at"))
    location = models.CharField(_("location"), max_length=100, blank=True)
    note = models.CharField(pgettext_lazy("of a planned evening", "note"), max_length=500, blank=True)
    capacity = models.PositiveSmallIntegerField(
        _("places"), null=True, blank=True, help_text=_("How many can come; empty: all who want to.")
    )
    cancelled_at = models.DateTimeField(_("cancelled at"), null=True, blank=True)
    # Counts the changes, for calendars (RFC 5545, SEQUENCE).
    revision = models.PositiveIntegerField(default=0, editable=False)
    created_by = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("created by")
    )
    created_at = models.DateTimeField(_("created at"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("planned evening")
        verbose_name_plural = _("planned evenings")
        ordering = ["starts_at", "id"]
        indexes = [models.Index(fields=["club", "starts_at"], name="evening_club_next")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(capacity=None) | models.Q(capacity__gte=1), name="evening_has_room"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.starts_at:%Y-%m-%d}"


class SignUpState(models.TextChoices):
    COMING = "coming", _("comes")
    WAITING = "waiting", _("on the waiting list")
    DECLINED = "declined", _("does not come")


class SignUp(ClubOwned):
    """A player's word on a planned evening."""

    evening = models.ForeignKey(
        PlannedEvening, on_delete=models.CASCADE, related_name="sign_ups", verbose_name=_("planned evening")
    )
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+", verbose_name=_("player"))
    state = models.CharField(_("state"), max_length=8, choices=SignUpState)
    # When the player came into this state's queue: the waiting list is in this order.
    since = models.DateTimeField(_("since"))

    class Meta:
        verbose_name = _("sign-up")
        verbose_name_plural = _("sign-ups")
        ordering = ["since", "id"]
        constraints = [
            models.UniqueConstraint(fields=["evening", "player"], name="sign_up_once_an_evening"),
            models.CheckConstraint(condition=models.Q(state__in=SignUpState.values), name="sign_up_state_known"),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.get_state_display()}"
