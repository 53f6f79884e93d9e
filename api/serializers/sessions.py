"""Sessions: what a client posts, and the score sheet that answers."""

from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.serializers.base import (
    Confirmed,
    FieldsField,
    PageQuerySerializer,
    QuerySerializer,
    StrictSerializer,
    confirm_field,
    id_field,
    many,
    ordering_field,
    search_field,
    shown,
)
from api.serializers.fields import (
    MAX_ID,
    BooleanField,
    ChoiceField,
    DateField,
    IntegerField,
    PlayerReferenceField,
    QueryBooleanField,
    QueryIntegerField,
    QuerySeasonField,
    SeasonReferenceField,
    TextField,
)
from api.serializers.players import PlayerBriefSerializer
from api.serializers.seasons import SeasonBriefSerializer
from games.par import BOT, BUDGET
from league.models import Confirmation, Session, SessionFormat, SessionStatus
from league.models.sheets import ScoreSheet, SheetCell, SheetPlayer, SheetRound
from league.services.evenings import (
    MAXIMUM_POINTS,
    MAXIMUM_ROUNDS,
    MAXIMUM_SEAT,
    RoundInput,
    ScoreInput,
    SeatInput,
    SessionInput,
)
from league.services.par import Measured, measured

# --- In ---------------------------------------------------------------------------------------------------------------


def game_field(**kwargs: Any) -> TextField:
    """The key of a game; the services say which there are."""
    return TextField(max_length=30, **kwargs)


class NewSeatSerializer(StrictSerializer):
    """Who sits where, for which rounds."""

    player = PlayerReferenceField()
    seat = IntegerField(
        min_value=0,
        max_value=MAXIMUM_SEAT,
        default=None,
        allow_null=True,
        help_text=_("Clockwise from 0. Left out: the position in the list."),
    )
    from_round = IntegerField(min_value=1, max_value=MAXIMUM_ROUNDS, default=1, help_text=_("First round, from 1."))
    until_round = IntegerField(
        min_value=1,
        max_value=MAXIMUM_ROUNDS,
        default=None,
        allow_null=True,
        help_text=_("Last round. Left out: to the end."),
    )

    def validate(self, attrs: Any) -> SeatInput:
        return SeatInput(**attrs)


class NewScoreSerializer(StrictSerializer):
    """A player's points, place, or both. All players of a round give points, or all give places."""

    player = PlayerReferenceField()
    points = IntegerField(min_value=-MAXIMUM_POINTS, max_value=MAXIMUM_POINTS, default=None, allow_null=True)
    place = IntegerField(min_value=1, max_value=MAXIMUM_SEAT, default=None, allow_null=True)

    def validate(self, attrs: Any) -> ScoreInput:
        return ScoreInput(**attrs)


class RoundFieldsSerializer(StrictSerializer):
    """One game as it was played."""

    game = game_field(help_text=_("The key of a game of the catalogue or of the club's own."))
    note = TextField(
        max_length=30,
        default="",
        allow_blank=True,
        help_text=_("How the round ended, where that matters: one of the game's notes, or empty."),
    )
    scores = many(NewScoreSerializer, allow_empty=False, max_length=MAXIMUM_SEAT)


class RoundOfSessionSerializer(RoundFieldsSerializer):
    """A round within a new session."""

    def validate(self, attrs: Any) -> RoundInput:
        return RoundInput(game=attrs["game"], note=attrs["note"], scores=tuple(attrs["scores"]))


@dataclass(frozen=True, slots=True)
class NewRound(Confirmed[RoundInput]):
    """A round with the number that the client takes it for (None: whichever is next)."""

    number: int | None


class NewRoundSerializer(RoundFieldsSerializer):
    """The next round of an open session."""

    number = IntegerField(
        min_value=1,
        max_value=MAXIMUM_ROUNDS,
        default=None,
        allow_null=True,
        help_text=_("Which round it is; refused (409) when another is next. Left out: the next."),
    )
    confirm = confirm_field()

    def validate(self, attrs: Any) -> NewRound:
        return NewRound(
            value=RoundInput(game=attrs["game"], note=attrs["note"], scores=tuple(attrs["scores"])),
            confirm=frozenset(attrs["confirm"]),
            number=attrs["number"],
        )


class NewSessionSerializer(StrictSerializer):
    """A session: whole, or as far as it was played."""

    format = ChoiceField(SessionFormat.choices)
    played_on = DateField()
    players = many(NewSeatSerializer, allow_empty=False, max_length=MAXIMUM_SEAT, help_text=_("In seat order."))
    season = SeasonReferenceField(default=None, allow_null=True)
    repeats = IntegerField(
        min_value=1, max_value=2, default=1, help_text=_("How often each game of Pure XXL is played.")
    )
    planned_rounds = IntegerField(
        min_value=1,
        max_value=MAXIMUM_ROUNDS,
        default=None,
        allow_null=True,
        help_text=_("The agreed number of rounds of Individual XXL; the other formats have their own."),
    )
    location = TextField(max_length=100, default="", allow_blank=True)
    comment = TextField(max_length=500, default="", allow_blank=True)
    rounds = many(RoundOfSessionSerializer, default=list, max_length=MAXIMUM_ROUNDS)
    status = ChoiceField(
        SessionStatus.choices,
        default=SessionStatus.OPEN,
        help_text=_("open: goes on; complete: all planned rounds are here; incomplete: ended early."),
    )
    confirm = confirm_field()

    def validate(self, attrs: Any) -> Confirmed[SessionInput]:
        confirm = frozenset(attrs.pop("confirm"))
        players, rounds = tuple(attrs.pop("players")), tuple(attrs.pop("rounds"))
        return Confirmed(SessionInput(players=players, rounds=rounds, **attrs), confirm)


