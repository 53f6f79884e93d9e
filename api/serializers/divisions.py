"""Divisions of a season, and the season that follows."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from api.serializers.base import (
    ChangeSerializer,
    PageQuerySerializer,
    StrictSerializer,
    id_field,
    ordering_field,
    slug_field,
)
from api.serializers.fields import DateField, IntegerField, TextField
from api.serializers.players import PlayerBriefSerializer
from league.models import DivisionPlayer
from league.services.divisions import LARGEST_DIVISIONS, LARGEST_MOVES

_MOST_PLAYERS = 1000


class DivisionSerializer(serializers.Serializer[Any]):
    """A part of a season with a table of its own."""

    id = id_field()
    season = id_field(source="season_id")
    level = serializers.IntegerField(help_text=_("1 is the highest."))
    name = serializers.CharField()
    promoted = serializers.IntegerField(help_text=_("How many of the top move up for the next season."))
    relegated = serializers.IntegerField(help_text=_("How many of the bottom move down for the next season."))


class _DivisionFields(StrictSerializer):
    level = IntegerField(
        min_value=1,
        max_value=LARGEST_DIVISIONS,
        required=False,
        help_text=_("1 is the highest; those at this level and below make room."),
    )
    promoted = IntegerField(min_value=0, max_value=LARGEST_MOVES, required=False)
    relegated = IntegerField(min_value=0, max_value=LARGEST_MOVES, required=False)


class NewDivisionSerializer(_DivisionFields):
    """A division to be made, below all others where it names no level."""

    name = TextField(max_length=100)


class DivisionChangeSerializer(_DivisionFields, ChangeSerializer):
    """What to change of a division."""

    name = TextField(max_length=100, required=False)

    def validate(self, attrs: Any) -> dict[str, object]:
        return dict(super().validate(attrs))


class DivisionPlayerSerializer(serializers.Serializer[DivisionPlayer]):
    """A player of a division."""

    player = PlayerBriefSerializer()


def _ids(**kwargs: Any) -> serializers.ListField:
    return serializers.ListField(child=id_field(), max_length=_MOST_PLAYERS, required=False, **kwargs)


class DivisionPlayersChangeSerializer(ChangeSerializer):
    """Who plays in the division from now on, and who does not any more."""

    add = _ids(help_text=_("Ids of players; they leave the division that they were in."))
    remove = _ids(help_text=_("Ids of players who are in no division then."))


class FollowingSeasonSerializer(StrictSerializer):
    """The season that follows: what is not named here is as in the one before."""

    name = TextField(max_length=100)
    slug = slug_field(default="", allow_blank=True)
    starts_on = DateField()
    ends_on = DateField(required=False, allow_null=True)
    promoted = _ids(help_text=_("Ids of those who move up of players who share the rank where the line is."))
    relegated = _ids(help_text=_("Ids of those who move down of players who share the rank where the line is."))


class DivisionQuerySerializer(PageQuerySerializer):
    """How to list divisions."""

    ordering = ordering_field("id", "level")
