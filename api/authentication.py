"""Who is asking: a program with a Bearer token (RFC 6750), or a browser with its login session.

Terms: `request.auth` is the `ApiToken` or None, `request.user` the logged-in `User` or None; never both.
"""

from typing import TYPE_CHECKING

from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from league.models import ApiToken
from league.services import tokens

if TYPE_CHECKING:  # DRF's views import this module by the settings
    from rest_framework.views import APIView


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer tl_…`. A token that is given but no good is an error, never a fall-back to the session."""

    def authenticate(self, request: Request) -> tuple[None, ApiToken] | None:
        scheme, _space, raw = get_authorization_header(request).partition(b" ")
        if scheme.lower() != b"bearer":
            return None
        # latin-1 takes any bytes: an odd header is an unknown token, not a decoding error.
        token = tokens.authenticate(raw=raw.strip().decode("latin-1"), now=timezone.now())
        if token is None:
            raise AuthenticationFailed(_("The token is unknown, expired or revoked."), code="invalid_token")
        return None, token

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="Tischliga"'


class HasCredentials(BasePermission):
    """A token or a login; what they open is the services' to say."""

    def has_permission(self, request: Request, view: "APIView") -> bool:
        return request.auth is not None or request.user is not None
