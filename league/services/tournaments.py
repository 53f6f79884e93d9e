"""Tournaments: made, changed, started, paused, finished, cloned and archived.

Terms: see `league/models/tournaments.py`. Scorekeepers run tournaments. Promises: every change locks the season, if the
tournament has one, and then the tournament (`locked`), as the door of results does; it says for which version it was
made, where the caller knows it, and raises Stale for another; it writes an audit event and counts the version up.
"""

import math
import secrets
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from fractions import Fraction
from itertools import pairwise
from typing import Any, cast

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils.translation import gettext as _

from games.catalog import GameInfo
from games.core import SEED_LIMIT
from league.models import (
    Club,
    PairWish,
    Role,
    Season,
    SeasonStatus,
    Session,
    SessionFormat,
    SessionStatus,
    Stage,
    StageStatus,
    Tournament,
    TournamentEntry,
    TournamentMetric,
    TournamentRound,
    TournamentStatus,
    Visibility,
)
from league.models.clubs import new_board_state
from league.models.seasons import new_board_key
from league.scoring.tie_breaks import TIE_BREAKS, check_chain, has_worth
from league.scoring.tournaments import Basis, Scoring, check_scoring
from league.services import audit, games, session_rows
from league.services.access import Access
from league.services.clubs import check_name, check_slug, day_problems, free_slug, is_text
from league.services.errors import (
    Conflict,
    InputError,
    NotFound,
    Path,
    Problem,
    Stale,
    not_a_choice,
    out_of_range,
    overtaken,
)
from league.services.tie_break_words import flaw_told
from league.services.tournament_formats import LARGEST_STAGES, StageInput, check_stage, rules_of
from league.services.tournament_state import REQUESTED_BYE

RESERVED_SLUGS = frozenset({"new"})
LONGEST = {"location": 100, "note": 500, "announcement": 300}
LARGEST_TABLE = 6
LARGEST_GAMES = 100
LARGEST_MINUTES = 24 * 60
SCORES = ("win", "draw", "loss", "bye", "forfeit_win", "forfeit_loss", "missed")
LARGEST_SCORE = 1000
# The Game has so many cards to be played.
_ALL_CARDS = 98
# More than most tables of a game give in which the fewest points win.
_MANY_POINTS = 100
# What may be changed of a tournament that has begun: nothing that a table was played by.
_ALWAYS = frozenset(
    {"name", "slug", "location", "note", "announcement", "visibility", "round_minutes", "tie_breaks", "starts_on"}
)
FIELDS = _ALWAYS | {
    *("season", "session_format", "game", "games_per_table", "minimum", "table_size", "metric", "scores", "seed"),
}


def scoring_of(tournament: Tournament, *, low_game_points: bool = False) -> Scoring:
    """How the tournament gives its points, what the organiser left out as usual.

    Where places, points of games or cards are what is added up, a bye is worth the middle place of a table, no points
    or all cards, and a forfeit the first and the last place, no points, or no card and all cards. A tournament round
    without a table is worth nothing, or where the lowest is best the place behind a table, all cards, or 100 points.
    """
    given: Mapping[str, Any] = tournament.scores
    usual: dict[str, Fraction] = {}
    if tournament.metric == TournamentMetric.PLACE_SUM:
        last = Fraction(tournament.table_size)
        usual = {"bye": (1 + last) / 2, "forfeit_win": Fraction(1), "forfeit_loss": last, "missed": last + 1}
    elif tournament.metric == TournamentMetric.GAME_POINTS:
        worst = Fraction(_MANY_POINTS if low_game_points else 0)
        usual = {"bye": Fraction(0), "forfeit_win": Fraction(0), "forfeit_loss": worst, "missed": worst}
    elif tournament.metric == TournamentMetric.CARDS_LEFT:
        everything = Fraction(_ALL_CARDS)
        usual = {"bye": everything, "forfeit_win": Fraction(0), "forfeit_loss": everything, "missed": everything}
    numbers = {name: _exact(given[name]) for name in SCORES if given.get(name) is not None}
    points = tuple(_exact(one) for one in given.get("place_points", ()))
    if not points:
        # As many as a table has seats: the last has one.
        points = tuple(Fraction(one) for one in range(tournament.table_size, 0, -1))
    return Scoring(
        basis=cast(Basis, tournament.metric),
        place_points=points,
        low_game_points=low_game_points,
        **{**usual, **numbers},
    )


