"""Leagues and seasons, with the rules that a season declares.

Terms: a *league* is a club's lasting competition; a *season* is one dated run of it with its own rules and standings;
a *division* is a part of a season with a table of its own. Promises: each change of a season's rules leaves a version
of them.
"""

import secrets

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from league.models.clubs import User, new_board_state
from league.models.tenancy import ClubOwned
from league.scoring.sessions import EveningRules
from league.scoring.standings import POINTS_BY_PLACE, RankingRules


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


class Visibility(models.TextChoices):
    PUBLIC = "public", _("anyone")
    LINK = "link", _("whoever has the link")
    MEMBERS = "members", _("members")


class RankingMetric(models.TextChoices):
    PLACE_AVERAGE = "place_average", _("place average")
    PLACE_SUM = "place_sum", _("place sum")
    POINTS = "points", _("points for places")
    GAME_POINTS = "game_points", _("points in the games")
    WINS = "wins", _("wins")


class Best(models.TextChoices):
    LOW = "low", _("the lowest")
    HIGH = "high", _("the highest")


class TableWeight(models.TextChoices):
    NONE = "none", _("counts alike at every table")
    RELATIVE = "relative", _("(place - 1) / (players - 1)")
    MIDPOINT = "midpoint", _("(place - ½) / players")
    OPPONENTS = "opponents", _("times the number of opponents")


class AbsenceRule(models.TextChoices):
    NONE = "none", _("counts as nothing")
    AVERAGE = "average", _("counts as the player's own average")
    LAST = "last", _("counts as one place behind the last at a largest table")


class TieBreakCode(models.TextChoices):
    DIRECT = "direct", _("direct comparison")
    COUNTBACK = "countback", _("most first places, then most second places, and so on")
    LAST_EVENING = "last_evening", _("best place on the last evening")
    FEWER_SESSIONS = "fewer_sessions", _("fewer sessions")
    OPPONENTS = "opponents", _("strength of the opponents")


class IncompleteRule(models.TextChoices):
    COUNT = "count", _("counts as it stands")
    SKIP = "skip", _("does not count")


class MissingRoundRule(models.TextChoices):
    LAST = "last", _("counts as the place behind all who played it")
    EXCLUDE = "exclude", _("leaves the player without a place")


class SubstitutionRule(models.TextChoices):
    SEPARATE = "separate", _("each has the rounds played in person")
    SEAT = "seat", _("all rounds of the seat belong to the one who first sat in it")


def new_board_key() -> str:
    """The secret of a board's link: 128 bits."""
    return secrets.token_urlsafe(16)


def points_by_place() -> list[int]:
    """The points for places that a season begins with."""
    return list(POINTS_BY_PLACE)


class Season(ClubOwned):
    """A dated run of a league with its rules."""

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="seasons", verbose_name=_("league"))
    name = models.CharField(_("name"), max_length=100)
    slug = models.SlugField(_("short name"), max_length=50)
    starts_on = models.DateField(_("starts on"))
    ends_on = models.DateField(_("ends on"), null=True, blank=True)
    status = models.CharField(_("status"), max_length=6, choices=SeasonStatus, default=SeasonStatus.OPEN)
    visibility = models.CharField(
        _("who may read the leaderboard"), max_length=7, choices=Visibility, default=Visibility.PUBLIC
    )
    # In the address of a board that is for whoever has the link.
    board_key = models.CharField(max_length=32, default=new_board_key, editable=False)
    # Of what its board shows and no other does; the club has the state of the rest.
    board_state = models.BigIntegerField(default=new_board_state, editable=False)
    planned_evenings = models.PositiveSmallIntegerField(
        _("planned evenings"),
        null=True,
        blank=True,
        help_text=_("How many evenings the season has in all; empty where that is not known."),
    )
    has_divisions = models.BooleanField(default=False, editable=False)
    checked_at = models.DateTimeField(null=True, blank=True, editable=False)
    rules_version = models.PositiveIntegerField(_("version of the rules"), default=1, editable=False)
    ranking_metric = models.CharField(
        _("ranked by"), max_length=15, choices=RankingMetric, default=RankingMetric.PLACE_AVERAGE
    )
    ranking_best = models.CharField(_("best is"), max_length=4, choices=Best, default=Best.LOW)
    points_by_place = models.JSONField(
        _("points for place 1, 2, …"), default=points_by_place, help_text=_("Places beyond get no points.")
    )
    table_weight = models.CharField(
        _("a place"),
        max_length=9,
        choices=TableWeight,
        default=TableWeight.NONE,
        help_text=_("A second place of six is not a second place of two."),
    )
    drop_worst = models.PositiveSmallIntegerField(
        _("worst results that don't count"), default=0, help_text=_("Of the sessions and missed evenings of a player.")
    )
    count_best = models.PositiveSmallIntegerField(
        _("best results that count"), default=0, help_text=_("0: all of them.")
    )
    absence = models.CharField(_("a missed evening"), max_length=7, choices=AbsenceRule, default=AbsenceRule.NONE)
    tie_breaks = models.JSONField(
        _("tie-breaks"),
        default=list,
        blank=True,
        help_text=_("Asked one after the other; who is equal in all of them shares the rank."),
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
                    visibility__in=Visibility.values,
                    ranking_best__in=Best.values,
                    table_weight__in=TableWeight.values,
                    absence__in=AbsenceRule.values,
                ),
                name="season_ranking_rules_known",
            ),
            models.CheckConstraint(
                condition=models.Q(drop_worst=0) | models.Q(count_best=0), name="season_drops_or_counts_best"
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
            best=self.ranking_best,  # type: ignore[arg-type]
            points_by_place=tuple(self.points_by_place),
            table_weight=self.table_weight,  # type: ignore[arg-type]
            drop_worst=self.drop_worst,
            count_best=self.count_best,
            absence=self.absence,  # type: ignore[arg-type]
            tie_breaks=tuple(self.tie_breaks),
        )

    @property
    def is_public(self) -> bool:
        """Whether anyone may read the leaderboard."""
        return self.visibility == Visibility.PUBLIC


class SeasonRulesVersion(ClubOwned):
    """The rules of a season as they held from some time on."""

    season = models.ForeignKey(
        Season, on_delete=models.CASCADE, related_name="rules_versions", verbose_name=_("season")
    )
    number = models.PositiveIntegerField(_("version"))
    at = models.DateTimeField(_("at"))
    user = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("user")
    )
    rules = models.JSONField(_("rules"))

    class Meta:
        verbose_name = _("version of a season's rules")
        verbose_name_plural = _("versions of a season's rules")
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["season", "number"], name="rules_version_once_a_season"),
        ]

    def __str__(self) -> str:
        return f"{self.season}: {self.number}"


class Division(ClubOwned):
    """A part of a season with a table of its own; level 1 is the highest."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="divisions", verbose_name=_("season"))
    level = models.PositiveSmallIntegerField(_("level"), help_text=_("1 is the highest."))
    name = models.CharField(_("name"), max_length=100)
    promoted = models.PositiveSmallIntegerField(
        _("promoted"), default=0, help_text=_("How many of the top move up for the next season.")
    )
    relegated = models.PositiveSmallIntegerField(
        _("relegated"), default=0, help_text=_("How many of the bottom move down for the next season.")
    )

    class Meta:
        verbose_name = _("division")
        verbose_name_plural = _("divisions")
        ordering = ["level"]
        constraints = [
            models.UniqueConstraint(fields=["season", "level"], name="division_level_once_a_season"),
            models.CheckConstraint(condition=models.Q(level__gte=1), name="division_level_from_one"),
        ]

    def __str__(self) -> str:
        return self.name
