"""Games: the catalogue's and a club's own."""

from dataclasses import asdict
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from api.serializers.base import ChangeSerializer, QuerySerializer, StrictSerializer
from api.serializers.fields import BooleanField, ChoiceField, IntegerField, QueryBooleanField, TextField
from games.catalog import GameInfo
from league.models import ClubGame, ScoredBy
from league.services.games import MAXIMUM_BOUND, MAXIMUM_KEY, MAXIMUM_PLAYERS


class TitlesSerializer(serializers.Serializer[Any]):
    """The title by language."""

    en = serializers.CharField()
    de = serializers.CharField()


class BoundsSerializer(serializers.Serializer[Any]):
    """The limits on the scores of one round at a table of so many (null: of any size); null: no such limit.

    Impossible outside of `minimum`, `maximum` (each score) and `together_maximum` (all added up). Implausible, and to
    be confirmed, outside of `low`, `high`, `together_low` and `together_high`; when other than the `zero` rule's
    number of players have 0; and when a score above 0 is below `cheapest`.
    """

    players = serializers.IntegerField(allow_null=True)
    note = serializers.CharField(allow_blank=True)
    minimum = serializers.IntegerField(allow_null=True)
    maximum = serializers.IntegerField(allow_null=True)
    together_maximum = serializers.IntegerField(allow_null=True)
    low = serializers.IntegerField(allow_null=True)
    high = serializers.IntegerField(allow_null=True)
    together_low = serializers.IntegerField(allow_null=True)
    together_high = serializers.IntegerField(allow_null=True)
    zero = ChoiceField(("exactly_one", "at_most_one", "any"))
    cheapest = serializers.IntegerField(allow_null=True)


class GameSerializer(serializers.Serializer[Any]):
    """A game of the catalogue."""

    key = serializers.CharField()
    name = serializers.CharField(help_text=_("The original title."))
    titles = TitlesSerializer()
    family = serializers.CharField()
    min_players = serializers.IntegerField()
    max_players = serializers.IntegerField()
    direction = ChoiceField(("high_wins", "low_wins"))
    cooperative = BooleanField(help_text=_("One score for the whole table and no places."))
    scored_by = ChoiceField(ScoredBy.choices, help_text=_("By places: rounds have no points."))
    playable_by_bots = BooleanField()
    notes = serializers.ListField(child=serializers.CharField(), help_text=_("Notes that a round may bear."))
    bounds = BoundsSerializer(many=True, help_text=_("One for each size of table and note."))


class GameListSerializer(serializers.Serializer[Any]):
    """All games; all on one page."""

    results = GameSerializer(many=True)
    next = serializers.CharField(allow_null=True)


class ClubGameSerializer(GameSerializer):
    """A game that a club can log: of the catalogue, or the club's own."""

    url = serializers.CharField()
    own = BooleanField(help_text=_("Whether it is the club's own, and can be changed."))
    archived_at = serializers.DateTimeField(allow_null=True, help_text=_("An archived game takes no new rounds."))


class ClubGameListSerializer(serializers.Serializer[Any]):
    """The catalogue's games, then the club's own by name; all on one page."""

    results = ClubGameSerializer(many=True)
    next = serializers.CharField(allow_null=True)


class ClubGameQuerySerializer(QuerySerializer):
    """Which games to list."""

    own = QueryBooleanField(required=False, help_text=_("true: the club's own; false: the catalogue's."))
    archived = QueryBooleanField(required=False)
    search = TextField(max_length=60, required=False, help_text=_("A part of the name or title, whatever its case."))


class _GameFieldsSerializer(StrictSerializer):
    """The fields of an own game that may be left out."""

    min_players = IntegerField(min_value=1, max_value=MAXIMUM_PLAYERS, required=False)
    max_players = IntegerField(min_value=1, max_value=MAXIMUM_PLAYERS, required=False)
    scored_by = ChoiceField(ScoredBy.choices, required=False, help_text=_("By places: rounds have no points."))
    high_wins = BooleanField(required=False, help_text=_("Whether the most points win."))
    cooperative = BooleanField(required=False, help_text=_("One result for the whole table and no places."))
    minimum = IntegerField(
        min_value=-MAXIMUM_BOUND,
        max_value=MAXIMUM_BOUND,
        required=False,
        allow_null=True,
        help_text=_("The fewest points there can be."),
    )
    maximum = IntegerField(
        min_value=-MAXIMUM_BOUND,
        max_value=MAXIMUM_BOUND,
        required=False,
        allow_null=True,
        help_text=_("The most points there can be."),
    )


class NewGameSerializer(_GameFieldsSerializer):
    """A game to be added to the club's own."""

    key = TextField(
        max_length=MAXIMUM_KEY, help_text=_("How rounds name it, for good: small letters, digits, single hyphens.")
    )
    name = TextField(max_length=100)


class GameChangeSerializer(_GameFieldsSerializer, ChangeSerializer):
    """What to change of an own game. What its stored rounds were scored by stays."""

    name = TextField(max_length=100, required=False)
    archived = BooleanField(required=False, help_text=_("An archived game takes no new rounds."))

    def validate(self, attrs: Any) -> dict[str, object]:
        return dict(super().validate(attrs))


def game_data(game: GameInfo) -> dict[str, Any]:
    """A game as `GameSerializer` declares it."""
    return {
        "key": game.key,
        "name": game.name,
        "titles": dict(game.titles),
        "family": game.family,
        "min_players": game.min_players,
        "max_players": game.max_players,
        "direction": "high_wins" if game.high_wins else "low_wins",
        "cooperative": game.cooperative,
        "scored_by": game.scored_by,
        "playable_by_bots": game.engine is not None,
        "notes": list(game.notes),
        "bounds": _bounds(game),
    }


def _bounds(game: GameInfo) -> list[dict[str, Any]]:
    if game.family == "own":
        # They are the same at every table, of which there may be a hundred sizes.
        return [{"players": None, "note": "", **asdict(game.bounds.for_table(game.min_players))}]
    return [
        {"players": players, "note": note, **asdict(game.bounds.for_table(players, note))}
        for players in range(game.min_players, game.max_players + 1)
        for note in ("", *game.notes)
    ]


def club_game_data(club_slug: str, game: GameInfo, own: ClubGame | None) -> dict[str, Any]:
    """A game as `ClubGameSerializer` declares it; `own` is its row, None for one of the catalogue."""
    archived_at = own.archived_at if own is not None else None
    return {
        **game_data(game),
        "url": reverse("api:club-game", kwargs={"club": club_slug, "game": game.key}),
        "own": own is not None,
        "archived_at": serializers.DateTimeField().to_representation(archived_at) if archived_at else None,
    }
