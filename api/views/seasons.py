"""Leagues, seasons and their standings."""

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.filters import by_name, by_values
from api.idempotency import Answer
from api.schema import page_of
from api.serializers.base import shown
from api.serializers.corrections import DryRunSerializer
from api.serializers.seasons import (
    LeagueChangeSerializer,
    LeagueQuerySerializer,
    LeagueSerializer,
    NewLeagueSerializer,
    NewSeasonSerializer,
    RulesVersionQuerySerializer,
    RulesVersionSerializer,
    SeasonChangeSerializer,
    SeasonPreviewSerializer,
    SeasonQuerySerializer,
    SeasonSerializer,
)
from api.serializers.standings import StandingSerializer, StandingsQuerySerializer, StandingsSerializer
from api.views.base import ClubView
from league.models import League, Role, Season, SeasonRulesVersion, Standing, name_key
from league.services import seasons


class LeaguesView(ClubView):
    writes = Role.ADMIN
    query_shapes = {"GET": LeagueQuerySerializer}

    @extend_schema(
        operation_id="list_leagues",
        summary=_("List the leagues"),
        parameters=[LeagueQuerySerializer],
        responses=page_of(LeagueSerializer),
    )
    def get(self, request: Request, club: str) -> Response:
        return self.listed(LeagueSerializer, by_name(League.objects.filter(club=self.access.club), self.query, "name"))

    @extend_schema(
        operation_id="create_league",
        summary=_("Found a league"),
        request=NewLeagueSerializer,
        responses={201: LeagueSerializer},
    )
    def post(self, request: Request, club: str) -> HttpResponse:
        values = self.body(NewLeagueSerializer)

        def act() -> Answer:
            league = seasons.create_league(access=self.access, now=self.now, **values)
            league.refresh_from_db()
            location = reverse("api:league", kwargs={"club": club, "league_id": league.pk})
            return self.answer(201, self.shown(LeagueSerializer, league), location)

        return self.once(act)


class LeagueDetailView(ClubView):
    writes = Role.ADMIN

    @extend_schema(operation_id="get_league", summary=_("Read a league"), responses=LeagueSerializer)
    def get(self, request: Request, club: str, league_id: int) -> Response:
        return Response(self.shown(LeagueSerializer, self.find(League.objects.all(), league_id)))

    @extend_schema(
        operation_id="change_league",
        summary=_("Change a league"),
        request=LeagueChangeSerializer,
        responses=LeagueSerializer,
    )
    def patch(self, request: Request, club: str, league_id: int) -> Response:
        changes = self.body(LeagueChangeSerializer)
        league = seasons.update_league(access=self.access, league_id=league_id, changes=changes, now=self.now)
        return Response(self.shown(LeagueSerializer, league))


class SeasonsView(ClubView):
    writes = Role.ADMIN
    query_shapes = {"GET": SeasonQuerySerializer}

    @extend_schema(
        operation_id="list_seasons",
        summary=_("List the seasons, newest first"),
        parameters=[SeasonQuerySerializer],
        responses=page_of(SeasonSerializer),
    )
    def get(self, request: Request, club: str) -> Response:
        rows = Season.objects.filter(club=self.access.club).select_related("league")
        rows = by_values(rows, self.query, {"league": "league", "status": "status", "visibility": "visibility"})
        return self.listed(SeasonSerializer, by_name(rows, self.query, "name"), newest_first=True)

    @extend_schema(
        operation_id="create_season",
        summary=_("Open a season"),
        request=NewSeasonSerializer,
        responses={201: SeasonSerializer},
    )
    def post(self, request: Request, club: str) -> HttpResponse:
        fields = self.body(NewSeasonSerializer)
        league_id = fields.pop("league")

        def act() -> Answer:
            season = seasons.create_season(access=self.access, league_id=league_id, fields=fields, now=self.now)
            season.refresh_from_db()
            location = reverse("api:season", kwargs={"club": club, "season_id": season.pk})
            return self.answer(201, self.shown(SeasonSerializer, season), location)

        return self.once(act)


SEASON_OR_PREVIEW = PolymorphicProxySerializer(
    component_name="SeasonOrPreview",
    serializers=[SeasonSerializer, SeasonPreviewSerializer],
    resource_type_field_name=None,
)


class SeasonDetailView(ClubView):
    writes = Role.ADMIN
    query_shapes = {"PATCH": DryRunSerializer}

    @extend_schema(operation_id="get_season", summary=_("Read a season"), responses=SeasonSerializer)
    def get(self, request: Request, club: str, season_id: int) -> Response:
        season = self.find(Season.objects.select_related("league"), season_id)
        return Response(self.shown(SeasonSerializer, season))

    @extend_schema(
        operation_id="change_season",
        summary=_("Change, close or reopen a season"),
        description=_(
            "A change of the rules counts all sessions of the season anew. With `dry_run=true` nothing is stored and "
            "the answer says which table would come of it."
        ),
        parameters=[DryRunSerializer],
        request=SeasonChangeSerializer,
        responses=SEASON_OR_PREVIEW,
    )
    def patch(self, request: Request, club: str, season_id: int) -> Response:
        changes = self.body(SeasonChangeSerializer)
        if self.query["dry_run"]:
            preview = seasons.rehearse_update(access=self.access, season_id=season_id, changes=changes, now=self.now)
            return Response(self.shown(SeasonPreviewSerializer, preview))
        season = seasons.update_season(access=self.access, season_id=season_id, changes=changes, now=self.now)
        return Response(self.shown(SeasonSerializer, season))


class RulesVersionsView(ClubView):
    query_shapes = {"GET": RulesVersionQuerySerializer}

    @extend_schema(
        operation_id="list_season_rules",
        summary=_("List the versions of a season's rules, newest first"),
        parameters=[RulesVersionQuerySerializer],
        responses=page_of(RulesVersionSerializer),
    )
    def get(self, request: Request, club: str, season_id: int) -> Response:
        season = self.find(Season.objects.all(), season_id)
        return self.listed(RulesVersionSerializer, SeasonRulesVersion.objects.filter(season=season), usual="-number")


class StandingsView(ClubView):
    query_shapes = {"GET": StandingsQuerySerializer}

    @extend_schema(
        operation_id="get_standings",
        summary=_("Read a season's standings"),
        description=_("The whole table, best first; equal players share a rank and the next ranks are skipped."),
        parameters=[StandingsQuerySerializer],
        responses=StandingsSerializer,
    )
    def get(self, request: Request, club: str, season_id: int) -> Response:
        season = self.find(Season.objects.select_related("league"), season_id)
        table: list[Standing] = list(Standing.objects.table(season))
        # Here, not in the database: ranks are those of the whole table, whoever of it is asked for.
        part = name_key(self.query.get("search", ""))
        found = [row for row in table if part in row.player.name_key]
        if "player" in self.query:
            found = [row for row in found if row.player_id == self.query["player"]]
        lines = shown(StandingSerializer, found, many=True, club=club, fields=self.query.get("fields"))
        return Response({"season": self.shown(SeasonSerializer, season), "results": lines})
