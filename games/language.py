"""The language in which the games speak to people.

Terms. The *language spoken* is that of the code around, ``speaking`` sets it; English if nothing has.

Promises: threads and tasks speak each their own; a text without a translation is said in English.
Never: asks the system for a language.
"""

from __future__ import annotations

import gettext as catalogues
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from typing import Final

LANGUAGES: Final = ("en", "de")
LOCALE: Final = Path(__file__).with_name("locale")
_GERMAN: Final = str.maketrans(",.", ".,")
_spoken: ContextVar[str] = ContextVar("language spoken", default="en")


@lru_cache(maxsize=8)
def translations(language: str) -> catalogues.NullTranslations:
    """The catalogue of a language; for English and unknown ones the texts as they stand in the sources."""
    return catalogues.translation("games", LOCALE, languages=[language], fallback=True)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Within it ``gettext`` and ``ngettext`` answer in this language, one of ``LANGUAGES``."""
    token = _spoken.set(language if language in LANGUAGES else "en")
    try:
        yield
    finally:
        _spoken.reset(token)


def gettext(message: str) -> str:
    """The message in the language spoken."""
    return translations(_spoken.get()).gettext(message)


def ngettext(singular: str, plural: str, number: int) -> str:
    """The message for this number in the language spoken."""
    return translations(_spoken.get()).ngettext(singular, plural, number)


def number(value: float, decimals: int = 0) -> str:
    """A number with separators as the language spoken has them."""
    text = f"{value:,.{decimals}f}"
    return text.translate(_GERMAN) if _spoken.get() == "de" else text