def _exact(number: float) -> Fraction:
    """The number as it was written: a float is none of most decimals."""
    return Fraction(str(number))


def find(*, access: Access, slug: str) -> Tournament:
    """A tournament of the club by its short name. Raises NotFound."""
    found = Tournament.objects.filter(club=access.club, slug=slug).select_related("season").first()
    if found is None:
        raise NotFound(slug)
    return found


def locked(
    access: Access, tournament_id: int, *, expected: int | None = None, with_sessions: bool = False
) -> Tournament:
    """The tournament, locked after its season, for a change by `access`.

    `with_sessions`: those at its tables that go on are locked before it, as the door of results does it. Raises
    NotFound, Stale for another version than `expected`, Conflict for one that came into another season, or whose tables
    got other sessions, just now.
    """
    access.require(Role.SCOREKEEPER)
    plain = Tournament.objects.filter(club=access.club, pk=tournament_id).values_list("season_id", flat=True).first()
    if plain is not None:
        list(Season.objects.select_for_update(of=("self",), no_key=True).filter(pk=plain))
    going_on = Session.objects.filter(
        table__round__tournament=tournament_id, status=SessionStatus.OPEN, voided_at=None
    ).order_by("pk")
    held = {one.pk for one in going_on.select_for_update(of=("self",)).only("pk")} if with_sessions else set()
    found = (
        Tournament.objects.select_for_update(of=("self",))
        .select_related("season__league", "club")
        .filter(club=access.club, pk=tournament_id)
        .first()
    )
    if found is None:
        raise NotFound(tournament_id)
    if expected is not None and found.version != expected:
        raise Stale(found.version)
    if found.season_id != plain:
        raise overtaken()
    if with_sessions and not held.issuperset(going_on.values_list("pk", flat=True)):
        # One came back or was made while the tournament was waited for, and nobody may lock it behind that.
        raise overtaken()
    return found


def check_not_archived(tournament: Tournament) -> None:
    """Raise Conflict for a tournament that is put away."""
    if tournament.archived_at is not None:
        raise Conflict("tournament_archived", _("This tournament is archived; restore it first."))


def check_running(tournament: Tournament) -> None:
    """Raise Conflict unless the tournament goes on."""
    check_not_archived(tournament)
    if tournament.status != TournamentStatus.RUNNING:
        message = {
            TournamentStatus.DRAFT: _("This tournament has not begun: start it first."),
            TournamentStatus.PAUSED: _("This tournament is paused: resume it first."),
            TournamentStatus.FINISHED: _("This tournament is finished: reopen it first."),
        }[TournamentStatus(tournament.status)]
        raise Conflict("tournament_not_running", message)


def changed(tournament: Tournament, *, access: Access, action: str, data: Mapping[str, object], now: datetime) -> None:
    """Count the version up and write the audit event `tournament.<action>`: the end of every change."""
    tournament.board_state = new_board_state()
    Tournament.objects.filter(pk=tournament.pk).update(version=F("version") + 1, board_state=tournament.board_state)
    tournament.version += 1
    audit.write(access=access, action=f"tournament.{action}", object_id=tournament.pk, data=data, now=now)


def create(*, access: Access, fields: Mapping[str, object], stages: Sequence[StageInput], now: datetime) -> Tournament:
    """Make a tournament with `fields` (`FIELDS`; name, starts_on, session_format at least) and its stages.

    Where `slug` is "" or missing it is made of the name. Raises InputError naming every field that is wrong, Conflict
    when the short name is taken.
    """
    access.require(Role.SCOREKEEPER)
    tournament = Tournament(
        club=access.club,
        seed=secrets.randbelow(SEED_LIMIT),
        created_by_id=access.actor.user_id,
        created_at=now,
    )
    with transaction.atomic():
        required = [name for name in ("name", "starts_on", "session_format") if name not in fields]
        if required:
            raise InputError(Problem((name,), "required", _("This field is required.")) for name in required)
        if not fields.get("slug"):
            fields = {**fields, "slug": proposed_slug(access.club, str(fields["name"]))}
        _set(tournament, fields, now, stages=stages, tie_breaks="tie_breaks" in fields)
        _save(tournament)
        _store_stages(tournament, stages)
        audit.write(access=access, action="tournament.created", object_id=tournament.pk, data={}, now=now)
    return tournament


