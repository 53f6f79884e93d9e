"""What all views share: who asks, in which club, with which parameters; and the few ways to answer.

Promises: a view of a club is entered only by who belongs to it (404 for all others) before anything else is looked
at, and by a table link only where it is a view of that link's session; whoever may not do what is asked is told so
(403) before parameters and body are read; unknown query parameters are refused; a POST is carried out once a key; an
unchanged GET is answered by 304.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.http.request import HttpRequest
from django.http.response import HttpResponse, HttpResponseBase
from django.utils import timezone
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page
from rest_framework.exceptions import ErrorDetail, MethodNotAllowed, NotFound, PermissionDenied, ValidationError
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.views import APIView

from api import idempotency, pagination, rate_limits
from api.errors import InvalidRequest, TooManyRequests
from api.idempotency import Answer
from api.serializers.base import QuerySerializer, StrictSerializer, shown, validated
from league.models import ApiToken, Role, User
from league.services import access as access_service
from league.services.access import Access, Actor
from league.services.rate_limits import WINDOW, Standing

NO_COLUMNS: Mapping[str, str] = {}


class ApiView(APIView):
    """A view of the API. `query_shapes` says by method which parameters the address takes; by default none."""

    # No OPTIONS: the schema says what there is.
    http_method_names = ["get", "post", "patch", "delete", "head"]
    query_shapes: Mapping[str, type[QuerySerializer]] = {}

    now: datetime
    query: Mapping[str, Any]
    # Of whoever asks; None where nobody has shown who it is, or nothing is counted.
    standing: Standing | None = None

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        answer = conditional_page(super().dispatch)(request, *args, **kwargs)
        standing = self.standing
        if standing is not None:
            rate_limits.tell(answer, standing)
            if isinstance(answer, Response):
                # Once more: whether it is a 304, which keeps few of the headers, turns out when it is rendered.
                answer.add_post_render_callback(lambda rendered: rate_limits.tell(rendered, standing))
        return answer

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        self.now = timezone.now()
        if "HTTP_TRANSFER_ENCODING" in request.META:
            # The framework reads a body by its length; without one it would silently be taken for no body at all.
            message = _("Send the body in one piece, with its Content-Length.")
            raise InvalidRequest(
                place="header", details={"Transfer-Encoding": [ErrorDetail(message, code="length_required")]}
            )
        super().initial(request, *args, **kwargs)
        # Before anything else is read: a request too many should cost little.
        self.standing = rate_limits.count(request)
        if self.standing is not None and self.standing.exceeded:
            raise TooManyRequests(limit=self.standing.limit, window=WINDOW, wait=self.standing.reset)
        self.enter(request)
        if request.method not in self.allowed_methods:
            raise MethodNotAllowed(str(request.method))
        self.permit(request)
        method = "GET" if request.method == "HEAD" else str(request.method)
        try:
            self.query = validated(self.query_shapes.get(method, QuerySerializer), request.query_params)
        except ValidationError as error:
            raise InvalidRequest(place="parameter", details=error.detail) from error

    def enter(self, request: Request) -> None:
        """Find out where the asker stands."""

    def permit(self, request: Request) -> None:
        """Raise Forbidden (403) for an asker who may not do this at all; services look once more."""

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        response = super().finalize_response(request, response, *args, **kwargs)
        # Answers depend on who asks; a cache may keep them only for the asker and has to ask again each time.
        patch_vary_headers(response, ["Authorization", "Cookie"])
        patch_cache_control(response, private=True, no_cache=True)
        return response

    def body(self, shape: type[StrictSerializer], *, optional: bool = False) -> Any:
        """The body as the value that `shape` makes of it. Raises ValidationError (400)."""
        data = self.request.data
        if data == {} and not optional and not self.request.META.get("CONTENT_LENGTH", "0").strip("0"):
            message = _("A JSON object is expected as the body; there is none.")
            raise ValidationError({"non_field_errors": [ErrorDetail(message, code="body_missing")]})
        return validated(shape, data)

    def shown(self, shape: type[BaseSerializer[Any]], value: Any) -> Any:
        """A value as `shape` shows it."""
        return shown(shape, value, club=self.kwargs.get("club"))

    def page(
        self,
        rows: QuerySet[Any],
        *,
        newest_first: bool = False,
        usual: str = "",
        columns: Mapping[str, str] = NO_COLUMNS,
        ties: Sequence[str] = ("pk",),
    ) -> tuple[list[Any], str | None]:
        """One page of rows and the address of the next one, sorted as asked, else by `usual` or by id.

        `columns` maps names of orderings to columns where these differ, `ties` tell equal rows apart.
        """
        return pagination.keyset(
            rows,
            request=self.request,
            cursor=self.query.get("cursor"),
            limit=self.query["limit"],
            ordering=self.query.get("ordering") or usual or ("-id" if newest_first else "id"),
            columns=columns,
            ties=ties,
        )

    def listed(self, shape: type[BaseSerializer[Any]], rows: QuerySet[Any], **sorting: Any) -> Response:
        """One page of rows as `shape` shows them; `sorting` as `page` takes it."""
        found, following = self.page(rows, **sorting)
        results = shown(shape, found, many=True, club=self.kwargs.get("club"), fields=self.query.get("fields"))
        return Response({"results": results, "next": following})

    def answer(self, status: int, data: Any, location: str = "") -> Answer:
        """What a POST answers."""
        return Answer(status, JSONRenderer().render(data).decode(), location)


class ClubView(ApiView):
    """A view within a club. `reads` and `writes` are the least roles for that.

    `at_table`: a table link writes, too. `own_part`: so does any member who is logged in; which part is theirs, the
    service knows.
    """

    reads: Role = Role.MEMBER
    writes: Role = Role.SCOREKEEPER
    at_table = False
    own_part = False

    access: Access

    def enter(self, request: Request) -> None:
        slug = self.kwargs["club"]
        if isinstance(request.auth, ApiToken):
            self.access = access_service.of_token(token=request.auth, club_slug=slug)
            only = self.access.only_session
            # A table link finds its own session and nothing else of the club.
            if only is not None and self.kwargs.get("session_id") != only:
                raise Http404
        else:
            self.access = access_service.of_user(user=login(request), club_slug=slug)

    def permit(self, request: Request) -> None:
        if request.method in {"GET", "HEAD"}:
            self.access.require(self.reads)
        elif self.own_part and self.access.actor.token_id is None:
            self.access.require(Role.MEMBER)
        elif self.access.only_session is None or not self.at_table:
            self.access.require(self.writes)

    def once(self, act: Callable[[], Answer]) -> HttpResponse:
        """Carry out a POST, once a key."""
        return idempotency.once(act, request=self.request, actor=self.access.actor, now=self.now)

    def find(self, rows: QuerySet[Any], pk: int) -> Any:
        """The club's row of that id. Raises Http404."""
        row = rows.filter(club=self.access.club, pk=pk).first()
        if row is None:
            raise Http404
        return row


def login(request: Request) -> User:
    """Who is logged in. Raises PermissionDenied (403) for a token: it speaks for a club, not for a person."""
    if not isinstance(request.user, User):
        raise PermissionDenied(_("A token can't do this; log in."))
    return request.user


def user_actor(request: Request) -> Actor:
    """The logged-in user as an actor. Raises PermissionDenied (403) for a token."""
    return Actor(user_id=login(request).pk)


class NotFoundView(ApiView):
    """Whatever no other view answers for."""

    authentication_classes: Sequence[Any] = ()
    permission_classes: Sequence[Any] = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        if not request.path.endswith("/"):
            raise NotFound(_("There is nothing here. The API's addresses end with a slash."))
        raise NotFound(_("There is nothing here."))
