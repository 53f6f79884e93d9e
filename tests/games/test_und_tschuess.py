"""und Tschüss: every rule, ruling and example of its page (docs/rules/und-tschuess.md)."""

import json
import re
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import permutations
from math import prod
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.catalog import GAMES
from games.core import (
    BadSetup,
    Game,
    IllegalMove,
    Json,
    Outcome,
    OutOfTurn,
    Playthrough,
    Turn,
    UnreadableMove,
    event_source,
    shuffled,
)
from games.rules.und_tschuess import GAME, PHASES, RoundState, RoundView, UndTschuess, View, most_rounds
from games.rules.und_tschuess_deck import DECK, Deck, DeckError, read_deck
from games.rules.und_tschuess_origins import Departed, Known, spread_origins
from tests.games.chance import assert_shares
from tests.games.engines import after
from tests.games.random_play import FACTS


class Table:
    """A position before the first step of a round, and what is played on from it."""

    def __init__(self, *hands: str, points: str, pile: str = "", dealer: int | None = None) -> None:
        """Values as text, one hand a seat; the pile has its top first. By default the last seat deals."""
        held = [[int(word) for word in hand.split()] for hand in hands]
        rest = [int(word) for word in f"{points} {pile}".split()]
        self.game = UndTschuess(Deck([*(card for hand in held for card in hand), *rest]))
        kinds_of = self.game.deck.kinds_of
        self.seats = len(hands)
        dealer = self.seats - 1 if dealer is None else dealer
        self.state = self.game.position([kinds_of(hand) for hand in held], kinds_of(rest), dealer)

    def step(self, cards: str) -> None:
        """One card for everyone inside, by seat; ``.`` for those who are out."""
        for seat, word in enumerate(cards.split()):
            if word != ".":
                self.play(seat, word)

    def play(self, seat: int, *words: str) -> None:
        for word in words:
            self.game.apply(self.state, Turn(seat, self.game.parse(word)))

    def may(self, seat: int) -> list[str]:
        return [self.game.describe(move) for move in self.game.legal(self.state, seat)]

    def sees(self, seat: int | None = None) -> Mapping[str, Any]:
        return self.game.view(self.state, seat)

    def to_move(self) -> tuple[int, ...]:
        return self.game.to_move(self.state)

    def values(self, kinds: bytes) -> list[int]:
        return self.game.deck.values_of(kinds)


# The deck and the deal.


def test_the_default_deck() -> None:
    """ "Ruling, deck": six of each value 1 to 15, seven of -5, seven of -10; 104 cards."""
    assert Counter(DECK.values_of(DECK.cards)) == dict.fromkeys(range(1, 16), 6) | {-5: 7, -10: 7}
    assert len(DECK.cards) == 104


@pytest.mark.parametrize(("seats", "cards"), [(3, 6), (4, 7), (5, 8), (6, 9)])
def test_the_hands(seats: int, cards: int) -> None:
    """ "Ruling, hands": players + 3 cards: 7 with 4 players, 8 with 5, 9 with 6; 6 with 3."""
    view = GAME.view(GAME.deal(seats, 5), None)
    assert view["hand_sizes"] == [cards] * seats
    assert len(view["point_cards"]) == seats - 1
    assert view["draw_pile"] == 104 - seats * cards - (seats - 1)


@pytest.mark.parametrize(("seats", "least", "most"), [(3, 2, 34), (4, 3, 25), (5, 4, 20), (6, 5, 16)])
def test_the_hand_size_is_an_option(seats: int, least: int, most: int) -> None:
    """ "Ruling, hands": from players - 1 to (deck - players + 1) div players; 104 - 3 = 101, div 4 is 25."""
    for size in (least, most):
        assert GAME.view(GAME.deal(seats, 5, {"hand_size": size}), None)["hand_sizes"] == [size] * seats
    wrong: list[Any] = [least - 1, most + 1, True, "7", None, 7.0]
    for value in wrong:
        with pytest.raises(
            BadSetup, match=f"a whole number (of {least} or more|from {least} to {most}), not"
        ) as caught:
            GAME.deal(seats, 5, {"hand_size": value})
        assert caught.value.field == "options.hand_size"


def test_the_hand_size_has_to_fit_the_deck_agreed_on() -> None:
    """ "Ruling, hands": with 20 cards and 4 players at most (20 - 3) div 4 = 4 each, not the 7 of the default."""
    deck: list[Json] = [*range(20)]
    assert GAME.read_options(4, {"deck": deck, "hand_size": 4})["hand_size"] == 4
    too_many: list[dict[str, Json]] = [{"deck": deck}, {"deck": deck, "hand_size": 5}]
    for options in too_many:
        with pytest.raises(BadSetup, match="a deck of 20 cards must be a whole number from 3 to 4, not") as caught:
            GAME.deal(4, 1, options)
        assert caught.value.field == "options.hand_size"


@pytest.mark.parametrize(
    "deck",
    [
        [*range(14)],
        [1] * 251,
        [*range(20), 100],
        [*range(20), -100],
        [*range(20), True],
        [*range(20), 1.5],
        [*range(20), "3"],
        "none",
        {"1": 20},
        None,
    ],
)
def test_what_is_no_deck_for_the_table(deck: Any) -> None:
    """ "Ruling, deck": replaceable by a club; 4 players need 4 hands of 3 cards and 3 point cards at least."""
    with pytest.raises(BadSetup, match='"default" or a list of 15 to 250 whole numbers from -99 to 99, not') as caught:
        GAME.deal(4, 1, {"deck": deck, "hand_size": 3})
    assert caught.value.field == "options.deck"


def test_a_deck_can_be_listed_in_any_order() -> None:
    deck: list[Json] = [9, -99, 99, 0, 0, *range(1, 11)]
    options: Mapping[str, Json] = {"deck": deck, "hand_size": 3}
    playthrough = Playthrough(GAME, 4, 3, options)
    turned: list[Json] = deck[::-1]
    assert playthrough.state == Playthrough(GAME, 4, 3, {**options, "deck": turned}).state
    assert playthrough.options["deck"] == sorted(int(str(card)) for card in deck)
    assert playthrough.game.parse("-99") == 0
    with pytest.raises(UnreadableMove):
        playthrough.game.parse("15")


def test_a_game_with_the_default_deck_is_the_game_itself() -> None:
    assert GAME.with_options(GAME.read_options(4)) is GAME
    other = UndTschuess(Deck(range(30)))
    assert other.with_options(GAME.read_options(4)).deck is DECK


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (["number,count"], "The first row of a deck names the columns value, count"),
        (["value,count", "1"], "Row 2: exactly value and count"),
        (["value,count", "1,2,3"], "Row 2: exactly value and count"),
        (["value,count", "1,2", "100,2"], "Row 3: value is a whole number from -99 to 99, not '100'"),
        (["value,count", "x,2"], "Row 2: value is a whole number from -99 to 99, not 'x'"),
        (["value,count", "1,0"], "Row 2: count is a whole number from 1 to 250, not '0'"),
        (["value,count", "1,-1"], "Row 2: count is a whole number from 1 to 250, not '-1'"),
    ],
)
def test_a_file_that_is_no_deck_is_refused_with_its_row(rows: list[str], words: str) -> None:
    with pytest.raises(DeckError, match=words):
        read_deck("\n".join(rows))


