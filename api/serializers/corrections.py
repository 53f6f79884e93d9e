"""Corrections of sessions: what a client sends, the history, and what a change would move."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from api.serializers.base import ChangeSerializer, QuerySerializer, StrictSerializer, confirm_field, id_field, many
from api.serializers.fields import (
    BooleanField,
    ChoiceField,
    DateField,
    IntegerField,
    QueryBooleanField,
    SeasonReferenceField,
    TextField,
)
from api.serializers.players import PlayerBriefSerializer
from api.serializers.seasons import SeasonBriefSerializer
from api.serializers.sessions import (
    NewSeatSerializer,
    RoundFieldsSerializer,
    RoundOfSessionSerializer,
    SessionSerializer,
)
from league.models import RatingBoard, RevisionKind, SessionFormat, SessionRevision, SessionStatus
from league.models.revisions import Difference
from league.services.corrections import (
    MAXIMUM_REASON,
    Line,
    Placed,
    PlayerMove,
    Preview,
    RatingMove,
    RatingMoves,
    StandingMove,
)
from league.services.evenings import MAXIMUM_ROUNDS, MAXIMUM_SEAT, RoundInput
from league.services.tournament_changes import Overtaken
from league.services.tournament_previews import Rank, RankMove, TournamentMoves

# --- In ---------------------------------------------------------------------------------------------------------------


class DryRunSerializer(QuerySerializer):
    """Whether to say what a change would move instead of carrying it out."""

    dry_run = QueryBooleanField(default=False, help_text=_("true: nothing is stored; the answer is a preview."))


def _reason() -> TextField:
    return TextField(max_length=MAXIMUM_REASON, help_text=_("Why; kept in the session's history."))


@dataclass(frozen=True, slots=True)
class SessionChange:
    """Fields of a session to change, why, and the codes of warnings that are right nevertheless."""

    changes: dict[str, Any]
    reason: str
    confirm: frozenset[str]


class SessionChangeSerializer(ChangeSerializer):
    """What to correct of a session; what is left out stays. Lists replace those that stand, whole."""

    format = ChoiceField(SessionFormat.choices, required=False)
    played_on = DateField(required=False)
    players = many(NewSeatSerializer, required=False, allow_empty=False, max_length=MAXIMUM_SEAT)
    season = SeasonReferenceField(required=False, allow_null=True)
    repeats = IntegerField(min_value=1, max_value=2, required=False)
    planned_rounds = IntegerField(min_value=1, max_value=MAXIMUM_ROUNDS, required=False)
    location = TextField(max_length=100, required=False, allow_blank=True)
    comment = TextField(max_length=500, required=False, allow_blank=True)
    rounds = many(RoundOfSessionSerializer, required=False, max_length=MAXIMUM_ROUNDS)
    status = ChoiceField(
        SessionStatus.choices,
        required=False,
        help_text=_("Left out: it follows from the rounds. “open” lets an ended session go on."),
    )
    reason = _reason()
    confirm = confirm_field()

    def validate(self, attrs: Any) -> SessionChange:
        confirm, reason = frozenset(attrs.pop("confirm")), attrs.pop("reason")
        changes = dict(super().validate(attrs))
        for name in ("players", "rounds"):
            if name in changes:
                changes[name] = tuple(changes[name])
        return SessionChange(changes, reason, confirm)


@dataclass(frozen=True, slots=True)
class RoundChange:
    """A round as it should have been noted down."""

    value: RoundInput
    reason: str
    confirm: frozenset[str]


class RoundChangeSerializer(RoundFieldsSerializer):
    """A round as it should have been noted down, whole."""

    reason = _reason()
    confirm = confirm_field()

    def validate(self, attrs: Any) -> RoundChange:
        value = RoundInput(game=attrs["game"], note=attrs["note"], scores=tuple(attrs["scores"]))
        return RoundChange(value, attrs["reason"], frozenset(attrs["confirm"]))


class ReasonSerializer(StrictSerializer):
    """Why something is done."""

    reason = _reason()


# --- Out --------------------------------------------------------------------------------------------------------------


class DifferenceSerializer(serializers.Serializer[Difference]):
    """One place that a revision changed."""

    path = serializers.CharField(help_text=_("A JSON Pointer into the data of the revision."))
    # Any JSON value, null among them; said twice, null would be one value too many for the description.
    before = serializers.JSONField()
    after = serializers.JSONField()


class RevisionSerializer(serializers.Serializer[SessionRevision]):
    """A session as it was after one change. Players are told by id."""

    number = serializers.IntegerField(help_text=_("From 1."))
    kind = ChoiceField(RevisionKind.choices)
    reason = serializers.CharField(allow_blank=True)
    at = serializers.DateTimeField()
    user = id_field(allow_null=True, source="user_id", help_text=_("The id of the user who did it."))
    token = id_field(allow_null=True, source="token_id", help_text=_("The id of the token that did it."))
    data = serializers.JSONField(help_text=_("The whole session."))  # type: ignore[assignment]
    changes = DifferenceSerializer(many=True, help_text=_("What is different from the revision before."))


class RevisionListSerializer(serializers.Serializer[Any]):
    """The history of a session, oldest first; all on one page."""

    results = RevisionSerializer(many=True)
    next = serializers.CharField(allow_null=True)


class PlacedSerializer(serializers.Serializer[Placed]):
    """A player's place and place sum in a session; null: none."""

    place = serializers.IntegerField(allow_null=True)
    place_sum = serializers.IntegerField(allow_null=True)


