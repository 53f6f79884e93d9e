"""What all games of XXL share: the dealer and the deck (docs/rules/xxl.md, "The deck")."""

import json

import pytest

from games.bots import BOTS
from games.catalog import GAMES
from games.core import AnyGame, BadSetup, Json, Playthrough
from games.match import play_through
from games.record import Record
from tests.games.random_play import OTHER_DECK

ENGINES = [info.engine for info in GAMES.values() if info.family == "xxl" and info.engine is not None]

every_game = pytest.mark.parametrize("game", ENGINES, ids=lambda game: game.key)


@every_game
def test_the_dealer_moves_one_seat_to_the_left_each_game(game: AnyGame) -> None:
    """docs/rules/xxl.md, "The deck": by default the last seat deals, then the one to the left, and so on."""
    dealers = []
    for number in range(5):
        options = game.read_options(4, game.series_options(4, number))
        dealers.append(Playthrough(game, 4, 1, options).view(None)["dealer"])
    assert dealers == [3, 0, 1, 2, 3]


@every_game
def test_the_full_list_of_another_deck_stands_in_the_record(game: AnyGame) -> None:
    """docs/rules/xxl.md, "The deck", ruling on dealing: all 55 cards, and every move is of that deck."""
    played = play_through(
        game,
        [BOTS["random"](game.with_options(game.read_options(3, {"deck": OTHER_DECK})))] * 3,
        8,
        {"deck": OTHER_DECK},
    )
    sent = json.loads(json.dumps(Record.of(played).to_json()))
    assert sent["options"]["deck"] == OTHER_DECK
    assert len(OTHER_DECK) == len(set(OTHER_DECK)) == 55
    again = Record.from_json(sent).replay()
    assert again.outcome() == played.outcome()
    assert again.view(0) == played.view(0)


@every_game
@pytest.mark.parametrize(
    ("deck", "sentence"),
    [
        ("mine", '"default" or a list of the 55 cards'),
        (OTHER_DECK[1:], "exactly once; these 54 cards do not"),
        (["red0/red1", *OTHER_DECK[1:]], "Card 1: low_colour and high_colour differ"),
        ([1, *OTHER_DECK[1:]], "Card 1: a card is written like green1/red2, not 1"),
    ],
)
def test_a_deck_that_is_none_is_refused(game: AnyGame, deck: Json, sentence: str) -> None:
    with pytest.raises(BadSetup, match=sentence) as caught:
        game.read_options(3, {"deck": deck})
    assert caught.value.field == "options.deck"
