"""Pages for what went wrong, in the look of the site.

Promises: each says what to do next, with the reader's name above it where the reader is known; none fails because the
database does, and that of our own failure does not ask it. The pages for a refused form or host name the line of
configuration that puts it right.
"""

import sys
from collections.abc import Mapping

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.db import Error, InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.utils.translation import get_language_from_request, override

from league.models import Role


def _page(request: HttpRequest, status: int, name: str, context: Mapping[str, object] | None = None) -> HttpResponse:
    # Rendered without the request, hence without context processors, which would ask for the messages in the session.
    # The language is found anew, since a host can be refused before the middleware has chosen one.
    with override(get_language_from_request(request)):
        html = render_to_string(f"errors/{name}.html", {**_head(request, status), **(context or {})})
    return HttpResponse(html, status=status)


def _head(request: HttpRequest, status: int) -> dict[str, object]:
    """What the head of the page needs to show the reader's name; nothing where the reader is not known."""
    # A host is refused before anyone is asked for; and after a failure of our own only what was known before it
    # counts: that the database is away must not be asked of the database.
    name = "user" if status < 500 else "_cached_user"
    user = getattr(request, name, None)
    try:
        if user is None or not user.is_authenticated:
            return {}
    except Error:
        return {}
    return {"user": user, "csrf_token": get_token(request)}


def _asked_address(request: HttpRequest) -> str:
    """Scheme and host as the browser sent them, for showing in a line to copy."""
    return f"{request.scheme}://{request.META.get('HTTP_HOST', 'localhost')}"


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400; for a host that is not allowed with the line to set."""
    if isinstance(exception, DisallowedHost):
        return _page(request, 400, "host", {"address": _asked_address(request), "site_url": settings.SITE_URL})
    return _page(request, 400, "400")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403 for a form that came without the page's token or from another address."""
    origin = request.META.get("HTTP_ORIGIN") or _asked_address(request)
    return _page(request, 403, "csrf", {"address": origin, "site_url": settings.SITE_URL, "reason": reason})


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403 for a member whose role is too low; names the role that is needed where that is known."""
    needed = exception.args[0] if exception.args else None
    words = {"needed": needed.label, "is_highest": needed == Role.OWNER} if isinstance(needed, Role) else {}
    return _page(request, 403, "403", words)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404, the same for what does not exist and for what is not for this reader."""
    return _page(request, 404, "404", {"path": request.get_full_path()})


def server_error(request: HttpRequest) -> HttpResponse:
    """500; 503 while the database is away or busy, which is no mistake and passes."""
    # The framework calls this while it handles the exception and does not hand it over.
    passing = isinstance(sys.exc_info()[1], OperationalError | InterfaceError)
    response = _page(request, 503 if passing else 500, "500")
    if passing:
        response["Retry-After"] = "1"
    return response
