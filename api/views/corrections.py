"""Corrections of sessions, their history, and what a second participant says to them."""

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api import preconditions
from api.serializers.corrections import (
    DryRunSerializer,
    PreviewSerializer,
    ReasonSerializer,
    RevisionListSerializer,
    RevisionSerializer,
    RoundChangeSerializer,
    SessionChangeSerializer,
)
from api.serializers.sessions import NothingSerializer, SessionSerializer
from api.views.sessions import SessionView
from league.models import Session
from league.models.revisions import history
from league.services import confirmations, corrections

SESSION_OR_PREVIEW = PolymorphicProxySerializer(
    component_name="SessionOrPreview", serializers=[SessionSerializer, PreviewSerializer], resource_type_field_name=None
)


class ChangeView(SessionView):
    def changed(self, change: Callable[[], Session], session_id: int) -> Response:
        """Carry out a change and answer with the score sheet, or rehearse it."""
        if self.query["dry_run"]:
            preview = corrections.rehearse(change, access=self.access, session_id=session_id)
            return Response(self.preview(preview))
        return self.sheet_response(change().pk)

    def expected(self, session_id: int) -> int | None:
        """The revision to change. Whoever asks for what is not there is told so first."""
        self.find(Session.objects.all(), session_id)
        return preconditions.expected(self.request)

    def turned(self, session_id: int, change: Callable[..., Session]) -> HttpResponse | Response:
        """Void or restore, once a key."""
        expected = self.expected(session_id)
        reason = self.body(ReasonSerializer)["reason"]

        def act() -> Session:
            return change(access=self.access, session_id=session_id, reason=reason, expected=expected, now=self.now)

        if self.query["dry_run"]:
            return self.changed(act, session_id)
        return self.once(lambda: self.sheet_answer(200, act()))


class CorrectView(ChangeView):
    query_shapes = {"PATCH": DryRunSerializer}

    @extend_schema(operation_id="get_session", summary=_("Read a session's score sheet"), responses=SessionSerializer)
    def get(self, request: Request, club: str, session_id: int) -> Response:
        return self.sheet_response(session_id)

    @extend_schema(
        operation_id="correct_session",
        summary=_("Correct a session"),
        description=_(
            "What is named is replaced, all is checked as at the first recording, and the standings follow at once. "
            "With `dry_run=true` nothing is stored and the answer says what would move."
        ),
        parameters=[DryRunSerializer],
        request=SessionChangeSerializer,
        responses=SESSION_OR_PREVIEW,
    )
    def patch(self, request: Request, club: str, session_id: int) -> Response:
        expected = self.expected(session_id)
        new = self.body(SessionChangeSerializer)
        return self.changed(
            lambda: corrections.correct(
                access=self.access,
                session_id=session_id,
                changes=new.changes,
                reason=new.reason,
                expected=expected,
                confirm=new.confirm,
                now=self.now,
            ),
            session_id,
        )


class RoundDetailView(ChangeView):
    query_shapes = {"PATCH": DryRunSerializer}

    @extend_schema(
        operation_id="correct_round",
        summary=_("Correct a round"),
        description=_("The round as it should have been noted down, whole; `number` counts from 1."),
        parameters=[DryRunSerializer],
        request=RoundChangeSerializer,
        responses=SESSION_OR_PREVIEW,
    )
    def patch(self, request: Request, club: str, session_id: int, number: int) -> Response:
        expected = self.expected(session_id)
        new = self.body(RoundChangeSerializer)
        return self.changed(
            lambda: corrections.correct_round(
                access=self.access,
                session_id=session_id,
                number=number,
                data=new.value,
                reason=new.reason,
                expected=expected,
                confirm=new.confirm,
                now=self.now,
            ),
            session_id,
        )


class VoidView(ChangeView):
    query_shapes = {"POST": DryRunSerializer}

    @extend_schema(
        operation_id="void_session",
        summary=_("Void a session"),
        description=_("It enters no standings any more, stays readable, and can be restored."),
        parameters=[DryRunSerializer],
        request=ReasonSerializer,
        responses={200: SESSION_OR_PREVIEW},
    )
    def post(self, request: Request, club: str, session_id: int) -> HttpResponse | Response:
        return self.turned(session_id, corrections.void)


class RestoreView(ChangeView):
    query_shapes = {"POST": DryRunSerializer}

    @extend_schema(
        operation_id="restore_session",
        summary=_("Restore a void session"),
        parameters=[DryRunSerializer],
        request=ReasonSerializer,
        responses={200: SESSION_OR_PREVIEW},
    )
    def post(self, request: Request, club: str, session_id: int) -> HttpResponse | Response:
        return self.turned(session_id, corrections.restore)


class RevisionsView(SessionView):
    @extend_schema(
        operation_id="list_revisions",
        summary=_("Read a session's history"),
        description=_("Every change with who made it, when and why; nothing is ever taken out of it."),
        responses=RevisionListSerializer,
    )
    def get(self, request: Request, club: str, session_id: int) -> Response:
        found = history(self.find(Session.objects.all(), session_id))
        data: list[Any] = [self.shown(RevisionSerializer, one) for one in found]
        return Response({"results": data, "next": None})


class VerdictView(SessionView):
    """A view by which a second participant speaks."""

    # Whoever took part may, whatever the role.
    own_part = True

    def named(self, session_id: int) -> int | None:
        """The revision that is spoken of, None where none is named. What is not there is told first."""
        self.find(Session.objects.all(), session_id)
        return preconditions.named(self.request)


class ConfirmView(VerdictView):
    @extend_schema(
        operation_id="confirm_session",
        summary=_("Confirm a session as a second participant"),
        description=_(
            "In a season that asks for it, a session counts once a participant who did not enter it, or a "
            "scorekeeper, agrees. A scorekeeper decides a disputed one this way."
        ),
        request={"application/json": NothingSerializer},
        responses={200: SessionSerializer},
    )
    def post(self, request: Request, club: str, session_id: int) -> HttpResponse:
        self.body(NothingSerializer, optional=True)
        expected = self.named(session_id)
        return self.once(
            lambda: self.sheet_answer(
                200,
                confirmations.confirm(access=self.access, session_id=session_id, expected=expected, now=self.now),
            )
        )


class DisputeView(VerdictView):
    @extend_schema(
        operation_id="dispute_session",
        summary=_("Dispute a session as a participant"),
        description=_("It counts no more until a scorekeeper has corrected or confirmed it."),
        request=ReasonSerializer,
        responses={200: SessionSerializer},
    )
    def post(self, request: Request, club: str, session_id: int) -> HttpResponse:
        reason = self.body(ReasonSerializer)["reason"]
        expected = self.named(session_id)
        return self.once(
            lambda: self.sheet_answer(
                200,
                confirmations.dispute(
                    access=self.access, session_id=session_id, reason=reason, expected=expected, now=self.now
                ),
            )
        )
