"""Imports: a file of another program, what is to become of it, and what did.

Terms: a *batch* is one file with its preview, the decisions on its players and games, and its outcome; a *mark* says
that a play of that file's program is stored as a session, so that importing it again stores nothing twice.
"""

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from league.models.clubs import User
from league.models.jobs import Job
from league.models.seasons import Season
from league.models.sessions import Session
from league.models.tenancy import ClubOwned
from league.models.tokens import ApiToken


class ImportSource(models.TextChoices):
    BG_STATS = "bg_stats", _("BG Stats")
    BGG = "bgg", _("BoardGameGeek")
    CSV = "csv", _("CSV")
    ARCHIVE = "archive", _("archive of this product")


class ImportState(models.TextChoices):
    PREVIEW = "preview", _("preview")
    APPLYING = "applying", _("being imported")
    APPLIED = "applied", _("imported")
    REVERTING = "reverting", _("being taken back")
    REVERTED = "reverted", _("taken back")


class ImportBatch(ClubOwned):
    """One uploaded file and what became of it. The file is dropped when the batch is over."""

    source = models.CharField(_("source"), max_length=8, choices=ImportSource)
    file_name = models.CharField(_("file name"), max_length=200)
    file_sha256 = models.CharField(max_length=64, editable=False)
    content = models.BinaryField(_("file"), null=True, editable=False)
    season = models.ForeignKey(
        Season, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("season")
    )
    state = models.CharField(_("state"), max_length=9, choices=ImportState, default=ImportState.PREVIEW)
    decisions = models.JSONField(_("decisions"), default=dict, help_text=_("Whom and what the file's names mean."))
    outcome = models.JSONField(_("outcome"), default=dict, help_text=_("Numbers of what was stored, and problems."))
    created_players = models.JSONField(_("players made"), default=list)
    created_games = models.JSONField(_("games made"), default=list)
    job = models.ForeignKey(
        Job, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("job")
    )
    user = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("user")
    )
    token = models.ForeignKey(
        ApiToken, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("token")
    )
    created_at = models.DateTimeField(_("created at"), db_default=Now(), editable=False)
    finished_at = models.DateTimeField(_("finished at"), null=True, blank=True)

    class Meta:
        verbose_name = _("import")
        verbose_name_plural = _("imports")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=models.Q(source__in=ImportSource.values), name="import_source_known"),
            models.CheckConstraint(condition=models.Q(state__in=ImportState.values), name="import_state_known"),
        ]

    def __str__(self) -> str:
        return self.file_name


class ImportMark(ClubOwned):
    """A play of another program that is stored here."""

    batch = models.ForeignKey(ImportBatch, on_delete=models.CASCADE, related_name="marks", verbose_name=_("import"))
    source = models.CharField(_("source"), max_length=8, choices=ImportSource)
    # What the source calls the play: its uuid in lower case, its number, or a digest of the row.
    external_id = models.CharField(_("id at the source"), max_length=100)
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="+", verbose_name=_("session"))

    class Meta:
        verbose_name = _("imported play")
        verbose_name_plural = _("imported plays")
        constraints = [
            models.UniqueConstraint(fields=["club", "source", "external_id"], name="import_play_once_a_club"),
        ]

    def __str__(self) -> str:
        return f"{self.source} {self.external_id}"
