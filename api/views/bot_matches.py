"""Bot matches: asked for here, played by a worker, followed by their status."""

from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.examples import NEW_BOT_MATCH
from api.filters import by_days, by_season, by_values
from api.idempotency import Answer
from api.schema import page_of
from api.serializers.bot_matches import BotMatchQuerySerializer, BotMatchSerializer, NewBotMatchSerializer
from api.views.base import ClubView
from league.models import BotMatch
from league.services import bot_matches


def _rows() -> QuerySet[BotMatch]:
    return BotMatch.objects.select_related("job", "season__league").prefetch_related("seats__player")


class BotMatchesView(ClubView):
    query_shapes = {"GET": BotMatchQuerySerializer}

    @extend_schema(
        operation_id="list_bot_matches",
        summary=_("List the bot matches, newest first"),
        parameters=[BotMatchQuerySerializer],
        responses=page_of(BotMatchSerializer),
    )
    def get(self, request: Request, club: str) -> Response:
        rows = by_values(_rows().filter(club=self.access.club), self.query, {"game": "game", "state": "job__state"})
        rows = by_days(by_season(rows, self.query), self.query)
        if "player" in self.query:
            rows = rows.filter(seats__player=self.query["player"])
        return self.listed(BotMatchSerializer, rows, newest_first=True)

    @extend_schema(
        operation_id="request_bot_match",
        summary=_("Ask for a bot match"),
        description=_("Answered at once; the match is played by a worker. `Location` is where to ask how far it is."),
        request=NewBotMatchSerializer,
        responses={202: BotMatchSerializer},
        examples=[NEW_BOT_MATCH],
    )
    def post(self, request: Request, club: str) -> HttpResponse:
        data = self.body(NewBotMatchSerializer)

        def act() -> Answer:
            match = bot_matches.request(access=self.access, data=data, now=self.now)
            shown = self.shown(BotMatchSerializer, self.find(_rows(), match.pk))
            return self.answer(202, shown, shown["url"])

        return self.once(act)


class BotMatchDetailView(ClubView):
    @extend_schema(operation_id="get_bot_match", summary=_("Read how far a bot match is"), responses=BotMatchSerializer)
    def get(self, request: Request, club: str, match_id: int) -> Response:
        return Response(self.shown(BotMatchSerializer, self.find(_rows(), match_id)))
