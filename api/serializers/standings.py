"""A season's standings."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from api.serializers.base import FieldsField, QuerySerializer, id_field, search_field
from api.serializers.fields import MAX_ID, QueryIntegerField
from api.serializers.players import PlayerBriefSerializer
from api.serializers.seasons import SeasonSerializer
from api.serializers.sessions import session_url
from league.models import Standing


class LastSessionSerializer(serializers.Serializer[Standing]):
    """The last session that counted for a player."""

    id = id_field(source="last_session_id")
    url = serializers.SerializerMethodField()
    played_on = serializers.DateField(source="last_session.played_on")
    place = serializers.IntegerField(source="last_place")

    def get_url(self, standing: Standing) -> str:
        return session_url(self.context["club"], standing.last_session_id)


class StandingSerializer(serializers.Serializer[Standing]):
    """A player's line."""

    rank = serializers.IntegerField(
        allow_null=True, help_text=_("Shared by equal players; null below the season's minimum of sessions.")
    )
    player = PlayerBriefSerializer()
    sessions = serializers.IntegerField()
    place_total = serializers.IntegerField(help_text=_("The sum of the final places."))
    place_average = serializers.FloatField(help_text=_("place_total / sessions."))
    wins = serializers.IntegerField()
    last_session = LastSessionSerializer(source="*")


class StandingsQuerySerializer(QuerySerializer):
    """Which lines of the table to send, and what of each. Ranks are those of the whole table."""

    player = QueryIntegerField(min_value=1, max_value=MAX_ID, required=False)
    search = search_field(_("A part of the player's name, whatever its case."))
    fields = FieldsField(shape=StandingSerializer)  # type: ignore[assignment]  # a parameter of that name


class StandingsSerializer(serializers.Serializer[Any]):
    """A season's whole table, best first."""

    season = SeasonSerializer()
    results = StandingSerializer(many=True)
