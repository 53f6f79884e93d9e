"""Planned evenings and their sign-ups."""

from typing import Any

from django.db.models import Count, Q, QuerySet
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.filters import by_values
from api.idempotency import Answer
from api.schema import page_of
from api.serializers.base import PageQuerySerializer
from api.serializers.evenings import (
    EveningChangeSerializer,
    EveningQuerySerializer,
    EveningSerializer,
    NewEveningSerializer,
    NewSignUpSerializer,
    SignUpSerializer,
)
from api.views.base import ClubView
from league.models import PlannedEvening, SignUp, SignUpState
from league.services import planned_evenings as service


def _counted() -> "QuerySet[Any]":
    """Evenings, each with how many are `coming` and `waiting`."""
    return PlannedEvening.objects.annotate(
        coming=Count("sign_ups", filter=Q(sign_ups__state=SignUpState.COMING)),
        waiting=Count("sign_ups", filter=Q(sign_ups__state=SignUpState.WAITING)),
    )


class EveningsView(ClubView):
    query_shapes = {"GET": EveningQuerySerializer}

    @extend_schema(
        operation_id="list_evenings",
        summary=_("List the planned evenings, the next ones first"),
        parameters=[EveningQuerySerializer],
        responses=page_of(EveningSerializer),
    )
    def get(self, request: Request, club: str) -> Response:
        rows = by_values(_counted().filter(club=self.access.club), self.query, {"season": "season"})
        if "cancelled" in self.query:
            rows = rows.filter(cancelled_at__isnull=not self.query["cancelled"])
        if "over" in self.query:
            since = self.now - service.OVER_AFTER
            rows = rows.filter(starts_at__lt=since) if self.query["over"] else rows.filter(starts_at__gte=since)
        return self.listed(EveningSerializer, rows, usual="starts_at")

    @extend_schema(
        operation_id="plan_evening",
        summary=_("Plan an evening"),
        request=NewEveningSerializer,
        responses={201: EveningSerializer},
    )
    def post(self, request: Request, club: str) -> HttpResponse:
        fields = self.body(NewEveningSerializer)

        def act() -> Answer:
            made = service.plan(access=self.access, fields=fields, now=self.now)
            location = reverse("api:evening", kwargs={"club": club, "evening_id": made.pk})
            return self.answer(201, self.shown(EveningSerializer, self.find(_counted(), made.pk)), location)

        return self.once(act)


class EveningDetailView(ClubView):
    @extend_schema(operation_id="get_evening", summary=_("Read a planned evening"), responses=EveningSerializer)
    def get(self, request: Request, club: str, evening_id: int) -> Response:
        return Response(self.shown(EveningSerializer, self.find(_counted(), evening_id)))

    @extend_schema(
        operation_id="change_evening",
        summary=_("Change a planned evening"),
        request=EveningChangeSerializer,
        responses=EveningSerializer,
    )
    def patch(self, request: Request, club: str, evening_id: int) -> Response:
        changes = self.body(EveningChangeSerializer)
        service.change(access=self.access, evening_id=evening_id, changes=changes, now=self.now)
        return Response(self.shown(EveningSerializer, self.find(_counted(), evening_id)))

    @extend_schema(
        operation_id="cancel_evening",
        summary=_("Call a planned evening off"),
        description=_("It stays, as one that was called off, so that subscribed calendars show that."),
        request=None,
        responses={204: None},
    )
    def delete(self, request: Request, club: str, evening_id: int) -> Response:
        service.cancel(access=self.access, evening_id=evening_id, now=self.now)
        return Response(status=204)


class SignUpsView(ClubView):
    own_part = True
    query_shapes = {"GET": PageQuerySerializer}

    @extend_schema(
        operation_id="list_sign_ups",
        summary=_("List who comes to an evening, who waits and who does not come"),
        parameters=[PageQuerySerializer],
        responses=page_of(SignUpSerializer),
    )
    def get(self, request: Request, club: str, evening_id: int) -> Response:
        evening = self.find(PlannedEvening.objects.all(), evening_id)
        rows = SignUp.objects.filter(evening=evening).select_related("player")
        return self.listed(SignUpSerializer, rows, usual="since")

    @extend_schema(
        operation_id="sign_up",
        summary=_("Say that a player comes to an evening, or does not"),
        description=_(
            "Members say it of their own player, scorekeepers of anyone. Who wants to come when all places are taken "
            "waits, and comes as soon as one is free."
        ),
        request=NewSignUpSerializer,
        responses={200: SignUpSerializer},
    )
    def post(self, request: Request, club: str, evening_id: int) -> HttpResponse:
        values = self.body(NewSignUpSerializer)

        def act() -> Answer:
            said = service.answer(
                access=self.access,
                evening_id=evening_id,
                state=values["state"],
                player_id=values.get("player"),
                now=self.now,
            )
            return self.answer(200, self.shown(SignUpSerializer, said))

        return self.once(act)
