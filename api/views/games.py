"""The catalogue of games."""

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.serializers.games import GameListSerializer, game_data
from api.views.base import ApiView
from games.catalog import GAMES


class GamesView(ApiView):
    @extend_schema(
        operation_id="list_games",
        summary=_("List the games"),
        description=_("With the scores that are possible and plausible for each size of table."),
        responses=GameListSerializer,
    )
    def get(self, request: Request) -> Response:
        return Response({"results": [game_data(game) for game in GAMES.values()], "next": None})
