"""The search for und Tschüss: rounds played on in sampled worlds, with all who choose learning at the same time.

Terms as in ``games.rules.und_tschuess``; a card is its value. A *world* has a hand for each other seat, cards that the
own seat can't see spread at random. *Prospects* are the chance to win the game, estimated when a round is over. A
*mix* is a chance for each card to choose.

How a card is found. In each world every own card is tried against one card of each other seat, the round is played on
by the rule of thumb (``games.bots.greedy_rounds``), and the prospects after it are what the card is worth there. Who
chooses at the same time as others can be read if it always answers alike. So the bot learns a mix by regret
matching (Hart and Mas-Colell 2000), and so does, for each other seat, a player that tries its cards in the same
worlds. With the chance ``TRUST`` another seat plays by the rule of thumb instead: this answers weak play, and stays
nearer to what can't be answered itself (a restricted Nash response; Johanson, Zinkevich and Bowling 2007). With the
same chance what a seat has played, exchanged and kept is taken as the rule of thumb would have it, and hands are
drawn so.
When two are left, the duel is solved (``games.bots.search_rounds_duel``).

Never: sees more than the view, or keeps anything from one choice to the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import exp
from random import Random
from statistics import fmean
from typing import Any, Final, TypeVar

import numpy as np

from games.bots.budget import USUAL, Budget
from games.bots.greedy_rounds import Outlook, Prices, Table, share_later
from games.bots.search_rounds_duel import HiddenDuel, Side, matched
from games.bots.search_rounds_many import Ended, Real, Rounds, Start, Whole
from games.core import NOBODY, Move, Seat
from games.rules import und_tschuess

WORLDS: Final = 320
TRUST: Final = 0.9
_MOMENTS: Final = 5
_FEWEST_WORLDS: Final = 8
"""All learn so often, each time from equally many worlds, at least so many."""
_OTHERS_LEARN_IN: Final = 12
"""Of these, so many are played on for others' cards, too."""
_SHARPNESS: Final = 5
"""Chances go by this power of regrets (1 is plain regret matching): few moments of learning are enough then.

Such polynomial weights keep what regret matching promises (Cesa-Bianchi and Lugosi 2003, "Potential-based algorithms").
"""
_TYPES: Final = 40
_DUEL_ROUNDS: Final = 40
"""Hands of each side in a duel, and how often both sides learn: what is left to win for them is below 0.1 %."""
_HABITS: Final = 160
"""Hands by which it is known what the rule of thumb plays in a duel."""
_TRIES: Final = 5
"""Hands drawn for a seat until one agrees with what the rule of thumb would have played."""
_SPENT_FROM: Final = 0.5
_SPENT: Final = 0.9
_LEAST_KEPT: Final = 0.3
"""From how many standard deviations above the average cards are kept more seldom, by how much for each further one."""
_DRAWS: Final = 20
"""For a card that is kept."""
_OWN_PRICE: Final = 0.2
"""Of what a card is worth later, what it costs when the own seat plays on: less leaves fewer chances, more hoards."""
_NOT_MEANT: Final = 0.15
"""A card with less than this chance is left out of a mix: so little is mostly noise of the sampling."""

# Prospects, fitted to 5,000 games among four rules of thumb (docs/bots.md, "und Tschüss").
_HIGH_FROM: Final = 0.34
"""From how many standard deviations above the deck's average a card kept is worth more than others."""
_HIGH_WORTH: Final = 0.75
"""For each point above that: what it wins in all rounds to come."""
_LOW_FROM: Final = 1.5
_LOW_WORTH: Final = 0.22
"""The same for the lowest cards: with one of them a round can be left early."""
_NEXT_SHARE: Final = 0.43
"""How much of that it wins in the next round if there is no other."""
_VARIANCE: Final = 0.32
_VARIANCE_A_ROUND: Final = 0.25
"""Of the points to come, in squares of the deck's standard deviation: of the next round, and of each one after it."""
_UNIT: Final = 1000
"""Parts of a point that worths are counted in."""
_STEPS, _FAR = 64, 12
_ODDS: Final = np.array([exp(step / _STEPS) for step in range(-_FAR * _STEPS, _FAR * _STEPS + 1)])
"""By steps of a spread: how much more likely to be first. A table, since machines differ in the last digit of exp."""

