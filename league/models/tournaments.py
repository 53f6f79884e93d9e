"""Tournaments: who entered, in which stages they meet, at which tables of which tournament rounds, with what result.

Terms: a *tournament* has *stages*, one after another; a stage is played by one format in *tournament rounds*; a
tournament round has *tables*, each of two to six *entries* (a player in this tournament) in order of seats, and each
played as a session. A *bye* is a table of one, a *forfeit* a table that is decided without play. Promises: a table's
places come from its session alone, in the session's own transaction (`league/services/tournament_results.py`);
`version` counts every change of a tournament, so that of two organisers neither overwrites the other unseen.
"""

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.models.clubs import User, new_board_state
from league.models.jobs import Job
from league.models.players import Player
from league.models.seasons import Season, Visibility, new_board_key
from league.models.tenancy import ClubOwned


class TournamentStatus(models.TextChoices):
    DRAFT = "draft", _("being prepared")
    RUNNING = "running", _("running")
    PAUSED = "paused", _("paused")
    FINISHED = "finished", _("finished")


class TournamentMetric(models.TextChoices):
    """What a table gives each who sat there; see `league/scoring/tournaments.py`, where it is called the basis."""

    RESULT = "result", _("wins, draws and losses")
    PLACES = "places", _("the share of the others who were beaten")
    PLACE_POINTS = "place_points", _("points for places")
    PLACE_SUM = "place_sum", _("the places, lowest best")
    GAME_POINTS = "game_points", _("the points of the games")
    CARDS_LEFT = "cards_left", _("the cards left, lowest best")


