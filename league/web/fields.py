"""Fields that forms share."""

import re

from django import forms
from django.utils.translation import gettext_lazy as _l


class WholeNumberField(forms.IntegerField):
    """A whole number, written in digits alone.

    Takes 1.000 for no number: Django reads it as 1, and whoever writes German means a thousand.
    """

    default_error_messages = {"invalid": _l("Write a whole number in digits alone, as 1000.")}
    re_decimal = re.compile(r"(?!)")
