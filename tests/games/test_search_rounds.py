"""The search of und Tschüss: rounds are the engine's, duels are solved, choices are legal and see nothing hidden."""

import json
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

from benchmarks.rounds_reader import Reader
from games.bots.base import Bot
from games.bots.budget import Budget
from games.bots.greedy_rounds import Outlook, RoundRule, Table, share_later
from games.bots.randomly import RandomBot
from games.bots.search_rounds import Prospects, RoundSearch, Supply
from games.bots.search_rounds_duel import HiddenDuel, OpenDuel, Side, solve
from games.bots.search_rounds_many import Rounds, Start
from games.core import NOBODY, Json, Move, Playthrough, Turn
from games.match import play_through
from games.rules.und_tschuess import CHOOSE, EXCHANGE, GAME, RoundState, UndTschuess
from games.rules.und_tschuess_deck import Deck
from tests.games.engines import after

SEATS = sorted(GAME.seats)
FEW = Budget(iterations=8)


def hands_of(game: UndTschuess, state: RoundState) -> list[list[int]]:
    return [game.deck.values_of(state.hand(seat)) for seat in range(len(state.kinds))]


def rounds_of(game: UndTschuess, state: RoundState) -> Rounds:
    """With the prices that the rule of thumb has now, and tables of what each card is and of what is even."""
    outlook = Outlook(game.deck.values_of(game.deck.cards))
    view = game.view(state, None)
    prices = outlook.prices(share_later(view["seats"], view["draw_pile"], view["reshuffles"]))
    return Rounds(outlook, (prices, prices), outlook.values, [value % 2 for value in outlook.values])


def play_on(game: UndTschuess, state: RoundState, cards: dict[int, int]) -> tuple[list[int], list[list[int]], int]:
    """In the engine: these cards by seat, then the rule of thumb to the end of the round; of equal cards the lowest.

    Points won in the rest of the round, hands before they are filled, and who took the first point card.
    """
    rule, seats = RoundRule(game), len(state.kinds)
    before, number = game.view(state, None)["won"], state.number
    hands = hands_of(game, state)
    while state.phase == CHOOSE and state.number == number:
        step = dict(cards)
        for seat in () if step else game.to_move(state):
            view, legal = game.view(state, seat), game.legal(state, seat)
            ratings = rule.rate(view, legal) if len(legal) > 1 else [0.0]
            step[seat] = game.deck.values[legal[ratings.index(max(ratings))]]
        for seat, card in step.items():
            hands[seat].remove(card)
            game.apply(state, Turn(seat, game.deck.kind_of[card]))
        cards = {}
    won = [sum(one) - sum(other) for one, other in zip(game.view(state, None)["won"], before, strict=True)]
    first = list(game.rounds(state))[number - 1].takers[0]
    assert len(won) == seats
    return won, hands, first


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("values", ["the deck", "few values"])
def test_a_round_ends_as_in_the_engine(seats: int, values: str) -> None:
    """From steps all over random games; few different values make equal sums and settled rounds frequent."""
    rng = Random(seats)
    for seed in range(30):
        options: dict[str, Json] = {"deck": [1, 2] * 40, "hand_size": seats + seed % 2} if values != "the deck" else {}
        playthrough = Playthrough(GAME, seats, seed, options)
        game, state = playthrough.game, playthrough.state
        assert isinstance(game, UndTschuess)
        for _ in range(rng.randrange(60)):
            if to_move := playthrough.to_move():
                playthrough.play(Turn(to_move[0], rng.choice(game.legal(state, to_move[0]))))
        while state.phase == EXCHANGE or (state.phase == CHOOSE and state.due != state.inside):
            seat = playthrough.to_move()[0]
            playthrough.play(Turn(seat, rng.choice(game.legal(state, seat))))
        if state.phase != CHOOSE:
            continue
        hands, inside = hands_of(game, state), list(game.to_move(state))
        start = Start(state.sums, inside, game.deck.values_of(state.middle), state.dealer, state.first_out)
        lanes = [[rng.choice(hands[seat]) for seat in inside] for _ in range(6)]
        columns = [np.array([hand] * 6, dtype=np.int64).reshape(6, -1) for hand in hands]
        ended = rounds_of(game, state).play_out(start, columns, np.array(lanes))
        for lane, cards in enumerate(lanes):
            won, left, first = play_on(game, state.clone(), dict(zip(inside, cards, strict=True)))
            assert ended.won[lane].tolist() == won
            assert ended.first_out[lane] == first
            assert ended.held[lane].tolist() == list(map(len, left))
            assert ended.worth[lane].tolist() == list(map(sum, left))
            assert ended.spare[lane].tolist() == [sum(card % 2 for card in hand) for hand in left]


