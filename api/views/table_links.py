"""Table links of a session: made, listed, revoked."""

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
from api.serializers.tokens import CreatedTableLinkSerializer, NewTableLinkSerializer, TableLinkSerializer
from api.views.base import ClubView
from league.models import ApiToken, Role, Scope, Session
from league.services import table_links
from league.web import addresses


class TableLinksView(ClubView):
    reads = Role.SCOREKEEPER
    query_shapes = {"GET": PageQuerySerializer}

    @extend_schema(
        operation_id="list_table_links",
        summary=_("List a session's table links, newest first"),
        parameters=[PageQuerySerializer],
        responses=page_of(TableLinkSerializer),
    )
    def get(self, request: Request, club: str, session_id: int) -> Response:
        session = self.find(Session.objects.all(), session_id)
        links = ApiToken.objects.filter(club=self.access.club, session=session, scope=Scope.TABLE)
        return self.listed(TableLinkSerializer, links, newest_first=True)

    @extend_schema(
        operation_id="create_table_link",
        summary=_("Make a table link"),
        description=_(
            "Whoever opens the link may enter the rounds of this open session, without a login, and see its score "
            "sheet; nothing else of the club. The answer shows it this once. It takes no Idempotency-Key, since "
            "answers with a secret are not stored: when an answer gets lost, make another."
        ),
        request=NewTableLinkSerializer,
        responses={201: CreatedTableLinkSerializer},
    )
    def post(self, request: Request, club: str, session_id: int) -> HttpResponse:
        refuse_key(request)
        self.find(Session.objects.all(), session_id)
        values = self.body(NewTableLinkSerializer, optional=True)
        link, raw = table_links.create(access=self.access, session_id=session_id, now=self.now, **values)
        link.refresh_from_db()
        page = reverse("web:table-link", kwargs={"raw": raw})
        data = {
            **self.shown(TableLinkSerializer, link),
            "token": raw,
            "link": addresses.public(request, page),
        }
        own = {"club": club, "session_id": session_id, "table_link_id": link.pk}
        response = self.answer(201, data, reverse("api:table-link", kwargs=own)).response()
        patch_cache_control(response, no_store=True)
        return response


class TableLinkDetailView(ClubView):
    reads = Role.SCOREKEEPER

    @extend_schema(
        operation_id="revoke_table_link",
        summary=_("Revoke a table link"),
        description=_("It ends at once and stays listed; what was entered with it stays too."),
        responses={204: None},
    )
    def delete(self, request: Request, club: str, session_id: int, table_link_id: int) -> Response:
        table_links.revoke(access=self.access, session_id=session_id, link_id=table_link_id, now=self.now)
        return Response(status=204)
