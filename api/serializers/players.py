"""Players."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from api.serializers.base import (
    ChangeSerializer,
    FieldsField,
    PageQuerySerializer,
    StrictSerializer,
    confirm_field,
    id_field,
    ordering_field,
    search_field,
)
from api.serializers.fields import MAX_ID, BooleanField, ChoiceField, QueryBooleanField, QueryIntegerField, TextField
from league.models import Player, PlayerKind


class PlayerBriefSerializer(serializers.Serializer[Player]):
    """A player, as named in results."""

    id = id_field()
    name = serializers.CharField()


class PlayerSerializer(serializers.Serializer[Player]):
    """A person or bot who plays in the club."""

    id = id_field()
    name = serializers.CharField()
    nickname = serializers.CharField(
        allow_blank=True, help_text=_("Shown instead of the name to all but members; empty: the name is.")
    )
    kind = ChoiceField(PlayerKind.choices)
    bot = serializers.CharField(allow_blank=True, help_text=_("Which bot plays; empty for people."))
    is_guest = BooleanField()
    member = id_field(source="member_id", allow_null=True, help_text=_("The member who this player is, if any."))
    archived_at = serializers.DateTimeField(allow_null=True)
    merged_into = id_field(
        source="merged_into_id", allow_null=True, help_text=_("The player who has this one's results now, if any.")
    )
    erased_at = serializers.DateTimeField(
        allow_null=True, help_text=_("Since when this player is nobody known; results stay.")
    )
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
    nickname = TextField(
        max_length=60, required=False, allow_blank=True, help_text=_("Shown instead of the name to all but members.")
    )
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
    guest = QueryBooleanField(required=False)
    member = QueryIntegerField(min_value=1, max_value=MAX_ID, required=False, help_text=_("The id of a member."))
    search = search_field(_("A part of the name, whatever its case."))
    ordering = ordering_field("id", "name")
    fields = FieldsField(shape=PlayerSerializer)  # type: ignore[assignment]  # a parameter of that name


class MergeSerializer(StrictSerializer):
    """Whose the results are from now on."""

    into = id_field(help_text=_("The id of the player who remains."))


class EraseSerializer(StrictSerializer):
    """That a person is to be forgotten."""

    confirm = confirm_field()
