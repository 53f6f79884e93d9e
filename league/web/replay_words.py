"""What the games write in words of their own, told in the reader's language: colours, cards, moves.

Terms: a *half* is a colour and a number as games write them (`red6`), a card of XXL two of them (`green1/red2`), the
*word* of a move is what records hold. Promises: a word that nothing here knows is told as it is. Never: knows a
position or who may see what.
"""

import re
from collections.abc import Callable, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

COLOURS: Mapping[str, str | Promise] = {
    "red": _l("red"),
    "yellow": _l("yellow"),
    "green": _l("green"),
    "blue": _l("blue"),
}
PILES: Mapping[str, str | Promise] = {
    "up1": _l("first pile going up"),
    "up2": _l("second pile going up"),
    "down1": _l("first pile going down"),
    "down2": _l("second pile going down"),
}

_HALF = re.compile(r"([a-z]+)([0-9]+(?:-[0-9]+)?)")
_CARD = r"[a-z]+[0-9]+/[a-z]+[0-9]+"
_MOVES: tuple[tuple[re.Pattern[str], str | Promise], ...] = tuple(
    (re.compile(pattern), sentence)
    for pattern, sentence in (
        (
            rf"(?P<card>{_CARD}) on pile (?P<number>[12]) by (?P<colour>[a-z]+)",
            _l("%(player)s lays %(card)s on pile %(number)s by the half in %(colour)s"),
        ),
        (rf"(?P<card>{_CARD}) by (?P<colour>[a-z]+)", _l("%(player)s lays %(card)s by the half in %(colour)s")),
        (rf"(?P<card>{_CARD}) as (?P<colour>[a-z]+)", _l("%(player)s leads %(card)s as %(colour)s")),
        (rf"(?P<card>{_CARD})", _l("%(player)s plays %(card)s")),
        (rf"aside (?P<card>{_CARD})", _l("%(player)s puts %(card)s aside")),
        (rf"straight (?P<cards>{_CARD} {_CARD} {_CARD})", _l("%(player)s lays the straight %(cards)s")),
        (rf"exchange (?P<card>{_CARD}) for (?P<other>{_CARD})", _l("%(player)s exchanges %(card)s for %(other)s")),
        (rf"lay (?P<card>{_CARD})", _l("%(player)s lays %(card)s into the display")),
        (r"trump (?P<colour>[a-z]+)", _l("%(player)s declares %(colour)s as trump")),
        (r"(?P<number>[0-9]+) (?P<pile>(?:up|down)[12])", _l("%(player)s lays %(number)s on the %(pile)s")),
        (r"(?P<number>-?[0-9]+)", _l("%(player)s plays %(number)s")),
        (r"lay off (?P<number>-?[0-9]+)", _l("%(player)s lays %(number)s off")),
        (r"start (?P<seat>[0-9])", _l("%(player)s chooses who starts: %(other)s")),
        (r"draw", _l("%(player)s draws a card")),
        (r"keep", _l("%(player)s keeps the card drawn")),
        (r"pass", _l("%(player)s passes")),
        (r"end", _l("%(player)s ends the turn")),
        (r"done", _l("%(player)s is done")),
    )
)
# What others see of a move whose card is hidden from them, by how its word begins.
_HIDDEN: Mapping[str, str | Promise] = {
    "aside ": _l("%(player)s puts a card aside"),
    "lay off ": _l("%(player)s lays a card off, face down"),
}


def colour(name: str) -> str:
    """The name of a colour."""
    return str(COLOURS.get(name, name))


def half(word: str) -> str:
    """A half, or a colour with a run of numbers: `red 6`, `red 0-5`."""
    found = _HALF.fullmatch(word)
    if found is None:
        return word
    return f"{colour(found[1])} {found[2].replace('-', chr(0x2013))}"


def card(word: str | int) -> str:
    """A card: its halves, or its number."""
    return " / ".join(map(half, word.split("/"))) if isinstance(word, str) else str(word).replace("-", chr(0x2212))


def is_hidden(word: str) -> bool:
    """Whether others see that such a move is made, but not with which card."""
    return any(word.startswith(beginning) for beginning in _HIDDEN)


def told(word: str, player: str, name_of: Callable[[int], str]) -> str:
    """A move as a sentence without its full stop; `name_of` names the player at a seat (from 0)."""
    for pattern, sentence in _MOVES:
        found = pattern.fullmatch(word)
        if found is not None:
            return str(sentence) % {"player": player, **_parts(found.groupdict(), name_of)}
    return f"{player}: {word}"


def _parts(found: Mapping[str, str], name_of: Callable[[int], str]) -> dict[str, str]:
    parts: dict[str, str] = {}
    for key, text in found.items():
        match key:
            case "card" | "other":
                parts[key] = card(text)
            case "cards":
                parts[key] = ", ".join(map(card, text.split()))
            case "colour":
                parts[key] = colour(text)
            case "pile":
                parts[key] = str(PILES[text])
            case "seat":
                parts["other"] = name_of(int(text))
            case _:
                parts[key] = text.replace("-", chr(0x2212))
    return parts


def told_hidden(word: str, player: str) -> str:
    """The same as everybody else sees it, for a word that `is_hidden`, or for any chosen at the same time as others."""
    for beginning, sentence in _HIDDEN.items():
        if word.startswith(beginning):
            return str(sentence) % {"player": player}
    return _("%(player)s chooses a card") % {"player": player}


def told_draw(player: str, drawn: str | int) -> str:
    """A card drawn, for who sees it."""
    return _("%(player)s draws %(card)s") % {"player": player, "card": card(drawn)}
