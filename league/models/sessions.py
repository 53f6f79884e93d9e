"""Sessions: one sitting of players, its rounds, scores and results.

Terms: a *session* is one sitting; a *seat* says which player sat where for which rounds; a *round* is one game
played in it; a *score* is a player's points and place in a round; a *session result* is a player's place sum and
place in the whole session. All of them are written by the services alone, through `league/services/session_rows.py`.
"""

from collections.abc import Iterable

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from league.models.clubs import User
from league.models.players import Player
from league.models.seasons import Season
from league.models.tenancy import ClubOwned
from league.scoring.sessions import PlayedRound


class SessionFormat(models.TextChoices):
    PURE_XXL = "pure_xxl", _("Pure XXL")
    INDIVIDUAL_XXL = "individual_xxl", _("Individual XXL")
    SINGLE_GAME = "single_game", _("single game")
    SERIES = "series", _("series of one game")


class SessionStatus(models.TextChoices):
    """`complete`: all planned rounds were played; `incomplete`: ended before."""

    OPEN = "open", _("open")
    COMPLETE = "complete", _("complete")
    INCOMPLETE = "incomplete", _("ended early")


class Confirmation(models.TextChoices):
    """Whether a second participant agreed with what was entered; empty where nobody is asked."""

    AWAITED = "awaited", _("awaits confirmation")
    CONFIRMED = "confirmed", _("confirmed")
    DISPUTED = "disputed", _("disputed")


