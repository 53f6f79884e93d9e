"""Par of cooperative games: read, and extended by workers."""

from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.examples import WANTED_PAR
from api.idempotency import Answer
from api.serializers.base import shown
from api.serializers.journal import JobSerializer
from api.serializers.par import ParListSerializer, ParSerializer, WantedPar, WantedParSerializer
from api.views.base import ClubView
from league.models import Role
from league.services import par


class ParView(ClubView):
    writes = Role.ADMIN

    @extend_schema(
        operation_id="list_par",
        summary=_("List what a bot reaches in cooperative games"),
        description=_("By number of seats and options; all on one page. It is the same for all clubs."),
        responses=ParListSerializer,
    )
    def get(self, request: Request, club: str) -> Response:
        return Response({"results": shown(ParSerializer, par.yardsticks(), many=True, club=club), "next": None})

    @extend_schema(
        operation_id="extend_par",
        summary=_("Have the bot play more games"),
        description=_(
            "Answered at once; workers play until there are so many games of this table in all. `Location` is the job: "
            "ask there how far it is, or cancel it; what was counted by then stays."
        ),
        request=WantedParSerializer,
        responses={202: JobSerializer},
        examples=[WANTED_PAR],
    )
    def post(self, request: Request, club: str) -> HttpResponse:
        wanted: WantedPar = self.body(WantedParSerializer)

        def act() -> Answer:
            job = par.request(
                access=self.access,
                game=wanted.game,
                seats=wanted.seats,
                options=wanted.options,
                games=wanted.games,
                now=self.now,
            )
            data = self.shown(JobSerializer, job)
            return self.answer(202, data, data["url"])

        return self.once(act)
