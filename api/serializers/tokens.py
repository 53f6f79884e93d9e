"""API tokens."""

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from api.serializers.base import StrictSerializer, id_field
from api.serializers.fields import ChoiceField, IntegerField, TextField, TimeField
from league.models import ApiToken, Scope
from league.services.table_links import LONGEST_HOURS, USUAL_HOURS
from league.services.tokens import MAXIMUM_RATE_LIMIT, SCOPES


class TokenSerializer(serializers.Serializer[ApiToken]):
    """A token, without its secret."""

    id = id_field()
    name = serializers.CharField()
    prefix = serializers.CharField(help_text=_("The public part: tl_PREFIX_…"))
    scope = ChoiceField(Scope.choices)
    session = serializers.IntegerField(
        source="session_id", allow_null=True, help_text=_("Of a table link: the one session that it opens.")
    )
    rate_limit = serializers.IntegerField(
        allow_null=True, help_text=_("Requests a minute; null: as many as the installation allows.")
    )
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True)
    revoked_at = serializers.DateTimeField(allow_null=True)
    last_used_at = serializers.DateTimeField(allow_null=True, help_text=_("To the minute."))


class CreatedTokenSerializer(TokenSerializer):
    """A new token with its secret, which is shown this once."""

    token = serializers.CharField(help_text=_("The whole token. It is stored nowhere: keep it now."))


class NewTokenSerializer(StrictSerializer):
    """A token to be made."""

    name = TextField(max_length=60, help_text=_("What it is for, as “scoring app”."))
    scope = ChoiceField(SCOPES, default=Scope.READ)
    expires_at = TimeField(default=None, allow_null=True, help_text=_("Left out: never."))
    rate_limit = IntegerField(
        min_value=1,
        max_value=MAXIMUM_RATE_LIMIT,
        default=None,
        allow_null=True,
        help_text=_("Requests a minute. Left out: as many as the installation allows."),
    )


class TableLinkSerializer(serializers.Serializer[ApiToken]):
    """A table link, without its secret."""

    id = id_field()
    session = serializers.IntegerField(source="session_id")
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    revoked_at = serializers.DateTimeField(allow_null=True)
    last_used_at = serializers.DateTimeField(allow_null=True, help_text=_("To the minute."))


class CreatedTableLinkSerializer(TableLinkSerializer):
    """A new table link with its secret, which is shown this once."""

    token = serializers.CharField(help_text=_("For a program: a token that opens this one session."))
    link = serializers.CharField(help_text=_("For a phone's browser: the whole address, as for a QR code."))


class NewTableLinkSerializer(StrictSerializer):
    """A table link to be made."""

    hours = IntegerField(
        min_value=1,
        max_value=LONGEST_HOURS,
        default=USUAL_HOURS,
        help_text=_("How long it lasts; it can be revoked before."),
    )
