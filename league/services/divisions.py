"""Divisions of a season, who plays in which, and the season that follows with promotion and relegation.

Terms: see `league/models/seasons.py`. A *move* takes a player to the division above (promotion) or below (relegation)
for the next season. The *line* of a division is where those who move part from those who stay. Promises: levels are 1
to n without a gap; every change holds the season's lock and leaves its standings true to it; a rank that is shared
across a line decides nothing: the players are named and somebody has to say who moves. Never: changes the season that
is followed.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from league.models import Division, DivisionPlayer, Player, Role, Season, SeasonStatus, Standing
from league.services import audit, board_states, seasons, standings, webhooks
from league.services.access import Access
from league.services.clubs import check_name
from league.services.errors import Conflict, InputError, NotFound, Problem, not_a_choice, out_of_range

FIELDS = frozenset({"name", "level", "promoted", "relegated"})
# Far above what any league has.
LARGEST_DIVISIONS = 50
LARGEST_MOVES = 100
# What a season takes over from the one before, beside its league.
_TAKEN_OVER = seasons.RULES | {"visibility", "planned_evenings"}
# Out of the way of every level while they are numbered anew: two rows may never have the same one.
_ASIDE = 1000

Way = Literal["up", "down"]


def create(*, access: Access, season_id: int, fields: Mapping[str, object], now: datetime) -> Division:
    """Add a division with `fields` (`FIELDS`; name at least). `level` left out: below all others; those at that level
    and below move down by one. Raises InputError for values that can't be, Conflict for a closed season.
    """
    with transaction.atomic():
        season = _locked(access, season_id)
        known = list(season.divisions.all())
        if len(known) >= LARGEST_DIVISIONS:
            message = _("A season has at most %(maximum)d divisions.") % {"maximum": LARGEST_DIVISIONS}
            raise Conflict("too_many_divisions", message)
        division = Division(club=access.club, season=season, level=_ASIDE)
        _set(division, {"name": "", **fields})
        division.save()
        level = fields.get("level")
        _place(season, division, level if isinstance(level, int) else len(known) + 1)
        _refresh_mark(season)
        data = {"season": season.pk}
        audit.write(access=access, action="division.created", object_id=division.pk, data=data, now=now)
    return division


def update(
    *, access: Access, season_id: int, division_id: int, changes: Mapping[str, object], now: datetime
) -> Division:
    """Change a division. Another `level` puts it there, and those between move by one."""
    with transaction.atomic():
        season = _locked(access, season_id)
        division = _division(season, division_id)
        _set(division, changes)
        division.save(update_fields=["name", "promoted", "relegated"])
        if isinstance(changes.get("level"), int):
            _place(season, division, changes["level"])  # type: ignore[arg-type]  # an int, as the line above has it
        data = {"season": season.pk, "fields": sorted(changes)}
        audit.write(access=access, action="division.updated", object_id=division.pk, data=data, now=now)
    return division


def remove(*, access: Access, season_id: int, division_id: int, now: datetime) -> None:
    """Delete a division; its players are in none then, and those below move up by one."""
    with transaction.atomic():
        season = _locked(access, season_id)
        division = _division(season, division_id)
        players = list(division.players.order_by("player").values_list("player_id", flat=True))
        division.delete()
        for level, one in enumerate(season.divisions.order_by("level"), 1):
            # From the top: the level above is always free by then.
            Division.objects.filter(pk=one.pk).update(level=level)
        _refresh_mark(season)
        standings.refresh(season=season, players=players)
        data = {"season": season.pk, "players": players}
        _tell(access, season, players, now)
        audit.write(access=access, action="division.removed", object_id=division_id, data=data, now=now)


def assign(*, access: Access, season_id: int, places: Mapping[int, int | None], now: datetime) -> None:
    """Put players (ids) into divisions of the season (ids; None: into none), from wherever they were.

    Raises InputError at `add` for players who are not the club's and at `division` for what is none of the season's,
    Conflict for a closed season.
    """
    with transaction.atomic():
        season = _locked(access, season_id)
        known = set(season.divisions.values_list("pk", flat=True))
        found = set(
            Player.objects.filter(club=access.club, pk__in=places, merged_into=None).values_list("pk", flat=True)
        )
        problems = []
        for player, division in places.items():
            if player not in found:
                message = _("Give ids of players of this club: %(player)s is none.") % {"player": player}
                problems.append(Problem(("add",), "unknown_player", message))
            if division is not None and division not in known:
                message = _("Give the id of a division of this season.")
                problems.append(Problem(("division",), "unknown_division", message))
        if problems:
            raise InputError(problems)
        stored = dict(DivisionPlayer.objects.filter(season=season).values_list("player_id", "division_id"))
        moved = sorted(player for player, division in places.items() if stored.get(player) != division)
        DivisionPlayer.objects.filter(season=season, player_id__in=moved).delete()
        DivisionPlayer.objects.bulk_create(
            DivisionPlayer(club=access.club, season=season, player_id=player, division_id=division)
            for player in moved
            if (division := places[player]) is not None
        )
        if moved:
            standings.refresh(season=season, players=moved)
            _tell(access, season, moved, now)
            data = {"players": moved}
            audit.write(access=access, action="season.divided", object_id=season.pk, data=data, now=now)


def _locked(access: Access, season_id: int) -> Season:
    """The season, locked as every change of its standings has it. Raises Conflict when it is closed."""
    access.require(Role.ADMIN)
    season = Season.objects.select_for_update(of=("self",)).filter(club=access.club, pk=season_id).first()
    if season is None:
        raise NotFound(season_id)
    if season.status == SeasonStatus.CLOSED:
        message = _("The season “%(season)s” is closed: reopen it to change its divisions.")
        raise Conflict("season_closed", message % {"season": season.name})
    board_states.renew_season(season.pk)
    return season


def _division(season: Season, division_id: int) -> Division:
    found = season.divisions.filter(pk=division_id).first()
    if found is None:
        raise NotFound(division_id)
    return found


def _set(division: Division, values: Mapping[str, object]) -> None:
    """Put checked values on the division, but for the level. Raises InputError naming every field that is wrong."""
    problems = []
    for field, value in values.items():
        if field not in FIELDS:
            raise ValueError(f"{field} is no field of a division")
        if field in {"promoted", "relegated"}:
            problems += out_of_range((field,), value if isinstance(value, int) else -1, 0, LARGEST_MOVES)
            setattr(division, field, value)
        if field == "level" and value is not None:
            problems += out_of_range((field,), value if isinstance(value, int) else 0, 1, LARGEST_DIVISIONS)
    if problems:
        raise InputError(problems)
    if "name" in values:
        division.name = check_name(str(values["name"]))


def _place(season: Season, division: Division, level: int) -> None:
    """Have the division stand at this level, or the last there is, and number all of the season's anew."""
    others = list(season.divisions.exclude(pk=division.pk).order_by("level"))
    ordered = [*others[: level - 1], division, *others[level - 1 :]]
    season.divisions.filter(level__lt=_ASIDE).update(level=F("level") + _ASIDE)
    for number, one in enumerate(ordered, 1):
        Division.objects.filter(pk=one.pk).update(level=number)
        one.level = number


