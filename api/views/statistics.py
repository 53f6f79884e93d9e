"""Statistics. Read only: they follow from the sessions."""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.serializers.statistics import (
    GameStatisticsSerializer,
    HallOfFameQuerySerializer,
    HallOfFameSerializer,
    PlayerStatisticsSerializer,
    game_data,
)
from api.views.base import ClubView
from league.models import Player, Season, SeasonStatus
from league.models.games import games_by_key
from league.services import statistics


class PlayerStatisticsView(ClubView):
    @extend_schema(
        operation_id="get_player_statistics",
        summary=_("Read a player's statistics"),
        description=_("They follow a result within seconds. Voided and unconfirmed sessions are left out."),
        responses=PlayerStatisticsSerializer,
    )
    def get(self, request: Request, club: str, player_id: int) -> Response:
        player = self.find(Player.objects.all(), player_id)
        figures = statistics.player_figures(club_id=self.access.club.pk, players=[player.pk])
        value = {"player": player, "statistics": figures.get(player.pk)}
        return Response(self.shown(PlayerStatisticsSerializer, value))


class GameStatisticsView(ClubView):
    @extend_schema(
        operation_id="get_game_statistics",
        summary=_("Read a game's statistics in the club"),
        responses=GameStatisticsSerializer,
    )
    def get(self, request: Request, club: str, game: str) -> Response:
        club_id = self.access.club.pk
        if not games_by_key(club_id, [game]):
            raise Http404
        row = statistics.game_figures(club_id=club_id, games=[game]).get(game)
        return Response(self.shown(GameStatisticsSerializer, game_data(game, row)))


class HallOfFameView(ClubView):
    query_shapes = {"GET": HallOfFameQuerySerializer}

    @extend_schema(
        operation_id="get_hall_of_fame",
        summary=_("Read the hall of fame"),
        description=_("Closed seasons with their first three, the newest first; and the best people of all times."),
        parameters=[HallOfFameQuerySerializer],
        responses=HallOfFameSerializer,
    )
    def get(self, request: Request, club: str) -> Response:
        seasons = Season.objects.filter(club=self.access.club, status=SeasonStatus.CLOSED).select_related("league")
        found, following = self.page(seasons, usual="-starts_on")
        first: dict[int, list[Any]] = {}
        for one in statistics.first_three(found):
            first.setdefault(one.season_id, []).append(one)
        value = {
            "results": [{"season": season, "first_three": first.get(season.pk, [])} for season in found],
            "best": statistics.club_figures(club_id=self.access.club.pk),
            "next": following,
        }
        return Response(self.shown(HallOfFameSerializer, value))
