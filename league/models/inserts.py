"""Storing hundreds of rows that are nearly alike, or one value in each of them, while somebody waits.

`bulk_create` spends most of its time on making an object of every row and on preparing each value for itself. Here one
object says what all have in common, and lists what each has of its own. Promises: what is stored is what `bulk_create`
and `bulk_update` store, in few statements. Never: sends a signal, passes over a row, follows a foreign key to a row
that is not stored.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from django.db import connection
from django.db.models import Field, Model
from django.db.models.expressions import DatabaseDefault


def insert_like(pattern: Model, each: Mapping[str, Sequence[object]]) -> list[int]:
    """Store rows like `pattern`, which is not stored itself, but for the columns `each`: values of every row by the
    attribute's name (`club_id`, not `club`), as many of each. Returns the ids that the database gave, in that order.
    Raises ValueError for columns of unequal length.
    """
    count = len(next(iter(each.values())))
    if any(len(values) != count for values in each.values()):
        # PostgreSQL would fill up the shorter with nulls.
        raise ValueError({name: len(values) for name, values in each.items()})
    if not count:
        return []
    # What nobody gave, where the database has an answer, is left to it.
    fields = [
        field
        for field in pattern._meta.concrete_fields
        if not field.primary_key
        and (field.attname in each or not isinstance(getattr(pattern, field.attname), DatabaseDefault))
    ]
    same = {field: field.pre_save(pattern, add=True) for field in fields if field.attname not in each}
    columns = {field: _prepared(field, [same[field]] if field in same else each[field.attname]) for field in fields}
    quote = connection.ops.quote_name
    names = ", ".join(quote(str(field.column)) for field in fields)
    # Names from the models, never from input.
    into = f"INSERT INTO {quote(pattern._meta.db_table)} ({names})"
    key = quote(str(pattern._meta.pk.column))
    statements = _unnested(columns, same) if connection.vendor == "postgresql" else _listed(columns, same, count)
    ids: list[int] = []
    with connection.cursor() as cursor:
        for rows, values in statements:
            cursor.execute(f"{into} {rows} RETURNING {key}", values)
            ids += [one for (one,) in cursor.fetchall()]
    return ids


def create_like(rows: Sequence[Model], differing: Collection[str]) -> None:
    """Store rows that differ in nothing but these attributes (`club_id`, not `club`), and give each its id.

    Raises ValueError for rows that differ in another one.
    """
    if not rows:
        return
    alike = {field.attname for field in rows[0]._meta.concrete_fields if not field.primary_key}.difference(differing)
    for name in alike:
        first, *others = (getattr(row, name) for row in rows)
        left = isinstance(first, DatabaseDefault)
        if any(not isinstance(one, DatabaseDefault) if left else one != first for one in others):
            raise ValueError(name)
    ids = insert_like(rows[0], {name: [getattr(row, name) for row in rows] for name in differing})
    for row, pk in zip(rows, ids, strict=True):
        row.pk = pk
        row._state.adding = False
        row._state.db = connection.alias


def set_each(model: type[Model], name: str, values: Mapping[int, object]) -> None:
    """Give rows, by their ids, each its own value in the column of that name."""
    if not values:
        return
    field = model._meta.get_field(name)
    if not isinstance(field, Field):
        raise TypeError(name)
    quote = connection.ops.quote_name
    key, column, table = (quote(str(one)) for one in (model._meta.pk.column, field.column, model._meta.db_table))
    # Names from the models, never from input.
    put = f"UPDATE {table} SET {column} = own.value FROM"  # noqa: S608  # nosec B608
    ids, given = list(values), _prepared(field, list(values.values()))
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            lists = f"UNNEST(%s::bigint[], %s::{_type_of(field)}[])"
            cursor.execute(f"{put} {lists} AS own (id, value) WHERE {table}.{key} = own.id", [ids, given])
            return
        size = (connection.features.max_query_params or 2 * len(ids)) // 2
        for start in range(0, len(ids), size):
            part: list[tuple[Any, ...]] = list(zip(ids[start : start + size], given[start : start + size], strict=True))
            listed = f"WITH own (id, value) AS (VALUES {', '.join(['(%s, %s)'] * len(part))})"
            cursor.execute(f"{listed} {put} own WHERE {table}.{key} = own.id", list(chain.from_iterable(part)))


def _type_of(field: "Field[Any, Any]") -> str:
    """The type of a column, without its length, by which a cast would cut what is too long: the column refuses it."""
    return str(field.db_type(connection)).split("(", maxsplit=1)[0]


def _prepared(field: "Field[Any, Any]", values: Sequence[object]) -> list[object]:
    """The values of a column as the database takes them."""
    # Held, since a range makes its numbers anew each time it is gone through.
    held = list(values)
    # By identity: what is given for many rows is one object, and not all can be compared by what they hold.
    known = {key: field.get_db_prep_save(value, connection) for key, value in {id(one): one for one in held}.items()}
    return [known[id(value)] for value in held]


def _unnested(
    columns: Mapping["Field[Any, Any]", list[object]], same: Collection["Field[Any, Any]"]
) -> Iterator[tuple[str, list[Any]]]:
    """One statement whatever the number of rows: PostgreSQL takes a list for each column."""
    types = {field: _type_of(field) for field in columns}
    own = [field for field in columns if field not in same]
    chosen = ", ".join(f"%s::{types[field]}" if field in same else f"own.c{own.index(field)}" for field in columns)
    lists = ", ".join(f"%s::{types[field]}[]" for field in own)
    listed = ", ".join(f"c{index}" for index in range(len(own)))
    values: list[Any] = [one for field, (one, *_more) in columns.items() if field in same]
    values += [columns[field] for field in own]
    yield f"SELECT {chosen} FROM UNNEST({lists}) AS own ({listed})", values  # noqa: S608  # nosec B608 - as above


def _listed(
    columns: Mapping["Field[Any, Any]", list[object]], same: Collection["Field[Any, Any]"], count: int
) -> Iterator[tuple[str, list[Any]]]:
    """As many rows in a statement as SQLite has room for values."""
    size = (connection.features.max_query_params or len(columns)) // len(columns)
    row = f"({', '.join(['%s'] * len(columns))})"
    full = [values * count if field in same else values for field, values in columns.items()]
    rows = list(zip(*full, strict=True))
    for start in range(0, len(rows), size):
        part = rows[start : start + size]
        yield f"VALUES {', '.join([row] * len(part))}", list(chain.from_iterable(part))
