"""The nightly recount finds a wrong row, says so and puts it right."""

import logging
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db.models import F
from django.test import Client

from league.models import AuditEvent, League, Player, Season, Standing
from league.services import recounts, standings
from tests.people import NOW, People
from tests.services.given import record, series

pytestmark = pytest.mark.django_db

NIGHT = datetime(2026, 12, 1, 3, tzinfo=UTC)


@pytest.fixture
def season(people: People) -> Season:
    record(people, series({"Ann": 1, "Ben": 2, "Cem": 3}))
    Season.objects.update(created_at=NOW)
    return people.season


def spoil(season: Season) -> list[int]:
    """A line with a win too many, one of somebody who never played, and one that is missing."""
    rows = {row.player.name: row for row in season.standings.select_related("player")}
    Standing.objects.filter(pk=rows["Ann"].pk).update(wins=0, sort_key=F("sort_key") + 1)
    dora = Player.objects.get(club=season.club, name="Dora")
    copied = rows["Ben"]
    Standing.objects.filter(pk=rows["Cem"].pk).delete()
    copied.pk, copied.player = None, dora
    copied.save()
    return sorted([rows["Ann"].player_id, rows["Cem"].player_id, dora.pk])


def alarms(caplog: Any) -> list[str]:
    return [one.getMessage() for one in caplog.records if one.levelno == logging.ERROR]


def test_a_wrong_line_is_an_alarm_and_put_right(season: Season, caplog: Any) -> None:
    told = list(Standing.objects.order_by("player").values("player", "wins", "sort_key", "place_total"))
    players = spoil(season)
    assert recounts.sweep(now=NIGHT) == season.pk
    assert list(Standing.objects.order_by("player").values("player", "wins", "sort_key", "place_total")) == told
    assert standings.differences(season=season) == []
    (alarm,) = alarms(caplog)
    assert str(season.pk) in alarm and all(str(player) in alarm for player in players)
    event = AuditEvent.objects.get(action="standings.differed")
    assert (event.object_id, event.data, event.user, event.at) == (season.pk, {"players": players}, None, NIGHT)
    assert recounts.last_alarm(season.club) == event
    season.refresh_from_db()
    assert season.checked_at == NIGHT == recounts.last_checked(season.club)


def test_each_open_season_once_a_night(season: Season, people: People, caplog: Any) -> None:
    # Before three in the morning nobody is due that was made the evening before.
    assert recounts.sweep(now=NIGHT - timedelta(seconds=1)) is None
    both = [recounts.sweep(now=NIGHT + timedelta(minutes=number)) for number in range(3)]
    assert both == [season.pk, people.other_season.pk, None]
    assert recounts.sweep(now=NIGHT + timedelta(hours=23, minutes=59)) is None
    Season.objects.filter(pk=people.other_season.pk).update(status="closed")
    next_night = NIGHT + timedelta(days=1)
    assert [recounts.sweep(now=next_night) for _again in range(2)] == [season.pk, None]
    assert not AuditEvent.objects.filter(action="standings.differed").exists()
    assert alarms(caplog) == []


def test_one_season_that_fails_does_not_hold_up_the_others(
    season: Season, people: People, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    record(people, series({"Dora": 1, "Eva": 1}))
    # A rule that this version does not know, as a database from elsewhere could have it.
    Season.objects.filter(pk=season.pk).update(tie_breaks=["dice"])
    monkeypatch.setattr(recounts, "_failed", {})
    assert [recounts.sweep(now=NIGHT) for _again in range(3)] == [season.pk, people.other_season.pk, None]
    assert f"season {season.pk} could not be counted" in alarms(caplog)[0]
    season.refresh_from_db()
    assert season.checked_at is None


def test_by_command(season: Season, people: People, capsys: pytest.CaptureFixture[str]) -> None:
    League.objects.filter(club=people.other_club).update(slug="other")
    call_command("check_standings")
    assert "2 seasons counted, 0 differed." in capsys.readouterr().out
    players = spoil(season)
    for _twice in range(2):
        with pytest.raises(CommandError, match="differed"):
            call_command("check_standings", "--only-look", "--club", "herzclub")
        named = ", ".join(map(str, players))
        assert f"herzclub/monday-league/2026: differed for players {named}\n1 seasons" in capsys.readouterr().out
    call_command("check_standings", "--club", "pikclub")
    with pytest.raises(CommandError, match="differed"):
        call_command("check_standings")
    call_command("check_standings")


def test_the_overview_tells_admins(season: Season, people: People) -> None:
    client = Client()
    client.force_login(people.admin)

    def told() -> str:
        return " ".join(client.get("/herzclub/manage/").content.decode().split())

    assert "are counted from scratch each night" in told()
    recounts.check(season_id=season.pk, now=NIGHT)
    assert "last on 1 Dec 2026" in told() and "No table ever differed" in told()
    spoil(season)
    recounts.check(season_id=season.pk, now=NIGHT + timedelta(days=1))
    assert "was not what the results add up to" in told()
    client.force_login(people.scorekeeper)
    assert "recount" not in told()
