"""A club's own games: made, changed, archived; and games of either kind found by the key that a client gives.

Terms: an *own* game is a `ClubGame`, every other one is the catalogue's (`games.catalog`). Promises: what rounds were
scored by never changes under them, so that stored places stay what the points say; a tournament that is not over can go
on with its game.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from itertools import islice
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from games.catalog import GAMES, GameInfo
from league.models import Club, ClubGame, Role, Round, ScoredBy, Tournament, TournamentStatus
from league.services import audit, board_states
from league.services.access import Access
from league.services.clubs import check_name
from league.services.errors import Conflict, InputError, NotFound, Path, Problem, not_a_choice, out_of_range

GAME_FIELDS = frozenset(
    {"name", "min_players", "max_players", "scored_by", "high_wins", "cooperative", "minimum", "maximum"}
)
MAXIMUM_KEY = 30
# As many as there are seats; and within what any round's points may be.
MAXIMUM_PLAYERS = 99
MAXIMUM_BOUND = 100_000
# What rounds were scored by: other values would make their places wrong.
_FIXED_BY_ROUNDS = ("scored_by", "high_wins", "cooperative")
_PLAYERS = ("min_players", "max_players")
_KEY = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
# An error names the games to choose from; beyond this many it helps nobody.
_NAMED = 40


def find(
    *, club: Club, references: Iterable[tuple[Path, str]], session_id: int | None = None
) -> Mapping[str, GameInfo]:
    """The games that are meant, by key: one query, none where all are the catalogue's. Called inside a transaction.

    Own games are locked until its end, so that none is changed while a round is scored by it. A game that the session
    has rounds of is found though archived. Raises InputError with a problem for each key of no game, or of an archived
    one.
    """
    wanted = list(references)
    found: dict[str, GameInfo] = {key: GAMES[key] for _path, key in wanted if key in GAMES}
    keys = {key for _path, key in wanted if key not in GAMES and _fits(key)}
    own: dict[str, ClubGame] = {}
    if keys:
        rows = ClubGame.objects.select_for_update(no_key=True).filter(club=club, key__in=keys).order_by("pk")
        own = {game.key: game for game in rows}
    archived = {key for key, game in own.items() if game.archived_at is not None}
    if archived and session_id is not None:
        archived -= set(Round.objects.filter(session=session_id, game__in=archived).values_list("game", flat=True))
    problems = []
    for path, key in wanted:
        game = own.get(key)
        if game is not None and key not in archived:
            found[key] = game.info()
        elif game is not None:
            message = _("“%(game)s” is archived and takes no more rounds.") % {"game": game.name}
            problems.append(Problem(path, "game_archived", message))
        elif key not in found:
            problems.append(_unknown(club, path, key))
    if problems:
        raise InputError(problems)
    return found


def _fits(key: str) -> bool:
    return len(key) <= MAXIMUM_KEY and _KEY.fullmatch(key) is not None


def _unknown(club: Club, path: Path, key: str) -> Problem:
    message = _("No game of the catalogue or of the club is “%(game)s”. Choose one of: %(choices)s.")
    choices = ", ".join(islice(available(club=club), _NAMED))
    return Problem(path, "unknown_game", message % {"game": key, "choices": choices})


def available(*, club: Club) -> Mapping[str, GameInfo]:
    """All games that the club can log now, by key: the catalogue's, then its own by name. One query."""
    own = ClubGame.objects.filter(club=club, archived_at=None).order_by("name", "pk")
    return {**GAMES, **{game.key: game.info() for game in own}}


def create(*, access: Access, key: str, name: str, fields: Mapping[str, object], now: datetime) -> ClubGame:
    """Add a game to the club's own; `fields` are those of `GAME_FIELDS` besides the name.

    Raises InputError for values that can't be, Conflict when the catalogue or the club has a game of that key.
    """
    access.require(Role.ADMIN)
    if not _fits(key):
        message = _("Use 1 to %(maximum)d small letters, digits and single hyphens, as in “tarock-3”.")
        raise InputError([Problem(("key",), "invalid", message % {"maximum": MAXIMUM_KEY})])
    if key in GAMES:
        message = _("“%(key)s” is a game of the catalogue, which every club has: choose another short name.")
        raise Conflict("key_taken", message % {"key": key})
    game = ClubGame(club=access.club, key=key)
    _set(game, {**fields, "name": name})
    try:
        with transaction.atomic():
            game.save()
            audit.write(access=access, action="game.created", object_id=game.pk, data={"key": key}, now=now)
    except IntegrityError as error:
        raise Conflict("key_taken", _("The club has a game “%(key)s” already.") % {"key": key}) from error
    return game