def proposed_slug(club: Club, name: str, *, tournament: int = 0) -> str:
    """A short name of this name that no other tournament of the club has yet; `tournament` is this one's id."""
    rows = Tournament.objects.filter(club=club).exclude(pk=tournament)
    return free_slug(name, rows, neutral="tournament", reserved=RESERVED_SLUGS)


def update(
    *,
    access: Access,
    tournament_id: int,
    changes: Mapping[str, object],
    stages: Sequence[StageInput] | None = None,
    expected: int | None = None,
    now: datetime,
) -> Tournament:
    """Change a tournament; its stages, too, before it begins. Raises Conflict for what is fixed by then."""
    with transaction.atomic():
        tournament = locked(access, tournament_id, expected=expected)
        check_not_archived(tournament)
        if tournament.status != TournamentStatus.DRAFT:
            fixed = sorted(set(changes) - _ALWAYS)
            if fixed or stages is not None:
                fields = ", ".join([*fixed, *(["stages"] if stages is not None else [])])
                message = _("The tournament has begun: %(fields)s can't be changed any more.")
                raise Conflict("tournament_begun", message % {"fields": fields})
        present = stages
        if present is None:
            present = [
                StageInput(stage.format, stage.options, stage.groups, stage.advance)
                for stage in tournament.stages.all()
            ]
        if "slug" in changes and not changes["slug"]:
            name = str(changes.get("name", tournament.name))
            changes = {**changes, "slug": proposed_slug(access.club, name, tournament=tournament.pk)}
        _set(tournament, changes, now, stages=present, tie_breaks=True)
        _save(tournament)
        if stages is not None:
            tournament.stages.all().delete()
            _store_stages(tournament, stages)
        data = {"fields": sorted([*changes, *(["stages"] if stages is not None else [])])}
        changed(tournament, access=access, action="updated", data=data, now=now)
    return tournament


def pause(*, access: Access, tournament_id: int, expected: int | None = None, now: datetime) -> Tournament:
    """Let nothing be paired or published until it is resumed; tables that are out go on."""
    return _turn(
        access,
        tournament_id,
        expected,
        before={TournamentStatus.RUNNING},
        after=TournamentStatus.PAUSED,
        action="paused",
        now=now,
    )


def resume(*, access: Access, tournament_id: int, expected: int | None = None, now: datetime) -> Tournament:
    """Go on after a pause."""
    return _turn(
        access,
        tournament_id,
        expected,
        before={TournamentStatus.PAUSED},
        after=TournamentStatus.RUNNING,
        action="resumed",
        now=now,
    )


def finish(*, access: Access, tournament_id: int, expected: int | None = None, now: datetime) -> Tournament:
    """End a tournament. Raises Conflict while a published table has no result."""

    def all_decided(tournament: Tournament) -> None:
        open_tables = TournamentRound.objects.filter(
            tournament=tournament, status="published", tables__decided=False
        ).count()
        if open_tables:
            message = _("Tables without a result: %(count)d. Enter it, or decide them by forfeit or undo their round.")
            raise Conflict("tables_open", message % {"count": open_tables})

    before = {TournamentStatus.RUNNING, TournamentStatus.PAUSED}
    return _turn(
        access,
        tournament_id,
        expected,
        before=before,
        after=TournamentStatus.FINISHED,
        action="finished",
        now=now,
        check=all_decided,
    )


def reopen(*, access: Access, tournament_id: int, expected: int | None = None, now: datetime) -> Tournament:
    """Go on with a tournament that was finished."""
    return _turn(
        access,
        tournament_id,
        expected,
        before={TournamentStatus.FINISHED},
        after=TournamentStatus.RUNNING,
        action="reopened",
        now=now,
    )


def archive(*, access: Access, tournament_id: int, expected: int | None = None, now: datetime) -> Tournament:
    """Put a tournament away; it stays readable and can be restored."""
    return _put_away(access, tournament_id, expected, now, at=now)


def restore(*, access: Access, tournament_id: int, expected: int | None = None, now: datetime) -> Tournament:
    """Bring an archived tournament back."""
    return _put_away(access, tournament_id, expected, now, at=None)


