"""Planned evenings and who comes."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from api.serializers.base import (
    ChangeSerializer,
    PageQuerySerializer,
    StrictSerializer,
    id_field,
    ordering_field,
)
from api.serializers.fields import (
    MAX_ID,
    ChoiceField,
    IntegerField,
    QueryBooleanField,
    QueryIntegerField,
    TextField,
    TimeField,
)
from api.serializers.players import PlayerBriefSerializer
from league.models import SignUpState
from league.services.planned_evenings import ANSWERS, LARGEST_CAPACITY, LONGEST


class EveningSerializer(serializers.Serializer[Any]):
    """An evening on which the club means to play."""

    id = id_field()
    season = id_field(source="season_id", allow_null=True)
    starts_at = serializers.DateTimeField()
    location = serializers.CharField(allow_blank=True)
    note = serializers.CharField(allow_blank=True)
    capacity = serializers.IntegerField(allow_null=True, help_text=_("How many can come; null: all who want to."))
    coming = serializers.IntegerField(help_text=_("How many come."))
    waiting = serializers.IntegerField(help_text=_("How many are on the waiting list."))
    cancelled_at = serializers.DateTimeField(allow_null=True, help_text=_("When it was called off, if it was."))
    revision = serializers.IntegerField(help_text=_("Counts the changes."))
    created_at = serializers.DateTimeField()


class _EveningFields(StrictSerializer):
    season = id_field(required=False, allow_null=True, help_text=_("The id of an open season."))
    location = TextField(max_length=LONGEST["location"], required=False, allow_blank=True)
    note = TextField(max_length=LONGEST["note"], required=False, allow_blank=True)
    capacity = IntegerField(
        min_value=1,
        max_value=LARGEST_CAPACITY,
        required=False,
        allow_null=True,
        help_text=_("How many can come; who signs up when all places are taken waits. null: all who want to."),
    )


class NewEveningSerializer(_EveningFields):
    """An evening to be planned."""

    starts_at = TimeField(help_text=_("From now on, within five years."))


class EveningChangeSerializer(_EveningFields, ChangeSerializer):
    """What to change of an evening. Other places move players to and from the waiting list."""

    starts_at = TimeField(required=False)

    def validate(self, attrs: Any) -> dict[str, object]:
        return dict(super().validate(attrs))


class SignUpSerializer(serializers.Serializer[Any]):
    """A player's word on an evening."""

    player = PlayerBriefSerializer()
    state = ChoiceField(SignUpState.choices)
    since = serializers.DateTimeField(help_text=_("When the player said so: the waiting list is in this order."))


class NewSignUpSerializer(StrictSerializer):
    """That a player comes, or does not."""

    player = id_field(
        required=False, help_text=_("The id of the player. Left out: the player of whoever is logged in.")
    )
    state = ChoiceField([(one.value, one.label) for one in ANSWERS])


class EveningQuerySerializer(PageQuerySerializer):
    """Which evenings to list."""

    season = QueryIntegerField(min_value=1, max_value=MAX_ID, required=False)
    over = QueryBooleanField(required=False, help_text=_("Those that are over, or those that are not."))
    cancelled = QueryBooleanField(required=False)
    ordering = ordering_field("id", "starts_at")
