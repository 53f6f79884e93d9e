"""Invitations."""

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from api.serializers.base import StrictSerializer, id_field
from api.serializers.fields import ChoiceField, IntegerField, TextField
from league.models import Invite, InviteState, Role
from league.services import invites


class InviteSerializer(serializers.Serializer[Invite]):
    """An invitation, without its code."""

    id = id_field()
    role = ChoiceField(Role.choices)
    note = serializers.CharField(allow_blank=True, help_text=_("For whom it is."))
    player = id_field(source="player_id", allow_null=True, help_text=_("The player who the new member is, if any."))
    state = ChoiceField(InviteState.choices, help_text=_("“void”: whoever made it may no longer invite."))
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    used_at = serializers.DateTimeField(allow_null=True)
    revoked_at = serializers.DateTimeField(allow_null=True)


class CreatedInviteSerializer(InviteSerializer):
    """A new invitation with its link, which is shown this once."""

    url = serializers.CharField(help_text=_("The whole address to send. It is stored nowhere: keep it now."))


class NewInviteSerializer(StrictSerializer):
    """An invitation to be made."""

    role = ChoiceField(Role.choices, default=Role.MEMBER, help_text=_("Not above the inviter's own."))
    note = TextField(max_length=100, default="", allow_blank=True, help_text=_("For whom it is."))
    player = id_field(default=None, allow_null=True, help_text=_("The id of the player who the new member is."))
    days = IntegerField(
        min_value=1,
        max_value=invites.MAXIMUM_DAYS,
        default=invites.DEFAULT_DAYS,
        help_text=_("How long it can be accepted."),
    )
