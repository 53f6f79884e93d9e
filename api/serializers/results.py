"""Results of sessions and scores of rounds, as lists across sessions."""

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from api.serializers.base import FieldsField, PageQuerySerializer, id_field, ordering_field, search_field
from api.serializers.fields import (
    MAX_ID,
    BooleanField,
    ChoiceField,
    DateField,
    QueryBooleanField,
    QueryIntegerField,
    QuerySeasonField,
)
from api.serializers.players import PlayerBriefSerializer
from api.serializers.seasons import SeasonBriefSerializer
from api.serializers.sessions import game_field, session_url
from league.models import Score, Session, SessionFormat, SessionResult, SessionStatus


class SessionBriefSerializer(serializers.Serializer[Session]):
    """A session, as named in results."""

    id = id_field()
    url = serializers.SerializerMethodField()
    played_on = serializers.DateField()
    format = ChoiceField(SessionFormat.choices)
    status = ChoiceField(SessionStatus.choices)
    season = SeasonBriefSerializer(allow_null=True)

    def get_url(self, session: Session) -> str:
        return session_url(self.context["club"], session.pk)


class ResultSerializer(serializers.Serializer[SessionResult]):
    """What one player has in a session that is ended."""

    session = SessionBriefSerializer()
    player = PlayerBriefSerializer()
    place = serializers.IntegerField(allow_null=True, help_text=_("Shared where the sums are equal."))
    place_sum = serializers.IntegerField()
    rounds_played = serializers.IntegerField()
    rounds_missed = serializers.IntegerField()
    reason = serializers.CharField(allow_blank=True, help_text=_("The code of why there is no place."))
    counts = BooleanField(source="session.counts", help_text=_("Whether it enters the season's standings."))


class ScoreSerializer(serializers.Serializer[Score]):
    """What one player got in a round."""

    session = SessionBriefSerializer(source="round.session")
    round = serializers.IntegerField(source="round.number", help_text=_("From 1, in the order played."))
    game = serializers.CharField(source="round.game", help_text=_("The game's key."))
    note = serializers.CharField(source="round.note", allow_blank=True)
    player = PlayerBriefSerializer()
    points = serializers.IntegerField(allow_null=True)
    place = serializers.IntegerField(allow_null=True)


class _AcrossSessionsSerializer(PageQuerySerializer):
    """What results and scores are narrowed by. Those of voided sessions are not listed."""

    season = QuerySeasonField(required=False, help_text=_("The season's id, or league/season."))
    session = QueryIntegerField(min_value=1, max_value=MAX_ID, required=False)
    player = QueryIntegerField(min_value=1, max_value=MAX_ID, required=False)
    place = QueryIntegerField(min_value=1, max_value=1000, required=False)
    format = ChoiceField(SessionFormat.choices, required=False)
    status = ChoiceField(SessionStatus.choices, required=False, help_text=_("The status of the session."))
    played_from = DateField(required=False, help_text=_("The first day."))
    played_until = DateField(required=False, help_text=_("The last day."))
    search = search_field(_("A part of the player's name, whatever its case."))


class ResultQuerySerializer(_AcrossSessionsSerializer):
    """Which results to list."""

    counts = QueryBooleanField(required=False, help_text=_("Whether it enters a season's standings."))
    ordering = ordering_field("session", "played_on", "place", "place_sum")
    fields = FieldsField(shape=ResultSerializer)  # type: ignore[assignment]  # a parameter of that name


class ScoreQuerySerializer(_AcrossSessionsSerializer):
    """Which scores to list."""

    game = game_field(required=False, help_text=_("The key of the round's game."))
    ordering = ordering_field("session", "played_on", "place", "points")
    fields = FieldsField(shape=ScoreSerializer)  # type: ignore[assignment]