def delete(*, access: Access, tournament_id: int, expected: int | None = None, now: datetime) -> None:
    """Delete a tournament that never began. Raises Conflict for any other, which is archived instead."""
    with transaction.atomic():
        tournament = locked(access, tournament_id, expected=expected)
        if tournament.status != TournamentStatus.DRAFT:
            raise Conflict("tournament_begun", _("A tournament that has begun stays: archive it."))
        audit.write(access=access, action="tournament.deleted", object_id=tournament.pk, data={}, now=now)
        tournament.delete()


def clone(
    *, access: Access, tournament_id: int, name: str, slug: str, starts_on: date, entries: bool, now: datetime
) -> Tournament:
    """A new tournament with the same fields and stages, with the same entries and wishes for pairs if asked for;
    nothing of what was played. Where `slug` is "" it is made of the name. Raises as `create` does.
    """
    with transaction.atomic():
        source = locked(access, tournament_id)
        fields = {field: getattr(source, field) for field in FIELDS - {"season", "seed", "announcement"}}
        season_open = source.season is not None and source.season.status == SeasonStatus.OPEN
        fields |= {"name": name, "slug": slug, "starts_on": starts_on}
        if season_open:
            fields["season"] = source.season_id
        stages = [StageInput(stage.format, stage.options, stage.groups, stage.advance) for stage in source.stages.all()]
        copy = create(access=access, fields=fields, stages=stages, now=now)
        if entries:
            made = TournamentEntry.objects.bulk_create(
                TournamentEntry(
                    club=access.club,
                    tournament=copy,
                    player_id=one.player_id,
                    fixed_table=one.fixed_table,
                    home_club=one.home_club,
                    user_id=one.user_id,
                    created_at=now,
                )
                for one in source.entries.filter(player__archived_at=None).order_by("pk")
            )
            _take_wishes_along(source, copy, {one.player_id: one for one in made})
    return copy


def _take_wishes_along(source: Tournament, copy: Tournament, entries: Mapping[int, TournamentEntry]) -> None:
    """Copy the wishes of pairs that both enter the copy, too; `entries` are the copy's by player."""
    copied = []
    for wish in source.pair_wishes.select_related("first", "second").order_by("pk"):
        two = [entries[one.player_id] for one in (wish.first, wish.second) if one.player_id in entries]
        if len(two) == 2:
            first, second = sorted(two, key=lambda one: one.pk)
            copied.append(PairWish(club=copy.club, tournament=copy, kind=wish.kind, first=first, second=second))
    PairWish.objects.bulk_create(copied)


def invite(
    *, access: Access, tournament_id: int, is_open: bool, expected: int | None = None, now: datetime
) -> Tournament:
    """Make a new invitation by which players of other clubs enter, or end it; an older link works no more."""
    with transaction.atomic():
        tournament = locked(access, tournament_id, expected=expected)
        check_not_archived(tournament)
        tournament.entry_key = new_board_key() if is_open else ""
        tournament.save(update_fields=["entry_key"])
        changed(tournament, access=access, action="invited", data={"open": is_open}, now=now)
    return tournament


def _turn(
    access: Access,
    tournament_id: int,
    expected: int | None,
    *,
    before: set[TournamentStatus],
    after: TournamentStatus,
    action: str,
    now: datetime,
    check: Callable[[Tournament], None] | None = None,
) -> Tournament:
    with transaction.atomic():
        tournament = locked(access, tournament_id, expected=expected)
        check_not_archived(tournament)
        if tournament.status == after:
            return tournament
        if tournament.status not in before:
            message = _("This tournament is %(status)s; that is not possible now.")
            raise Conflict("tournament_status", message % {"status": tournament.get_status_display()})
        if check is not None:
            check(tournament)
        tournament.status = after
        tournament.save(update_fields=["status"])
        changed(tournament, access=access, action=action, data={}, now=now)
    return tournament


def _put_away(
    access: Access, tournament_id: int, expected: int | None, now: datetime, *, at: datetime | None
) -> Tournament:
    with transaction.atomic():
        tournament = locked(access, tournament_id, expected=expected)
        if (tournament.archived_at is None) != (at is None):
            tournament.archived_at = at
            tournament.save(update_fields=["archived_at"])
            action = "archived" if at is not None else "restored"
            changed(tournament, access=access, action=action, data={}, now=now)
    return tournament


