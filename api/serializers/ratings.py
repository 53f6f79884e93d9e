"""Ratings of players, now and after each session."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from api.serializers.base import PageQuerySerializer, id_field, ordering_field, search_field
from api.serializers.fields import MAX_ID, BooleanField, ChoiceField, QueryBooleanField, QueryIntegerField
from api.serializers.players import PlayerBriefSerializer
from api.serializers.sessions import session_url
from league.models import PlayerKind, RatingBoard, RatingChange
from league.models.ratings import FAMILIES

_FAMILIES = [(family, family) for family in FAMILIES]


class _RatedSerializer(serializers.Serializer[Any]):
    board = ChoiceField(RatingBoard.choices)
    family = ChoiceField(_FAMILIES, help_text=_("The family of games; own: all games of the club itself."))
    value = serializers.FloatField(help_text=_("What pages show, rounded; 1500 is where everybody begins."))
    mu = serializers.FloatField(
        help_text=_("The mean of what is believed of the player's strength; on the cooperative board the skill.")
    )
    sigma = serializers.FloatField(help_text=_("Its standard deviation: how uncertain the mean is."))
    results = serializers.IntegerField(help_text=_("Of how many rounds."))
    provisional = BooleanField(source="is_provisional", help_text=_("Whether these are too few to stand in a ranking."))


class RatingSerializer(_RatedSerializer):
    """A player's rating now."""

    player = PlayerBriefSerializer()


class RatedSessionSerializer(serializers.Serializer[RatingChange]):
    """The session after which a rating was this."""

    id = id_field(source="session_id")
    url = serializers.SerializerMethodField()
    played_on = serializers.DateField()

    def get_url(self, change: RatingChange) -> str:
        return session_url(self.context["club"], change.session_id)


class RatingChangeSerializer(_RatedSerializer):
    """A player's rating after a session."""

    session = RatedSessionSerializer(source="*")


class PlayerRatingsSerializer(serializers.Serializer[Any]):
    """A player's ratings now, and what they were after each session, a page at a time."""

    current = RatingSerializer(many=True)
    results = RatingChangeSerializer(many=True)
    next = serializers.CharField(
        allow_null=True, help_text=_("The address of the next page, relative to the server; null on the last.")
    )


class _BoardQuerySerializer(PageQuerySerializer):
    board = ChoiceField(RatingBoard.choices, required=False)
    family = ChoiceField(_FAMILIES, required=False)


class RatingQuerySerializer(_BoardQuerySerializer):
    """Which ratings to list."""

    player = QueryIntegerField(min_value=1, max_value=MAX_ID, required=False)
    kind = ChoiceField(PlayerKind.choices, required=False, help_text=_("Of people or of bots."))
    archived = QueryBooleanField(required=False, help_text=_("Of archived players, or of all others."))
    search = search_field(_("A part of the player's name, whatever its case."))
    ordering = ordering_field("value", "results")


class RatingChangeQuerySerializer(_BoardQuerySerializer):
    """Which part of the history to list."""

    ordering = ordering_field("played_on")
