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
    QueryBooleanField,
    QueryIntegerField,
    TextField,
)
from league.models import (
    IncompleteRule,
    League,
    MissingRoundRule,
    RankingMetric,
    Season,
    SeasonStatus,
    SubstitutionRule,
)
from league.services.seasons import LARGEST_MINIMUM


class LeagueSerializer(serializers.Serializer[League]):
    """A club's lasting competition."""

    id = id_field()
    slug = serializers.CharField()
    name = serializers.CharField()
    created_at = serializers.DateTimeField()


class NewLeagueSerializer(StrictSerializer):
    """A league to be founded."""

    name = TextField(max_length=100)
    slug = slug_field()


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
    is_public = BooleanField()
    ranking_metric = ChoiceField(RankingMetric.choices)
    minimum_sessions = IntegerField(min_value=1, max_value=LARGEST_MINIMUM)
    incomplete_sessions = ChoiceField(IncompleteRule.choices)
    minimum_rounds = IntegerField(min_value=1, max_value=LARGEST_MINIMUM)
    missing_round = ChoiceField(MissingRoundRule.choices)
    substitution = ChoiceField(SubstitutionRule.choices)
    needs_confirmation = BooleanField()
    created_at = serializers.DateTimeField()


class _RulesSerializer(StrictSerializer):
    """The fields of a season that may be left out."""

    ends_on = DateField(required=False, allow_null=True)
    status = ChoiceField(SeasonStatus.choices, required=False)
    is_public = BooleanField(required=False, help_text=_("Anyone may read the leaderboard."))
    ranking_metric = ChoiceField(RankingMetric.choices, required=False)
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
    slug = slug_field()
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
    public = QueryBooleanField(required=False)
    search = search_field(_("A part of the name, whatever its case."))
    ordering = ordering_field("id", "name", "starts_on")
