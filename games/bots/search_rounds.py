"""The search for und Tschüss: rounds played on in sampled worlds, with all who choose learning at the same time.

Terms as in ``games.rules.und_tschuess``; a card is its value. A *world* has a hand for each other seat, cards that the
own seat can't see spread at random. *Prospects* are the chance to win the game, estimated when a round is over. A
*mix* is a chance for each card to choose.

How a card is found. In each world every own card is tried against one card of each other seat, the round is played on
by the rule of thumb (``games.bots.greedy_rounds``), and the prospects after it are what the card is worth there. Who
chooses at the same time as others can be read if it always answers alike. So the bot learns a mix by regret
matching (Hart and Mas-Colell 2000), and so does, for each other seat, a player that sees what its own hand makes
of the same worlds. With the chance ``TRUST`` another seat plays by the rule of thumb instead: this answers weak
play, and stays near what can't be answered itself (a restricted Nash response; Johanson, Zinkevich and Bowling 2007).
When two are left, the duel is solved (``games.bots.search_rounds_duel``).

Never: sees more than the view, or keeps anything from one choice to the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import exp, sqrt
from random import Random
from statistics import fmean
from typing import Any, Final

from games.bots.budget import USUAL, Budget
from games.bots.greedy_rounds import Outlook, Prices, Table, share_later
from games.bots.search_rounds_duel import HiddenDuel, Side, matched
from games.bots.search_rounds_table import Round
from games.core import NOBODY, Move, Seat
from games.rules import und_tschuess

WORLDS: Final = 60
TRUST: Final = 0.5
_FEWEST_WORLDS: Final = 8
_TYPES: Final = 40
_DUEL_ROUNDS: Final = 40
"""Hands of each side in a duel, and how often both sides learn: what is left to win for them is below 0.1 %."""
_TRIES: Final = 5
"""Hands drawn for a seat until one agrees with what the rule of thumb would have played."""
_NOT_MEANT: Final = 0.1
"""A card with less than this chance is left out of a mix: so little is mostly noise of the sampling."""

# Prospects, fitted to 5,000 games among four rules of thumb (docs/bots.md, "und Tschüss").
_HIGH_FROM: Final = 0.5
"""From how many standard deviations above the deck's average a card kept is worth more than others."""
_HIGH_WORTH: Final = 0.75
"""For each point above that: what it wins in all rounds to come."""
_NEXT_SHARE: Final = 0.6
"""How much of that it wins in the next round if there is no other."""
_VARIANCE: Final = 0.36
_VARIANCE_A_ROUND: Final = 0.18
"""Of the points to come, in squares of the deck's standard deviation: of the next round, and of each one after it."""


@dataclass(frozen=True, slots=True)
class Supply:
    """Where the next hands come from, as the table knows it.

    ``hand_size`` of a full hand, ``draw_pile`` and ``deck`` in cards; while a ``reshuffle`` is permitted, all cards
    neither held nor among the ``point_cards`` laid out so far will come again.
    """

    seats: int
    hand_size: int
    deck: int
    draw_pile: int
    reshuffle: bool
    point_cards: int

    def after(self, held: int) -> int:
        """How many cards there are for rounds after the next deal, when so many are held; below 0: no round begins."""
        stock = self.deck - held - self.point_cards if self.reshuffle else self.draw_pile
        return stock - (self.seats * self.hand_size - held) - (self.seats - 1)

    @property
    def shortest(self) -> int:
        """How many cards the shortest round takes."""
        return sum(range(2, self.seats + 1)) + self.seats - 1


