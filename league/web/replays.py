"""Replays: a finished deal of bots as a page shows it, move by move; templates draw the cards as inline SVG.

Terms: *at* is the number of moves played so far, 0 the deal; the *watcher* is a seat (from 0), `TABLE` who sees what
lies open, or `OPEN`, who sees every hand; a *lot* is some cards that lie together; a *part* of a deal is a trick, a
turn, a round or a step, whatever its game is played in; a *fact* is a label with its value.
Promises: what a watcher is shown comes from that seat's `Game.view` alone and from words of moves that it has seen: no
move after `at`, no hidden card and no reason that another's hand is behind; only `OPEN` is shown all. No colour
speaks without its sign and its name. Never: reads the store.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from games.bots import BOTS
from games.bots.base import reason_of
from games.core import Move, Playthrough, Seat, Turn
from games.language import speaking
from games.rules.the_game_piles import DECK, DIRECTIONS, LEAVE_ALONE, PILES, RATHER_NOT, UP
from league.services.bot_results import ENDS
from league.web import replay_words as words

OPEN: Final = "all"
TABLE: Final = "table"
Watcher = Seat | str

# Around the middle of a half; each colour has a shape of its own.
SIGNS: Mapping[str, str] = {
    "red": "M-5.5 0a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0",
    "yellow": "M0-7 1.9-2.3 6.8-2.1 3 1.1 4.2 6 0 3.2-4.2 6-3 1.1-6.8-2.1-1.9-2.3z",
    "green": "M0-6 6.5 5.5-6.5 5.5z",
    "blue": "M-5-5h10v10h-10z",
}

Fact = tuple[str, str]
View = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Half:
    """A coloured field of a card: the key of its colour, the path of its sign, its number."""

    colour: str
    sign: str
    number: str


@dataclass(frozen=True, slots=True)
class Card:
    """A card as drawn: one or two halves, or none and a number alone; `label` says it in words.

    `caption` stands below it, "" for nothing; `fresh` marks what the last move has brought.
    """

    label: str
    halves: tuple[Half, ...] = ()
    number: str = ""
    caption: str = ""
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class Lot:
    """Cards that lie together; `note` says what the cards don't show, "" for nothing."""

    title: str
    cards: tuple[Card, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class SeatShown:
    """A seat: `hand` None where the watcher does not see it, `lots` what lies before the player besides."""

    number: int
    name: str
    is_to_move: bool
    hand: Lot | None
    facts: tuple[Fact, ...]
    lots: tuple[Lot, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A move of the list: `number` is where the deal stands after it, `text` what the watcher may know of it."""

    number: int
    text: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the deal: `start` is where it begins, before its first move."""

    title: str
    start: int
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Replay:
    """Where a deal stands, for one watcher.

    `drawing` is the game's own text of the view where the game has no drawer here, else "". `previous_part` and
    `next_part` are where parts around begin, None where there are none.
    """

    at: int
    last: int
    said: str
    reason: str
    lots: tuple[Lot, ...]
    facts: tuple[Fact, ...]
    seats: tuple[SeatShown, ...]
    parts: tuple[Part, ...]
    drawing: str
    has_colours: bool
    previous_part: int | None
    next_part: int | None


@dataclass(slots=True)
class _Table:
    """What a drawer fills in: lots and facts of the table, and of each seat."""

    lots: list[Lot] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    of_seats: dict[Seat, list[Lot]] = field(default_factory=dict)
    facts_of_seats: dict[Seat, list[Fact]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Sight:
    """The watcher's view, and the views of all seats whose cards it sees; `sees_all` of `OPEN` alone."""

    view: View
    own: Mapping[Seat, View]
    sees_all: bool


@dataclass(frozen=True, slots=True)
class _Seen:
    """What is to be drawn, with names by seat."""

    view: View
    own: Mapping[Seat, View]
    names: Sequence[str]
    # What the last move has laid, and by seat what it has brought into the hand.
    laid: frozenset[str | int]
    drawn: Mapping[Seat, frozenset[str | int]]

    def card(self, word: str | int, caption: str = "") -> Card:
        return draw_card(word, caption=caption, fresh=word in self.laid)

    def cards(self, found: Iterable[str | int]) -> tuple[Card, ...]:
        return tuple(map(self.card, found))

    def hand(self, seat: Seat) -> tuple[Card, ...]:
        new = self.drawn.get(seat, frozenset())
        return tuple(draw_card(word, fresh=word in new) for word in self.own[seat]["hand"])


def draw_card(word: str | int, *, caption: str = "", fresh: bool = False) -> Card:
    """A card or a single half by its word, or a card that is a number."""
    label = words.card(word)
    if isinstance(word, int):
        return Card(label, number=label, caption=caption, fresh=fresh)
    halves = []
    for half in word.split("/"):
        colour = half.rstrip("0123456789")
        halves.append(Half(colour, SIGNS.get(colour, ""), half.removeprefix(colour)))
    return Card(label, tuple(halves), caption=caption, fresh=fresh)


def replay_of(played: Playthrough, *, at: int, watcher: Watcher, names: Sequence[str], bots: Sequence[str]) -> Replay:
    """The finished playthrough after `at` moves (0 to all of them); `names` and keys of `bots` are by seat."""
    game, turns = played.game, played.turns
    said = [game.describe(turn.move) for turn in turns]
    again = Playthrough(game, played.seats, played.seed, played.options)
    marks, reason, before = list[View](), "", dict[Seat, View]()
    part_of = _PARTS.get(game.key, _by_rounds)
    seats = range(played.seats)
    shown = [seat for seat in seats if watcher in (OPEN, seat)]
    own, view = dict[Seat, View](), dict[str, Any]()
    # To the end, since parts of some games show in the positions alone; one playing takes some milliseconds.
    for number in range(len(turns) + 1):
        if number == at:
            view = dict(again.view(watcher if isinstance(watcher, int) else None))
            own = {seat: again.view(seat) for seat in shown}
        if number == len(turns):
            break
        turn = turns[number]
        marks.append(again.view(None) if part_of is _by_steps else {})
        if number == at - 1:
            before = {seat: again.view(seat) for seat in shown}
            if turn.seat in shown:
                reason = _reason(again, bots[turn.seat], before[turn.seat], turn.move)
        again.play(turn)
    lines = list(_lines(said, turns, _Sight(view, own, watcher == OPEN), at, names))
    drawn: dict[Seat, tuple[str | int, ...]] = {
        seat: tuple((Counter(own[seat]["hand"]) - Counter(old["hand"])).elements()) for seat, old in before.items()
    }
    laid = frozenset[str | int]()
    if at:
        seat, word = turns[at - 1].seat, said[at - 1]
        laid = frozenset(_cards_of(word))
        if word == "draw" and len(drawn.get(seat, ())) == 1:
            lines[at - 1] = words.told_draw(names[seat], drawn[seat][0])
    starts = list(part_of(said, played, marks))
    parts = tuple(_parts(starts, lines, at))
    table = _Table()
    seen = _Seen(view, own, names, laid, {seat: frozenset(cards) for seat, cards in drawn.items()})
    drawer = _DRAWERS.get(game.key)
    if drawer is not None:
        drawer(seen, table)
    if at == len(turns):
        _ended(played, table)
    return Replay(
        at=at,
        last=len(turns),
        said=lines[at - 1] if at else _("The cards are dealt"),
        reason=reason,
        lots=tuple(table.lots),
        facts=tuple(table.facts),
        seats=tuple(_seat(seen, table, seat) for seat in seats),
        parts=parts,
        drawing="" if drawer is not None else game.draw(view),
        has_colours=game.key.startswith("xxl"),
        previous_part=max((start for start, _title in starts if start < at), default=None),
        next_part=min((start for start, _title in starts if start > at), default=None),
    )


def _reason(again: Playthrough, bot: str, view: View, move: Move) -> str:
    """Why the bot made the move of this view, in the reader's language; "" where it does not say."""
    if bot not in BOTS:
        return ""
    legal = again.game.legal(again.state, view["seat"])
    with speaking((get_language() or "en").split("-")[0]):
        return reason_of(BOTS[bot](again.game), view, legal, move) or ""


def _cards_of(word: str) -> list[str | int]:
    """The cards that a word of a move names and that lie on the table alone.

    Not those of und Tschüss: several cards there have the same number.
    """
    found: list[str | int] = [part for part in word.split() if "/" in part]
    number, _space, pile = word.partition(" ")
    return [int(number)] if pile in PILES else found


def _lines(said: Sequence[str], turns: Sequence[Turn], sight: _Sight, at: int, names: Sequence[str]) -> Iterator[str]:
    """Each move as the watcher may know it when so many are played: those to come are known to `OPEN` alone."""
    pending = _pending(sight.view)
    for number, (turn, word) in enumerate(zip(turns, said, strict=True), start=1):
        name = names[turn.seat]
        if sight.sees_all or (number <= at and turn.seat in sight.own):
            yield words.told(word, name, names.__getitem__)
        elif number > at:
            return
        elif words.is_hidden(word) or number > at - pending:
            yield words.told_hidden(word, name)
        else:
            yield words.told(word, name, names.__getitem__)


def _pending(view: View) -> int:
    """How many moves were made that are uncovered together with others that are still due."""
    if view.get("phase") != "choose" or not view["to_move"]:
        return 0
    return len(view["inside"]) - len(view["to_move"])


# --- Parts: where they begin, with their titles -----------------------------------------------------------------------

Starts = Iterator[tuple[int, str]]
Marks = Sequence[View]


def _parts(starts: Sequence[tuple[int, str]], lines: Sequence[str], at: int) -> Iterator[Part]:
    """Those that have begun, as far as there are lines."""
    begun = [one for one in starts if one[0] < len(lines)]
    ends = [start for start, _title in begun[1:]] + [len(lines)]
    # Not strict: before the first move nothing has begun that could end.
    for (start, title), end in zip(begun, ends, strict=False):
        own = tuple(Line(number, lines[number - 1], number == at) for number in range(start + 1, end + 1))
        yield Part(title, start, own)


def _by_tricks(said: Sequence[str], played: Playthrough, marks: Marks) -> Starts:
    """Declarations first, where there are any; then so many cards a trick as there are seats."""
    first = sum(word.startswith("trump ") for word in said)
    if first:
        yield 0, _("Declaration")
    for number, start in enumerate(range(first, len(said), played.seats), start=1):
        yield start, _("Trick %(number)d") % {"number": number}


def _by_leads(said: Sequence[str], played: Playthrough, marks: Marks) -> Starts:
    """A lead names a colour; between the two phases cards are put aside."""
    phase, number = 1, 0
    for start, word in enumerate(said):
        if word.startswith("aside "):
            if phase == 1:
                yield start, _("Putting aside")
            phase, number = 2, 0
        elif " as " in word:
            number += 1
            yield start, _("Phase %(phase)d, trick %(number)d") % {"phase": phase, "number": number}


def _by_rounds(said: Sequence[str], played: Playthrough, marks: Marks) -> Starts:
    """Whoever moves several times in a row has one turn; a round goes on until the first seat has its turn again."""
    number = 0
    for start, turn in enumerate(played.turns):
        begins = start == 0 or played.turns[start - 1].seat != turn.seat
        if begins and turn.seat == played.turns[0].seat:
            number += 1
            yield start, _("Round %(number)d") % {"number": number}


def _by_turns(said: Sequence[str], played: Playthrough, marks: Marks) -> Starts:
    """A turn ends when its player says so, or when another one moves."""
    number = 0
    for start, turn in enumerate(played.turns):
        if said[start].startswith("start "):
            yield start, _("Who starts")
        elif start == 0 or said[start - 1].split()[0] in {"end", "start"} or played.turns[start - 1].seat != turn.seat:
            number += 1
            yield start, _("Turn %(number)d") % {"number": number}


def _by_steps(said: Sequence[str], played: Playthrough, marks: Marks) -> Starts:
    """Everyone inside plays a card in a step of a round; between rounds one may exchange cards."""
    last: tuple[int, int] | None = None
    for start, view in enumerate(marks):
        rounds = view["rounds"]
        step = len(rounds[-1]["steps"]) if view["phase"] == "choose" else -1
        if (len(rounds), step) != last:
            last = (len(rounds), step)
            params = {"round": len(rounds), "number": step + 1}
            if step < 0:
                yield start, _("Exchange after round %(round)d") % params
            else:
                yield start, _("Round %(round)d, step %(number)d") % params


_PARTS: Mapping[str, Callable[[Sequence[str], Playthrough, Marks], Starts]] = {
    "xxl-3": _by_leads,
    "xxl-6": _by_tricks,
    "xxl-6-plus": _by_tricks,
    "the-game": _by_turns,
    "und-tschuess": _by_steps,
}


# --- Drawers ----------------------------------------------------------------------------------------------------------


def _cards_counted(number: int) -> str:
    return ngettext("%(number)d card", "%(number)d cards", number) % {"number": number}


def _seat(seen: _Seen, table: _Table, seat: Seat) -> SeatShown:
    size = seen.view["hand_sizes"][seat]
    own = seen.own.get(seat)
    hand = None
    if own is not None:
        hand = Lot(_("Hand"), seen.hand(seat))
    return SeatShown(
        number=seat + 1,
        name=seen.names[seat],
        is_to_move=seat in seen.view["to_move"],
        hand=hand,
        facts=((_("Hand"), _cards_counted(size)), *table.facts_of_seats.get(seat, ())),
        lots=tuple(table.of_seats.get(seat, ())),
    )


def _ended(played: Playthrough, table: _Table) -> None:
    outcome = played.outcome()
    if outcome is None:
        return
    table.facts.append((_("How it ended"), str(ENDS.get(outcome.reason, outcome.reason))))
    for seat, score in enumerate(outcome.scores):
        facts = table.facts_of_seats.setdefault(seat, [])
        facts.append((_("Result"), str(score).replace("-", chr(0x2212))))
        if outcome.places is not None:
            facts.append((_("Place"), f"{outcome.places[seat]}."))


def _points(seen: _Seen, table: _Table) -> None:
    for seat, points in enumerate(seen.view["points"]):
        table.facts_of_seats.setdefault(seat, []).append((_("Points"), str(points)))


def _draw_shedding(seen: _Seen, table: _Table) -> None:
    for pile in seen.view["piles"]:
        top = (seen.card(pile["top"]),) if pile["top"] else ()
        takes = ", ".join(map(words.half, pile["takes"])) or _("nothing")
        table.lots.append(Lot(_pile_title(pile["name"]), top, _("takes %(halves)s") % {"halves": takes}))
    table.facts.append((_("Draw pile"), _cards_counted(seen.view["draw_pile"])))


def _pile_title(name: str) -> str:
    """Of the piles of XXL, by their names: `pile 1`, `discard pile`, `red run`."""
    if name == "discard pile":
        return _("Discard pile")
    if name.endswith(" run"):
        return _("Run in %(colour)s") % {"colour": words.colour(name.removesuffix(" run"))}
    return _("Pile %(number)s") % {"number": name.removeprefix("pile ")}


def _draw_tricks(seen: _Seen, table: _Table) -> None:
    view, names = seen.view, seen.names
    if "trump" in view:
        table.facts.append((_("Trump"), words.colour(view["trump"]) if view["trump"] else _("not declared yet")))
        table.facts.append((_("Declared by"), names[view["declarer"]]))
    under_way = view["trick"]
    if under_way["cards"]:
        colours = ", ".join(map(words.colour, under_way["open_colours"]))
        note = _("Colours still open: %(colours)s") % {"colours": colours}
        table.lots.append(Lot(_("Trick under way"), _in_order(seen, under_way), note))
    if view["tricks"]:
        last = view["tricks"][-1]
        table.lots.append(Lot(_("Last trick"), _in_order(seen, last), _taken(last, names)))
    table.facts.append((_("Set aside"), _cards_counted(view["set_aside"])))
    _points(seen, table)
    won = Counter(trick["winner"] for trick in view["tricks"])
    for seat in range(view["seats"]):
        table.facts_of_seats[seat].append((_("Tricks"), str(won[seat])))


def _in_order(seen: _Seen, trick: View) -> tuple[Card, ...]:
    seats = seen.view["seats"]
    return tuple(
        seen.card(word, seen.names[(trick["leader"] + number) % seats]) for number, word in enumerate(trick["cards"])
    )


def _taken(trick: View, names: Sequence[str]) -> str:
    params = {"player": names[trick["winner"]], "colour": words.colour(trick["colour"])}
    return _("%(player)s takes it, %(colour)s counts") % params


_PHASES: Final = ("first", "putting_aside", "second_deal", "second", "over")


def _draw_refusal(seen: _Seen, table: _Table) -> None:
    view, names = seen.view, seen.names
    titles = (_("first phase"), _("putting aside"), _("dealing anew"), _("second phase"), _("over"))
    table.facts.append((_("Phase"), dict(zip(_PHASES, titles, strict=True))[view["phase"]]))
    under_way = view["trick"]
    if under_way["plays"]:
        note = _("%(colour)s counts") % {"colour": words.colour(under_way["colour"])}
        table.lots.append(_plays(seen, _("Trick under way"), under_way, note))
    tricks = view["second_tricks"] or view["first_tricks"]
    if tricks:
        table.lots.append(_plays(seen, _("Last trick"), tricks[-1], _taken(tricks[-1], names)))
    table.facts.append((_("Set aside"), _cards_counted(view["set_aside"])))
    _points(seen, table)
    for seat, own in seen.own.items():
        if own["put_aside"] is not None:
            table.of_seats.setdefault(seat, []).append(Lot(_("Put aside"), (seen.card(own["put_aside"]),)))


def _plays(seen: _Seen, title: str, trick: View, note: str) -> Lot:
    cards, passed = [], []
    for play in trick["plays"]:
        name = seen.names[play["seat"]]
        if play["move"] == "pass":
            passed.append(name)
        else:
            cards.append(seen.card(play["move"].split()[0], name))
    if passed:
        told = _("passed: %(players)s") % {"players": ", ".join(passed)}
        note = f"{note}; {told}"
    return Lot(title, tuple(cards), note)


def _draw_straights(seen: _Seen, table: _Table) -> None:
    view = seen.view
    table.lots.append(Lot(_("Display"), seen.cards(view["display"]), "" if view["display"] else _("no card")))
    table.facts.append((_("Draw pile"), _cards_counted(view["draw_pile"])))
    table.facts.append((_("Turns in a row without a straight or a draw"), str(view["quiet"])))
    _points(seen, table)
    for seat in range(view["seats"]):
        lots = table.of_seats.setdefault(seat, [])
        if seat not in seen.own and view["known"][seat]:
            lots.append(Lot(_("Known of the hand"), seen.cards(view["known"][seat])))
        laid = [event for event in view["events"] if event["kind"] == "straight" and event["seat"] == seat]
        for number, event in enumerate(laid, start=1):
            cards = seen.cards((*event["from_hand"], *event["from_display"]))
            lots.append(Lot(_("Straight %(number)d") % {"number": number}, cards))


def _draw_piles(seen: _Seen, table: _Table) -> None:
    view = seen.view
    for pile, top, way in zip(PILES, view["piles"], DIRECTIONS, strict=True):
        title = str(words.PILES[pile])
        note = _("takes what is higher") if way == UP else _("takes what is lower")
        if top - 10 * way in DECK:
            note = _("%(takes)s, or %(back)d") % {"takes": note, "back": top - 10 * way}
        table.lots.append(Lot(title[:1].upper() + title[1:], (seen.card(top),), note))
    table.facts.append((_("Draw pile"), _cards_counted(view["draw_pile"])))
    if view["to_move"] and not view["choosing"]:
        laid = ", ".join(map(str, view["laid"])) or _("none")
        minimum = ngettext("at least %(number)d card", "at least %(number)d cards", view["minimum"])
        table.facts.append((_("To lay in this turn"), minimum % {"number": view["minimum"]}))
        table.facts.append((_("Laid in this turn"), laid))
    for seat, signals in enumerate(view["signals"]):
        facts = table.facts_of_seats.setdefault(seat, [])
        for strength, label in ((LEAVE_ALONE, _("Asks to leave alone")), (RATHER_NOT, _("Rather not"))):
            named = [str(words.PILES[pile]) for pile, signal in zip(PILES, signals, strict=True) if signal == strength]
            if named:
                facts.append((label, ", ".join(named)))


def _draw_rounds(seen: _Seen, table: _Table) -> None:
    view = seen.view
    table.lots.append(
        Lot(_("Point cards in the middle"), seen.cards(view["point_cards"]), "" if view["point_cards"] else _("none"))
    )
    table.facts.append((_("Round"), str(len(view["rounds"]))))
    table.facts.append((_("Draw pile"), _cards_counted(view["draw_pile"])))
    table.facts.append((_("Discard pile"), _cards_counted(len(view["discards"]) + sum(view["face_down"]))))
    steps = view["rounds"][-1]["steps"] if view["rounds"] else []
    for seat in range(view["seats"]):
        lots, facts = table.of_seats.setdefault(seat, []), table.facts_of_seats.setdefault(seat, [])
        playing = view["phase"] == "choose"
        played = [step["cards"][seat] for step in steps if step["cards"][seat] is not None]
        if playing:
            facts.append((_("Sum"), str(view["sums"][seat])))
            if seat not in view["inside"]:
                facts.append((_("In this round"), _("dropped out")))
        if played:
            lots.append(Lot(_("Played in the round"), tuple(map(draw_card, played))))
        own = seen.own.get(seat)
        if own is not None and own["chosen"] is not None:
            lots.append(Lot(_("Chosen, face down"), (draw_card(own["chosen"]),)))
        elif playing and seat in view["inside"] and seat not in view["to_move"] and view["to_move"]:
            lots.append(Lot(_("Chosen, face down"), note=_("one card")))
        won = view["won"][seat]
        if won:
            facts.append((_("Sum of the cards won"), words.card(sum(won))))
            lots.append(Lot(_("Point cards won"), tuple(map(draw_card, won))))


_DRAWERS: Mapping[str, Callable[[_Seen, _Table], None]] = {
    "xxl-1": _draw_shedding,
    "xxl-2": _draw_shedding,
    "xxl-3": _draw_refusal,
    "xxl-4": _draw_straights,
    "xxl-5": _draw_shedding,
    "xxl-6": _draw_tricks,
    "xxl-6-plus": _draw_tricks,
    "the-game": _draw_piles,
    "und-tschuess": _draw_rounds,
}
