"""What the page of a round gives to its script, and what the script sends back.

Terms: the *entry* is all that a phone needs to take down the rounds to come without the network: seats, rounds so far,
games with their limits for the numbers of players at this table, and every sentence that the script may say.
Promises: holds nothing that the page itself does not show; limits and sentences are those by which the service judges.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

from django.conf import settings
from django.templatetags.static import static
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.catalog import GameInfo, TableBounds
from league.models import Round, Seat, Session
from league.models.sheets import ScoreSheet
from league.services.access import Access
from league.services.errors import InputError, Problem
from league.services.evenings import MAXIMUM_POINTS, MAXIMUM_ROUNDS
from league.services.results import RoundInput, ScoreInput
from league.services.wording import NOTES, SENTENCES, game_title, points_name

KEY_LENGTH = 64
# Beyond what any of our ids and numbers can be, and within what the database takes.
_LARGEST = 10**15
# What the script finds by itself; all else is for the service to say.
_JUDGED = (
    *("points_below", "points_above", "points_together_above", "place_expected", "players_out_of_range"),
    *("nobody_at_zero", "several_at_zero", "together_implausible", "below_cheapest", "shared_first"),
    *("too_many_left", "points_high", "points_low"),
)


# --- To the phone -----------------------------------------------------------------------------------------------------


def entry(
    access: Access,
    sheet: ScoreSheet,
    *,
    here: str,
    seats: Iterable[Seat],
    games: Mapping[str, GameInfo],
    kind: str,
) -> dict[str, Any]:
    """The entry as plain values for JSON; `seats` are those to come, `here` is the address of the page."""
    session = sheet.session
    following = len(sheet.rounds) + 1
    seats = list(seats)
    numbers = range(following, max(session.planned_rounds, following) + 1)
    tables = sorted({sum(_sits(seat, number) for seat in seats) for number in numbers})
    played = {one.game.key: one.game for one in sheet.rounds}
    return {
        "session": session.pk,
        "revision": session.revision,
        "planned": session.planned_rounds,
        "kind": kind,
        "addresses": _addresses(access, session, here),
        "seats": [
            {"player": seat.player_id, "name": seat.player.name, "from": seat.from_round, "until": seat.until_round}
            for seat in seats
        ],
        "totals": {
            one.player.pk: {"sum": one.place_sum, "played": one.rounds_played, "missed": one.rounds_missed}
            for one in sheet.players
        },
        "rounds": [
            {
                "number": one.number,
                "game": one.game.key,
                "note": one.note,
                "scores": [
                    {"player": player.player.pk, "points": cell.points, "place": cell.place}
                    for player, cell in zip(sheet.players, one.cells, strict=True)
                    if cell is not None
                ],
            }
            for one in sheet.rounds
        ],
        "choices": list(games),
        "games": {key: game_facts(game, tables) for key, game in {**played, **games}.items()},
        "notes": {code: str(word) for code, word in NOTES.items()},
        "sentences": {code: str(SENTENCES[code]) for code in _JUDGED},
        "limit": MAXIMUM_POINTS,
        "words": _words(of_tournament=session.table_id is not None),
    }


def _sits(seat: Seat, number: int) -> bool:
    return seat.from_round <= number and (seat.until_round is None or number <= seat.until_round)


def _addresses(access: Access, session: Session, here: str) -> dict[str, str]:
    if access.only_session is not None:
        # The page of a table link: its own address is the secret, and what belongs to it stands below.
        store, back = f"{here}rounds/", f"{here}take-back/"
        sheet = here
    else:
        own = {"club": session.club.slug, "session_id": session.pk}
        store, back = reverse("web:store-round", kwargs=own), reverse("web:take-back", kwargs=own)
        sheet = reverse("web:session", kwargs=own)
    return {
        "page": here,
        "store": store,
        "back": back,
        "sheet": sheet,
        "worker": reverse("web:entry-worker"),
        "login": reverse("web:login"),
    }


def game_facts(game: GameInfo, tables: Iterable[int]) -> dict[str, Any]:
    """What the script has to know of a game to judge its rounds at tables of so many players."""
    bounds = {
        note: {players: _bounds(game.bounds.for_table(players, note)) for players in tables if players}
        for note in ("", *game.notes)
    }
    return {
        "title": game_title(game),
        "unit": capfirst(points_name(game)),
        "high": game.high_wins,
        "together": game.cooperative,
        "places": game.scored_by == "places",
        "notes": list(game.notes),
        "players": [game.min_players, game.max_players],
        "bounds": bounds,
    }


def _bounds(bounds: TableBounds) -> dict[str, Any]:
    return {
        "minimum": bounds.minimum,
        "maximum": bounds.maximum,
        "togetherMaximum": bounds.together_maximum,
        "low": bounds.low,
        "high": bounds.high,
        "togetherLow": bounds.together_low,
        "togetherHigh": bounds.together_high,
        "zero": bounds.zero,
        "cheapest": bounds.cheapest,
    }


def _words(*, of_tournament: bool) -> dict[str, Any]:
    """The sentences of the script; %(name)s is put in there, "one" and "other" are the forms of a count.

    `of_tournament`: the page's rounds are those of one table, which are not the tournament's.
    """

    def counted(form: Callable[[int], str]) -> dict[str, str]:
        # The figure itself is put in by the script.
        return {"one": form(1), "other": form(2)}

    return {
        "round": (
            _("At this table: round %(number)s of %(planned)s")
            if of_tournament
            else _("Round %(number)s of %(planned)s")
        ),
        "game": _("Game"),
        "note": _("Note"),
        "noNote": _("no note"),
        "points": _("points"),
        "places": pgettext("finishing places", "places"),
        "kind": _("The numbers below are"),
        "whole": _("Whole table"),
        "place": _("place"),
        "shared": _("shared"),
        "sum": _("sum"),
        "keys": _("Number keys"),
        "next": _("Next"),
        "store": _("Store"),
        "delete": _("Delete a digit"),
        "clear": _("Empty the field"),
        "minus": _("Minus"),
        "up": _("Previous player"),
        "undoRound": _("Undo round %(number)s"),
        "undone": _("Round %(number)s is taken back: enter it anew."),
        "missing": _("Give a whole number for %(player)s."),
        "tooLarge": _("Give a whole number from %(minimum)s to %(maximum)s."),
        "odd": _("Is that right?"),
        "isRight": _("It is right: store it"),
        "change": _("Change it"),
        "stored": _("Round %(number)s is stored."),
        "kept": _("Round %(number)s is kept on this phone."),
        "allStored": _("Everything is stored"),
        "sending": _("Sending …"),
        "offline": _("No network: rounds are kept on this phone"),
        "waiting": counted(
            lambda n: ngettext("%(count)s round waits for the network", "%(count)s rounds wait for the network", n)
        ),
        "held": counted(
            lambda n: ngettext("%(count)s round waits for an answer", "%(count)s rounds wait for an answer", n)
        ),
        "stayOpen": _("Keep this page open until they are sent: without HTTPS a closed page sends nothing."),
        "memoryOnly": _("This browser keeps nothing: leave the page only after everything is stored."),
        "loggedOut": _("You are logged out. The rounds stay on this phone: log in again to send them."),
        "logIn": _("Log in"),
        "linkOver": _(
            "This link does not work any more. The rounds stay on this phone: open a new link of this session to send "
            "them."
        ),
        "refused": _("Round %(number)s was not stored"),
        "question": _("Round %(number)s: is that right?"),
        "twoPhones": _("Round %(number)s was entered on two phones"),
        "theirs": _("The other phone"),
        "mine": _("This phone"),
        "at": _("at %(time)s"),
        "keepTheirs": _("Keep theirs"),
        "correctToMine": _("Correct to mine"),
        "anotherRound": _("Mine is another round: add it"),
        "askKeeper": _("Only a scorekeeper can correct it now."),
        "drop": _("Drop this version"),
        "addAs": _("Store it as round %(number)s"),
        "over": counted(
            lambda n: ngettext("Round %(count)s of %(count)s is entered.", "All %(count)s rounds are entered.", n)
        ),
        "overSent": counted(
            lambda n: ngettext(
                "Round %(count)s of %(count)s is entered and stored.", "All %(count)s rounds are entered and stored.", n
            )
        ),
        "sheet": _("Score sheet"),
        "leave": counted(
            lambda n: ngettext(
                "%(count)s round has not been sent yet. Log out all the same? It stays on this phone until somebody "
                "opens this page here again.",
                "%(count)s rounds have not been sent yet. Log out all the same? They stay on this phone until somebody "
                "opens this page here again.",
                n,
            )
        ),
        "failed": _("The server could not answer; it is asked again soon."),
        "notOnline": _("Without the network only a round that was not sent yet can be taken back."),
    }


def version() -> str:
    """What names this release's cache on the phones: another one with every file of the page that changes."""
    names = ("entry.css", "entry-rules.js", "entry-queue.js", "entry-panels.js", "entry.js")
    return hashlib.sha256("\n".join([settings.VERSION, *map(static, names)]).encode()).hexdigest()[:16]