class PlayerMoveSerializer(serializers.Serializer[PlayerMove]):
    """What a change makes of a player's result."""

    player = PlayerBriefSerializer()
    before = PlacedSerializer()
    after = PlacedSerializer()


class LineSerializer(serializers.Serializer[Line]):
    """A player's line in a season's table."""

    rank = serializers.IntegerField(allow_null=True)
    sessions = serializers.IntegerField()
    place_average = serializers.FloatField()
    wins = serializers.IntegerField()
    value = serializers.FloatField(help_text=_("What the season ranks by."))
    counted = serializers.IntegerField(help_text=_("The sessions and missed evenings that make the value."))


class StandingMoveSerializer(serializers.Serializer[StandingMove]):
    """A player's line before and after; null: not in the table."""

    season = SeasonBriefSerializer()
    player = PlayerBriefSerializer()
    before = LineSerializer(allow_null=True)
    after = LineSerializer(allow_null=True)


class RatingMoveSerializer(serializers.Serializer[RatingMove]):
    """A player's rating before and after, rounded as pages show it; null: none."""

    player = PlayerBriefSerializer()
    board = ChoiceField(RatingBoard.choices)
    family = serializers.CharField()
    before = serializers.IntegerField(allow_null=True)
    after = serializers.IntegerField(allow_null=True)


class RatingMovesSerializer(serializers.Serializer[RatingMoves]):
    """Ratings are computed anew from a day on, of everybody who has played since."""

    from_day = serializers.DateField(allow_null=True, help_text=_("null: no rating moves."))
    complete = BooleanField(
        source="is_told", help_text=_("false: too many sessions were played since to say here whose ratings move.")
    )
    players = RatingMoveSerializer(many=True, help_text=_("Ratings that would change."))


class OvertakenSerializer(serializers.Serializer[Overtaken]):
    """A tournament round that was paired on results that are others now."""

    number = serializers.IntegerField()
    tables = serializers.ListField(
        child=serializers.IntegerField(), help_text=_("Numbers of the tables that can be paired anew.")
    )
    played = serializers.ListField(
        child=serializers.IntegerField(), help_text=_("Numbers of the tables that were played already.")
    )


class RankSerializer(serializers.Serializer[Rank]):
    """A rank of a tournament."""

    rank = serializers.IntegerField()
    rank_to = serializers.IntegerField(help_text=_("Behind `rank` while a bracket has not decided between the two."))


class RankMoveSerializer(serializers.Serializer[RankMove]):
    """An entry's rank in a tournament before and after."""

    entry = id_field(source="entry.id", help_text=_("The id of the entry."))
    player = PlayerBriefSerializer(source="entry.player")
    stage = serializers.IntegerField(allow_null=True, help_text=_("null: the rank in the whole tournament."))
    group = serializers.IntegerField(allow_null=True, help_text=_("null: the stage has no groups."))
    before = RankSerializer()
    after = RankSerializer()


class TournamentMovesSerializer(serializers.Serializer[TournamentMoves]):
    """What a change would move in the tournament of a session."""

    id = id_field(source="tournament.pk")
    slug = serializers.CharField(source="tournament.slug")
    finished = BooleanField(source="is_finished", help_text=_("true: the ranks that move are final ones."))
    round = serializers.IntegerField(help_text=_("The number of the tournament round of the session's table."))
    table = serializers.IntegerField(help_text=_("The number of the table."))
    decided = BooleanField(source="is_decided", help_text=_("Whether the table would have a result."))
    ranks = RankMoveSerializer(many=True, help_text=_("The first ranks that would change, 20 at most."))
    more = serializers.IntegerField(help_text=_("How many ranks more would change."))


class PreviewSerializer(serializers.Serializer[Preview]):
    """What a change would make of the session, its players' places, the standings and ratings; nothing was stored."""

    dry_run = BooleanField()
    session = SessionSerializer()
    players = PlayerMoveSerializer(many=True)
    standings = StandingMoveSerializer(many=True, help_text=_("Lines that would change, by season."))
    ratings = RatingMovesSerializer()
    tournament_rounds = OvertakenSerializer(
        many=True, help_text=_("Tournament rounds that were paired on the result as it is.")
    )
    tournament_stages = serializers.ListField(
        child=serializers.IntegerField(),
        help_text=_(
            "Numbers of the stages into which others would have come, or by other seeds, by the result as changed."
        ),
    )
    tournament = TournamentMovesSerializer(
        allow_null=True, help_text=_("What would move in its tournament; null for a session of none.")
    )
