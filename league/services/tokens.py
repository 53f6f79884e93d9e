"""API tokens: made, shown once, checked, revoked. Those of table links are made by `table_links`."""

import hashlib
import logging
import re
import secrets
from datetime import datetime, timedelta

from django.db import OperationalError, connection, transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from league.models import ApiToken, Role, Scope, Session
from league.services import audit
from league.services.access import Access
from league.services.clubs import check_name
from league.services.errors import Forbidden, InputError, NotFound, Problem, out_of_range

logger = logging.getLogger(__name__)

# What can be asked for; the scope of a table link comes with its session (`table_links`).
SCOPES = [(value, label) for value, label in Scope.choices if value != Scope.TABLE]
_RAW = re.compile(r"tl_([a-z0-9]{12})_([A-Za-z0-9_-]{43})")
_PREFIX_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"
# A busy program would otherwise turn every read into a write.
_LAST_USED_STEP = timedelta(minutes=1)
_LAST_USED_WAIT = 100  # milliseconds, where one writer locks the whole database
# The last day of the calendar can't be shown east of Greenwich, where it is a day that no clock knows.
_LATEST_YEAR = 9998
MAXIMUM_RATE_LIMIT = 100_000


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def create(
    *,
    access: Access,
    name: str,
    scope: Scope,
    expires_at: datetime | None,
    now: datetime,
    rate_limit: int | None = None,
) -> tuple[ApiToken, str]:
    """Make a token of `access`'s club; return it with the raw token, which is stored nowhere.

    `rate_limit` is in requests a minute (None: the installation's). A token made by a token has the same person behind
    it, is revoked with it, expires no later and may ask no more often. Raises InputError for a name that can't be, for
    the scope of a table link, which `table_links.create` makes for its session, for a limit out of range and when
    `expires_at` is not in the future or beyond the calendar.
    """
    access.require(Role.ADMIN)
    if scope == Scope.TABLE:
        message = _("A table link is made for its session: POST to the session's table-links.")
        raise InputError([Problem(("scope",), "table_link", message)])
    name = " ".join(name.split())
    if not name:
        raise InputError([Problem(("name",), "required", _("Give the token a name, as “scoring app”."))])
    name = check_name(name, maximum=60)
    if expires_at is not None and expires_at <= now:
        raise InputError([Problem(("expires_at",), "in_the_past", _("Give a time in the future, or none."))])
    if expires_at is not None and expires_at.year > _LATEST_YEAR:
        message = _("Give a year up to %(year)d, or no time for a token without an end.") % {"year": _LATEST_YEAR}
        raise InputError([Problem(("expires_at",), "too_late", message)])
    if rate_limit is not None and (problems := out_of_range(("rate_limit",), rate_limit, 1, MAXIMUM_RATE_LIMIT)):
        raise InputError(problems)
    with transaction.atomic():
        token, raw = issue(access=access, name=name, scope=scope, expires_at=expires_at, rate_limit=rate_limit)
        data = {"scope": scope, "rate_limit": token.rate_limit}
        audit.write(access=access, action="token.created", object_id=token.pk, data=data, now=now)
    return token, raw


def issue(
    *,
    access: Access,
    name: str,
    scope: Scope,
    expires_at: datetime | None,
    rate_limit: int | None = None,
    session: Session | None = None,
) -> tuple[ApiToken, str]:
    """Store a token as given and return it with the raw one. The caller has checked all, and holds a transaction.

    Raises Forbidden when the token that makes it has been revoked meanwhile.
    """
    prefix = "".join(secrets.choice(_PREFIX_ALPHABET) for _letter in range(12))
    secret = secrets.token_urlsafe(32)
    maker, parent = access.actor.user_id, None
    if access.actor.token_id is not None:
        # Locked: a revocation at the same time either comes first, or finds the new token too.
        parent = ApiToken.objects.select_for_update().filter(pk=access.actor.token_id, revoked_at=None).first()
        if parent is None:
            raise Forbidden(Role.ADMIN)
        maker = parent.created_by_id
        if parent.expires_at is not None:
            expires_at = min(expires_at or parent.expires_at, parent.expires_at)
        if parent.rate_limit is not None:
            rate_limit = min(rate_limit or parent.rate_limit, parent.rate_limit)
    token = ApiToken.objects.create(
        club=access.club,
        name=name,
        prefix=prefix,
        secret_sha256=_digest(secret),
        scope=scope,
        session=session,
        created_by_id=maker,
        parent=parent,
        expires_at=expires_at,
        rate_limit=rate_limit,
    )
    return token, f"tl_{prefix}_{secret}"


def authenticate(*, raw: str, now: datetime) -> ApiToken | None:
    """The token that `raw` is, or None when it is unknown, expired or revoked."""
    match = _RAW.fullmatch(raw)
    if match is None:
        return None
    # With its club, which is what every request asks for next.
    token = ApiToken.objects.select_related("club").filter(prefix=match[1], revoked_at=None).first()
    if token is None or not secrets.compare_digest(token.secret_sha256, _digest(match[2])):
        return None
    if token.expires_at is not None and token.expires_at <= now:
        return None
    if token.last_used_at is None or token.last_used_at <= now - _LAST_USED_STEP:
        _note_use(token, now)
    return token


def _note_use(token: ApiToken, now: datetime) -> None:
    """Store when a token was used last, unless that takes a wait: a reader needs no lock and must not fail for this."""
    unseen = Q(last_used_at=None) | Q(last_used_at__lte=now - _LAST_USED_STEP)
    sqlite = connection.vendor == "sqlite"
    try:
        if sqlite:
            with connection.cursor() as cursor:
                cursor.execute(f"PRAGMA busy_timeout = {_LAST_USED_WAIT}")
        with transaction.atomic():
            free = ApiToken.objects.select_for_update(skip_locked=True).filter(unseen, pk=token.pk)
            ApiToken.objects.filter(pk__in=list(free.values_list("pk", flat=True))).update(last_used_at=now)
    except OperationalError:
        logger.warning("The database is busy or can't be written to; the use of token %d is not noted.", token.pk)
    finally:
        if sqlite:
            with connection.cursor() as cursor:
                cursor.execute(f"PRAGMA busy_timeout = {int(connection.settings_dict['OPTIONS']['timeout'] * 1000)}")


def revoke(*, access: Access, token_id: int, now: datetime) -> ApiToken:
    """End a token of the club and all that it made, at once; what is revoked already stays as it is."""
    access.require(Role.ADMIN)
    with transaction.atomic():
        token = ApiToken.objects.select_for_update().filter(club=access.club, pk=token_id).first()
        if token is None:
            raise NotFound(token_id)
        ending = [token]
        while ending:
            for one in ending:
                if one.revoked_at is None:
                    one.revoked_at = now
                    one.save(update_fields=["revoked_at"])
                    audit.write(access=access, action="token.revoked", object_id=one.pk, data={}, now=now)
            ending = list(ApiToken.objects.select_for_update().filter(parent__in=ending).order_by("pk"))
    return token
