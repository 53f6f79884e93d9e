"""XXL 1, 2 and 5 retold in plain words from docs/rules/xxl.md, and positions of their engines.

What is here knows cards as words and hands as lists, and nothing of the engines but how moves are written.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations
from typing import Protocol

from games.core import Outcome, Turn
from games.rules.xxl_deck import DECK, Deck
from games.rules.xxl_shedding import SheddingGame, View
from tests.games.cards import halves, total


class Table(Protocol):
    """What lies on the table; made of the start cards."""

    def ways(self, card: str) -> list[str]:
        """The words of all ways to lay a card."""

    def lay(self, way: str) -> None:
        """Lay a card in one of these ways."""


class UpAndDown:
    """Game 1: by pile, the halves of its top card, each free or going on up or down only."""

    START = 2

    def __init__(self, start: Sequence[str]) -> None:
        self.piles = [dict.fromkeys(halves(card).items(), "free") for card in start]

    def ways(self, card: str) -> list[str]:
        ways = []
        for name, pile in enumerate(self.piles, start=1):
            for colour, number in halves(card).items():
                for (top_colour, top_number), goes in pile.items():
                    up = number == top_number + 1 and goes in ("free", "up")
                    down = number == top_number - 1 and goes in ("free", "down")
                    if colour == top_colour and (up or down):
                        ways.append(f"{card} on pile {name} by {colour}")
        return ways

    def lay(self, way: str) -> None:
        card, _, _, name, _, by = way.split()
        old = dict(self.piles[int(name) - 1].keys())
        self.piles[int(name) - 1] = {
            (colour, number): ("up" if number > old[colour] else "down") if colour == by else "free"
            for colour, number in halves(card).items()
        }


class KeepUnder:
    """Game 2: the halves of the top card."""

    START = 1

    def __init__(self, start: Sequence[str]) -> None:
        self.top = halves(start[0]).items()

    def ways(self, card: str) -> list[str]:
        below = [half for half in halves(card).items() for top in self.top if half[0] == top[0] and half[1] < top[1]]
        return [card] if below else []

    def lay(self, way: str) -> None:
        self.top = halves(way).items()


class InLine:
    """Game 5: by colour with an open run, the number that lies last."""

    START = 0

    def __init__(self, start: Sequence[str]) -> None:
        self.runs: dict[str, int] = {}

    def ways(self, card: str) -> list[str]:
        return [
            f"{card} by {colour}"
            for colour, number in halves(card).items()
            if (number == self.runs[colour] - 1 if colour in self.runs else number == 10)
        ]

    def lay(self, way: str) -> None:
        card, _, by = way.split()
        number = halves(card)[by]
        if number == 0:
            del self.runs[by]
        else:
            self.runs[by] = number


TABLES: Mapping[str, type[UpAndDown] | type[KeepUnder] | type[InLine]] = {
    "xxl-1": UpAndDown,
    "xxl-2": KeepUnder,
    "xxl-5": InLine,
}


class Retold:
    """A game under way; ``rest`` is what the deal left of the deck, the start cards first."""

    def __init__(self, key: str, hands: Sequence[Sequence[str]], rest: Sequence[str], first: int) -> None:
        start = TABLES[key].START
        self.table: Table = TABLES[key](rest[:start])
        self.hands = [list(hand) for hand in hands]
        self.draw_pile = list(rest[start:])
        self.turn = first
        self.drawn: str | None = None
        self.over = False

    def legal(self) -> set[str]:
        """What the player whose turn it is may do."""
        if self.drawn is not None:
            return {*self.table.ways(self.drawn), "keep"}
        ways = {way for card in self.hands[self.turn] for way in self.table.ways(card)}
        return ways or ({"draw"} if self.draw_pile else {"pass"})

    def play(self, word: str) -> None:
        """Do one of these things."""
        hand = self.hands[self.turn]
        if word == "draw":
            self.drawn = self.draw_pile.pop(0)
            hand.append(self.drawn)
            if self.table.ways(self.drawn):
                return
        elif word not in ("keep", "pass"):
            self.table.lay(word)
            hand.remove(word.partition(" ")[0])
        self.drawn = None
        can_go_on = self.draw_pile or any(self.table.ways(card) for cards in self.hands for card in cards)
        if not hand or not can_go_on:
            self.over = True
        else:
            self.turn = (self.turn + 1) % len(self.hands)

    def scores(self) -> tuple[int, ...]:
        """The hand points."""
        return tuple(total(*hand) for hand in self.hands)


class Sitting:
    """A game from a position before the first turn, all cards as words with spaces between.

    ``rest`` are the start cards and the draw pile from its top. The last seat deals. ``small`` says that
    there are no cards but these; else the deck is the usual one, and many of its cards are nowhere.
    """

    def __init__(self, game: SheddingGame, *hands: str, rest: str = "", first: int = 0, small: bool = False) -> None:
        words = [word for cards in (*hands, rest) for word in cards.split()]
        self.game = type(game)(Deck([card for card in DECK.cards if card.word in words])) if small else game
        deck = self.game.deck
        self.state = self.game.position(
            [deck.read_words(hand.split()) for hand in hands],
            [deck.read_word(word) for word in rest.split()],
            dealer=len(hands) - 1,
            first=first,
        )

    def play(self, *words: str) -> None:
        """Play the words in turn."""
        for word in words:
            (seat,) = self.game.to_move(self.state)
            self.game.apply(self.state, Turn(seat, self.game.parse(word)))

    def turn(self) -> int:
        """Who is to move."""
        (seat,) = self.game.to_move(self.state)
        return seat

    def may(self) -> set[str]:
        """The words of what the seat to move may do."""
        return {self.game.describe(move) for move in self.game.legal(self.state, self.turn())}

    def takes(self) -> list[set[str]]:
        """By pile, the halves that fit on it."""
        return [set(pile["takes"]) for pile in self.game.view(self.state, None)["piles"]]

    def hand(self, seat: int) -> set[str]:
        """The cards in a hand."""
        return set(self.game.deck.words_of(self.state.hands[seat]))

    def outcome(self) -> Outcome | None:
        """The result; ``None`` while the game runs."""
        return self.game.outcome(self.state)


def deals(view: View, deck: Sequence[str]) -> Iterator[tuple[list[list[str]], list[str]]]:
    """All deals that lead to a view, as hands and rest, by trying all in which the watcher has its own cards."""
    me, drawers, laid = view["seat"], [], [list[str]() for _ in range(view["seats"])]
    for turn in view["turns"]:
        first, last = turn["moves"][0], turn["moves"][-1]
        if first == "draw":
            drawers.append(turn["seat"])
        if last not in ("draw", "keep", "pass"):
            laid[turn["seat"]].append(last.split()[0])
    sizes = [view["hand_sizes"][seat] + len(laid[seat]) - drawers.count(seat) for seat in range(view["seats"])]
    own = [] if me is None else [*(view["hand"] or ()), *laid[me]]
    dealt_to_me = [card for card in own if card not in view["drew"]]
    free = [card for card in deck if card not in {*view["start"], *own}]

    def hands(seat: int, left: list[str]) -> Iterator[tuple[list[list[str]], list[str]]]:
        if seat == view["seats"]:
            yield [], left
            return
        for hand in [dealt_to_me] if seat == me else map(list, combinations(left, sizes[seat])):
            for others, rest in hands(seat + 1, [card for card in left if card not in hand]):
                yield [hand, *others], rest

    for dealt, left in hands(0, free):
        for order in permutations(left):
            known, unknown = iter(view["drew"]), iter(order)
            drawn = [next(known) if seat == me else next(unknown) for seat in drawers]
            rest = [*view["start"], *drawn, *unknown]
            if _leads_to(view, dealt, rest):
                yield dealt, rest


def _leads_to(view: View, dealt: Sequence[Sequence[str]], rest: Sequence[str]) -> bool:
    retold = Retold(view["game"], dealt, rest, view["first"])
    if view["game"] != "xxl-1" and view["first"] != begins(retold.scores(), view["dealer"]):
        return False
    for turn in view["turns"]:
        for word in turn["moves"]:
            if retold.over or retold.turn != turn["seat"] or word not in retold.legal():
                return False
            retold.play(word)
    return ([] if retold.over else [retold.turn]) == view["to_move"]


def begins(points: Sequence[int], dealer: int) -> int:
    """The seat with the most points, of equal ones the first from the dealer's left."""
    best = [seat for seat in range(len(points)) if points[seat] == max(points)]
    return min(best, key=lambda seat: (seat - dealer - 1) % len(points))
