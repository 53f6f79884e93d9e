"""How a line of a season's table comes about."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.serializers.base import id_field
from api.serializers.fields import ChoiceField
from api.serializers.players import PlayerBriefSerializer
from api.serializers.sessions import session_url
from league.models import TieBreakCode
from league.scoring.explanations import DerivedItem, exact
from league.services import explanations
from league.services.explanations import Explanation, LeftOut, Neighbour, TieFigures


class StandingItemSerializer(serializers.Serializer[DerivedItem]):
    """What a session, or an evening missed, brings."""

    session = id_field(source="item.session", allow_null=True, help_text=_("Null for an evening missed."))
    url = serializers.SerializerMethodField()
    played_on = serializers.DateField(source="item.played_on")
    place = serializers.IntegerField(
        allow_null=True, help_text=_("For an evening missed the place that it counts as; null for the own average.")
    )
    players = serializers.IntegerField(help_text=_("How many have a place there; 0 for the own average."))
    points = serializers.IntegerField(source="item.points", allow_null=True)
    formula = serializers.CharField(
        allow_blank=True, help_text=_("What the value is worked out from; empty where it is the place.")
    )
    value = serializers.FloatField(source="item.value")
    value_exact = serializers.SerializerMethodField(help_text=_("The value without rounding, as 7/3."))
    counts = serializers.BooleanField(source="item.counts")
    dropped = serializers.BooleanField(source="item.dropped")
    text = serializers.SerializerMethodField(help_text=_("Whether it counts, and why not, in words."))

    def get_url(self, one: DerivedItem) -> str | None:
        return None if one.item.session is None else session_url(self.context["club"], one.item.session)

    def get_value_exact(self, one: DerivedItem) -> str:
        return exact(one.item.value)

    def get_text(self, one: DerivedItem) -> str:
        return explanations.item_told(self.context["season"], one)


class TieFiguresSerializer(serializers.Serializer[TieFigures]):
    """The tie-break that parted two players of equal value, and what it compared, in words."""

    code = ChoiceField(TieBreakCode.choices)
    name = serializers.CharField()
    above = serializers.CharField()
    below = serializers.CharField()


class NeighbourSerializer(serializers.Serializer[Neighbour]):
    """Who stands next in the table with another rank, and what parts the two."""

    player = PlayerBriefSerializer()
    rank = serializers.IntegerField()
    value = serializers.FloatField()
    tie_break = TieFiguresSerializer(source="tie", allow_null=True, help_text=_("Null where the values differ."))
    text = serializers.CharField()


class LeftOutSerializer(serializers.Serializer[LeftOut]):
    """A session that brings nothing, and why."""

    session = id_field()
    url = serializers.SerializerMethodField()
    played_on = serializers.DateField()
    text = serializers.CharField()

    def get_url(self, one: LeftOut) -> str:
        return session_url(self.context["club"], one.session)


class ExplanationSerializer(serializers.Serializer[Explanation]):
    """A player's line with everything that it comes from."""

    player = PlayerBriefSerializer()
    rank = serializers.IntegerField(allow_null=True)
    ranked = serializers.IntegerField(help_text=_("How many players of the same table have a rank."))
    value = serializers.FloatField(allow_null=True, help_text=_("What the season ranks by; null where nothing counts."))
    arithmetic = serializers.SerializerMethodField(
        help_text=_("The value as a line of arithmetic, as (1 + 2 + 4) / 3 = 7/3.")
    )
    text = serializers.CharField(help_text=_("Where the player stands, or why without a rank, in words."))
    items = serializers.SerializerMethodField()
    left_out = LeftOutSerializer(many=True, help_text=_("Sessions of the player that bring nothing."))
    sharing = PlayerBriefSerializer(many=True, help_text=_("The others of the same rank."))
    above = NeighbourSerializer(allow_null=True)
    below = NeighbourSerializer(allow_null=True)

    def get_arithmetic(self, found: Explanation) -> str:
        return found.derivation.arithmetic if found.derivation is not None else ""

    @extend_schema_field(StandingItemSerializer(many=True))
    def get_items(self, found: Explanation) -> Any:
        if found.derivation is None:
            return []
        shape = StandingItemSerializer(context={**self.context, "season": found.season})
        return [shape.to_representation(one) for one in found.derivation.items]
