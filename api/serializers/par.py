"""Par of cooperative games."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.serializers.base import StrictSerializer
from api.serializers.bot_matches import OptionsField
from api.serializers.fields import ChoiceField, IntegerField
from games.core import Json
from games.par import BOT, BUDGET, Par, configurations
from league.services.par import MAXIMUM_GAMES

_GAMES = tuple(dict.fromkeys(one.game for one in configurations()))
_SEATS = [one.seats for one in configurations()]


class CountSerializer(serializers.Serializer[Any]):
    """How many games had this result of the whole table."""

    result = serializers.IntegerField()
    games = serializers.IntegerField()


class ParSerializer(serializers.Serializer[Par]):
    """What a bot reached at tables of one kind: how many games ended with which result."""

    game = serializers.CharField(source="configuration.game")
    seats = serializers.IntegerField(source="configuration.seats")
    options = serializers.DictField(source="configuration.agreed", help_text=_("What the results follow from."))
    bot = serializers.SerializerMethodField()
    budget = serializers.SerializerMethodField(help_text=_("How much the bot thinks; what it means the docs say."))
    version = serializers.CharField(help_text=_("Which state of bot and rules has played."))
    games = serializers.IntegerField(help_text=_("How many were played."))
    mean = serializers.FloatField(help_text=_("The average result."))
    perfect = serializers.FloatField(
        source="share_perfect", help_text=_("The share of games with nothing left; from 0 to 1.")
    )
    counts = serializers.SerializerMethodField(help_text=_("By result, in order."))

    def get_bot(self, par: Par) -> str:
        return BOT

    def get_budget(self, par: Par) -> str:
        return BUDGET

    @extend_schema_field(CountSerializer(many=True))
    def get_counts(self, par: Par) -> list[dict[str, int]]:
        return [{"result": result, "games": par.counts[result]} for result in sorted(par.counts)]


class ParListSerializer(serializers.Serializer[Any]):
    """All tables that there is a par for; all on one page."""

    results = ParSerializer(many=True)
    next = serializers.CharField(allow_null=True)


@dataclass(frozen=True, slots=True)
class WantedPar:
    """Which table is to have how many games."""

    game: str
    seats: int
    options: dict[str, Json]
    games: int


class WantedParSerializer(StrictSerializer):
    """A table, and how many games its par is to have."""

    game = ChoiceField(_GAMES)
    seats = IntegerField(min_value=min(_SEATS), max_value=max(_SEATS))
    options = OptionsField(default=dict, help_text=_("Those left out are the usual ones."))
    games = IntegerField(
        min_value=1, max_value=MAXIMUM_GAMES, help_text=_("How many in all: more than there are by now.")
    )

    def validate(self, attrs: Any) -> WantedPar:
        return WantedPar(**attrs)