World = Sequence[Sequence[int]]
"""By seat: the cards that it chooses from, or has kept."""
Scene = tuple[World, list[int]]
"""A world, and what all inside play in it."""
Cards = TypeVar("Cards", int, Whole)


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

    def after(self, held: Cards) -> Cards:
        """How many cards there are for rounds after the next deal, when so many are held; below 0: no round begins."""
        missing = self.seats * self.hand_size - held + self.seats - 1
        if self.reshuffle:
            return self.deck - self.point_cards - held - missing
        return self.draw_pile - missing

    @property
    def shortest(self) -> int:
        """How many cards the shortest round takes."""
        return sum(range(2, self.seats + 1)) + self.seats - 1


class Prospects:
    """The chance to win the game, seen from the end of a round, for the cards of a deck.

    By card in the order of the outlook's values, in parts of a point: ``worth`` is what it wins in later rounds,
    ``spare`` by how much less that is than the worth of a card to be drawn.
    """

    def __init__(self, outlook: Outlook, values: Sequence[int]) -> None:
        high = outlook.average + _HIGH_FROM * outlook.spread
        low = outlook.average - _LOW_FROM * outlook.spread
        self.worth = [
            round(_UNIT * (_HIGH_WORTH * max(0.0, card - high) + _LOW_WORTH * max(0.0, low - card)))
            for card in outlook.values
        ]
        by_card = dict(zip(outlook.values, self.worth, strict=True))
        self._drawn = round(fmean(by_card[card] for card in values))
        self.spare = [max(0, self._drawn - worth) for worth in self.worth]
        self._second_draw = fmean(max(0, self._drawn - by_card[card]) for card in values)
        """What a card to be drawn is worth more if it can be exchanged."""
        self._by_card = by_card
        self._square = outlook.spread**2 or 1.0

    def values(self, seats: Whole, ended: Ended, won: Sequence[int], supply: Supply) -> Real:
        """For one seat a lane: its chance to be first; of a finished game a little more for place and points.

        ``won`` are the points of all seats before the round ended.
        """
        totals = ended.won + np.array(won)
        cards = supply.after(ended.held.sum(axis=1))
        lanes = np.arange(len(seats))
        chances = self._first(seats, ended, totals, supply)
        own = totals[lanes, seats]
        first, behind = own == totals.max(axis=1), (totals < own[:, None]).sum(axis=1)
        return np.where(cards < 0, first + behind / 100 + own / 10_000, chances)

    def _rounds(self, ended: Ended, supply: Supply) -> Real:
        """By lane: how many of the shortest rounds there are cards for after the next one."""
        cards: Real = np.maximum(supply.after(ended.held.sum(axis=1)), 0) / supply.shortest
        return cards

    def _spreads(self, rounds: Real) -> Real:
        spreads: Real = np.sqrt(self._square * (_VARIANCE + _VARIANCE_A_ROUND * rounds))
        return spreads

    def _first(self, seats: Whole, ended: Ended, totals: Whole, supply: Supply) -> Real:
        """A logit model: of points won, and what the hand will win when it has been filled."""
        lanes = np.arange(len(seats))
        rounds = self._rounds(ended, supply)
        missing = supply.hand_size - ended.held
        worth = ended.worth + missing * float(self._drawn)
        # Whoever exchanges draws again for what is worth less than a card to be drawn.
        out = np.maximum(ended.first_out, 0)
        more = ended.spare[lanes, out] + missing[lanes, out] * self._second_draw
        worth[lanes, out] += np.where(ended.first_out == NOBODY, 0.0, more)
        strengths = totals + _share(rounds)[:, None] * worth / _UNIT
        ahead = (strengths - strengths[lanes, seats][:, None]) / self._spreads(rounds)[:, None]
        steps = np.clip(np.rint(ahead * _STEPS), -_FAR * _STEPS, _FAR * _STEPS).astype(np.int64)
        odds = _ODDS[steps + _FAR * _STEPS]
        total = odds[:, 0]
        for seat in range(1, odds.shape[1]):
            total = total + odds[:, seat]
        return 1 / total

    def costs(self, seat: Seat, ended: Ended, won: Sequence[int], supply: Supply) -> Mapping[int, float]:
        """By card: by how much the seat's chance falls when it has played it, on average over lanes."""
        rounds = self._rounds(ended, supply)
        chances = self._first(np.full(len(rounds), seat), ended, ended.won + np.array(won), supply)
        slopes = chances * (1 - chances) / self._spreads(rounds) * _share(rounds)
        goes_on = supply.after(ended.held.sum(axis=1)) >= 0
        slope = fmean((slopes * goes_on).tolist())
        return {card: slope * worth / _UNIT for card, worth in self._by_card.items()}

    def prices(self, share: float) -> Prices:
        """This share of what each card is worth."""
        return {card: share * worth / _UNIT for card, worth in self._by_card.items()}

    def to_lay_off(self, hand: Sequence[int], unseen: Sequence[int]) -> int | None:
        """The card of the hand that is worth least, if one of the unseen cards is worth more on average."""
        card = min(hand, key=self._by_card.__getitem__)
        drawn = fmean(self._by_card[other] for other in unseen) if unseen else 0.0
        return card if self._by_card[card] < drawn else None