class Tournament(ClubOwned):
    """A competition of one day or many, with a winner."""

    name = models.CharField(_("name"), max_length=100)
    slug = models.SlugField(_("short name"), max_length=50)
    season = models.ForeignKey(
        Season,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="tournaments",
        verbose_name=_("season"),
        help_text=_("Where its tables count, too; empty: nowhere."),
    )
    status = models.CharField(_("status"), max_length=8, choices=TournamentStatus, default=TournamentStatus.DRAFT)
    starts_on = models.DateField(_("starts on"))
    location = models.CharField(_("location"), max_length=100, blank=True)
    note = models.CharField(pgettext_lazy("of a tournament", "note"), max_length=500, blank=True)
    announcement = models.CharField(_("announcement"), max_length=300, blank=True)
    visibility = models.CharField(_("visible to"), max_length=7, choices=Visibility, default=Visibility.PUBLIC)
    board_key = models.CharField(_("key of the link"), max_length=22, default=new_board_key, editable=False)
    # With it players of other clubs enter; empty: by the organisers alone.
    entry_key = models.CharField(_("key of the invitation"), max_length=22, blank=True, editable=False)
    # What is played at a table, as sessions know it.
    session_format = models.CharField(_("format of a table"), max_length=14)
    game = models.CharField(_("game"), max_length=30, blank=True, help_text=_("Key in the catalogue of games."))
    games_per_table = models.PositiveSmallIntegerField(_("games at a table"), default=1)
    minimum = models.PositiveSmallIntegerField(
        _("minimum"), null=True, blank=True, help_text=_("The Game: cards to be played in a turn, alike at all tables.")
    )
    table_size = models.PositiveSmallIntegerField(_("preferred players at a table"), default=4)
    metric = models.CharField(_("ranked by"), max_length=12, choices=TournamentMetric)
    # Numbers by "win", "draw", "loss", "bye", "forfeit_win", "forfeit_loss"; a list by "place_points".
    scores = models.JSONField(pgettext_lazy("what results give in a tournament", "scores"), default=dict)
    tie_breaks = models.JSONField(_("tie-breaks"), default=list, help_text=_("Codes, the first decides first."))
    seed = models.BigIntegerField(_("seed"))
    round_minutes = models.PositiveSmallIntegerField(_("minutes of a round"), null=True, blank=True)
    # The pairing of a large tournament round goes on in a worker.
    pairing_job = models.OneToOneField(
        Job, on_delete=models.SET_NULL, null=True, blank=True, related_name="tournament", verbose_name=_("job")
    )
    version = models.PositiveIntegerField(_("version"), default=1, editable=False)
    # Another number after each change: what was computed of a tournament is kept under it. The version would not do, as
    # a database that was restored comes to the same version with other results.
    board_state = models.BigIntegerField(default=new_board_state, editable=False)
    archived_at = models.DateTimeField(_("archived at"), null=True, blank=True)
    created_by = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("created by")
    )
    created_at = models.DateTimeField(_("created at"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        ordering = ["-starts_on", "-id"]
        indexes = [models.Index(fields=["club", "-starts_on", "-id"], name="tournament_club_newest")]
        constraints = [
            models.UniqueConstraint(fields=["club", "slug"], name="tournament_slug_once_a_club"),
            models.CheckConstraint(
                condition=models.Q(status__in=TournamentStatus.values), name="tournament_status_known"
            ),
            models.CheckConstraint(
                condition=models.Q(metric__in=TournamentMetric.values), name="tournament_metric_known"
            ),
            models.CheckConstraint(
                condition=models.Q(visibility__in=Visibility.values), name="tournament_visibility_known"
            ),
            models.CheckConstraint(
                condition=models.Q(table_size__gte=2, table_size__lte=6), name="tournament_tables_of_2_to_6"
            ),
            models.CheckConstraint(condition=models.Q(games_per_table__gte=1), name="tournament_plays_a_game"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_public(self) -> bool:
        """Whether anyone may look at it."""
        return self.visibility == Visibility.PUBLIC


class EntryStatus(models.TextChoices):
    ENTERED = "entered", _("entered")
    CHECKED_IN = "checked_in", _("checked in")
    WITHDRAWN = "withdrawn", _("withdrawn")
    NO_SHOW = "no_show", _("did not come")


class TournamentEntry(ClubOwned):
    """A player in a tournament."""

    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, related_name="entries", verbose_name=_("tournament")
    )
    player = models.ForeignKey(Player, on_delete=models.RESTRICT, related_name="entries", verbose_name=_("player"))
    status = models.CharField(_("status"), max_length=10, choices=EntryStatus, default=EntryStatus.ENTERED)
    # Not the seed of chance, for which other languages have another word.
    seed = models.PositiveSmallIntegerField(
        pgettext_lazy("of an entry", "seed"),
        null=True,
        blank=True,
        help_text=_("1 is the strongest; empty until seeds are given."),
    )
    first_round = models.PositiveSmallIntegerField(_("from tournament round"), default=1)
    fixed_table = models.PositiveSmallIntegerField(_("fixed table"), null=True, blank=True)
    home_club = models.CharField(_("club"), max_length=100, blank=True, help_text=_("Of a guest."))
    # Who entered by an invitation without belonging to the club: for "my next table" alone.
    user = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("user")
    )
    created_at = models.DateTimeField(_("created at"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("tournament entry")
        verbose_name_plural = _("tournament entries")
        ordering = ["seed", "id"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "player"], name="entry_once_a_tournament"),
            models.UniqueConstraint(fields=["tournament", "seed"], name="entry_seed_once_a_tournament"),
            models.CheckConstraint(condition=models.Q(status__in=EntryStatus.values), name="entry_status_known"),
            models.CheckConstraint(condition=models.Q(first_round__gte=1), name="entry_from_round_one"),
            models.CheckConstraint(condition=models.Q(seed=None) | models.Q(seed__gte=1), name="entry_seed_from_one"),
        ]

    def __str__(self) -> str:
        return str(self.player)


class EntryAbsence(ClubOwned):
    """Tournament rounds that an entry asked to sit out; who drops out has another status instead."""

    entry = models.ForeignKey(
        TournamentEntry, on_delete=models.CASCADE, related_name="absences", verbose_name=_("tournament entry")
    )
    from_round = models.PositiveSmallIntegerField(_("from tournament round"))
    until_round = models.PositiveSmallIntegerField(
        _("until tournament round"), null=True, blank=True, help_text=_("Empty: to the end.")
    )

    class Meta:
        verbose_name = _("absence")
        verbose_name_plural = _("absences")
        ordering = ["from_round"]
        constraints = [
            models.UniqueConstraint(fields=["entry", "from_round"], name="absence_once_from_a_round"),
            models.CheckConstraint(condition=models.Q(from_round__gte=1), name="absence_from_round_one"),
            models.CheckConstraint(
                condition=models.Q(until_round=None) | models.Q(until_round__gte=models.F("from_round")),
                name="absence_ends_after_start",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entry}: {self.from_round}-{self.until_round or ''}"


class PairWishKind(models.TextChoices):
    APART = "apart", _("never at one table")
    TOGETHER = "together", _("always at one table")


class PairWish(ClubOwned):
    """Two entries that the organiser keeps apart or together."""

    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, related_name="pair_wishes", verbose_name=_("tournament")
    )
    kind = models.CharField(_("kind"), max_length=8, choices=PairWishKind)
    # The one with the lower id.
    first = models.ForeignKey(TournamentEntry, on_delete=models.CASCADE, related_name="+", verbose_name=_("first"))
    second = models.ForeignKey(TournamentEntry, on_delete=models.CASCADE, related_name="+", verbose_name=_("second"))

    class Meta:
        verbose_name = _("wish for a pair")
        verbose_name_plural = _("wishes for pairs")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "first", "second"], name="pair_wish_once"),
            models.CheckConstraint(condition=models.Q(kind__in=PairWishKind.values), name="pair_wish_kind_known"),
            models.CheckConstraint(condition=models.Q(first__lt=models.F("second")), name="pair_wish_lower_id_first"),
        ]

    def __str__(self) -> str:
        return f"{self.first}, {self.second}: {self.get_kind_display()}"


