"""Leagues, seasons and their standings."""

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.idempotency import Answer
from api.schema import page_of
from api.serializers.base import PageQuerySerializer, shown
from api.serializers.seasons import (
    LeagueChangeSerializer,
    LeagueSerializer,
    NewLeagueSerializer,
    NewSeasonSerializer,
    SeasonChangeSerializer,
    SeasonQuerySerializer,
    SeasonSerializer,
)
from api.serializers.standings import StandingSerializer, StandingsSerializer
from api.views.base import ClubView
from league.models import League, Season, Standing
from league.services import seasons


class LeaguesView(ClubView):
    query_shapes = {"GET": PageQuerySerializer}

    @extend_schema(
        operation_id="list_leagues",
        summary=_("List the leagues"),
        parameters=[PageQuerySerializer],
        responses=page_of(LeagueSerializer),
    )
    def get(self, request: Request, club: str) -> Response:
        return self.listed(LeagueSerializer, League.objects.filter(club=self.access.club))

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
    query_shapes = {"GET": SeasonQuerySerializer}

    @extend_schema(
        operation_id="list_seasons",
        summary=_("List the seasons, newest first"),
        parameters=[SeasonQuerySerializer],
        responses=page_of(SeasonSerializer),
    )
    def get(self, request: Request, club: str) -> Response:
        rows = Season.objects.filter(club=self.access.club).select_related("league")
        if "league" in self.query:
            rows = rows.filter(league=self.query["league"])
        if "status" in self.query:
            rows = rows.filter(status=self.query["status"])
        return self.listed(SeasonSerializer, rows, newest_first=True)

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


class SeasonDetailView(ClubView):
    @extend_schema(operation_id="get_season", summary=_("Read a season"), responses=SeasonSerializer)
    def get(self, request: Request, club: str, season_id: int) -> Response:
        season = self.find(Season.objects.select_related("league"), season_id)
        return Response(self.shown(SeasonSerializer, season))

    @extend_schema(
        operation_id="change_season",
        summary=_("Change, close or reopen a season"),
        description=_("A change of the rules counts all sessions of the season anew."),
        request=SeasonChangeSerializer,
        responses=SeasonSerializer,
    )
    def patch(self, request: Request, club: str, season_id: int) -> Response:
        changes = self.body(SeasonChangeSerializer)
        season = seasons.update_season(access=self.access, season_id=season_id, changes=changes, now=self.now)
        return Response(self.shown(SeasonSerializer, season))


class StandingsView(ClubView):
    @extend_schema(
        operation_id="get_standings",
        summary=_("Read a season's standings"),
        description=_("The whole table, best first; equal players share a rank and the next ranks are skipped."),
        responses=StandingsSerializer,
    )
    def get(self, request: Request, club: str, season_id: int) -> Response:
        season = self.find(Season.objects.select_related("league"), season_id)
        lines = shown(StandingSerializer, Standing.objects.table(season), many=True, club=club)
        return Response({"season": self.shown(SeasonSerializer, season), "results": lines})
