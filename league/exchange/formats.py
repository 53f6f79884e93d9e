"""Which file it is: told from what is in it, never from its name.

`KINDS` is the list of formats: one more has its reader in a file of its own and an entry here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from league.exchange import archive_plays, bg_stats, bgg, csv_plays
from league.exchange.plays import MAX_BYTES, NotRead, PlayFile, Reader


@dataclass(frozen=True, slots=True)
class Kind:
    """A family of files: whether one that begins so belongs to it, and how it is read."""

    claims: Callable[[bytes], bool]
    read: Reader


def read(data: bytes) -> PlayFile:
    """The plays of a file. Raises NotRead when there is nothing to be had from it."""
    if len(data) > MAX_BYTES:
        raise NotRead("too_large", maximum=MAX_BYTES)
    if not data.strip():
        raise NotRead("empty")
    head = data[:4096]
    return next(kind for kind in KINDS if kind.claims(head)).read(data)


def _is_workbook(head: bytes) -> bool:
    """The container of older programs of tables; newer ones write ZIP archives."""
    return head.startswith(b"\xd0\xcf\x11\xe0")


def _read_workbook(data: bytes) -> PlayFile:
    raise NotRead("spreadsheet")


def _is_json(head: bytes) -> bool:
    return head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"["))


def _read_json(data: bytes) -> PlayFile:
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise NotRead("invalid_json") from None
    if not bg_stats.is_export(value):
        raise NotRead("unknown_format")
    return bg_stats.read(value)


KINDS: Sequence[Kind] = (
    Kind(archive_plays.is_zip, archive_plays.read),
    Kind(_is_workbook, _read_workbook),
    Kind(_is_json, _read_json),
    Kind(bgg.is_answer, bgg.read),
    Kind(lambda _head: True, csv_plays.read),
)
