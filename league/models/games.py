"""A club's own games, beside the catalogue's.

Promises: the key is unique in the club and none of the catalogue's, so that a round's `game` names one game.
"""

from collections.abc import Iterable, Mapping

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from games.catalog import GAMES, Bounds, GameInfo, TableBounds
from league.models.tenancy import ClubOwned


class ScoredBy(models.TextChoices):
    POINTS = "points", _("points")
    PLACES = "places", _("places")


class ClubGame(ClubOwned):
    """A game that only this club logs. The range of players includes both ends."""

    key = models.SlugField(_("short name"), max_length=30)
    name = models.CharField(_("name"), max_length=100)
    min_players = models.PositiveSmallIntegerField(_("players at least"), default=1)
    max_players = models.PositiveSmallIntegerField(_("players at most"), default=6)
    scored_by = models.CharField(
        _("scored by"),
        max_length=6,
        choices=ScoredBy,
        default=ScoredBy.POINTS,
        help_text=_("By places: points are not asked for."),
    )
    high_wins = models.BooleanField(_("most points win"), default=True)
    cooperative = models.BooleanField(
        _("cooperative"), default=False, help_text=_("One result for the whole table and no places.")
    )
    minimum = models.IntegerField(_("points at least"), null=True, blank=True)
    maximum = models.IntegerField(_("points at most"), null=True, blank=True)
    archived_at = models.DateTimeField(_("archived at"), null=True, blank=True)
    created_at = models.DateTimeField(_("created at"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("game of the club")
        verbose_name_plural = _("games of the club")
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["club", "key"], name="club_game_key_once_a_club"),
            models.CheckConstraint(condition=models.Q(scored_by__in=ScoredBy.values), name="club_game_scored_by_known"),
            models.CheckConstraint(
                condition=models.Q(min_players__gte=1, max_players__gte=models.F("min_players")),
                name="club_game_players_in_order",
            ),
            models.CheckConstraint(
                condition=models.Q(minimum=None) | models.Q(maximum=None) | models.Q(maximum__gte=models.F("minimum")),
                name="club_game_bounds_in_order",
            ),
            models.CheckConstraint(
                condition=models.Q(cooperative=False) | models.Q(scored_by="points"),
                name="club_game_cooperative_has_points",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def info(self) -> GameInfo:
        """The game as those of the catalogue are described: nothing is implausible, and its title is the same in all
        languages."""
        limits = TableBounds(minimum=self.minimum, maximum=self.maximum)
        return GameInfo(
            key=self.key,
            name=self.name,
            titles={"en": self.name, "de": self.name},
            family="own",
            min_players=self.min_players,
            max_players=self.max_players,
            high_wins=self.high_wins,
            cooperative=self.cooperative,
            notes=(),
            bounds=Bounds(lambda players, note, options: limits),
            scored_by="places" if self.scored_by == ScoredBy.PLACES else "points",
        )


def games_by_key(club_id: int, keys: Iterable[str]) -> Mapping[str, GameInfo]:
    """What is known of these games of the catalogue and of the club, archived ones too; unknown keys are left out.

    One query, and none where all are of the catalogue.
    """
    named = set(keys)
    found = {key: GAMES[key] for key in named & GAMES.keys()}
    if own := named - GAMES.keys():
        found |= {game.key: game.info() for game in ClubGame.objects.filter(club=club_id, key__in=own)}
    return found
