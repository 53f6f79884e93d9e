"""Fields that take exactly one JSON type and refuse what merely looks like it: 12.0, "12" and true are no integers.

`Query…` fields read the same from an address, where everything is text.
"""

import re
from datetime import UTC, date, datetime
from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from league.services.clubs import is_text

MAX_ID = 2**63 - 1
_DIGITS = re.compile(r"-?(0|[1-9][0-9]{0,18})")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIME = re.compile(_DATE.pattern + r"[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?([Zz]|[+-][0-9]{2}:[0-9]{2})")


class IntegerField(serializers.IntegerField):
    """A JSON integer; `min_value` and `max_value` have to be given, so that the database never overflows."""

    default_error_messages = {"invalid": _("Give a whole number, without quotes and decimal point.")}

    def __init__(self, *, min_value: int, max_value: int, **kwargs: Any) -> None:
        super().__init__(min_value=min_value, max_value=max_value, **kwargs)

    def to_internal_value(self, data: Any) -> int:
        # bool is an int in Python.
        if type(data) is not int:
            self.fail("invalid")
        return data


class QueryIntegerField(IntegerField):
    """Digits in an address."""

    default_error_messages = {"invalid": _("Give a whole number in digits.")}

    def to_internal_value(self, data: Any) -> int:
        if not _DIGITS.fullmatch(data):
            self.fail("invalid")
        return int(data)


class NumberField(serializers.FloatField):
    """A JSON number, kept as it was written: 1 and 0.5."""

    default_error_messages = {"invalid": _("Give a number, without quotes.")}

    def __init__(self, *, min_value: int, max_value: int, **kwargs: Any) -> None:
        super().__init__(min_value=min_value, max_value=max_value, **kwargs)

    def to_internal_value(self, data: Any) -> int | float:
        # bool is an int in Python.
        if isinstance(data, bool) or not isinstance(data, int | float):
            self.fail("invalid")
        return data


class BooleanField(serializers.Field[bool, bool, bool, Any]):
    """JSON's true or false."""

    default_error_messages = {"invalid": _("Give true or false, without quotes.")}

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid")
        return data

    def to_representation(self, value: bool) -> bool:
        return value


extend_schema_field({"type": "boolean"})(BooleanField)


class QueryBooleanField(BooleanField):
    """`true` or `false` in an address."""

    default_error_messages = {"invalid": _("Give true or false.")}

    def to_internal_value(self, data: Any) -> bool:
        if data not in {"true", "false"}:
            self.fail("invalid")
        return bool(data == "true")


class TextField(serializers.CharField):
    """A JSON string of one line, spaces at its ends removed."""

    default_error_messages = {
        "invalid": _("Give a text in quotes."),
        "control_character": _("Control characters are not allowed here."),
    }

    def __init__(self, *, max_length: int, **kwargs: Any) -> None:
        super().__init__(max_length=max_length, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        if not is_text(data):
            self.fail("control_character")
        return super().to_internal_value(data)


class ChoiceField(serializers.ChoiceField):
    """One of some strings."""

    default_error_messages = {"invalid_choice": _("“{input}” is not known here. Choose one of: {choices}.")}

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str) or data not in self.choices:
            self.fail("invalid_choice", input=str(data)[:60], choices=", ".join(map(str, self.choices)))
        return data


class DateField(serializers.DateField):
    """A day as `YYYY-MM-DD` (RFC 3339, full-date)."""

    default_error_messages = {"invalid": _("Give a day as YYYY-MM-DD.")}

    def to_internal_value(self, value: Any) -> date:
        if not isinstance(value, str) or not _DATE.fullmatch(value):
            self.fail("invalid")
        try:
            return date.fromisoformat(value)
        except ValueError:
            self.fail("invalid")


class TimeField(serializers.DateTimeField):
    """A point of time with its offset (RFC 3339, date-time); kept in UTC."""

    default_error_messages = {"invalid": _("Give a time with its offset, as 2026-12-31T18:00:00Z.")}

    def to_internal_value(self, value: Any) -> datetime:
        if not isinstance(value, str) or not _TIME.fullmatch(value):
            self.fail("invalid")
        try:
            return datetime.fromisoformat(value.upper()).astimezone(UTC)
        except (ValueError, OverflowError):  # a day that is not, or year 1 east of Greenwich
            self.fail("invalid")


class ReferenceField(serializers.Field[int | str, Any, Any, Any]):
    """An id (integer) or a name (string): how a client names a player or a season."""

    default_error_messages = {
        "invalid": _("Give the id as a whole number, or the name in quotes."),
        "max_length": _("A name has at most {max_length} characters."),
    }

    def __init__(self, *, max_length: int, **kwargs: Any) -> None:
        self.max_length = max_length
        super().__init__(**kwargs)

    def to_internal_value(self, data: Any) -> int | str:
        if type(data) is int and 1 <= data <= MAX_ID:
            return data
        if not isinstance(data, str) or not data.strip() or not is_text(data):
            self.fail("invalid")
        if len(data) > self.max_length:
            self.fail("max_length", max_length=self.max_length)
        return data


class PlayerReferenceField(ReferenceField):
    """A player by id or by name, whatever the name's case."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=60, **kwargs)


class SeasonReferenceField(ReferenceField):
    """A season by id or by `league/season`, both short names."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=101, **kwargs)


_ID_SCHEMA = {"type": "integer", "minimum": 1, "maximum": MAX_ID}
extend_schema_field(
    {
        "description": "A player: the id, or the name whatever its case.",
        "oneOf": [_ID_SCHEMA, {"type": "string", "minLength": 1, "maxLength": 60}],
        "example": "Ann",
    }
)(PlayerReferenceField)
extend_schema_field(
    {
        "description": "A season: the id, or `league/season` by their short names.",
        "oneOf": [_ID_SCHEMA, {"type": "string", "minLength": 1, "maxLength": 101}],
        "example": "monday-league/2026",
    }
)(SeasonReferenceField)


class QuerySeasonField(SeasonReferenceField):
    """A season in an address: digits are its id."""

    def to_internal_value(self, data: Any) -> int | str:
        return super().to_internal_value(int(data) if _DIGITS.fullmatch(data) else data)


extend_schema_field({"type": "string", "maxLength": 101})(QuerySeasonField)
