"""Keyset pagination: the next page begins after the last row seen, so rows that come in meanwhile shift nothing.

Terms: `cursor` is the id of the last row of the page before, `limit` the number of rows of a page.
"""

from typing import TypeVar

from django.db.models import Model, QuerySet
from rest_framework.request import Request

DEFAULT_LIMIT = 50
MAX_LIMIT = 100

Row = TypeVar("Row", bound=Model)


def keyset(
    rows: QuerySet[Row], *, request: Request, cursor: int | None, limit: int, newest_first: bool
) -> tuple[list[Row], str | None]:
    """One page by id, and the address of the next one (relative to the server's root) or None on the last."""
    if cursor is not None:
        rows = rows.filter(**{"pk__lt" if newest_first else "pk__gt": cursor})
    # One row more than asked for tells whether there is another page, without counting.
    found = list(rows.order_by("-pk" if newest_first else "pk")[: limit + 1])
    if len(found) <= limit:
        return found, None
    query = request.query_params.copy()
    query["cursor"] = str(found[limit - 1].pk)
    return found[:limit], f"{request.path}?{query.urlencode()}"