def test_what_the_rule_of_thumb_plays_is_the_same_for_one_and_for_many() -> None:
    deck = GAME.deck.values_of(GAME.deck.cards)
    outlook, rng = Outlook(deck), Random(5)
    prices = outlook.prices(0.15)
    rounds = Rounds(outlook, (prices, prices), outlook.values, outlook.values)
    for inside in range(2, 7):
        for size in range(1, 10):
            sums = [rng.randint(-20, 40) for _ in range(inside)]
            points = sorted(rng.sample(deck, inside - 1))
            hands = [sorted(rng.sample(deck, size)) for _ in range(inside)]
            start = Start(sums, range(inside), points, 0, NOBODY)
            expected = [
                outlook.best(hand, sums[seat], Table(sorted(sums[:seat] + sums[seat + 1 :]), points, prices))
                for seat, hand in enumerate(hands)
            ]
            assert rounds.best(start, [np.array([hand]) for hand in hands]).tolist() == [expected]


# Matrix games and duels.


def fractions(*rows: Sequence[int]) -> list[list[Fraction]]:
    return [[Fraction(entry) for entry in row] for row in rows]


HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


@pytest.mark.parametrize(
    ("matrix", "value", "rows", "columns"),
    [
        # Matching pennies; stone, paper and scissors: all alike.
        (fractions([1, -1], [-1, 1]), 0, (HALF, HALF), (HALF, HALF)),
        (fractions([0, -1, 1], [1, 0, -1], [-1, 1, 0]), 0, (THIRD,) * 3, (THIRD,) * 3),
        # p 3 + (1 - p) 1 = p 0 + (1 - p) 2 gives p = 1/4; 3 q = q + 2 (1 - q) gives q = 1/2.
        (fractions([3, 0], [1, 2]), Fraction(3, 2), (Fraction(1, 4), Fraction(3, 4)), (HALF, HALF)),
        # A saddle point: the least of its row, the greatest of its column.
        (fractions([4, 1, 8], [5, 3, 6], [0, 2, 9]), 3, (0, 1, 0), (0, 1, 0)),
        # One row, one column.
        (fractions([2, -7, 1]), -7, (1,), (0, 1, 0)),
        (fractions([2], [5]), 5, (0, 1), (1,)),
    ],
)
def test_matrix_games_worked_by_hand(
    matrix: list[list[Fraction]], value: Fraction, rows: Sequence[Fraction], columns: Sequence[Fraction]
) -> None:
    solution = solve(matrix)
    assert (solution.value, solution.rows, solution.columns) == (value, tuple(rows), tuple(columns))


def test_a_solution_can_be_improved_by_neither_side() -> None:
    """Who mixes so wins at least the value against every column, and loses at most the value against every row."""
    rng = Random(4)
    for _ in range(60):
        height, width = rng.randint(1, 5), rng.randint(1, 5)
        matrix = fractions(*([rng.randint(-3, 3) for _ in range(width)] for _ in range(height)))
        value, rows, columns = solve(matrix)
        assert sum(rows) == sum(columns) == 1
        assert min(*rows, *columns) >= 0
        assert min(sum(p * row[j] for p, row in zip(rows, matrix, strict=True)) for j in range(width)) == value
        assert max(sum(q * entry for q, entry in zip(columns, row, strict=True)) for row in matrix) == value