def _save(tournament: Tournament) -> None:
    try:
        with transaction.atomic():
            tournament.save()
    except IntegrityError as error:
        message = _("The short name “%(slug)s” is taken.") % {"slug": tournament.slug}
        raise Conflict("slug_taken", message) from error


def _store_stages(tournament: Tournament, stages: Sequence[StageInput]) -> None:
    Stage.objects.bulk_create(
        Stage(
            club_id=tournament.club_id,
            tournament=tournament,
            number=number,
            format=one.format,
            options=check_stage(one, path=("stages", number - 1), is_last=number == len(stages)),
            groups=one.groups,
            advance=one.advance,
            status=StageStatus.WAITING,
        )
        for number, one in enumerate(stages, 1)
    )


# --- Checking ---------------------------------------------------------------------------------------------------------


def _set(
    tournament: Tournament,
    values: Mapping[str, object],
    now: datetime,
    *,
    stages: Sequence[StageInput],
    tie_breaks: bool,
) -> None:
    """Put checked values on the tournament. Raises InputError naming every field that is wrong."""
    problems: list[Problem] = []
    before = tournament.starts_on
    for field, value in values.items():
        if field not in FIELDS:
            raise ValueError(f"{field} is no field of a tournament")
        try:
            _SETTERS[field](tournament, field, value)
        except InputError as error:
            problems += error.problems
    today = tournament.club.local_date(now)
    problems += day_problems(values.get("starts_on"), field="starts_on", before=before, today=today)
    for number, one in enumerate(stages):
        try:
            check_stage(one, path=("stages", number), is_last=number == len(stages) - 1)
        except InputError as error:
            problems += error.problems
    if not 1 <= len(stages) <= LARGEST_STAGES:
        message = _("Give 1 to %(maximum)d stages.") % {"maximum": LARGEST_STAGES}
        problems.append(Problem(("stages",), "out_of_range", message))
    if not problems:
        problems = _fits_together(tournament, stages)
    if problems:
        raise InputError(problems)
    if not tie_breaks:
        tournament.tie_breaks = list(usual_tie_breaks(tournament, stages))


def usual_tie_breaks(tournament: Tournament, stages: Sequence[StageInput]) -> tuple[str, ...]:
    """The chain where the organiser names none."""
    if all(rules_of(one.format).duels for one in stages):
        usual = ("direct", "buchholz_cut1", "buchholz", "sonneborn_berger", "wins")
        # Where places or points of games are added up, a win is worth nothing by itself.
        worth = has_worth(scoring_of(tournament))
        return tuple(code for code in usual if worth or not TIE_BREAKS[code].needs_worth)
    if tournament.metric == TournamentMetric.CARDS_LEFT:
        # Nobody has a place there; whoever wants no shared ranks names the lots.
        return ()
    return ("countback", "opponents", "last_round")


def _fits_together(tournament: Tournament, stages: Sequence[StageInput]) -> list[Problem]:
    """Problems of fields that are right each for itself."""
    duels = [rules_of(one.format).duels for one in stages]
    one_game = tournament.session_format in {SessionFormat.SINGLE_GAME, SessionFormat.SERIES}
    if one_game and not tournament.game:
        return [Problem(("game",), "required", _("Say which game is played at a table."))]
    problems: list[Problem] = []
    if not one_game and tournament.game:
        message = _("Leave the game out: what is played at a table follows from its format.")
        problems.append(Problem(("game",), "not_allowed", message))
    if tournament.session_format == SessionFormat.SINGLE_GAME and tournament.games_per_table != 1:
        problems.append(Problem(("games_per_table",), "out_of_range", _("A single game is one: give 1.")))
    references = [(("game",), tournament.game)] if tournament.game else []
    info = games.find(club=tournament.club, references=references).get(tournament.game)
    problems += _wrong_metric(tournament, info, duels)
    if info is not None:
        problems += _wrong_sizes(tournament, info, duels)
    problems += _wrong_stages(tournament, stages)
    if tournament.minimum is not None and (info is None or info.family != "the-game"):
        problems.append(Problem(("minimum",), "not_allowed", _("Only The Game has a minimum: leave it out.")))
    return problems


