"""Jobs: work that goes on after the answer. The row is the truth, Celery only the doorbell.

Terms: a worker *claims* a job by a conditional update that counts up `attempt` and sets a *lease*; whoever holds the
newest attempt may write, an older one finds its row changed and stops (fencing). See `league/services/jobs.py`.
"""

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from games.core import SEED_LIMIT
from league.models.clubs import User
from league.models.players import Player
from league.models.seasons import Season
from league.models.sessions import Session
from league.models.tenancy import ClubOwned
from league.models.tokens import ApiToken


class JobState(models.TextChoices):
    QUEUED = "queued", _("queued")
    RUNNING = "running", _("running")
    DONE = "done", _("done")
    FAILED = "failed", _("failed")


class JobKind(models.TextChoices):
    BOT_MATCH = "bot_match", _("bot match")
    IMPORT = "import", _("import")
    IMPORT_UNDO = "import_undo", _("taking back an import")
    PAIRING = "pairing", _("pairing of a tournament round")


class Job(ClubOwned):
    """One piece of work with its state, progress and lease."""

    kind = models.CharField(_("kind"), max_length=20, choices=JobKind)
    state = models.CharField(_("state"), max_length=7, choices=JobState, default=JobState.QUEUED)
    done = models.PositiveIntegerField(_("done"), default=0)
    total = models.PositiveIntegerField(_("total"), default=1)
    attempt = models.PositiveSmallIntegerField(_("attempt"), default=0)
    lease_until = models.DateTimeField(_("lease until"), null=True, blank=True)
    rung_at = models.DateTimeField(_("rung at"), null=True, blank=True, help_text=_("When a worker was last called."))
    error = models.TextField(_("error"), blank=True)
    user = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("user")
    )
    token = models.ForeignKey(
        ApiToken, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("token")
    )
    created_at = models.DateTimeField(_("created at"), db_default=Now(), editable=False)
    started_at = models.DateTimeField(_("started at"), null=True, blank=True)
    finished_at = models.DateTimeField(_("finished at"), null=True, blank=True)

    class Meta:
        verbose_name = _("job")
        verbose_name_plural = _("jobs")
        ordering = ["-id"]
        indexes = [
            # What the sweep looks through: the few jobs that are not over.
            models.Index(
                fields=["state", "lease_until"],
                condition=models.Q(state__in=["queued", "running"]),
                name="job_going_on",
            ),
        ]
        constraints = [
            models.CheckConstraint(condition=models.Q(kind__in=JobKind.values), name="job_kind_known"),
            models.CheckConstraint(condition=models.Q(state__in=JobState.values), name="job_state_known"),
            models.CheckConstraint(condition=models.Q(done__lte=models.F("total")), name="job_done_at_most_total"),
            models.CheckConstraint(
                condition=~models.Q(state="running") | models.Q(lease_until__isnull=False),
                name="job_runs_on_a_lease",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.pk}"


class BotMatch(ClubOwned):
    """A match of bots: what to play, and once played its records and the session that holds the result."""

    job = models.OneToOneField(Job, on_delete=models.CASCADE, related_name="bot_match", verbose_name=_("job"))
    season = models.ForeignKey(
        Season, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("season")
    )
    game = models.CharField(_("game"), max_length=30, help_text=_("Key in the catalogue of games."))
    seed = models.BigIntegerField(_("seed"))
    deals = models.PositiveSmallIntegerField(_("deals"), default=1)
    played_on = models.DateField(_("played on"))
    records = models.JSONField(_("records"), default=list, blank=True)
    session = models.OneToOneField(
        Session,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="bot_match",
        verbose_name=_("session"),
    )

    class Meta:
        verbose_name = _("bot match")
        verbose_name_plural = _("bot matches")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=models.Q(deals__gte=1, deals__lte=100), name="bot_match_1_to_100_deals"),
            # What every JSON reader keeps exact.
            models.CheckConstraint(
                condition=models.Q(seed__gte=0, seed__lt=SEED_LIMIT), name="bot_match_seed_in_range"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.seed}"


class BotMatchSeat(ClubOwned):
    """A bot's seat in a bot match."""

    bot_match = models.ForeignKey(BotMatch, on_delete=models.CASCADE, related_name="seats", verbose_name=_("bot match"))
    number = models.PositiveSmallIntegerField(_("seat"), help_text=_("Clockwise from 0."))
    player = models.ForeignKey(Player, on_delete=models.RESTRICT, related_name="+", verbose_name=_("player"))

    class Meta:
        verbose_name = _("bot match seat")
        verbose_name_plural = _("bot match seats")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["bot_match", "number"], name="bot_match_seat_once"),
            models.UniqueConstraint(fields=["bot_match", "player"], name="bot_match_player_once"),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.player}"
