"""Clubs and their members, and the checks that all that a club plans has in common: names, short names, days.

A club always keeps at least one owner.
"""

import re
import unicodedata
import zoneinfo
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from functools import cache
from itertools import count
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.text import slugify
from django.utils.translation import gettext as _

from league.models import Club, Member, Role, User
from league.models.clubs import default_time_zone, new_board_state
from league.services import audit
from league.services.access import Access, Actor
from league.services.errors import Conflict, InputError, NotFound, Problem

_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
# Words that stand at the front of the product's own addresses.
RESERVED_SLUGS = frozenset(
    {
        *("account", "admin", "api", "clubs", "health", "invites", "login", "logout", "manage", "new", "setup"),
        *("static", "table"),
    }
)


def check_slug(slug: str, *, field: str = "slug", reserved: frozenset[str] = frozenset()) -> str:
    """Return a short name fit for addresses. Raises InputError otherwise."""
    if not _SLUG.fullmatch(slug) or len(slug) > 50 or slug in reserved:
        message = _("Use 1 to 50 small letters, digits and single hyphens, as in “monday-club”.")
        if slug in reserved:
            message = _("“%(slug)s” is an address of the product itself; choose another.") % {"slug": slug}
        raise InputError([Problem((field,), "invalid", message)])
    return slug


def free_slug(name: str, rows: QuerySet[Any], *, neutral: str, reserved: frozenset[str] = frozenset()) -> str:
    """A short name made of a name, which none of `rows` has yet: numbered from 2 on where it is taken.

    `neutral` stands for a name without a Latin letter or digit. Somebody else may take it before it is stored.
    """
    # Django's slugs may hold underscores, ours don't, and lose the stroke of "2026/27".
    plain = re.sub(r"[-_]+", "-", slugify(name.replace("/", "-")))[:46].strip("-") or neutral
    if plain in reserved:
        plain = f"the-{plain}"
    taken = reserved | set(rows.filter(slug__startswith=plain).values_list("slug", flat=True))
    return next(slug for slug in _numbered(plain) if slug not in taken)


def _numbered(plain: str) -> Iterator[str]:
    yield plain
    for number in count(2):
        yield f"{plain}-{number}"


# Nobody plans further, and who means this year and writes another is told.
FURTHEST = timedelta(days=5 * 366)
# What was played before is not entered by anybody who was there: a year of two digits was meant.
EARLIEST = date(1900, 1, 1)


def day_problems(day: object, *, field: str, before: date | None, today: date) -> list[Problem]:
    """What is wrong with a day of a plan that is too far off; `before` is the one that is there and may stay.

    `today` is the club's. A value that is no day is for others to refuse.
    """
    if not isinstance(day, date) or day == before or EARLIEST <= day <= today + FURTHEST:
        return []
    message = _("Give a day from the year %(year)d on, and at most five years from today.")
    return [Problem((field,), "out_of_range", message % {"year": EARLIEST.year})]


_TURNING = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})


def is_text(text: str) -> bool:
    """Whether a text has no characters but those of text: databases refuse some others, and no name needs any.

    Nor does a text turn the writing of what stands beside it (Unicode's bidirectional controls).
    """
    return not any(
        unicodedata.category(letter) in {"Cc", "Cs"} or unicodedata.bidirectional(letter) in _TURNING for letter in text
    )


def check_name(name: str, *, field: str = "name", maximum: int = 100) -> str:
    """Return a name with single spaces. Raises InputError when it shows nothing, is too long or no text."""
    name = " ".join(name.split())
    visible = any(unicodedata.category(letter)[0] in "LNPS" for letter in name)
    if not visible or len(name) > maximum or not is_text(name):
        message = _("Give a name of 1 to %(maximum)d characters.") % {"maximum": maximum}
        raise InputError([Problem((field,), "invalid", message)])
    return name


@cache
def time_zones() -> frozenset[str]:
    """The IANA names of the time zones that this installation knows."""
    # These two are files of the database of time zones that are no zone of any place.
    return frozenset(zoneinfo.available_timezones() - {"localtime", "Factory"})


def check_time_zone(name: str) -> str:
    """Return the IANA name of a time zone. Raises InputError for any other text."""
    if name not in time_zones():
        message = _("There is no time zone “%(name)s”: give an IANA name, as Europe/Berlin, in the letters it has.")
        raise InputError([Problem(("time_zone",), "unknown_time_zone", message % {"name": name})])
    return name