def test_a_file_that_is_a_deck() -> None:
    assert read_deck("value,count\n-3,2\n7,1") == (-3, -3, 7)


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_the_deal(seats: int) -> None:
    """ "Deal": one card at a time clockwise from the dealer's left, then the point cards; the last seat deals first.

    So the k-th card of the shuffled deck goes to seat k, round and round.
    """
    state = GAME.deal(seats, 77)
    pile = DECK.values_of(shuffled(DECK.cards, event_source(77, 0)))
    dealt = seats * (seats + 3)
    for seat in range(seats):
        assert GAME.view(state, seat)["hand"] == sorted(pile[seat:dealt:seats])
    view = GAME.view(state, None)
    assert view["point_cards"] == sorted(pile[dealt : dealt + seats - 1])
    assert view["dealer"] == seats - 1
    assert DECK.values_of(state.pile) == pile[dealt + seats - 1 :]


def test_the_dealer_moves_one_seat_to_the_left_each_round() -> None:
    """ "Deal": the dealer moves one seat to the left each round."""
    playthrough, dealers = Playthrough(GAME, 3, 8), {}
    while to_move := playthrough.to_move():
        view = playthrough.view(None)
        if view["phase"] == "choose":
            dealers[len(view["rounds"])] = view["dealer"]
        playthrough.play(Turn(to_move[0], GAME.legal(playthrough.state, to_move[0])[-1]))
    assert len(dealers) >= 5
    assert list(dealers.values()) == [(2 + number) % 3 for number in range(len(dealers))]


# A round. The worked examples.


def four_players() -> Table:
    return Table("7 1 15", "2 15 15", "9 4 5", "9 4 6", points="-5 12 3")


def test_the_lowest_sum_drops_out_and_takes_the_lowest_point_card() -> None:
    """ "Worked examples", 1: 4 players, middle -5, 3, 12; played 7, 2, 9, 9: the 2 drops out and takes -5."""
    table = four_players()
    assert table.sees()["point_cards"] == [-5, 3, 12]
    table.step("7 2 9 9")
    view = table.sees()
    assert view["won"] == [[], [-5], [], []]
    assert view["inside"] == [0, 2, 3] == view["to_move"]
    assert view["point_cards"] == [3, 12]
    assert view["sums"] == [7, 2, 9, 9]


def test_sums_decide_not_single_cards() -> None:
    """ "Worked examples", 2: the others (7, 9, 9) play 1, 4, 4: sums 8, 13, 13: the 8 drops out and takes 3."""
    table = four_players()
    table.step("7 2 9 9")
    table.step("1 . 4 4")
    view = table.sees()
    assert view["sums"] == [8, 2, 13, 13]
    assert view["won"] == [[3], [-5], [], []]
    assert view["inside"] == [2, 3]


def test_of_the_last_two_the_higher_takes_the_last_card() -> None:
    """ "Worked examples", 3: the last two at 13, 13 play 5 and 6: the 19 takes 12, the 18 gets nothing."""
    table = four_players()
    for cards in ("7 2 9 9", "1 . 4 4", ". . 5 6"):
        table.step(cards)
    view = table.sees()
    assert view["won"] == [[3], [-5], [], [12]]
    assert view["point_cards"] == []
    assert view["rounds"][0]["settled"] == []


def test_equal_lowest_sums_nobody_drops_out() -> None:
    """ "Worked examples", 4: 4 players played 3, 3, 8, 10: nobody drops out; all four play a further card."""
    table = Table("3 1", "3 2", "8 1", "10 1", points="1 2 3")
    table.step("3 3 8 10")
    assert table.sees()["won"] == [[], [], [], []]
    assert table.to_move() == (0, 1, 2, 3)
    assert table.sees()["point_cards"] == [1, 2, 3]


def test_equal_higher_sums_do_not_matter() -> None:
    """ "A round", 2: only equal *lowest* sums keep everybody in."""
    table = Table("3 1", "8 2", "8 1", "8 1", points="1 2 3")
    table.step("3 8 8 8")
    assert table.sees()["won"] == [[1], [], [], []]


def test_the_last_two_equal_play_on() -> None:
    """ "Worked examples", 5: the last two at 20, 20 after the reveal: both play a further card."""
    table = Table("5 9 9", "10 10 4", "12 8 3", points="1 2")
    table.step("5 10 12")
    table.step(". 10 8")
    assert table.sees()["sums"] == [5, 20, 20]
    assert table.to_move() == (1, 2)
    table.step(". 4 3")
    assert table.sees()["won"] == [[1], [2], []]


def test_a_negative_card_lowers_the_sum() -> None:
    """ "Worked examples", 6: someone plays -10 on a sum of 6: the sum is -4."""
    table = Table("6 -10 1", "6 1 1", "6 2 2", points="1 2")
    table.step("6 6 6")
    table.step("-10 1 2")
    assert table.sees()["sums"] == [-4, 7, 8]
    assert table.sees()["won"] == [[1], [], []]


def test_negative_point_cards_are_taken_all_the_same() -> None:
    """ "A round", 4: whoever drops out takes a negative card, and the higher of the last two as well."""
    table = Table("1 1 1", "2 2 2", "3 3 3", points="-5 -10")
    table.step("1 2 3")
    table.step(". 2 3")
    assert table.sees()["won"] == [[-10], [], [-5]]


def test_the_lowest_point_card_goes_first_whatever_the_order_of_laying_out() -> None:
    """ "A round", 2: the lowest of 9, 4, 7 first."""
    table = Table("1 1 1", "2 2 2", "3 3 3", "4 4 4", points="9 4 7")
    for cards in ("1 2 3 4", ". 2 3 4", ". . 3 4"):
        table.step(cards)
    assert table.sees()["won"] == [[4], [7], [], [9]]


def test_equal_point_cards_are_taken_one_at_a_time() -> None:
    table = Table("1 1 1", "2 2 2", "3 3 3", points="4 4")
    table.step("1 2 3")
    assert table.sees()["point_cards"] == [4]


# Choosing at the same time.


def test_everyone_inside_chooses_and_all_are_revealed_together() -> None:
    """ "A round", 1: a choice is seen by its owner alone until the last one is made."""
    table = Table("7 1 15", "2 15 15", "9 4 5", points="3 12")
    table.play(2, "9")
    table.play(0, "7")
    assert table.to_move() == (1,)
    assert [table.sees(seat)["chosen"] for seat in (0, 1, 2, None)] == [7, None, 9, None]
    assert table.sees()["hand_sizes"] == [2, 3, 2]
    for watcher in (1, None):
        view = table.sees(watcher)
        assert view["sums"] == [0, 0, 0]
        assert view["rounds"][0]["steps"] == []
    with pytest.raises(OutOfTurn, match="It is the turn of seat 1, not of seat 2"):
        table.play(2, "4")
    table.play(1, "2")
    assert table.sees()["rounds"][0]["steps"] == [{"cards": [7, 2, 9], "taker": 1}]
    assert [table.sees(seat)["chosen"] for seat in (0, 1, 2)] == [None] * 3
    with pytest.raises(OutOfTurn, match="It is the turn of seat 0 and seat 2, not of seat 1"):
        table.play(1, "15")


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_any_order_of_choices_gives_the_same_game(order: Sequence[int]) -> None:
    table, other = four_players(), four_players()
    table.step("7 2 9 9")
    for seat in order:
        other.play(seat, ["7", "2", "9", "9"][seat])
    assert other.state == table.state


