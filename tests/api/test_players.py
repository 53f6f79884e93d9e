"""Merging and erasing players by the API."""

from tests.api.client import Program, places
from tests.api.evenings import game, opened
from tests.people import People


def test_merged_taken_apart_and_erased(admin: Program, people: People) -> None:
    ann, eva = people.players[0].pk, people.players[4].pk
    body = opened("Eva", "Ben", format="single_game", rounds=[game("xxl-6", Eva=130, Ben=120)])
    session = admin.post("sessions/", body).json()["url"]

    def names() -> list[str]:
        return [one["player"]["name"] for one in admin.get(session).json()["players"]]

    merged = admin.post(f"players/{eva}/merge/", {"into": ann}, Idempotency_Key="one")
    assert merged.status_code == 200
    assert (merged.json()["merged_into"], merged.json()["archived_at"] is not None) == (ann, True)
    assert names() == ["Ann", "Ben"]
    assert admin.post(f"players/{eva}/merge/", {"into": ann}, Idempotency_Key="one").json() == merged.json()
    assert admin.post(f"players/{eva}/merge/", {"into": ann}).status_code == 409
    assert admin.post(f"players/{eva}/unmerge/").json()["merged_into"] is None
    assert admin.post(f"players/{eva}/unmerge/").status_code == 404
    assert names() == ["Eva", "Ben"]
    asked = admin.post(f"players/{eva}/erase/", {})
    assert (asked.status_code, asked.json()["confirm"]) == (422, ["erase"])
    gone = admin.post(f"players/{eva}/erase/", {"confirm": ["erase"]}).json()
    assert (gone["name"], gone["erased_at"] is not None) == (f"Player {eva}", True)
    assert names() == [f"Player {eva}", "Ben"]
    replayed = admin.post(f"players/{eva}/merge/", {"into": ann}, Idempotency_Key="one")
    assert (replayed.status_code, replayed.json()["name"]) == (200, f"Player {eva}")


def test_whom_one_can_not_merge_into(admin: Program, people: People) -> None:
    ann, other = people.players[0].pk, people.other_players[0].pk
    for target, code in ((other, "unknown_player"), (ann, "same_player")):
        answer = admin.post(f"players/{ann}/merge/", {"into": target})
        assert (answer.status_code, places(answer)) == (400, [("#/into", code)])
    assert admin.post(f"players/{other}/merge/", {"into": ann}).status_code == 404
    assert admin.post(f"players/{other}/erase/", {"confirm": ["erase"]}).status_code == 404
