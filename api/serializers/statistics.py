"""Statistics of players, games and the club, as they are stored: players are named by their ids."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from api.serializers.base import PageQuerySerializer, id_field, ordering_field
from api.serializers.fields import BooleanField, ChoiceField
from api.serializers.players import PlayerBriefSerializer
from api.serializers.seasons import SeasonSerializer
from league.scoring.statistics import ACHIEVEMENTS, GameFigures, seat_figures
from league.services.statistics import ACHIEVEMENTS as WORDS
from league.services.statistics import GameRow


def _relative() -> serializers.FloatField:
    return serializers.FloatField(
        allow_null=True,
        help_text=_(
            "The mean relative place: the share of the opponents at the table who did better, equal ones counted half. "
            "0 is always first, 0.5 the average of every table; null without a place."
        ),
    )


class TotalsSerializer(serializers.Serializer[Any]):
    """Sums over all sessions. `placed` counts those with a place among at least two, `front` the places among the first
    three with somebody behind."""

    sessions = serializers.IntegerField()
    placed = serializers.IntegerField()
    wins = serializers.IntegerField(help_text=_("First places of sessions, shared or not."))
    front = serializers.IntegerField()
    relative = _relative()
    rounds = serializers.IntegerField()
    round_wins = serializers.IntegerField()
    first_day = serializers.DateField()
    last_day = serializers.DateField()


class FormPointSerializer(serializers.Serializer[Any]):
    """A final place among so many."""

    session = id_field()
    day = serializers.DateField()
    place = serializers.IntegerField()
    players = serializers.IntegerField()


class PlacesSerializer(serializers.Serializer[Any]):
    """How often place 1, 2, …"""

    sessions = serializers.ListField(child=serializers.IntegerField())
    rounds = serializers.ListField(child=serializers.IntegerField())


class MeetingsSerializer(serializers.Serializer[Any]):
    """How often both were placed at one table, and where the player of these statistics was then."""

    met = serializers.IntegerField()
    before = serializers.IntegerField()
    level = serializers.IntegerField()
    behind = serializers.IntegerField()


class OpponentSerializer(serializers.Serializer[Any]):
    """The meetings with another player."""

    player = id_field()
    sessions = MeetingsSerializer()
    rounds = MeetingsSerializer()


class MarkSerializer(serializers.Serializer[Any]):
    """Points, and where they were first reached."""

    points = serializers.IntegerField()
    day = serializers.DateField()
    session = id_field()


class StrengthSerializer(serializers.Serializer[Any]):
    """How a player does in a game. `best` and `worst` are in the game's direction."""

    game = serializers.CharField()
    sessions = serializers.IntegerField()
    rounds = serializers.IntegerField()
    placed = serializers.IntegerField()
    wins = serializers.IntegerField()
    relative = _relative()
    best = MarkSerializer(allow_null=True)
    worst = MarkSerializer(allow_null=True)


class RunSerializer(serializers.Serializer[Any]):
    """An unbroken run."""

    length = serializers.IntegerField()
    since = serializers.DateField()
    until = serializers.DateField()


class StreakSerializer(serializers.Serializer[Any]):
    """The longest run, and the one that goes on."""

    longest = RunSerializer(allow_null=True)
    current = RunSerializer(allow_null=True)


class StreaksSerializer(serializers.Serializer[Any]):
    """Of wins, of places in front, and of calendar weeks with a session."""

    wins = StreakSerializer()
    front = StreakSerializer()
    weeks = StreakSerializer()


class AchievementSerializer(serializers.Serializer[Any]):
    """What a player reached for the first time in a session."""

    code = ChoiceField([(code, str(code)) for code in ACHIEVEMENTS])
    name = serializers.SerializerMethodField()
    rule = serializers.SerializerMethodField()
    day = serializers.DateField()
    session = id_field()

    def get_name(self, one: Any) -> str:
        return str(WORDS[one["code"]][0])

    def get_rule(self, one: Any) -> str:
        return str(WORDS[one["code"]][1])


class PlayerFiguresSerializer(serializers.Serializer[Any]):
    """What the sessions say about a player."""

    totals = TotalsSerializer()
    form = FormPointSerializer(many=True, help_text=_("The last 30 sessions, the newest last."))
    places = PlacesSerializer()
    opponents = OpponentSerializer(many=True, help_text=_("Who was met most often comes first."))
    games = StrengthSerializer(many=True)
    streaks = StreaksSerializer()
    achievements = AchievementSerializer(many=True)


class PlayerStatisticsSerializer(serializers.Serializer[Any]):
    """A player's statistics; null before the first finished session."""

    player = PlayerBriefSerializer()
    statistics = PlayerFiguresSerializer(allow_null=True)


