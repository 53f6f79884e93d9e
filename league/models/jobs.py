"""Jobs: work that goes on after the answer. The row is the truth, Celery only the doorbell.

Terms: a worker *claims* a job by a conditional update that counts up `attempt` and sets a *lease*; whoever holds the
newest attempt may write, an older one finds its row changed and stops (fencing). A job with *parts* is carried out by
them alone: nobody claims it, and it ends with them. See `league/services/jobs.py`.
"""

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.core import SEED_LIMIT
from league.models.clubs import User
from league.models.players import Player
from league.models.seasons import Season
from league.models.sessions import Session, SessionFormat
from league.models.tenancy import ClubOwned
from league.models.tokens import ApiToken


class JobState(models.TextChoices):
    QUEUED = "queued", _("queued")
    RUNNING = "running", _("running")
    DONE = "done", _("done")
    FAILED = "failed", _("failed")
    CANCELLED = "cancelled", _("cancelled")


OVER = frozenset({JobState.DONE, JobState.FAILED, JobState.CANCELLED})


class JobKind(models.TextChoices):
    BOT_MATCH = "bot_match", _("bot match")
    BOT_CHUNK = "bot_chunk", _("part of a bot match")
    PAR = "par", _("par of a cooperative game")
    IMPORT = "import", _("import")
    IMPORT_UNDO = "import_undo", _("taking back an import")
    PAIRING = "pairing", _("pairing of a tournament round")
    TOURNAMENT_FILE = "tournament_file", _("report file of a tournament")


class Job(ClubOwned):
    """One piece of work with its state, progress and lease."""

    kind = models.CharField(_("kind"), max_length=20, choices=JobKind)
    parent = models.ForeignKey(
        "self",
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="parts",
        verbose_name=_("part of"),
        help_text=_("The job that ends with its parts; empty for a job of its own."),
    )
    state = models.CharField(_("state"), max_length=9, choices=JobState, default=JobState.QUEUED)
    done = models.PositiveIntegerField(_("done"), default=0)
    total = models.PositiveIntegerField(_("total"), default=1)
    attempt = models.PositiveSmallIntegerField(_("attempt"), default=0)
    lease_until = models.DateTimeField(_("lease until"), null=True, blank=True)
    rung_at = models.DateTimeField(_("rung at"), null=True, blank=True, help_text=_("When a worker was last called."))
    # Ids and figures alone, no names, and what no row of a topic's own says: of a bot match its own row tells all.
    # The defaults of the database are for the version before this one, which stores jobs while tables are altered.
    arguments = models.JSONField(
        _("arguments"), default=dict, db_default={}, blank=True, help_text=_("What it is to do.")
    )
    outcome = models.JSONField(_("outcome"), default=dict, db_default={}, blank=True, help_text=_("What came of it."))
    error = models.TextField(_("error"), blank=True)
    trace = models.TextField(
        _("trace"), blank=True, help_text=_("Where the last fault of the server was: for operators.")
    )
    # The worker has no reader: what it writes down for people is in the language of whoever asked.
    language = models.CharField(_("language"), max_length=10, blank=True, help_text=_("Of whoever asked for it."))
    deadline_at = models.DateTimeField(
        _("deadline"), null=True, blank=True, help_text=_("What is not done by then has failed; empty: no limit.")
    )
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
                # A bot match runs as long as its parts do, whose leases count.
                condition=~models.Q(state="running") | models.Q(lease_until__isnull=False) | models.Q(kind="bot_match"),
                name="job_runs_on_a_lease",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.pk}"