def test_cards_of_equal_value_are_one_move() -> None:
    table = Table("4 4 4 -5", "2 1 1 1", "9 4 5 -5", points="3 12")
    assert table.may(0) == ["-5", "4"]
    table.play(0, "4")
    table.play(1, "2")
    table.play(2, "-5")
    assert table.may(0) == ["-5", "4"]
    assert table.sees(0)["hand"] == [-5, 4, 4]


# Ruling, no cards left.


def test_a_round_without_cards_left_is_settled_on_the_sums() -> None:
    """ "Ruling, no cards left": lowest sum the lowest card, the second highest nothing, the highest the last.

    Sums 6, 6, 9, 7: seats 0 and 1 tie for the lowest, and all hands are empty.
    """
    table = Table("3 3", "2 4", "5 4", "2 5", points="8 -1 5")
    table.step("3 2 5 2")
    table.step("3 4 4 5")
    view = table.sees()
    assert view["sums"] == [6, 6, 9, 7]
    assert view["won"] == [[-1], [5], [8], []]
    assert view["rounds"][0]["settled"] == [0, 1, 2]


@pytest.mark.parametrize(
    ("dealer", "won"),
    [
        (2, [[-1], [], [5]]),  # 0, 1, 2: seat 0 is the lowest, seat 2 the highest
        (0, [[5], [-1], []]),  # 1, 2, 0
        (1, [[], [5], [-1]]),  # 2, 0, 1
    ],
)
def test_equal_sums_are_settled_clockwise_from_the_dealers_left(dealer: int, won: list[list[int]]) -> None:
    """ "Ruling, no cards left": equal sums, the earlier being the lower."""
    table = Table("3 4", "4 3", "3 4", points="5 -1", dealer=dealer)
    table.step("3 4 3")
    table.step("4 3 4")
    assert table.sees()["won"] == won


def test_settling_after_some_dropped_out() -> None:
    """ "Ruling, no cards left": seat 0 is out with 1; sums 7, 7, 8 and no cards: 5 to seat 1, 9 to seat 3."""
    table = Table("1 1", "5 2", "5 2", "5 3", points="1 5 9")
    table.step("1 5 5 5")
    table.step(". 2 2 3")
    assert table.sees()["won"] == [[1], [5], [], [9]]
    assert table.sees()["rounds"][0] == {
        "point_cards": [1, 5, 9],
        "steps": [{"cards": [1, 5, 5, 5], "taker": 0}, {"cards": [None, 2, 2, 3], "taker": None}],
        "settled": [1, 3],
        "exchanged": None,
    }


def test_the_last_two_are_settled_too() -> None:
    """ "Ruling, no cards left": 9 and 9 without cards: the later from the dealer's left counts as the higher."""
    table = Table("1 1", "5 4", "5 4", points="1 5")
    table.step("1 5 5")
    table.step(". 4 4")
    assert table.sees()["won"] == [[1], [], [5]]


def test_the_last_card_can_still_drop_somebody_out() -> None:
    """ "Ruling, no cards left": seat 0 drops out with its last card; 5, 5, 9 are settled at once."""
    table = Table("1", "5", "5", "9", points="1 2 3")
    table.step("1 5 5 9")
    view = table.sees()
    assert view["won"] == [[1], [2], [], [3]]
    assert view["rounds"][0]["steps"][0]["taker"] == 0
    assert view["rounds"][0]["settled"] == [1, 3]


def test_the_last_card_can_end_the_round_without_settling() -> None:
    table = Table("1 1", "5 3", "5 4", points="1 2")
    table.step("1 5 5")
    table.step(". 3 4")
    assert table.sees()["rounds"][0]["settled"] == []
    assert table.sees()["won"] == [[1], [], [2]]


# Between rounds.


def test_hands_are_refilled_one_card_at_a_time_from_the_new_dealers_left() -> None:
    """ "Between rounds": one card at a time clockwise from the dealer's left; ruling: the dealer of the new round.

    Seat 2 dealt, now seat 0 does, so seat 1 is first. Missing are 1, 2, 2 cards: 1 2 0, then 1 2.
    """
    table = Table("1 8 8", "5 3 8", "5 4 8", points="1 2", pile="20 21 22 23 24 30 31")
    table.step("1 5 5")
    table.step(". 3 4")
    assert [table.sees(seat)["hand"] for seat in range(3)] == [[8, 8, 22], [8, 20, 23], [8, 21, 24]]
    assert table.sees()["dealer"] == 0
    assert table.sees()["draw_pile"] == 2
    assert sorted(table.sees()["discards"]) == [1, 3, 4, 5, 5]


def exchanging() -> Table:
    """Seat 1 dropped out first and exchanges; 30 and more lie on the draw pile."""
    table = Table("5 3 8", "1 8 9", "5 4 8", points="1 2", pile="20 21 22 23 24 30 31 32 33 34")
    table.step("5 1 5")
    table.step("3 . 4")
    return table


def test_who_dropped_out_first_may_exchange() -> None:
    """ "Between rounds": cards are laid off first, then as many are drawn; then new point cards are laid out."""
    table = exchanging()
    assert table.to_move() == (1,)
    hand = table.sees(1)["hand"]
    assert hand == [8, 9, 20]
    assert table.may(1) == ["lay off 8", "lay off 9", "lay off 20", "done"]
    table.play(1, "lay off 8", "lay off 20")
    assert table.sees()["draw_pile"] == 5
    assert table.sees(1)["hand"] == [9]
    table.play(1, "done")
    assert table.sees(1)["hand"] == [9, 30, 31]
    assert table.sees()["point_cards"] == [32, 33]
    assert table.sees()["rounds"][0]["exchanged"] == 2
    assert table.to_move() == (0, 1, 2)
    assert table.sees()["sums"] == [0, 0, 0]


def test_nobody_has_to_exchange() -> None:
    """ "Between rounds": any number of hand cards, none included."""
    table = exchanging()
    table.play(1, "done")
    assert table.sees(1)["hand"] == [8, 9, 20]
    assert table.sees()["point_cards"] == [30, 31]
    assert table.sees()["rounds"][0]["exchanged"] == 0


def test_exchanged_cards_are_laid_face_down() -> None:
    """ "Ruling" in "Between rounds": exchanged cards are laid face-down, although the discard pile is open."""
    table = exchanging()
    table.play(1, "lay off 20")
    for watcher in (0, 2, None):
        view = table.sees(watcher)
        assert view["face_down"] == [0, 1, 0]
        assert not view["laid_off"]
        assert "20" not in json.dumps(view)
    assert table.sees(1)["laid_off"] == [20]
    assert sorted(table.sees()["discards"]) == [1, 3, 4, 5, 5]


def test_in_a_settled_round_the_first_taker_exchanges() -> None:
    """ "Between rounds": whoever took the first point card, also in a settled round.

    Sums 7, 7, 7, seat 1 has dealt: seat 2 counts as the lowest and takes -1.
    """
    table = Table("3 4", "4 3", "3 4", points="5 -1", pile="20 21 22 23 24 25 30 31", dealer=1)
    table.step("3 4 3")
    table.step("4 3 4")
    assert table.sees()["won"] == [[], [5], [-1]]
    assert table.to_move() == (2,)