def update(*, access: Access, key: str, changes: Mapping[str, object], now: datetime) -> ClubGame:
    """Change an own game: values of `GAME_FIELDS`, or `archived` (bool). Its key stays for good.

    Raises Conflict for a game of the catalogue, for a change that would make the places of stored rounds wrong, and for
    one by which a tournament that plays it could not go on.
    """
    access.require(Role.ADMIN)
    with transaction.atomic():
        game = ClubGame.objects.select_for_update().filter(club=access.club, key=key).first() if _fits(key) else None
        if game is None:
            if key in GAMES:
                message = _("“%(key)s” is a game of the catalogue, which is the same for every club.")
                raise Conflict("catalogue_game", message % {"key": key})
            raise NotFound(key)
        before = {field: getattr(game, field) for field in (*_FIXED_BY_ROUNDS, *_PLAYERS)}
        if "archived" in changes:
            game.archived_at = (game.archived_at or now) if changes["archived"] else None
        _set(game, {field: value for field, value in changes.items() if field != "archived"})
        changed = [field for field in _FIXED_BY_ROUNDS if getattr(game, field) != before[field]]
        if changed and Round.objects.filter(club=access.club, game=key).exists():
            message = _(
                "Rounds of this game are stored: their places would be wrong if “%(fields)s” changed. "
                "Archive the game and make another."
            )
            raise Conflict("game_has_rounds", message % {"fields": "”, “".join(changed)})
        _check_tournaments(game, before, archives=bool(changes.get("archived")))
        game.save(update_fields=[*sorted(GAME_FIELDS), "archived_at"])
        audit.write(access=access, action="game.updated", object_id=game.pk, data={"fields": sorted(changes)}, now=now)
        board_states.renew_club(access.club.pk)
    return game


def _check_tournaments(game: ClubGame, before: Mapping[str, Any], *, archives: bool) -> None:
    """Raise Conflict where a tournament that is not over was made for the game as it was. The game is locked: whoever
    makes a tournament of it waits.
    """
    narrower = game.min_players > before["min_players"] or game.max_players < before["max_players"]
    if not (archives or narrower or any(getattr(game, field) != before[field] for field in _FIXED_BY_ROUNDS)):
        return
    going_on = Tournament.objects.filter(club=game.club_id, game=game.key, archived_at=None)
    names = list(
        going_on.exclude(status=TournamentStatus.FINISHED).order_by("name", "pk").values_list("name", flat=True)
    )
    if names:
        message = _(
            "Tournaments that are not over play this game: “%(tournaments)s”. Finish or archive them first. Its name "
            "and the limits of its points can be changed all the same, and more players be allowed."
        )
        raise Conflict("game_in_tournament", message % {"tournaments": "”, “".join(names[:_NAMED])})


def _set(game: ClubGame, values: Mapping[str, object]) -> None:
    """Put checked values on the game. Raises InputError naming every field that is wrong."""
    for field, value in values.items():
        if field not in GAME_FIELDS:
            raise ValueError(f"{field} is no field of a game")
        setattr(game, field, value)
    game.name = check_name(game.name)
    problems = [
        problem
        for field, value in (("min_players", game.min_players), ("max_players", game.max_players))
        for problem in out_of_range((field,), value, 1, MAXIMUM_PLAYERS)
    ]
    if not problems and game.max_players < game.min_players:
        message = _("Give at least as many as “players at least”: %(minimum)d.") % {"minimum": game.min_players}
        problems.append(Problem(("max_players",), "below_minimum", message))
    if game.scored_by not in ScoredBy.values:
        problems.append(not_a_choice(("scored_by",), "unknown_choice", ScoredBy.values))
    bounds = [(field, value) for field in ("minimum", "maximum") if (value := getattr(game, field)) is not None]
    for field, value in bounds:
        problems += out_of_range((field,), value, -MAXIMUM_BOUND, MAXIMUM_BOUND)
    if game.minimum is not None and game.maximum is not None and game.maximum < game.minimum:
        message = _("Give at least the lowest points that can be: %(minimum)d.") % {"minimum": game.minimum}
        problems.append(Problem(("maximum",), "below_minimum", message))
    if game.scored_by == ScoredBy.PLACES:
        if game.cooperative:
            message = _("A cooperative game has one result in points and no places: say “points” here.")
            problems.append(Problem(("scored_by",), "cooperative", message))
        for field, _value in bounds:
            message = _("A game scored by places has no points: leave this out.")
            problems.append(Problem((field,), "places_only", message))
    if problems:
        raise InputError(problems)
