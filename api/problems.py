"""The kinds of problem that an answer can tell of: the `type` of RFC 9457, with status and meaning.

Promises: a kind's address does not change, and leads to a page that explains it (`api/v1/docs/problems/`).
"""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

MEDIA_TYPE = "application/problem+json"


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of problem. `meaning` says what a client can do about it."""

    slug: str
    status: int
    title: str | Promise
    meaning: str | Promise

    @property
    def uri(self) -> str:
        """The `type`: a reference relative to the server's root."""
        return f"{reverse('api:problems')}#{self.slug}"


INVALID_INPUT = Kind(
    "invalid-input",
    400,
    _("Invalid input"),
    _("Something in the body, the address or a header is not as it has to be. “errors” names each place."),
)
UNAUTHENTICATED = Kind(
    "unauthenticated",
    401,
    _("Not authenticated"),
    _("The request needs a valid token in “Authorization: Bearer …” or a login."),
)
FORBIDDEN = Kind(
    "forbidden",
    403,
    _("Not allowed"),
    _("The token's scope or the member's role is too low, or a login session came without its CSRF token."),
)
NOT_FOUND = Kind(
    "not-found",
    404,
    _("Not found"),
    _("There is nothing at this address, or nothing that may be seen with these credentials."),
)
METHOD_NOT_ALLOWED = Kind(
    "method-not-allowed",
    405,
    _("Method not allowed"),
    _("The address does not know this method. The header “Allow” lists those it knows."),
)
CONFLICT = Kind(
    "conflict",
    409,
    _("Conflict"),
    _("The input is right but does not fit what is stored. “errors” has the code, as name_taken or session_ended."),
)
IN_PROGRESS = Kind(
    "idempotency-key-in-progress",
    409,
    _("Request in progress"),
    _("A request with this Idempotency-Key is still being carried out. Repeat after the time in “Retry-After”."),
)
STALE = Kind(
    "stale",
    412,
    _("Changed meanwhile"),
    _("It is at another revision than If-Match asks for. Read it again and decide anew; nothing was stored."),
)
TOO_LARGE = Kind(
    "too-large", 413, _("Body too large"), _("The body is larger than allowed. Send it in several requests.")
)
UNSUPPORTED_MEDIA_TYPE = Kind(
    "unsupported-media-type",
    415,
    _("Unsupported media type"),
    _("Bodies are JSON in UTF-8, announced by “Content-Type: application/json”."),
)
NEEDS_CONFIRMATION = Kind(
    "needs-confirmation",
    422,
    _("Needs confirmation"),
    _(
        "The result is possible but implausible; nothing was stored. “warnings” says what is odd. If it is right "
        "nevertheless, repeat the request with the codes of “confirm” in the body's “confirm”."
    ),
)
KEY_REUSED = Kind(
    "idempotency-key-reused",
    422,
    _("Idempotency key reused"),
    _("This Idempotency-Key was used for another request. Take a new key for each new request."),
)
PRECONDITION_REQUIRED = Kind(
    "precondition-required",
    428,
    _("If-Match is missing"),
    _("A change of a session or tournament names the state it was made for: send its ETag in “If-Match”."),
)
TOO_MANY = Kind(
    "too-many-requests",
    429,
    _("Too many requests"),
    _(
        "This token or login has asked more often than its limit allows; nothing was carried out. Repeat after the "
        "time in “Retry-After”. “RateLimit” in every answer says how many requests are left, and until when."
    ),
)
INTERNAL = Kind(
    "internal-error",
    500,
    _("Internal error"),
    _("The server made a mistake; its log says more. Whether anything was stored is open: read before repeating."),
)
UNAVAILABLE = Kind(
    "unavailable",
    503,
    _("Temporarily unavailable"),
    _("The database is busy or can't be reached. Nothing was stored. Repeat after the time in “Retry-After”."),
)

KINDS = (
    INVALID_INPUT,
    UNAUTHENTICATED,
    FORBIDDEN,
    NOT_FOUND,
    METHOD_NOT_ALLOWED,
    CONFLICT,
    IN_PROGRESS,
    STALE,
    TOO_LARGE,
    UNSUPPORTED_MEDIA_TYPE,
    NEEDS_CONFIRMATION,
    KEY_REUSED,
    PRECONDITION_REQUIRED,
    TOO_MANY,
    INTERNAL,
    UNAVAILABLE,
)