class Prospects:
    """The chance to win the game, seen from the end of a round, for the cards of a deck."""

    def __init__(self, outlook: Outlook, values: Sequence[int]) -> None:
        high = outlook.average + _HIGH_FROM * outlook.spread
        self._worth: Prices = {card: _HIGH_WORTH * max(0.0, card - high) for card in outlook.values}
        self._drawn = fmean(self._worth[card] for card in values)
        """The worth of a card to be drawn, and of one that can be exchanged if it is worth less."""
        self._drawn_twice = fmean(max(self._worth[card], self._drawn) for card in values)
        self._square = outlook.spread**2 or 1.0

    def value(self, seat: Seat, after: Round, supply: Supply) -> float:
        """The seat's chance to be first, from 0 to 1; of a finished game a little more for place and points."""
        won = after.won
        cards = supply.after(sum(map(len, after.hands)))
        if cards < 0:
            behind = sum(total < won[seat] for total in won)
            return (won[seat] == max(won)) + behind / 100 + won[seat] / 10_000
        rounds = cards / supply.shortest
        return self.first(seat, self.strengths(after, supply, rounds), rounds)

    def strengths(self, after: Round, supply: Supply, rounds: float) -> list[float]:
        """By seat: points won, and what the hand will win when it has been filled."""
        worth, drawn, size = self._worth.__getitem__, self._drawn, supply.hand_size
        share = self.share(rounds)
        strengths = [
            points + share * (sum(map(worth, hand)) + (size - len(hand)) * drawn)
            for points, hand in zip(after.won, after.hands, strict=True)
        ]
        if after.first_out != NOBODY:
            # Whoever exchanges draws again for what is worth less than a card to be drawn.
            hand = after.hands[after.first_out]
            gains = sum([drawn - worth(card) for card in hand if worth(card) < drawn])
            strengths[after.first_out] += share * (gains + (size - len(hand)) * (self._drawn_twice - drawn))
        return strengths

    def share(self, rounds: float) -> float:
        """Of a card's worth, what it wins with so many rounds after the next one."""
        return min(1.0, _NEXT_SHARE + (1 - _NEXT_SHARE) * rounds)

    def first(self, seat: Seat, strengths: Sequence[float], rounds: float) -> float:
        """The chance to be first, with so many rounds after the next one: a logit model of the strengths."""
        spread = self._spread(rounds)
        own = strengths[seat]
        return 1 / sum([exp(min(50.0, (strength - own) / spread)) for strength in strengths])

    def _spread(self, rounds: float) -> float:
        return sqrt(self._square * (_VARIANCE + _VARIANCE_A_ROUND * rounds))

    def costs(self, seat: Seat, after: Round, supply: Supply) -> Mapping[int, float]:
        """By card: by how much the seat's chance falls when it has played it, near this end of the round."""
        cards = supply.after(sum(map(len, after.hands)))
        if cards < 0:
            return dict.fromkeys(self._worth, 0.0)
        rounds = cards / supply.shortest
        chance = self.first(seat, self.strengths(after, supply, rounds), rounds)
        slope = chance * (1 - chance) / self._spread(rounds) * self.share(rounds)
        return {card: slope * worth for card, worth in self._worth.items()}

    def exchanged(self, hand: Sequence[int], room: int, unseen: Sequence[int]) -> int:
        """How many of the hand's lowest cards, at most ``room``, are worth less than one of the unseen cards."""
        drawn = fmean(self._worth[card] for card in unseen) if unseen else 0.0
        return sum(self._worth[card] < drawn for card in sorted(hand)[:room])


