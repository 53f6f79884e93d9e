"""A secret on its way from its making to the one page that shows it.

Promises: it travels in a signed cookie of that page alone and for a time, so that neither the database nor an address
ever holds it; the page takes it and shows it, once where it says so.
"""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

_SECONDS = 120


def hand_over(secret: str, *, name: str, address: str, seconds: int = _SECONDS) -> HttpResponse:
    """The redirect to the page at `address` that will show the secret, for so many seconds."""
    answer = redirect(address)
    answer.set_signed_cookie(
        name,
        secret,
        max_age=seconds,
        path=address,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Strict",
    )
    return answer


def taken(request: HttpRequest, *, name: str, seconds: int = _SECONDS) -> str | None:
    """The secret that was handed over to this page; None when it was shown already, or longer ago."""
    secret: str | None = request.get_signed_cookie(name, default=None, max_age=seconds)
    return secret


def shown(answer: HttpResponse, request: HttpRequest, *, name: str) -> HttpResponse:
    """The answer that shows it, after which it is gone."""
    answer.delete_cookie(name, path=request.path, samesite="Strict")
    return answer
