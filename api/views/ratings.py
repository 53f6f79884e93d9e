"""Ratings. Read only: they follow from the sessions."""

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.filters import by_values
from api.schema import page_of
from api.serializers.base import shown
from api.serializers.ratings import (
    PlayerRatingsSerializer,
    RatingChangeQuerySerializer,
    RatingChangeSerializer,
    RatingQuerySerializer,
    RatingSerializer,
)
from api.views.base import ClubView
from league.models import Player, Rating, RatingChange, name_key

_BOARD = {"board": "board", "family": "family"}


class RatingsView(ClubView):
    query_shapes = {"GET": RatingQuerySerializer}

    @extend_schema(
        operation_id="list_ratings",
        summary=_("List the ratings"),
        description=_("The best first. They follow a result within seconds, and a correction from its day on."),
        parameters=[RatingQuerySerializer],
        responses=page_of(RatingSerializer),
    )
    def get(self, request: Request, club: str) -> Response:
        ratings: QuerySet[Rating] = Rating.objects.filter(club=self.access.club)
        rows = by_values(ratings, self.query, {**_BOARD, "player": "player", "kind": "player__kind"})
        if "archived" in self.query:
            rows = rows.filter(player__archived_at__isnull=not self.query["archived"])
        if part := name_key(self.query.get("search", "")):
            rows = rows.filter(player__name_key__contains=part)
        return self.listed(
            RatingSerializer,
            rows.select_related("player"),
            usual="-value",
            ties=("player_id", "board", "family"),
        )


class PlayerRatingsView(ClubView):
    query_shapes = {"GET": RatingChangeQuerySerializer}

    @extend_schema(
        operation_id="get_player_ratings",
        summary=_("Read a player's ratings and how they came about"),
        description=_("`current` holds the ratings now; `results` those after each session, the last one first."),
        parameters=[RatingChangeQuerySerializer],
        responses=PlayerRatingsSerializer,
    )
    def get(self, request: Request, club: str, player_id: int) -> Response:
        player = self.find(Player.objects.all(), player_id)
        current = by_values(Rating.objects.filter(player=player), self.query, _BOARD).select_related("player")
        changes = by_values(RatingChange.objects.filter(player=player), self.query, _BOARD)
        # Stored anew by a replay: under the same session, never under the same id.
        found, following = self.page(changes, usual="-played_on", ties=("session_id", "board", "family"))
        return Response(
            {
                "current": shown(RatingSerializer, current.order_by("board", "family"), many=True, club=club),
                "results": shown(RatingChangeSerializer, found, many=True, club=club),
                "next": following,
            }
        )
