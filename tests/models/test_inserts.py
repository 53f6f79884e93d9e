"""Rows stored together are what `bulk_create` stores."""

from datetime import UTC, datetime

import pytest
from django.db import DataError, IntegrityError, connection, transaction

from league.models import AuditEvent, Club, Player, PlayerKind, name_key
from league.models.inserts import insert_like

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 12, 1, 18, 30, 15, 123456, tzinfo=UTC)
# More than one statement of SQLite has room for, by far.
MANY = 700


def _club() -> Club:
    return Club.objects.create(name="Here", slug="here")


def test_rows_are_as_bulk_create_stores_them() -> None:
    club = _club()
    names = ["Ann", 'O\'Hara "Bo"', "Çem {1,2}", "back\\slash", "", "NULL", "50 %", "line\nbreak", "null", "🂡"]
    data: list[dict[str, object]] = [{"name": one, "of": [1, None, 1.5, True, one]} for one in names]
    insert_like(AuditEvent(club=club, at=NOW), {"object_id": range(10), "action": names, "data": data})
    AuditEvent.objects.bulk_create(
        AuditEvent(club=club, at=NOW, object_id=number, action=name, data=data[number])
        for number, name in enumerate(names)
    )
    rows = list(AuditEvent.objects.order_by("pk").values())
    for row in rows:
        del row["id"]
    assert len(rows) == 20
    assert rows[:10] == rows[10:]
    assert [row["action"] for row in rows[:10]] == names
    assert [row["data"] for row in rows[:10]] == data
    assert {row["at"] for row in rows} == {NOW}


def test_ids_come_in_the_order_of_the_rows() -> None:
    club = _club()
    names = [f"Player {number * 7919 % MANY:03}" for number in range(MANY)]
    ids = insert_like(Player(club=club, archived_at=NOW), {"name": names, "name_key": [name_key(one) for one in names]})
    assert Player.objects.in_bulk(ids).keys() == set(ids)
    stored = dict(Player.objects.values_list("pk", "name"))
    assert [stored[pk] for pk in ids] == names
    # What the pattern says, and what it leaves to the model.
    assert set(Player.objects.values_list("club", "kind", "archived_at", "nickname")) == {
        (club.pk, PlayerKind.PERSON, NOW, "")
    }


def test_no_row_is_none() -> None:
    assert insert_like(Player(), {"name": [], "name_key": []}) == []


def test_the_database_refuses_what_it_refuses_else() -> None:
    club, other = _club(), Club.objects.create(name="There", slug="there")
    player = Player.objects.create(club=other, name="Ann", name_key="ann")
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_like(Player(club=other), {"name": ["Ann"], "name_key": ["ann"]})
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_like(Player(club=club), {"name": ["Ben"], "name_key": ["ben"], "merged_into_id": [player.pk]})
    if connection.vendor == "postgresql":
        # Not cut to the column's length either.
        with pytest.raises(DataError), transaction.atomic():
            insert_like(Player(club=club), {"name": ["x" * 200], "name_key": ["x"]})
    assert not Player.objects.filter(club=club).exists()
