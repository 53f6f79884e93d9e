"""Figures that follow from the sessions and are computed after the answer: which are due, and what pages read.

Terms: a *changed session* says that a session was recorded, changed, voided or restored, so that the ratings and
statistics that it entered or enters are to be computed anew; *statistics* are what the page of a player or of a game
shows, computed beforehand. Promises: a changed session is written in the transaction of the change and deleted in that
of the new figures, so that none is lost.
"""

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from league.models.players import Player
from league.models.sessions import Session
from league.models.tenancy import ClubOwned


class ChangedSession(ClubOwned):
    """A change of a session that figures have yet to follow."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="+", verbose_name=_("session"))
    # The earlier of the days that the session had before and has now.
    from_day = models.DateField(_("from day"))
    # Ids of the players who sat in it before, after or both.
    players = models.JSONField(_("players"), default=list)
    at = models.DateTimeField(_("at"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("changed session")
        verbose_name_plural = _("changed sessions")
        indexes = [models.Index(fields=["club", "id"], name="changed_session_of_a_club")]

    def __str__(self) -> str:
        return f"{self.session_id}"


class StatisticsSubject(models.TextChoices):
    PLAYER = "player", _("player")
    GAME = "game", _("game")
    CLUB = "club", _("club")


class Statistics(ClubOwned):
    """What the page of a player, of a game, or the hall of fame of a club shows."""

    subject = models.CharField(_("subject"), max_length=6, choices=StatisticsSubject)
    player = models.ForeignKey(
        Player, on_delete=models.CASCADE, null=True, blank=True, related_name="+", verbose_name=_("player")
    )
    game = models.CharField(_("game"), max_length=30, blank=True)
    data = models.JSONField(_("figures"))
    computed_at = models.DateTimeField(_("computed at"))

    class Meta:
        verbose_name = _("statistics")
        verbose_name_plural = _("statistics")
        constraints = [
            models.UniqueConstraint(
                fields=["player"], condition=models.Q(subject="player"), name="statistics_once_a_player"
            ),
            models.UniqueConstraint(
                fields=["club", "game"], condition=models.Q(subject="game"), name="statistics_once_a_game"
            ),
            models.UniqueConstraint(fields=["club"], condition=models.Q(subject="club"), name="statistics_once_a_club"),
            models.CheckConstraint(
                condition=models.Q(subject="player", player__isnull=False, game="")
                | (models.Q(subject="game", player=None) & ~models.Q(game=""))
                | models.Q(subject="club", player=None, game=""),
                name="statistics_of_one_subject",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.subject} {self.player or self.game}"
