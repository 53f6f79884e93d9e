"""The catalogue's facts and bounds (docs/rules/xxl.md, the-game.md, und-tschuess.md, "Logged results").

The totals of the XXL deck, counted by hand from its 55 pairs: a total t from 1 to 10 is on
1, 1, 2, 2, 3, 3, 4, 4, 5, 5 cards, 11 on 5 and 12 to 19 on 4, 4, 3, 3, 2, 2, 1, 1. Added up from below:

    total  1  2  3  4  5  6  7   8   9  10  11  12  13  14  15  16  17  18  19
    cards  1  2  4  6  9 12 16  20  25  30  35  39  43  46  49  51  53  54  55
    value  1  3  9 17 32 50 78 110 155 205 260 308 360 402 447 479 513 531 550

The most that k cards have together is 550 less the least of the other 55 - k.
"""

import pytest

from games.catalog import DRAW_PILE_RAN_OUT, EARLY_END, GAMES, TableBounds

KEYS = ["xxl-1", "xxl-2", "xxl-3", "xxl-4", "xxl-5", "xxl-6", "xxl-6-plus", "the-game", "und-tschuess"]


def bounds(key: str, players: int = 4, note: str = "") -> TableBounds:
    return GAMES[key].bounds.for_table(players, note)


def test_order_and_keys() -> None:
    assert list(GAMES) == KEYS
    assert [game.key for game in GAMES.values()] == KEYS


def test_families() -> None:
    assert [game.family for game in GAMES.values()] == ["xxl"] * 7 + ["the-game", "und-tschuess"]


def test_players() -> None:
    """XXL 2 to 6; The Game 1 to 5; und Tschüss 4 to 6 by the publisher, 3 by our ruling."""
    ranges = [(game.min_players, game.max_players) for game in GAMES.values()]
    assert ranges == [(2, 6)] * 7 + [(1, 5), (3, 6)]


def test_which_score_wins() -> None:
    """The headings of docs/rules/xxl.md; fewest cards left in The Game; highest total in und Tschüss."""
    low = [key for key, game in GAMES.items() if not game.high_wins]
    assert low == ["xxl-1", "xxl-2", "xxl-5", "the-game"]


def test_only_the_game_is_cooperative() -> None:
    assert [key for key, game in GAMES.items() if game.cooperative] == ["the-game"]


def test_notes() -> None:
    """A draw pile can run out in the shedding games 1, 2 and 5; only game 3 can end early."""
    assert {key: game.notes for key, game in GAMES.items() if game.notes} == {
        "xxl-1": (DRAW_PILE_RAN_OUT,),
        "xxl-2": (DRAW_PILE_RAN_OUT,),
        "xxl-3": (EARLY_END,),
        "xxl-5": (DRAW_PILE_RAN_OUT,),
    }


@pytest.mark.parametrize("key", KEYS)
def test_titles_in_both_languages(key: str) -> None:
    assert set(GAMES[key].titles) == {"en", "de"}
    assert GAMES[key].titles["de"] == GAMES[key].name


def test_game_6_can_be_played() -> None:
    assert GAMES["xxl-6"].engine is not None


@pytest.mark.parametrize("key", KEYS)
def test_engine_agrees_with_the_catalogue(key: str) -> None:
    game = GAMES[key]
    if game.engine is not None:
        assert game.engine.key == key
        assert list(game.engine.seats) == list(range(game.min_players, game.max_players + 1))
        assert (game.engine.high_wins, game.engine.cooperative) == (game.high_wins, game.cooperative)


@pytest.mark.parametrize("key", KEYS[:7])
def test_xxl_hard_limits(key: str) -> None:
    """No score below 0; all together at most the whole deck, 550."""
    assert (bounds(key).minimum, bounds(key).maximum, bounds(key).together_maximum) == (0, None, 550)


