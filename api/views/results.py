"""Results of sessions and scores of rounds, across sessions. Read only: sessions are where they are written."""

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.filters import by_days, by_season, by_values, known_game
from api.schema import page_of
from api.serializers.results import ResultQuerySerializer, ResultSerializer, ScoreQuerySerializer, ScoreSerializer
from api.views.base import ClubView
from league.models import Score, SessionResult, name_key


class ResultsView(ClubView):
    query_shapes = {"GET": ResultQuerySerializer}

    @extend_schema(
        operation_id="list_results",
        summary=_("List the results of sessions, a player each"),
        description=_("Last recorded sessions first. A correction gives the results of its session anew."),
        parameters=[ResultQuerySerializer],
        responses=page_of(ResultSerializer),
    )
    def get(self, request: Request, club: str) -> Response:
        rows = SessionResult.objects.filter(club=self.access.club, session__voided_at=None)
        columns = {
            "session": "session",
            "player": "player",
            "place": "place",
            "format": "session__format",
            "status": "session__status",
            "counts": "session__counts",
        }
        rows = by_values(rows, self.query, columns)
        rows = by_days(by_season(rows, self.query, "session__"), self.query, "session__")
        if part := name_key(self.query.get("search", "")):
            rows = rows.filter(player__name_key__contains=part)
        return self.listed(
            ResultSerializer,
            rows.select_related("session__season__league", "player"),
            usual="-session",
            columns={"session": "session_id", "played_on": "session__played_on"},
            # A correction stores results under new ids; a player of a session stays one.
            ties=("session_id", "player_id"),
        )


class ScoresView(ClubView):
    query_shapes = {"GET": ScoreQuerySerializer}

    @extend_schema(
        operation_id="list_scores",
        summary=_("List the scores of rounds, a player each"),
        description=_("Points and places, game by game; last recorded sessions first."),
        parameters=[ScoreQuerySerializer],
        responses=page_of(ScoreSerializer),
    )
    def get(self, request: Request, club: str) -> Response:
        rows = Score.objects.filter(club=self.access.club, round__session__voided_at=None)
        columns = {
            "session": "round__session",
            "player": "player",
            "place": "place",
            "format": "round__session__format",
            "status": "round__session__status",
        }
        rows = by_values(rows, self.query, columns)
        rows = by_days(by_season(rows, self.query, "round__session__"), self.query, "round__session__")
        if "game" in self.query:
            rows = rows.filter(round__game=known_game(self.access.club, self.query["game"]))
        if part := name_key(self.query.get("search", "")):
            rows = rows.filter(player__name_key__contains=part)
        return self.listed(
            ScoreSerializer,
            rows.select_related("round__session__season__league", "player"),
            usual="-session",
            columns={"session": "round__session_id", "played_on": "round__session__played_on"},
            ties=("round__session_id", "round__number", "player_id"),
        )