class RoundSearch:
    """Plays und Tschüss; ``trust`` from 0 (all others learn) to 1 (all others play by the rule of thumb)."""

    def __init__(self, game: und_tschuess.UndTschuess, budget: Budget = USUAL, trust: float = TRUST) -> None:
        """An iteration is a world, in which all cards are tried; at least 8 are."""
        self._game = game
        self._deck = game.deck
        values = game.deck.values_of(game.deck.cards)
        self._outlook = Outlook(values)
        self._prospects = Prospects(self._outlook, values)
        self._budget = budget
        self._trust = trust

    def choose(self, view: Any, legal: Sequence[Move], rng: Random) -> Move:
        """A card of the mix; in an exchange the lowest card while it is worth less than one to be drawn."""
        if view["phase"] == und_tschuess.PHASES[und_tschuess.EXCHANGE]:
            hand = view["hand"] or ()
            lays_off = self._prospects.exchanged(hand, view["room"], self._unseen(view))
            return legal[0] if lays_off else self._deck.done
        point = rng.random()
        mix = self.mix(view, legal, rng)
        return next(
            move for move, sum_ in zip(legal, accumulate(mix), strict=True) if point < sum_ or move == legal[-1]
        )

    def mix(self, view: Any, legal: Sequence[Move], rng: Random) -> list[float]:
        """How likely each legal card is to be played, two or more of them; what is hardly meant is left out."""
        prices = self._outlook.prices(share_later(view["seats"], view["draw_pile"], view["reshuffles"]))
        position = _Position(self._game, view, self._unseen(view), _Belief(self._outlook, view, prices, self._trust))
        learned = None
        if len(position.inside) == 2:
            learned = self._duel(position, prices, rng)
        if learned is None:
            learned = self._learn(position, prices, rng)
        meant = [chance if chance >= _NOT_MEANT else 0.0 for chance in learned]
        total = sum(meant) or 1.0
        return [chance / total for chance in meant]

    def _unseen(self, view: und_tschuess.View) -> list[int]:
        """The cards that the seat can't see: in other hands, in the draw pile or laid off by others."""
        left = list(self._deck.count(self._deck.cards))
        kind_of = self._deck.kind_of
        seen = [*(view["hand"] or ()), *(view["laid_off"] or ()), *view["discards"]]
        for cards in view["won"]:
            seen += cards
        for step in view["rounds"][-1]["steps"] if view["phase"] == "choose" else ():
            seen += [card for card in step["cards"] if card is not None]
        seen += view["point_cards"]
        for card in seen:
            left[kind_of[card]] -= 1
        return [value for value, number in zip(self._deck.values, left, strict=True) for _ in range(number)]

    def _choose_by_rule(self, prices: Prices) -> Callable[[Round, Seat], int]:
        best = self._outlook.best

        def choose(table: Round, seat: Seat) -> int:
            sums = table.sums
            others = sorted([sums[other] for other in table.inside if other != seat])
            return best(table.hands[seat], sums[seat], Table(others, table.point_cards, prices))

        return choose

    def _learn(self, position: _Position, prices: Prices, rng: Random) -> list[float]:
        """The average mix of regret matching over sampled worlds."""
        random, by_rule, trust = rng.random, self._choose_by_rule(prices), self._trust
        me, cards, inside = position.seat, position.cards, position.inside
        at = inside.index(me)
        others = [seat for seat in inside if seat != me]
        regrets = {seat: dict.fromkeys(self._deck.values, 0.0) for seat in others}
        own_regrets, total = [0.0] * len(cards), [0.0] * len(cards)
        for number in self._budget.steps(WORLDS, least=_FEWEST_WORLDS):
            world = position.world(rng)
            played = [NOBODY] * len(inside)
            for i, seat in enumerate(inside):
                if seat == me:
                    continue
                if trust >= 1 or random() < trust:
                    played[i] = by_rule(world, seat)
                else:
                    kinds = sorted(set(world.hands[seat]))
                    played[i] = _drawn(kinds, matched([regrets[seat][card] for card in kinds]), random())
            mix = matched(own_regrets)
            # Later mixes have learned more and count for more.
            total = [sum_ + (number + 1) * chance for sum_, chance in zip(total, mix, strict=True)]
            values = self._values(position, world, (at, cards), played, by_rule)
            mean = sum(chance * value for chance, value in zip(mix, values, strict=True))
            own_regrets = [regret + value - mean for regret, value in zip(own_regrets, values, strict=True)]
            if trust < 1:
                played[at] = _drawn(cards, mix, random())
                learner = others[number % len(others)]
                kinds = sorted(set(world.hands[learner]))
                values = self._values(position, world, (inside.index(learner), kinds), played, by_rule)
                theirs = regrets[learner]
                chances = matched([theirs[card] for card in kinds])
                mean = sum(chance * value for chance, value in zip(chances, values, strict=True))
                for card, value in zip(kinds, values, strict=True):
                    theirs[card] += value - mean
        whole = sum(total)
        return [sum_ / whole for sum_ in total]

    def _values(
        self,
        position: _Position,
        world: Round,
        tried: tuple[int, Sequence[int]],
        played: Sequence[int],
        by_rule: Callable[[Round, Seat], int],
    ) -> list[float]:
        """The prospects of the seat at this place among those inside after each of these cards, beside the others'."""
        at, cards = tried
        seat, step, values = position.inside[at], list(played), []
        for card in cards:
            step[at] = card
            after = world.clone()
            after.play_out(step, by_rule)
            values.append(self._prospects.value(seat, after, position.supply))
        return values

    def _duel(self, position: _Position, prices: Prices, rng: Random) -> list[float] | None:
        """The mix of the last two, or ``None`` when it is not true that what the one wants the other must not want."""
        me = position.seat
        other = next(seat for seat in position.inside if seat != me)
        worlds = [position.world(rng) for _ in range(_TYPES)]
        stakes, costs = {}, {}
        for seat, rival in ((me, other), (other, me)):
            takes, leaves = worlds[0].clone(), worlds[0].clone()
            takes.won[seat] += position.point_card
            leaves.won[rival] += position.point_card
            value = self._prospects.value
            stakes[seat] = value(seat, takes, position.supply) - value(seat, leaves, position.supply)
            costs[seat] = self._prospects.costs(seat, leaves, position.supply)
        if not stakes[me] * stakes[other] > 0:
            return None
        # Who must dread the card wants the lower sum: all values are turned round.
        sign = 1 if stakes[me] > 0 else -1
        sides = {}
        for seat, types in (
            (me, [position.hand, *position.own_types(rng, _TYPES - 1)]),
            (other, [w.hands[other] for w in worlds]),
        ):
            hands = [sorted(sign * card for card in hand) for hand in types]
            share = {sign * card: cost / abs(stakes[seat]) for card, cost in costs[seat].items()}
            sides[seat] = Side(hands, share)
        if self._trust:
            by_rule = self._choose_by_rule(prices)
            habit: dict[int, float] = {}
            for world in worlds:
                card = sign * by_rule(world, other)
                habit[card] = habit.get(card, 0.0) + 1 / len(worlds)
            sides[other] = replace(sides[other], habit=habit, trust=self._trust)
        lead = sign * (position.sums[me] - position.sums[other])
        settled = None
        if len(position.hand) == 1:
            seats, dealer = len(position.sums), position.dealer
            higher = (me - dealer - 1) % seats > (other - dealer - 1) % seats
            settled = float(higher == (sign > 0))
        duel = HiddenDuel(sides[me], sides[other], lead, settled)
        duel.learn(_DUEL_ROUNDS)
        mix = duel.mixes()[0]
        return mix if sign > 0 else mix[::-1]


