"""Addresses that are passed on: in links to send, in files, in commands to copy."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse


def public(request: HttpRequest, path: str) -> str:
    """The whole address of a path as other people reach it: at `SITE_URL` where that is set.

    Whoever runs the server may ask it as 127.0.0.1, which is no address for anybody else.
    """
    return settings.SITE_URL + path if settings.SITE_URL else request.build_absolute_uri(path)


def numbered(name: str, *before: object) -> Callable[[int], str]:
    """The addresses of a route whose last value is a number, by that number; for pages that show hundreds."""
    start, _zero, end = reverse(name, args=[*before, 0]).rpartition("0")
    return lambda number: f"{start}{number}{end}"
