"""Clubs and members."""

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api import idempotency
from api.filters import by_name, by_values
from api.schema import page_of
from api.serializers.clubs import (
    ClubChangeSerializer,
    ClubQuerySerializer,
    ClubSerializer,
    MemberChangeSerializer,
    MemberQuerySerializer,
    MemberSerializer,
    NewClubSerializer,
    NewMemberSerializer,
)
from api.views.base import ApiView, ClubView, login, user_actor
from league.models import ApiToken, Club, Member, Role
from league.services import access as access_service
from league.services import clubs


class ClubsView(ApiView):
    query_shapes = {"GET": ClubQuerySerializer}

    @extend_schema(
        operation_id="list_clubs",
        summary=_("List the clubs that you belong to"),
        parameters=[ClubQuerySerializer],
        responses=page_of(ClubSerializer),
    )
    def get(self, request: Request) -> Response:
        if isinstance(request.auth, ApiToken):
            rows = access_service.club_of(token=request.auth)
        else:
            rows = Club.objects.visible_to(login(request))
        return self.listed(ClubSerializer, by_name(rows, self.query, "name"))

    @extend_schema(
        operation_id="create_club",
        summary=_("Found a club"),
        description=_("By login only: a token speaks for one club. You become the owner."),
        request=NewClubSerializer,
        responses={201: ClubSerializer},
    )
    def post(self, request: Request) -> HttpResponse:
        actor = user_actor(request)
        values = self.body(NewClubSerializer)

        def act() -> idempotency.Answer:
            club = clubs.create(owner=login(request), now=self.now, **values)
            club.refresh_from_db()
            location = reverse("api:club", kwargs={"club": club.slug})
            return self.answer(201, self.shown(ClubSerializer, club), location)

        return idempotency.once(act, request=request, actor=actor, now=self.now)


class ClubDetailView(ClubView):
    writes = Role.ADMIN

    @extend_schema(operation_id="get_club", tags=["clubs"], summary=_("Read a club"), responses=ClubSerializer)
    def get(self, request: Request, club: str) -> Response:
        return Response(self.shown(ClubSerializer, self.access.club))

    @extend_schema(
        operation_id="change_club",
        tags=["clubs"],
        summary=_("Change a club's name or time zone"),
        request=ClubChangeSerializer,
        responses=ClubSerializer,
    )
    def patch(self, request: Request, club: str) -> Response:
        changed = clubs.update(access=self.access, now=self.now, **self.body(ClubChangeSerializer))
        return Response(self.shown(ClubSerializer, changed))


class MembersView(ClubView):
    reads = writes = Role.ADMIN
    query_shapes = {"GET": MemberQuerySerializer}

    @extend_schema(
        operation_id="list_members",
        summary=_("List the members"),
        description=_("Needs the role admin: user names are logins."),
        parameters=[MemberQuerySerializer],
        responses=page_of(MemberSerializer),
    )
    def get(self, request: Request, club: str) -> Response:
        rows = Member.objects.filter(club=self.access.club).select_related("user")
        rows = by_name(by_values(rows, self.query, {"role": "role"}), self.query, "user__username")
        return self.listed(MemberSerializer, rows, columns={"username": "user__username"})

    @extend_schema(
        operation_id="add_member",
        summary=_("Make a user a member"),
        request=NewMemberSerializer,
        responses={201: MemberSerializer},
    )
    def post(self, request: Request, club: str) -> HttpResponse:
        values = self.body(NewMemberSerializer)

        def act() -> idempotency.Answer:
            member = clubs.add_member(
                access=self.access, username=values["username"], role=Role(values["role"]), now=self.now
            )
            member.refresh_from_db()
            location = reverse("api:member", kwargs={"club": club, "member_id": member.pk})
            return self.answer(201, self.shown(MemberSerializer, member), location)

        return self.once(act)


class MemberDetailView(ClubView):
    reads = writes = Role.ADMIN

    @extend_schema(operation_id="get_member", summary=_("Read a member"), responses=MemberSerializer)
    def get(self, request: Request, club: str, member_id: int) -> Response:
        member = self.find(Member.objects.select_related("user"), member_id)
        return Response(self.shown(MemberSerializer, member))

    @extend_schema(
        operation_id="change_member",
        summary=_("Give a member another role"),
        request=MemberChangeSerializer,
        responses=MemberSerializer,
    )
    def patch(self, request: Request, club: str, member_id: int) -> Response:
        role = Role(self.body(MemberChangeSerializer)["role"])
        member = clubs.change_role(access=self.access, member_id=member_id, role=role, now=self.now)
        return Response(self.shown(MemberSerializer, member))

    @extend_schema(
        operation_id="remove_member",
        summary=_("End a membership"),
        description=_("The player and all results stay. A club keeps at least one owner."),
        responses={204: None},
    )
    def delete(self, request: Request, club: str, member_id: int) -> Response:
        clubs.remove_member(access=self.access, member_id=member_id, now=self.now)
        return Response(status=204)
