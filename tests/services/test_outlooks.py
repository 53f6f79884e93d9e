"""What an outlook takes to be given, from what is stored: evenings left, tables, divisions."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from league.models import Division, PlannedEvening, Season, Standing
from league.scoring.season_outlook import Left
from league.services import outlooks
from league.services.outlooks import SeasonOutlook, Wanted
from tests.people import NOW, People
from tests.services.given import record, series

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(people: People) -> Season:
    """Two evenings of three players at one table."""
    for day in (5, 12):
        record(people, replace(series({"Ann": 1, "Ben": 2, "Cem": 3}), played_on=date(2026, 10, day)))
    return people.season


def of(season: Season, wanted: Wanted | None = None) -> SeasonOutlook:
    season.refresh_from_db()
    return outlooks.of_season(season, wanted or Wanted(), now=NOW)


def test_evenings_left_by_the_number_that_is_planned(played: Season) -> None:
    assert (of(played).reason, of(played).left) == ("unknown_evenings", None)
    Season.objects.update(planned_evenings=5)
    assert of(played).left == Left(3, 3, one_table=True)
    Season.objects.update(planned_evenings=1)
    assert of(played).left == Left(0, 3, one_table=True)
    Season.objects.update(planned_evenings=100)
    assert of(played).reason == "too_many_evenings"
    Season.objects.update(status="closed")
    assert of(played).left == Left(0, 3, one_table=True)


def test_evenings_left_by_the_calendar(played: Season) -> None:
    """One is over, two are to come, one of them called off."""
    for days, cancelled in ((-7, None), (7, None), (14, NOW)):
        PlannedEvening.objects.create(
            club=played.club, season=played, starts_at=NOW + timedelta(days=days), cancelled_at=cancelled
        )
    assert of(played).left == Left(1, 3, one_table=True)
    # The season's own number goes before, and the reader's before both.
    Season.objects.update(planned_evenings=4)
    assert of(played).left == Left(2, 3, one_table=True)
    assert of(played, Wanted(evenings=7, largest=6, one_table=False)).left == Left(7, 6, one_table=False)


def test_a_second_table_on_an_evening(people: People, played: Season) -> None:
    Season.objects.update(planned_evenings=3)
    record(people, replace(series({"Dora": 1, "Eva": 2}), played_on=date(2026, 10, 12)))
    assert of(played).left == Left(1, 3, one_table=False)


def test_each_division_has_an_outlook_of_its_own(people: People, played: Season) -> None:
    """Ben leads the lower division, in which Cem can't come up any more: 2 against 3 on average, one evening left."""
    Season.objects.update(planned_evenings=3, has_divisions=True)
    upper, lower = (
        Division.objects.create(club=played.club, season=played, level=level, name=name)
        for level, name in ((1, "First"), (2, "Second"))
    )
    Standing.objects.filter(player__name="Ann").update(division=upper)
    Standing.objects.exclude(player__name="Ann").update(division=lower)
    first, second = of(played).divisions
    assert [(one.division and one.division.name, len(one.players)) for one in (first, second)] == [
        *(("First", 1), ("Second", 2))
    ]
    assert first.players[0].prospect.win.certain == "yes"
    ben, cem = second.players
    # At one table of two: Ben 2 2 and then 2 at worst, Cem 3 3 and then 1 at best, 7/3.
    assert (ben.prospect.win.certain, cem.prospect.win.possible) == ("yes", "no")


def test_a_season_in_which_nobody_stands(people: People) -> None:
    assert of(people.season, Wanted(evenings=3)).reason == "nobody_stands"