def _wrong_stages(tournament: Tournament, stages: Sequence[StageInput]) -> list[Problem]:
    """Stages that could never be played one after the other, and matches that no session can be."""
    problems: list[Problem] = []
    for number, (one, following) in enumerate(pairwise(stages)):
        going = (one.advance or 0) * one.groups + int(cast(int, one.options.get("best_next", 0)))
        if going < 2 * following.groups:
            message = _("Only %(count)d go on; the next stage needs %(needed)d players at least.")
            params = {"count": going, "needed": 2 * following.groups}
            problems.append(Problem(("stages", number, "advance"), "out_of_range", message % params))
    if tournament.session_format != SessionFormat.SERIES:
        message = _("Only a series of one game can be the best of several: leave this out, or play series.")
        problems += [
            Problem(("stages", number, "options", "best_of"), "not_allowed", message)
            for number, one in enumerate(stages)
            if rules_of(one.format).bracket and (one.options.get("best_of", 1) != 1 or one.options.get("best_of_last"))
        ]
    return problems


def _wrong_metric(tournament: Tournament, info: GameInfo | None, duels: Sequence[bool]) -> list[Problem]:
    """What is wrong with what is added up; where nothing was said, what is usual is put in."""
    cooperative = info is not None and info.cooperative
    metrics = [metric.value for metric in TournamentMetric if metric != TournamentMetric.CARDS_LEFT]
    if info is None or info.scored_by == "places":
        # Points of different games don't add up.
        metrics.remove(TournamentMetric.GAME_POINTS)
    if cooperative:
        metrics = [TournamentMetric.CARDS_LEFT.value]
    if not tournament.metric:
        tournament.metric = metrics[0] if cooperative or all(duels) else TournamentMetric.PLACES
    problems: list[Problem] = []
    if tournament.metric not in metrics:
        problems.append(not_a_choice(("metric",), "unknown_choice", metrics))
    if cooperative and any(duels):
        message = _("A cooperative game has no winner at a table: choose a format for tables.")
        problems.append(Problem(("stages",), "cooperative", message))
    return problems or wrong_rules(tournament)


def wrong_rules(tournament: Tournament) -> list[Problem]:
    """What is wrong with how a tournament gives points and breaks ties, by its own fields alone."""
    scoring = scoring_of(tournament)
    return [
        *(Problem(("scores", flaw.field), flaw.code, flaw_told(flaw)) for flaw in check_scoring(scoring)),
        *(Problem(("tie_breaks",), flaw.code, flaw_told(flaw)) for flaw in check_chain(tournament.tie_breaks, scoring)),
    ]


def _wrong_sizes(tournament: Tournament, info: GameInfo, duels: Sequence[bool]) -> list[Problem]:
    """Tables that the game is not made for."""
    sizes = {("game", 2)} if any(duels) else set()
    sizes |= {("table_size", tournament.table_size)} if not all(duels) else set()
    message = _("“%(game)s” is for %(minimum)d to %(maximum)d players, not for %(size)d.")
    params = {"game": info.name, "minimum": info.min_players, "maximum": info.max_players}
    return [
        Problem((field,), "players_out_of_range", message % {**params, "size": size})
        for field, size in sorted(sizes)
        if not info.min_players <= size <= info.max_players
    ]


def _set_name(tournament: Tournament, _field: str, value: object) -> None:
    tournament.name = check_name(str(value))


def _set_slug(tournament: Tournament, _field: str, value: object) -> None:
    tournament.slug = check_slug(str(value), reserved=RESERVED_SLUGS)


def _set_text(tournament: Tournament, field: str, value: object) -> None:
    text, maximum = str(value).strip(), LONGEST[field]
    if len(text) > maximum:
        message = _("Give at most %(maximum)d characters.") % {"maximum": maximum}
        raise InputError([Problem((field,), "too_long", message)])
    if not is_text(text):
        raise InputError([Problem((field,), "invalid", _("Give one line of text without control characters."))])
    setattr(tournament, field, text)


def _set_date(tournament: Tournament, field: str, value: object) -> None:
    if not isinstance(value, date):
        raise InputError([Problem((field,), "required", _("Give a day."))])
    tournament.starts_on = value


