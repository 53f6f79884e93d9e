"""Addresses that carry the key of a board: kept from search engines, from caches and from the sites that pages link to.

Promises: whatever answers at such an address, found or not, says so; nobody has to remember it view by view.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control


def keep_keys(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if "key" in request.GET:
            response["X-Robots-Tag"] = "noindex"
            # A link to elsewhere must not tell the address with its key. Not "no-referrer": with it browsers send the
            # forms of the page, as that of logging out, from an origin "null", which the form token's check refuses.
            response["Referrer-Policy"] = "same-origin"
            patch_cache_control(response, private=True)
        return response

    return answer
