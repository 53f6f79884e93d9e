"""Why somebody stands where, and what is still possible."""

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.serializers.base import shown
from api.serializers.explanations import ExplanationSerializer
from api.serializers.outlook import (
    SeasonOutlookQuerySerializer,
    SeasonOutlookSerializer,
    TableOutlookQuerySerializer,
    TableOutlookSerializer,
)
from api.views.base import ClubView
from league.models import Season, Session
from league.services import explanations, outlooks


class ExplanationView(ClubView):
    @extend_schema(
        operation_id="explain_standing",
        summary=_("Read how a player's line of a season's standings comes about"),
        description=_(
            "Every session and missed evening with its value, what of it counts, how the value is added up, and what "
            "parts the player from the neighbours in the table."
        ),
        responses=ExplanationSerializer,
    )
    def get(self, request: Request, club: str, season_id: int, player_id: int) -> Response:
        season = self.find(Season.objects.select_related("league"), season_id)
        found = explanations.explain(season=season, player_id=player_id, naming=lambda player: player.name)
        return Response(self.shown(ExplanationSerializer, found))


class SeasonOutlookView(ClubView):
    query_shapes = {"GET": SeasonOutlookQuerySerializer}

    @extend_schema(
        operation_id="get_season_outlook",
        summary=_("Read what is still possible in a season"),
        description=_(
            "Who can still win or finish in the top N, and who has clinched it: proved, never estimated. What a search "
            "does not decide within its limit is undecided."
        ),
        parameters=[SeasonOutlookQuerySerializer],
        responses=SeasonOutlookSerializer,
    )
    def get(self, request: Request, club: str, season_id: int) -> Response:
        season = self.find(Season.objects.select_related("league"), season_id)
        wanted = outlooks.Wanted(
            top=self.query["top"],
            evenings=self.query.get("evenings"),
            largest=self.query.get("players"),
            one_table={"one": True, "several": False}.get(self.query.get("tables", "")),
        )
        return Response(self.shown(SeasonOutlookSerializer, outlooks.of_season(season, wanted, now=self.now)))


class SessionOutlookView(ClubView):
    query_shapes = {"GET": TableOutlookQuerySerializer}

    @extend_schema(
        operation_id="get_session_outlook",
        summary=_("Read what is still possible in a session that goes on"),
        description=_(
            "For Pure XXL and Individual XXL: who can still win or finish in the top N, who has clinched it, and which "
            "place that takes in the next game, over all ends of the games left, with ties."
        ),
        parameters=[TableOutlookQuerySerializer],
        responses=TableOutlookSerializer,
    )
    def get(self, request: Request, club: str, session_id: int) -> Response:
        session = self.find(Session.objects.select_related("season__league"), session_id)
        found = outlooks.of_session(session)
        return Response(shown(TableOutlookSerializer, found, club=club, top=self.query["top"]))
