"""Players."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from api.serializers.base import ChangeSerializer, PageQuerySerializer, StrictSerializer, id_field
from api.serializers.fields import BooleanField, ChoiceField, QueryBooleanField, TextField
from league.models import Player, PlayerKind


class PlayerBriefSerializer(serializers.Serializer[Player]):
    """A player, as named in results."""

    id = id_field()
    name = serializers.CharField()


class PlayerSerializer(serializers.Serializer[Player]):
    """A person or bot who plays in the club."""

    id = id_field()
    name = serializers.CharField()
    kind = ChoiceField(PlayerKind.choices)
    bot = serializers.CharField(allow_blank=True, help_text=_("Which bot plays; empty for people."))
    is_guest = BooleanField()
    member = id_field(source="member_id", allow_null=True, help_text=_("The member who this player is, if any."))
    archived_at = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()


class NewPlayerSerializer(StrictSerializer):
    """A player to be added."""

    name = TextField(max_length=60, help_text=_("Unique in the club, whatever its case."))
    kind = ChoiceField(PlayerKind.choices, default=PlayerKind.PERSON)
    bot = TextField(max_length=30, default="", allow_blank=True, help_text=_("Which bot plays; empty for people."))
    is_guest = BooleanField(default=False)
    member = id_field(default=None, allow_null=True, help_text=_("The id of the member who this player is."))


class PlayerChangeSerializer(ChangeSerializer):
    """What to change of a player."""

    name = TextField(max_length=60, required=False)
    is_guest = BooleanField(required=False)
    member = id_field(required=False, allow_null=True)
    archived = BooleanField(required=False, help_text=_("Archived players can't be named in new results."))

    def validate(self, attrs: Any) -> dict[str, object]:
        changes: dict[str, object] = dict(super().validate(attrs))
        if "member" in changes:
            changes["member_id"] = changes.pop("member")
        return changes


class PlayerQuerySerializer(PageQuerySerializer):
    """Which players to list."""

    kind = ChoiceField(PlayerKind.choices, required=False)
    archived = QueryBooleanField(required=False)