@pytest.mark.parametrize("key", ["xxl-1", "xxl-2"])
def test_games_1_and_2_at_zero(key: str) -> None:
    """Exactly one player at 0, or none with the note."""
    assert bounds(key).zero == "exactly_one"
    assert bounds(key, note=DRAW_PILE_RAN_OUT).zero == "at_most_one"


def test_game_5_at_zero() -> None:
    """At most one player at 0, note or not."""
    assert bounds("xxl-5").zero == "at_most_one"
    assert bounds("xxl-5", note=DRAW_PILE_RAN_OUT).zero == "at_most_one"


@pytest.mark.parametrize(
    ("players", "least", "most"),
    [
        (2, 78, 242),  # 16 cards: 78; the other 39 have 308 at least, 550 - 308
        (3, 146, 334),  # 24 cards: 20 for 110, 4 of 9; the other 31: 30 for 205, one 11; 550 - 216
        (4, 227, 413),  # 32 cards: 30 for 205, 2 of 11; the other 23: 20 for 110, 3 of 9; 550 - 137
        (5, 321, 479),  # 40 cards: 39 for 308, one 13; the other 15: 12 for 50, 3 of 7; 550 - 71
        (6, 432, 528),  # 48 cards: 46 for 402, 2 of 15; the other 7: 6 for 17, one 5; 550 - 22
    ],
)
def test_game_3_together(players: int, least: int, most: int) -> None:
    """Above 0 and at most 8 cards a player; with an early end also at least so many cards' least."""
    usual, early = bounds("xxl-3", players), bounds("xxl-3", players, EARLY_END)
    assert (usual.together_low, usual.together_high) == (1, most)
    assert (early.together_low, early.together_high) == (least, most)


def test_game_4_cheapest_straight() -> None:
    """Yellow 1, 2, 3 on the cards red 0/yellow 1, blue 0/yellow 2, red 0/yellow 3: 1 + 2 + 3.

    No three cards of the deck have less: its lowest totals are 1, 2, 3, 3.
    """
    assert bounds("xxl-4").cheapest == 6


@pytest.mark.parametrize("key", ["xxl-6", "xxl-6-plus"])
@pytest.mark.parametrize(
    ("players", "least", "most"),
    [
        (2, 146, 334),  # 24 cards, as above
        (3, 272, 448),  # 36 cards: 35 for 260, one 12; the other 19: 16 for 78, 3 of 8; 550 - 102
        (4, 432, 528),  # 48 cards, as above
        (5, 388, 512),  # 45 cards: 43 for 360, 2 of 14; the other 10: 9 for 32, one 6; 550 - 38
        (6, 531, 549),  # 54 cards: 531; the other one has at least 1
    ],
)
def test_game_6_together(key: str, players: int, least: int, most: int) -> None:
    """12 cards each with 2 to 4 players, 9 with 5 or 6, and all of them are won."""
    assert (bounds(key, players).together_low, bounds(key, players).together_high) == (least, most)


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
def test_the_game(players: int) -> None:
    """A whole number from 0 to 98; more than 94 can't happen; one result whoever plays."""
    assert bounds("the-game", players) == TableBounds(minimum=0, maximum=98, high=94)


@pytest.mark.parametrize(("players", "high", "together"), [(3, 187, 346), (4, 104, 288), (5, 104, 368), (6, 60, 276)])
def test_und_tschuess(players: int, high: int, together: int) -> None:
    """The numbers of docs/rules/und-tschuess.md, "Logged results"; nothing is a hard limit."""
    limits = bounds("und-tschuess", players)
    assert (limits.minimum, limits.maximum, limits.together_maximum) == (None, None, None)
    assert (limits.low, limits.high, limits.together_high) == (-105, high, together)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("players", [1, 7, 40])
def test_hard_limits_do_not_depend_on_the_number_of_players(key: str, players: int) -> None:
    at_table, usual = bounds(key, players), bounds(key)
    assert at_table.minimum == usual.minimum
    assert at_table.maximum == usual.maximum
    assert at_table.together_maximum == usual.together_maximum
