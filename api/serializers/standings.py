"""A season's standings."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from api.serializers.base import FieldsField, QuerySerializer, id_field, search_field
from api.serializers.fields import MAX_ID, QueryIntegerField
from api.serializers.players import PlayerBriefSerializer
from api.serializers.seasons import SeasonSerializer
from api.serializers.sessions import session_url
from league.models import Division, Standing


class LastSessionSerializer(serializers.Serializer[Standing]):
    """The last session that counted for a player."""

    id = id_field(source="last_session_id")
    url = serializers.SerializerMethodField()
    played_on = serializers.DateField(source="last_session.played_on")
    place = serializers.IntegerField(source="last_place")

    def get_url(self, standing: Standing) -> str:
        return session_url(self.context["club"], standing.last_session_id)


class StandingDivisionSerializer(serializers.Serializer[Division]):
    """A part of a season with a table of its own."""

    id = id_field()
    level = serializers.IntegerField(help_text=_("1 is the highest."))
    name = serializers.CharField()


class StandingSerializer(serializers.Serializer[Standing]):
    """A player's line."""

    rank = serializers.IntegerField(
        allow_null=True,
        help_text=_("Shared by equal players; null below the season's minimum of sessions, or where nothing counts."),
    )
    player = PlayerBriefSerializer()
    sessions = serializers.IntegerField()
    place_total = serializers.IntegerField(help_text=_("The sum of the final places."))
    place_average = serializers.FloatField(help_text=_("place_total / sessions."))
    wins = serializers.IntegerField()
    value = serializers.SerializerMethodField(
        method_name="counted_value",
        help_text=_("What the season ranks by, its ranking_metric; null where nothing counts."),
    )
    counted = serializers.IntegerField(help_text=_("The sessions and missed evenings that make the value."))
    absences = serializers.IntegerField(help_text=_("Missed evenings, where the season counts them."))
    game_points = serializers.IntegerField(
        allow_null=True, help_text=_("The points of all rounds added up; null without any.")
    )
    division = StandingDivisionSerializer(
        allow_null=True, help_text=_("Whose table the rank is of; null in a season without divisions.")
    )
    last_session = LastSessionSerializer(source="*")

    def counted_value(self, standing: Standing) -> float | None:
        return standing.value if standing.counted else None


class StandingsQuerySerializer(QuerySerializer):
    """Which lines of the table to send, and what of each. Ranks are those of the whole table."""

    player = QueryIntegerField(min_value=1, max_value=MAX_ID, required=False)
    search = search_field(_("A part of the player's name, whatever its case."))
    fields = FieldsField(shape=StandingSerializer)  # type: ignore[assignment]  # a parameter of that name


class StandingsSerializer(serializers.Serializer[Any]):
    """A season's whole table, best first."""

    season = SeasonSerializer()
    results = StandingSerializer(many=True)