def test_who_dropped_out_before_settling_exchanges() -> None:
    """ "Between rounds": seat 0 dropped out first, the others were settled."""
    table = Table("1 1", "5 2", "5 2", "5 3", points="1 5 9", pile="20 21 22 23 24 25 26 30 31 32")
    table.step("1 5 5 5")
    table.step(". 2 2 3")
    assert table.to_move() == (0,)


# The end.


def five(pile: str) -> Table:
    """One card each: seat 0 drops out and takes 11, the others are settled: 12, 13, nothing, 14. Seat 0 deals next."""
    table = Table("1", "2", "3", "4", "5", points="11 12 13 14", pile=pile)
    table.step("1 2 3 4 5")
    assert table.sees()["won"] == [[11], [12], [13], [], [14]]
    return table


def test_the_game_ends_when_no_round_can_begin() -> None:
    """ "End": 5 hands of one card and 4 point cards need 9 cards: 3 and the 5 of the discard pile are too few.

    Each player adds the values of the won cards; the highest total wins.
    """
    table = five("20 21 22")
    assert table.to_move() == ()
    assert not table.game.chance_due(table.state)
    assert table.game.outcome(table.state) == Outcome((11, 12, 13, 0, 14), (4, 3, 2, 5, 1), "cards_ran_out")
    assert table.game.legal(table.state, 0) == ()


def test_equal_totals_share_the_place_and_hand_cards_count_nothing() -> None:
    """ "End": equal totals share the place; hand cards left at the end count nothing (seat 0 holds a 15)."""
    table = Table("1 15", "5 3", "5 4", points="4 4")
    table.step("1 5 5")
    table.step(". 3 4")
    assert table.sees(0)["hand"] == [15]
    assert table.game.outcome(table.state) == Outcome((4, 0, 4), (1, 3, 1), "cards_ran_out")


@pytest.mark.parametrize("seats", [3, 4])
def test_three_and_four_players_play_the_draw_pile_once(seats: int) -> None:
    """ "End": with 4 players the draw pile is played through once; three players also play it once.

    As many cards as players to refill, one fewer as point cards: a card less in the pile, and it is over.
    """
    hands, points = [str(seat + 1) for seat in range(seats)], " ".join(str(20 + seat) for seat in range(seats - 1))
    for missing in (0, 1):
        table = Table(*hands, points=points, pile=" ".join(["7"] * (2 * seats - 1 - missing)))
        table.step(" ".join(hands))
        assert (table.game.outcome(table.state) is None) == (missing == 0)
        assert table.sees()["reshuffles"] == 0
        assert not table.game.chance_due(table.state)


def test_four_players_never_reshuffle() -> None:
    """ "End": with 4 players this never happens."""
    for seed in range(40):
        state = GAME.deal(4, seed)
        GAME.rollout(state, Random(seed))
        assert state.reshuffle is None


@pytest.mark.parametrize("seats", [5, 6])
def test_five_and_six_players_reshuffle_at_most_once(seats: int) -> None:
    """ "End": otherwise twice: the discard pile becomes a new draw pile once; it is a chance event of the record."""
    for seed in range(40):
        playthrough = Playthrough(GAME, seats, seed, {"hand_size": seats})
        rng = Random(seed)
        while to_move := playthrough.to_move():
            playthrough.play(Turn(to_move[0], rng.choice(GAME.legal(playthrough.state, to_move[0]))))
        assert playthrough.view(None)["reshuffles"] == 0
        assert playthrough.view(None)["reshuffle"] is not None


def reshuffle(table: Table, seed: int = 1) -> list[int]:
    """Settle the reshuffle that is due; the cards of the new draw pile, sorted, before any is dealt."""
    game, state = table.game, table.state
    assert game.chance_due(state)
    assert table.to_move() == ()
    assert game.outcome(state) is None
    lacking = state.held() + len(state.middle)
    before = Counter(b"".join([*state.kinds, *state.spares, state.middle]))
    game.settle(state, Random(seed))
    assert not game.chance_due(state)
    with pytest.raises(RuntimeError, match="No reshuffle of und-tschuess is due"):
        game.settle(state, Random(seed))
    after = Counter(b"".join([*state.kinds, *state.spares, state.middle, state.pile]))
    assert after >= before
    assert lacking == before.total()
    return sorted(table.values(bytes((after - before).elements())))


def test_the_draw_pile_runs_out_while_hands_are_refilled() -> None:
    """ "End": when the draw pile runs out and a card is needed, the discard pile is shuffled, never the won cards.

    Seats 1 to 4 get 20 to 23, seat 0 the first of the new draw pile; 4 are left for the point cards.
    """
    table = five("20 21 22 23")
    assert table.sees()["phase"] == "refill"
    assert table.sees()["next_seat"] == 0
    assert table.sees()["draw_pile"] == 0
    assert reshuffle(table) == [1, 2, 3, 4, 5]
    assert [table.sees(seat)["hand"] for seat in range(1, 5)] == [[20], [21], [22], [23]]
    assert table.sees()["hand_sizes"] == [1] * 5
    assert table.sees()["discards"] == []
    assert table.sees()["reshuffles"] == 0
    assert table.to_move() == (0,)


def test_refilling_goes_on_where_it_stopped() -> None:
    """ "Between rounds" and "End": clockwise, one card at a time, over the reshuffle.

    All five lack both cards but seat 0, which lacks one: 1 2 3 4 0 1 2 3 4; the pile has six.
    """
    table = Table("1 9", "3 3", "3 3", "4 4", "4 4", points="11 12 13 14", pile="21 22 23 24 20 31")
    table.step("1 3 3 4 4")
    table.step(". 3 3 4 4")
    assert table.sees()["next_seat"] == 2
    assert table.sees()["hand_sizes"] == [2, 2, 1, 1, 1]
    new = reshuffle(table)
    assert new == [1, 3, 3, 3, 3, 4, 4, 4, 4]
    assert [table.sees(seat)["hand"] for seat in (0, 1)] == [[9, 20], [21, 31]]
    assert table.sees()["hand_sizes"] == [2] * 5
    for seat, kept in ((2, 22), (3, 23), (4, 24)):
        assert kept in table.sees(seat)["hand"]


def test_the_draw_pile_runs_out_in_an_exchange() -> None:
    """ "End": cards just laid off in an exchange are shuffled in; the exchange goes on with the new draw pile."""
    table = five("20 21 22 23 24")
    assert table.sees(0)["hand"] == [24]
    table.play(0, "lay off 24", "done")
    assert table.sees()["phase"] == "draw"
    assert reshuffle(table) == [1, 2, 3, 4, 5, 24]
    assert table.sees()["hand_sizes"] == [1] * 5
    assert len(table.sees()["point_cards"]) == 4
    assert table.sees()["draw_pile"] == 1
    assert table.sees()["face_down"] == [0] * 5
    assert table.sees(0)["laid_off"] == []
    assert table.sees(0)["reshuffle"]["laid_off"] == [24]
    assert table.sees(1)["reshuffle"]["laid_off"] == []
    assert table.sees(1)["reshuffle"]["face_down"] == [1, 0, 0, 0, 0]


