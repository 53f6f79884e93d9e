"""The nightly bot league: off unless wanted, once a night, every bot in every game that it can play."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.catalog import GAMES
from league.models import BotMatch, League, Player, Season, SeasonStatus
from league.services import bot_league
from tests.people import People
from tests.services.given import carry_out, table

pytestmark = pytest.mark.django_db

# The club's clocks show 0:59 and 1:00 of 1 July, since Berlin has UTC + 2 in summer.
BEFORE = datetime(2026, 6, 30, 22, 59, tzinfo=UTC)
NIGHT = datetime(2026, 6, 30, 23, 0, tzinfo=UTC)


@pytest.fixture
def bots(people: People, settings: Any) -> list[Player]:
    """Five random bots, and the setting that lets them play two deals."""
    settings.BOT_LEAGUE_DEALS = 2
    return [Player.objects.create(club=people.club, name=f"Robo {n}", kind="bot", bot="random") for n in range(5)]


@pytest.mark.usefixtures("bots")
def test_it_is_off_unless_it_is_wanted(settings: Any) -> None:
    settings.BOT_LEAGUE_DEALS = 0
    assert bot_league.sweep(now=NIGHT) == 0
    assert not League.objects.filter(slug="bot-league").exists()


def test_a_bot_alone_does_not_play(people: People, settings: Any) -> None:
    settings.BOT_LEAGUE_DEALS = 2
    Player.objects.create(club=people.club, name="Robo", kind="bot", bot="random")
    assert bot_league.sweep(now=NIGHT) == 0
    assert not BotMatch.objects.exists()


def test_every_bot_plays_every_game_once_a_night(people: People, bots: list[Player]) -> None:
    """Five at tables of four are one table of three and one of two in XXL (2 to 6 play), and one of five elsewhere."""
    asked = bot_league.sweep(now=NIGHT)
    matches = list(BotMatch.objects.prefetch_related("seats"))
    assert asked == len(matches)
    seats = Counter((match.game, seat.player_id) for match in matches for seat in match.seats.all())
    assert seats == Counter((game, bot.pk) for game in GAMES for bot in bots)
    sizes = {game: sorted(match.seats.count() for match in matches if match.game == game) for game in GAMES}
    assert sizes["xxl-6"] == [2, 3]
    assert sizes["und-tschuess"] == [5]
    assert {(match.deals, match.club_id) for match in matches} == {(2, people.club.pk)}
    assert bot_league.sweep(now=NIGHT + timedelta(hours=5)) == 0


@pytest.mark.usefixtures("bots")
def test_a_night_begins_at_one_by_the_clubs_clock() -> None:
    bot_league.sweep(now=BEFORE)
    assert set(BotMatch.objects.values_list("played_on", flat=True)) == {date(2026, 6, 30)}
    bot_league.sweep(now=NIGHT)
    assert set(BotMatch.objects.values_list("played_on", flat=True)) == {date(2026, 6, 30), date(2026, 7, 1)}
    assert Season.objects.filter(league__slug="bot-league").count() == 1


@pytest.mark.usefixtures("bots")
def test_its_matches_count_in_its_own_season() -> None:
    now = timezone.now()
    bot_league.sweep(now=now)
    match = BotMatch.objects.filter(game="xxl-2").order_by("pk")[0]
    carry_out(match)
    season = Season.objects.get(league__slug="bot-league")
    year = match.played_on.year
    assert (season.slug, season.starts_on, season.ends_on) == (str(year), date(year, 1, 1), date(year, 12, 31))
    assert {row[1] for row in table(season)} == set(match.seats.values_list("player__name", flat=True))


@pytest.mark.usefixtures("bots")
def test_a_closed_season_is_a_pause(people: People) -> None:
    other = [Player.objects.create(club=people.other_club, name=f"X {n}", kind="bot", bot="random") for n in range(2)]
    bot_league.sweep(now=NIGHT)
    Season.objects.filter(club=people.club, league__slug="bot-league").update(status=SeasonStatus.CLOSED)
    BotMatch.objects.all().delete()
    # The other club's bots play on: only a club's own season is closed.
    assert bot_league.sweep(now=NIGHT) > 0
    players = BotMatch.objects.values_list("seats__player", flat=True)
    assert set(players) == {bot.pk for bot in other}


@pytest.mark.usefixtures("bots")
def test_why_a_club_does_not_play_is_told_once_a_night(
    people: People, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_league, "_told_of", {})
    bot_league.sweep(now=NIGHT)
    Season.objects.filter(club=people.club).update(status=SeasonStatus.CLOSED)
    BotMatch.objects.all().delete()
    for _sweep in range(3):
        assert bot_league.sweep(now=NIGHT) == 0
    assert caplog.text.count("do not play tonight") == 1
    bot_league.sweep(now=NIGHT + timedelta(days=1))
    assert caplog.text.count("do not play tonight") == 2