def _set_season(tournament: Tournament, field: str, value: object) -> None:
    if value is not None and value != tournament.season_id:
        if not isinstance(value, int | str):
            raise InputError([Problem((field,), "unknown_season", _("Give the id of an open season of this club."))])
        tournament.season = session_rows.find_season(club=tournament.club, reference=value)
    elif value is None:
        tournament.season = None


def _choice(choices: Sequence[str]) -> Callable[[Tournament, str, object], None]:
    def put(tournament: Tournament, field: str, value: object) -> None:
        if value not in choices:
            raise InputError([not_a_choice((field,), "unknown_choice", choices)])
        setattr(tournament, field, value)

    return put


def _number(minimum: int, maximum: int, *, optional: bool = False) -> Callable[[Tournament, str, object], None]:
    def put(tournament: Tournament, field: str, value: object) -> None:
        if not (value is None and optional):
            wrong = isinstance(value, bool) or not isinstance(value, int)
            problems = out_of_range((field,), minimum - 1 if wrong else value, minimum, maximum)  # type: ignore[arg-type]
            if problems:
                raise InputError(problems)
        setattr(tournament, field, value)

    return put


def _set_game(tournament: Tournament, field: str, value: object) -> None:
    key = str(value or "")
    if key:
        games.find(club=tournament.club, references=[((field,), key)])
    tournament.game = key


def _set_scores(tournament: Tournament, field: str, value: object) -> None:
    if not isinstance(value, Mapping):
        raise InputError([Problem((field,), "invalid", _("Give a number for each result."))])
    known = (*SCORES, REQUESTED_BYE, "place_points")
    problems = [
        not_a_choice((field, str(name)), "unknown_choice", known) for name in sorted(set(value) - set(known), key=str)
    ]
    numbers: list[tuple[Path, object]] = [
        ((field, name), value[name]) for name in (*SCORES, REQUESTED_BYE) if name in value
    ]
    points = value.get("place_points", ())
    if not isinstance(points, list | tuple) or len(points) > LARGEST_TABLE:
        message = _("Give a list of at most %(maximum)d numbers.") % {"maximum": LARGEST_TABLE}
        problems.append(Problem((field, "place_points"), "invalid", message))
        points = ()
    numbers += [((field, "place_points", index), one) for index, one in enumerate(points)]
    for path, one in numbers:
        if one is None and path[1] != "place_points":
            continue
        wrong = isinstance(one, bool) or not isinstance(one, int | float) or not math.isfinite(one)
        if wrong or not 0 <= cast(float, one) <= LARGEST_SCORE or _exact(cast(float, one)) * 100 % 1:
            message = _("Give a number from 0 to %(maximum)d with at most two decimals.") % {"maximum": LARGEST_SCORE}
            problems.append(Problem(path, "out_of_range", message))
    if problems:
        raise InputError(problems)
    tournament.scores = dict(value)


def _set_tie_breaks(tournament: Tournament, field: str, value: object) -> None:
    if not isinstance(value, list | tuple) or len(set(map(str, value))) != len(value):
        raise InputError([Problem((field,), "invalid", _("Give a list of tie-breaks, each once."))])
    problems = [
        not_a_choice((field, index), "unknown_choice", TIE_BREAKS)
        for index, one in enumerate(value)
        if one not in TIE_BREAKS
    ]
    if problems:
        raise InputError(problems)
    tournament.tie_breaks = list(value)


_SETTERS: Mapping[str, Callable[[Tournament, str, object], None]] = {
    "name": _set_name,
    "slug": _set_slug,
    "location": _set_text,
    "note": _set_text,
    "announcement": _set_text,
    "starts_on": _set_date,
    "season": _set_season,
    "visibility": _choice(Visibility.values),
    "session_format": _choice(SessionFormat.values),
    "game": _set_game,
    "games_per_table": _number(1, LARGEST_GAMES),
    "minimum": _number(1, 9, optional=True),
    "table_size": _number(2, LARGEST_TABLE),
    "metric": _choice(TournamentMetric.values),
    "scores": _set_scores,
    "tie_breaks": _set_tie_breaks,
    "seed": _number(0, SEED_LIMIT - 1),
    "round_minutes": _number(1, LARGEST_MINUTES, optional=True),
}
