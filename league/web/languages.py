"""The language of what is taken along: files, pictures and boards elsewhere, where nobody's browser asks for one."""

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language


def asked_language(request: HttpRequest) -> str:
    """The language that the address asks for, else the reader's."""
    asked = request.GET.get("language", "")
    return asked if asked in dict(settings.LANGUAGES) else (get_language() or "en").split("-")[0]
