"""Bot matches: asked for here, followed while workers play them, cancelled, tried again, read deal by deal."""

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
from api.serializers.base import shown
from api.serializers.bot_matches import (
    BotMatchDetailSerializer,
    BotMatchQuerySerializer,
    BotMatchSerializer,
    DealRecordSerializer,
    DealSerializer,
    DealsQuerySerializer,
    NewBotMatchSerializer,
)
from api.serializers.sessions import NothingSerializer
from api.views.base import ClubView
from games.record import Record
from league.models import BotMatch
from league.services import bot_matches, bot_results
from league.services.bot_matches import NoReplay
from league.services.bot_results import under_way
from league.services.errors import Conflict


def _rows() -> QuerySet[BotMatch]:
    matches = BotMatch.objects.select_related("job", "season__league").prefetch_related("seats__player")
    return matches.annotate(at_work=under_way("job"))


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
        description=_(
            "Answered at once; the match is played by a worker. `Location` is where to ask how far it is. 409 "
            "(`too_many_bot_matches`) where as many matches of the club are queued or running as the server allows."
        ),
        request=NewBotMatchSerializer,
        responses={202: BotMatchDetailSerializer},
        examples=[NEW_BOT_MATCH],
    )
    def post(self, request: Request, club: str) -> HttpResponse:
        data = self.body(NewBotMatchSerializer)

        def act() -> Answer:
            match = bot_matches.request(access=self.access, data=data, now=self.now)
            return _accepted(self, match.pk)

        return self.once(act)


def _accepted(view: ClubView, match_id: int) -> Answer:
    """202 with the match and where to ask how far it is."""
    shown = view.shown(BotMatchDetailSerializer, view.find(_rows(), match_id))
    return view.answer(202, shown, shown["url"])


class BotMatchDetailView(ClubView):
    @extend_schema(
        operation_id="get_bot_match",
        summary=_("Read how far a bot match is, and what came of it"),
        responses=BotMatchDetailSerializer,
    )
    def get(self, request: Request, club: str, match_id: int) -> Response:
        return Response(self.shown(BotMatchDetailSerializer, self.find(_rows(), match_id)))

    @extend_schema(
        operation_id="cancel_bot_match",
        summary=_("Cancel a bot match"),
        description=_(
            "Whoever plays it stops within a second of work, and no session is stored. The match itself stays, as "
            "cancelled; one that was cancelled already stays so. 409 when it is done or failed."
        ),
        responses={204: None},
    )
    def delete(self, request: Request, club: str, match_id: int) -> Response:
        bot_matches.cancel(access=self.access, match_id=match_id, now=self.now)
        return Response(status=204)


class RetryBotMatchView(ClubView):
    @extend_schema(
        operation_id="retry_bot_match",
        summary=_("Play a bot match that failed or was cancelled after all"),
        description=_(
            "It goes on from where it stood; what other versions of games and bots have played is played anew. It has "
            "24 hours. 409 for a match that goes on or is done, and where too many others of the club go on."
        ),
        request={"application/json": NothingSerializer},
        responses={202: BotMatchDetailSerializer},
    )
    def post(self, request: Request, club: str, match_id: int) -> HttpResponse:
        self.body(NothingSerializer, optional=True)

        def act() -> Answer:
            bot_matches.retry(access=self.access, match_id=match_id, now=self.now)
            return _accepted(self, match_id)

        return self.once(act)


class DealsView(ClubView):
    query_shapes = {"GET": DealsQuerySerializer}

    @extend_schema(
        operation_id="list_deals",
        summary=_("List the deals of a bot match in order"),
        parameters=[DealsQuerySerializer],
        responses=page_of(DealSerializer),
    )
    def get(self, request: Request, club: str, match_id: int) -> Response:
        match = self.find(BotMatch.objects.all(), match_id)
        first, limit = self.query["first"], self.query["limit"]
        deals = bot_results.deals_of(match, first=first, count=limit)
        following = f"{request.path}?first={first + limit}&limit={limit}" if first + limit <= match.deals else None
        return Response({"results": shown(DealSerializer, deals, many=True, club=club), "next": following})


class DealDetailView(ClubView):
    @extend_schema(
        operation_id="get_deal",
        summary=_("Read the record of a deal"),
        description=_(
            "Game, options, seed and moves: all that it takes to replay the deal. 409 says why there is none: the deal "
            "is not played yet (`deal_not_played`), moves are kept for a time only (`deal_dropped`), what is stored of "
            "them is damaged (`deal_damaged`), or the rules of the game are others by now (`deal_other_rules`)."
        ),
        responses=DealRecordSerializer,
    )
    def get(self, request: Request, club: str, match_id: int, number: int) -> Response:
        found = bot_matches.played_back(self.find(BotMatch.objects.all(), match_id), number - 1)
        if isinstance(found, NoReplay):
            raise Conflict(f"deal_{found.code}", found.message)
        return Response({"number": number, "record": Record.of(found).to_json()})
