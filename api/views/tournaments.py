"""Tournaments: made, changed, begun, paused, finished, put away; their stages.

Terms: a tournament's `version` counts every change of it, results included. Promises: every change can be asked for
one version alone by `If-Match`; a change of the tournament's own fields has to be.
"""

from collections.abc import Callable
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from api import preconditions
from api.examples import NEW_TOURNAMENT
from api.filters import by_name, by_season, by_values
from api.idempotency import Answer
from api.schema import page_of
from api.serializers.base import shown
from api.serializers.sessions import NothingSerializer
from api.serializers.tournaments import (
    CloneSerializer,
    InvitationSerializer,
    NewTournamentSerializer,
    StageSerializer,
    StartSerializer,
    TournamentChangeSerializer,
    TournamentLineSerializer,
    TournamentQuerySerializer,
    TournamentSerializer,
    tournament_url,
)
from api.views.base import ClubView
from league.models import Role, Tournament
from league.services import tournament_rounds, tournaments


def _rows() -> QuerySet[Tournament]:
    return Tournament.objects.select_related("season__league", "pairing_job").defer("pairing_job__outcome")


class TournamentView(ClubView):
    @property
    def organises(self) -> bool:
        """Whether the asker sees what is not published yet."""
        return self.access.may(Role.SCOREKEEPER)

    def row(self, tournament_id: int) -> Tournament:
        """The tournament. Raises Http404."""
        found: Tournament = self.find(_rows(), tournament_id)
        return found

    def version(self, tournament_id: int, *, needed: bool = False) -> int | None:
        """The version to change, None for whichever is there; where it is `needed` the header has to be.

        Whoever asks for what is not there is told so first.
        """
        self.row(tournament_id)
        return preconditions.expected(self.request) if needed else preconditions.named(self.request)

    def present_version(self, tournament_id: int) -> int:
        """The version after a change."""
        return Tournament.objects.values_list("version", flat=True).get(pk=tournament_id)

    def told(self, tournament_id: int) -> dict[str, Any]:
        """The tournament as it is stored."""
        row = self.row(tournament_id)
        data: dict[str, Any] = shown(TournamentSerializer, row, club=self.access.club.slug, organises=self.organises)
        return data

    def tournament_response(self, tournament_id: int) -> Response:
        """The tournament, with the tag that a change of it has to send back."""
        data = self.told(tournament_id)
        return Response(data, headers={"ETag": preconditions.tag(data["version"], data)})

    def turned(self, tournament_id: int, turn: Callable[..., object], **values: Any) -> HttpResponse:
        """Carry out a change of the whole tournament, once a key, and answer with it."""
        expected = self.version(tournament_id)

        def act() -> Answer:
            turn(access=self.access, tournament_id=tournament_id, expected=expected, now=self.now, **values)
            return self.answer(200, self.told(tournament_id))

        return self.once(act)


class TournamentsView(TournamentView):
    query_shapes = {"GET": TournamentQuerySerializer}

    @extend_schema(
        operation_id="list_tournaments",
        summary=_("List the tournaments, the latest first"),
        parameters=[TournamentQuerySerializer],
        responses=page_of(TournamentLineSerializer),
    )
    def get(self, request: Request, club: str) -> Response:
        query = self.query
        rows = by_values(_rows().filter(club=self.access.club), query, {"status": "status"})
        rows = by_season(rows, query).filter(archived_at__isnull=not query["archived"])
        return self.listed(TournamentLineSerializer, by_name(rows, query, "name"), usual="-starts_on")

    @extend_schema(
        operation_id="create_tournament",
        summary=_("Make a tournament with its stages"),
        description=_("It can be changed and deleted until it begins. What is left out is as usual for its formats."),
        request=NewTournamentSerializer,
        responses={201: TournamentSerializer},
        examples=[NEW_TOURNAMENT],
    )
    def post(self, request: Request, club: str) -> HttpResponse:
        fields = dict(self.body(NewTournamentSerializer))
        stages = fields.pop("stages")

        def act() -> Answer:
            made = tournaments.create(access=self.access, fields=fields, stages=stages, now=self.now)
            return self.answer(201, self.told(made.pk), tournament_url(club, made.pk))

        return self.once(act)


class TournamentDetailView(TournamentView):
    @extend_schema(operation_id="get_tournament", summary=_("Read a tournament"), responses=TournamentSerializer)
    def get(self, request: Request, club: str, tournament_id: int) -> Response:
        return self.tournament_response(tournament_id)

    @extend_schema(
        operation_id="change_tournament",
        summary=_("Change a tournament"),
        description=_("All of it before it begins; stages are replaced, whole."),
        request=TournamentChangeSerializer,
        responses=TournamentSerializer,
    )
    def patch(self, request: Request, club: str, tournament_id: int) -> Response:
        expected = self.version(tournament_id, needed=True)
        changes = dict(self.body(TournamentChangeSerializer))
        stages = changes.pop("stages", None)
        tournaments.update(
            access=self.access,
            tournament_id=tournament_id,
            changes=changes,
            stages=stages,
            expected=expected,
            now=self.now,
        )
        return self.tournament_response(tournament_id)

    @extend_schema(
        operation_id="delete_tournament",
        summary=_("Delete a tournament that has not begun"),
        description=_("One that has begun is archived instead."),
        request=None,
        responses={204: None},
    )
    def delete(self, request: Request, club: str, tournament_id: int) -> Response:
        expected = self.version(tournament_id)
        tournaments.delete(access=self.access, tournament_id=tournament_id, expected=expected, now=self.now)
        return Response(status=204)


