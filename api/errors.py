"""Every error of the API as one problem document (RFC 9457), whoever raised it.

Terms: an *error item* names a place (`pointer` into the body, query `parameter` or `header`), a stable code and a
sentence in the reader's language. Promises: no other shape leaves the API with a status of 400 or above; an error of
ours is logged and tells nothing of the inside.
"""

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import IntegrityError, InterfaceError, OperationalError
from django.http import Http404, UnreadablePostError
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from rest_framework import exceptions, status
from rest_framework.response import Response

from api import problems
from api.problems import Kind
from league.models import Role
from league.services import errors

log = logging.getLogger("league.api")

RETRY_SECONDS = 1
# Of a body that is wrong throughout nobody reads more, and the answer would be many times its size.
MAX_ITEMS = 100


class PayloadTooLarge(exceptions.APIException):
    """The body is larger than `limit` bytes."""

    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE

    def __init__(self, *, limit: int) -> None:
        super().__init__(_("A body may have at most %(limit)d bytes.") % {"limit": limit}, code="too_large")


class InvalidRequest(exceptions.APIException):
    """Something outside the body is wrong: `place` is `parameter` or `header`, `details` DRF's errors by name."""

    status_code = status.HTTP_400_BAD_REQUEST

    def __init__(self, *, place: str, details: Any) -> None:
        super().__init__()
        self.items = [
            {place: ".".join(map(str, path)), "code": str(error.code), "detail": str(error)}
            for path, error in flatten(details)
        ]


class KeyReused(exceptions.APIException):
    """The Idempotency-Key stands for another request."""

    status_code = status.HTTP_422_UNPROCESSABLE_ENTITY
    default_detail = gettext_lazy("The Idempotency-Key was sent with another request before.")


class TooManyRequests(exceptions.APIException):
    """More than `limit` requests in `window` seconds; a new window begins in `wait` seconds."""

    status_code = status.HTTP_429_TOO_MANY_REQUESTS

    def __init__(self, *, limit: int, window: int, wait: int) -> None:
        text = _("At most %(limit)d requests in %(window)d seconds are allowed. Wait %(wait)d seconds.")
        super().__init__(text % {"limit": limit, "window": window, "wait": wait})
        self.wait = wait


class InProgress(exceptions.APIException):
    """The first request with this Idempotency-Key did not finish in time."""

    status_code = status.HTTP_409_CONFLICT
    default_detail = gettext_lazy("The first request with this Idempotency-Key is not finished yet.")


def pointer(path: errors.Path) -> str:
    """A JSON Pointer as a URI fragment (RFC 6901, section 6); `#` is the whole body."""
    parts = (str(part).replace("~", "~0").replace("/", "~1") for part in path)
    return "#" + "".join("/" + quote(part, safe="~!$&'()*+,;=:@") for part in parts)


def flatten(details: Any, path: errors.Path = ()) -> Iterator[tuple[errors.Path, exceptions.ErrorDetail]]:
    """Yield (path, error) for each of DRF's nested errors."""
    if isinstance(details, exceptions.ErrorDetail):
        yield path, details
    elif isinstance(details, Mapping):
        for key, value in details.items():
            yield from flatten(value, path if key == "non_field_errors" else (*path, key))
    else:
        for index, value in enumerate(details):
            leaf = isinstance(value, exceptions.ErrorDetail)
            yield from flatten(value, path if leaf else (*path, index))


def _items(found: Iterable[errors.Problem]) -> list[dict[str, str]]:
    return [{"pointer": pointer(one.path), "code": one.code, "detail": one.message} for one in found]


def _summary(items: Sequence[Mapping[str, str]]) -> str:
    if len(items) == 1:
        place = next((items[0][key] for key in ("pointer", "parameter", "header") if key in items[0]), "")
        return f"{place}: {items[0]['detail']}" if place not in {"", "#"} else items[0]["detail"]
    return ngettext("%(count)d error; see “errors”.", "%(count)d errors; see “errors”.", len(items)) % {
        "count": len(items)
    }


