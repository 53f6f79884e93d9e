"""The nightly bot league: where the installation wants it, the bots of every club play each other once a night.

Terms: a *night* begins at 1:00 in the club's time zone and bears the day's date; a club's *bot league* has the short
name `bot-league`, with a season for each year. Promises: of every game that two or more bots of the club can play, each
bot plays one match a night, at tables as even as can be, drawn anew; a night is played once, whoever sweeps, and one
that was missed is not made up for. Off unless `BOT_LEAGUE_DEALS` is set. Never: plays; it asks for bot matches like
anybody.
"""

import logging
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from random import Random

from django.conf import settings
from django.db import transaction
from django.db.models import Count
from django.utils import translation
from django.utils.translation import gettext as _

from games.bots import plays
from games.catalog import GAMES, GameInfo
from games.core import shuffled
from league.models import BotMatch, Club, League, Player, PlayerKind, Role, Season
from league.pairing.sizes import table_sizes
from league.services import bot_matches, seasons
from league.services.access import Access, Actor
from league.services.errors import ServiceError

log = logging.getLogger(__name__)

LEAGUE = "bot-league"
_HOUR = 1
# At which most of our games are played.
_TABLE = 4
# By club, the last night on which its bots could not play, as far as this process has told.
_told_of: dict[int, date] = {}


def sweep(*, now: datetime) -> int:
    """Ask for the matches of this night in every club that has none yet. Returns how many were asked for."""
    if not settings.BOT_LEAGUE_DEALS:
        return 0
    playing = Player.objects.filter(kind=PlayerKind.BOT, archived_at=None)
    several = playing.values("club").annotate(bots=Count("pk")).filter(bots__gte=2)
    asked = 0
    for club in Club.objects.filter(pk__in=several.values("club")).order_by("pk"):
        night = _night(club, now)
        if not BotMatch.objects.filter(club=club, season__league__slug=LEAGUE, played_on=night).exists():
            try:
                asked += play_night(club=club, night=night, now=now)
            except ServiceError as error:
                # A club's own affair, as a season that was closed; the other clubs play.
                _tell(club, night, error)
    return asked


def _tell(club: Club, night: date, error: ServiceError) -> None:
    """Log why a club's bots don't play, once a night: the next sweep comes in seconds."""
    if _told_of.get(club.pk) != night:
        _told_of[club.pk] = night
        log.warning("The bots of club %s do not play tonight: %r", club.slug, error)


def _night(club: Club, now: datetime) -> date:
    """The date of the night that goes on or was the last."""
    return club.local_date(now - timedelta(hours=_HOUR))


def play_night(*, club: Club, night: date, now: datetime) -> int:
    """Ask for the matches of one night of the club, unless somebody has. Returns how many were asked for."""
    # By itself: nobody asked for it.
    access = Access(club=club, role=Role.OWNER, actor=Actor())
    with transaction.atomic():
        Club.objects.select_for_update(no_key=True).get(pk=club.pk)
        season = _season(access, night, now)
        if BotMatch.objects.filter(season=season, played_on=night).exists():
            return 0
        bots = list(Player.objects.filter(club=club, kind=PlayerKind.BOT, archived_at=None).order_by("pk"))
        asked = 0
        for info in GAMES.values():
            for table in tables_of(info, bots, night):
                data = bot_matches.BotMatchInput(
                    game=info.key,
                    players=tuple(bot.pk for bot in table),
                    deals=settings.BOT_LEAGUE_DEALS,
                    season=season.pk,
                    played_on=night,
                )
                bot_matches.request(access=access, data=data, now=now)
                asked += 1
    return asked


def tables_of(info: GameInfo, bots: Sequence[Player], night: date) -> list[list[Player]]:
    """The tables of one game tonight: the bots that can play it in an order drawn for the night, cut evenly.

    None for a game without an engine, or with too few bots for a table.
    """
    able = [bot for bot in bots if plays(bot.bot, info.key)]
    smallest, largest = max(2, info.min_players), info.max_players
    if info.engine is None or len(able) < smallest:
        return []
    order = shuffled(able, Random(night.toordinal()))
    sizes = table_sizes(len(order), min(_TABLE, largest), smallest=smallest, largest=largest)
    ends = [sum(sizes[: index + 1]) for index in range(len(sizes))]
    return [order[end - size : end] for end, size in zip(ends, sizes, strict=True)]


def _season(access: Access, night: date, now: datetime) -> Season:
    """The season of the year, made with the league when there is none. Raises Conflict for one that is closed."""
    # Names are stored: in the language of the installation, whoever sweeps.
    with translation.override(settings.LANGUAGE_CODE):
        league = League.objects.filter(club=access.club, slug=LEAGUE).first()
        if league is None:
            league = seasons.create_league(access=access, name=_("Bot league"), slug=LEAGUE, now=now)
        slug = str(night.year)
        season = Season.objects.filter(league=league, slug=slug).first()
        if season is None:
            fields = {
                "name": slug,
                "slug": slug,
                "starts_on": date(night.year, 1, 1),
                "ends_on": date(night.year, 12, 31),
            }
            season = seasons.create_season(access=access, league_id=league.pk, fields=fields, now=now)
    return season
