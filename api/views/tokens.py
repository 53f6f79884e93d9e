"""API tokens: made, listed, revoked."""

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
from api.serializers.tokens import CreatedTokenSerializer, NewTokenSerializer, TokenSerializer
from api.views.base import ClubView
from league.models import ApiToken, Role, Scope
from league.services import tokens


class TokensView(ClubView):
    reads = writes = Role.ADMIN
    query_shapes = {"GET": PageQuerySerializer}

    @extend_schema(
        operation_id="list_tokens",
        summary=_("List the tokens, newest first"),
        parameters=[PageQuerySerializer],
        responses=page_of(TokenSerializer),
    )
    def get(self, request: Request, club: str) -> Response:
        return self.listed(TokenSerializer, ApiToken.objects.filter(club=self.access.club), newest_first=True)

    @extend_schema(
        operation_id="create_token",
        summary=_("Make a token"),
        description=_(
            "The answer shows the token this once. It takes no Idempotency-Key, since answers with a secret are not "
            "stored: when an answer gets lost, revoke the token and make another."
        ),
        request=NewTokenSerializer,
        responses={201: CreatedTokenSerializer},
    )
    def post(self, request: Request, club: str) -> HttpResponse:
        refuse_key(request)
        values = self.body(NewTokenSerializer)
        values["scope"] = Scope(values["scope"])
        token, raw = tokens.create(access=self.access, now=self.now, **values)
        token.refresh_from_db()
        data = {**self.shown(TokenSerializer, token), "token": raw}
        response = self.answer(201, data, reverse("api:token", kwargs={"club": club, "token_id": token.pk})).response()
        patch_cache_control(response, no_store=True)
        return response


class TokenDetailView(ClubView):
    reads = writes = Role.ADMIN

    @extend_schema(operation_id="get_token", summary=_("Read a token"), responses=TokenSerializer)
    def get(self, request: Request, club: str, token_id: int) -> Response:
        return Response(self.shown(TokenSerializer, self.find(ApiToken.objects.all(), token_id)))

    @extend_schema(
        operation_id="revoke_token",
        summary=_("Revoke a token"),
        description=_("It ends at once and stays listed."),
        responses={204: None},
    )
    def delete(self, request: Request, club: str, token_id: int) -> Response:
        tokens.revoke(access=self.access, token_id=token_id, now=self.now)
        return Response(status=204)