class Session(ClubOwned):
    """One sitting of players: an evening of Pure XXL, a series of Individual XXL or of one game, a single game."""

    season = models.ForeignKey(
        Season,
        on_delete=models.RESTRICT,
        null=True,
        blank=True,
        related_name="sessions",
        verbose_name=_("season"),
    )
    table = models.ForeignKey(
        "league.TournamentTable",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="sessions",
        verbose_name=_("tournament table"),
    )
    format = models.CharField(_("format"), max_length=14, choices=SessionFormat)
    planned_rounds = models.PositiveSmallIntegerField(_("planned rounds"))
    repeats = models.PositiveSmallIntegerField(
        _("repeats"), default=1, help_text=_("How often each game of Pure XXL is played: once or twice.")
    )
    status = models.CharField(_("status"), max_length=10, choices=SessionStatus, default=SessionStatus.OPEN)
    played_on = models.DateField(_("played on"))
    location = models.CharField(_("location"), max_length=100, blank=True)
    comment = models.CharField(_("comment"), max_length=500, blank=True)
    confirmed = models.JSONField(
        _("confirmed warnings"),
        default=list,
        blank=True,
        help_text=_("Codes of warnings that were confirmed."),
    )
    counts = models.BooleanField(_("counts"), default=False, help_text=_("Whether it enters the season's standings."))
    revision = models.PositiveIntegerField(_("revision"), default=1, editable=False)
    voided_at = models.DateTimeField(
        _("voided at"), null=True, blank=True, help_text=_("From then on it enters nothing; it can be restored.")
    )
    confirmation = models.CharField(
        _("confirmation"), max_length=9, choices=Confirmation, blank=True, help_text=_("Empty: nobody is asked.")
    )
    # SHA-256 of who sat there and scored what: finds the same evening entered by two people.
    digest = models.CharField(max_length=64, blank=True, editable=False)
    created_by = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("created by")
    )
    created_at = models.DateTimeField(_("created at"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("session")
        verbose_name_plural = _("sessions")
        ordering = ["-played_on", "-id"]
        indexes = [
            models.Index(fields=["season", "-played_on", "-id"], name="session_season_newest"),
            models.Index(fields=["club", "-played_on", "-id"], name="session_club_newest"),
            models.Index(fields=["club", "digest"], name="session_same_evening"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["table"], condition=models.Q(voided_at=None), name="session_once_a_tournament_table"
            ),
            models.CheckConstraint(condition=models.Q(format__in=SessionFormat.values), name="session_format_known"),
            models.CheckConstraint(condition=models.Q(status__in=SessionStatus.values), name="session_status_known"),
            models.CheckConstraint(condition=models.Q(planned_rounds__gte=1), name="session_plans_a_round"),
            models.CheckConstraint(
                condition=(~models.Q(format="pure_xxl") & models.Q(repeats=1))
                | models.Q(format="pure_xxl", repeats__in=[1, 2], planned_rounds=6 * models.F("repeats")),
                name="session_pure_xxl_plans_six_games",
            ),
            models.CheckConstraint(
                condition=models.Q(counts=False) | (~models.Q(status="open") & models.Q(season__isnull=False)),
                name="session_counts_when_ended",
            ),
            models.CheckConstraint(
                condition=models.Q(counts=False) | models.Q(voided_at=None), name="session_voided_counts_not"
            ),
            models.CheckConstraint(
                condition=models.Q(confirmation__in=["", *Confirmation.values]), name="session_confirmation_known"
            ),
            models.CheckConstraint(
                condition=models.Q(counts=False) | models.Q(confirmation__in=["", Confirmation.CONFIRMED]),
                name="session_counts_when_confirmed",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_format_display()} {self.played_on}"

    def played_rounds(self) -> list[PlayedRound]:
        """The rounds so far, in order, as `league/scoring` takes them; those read already are not read again."""
        models.prefetch_related_objects([self], "rounds__scores")
        return [one.played() for one in self.rounds.all()]


class Seat(ClubOwned):
    """Who sat where, for which rounds.

    Two rows share a seat number when one player substituted another, or when a player left and came back.
    """

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="seats", verbose_name=_("session"))
    player = models.ForeignKey(Player, on_delete=models.RESTRICT, related_name="seats", verbose_name=_("player"))
    number = models.PositiveSmallIntegerField(_("seat"), help_text=_("Clockwise from 0."))
    from_round = models.PositiveSmallIntegerField(_("from round"), default=1)
    until_round = models.PositiveSmallIntegerField(
        _("until round"), null=True, blank=True, help_text=_("Empty: to the end.")
    )

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering = ["number", "from_round"]
        constraints = [
            models.UniqueConstraint(fields=["session", "player", "from_round"], name="seat_player_at_a_time"),
            models.UniqueConstraint(fields=["session", "number", "from_round"], name="seat_one_player_at_a_time"),
            models.CheckConstraint(condition=models.Q(from_round__gte=1), name="seat_from_round_one"),
            models.CheckConstraint(
                condition=models.Q(until_round=None) | models.Q(until_round__gte=models.F("from_round")),
                name="seat_ends_after_start",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.player}"


class Round(ClubOwned):
    """One game of the catalogue or of the club's own, played within a session."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="rounds", verbose_name=_("session"))
    number = models.PositiveSmallIntegerField(_("number"), help_text=_("From 1, in the order played."))
    game = models.CharField(_("game"), max_length=30, help_text=_("Key in the catalogue of games."))
    note = models.CharField(_("note"), max_length=30, blank=True)
    confirmed = models.JSONField(_("confirmed warnings"), default=list, blank=True)
    created_at = models.DateTimeField(_("created at"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["session", "number"], name="round_number_once_a_session"),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="round_number_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.game}"

    def played(self, scores: "Iterable[Score] | None" = None) -> PlayedRound:
        """The round as `league/scoring` takes it, by its stored scores or these; without places when cooperative."""
        found = self.scores.all() if scores is None else scores
        places = {score.player_id: score.place for score in found if score.place is not None}
        points = {score.player_id: score.points for score in found if score.points is not None}
        return PlayedRound(number=self.number, game=self.game, places=places, points=points)


class Score(ClubOwned):
    """A player's points and place in a round. A cooperative game has points and no place."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="scores", verbose_name=_("round"))
    player = models.ForeignKey(Player, on_delete=models.RESTRICT, related_name="scores", verbose_name=_("player"))
    points = models.IntegerField(_("points"), null=True, blank=True)
    place = models.PositiveSmallIntegerField(_("place"), null=True, blank=True)

    class Meta:
        verbose_name = _("score")
        verbose_name_plural = _("scores")
        constraints = [
            models.UniqueConstraint(fields=["round", "player"], name="score_once_a_round"),
            models.CheckConstraint(
                condition=models.Q(points__isnull=False) | models.Q(place__isnull=False),
                name="score_says_something",
            ),
            models.CheckConstraint(
                condition=models.Q(place=None) | models.Q(place__gte=1), name="score_place_from_one"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.points} ({self.place})"


class SessionResult(ClubOwned):
    """A player's place sum and place in a session. `place` is empty where the season's rules give none."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="results", verbose_name=_("session"))
    player = models.ForeignKey(Player, on_delete=models.RESTRICT, related_name="results", verbose_name=_("player"))
    place_sum = models.PositiveIntegerField(_("place sum"))
    rounds_played = models.PositiveSmallIntegerField(_("rounds played"))
    rounds_missed = models.PositiveSmallIntegerField(_("rounds missed"), default=0)
    place = models.PositiveSmallIntegerField(_("place"), null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=30, blank=True, help_text=_("Why there is no place."))
    points = models.IntegerField(
        _("points"), null=True, blank=True, help_text=_("The points of the rounds added up; empty where none has any.")
    )
    players = models.PositiveSmallIntegerField(
        _("players"), default=0, help_text=_("How many have a place in the session.")
    )

    class Meta:
        verbose_name = _("session result")
        verbose_name_plural = _("session results")
        ordering = ["place", "place_sum"]
        constraints = [
            models.UniqueConstraint(fields=["session", "player"], name="result_once_a_session"),
            models.CheckConstraint(
                condition=models.Q(place=None) | models.Q(place__gte=1), name="result_place_from_one"
            ),
            models.CheckConstraint(
                condition=(models.Q(place__isnull=False) & models.Q(reason=""))
                | (models.Q(place=None) & ~models.Q(reason="")),
                name="result_place_or_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.place}"
