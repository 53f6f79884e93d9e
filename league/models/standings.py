"""Standings: where each player stands in a season, stored and ready to be read.

Terms: a *standing* is one player's line of a season's table. Promises: written in the transaction of the result, so a
page reads one row a player and never folds a season's history. A rank is read from these rows, by a window over them or
by their order: storing it would rewrite the whole season with every result. Where the season has divisions, each has
ranks of its own, and so have the players in none.
"""

from collections.abc import Iterable

from django.db import models
from django.db.models import Case, F, Value, When, Window
from django.db.models.functions import Rank
from django.utils.translation import gettext_lazy as _

from league.models.players import Player
from league.models.seasons import Division, Season
from league.models.sessions import Session
from league.models.tenancy import ClubOwned

# What ranks follow from, of rows in the order of the table: division, unranked, sort key, position in a tie.
RANK_COLUMNS = ("division_id", "unranked", "sort_key", "tie_position")


def ranks(rows: Iterable[tuple[int | None, int, float, int]]) -> list[int | None]:
    """The ranks of rows (their `RANK_COLUMNS`) from the first of the table on, as `StandingQuerySet.table` has them.

    A window would have the database rank a whole season for one page of it, which takes longer than all else of it.
    """
    found: list[int | None] = []
    last, position, rank = None, 0, 0
    for row in rows:
        position = position + 1 if last is not None and last[0] == row[0] else 1
        rank = rank if row == last else position
        found.append(None if row[1] else rank)
        last = row
    return found


class StandingQuerySet(models.QuerySet["Standing"]):
    def table(self, season: Season) -> "StandingQuerySet":
        """The season's table: best first, each row with `rank` (shared, with skipping; None below the minimum, or where
        nothing counts)."""
        order = [F("unranked").asc(), F("sort_key").asc(), F("tie_position").asc()]
        place = Window(Rank(), partition_by=[F("division")], order_by=order)
        return (
            self.in_order(season)
            .annotate(rank=Case(When(unranked=0, then=place), output_field=models.IntegerField()))
            .select_related("player", "last_session", "division")
        )

    def in_order(self, season: Season) -> "StandingQuerySet":
        """The season's rows in the order of its table; `unranked` is 1 for those without a rank."""
        unranked = Case(
            When(sessions__gte=season.minimum_sessions, counted__gt=0, then=Value(0)),
            default=Value(1),
            output_field=models.SmallIntegerField(),
        )
        return (
            self.filter(season=season)
            .annotate(unranked=unranked)
            .order_by(
                F("division__level").asc(nulls_last=True),
                "unranked",
                "sort_key",
                "tie_position",
                "player__name_key",
                "player_id",
            )
        )


class Standing(ClubOwned):
    """One player's line in a season's table."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="standings", verbose_name=_("season"))
    player = models.ForeignKey(Player, on_delete=models.RESTRICT, related_name="standings", verbose_name=_("player"))
    sessions = models.PositiveIntegerField(_("sessions"))
    place_total = models.PositiveIntegerField(_("sum of places"))
    wins = models.PositiveIntegerField(_("wins"))
    last_session = models.ForeignKey(
        Session, on_delete=models.RESTRICT, related_name="+", verbose_name=_("last session")
    )
    last_place = models.PositiveSmallIntegerField(_("last place"))
    division = models.ForeignKey(
        Division, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("division")
    )
    counted = models.PositiveIntegerField(
        _("counted"), default=0, help_text=_("Sessions and missed evenings that count.")
    )
    absences = models.PositiveIntegerField(_("missed evenings"), default=0)
    value = models.FloatField(_("value"), default=0, help_text=_("The number that the season ranks by."))
    game_points = models.IntegerField(_("points in the games"), null=True, blank=True)
    place_counts = models.JSONField(
        _("places"), default=list, blank=True, help_text=_("How often place 1, 2, … of what counts.")
    )
    # Lower is better; equal for equal players to the last bit (league/scoring/standings.py says why).
    sort_key = models.FloatField(_("sort key"))
    # How many of those with an equal sort key stand before, by the season's tie-breaks (league/scoring/ties.py).
    tie_position = models.PositiveIntegerField(_("position in a tie"), default=0)

    objects = StandingQuerySet.as_manager()

    class Meta:
        verbose_name = _("standing")
        verbose_name_plural = _("standings")
        indexes = [models.Index(fields=["season", "sort_key"], name="standing_season_order")]
        constraints = [
            models.UniqueConstraint(fields=["season", "player"], name="standing_once_a_season"),
            models.CheckConstraint(condition=models.Q(sessions__gte=1), name="standing_has_a_session"),
            models.CheckConstraint(condition=models.Q(wins__lte=F("sessions")), name="standing_wins_at_most_sessions"),
            models.CheckConstraint(condition=models.Q(place_total__gte=F("sessions")), name="standing_places_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.sessions}"

    @property
    def place_average(self) -> float:
        """Mean of the final places."""
        return self.place_total / self.sessions


class DivisionPlayer(ClubOwned):
    """In which division of a season a player plays."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="+", verbose_name=_("season"))
    division = models.ForeignKey(Division, on_delete=models.CASCADE, related_name="players", verbose_name=_("division"))
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+", verbose_name=_("player"))

    class Meta:
        verbose_name = _("player of a division")
        verbose_name_plural = _("players of divisions")
        constraints = [
            models.UniqueConstraint(fields=["season", "player"], name="division_player_once_a_season"),
        ]

    def __str__(self) -> str:
        return f"{self.division}: {self.player}"