def _refresh_mark(season: Season) -> None:
    has_divisions = season.divisions.exists()
    if season.has_divisions != has_divisions:
        season.has_divisions = has_divisions
        season.save(update_fields=["has_divisions"])


def _tell(access: Access, season: Season, players: Sequence[int], now: datetime) -> None:
    """Other programs hear of tables that changed."""
    if season.standings.filter(player_id__in=players).exists():
        data = {"season": season.pk, "players": sorted(players)}
        webhooks.emit(club=access.club, event="standings.changed", data=data, now=now)


# --- The season that follows ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Place:
    """Where a player of a division ends: `rank` is None below the minimum of sessions, behind all who have one."""

    player: int
    rank: int | None


@dataclass(frozen=True, slots=True)
class Tie:
    """Players of equal rank across a line, of whom so many move `way`, and nothing says which."""

    division: str
    way: Way
    moving: int
    players: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Moves:
    """Who moves out of a division, and the ties that nobody decided."""

    up: tuple[int, ...]
    down: tuple[int, ...]
    ties: tuple[Tie, ...]


def moves(
    *, division: str, table: Sequence[Place], promoted: int, relegated: int, chosen: Mapping[Way, Collection[int]]
) -> Moves:
    """Who of a division moves, by its final table from the top.

    The best `promoted` move up, the last `relegated` down; who has no rank is behind all who have one and never moves
    up. A player moves one way at most: in a small division the promoted are taken first. `chosen` are those who are
    said to move where players of equal rank stand across a line.
    """
    ranked = [place for place in table if place.rank is not None]
    up, above = _cut(division, "up", ranked, promoted, chosen["up"])
    rest = [place for place in table if place.player not in up]
    down, below = _cut(division, "down", rest[::-1], relegated, chosen["down"])
    return Moves(up, down, (*above, *below))


