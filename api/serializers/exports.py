"""Files of a club: what their addresses take, and the links into BG Stats."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from api.serializers.base import QuerySerializer
from api.serializers.fields import ChoiceField, DateField, QuerySeasonField
from api.serializers.players import PlayerBriefSerializer
from league.exchange.csv_tables import DELIMITERS, SESSION_HEADERS


class TableQuerySerializer(QuerySerializer):
    """How a CSV table is written."""

    language = ChoiceField(
        tuple(SESSION_HEADERS), required=False, help_text=_("Of the header names. Left out: the one asked for.")
    )
    delimiter = ChoiceField(
        tuple(DELIMITERS),
        required=False,
        help_text=_("What parts the cells. Left out: comma in English, semicolon in German."),
    )


class SessionRowsQuerySerializer(QuerySerializer):
    """Which sessions a file holds."""

    season = QuerySeasonField(required=False, help_text=_("The season's id, or league/season."))
    played_from = DateField(required=False, help_text=_("The first day."))
    played_until = DateField(required=False, help_text=_("The last day."))


class SessionTableQuerySerializer(TableQuerySerializer, SessionRowsQuerySerializer):
    """Which sessions a CSV table holds, and how it is written."""


class SessionRowSerializer(serializers.Serializer[dict[str, Any]]):
    """A player's score in a round, with what its session has."""

    session = serializers.IntegerField(help_text=_("The session's id."))
    date = serializers.DateField()
    format = serializers.CharField()
    planned = serializers.IntegerField(help_text=_("The planned rounds of the session."))
    location = serializers.CharField(allow_blank=True)
    comment = serializers.CharField(allow_blank=True)
    round = serializers.IntegerField(help_text=_("From 1."))
    game = serializers.CharField(help_text=_("The key of the game."))
    note = serializers.CharField(allow_blank=True)
    seat = serializers.IntegerField(help_text=_("From 1."))
    player = serializers.CharField()
    points = serializers.IntegerField(allow_null=True)
    place = serializers.IntegerField(allow_null=True)


class BgStatsLinkSerializer(serializers.Serializer[dict[str, Any]]):
    """A link that opens BG Stats with the session filled in, the player first."""

    player = PlayerBriefSerializer()
    url = serializers.URLField()


class BgStatsLinkListSerializer(serializers.Serializer[dict[str, Any]]):
    """The links of a session, one a participant; none while it goes on. All on one page."""

    results = BgStatsLinkSerializer(many=True)
    next = serializers.CharField(allow_null=True)