def create(*, owner: User, name: str, slug: str, time_zone: str | None = None, now: datetime) -> Club:
    """Found a club; `owner` becomes its owner. `time_zone` None: the installation's; `slug` "": one made of the name.

    Raises Conflict when the short name is taken.
    """
    name = check_name(name)
    slug = slug or free_slug(name, Club.objects.all(), neutral="club", reserved=RESERVED_SLUGS)
    slug = check_slug(slug, reserved=RESERVED_SLUGS)
    time_zone = default_time_zone() if time_zone is None else check_time_zone(time_zone)
    try:
        with transaction.atomic():
            club = Club.objects.create(name=name, slug=slug, time_zone=time_zone)
            Member.objects.create(club=club, user=owner, role=Role.OWNER)
            access = Access(club=club, role=Role.OWNER, actor=Actor(user_id=owner.pk))
            audit.write(access=access, action="club.created", object_id=club.pk, data={}, now=now)
    except IntegrityError as error:
        raise Conflict("slug_taken", _("The short name “%(slug)s” is taken.") % {"slug": slug}) from error
    return club


def update(*, access: Access, name: str | None = None, time_zone: str | None = None, now: datetime) -> Club:
    """Change the club's name, its time zone or both; None leaves as it is.

    Days that are stored stay: another time zone changes which day "today" is, and how times are shown.
    """
    access.require(Role.ADMIN)
    changes = {
        **({} if name is None else {"name": check_name(name)}),
        **({} if time_zone is None else {"time_zone": check_time_zone(time_zone)}),
    }
    with transaction.atomic():
        club = Club.objects.select_for_update().get(pk=access.club.pk)
        for field, value in changes.items():
            setattr(club, field, value)
        club.board_state = new_board_state()
        club.save(update_fields=[*changes, "board_state"])
        data = {"fields": sorted(changes)}
        audit.write(access=access, action="club.updated", object_id=club.pk, data=data, now=now)
    return club


def _require_for(access: Access, role: Role) -> None:
    """Admins handle all roles but the owner's; that takes an owner."""
    access.require(Role.OWNER if role == Role.OWNER else Role.ADMIN)


def add_member(*, access: Access, username: str, role: Role, now: datetime) -> Member:
    """Make a user a member. Raises InputError for an unknown user name, Conflict when already a member."""
    _require_for(access, role)
    user = User.objects.filter(username=username, is_active=True).first() if is_text(username) else None
    if user is None:
        message = _("There is no user “%(name)s” here.") % {"name": username}
        raise InputError([Problem(("username",), "unknown", message)])
    try:
        with transaction.atomic():
            member = Member.objects.create(club=access.club, user=user, role=role)
            audit.write(access=access, action="member.added", object_id=member.pk, data={"role": role}, now=now)
    except IntegrityError as error:
        raise Conflict("already_a_member", _("“%(name)s” is a member already.") % {"name": username}) from error
    return member


def _locked_member(access: Access, member_id: int) -> tuple[Member, bool]:
    """The member about to lose a role, and whether it is the only owner.

    Every owner of the club is locked: two such changes at once can't end the last two.
    """
    owners = Member.objects.select_for_update().filter(club=access.club, role=Role.OWNER).order_by("pk")
    owner_ids = {owner.pk for owner in owners}
    member = Member.objects.select_for_update().filter(club=access.club, pk=member_id).first()
    if member is None:
        raise NotFound(member_id)
    return member, owner_ids == {member.pk}


def _last_owner() -> Conflict:
    return Conflict("last_owner", _("A club keeps at least one owner: make someone else owner first."))


def change_role(*, access: Access, member_id: int, role: Role, now: datetime) -> Member:
    """Give a member another role. Raises Conflict for the last owner."""
    _require_for(access, role)
    with transaction.atomic():
        standing = Member.objects.filter(club=access.club, pk=member_id, role=role).first()
        if standing is not None:
            return standing
        member, last_owner = _locked_member(access, member_id)
        _require_for(access, Role(member.role))
        if last_owner:
            raise _last_owner()
        member.role = role
        member.save(update_fields=["role"])
        audit.write(access=access, action="member.changed", object_id=member.pk, data={"role": role}, now=now)
    return member


def remove_member(*, access: Access, member_id: int, now: datetime) -> None:
    """End a membership; the player and all results stay. Members may leave by themselves."""
    with transaction.atomic():
        member, last_owner = _locked_member(access, member_id)
        if member.user_id != access.actor.user_id:
            _require_for(access, Role(member.role))
        if last_owner:
            raise _last_owner()
        audit.write(access=access, action="member.removed", object_id=member.pk, data={}, now=now)
        member.delete()
