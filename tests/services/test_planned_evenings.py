"""Planned evenings: who comes and who waits, in the order in which they said so, however many say it at once."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from league.models import AuditEvent, Member, PlannedEvening, Player, Role, SignUp
from league.services import planned_evenings as service
from league.services.errors import Conflict, Forbidden, InputError, NotFound
from tests.people import NOW, People
from tests.services.threads import at_once

SOON = NOW + timedelta(days=7)


def plan(people: People, **fields: Any) -> PlannedEvening:
    given = {"starts_at": SOON, **fields}
    return service.plan(access=people.access(people.scorekeeper), fields=given, now=NOW)


def says(people: People, evening: PlannedEvening, *names: str, state: str = "coming") -> None:
    """The scorekeeper says it for each, one after the other."""
    access = people.access(people.scorekeeper)
    for name in names:
        player = Player.objects.get(club=people.club, name=name)
        service.answer(access=access, evening_id=evening.pk, state=state, player_id=player.pk, now=NOW)


def lists(evening: PlannedEvening) -> tuple[str, str, str]:
    """First letters of those who come, wait and don't come, in order."""
    told = service.attendance(PlannedEvening.objects.get(pk=evening.pk))
    return tuple("".join(one.player.name[0] for one in some) for some in (told.coming, told.waiting, told.declined))  # type: ignore[return-value]


def change(people: People, evening: PlannedEvening, **changes: Any) -> PlannedEvening:
    access = people.access(people.scorekeeper)
    return service.change(access=access, evening_id=evening.pk, changes=changes, now=NOW)


@pytest.mark.django_db
def test_places_go_to_the_first_and_then_to_who_waits_longest(people: People) -> None:
    evening = plan(people, capacity=2)
    says(people, evening, "Ann", "Ben", "Cem", "Dora", "Eva")
    assert lists(evening) == ("AB", "CDE", "")
    # Saying it again changes nothing.
    says(people, evening, "Dora", "Ann")
    assert lists(evening) == ("AB", "CDE", "")
    says(people, evening, "Ann", state="declined")
    assert lists(evening) == ("BC", "DE", "A")
    # Who comes back stands at the end.
    says(people, evening, "Ann")
    assert lists(evening) == ("BC", "DEA", "")
    says(people, evening, "Dora", state="declined")
    assert lists(evening) == ("BC", "EA", "D")
    event = AuditEvent.objects.filter(action="evening.answered").order_by("pk")[5]
    ann, cem = (Player.objects.get(club=people.club, name=name).pk for name in ("Ann", "Cem"))
    assert (event.object_id, event.data) == (evening.pk, {"player": ann, "state": "declined", "players": [cem]})


@pytest.mark.django_db
def test_more_or_fewer_places_move_the_end_of_the_queue(people: People) -> None:
    evening = plan(people)
    says(people, evening, "Ann", "Ben", "Cem", "Dora")
    assert lists(evening) == ("ABCD", "", "")
    change(people, evening, capacity=1)
    assert lists(evening) == ("A", "BCD", "")
    says(people, evening, "Eva")
    change(people, evening, capacity=3)
    assert lists(evening) == ("ABC", "DE", "")
    evening = change(people, evening, capacity=None)
    assert lists(evening) == ("ABCDE", "", "")
    assert evening.revision == 3


@pytest.mark.django_db
def test_a_change_counts_once_and_one_that_changes_nothing_does_not(people: People) -> None:
    evening = plan(people, location="Ann's", season=people.season.pk)
    assert (evening.revision, evening.season) == (0, people.season)
    evening = change(people, evening, location=" Ben's   place ", season=None)
    assert (evening.location, evening.season, evening.revision) == ("Ben's place", None, 1)
    assert change(people, evening, location="Ben's place").revision == 1
    assert AuditEvent.objects.filter(action="evening.changed").get().data["fields"] == ["location", "season_id"]


@pytest.mark.django_db
def test_what_is_called_off_stays_and_takes_no_more(people: People) -> None:
    evening = plan(people)
    says(people, evening, "Ann")
    access = people.access(people.scorekeeper)
    for _again in range(2):
        cancelled = service.cancel(access=access, evening_id=evening.pk, now=NOW)
        assert (cancelled.cancelled_at, cancelled.revision) == (NOW, 1)
    assert lists(evening) == ("A", "", "")
    with pytest.raises(Conflict, match="evening_cancelled"):
        says(people, evening, "Ben")
    with pytest.raises(Conflict, match="evening_cancelled"):
        change(people, evening, note="After all")


