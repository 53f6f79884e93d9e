"""Report files of tournaments: what goes with one, and what came of it."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from api.serializers.base import QuerySerializer, StrictSerializer, confirm_field, slug_field
from api.serializers.fields import BooleanField, ChoiceField, QueryIntegerField, TextField
from api.serializers.players import PlayerBriefSerializer
from league.services.report_files import KINDS
from league.services.tournament_files import FileInput
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
