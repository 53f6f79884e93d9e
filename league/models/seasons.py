"""Leagues and seasons, with the rules that a season declares.

Terms: a *league* is a club's lasting competition; a *season* is one dated run of it with its own rules and standings.
"""

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from league.models.tenancy import ClubOwned
from league.scoring.sessions import EveningRules
from league.scoring.standings import RankingRules


class League(ClubOwned):
    """A club's lasting competition."""

    name = models.CharField(_("name"), max_length=100)
    slug = models.SlugField(_("short name"), max_length=50)
    created_at = models.DateTimeField(_("created at"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("league")
        verbose_name_plural = _("leagues")
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["club", "slug"], name="league_slug_once_a_club")]

    def __str__(self) -> str:
        return self.name


class SeasonStatus(models.TextChoices):
    OPEN = "open", _("open")
    CLOSED = "closed", _("closed")


class RankingMetric(models.TextChoices):
    PLACE_AVERAGE = "place_average", _("place average (lowest is best)")
    WINS = "wins", _("wins (most is best)")


class IncompleteRule(models.TextChoices):
    COUNT = "count", _("counts as it stands")
    SKIP = "skip", _("does not count")


class MissingRoundRule(models.TextChoices):
    LAST = "last", _("counts as the place behind all who played it")
    EXCLUDE = "exclude", _("leaves the player without a place")


class SubstitutionRule(models.TextChoices):
    SEPARATE = "separate", _("each has the rounds played in person")
    SEAT = "seat", _("all rounds of the seat belong to the one who first sat in it")


class Season(ClubOwned):
    """A dated run of a league with its rules."""

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="seasons", verbose_name=_("league"))
    name = models.CharField(_("name"), max_length=100)
    slug = models.SlugField(_("short name"), max_length=50)
    starts_on = models.DateField(_("starts on"))
    ends_on = models.DateField(_("ends on"), null=True, blank=True)
    status = models.CharField(_("status"), max_length=6, choices=SeasonStatus, default=SeasonStatus.OPEN)
    is_public = models.BooleanField(_("public"), default=True, help_text=_("Anyone may read the leaderboard."))
    ranking_metric = models.CharField(
        _("ranked by"), max_length=15, choices=RankingMetric, default=RankingMetric.PLACE_AVERAGE
    )
    minimum_sessions = models.PositiveSmallIntegerField(
        _("minimum of sessions"),
        default=1,
        help_text=_("Players with fewer sessions are listed without a rank."),
    )
    incomplete_sessions = models.CharField(
        _("a session ended early"), max_length=5, choices=IncompleteRule, default=IncompleteRule.COUNT
    )
    minimum_rounds = models.PositiveSmallIntegerField(
        _("minimum of rounds"), default=1, help_text=_("A session ended earlier than this does not count.")
    )
    missing_round = models.CharField(
        _("a missed round"), max_length=7, choices=MissingRoundRule, default=MissingRoundRule.LAST
    )
    substitution = models.CharField(
        _("with substitutes"), max_length=8, choices=SubstitutionRule, default=SubstitutionRule.SEPARATE
    )
    needs_confirmation = models.BooleanField(
        _("results are confirmed by a second player"),
        default=False,
        help_text=_("A session counts once a second participant or a scorekeeper has confirmed it."),
    )
    created_at = models.DateTimeField(_("created at"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("season")
        verbose_name_plural = _("seasons")
        ordering = ["-starts_on", "name"]
        constraints = [
            models.UniqueConstraint(fields=["league", "slug"], name="season_slug_once_a_league"),
            models.CheckConstraint(
                condition=models.Q(ends_on=None) | models.Q(ends_on__gte=models.F("starts_on")),
                name="season_ends_after_start",
            ),
            models.CheckConstraint(condition=models.Q(status__in=SeasonStatus.values), name="season_status_known"),
            models.CheckConstraint(
                condition=models.Q(ranking_metric__in=RankingMetric.values), name="season_metric_known"
            ),
            models.CheckConstraint(
                condition=models.Q(
                    incomplete_sessions__in=IncompleteRule.values,
                    missing_round__in=MissingRoundRule.values,
                    substitution__in=SubstitutionRule.values,
                ),
                name="season_session_rules_known",
            ),
            models.CheckConstraint(
                condition=models.Q(minimum_sessions__gte=1, minimum_rounds__gte=1),
                name="season_minimums_from_one",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.league.name} {self.name}"

    @property
    def evening_rules(self) -> EveningRules:
        """The rules by which this season counts odd sessions."""
        return EveningRules(
            incomplete=self.incomplete_sessions,  # type: ignore[arg-type]  # held to the choices by a constraint
            minimum_rounds=self.minimum_rounds,
            missing_round=self.missing_round,  # type: ignore[arg-type]
            substitution=self.substitution,  # type: ignore[arg-type]
        )

    @property
    def ranking_rules(self) -> RankingRules:
        """The rules by which this season ranks its players."""
        return RankingRules(
            metric=self.ranking_metric,  # type: ignore[arg-type]  # held to the choices by a constraint
            minimum_sessions=self.minimum_sessions,
        )
