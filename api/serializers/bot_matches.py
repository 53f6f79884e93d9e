"""Bot matches."""

from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail

from api.pagination import DEFAULT_LIMIT, MAX_LIMIT
from api.serializers.base import PageQuerySerializer, QuerySerializer, StrictSerializer, id_field, ordering_field
from api.serializers.fields import (
    MAX_ID,
    ChoiceField,
    DateField,
    IntegerField,
    PlayerReferenceField,
    QueryIntegerField,
    QuerySeasonField,
    SeasonReferenceField,
    TimeField,
)
from api.serializers.players import PlayerBriefSerializer
from api.serializers.seasons import SeasonBriefSerializer
from api.serializers.sessions import session_url
from games.catalog import GAMES
from league.models import BotMatch, JobState, SessionFormat
from league.services.bot_matches import MAXIMUM_DEALS, MAXIMUM_SEED, BotMatchInput
from league.services.bot_results import DealResult, Results, SeatResult, estimated_end, results_of
from league.services.clubs import is_text


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
    url = serializers.SerializerMethodField(help_text=_("Ask here again until the state is done, failed or cancelled."))
    state = ChoiceField(JobState.choices, source="job.state")
    progress = serializers.SerializerMethodField()
    error = serializers.CharField(source="job.error", allow_blank=True)
    format = ChoiceField(SessionFormat.choices)
    game = serializers.CharField(allow_blank=True, help_text=_("Empty for Pure XXL."))
    options = serializers.DictField(help_text=_("What was agreed on for all deals."))
    seed = serializers.IntegerField()
    deals = serializers.IntegerField()
    played_on = serializers.DateField()
    season = SeasonBriefSerializer(allow_null=True)
    players = serializers.SerializerMethodField(help_text=_("In seat order."))
    session = serializers.SerializerMethodField(help_text=_("Null until the match is done."))
    deadline = serializers.DateTimeField(
        source="job.deadline_at", allow_null=True, help_text=_("What is not done by then has failed.")
    )
    created_at = serializers.DateTimeField(source="job.created_at")
    started_at = serializers.DateTimeField(source="job.started_at", allow_null=True)
    finished_at = serializers.DateTimeField(source="job.finished_at", allow_null=True)

    def get_url(self, match: BotMatch) -> str:
        return reverse("api:bot-match", kwargs={"club": self.context["club"], "match_id": match.pk})

    @extend_schema_field(ProgressSerializer)
    def get_progress(self, match: BotMatch) -> dict[str, int]:
        return {"done": done_of(match), "total": match.job.total}

    @extend_schema_field(PlayerBriefSerializer(many=True))
    def get_players(self, match: BotMatch) -> list[dict[str, Any]]:
        return [{"id": seat.player.pk, "name": seat.player.name} for seat in match.seats.all()]

    @extend_schema_field(SessionLinkSerializer(allow_null=True))
    def get_session(self, match: BotMatch) -> dict[str, Any] | None:
        if match.session_id is None:
            return None
        return {"id": match.session_id, "url": session_url(self.context["club"], match.session_id)}


def done_of(match: BotMatch) -> int:
    """How many deals are done, with those of chunks at work, which the view's query counts."""
    return match.job.done + int(vars(match)["at_work"])


class SeatResultSerializer(serializers.Serializer[SeatResult]):
    """How a player did, as averages over the deals played."""

    player = PlayerBriefSerializer()
    deals = serializers.IntegerField()
    score = serializers.FloatField(allow_null=True, help_text=_("On average; null for Pure XXL, which is six games."))
    place = serializers.FloatField(allow_null=True, help_text=_("On average; null in a cooperative game."))
    margin = serializers.FloatField(
        allow_null=True,
        help_text=_(
            "The place average is this much more or less, at 95 %; null in a cooperative game and for one deal."
        ),
    )
    wins = serializers.FloatField(
        allow_null=True, help_text=_("The share of deals with the first place, shared ones too; from 0 to 1.")
    )


class EndCountSerializer(serializers.Serializer[Any]):
    """How many deals ended so."""

    end = serializers.CharField(allow_blank=True)
    deals = serializers.IntegerField()


class ResultCountSerializer(serializers.Serializer[Any]):
    """How many deals had this result of the whole table."""

    result = serializers.IntegerField()
    deals = serializers.IntegerField()


class BotMatchResultsSerializer(serializers.Serializer[Results]):
    """What the deals played so far came to."""

    deals = serializers.IntegerField()
    seats = SeatResultSerializer(many=True)
    ends = serializers.SerializerMethodField(help_text=_("How deals ended, the most frequent first."))
    table_results = serializers.SerializerMethodField(
        help_text=_("Of a cooperative game, the results in order; else none.")
    )

    @extend_schema_field(EndCountSerializer(many=True))
    def get_ends(self, results: Results) -> list[dict[str, Any]]:
        return [{"end": end, "deals": deals} for end, deals in results.ends]

    @extend_schema_field(ResultCountSerializer(many=True))
    def get_table_results(self, results: Results) -> list[dict[str, Any]]:
        return [{"result": result, "deals": deals} for result, deals in results.table_results]


class BotMatchDetailSerializer(BotMatchSerializer):
    """A match of bots, how far it is, and what came of it."""

    estimated_end = serializers.SerializerMethodField(
        help_text=_("As fast as so far; null unless it is running and something is done.")
    )
    results = serializers.SerializerMethodField(help_text=_("Null until a chunk of deals is played."))

    @extend_schema_field(serializers.DateTimeField(allow_null=True))
    def get_estimated_end(self, match: BotMatch) -> datetime | None:
        end = estimated_end(job=match.job, done=done_of(match), now=timezone.now())
        return timezone.localtime(end).replace(microsecond=0) if end is not None else None

    @extend_schema_field(BotMatchResultsSerializer(allow_null=True))
    def get_results(self, match: BotMatch) -> Any:
        found = results_of(match)
        return BotMatchResultsSerializer(found, context=self.context).data if found is not None else None


