"""Bot matches in chunks, jobs with parts, and the results that everybody's cooperative games are measured by."""

import json
import zlib
from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.migrations.state import StateApps


def into_chunks(apps: StateApps, schema_editor: Any) -> None:
    """Every match that was played becomes one chunk, packed as games/series.py packs; one that waits gets its part."""
    if schema_editor.connection.vendor == "postgresql":
        # Else the rows' checks wait for the end of the transaction, and until then no index is made of their table.
        schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    matches = apps.get_model("league", "BotMatch")
    chunks = apps.get_model("league", "BotMatchChunk")
    jobs = apps.get_model("league", "Job")
    families = ("xxl-1", "xxl-2", "xxl-3", "xxl-4", "xxl-5", "xxl-6", "xxl-6-plus")
    for match in matches.objects.select_related("job").prefetch_related("seats").iterator(chunk_size=50):
        if match.deals > 1:
            match.format = "individual_xxl" if match.game in families else "series"
            match.save(update_fields=["format"])
        if match.job.state in ("queued", "running"):
            jobs.objects.filter(pk=match.job_id).update(state="queued", lease_until=None, rung_at=None, done=0)
            part = jobs.objects.create(club_id=match.club_id, kind="bot_chunk", parent=match.job, total=match.deals)
            chunks.objects.create(
                club_id=match.club_id, bot_match=match, job=part, first_deal=0, deals=match.deals
            )
        if not match.records:
            continue
        scores = _scores(apps, match)
        tally, deals = _counted(match, scores)
        versions = {match.game: match.records[0]["version"]}
        packed = zlib.compress(json.dumps([versions, deals], separators=(",", ":")).encode(), 9)
        chunks.objects.create(
            club_id=match.club_id,
            bot_match=match,
            first_deal=0,
            deals=len(deals),
            tally=tally,
            records=packed,
        )


def _scores(apps: StateApps, match: Any) -> list[list[tuple[int, int | None]]]:
    """Of each round of the session: points and place by seat."""
    seats = [seat.player_id for seat in match.seats.order_by("number")]
    found: dict[int, dict[int, tuple[int, int | None]]] = {}
    rows = apps.get_model("league", "Score").objects.filter(round__session=match.session_id)
    for number, player, points, place in rows.values_list("round__number", "player_id", "points", "place"):
        found.setdefault(number, {})[player] = (points or 0, place)
    return [[found[number][player] for player in seats] for number in sorted(found)]


