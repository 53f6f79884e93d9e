"""Report files of other pairing programs: a tournament as one, and one as a tournament."""

from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.idempotency import Answer
from api.serializers.tournament_files import (
    FileUnderWaySerializer,
    ImportedFileSerializer,
    ReportFileQuerySerializer,
    ReportFileSerializer,
    told_of,
)
from api.serializers.tournaments import tournament_url
from api.views.tournaments import TournamentView
from league.models import Role, TournamentFile
from league.services import tournament_file_jobs, tournament_files, tournament_state
from league.services.moments import one_moment

PLAIN = "text/plain"


class ReportFileView(TournamentView):
    query_shapes = {"GET": ReportFileQuerySerializer}

    @extend_schema(
        operation_id="export_tournament",
        summary=_("A tournament as a report file (TRF16)"),
        description=_(
            "A stage of two by round robin or a Swiss system, as FIDE's report files tell it to other programs: what "
            "is published of it. Refused (409) for what no such file can tell."
        ),
        parameters=[ReportFileQuerySerializer],
        responses={(200, PLAIN): OpenApiTypes.STR},
    )
    def get(self, request: Request, club: str, tournament_id: int) -> HttpResponse:
        with one_moment():
            row = self.row(tournament_id)
            state = tournament_state.load(row)
            names = {pk: entry.player.name for pk, entry in state.entries.items()}
            text = tournament_files.export_trf(state=state, names=names, stage=self.query.get("stage"))
        answer = HttpResponse(text, content_type=f"{PLAIN}; charset=utf-8")
        answer["Content-Disposition"] = f'attachment; filename="{row.slug}.trf"'
        return answer


class ReportFilesView(TournamentView):
    @extend_schema(
        operation_id="import_tournament",
        summary=_("Make a tournament of a report file (TRF16)"),
        description=_(
            "With its players, rounds, byes and results: all of it or nothing. Players are found by name, or become "
            "guests. With “preview” it is answered (200) what would come of it, and nothing is stored. Above 80 "
            "players and tables together it is a job (202), with “preview”, too: `Location` is where to ask how far it "
            "is, what was wrong and what came of it. What can't be read is refused at once."
        ),
        request=ReportFileSerializer,
        responses={200: ImportedFileSerializer, 201: ImportedFileSerializer, 202: FileUnderWaySerializer},
    )
    def post(self, request: Request, club: str) -> HttpResponse:
        values = self.body(ReportFileSerializer)
        looks = values["preview"]

        def act() -> Answer:
            found = tournament_file_jobs.take(access=self.access, data=values["file"], looks=looks, now=self.now)
            if isinstance(found, TournamentFile):
                told = self.shown(FileUnderWaySerializer, found)
                return self.answer(202, told, told["url"])
            url = None if looks else tournament_url(club, found.tournament.pk)
            return self.answer(
                200 if looks else 201, self.shown(ImportedFileSerializer, told_of(found, url)), url or ""
            )

        return self.once(act)


class ReportFileDetailView(TournamentView):
    reads = Role.SCOREKEEPER

    @extend_schema(
        operation_id="get_import_tournament",
        summary=_("Read how far a large report file is, and what came of it"),
        description=_(
            "What was wrong in it is told as of a small one. Seven days after its job was over it is gone; so it is "
            "once somebody is erased who may be named in it."
        ),
        responses=FileUnderWaySerializer,
    )
    def get(self, request: Request, club: str, file_id: int) -> Response:
        found = tournament_file_jobs.find(access=self.access, file_id=file_id)
        return Response(self.shown(FileUnderWaySerializer, found))

    @extend_schema(
        operation_id="cancel_import_tournament",
        summary=_("Cancel the job of a report file"),
        description=_("Nothing of it is stored. Refused (409) for a job that is over."),
        request=None,
        responses={204: None},
    )
    def delete(self, request: Request, club: str, file_id: int) -> Response:
        tournament_file_jobs.cancel(access=self.access, file_id=file_id, now=self.now)
        return Response(status=204)
