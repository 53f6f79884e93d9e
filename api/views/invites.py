"""Invitations: made, listed, revoked. They are accepted in a browser."""

from django.http import HttpResponse
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.idempotency import refuse_key
from api.schema import page_of
from api.serializers.base import PageQuerySerializer
from api.serializers.invites import CreatedInviteSerializer, InviteSerializer, NewInviteSerializer
from api.views.base import ClubView
from league.models import Invite, Role
from league.services import invites
from league.web import addresses


class InvitesView(ClubView):
    reads = writes = Role.ADMIN
    query_shapes = {"GET": PageQuerySerializer}

    @extend_schema(
        operation_id="list_invites",
        summary=_("List the invitations, newest first"),
        parameters=[PageQuerySerializer],
        responses=page_of(InviteSerializer),
    )
    def get(self, request: Request, club: str) -> Response:
        rows = Invite.objects.filter(club=self.access.club).with_state(now=self.now)
        return self.listed(InviteSerializer, rows, newest_first=True)

    @extend_schema(
        operation_id="create_invite",
        summary=_("Invite somebody"),
        description=_(
            "The answer shows the link this once. It takes no Idempotency-Key, since answers with a secret are not "
            "stored: when an answer gets lost, revoke the invitation and make another."
        ),
        request=NewInviteSerializer,
        responses={201: CreatedInviteSerializer},
    )
    def post(self, request: Request, club: str) -> HttpResponse:
        refuse_key(request)
        values = self.body(NewInviteSerializer)
        invite, code = invites.create(
            access=self.access,
            role=Role(values["role"]),
            note=values["note"],
            player_id=values["player"],
            days=values["days"],
            now=self.now,
        )
        made = Invite.objects.with_state(now=self.now).get(pk=invite.pk)
        url = addresses.public(request, reverse("web:invite", kwargs={"code": code}))
        data = {**self.shown(InviteSerializer, made), "url": url}
        location = reverse("api:invite", kwargs={"club": club, "invite_id": invite.pk})
        response = self.answer(201, data, location).response()
        patch_cache_control(response, no_store=True)
        return response


class InviteDetailView(ClubView):
    reads = writes = Role.ADMIN

    @extend_schema(operation_id="get_invite", summary=_("Read an invitation"), responses=InviteSerializer)
    def get(self, request: Request, club: str, invite_id: int) -> Response:
        invite = self.find(Invite.objects.with_state(now=self.now), invite_id)
        return Response(self.shown(InviteSerializer, invite))

    @extend_schema(
        operation_id="revoke_invite",
        summary=_("Revoke an invitation"),
        description=_("It stops working and stays listed; one that was used already stays as it is."),
        responses={204: None},
    )
    def delete(self, request: Request, club: str, invite_id: int) -> Response:
        invites.revoke(access=self.access, invite_id=invite_id, now=self.now)
        return Response(status=204)