def _drawn(cards: Sequence[int], mix: Sequence[float], point: float) -> int:
    """One of the cards, by a number from 0 to below 1."""
    for card, sum_ in zip(cards, accumulate(mix), strict=True):
        if point < sum_:
            return card
    return cards[-1]


class _Belief:
    """What the cards that others have played in this round tell of those they have kept."""

    def __init__(self, outlook: Outlook, view: und_tschuess.View, prices: Prices, trust: float) -> None:
        self._best, self._trust = outlook.best, trust
        round_, seats = view["rounds"][-1], range(view["seats"])
        inside, sums, points = list(seats), [0] * view["seats"], list(round_["point_cards"])
        self._history: list[list[tuple[int, int, Table]]] = [[] for _ in seats]
        """By seat: the cards played, the sum before each and what the table was, the last one first."""
        for step in round_["steps"]:
            for seat in inside:
                table = Table(sorted(sums[other] for other in inside if other != seat), points.copy(), prices)
                self._history[seat].insert(0, (step["cards"][seat] or 0, sums[seat], table))
            for seat in inside:
                sums[seat] += step["cards"][seat] or 0
            if step["taker"] is not None:
                inside.remove(step["taker"])
                points.pop(0)

    def accepts(self, seat: Seat, hand: Sequence[int], rng: Random) -> bool:
        """Whether the rule of thumb would have kept this hand; if not, still with the chance of another player."""
        cards = list(hand)
        for card, total, table in self._history[seat]:
            cards.append(card)
            cards.sort()
            if self._best(cards, total, table) != card:
                return rng.random() >= self._trust
        return True


