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
    EraseSerializer,
    MergeSerializer,
    NewPlayerSerializer,
    PlayerChangeSerializer,
    PlayerQuerySerializer,
    PlayerSerializer,
)
from api.serializers.sessions import NothingSerializer
from api.views.base import ClubView
from league.models import Player, Role, name_key
from league.services import erasure, merges, players


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


class PlayerStepView(ClubView):
    """A step with one player, answered with the player as it is then."""

    writes = Role.ADMIN

    def taken(self, player_id: int) -> Answer:
        return self.answer(200, self.shown(PlayerSerializer, self.find(Player.objects.all(), player_id)))


class MergeView(PlayerStepView):
    @extend_schema(
        operation_id="merge_player",
        summary=_("Merge a player into another"),
        description=_(
            "All results of this player go to the other; this one is archived, and its name means the other from then "
            "on. Refused (409) where both sat in one session or a closed season is concerned."
        ),
        request=MergeSerializer,
        responses={200: PlayerSerializer},
    )
    def post(self, request: Request, club: str, player_id: int) -> HttpResponse:
        target_id = self.body(MergeSerializer)["into"]

        def act() -> Answer:
            merges.merge(access=self.access, source_id=player_id, target_id=target_id, now=self.now)
            return self.taken(player_id)

        return self.once(act)


class UnmergeView(PlayerStepView):
    @extend_schema(
        operation_id="unmerge_player",
        summary=_("Take a merge back"),
        description=_("The player has the sessions again that were given; those recorded since stay with the other."),
        request={"application/json": NothingSerializer},
        responses={200: PlayerSerializer},
    )
    def post(self, request: Request, club: str, player_id: int) -> HttpResponse:
        self.body(NothingSerializer, optional=True)

        def act() -> Answer:
            merges.undo(access=self.access, source_id=player_id, now=self.now)
            return self.taken(player_id)

        return self.once(act)


class EraseView(PlayerStepView):
    @extend_schema(
        operation_id="erase_player",
        summary=_("Erase what says who a player is"),
        description=_(
            'Needs `confirm: ["erase"]`. The name becomes a neutral one, the link to a member ends, results stay. '
            "There is no way back."
        ),
        request=EraseSerializer,
        responses={200: PlayerSerializer},
    )
    def post(self, request: Request, club: str, player_id: int) -> HttpResponse:
        confirmed = erasure.CONFIRM in self.body(EraseSerializer, optional=True)["confirm"]

        def act() -> Answer:
            erasure.erase(access=self.access, player_id=player_id, confirmed=confirmed, now=self.now)
            return self.taken(player_id)

        return self.once(act)