class DealSerializer(serializers.Serializer[DealResult]):
    """A deal of a match. What came of it is null where it was not played, or its record was dropped or damaged."""

    number = serializers.IntegerField(help_text=_("Counted from 1."))
    game = serializers.CharField()
    seed = serializers.IntegerField()
    options = serializers.DictField()
    record = serializers.SerializerMethodField(help_text=_("Whether it can be replayed."))
    scores = serializers.SerializerMethodField(help_text=_("In seat order."))
    places = serializers.SerializerMethodField(help_text=_("In seat order; null in a cooperative game."))
    end = serializers.SerializerMethodField(help_text=_("How it ended."))

    @extend_schema_field(ChoiceField(("kept", "dropped", "damaged", "not_played")))
    def get_record(self, deal: DealResult) -> str:
        return deal.missing or "kept"

    @extend_schema_field(serializers.ListField(child=serializers.IntegerField(), allow_null=True))
    def get_scores(self, deal: DealResult) -> list[int] | None:
        return list(deal.played.scores) if deal.played is not None else None

    @extend_schema_field(serializers.ListField(child=serializers.IntegerField(), allow_null=True))
    def get_places(self, deal: DealResult) -> list[int] | None:
        return list(deal.played.places) if deal.played is not None and deal.played.places is not None else None

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_end(self, deal: DealResult) -> str | None:
        return deal.played.reason if deal.played is not None else None


class RecordSerializer(serializers.Serializer[Any]):
    """All that a deal follows from: `python -m games` replays it, too."""

    game = serializers.CharField()
    version = serializers.IntegerField()
    seats = serializers.IntegerField()
    options = serializers.DictField()
    seed = serializers.IntegerField()
    moves = serializers.ListField(
        child=serializers.ListField(), help_text=_("Each the number of a seat, from 0, and a move in words.")
    )


class DealRecordSerializer(serializers.Serializer[Any]):
    """A deal with its record."""

    number = serializers.IntegerField(help_text=_("Counted from 1."))
    record = RecordSerializer()


class DealsQuerySerializer(QuerySerializer):
    """Which deals to list."""

    limit = QueryIntegerField(
        min_value=1, max_value=MAX_LIMIT, default=DEFAULT_LIMIT, help_text=_("How many rows a page has at most.")
    )
    first = QueryIntegerField(
        min_value=1,
        max_value=MAXIMUM_DEALS,
        default=1,
        help_text=_("The number of the deal that the page begins with."),
    )


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


class OptionsField(serializers.DictField):
    """Options of a game by name; which there are, and what each may be, the game says."""

    default_error_messages = {
        "not_a_dict": _("Give a JSON object."),
        "too_many": _("No game has more than {maximum} options."),
        "unknown_value": _("An option is a text, a whole number, true, false, null, or a list of these."),
    }
    _MAXIMUM = 20
    _LONGEST = 200

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, dict):
            self.fail("not_a_dict")
        if len(data) > self._MAXIMUM:
            self.fail("too_many", maximum=self._MAXIMUM)
        odd = [key for key, value in data.items() if not all(map(self._is_plain, self._parts(value)))]
        if odd:
            message = str(self.error_messages["unknown_value"])
            raise serializers.ValidationError({key: [ErrorDetail(message, code="invalid")] for key in odd})
        return data

    def _parts(self, value: Any) -> list[Any]:
        """The values of a list, as of the cards of a deck, or the one value."""
        return value if isinstance(value, list) and len(value) <= self._LONGEST else [value]

    def _is_plain(self, value: Any) -> bool:
        if isinstance(value, str):
            return len(value) <= self._LONGEST and is_text(value)
        # A number may be as large as it likes: the game says which it takes.
        return value is None or isinstance(value, bool | int)


_PLAIN = ({"type": "string", "maxLength": 200}, {"type": "integer"}, {"type": "boolean"}, {"type": "null"})
extend_schema_field(
    {
        "type": "object",
        "maxProperties": 20,
        "additionalProperties": {"anyOf": [*_PLAIN, {"type": "array", "maxItems": 200, "items": {"anyOf": [*_PLAIN]}}]},
        "example": {"minimum": 3},
    }
)(OptionsField)


class NewBotMatchSerializer(StrictSerializer):
    """A match to be played by bots."""

    game = ChoiceField(
        tuple(GAMES), default="", help_text=_("One that bots can play. Left out for Pure XXL, which is all six games.")
    )
    format = ChoiceField(
        SessionFormat.choices,
        default=None,
        allow_null=True,
        help_text=_("Left out: a single game, for more deals the game's kind of series, without a game Pure XXL."),
    )
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
    deals = IntegerField(
        min_value=1,
        max_value=MAXIMUM_DEALS,
        default=None,
        allow_null=True,
        help_text=_("How many games are played. Left out: 1, of Pure XXL 6; Pure XXL has 6 or 12."),
    )
    options = OptionsField(
        default=dict, help_text=_("What is agreed on for all deals, by the names of the game's options.")
    )
    season = SeasonReferenceField(default=None, allow_null=True)
    played_on = DateField(default=None, allow_null=True, help_text=_("Left out: today."))
    deadline = TimeField(
        default=None,
        allow_null=True,
        help_text=_("What is not done by then has failed. Left out: in 24 hours; at most in 30 days."),
    )

    def validate(self, attrs: Any) -> BotMatchInput:
        return BotMatchInput(players=tuple(attrs.pop("players")), **attrs)
