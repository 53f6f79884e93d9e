"""Users, clubs and members: who there is, and who may see what.

Terms: a *user* has a login; a *member* is a user with a role in one club; a *board state* is a random number, another
one after each change of what a leaderboard shows. Promises: `Club.objects.visible_to` is the one place that says which
clubs a user may enter; to anyone else a club does not exist.
"""

import secrets
from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from league.models.tenancy import ClubOwned


class User(AbstractUser):
    """A person with a login."""


def default_time_zone() -> str:
    """The time zone of a club that names none: the installation's."""
    return str(settings.TIME_ZONE)


def new_board_state() -> int:
    """A number of 63 bits that stood for no earlier state: a count would come back with the backup of a database."""
    return secrets.randbits(63)


class ClubQuerySet(models.QuerySet["Club"]):
    def visible_to(self, user: User) -> "ClubQuerySet":
        """Clubs the user is a member of."""
        return self.filter(pk__in=Member.objects.filter(user=user).values("club"))


class Club(models.Model):
    """A club: the tenant that everything else belongs to."""

    name = models.CharField(_("name"), max_length=100)
    slug = models.SlugField(_("short name"), max_length=50, unique=True)
    time_zone = models.CharField(
        _("time zone"), max_length=64, default=default_time_zone, help_text=_("By its IANA name, as Europe/Berlin.")
    )
    created_at = models.DateTimeField(_("created at"), db_default=Now(), editable=False)
    # Of what the boards of all its seasons show: names of the club, of its leagues, players and games.
    board_state = models.BigIntegerField(default=new_board_state, editable=False)

    objects = ClubQuerySet.as_manager()

    class Meta:
        verbose_name = _("club")
        verbose_name_plural = _("clubs")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def zone(self) -> ZoneInfo:
        """The zone whose clock says which day "today" is at the club's tables."""
        return ZoneInfo(self.time_zone)

    def local_date(self, now: datetime) -> date:
        """Which day it is at the club's tables at this moment."""
        return now.astimezone(self.zone).date()


class Role(models.TextChoices):
    """What a member may do, each role including those below it: owner, admin, scorekeeper, member."""

    OWNER = "owner", _("owner")
    ADMIN = "admin", _("admin")
    SCOREKEEPER = "scorekeeper", _("scorekeeper")
    MEMBER = "member", _("member")


class Member(ClubOwned):
    """A user with a role in a club."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships", verbose_name=_("user"))
    role = models.CharField(_("role"), max_length=12, choices=Role, default=Role.MEMBER)
    created_at = models.DateTimeField(_("created at"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("member")
        verbose_name_plural = _("members")
        constraints = [
            models.UniqueConstraint(fields=["club", "user"], name="member_once_a_club"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="member_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user} ({self.get_role_display()})"
