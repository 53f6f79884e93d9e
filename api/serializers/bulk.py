"""Many sessions in one request."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from api.serializers.base import StrictSerializer, id_field, many
from api.serializers.fields import ChoiceField
from api.serializers.sessions import NewSessionSerializer
from league.models import SessionStatus

MAXIMUM_SESSIONS = 1000
MODES = {"all": _("all or none"), "each": _("each for itself")}


class BulkSerializer(StrictSerializer):
    """Sessions to record, each as for one alone."""

    mode = ChoiceField(
        list(MODES.items()),
        default="all",
        help_text=_("all: nothing is stored if one is refused; each: those that are right are stored."),
    )
    sessions = many(NewSessionSerializer, allow_empty=False, max_length=MAXIMUM_SESSIONS)


class BulkSessionSerializer(serializers.Serializer[Any]):
    """A session that was recorded."""

    id = id_field()
    url = serializers.CharField()
    status = ChoiceField(SessionStatus.choices)
    revision = serializers.IntegerField()


class BulkItemSerializer(serializers.Serializer[Any]):
    """What became of one session: recorded (201), or refused with the problem document that it alone would get."""

    index = serializers.IntegerField(help_text=_("The position in the request, from 0."))
    status = serializers.IntegerField()
    session = BulkSessionSerializer(allow_null=True)
    problem = serializers.DictField(allow_null=True)


class BulkAnswerSerializer(serializers.Serializer[Any]):
    """What became of the sessions."""

    recorded = serializers.IntegerField()
    refused = serializers.IntegerField()
    results = BulkItemSerializer(many=True)
