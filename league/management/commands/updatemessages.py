"""Collect every user-facing string into the catalogues and compile them.

Terms: a *catalogue* is a `FOLDER/LANGUAGE/LC_MESSAGES/DOMAIN.po`, of the pages and the API `django.po` in
`league/locale`, of the games' terminal `games.po` in `games/locale`; compiled it is the `.mo` beside it, which is what
runs. Promises: translations stay; a string that is gone goes; the same sources give the same files, byte for
byte. Babel does it and not GNU gettext, since that is no Python package and missing on a fresh machine.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation.template import templatize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from babel.messages.catalog import Catalog


@dataclass(frozen=True)
class Domain:
    """A set of catalogues, one a language: the rooms whose strings they hold, and the folder they are in."""

    name: str
    rooms: tuple[str, ...]
    folder: str

    def path(self, root: Path, language: str) -> Path:
        """The catalogue of a language."""
        return root / self.folder / language / "LC_MESSAGES" / f"{self.name}.po"


DOMAINS = (Domain("django", ("api", "league"), "league/locale"), Domain("games", ("games",), "games/locale"))
KEYWORDS = {
    "_": None,
    "_l": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
# Babel writes the time of the run into the head; a fixed one keeps files the same that say the same.
_EPOCH = datetime(2026, 1, 1, tzinfo=UTC)


def sources(root: Path, domain: Domain) -> Iterator[Path]:
    """The files that may hold strings, in a fixed order."""
    for room in domain.rooms:
        for path in sorted((root / room).rglob("*")):
            if path.suffix in {".py", ".html", ".txt"} and "migrations" not in path.parts:
                yield path


def _python_of(path: Path) -> bytes:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return text.encode()
    # Indentation means nothing in a template, and something to Python's tokenizer.
    return "\n".join(line.lstrip() for line in templatize(text).splitlines()).encode()


def collect(root: Path, domain: Domain) -> "Catalog":
    """The template catalogue: every string of the sources, with the files it stands in."""
    from babel.messages.catalog import Catalog
    from babel.messages.extract import extract

    catalog = Catalog(project="Tischliga", version=settings.VERSION, creation_date=_EPOCH, charset="utf-8")
    for path in sources(root, domain):
        found = extract("python", BytesIO(_python_of(path)), KEYWORDS, ["Translators:"], {"encoding": "utf-8"})
        for _line, message, comments, context in found:
            # Files without line numbers: those change with every edit and tell nobody much.
            place = (str(path.relative_to(root)), 1)
            catalog.add(message, None, [place], auto_comments=comments, context=context)
    return catalog


def updated(language: str, path: Path, template: "Catalog") -> "Catalog":
    """The catalogue of a language brought in line with the template, its translations kept."""
    from babel.messages.catalog import Catalog
    from babel.messages.pofile import read_po

    if path.exists():
        with path.open("rb") as file:
            catalog = read_po(file, locale=language)
    else:
        catalog = Catalog(locale=language, project="Tischliga", version=settings.VERSION)
    catalog.update(template, no_fuzzy_matching=True)
    catalog.obsolete.clear()
    catalog.header_comment = "# Translations of Tischliga. Words as in docs/glossary.md."
    catalog.version = settings.VERSION
    catalog.creation_date = catalog.revision_date = _EPOCH
    catalog.last_translator = "Tischliga"
    catalog.language_team = language
    catalog.fuzzy = False
    return catalog


def written(catalog: "Catalog") -> tuple[bytes, bytes]:
    """The bytes of the `.po` and the `.mo` file."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import write_po

    readable, compiled = BytesIO(), BytesIO()
    write_po(readable, catalog, width=100, sort_output=True, include_lineno=False)
    write_mo(compiled, catalog)
    return readable.getvalue(), compiled.getvalue()


class Command(BaseCommand):
    help = "Collect user-facing strings into the catalogues and compile them."
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="write nothing, fail where something would change")

    def handle(self, *, check: bool, **options: object) -> None:
        strings = untranslated = 0
        for domain in DOMAINS:
            try:
                template = collect(settings.BASE_DIR, domain)
            except ImportError as error:
                raise CommandError("Babel is missing: it comes with the environment of `make test`.") from error
            strings += len(template)
            for language, _name in settings.LANGUAGES:
                if language != settings.LANGUAGE_CODE:
                    untranslated += self._update(domain.path(settings.BASE_DIR, language), language, template, check)
        self.stdout.write(f"{strings} strings, {untranslated} not translated")

    def _update(self, path: Path, language: str, template: "Catalog", check: bool) -> int:
        """Write one catalogue, or fail where that would change it; the number of strings not translated."""
        catalog = updated(language, path, template)
        for target, content in zip((path, path.with_suffix(".mo")), written(catalog), strict=True):
            if target.exists() and target.read_bytes() == content:
                continue
            if check:
                raise CommandError(f"{target} is not up to date: run `make messages`.")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        missing = [message for message in catalog if message.id and not _whole(message.string)]
        for message in missing:
            self.stdout.write(f"{language}: not translated: {message.id}")
        return len(missing)


def _whole(string: object) -> bool:
    return all(string) if isinstance(string, list | tuple) else bool(string)
