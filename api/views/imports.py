"""Imports: a file is uploaded and looked at, decided on, applied by a job, taken back by another."""

from collections.abc import Callable
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.idempotency import Answer
from api.parsers import FILE_PARSERS, FILE_TYPES, FileBody
from api.schema import page_of
from api.serializers.base import PageQuerySerializer
from api.serializers.imports import (
    ImportBriefSerializer,
    ImportDecisionsSerializer,
    ImportProblemQuerySerializer,
    ImportProblemSerializer,
    ImportSerializer,
    ImportUploadQuerySerializer,
)
from api.serializers.sessions import NothingSerializer
from api.views.base import ClubView
from league.models import ImportBatch, Role
from league.services import imports
from league.services.errors import InputError, Problem

# JSON would be described as a shape of ours, and no tool has a ZIP archive at hand.
_DESCRIBED_TYPES = [media for media in FILE_TYPES if media not in {"application/json", "application/zip"}]


def _rows() -> QuerySet[ImportBatch]:
    return ImportBatch.objects.select_related("job", "season__league").defer("content", "decisions")


class ImportsView(ClubView):
    reads = writes = Role.ADMIN
    query_shapes = {"GET": PageQuerySerializer, "POST": ImportUploadQuerySerializer}
    parser_classes = FILE_PARSERS

    @extend_schema(
        operation_id="list_imports",
        summary=_("List the imports, newest first"),
        parameters=[PageQuerySerializer],
        responses=page_of(ImportBriefSerializer),
    )
    def get(self, request: Request, club: str) -> Response:
        return self.listed(ImportBriefSerializer, _rows().filter(club=self.access.club), newest_first=True)

    @extend_schema(
        operation_id="upload_import",
        summary=_("Upload a file and see what an import would do"),
        description=_(
            "The body is the file itself, of up to 20 MB: BG Stats (`.json`, `.bgsplay`), BoardGameGeek (XML of "
            "plays), CSV, or an archive of this product. Which it is, is told from its content. Nothing is stored "
            "but the preview."
        ),
        parameters=[ImportUploadQuerySerializer],
        request=dict.fromkeys(_DESCRIBED_TYPES, OpenApiTypes.BINARY),
        responses={201: ImportSerializer},
    )
    def post(self, request: Request, club: str) -> HttpResponse:
        # Before the body is read: who may not import need not send 20 MB to hear of it.
        body: FileBody = request.data if isinstance(request.data, FileBody) else FileBody(b"")

        def act() -> Answer:
            batch = imports.upload(access=self.access, name=self.query["name"], content=body.content, now=self.now)
            shown = self.shown(ImportSerializer, self.find(_rows(), batch.pk))
            return self.answer(201, shown, shown["url"])

        return self.once(act)


class ImportDetailView(ClubView):
    reads = writes = Role.ADMIN

    @extend_schema(
        operation_id="get_import", summary=_("Read an import: preview, progress, outcome"), responses=ImportSerializer
    )
    def get(self, request: Request, club: str, import_id: int) -> Response:
        return Response(self.shown(ImportSerializer, self.find(_rows(), import_id)))

    @extend_schema(
        operation_id="decide_import",
        summary=_("Decide whom and what the file's names mean"),
        description=_("The preview is made anew."),
        request=ImportDecisionsSerializer,
        responses=ImportSerializer,
    )
    def patch(self, request: Request, club: str, import_id: int) -> Response:
        changes = self.body(ImportDecisionsSerializer)
        try:
            imports.decide(access=self.access, batch_id=import_id, changes=changes, now=self.now)
        except InputError as error:
            raise InputError(_at_its_index(one, changes) for one in error.problems) from error
        return Response(self.shown(ImportSerializer, self.find(_rows(), import_id)))

    @extend_schema(
        operation_id="discard_import", summary=_("Drop an import that was only looked at"), responses={204: None}
    )
    def delete(self, request: Request, club: str, import_id: int) -> Response:
        imports.discard(access=self.access, batch_id=import_id)
        return Response(status=204)


def _at_its_index(problem: Problem, changes: dict[str, Any]) -> Problem:
    """The problem of a name, told at the place in the list where the client gave it."""
    match problem.path:
        case (str(field), str(name)) if name in changes.get(field, {}):
            return Problem((field, list(changes[field]).index(name)), problem.code, problem.message)
    return problem


class ImportProblemsView(ClubView):
    reads = writes = Role.ADMIN
    query_shapes = {"GET": ImportProblemQuerySerializer}

    @extend_schema(
        operation_id="list_import_problems",
        summary=_("List what is wrong or odd in a file"),
        description=_("First what is left out, then what is merely odd, each in the order of the file."),
        parameters=[ImportProblemQuerySerializer],
        responses=page_of(ImportProblemSerializer),
    )
    def get(self, request: Request, club: str, import_id: int) -> Response:
        found = imports.problems_of(self.find(_rows(), import_id))
        start, limit = self.query["cursor"], self.query["limit"]
        following = None
        if len(found) > start + limit:
            query = request.query_params.copy()
            query["cursor"] = str(start + limit)
            following = f"{request.path}?{query.urlencode()}"
        results = ImportProblemSerializer(found[start : start + limit], many=True).data
        return Response({"results": results, "next": following})


class _JobView(ClubView):
    reads = writes = Role.ADMIN

    def _ask(self, import_id: int, ask: Callable[..., ImportBatch]) -> HttpResponse:
        def act() -> Answer:
            ask(access=self.access, batch_id=import_id, now=self.now)
            shown = self.shown(ImportSerializer, self.find(_rows(), import_id))
            location = reverse("api:import", kwargs={"club": self.access.club.slug, "import_id": import_id})
            return self.answer(202, shown, location)

        return self.once(act)


class ApplyImportView(_JobView):
    @extend_schema(
        operation_id="apply_import",
        summary=_("Store what the preview says"),
        description=_("Answered at once; a worker stores the plays. Ask for the import to see how far it is."),
        request={"application/json": NothingSerializer},
        responses={202: ImportSerializer},
    )
    def post(self, request: Request, club: str, import_id: int) -> HttpResponse:
        self.body(NothingSerializer, optional=True)
        return self._ask(import_id, imports.apply)


class RevertImportView(_JobView):
    @extend_schema(
        operation_id="revert_import",
        summary=_("Take an import back"),
        description=_("A worker voids all its sessions; the file can be imported again afterwards."),
        request={"application/json": NothingSerializer},
        responses={202: ImportSerializer},
    )
    def post(self, request: Request, club: str, import_id: int) -> HttpResponse:
        self.body(NothingSerializer, optional=True)
        return self._ask(import_id, imports.revert)