def test_the_draw_pile_runs_out_while_point_cards_are_laid_out() -> None:
    """ "End": two of the four point cards come from the old draw pile, two from the new one."""
    table = five("20 21 22 23 24 31 30")
    table.play(0, "done")
    assert table.sees()["phase"] == "lay out"
    assert reshuffle(table) == [1, 2, 3, 4, 5]
    assert table.sees()["point_cards"][2:] == [30, 31]
    assert table.sees()["reshuffle"]["point_cards"] == [31, 30]
    assert table.sees()["draw_pile"] == 3
    assert table.to_move() == (0, 1, 2, 3, 4)


def test_after_the_reshuffle_only_the_draw_pile_counts() -> None:
    """ "End": only *permitted* reshuffles count: 3 in the draw pile and 5 discarded are too few for 9."""
    table = five("20 21 22 23 24 31 30")
    table.play(0, "done")
    reshuffle(table)
    table.step("24 20 21 22 23")
    assert table.sees()["phase"] == "over"
    assert table.sees()["draw_pile"] == 3
    outcome = table.game.outcome(table.state)
    assert outcome is not None
    assert sum(outcome.scores) == sum((11, 12, 13, 14, *table.sees()["rounds"][1]["point_cards"]))


def test_an_exchange_leaves_the_point_cards_to_come() -> None:
    """ "End": the size of an exchange is limited to draw pile plus permitted reshuffle minus the point cards to come.

    Three cards are in the draw pile after the refill, two are to come as point cards: one can be exchanged.
    """
    table = Table("5 3 8", "1 8 9", "5 4 8", points="1 2", pile="20 21 22 23 24 30 31 32")
    table.step("5 1 5")
    table.step("3 . 4")
    assert table.sees()["room"] == 1
    table.play(1, "lay off 8")
    assert table.may(1) == ["done"]
    with pytest.raises(IllegalMove, match="lay off 9 is too many: no further card could be drawn for it"):
        table.play(1, "lay off 9")
    table.play(1, "done")
    assert table.sees()["draw_pile"] == 0
    assert table.to_move() == (0, 1, 2)


def test_an_exchange_counts_a_permitted_reshuffle() -> None:
    """ "End": an empty draw pile and 5 discarded cards, 4 point cards to come: one can be exchanged; of 4 + 0 none."""
    assert five("20 21 22 23 24").may(0) == ["lay off 24", "done"]
    table = five("20 21 22 23")
    reshuffle(table)
    assert table.sees()["draw_pile"] == 4
    assert table.may(0) == ["done"]


def test_an_exchange_is_limited_by_the_hand() -> None:
    table = exchanging()
    assert table.sees()["room"] == 3
    table.play(1, "lay off 8", "lay off 9", "lay off 20")
    assert table.may(1) == ["done"]


# Logged results: bounds for what was agreed on.


def test_bounds_follow_the_deck_and_the_hands() -> None:
    """ "Logged results": with other decks the bounds are computed from the deck.

    Four hands of 3 and 3 point cards are all 15 cards: one round, so 15 at most, 15 + 14 + 13 together. With 12
    more cards a second round can be played: 2 + 3 + 4 cards to refill and 3 point cards.
    """
    rule = GAMES["und-tschuess"].bounds.for_table
    bounds = rule(4, "", {"deck": [*range(1, 16)], "hand_size": 3})
    assert (bounds.low, bounds.high, bounds.together_low, bounds.together_high) == (0, 15, 0, 42)
    bounds = rule(4, "", {"deck": [*range(-6, 21)], "hand_size": 3})
    assert (bounds.low, bounds.high, bounds.together_high) == (-21, 39, 20 + 19 + 18 + 17 + 16 + 15)
    assert rule(4, "", {"deck": [*range(-6, 20)], "hand_size": 3}).high == 19
    assert rule(4, "", {"deck": [-1] * 40, "hand_size": 3}).high == 0
    assert rule(4, "", {"hand_size": 20}).high == 30  # 104 - 80 - 3 = 21 cards: one more round
    assert rule(4, "", {"deck": "default", "hand_size": 7}) == rule(4)


def test_bounds_of_a_table_that_nobody_plays_at() -> None:
    assert most_rounds(104, 1, 4) == 0


# Moves as words.


def test_words_of_moves() -> None:
    assert [GAME.describe(GAME.parse(word)) for word in ("12", "-5", "lay off 12", "done")] == [
        "12",
        "-5",
        "lay off 12",
        "done",
    ]
    moves = range(2 * 17 + 1)
    assert [GAME.parse(GAME.describe(move)) for move in moves] == list(moves)
    assert GAME.parse(" - 1 0 ") == GAME.parse("-10")
    assert GAME.parse("LAYOFF 7") == GAME.parse("lay off 7") == GAME.parse("Lay  Off7")


@pytest.mark.parametrize(
    "word",
    ["", " ", "0", "16", "-6", "lay off", "lay off 16", "twelve", "1.0", "lay 3", "🂡" * 9, "٣", "x" * 5000, "9" * 5000],
)
def test_other_words_are_no_moves(word: str) -> None:
    with pytest.raises(UnreadableMove) as caught:
        GAME.parse(word)
    assert "played by its value, as in -10; an exchange is written as lay off -10" in str(caught.value)
    assert len(str(caught.value)) < 250


def test_every_kind_of_illegal_move_is_explained() -> None:
    table = exchanging()
    for move in (-1, 10**9):
        with pytest.raises(IllegalMove, match=f"{move} is no move of this game"):
            table.game.apply(table.state, Turn(1, move))
    with pytest.raises(
        IllegalMove, match=r"The round has not begun: you may exchange cards \(lay off 8\), or say done"
    ):
        table.play(1, "8")
    with pytest.raises(IllegalMove, match=r"^31 is not in your hand"):
        table.play(1, "lay off 31")
    with pytest.raises(OutOfTurn, match="It is the turn of seat 1, not of seat 0"):
        table.play(0, "done")
    table.play(1, "done")
    for word in ("lay off 8", "done"):
        with pytest.raises(IllegalMove, match=f"{word} is for the exchange between rounds; now everyone inside plays"):
            table.play(1, word)
    with pytest.raises(IllegalMove, match=r"^2 is not in your hand"):
        table.play(1, "2")


# Whole games against the rules retold.


