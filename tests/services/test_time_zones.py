"""Each club has its own clock: which day "today" is follows it, at midnight and where clocks are changed.

The moments are hand-worked from the rules of each zone: in Europe/Berlin clocks go from 02:00 to 03:00 on 29 March
2026 and from 03:00 back to 02:00 on 25 October 2026, both at 01:00 UTC; Australia/Lord_Howe changes by half an hour
and is 10:30 ahead of UTC in its winter, 11:00 in its summer, which begins on 4 October 2026 at 02:00.
"""

from datetime import UTC, date, datetime, timedelta

import pytest

from league.models import Club, Season, User
from league.services import access, bot_matches, clubs, players, results, setup
from league.services.bot_matches import BotMatchInput
from league.services.errors import InputError
from league.services.evenings import SeatInput, SessionInput
from tests.people import People

pytestmark = pytest.mark.django_db

BERLIN, LORD_HOWE, KATHMANDU = "Europe/Berlin", "Australia/Lord_Howe", "Asia/Kathmandu"
APIA, KIRITIMATI, PAGO_PAGO = "Pacific/Apia", "Pacific/Kiritimati", "Pacific/Pago_Pago"


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "moment", "today"),
    [
        # Midnight in winter is 23:00 UTC, in summer 22:00.
        (BERLIN, "2026-01-31 22:59:59", "2026-01-31"),
        (BERLIN, "2026-01-31 23:00:00", "2026-02-01"),
        (BERLIN, "2026-06-30 21:59:59", "2026-06-30"),
        (BERLIN, "2026-06-30 22:00:00", "2026-07-01"),
        # The day on which clocks go forward has 23 hours, the day on which they go back has 25.
        (BERLIN, "2026-03-28 23:00:00", "2026-03-29"),
        (BERLIN, "2026-03-29 21:59:59", "2026-03-29"),
        (BERLIN, "2026-03-29 22:00:00", "2026-03-30"),
        (BERLIN, "2026-10-24 22:00:00", "2026-10-25"),
        (BERLIN, "2026-10-25 22:59:59", "2026-10-25"),
        (BERLIN, "2026-10-25 23:00:00", "2026-10-26"),
        # Half an hour and three quarters beside the full hour.
        (LORD_HOWE, "2026-07-01 13:29:59", "2026-07-01"),
        (LORD_HOWE, "2026-07-01 13:30:00", "2026-07-02"),
        (LORD_HOWE, "2026-10-04 12:59:59", "2026-10-04"),
        (LORD_HOWE, "2026-10-04 13:00:00", "2026-10-05"),
        (KATHMANDU, "2026-11-30 18:14:59", "2026-11-30"),
        (KATHMANDU, "2026-11-30 18:15:00", "2026-12-01"),
        # On both sides of the date line: 13, 14 and -11 hours. Between the last two it is never the same day.
        (APIA, "2026-11-30 10:59:59", "2026-11-30"),
        (APIA, "2026-11-30 11:00:00", "2026-12-01"),
        (KIRITIMATI, "2026-11-30 09:59:59", "2026-11-30"),
        (KIRITIMATI, "2026-11-30 10:00:00", "2026-12-01"),
        (PAGO_PAGO, "2026-12-01 10:59:59", "2026-11-30"),
        (PAGO_PAGO, "2026-12-01 11:00:00", "2026-12-01"),
        # At the end of February and of the year.
        (PAGO_PAGO, "2028-03-01 10:59:59", "2028-02-29"),
        (KIRITIMATI, "2026-12-31 10:00:00", "2027-01-01"),
    ],
)
def test_today_is_the_last_day_that_can_have_been_played_on(people: People, zone: str, moment: str, today: str) -> None:
    club, now = people.club, utc(moment)
    Club.objects.filter(pk=club.pk).update(time_zone=zone)
    club.refresh_from_db()
    day = date.fromisoformat(today)
    assert club.local_date(now) == day
    by = people.access(people.scorekeeper)
    seats = tuple(SeatInput(name) for name in ("Ann", "Ben"))

    def play(on: date) -> date:
        data = SessionInput(format="pure_xxl", played_on=on, players=seats)
        return results.record(access=by, data=data, confirm=frozenset(), now=now).played_on

    assert play(day) == day
    with pytest.raises(InputError) as caught:
        play(day + timedelta(days=1))
    assert [(one.path, one.code) for one in caught.value.problems] == [(("played_on",), "in_the_future")]
    assert f"{day.day} {day:%b %Y}" in caught.value.problems[0].message
    assert zone in caught.value.problems[0].message


