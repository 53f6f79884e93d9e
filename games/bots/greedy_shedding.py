"""Rules of thumb for the shedding games of XXL, 1, 2 and 5.

Terms as in ``games.rules.xxl_shedding``. A card *fits* when it could be laid on the table as it lies. The *share*
of a set of cards is the part of the unseen cards that are in it. A *hidden card* is one in another seat's hand;
what it can't be is known from when its seat found nothing to lay. The game is *late* when the draw pile is
empty. Ratings are in points, as if each lay were to end the game.

High cards go first; but what a lay takes away from others counts as much, and more than what it offers them:
whoever has nothing to lay draws. Cards that will hardly ever fit go before those that will.

Cards and sets of cards are as in ``games.rules.xxl_deck``.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar

from games.core import Move
from games.language import gettext as _
from games.rules import xxl_1, xxl_2
from games.rules.xxl_deck import COLOURS, NUMBERS, bit, cards_in
from games.rules.xxl_shedding import DRAW, KEEP, SheddingGame, View

T = TypeVar("T")


class Sight(NamedTuple):
    """What a seat sees. ``others`` has for each other seat, clockwise from the left, what its cards can't be."""

    hand: int
    unseen: int
    others: Sequence[Sequence[int]]
    late: bool

    def share(self, cards: int) -> float:
        """Of a set of cards."""
        return (cards & self.unseen).bit_count() / max(1, self.unseen.bit_count())

    def can_lay(self, hidden: Sequence[int], fitting: int) -> float:
        """The chance that one of these hidden cards fits."""
        none = 1.0
        for barred in hidden:
            possible = self.unseen & ~barred
            if possible:
                none *= 1 - (possible & fitting).bit_count() / possible.bit_count()
        return 1 - none


class SheddingRule(Generic[T]):
    """What the three games share; ``T`` is what lies on the table, in a form of each game's own."""

    def __init__(self, game: SheddingGame) -> None:
        self.game = game
        self.deck = game.deck

    @abstractmethod
    def start(self, cards: Sequence[int]) -> T:
        """The table with the start cards."""

    @abstractmethod
    def after(self, table: T, move: Move) -> T:
        """The table after a lay."""

    @abstractmethod
    def fitting(self, table: T) -> int:
        """The set of cards that fit."""

    @abstractmethod
    def rate_lay(self, sight: Sight, table: T, move: Move) -> float:
        """In points."""

    @abstractmethod
    def rate_keeping(self, sight: Sight, table: T) -> float:
        """In points: keeping a drawn card that fits."""

    def rate(self, view: View, legal: Sequence[Move]) -> list[float]:
        """In points. Drawing and passing are never a choice."""
        sight, table = self._look(view)
        return [
            self.rate_keeping(sight, table) if move == KEEP else self.rate_lay(sight, table, move) for move in legal
        ]

    def reason(self, view: View, legal: Sequence[Move], move: Move) -> str:
        """The points that go, and what others can do then."""
        if move == KEEP:
            return self.keeping_in_words()
        sight, table = self._look(view)
        share = sight.share(self.fitting(self.after(table, move)))
        params = {"points": self.deck.totals[self.game.card_of(move)], "share": round(100 * share)}
        return _("Sheds %(points)d points; of the unseen cards %(share)d %% can be laid then.") % params

    def keeping_in_words(self) -> str:
        """Why a drawn card is kept that could be laid."""
        return _("Laying the drawn card would help the others more than its points are worth.")

    def _look(self, view: View) -> tuple[Sight, T]:
        """Follow the turns so far."""
        seats, me = view["seats"], view["seat"] or 0
        table = self.start([self.deck.read_word(word) for word in view["start"]])
        laid = self.deck.read_words(view["start"])
        hidden: list[list[int]] = [[0] * self.game.hand_size(seats) for _ in range(seats)]
        for turn in view["turns"]:
            moves = [self.game.parse(word) for word in turn["moves"]]
            fitting = self.fitting(table)
            _note(hidden[turn["seat"]], moves, fitting, self.game)
            if moves[-1] < DRAW:
                table = self.after(table, moves[-1])
                laid |= bit[self.game.card_of(moves[-1])]
        hand = self.deck.read_words(view["hand"] or ())
        others = [hidden[(me + i) % seats] for i in range(1, seats)]
        return Sight(hand, self.deck.all_cards & ~hand & ~laid, others, view["draw_pile"] == 0), table


def _note(hidden: list[int], moves: Sequence[Move], fitting: int, game: SheddingGame) -> None:
    """Change what the cards of a seat can't be by what it has done in a turn."""
    if moves[0] < DRAW:
        possible = [barred for barred in hidden if not barred >> game.card_of(moves[0]) & 1]
        # It may have been any of them; the most likely is the one that can be the fewest cards.
        hidden.remove(max(possible or hidden, key=int.bit_count))
        return
    hidden[:] = [barred | fitting for barred in hidden]
    if moves == [DRAW, KEEP]:
        hidden.append(game.deck.all_cards & ~fitting)
    elif moves == [DRAW]:
        hidden.append(fitting)