class Retold:
    """The rules of the page in lists of numbers, one card after another."""

    def __init__(self, seats: int, size: int, deck: Sequence[int], seed: int) -> None:
        self.seats, self.size, self.seed = seats, size, seed
        self.pile = shuffled(sorted(deck), event_source(seed, 0))
        self.passes = 1 if seats <= 4 else 2
        self.played: list[int] = []
        self.laid_off: list[int] = []
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        self.won: list[list[int]] = [[] for _ in range(seats)]
        self.dealer = seats - 1
        for _ in range(size):
            for seat in self.clockwise():
                self.hands[seat].append(self.card())
        self.begin()

    def clockwise(self) -> list[int]:
        return [(self.dealer + 1 + i) % self.seats for i in range(self.seats)]

    def card(self) -> int:
        if not self.pile:
            assert self.passes == 2
            self.passes = 1
            self.pile = shuffled(self.played + self.laid_off, event_source(self.seed, 1))
            self.played, self.laid_off = [], []
        return self.pile.pop(0)

    def begin(self) -> None:
        self.middle = sorted(self.card() for _ in range(self.seats - 1))
        self.sums = [0] * self.seats
        self.inside = list(range(self.seats))
        self.out: list[int] = []
        self.chosen: dict[int, int] = {}
        self.exchanger: int | None = None
        self.table: list[int] = []

    def may(self, seat: int) -> set[str]:
        if self.exchanger is not None:
            if seat != self.exchanger:
                return set()
            return {"done"} | ({f"lay off {card}" for card in self.hands[seat]} if self.laid < self.limit else set())
        return {str(card) for card in self.hands[seat]} if seat in self.inside and seat not in self.chosen else set()

    def play(self, seat: int, word: str) -> None:
        if word == "done":
            for _ in range(self.laid):
                self.hands[seat].append(self.card())
            self.begin()
        elif word.startswith("lay off"):
            card = int(word.removeprefix("lay off "))
            self.hands[seat].remove(card)
            self.laid_off.append(card)
            self.laid += 1
        else:
            self.hands[seat].remove(int(word))
            self.chosen[seat] = int(word)
            if len(self.chosen) == len(self.inside):
                self.reveal()

    def reveal(self) -> None:
        for seat in sorted(self.chosen):
            self.sums[seat] += self.chosen[seat]
            self.table.append(self.chosen[seat])
        self.chosen = {}
        order = sorted(self.inside, key=lambda seat: self.sums[seat])
        if len(order) > 2:
            if self.sums[order[0]] < self.sums[order[1]]:
                self.take(order[0])
        elif self.sums[order[0]] < self.sums[order[1]]:
            self.take(order[1])
        if self.middle and not all(self.hands[seat] for seat in self.inside):
            order = sorted(self.clockwise(), key=lambda seat: self.sums[seat])
            order = [seat for seat in order if seat in self.inside]
            order.pop(-2)
            for seat in order:
                self.take(seat)
        if not self.middle:
            self.end()

    def take(self, seat: int) -> None:
        self.won[seat].append(self.middle.pop(0))
        self.inside.remove(seat)
        self.out.append(seat)

    def end(self) -> None:
        self.played += self.table
        self.inside = []
        missing = sum(self.size - len(hand) for hand in self.hands)
        extra = len(self.played) + len(self.laid_off) if self.passes == 2 else 0
        if len(self.pile) + extra < missing + self.seats - 1:
            return
        self.dealer = (self.dealer + 1) % self.seats
        while any(len(hand) < self.size for hand in self.hands):
            for seat in self.clockwise():
                if len(self.hands[seat]) < self.size:
                    self.hands[seat].append(self.card())
        self.exchanger, self.laid = self.out[0], 0
        extra = len(self.played) + len(self.laid_off) if self.passes == 2 else 0
        self.limit = len(self.pile) + extra - (self.seats - 1)


