"""`RateLimit` and `RateLimit-Policy`: how often an asker may ask, and how much of it is left.

Terms: the *policy* allows so many requests (`q`) in a window of so many seconds (`w`) to one token or one login; the
present state is the requests left (`r`) and the seconds until a new window begins (`t`). Promises: every answer to a
known asker tells both while requests are counted, that of 304 or 429 too. After the IETF draft
draft-ietf-httpapi-ratelimit-headers.
"""

from django.http.response import HttpResponseBase
from rest_framework.request import Request

from league.models import ApiToken, User
from league.services import rate_limits
from league.services.access import Actor
from league.services.rate_limits import WINDOW, Standing


def count(request: Request) -> Standing | None:
    """Count the request for whoever asks; None where nobody is known, nothing is limited or nothing can be counted."""
    if isinstance(request.auth, ApiToken):
        return rate_limits.count(key=Actor(token_id=request.auth.pk).key, limit=request.auth.rate_limit)
    if isinstance(request.user, User):
        return rate_limits.count(key=Actor(user_id=request.user.pk).key, limit=None)
    return None


def tell(answer: HttpResponseBase, standing: Standing) -> None:
    """Write both headers (structured fields, RFC 9651)."""
    answer["RateLimit-Policy"] = f'"requests";q={standing.limit};w={WINDOW}'
    answer["RateLimit"] = f'"requests";r={standing.remaining};t={standing.reset}'
