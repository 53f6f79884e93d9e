"""What happened in a club and what goes on: the audit trail, for admins, and jobs, for members."""

from datetime import MAXYEAR, datetime, time, timedelta

from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.filters import by_values
from api.idempotency import Answer
from api.schema import page_of
from api.serializers.journal import AuditEventSerializer, AuditQuerySerializer, JobQuerySerializer, JobSerializer
from api.serializers.sessions import NothingSerializer
from api.views.base import ClubView
from league.models import AuditEvent, Job, Role
from league.services import jobs
from league.services.bot_results import under_way


class AuditEventsView(ClubView):
    reads = Role.ADMIN
    query_shapes = {"GET": AuditQuerySerializer}

    @extend_schema(
        operation_id="list_audit_events",
        summary=_("List who changed what, newest first"),
        description=_("Needs the role admin."),
        parameters=[AuditQuerySerializer],
        responses=page_of(AuditEventSerializer),
    )
    def get(self, request: Request, club: str) -> Response:
        query = self.query
        rows = AuditEvent.objects.filter(club=self.access.club).select_related("user", "token")
        rows = by_values(rows, query, {"object": "object_id", "user": "user", "token": "token"})
        if action := query.get("action"):
            rows = rows.filter(action=action) if "." in action else rows.filter(action__startswith=f"{action}.")
        # The first and the last year there is have no day before or after them to change the clock into.
        if "day_from" in query and query["day_from"].year > 1:
            rows = rows.filter(at__gte=datetime.combine(query["day_from"], time.min, self.access.club.zone))
        if "day_until" in query and query["day_until"].year < MAXYEAR:
            following = query["day_until"] + timedelta(days=1)
            rows = rows.filter(at__lt=datetime.combine(following, time.min, self.access.club.zone))
        return self.listed(AuditEventSerializer, rows, newest_first=True)


def _jobs() -> QuerySet[Job]:
    rows = Job.objects.filter(parent=None).select_related("bot_match", "tournament").defer("outcome")
    return rows.annotate(at_work=under_way())


class JobsView(ClubView):
    query_shapes = {"GET": JobQuerySerializer}

    @extend_schema(
        operation_id="list_jobs",
        summary=_("List the jobs, newest first"),
        parameters=[JobQuerySerializer],
        responses=page_of(JobSerializer),
    )
    def get(self, request: Request, club: str) -> Response:
        rows = by_values(_jobs().filter(club=self.access.club), self.query, {"kind": "kind", "state": "state"})
        return self.listed(JobSerializer, rows, newest_first=True)


class JobDetailView(ClubView):
    @extend_schema(operation_id="get_job", summary=_("Read how far a job is"), responses=JobSerializer)
    def get(self, request: Request, club: str, job_id: int) -> Response:
        return Response(self.shown(JobSerializer, self.find(_jobs(), job_id)))


class CancelJobView(ClubView):
    @extend_schema(
        operation_id="cancel_job",
        summary=_("Cancel a job"),
        description=_(
            "A bot match, the pairing of a tournament round, a report file or par: whoever works on it stops within a "
            "second of work; what makes a tournament of a file can't be stopped once it has read it. Nothing of a "
            "match, a pairing or a file is stored; the games that par has counted by then stay. One that was cancelled "
            "already stays so. 409 for a job that is over, and for one of another kind (an import takes effect while "
            "it runs: take it back instead)."
        ),
        request={"application/json": NothingSerializer},
        responses=JobSerializer,
    )
    def post(self, request: Request, club: str, job_id: int) -> HttpResponse:
        self.body(NothingSerializer, optional=True)

        def act() -> Answer:
            jobs.cancel(access=self.access, job_id=job_id, now=self.now)
            return self.answer(200, self.shown(JobSerializer, self.find(_jobs(), job_id)))

        return self.once(act)
