"""The German catalogues, of pages and terminal: complete, up to date, with the placeholders of the English strings."""

import ast
import re
from io import BytesIO

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from django.conf import settings

from league.management.commands.updatemessages import DOMAINS, KEYWORDS, Domain, collect, sources, updated, written


def _german(domain: Domain) -> list[Message]:
    catalog: Catalog = read_po(BytesIO(domain.path(settings.BASE_DIR, "de").read_bytes()), locale="de")
    assert not catalog.obsolete
    return [message for message in catalog if message.id]


@pytest.fixture(scope="module")
def german() -> list[Message]:
    return [message for domain in DOMAINS for message in _german(domain)]


def _texts(value: object) -> list[str]:
    return [str(text) for text in value] if isinstance(value, tuple | list) else [str(value)]


@pytest.mark.parametrize("domain", DOMAINS, ids=lambda domain: domain.name)
def test_is_what_make_messages_writes(domain: Domain) -> None:
    """Otherwise: `make messages`, translate what it names, `make messages`."""
    path = domain.path(settings.BASE_DIR, "de")
    readable, compiled = written(updated("de", path, collect(settings.BASE_DIR, domain)))

    assert path.read_bytes().decode() == readable.decode()
    assert path.with_suffix(".mo").read_bytes() == compiled


@pytest.mark.parametrize("domain", DOMAINS, ids=lambda domain: domain.name)
def test_every_string_can_be_collected(domain: Domain) -> None:
    """What stands within an f-string is no code to a tokenizer before Python 3.12: it would be in no catalogue."""
    hidden = [
        f"{path.relative_to(settings.BASE_DIR)}:{call.lineno}"
        for path in sources(settings.BASE_DIR, domain)
        if path.suffix == ".py"
        for text in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(text, ast.JoinedStr)
        for call in ast.walk(text)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in KEYWORDS
    ]
    assert hidden == []


def test_nothing_is_missing_or_doubtful(german: list[Message]) -> None:
    assert [message.id for message in german if message.fuzzy or not all(_texts(message.string))] == []


def test_plurals_have_as_many_forms_as_german_has(german: list[Message]) -> None:
    for message in german:
        assert len(_texts(message.string)) == (2 if message.pluralizable else 1), message.id


def test_placeholders_are_kept(german: list[Message]) -> None:
    def placeholders(text: str) -> set[str]:
        return set(re.findall(r"%\(\w+\)[ds]|%[ds]|\{\w+\}", text))

    for message in german:
        for english, translated in zip(_texts(message.id), _texts(message.string), strict=True):
            assert placeholders(english) == placeholders(translated), english


def test_sentences_end_alike(german: list[Message]) -> None:
    for message in german:
        for english, translated in zip(_texts(message.id), _texts(message.string), strict=True):
            assert english.endswith(".") == translated.endswith("."), english


def test_no_string_takes_the_place_of_another_of_the_framework() -> None:
    """Names of months and days are looked up under their English names alone."""
    from django.utils.dates import MONTHS, MONTHS_3, WEEKDAYS, WEEKDAYS_ABBR

    english = {str(name) for names in (MONTHS, MONTHS_3, WEEKDAYS, WEEKDAYS_ABBR) for name in names.values()}
    pages = next(domain for domain in DOMAINS if domain.name == "django")
    assert not english & {text for message in _german(pages) for text in _texts(message.id)}
