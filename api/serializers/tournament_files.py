"""Report files of tournaments: what goes with one, and what came of it."""

from collections.abc import Iterable
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.errors import pointer
from api.serializers.base import QuerySerializer, StrictSerializer, confirm_field, id_field, shown, slug_field
from api.serializers.fields import BooleanField, ChoiceField, QueryIntegerField, TextField
from api.serializers.journal import JobSerializer
from api.serializers.players import PlayerBriefSerializer
from api.serializers.tournaments import tournament_url
from league.models import JobState, TournamentFile
from league.services import tournament_file_jobs
from league.services.errors import Problem
from league.services.report_files import KINDS
from league.services.tournament_files import FileInput, Imported
from league.services.tournament_formats import LARGEST_STAGES

# A body has room for no more.
MAX_CHARACTERS = 900_000
FORMATS = tuple(KINDS)


class ReportFileQuerySerializer(QuerySerializer):
    """Which part of the tournament to tell."""

    stage = QueryIntegerField(
        min_value=1,
        max_value=LARGEST_STAGES,
        required=False,
        help_text=_("The number of a stage; left out: the first that a file can tell."),
    )


class LinesField(serializers.CharField):
    """A text of many lines; what stands in them is looked at line by line."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class ReportFileSerializer(StrictSerializer):
    """A report file that is to become a tournament."""

    text = LinesField(
        max_length=MAX_CHARACTERS,
        trim_whitespace=False,
        help_text=_("The file itself (TRF16). Problems name its line, counted from 1, and the field there."),
    )
    game = TextField(max_length=30, help_text=_("Key of the game that was played: of the file's tables none says it."))
    name = TextField(max_length=100, default="", allow_blank=True, help_text=_("Left out: as in the file."))
    slug = slug_field(default="", allow_blank=True)
    format = ChoiceField(
        FORMATS, required=False, help_text=_("Of the stage. Left out: what the file says, else Swiss.")
    )
    preview = BooleanField(default=False, help_text=_("Only tell what would come of it; nothing is stored."))
    confirm = confirm_field()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        preview = attrs.pop("preview")
        return {"preview": preview, "file": FileInput(**attrs)}


class FoundPlayerSerializer(serializers.Serializer[Any]):
    """A name of the file and whom of the club it means."""

    name = serializers.CharField()
    player = PlayerBriefSerializer()


class FileWarningSerializer(serializers.Serializer[Any]):
    """What is odd in the file."""

    code = serializers.CharField()
    detail = serializers.CharField()


class ImportedFileSerializer(serializers.Serializer[Any]):
    """What came of a report file, or would."""

    url = serializers.CharField(allow_null=True, help_text=_("Of the new tournament; null of a preview."))
    name = serializers.CharField()
    slug = serializers.CharField()
    format = ChoiceField(FORMATS)
    scores = serializers.DictField(help_text=_("What the points in the file were counted by, where it is not usual."))
    planned_rounds = serializers.IntegerField()
    rounds = serializers.IntegerField(help_text=_("How many are paired."))
    tables = serializers.IntegerField(help_text=_("How many are played or to be played, as sessions."))
    byes = serializers.IntegerField()
    forfeits = serializers.IntegerField()
    matched = FoundPlayerSerializer(many=True)
    guests = serializers.ListField(child=serializers.CharField(), help_text=_("Who is new to the club."))
    withdrawn = serializers.ListField(
        child=serializers.CharField(), help_text=_("Who had no table in the last round, and is paired no more.")
    )
    warnings = FileWarningSerializer(many=True)


def told_of(found: Imported, url: str | None) -> dict[str, Any]:
    """What came of a file as `ImportedFileSerializer` shows it; `url`: of the tournament, None where there is none."""
    return {
        "url": url,
        "name": found.tournament.name,
        "slug": found.tournament.slug,
        "format": found.format,
        "scores": found.tournament.scores,
        "planned_rounds": found.planned,
        "rounds": found.rounds,
        "tables": found.tables,
        "byes": found.byes,
        "forfeits": found.forfeits,
        "matched": [{"name": name, "player": player} for name, player in found.matched.items()],
        "guests": found.guests,
        "withdrawn": found.withdrawn,
        "warnings": [{"code": one.code, "detail": one.message} for one in found.warnings],
    }


class FileProblemSerializer(serializers.Serializer[Any]):
    """What a job found wrong or odd in a file."""

    pointer = serializers.CharField(help_text=_("Where: of the text its line, counted from 1, and the field there."))
    code = serializers.CharField()
    detail = serializers.CharField()


class FileUnderWaySerializer(serializers.Serializer[TournamentFile]):
    """A large report file that a job looks at, or makes a tournament of."""

    id = id_field()
    url = serializers.SerializerMethodField(help_text=_("Ask here again until the job is over."))
    preview = serializers.BooleanField(
        source="looks", help_text=_("Whether nothing but what would come of it is stored.")
    )
    job = JobSerializer()
    problems = serializers.SerializerMethodField(help_text=_("Why the job failed, as far as the file is to blame."))
    confirm = serializers.SerializerMethodField(
        help_text=_("Codes of what is odd: the job failed for want of them in “confirm”.")
    )
    outcome = serializers.SerializerMethodField(
        help_text=_("What came of it, or would; null as long as no job has worked it out.")
    )

    def get_url(self, file: TournamentFile) -> str:
        return reverse("api:tournament-file", kwargs={"club": self.context["club"], "file_id": file.pk})

    @extend_schema_field(FileProblemSerializer(many=True))
    def get_problems(self, file: TournamentFile) -> list[dict[str, str]]:
        return _items([*tournament_file_jobs.problems_of(file), *_unconfirmed(file)])

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_confirm(self, file: TournamentFile) -> list[str]:
        return sorted({one.code for one in _unconfirmed(file)})

    @extend_schema_field(ImportedFileSerializer(allow_null=True))
    def get_outcome(self, file: TournamentFile) -> Any:
        found = tournament_file_jobs.imported(file)
        if found is None:
            return None
        club = self.context["club"]
        url = tournament_url(club, file.tournament_id) if file.tournament_id is not None else None
        return shown(ImportedFileSerializer, told_of(found, url), club=club)


def _unconfirmed(file: TournamentFile) -> Iterable[Problem]:
    return tournament_file_jobs.warnings_of(file) if file.job.state == JobState.FAILED else ()


def _items(problems: Iterable[Problem]) -> list[dict[str, str]]:
    return [{"pointer": pointer(one.path), "code": one.code, "detail": one.message} for one in problems]