def _cut(
    division: str, way: Way, table: Sequence[Place], wanted: int, chosen: Collection[int]
) -> tuple[tuple[int, ...], tuple[Tie, ...]]:
    """The first `wanted` of a table, and the tie at the line if nobody decided it."""
    if wanted >= len(table):
        return tuple(place.player for place in table), ()
    if wanted == 0:
        return (), ()
    at_line = table[wanted - 1].rank
    tied = [place.player for place in table if place.rank == at_line]
    first = [place.player for place in table[:wanted] if place.rank != at_line]
    moving = wanted - len(first)
    if moving < len(tied):
        said = [player for player in tied if player in chosen]
        if len(said) != moving:
            return tuple(first), (Tie(division, way, moving, tuple(sorted(tied))),)
        tied = said
    return (*first, *tied), ()


def open_following_season(
    *,
    access: Access,
    season_id: int,
    fields: Mapping[str, object],
    promoted: Iterable[int] = (),
    relegated: Iterable[int] = (),
    now: datetime,
) -> Season:
    """Open the season that follows a closed one: the same league, rules and divisions, and the players where their
    final ranks bring them.

    `fields` as `seasons.create_season` has them; what they leave out of the rules is as it was. `promoted` and
    `relegated` are the players (ids) who move of those with equal ranks. Who is archived by now is passed over.
    Raises Conflict `season_open` before the season is closed, and `rank_shared` where it has to be said who moves.
    """
    access.require(Role.ADMIN)
    with transaction.atomic():
        before = Season.objects.select_for_update(of=("self",)).filter(club=access.club, pk=season_id).first()
        if before is None:
            raise NotFound(season_id)
        if before.status != SeasonStatus.CLOSED:
            message = _("Close the season “%(season)s” first: its ranks are not final.") % {"season": before.name}
            raise Conflict("season_open", message)
        chosen: Mapping[Way, Collection[int]] = {"up": set(promoted), "down": set(relegated)}
        divisions = list(before.divisions.order_by("level"))
        _check_chosen(chosen, undecided(before))
        levels, ties = _next_levels(before, divisions, chosen)
        if ties:
            raise Conflict("rank_shared", " ".join(_told(ties)))
        taken = {field: getattr(before, field) for field in _TAKEN_OVER}
        season = seasons.create_season(access=access, league_id=before.league_id, fields={**taken, **fields}, now=now)
        for one in divisions:
            values = {"name": one.name, "promoted": one.promoted, "relegated": one.relegated}
            create(access=access, season_id=season.pk, fields=values, now=now)
        by_level = {one.level: one.pk for one in season.divisions.all()}
        places = {player: by_level[level] for player, level in levels.items()}
        assign(access=access, season_id=season.pk, places=places, now=now)
        data = {"season": before.pk, "players": sorted(places)}
        audit.write(access=access, action="season.followed", object_id=season.pk, data=data, now=now)
        season.refresh_from_db()
    return season