# --- From the phone ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SentRound:
    """A round as a phone sends it; `replaces` is the revision that it is to correct, None to store it as a new one."""

    key: str
    number: int
    data: RoundInput
    confirm: frozenset[str]
    replaces: int | None


def sent_round(body: bytes) -> SentRound:
    """Read a round from JSON. Raises InputError that names what has another shape."""
    try:
        given = json.loads(body)
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        raise InputError([Problem((), "invalid", _("Send a JSON object."))])
    reader = _Reader(given)
    sent = SentRound(
        key=reader.text("key", KEY_LENGTH),
        number=reader.number("number", 1, MAXIMUM_ROUNDS),
        data=RoundInput(game=reader.text("game", 50), note=reader.text("note", 50, empty=True), scores=reader.scores()),
        confirm=reader.codes("confirm"),
        replaces=reader.number("replaces", 0, _LARGEST) if given.get("replaces") is not None else None,
    )
    if reader.problems:
        raise InputError(reader.problems)
    return sent


class _Reader:
    """Takes values out of a JSON object and remembers what is wrong with them."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self._given = given
        self.problems: list[Problem] = []

    def text(self, name: str, longest: int, *, empty: bool = False) -> str:
        value = self._given.get(name)
        if isinstance(value, str) and len(value) <= longest and value.isprintable() and (value or empty):
            return value
        message = _("Give a text of at most %(maximum)d characters.") % {"maximum": longest}
        self.problems.append(Problem((name,), "invalid", message))
        return ""

    def number(self, name: str, minimum: int, maximum: int) -> int:
        value = self._given.get(name)
        if _is_number(value) and minimum <= value <= maximum:
            return value
        message = _("Give a whole number from %(minimum)d to %(maximum)d.") % {"minimum": minimum, "maximum": maximum}
        self.problems.append(Problem((name,), "invalid", message))
        return minimum

    def codes(self, name: str) -> frozenset[str]:
        value = self._given.get(name, [])
        if isinstance(value, list) and all(isinstance(one, str) for one in value):
            return frozenset(value)
        self.problems.append(Problem((name,), "invalid", _("Give a list of codes.")))
        return frozenset()

    def scores(self) -> tuple[ScoreInput, ...]:
        value = self._given.get("scores")
        if isinstance(value, list) and all(_is_score(one) for one in value):
            return tuple(ScoreInput(one["player"], one.get("points"), one.get("place")) for one in value)
        message = _("Give a list with each player's id as “player” and whole numbers as “points” or “place”.")
        self.problems.append(Problem(("scores",), "invalid", message))
        return ()


def _is_number(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _LARGEST


def _is_score(value: Any) -> bool:
    if not isinstance(value, dict) or not _is_number(value.get("player")):
        return False
    return all(value.get(name) is None or _is_number(value[name]) for name in ("points", "place"))


# --- Answers ----------------------------------------------------------------------------------------------------------


def told_round(round_: Round) -> dict[str, Any]:
    """A stored round as the script compares it with its own."""
    return {
        "number": round_.number,
        "game": round_.game,
        "note": round_.note,
        "at": round_.created_at.isoformat(),
        "scores": [
            {"player": score.player_id, "points": score.points, "place": score.place} for score in round_.scores.all()
        ],
    }