class _Position:
    """What a seat sees at a choice, and worlds for it."""

    def __init__(
        self, game: und_tschuess.UndTschuess, view: und_tschuess.View, unseen: Sequence[int], belief: _Belief
    ) -> None:
        self._game, self._view, self._belief = game, view, belief
        self._unseen = list(unseen)
        self.seat = view["seat"] or 0
        self.hand = sorted(view["hand"] or ())
        self.cards = sorted(set(self.hand))
        self.inside = view["inside"]
        self.sums, self.dealer = view["sums"], view["dealer"]
        self.point_card = view["point_cards"][0]
        self._won = [sum(cards) for cards in view["won"]]
        # Who has chosen before has one card more to choose from: which it was is hidden.
        self._sizes = [
            size + (seat in view["inside"] and seat not in view["to_move"])
            for seat, size in enumerate(view["hand_sizes"])
        ]
        self._sizes[self.seat] = 0
        self.supply = Supply(
            seats=view["seats"],
            hand_size=view["hand_size"],
            deck=len(game.deck.cards),
            draw_pile=view["draw_pile"],
            reshuffle=view["reshuffles"] > 0,
            point_cards=len(view["rounds"]) * (view["seats"] - 1),
        )

    def world(self, rng: Random) -> Round:
        """The round with hands that the seat must think possible."""
        view = self._view
        return Round(
            hands=list(self._hands(rng)),
            sums=self.sums.copy(),
            won=self._won.copy(),
            inside=self.inside.copy(),
            point_cards=view["point_cards"].copy(),
            dealer=self.dealer,
            first_out=NOBODY if view["first_out"] is None else view["first_out"],
        )

    def _hands(self, rng: Random) -> Iterator[list[int]]:
        if self._view["reshuffle"] is not None:
            # After the reshuffle not every card can be everywhere.
            state = self._game.determinize(self._view, rng)
            for seat, size in enumerate(self._sizes):
                hand = self._game.deck.values_of(state.hand(seat))
                if size > len(hand) and seat != self.seat:
                    hand.append(self._game.deck.values[state.chosen[seat]])
                yield sorted(hand)
            return
        at = 0
        for seat, size in enumerate(self._sizes):
            hand = self.hand.copy() if seat == self.seat else _some(self._unseen, at, size, rng)
            if seat != self.seat and seat in self.inside:
                for _ in range(_TRIES):
                    if self._belief.accepts(seat, hand, rng):
                        break
                    hand = _some(self._unseen, at, size, rng)
            at += size
            yield hand

    def own_types(self, rng: Random, number: int) -> list[list[int]]:
        """Own hands that others must think possible, as far as this seat can tell."""
        cards = [*self._unseen, *self.hand]
        return [_some(cards, 0, len(self.hand), rng) for _ in range(number)]


def _some(cards: list[int], at: int, number: int, rng: Random) -> list[int]:
    """So many of the cards from a place on at random, ascending; their order changes."""
    random, size = rng.random, len(cards)
    for i in range(at, at + number):
        j = i + int(random() * (size - i))
        cards[i], cards[j] = cards[j], cards[i]
    return sorted(cards[at : at + number])
