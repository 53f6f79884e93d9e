"""A row never changes its club and never points at a row of another club, whoever writes."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, models, transaction
from django.test import override_settings

from league.models import Club, IdempotencyRecord, LoginThrottle, ParTally, Player, User
from tests.models.rows import Rows, all_models, copy_of, insert, one_of_each

# What belongs to no club: the clubs themselves, logins (a user may be in several), answers kept for an actor, and what
# everybody is measured by.
_OF_NO_CLUB = {Club, User, IdempotencyRecord, LoginThrottle, ParTally}


def _has_club(model: Any) -> bool:
    if not isinstance(model, type) or not issubclass(model, models.Model):
        return False
    return any(field.name == "club" for field in model._meta.get_fields())


def _tenant_models() -> list[type[models.Model]]:
    return [model for model in all_models() if model not in _OF_NO_CLUB]


def _pointers(model: type[models.Model]) -> "list[models.Field[Any, Any]]":
    """The foreign keys of a model to rows that belong to a club."""
    return [field for field in model._meta.concrete_fields if _has_club(field.related_model)]


# The names are needed before there is a database: parameters are collected first.
_POINTERS = [(model, field.attname) for model in _tenant_models() for field in _pointers(model)]


def _refused(rows: Rows, others: Rows, model: type[models.Model], column: str) -> None:
    """Assert that neither an insert nor an update lets the column point at the other club's row."""
    field = next(field for field in model._meta.concrete_fields if field.attname == column)
    assert isinstance(field.related_model, type)
    foreign = others[field.related_model].pk
    with pytest.raises(IntegrityError, match=f"{column} is of another club"), transaction.atomic():
        insert(copy_of(rows[model], **{column: foreign}))
    with pytest.raises(IntegrityError, match=f"{column} is of another club"), transaction.atomic():
        model._base_manager.filter(pk=rows[model].pk).update(**{column: foreign})


def test_every_other_model_has_a_club() -> None:
    for model in _tenant_models():
        field = model._meta.get_field("club")
        assert field.related_model is Club, model
        assert not field.null, model


def test_many_pointers_are_walked() -> None:
    # Were the walk broken, the tests below would be none and pass.
    assert len(_POINTERS) >= 20


@pytest.mark.django_db
@pytest.mark.parametrize(("model", "column"), _POINTERS, ids=lambda value: getattr(value, "__name__", value))
def test_a_pointer_stays_within_the_club(model: type[models.Model], column: str) -> None:
    _refused(one_of_each("herzclub"), one_of_each("pikclub"), model, column)


@pytest.mark.django_db
@pytest.mark.parametrize("model", _tenant_models(), ids=lambda model: model.__name__)
def test_a_row_never_changes_its_club(model: type[models.Model]) -> None:
    rows, others = one_of_each("herzclub"), one_of_each("pikclub")
    with pytest.raises(IntegrityError, match="never changes its club"), transaction.atomic():
        model._base_manager.filter(pk=rows[model].pk).update(club=others[Club])


@pytest.mark.django_db
@pytest.mark.parametrize("model", _tenant_models(), ids=lambda model: model.__name__)
def test_plain_sql_is_held_to_it_too(model: type[models.Model]) -> None:
    rows, others = one_of_each("herzclub"), one_of_each("pikclub")
    table = model._meta.db_table
    with (
        pytest.raises(IntegrityError, match="never changes its club"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(
            f"UPDATE {table} SET club_id = %s WHERE id = %s",  # noqa: S608 - the table's own name
            [others[Club].pk, rows[model].pk],
        )


@pytest.mark.django_db
def test_pointing_at_another_row_of_the_same_club_is_fine() -> None:
    rows = one_of_each("herzclub")
    ben = Player.objects.create(club=rows[Club], name="Ben")
    for model, column in _POINTERS:
        if column == "player_id":
            assert model._base_manager.filter(pk=rows[model].pk).update(player=ben) == 1


# --- Migrations -------------------------------------------------------------------------------------------------------


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
    for model, column in _POINTERS:
        _refused(rows, others, model, column)


@pytest.mark.django_db(transaction=True)
def test_installing_triggers_again_changes_nothing() -> None:
    before = _triggers()
    call_command("migrate", verbosity=0)
    assert _triggers() == before
