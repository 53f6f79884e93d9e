"""From bytes to plain JSON values, refusing what JSON libraries let through; and files as they are.

Promises: UTF-8 only, at most `MAX_BYTES`, nested at most `MAX_DEPTH` deep, no key twice in an object, no NaN or
Infinity, no character that a database can't store (NUL, half a surrogate pair); whatever the body, the time this
takes grows with its length alone. Never does: know fields; shapes are `api/serializers`'s.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from email.message import Message
from typing import IO, Any

from django.http import HttpRequest
from django.utils.translation import gettext as _
from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.parsers import BaseParser

from api.errors import PayloadTooLarge
from league.exchange.plays import MAX_BYTES as MAX_FILE_BYTES
from league.services.errors import InputError, Path, Problem

MAX_BYTES = 1_000_000
# Several times what any shape needs, and far below where Python's own recursion ends.
MAX_DEPTH = 30


class StrictJSONParser(BaseParser):
    """`application/json`, strictly (RFC 8259, and RFC 7493 on keys given twice)."""

    media_type = "application/json"
    max_bytes = MAX_BYTES

    def parse(
        self,
        stream: IO[bytes] | HttpRequest,
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the body's value.

        Raises UnsupportedMediaType (415) for a charset other than UTF-8, PayloadTooLarge (413), InputError (400).
        """
        if _charset(media_type or "") not in {"", "utf-8"}:
            raise UnsupportedMediaType(media_type or "")
        raw = stream.read(self.max_bytes + 1)
        if len(raw) > self.max_bytes:
            raise PayloadTooLarge(limit=self.max_bytes)
        try:
            value = json.loads(raw.decode("utf-8"), object_pairs_hook=_object, parse_constant=_refuse_constant)
            refused = tuple(_unstorable(value))
        except _DuplicateKeyError as error:
            raise _refusal("duplicate_key", _("The key “%s” is given twice in one object.") % error) from None
        except (RecursionError, _TooDeepError):
            raise _refusal("invalid_json", _("The JSON is nested too deeply.")) from None
        except ValueError as error:  # also wrong UTF-8 and numbers of thousands of digits
            raise _refusal("invalid_json", _("This is not JSON in UTF-8: %s") % error) from None
        if refused:
            raise InputError(problems=refused)
        return value


class BulkJSONParser(StrictJSONParser):
    """The same for many things at once: a thousand evenings of six players are about 3 MB."""

    max_bytes = 8_000_000


class FileBody(dict[str, Any]):
    """A file that came as a body: its bytes, and as a mapping what tells it from another."""

    def __init__(self, content: bytes) -> None:
        super().__init__(sha256=hashlib.sha256(content).hexdigest())
        self.content = content


class FileParser(BaseParser):
    """A file as the body, whatever is in it; `FILE_PARSERS` are those for the types that it may come as."""

    def parse(
        self,
        stream: IO[bytes] | HttpRequest,
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> FileBody:
        """Return the file. Raises PayloadTooLarge (413)."""
        content = stream.read(MAX_FILE_BYTES + 1)
        if len(content) > MAX_FILE_BYTES:
            raise PayloadTooLarge(limit=MAX_FILE_BYTES)
        return FileBody(content)


# Forms are none of them: what is in a file is told from its content, and a form has something around it.
FILE_TYPES = (
    "application/octet-stream",
    "application/json",
    "application/xml",
    "application/zip",
    "text/csv",
    "text/plain",
    "text/xml",
)
FILE_PARSERS = tuple(type("FileParser", (FileParser,), {"media_type": one}) for one in FILE_TYPES)


class _DuplicateKeyError(Exception):
    pass


class _TooDeepError(Exception):
    pass


def _charset(media_type: str) -> str:
    header = Message()
    header["Content-Type"] = media_type
    return str(header.get_param("charset", "")).lower()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        counted = Counter(key for key, _value in pairs)
        raise _DuplicateKeyError(next(key for key, count in counted.items() if count > 1))
    return result


def _refuse_constant(name: str) -> None:
    raise ValueError(name)


def _refusal(code: str, message: str) -> InputError:
    return InputError(problems=(Problem((), code, message),))


def _unstorable(value: Any) -> Iterator[Problem]:
    """Yield a problem for each text, keys too, with a NUL or half a surrogate pair. Raises _TooDeepError."""
    rest: list[tuple[Path, Any]] = [((), value)]
    while rest:
        path, value = rest.pop()
        if len(path) > MAX_DEPTH:
            raise _TooDeepError
        if isinstance(value, str):
            if any(character == "\0" or "\ud800" <= character <= "\udfff" for character in value):
                yield Problem(path, "invalid_text", _("NUL and half surrogate pairs are not allowed in a text."))
        elif isinstance(value, list):
            rest.extend(((*path, index), item) for index, item in enumerate(value))
        elif isinstance(value, dict):
            for key, item in value.items():
                rest.append((path, key))
                rest.append(((*path, key), item))