def test_an_open_duel_with_cards_that_cost_something() -> None:
    """3 or 9 against 1 or 5, where 9 costs 1/2 and 5 costs 1/5 of what is at stake.

    3 takes from 1: 1; 3 loses to 5: 1/5; 9 takes from 1: 1/2, from 5: 1/2 + 1/5. With p for 3 and q for 1:
    p + (1 - p) / 2 = p / 5 + (1 - p) 7/10, so p = 1/5; q + (1 - q) / 5 = q / 2 + (1 - q) 7/10, so q = 1/2.
    """
    duel = OpenDuel(0, {9: Fraction(1, 2)}, {5: Fraction(1, 5)})
    cards, solution = duel.solve([9, 3], [5, 1], 0)
    assert cards == [3, 9]
    assert solution == (Fraction(3, 5), (Fraction(1, 5), Fraction(4, 5)), (HALF, HALF))


@pytest.mark.parametrize(("settles", "value"), [(0, Fraction(0)), (1, Fraction(1))])
def test_an_open_duel_of_equal_hands_is_settled(settles: int, value: Fraction) -> None:
    """1 or 9 against 1 or 9: the 9 is safe for whom settling favours, so that nobody can do better than 9, then 1."""
    assert OpenDuel(settles).solve([1, 9], [1, 9], 0)[1].value == value


def test_an_open_duel_is_the_best_of_all_plans() -> None:
    """Against a brute force: each side writes down its first card and an answer to every equal step."""
    rng = Random(7)
    for _ in range(40):
        size, lead = rng.randint(1, 3), rng.randint(-2, 2)
        hand, other = (sorted(rng.choices(range(1, 6), k=size)) for _ in range(2))
        settles = rng.randint(0, 1)
        costs = {card: Fraction(card, 12) for card in range(1, 6)}
        # A plan that depends on the other's card is never needed: equal sums tell what the other has played.
        mine, theirs = (sorted(set(orders(cards))) for cards in (hand, other))
        matrix = [[paid(one, two, lead, settles, costs) for two in theirs] for one in mine]
        assert OpenDuel(settles, costs, costs).solve(hand, other, lead)[1].value == solve(matrix).value


def orders(cards: Sequence[int]) -> list[tuple[int, ...]]:
    """All orders to play the cards in."""
    if not cards:
        return [()]
    return [(card, *rest) for i, card in enumerate(cards) for rest in orders([*cards[:i], *cards[i + 1 :]])]


def paid(one: Sequence[int], two: Sequence[int], lead: int, settles: int, costs: dict[int, Fraction]) -> Fraction:
    """What the one wins when both play in these orders."""
    total = Fraction(0)
    for mine, their in zip(one, two, strict=True):
        total += costs[their] - costs[mine]
        lead += mine - their
        if lead:
            return total + (lead > 0)
    return total + settles


def test_a_hidden_duel_of_one_type_each_is_the_open_one() -> None:
    """The mixes of the open duel above, where no equal sums can come."""
    duel = HiddenDuel(Side([[3, 9]], {9: 0.5}), Side([[1, 5]], {5: 0.2}), 0)
    duel.learn(3000)
    (mix,) = duel.mixes()
    assert mix == pytest.approx([0.2, 0.8], abs=0.02)
    assert duel.gap() < 0.01


@pytest.mark.parametrize(("cost", "expected"), [(0.4, [0, 1]), (0.6, [1, 0])])
def test_a_hidden_duel_against_a_strong_or_a_weak_hand(cost: float, expected: list[float]) -> None:
    """Half the time the other must play 1, half the time 5: the 3 takes with 1/2, the 9 always."""
    duel = HiddenDuel(Side([[3, 9]], {9: cost}), Side([[1], [5]], {}), 0)
    duel.learn(200)
    assert duel.mixes()[0] == pytest.approx(expected, abs=0.02)


def test_a_hidden_duel_against_a_habit() -> None:
    """Who always plays 5 of 1 and 5 is not worth a 9 that costs 9/10: 3 loses nothing, while 9 wins 1/10 more."""
    for cost, expected in ((0.9, [0, 1]), (1.1, [1, 0])):
        duel = HiddenDuel(Side([[3, 9]], {9: cost}), Side([[1, 5]], {}, {5: 1.0}, 1.0), 0)
        duel.learn(200)
        assert duel.mixes()[0] == pytest.approx(expected, abs=0.02)


