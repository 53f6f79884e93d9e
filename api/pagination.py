"""Keyset pagination: the next page begins after the last row seen, so rows that come in meanwhile shift nothing.

Terms: an *ordering* is the name that a client sorts by (`-` before it: the other way round), a *column* what the
database knows it as; *ties* are columns that tell equal rows apart. A `cursor` holds the last row's values of those
columns and is signed: it is taken back only for the list and ordering that it was made for.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any, TypeVar

from django.core import signing
from django.db.models import F, Model, Q, QuerySet
from django.utils.translation import gettext as _
from rest_framework.exceptions import ErrorDetail
from rest_framework.request import Request

from api.errors import InvalidRequest

DEFAULT_LIMIT = 50
MAX_LIMIT = 100
MAX_CURSOR = 600

Row = TypeVar("Row", bound=Model)
Step = tuple[str, Any]

_SIGNER = signing.Signer(salt="api.cursor")
_TIME = "t"
_DAY = "d"


def keyset(
    rows: QuerySet[Row],
    *,
    request: Request,
    cursor: str | None,
    limit: int,
    ordering: str,
    columns: Mapping[str, str],
    ties: Sequence[str],
) -> tuple[list[Row], str | None]:
    """One page, and the address of the next one (relative to the server's root) or None on the last.

    `columns` maps the names of orderings to columns where these differ; a row without a value comes last either way.
    Raises InvalidRequest (400) for a cursor that was not made here for this list and ordering.
    """
    descending = ordering.startswith("-")
    name = ordering.removeprefix("-")
    column = columns.get(name, "pk" if name == "id" else name)
    sorted_by = [column, *(tie for tie in ties if tie != column)]
    gaps = _may_lack(rows.model, column)
    if cursor is not None:
        values = _read(cursor, [request.path, ordering], len(sorted_by))
        rows = rows.filter(_beyond(list(zip(sorted_by, values, strict=True)), descending=descending, gaps=gaps))
    # Only where it says anything: no index is in this order.
    last = True if gaps else None
    first = F(column).desc(nulls_last=last) if descending else F(column).asc(nulls_last=last)
    by_ties = [F(tie).desc() if descending else F(tie).asc() for tie in sorted_by[1:]]
    # One row more than asked for tells whether there is another page, without counting.
    found = list(rows.order_by(first, *by_ties)[: limit + 1])
    if len(found) <= limit:
        return found, None
    query = request.query_params.copy()
    query["cursor"] = _write([request.path, ordering], [_value(found[limit - 1], path) for path in sorted_by])
    return found[:limit], f"{request.path}?{query.urlencode()}"


def _may_lack(model: type[Model], path: str) -> bool:
    """Whether rows can be without a value in a column."""
    *way, name = path.split("__")
    for step in way:
        related = model._meta.get_field(step).related_model
        if not isinstance(related, type):
            raise TypeError(f"{path} leads through no table")
        model = related
    field = model._meta.pk if name == "pk" else model._meta.get_field(name)
    return bool(field.null)


def _beyond(last: Sequence[Step], *, descending: bool, gaps: bool) -> Q:
    """The rows after the last one seen; of the columns, only the first may be without a value, where it has `gaps`."""
    way = "lt" if descending else "gt"
    (column, value), *ties = last
    if value is None:
        return Q(**{f"{column}__isnull": True}) & _after(ties, way)
    after = Q(**{f"{column}__{way}": value})
    if ties:
        # The first half says nothing new, but with it an index on the column finds where to begin.
        after = Q(**{f"{column}__{way}e": value}) & (after | _after(ties, way))
    return after | Q(**{f"{column}__isnull": True}) if gaps else after


def _after(steps: Sequence[Step], way: str) -> Q:
    """Rows beyond the given values, compared one after another."""
    (column, value), *others = steps
    after = Q(**{f"{column}__{way}": value})
    return after | (Q(**{column: value}) & _after(others, way)) if others else after


def _value(row: Model, path: str) -> Any:
    value: Any = row
    for name in path.split("__"):
        value = getattr(value, name)
    return value


def _write(place: Sequence[str], values: Sequence[Any]) -> str:
    return _SIGNER.sign_object([*place, list(_plain(values))], compress=True)


def _plain(values: Sequence[Any]) -> Iterator[Any]:
    for value in values:
        if isinstance(value, datetime):
            yield [_TIME, value.isoformat()]
        elif isinstance(value, date):
            yield [_DAY, value.isoformat()]
        else:
            yield value


def _read(cursor: str, place: Sequence[str], length: int) -> list[Any]:
    """The values in a cursor. Raises InvalidRequest (400)."""
    try:
        *made_for, values = _SIGNER.unsign_object(cursor)
    except signing.BadSignature as error:
        raise _refused(_("Take the cursor from “next” of a page before, unchanged.")) from error
    if made_for != list(place) or len(values) != length:
        raise _refused(_("This cursor is of another list or ordering: begin with the first page, without a cursor."))
    return [_typed(value) for value in values]


def _typed(value: Any) -> Any:
    if isinstance(value, list):
        kind, text = value
        return datetime.fromisoformat(text) if kind == _TIME else date.fromisoformat(text)
    return value


def _refused(message: str) -> InvalidRequest:
    return InvalidRequest(place="parameter", details={"cursor": [ErrorDetail(message, code="invalid_cursor")]})