def problem(
    kind: Kind,
    detail: str,
    *,
    items: Sequence[Mapping[str, str]] = (),
    extra: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """The answer for one problem."""
    document: dict[str, Any] = {
        "type": kind.uri,
        "title": str(kind.title),
        "status": kind.status,
        "detail": detail,
        **({"errors": items[:MAX_ITEMS]} if items else {}),
        **(extra or {}),
    }
    return Response(document, status=kind.status, headers=headers, content_type=problems.MEDIA_TYPE)


def handler(exc: Exception, context: Mapping[str, Any]) -> Response:
    """DRF's exception handler: the problem document for whatever was raised."""
    if isinstance(exc, errors.ServiceError):
        return refused(exc, by_token=context["request"].auth is not None)
    if isinstance(exc, exceptions.APIException):
        return _api_exception(exc)
    for kinds, kind, text in _DJANGO:
        if isinstance(exc, kinds):
            return problem(kind, str(text))
    return _database_or_ours(exc)


_DJANGO: tuple[tuple[tuple[type[Exception], ...], Kind, str | Promise], ...] = (
    ((Http404,), problems.NOT_FOUND, gettext_lazy("There is nothing here.")),
    ((PermissionDenied,), problems.FORBIDDEN, gettext_lazy("This is not allowed.")),
    ((RequestDataTooBig,), problems.TOO_LARGE, gettext_lazy("The body is too large.")),
    (
        (SuspiciousOperation, UnreadablePostError),
        problems.INVALID_INPUT,
        gettext_lazy("The request can't be read."),
    ),
)


def refused(exc: errors.ServiceError, *, by_token: bool) -> Response:
    """The answer to what a service refused; `by_token`: who asks shows a token and no login."""
    if isinstance(exc, errors.NotFound):
        return problem(problems.NOT_FOUND, _("There is nothing here."))
    if isinstance(exc, errors.Forbidden):
        text = _("This needs the role “%(role)s” or a higher one.")
        if exc.needed == Role.OWNER:
            text = _("This needs the role “%(role)s”.")
        if by_token:
            text = _("This needs a token of a wider scope.")
        return problem(problems.FORBIDDEN, text % {"role": exc.needed.label})
    if isinstance(exc, errors.Conflict | errors.Stale):
        return _does_not_fit(exc)
    if isinstance(exc, errors.NeedsConfirmation):
        return problem(
            problems.NEEDS_CONFIRMATION,
            _("The result is possible but implausible. Nothing was stored."),
            extra={
                "warnings": _items(exc.warnings),
                "confirm": sorted({warning.code for warning in exc.warnings}),
            },
        )
    if isinstance(exc, errors.InputError):
        items = _items(exc.problems)
        return problem(problems.INVALID_INPUT, _summary(items), items=items)
    return _database_or_ours(exc)


def _does_not_fit(exc: errors.Conflict | errors.Stale) -> Response:
    if isinstance(exc, errors.Conflict):
        return problem(problems.CONFLICT, exc.message, items=[{"code": exc.code, "detail": exc.message}])
    message = _("It is at revision %(revision)d now.") % {"revision": exc.revision}
    item = {"header": "If-Match", "code": "stale", "detail": message}
    return problem(problems.STALE, message, items=[item], extra={"revision": exc.revision})


_BY_STATUS = {
    401: problems.UNAUTHENTICATED,
    403: problems.FORBIDDEN,
    404: problems.NOT_FOUND,
    405: problems.METHOD_NOT_ALLOWED,
    413: problems.TOO_LARGE,
    415: problems.UNSUPPORTED_MEDIA_TYPE,
    428: problems.PRECONDITION_REQUIRED,
    429: problems.TOO_MANY,
}


def _api_exception(exc: exceptions.APIException) -> Response:
    if isinstance(exc, InvalidRequest):
        return problem(problems.INVALID_INPUT, _summary(exc.items), items=exc.items)
    if isinstance(exc, exceptions.ValidationError):
        items = [
            {"pointer": pointer(path), "code": str(error.code), "detail": str(error)}
            for path, error in flatten(exc.detail)
        ]
        return problem(problems.INVALID_INPUT, _summary(items), items=items)
    if isinstance(exc, KeyReused):
        item = {"header": "Idempotency-Key", "code": "idempotency_key_reused", "detail": str(exc.detail)}
        return problem(problems.KEY_REUSED, str(exc.detail), items=[item])
    if isinstance(exc, InProgress):
        return problem(problems.IN_PROGRESS, str(exc.detail), headers={"Retry-After": str(RETRY_SECONDS)})
    kind = _BY_STATUS.get(exc.status_code)
    if kind is None:
        return problem(problems.INVALID_INPUT, str(exc.detail))
    told = {"WWW-Authenticate": getattr(exc, "auth_header", None), "Retry-After": getattr(exc, "wait", None)}
    headers = {name: str(value) for name, value in told.items() if value is not None}
    return problem(kind, str(exc.detail), headers=headers)


def _database_or_ours(exc: Exception) -> Response:
    if isinstance(exc, IntegrityError):
        # Two requests at once: each was right when it was checked, the database let one of them through.
        log.warning("a constraint refused a request", exc_info=exc)
        return problem(problems.CONFLICT, _("Another request was faster. Read the present state and repeat."))
    if isinstance(exc, OperationalError | InterfaceError):
        log.warning("the database did not answer in time", exc_info=exc)
        return problem(
            problems.UNAVAILABLE,
            _("The database is busy or can't write. Nothing was stored; repeat the request."),
            headers={"Retry-After": str(RETRY_SECONDS)},
        )
    log.error("unhandled error", exc_info=exc)
    return problem(problems.INTERNAL, _("The server made a mistake. It is logged."))
