"""Forms of logins: log-in, invitations, the own account, a forgotten password."""

import math
from datetime import timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.forms import AuthenticationForm, PasswordResetForm, UsernameField
from django.contrib.auth.password_validation import password_validators_help_text_html
from django.core.mail import EmailMultiAlternatives
from django.core.signing import BadSignature
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext

from league.models import Club, Player, PlayerKind, Role
from league.services import accounts, invites, logins, mail
from league.services.access import Access
from league.web.clients import address_of
from league.web.fields import WholeNumberField
from league.web.forms import ServiceForm

_DEVICE = "known-device"
_DEVICE_DAYS = 180
_NOBODY = "\N{EN DASH}"


def _waiting_time(wait: timedelta) -> str:
    seconds = math.ceil(wait.total_seconds())
    if seconds <= 60:
        return ngettext("%(count)d second", "%(count)d seconds", seconds) % {"count": seconds}
    minutes = math.ceil(seconds / 60)
    return ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes}


def _devices(request: HttpRequest) -> list[str]:
    """The marks of the cookie of known devices; none where it is missing or not ours."""
    try:
        text = request.get_signed_cookie(_DEVICE, default="", max_age=_DEVICE_DAYS * 86400)
    except BadSignature:
        return []
    return text.split() if text else []


def remember_device(answer: HttpResponse, request: HttpRequest, username: str) -> None:
    """Let the browser say from now on that this user has logged in with it."""
    answer.set_signed_cookie(
        _DEVICE,
        " ".join(logins.remember(username=username, devices=_devices(request))),
        max_age=_DEVICE_DAYS * 86400,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Strict",
    )


class _Counted(AuthenticationForm):
    """A form to log in with, whose failed attempts are counted."""

    # How long no attempt is taken; None while one is.
    blocked: timedelta | None = None

    def clean(self) -> dict[str, Any]:
        username = self.cleaned_data.get("username")
        if self.request is None or not username or not self.cleaned_data.get("password"):
            return super().clean()
        try:
            attempt = logins.begin(
                username=username,
                address=address_of(self.request),
                devices=_devices(self.request),
                now=timezone.now(),
            )
        except logins.Blocked as error:
            self.blocked = error.wait
            message = _("Too many attempts failed. Wait %(time)s, then try again.")
            raise forms.ValidationError(message, code="blocked", params={"time": _waiting_time(error.wait)}) from error
        data = super().clean()
        logins.succeed(attempt)
        return data


class LoginForm(_Counted):
    """The framework's form, in this product's words."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _l("User name")


class AdminLoginForm(_Counted, AdminAuthenticationForm):
    """The administration's form."""


def new_password_field(label: Any) -> forms.CharField:
    """A field for a password that is to be chosen."""
    return forms.CharField(
        label=label,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=password_validators_help_text_html(),
    )


class NewAccountForm(ServiceForm):
    """The login of somebody who was invited."""

    username = UsernameField(label=_l("User name"), max_length=accounts.LONGEST_NAME)
    email = forms.EmailField(
        label=_l("E-mail"), required=False, help_text=_l("Only for a new password, should you forget yours.")
    )
    password = new_password_field(_l("Password"))


class AccountForm(ServiceForm):
    """What a user changes of the own account."""

    display_name = forms.CharField(
        label=_l("Name"),
        max_length=accounts.LONGEST_NAME,
        required=False,
        help_text=_l("Shown beside the user name to the admins of your clubs. Empty: the user name alone."),
    )
    email = forms.EmailField(
        label=_l("E-mail"), required=False, help_text=_l("Only for a new password, should you forget yours.")
    )
    password = forms.CharField(
        label=_l("Password"),
        strip=False,
        required=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
        help_text=_l("Needed to change the e-mail address."),
    )


class InviteForm(ServiceForm):
    """An invitation into a club."""

    note = forms.CharField(label=_l("For whom"), max_length=100, required=False)
    role = forms.ChoiceField(label=_l("Role"), initial=Role.MEMBER)
    player = forms.TypedChoiceField(
        label=_l("Player"),
        required=False,
        coerce=int,
        empty_value=None,
        help_text=_l("Whom the new member is linked to."),
    )
    days = WholeNumberField(
        label=_l("Valid for days"), min_value=1, max_value=invites.MAXIMUM_DAYS, initial=invites.DEFAULT_DAYS
    )

    def __init__(self, *args: Any, access: Access, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["role"].choices = [  # type: ignore[attr-defined]
            (value, label) for value, label in Role.choices if value != Role.OWNER or access.may(Role.OWNER)
        ]
        self.fields["player"].choices = [("", _NOBODY), *_free_players(access.club)]  # type: ignore[attr-defined]


def _free_players(club: Club) -> list[tuple[int, str]]:
    players = Player.objects.filter(club=club, kind=PlayerKind.PERSON, member=None, archived_at=None)
    return list(players.values_list("pk", "name"))


class ForgottenForm(PasswordResetForm):
    """Asks for the link to a new password by mail. Says nothing of whether anybody has the address."""

    def send_mail(  # noqa: PLR0917 - the framework's signature
        self,
        subject_template_name: str,
        email_template_name: str,
        context: dict[str, Any],
        from_email: str | None,
        to_email: str,
        html_email_template_name: str | None = None,
    ) -> None:
        subject = " ".join(render_to_string(subject_template_name, context).split())
        mail.send(
            EmailMultiAlternatives(subject, render_to_string(email_template_name, context), from_email, [to_email])
        )
