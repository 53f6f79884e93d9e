"""Bot matches."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.serializers.base import PageQuerySerializer, StrictSerializer, id_field, ordering_field
from api.serializers.fields import (
    MAX_ID,
    ChoiceField,
    DateField,
    IntegerField,
    PlayerReferenceField,
    QueryIntegerField,
    QuerySeasonField,
    SeasonReferenceField,
)
from api.serializers.players import PlayerBriefSerializer
from api.serializers.seasons import SeasonBriefSerializer
from api.serializers.sessions import session_url
from games.catalog import GAMES
from league.models import BotMatch, JobState
from league.services.bot_matches import MAXIMUM_DEALS, MAXIMUM_SEED, BotMatchInput


class ProgressSerializer(serializers.Serializer[Any]):
    """How far the work is: `done` of `total` steps."""

    done = serializers.IntegerField()
    total = serializers.IntegerField()


class SessionLinkSerializer(serializers.Serializer[Any]):
    """The session that holds the result."""

    id = id_field()
    url = serializers.CharField()


class BotMatchSerializer(serializers.Serializer[BotMatch]):
    """A match of bots, and how far it is."""

    id = id_field()
    url = serializers.SerializerMethodField(help_text=_("Ask here again until the state is done or failed."))
    state = ChoiceField(JobState.choices, source="job.state")
    progress = ProgressSerializer(source="job")
    error = serializers.CharField(source="job.error", allow_blank=True)
    game = serializers.CharField()
    seed = serializers.IntegerField()
    deals = serializers.IntegerField()
    played_on = serializers.DateField()
    season = SeasonBriefSerializer(allow_null=True)
    players = serializers.SerializerMethodField(help_text=_("In seat order."))
    session = serializers.SerializerMethodField(help_text=_("Null until the match is done."))
    created_at = serializers.DateTimeField(source="job.created_at")
    started_at = serializers.DateTimeField(source="job.started_at", allow_null=True)
    finished_at = serializers.DateTimeField(source="job.finished_at", allow_null=True)

    def get_url(self, match: BotMatch) -> str:
        return reverse("api:bot-match", kwargs={"club": self.context["club"], "match_id": match.pk})

    @extend_schema_field(PlayerBriefSerializer(many=True))
    def get_players(self, match: BotMatch) -> list[dict[str, Any]]:
        return [{"id": seat.player.pk, "name": seat.player.name} for seat in match.seats.all()]

    @extend_schema_field(SessionLinkSerializer(allow_null=True))
    def get_session(self, match: BotMatch) -> dict[str, Any] | None:
        if match.session_id is None:
            return None
        return {"id": match.session_id, "url": session_url(self.context["club"], match.session_id)}


class BotMatchQuerySerializer(PageQuerySerializer):
    """Which bot matches to list."""

    state = ChoiceField(JobState.choices, required=False)
    game = ChoiceField(tuple(GAMES), required=False)
    season = QuerySeasonField(required=False, help_text=_("The season's id, or league/season."))
    player = QueryIntegerField(
        min_value=1, max_value=MAX_ID, required=False, help_text=_("The id of a bot at the table.")
    )
    played_from = DateField(required=False, help_text=_("The first day."))
    played_until = DateField(required=False, help_text=_("The last day."))
    ordering = ordering_field("id", "played_on")


class NewBotMatchSerializer(StrictSerializer):
    """A match to be played by bots."""

    game = ChoiceField(tuple(GAMES), help_text=_("One that bots can play."))
    players = serializers.ListField(
        child=PlayerReferenceField(), allow_empty=False, max_length=10, help_text=_("Bots of the club in seat order.")
    )
    seed = IntegerField(
        min_value=0,
        max_value=MAXIMUM_SEED,
        default=None,
        allow_null=True,
        help_text=_("The same seed deals the same cards. Left out: any."),
    )
    deals = IntegerField(min_value=1, max_value=MAXIMUM_DEALS, default=1, help_text=_("How many games are played."))
    season = SeasonReferenceField(default=None, allow_null=True)
    played_on = DateField(default=None, allow_null=True, help_text=_("Left out: today."))

    def validate(self, attrs: Any) -> BotMatchInput:
        return BotMatchInput(players=tuple(attrs.pop("players")), **attrs)
