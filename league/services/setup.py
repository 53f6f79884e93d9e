"""The first owner of an empty installation.

Terms: the *set-up code* is known to whoever can read the server's terminal or log; it follows from the secret key, so
nothing has to be stored, and it is worth nothing once there is a user.
"""

import secrets
from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from league.models import IdempotencyRecord, Role, User
from league.services import accounts, clubs, seasons
from league.services.access import Access, Actor
from league.services.errors import Conflict, InputError, NotFound, Problem


def setup_code() -> str:
    """The code of the set-up link of this installation."""
    return salted_hmac("league.services.setup", "first owner", algorithm="sha256").hexdigest()[:24]


def is_needed() -> bool:
    """Whether the set-up is still to be done."""
    return not User.objects.exists()


def is_open(*, code: str) -> bool:
    """Whether the set-up is still to be done and `code` is right."""
    return _is_right(code) and is_needed()


def _is_right(code: str) -> bool:
    return secrets.compare_digest(code.encode(), setup_code().encode())


def first_owner(
    *,
    code: str,
    username: str,
    password: str,
    club_name: str,
    club_slug: str,
    league_name: str,
    season_name: str,
    now: datetime,
) -> User:
    """Make the first user, who runs the installation, with a club, a league and a season to begin with.

    Raises NotFound for a wrong code, Conflict when somebody was faster, InputError for values that can't be.
    """
    if not _is_right(code):
        raise NotFound(code)
    user = User(username=username, is_staff=True, is_superuser=True)
    problems: list[Problem] = []
    for field, name in (("club_name", club_name), ("league_name", league_name), ("season_name", season_name)):
        try:
            clubs.check_name(name, field=field)
        except InputError as error:
            problems += error.problems
    try:
        if club_slug:
            clubs.check_slug(club_slug, field="club_slug", reserved=clubs.RESERVED_SLUGS)
    except InputError as error:
        problems += error.problems
    problems += accounts.login_problems(user, password)
    if problems:
        raise InputError(problems)
    taken = Conflict("already_set_up", _("This installation has an owner already."))
    try:
        with transaction.atomic():
            # Of two at once the second waits here, on the unique key, and then finds the owner.
            IdempotencyRecord.objects.create(actor="setup", key="first-owner", fingerprint="", created_at=now)
            if User.objects.exists():
                raise taken
            user.set_password(password)
            user.save()
            club = clubs.create(owner=user, name=club_name, slug=club_slug, now=now)
            access = Access(club=club, role=Role.OWNER, actor=Actor(user_id=user.pk))
            league = seasons.create_league(access=access, name=league_name, slug="", now=now)
            first_of_january = club.local_date(now).replace(month=1, day=1)
            fields = {"name": season_name, "starts_on": first_of_january}
            seasons.create_season(access=access, league_id=league.pk, fields=fields, now=now)
    except IntegrityError as error:
        raise taken from error
    return user