class StageFormat(models.TextChoices):
    ROUND_ROBIN = "round_robin", _("round robin")
    SWISS = "swiss", _("Swiss system for two")
    DUTCH = "dutch", _("Dutch system of FIDE")
    TABLE_SWISS = "table_swiss", _("Swiss system at tables")
    FIXED_SCHEDULE = "fixed_schedule", _("fixed schedule")
    SINGLE_ELIMINATION = "single_elimination", _("single elimination")
    DOUBLE_ELIMINATION = "double_elimination", _("double elimination")
    STEPLADDER = "stepladder", _("stepladder")
    FINAL_TABLES = "final_tables", _("final tables")
    CLUB_EVENING = "club_evening", _("club evening")


class StageStatus(models.TextChoices):
    WAITING = "waiting", _("waits")
    RUNNING = "running", _("running")
    FINISHED = "finished", _("finished")


class Stage(ClubOwned):
    """A part of a tournament that is played by one format; its entries are the tournament's or come from before."""

    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, related_name="stages", verbose_name=_("tournament")
    )
    number = models.PositiveSmallIntegerField(_("number"), help_text=_("From 1, in the order played."))
    format = models.CharField(pgettext_lazy("of a stage", "format"), max_length=18, choices=StageFormat)
    status = models.CharField(_("status"), max_length=8, choices=StageStatus, default=StageStatus.WAITING)
    # What the format asks: see `league/services/tournament_formats.py`.
    options = models.JSONField(_("options"), default=dict, blank=True)
    groups = models.PositiveSmallIntegerField(_("groups"), default=1)
    advance = models.PositiveSmallIntegerField(
        _("go on"), null=True, blank=True, help_text=_("How many of each group come into the next stage; empty: all.")
    )

    class Meta:
        verbose_name = _("stage")
        verbose_name_plural = _("stages")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="stage_number_once"),
            models.CheckConstraint(condition=models.Q(format__in=StageFormat.values), name="stage_format_known"),
            models.CheckConstraint(condition=models.Q(status__in=StageStatus.values), name="stage_status_known"),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="stage_number_from_one"),
            models.CheckConstraint(condition=models.Q(groups__gte=1), name="stage_has_a_group"),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.get_format_display()}"


class StageEntry(ClubOwned):
    """An entry in a stage, with its seed and group there."""

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="places", verbose_name=_("stage"))
    entry = models.ForeignKey(
        TournamentEntry, on_delete=models.CASCADE, related_name="stages", verbose_name=_("tournament entry")
    )
    seed = models.PositiveSmallIntegerField(pgettext_lazy("of an entry", "seed"), help_text=_("1 is the strongest."))
    group = models.PositiveSmallIntegerField(_("group"), default=1)

    class Meta:
        verbose_name = _("entry of a stage")
        verbose_name_plural = _("entries of a stage")
        ordering = ["seed"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "entry"], name="stage_entry_once"),
            models.UniqueConstraint(fields=["stage", "seed"], name="stage_seed_once"),
            models.CheckConstraint(condition=models.Q(seed__gte=1), name="stage_seed_from_one"),
            models.CheckConstraint(condition=models.Q(group__gte=1), name="stage_group_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.seed}: {self.entry}"


class RoundStatus(models.TextChoices):
    """`draft`: seen by the organisers alone; `published`: by all, and its tables can be played."""

    DRAFT = "draft", _("not published")
    PUBLISHED = "published", _("published")


class TournamentRound(ClubOwned):
    """A tournament round: tables that are played at the same time."""

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="rounds", verbose_name=_("stage"))
    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, related_name="rounds", verbose_name=_("tournament")
    )
    number = models.PositiveSmallIntegerField(_("number"), help_text=_("From 1, through all stages."))
    status = models.CharField(_("status"), max_length=9, choices=RoundStatus, default=RoundStatus.DRAFT)
    seed = models.BigIntegerField(_("seed"))
    # Why something odd was decided: code, ids of entries and figures, as `league/pairing` gives them.
    reasons = models.JSONField(_("reasons"), default=list, blank=True)
    # Of planned seatings: repeats, largest, bound, method.
    quality = models.JSONField(_("quality"), default=dict, blank=True)
    paired_at = models.DateTimeField(_("paired at"))
    published_at = models.DateTimeField(_("published at"), null=True, blank=True)
    # From when the clock of the round runs.
    started_at = models.DateTimeField(_("started at"), null=True, blank=True)

    class Meta:
        verbose_name = _("tournament round")
        verbose_name_plural = _("tournament rounds")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="tournament_round_number_once"),
            models.CheckConstraint(condition=models.Q(status__in=RoundStatus.values), name="tournament_round_status"),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="tournament_round_from_one"),
        ]

    def __str__(self) -> str:
        return str(self.number)


