"""Divisions of a season, their players, and the season that follows."""

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.idempotency import Answer
from api.schema import page_of
from api.serializers.base import PageQuerySerializer
from api.serializers.divisions import (
    DivisionChangeSerializer,
    DivisionPlayersChangeSerializer,
    DivisionPlayerSerializer,
    DivisionQuerySerializer,
    DivisionSerializer,
    FollowingSeasonSerializer,
    NewDivisionSerializer,
)
from api.serializers.seasons import SeasonSerializer
from api.views.base import ClubView
from league.models import Division, DivisionPlayer, Role, Season
from league.services import divisions as service

# One shape for both answers, which the description has by one name.
_PLAYERS = page_of(DivisionPlayerSerializer)


class _SeasonView(ClubView):
    def division(self, season_id: int, division_id: int) -> Division:
        """The division of that season. Raises Http404."""
        found: Division = self.find(Division.objects.filter(season=season_id), division_id)
        return found


class DivisionsView(_SeasonView):
    writes = Role.ADMIN
    query_shapes = {"GET": DivisionQuerySerializer}

    @extend_schema(
        operation_id="list_divisions",
        summary=_("List the divisions of a season, the highest first"),
        parameters=[DivisionQuerySerializer],
        responses=page_of(DivisionSerializer),
    )
    def get(self, request: Request, club: str, season_id: int) -> Response:
        season = self.find(Season.objects.all(), season_id)
        return self.listed(DivisionSerializer, Division.objects.filter(season=season), usual="level")

    @extend_schema(
        operation_id="create_division",
        summary=_("Add a division to a season"),
        request=NewDivisionSerializer,
        responses={201: DivisionSerializer},
    )
    def post(self, request: Request, club: str, season_id: int) -> HttpResponse:
        fields = self.body(NewDivisionSerializer)

        def act() -> Answer:
            made = service.create(access=self.access, season_id=season_id, fields=fields, now=self.now)
            own = {"club": club, "season_id": season_id, "division_id": made.pk}
            return self.answer(201, self.shown(DivisionSerializer, made), reverse("api:division", kwargs=own))

        return self.once(act)


class DivisionDetailView(_SeasonView):
    writes = Role.ADMIN

    @extend_schema(operation_id="get_division", summary=_("Read a division"), responses=DivisionSerializer)
    def get(self, request: Request, club: str, season_id: int, division_id: int) -> Response:
        return Response(self.shown(DivisionSerializer, self.division(season_id, division_id)))

    @extend_schema(
        operation_id="change_division",
        summary=_("Change a division"),
        request=DivisionChangeSerializer,
        responses=DivisionSerializer,
    )
    def patch(self, request: Request, club: str, season_id: int, division_id: int) -> Response:
        changes = self.body(DivisionChangeSerializer)
        changed = service.update(
            access=self.access, season_id=season_id, division_id=division_id, changes=changes, now=self.now
        )
        return Response(self.shown(DivisionSerializer, changed))

    @extend_schema(
        operation_id="delete_division",
        summary=_("Delete a division"),
        description=_("Its players are in no division then."),
        request=None,
        responses={204: None},
    )
    def delete(self, request: Request, club: str, season_id: int, division_id: int) -> Response:
        service.remove(access=self.access, season_id=season_id, division_id=division_id, now=self.now)
        return Response(status=204)


class DivisionPlayersView(_SeasonView):
    writes = Role.ADMIN
    query_shapes = {"GET": PageQuerySerializer}

    @extend_schema(
        operation_id="list_division_players",
        summary=_("List the players of a division"),
        parameters=[PageQuerySerializer],
        responses=_PLAYERS,
    )
    def get(self, request: Request, club: str, season_id: int, division_id: int) -> Response:
        division = self.division(season_id, division_id)
        rows = DivisionPlayer.objects.filter(division=division).select_related("player")
        return self.listed(DivisionPlayerSerializer, rows)

    @extend_schema(
        operation_id="change_division_players",
        summary=_("Put players into a division, or take them out"),
        request=DivisionPlayersChangeSerializer,
        responses=_PLAYERS,
    )
    def patch(self, request: Request, club: str, season_id: int, division_id: int) -> Response:
        values = self.body(DivisionPlayersChangeSerializer)
        division = self.division(season_id, division_id)
        # Who is in another division stays there when it is this one that is left.
        inside = set(division.players.values_list("player_id", flat=True))
        places: dict[int, int | None] = {player: None for player in values.get("remove", ()) if player in inside}
        places |= dict.fromkeys(values.get("add", ()), division.pk)
        service.assign(access=self.access, season_id=season_id, places=places, now=self.now)
        rows = DivisionPlayer.objects.filter(division=division).select_related("player").order_by("pk")
        return Response({"results": [self.shown(DivisionPlayerSerializer, one) for one in rows], "next": None})


class FollowingSeasonView(ClubView):
    writes = Role.ADMIN

    @extend_schema(
        operation_id="open_following_season",
        summary=_("Open the season that follows a closed one"),
        description=_(
            "The same league, rules and divisions; players move up and down by their final ranks. Where players share "
            "the rank at a line, the answer is 409 `rank_shared` and names them: repeat with those who move in "
            "`promoted` or `relegated`."
        ),
        request=FollowingSeasonSerializer,
        responses={201: SeasonSerializer},
    )
    def post(self, request: Request, club: str, season_id: int) -> HttpResponse:
        fields = self.body(FollowingSeasonSerializer)
        chosen = {way: fields.pop(way, []) for way in ("promoted", "relegated")}

        def act() -> Answer:
            season = service.open_following_season(
                access=self.access, season_id=season_id, fields=fields, now=self.now, **chosen
            )
            location = reverse("api:season", kwargs={"club": club, "season_id": season.pk})
            return self.answer(201, self.shown(SeasonSerializer, season), location)

        return self.once(act)