def _counted(match: Any, scores: list[list[tuple[int, int | None]]]) -> tuple[dict[str, Any], list[list[Any]]]:
    """The tally, and a line a deal: game, points, places (none in a cooperative game), no reason, moves."""
    seats = match.seats.count()
    tally: dict[str, Any] = {key: [0] * seats for key in ("scores", "places", "squares", "firsts")}
    tally |= {"deals": len(match.records), "ends": {"": len(match.records)}, "results": {}}
    lines = []
    for record, of_deal in zip(match.records, scores, strict=True):
        places = [place for _points, place in of_deal if place is not None]
        for seat, (points, place) in enumerate(of_deal):
            tally["scores"][seat] += points
            if place is not None:
                tally["places"][seat] += place
                tally["squares"][seat] += place * place
                tally["firsts"][seat] += place == 1
        if not places:
            result = str(of_deal[0][0])
            tally["results"][result] = tally["results"].get(result, 0) + 1
        moves = "|".join(word for _seat, word in record["moves"])
        lines.append([match.game, [points for points, _place in of_deal], places or None, "", moves])
    return tally, lines


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0008_tournaments"),
    ]

    operations = [
        migrations.CreateModel(
            name="BotMatchChunk",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("first_deal", models.PositiveIntegerField(help_text="Counted from 0.", verbose_name="first deal")),
                ("deals", models.PositiveIntegerField(verbose_name="deals")),
                (
                    "tally",
                    models.JSONField(
                        blank=True,
                        help_text="The sums of its deals by seat (games/series.py); empty: not played.",
                        null=True,
                        verbose_name="tally",
                    ),
                ),
                ("records", models.BinaryField(blank=True, null=True, verbose_name="records")),
                (
                    "bot_match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="chunks",
                        to="league.botmatch",
                        verbose_name="bot match",
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
                    "job",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="chunk",
                        to="league.job",
                        verbose_name="job",
                    ),
                ),
            ],
            options={
                "verbose_name": "chunk of a bot match",
                "verbose_name_plural": "chunks of bot matches",
                "ordering": ["first_deal"],
                "constraints": [
                    models.UniqueConstraint(fields=("bot_match", "first_deal"), name="bot_match_chunk_once"),
                    models.CheckConstraint(condition=models.Q(("deals__gte", 1)), name="bot_match_chunk_has_a_deal"),
                ],
            },
        ),
        migrations.CreateModel(
            name="ParTally",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "game",
                    models.CharField(help_text="Key in the catalogue of games.", max_length=30, verbose_name="game"),
                ),
                ("seats", models.PositiveSmallIntegerField(verbose_name="seats")),
                (
                    "options",
                    models.CharField(help_text="As JSON, keys in order.", max_length=200, verbose_name="options"),
                ),
                ("bot", models.CharField(max_length=30, verbose_name="bot")),
                (
                    "version",
                    models.CharField(
                        help_text="Which state of game and bot played.", max_length=64, verbose_name="version"
                    ),
                ),
                ("games", models.PositiveIntegerField(default=0, verbose_name="games")),
                (
                    "counts",
                    models.JSONField(
                        default=dict, help_text="How many games ended with each result.", verbose_name="counts"
                    ),
                ),
            ],
            options={
                "verbose_name": "par of a cooperative game",
                "verbose_name_plural": "par of cooperative games",
                "ordering": ["game", "seats", "options"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("game", "seats", "options", "bot", "version"), name="par_tally_once"
                    )
                ],
            },
        ),
        migrations.RemoveConstraint(
            model_name="botmatch",
            name="bot_match_1_to_100_deals",
        ),
        migrations.RemoveConstraint(
            model_name="job",
            name="job_state_known",
        ),
        migrations.RemoveConstraint(
            model_name="job",
            name="job_runs_on_a_lease",
        ),
        migrations.RemoveConstraint(
            model_name="job",
            name="job_kind_known",
        ),
        migrations.AddField(
            model_name="botmatch",
            name="engine",
            field=models.CharField(
                blank=True,
                help_text="Which state of games and bots it was asked of.",
                max_length=64,
                verbose_name="engine",
            ),
        ),
        migrations.AddField(
            model_name="botmatch",
            name="format",
            field=models.CharField(
                choices=[
                    ("pure_xxl", "Pure XXL"),
                    ("individual_xxl", "Individual XXL"),
                    ("single_game", "single game"),
                    ("series", "series of one game"),
                ],
                default="single_game",
                max_length=14,
                verbose_name="format",
            ),
        ),
        migrations.AddField(
            model_name="botmatch",
            name="options",
            field=models.JSONField(
                blank=True, default=dict, help_text="What was agreed on for all deals.", verbose_name="options"
            ),
        ),
        migrations.AddField(
            model_name="job",
            name="language",
            field=models.CharField(
                blank=True, help_text="Of whoever asked for it.", max_length=10, verbose_name="language"
            ),
        ),
        migrations.AddField(
            model_name="job",
            name="deadline_at",
            field=models.DateTimeField(
                blank=True,
                help_text="What is not done by then has failed; empty: no limit.",
                null=True,
                verbose_name="deadline",
            ),
        ),
        migrations.AddField(
            model_name="job",
            name="parent",
            field=models.ForeignKey(
                blank=True,
                help_text="The job that ends with its parts; empty for a job of its own.",
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="parts",
                to="league.job",
                verbose_name="part of",
            ),
        ),
        migrations.AddField(
            model_name="job",
            name="trace",
            field=models.TextField(
                blank=True, help_text="Where the last fault of the server was: for operators.", verbose_name="trace"
            ),
        ),
        migrations.AlterField(
            model_name="botmatch",
            name="deals",
            field=models.PositiveIntegerField(default=1, verbose_name="deals"),
        ),
        migrations.AlterField(
            model_name="botmatch",
            name="game",
            field=models.CharField(
                blank=True,
                help_text="Key in the catalogue of games; empty for Pure XXL.",
                max_length=30,
                verbose_name="game",
            ),
        ),
        migrations.AlterField(
            model_name="job",
            name="kind",
            field=models.CharField(
                choices=[
                    ("bot_match", "bot match"),
                    ("bot_chunk", "part of a bot match"),
                    ("par", "par of a cooperative game"),
                    ("import", "import"),
                    ("import_undo", "taking back an import"),
                    ("pairing", "pairing of a tournament round"),
                ],
                max_length=20,
                verbose_name="kind",
            ),
        ),
        migrations.AlterField(
            model_name="job",
            name="state",
            field=models.CharField(
                choices=[
                    ("queued", "queued"),
                    ("running", "running"),
                    ("done", "done"),
                    ("failed", "failed"),
                    ("cancelled", "cancelled"),
                ],
                default="queued",
                max_length=9,
                verbose_name="state",
            ),
        ),
        migrations.AddConstraint(
            model_name="botmatch",
            constraint=models.CheckConstraint(
                condition=models.Q(("deals__gte", 1), ("deals__lte", 100000)), name="bot_match_1_to_100000_deals"
            ),
        ),
        migrations.AddConstraint(
            model_name="botmatch",
            constraint=models.CheckConstraint(
                condition=models.Q(("format__in", ["pure_xxl", "individual_xxl", "single_game", "series"])),
                name="bot_match_format_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="botmatch",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("format", "pure_xxl"), ("game", "")),
                    models.Q(models.Q(("format", "pure_xxl"), _negated=True), models.Q(("game", ""), _negated=True)),
                    _connector="OR",
                ),
                name="bot_match_game_unless_pure_xxl",
            ),
        ),
        migrations.AddConstraint(
            model_name="job",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["bot_match", "bot_chunk", "par", "import", "import_undo", "pairing"])),
                name="job_kind_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="job",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["queued", "running", "done", "failed", "cancelled"])),
                name="job_state_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="job",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state", "running"), _negated=True),
                    ("lease_until__isnull", False),
                    ("kind", "bot_match"),
                    _connector="OR",
                ),
                name="job_runs_on_a_lease",
            ),
        ),
        # Last: PostgreSQL alters no table whose rows were changed in the same transaction.
        migrations.RunPython(into_chunks, migrations.RunPython.noop),
    ]
