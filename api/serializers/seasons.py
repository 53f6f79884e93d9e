"""Leagues and seasons, with the rules that a season declares."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from api.serializers.base import (
    ChangeSerializer,
    PageQuerySerializer,
    StrictSerializer,
    id_field,
    ordering_field,
    search_field,
    slug_field,
)
from api.serializers.fields import (
    MAX_ID,
    BooleanField,
    ChoiceField,
    DateField,
    IntegerField,
    QueryIntegerField,
    TextField,
)
from api.serializers.players import PlayerBriefSerializer
from league.models import (
    AbsenceRule,
    Best,
    IncompleteRule,
    League,
    MissingRoundRule,
    RankingMetric,
    Season,
    SeasonRulesVersion,
    SeasonStatus,
    SubstitutionRule,
    TableWeight,
    TieBreakCode,
    Visibility,
)
from league.services.seasons import (
    LARGEST_MINIMUM,
    LARGEST_NUMBER,
    LARGEST_POINTS,
    LARGEST_TABLE,
    TableLine,
    TableMove,
    TablePreview,
)


class LeagueSerializer(serializers.Serializer[League]):
    """A club's lasting competition."""

    id = id_field()
    slug = serializers.CharField()
    name = serializers.CharField()
    created_at = serializers.DateTimeField()


class NewLeagueSerializer(StrictSerializer):
    """A league to be founded."""

    name = TextField(max_length=100)
    slug = slug_field(default="", allow_blank=True)


class LeagueChangeSerializer(ChangeSerializer):
    """What to change of a league. A new short name changes the league's address and its seasons' references."""

    name = TextField(max_length=100, required=False)
    slug = slug_field(required=False)


class SeasonBriefSerializer(serializers.Serializer[Season]):
    """A season, as named in results."""

    id = id_field()
    reference = serializers.SerializerMethodField(help_text=_("As requests name it: league/season."))
    name = serializers.CharField()

    def get_reference(self, season: Season) -> str:
        return f"{season.league.slug}/{season.slug}"


class SeasonSerializer(SeasonBriefSerializer):
    """A dated run of a league with its rules."""

    league = id_field(source="league_id")
    slug = serializers.CharField()
    starts_on = serializers.DateField()
    ends_on = serializers.DateField(allow_null=True)
    status = ChoiceField(SeasonStatus.choices)
    visibility = ChoiceField(Visibility.choices)
    planned_evenings = serializers.IntegerField(allow_null=True)
    rules_version = serializers.IntegerField(help_text=_("Counts the changes of the rules."))
    ranking_metric = ChoiceField(RankingMetric.choices)
    ranking_best = ChoiceField(Best.choices)
    points_by_place = serializers.ListField(child=serializers.IntegerField())
    table_weight = ChoiceField(TableWeight.choices)
    drop_worst = serializers.IntegerField()
    count_best = serializers.IntegerField()
    absence = ChoiceField(AbsenceRule.choices)
    tie_breaks = serializers.ListField(child=ChoiceField(TieBreakCode.choices))
    minimum_sessions = IntegerField(min_value=1, max_value=LARGEST_MINIMUM)
    incomplete_sessions = ChoiceField(IncompleteRule.choices)
    minimum_rounds = IntegerField(min_value=1, max_value=LARGEST_MINIMUM)
    missing_round = ChoiceField(MissingRoundRule.choices)
    substitution = ChoiceField(SubstitutionRule.choices)
    needs_confirmation = BooleanField()
    created_at = serializers.DateTimeField()


class RulesVersionSerializer(serializers.Serializer[SeasonRulesVersion]):
    """The rules of a season as they held from some time on."""

    number = serializers.IntegerField(help_text=_("From 1."))
    at = serializers.DateTimeField()
    user = id_field(allow_null=True, source="user_id", help_text=_("The id of the user who set them."))
    rules = serializers.DictField(help_text=_("Every rule by its name as in a season, and what held."))


class RulesVersionQuerySerializer(PageQuerySerializer):
    """Which page of the versions to send."""

    ordering = ordering_field("number")


class TableLineSerializer(serializers.Serializer[TableLine]):
    """A player's line in a season's table."""

    rank = serializers.IntegerField(allow_null=True)
    sessions = serializers.IntegerField()
    counted = serializers.IntegerField(help_text=_("The sessions and missed evenings that make the value."))
    value = serializers.FloatField(help_text=_("What the season ranks by."))


