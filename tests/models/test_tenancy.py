"""A row never changes its club and never points at a row of another club, whoever writes."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import IntegrityError, connection, models, transaction

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
POINTERS = [(model, field.attname) for model in _tenant_models() for field in _pointers(model)]


def refused(rows: Rows, others: Rows, model: type[models.Model], column: str) -> None:
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
    assert len(POINTERS) >= 20


@pytest.fixture(scope="module")
def clubs(django_db_setup: None, django_db_blocker: Any) -> Iterator[tuple[Rows, Rows]]:
    """Two clubs with one row of each model, written once: each test takes back what it changes."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield one_of_each("herzclub"), one_of_each("pikclub")
        transaction.set_rollback(True)


@pytest.mark.django_db
@pytest.mark.parametrize(("model", "column"), POINTERS, ids=lambda value: getattr(value, "__name__", value))
def test_a_pointer_stays_within_the_club(clubs: tuple[Rows, Rows], model: type[models.Model], column: str) -> None:
    refused(*clubs, model, column)


@pytest.mark.django_db
@pytest.mark.parametrize("model", _tenant_models(), ids=lambda model: model.__name__)
def test_a_row_never_changes_its_club(clubs: tuple[Rows, Rows], model: type[models.Model]) -> None:
    rows, others = clubs
    with pytest.raises(IntegrityError, match="never changes its club"), transaction.atomic():
        model._base_manager.filter(pk=rows[model].pk).update(club=others[Club])


@pytest.mark.django_db
@pytest.mark.parametrize("model", _tenant_models(), ids=lambda model: model.__name__)
def test_plain_sql_is_held_to_it_too(clubs: tuple[Rows, Rows], model: type[models.Model]) -> None:
    rows, others = clubs
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
def test_pointing_at_another_row_of_the_same_club_is_fine(clubs: tuple[Rows, Rows]) -> None:
    rows, _others = clubs
    ben = Player.objects.create(club=rows[Club], name="Ben")
    for model, column in POINTERS:
        if column == "player_id":
            assert model._base_manager.filter(pk=rows[model].pk).update(player=ben) == 1
