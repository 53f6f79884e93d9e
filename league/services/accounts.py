"""Logins of people: what a new one has to be, what its owner changes, and links for a forgotten password.

Promises: a user name differs from every other in more than its case; a link for a new password works once, for a day,
and ends all sessions of the user when it is used (the framework signs the stored password into both). Never: sends
anything; that is `league/services/mail.py`.
"""

import logging

from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.tokens import default_token_generator
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext as _

from league.models import User
from league.services.clubs import is_text
from league.services.errors import Conflict, InputError, Problem

logger = logging.getLogger(__name__)

LONGEST_NAME = 150
_LONGEST_EMAIL = 254


def login_problems(user: User, password: str) -> list[Problem]:
    """What is wrong with a new login's `username`, `email` and `password`; nothing where all can be."""
    problems = []
    try:
        UnicodeUsernameValidator()(user.username)
        if len(user.username) > LONGEST_NAME:
            raise ValidationError(_("Give at most 150 characters."))
    except ValidationError as error:
        problems.append(Problem(("username",), "invalid", " ".join(error.messages)))
    problems += _email_problems(user.email)
    try:
        validate_password(password, user)
    except ValidationError as error:
        problems.append(Problem(("password",), "too_weak", " ".join(error.messages)))
    return problems


def _email_problems(email: str) -> list[Problem]:
    if not email:
        return []
    try:
        validate_email(email)
        if len(email) > _LONGEST_EMAIL:
            raise ValidationError(_("Give at most 254 characters."))
    except ValidationError as error:
        return [Problem(("email",), "invalid", " ".join(error.messages))]
    return []


def create(*, username: str, password: str, email: str = "") -> User:
    """Make a login. Raises InputError for values that can't be, Conflict when the user name is taken.

    Called by whatever lets a person in (an invitation), inside its transaction.
    """
    user = User(username=User.normalize_username(username), email=email)
    problems = login_problems(user, password)
    if problems:
        raise InputError(problems)
    user.set_password(password)
    taken = Conflict("username_taken", _("The user name “%(name)s” is taken.") % {"name": user.username})
    if User.objects.filter(username__iexact=user.username).exists():
        raise taken
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError as error:
        raise taken from error
    return user


def update(*, user: User, display_name: str, email: str, password: str = "") -> User:
    """Change how the user is called and the e-mail address; both may be empty.

    Another address takes the password, since a new one can be asked for there. Raises InputError.
    """
    display_name = " ".join(display_name.split())
    problems = _email_problems(email)
    if len(display_name) > LONGEST_NAME or not is_text(display_name):
        message = _("Give one line of at most %(maximum)d characters.") % {"maximum": LONGEST_NAME}
        problems.append(Problem(("display_name",), "invalid", message))
    if email != user.email and not user.check_password(password):
        problems.append(Problem(("password",), "wrong", _("Give your password to change the e-mail address.")))
    if problems:
        raise InputError(problems)
    # The one name of theirs that is shown; many people have no first and last one.
    user.first_name, user.last_name, user.email = display_name, "", email
    user.save(update_fields=["first_name", "last_name", "email"])
    return user


def reset_path(*, user: User, by: User | None) -> str:
    """The address, from its first slash on, at which the user gives a new password.

    `by` is who asks for it: None is whoever has the server's command line.
    """
    logger.info("a link for a new password of user %d was made by %s", user.pk, f"user {by.pk}" if by else "command")
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    return reverse("web:reset", kwargs={"uidb64": uid, "token": default_token_generator.make_token(user)})
