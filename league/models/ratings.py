"""Ratings: how strong a player is, from all results of a club in one family of games.

Terms: a *rating* is a belief about a player's strength, its mean and its uncertainty (`league/scoring/ratings.py`); a
*board* holds people or bots, or what people reach in cooperative games; a *rating change* is the rating after one
session. Promises: computed after the answer, from the sessions alone, so that they can be computed anew at any time.
"""

from django.db import models
from django.db.models import Case, Count, F, QuerySet, Value, When, Window
from django.db.models.functions import Rank, Round
from django.utils.translation import gettext_lazy as _

from games.catalog import GAMES
from league.models.players import Player, PlayerKind
from league.models.sessions import Session
from league.models.tenancy import ClubOwned
from league.scoring.ratings import ESTABLISHED, is_provisional

# The families of games that ratings are kept of, in the order in which they are listed: those of the catalogue, and a
# club's own games last.
FAMILIES: list[str] = [*dict.fromkeys(game.family for game in GAMES.values()), "own"]


class RatingBoard(models.TextChoices):
    PEOPLE = "people", _("people")
    BOTS = "bots", _("bots")
    COOPERATIVE = "cooperative", _("cooperative games")


class RatingQuerySet(QuerySet["Rating"]):
    def board(self, *, club_id: int, board: str, family: str, kind: str) -> "RatingQuerySet":
        """A board of people or of bots who still play: best first, with `rank` (with skipping; None while provisional)
        and `shared`, whether others are shown the same number and so have the same rank."""
        provisional = Case(When(results__lt=ESTABLISHED, then=Value(1)), default=Value(0))
        place = Window(Rank(), order_by=[provisional.asc(), Round(F("value")).desc()])
        sharing = Window(Count("pk"), partition_by=[provisional, Round(F("value"))])
        return (
            self.filter(club=club_id, board=board, family=family, player__kind=kind, player__archived_at=None)
            .annotate(provisional=provisional)
            .annotate(rank=Case(When(provisional=0, then=place), output_field=models.IntegerField()))
            .annotate(sharing=sharing)
            .annotate(shared=Case(When(sharing__gt=1, then=Value(True)), default=Value(False)))
            .select_related("player")
            .order_by("provisional", "-value", "player__name_key", "player_id")
        )

    def boards(self, club_id: int) -> "list[tuple[RatingBoard, str, PlayerKind]]":
        """(board, family, kind of players) of all boards that have somebody on them, people first."""
        found = (
            self.filter(club=club_id, player__archived_at=None)
            .order_by()
            .values_list("board", "family", "player__kind")
            .distinct()
        )
        boards, kinds = list(RatingBoard), list(PlayerKind)
        known = [(RatingBoard(board), family, PlayerKind(kind)) for board, family, kind in found]
        return sorted(known, key=lambda one: (kinds.index(one[2]), boards.index(one[0]), FAMILIES.index(one[1])))


class Rating(ClubOwned):
    """A player's rating now."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="ratings", verbose_name=_("player"))
    board = models.CharField(_("board"), max_length=11, choices=RatingBoard)
    family = models.CharField(_("family of games"), max_length=30)
    mu = models.FloatField(_("mean"))
    sigma = models.FloatField(_("uncertainty"))
    # What is shown and sorted by; higher is better.
    value = models.FloatField(_("rating"))
    results = models.PositiveIntegerField(_("results"))

    objects = RatingQuerySet.as_manager()

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        ordering = ["-value", "id"]
        indexes = [models.Index(fields=["club", "board", "family", "-value"], name="rating_board_order")]
        constraints = [
            models.UniqueConstraint(fields=["player", "board", "family"], name="rating_once_a_board"),
            models.CheckConstraint(condition=models.Q(board__in=RatingBoard.values), name="rating_board_known"),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.value:.0f}"

    @property
    def is_provisional(self) -> bool:
        """Whether there are too few results yet to stand in a ranking."""
        return is_provisional(self.results)


class RatingChange(ClubOwned):
    """A player's rating after a session."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+", verbose_name=_("player"))
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="+", verbose_name=_("session"))
    board = models.CharField(_("board"), max_length=11, choices=RatingBoard)
    family = models.CharField(_("family of games"), max_length=30)
    # The session's day at the time of computing: the history is in this order.
    played_on = models.DateField(_("played on"))
    mu = models.FloatField(_("mean"))
    sigma = models.FloatField(_("uncertainty"))
    value = models.FloatField(_("rating"))
    results = models.PositiveIntegerField(_("results so far"))

    class Meta:
        verbose_name = _("change of a rating")
        verbose_name_plural = _("changes of ratings")
        ordering = ["played_on", "session_id", "id"]
        indexes = [
            models.Index(fields=["player", "board", "family", "-played_on", "-session"], name="rating_change_newest"),
            models.Index(fields=["club", "played_on", "session"], name="rating_change_replay"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["session", "player", "board", "family"], name="rating_change_once"),
            models.CheckConstraint(condition=models.Q(board__in=RatingBoard.values), name="rating_change_board_known"),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.value:.0f}"

    @property
    def is_provisional(self) -> bool:
        """Whether there were too few results yet to stand in a ranking."""
        return is_provisional(self.results)
