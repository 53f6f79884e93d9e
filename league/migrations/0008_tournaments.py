import django.db.models.deletion
import django.db.models.functions.datetime
import league.models.clubs
import league.models.seasons
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0007_board_states"),
    ]

    operations = [
        migrations.CreateModel(
            name="Tournament",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=100, verbose_name="name")),
                ("slug", models.SlugField(verbose_name="short name")),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("draft", "being prepared"),
                            ("running", "running"),
                            ("paused", "paused"),
                            ("finished", "finished"),
                        ],
                        default="draft",
                        max_length=8,
                        verbose_name="status",
                    ),
                ),
                ("starts_on", models.DateField(verbose_name="starts on")),
                ("location", models.CharField(blank=True, max_length=100, verbose_name="location")),
                ("note", models.CharField(blank=True, max_length=500, verbose_name="note")),
                ("announcement", models.CharField(blank=True, max_length=300, verbose_name="announcement")),
                (
                    "visibility",
                    models.CharField(
                        choices=[("public", "anyone"), ("link", "whoever has the link"), ("members", "members")],
                        default="public",
                        max_length=7,
                        verbose_name="visible to",
                    ),
                ),
                (
                    "board_key",
                    models.CharField(
                        default=league.models.seasons.new_board_key,
                        editable=False,
                        max_length=22,
                        verbose_name="key of the link",
                    ),
                ),
                (
                    "entry_key",
                    models.CharField(blank=True, editable=False, max_length=22, verbose_name="key of the invitation"),
                ),
                ("session_format", models.CharField(max_length=14, verbose_name="format of a table")),
                (
                    "game",
                    models.CharField(
                        blank=True, help_text="Key in the catalogue of games.", max_length=30, verbose_name="game"
                    ),
                ),
                ("games_per_table", models.PositiveSmallIntegerField(default=1, verbose_name="games at a table")),
                (
                    "minimum",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        help_text="The Game: cards to be played in a turn, alike at all tables.",
                        null=True,
                        verbose_name="minimum",
                    ),
                ),
                (
                    "table_size",
                    models.PositiveSmallIntegerField(default=4, verbose_name="preferred players at a table"),
                ),
                (
                    "metric",
                    models.CharField(
                        choices=[
                            ("result", "wins, draws and losses"),
                            ("places", "the share of the others who were beaten"),
                            ("place_points", "points for places"),
                            ("place_sum", "the places, lowest best"),
                            ("game_points", "the points of the games"),
                            ("cards_left", "the cards left, lowest best"),
                        ],
                        max_length=12,
                        verbose_name="ranked by",
                    ),
                ),
                ("scores", models.JSONField(default=dict, verbose_name="scores")),
                (
                    "tie_breaks",
                    models.JSONField(
                        default=list, help_text="Codes, the first decides first.", verbose_name="tie-breaks"
                    ),
                ),
                ("seed", models.BigIntegerField(verbose_name="seed")),
                (
                    "round_minutes",
                    models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="minutes of a round"),
                ),
                ("version", models.PositiveIntegerField(default=1, editable=False, verbose_name="version")),
                ("board_state", models.BigIntegerField(default=league.models.clubs.new_board_state, editable=False)),
                ("archived_at", models.DateTimeField(blank=True, null=True, verbose_name="archived at")),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False, verbose_name="created at"
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.club",
                        verbose_name="club",
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="created by",
                    ),
                ),
                (
                    "pairing_job",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="tournament",
                        to="league.job",
                        verbose_name="job",
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        blank=True,
                        help_text="Where its tables count, too; empty: nowhere.",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="tournaments",
                        to="league.season",
                        verbose_name="season",
                    ),
                ),
            ],
            options={
                "verbose_name": "tournament",
                "verbose_name_plural": "tournaments",
                "ordering": ["-starts_on", "-id"],
                "indexes": [models.Index(fields=["club", "-starts_on", "-id"], name="tournament_club_newest")],
                "constraints": [
                    models.UniqueConstraint(fields=("club", "slug"), name="tournament_slug_once_a_club"),
                    models.CheckConstraint(
                        condition=models.Q(("status__in", ["draft", "running", "paused", "finished"])),
                        name="tournament_status_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "metric__in",
                                ["result", "places", "place_points", "place_sum", "game_points", "cards_left"],
                            )
                        ),
                        name="tournament_metric_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("visibility__in", ["public", "link", "members"])),
                        name="tournament_visibility_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("table_size__gte", 2), ("table_size__lte", 6)),
                        name="tournament_tables_of_2_to_6",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("games_per_table__gte", 1)), name="tournament_plays_a_game"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="TournamentEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("entered", "entered"),
                            ("checked_in", "checked in"),
                            ("withdrawn", "withdrawn"),
                            ("no_show", "did not come"),
                        ],
                        default="entered",
                        max_length=10,
                        verbose_name="status",
                    ),
                ),
                (
                    "seed",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        help_text="1 is the strongest; empty until seeds are given.",
                        null=True,
                        verbose_name="seed",
                    ),
                ),
                ("first_round", models.PositiveSmallIntegerField(default=1, verbose_name="from tournament round")),
                ("fixed_table", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="fixed table")),
                (
                    "home_club",
                    models.CharField(blank=True, help_text="Of a guest.", max_length=100, verbose_name="club"),
                ),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False, verbose_name="created at"
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.club",
                        verbose_name="club",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="entries",
                        to="league.player",
                        verbose_name="player",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="entries",
                        to="league.tournament",
                        verbose_name="tournament",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="user",
                    ),
                ),
            ],
            options={
                "verbose_name": "tournament entry",
                "verbose_name_plural": "tournament entries",
                "ordering": ["seed", "id"],
                "constraints": [
                    models.UniqueConstraint(fields=("tournament", "player"), name="entry_once_a_tournament"),
                    models.UniqueConstraint(fields=("tournament", "seed"), name="entry_seed_once_a_tournament"),
                    models.CheckConstraint(
                        condition=models.Q(("status__in", ["entered", "checked_in", "withdrawn", "no_show"])),
                        name="entry_status_known",
                    ),
                    models.CheckConstraint(condition=models.Q(("first_round__gte", 1)), name="entry_from_round_one"),
                    models.CheckConstraint(
                        condition=models.Q(("seed", None), ("seed__gte", 1), _connector="OR"),
                        name="entry_seed_from_one",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="EntryAbsence",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("from_round", models.PositiveSmallIntegerField(verbose_name="from tournament round")),
                (
                    "until_round",
                    models.PositiveSmallIntegerField(
                        blank=True, help_text="Empty: to the end.", null=True, verbose_name="until tournament round"
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.club",
                        verbose_name="club",
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="absences",
                        to="league.tournamententry",
                        verbose_name="tournament entry",
                    ),
                ),
            ],
            options={
                "verbose_name": "absence",
                "verbose_name_plural": "absences",
                "ordering": ["from_round"],
                "constraints": [
                    models.UniqueConstraint(fields=("entry", "from_round"), name="absence_once_from_a_round"),
                    models.CheckConstraint(condition=models.Q(("from_round__gte", 1)), name="absence_from_round_one"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("until_round", None), ("until_round__gte", models.F("from_round")), _connector="OR"
                        ),
                        name="absence_ends_after_start",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PairWish",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[("apart", "never at one table"), ("together", "always at one table")],
                        max_length=8,
                        verbose_name="kind",
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.club",
                        verbose_name="club",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pair_wishes",
                        to="league.tournament",
                        verbose_name="tournament",
                    ),
                ),
                (
                    "first",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.tournamententry",
                        verbose_name="first",
                    ),
                ),
                (
                    "second",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.tournamententry",
                        verbose_name="second",
                    ),
                ),
            ],
            options={
                "verbose_name": "wish for a pair",
                "verbose_name_plural": "wishes for pairs",
                "ordering": ["id"],
                "constraints": [
                    models.UniqueConstraint(fields=("tournament", "first", "second"), name="pair_wish_once"),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["apart", "together"])), name="pair_wish_kind_known"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("first__lt", models.F("second"))), name="pair_wish_lower_id_first"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Stage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "number",
                    models.PositiveSmallIntegerField(help_text="From 1, in the order played.", verbose_name="number"),
                ),
                (
                    "format",
                    models.CharField(
                        choices=[
                            ("round_robin", "round robin"),
                            ("swiss", "Swiss system for two"),
                            ("dutch", "Dutch system of FIDE"),
                            ("table_swiss", "Swiss system at tables"),
                            ("fixed_schedule", "fixed schedule"),
                            ("single_elimination", "single elimination"),
                            ("double_elimination", "double elimination"),
                            ("stepladder", "stepladder"),
                            ("final_tables", "final tables"),
                            ("club_evening", "club evening"),
                        ],
                        max_length=18,
                        verbose_name="format",
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[("waiting", "waits"), ("running", "running"), ("finished", "finished")],
                        default="waiting",
                        max_length=8,
                        verbose_name="status",
                    ),
                ),
                ("options", models.JSONField(blank=True, default=dict, verbose_name="options")),
                ("groups", models.PositiveSmallIntegerField(default=1, verbose_name="groups")),
                (
                    "advance",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        help_text="How many of each group come into the next stage; empty: all.",
                        null=True,
                        verbose_name="go on",
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.club",
                        verbose_name="club",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="stages",
                        to="league.tournament",
                        verbose_name="tournament",
                    ),
                ),
            ],
            options={
                "verbose_name": "stage",
                "verbose_name_plural": "stages",
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(fields=("tournament", "number"), name="stage_number_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "format__in",
                                [
                                    "round_robin",
                                    "swiss",
                                    "dutch",
                                    "table_swiss",
                                    "fixed_schedule",
                                    "single_elimination",
                                    "double_elimination",
                                    "stepladder",
                                    "final_tables",
                                    "club_evening",
                                ],
                            )
                        ),
                        name="stage_format_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("status__in", ["waiting", "running", "finished"])),
                        name="stage_status_known",
                    ),
                    models.CheckConstraint(condition=models.Q(("number__gte", 1)), name="stage_number_from_one"),
                    models.CheckConstraint(condition=models.Q(("groups__gte", 1)), name="stage_has_a_group"),
                ],
            },
        ),
        migrations.CreateModel(
            name="StageEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seed", models.PositiveSmallIntegerField(help_text="1 is the strongest.", verbose_name="seed")),
                ("group", models.PositiveSmallIntegerField(default=1, verbose_name="group")),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.club",
                        verbose_name="club",
                    ),
                ),
                (
                    "stage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="places",
                        to="league.stage",
                        verbose_name="stage",
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="stages",
                        to="league.tournamententry",
                        verbose_name="tournament entry",
                    ),
                ),
            ],
            options={
                "verbose_name": "entry of a stage",
                "verbose_name_plural": "entries of a stage",
                "ordering": ["seed"],
                "constraints": [
                    models.UniqueConstraint(fields=("stage", "entry"), name="stage_entry_once"),
                    models.UniqueConstraint(fields=("stage", "seed"), name="stage_seed_once"),
                    models.CheckConstraint(condition=models.Q(("seed__gte", 1)), name="stage_seed_from_one"),
                    models.CheckConstraint(condition=models.Q(("group__gte", 1)), name="stage_group_from_one"),
                ],
            },
        ),
        migrations.CreateModel(
            name="TournamentRound",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "number",
                    models.PositiveSmallIntegerField(help_text="From 1, through all stages.", verbose_name="number"),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[("draft", "not published"), ("published", "published")],
                        default="draft",
                        max_length=9,
                        verbose_name="status",
                    ),
                ),
                ("seed", models.BigIntegerField(verbose_name="seed")),
                ("reasons", models.JSONField(blank=True, default=list, verbose_name="reasons")),
                ("quality", models.JSONField(blank=True, default=dict, verbose_name="quality")),
                ("paired_at", models.DateTimeField(verbose_name="paired at")),
                ("published_at", models.DateTimeField(blank=True, null=True, verbose_name="published at")),
                ("started_at", models.DateTimeField(blank=True, null=True, verbose_name="started at")),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.club",
                        verbose_name="club",
                    ),
                ),
                (
                    "stage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rounds",
                        to="league.stage",
                        verbose_name="stage",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rounds",
                        to="league.tournament",
                        verbose_name="tournament",
                    ),
                ),
            ],
            options={
                "verbose_name": "tournament round",
                "verbose_name_plural": "tournament rounds",
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(fields=("tournament", "number"), name="tournament_round_number_once"),
                    models.CheckConstraint(
                        condition=models.Q(("status__in", ["draft", "published"])), name="tournament_round_status"
                    ),
                    models.CheckConstraint(condition=models.Q(("number__gte", 1)), name="tournament_round_from_one"),
                ],
            },
        ),
        migrations.CreateModel(
            name="TournamentTable",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField(help_text="From 1; byes come last.", verbose_name="table")),
                ("group", models.PositiveSmallIntegerField(default=1, verbose_name="group")),
                ("match", models.CharField(blank=True, max_length=10, verbose_name="match")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("played", "played"),
                            ("bye", "bye"),
                            ("forfeit", "forfeit"),
                            ("double_forfeit", "forfeit of both"),
                        ],
                        default="played",
                        max_length=14,
                        verbose_name="kind",
                    ),
                ),
                (
                    "decided",
                    models.BooleanField(
                        default=False, help_text="Whether its places are known.", verbose_name="decided"
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.club",
                        verbose_name="club",
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tables",
                        to="league.tournamentround",
                        verbose_name="tournament round",
                    ),
                ),
            ],
            options={
                "verbose_name": "tournament table",
                "verbose_name_plural": "tournament tables",
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(fields=("round", "number"), name="tournament_table_number_once"),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["played", "bye", "forfeit", "double_forfeit"])),
                        name="tournament_table_kind_known",
                    ),
                    models.CheckConstraint(condition=models.Q(("number__gte", 1)), name="tournament_table_from_one"),
                ],
            },
        ),
        migrations.CreateModel(
            name="TournamentSeat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField(help_text="From 0, who plays first.", verbose_name="seat")),
                ("place", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="place")),
                ("place_sum", models.PositiveIntegerField(blank=True, null=True, verbose_name="place sum")),
                ("game_points", models.IntegerField(blank=True, null=True, verbose_name="points in the games")),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.club",
                        verbose_name="club",
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="seats",
                        to="league.tournamententry",
                        verbose_name="tournament entry",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seats",
                        to="league.tournamenttable",
                        verbose_name="tournament table",
                    ),
                ),
            ],
            options={
                "verbose_name": "tournament seat",
                "verbose_name_plural": "tournament seats",
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(fields=("table", "number"), name="tournament_seat_once"),
                    models.UniqueConstraint(fields=("table", "entry"), name="tournament_seat_entry_once"),
                    models.CheckConstraint(
                        condition=models.Q(("place", None), ("place__gte", 1), _connector="OR"),
                        name="tournament_seat_place_from_one",
                    ),
                ],
            },
        ),
        migrations.RemoveConstraint(
            model_name="job",
            name="job_kind_known",
        ),
        migrations.AlterField(
            model_name="job",
            name="kind",
            field=models.CharField(
                choices=[
                    ("bot_match", "bot match"),
                    ("import", "import"),
                    ("import_undo", "taking back an import"),
                    ("pairing", "pairing of a tournament round"),
                ],
                max_length=20,
                verbose_name="kind",
            ),
        ),
        migrations.AddConstraint(
            model_name="job",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["bot_match", "import", "import_undo", "pairing"])),
                name="job_kind_known",
            ),
        ),
        migrations.AddField(
            model_name="session",
            name="table",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="sessions",
                to="league.tournamenttable",
                verbose_name="tournament table",
            ),
        ),
        migrations.AddConstraint(
            model_name="session",
            constraint=models.UniqueConstraint(
                condition=models.Q(("voided_at", None)), fields=("table",), name="session_once_a_tournament_table"
            ),
        ),
    ]
