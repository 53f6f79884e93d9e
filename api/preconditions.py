"""`If-Match`: a change is carried out on the revision that the client has seen, or not at all (RFC 9110, 13.1.1).

Terms: the ETag of a session or tournament is `"REVISION.HASH"`: the revision tells one state of it from another, the
hash also notices what only looks different (a renamed player). `"REVISION"` alone, made from the field `revision` of a
session or `version` of a tournament, is accepted as well, and `*` for whichever is there.
"""

import hashlib
import re
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import APIException, ErrorDetail
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from api.errors import InvalidRequest

HEADER = "If-Match"
# Proxies that compress an answer mark its tag as weak.
_TAG = re.compile(r'(?:W/)?"([1-9][0-9]{0,8})(?:\.[0-9a-f]{16})?"')


class PreconditionRequired(APIException):
    """A change came without `If-Match` (RFC 6585, section 3)."""

    status_code = 428

    def __init__(self) -> None:
        super().__init__(_("Send the ETag of what you change, as you read it, in If-Match."), code="if_match_required")


def tag(revision: int, data: Any) -> str:
    """The ETag of an answer."""
    return f'"{revision}.{hashlib.sha256(JSONRenderer().render(data)).hexdigest()[:16]}"'


def expected(request: Request) -> int | None:
    """The revision that the client wants changed; None for whichever is there.

    Raises PreconditionRequired (428) without the header, InvalidRequest (400) for one that is no such tag.
    """
    if HEADER not in request.headers:
        raise PreconditionRequired
    return named(request)


def named(request: Request) -> int | None:
    """As `expected`, where the header may be left out for whichever is there."""
    given = request.headers.get(HEADER, "*")
    if given.strip() == "*":
        return None
    match = _TAG.fullmatch(given.strip())
    if match is None:
        message = _('Give one ETag of what you change, as “"3"” for its revision 3.')
        raise InvalidRequest(place="header", details={HEADER: [ErrorDetail(message, code="invalid")]})
    return int(match[1])