class TournamentTableKind(models.TextChoices):
    PLAYED = "played", _("played")
    BYE = "bye", _("bye")
    FORFEIT = "forfeit", _("forfeit")
    DOUBLE_FORFEIT = "double_forfeit", _("forfeit of both")


class TournamentTable(ClubOwned):
    """A table of a tournament round; its sessions point at it, one of them at most is not void."""

    round = models.ForeignKey(
        TournamentRound, on_delete=models.CASCADE, related_name="tables", verbose_name=_("tournament round")
    )
    number = models.PositiveSmallIntegerField(_("table"), help_text=_("From 1; byes come last."))
    group = models.PositiveSmallIntegerField(_("group"), default=1)
    # Of a bracket: which match it is.
    match = models.CharField(_("match"), max_length=10, blank=True)
    kind = models.CharField(_("kind"), max_length=14, choices=TournamentTableKind, default=TournamentTableKind.PLAYED)
    decided = models.BooleanField(_("decided"), default=False, help_text=_("Whether its places are known."))

    class Meta:
        verbose_name = _("tournament table")
        verbose_name_plural = _("tournament tables")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="tournament_table_number_once"),
            models.CheckConstraint(
                condition=models.Q(kind__in=TournamentTableKind.values), name="tournament_table_kind_known"
            ),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="tournament_table_from_one"),
        ]

    def __str__(self) -> str:
        return str(self.number)


class TournamentSeat(ClubOwned):
    """An entry at a table of a tournament round, with what it came to there."""

    table = models.ForeignKey(
        TournamentTable, on_delete=models.CASCADE, related_name="seats", verbose_name=_("tournament table")
    )
    entry = models.ForeignKey(
        TournamentEntry, on_delete=models.RESTRICT, related_name="seats", verbose_name=_("tournament entry")
    )
    number = models.PositiveSmallIntegerField(_("seat"), help_text=_("From 0, who plays first."))
    # As of the session: empty while it is not ended, and for who has no place in it.
    place = models.PositiveSmallIntegerField(_("place"), null=True, blank=True)
    place_sum = models.PositiveIntegerField(_("place sum"), null=True, blank=True)
    game_points = models.IntegerField(_("points in the games"), null=True, blank=True)

    class Meta:
        verbose_name = _("tournament seat")
        verbose_name_plural = _("tournament seats")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="tournament_seat_once"),
            models.UniqueConstraint(fields=["table", "entry"], name="tournament_seat_entry_once"),
            models.CheckConstraint(
                condition=models.Q(place=None) | models.Q(place__gte=1), name="tournament_seat_place_from_one"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.entry}"


class TournamentFile(ClubOwned):
    """A report file that a job looks at, or makes a tournament of. What holds names goes when the tournament is there,
    or some days after the job's end.
    """

    job = models.OneToOneField(Job, on_delete=models.CASCADE, related_name="tournament_file", verbose_name=_("job"))
    text = models.TextField(_("file"), blank=True, editable=False)
    # As `FileInput` of league/services/tournament_files.py has it, less the text.
    given = models.JSONField(_("given with it"), default=dict)
    looks = models.BooleanField(_("only looks"), help_text=_("Whether nothing is stored but what would come of it."))
    outcome = models.JSONField(_("outcome"), default=dict, help_text=_("What came of it, or would."))
    tournament = models.ForeignKey(
        Tournament, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("tournament")
    )

    class Meta:
        verbose_name = _("report file of a tournament")
        verbose_name_plural = _("report files of tournaments")
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"