class RoundMarkSerializer(serializers.Serializer[Any]):
    """Points of a round, who reached them first, and how often they were reached."""

    points = serializers.IntegerField()
    times = serializers.IntegerField()
    day = serializers.DateField()
    session = id_field()
    round = serializers.IntegerField()
    players = serializers.ListField(child=serializers.IntegerField(), help_text=_("Ids of players."))


class TableSizeSerializer(serializers.Serializer[Any]):
    """How many rounds were played by so many."""

    players = serializers.IntegerField()
    rounds = serializers.IntegerField()


class SeatSerializer(serializers.Serializer[Any]):
    """How a seat does, counted from 0 as in sessions. `error` is the standard error of `relative`."""

    seat = serializers.IntegerField()
    rounds = serializers.IntegerField()
    relative = serializers.FloatField()
    error = serializers.FloatField(allow_null=True, help_text=_("null for a single round."))
    differs = BooleanField(help_text=_("Whether `relative` is more than two errors off 0.5."))


class GameFiguresSerializer(serializers.Serializer[Any]):
    """What the rounds of a game say; `closest` and `clearest` hold distances of points."""

    rounds = serializers.IntegerField()
    sessions = serializers.IntegerField()
    first_day = serializers.DateField()
    last_day = serializers.DateField()
    highest = RoundMarkSerializer(allow_null=True)
    lowest = RoundMarkSerializer(allow_null=True)
    closest = RoundMarkSerializer(
        allow_null=True, help_text=_("From the first to the last, at tables of three or more.")
    )
    clearest = RoundMarkSerializer(allow_null=True, help_text=_("From the only first to the next."))
    tables = TableSizeSerializer(many=True)
    seats = SeatSerializer(many=True)


class LeaderSerializer(serializers.Serializer[Any]):
    """One of the best; the days are those of the streak, or of the first and last session."""

    player = id_field()
    value = serializers.FloatField()
    since = serializers.DateField()
    until = serializers.DateField()


class GameStatisticsSerializer(serializers.Serializer[Any]):
    """A game's statistics in the club; null where nobody, or no bot, has played it."""

    game = serializers.CharField()
    people = GameFiguresSerializer(allow_null=True, help_text=_("Tables with at least one person."))
    bots = GameFiguresSerializer(allow_null=True, help_text=_("Bots among themselves."))
    most_played = LeaderSerializer(many=True)
    strongest = LeaderSerializer(many=True, help_text=_("The lowest mean relative place, from ten rounds on."))


class SeasonLeaderSerializer(serializers.Serializer[Any]):
    """One of the first three of a season or division."""

    rank = serializers.IntegerField()
    division = serializers.CharField(
        source="division.name", default="", allow_blank=True, help_text=_("Empty without divisions.")
    )
    player = PlayerBriefSerializer()
    value = serializers.FloatField(help_text=_("What the season ranks by."))
    sessions = serializers.IntegerField()
    wins = serializers.IntegerField()


class ClosedSeasonSerializer(serializers.Serializer[Any]):
    """A closed season and who won it."""

    season = SeasonSerializer()
    first_three = SeasonLeaderSerializer(many=True)


class BestSerializer(serializers.Serializer[Any]):
    """The best people of the club in all sessions."""

    wins = LeaderSerializer(many=True)
    sessions = LeaderSerializer(many=True)
    relative = LeaderSerializer(many=True, help_text=_("The lowest mean relative place, from ten sessions on."))
    win_streaks = LeaderSerializer(many=True)
    front_streaks = LeaderSerializer(many=True)
    week_streaks = LeaderSerializer(many=True)
    achievements = LeaderSerializer(many=True)


class HallOfFameSerializer(serializers.Serializer[Any]):
    """The winners of the closed seasons, a page at a time, and the best of all times (null before any session)."""

    results = ClosedSeasonSerializer(many=True)
    best = BestSerializer(allow_null=True)
    next = serializers.CharField(
        allow_null=True, help_text=_("The address of the next page, relative to the server; null on the last.")
    )


class HallOfFameQuerySerializer(PageQuerySerializer):
    """Which part of the closed seasons to list."""

    ordering = ordering_field("starts_on")


def game_data(game: str, row: GameRow | None) -> dict[str, Any]:
    """A game's stored statistics as the serializer takes them."""
    if row is None:
        return {"game": game, "people": None, "bots": None, "most_played": [], "strongest": []}
    return {
        "game": game,
        "people": _table_data(row["people"]),
        "bots": _table_data(row["bots"]),
        "most_played": row["most_played"],
        "strongest": row["strongest"],
    }


def _table_data(figures: GameFigures | None) -> dict[str, Any] | None:
    if figures is None:
        return None
    sizes = sorted((int(size), count) for size, count in figures["tables"].items())
    return {
        **figures,
        "tables": [{"players": size, "rounds": count} for size, count in sizes],
        "seats": seat_figures(figures["seats"]),
    }
