"""Sessions: posted whole, or opened and continued round by round. Every answer is the score sheet."""

from django.db.models import Exists, OuterRef
from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ErrorDetail
from rest_framework.request import Request
from rest_framework.response import Response

from api.errors import InvalidRequest
from api.examples import NEW_ROUND, NEW_SESSION
from api.idempotency import Answer
from api.schema import page_of
from api.serializers.sessions import (
    EndSerializer,
    NewcomerSerializer,
    NewRoundSerializer,
    NewSessionSerializer,
    NothingSerializer,
    RoundListSerializer,
    SessionLineSerializer,
    SessionQuerySerializer,
    SessionSerializer,
    rounds_of,
    session_url,
)
from api.views.base import ClubView
from league.models import Club, Round, Seat, Session
from league.models.games import games_by_key
from league.models.sheets import ScoreSheet, score_sheet
from league.services import results


def check_game(club: Club, key: str) -> None:
    """Raise InvalidRequest (400) for a parameter `game` that names none of the catalogue's or the club's."""
    if key not in games_by_key(club.pk, [key]):
        message = _("No game of the catalogue or of the club is “%(game)s”.") % {"game": key}
        raise InvalidRequest(place="parameter", details={"game": [ErrorDetail(message, code="unknown_game")]})


class SessionView(ClubView):
    def sheet(self, session_id: int) -> ScoreSheet:
        return score_sheet(self.find(Session.objects.select_related("season__league"), session_id))

    def sheet_answer(self, status: int, session: Session) -> Answer:
        # Read again: the answer tells what is stored.
        data = self.shown(SessionSerializer, self.sheet(session.pk))
        return self.answer(status, data, session_url(self.access.club.slug, session.pk) if status == 201 else "")


class SessionsView(SessionView):
    query_shapes = {"GET": SessionQuerySerializer}

    @extend_schema(
        operation_id="list_sessions",
        summary=_("List the sessions, last recorded first"),
        parameters=[SessionQuerySerializer],
        responses=page_of(SessionLineSerializer),
    )
    def get(self, request: Request, club: str) -> Response:
        rows = Session.objects.filter(club=self.access.club).select_related("season__league")
        query = self.query
        rows = rows.filter(**{field: query[field] for field in ("format", "status") if field in query})
        if "season" in query:
            season = query["season"]
            if isinstance(season, int):
                rows = rows.filter(season=season)
            else:
                league, _slash, slug = season.partition("/")
                rows = rows.filter(season__league__slug=league, season__slug=slug)
        if "player" in query:
            rows = rows.filter(Exists(Seat.objects.filter(session=OuterRef("pk"), player=query["player"])))
        if "game" in query:
            check_game(self.access.club, query["game"])
            rows = rows.filter(Exists(Round.objects.filter(session=OuterRef("pk"), game=query["game"])))
        if "played_from" in query:
            rows = rows.filter(played_on__gte=query["played_from"])
        if "played_until" in query:
            rows = rows.filter(played_on__lte=query["played_until"])
        return self.listed(SessionLineSerializer, rows, newest_first=True)

    @extend_schema(
        operation_id="record_session",
        summary=_("Record a session: whole, or as far as it was played"),
        description=_(
            "Players are named by id or name, in seat order. With `status` open the session goes on round by round; "
            "it completes itself with its last planned round. An implausible result answers 422 with the codes to "
            "send in `confirm` if it is right nevertheless."
        ),
        request=NewSessionSerializer,
        responses={201: SessionSerializer},
        examples=[NEW_SESSION],
    )
    def post(self, request: Request, club: str) -> HttpResponse:
        new = self.body(NewSessionSerializer)

        def act() -> Answer:
            session = results.record(access=self.access, data=new.value, confirm=new.confirm, now=self.now)
            return self.sheet_answer(201, session)

        return self.once(act)


class SessionDetailView(SessionView):
    @extend_schema(operation_id="get_session", summary=_("Read a session's score sheet"), responses=SessionSerializer)
    def get(self, request: Request, club: str, session_id: int) -> Response:
        return Response(self.shown(SessionSerializer, self.sheet(session_id)))


class RoundsView(SessionView):
    @extend_schema(operation_id="list_rounds", summary=_("List a session's rounds"), responses=RoundListSerializer)
    def get(self, request: Request, club: str, session_id: int) -> Response:
        return Response({"results": rounds_of(self.sheet(session_id)), "next": None})

    @extend_schema(
        operation_id="record_round",
        summary=_("Record the next round of an open session"),
        description=_("The last planned round completes the session."),
        request=NewRoundSerializer,
        responses={201: SessionSerializer},
        examples=[NEW_ROUND],
    )
    def post(self, request: Request, club: str, session_id: int) -> HttpResponse:
        new = self.body(NewRoundSerializer)

        def act() -> Answer:
            session = results.record_round(
                access=self.access,
                session_id=session_id,
                data=new.value,
                confirm=new.confirm,
                now=self.now,
                number=new.number,
            )
            return self.sheet_answer(201, session)

        return self.once(act)


class SessionPlayersView(SessionView):
    @extend_schema(
        operation_id="seat_player",
        summary=_("Let a player join, or substitute another"),
        description=_("From the next round on. With `substitutes` the player takes over that player's seat."),
        request=NewcomerSerializer,
        responses={201: SessionSerializer},
    )
    def post(self, request: Request, club: str, session_id: int) -> HttpResponse:
        values = self.body(NewcomerSerializer)

        def act() -> Answer:
            if values["substitutes"] is not None:
                session = results.substitute(
                    access=self.access,
                    session_id=session_id,
                    player=values["player"],
                    for_player=values["substitutes"],
                    now=self.now,
                )
            else:
                session = results.join(
                    access=self.access,
                    session_id=session_id,
                    player=values["player"],
                    seat=values["seat"],
                    now=self.now,
                )
            return self.sheet_answer(201, session)

        return self.once(act)


class LeaveView(SessionView):
    @extend_schema(
        operation_id="unseat_player",
        summary=_("Let a player leave after the rounds so far"),
        description=_("The season's rules say how the missed rounds count."),
        request={"application/json": NothingSerializer},
        responses={200: SessionSerializer},
    )
    def post(self, request: Request, club: str, session_id: int, player_id: int) -> HttpResponse:
        self.body(NothingSerializer, optional=True)

        def act() -> Answer:
            session = results.leave(access=self.access, session_id=session_id, player=player_id, now=self.now)
            return self.sheet_answer(200, session)

        return self.once(act)


class EndView(SessionView):
    @extend_schema(
        operation_id="end_session",
        summary=_("End a session early"),
        description=_('Needs `confirm: ["ends_early"]`; the season\'s rules say how it counts.'),
        request=EndSerializer,
        responses={200: SessionSerializer},
    )
    def post(self, request: Request, club: str, session_id: int) -> HttpResponse:
        confirm = frozenset(self.body(EndSerializer, optional=True)["confirm"])

        def act() -> Answer:
            session = results.end(access=self.access, session_id=session_id, confirm=confirm, now=self.now)
            return self.sheet_answer(200, session)

        return self.once(act)
