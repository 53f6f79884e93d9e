"""Imports of files of other programs."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.pagination import DEFAULT_LIMIT, MAX_LIMIT
from api.serializers.base import ChangeSerializer, QuerySerializer, StrictSerializer, id_field, many
from api.serializers.bot_matches import ProgressSerializer
from api.serializers.fields import (
    BooleanField,
    ChoiceField,
    QueryIntegerField,
    SeasonReferenceField,
    TextField,
)
from api.serializers.seasons import SeasonBriefSerializer
from league.exchange.plays import MAX_GAME_NAME, MAX_NAME
from league.models import ImportBatch, ImportSource, ImportState
from league.services.import_preview import NEW, SKIP, GameDecision, PlayerDecision
from league.services.imports import DUPLICATES, REPEATED

MAX_NAMES = 1000
PLAYER_ACTIONS = ("player", NEW, SKIP)
GAME_ACTIONS = ("game", NEW, SKIP)


class ImportUploadQuerySerializer(QuerySerializer):
    """What goes with a file."""

    name = TextField(max_length=200, default="", allow_blank=True, help_text=_("The file's name, shown in lists."))


class ImportProblemQuerySerializer(QuerySerializer):
    """The parameters of the list of problems."""

    limit = QueryIntegerField(
        min_value=1, max_value=MAX_LIMIT, default=DEFAULT_LIMIT, help_text=_("How many rows a page has at most.")
    )
    cursor = QueryIntegerField(
        min_value=1, max_value=10**6, default=0, help_text=_("Where the page begins: take it from “next”.")
    )


class ImportPersonSerializer(serializers.Serializer[Any]):
    """A player of the club."""

    id = id_field()
    name = serializers.CharField()


class ImportPlayerSerializer(serializers.Serializer[Any]):
    """A name of the file and whom it means."""

    name = serializers.CharField()
    plays = serializers.IntegerField(help_text=_("In how many plays."))
    action = ChoiceField(
        ("", *PLAYER_ACTIONS), help_text=_("What is decided or follows by itself; empty while a person has to say.")
    )
    player = ImportPersonSerializer(allow_null=True)
    suggestions = ImportPersonSerializer(many=True, help_text=_("Players with a name that is much alike."))


class ImportGameSerializer(serializers.Serializer[Any]):
    """A game of the file and which game it is."""

    name = serializers.CharField()
    plays = serializers.IntegerField(help_text=_("In how many plays."))
    action = ChoiceField(("", *GAME_ACTIONS), help_text=_("Empty while a person has to say."))
    game = serializers.CharField(allow_null=True, help_text=_("The key of the game."))
    suggestions = serializers.ListField(
        child=serializers.CharField(), help_text=_("Keys of games with a title that is much alike.")
    )
    high_wins = serializers.BooleanField(allow_null=True, help_text=_("As the file shows it; null where it does not."))
    cooperative = serializers.BooleanField()
    decided = serializers.BooleanField(help_text=_("False for a new game of which nobody said which score wins."))


class ImportPreviewSerializer(serializers.Serializer[Any]):
    """What the import would do."""

    counts = serializers.DictField(
        child=serializers.IntegerField(),
        help_text=_(
            "Plays by what becomes of them: ready (will be stored), imported (is here from this program), duplicate "
            "(the same result is here from elsewhere), skipped, undecided, problem."
        ),
    )
    first_day = serializers.DateField(allow_null=True)
    last_day = serializers.DateField(allow_null=True)
    players = ImportPlayerSerializer(many=True)
    games = ImportGameSerializer(many=True)
    repeated = serializers.IntegerField(help_text=_("Rows that stand for several plays each (BoardGameGeek)."))
    undecided = serializers.ListField(
        child=ChoiceField(("players", "games", "repeated")), help_text=_("What has to be decided before it is applied.")
    )


class ImportOutcomeSerializer(serializers.Serializer[Any]):
    """What the import did."""

    counts = serializers.DictField(
        child=serializers.IntegerField(),
        help_text=_("Plays by what became of them: stored, imported, duplicate, skipped, problem."),
    )
    created_players = serializers.IntegerField(help_text=_("How many players were made."))
    created_games = serializers.IntegerField(help_text=_("How many games of the club were made."))
    kept = serializers.IntegerField(help_text=_("Sessions that could not be taken back."))
    kept_because = serializers.ListField(child=serializers.CharField())


class ImportBriefSerializer(serializers.Serializer[ImportBatch]):
    """An import in a list."""

    id = id_field()
    url = serializers.SerializerMethodField(help_text=_("Ask here again until the state changes."))
    file_name = serializers.CharField()
    source = ChoiceField(ImportSource.choices)  # type: ignore[assignment]  # a field's own attribute has that name
    state = ChoiceField(ImportState.choices)
    season = SeasonBriefSerializer(allow_null=True)
    progress = serializers.SerializerMethodField(help_text=_("Null before a job works on it."))
    error = serializers.SerializerMethodField(help_text=_("Why the job failed; it may be asked for again."))
    problems = serializers.SerializerMethodField(help_text=_("How many problems there are; see their own list."))
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)

    def get_url(self, batch: ImportBatch) -> str:
        return reverse("api:import", kwargs={"club": self.context["club"], "import_id": batch.pk})

    @extend_schema_field(ProgressSerializer(allow_null=True))
    def get_progress(self, batch: ImportBatch) -> dict[str, int] | None:
        return None if batch.job is None else {"done": batch.job.done, "total": batch.job.total}

    def get_error(self, batch: ImportBatch) -> str:
        return "" if batch.job is None else batch.job.error

    def get_problems(self, batch: ImportBatch) -> int:
        found: int = batch.outcome.get("preview", batch.outcome).get("problems_total", 0)
        return found


class ImportSerializer(ImportBriefSerializer):
    """An import: its preview until it is applied, its outcome from then on."""

    preview = serializers.SerializerMethodField()
    outcome = serializers.SerializerMethodField()

    @extend_schema_field(ImportPreviewSerializer(allow_null=True))
    def get_preview(self, batch: ImportBatch) -> Any:
        preview = batch.outcome.get("preview")
        return None if preview is None else ImportPreviewSerializer(preview).data

    @extend_schema_field(ImportOutcomeSerializer(allow_null=True))
    def get_outcome(self, batch: ImportBatch) -> Any:
        if "counts" not in batch.outcome:
            return None
        return {
            "counts": batch.outcome["counts"],
            "created_players": len(batch.created_players),
            "created_games": len(batch.created_games),
            "kept": batch.outcome.get("kept", 0),
            "kept_because": batch.outcome.get("kept_because", []),
        }


class ImportProblemSerializer(serializers.Serializer[Any]):
    """What is wrong or odd."""

    line = serializers.IntegerField(
        allow_null=True, help_text=_("The line of a table, else the number of the play from 1; null: all of the file.")
    )
    code = serializers.CharField()
    is_error = serializers.BooleanField(help_text=_("Whether the play was left out for it."))
    message = serializers.CharField()


class PlayerDecisionSerializer(StrictSerializer):
    """Whom a name means."""

    name = TextField(max_length=MAX_NAME, help_text=_("As in the file, whatever its case."))
    action = ChoiceField(PLAYER_ACTIONS, help_text=_("With “skip” all plays with that name are left out."))
    player = id_field(default=None, allow_null=True, help_text=_("The player's id, for the action “player”."))


class GameDecisionSerializer(StrictSerializer):
    """Which game a name means."""

    name = TextField(max_length=MAX_GAME_NAME, help_text=_("As in the file, whatever its case."))
    action = ChoiceField(GAME_ACTIONS, help_text=_("With “new” the club gets a game of its own."))
    game = TextField(max_length=30, default="", help_text=_("The game's key, for the action “game”."))
    high_wins = BooleanField(default=None, allow_null=True, help_text=_("Of a new game: whether most points win."))
    cooperative = BooleanField(default=None, allow_null=True, help_text=_("Of a new game."))


class ImportDecisionsSerializer(ChangeSerializer):
    """What is decided; what is not named stays as it is."""

    default_error_messages = {"name_twice": _("Decide on each name once.")}

    players = many(PlayerDecisionSerializer, max_length=MAX_NAMES, required=False)
    games = many(GameDecisionSerializer, max_length=MAX_NAMES, required=False)
    repeated = ChoiceField(
        REPEATED, required=False, help_text=_("Rows that stand for several plays: store one play each, or none.")
    )
    duplicates = ChoiceField(
        DUPLICATES, required=False, help_text=_("Results that are here from elsewhere: leave out, or store once more.")
    )
    season = SeasonReferenceField(required=False, allow_null=True, help_text=_("Null: the sessions enter no table."))

    def validate(self, attrs: Any) -> Any:
        attrs = super().validate(attrs)
        for field in {"players", "games"} & attrs.keys():
            if len({one["name"] for one in attrs[field]}) < len(attrs[field]):
                raise serializers.ValidationError({field: [self._error("name_twice")]})
        if "players" in attrs:
            attrs["players"] = {one["name"]: PlayerDecision(one["action"], one["player"]) for one in attrs["players"]}
        if "games" in attrs:
            attrs["games"] = {
                one["name"]: GameDecision(one["action"], one["game"], one["high_wins"], one["cooperative"])
                for one in attrs["games"]
            }
        return attrs
