"""What is still possible, in a session that goes on and in a season."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.serializers.base import QuerySerializer, id_field
from api.serializers.fields import ChoiceField, QueryIntegerField
from api.serializers.players import PlayerBriefSerializer
from api.serializers.standings import StandingDivisionSerializer
from league.scoring.outlook import PlayerOutlook, Reach
from league.scoring.season_outlook import Contest
from league.services import outlooks
from league.services.outlooks import DivisionOutlook, SeasonOutlook, SeasonPlayer, TableOutlook, TablePlayer

ANSWERS = ["yes", "no", "undecided"]
VERDICTS = ["yes", "tie_break", "no", "undecided"]
REASONS = [reason for reason in outlooks.REASONS if reason]


def _top_field() -> QueryIntegerField:
    return QueryIntegerField(
        min_value=1,
        max_value=outlooks.LARGEST_TOP,
        default=outlooks.USUAL_TOP,
        help_text=_("The N of the top N that is told besides winning."),
    )


class TableOutlookQuerySerializer(QuerySerializer):
    """What to tell of a session."""

    top = _top_field()


class ReachSerializer(serializers.Serializer[Reach]):
    """The final places that can be."""

    best = serializers.SerializerMethodField(help_text=_("The best place that can be; null where it is undecided."))
    worst = serializers.IntegerField(help_text=_("The last place that can be."))
    win_alone = ChoiceField(ANSWERS, source="alone", help_text=_("Whether a first place can be, not shared."))
    surely_alone = serializers.BooleanField(help_text=_("First and not shared, whatever happens."))

    def get_best(self, reach: Reach) -> int | None:
        best = next((place for place, answer in enumerate(reach.possible, start=1) if answer != "no"), None)
        return best if best is not None and reach.possible[best - 1] == "yes" else None


class NextGameSerializer(serializers.Serializer[Any]):
    """What the next game has to bring."""

    keep = serializers.IntegerField(
        allow_null=True, help_text=_("The last place with which it stays possible; null: none does.")
    )
    clinch = serializers.IntegerField(
        allow_null=True, help_text=_("The last place with which it is certain; null: none does.")
    )
    decides = serializers.BooleanField(help_text=_("Whether all is settled for the player by that game."))
    undecided = serializers.BooleanField(help_text=_("Whether keep may be a later place."))


class GoalSerializer(serializers.Serializer[Any]):
    """A place or better: whether it can be, whether it is certain, and what the next game has to bring."""

    place = serializers.IntegerField()
    possible = ChoiceField(ANSWERS)
    certain = serializers.BooleanField()
    next_game = NextGameSerializer(allow_null=True, help_text=_("Null for who does not play it."))


class PlaceReachSerializer(serializers.Serializer[Any]):
    """The final places that can be with this place in the next game."""

    place = serializers.IntegerField()
    reach = ReachSerializer()


class TablePlayerSerializer(serializers.Serializer[TablePlayer]):
    """A player at the table."""

    player = PlayerBriefSerializer()
    place_sum = serializers.IntegerField(source="outlook.place_sum")
    reach = ReachSerializer(source="outlook.reach")
    win = serializers.SerializerMethodField()
    top = serializers.SerializerMethodField()
    by_next_place = serializers.SerializerMethodField()

    @extend_schema_field(GoalSerializer)
    def get_win(self, one: TablePlayer) -> Any:
        return _goal(one.outlook, 1)

    @extend_schema_field(GoalSerializer)
    def get_top(self, one: TablePlayer) -> Any:
        return _goal(one.outlook, self.context["top"])

    @extend_schema_field(PlaceReachSerializer(many=True))
    def get_by_next_place(self, one: TablePlayer) -> Any:
        shape = ReachSerializer()
        return [
            {"place": place, "reach": shape.to_representation(reach)}
            for place, reach in enumerate(one.outlook.by_next_place, start=1)
        ]


def _goal(outlook: PlayerOutlook, place: int) -> dict[str, Any]:
    need = outlook.need(place) if outlook.by_next_place else None
    return {
        "place": place,
        "possible": outlook.reach.can(place),
        "certain": outlook.reach.clinched(place),
        "next_game": need
        and {"keep": need.keep, "clinch": need.clinch, "decides": need.decides, "undecided": need.undecided},
    }


class TableOutlookSerializer(serializers.Serializer[TableOutlook]):
    """What is still possible in a session."""

    session = id_field(source="session.pk")
    reason = ChoiceField(REASONS, allow_blank=True, help_text=_("Why there is no outlook; empty where there is one."))
    games_left = serializers.IntegerField()
    sitting = serializers.IntegerField(help_text=_("How many share out the places of each game left."))
    players = TablePlayerSerializer(many=True, help_text=_("Smallest sum of places first."))


class SeasonOutlookQuerySerializer(QuerySerializer):
    """What a season's outlook takes to be given; left out: as the season plans, and as it was played so far."""

    top = _top_field()
    evenings = QueryIntegerField(
        min_value=0,
        max_value=outlooks.MOST_EVENINGS,
        required=False,
        help_text=_("How many evenings are left."),
    )
    players = QueryIntegerField(
        min_value=2,
        max_value=outlooks.LARGEST_TABLE,
        required=False,
        help_text=_("How many sit at the largest table."),
    )
    tables = ChoiceField(
        ["one", "several"],
        required=False,
        help_text=_("One table an evening with the players of this table alone, or any number, with guests."),
    )


class ContestSerializer(serializers.Serializer[Contest]):
    """A rank or better; `tie_break`: only with, or but for, a tie-break between equal values."""

    possible = ChoiceField(VERDICTS)
    certain = ChoiceField(VERDICTS)
    keep = serializers.IntegerField(
        allow_null=True,
        help_text=_("The last place at a full table on the next evening with which it stays possible; null: none is."),
    )
    clinch = serializers.IntegerField(
        allow_null=True,
        help_text=_("The last place at a full table on the next evening with which it is certain; null: none is."),
    )
    next_undecided = serializers.BooleanField(help_text=_("Whether keep or clinch may be a later place."))


class SeasonPlayerSerializer(serializers.Serializer[SeasonPlayer]):
    """A player in the season."""

    player = PlayerBriefSerializer()
    best = serializers.FloatField(
        source="prospect.best", allow_null=True, help_text=_("The best value at the end; null: no rank can be.")
    )
    worst = serializers.FloatField(
        source="prospect.worst", allow_null=True, help_text=_("The worst value at the end; null: perhaps no rank.")
    )
    win = ContestSerializer(source="prospect.win")
    top = ContestSerializer(source="prospect.top")


class DivisionOutlookSerializer(serializers.Serializer[DivisionOutlook]):
    """A table of the season."""

    division = StandingDivisionSerializer(allow_null=True, help_text=_("Null in a season without divisions."))
    reason = ChoiceField(REASONS, allow_blank=True)
    players = SeasonPlayerSerializer(many=True)


class LeftSerializer(serializers.Serializer[Any]):
    """What is taken to be given."""

    evenings = serializers.IntegerField()
    largest = serializers.IntegerField(help_text=_("How many sit at the largest table."))
    one_table = serializers.BooleanField(help_text=_("One table an evening, or any number of them."))


class SeasonOutlookSerializer(serializers.Serializer[SeasonOutlook]):
    """What is still possible in a season."""

    season = id_field(source="season.pk")
    top = serializers.IntegerField()
    reason = ChoiceField(REASONS, allow_blank=True, help_text=_("Why there is no outlook; empty where there is one."))
    left = LeftSerializer(allow_null=True)
    divisions = DivisionOutlookSerializer(many=True, help_text=_("Each table of the season, one without divisions."))