class StartView(TournamentView):
    @extend_schema(
        operation_id="start_tournament",
        summary=_("Begin a tournament"),
        description=_("Who has no seed gets one by lot, and the first stage can be paired."),
        request=StartSerializer,
        responses={200: TournamentSerializer},
    )
    def post(self, request: Request, club: str, tournament_id: int) -> HttpResponse:
        values = self.body(StartSerializer, optional=True)
        return self.turned(tournament_id, tournament_rounds.start, only_checked_in=values["only_checked_in"])


class _TurnView(TournamentView):
    turn: Callable[..., object]

    def post(self, request: Request, club: str, tournament_id: int) -> HttpResponse:
        self.body(NothingSerializer, optional=True)
        return self.turned(tournament_id, self.turn)


def _turning(operation: str, summary: Any, description: Any = None) -> Any:
    """Describe a view of a change that needs to be told nothing."""
    post = extend_schema(
        operation_id=operation,
        summary=summary,
        description=description,
        request={"application/json": NothingSerializer},
        responses={200: TournamentSerializer},
    )
    return extend_schema_view(post=post)


@_turning(
    "pause_tournament",
    _("Pause a tournament"),
    _("Nothing is paired or published until it is resumed; tables that are out go on."),
)
class PauseView(_TurnView):
    turn = staticmethod(tournaments.pause)


@_turning("resume_tournament", _("Go on after a pause"))
class ResumeView(_TurnView):
    turn = staticmethod(tournaments.resume)


@_turning("finish_tournament", _("End a tournament"), _("Refused while a published table has no result."))
class FinishView(_TurnView):
    turn = staticmethod(tournaments.finish)


@_turning("reopen_tournament", _("Go on with a finished tournament"))
class ReopenView(_TurnView):
    turn = staticmethod(tournaments.reopen)


@_turning("archive_tournament", _("Put a tournament away"), _("It stays readable and can be restored."))
class ArchiveTournamentView(_TurnView):
    turn = staticmethod(tournaments.archive)


@_turning("restore_tournament", _("Bring an archived tournament back"))
class RestoreTournamentView(_TurnView):
    turn = staticmethod(tournaments.restore)


class CloneView(TournamentView):
    @extend_schema(
        operation_id="clone_tournament",
        summary=_("Make another tournament like this one"),
        description=_(
            "With the same fields and stages, and the same entries if asked for; nothing of what was played."
        ),
        request=CloneSerializer,
        responses={201: TournamentSerializer},
    )
    def post(self, request: Request, club: str, tournament_id: int) -> HttpResponse:
        self.row(tournament_id)
        values = self.body(CloneSerializer)

        def act() -> Answer:
            made = tournaments.clone(access=self.access, tournament_id=tournament_id, now=self.now, **values)
            return self.answer(201, self.told(made.pk), tournament_url(club, made.pk))

        return self.once(act)


class InvitationView(TournamentView):
    @extend_schema(
        operation_id="invite_to_tournament",
        summary=_("Let players of other clubs enter by themselves, or no more"),
        description=_("The answer's `invitation_key` opens the page on which they enter; older ones work no more."),
        request=InvitationSerializer,
        responses={200: TournamentSerializer},
    )
    def post(self, request: Request, club: str, tournament_id: int) -> HttpResponse:
        values = self.body(InvitationSerializer)
        return self.turned(tournament_id, tournaments.invite, is_open=values["is_open"])


class NextStageView(TournamentView):
    @extend_schema(
        operation_id="open_next_stage",
        summary=_("End the present stage and open the following one"),
        description=_("With those who go on, seeded by their places. Refused while a table has no result."),
        request={"application/json": NothingSerializer},
        responses={200: StageSerializer},
    )
    def post(self, request: Request, club: str, tournament_id: int) -> HttpResponse:
        expected = self.version(tournament_id)
        self.body(NothingSerializer, optional=True)

        def act() -> Answer:
            stage = tournament_rounds.open_next_stage(
                access=self.access, tournament_id=tournament_id, expected=expected, now=self.now
            )
            return self.answer(200, self.shown(StageSerializer, stage))

        return self.once(act)

    @extend_schema(
        operation_id="close_stage",
        summary=_("Take back that the present stage was opened"),
        description=_("While nothing is paired in it. Of the first one: that the tournament began."),
        request=None,
        responses={204: None},
    )
    def delete(self, request: Request, club: str, tournament_id: int) -> Response:
        expected = self.version(tournament_id)
        tournament_rounds.close_stage(access=self.access, tournament_id=tournament_id, expected=expected, now=self.now)
        return Response(status=204)