@pytest.mark.django_db
def test_nobody_comes_to_what_is_over(people: People) -> None:
    evening = plan(people)
    access, player = people.access(people.scorekeeper), people.players[0].pk
    late: dict[str, Any] = {"access": access, "evening_id": evening.pk, "state": "coming", "player_id": player}
    service.answer(**late, now=SOON + timedelta(hours=12))
    with pytest.raises(Conflict, match="evening_over"):
        service.answer(**{**late, "state": "declined"}, now=SOON + timedelta(hours=12, seconds=1))
    # Its words may still be put right, with the form's unchanged time beside them.
    changes = {"starts_at": SOON, "note": "It was good"}
    changed = service.change(access=access, evening_id=evening.pk, changes=changes, now=SOON + timedelta(days=1))
    assert changed.note == "It was good"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        ({"starts_at": None}, "starts_at", "required"),
        ({"starts_at": NOW - timedelta(minutes=1)}, "starts_at", "out_of_range"),
        ({"starts_at": NOW + timedelta(days=2000)}, "starts_at", "out_of_range"),
        ({"capacity": 0}, "capacity", "out_of_range"),
        ({"capacity": 1001}, "capacity", "out_of_range"),
        ({"location": "x" * 101}, "location", "invalid"),
        ({"note": "a\u202eb"}, "note", "invalid"),
        ({"season": 10**9}, "season", "unknown_season"),
    ],
)
def test_what_can_not_be_is_refused(people: People, fields: dict[str, Any], field: str, code: str) -> None:
    with pytest.raises(InputError) as caught:
        plan(people, **fields)
    assert [(problem.path, problem.code) for problem in caught.value.problems] == [((field,), code)]
    assert not PlannedEvening.objects.exists()


@pytest.mark.django_db
def test_members_speak_for_themselves(people: People) -> None:
    evening = plan(people)
    ann, ben = people.players[:2]
    access = people.access(people.member)
    answer: Callable[..., SignUp] = partial(service.answer, access=access, evening_id=evening.pk, now=NOW)
    with pytest.raises(NotFound):
        answer(state="coming")
    Player.objects.filter(pk=ann.pk).update(member=Member.objects.get(user=people.member))
    assert answer(state="coming").player == ann
    assert answer(state="declined", player_id=ann.pk).state == "declined"
    for other in (ben.pk, people.other_players[0].pk, 10**9):
        with pytest.raises(Forbidden):
            answer(state="coming", player_id=other)
    for call in (
        partial(service.plan, access=access, fields={"starts_at": SOON}, now=NOW),
        partial(service.change, access=access, evening_id=evening.pk, changes={"note": "x"}, now=NOW),
        partial(service.cancel, access=access, evening_id=evening.pk, now=NOW),
    ):
        with pytest.raises(Forbidden):
            call()
    assert lists(evening) == ("", "", "A")


@pytest.mark.django_db
def test_the_place_of_who_is_archived_can_be_given_up(people: People) -> None:
    evening = plan(people, capacity=1)
    says(people, evening, "Ann", "Ben")
    Player.objects.filter(pk=people.players[0].pk).update(archived_at=NOW)
    says(people, evening, "Ann", state="declined")
    assert lists(evening) == ("B", "", "A")
    with pytest.raises(InputError):
        says(people, evening, "Ann")


@pytest.mark.django_db
def test_nobody_of_another_club_and_no_bot_comes(people: People) -> None:
    evening = plan(people)
    gone = Player.objects.create(club=people.club, name="Gone", archived_at=NOW)
    bot = Player.objects.create(club=people.club, name="Bot", kind="bot", bot="random")
    access = people.access(people.scorekeeper)
    for player in (people.other_players[0], gone, bot):
        with pytest.raises(InputError):
            service.answer(access=access, evening_id=evening.pk, state="coming", player_id=player.pk, now=NOW)
    with pytest.raises(InputError):
        service.answer(access=access, evening_id=evening.pk, state="waiting", player_id=people.players[0].pk, now=NOW)
    stranger = people.access(people.stranger)
    with pytest.raises(NotFound):
        own = people.other_players[0].pk
        service.answer(access=stranger, evening_id=evening.pk, state="coming", player_id=own, now=NOW)
    assert not SignUp.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_many_at_once_fill_the_places_and_nobody_is_lost(people: People) -> None:
    """Six for three places, at once; then those who come leave at once, and whoever waited comes."""
    evening = plan(people, capacity=3)
    access = people.access(people.scorekeeper)
    Member.objects.filter(user=people.scorekeeper).update(role=Role.SCOREKEEPER)

    def say(player: Player, state: str) -> str:
        said = service.answer(access=access, evening_id=evening.pk, state=state, player_id=player.pk, now=NOW)
        return said.state

    found = at_once([partial(say, player, "coming") for player in people.players])
    assert sorted(map(str, found)) == ["coming"] * 3 + ["waiting"] * 3
    told = service.attendance(PlannedEvening.objects.get(pk=evening.pk))
    assert (len(told.coming), len(told.waiting)) == (3, 3)
    waited = {one.player_id for one in told.waiting}
    at_once([partial(say, one.player, "declined") for one in told.coming])
    told = service.attendance(PlannedEvening.objects.get(pk=evening.pk))
    assert {one.player_id for one in told.coming} == waited
    assert (len(told.waiting), len(told.declined)) == (0, 3)
