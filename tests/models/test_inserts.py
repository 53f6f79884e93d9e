"""Rows stored or changed together are what `bulk_create` and `bulk_update` store."""

from datetime import UTC, datetime

import pytest
from django.db import DataError, IntegrityError, connection, transaction

from league.models import AuditEvent, Club, Player, PlayerKind, name_key
from league.models.inserts import create_like, insert_like, set_each

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
    insert_like(AuditEvent(club=club, at=NOW), {"object_id": range(1000, 1010), "action": names, "data": data})
    AuditEvent.objects.bulk_create(
        AuditEvent(club=club, at=NOW, object_id=1000 + number, action=name, data=data[number])
        for number, name in enumerate(names)
    )
    columns = [field.attname for field in AuditEvent._meta.concrete_fields if not field.primary_key]
    rows = list(AuditEvent.objects.order_by("pk").values(*columns))
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


def test_objects_are_stored_with_their_ids() -> None:
    club = _club()
    rows = [Player(club=club, name=f"P{one}", name_key=f"p{one}", created_at=NOW) for one in range(MANY)]
    create_like(rows, ["name", "name_key"])
    assert [Player.objects.get(pk=row.pk).name for row in rows[::100]] == [row.name for row in rows[::100]]
    # Saved again they are no new rows.
    rows[0].nickname = "First"
    rows[0].save()
    assert Player.objects.count() == MANY
    assert Player.objects.get(nickname="First").name == "P0"


def test_each_row_is_given_its_own_value() -> None:
    club = _club()
    names = [f"p{number:03}" for number in range(MANY)]
    ids = insert_like(Player(club=club, name="Same"), {"name_key": names})
    given = {pk: f"Name of {pk}" for pk in ids[1:]}
    set_each(Player, "name", given)
    assert dict(Player.objects.values_list("pk", "name")) == {ids[0]: "Same", **given}
    set_each(Player, "archived_at", {ids[0]: NOW, ids[1]: None})
    assert list(Player.objects.exclude(archived_at=None).values_list("pk", "archived_at")) == [(ids[0], NOW)]
    with pytest.raises(IntegrityError), transaction.atomic():
        set_each(Player, "name_key", {ids[0]: "p001"})


def test_no_row_is_none() -> None:
    assert insert_like(Player(), {"name": [], "name_key": []}) == []
    create_like([], ["name"])
    set_each(Player, "name", {})
    assert not Player.objects.exists()


def test_rows_that_are_not_alike_are_refused() -> None:
    club, other = _club(), Club.objects.create(name="There", slug="there")
    with pytest.raises(ValueError, match="name_key"):
        insert_like(Player(club=club), {"name": ["Ann", "Ben"], "name_key": ["ann"]})
    for odd in (Player(club=other), Player(club=club, archived_at=NOW), Player(club=club, created_at=NOW)):
        rows = [Player(club=club, name="Ann", name_key="ann"), odd]
        with pytest.raises(ValueError):
            create_like(rows, ["name", "name_key"])
    assert not Player.objects.exists()


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
