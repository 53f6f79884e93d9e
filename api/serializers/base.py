"""What all shapes share: unknown fields are refused with their name, at every depth, in bodies and in addresses."""

import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any, Generic, TypeVar

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError

from api.errors import MAX_ITEMS
from api.pagination import DEFAULT_LIMIT, MAX_CURSOR, MAX_LIMIT
from api.serializers.fields import MAX_ID, ChoiceField, IntegerField, QueryIntegerField, TextField

Value = TypeVar("Value")


class StrictSerializer(serializers.Serializer[Any]):
    """An object that comes in."""

    default_error_messages = {
        "invalid": _("Give a JSON object."),
        "unknown_field": _("There is no such field here. Known: {known}."),
    }

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, Mapping):
            raise ValidationError({"non_field_errors": [self._error("invalid")]})
        unknown = (key for key in data if key not in self.fields)
        errors: dict[str, Any] = {
            key: [self._error("unknown_field", known=", ".join(self.fields) or _("none"))]
            for key in islice(unknown, MAX_ITEMS)
        }
        try:
            values = super().to_internal_value(data)
        except ValidationError as error:
            errors |= dict(error.detail)  # type: ignore[arg-type]  # an object's errors are by field
        if errors:
            raise ValidationError(errors)
        return values

    def _error(self, code: str, **params: str | Promise) -> ErrorDetail:
        return ErrorDetail(str(self.error_messages[code]).format(**params), code=code)


class ChangeSerializer(StrictSerializer):
    """The fields to change, at least one."""

    default_error_messages = {"empty": _("Name at least one field to change. Known: {known}.")}

    def validate(self, attrs: Any) -> Any:
        if not attrs:
            raise ValidationError({"non_field_errors": [self._error("empty", known=", ".join(self.fields))]})
        return attrs


class QuerySerializer(StrictSerializer):
    """The parameters of an address; without fields: none are taken."""

    default_error_messages = {
        "unknown_field": _("There is no such parameter here. Known: {known}."),
        "given_twice": _("This parameter is given more than once."),
    }

    def to_internal_value(self, data: QueryDict) -> Any:
        twice = {key: [self._error("given_twice")] for key, values in data.lists() if len(values) > 1}
        if twice:
            raise ValidationError(twice)
        return super().to_internal_value(data.dict())


def ordering_field(*names: str) -> ChoiceField:
    """By what a list may be sorted: each name as it is and with `-` before it."""
    return ChoiceField(
        [choice for name in names for choice in (name, f"-{name}")],
        required=False,
        help_text=_("By what the rows are sorted, with - before it from the largest; rows without a value come last."),
    )


class FieldsField(TextField):
    """Which fields of a row to send, between commas."""

    default_error_messages = {"unknown_field": _("There is no field “{name}” here. Known: {known}.")}

    def __init__(self, *, shape: type[serializers.Serializer[Any]], **kwargs: Any) -> None:
        self.shape = shape
        super().__init__(
            max_length=500,
            required=False,
            help_text=_("Names of fields, between commas: the rows have these alone. Left out: all."),
            **kwargs,
        )

    def to_internal_value(self, data: Any) -> Any:
        known = self.shape().fields
        names = [name.strip() for name in super().to_internal_value(data).split(",")]
        for name in names:
            if name not in known:
                self.fail("unknown_field", name=name, known=", ".join(known))
        return frozenset(names)


extend_schema_field({"type": "string", "maxLength": 500})(FieldsField)


def search_field(what: str | Promise) -> TextField:
    """A part of a name to look for, whatever its case."""
    return TextField(max_length=60, required=False, help_text=what)


class PageQuerySerializer(QuerySerializer):
    """The parameters of every list in pages."""

    ordering = ordering_field("id")

    limit = QueryIntegerField(
        min_value=1, max_value=MAX_LIMIT, default=DEFAULT_LIMIT, help_text=_("How many rows a page has at most.")
    )
    cursor = TextField(
        max_length=MAX_CURSOR, required=False, help_text=_("Where the page begins: take it from “next”.")
    )


@dataclass(frozen=True, slots=True)
class Confirmed(Generic[Value]):
    """A value with the codes of warnings that the client confirms."""

    value: Value
    confirm: frozenset[str]


def confirm_field() -> serializers.ListField:
    """Codes of warnings that are right nevertheless."""
    return serializers.ListField(
        child=TextField(max_length=40),
        max_length=50,
        default=list,
        help_text=_("Codes of warnings (from a 422 answer) that are right nevertheless."),
    )


def id_field(**kwargs: Any) -> IntegerField:
    """An id in a body or an answer."""
    return IntegerField(min_value=1, max_value=MAX_ID, **kwargs)


def slug_field(**kwargs: Any) -> TextField:
    """A short name for addresses; the services say which are fit."""
    help_text = _("Short name for addresses: small letters, digits, single hyphens.")
    return TextField(max_length=50, help_text=help_text, **kwargs)


def many(shape: Callable[..., Any], **kwargs: Any) -> Any:
    """A list of objects; the type stubs know `max_length` and `allow_empty` for lists of fields only."""
    return shape(many=True, **kwargs)


@cache
def _template(shape: type[StrictSerializer]) -> StrictSerializer:
    """One serializer of each shape: making its fields costs more than reading a body with them."""
    return shape()


def validated(shape: type[StrictSerializer], data: Any) -> Any:
    """What `shape` makes of `data`. Raises ValidationError."""
    if data is None:
        # Only a serializer of its own says this in the words of an object.
        shape(data=data).is_valid(raise_exception=True)
    # Reading keeps nothing in a serializer, as in the nested ones of a list, which read all of its items.
    return _template(shape).run_validation(data)


def shown(
    shape: Callable[..., Any],
    value: Any,
    *,
    many: bool = False,
    club: str | None = None,
    fields: Collection[str] | None = None,
    **context: Any,
) -> Any:
    """A value, or many, as `shape` shows it; `club` is the short name that links are made with.

    `fields` are the names of those to show, None: all. `context` is what else the shape has to know.
    """
    if fields is None:
        serializer = _shapes.of(shape)
    else:
        serializer = shape()
        for name in [name for name in serializer.fields if name not in fields]:
            serializer.fields.pop(name)
    serializer._context = {"club": club, **context}
    if many:
        return [serializer.to_representation(one) for one in value]
    return serializer.to_representation(value)


class _Shapes(threading.local):
    """Serializers of a thread, one of each shape: making its fields costs more than showing a value with them."""

    def __init__(self) -> None:
        self._made: dict[Callable[..., Any], Any] = {}

    def of(self, shape: Callable[..., Any]) -> Any:
        if shape not in self._made:
            self._made[shape] = shape()
        return self._made[shape]


_shapes = _Shapes()
