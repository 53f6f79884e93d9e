"""Players."""

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.filters import by_values
from api.idempotency import Answer
from api.schema import page_of
from api.serializers.players import (
    NewPlayerSerializer,
    PlayerChangeSerializer,
    PlayerQuerySerializer,
    PlayerSerializer,
)
from api.views.base import ClubView
from league.models import Player, name_key
from league.services import players


class PlayersView(ClubView):
    query_shapes = {"GET": PlayerQuerySerializer}

    @extend_schema(
        operation_id="list_players",
        summary=_("List the players"),
        parameters=[PlayerQuerySerializer],
        responses=page_of(PlayerSerializer),
    )
    def get(self, request: Request, club: str) -> Response:
        rows = Player.objects.filter(club=self.access.club)
        rows = by_values(rows, self.query, {"kind": "kind", "guest": "is_guest", "member": "member"})
        if "archived" in self.query:
            rows = rows.filter(archived_at__isnull=not self.query["archived"])
        if part := name_key(self.query.get("search", "")):
            rows = rows.filter(name_key__contains=part)
        return self.listed(PlayerSerializer, rows, columns={"name": "name_key"})

    @extend_schema(
        operation_id="create_player",
        summary=_("Add a player"),
        request=NewPlayerSerializer,
        responses={201: PlayerSerializer},
    )
    def post(self, request: Request, club: str) -> HttpResponse:
        values = self.body(NewPlayerSerializer)
        member_id = values.pop("member")

        def act() -> Answer:
            player = players.create(access=self.access, member_id=member_id, now=self.now, **values)
            player.refresh_from_db()
            location = reverse("api:player", kwargs={"club": club, "player_id": player.pk})
            return self.answer(201, self.shown(PlayerSerializer, player), location)

        return self.once(act)


class PlayerDetailView(ClubView):
    @extend_schema(operation_id="get_player", summary=_("Read a player"), responses=PlayerSerializer)
    def get(self, request: Request, club: str, player_id: int) -> Response:
        return Response(self.shown(PlayerSerializer, self.find(Player.objects.all(), player_id)))

    @extend_schema(
        operation_id="change_player",
        summary=_("Change or archive a player"),
        request=PlayerChangeSerializer,
        responses=PlayerSerializer,
    )
    def patch(self, request: Request, club: str, player_id: int) -> Response:
        changes = self.body(PlayerChangeSerializer)
        player = players.update(access=self.access, player_id=player_id, changes=changes, now=self.now)
        return Response(self.shown(PlayerSerializer, player))
