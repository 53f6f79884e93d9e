"""The catalogue of games."""

from dataclasses import asdict
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from api.serializers.fields import BooleanField, ChoiceField
from games.catalog import GameInfo


class TitlesSerializer(serializers.Serializer[Any]):
    """The title by language."""

    en = serializers.CharField()
    de = serializers.CharField()


class BoundsSerializer(serializers.Serializer[Any]):
    """The limits on the scores of one round at a table of so many; null: no such limit.

    Impossible outside of `minimum`, `maximum` (each score) and `together_maximum` (all added up). Implausible, and to
    be confirmed, outside of `low`, `high`, `together_low` and `together_high`; when other than the `zero` rule's
    number of players have 0; and when a score above 0 is below `cheapest`.
    """

    players = serializers.IntegerField()
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
    playable_by_bots = BooleanField()
    notes = serializers.ListField(child=serializers.CharField(), help_text=_("Notes that a round may bear."))
    bounds = BoundsSerializer(many=True, help_text=_("One for each size of table and note."))


class GameListSerializer(serializers.Serializer[Any]):
    """All games; all on one page."""

    results = GameSerializer(many=True)
    next = serializers.CharField(allow_null=True)


def game_data(game: GameInfo) -> dict[str, Any]:
    """A game as `GameSerializer` declares it."""
    sizes = range(game.min_players, game.max_players + 1)
    return {
        "key": game.key,
        "name": game.name,
        "titles": dict(game.titles),
        "family": game.family,
        "min_players": game.min_players,
        "max_players": game.max_players,
        "direction": "high_wins" if game.high_wins else "low_wins",
        "cooperative": game.cooperative,
        "playable_by_bots": game.engine is not None,
        "notes": list(game.notes),
        "bounds": [
            {"players": players, "note": note, **asdict(game.bounds.for_table(players, note))}
            for players in sizes
            for note in ("", *game.notes)
        ],
    }