class NewcomerSerializer(StrictSerializer):
    """A player who sits down from the next round on: on a free seat, or instead of another."""

    player = PlayerReferenceField()
    seat = IntegerField(
        min_value=0,
        max_value=MAXIMUM_SEAT,
        default=None,
        allow_null=True,
        help_text=_("A free seat. Left out: behind the last one."),
    )
    substitutes = PlayerReferenceField(
        default=None, allow_null=True, help_text=_("The player whose seat is taken over.")
    )

    default_error_messages = {"seat_or_substitute": _("A substitute takes the seat of the other: leave “seat” out.")}

    def validate(self, attrs: Any) -> Any:
        if attrs["seat"] is not None and attrs["substitutes"] is not None:
            raise serializers.ValidationError({"seat": [self._error("seat_or_substitute")]})
        return attrs


class NothingSerializer(StrictSerializer):
    """A body without fields: none at all, or `{}`."""


class EndSerializer(StrictSerializer):
    """The end of a session."""

    confirm = confirm_field()


# --- Out --------------------------------------------------------------------------------------------------------------


class TournamentPlaceSerializer(serializers.Serializer[Any]):
    """A table of a tournament: the tournament's id, the number of its round, that of the table."""

    tournament = id_field()
    round = serializers.IntegerField()
    table = serializers.IntegerField()


class SessionLineSerializer(serializers.Serializer[Session]):
    """A session without its rounds, as listed."""

    id = id_field()
    url = serializers.SerializerMethodField(help_text=_("Where the score sheet is."))
    season = SeasonBriefSerializer(allow_null=True)
    format = ChoiceField(SessionFormat.choices)
    repeats = IntegerField(min_value=1, max_value=2)
    planned_rounds = IntegerField(min_value=1, max_value=MAXIMUM_ROUNDS)
    status = ChoiceField(SessionStatus.choices)
    played_on = serializers.DateField()
    games = serializers.SerializerMethodField(help_text=_("The keys of the games played so far, each once."))
    location = serializers.CharField(allow_blank=True)
    comment = serializers.CharField(allow_blank=True)
    counts = BooleanField(help_text=_("Whether it enters the season's standings."))
    confirmed = serializers.ListField(
        child=serializers.CharField(), help_text=_("Codes of warnings on the whole session that were confirmed.")
    )
    voided_at = serializers.DateTimeField(
        allow_null=True, help_text=_("Since when it enters nothing; null: it stands.")
    )
    confirmation = ChoiceField(
        [("", ""), *Confirmation.choices], help_text=_("Whether a second player agreed; empty: nobody is asked.")
    )
    revision = serializers.IntegerField(help_text=_("Counts up with each change."))
    tournament_table = serializers.SerializerMethodField(help_text=_("Which table of a tournament it is; null: none."))
    created_at = serializers.DateTimeField()

    def get_url(self, session: Session) -> str:
        return session_url(self.context["club"], session.pk)

    @extend_schema_field(TournamentPlaceSerializer(allow_null=True))
    def get_tournament_table(self, session: Session) -> dict[str, int] | None:
        table = session.table
        if table is None:
            return None
        round_ = table.round
        return {"tournament": round_.tournament_id, "round": round_.number, "table": table.number}

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_games(self, session: Session) -> list[str]:
        played: list[str] | None = self.context.get("games")
        return played if played is not None else list(dict.fromkeys(one.game for one in session.rounds.all()))


class SessionQuerySerializer(PageQuerySerializer):
    """Which sessions to list. Voided ones are listed where they are asked for."""

    season = QuerySeasonField(required=False, help_text=_("The season's id, or league/season."))
    player = QueryIntegerField(min_value=1, max_value=MAX_ID, required=False, help_text=_("The id of who sat there."))
    game = game_field(required=False, help_text=_("The key of a game that was played in it."))
    format = ChoiceField(SessionFormat.choices, required=False)
    status = ChoiceField(SessionStatus.choices, required=False)
    voided = QueryBooleanField(default=False)
    confirmation = ChoiceField(Confirmation.choices, required=False)
    played_from = DateField(required=False, help_text=_("The first day."))
    played_until = DateField(required=False, help_text=_("The last day."))
    search = search_field(_("A part of the name of a player who sat there, whatever its case."))
    ordering = ordering_field("id", "played_on")
    fields = FieldsField(shape=SessionLineSerializer)  # type: ignore[assignment]  # a parameter of that name