def test_what_both_sides_leave_to_be_won_shrinks_with_learning() -> None:
    rng = Random(3)
    deck = GAME.deck.values_of(GAME.deck.cards)
    one, other = (Side([sorted(rng.sample(deck, 4)) for _ in range(20)], {15: 0.3, 14: 0.25, 13: 0.2}) for _ in "12")
    gaps = []
    for rounds in (3, 100):
        duel = HiddenDuel(one, other, 1)
        duel.learn(rounds)
        gaps.append(duel.gap())
    assert 0 <= gaps[1] < 0.01 < gaps[0]


# Prospects.


DECK_VALUES = GAME.deck.values_of(GAME.deck.cards)


def chances(won: Sequence[int], supply: Supply, hands: Sequence[Sequence[int]] = ((),) * 4) -> list[float]:
    """Of each seat, when a round has ended so."""
    outlook = Outlook(DECK_VALUES)
    prospects = Prospects(outlook, DECK_VALUES)
    rounds = Rounds(outlook, (outlook.prices(0),) * 2, prospects.worth, prospects.spare)
    start = Start([0] * 4, [], [], 0, NOBODY)
    ended = rounds.stopped(start, [np.array([hand] * 4, dtype=np.int64).reshape(4, -1) for hand in hands])
    found: list[float] = prospects.values(np.arange(4), ended, won, supply).tolist()
    return found


def test_when_no_round_can_follow_it_counts_who_is_first() -> None:
    """Four full hands of 7 and 3 point cards need 31 cards."""
    values = chances([20, 20, 19, -5], Supply(4, 7, 104, 30, reshuffle=False, point_cards=15))
    assert min(values[:2]) >= 1
    assert max(values[2:]) < 0.1


def test_the_chances_of_all_seats_make_one() -> None:
    some = Supply(4, 7, 104, 60, reshuffle=False, point_cards=15)
    values = chances([20, 20, 0, 10], some, ((15, 14), (1, 2), (-10,), (3, 7, 9)))
    assert sum(values) == pytest.approx(1, abs=0.02)
    assert values[0] > values[1] > values[3] > values[2] > 0


def test_a_lead_is_worth_more_the_fewer_cards_are_left() -> None:
    leads = [
        chances([20, 10, 10, 10], Supply(4, 7, 104, pile, reshuffle=False, point_cards=15))[0] for pile in (99, 60, 32)
    ]
    assert leads == sorted(leads)


def test_a_permitted_reshuffle_brings_all_that_is_not_held_or_laid_out_again() -> None:
    """docs/rules/und-tschuess.md, "End": 104 cards less 40 held and 8 point cards, less 4 needed for the next round."""
    assert Supply(5, 8, 104, 3, reshuffle=True, point_cards=8).after(40) == 52
    assert Supply(5, 8, 104, 3, reshuffle=False, point_cards=8).after(40) == -1


# The bot.


@pytest.mark.parametrize("seats", SEATS)
def test_a_choice_is_legal_and_follows_from_view_and_source_alone(seats: int) -> None:
    """In positions all over the game; hidden cards may lie in any other way."""
    bot = RoundSearch(GAME, FEW)
    rng = Random(seats)
    for moves in range(3, 150, 14):
        playthrough = after(GAME, seats, moves, moves)
        for seat in playthrough.to_move()[-1:]:
            view, legal = GAME.view(playthrough.state, seat), GAME.legal(playthrough.state, seat)
            if len(legal) < 2:
                continue
            shown = json.dumps(view)
            move = bot.choose(view, legal, Random(moves))
            assert move in legal
            assert json.dumps(view) == shown
            other_world = GAME.view(GAME.determinize(view, rng), seat)
            assert RoundSearch(GAME, FEW).choose(other_world, legal, Random(moves)) == move


