"""The demo club of an empty installation."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from django.contrib.auth import authenticate
from django.db import transaction

from league.models import (
    AuditEvent,
    BotMatch,
    Club,
    Job,
    Member,
    PlannedEvening,
    Player,
    Role,
    Round,
    Season,
    Session,
    SessionStatus,
    Standing,
    Tournament,
    TournamentStatus,
    User,
)
from league.services import demo, seasons, tokens
from tests.people import NOW
from tests.services.given import carry_out, rows

pytestmark = pytest.mark.django_db


def _fill() -> list[str]:
    saved: list[str] = []
    demo.fill(save=saved.extend, now=NOW)
    return saved


def _empty() -> None:
    User.objects.all().delete()
    Standing.objects.all().delete()
    Club.objects.all().delete()


@pytest.fixture(scope="module")
def lines(django_db_setup: None, django_db_blocker: Any) -> Iterator[list[str]]:
    """What the demo club saves, which is filled once for all tests here; each takes back what it changes."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield _fill()
        transaction.set_rollback(True)


@pytest.mark.usefixtures("lines")
def test_a_club_to_look_at() -> None:
    assert Club.objects.get().slug == demo.CLUB_SLUG
    evenings = Session.objects.filter(table=None)
    assert evenings.count() == 8
    assert set(evenings.values_list("status", "counts")) == {(SessionStatus.COMPLETE, True)}
    # Nothing in it is implausible: no warning had to be confirmed.
    assert [one for one in Session.objects.values_list("confirmed", flat=True) if one] == []
    assert [one for one in Round.objects.values_list("confirmed", flat=True) if one] == []
    assert {session.seats.count() for session in evenings} == {3, 4, 5, 6}
    assert Standing.objects.table(Season.objects.get()).count() == Player.objects.filter(kind="person").count()


def test_who_has_the_lines_gets_in(lines: list[str]) -> None:
    accounts = dict.fromkeys(("owner", "scorekeeper", "member"), "")
    for line in lines:
        name, *_, secret = line.split()
        if name in accounts:
            accounts[name] = secret
    for name, password in accounts.items():
        assert authenticate(username=name, password=password) == User.objects.get(username=name)
        assert Member.objects.get(user__username=name).role == Role(name)
    (raw,) = (word for line in lines for word in line.split() if word.startswith("tl_"))
    assert tokens.authenticate(raw=raw, now=NOW) is not None
    assert len(set(accounts.values())) == 3


def test_every_installation_has_its_own_secrets(lines: list[str]) -> None:
    _empty()
    assert not set(lines) & set(_fill())


@pytest.mark.usefixtures("lines")
def test_its_standings_are_true() -> None:
    fields = ("player", "sessions", "place_total", "wins", "last_session", "last_place", "sort_key")
    stored = set(Standing.objects.values_list(*fields))
    Standing.objects.all().delete()
    seasons.recompute(season=Season.objects.get())
    assert set(Standing.objects.values_list(*fields)) == stored


@pytest.mark.usefixtures("lines")
def test_its_next_evening_is_the_monday_after() -> None:
    evening = PlannedEvening.objects.get()
    # 30 November 2026 is a Monday itself.
    assert evening.starts_at.astimezone(Club.objects.get().zone).isoformat()[:16] == "2026-12-07T19:30"
    assert set(evening.sign_ups.values_list("state", flat=True)) == {"coming"}
    assert evening.sign_ups.count() == 5


@pytest.mark.usefixtures("lines")
def test_it_has_a_tournament_that_is_over_and_one_that_goes_on() -> None:
    """Eight at tables of four for three rounds, then a final table; eight in a bracket at their semi-finals."""
    over, going_on = Tournament.objects.order_by("pk")
    assert (over.status, going_on.status) == (TournamentStatus.FINISHED, TournamentStatus.RUNNING)
    played = Session.objects.filter(table__round__tournament=over)
    assert sorted(session.seats.count() for session in played) == [4] * 7
    assert set(played.values_list("status", flat=True)) == {SessionStatus.COMPLETE}
    duels = Session.objects.filter(table__round__tournament=going_on)
    assert sorted(duels.values_list("status", flat=True)) == [SessionStatus.COMPLETE] * 4 + [SessionStatus.OPEN] * 2


@pytest.mark.usefixtures("lines")
def test_its_bot_match_can_be_played() -> None:
    job = Job.objects.get(parent=None)
    carry_out(BotMatch.objects.get())
    job.refresh_from_db()
    assert (job.state, job.done, job.error) == ("done", 4, "")
    assert Session.objects.filter(table=None).count() == 9


def test_access_is_saved_before_anything_is_committed() -> None:
    _empty()
    before = rows()

    def save(lines: Sequence[str]) -> None:
        assert len(lines) == 4
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        demo.fill(save=save, now=NOW)
    assert rows() == before
    assert not AuditEvent.objects.exists()