def _check_chosen(chosen: Mapping[Way, Collection[int]], ties: Sequence[Tie]) -> None:
    """Raise InputError where somebody is said to move of whom the ranks say it: nothing is passed over in silence."""
    fields: Mapping[Way, str] = {"up": "promoted", "down": "relegated"}
    problems = []
    for way, field in fields.items():
        tied = {player for tie in ties if tie.way == way for player in tie.players}
        if not tied.issuperset(chosen[way]):
            problems.append(not_a_choice((field,), "unknown_choice", [str(player) for player in sorted(tied)] or ["-"]))
    if problems:
        raise InputError(problems)


def undecided(season: Season) -> list[Tie]:
    """The ties across the lines of a season's divisions in which somebody has to say who moves."""
    return _next_levels(season, list(season.divisions.order_by("level")), {"up": (), "down": ()})[1]


@dataclass(frozen=True, slots=True)
class Move:
    """A player who moves from one division to another for the season that follows."""

    player: Player
    left: Division
    entered: Division


def foreseen(season: Season) -> tuple[Move, ...]:
    """Who moves by the ranks as they are, from the highest division left; not those of whom it has to be said."""
    divisions = list(season.divisions.order_by("level"))
    levels, _ties = _next_levels(season, divisions, {"up": (), "down": ()})
    by_level = {division.level: division for division in divisions}
    players = DivisionPlayer.objects.filter(season=season, player__in=levels).select_related("player", "division")
    found = [
        Move(one.player, one.division, by_level[levels[one.player_id]])
        for one in players.order_by("division__level", "player__name_key")
    ]
    return tuple(move for move in found if move.left.level != move.entered.level)


def _next_levels(
    season: Season, divisions: Sequence[Division], chosen: Mapping[Way, Collection[int]]
) -> tuple[dict[int, int], list[Tie]]:
    """The level at which each player of a division plays in the next season, and the ties that nobody decided."""
    levels: dict[int, int] = {}
    ties: list[Tie] = []
    for division in divisions:
        table = _final(season, division)
        found = moves(
            division=division.name,
            table=table,
            # Above the first and below the last there is nowhere to go.
            promoted=division.promoted if division.level > 1 else 0,
            relegated=division.relegated if division.level < len(divisions) else 0,
            chosen=chosen,
        )
        ties += found.ties
        shift = {**dict.fromkeys(found.up, -1), **dict.fromkeys(found.down, 1)}
        levels |= {place.player: division.level + shift.get(place.player, 0) for place in table}
    return levels, ties


def _final(season: Season, division: Division) -> list[Place]:
    """The final table of a division without those who are archived: who has no standing comes last."""
    members = DivisionPlayer.objects.filter(division=division, player__archived_at=None)
    waiting = set(members.values_list("player_id", flat=True))
    rows = Standing.objects.table(season).filter(division=division)
    table = [Place(row.player_id, vars(row)["rank"]) for row in rows if row.player_id in waiting]
    ranked = {place.player for place in table}
    return [*table, *(Place(player, None) for player in sorted(waiting - ranked))]


def _told(ties: Sequence[Tie]) -> Iterable[str]:
    names = dict(
        Player.objects.filter(pk__in={player for tie in ties for player in tie.players}).values_list("pk", "name")
    )
    words: Mapping[Way, str] = {
        "up": _(
            "In “%(division)s”, %(players)s share the rank at which %(number)d move up: say in “promoted” who does."
        ),
        "down": _(
            "In “%(division)s”, %(players)s share the rank at which %(number)d move down: say in “relegated” who does."
        ),
    }
    for tie in ties:
        players = ", ".join(names[player] for player in tie.players)
        yield words[tie.way] % {"division": tie.division, "players": players, "number": tie.moving}
