"""Clubs and members."""

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from api.serializers.base import (
    ChangeSerializer,
    PageQuerySerializer,
    StrictSerializer,
    id_field,
    ordering_field,
    search_field,
    slug_field,
)
from api.serializers.fields import ChoiceField, TextField
from league.models import Club, Member, Role


class ClubSerializer(serializers.Serializer[Club]):
    """A club."""

    id = id_field()
    slug = serializers.CharField()
    name = serializers.CharField()
    time_zone = serializers.CharField(help_text=_("An IANA name; its clock says which day “today” is."))
    created_at = serializers.DateTimeField()


class ClubQuerySerializer(PageQuerySerializer):
    """Which clubs to list."""

    search = search_field(_("A part of the name, whatever its case."))
    ordering = ordering_field("id", "name")


class NewClubSerializer(StrictSerializer):
    """A club to be founded; whoever sends this becomes its owner."""

    name = TextField(max_length=100)
    slug = slug_field(default="", allow_blank=True)
    time_zone = TextField(
        max_length=64, required=False, help_text=_("An IANA name, as Europe/Berlin. Left out: the installation's.")
    )


class ClubChangeSerializer(ChangeSerializer):
    """What to change of a club."""

    name = TextField(max_length=100, required=False)
    time_zone = TextField(max_length=64, required=False, help_text=_("An IANA name, as Europe/Berlin."))


class MemberSerializer(serializers.Serializer[Member]):
    """A user with a role in the club."""

    id = id_field()
    username = serializers.CharField(source="user.username")
    role = ChoiceField(Role.choices)
    created_at = serializers.DateTimeField()


class MemberQuerySerializer(PageQuerySerializer):
    """Which members to list."""

    role = ChoiceField(Role.choices, required=False)
    search = search_field(_("A part of the user name, whatever its case."))
    ordering = ordering_field("id", "username")


class NewMemberSerializer(StrictSerializer):
    """A user who becomes a member."""

    username = TextField(max_length=150, help_text=_("The user name of somebody who has a login here."))
    role = ChoiceField(Role.choices, default=Role.MEMBER)


class MemberChangeSerializer(StrictSerializer):
    """A member's new role."""

    role = ChoiceField(Role.choices)