class BotMatch(ClubOwned):
    """A match of bots: what to play, and once played the session that holds the result; its deals are in chunks."""

    MAXIMUM_DEALS = 100_000

    job = models.OneToOneField(Job, on_delete=models.CASCADE, related_name="bot_match", verbose_name=_("job"))
    season = models.ForeignKey(
        Season, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("season")
    )
    format = models.CharField(_("format"), max_length=14, choices=SessionFormat, default=SessionFormat.SINGLE_GAME)
    game = models.CharField(
        _("game"), max_length=30, blank=True, help_text=_("Key in the catalogue of games; empty for Pure XXL.")
    )
    options = models.JSONField(_("options"), default=dict, blank=True, help_text=_("What was agreed on for all deals."))
    seed = models.BigIntegerField(_("seed"))
    deals = models.PositiveIntegerField(_("deals"), default=1)
    played_on = models.DateField(_("played on"))
    engine = models.CharField(
        _("engine"), max_length=64, blank=True, help_text=_("Which state of games and bots it was asked of.")
    )
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
            models.CheckConstraint(
                condition=models.Q(deals__gte=1, deals__lte=100_000), name="bot_match_1_to_100000_deals"
            ),
            # What every JSON reader keeps exact.
            models.CheckConstraint(
                condition=models.Q(seed__gte=0, seed__lt=SEED_LIMIT), name="bot_match_seed_in_range"
            ),
            models.CheckConstraint(condition=models.Q(format__in=SessionFormat.values), name="bot_match_format_known"),
            models.CheckConstraint(
                condition=(models.Q(format="pure_xxl") & models.Q(game=""))
                | (~models.Q(format="pure_xxl") & ~models.Q(game="")),
                name="bot_match_game_unless_pure_xxl",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game or self.get_format_display()} {self.seed}"


class BotMatchChunk(ClubOwned):
    """Deals of a bot match that one worker plays in one go, and what came of them."""

    bot_match = models.ForeignKey(
        BotMatch, on_delete=models.CASCADE, related_name="chunks", verbose_name=_("bot match")
    )
    # Empty once it is over.
    job = models.OneToOneField(
        Job, on_delete=models.SET_NULL, null=True, blank=True, related_name="chunk", verbose_name=_("job")
    )
    first_deal = models.PositiveIntegerField(_("first deal"), help_text=_("Counted from 0."))
    deals = models.PositiveIntegerField(_("deals"))
    tally = models.JSONField(
        _("tally"),
        null=True,
        blank=True,
        help_text=_("The sums of its deals by seat (games/series.py); empty: not played."),
    )
    # Packed by games/series.py.
    records = models.BinaryField(_("records"), null=True, blank=True)

    class Meta:
        verbose_name = _("chunk of a bot match")
        verbose_name_plural = _("chunks of bot matches")
        ordering = ["first_deal"]
        constraints = [
            models.UniqueConstraint(fields=["bot_match", "first_deal"], name="bot_match_chunk_once"),
            models.CheckConstraint(condition=models.Q(deals__gte=1), name="bot_match_chunk_has_a_deal"),
        ]

    def __str__(self) -> str:
        return f"{self.first_deal} + {self.deals}"


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


class ParTally(models.Model):
    """How a bot did in a cooperative game that everybody can be measured by: results counted over deals.

    It belongs to no club: what a bot reaches follows from the rules alone. `games/par.py` says which deals they are.
    """

    game = models.CharField(_("game"), max_length=30, help_text=_("Key in the catalogue of games."))
    seats = models.PositiveSmallIntegerField(_("seats"))
    options = models.CharField(_("options"), max_length=200, help_text=_("As JSON, keys in order."))
    bot = models.CharField(_("bot"), max_length=30)
    version = models.CharField(_("version"), max_length=64, help_text=_("Which state of game and bot played."))
    games = models.PositiveIntegerField(_("games"), default=0)
    counts = models.JSONField(
        pgettext_lazy("of results", "counts"), default=dict, help_text=_("How many games ended with each result.")
    )

    class Meta:
        verbose_name = _("par of a cooperative game")
        verbose_name_plural = _("par of cooperative games")
        ordering = ["game", "seats", "options"]
        constraints = [
            models.UniqueConstraint(fields=["game", "seats", "options", "bot", "version"], name="par_tally_once"),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.seats} {self.options}"
