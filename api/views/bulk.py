"""Many sessions in one request: all or none, or each for itself."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from api.errors import refused
from api.idempotency import Answer
from api.parsers import BulkJSONParser
from api.serializers.bulk import BulkAnswerSerializer, BulkSerializer
from api.serializers.sessions import session_url
from api.views.base import ClubView
from league.models import Session
from league.services import results
from league.services.errors import Conflict, InputError, NeedsConfirmation, Path, Problem, ServiceError


class BulkView(ClubView):
    parser_classes = [BulkJSONParser]

    @extend_schema(
        operation_id="record_sessions",
        summary=_("Record up to 1,000 sessions at once"),
        description=_(
            "Each is checked as if it came alone, after those before it. With `mode` all, the first refusal stores "
            "nothing and the problem names every place; with `mode` each, the answer says for each what became of it."
        ),
        request=BulkSerializer,
        responses={200: BulkAnswerSerializer},
    )
    def post(self, request: Request, club: str) -> HttpResponse:
        body = self.body(BulkSerializer)
        entries = [results.Entry(one.value, one.confirm) for one in body["sessions"]]
        together = body["mode"] == "all"

        def act() -> Answer:
            outcomes = results.record_many(access=self.access, entries=entries, together=together, now=self.now)
            if together:
                _refuse_all(outcomes)
            items = [self._item(index, outcome) for index, outcome in enumerate(outcomes)]
            recorded = sum(item["session"] is not None for item in items)
            return self.answer(200, {"recorded": recorded, "refused": len(items) - recorded, "results": items})

        return self.once(act)

    def _item(self, index: int, outcome: Session | ServiceError) -> dict[str, Any]:
        if isinstance(outcome, ServiceError):
            answer = refused(outcome, by_token=self.request.auth is not None)
            return {"index": index, "status": answer.status_code, "session": None, "problem": answer.data}
        session = {
            "id": outcome.pk,
            "url": session_url(self.access.club.slug, outcome.pk),
            "status": outcome.status,
            "revision": outcome.revision,
        }
        return {"index": index, "status": 201, "session": session, "problem": None}


def _refuse_all(outcomes: Sequence[Session | ServiceError]) -> None:
    """Raise one error for all that are wrong: InputError, or NeedsConfirmation where nothing else is."""
    problems = [one for index, outcome in enumerate(outcomes) for one in _problems(("sessions", index), outcome)]
    if problems:
        raise InputError(problems)
    warnings = [
        Problem(("sessions", index, *warning.path), warning.code, warning.message)
        for index, outcome in enumerate(outcomes)
        if isinstance(outcome, NeedsConfirmation)
        for warning in outcome.warnings
    ]
    if warnings:
        raise NeedsConfirmation(warnings)


def _problems(path: Path, outcome: Session | ServiceError) -> Iterator[Problem]:
    if isinstance(outcome, InputError):
        for one in outcome.problems:
            yield Problem((*path, *one.path), one.code, one.message)
    elif isinstance(outcome, Conflict):
        yield Problem(path, outcome.code, outcome.message)