def test_a_mix_is_a_chance_for_each_card_and_leaves_out_what_is_hardly_meant() -> None:
    for moves in (0, 1, 5, 8):
        playthrough = after(GAME, 4, 1, moves)
        seat = playthrough.to_move()[0]
        legal = GAME.legal(playthrough.state, seat)
        mix = RoundSearch(GAME, FEW, trust=0.0).mix(playthrough.view(seat), legal, Random(2))
        assert len(mix) == len(legal)
        assert sum(mix) == pytest.approx(1)
        assert all(chance == 0 or chance >= 0.1 for chance in mix)


def small(*hands: str, points: str) -> tuple[UndTschuess, RoundState]:
    """A game of one round: these hands and point cards are the whole deck."""
    held = [[int(word) for word in hand.split()] for hand in hands]
    rest = [int(word) for word in points.split()]
    game = UndTschuess(Deck([*(card for hand in held for card in hand), *rest]))
    return game, game.position([game.deck.kinds_of(hand) for hand in held], game.deck.kinds_of(rest), len(hands) - 1)


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        # Who takes the 10 wins: the 9 takes it from every hand that can be, the 2 from none.
        ("1 10", "9"),
        # Who must take the -3 is behind the seat that dropped out and behind the other.
        ("-4 -3", "2"),
    ],
)
@pytest.mark.parametrize("trust", [0.0, 0.5, 1.0])
def test_the_last_two_play_for_the_win(points: str, expected: str, trust: float) -> None:
    """The last round: seat 2 has dropped out with 0, seats 0 and 1 have 5 each and two cards left."""
    game, state = small("5 2 9", "5 4 7", "0 3 6", points=points)
    for seat, word in enumerate("550"):
        game.apply(state, Turn(seat, game.parse(word)))
    legal = game.legal(state, 0)
    for chance in range(5):
        move = RoundSearch(game, FEW, trust).choose(game.view(state, 0), legal, Random(chance))
        assert game.describe(move) == expected


def test_low_cards_are_exchanged_and_high_ones_kept() -> None:
    """A card of 12 and more is never worth less than an unknown one of the default deck, one of 1 to 7 always."""
    bot, exchanges = RoundSearch(GAME, FEW), 0
    for seats, seed in product(SEATS, range(6)):
        playthrough = Playthrough(GAME, seats, seed)
        rng = Random(seed)
        while to_move := playthrough.to_move():
            seat = to_move[0]
            legal = GAME.legal(playthrough.state, seat)
            move = rng.choice(legal)
            if playthrough.state.phase == EXCHANGE and len(legal) > 1:
                move = bot.choose(playthrough.view(seat), legal, rng)
                hand = GAME.deck.values_of(playthrough.state.hand(seat))
                if move == GAME.deck.done:
                    assert not set(hand) & set(range(1, 8))
                else:
                    assert GAME.deck.values[move - GAME.deck.kinds] < 12
                    exchanges += 1
            playthrough.play(Turn(seat, move))
    assert exchanges > 50


def test_it_is_far_ahead_of_random_play() -> None:
    """In 8 games against three at random, it has half as many points again as they have on average."""
    own, others = 0, 0
    for seed in range(8):
        bots: list[Bot] = [RandomBot() for _ in range(4)]
        bots[seed % 4] = RoundSearch(GAME, FEW)
        outcome = play_through(GAME, bots, seed).outcome()
        assert outcome is not None
        own += outcome.scores[seed % 4]
        others += sum(outcome.scores) - outcome.scores[seed % 4]
    assert own > 1.5 * others / 3


class Lowest(RoundSearch):
    """A program that anybody can read."""

    def mix(self, view: Any, legal: Sequence[Move], rng: Random) -> list[float]:
        return [1.0, *[0.0] * (len(legal) - 1)]


def test_a_reader_answers_the_program_it_knows() -> None:
    """The last round, for -4 and 9: against two lowest cards a -9 takes the -4, which nobody wants."""
    game, state = small("-9 4 15", "1 14 14", "2 13 14", points="-4 9")
    view, legal = game.view(state, 0), game.legal(state, 0)
    for chance in range(3):
        reader = Reader(game, Lowest(game))
        move = reader.choose(view, legal, Random(chance))
        assert game.describe(move) != "-9"
        assert reader.choose(view, legal, Random(chance)) == move
