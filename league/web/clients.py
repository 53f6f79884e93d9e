"""Where a request comes from.

Terms: a *proxy* stands before this server and adds to `X-Forwarded-For` the address that it was asked from. Promises:
of that header only the part is believed that our own proxies wrote (`PROXIES` of them); what a visitor writes in it
changes nothing.
"""

from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest


def address_of(request: HttpRequest) -> str:
    """The client's IP address in its usual form; "" where it is not known, as at a Unix socket."""
    asked_from = str(request.META.get("REMOTE_ADDR", ""))
    if settings.PROXIES:
        # From the right: the last proxy wrote last. One that is skipped or silent leaves its own address standing.
        written = str(request.META.get("HTTP_X_FORWARDED_FOR", "")).split(",")
        if len(written) >= settings.PROXIES:
            asked_from = _usual(written[-settings.PROXIES]) or asked_from
    return _usual(asked_from)


def _usual(text: str) -> str:
    try:
        address = ip_address(text.strip())
    except ValueError:
        return ""
    mapped = getattr(address, "ipv4_mapped", None)
    return str(mapped or address)