def _share(rounds: Real) -> Real:
    """Of a card's worth, what it wins with so many rounds after the next one."""
    return np.minimum(1.0, _NEXT_SHARE + (1 - _NEXT_SHARE) * rounds)


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
        """A card of the mix; in an exchange the worst card while it is worth less than one to be drawn."""
        if len(legal) == 1:
            return legal[0]
        if view["phase"] == und_tschuess.PHASES[und_tschuess.EXCHANGE]:
            card = self._prospects.to_lay_off(view["hand"], self._unseen(view))
            return self._deck.done if card is None else self._deck.kinds + self._deck.kind_of[card]
        point = rng.random()
        mix = self.mix(view, legal, rng)
        return next(
            move for move, sum_ in zip(legal, accumulate(mix), strict=True) if point < sum_ or move == legal[-1]
        )

    def mix(self, view: Any, legal: Sequence[Move], rng: Random) -> list[float]:
        """How likely each legal card is to be played, two or more of them; what is hardly meant is left out."""
        prices = self._outlook.prices(share_later(view["seats"], view["draw_pile"], view["reshuffles"]))
        position = Position(self._game, view, self._unseen(view), _Belief(self._outlook, view, prices, self._trust))
        own_prices = self._prospects.prices(_OWN_PRICE)
        rounds = Rounds(self._outlook, (prices, own_prices), self._prospects.worth, self._prospects.spare)
        learned = None
        if len(view["inside"]) == 2:
            learned = self._duel(position, rounds, rng)
        if learned is None:
            learned = self._learn(position, rounds, rng)
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

    def _learn(self, position: Position, rounds: Rounds, rng: Random) -> list[float]:
        """The average mix of regret matching over sampled worlds; if nobody else learns, the best card."""
        me, cards = position.seat, position.cards
        regrets = {seat: dict.fromkeys(self._deck.values, 0.0) for seat in position.start.inside}
        total, worth = dict.fromkeys(cards, 0.0), dict.fromkeys(cards, 0.0)
        at_once = max(_FEWEST_WORLDS, (self._budget.iterations or WORLDS) // _MOMENTS)
        for number in self._budget.steps(WORLDS, at_once):
            scenes = list(self._scenes(position, rounds, at_once, regrets, rng))
            tried = _Tried(position.start.inside, scenes, me, cards)
            if self._trust < 1:
                for scene in scenes[:_OTHERS_LEARN_IN]:
                    for seat in position.start.inside:
                        if seat != me:
                            tried.add(scene, seat)
            ended = rounds.play_out(position.start, *tried.lanes())
            found = self._prospects.values(tried.seats(), ended, position.won, position.supply).tolist()
            own = len(scenes) * len(cards)
            gained = [sum(found[i : own : len(cards)]) for i in range(len(cards))]
            for card, value in zip(cards, gained, strict=True):
                worth[card] += value
            learned = [(me, _regretted(regrets[me], cards, gained))]
            for seat, theirs in tried.others:
                learned.append((seat, _regretted(regrets[seat], theirs, found[own : own + len(theirs)])))
                own += len(theirs)
            for seat, more in learned:
                for card, regret in more.items():
                    regrets[seat][card] += regret
            # Later mixes have learned more and count for more.
            for card, chance in zip(cards, _mix_of(regrets[me], cards), strict=True):
                total[card] += (number + 1) * chance
        if self._trust >= 1:
            best = max(cards, key=worth.__getitem__)
            return [float(card == best) for card in cards]
        whole = sum(total.values())
        return [sum_ / whole for sum_ in total.values()]

    def _scenes(
        self, position: Position, rounds: Rounds, number: int, regrets: Mapping[Seat, Mapping[int, float]], rng: Random
    ) -> Iterator[Scene]:
        """Worlds, and what all inside play: the own seat its mix, others by the rule or what they have learned."""
        size = (number + 1) // 2
        worlds = position.worlds(size, rng)
        by_rule = rounds.best(position.start, _columns(worlds)).tolist()
        places = {seat: place for place, seat in enumerate(position.start.inside)}
        for i in range(number):
            # The second time each seat's hand meets hands of other worlds: in a whole deck that is hardly ever wrong.
            which = [(i + i // size * (seat + 1)) % size for seat in range(len(worlds[0]))]
            world = [worlds[one][seat] for seat, one in enumerate(which)]
            played = []
            for seat, place in places.items():
                if seat == position.seat or rng.random() >= self._trust:
                    cards = sorted(set(world[seat]))
                    played.append(drawn(cards, _mix_of(regrets[seat], cards), rng.random()))
                else:
                    played.append(by_rule[which[seat]][place])
            yield world, played

    def _duel(self, position: Position, rounds: Rounds, rng: Random) -> list[float] | None:
        """The mix of the last two, or ``None`` when it is not true that what the one wants the other must not want."""
        start, me = position.start, position.seat
        other = next(seat for seat in start.inside if seat != me)
        worlds = position.worlds(_HABITS, rng)
        point = start.point_cards[0]
        stakes, costs = {}, {}
        for seat, rival in ((me, other), (other, me)):
            who = np.full(len(worlds), seat)
            values, prices = [], []
            for taker in (seat, rival):
                ended = rounds.stopped(start, _columns(worlds))
                ended.won[:, taker] += point
                values.append(fmean(self._prospects.values(who, ended, position.won, position.supply).tolist()))
                prices.append(self._prospects.costs(seat, ended, position.won, position.supply))
            stakes[seat] = values[0] - values[1]
            costs[seat] = {card: (prices[0][card] + prices[1][card]) / 2 for card in prices[0]}
        if not stakes[me] * stakes[other] > 0:
            return None
        # Who must dread the card wants the lower sum: all values are turned round.
        sign = 1 if stakes[me] > 0 else -1
        types = {
            me: [position.hand, *position.own_types(rng, _TYPES - 1)],
            other: [world[other] for world in worlds[:_TYPES]],
        }
        sides = {
            seat: Side(
                [sorted(sign * card for card in hand) for hand in types[seat]],
                {sign * card: cost / abs(stakes[seat]) for card, cost in costs[seat].items()},
            )
            for seat in (me, other)
        }
        habit: dict[int, float] = {}
        for card in rounds.best(start, _columns(worlds))[:, start.inside.index(other)].tolist():
            habit[sign * card] = habit.get(sign * card, 0.0) + 1 / len(worlds)
        sides[other] = replace(sides[other], habit=habit, trust=self._trust)
        settled = None
        if len(position.hand) == 1:
            seats = len(start.sums)
            higher = (me - start.dealer - 1) % seats > (other - start.dealer - 1) % seats
            settled = float(higher == (sign > 0))
        duel = HiddenDuel(sides[me], sides[other], sign * (start.sums[me] - start.sums[other]), settled)
        duel.learn(_DUEL_ROUNDS)
        mix = duel.mixes()[0]
        return mix if sign > 0 else mix[::-1]


class _Tried:
    """Cards tried in scenes, each in a lane: first all own cards in all of them, then others' cards in some."""

    def __init__(self, inside: Sequence[Seat], scenes: Sequence[Scene], me: Seat, cards: Sequence[int]) -> None:
        self._inside, self._scenes, self._me, self._cards = inside, scenes, me, cards
        self.others: list[tuple[Seat, Sequence[int]]] = []
        self._worlds: list[World] = []
        self._played: list[list[int]] = []

    def add(self, scene: Scene, seat: Seat) -> None:
        """Another seat tries all its cards, the others do what they do."""
        world, played = scene
        at, cards = self._inside.index(seat), sorted(set(world[seat]))
        self.others.append((seat, cards))
        self._worlds += [world] * len(cards)
        self._played += [[*played[:at], card, *played[at + 1 :]] for card in cards]

    def seats(self) -> Whole:
        """By lane: who tries."""
        own = [self._me] * (len(self._scenes) * len(self._cards))
        return np.array(own + [seat for seat, cards in self.others for _ in cards])

    def lanes(self) -> tuple[list[Whole], Whole]:
        """By seat the hands, and the cards played."""
        times = len(self._cards)
        hands = [np.repeat(column, times, axis=0) for column in _columns([world for world, _ in self._scenes])]
        played = np.repeat(np.array([played for _, played in self._scenes]), times, axis=0)
        played[:, self._inside.index(self._me)] = np.tile(np.array(self._cards), len(self._scenes))
        if not self._worlds:
            return hands, played
        joined = [np.concatenate(pair) for pair in zip(hands, _columns(self._worlds), strict=True)]
        return joined, np.concatenate([played, np.array(self._played)])


def _regretted(regrets: Mapping[int, float], cards: Sequence[int], gained: Sequence[float]) -> dict[int, float]:
    """By card, how much more it gained than the mix that the regrets stand for."""
    mean = sum(chance * value for chance, value in zip(_mix_of(regrets, cards), gained, strict=True))
    return {card: value - mean for card, value in zip(cards, gained, strict=True)}


def _columns(worlds: Sequence[World]) -> list[Whole]:
    """By seat: its hands, one a world."""
    return [np.array(hands, dtype=np.int64).reshape(len(worlds), -1) for hands in zip(*worlds, strict=True)]


def _mix_of(regrets: Mapping[int, float], cards: Sequence[int]) -> list[float]:
    return matched([max(0.0, regrets[card]) ** _SHARPNESS for card in cards])


def drawn(cards: Sequence[int], mix: Sequence[float], point: float) -> int:
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

        self._kept = [0] * view["seats"]
        """By seat: how many cards of its full hand of this round it held before."""
        self._exchanged = NOBODY
        if len(view["rounds"]) > 1:
            before = view["rounds"][-2]
            for seat in seats:
                self._kept[seat] = view["hand_size"] - sum(step["cards"][seat] is not None for step in before["steps"])
            if before["exchanged"] is not None:
                takers = [step["taker"] for step in before["steps"] if step["taker"] is not None] + before["settled"]
                self._exchanged = takers[0]
                self._kept[self._exchanged] = view["hand_size"] - before["exchanged"]
        self._size = view["hand_size"]
        from_here = outlook.average + _SPENT_FROM * outlook.spread
        self._keeps = {
            card: max(_LEAST_KEPT, 1 - _SPENT * max(0.0, card - from_here) / outlook.spread) for card in outlook.values
        }
        self._after_exchange = {card: chance * (card >= outlook.average) for card, chance in self._keeps.items()}

    def kept(self, seat: Seat, size: int, rng: Random) -> tuple[int, Mapping[int, float]]:
        """How many of so many cards were kept from the round before, and by card how readily it is kept.

        The rule of thumb spends high cards, and exchanges those below the average; others may not.
        """
        if rng.random() >= self._trust:
            return 0, self._keeps
        number = int(self._kept[seat] * size / self._size + rng.random())
        return number, self._after_exchange if seat == self._exchanged else self._keeps

    def accepts(self, seat: Seat, hand: Sequence[int], rng: Random) -> bool:
        """Whether the rule of thumb would have kept this hand; if not, still with the chance of another player."""
        cards = list(hand)
        for card, total, table in self._history[seat]:
            cards.append(card)
            cards.sort()
            if self._best(cards, total, table) != card:
                return rng.random() >= self._trust
        return True


class Position:
    """What a seat sees at a choice, and worlds for it."""

    def __init__(
        self, game: und_tschuess.UndTschuess, view: und_tschuess.View, unseen: Sequence[int], belief: _Belief
    ) -> None:
        self.view, self._game, self._belief = view, game, belief
        self._unseen = list(unseen)
        self.seat = view["seat"] or 0
        self.hand = sorted(view["hand"] or ())
        self.cards = sorted(set(self.hand))
        self.won = [sum(cards) for cards in view["won"]]
        self.start = Start(
            sums=view["sums"],
            inside=view["inside"],
            point_cards=view["point_cards"],
            dealer=view["dealer"],
            first_out=NOBODY if view["first_out"] is None else view["first_out"],
            own=self.seat,
        )
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

    def worlds(self, number: int, rng: Random) -> list[list[list[int]]]:
        """So many worlds: by seat the cards that it chooses from, or has kept."""
        return [list(self._hands(rng)) for _ in range(number)]

    def _hands(self, rng: Random) -> Iterator[list[int]]:
        if self.view["reshuffle"] is not None:
            # After the reshuffle not every card can be everywhere.
            state = self._game.determinize(self.view, rng)
            for seat, size in enumerate(self._sizes):
                hand = self._game.deck.values_of(state.hand(seat))
                if size > len(hand) and seat != self.seat:
                    hand.append(self._game.deck.values[state.chosen[seat]])
                yield sorted(hand)
            return
        at = 0
        for seat, size in enumerate(self._sizes):
            if seat == self.seat:
                yield self.hand.copy()
                continue
            kept = self._belief.kept(seat, size, rng)
            hand = _some(self._unseen, at, size, rng, kept)
            if seat in self.start.inside:
                for _ in range(_TRIES):
                    if self._belief.accepts(seat, hand, rng):
                        break
                    hand = _some(self._unseen, at, size, rng, kept)
            at += size
            yield hand

    def own_types(self, rng: Random, number: int) -> list[list[int]]:
        """Own hands that others must think possible, as far as this seat can tell."""
        cards = [*self._unseen, *self.hand]
        return [_some(cards, 0, len(self.hand), rng) for _ in range(number)]


def _some(
    cards: list[int], at: int, number: int, rng: Random, kept: tuple[int, Mapping[int, float]] | None = None
) -> list[int]:
    """So many of the cards from a place on at random, ascending; their order changes.

    The first ones, as many as are ``kept``, are drawn again if they would hardly be kept.
    """
    random, size = rng.random, len(cards)
    chosen, keeps = kept or (0, {})
    for i in range(at, at + number):
        j = i + int(random() * (size - i))
        if i - at < chosen:
            for _ in range(_DRAWS):
                if random() < keeps[cards[j]]:
                    break
                j = i + int(random() * (size - i))
        cards[i], cards[j] = cards[j], cards[i]
    return sorted(cards[at : at + number])
