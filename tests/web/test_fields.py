"""Numbers in forms: whoever writes 1.000 in German means a thousand, and Django's own field reads 1."""

import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from django import forms
from django.utils import translation

import league.web
from league.web.fields import WholeNumberField

FOLDER = Path(league.web.__file__).parent


def _forms() -> Iterator[type[forms.BaseForm]]:
    """All forms of the pages."""
    for module in pkgutil.walk_packages([str(FOLDER)], "league.web."):
        importlib.import_module(module.name)
    waiting: list[type[forms.BaseForm]] = [forms.BaseForm]
    while waiting:
        found = waiting.pop().__subclasses__()
        waiting += found
        yield from (one for one in found if one.__module__.startswith("league.web."))


def test_every_form_reads_whole_numbers_in_the_same_way() -> None:
    found = list(_forms())
    assert len(found) > 50
    numbers = [
        (form.__name__, name, field)
        for form in found
        for name, field in getattr(form, "base_fields", {}).items()
        if isinstance(field, forms.IntegerField)
    ]
    assert len(numbers) > 25
    assert [(form, name) for form, name, field in numbers if not isinstance(field, WholeNumberField)] == []


def test_fields_that_forms_make_as_they_are_shown_are_no_others() -> None:
    """A form that asks for points makes a field for each player, and no class says so."""
    own = {path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.py") if "IntegerField(" in path.read_text()}
    # Columns of queries there, not fields; and the one that reads numbers in one way.
    assert own <= {"fields.py", "reading.py", "figures.py", "bot_match_rows.py"}


TOLD = {
    "de": "Schreib eine ganze Zahl nur mit Ziffern, also 1000.",
    "en": "Write a whole number in digits alone, as 1000.",
}


@pytest.mark.parametrize("language", TOLD)
@pytest.mark.parametrize("given", ["1.000", "1,000", "1.0", "1.", "1e3", "1 000", "x"])
def test_what_is_no_number_in_digits_alone_is_refused(language: str, given: str) -> None:
    with pytest.raises(forms.ValidationError) as caught:
        WholeNumberField().clean(given)
    with translation.override(language):
        assert caught.value.messages == [TOLD[language]]


def test_digits_are_read() -> None:
    assert [WholeNumberField().clean(given) for given in ("1000", " 7 ", "-3", "0")] == [1000, 7, -3, 0]