class TableMoveSerializer(serializers.Serializer[TableMove]):
    """A player's line as it is and as it would be; null: not in the table."""

    player = PlayerBriefSerializer()
    before = TableLineSerializer(allow_null=True)
    after = TableLineSerializer(allow_null=True)


class SeasonPreviewSerializer(serializers.Serializer[TablePreview]):
    """What a change would make of a season and its table; nothing was stored."""

    dry_run = serializers.SerializerMethodField()
    season = SeasonSerializer()
    moved = serializers.IntegerField(help_text=_("How many players would have another rank."))
    moves = TableMoveSerializer(many=True, help_text=_("The whole table, as it would be ordered."))

    def get_dry_run(self, preview: TablePreview) -> bool:
        return True


class _RulesSerializer(StrictSerializer):
    """The fields of a season that may be left out."""

    ends_on = DateField(required=False, allow_null=True)
    status = ChoiceField(SeasonStatus.choices, required=False)
    visibility = ChoiceField(Visibility.choices, required=False, help_text=_("Who may read the leaderboard."))
    planned_evenings = IntegerField(min_value=0, max_value=LARGEST_NUMBER, required=False, allow_null=True)
    ranking_metric = ChoiceField(RankingMetric.choices, required=False)
    ranking_best = ChoiceField(
        Best.choices, required=False, help_text=_("Left out with another metric: what is usual for that.")
    )
    points_by_place = serializers.ListField(
        child=IntegerField(min_value=-LARGEST_POINTS, max_value=LARGEST_POINTS),
        min_length=1,
        max_length=LARGEST_TABLE,
        required=False,
        help_text=_("Points for place 1, 2, …; places beyond get none."),
    )
    table_weight = ChoiceField(TableWeight.choices, required=False)
    drop_worst = IntegerField(min_value=0, max_value=LARGEST_NUMBER, required=False)
    count_best = IntegerField(min_value=0, max_value=LARGEST_NUMBER, required=False, help_text=_("0: all of them."))
    absence = ChoiceField(AbsenceRule.choices, required=False)
    tie_breaks = serializers.ListField(
        child=ChoiceField(TieBreakCode.choices),
        max_length=len(TieBreakCode.choices),
        required=False,
        help_text=_("Asked one after the other; who is equal in all of them shares the rank."),
    )
    minimum_sessions = IntegerField(
        min_value=1,
        max_value=LARGEST_MINIMUM,
        required=False,
        help_text=_("Players with fewer sessions are listed without a rank."),
    )
    incomplete_sessions = ChoiceField(
        IncompleteRule.choices, required=False, help_text=_("How a session that was ended early counts.")
    )
    minimum_rounds = IntegerField(
        min_value=1,
        max_value=LARGEST_MINIMUM,
        required=False,
        help_text=_("A session ended earlier than this does not count."),
    )
    missing_round = ChoiceField(MissingRoundRule.choices, required=False, help_text=_("How a missed round counts."))
    substitution = ChoiceField(
        SubstitutionRule.choices, required=False, help_text=_("Whose the rounds of a seat are that two players shared.")
    )
    needs_confirmation = BooleanField(
        required=False,
        help_text=_("A session counts once a second participant or a scorekeeper has confirmed it."),
    )


class NewSeasonSerializer(_RulesSerializer):
    """A season to be opened."""

    league = id_field()
    name = TextField(max_length=100)
    slug = slug_field(default="", allow_blank=True)
    starts_on = DateField()


class SeasonChangeSerializer(_RulesSerializer, ChangeSerializer):
    """What to change of a season. A change of its rules counts all its sessions anew."""

    name = TextField(max_length=100, required=False)
    slug = slug_field(required=False)
    starts_on = DateField(required=False)

    def validate(self, attrs: Any) -> dict[str, object]:
        return dict(super().validate(attrs))


class LeagueQuerySerializer(PageQuerySerializer):
    """Which leagues to list."""

    search = search_field(_("A part of the name, whatever its case."))
    ordering = ordering_field("id", "name")


class SeasonQuerySerializer(PageQuerySerializer):
    """Which seasons to list."""

    league = QueryIntegerField(min_value=1, max_value=MAX_ID, required=False)
    status = ChoiceField(SeasonStatus.choices, required=False)
    visibility = ChoiceField(Visibility.choices, required=False)
    search = search_field(_("A part of the name, whatever its case."))
    ordering = ordering_field("id", "name", "starts_on")
