"""API tokens."""

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from api.serializers.base import StrictSerializer, id_field
from api.serializers.fields import ChoiceField, TextField, TimeField
from league.models import ApiToken, Scope
from league.services.tokens import SCOPES


class TokenSerializer(serializers.Serializer[ApiToken]):
    """A token, without its secret."""

    id = id_field()
    name = serializers.CharField()
    prefix = serializers.CharField(help_text=_("The public part: tl_PREFIX_…"))
    scope = ChoiceField(Scope.choices)
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