def test_two_clubs_at_one_moment(people: People) -> None:
    """At 10:30 UTC it is the 1st in Kiritimati, still the day before yesterday in Pago Pago."""
    now = utc("2026-12-01 10:30")
    Club.objects.filter(pk=people.club.pk).update(time_zone=KIRITIMATI)
    Club.objects.filter(pk=people.other_club.pk).update(time_zone=PAGO_PAGO)
    played = []
    for user in (people.owner, people.stranger):
        its = people.access(user)
        for name in ("Bot 1", "Bot 2"):
            players.create(access=its, name=name, kind="bot", bot="random", now=now)
        match = bot_matches.request(access=its, data=BotMatchInput("xxl-6", ("Bot 1", "Bot 2")), now=now)
        played.append(match.played_on)
    assert played == [date(2026, 12, 2), date(2026, 11, 30)]


def test_another_time_zone_moves_no_day_that_is_stored(people: People) -> None:
    now = utc("2026-11-30 12:00")
    seats = tuple(SeatInput(name) for name in ("Ann", "Ben"))
    data = SessionInput(format="pure_xxl", played_on=date(2026, 11, 30), players=seats)
    session = results.record(access=people.access(people.owner), data=data, confirm=frozenset(), now=now)
    clubs.update(access=people.access(people.admin), time_zone=PAGO_PAGO, now=now)
    session.refresh_from_db()
    assert session.played_on == date(2026, 11, 30)


def test_a_new_club_has_the_installations_zone_or_the_one_it_names(people: People, settings: object) -> None:
    now = utc("2026-11-30 12:00")
    made = clubs.create(owner=people.member, name="Karo", slug="karo", now=now)
    assert made.time_zone == BERLIN
    settings.TIME_ZONE = KATHMANDU  # type: ignore[attr-defined]
    assert clubs.create(owner=people.member, name="Kreuz", slug="kreuz", now=now).time_zone == KATHMANDU
    assert clubs.create(owner=people.member, name="Pik", slug="pik", time_zone=APIA, now=now).time_zone == APIA
    for odd in ("", "Berlin", "Europe/berlin", "/etc/passwd", "\0", "x" * 70, "localtime", "Factory"):
        with pytest.raises(InputError) as caught:
            clubs.create(owner=people.member, name="Ass", slug="ass", time_zone=odd, now=now)
        assert [(one.path, one.code) for one in caught.value.problems] == [(("time_zone",), "unknown_time_zone")]
    assert not Club.objects.filter(slug="ass").exists()


def test_the_first_season_begins_with_the_year_of_the_installation(settings: object) -> None:
    """Twelve noon of New Year's Eve in Greenwich is New Year's Day in Kiritimati."""
    settings.TIME_ZONE = KIRITIMATI  # type: ignore[attr-defined]
    setup.first_owner(
        code=setup.setup_code(),
        username="dora",
        password="queen-of-spades-7",
        club_name="Herz",
        club_slug="herz",
        league_name="Monday League",
        season_name="2027",
        now=utc("2026-12-31 12:00"),
    )
    assert Season.objects.get().starts_on == date(2027, 1, 1)
    assert access.of_user(user=User.objects.get(), club_slug="herz").club.time_zone == KIRITIMATI
