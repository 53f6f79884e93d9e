"""Sessions: posted whole, or opened and continued round by round. Every answer is the score sheet."""

from typing import Any

from django.db.models import Exists, OuterRef
from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api import preconditions
from api.examples import NEW_ROUND, NEW_SESSION
from api.filters import by_days, by_season, by_values, known_game
from api.idempotency import Answer
from api.schema import page_of
from api.serializers.corrections import (
    DryRunSerializer,
    OvertakenSerializer,
    PlayerMoveSerializer,
    PreviewSerializer,
    RatingMovesSerializer,
    StandingMoveSerializer,
    TournamentMovesSerializer,
)
from api.serializers.sessions import (
    EndSerializer,
    NewcomerSerializer,
    NewRoundSerializer,
    NewSessionSerializer,
    NothingSerializer,
    RoundListSerializer,
    RoundQuerySerializer,
    SessionLineSerializer,
    SessionQuerySerializer,
    SessionSerializer,
    rounds_of,
    session_url,
)
from api.views.base import ClubView
from league.models import Round, Seat, Session, name_key
from league.models.sheets import ScoreSheet, score_sheet
from league.services import corrections, results
from league.services.corrections import Preview


class SessionView(ClubView):
    def sheet(self, session_id: int) -> ScoreSheet:
        return score_sheet(self.find(Session.objects.select_related("season__league", "table__round"), session_id))

    def sheet_response(self, session_id: int) -> Response:
        """The score sheet, with the tag that a correction has to send back."""
        sheet = self.sheet(session_id)
        data = self.shown(SessionSerializer, sheet)
        return Response(data, headers={"ETag": preconditions.tag(sheet.session.revision, data)})

    def preview(self, preview: Preview) -> dict[str, Any]:
        """What a change would move, as `PreviewSerializer` declares it."""
        return {
            "dry_run": True,
            "session": self.shown(SessionSerializer, preview.sheet),
            "players": [self.shown(PlayerMoveSerializer, one) for one in preview.players],
            "standings": [self.shown(StandingMoveSerializer, one) for one in preview.standings],
            "ratings": self.shown(RatingMovesSerializer, preview.ratings),
            "tournament_rounds": [self.shown(OvertakenSerializer, one) for one in preview.tournament_rounds],
            "tournament_stages": list(preview.tournament_stages),
            "tournament": self.shown(TournamentMovesSerializer, preview.tournament) if preview.tournament else None,
        }

    def sheet_answer(self, status: int, session: Session) -> Answer:
        # Read again: the answer tells what is stored.
        data = self.shown(SessionSerializer, self.sheet(session.pk))
        return self.answer(status, data, session_url(self.access.club.slug, session.pk) if status == 201 else "")


class SessionsView(SessionView):
    query_shapes = {"GET": SessionQuerySerializer, "POST": DryRunSerializer}

    @extend_schema(
        operation_id="list_sessions",
        summary=_("List the sessions, last recorded first"),
        parameters=[SessionQuerySerializer],
        responses=page_of(SessionLineSerializer),
    )
    def get(self, request: Request, club: str) -> Response:
        rows = Session.objects.filter(club=self.access.club).select_related("season__league", "table__round")
        query = self.query
        rows = by_values(rows, query, {name: name for name in ("format", "status", "confirmation")})
        rows = by_days(by_season(rows, query), query).filter(voided_at__isnull=not query["voided"])
        if "player" in query:
            rows = rows.filter(Exists(Seat.objects.filter(session=OuterRef("pk"), player=query["player"])))
        if part := name_key(query.get("search", "")):
            named = Seat.objects.filter(session=OuterRef("pk"), player__name_key__contains=part)
            rows = rows.filter(Exists(named))
        if "game" in query:
            key = known_game(self.access.club, query["game"])
            rows = rows.filter(Exists(Round.objects.filter(session=OuterRef("pk"), game=key)))
        return self.listed(SessionLineSerializer, rows.prefetch_related("rounds"), newest_first=True)

    @extend_schema(
        operation_id="record_session",
        summary=_("Record a session: whole, or as far as it was played"),
        description=_(
            "Players are named by id or name, in seat order. With `status` open the session goes on round by round; "
            "it completes itself with its last planned round. An implausible result answers 422 with the codes to "
            "send in `confirm` if it is right nevertheless. With `dry_run=true` nothing is stored and the answer says "
            "what would move."
        ),
        parameters=[DryRunSerializer],
        request=NewSessionSerializer,
        responses={200: PreviewSerializer, 201: SessionSerializer},
        examples=[NEW_SESSION],
    )
    def post(self, request: Request, club: str) -> HttpResponse | Response:
        new = self.body(NewSessionSerializer)

        def act() -> ScoreSheet:
            return results.record_sheet(access=self.access, data=new.value, confirm=new.confirm, now=self.now)

        def answer() -> Answer:
            sheet = act()
            data = self.shown(SessionSerializer, sheet)
            return self.answer(201, data, session_url(club, sheet.session.pk))

        if self.query["dry_run"]:
            preview = corrections.rehearse(lambda: act().session, access=self.access, session_id=None)
            return Response(self.preview(preview))
        return self.once(answer)


class RoundsView(SessionView):
    at_table = True
    query_shapes = {"GET": RoundQuerySerializer}

    @extend_schema(
        operation_id="list_rounds",
        summary=_("List a session's rounds"),
        parameters=[RoundQuerySerializer],
        responses=RoundListSerializer,
    )
    def get(self, request: Request, club: str, session_id: int) -> Response:
        rounds = rounds_of(self.sheet(session_id))
        if (fields := self.query.get("fields")) is not None:
            rounds = [{name: value for name, value in one.items() if name in fields} for one in rounds]
        return Response({"results": rounds, "next": None})

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
    at_table = True

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
    at_table = True

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
    at_table = True

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