class TwoPilesRule(SheddingRule[tuple[tuple[int, int], ...]]):
    """For XXL 1. The table has for each pile its top card and the set of cards that fit on it."""

    def __init__(self, game: xxl_1.RaufUndRunter) -> None:
        super().__init__(game)
        self._near = tuple(self._next_to(low) | self._next_to(high) for low, high in game.halves)
        """By card: the cards on which, free, it fits and that fit on it."""

    def _next_to(self, half: tuple[int, int], steps: Sequence[int] = (-1, 1)) -> int:
        """The cards with a half so many numbers away, in the half's colour."""
        colour, number = half
        return sum(self.deck.having[colour][number + step] for step in steps if number + step in NUMBERS)

    def start(self, cards: Sequence[int]) -> tuple[tuple[int, int], ...]:
        """Both halves are free."""
        return tuple((card, self._near[card]) for card in cards)

    def after(self, table: tuple[tuple[int, int], ...], move: Move) -> tuple[tuple[int, int], ...]:
        """The half by which the card is laid goes on in its direction, the other is free."""
        card, pile, by = move >> 2, move >> 1 & 1, move & 1
        halves = self.game.halves[card]
        colour, number = halves[by]
        step = number - self.deck.number[colour][table[pile][0]]
        # Not a union by addition: no card bears one colour twice, but one may fit by both halves.
        top = card, self._next_to(halves[by], (step,)) | self._next_to(halves[1 - by])
        return (top, table[1]) if pile == 0 else (table[0], top)

    def fitting(self, table: tuple[tuple[int, int], ...]) -> int:
        """On either pile."""
        return table[0][1] | table[1][1]

    def rate_lay(self, sight: Sight, table: tuple[tuple[int, int], ...], move: Move) -> float:
        """The total, more when late; what the covered card offered others; how seldom the card itself fits."""
        card = move >> 2
        rest = sight.hand & ~bit[card]
        covered = table[move >> 1 & 1][1]
        rating = self.deck.totals[card] * (3.0 if sight.late else 1.0)
        rating += 80 * sight.share(covered)
        rating -= 1.8 * (self._near[card] & (sight.unseen | rest)).bit_count()
        return rating + self._prospects(sight, rest, self.fitting(self.after(table, move)))

    def rate_keeping(self, sight: Sight, table: tuple[tuple[int, int], ...]) -> float:
        """A kept card has cost a draw."""
        return -8 + self._prospects(sight, sight.hand, self.fitting(table))

    def _prospects(self, sight: Sight, rest: int, fitting: int) -> float:
        """With this rest of the hand: cards that go with others, one that fits; less what others can lay."""
        prospects = 1.7 * sum(1 for card in cards_in(rest) if self._near[card] & rest)
        if rest & fitting:
            prospects += 30.0 if rest.bit_count() == 1 else 5.5
        for hidden in sight.others:
            prospects -= (22.0 if len(hidden) <= 2 else 9.0) * sight.can_lay(hidden, fitting)
        return prospects


class UnderRule(SheddingRule[int]):
    """For XXL 2. The table is the top card."""

    def __init__(self, game: xxl_2.ImmerSchoenDrunterBleiben) -> None:
        super().__init__(game)
        below = [[sum(row[:number]) for number in NUMBERS] for row in self.deck.having]
        # Not one sum: a card may fit by both halves.
        self._under = tuple(
            below[low_colour][low] | below[high_colour][high] for (low_colour, low), (high_colour, high) in game.halves
        )
        """By card: the set of cards that fit on it."""

    def start(self, cards: Sequence[int]) -> int:
        """The start card."""
        return cards[0]

    def after(self, table: int, move: Move) -> int:
        """The card laid."""
        return move

    def fitting(self, table: int) -> int:
        """All lower numbers of either colour."""
        return self._under[table]

    def rate_lay(self, sight: Sight, table: int, move: Move) -> float:
        """The total, and a little for each card that does not fit then."""
        return self.deck.totals[move] - self._offer(move)

    def rate_keeping(self, sight: Sight, table: int) -> float:
        """A low card goes on almost anything and is better kept."""
        return 5.5 - self._offer(table)

    def keeping_in_words(self) -> str:
        """It is a low one."""
        return _("So low a card can be laid on almost any other later.")

    def _offer(self, table: int) -> float:
        return 0.25 * self._under[table].bit_count()


class RunsRule(SheddingRule[tuple[int, ...]]):
    """For XXL 5. The table has for each colour the number that its run wants next, 10 where it is not open."""

    def start(self, cards: Sequence[int]) -> tuple[int, ...]:
        """No run is open, and there are no start cards."""
        return (NUMBERS[-1],) * len(COLOURS)

    def after(self, table: tuple[int, ...], move: Move) -> tuple[int, ...]:
        """The run goes on one lower, or is closed."""
        colour, number = self.game.halves[move >> 1][move & 1]
        return (*table[:colour], number - 1 if number else NUMBERS[-1], *table[colour + 1 :])

    def fitting(self, table: tuple[int, ...]) -> int:
        """What the runs want."""
        red, yellow, green, blue = self.deck.having
        return red[table[0]] | yellow[table[1]] | green[table[2]] | blue[table[3]]

    def rate_lay(self, sight: Sight, table: tuple[int, ...], move: Move) -> float:
        """The total, and how many others could have gone there: they won't for a whole run."""
        colour, number = self.game.halves[move >> 1][move & 1]
        card = move >> 1
        rating = self.deck.totals[card] + 200 * sight.share(self.deck.having[colour][number])
        return rating + self._prospects(sight, sight.hand & ~bit[card], self.after(table, move))

    def rate_keeping(self, sight: Sight, table: tuple[int, ...]) -> float:
        """A card that fits now blocks its run for others, who draw meanwhile."""
        return 12 + self._prospects(sight, sight.hand, table)

    def _prospects(self, sight: Sight, rest: int, table: tuple[int, ...]) -> float:
        """With this rest of the hand: how soon its cards will fit, and runs that only it can continue."""
        prospects = 0.0
        for card in cards_in(rest):
            steps = min((table[colour] - number) % len(NUMBERS) for colour, number in self.game.halves[card])
            prospects += 0.35 * self.deck.totals[card] * 0.85**steps
        for having, wanted in zip(self.deck.having, table, strict=True):
            if having[wanted] & rest and not having[wanted] & sight.unseen:
                prospects += 6
        return prospects