class SheetPlayerSerializer(serializers.Serializer[SheetPlayer]):
    """A player of the session, with the sum and place so far or, once it is ended, in the end."""

    player = PlayerBriefSerializer()
    seat = IntegerField(min_value=0, max_value=MAXIMUM_SEAT)
    from_round = serializers.IntegerField()
    until_round = serializers.IntegerField(allow_null=True)
    rounds_played = serializers.IntegerField()
    rounds_missed = serializers.IntegerField()
    place_sum = serializers.IntegerField()
    place = serializers.IntegerField(allow_null=True, help_text=_("Shared where the sums are equal."))
    reason = serializers.CharField(allow_blank=True, help_text=_("The code of why there is no place."))


class SheetScoreSerializer(serializers.Serializer[SheetCell]):
    """A player's score in a round."""

    player = PlayerBriefSerializer()
    points = serializers.IntegerField(allow_null=True)
    place = serializers.IntegerField(allow_null=True)
    place_sum = serializers.IntegerField(allow_null=True, help_text=_("The sum of the places up to this round."))


class RoundParSerializer(serializers.Serializer[Measured]):
    """A table's result beside par."""

    share_beaten = serializers.SerializerMethodField(
        help_text=_("The share of the bot's games that ended worse; from 0 to 1.")
    )
    games = serializers.IntegerField(source="par.games", help_text=_("How many the bot has played."))
    options = serializers.DictField(
        source="par.configuration.agreed", help_text=_("What the bot has played with; the usual where none are known.")
    )
    bot = serializers.SerializerMethodField()
    budget = serializers.SerializerMethodField()
    version = serializers.CharField(source="par.version")

    def get_share_beaten(self, one: Measured) -> float:
        return float(one.par.share_beaten(one.result))

    def get_bot(self, one: Measured) -> str:
        return BOT

    def get_budget(self, one: Measured) -> str:
        return BUDGET


class SheetRoundSerializer(serializers.Serializer[SheetRound]):
    """A round with the scores of those who played it, in seat order."""

    number = serializers.IntegerField()
    game = serializers.CharField(help_text=_("The game's key."))
    note = serializers.CharField(allow_blank=True)
    confirmed = serializers.ListField(
        child=serializers.CharField(), help_text=_("Codes of warnings on this round that were confirmed.")
    )
    scores = SheetScoreSerializer(many=True)
    par = RoundParSerializer(
        allow_null=True, help_text=_("The result of a cooperative game beside a bot's; null where there is none.")
    )


class SessionSerializer(SessionLineSerializer):
    """A session with its score sheet."""

    players = SheetPlayerSerializer(many=True)
    rounds = SheetRoundSerializer(many=True)

    def to_representation(self, instance: Any) -> dict[str, Any]:
        sheet: ScoreSheet = instance
        played = list(dict.fromkeys(one.game.key for one in sheet.rounds))
        line = shown(SessionLineSerializer, sheet.session, club=self.context.get("club"), games=played)
        return {**line, "players": _players_of(sheet), "rounds": rounds_of(sheet)}


class RoundQuerySerializer(QuerySerializer):
    """What of each round to send."""

    fields = FieldsField(shape=SheetRoundSerializer)  # type: ignore[assignment]


class RoundListSerializer(serializers.Serializer[Any]):
    """The rounds of a session, in the order played; all on one page."""

    results = SheetRoundSerializer(many=True)
    next = serializers.CharField(allow_null=True)


def session_url(club_slug: str, session_id: int) -> str:
    """Where a session is, relative to the server's root."""
    return reverse("api:session", kwargs={"club": club_slug, "session_id": session_id})


def _players_of(sheet: ScoreSheet) -> list[dict[str, Any]]:
    """The players as `SheetPlayerSerializer` declares them."""
    return [
        {
            "player": {"id": one.player.pk, "name": one.player.name},
            "seat": one.seat,
            "from_round": one.from_round,
            "until_round": one.until_round,
            "rounds_played": one.rounds_played,
            "rounds_missed": one.rounds_missed,
            "place_sum": one.place_sum,
            "place": one.place,
            "reason": one.reason,
        }
        for one in sheet.players
    ]


def rounds_of(sheet: ScoreSheet) -> list[dict[str, Any]]:
    """The rounds as `SheetRoundSerializer` declares them: the sheet's grid turned into a list a round."""
    pars = {one.round: RoundParSerializer(one).data for one in measured(sheet)}
    names = [{"id": column.player.pk, "name": column.player.name} for column in sheet.players]
    return [
        {
            "number": row.number,
            "game": row.game.key,
            "note": row.note,
            "confirmed": list(row.confirmed),
            "scores": [
                {"player": name, "points": cell.points, "place": cell.place, "place_sum": cell.place_sum}
                for name, cell in zip(names, row.cells, strict=True)
                if cell is not None
            ],
            "par": pars.get(row.number),
        }
        for row in sheet.rounds
    ]