@given(st.integers(0, 2**53 - 1), st.integers(3, 6), st.data())
def test_whole_games_against_a_naive_reading_of_the_rules(seed: int, seats: int, data: st.DataObject) -> None:
    """All of the page: who may move and what, at every turn, and the scores at the end."""
    deck = data.draw(st.sampled_from([DECK.values_of(DECK.cards), [number % 7 - 2 for number in range(75)]]))
    size = data.draw(st.integers(seats - 1, (len(deck) - seats + 1) // seats))
    listed: list[Json] = [*deck]
    playthrough = Playthrough(GAME, seats, seed, {"deck": listed, "hand_size": size})
    game, retold, rng = playthrough.game, Retold(seats, size, deck, seed), Random(seed)
    while True:
        for seat in range(seats):
            assert {game.describe(move) for move in game.legal(playthrough.state, seat)} == retold.may(seat)
        to_move = playthrough.to_move()
        assert list(to_move) == [seat for seat in range(seats) if retold.may(seat)]
        if not to_move:
            break
        seat = rng.choice(to_move)
        move = rng.choice(game.legal(playthrough.state, seat))
        playthrough.play(Turn(seat, move))
        retold.play(seat, game.describe(move))
    outcome = playthrough.outcome()
    assert outcome is not None
    assert list(outcome.scores) == [sum(cards) for cards in retold.won]
    view = playthrough.view(None)
    assert view["won"] == retold.won
    assert sorted(view["discards"]) == sorted(retold.played)
    assert sum(view["face_down"]) == len(retold.laid_off)


@given(st.integers(0, 2**53 - 1), st.integers(3, 6), st.integers(0, 60), st.integers(0, 999))
def test_a_rollout_plays_what_the_rules_offer(seed: int, seats: int, moves: int, chance: int) -> None:
    """The rollout of this game plays as that of every game does, draw by draw."""
    state = after(GAME, seats, seed, moves).state
    plain, quick, one, other = state.clone(), state.clone(), Random(chance), Random(chance)
    Game.rollout(GAME, plain, one)
    GAME.rollout(quick, other)
    assert quick == plain
    assert GAME.outcome(quick) is not None
    assert one.getstate() == other.getstate()


# What a seat may know.


SINGLE_CARDS: list[Json] = [*range(-99, -9)]
"""90 different values, none of which can be a number of cards."""


def position(data: st.DataObject, **options: Json) -> tuple[UndTschuess, RoundState, int | None]:
    """A game, a position after some random moves, and who watches."""
    seats = data.draw(st.integers(3, 6))
    playthrough = Playthrough(GAME, seats, data.draw(st.integers(0, 2**53 - 1)), options)
    rng = Random(playthrough.seed)
    for _ in range(data.draw(st.integers(0, 120))):
        if not (to_move := playthrough.to_move()):
            break
        seat = rng.choice(to_move)
        playthrough.play(Turn(seat, rng.choice(playthrough.game.legal(playthrough.state, seat))))
    game = playthrough.game
    assert isinstance(game, UndTschuess)
    return game, playthrough.state, data.draw(st.none() | st.integers(0, seats - 1))


def laid_off_by(game: UndTschuess, state: RoundState) -> list[int]:
    """Who laid off each of the cards that were ever laid off."""
    exchanges = [(past.takers[0], past.exchanged) for past in game.rounds(state) if past.exchanged is not None]
    if state.room or state.phase == PHASES.index("exchange"):
        exchanges.append((state.first_out, state.size - state.hand_size(state.first_out)))
    return [seat for seat, number in exchanges for _ in range(number)]


@given(st.data())
def test_hidden_cards_can_change_places_without_a_trace(data: st.DataObject) -> None:
    """ "What a seat may see": not other hands, pending choices, the draw pile, what others have laid off or held."""
    game, state, watcher = position(data)
    others = [seat for seat in range(len(state.kinds)) if seat != watcher]
    pending = [seat for seat in others if (state.inside & ~state.due) >> seat & 1]
    owners = laid_off_by(game, state)
    assert len(owners) == len(state.laid_off)
    hands = [state.hand(seat) for seat in others]
    before = [] if state.reshuffle is None else [state.reshuffle.hand(seat) for seat in others]
    theirs = bytes(card for seat, card in zip(owners, state.laid_off, strict=True) if seat != watcher)
    hidden = [*b"".join(hands), *b"".join(before), *theirs, *state.pile, *(state.chosen[seat] for seat in pending)]
    mixed = iter(data.draw(st.permutations(hidden)))
    swapped = state.clone()
    for seat, hand in zip(others, hands, strict=True):
        swapped.kinds[seat] = swapped.spares[seat] = b""
        swapped.give(seat, [next(mixed) for _ in hand])
    if state.reshuffle is not None:
        then = [state.reshuffle.hand(seat) for seat in range(len(state.kinds))]
        held = b"".join(hand if seat == watcher else bytes(next(mixed) for _ in hand) for seat, hand in enumerate(then))
        swapped.reshuffle = state.reshuffle._replace(hands=held)
    swapped.laid_off = bytes(
        card if seat == watcher else next(mixed) for seat, card in zip(owners, state.laid_off, strict=True)
    )
    swapped.pile = bytes(next(mixed) for _ in state.pile)
    for seat in pending:
        swapped.chosen[seat] = next(mixed)
    assert next(mixed, None) is None
    assert game.view(swapped, watcher) == game.view(state, watcher)
    assert game.draw(game.view(swapped, watcher)) == game.draw(game.view(state, watcher))


@given(st.data())
def test_a_view_names_no_unseen_card(data: st.DataObject) -> None:
    """ "What a seat may see": own hand, point cards, every card revealed so far; sums apart, no other value."""
    game, state, watcher = position(data, deck=SINGLE_CARDS)
    rounds = list(game.rounds(state))
    seen = {card for past in rounds for card in past.point_cards}
    seen |= {card for past in rounds for step in past.steps for card in step.cards}
    view: dict[str, Any] = {**game.view(state, watcher)}
    del view["sums"]
    if watcher is not None:
        seen |= set(state.hand(watcher))
        seen |= {card for seat, card in zip(laid_off_by(game, state), state.laid_off, strict=True) if seat == watcher}
        if (state.inside & ~state.due) >> watcher & 1:
            seen.add(state.chosen[watcher])
        if state.reshuffle is not None:
            seen |= set(state.reshuffle.hand(watcher))
        assert view["hand"] == game.deck.values_of(state.hand(watcher))
    named = {int(word) for word in re.findall("-[0-9]+", json.dumps(view))}
    assert named == set(game.deck.values_of(seen))


@given(st.data())
def test_a_position_can_be_drawn_on_120_columns(data: st.DataObject) -> None:
    game, state, watcher = position(data)
    view = game.view(state, watcher)
    lines = game.draw(view).split("\n")
    assert max(map(len, lines)) <= 120
    seen_by = "a spectator" if watcher is None else f"seat {watcher}"
    assert lines[0] == f"und-tschuess, {view['seats']} seats, dealer {view['dealer']}, seen by {seen_by}"
    hand = view["hand"]
    assert ("hand:" in game.draw(view)) == (hand is not None)
    if hand:
        assert f"hand: {' '.join(map(str, hand))}" in lines
    for seat in range(view["seats"]):
        (line,) = [line for line in lines if line.startswith(f"seat {seat}: ")]
        assert line.endswith("*") == (seat in view["to_move"])


# What may be hidden behind a view (docs/rules/determinization.md, "und Tschüss").


@given(st.data(), st.integers(0, 999))
def test_a_determinized_state_is_possible(data: st.DataObject, chance: int) -> None:
    """All cards of the deck are somewhere, the view stays the same, and so does every other seat's part of it."""
    game, state, watcher = position(data, hand_size=data.draw(st.integers(5, 9)))
    view = game.view(state, watcher)
    drawn = game.determinize(view, Random(chance))
    assert game.view(drawn, watcher) == view
    assert game.to_move(drawn) == game.to_move(state)
    assert (game.outcome(drawn) is None) == (game.outcome(state) is None)
    census = FACTS[game.key].census
    assert census(game, drawn) == census(game, state)
    assert all(kinds == bytes(sorted(set(kinds))) for kinds in drawn.kinds)
    if drawn.reshuffle is None or state.reshuffle is None:
        return
    # Whatever lies in the new draw pile was played, or laid off, before the reshuffle; and what others held
    # then was neither.
    past = [step.cards for one in list(game.rounds(state))[: state.reshuffle.rounds] for step in one.steps]
    shuffled_in = Counter(b"".join(past) + drawn.laid_off[: drawn.reshuffle.laid_off])
    points = [one.point_cards for one in list(game.rounds(state))[: state.reshuffle.rounds]]
    elsewhere = Counter(drawn.reshuffle.hands + b"".join(points) + drawn.reshuffle.middle)
    assert Counter(drawn.pile) <= shuffled_in
    assert shuffled_in + elsewhere == Counter(game.deck.cards)


def test_hidden_cards_before_the_reshuffle_against_all_their_orders() -> None:
    """Two other hands, a pending choice and a draw pile of three: all orders of the seven cards in these places.

    Equal values are different cards: what more orders lead to comes up more often.
    """
    table = Table("1 2", "2 3", "1 3", points="5 5", pile="1 2 2")
    table.play(1, "2")
    weights: Counter[Hashable] = Counter()
    for order in permutations([2, 3, 1, 3, 1, 2, 2]):
        weights[order[0], tuple(sorted(order[1:3])), order[3], order[4:]] += 1
    counts: Counter[Hashable] = Counter()
    rng, view = Random(5), table.game.view(table.state, 0)
    for _ in range(12000):
        drawn = table.game.determinize(view, rng)
        hands = [table.values(drawn.hand(seat)) for seat in (1, 2)]
        (chosen,) = table.values(bytes([drawn.chosen[1]]))
        counts[hands[0][0], tuple(hands[1]), chosen, tuple(table.values(drawn.pile))] += 1
    assert_shares(counts, weights)


def test_cards_laid_off_by_others_against_all_orders() -> None:
    """Seat 1 has laid off two cards and holds one; six unseen cards in all, and the others' hands."""
    table = Table("5 3", "1 2", "5 4", points="1 2", pile="1 2 2 1 7 1 2 7")
    table.step("5 1 5")
    table.step("3 . 4")
    table.play(1, "lay off 2")
    view = table.game.view(table.state, 0)
    own = list(view["hand"] or ())
    unseen = Counter([1, 2, 2, 1, 7, 1, 2, 7, 2]) - Counter(own)
    assert view["hand_sizes"] == [2, 1, 2]
    weights: Counter[Hashable] = Counter()
    for order in permutations(sorted(unseen.elements())):
        weights[order[0], order[1], tuple(sorted(order[2:4]))] += 1
    counts: Counter[Hashable] = Counter()
    rng = Random(5)
    for _ in range(5000):
        drawn = table.game.determinize(view, rng)
        hands = [table.values(drawn.hand(seat)) for seat in (1, 2)]
        (laid_off,) = table.values(drawn.laid_off)
        counts[hands[0][0], laid_off, tuple(hands[1])] += 1
    assert_shares(counts, weights)


# After the reshuffle: every course of single cards that would have shown the same.


def all_courses(view: View, deck: Sequence[int]) -> Counter[Hashable]:
    """In how many ways single cards can have come to lie, be drawn, played and laid off, by what came of it.

    What came of it: by seat the cards held, what others had laid off before the reshuffle, and since.
    """
    then, watcher = view["reshuffle"], view["seat"]
    assert then is not None and watcher is not None
    others = [seat for seat in range(view["seats"]) if seat != watcher]
    past, since = view["rounds"][: then["rounds"]], view["rounds"][then["rounds"] :]

    # What happened since: a card dealt to another seat, played or laid off by it; and cards this seat has had.
    events: list[tuple[str, int, int]] = []
    own = [*(view["hand"] or ()), *(view["laid_off"] or ()), *([] if view["chosen"] is None else [view["chosen"]])]

    def happened(what: str, seat: int, number: int) -> None:
        events.extend([(what, seat, 0)] * number * (seat != watcher))

    def exchange(after: RoundView) -> None:
        takers = [step["taker"] for step in after["steps"] if step["taker"] is not None]
        seat = [*takers, *after["settled"]][0]
        if after["exchanged"] is not None:
            happened("lay off", seat, after["exchanged"])
            happened("deal", seat, after["exchanged"])
        elif view["phase"] == "exchange":
            happened("lay off", seat, view["hand_size"] - view["hand_sizes"][seat])

    for seat in range(view["seats"]):
        happened("deal", seat, view["hand_size"] - then["hand_sizes"][seat])
    if then["phase"] == "refill":
        exchange(past[-1])
    for number, one in enumerate(since):
        plays = [(seat, card) for step in one["steps"] for seat, card in enumerate(step["cards"]) if card is not None]
        own += [card for seat, card in plays if seat == watcher]
        events += [("play", seat, card) for seat, card in plays if seat != watcher]
        if number < len(since) - 1 or view["phase"] == "exchange":
            for seat, _ in plays:
                happened("deal", seat, 1)
            exchange(one)
    seen = Counter(own) - Counter(then["hand"]) + Counter(card for one in since for card in one["point_cards"])
    seen -= Counter(then["point_cards"])

    gone = [*(then["hand"] or ()), *(then["laid_off"] or ()), *then["discards"], *then["point_cards"]]
    unseen = Counter(deck) - Counter(gone) - Counter(card for one in past for card in one["point_cards"])
    sizes = [then["hand_sizes"][seat] for seat in others]
    ways: Counter[Hashable] = Counter()
    for order in set(permutations(unseen.elements())):
        # Each different order is one of the single cards in equally many ways.
        hands, at = {}, 0
        for seat, size in zip(others, sizes, strict=True):
            hands[seat] = Counter(order[at : at + size])
            at += size
        pile = Counter(then["discards"]) + Counter(then["laid_off"]) + Counter(order[at:])
        # The cards seen coming from the pile came first, as well as at any other time.
        weight = prod(prod(range(pile[card] - number + 1, pile[card] + 1)) for card, number in seen.items())
        if weight:
            for result, number in _go_on(events, hands, pile - seen):
                ways[(result[0], tuple(sorted(order[at:])), result[1])] += weight * number
    return ways


def _go_on(
    events: Sequence[tuple[str, int, int]],
    hands: dict[int, Counter[int]],
    pile: Counter[int],
    laid_off: tuple[int, ...] = (),
) -> Iterator[tuple[tuple[Any, Any], int]]:
    """What may come of hands and pile, and in how many ways."""
    if not events:
        yield (tuple(tuple(sorted(hand.elements())) for hand in hands.values()), tuple(sorted(laid_off))), 1
        return
    (kind, seat, played), *rest = events
    source = pile if kind == "deal" else hands[seat]
    for card, number in source.items() if kind != "play" else [(played, hands[seat][played])]:
        if number:
            more = {**hands, seat: hands[seat] + Counter([card]) if kind == "deal" else hands[seat] - Counter([card])}
            left = pile - Counter([card]) if kind == "deal" else pile
            for result, ways in _go_on(rest, more, left, (*laid_off, card) if kind == "lay off" else laid_off):
                yield result, number * ways


def small_game(cards: int, kinds: int, seed: int, turns: int) -> tuple[UndTschuess, RoundState]:
    """Five seats with two cards each, after so many random turns; values 1 up to the number of kinds."""
    game = UndTschuess(Deck([1 + number % kinds for number in range(cards)]))
    rng = Random(seed)
    state = game.start(5, {"hand_size": 2}, rng)
    for _ in range(turns):
        seat = rng.choice(game.to_move(state))
        game.apply(state, Turn(seat, rng.choice(game.legal(state, seat))))
        if game.chance_due(state):
            game.settle(state, rng)
    return game, state


def course(game: UndTschuess, state: RoundState, watcher: int) -> Hashable:
    """What ``all_courses`` tells apart: cards held, pending choices among them, and laid off by others."""
    others = [seat for seat in range(len(state.kinds)) if seat != watcher]
    pending = {seat: bytes([state.chosen[seat]]) for seat in others if (state.inside & ~state.due) >> seat & 1}
    hands = [game.deck.values_of(state.hand(seat) + pending.get(seat, b"")) for seat in others]
    owners = laid_off_by(game, state)
    assert state.reshuffle is not None
    shuffled_in = state.reshuffle.laid_off
    theirs = [
        (i < shuffled_in, game.deck.values[card])
        for i, (seat, card) in enumerate(zip(owners, state.laid_off, strict=True))
        if seat != watcher
    ]
    return (
        tuple(tuple(sorted(hand)) for hand in hands),
        tuple(sorted(card for before, card in theirs if before)),
        tuple(sorted(card for before, card in theirs if not before)),
    )


@pytest.mark.parametrize(
    ("case", "watcher", "returned", "laid_off"),
    [
        ((18, 4, 15, 17), 1, 0, 0),
        ((23, 4, 2, 20), 0, 0, 1),
        ((28, 3, 20, 28), 2, 0, 1),
        ((23, 4, 15, 20), 1, 0, 2),
        ((28, 4, 35, 20), 1, 1, 0),
        ((23, 4, 29, 19), 2, 2, 0),
        ((28, 3, 32, 17), 4, 2, 0),
        ((33, 3, 24, 21), 0, 0, 1),
    ],
)
def test_hidden_cards_after_the_reshuffle_against_all_courses(
    case: tuple[int, int, int, int], watcher: int, returned: int, laid_off: int
) -> None:
    """Small games with few values: how often each hidden position is drawn, and in how many ways it can have come.

    Others had laid off ``returned`` cards before the reshuffle, and ``laid_off`` since.
    """
    game, state = small_game(*case)
    view = game.view(state, watcher)
    weights = all_courses(view, game.deck.values_of(game.deck.cards))
    counts: Counter[Hashable] = Counter()
    rng = Random(5)
    for _ in range(6 * weights.total() // min(weights.values())):
        drawn = game.determinize(view, rng)
        assert game.view(drawn, watcher) == view
        counts[course(game, drawn, watcher)] += 1
    assert_shares(counts, weights)
    mine, then = len(view["laid_off"] or ()), view["reshuffle"]
    assert then is not None
    assert sum(then["face_down"]) - len(then["laid_off"] or ()) == returned
    assert sum(view["face_down"]) - mine == laid_off


def test_what_no_course_explains() -> None:
    """A seat that had drawn nothing shows a card that was in the draw pile."""
    known = Known(b"\0", b"\1", b"", kept=[1], held=[0], departed=[Departed(0, 1, 0)])
    with pytest.raises(ValueError, match="No course of the cards leads to this view"):
        spread_origins(known, Random(1))
