"""The triggers that keep clubs apart are there after every migration, one that rebuilds tables too."""

from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import override_settings

from tests.models.rows import one_of_each
from tests.models.test_tenancy import POINTERS, refused


def _triggers() -> set[str]:
    if connection.vendor == "postgresql":
        query = "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal"
    else:
        query = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    with connection.cursor() as cursor:
        cursor.execute(query)
        return {name for (name,) in cursor.fetchall()}


@pytest.mark.django_db
def test_models_and_migrations_agree() -> None:
    call_command("makemigrations", "--check", "--dry-run", verbosity=0)


@pytest.mark.django_db(transaction=True)
def test_triggers_survive_a_migration_that_rebuilds_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A later version changes columns of tables that are pointed at: SQLite makes those tables anew."""
    package = tmp_path / "later_migrations"
    package.mkdir()
    (package / "__init__.py").touch()
    standing = sorted((Path(__file__).parents[2] / "league" / "migrations").glob("0*.py"))
    for path in standing:
        (package / path.name).write_text(path.read_text())
    (package / "9999_later.py").write_text(
        "from django.db import migrations, models\n"
        "class Migration(migrations.Migration):\n"
        f"    dependencies = [('league', {standing[-1].stem!r})]\n"
        "    operations = [\n"
        "        migrations.AlterField('player', 'name', models.CharField(max_length=61)),\n"
        "        migrations.AlterField('session', 'comment', models.CharField(max_length=501, blank=True)),\n"
        "        migrations.AddField('season', 'later', models.CharField(max_length=5, default='', db_index=True)),\n"
        "        migrations.AlterField('member', 'role', models.CharField(max_length=13)),\n"
        "    ]\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    before = _triggers()
    with override_settings(MIGRATION_MODULES={"league": package.name}):
        try:
            call_command("migrate", verbosity=0)
            later = _triggers()
        finally:
            call_command("migrate", "league", standing[-1].stem, verbosity=0)
    assert before
    assert later == before
    assert _triggers() == before
    rows, others = one_of_each("herzclub"), one_of_each("pikclub")
    for model, column in POINTERS:
        refused(rows, others, model, column)


@pytest.mark.django_db(transaction=True)
def test_installing_triggers_again_changes_nothing() -> None:
    before = _triggers()
    call_command("migrate", verbosity=0)
    assert _triggers() == before
