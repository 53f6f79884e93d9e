"""`Idempotency-Key`: a repeated POST gets the first answer again and never has a second effect.

Terms: the *fingerprint* tells one request from another under the same key: method, address and the body's value
(not its spaces or the order of its keys). Promises: the record is written in the transaction of the effect, first
thing, so of two requests at once the second waits for the first; only answers that stored something are kept; another
request under the same key is refused. Never does: keep a secret (a token can't be made with a key), or outlive the
sweep, which drops records after 48 hours.

After the IETF draft draft-ietf-httpapi-idempotency-key-header.
"""

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError, OperationalError, connection, transaction
from django.http import HttpResponse
from django.utils.translation import gettext as _
from rest_framework.exceptions import ErrorDetail
from rest_framework.request import Request

from api.errors import InProgress, InvalidRequest, KeyReused
from league.models import IdempotencyRecord
from league.services.access import Actor

HEADER = "Idempotency-Key"
REPLAYED = "Idempotent-Replayed"
WAIT_SECONDS = 5.0
_KEY = re.compile(r"[\x21-\x7e]{1,255}")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a POST that succeeded answers: JSON text in UTF-8, and where the new thing is ("" for nowhere)."""

    status: int
    body: str
    location: str = ""

    def response(self) -> HttpResponse:
        response = HttpResponse(self.body.encode(), status=self.status, content_type="application/json")
        if self.location:
            response["Location"] = self.location
        return response


def key_of(request: Request) -> str | None:
    """The request's key, None without. Raises InvalidRequest (400) for one that is not 1 to 255 visible ASCII."""
    key = request.headers.get(HEADER)
    if key is not None and not _KEY.fullmatch(key):
        message = _("Give 1 to 255 visible ASCII characters, as a UUID.")
        raise InvalidRequest(place="header", details={HEADER: [ErrorDetail(message, code="invalid")]})
    return key


def refuse_key(request: Request) -> None:
    """For answers that hold a secret: raise InvalidRequest (400) when there is a key."""
    if key_of(request) is not None:
        message = _("The answer holds a secret and is never stored, so it can't be repeated: leave this header out.")
        raise InvalidRequest(place="header", details={HEADER: [ErrorDetail(message, code="not_repeatable")]})


def once(act: Callable[[], Answer], *, request: Request, actor: Actor, now: datetime) -> HttpResponse:
    """Carry out `act` and answer, or answer what it answered the first time.

    Raises what `act` raises, KeyReused (422) for a key that stands for another request, InProgress (409) when the
    first request with it takes too long.
    """
    key = key_of(request)
    if key is None:
        return act().response()
    fingerprint = _fingerprint(request)
    with transaction.atomic():
        record = _claim(actor, key, fingerprint, now)
        if record is not None:
            answer = act()
            IdempotencyRecord.objects.filter(pk=record.pk).update(
                status=answer.status, body=answer.body, location=answer.location
            )
            return answer.response()
    first = IdempotencyRecord.objects.filter(actor=actor.key, key=key).first()
    if first is None or first.status is None:  # swept in this very moment
        raise InProgress
    if first.fingerprint != fingerprint:
        raise KeyReused
    response = Answer(first.status, first.body, first.location).response()
    response[REPLAYED] = "true"
    return response


def _claim(actor: Actor, key: str, fingerprint: str, now: datetime) -> IdempotencyRecord | None:
    """Insert the record, waiting while another request holds the same key; None when that one went through."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('lock_timeout', %s, true)", [f"{int(WAIT_SECONDS * 1000)}ms"])
    try:
        with transaction.atomic():
            record = IdempotencyRecord.objects.create(actor=actor.key, key=key, fingerprint=fingerprint, created_at=now)
    except IntegrityError:
        return None
    except OperationalError as error:
        if getattr(error.__cause__, "sqlstate", None) == "55P03":  # lock_not_available
            raise InProgress from error
        raise
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL lock_timeout TO DEFAULT")
    return record


def _fingerprint(request: Request) -> str:
    body = json.dumps(request.data, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(f"{request.method} {request.path}\n{body}".encode()).hexdigest()
