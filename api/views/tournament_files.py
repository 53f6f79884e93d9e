"""Report files of other pairing programs: a tournament as one, and one as a tournament."""

from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from api.idempotency import Answer
from api.serializers.tournament_files import (
    ImportedFileSerializer,
    ReportFileQuerySerializer,
    ReportFileSerializer,
)
from api.serializers.tournaments import tournament_url
from api.views.tournaments import TournamentView
from league.services import tournament_files, tournament_state
from league.services.moments import one_moment
from league.services.tournament_files import Imported

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
            "guests. With “preview” it is answered (200) what would come of it, and nothing is stored."
        ),
        request=ReportFileSerializer,
        responses={200: ImportedFileSerializer, 201: ImportedFileSerializer},
    )
    def post(self, request: Request, club: str) -> HttpResponse:
        values = self.body(ReportFileSerializer)

        def act() -> Answer:
            if values["preview"]:
                found = tournament_files.look(access=self.access, data=values["file"], now=self.now)
                return self.answer(200, self.shown(ImportedFileSerializer, _told(found, None)))
            found = tournament_files.import_trf(access=self.access, data=values["file"], now=self.now)
            url = tournament_url(club, found.tournament.pk)
            return self.answer(201, self.shown(ImportedFileSerializer, _told(found, url)), url)

        return self.once(act)


def _told(found: Imported, url: str | None) -> dict[str, Any]:
    return {
        "url": url,
        "name": found.tournament.name,
        "slug": found.tournament.slug,
        "format": found.format,
        "scores": found.tournament.scores,
        "planned_rounds": found.planned,
        "rounds": found.rounds,
        "tables": found.tables,
        "byes": found.byes,
        "forfeits": found.forfeits,
        "matched": [{"name": name, "player": player} for name, player in found.matched.items()],
        "guests": found.guests,
        "withdrawn": found.withdrawn,
        "warnings": [{"code": one.code, "detail": one.message} for one in found.warnings],
    }
