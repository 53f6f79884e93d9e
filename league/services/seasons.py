"""Leagues and seasons: made, changed, opened and closed.

A change of a season's rules stores anew in the same transaction what follows from it: the results of its sessions and
its standings, or the standings alone where the sessions count as before; and leaves a version of the rules.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from django.db import IntegrityError, transaction
from django.db.models import Max, Min
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import (
    AbsenceRule,
    Best,
    Confirmation,
    IncompleteRule,
    League,
    MissingRoundRule,
    Player,
    RankingMetric,
    RevisionKind,
    Role,
    Season,
    SeasonRulesVersion,
    SeasonStatus,
    SessionResult,
    SessionStatus,
    Standing,
    SubstitutionRule,
    TableWeight,
    TieBreakCode,
    Visibility,
)
from league.models.clubs import new_board_state
from league.models.seasons import new_board_key
from league.services import audit, board_states, session_rows, standings, webhooks
from league.services.access import Access
from league.services.clubs import check_name, check_slug, day_problems, free_slug
from league.services.errors import Conflict, InputError, NotFound, Problem, not_a_choice, out_of_range

# A league's short name stands in an address beside these words of the product's own.
RESERVED_SLUGS = frozenset(
    {
        *("bot-matches", "bots", "calendar", "edit", "evenings", "games", "hall-of-fame", "leagues", "manage", "me"),
        *("new", "players", "print", "ratings", "sessions"),
        *("sessions.csv", "sessions.json", "tokens", "tournaments"),
    }
)
_CHOICES: Mapping[str, list[str]] = {
    "status": SeasonStatus.values,
    "visibility": Visibility.values,
    "ranking_best": Best.values,
    "table_weight": TableWeight.values,
    "absence": AbsenceRule.values,
    "ranking_metric": RankingMetric.values,
    "incomplete_sessions": IncompleteRule.values,
    "missing_round": MissingRoundRule.values,
    "substitution": SubstitutionRule.values,
}
# Far beyond the sessions or rounds that any season has.
LARGEST_MINIMUM = 1000
_MINIMUMS = ("minimum_sessions", "minimum_rounds")
# Sessions that don't count, and the places that get points: a season has no more evenings, and a table no more seats.
LARGEST_NUMBER = 365
LARGEST_TABLE = 100
LARGEST_POINTS = 10_000
_NUMBERS = ("drop_worst", "count_best", "planned_evenings")
_OPTIONAL = ("planned_evenings",)
_EVENING_RULES = frozenset(
    {"incomplete_sessions", "minimum_rounds", "missing_round", "substitution", "needs_confirmation"}
)
_RANKING_RULES = frozenset(
    {
        *("ranking_metric", "ranking_best", "points_by_place", "table_weight", "drop_worst", "count_best", "absence"),
        *("tie_breaks", "minimum_sessions"),
    }
)
RULES = _EVENING_RULES | _RANKING_RULES
_DATES = frozenset({"starts_on", "ends_on"})
SEASON_FIELDS = frozenset({"name", "slug", "starts_on", "ends_on", "visibility", "planned_evenings", "status"}) | RULES
# What is best where nothing else is said.
NATURAL_BEST = {
    RankingMetric.PLACE_AVERAGE: Best.LOW,
    RankingMetric.PLACE_SUM: Best.LOW,
    RankingMetric.POINTS: Best.HIGH,
    RankingMetric.GAME_POINTS: Best.HIGH,
    RankingMetric.WINS: Best.HIGH,
}
# Where another direction would make no sense.
_FIXED_BEST = frozenset({RankingMetric.PLACE_AVERAGE, RankingMetric.PLACE_SUM, RankingMetric.WINS})
_WEIGHTS = {
    RankingMetric.PLACE_AVERAGE: [TableWeight.NONE, TableWeight.RELATIVE, TableWeight.MIDPOINT],
    RankingMetric.PLACE_SUM: [TableWeight.NONE, TableWeight.RELATIVE, TableWeight.MIDPOINT],
    RankingMetric.POINTS: [TableWeight.NONE, TableWeight.OPPONENTS],
    RankingMetric.GAME_POINTS: [TableWeight.NONE],
    RankingMetric.WINS: [TableWeight.NONE, TableWeight.OPPONENTS],
}
# Sessions whose results are stored anew at a time, to keep memory flat.
_BATCH = 200


def _slug_taken(slug: str) -> Conflict:
    return Conflict("slug_taken", _("The short name “%(slug)s” is taken.") % {"slug": slug})


def create_league(*, access: Access, name: str, slug: str, now: datetime) -> League:
    """Add a league; `slug` "": one made of the name. Raises Conflict when the short name is taken in the club."""
    access.require(Role.ADMIN)
    name = check_name(name)
    leagues = League.objects.filter(club=access.club)
    slug = slug or free_slug(name, leagues, neutral="main", reserved=RESERVED_SLUGS)
    slug = check_slug(slug, reserved=RESERVED_SLUGS)
    try:
        with transaction.atomic():
            league = League.objects.create(club=access.club, name=name, slug=slug)
            audit.write(access=access, action="league.created", object_id=league.pk, data={}, now=now)
    except IntegrityError as error:
        raise _slug_taken(slug) from error
    return league


def update_league(*, access: Access, league_id: int, changes: Mapping[str, object], now: datetime) -> League:
    """Change `name` or `slug` of a league; `slug` "": one made of the name."""
    access.require(Role.ADMIN)
    with transaction.atomic():
        league = League.objects.select_for_update().filter(club=access.club, pk=league_id).first()
        if league is None:
            raise NotFound(league_id)
        if "name" in changes:
            league.name = check_name(str(changes["name"]))
        if "slug" in changes:
            others = League.objects.filter(club=access.club).exclude(pk=league.pk)
            slug = str(changes["slug"]) or free_slug(league.name, others, neutral="main", reserved=RESERVED_SLUGS)
            league.slug = check_slug(slug, reserved=RESERVED_SLUGS)
        try:
            with transaction.atomic():
                league.save(update_fields=["name", "slug"])
        except IntegrityError as error:
            raise _slug_taken(league.slug) from error
        audit.write(
            access=access, action="league.updated", object_id=league.pk, data={"fields": sorted(changes)}, now=now
        )
        board_states.renew_club(access.club.pk)
    return league


def create_season(*, access: Access, league_id: int, fields: Mapping[str, object], now: datetime) -> Season:
    """Add a season with `fields` (`SEASON_FIELDS`; name and starts_on at least; slug "" or none: one made of the name).

    Raises InputError for values that can't be, Conflict when the short name is taken in the league.
    """
    access.require(Role.ADMIN)
    with transaction.atomic():
        league = League.objects.filter(club=access.club, pk=league_id).first()
        if league is None:
            raise InputError([Problem(("league",), "unknown_league", _("Give the id of a league of this club."))])
        season = Season(club=access.club, league=league)
        _set(season, fields, today=access.club.local_date(now))
        _save(season)
        _keep_rules(season, access, now)
        audit.write(access=access, action="season.created", object_id=season.pk, data={"league": league.pk}, now=now)
    return season


def _keep_rules(season: Season, access: Access, now: datetime) -> None:
    """Leave a version of the rules as they are now."""
    SeasonRulesVersion.objects.create(
        club=access.club,
        season=season,
        number=season.rules_version,
        at=now,
        user_id=access.actor.user_id,
        rules={field: getattr(season, field) for field in sorted(RULES)},
    )


def update_season(*, access: Access, season_id: int, changes: Mapping[str, object], now: datetime) -> Season:
    """Change a season; other rules store its results and standings anew, closing it refuses further results.

    Raises InputError where sessions would fall out of the season's dates, Conflict for other rules or dates of a
    season that is and stays closed.
    """
    access.require(Role.ADMIN)
    with transaction.atomic():
        season = Season.objects.select_for_update(of=("self",)).filter(club=access.club, pk=season_id).first()
        if season is None:
            raise NotFound(season_id)
        before = {field: getattr(season, field) for field in RULES | _DATES}
        was_closed = season.status == SeasonStatus.CLOSED
        _set(season, changes, today=access.club.local_date(now))
        _check_sessions_inside(season)
        if season.status == SeasonStatus.CLOSED:
            _check_sessions_ended(season)
        changed = sorted(field for field in RULES if getattr(season, field) != before[field])
        if (
            was_closed
            and season.status == SeasonStatus.CLOSED
            and any(getattr(season, field) != value for field, value in before.items())
        ):
            message = _("The season “%(season)s” is closed: reopen it to change its rules or dates.")
            raise Conflict("season_closed", message % {"season": season.name})
        season.rules_version += bool(changed)
        _save(season)
        if changed:
            _keep_rules(season, access, now)
        if "needs_confirmation" in changed and not season.needs_confirmation:
            _wait_no_longer(season, access, now)
        if _EVENING_RULES.intersection(changed):
            recompute(season=season)
        elif changed:
            # Other ranks of the same results: those of a long season take many times longer to store anew.
            ranked = list(season.standings.values_list("player_id", flat=True))
            standings.refresh(season=season, players=ranked)
        if changed:
            ranked = list(season.standings.order_by("player_id").values_list("player_id", flat=True))
            data = {"season": season.pk, "players": ranked}
            webhooks.emit(club=access.club, event="standings.changed", data=data, now=now)
        audit.write(
            access=access,
            action="season.updated",
            object_id=season.pk,
            data={"fields": sorted(changes), "rules": {field: getattr(season, field) for field in changed}},
            now=now,
        )
    return season


def renew_board_key(*, access: Access, season_id: int, now: datetime) -> Season:
    """Give the season's board another key: whoever has a link with the one before reads it no more."""
    access.require(Role.ADMIN)
    with transaction.atomic():
        season = Season.objects.select_for_update(of=("self",)).filter(club=access.club, pk=season_id).first()
        if season is None:
            raise NotFound(season_id)
        season.board_key = new_board_key()
        season.board_state = new_board_state()
        season.save(update_fields=["board_key", "board_state"])
        audit.write(access=access, action="season.key_renewed", object_id=season.pk, data={}, now=now)
    return season


def _wait_no_longer(season: Season, access: Access, now: datetime) -> None:
    """Let sessions count that waited for a confirmation nobody is asked for any more."""
    for session in season.sessions.filter(confirmation=Confirmation.AWAITED).order_by("pk"):
        session.confirmation = ""
        if session.status != SessionStatus.OPEN:
            # As the sessions are counted anew hereafter: the history says so from this revision on.
            session.counts = session_rows.counts(session, season, session_rows.stored_score(session, season))
        session_rows.save(session)
        reason = _("The season asks for no confirmation any more.")
        session_rows.write_revision(session, access=access, kind=RevisionKind.CONFIRMED, now=now, reason=reason)


def recompute(*, season: Season) -> None:
    """Store the results of all ended sessions and all standings of a season anew. Called inside a transaction."""
    ended = season.sessions.exclude(status=SessionStatus.OPEN).order_by("pk")
    ids = list(ended.values_list("pk", flat=True))
    players: set[int] = set(season.standings.values_list("player_id", flat=True))
    for start in range(0, len(ids), _BATCH):
        sessions = list(ended.filter(pk__in=ids[start : start + _BATCH]))
        session_rows.recompute(sessions=sessions, season=season)
    players |= set(SessionResult.objects.filter(session__season=season).values_list("player_id", flat=True))
    standings.refresh(season=season, players=players)


def _set(season: Season, values: Mapping[str, object], *, today: date) -> None:
    """Put checked values on the season. Raises InputError naming every field that is wrong."""
    problems = []
    for field, value in values.items():
        if field not in SEASON_FIELDS:
            raise ValueError(f"{field} is no field of a season")
        if field in _DATES:
            problems += day_problems(value, field=field, before=getattr(season, field), today=today)
        if field in _CHOICES and value not in _CHOICES[field]:
            problems.append(not_a_choice((field,), "unknown_choice", _CHOICES[field]))
        if field in _MINIMUMS:
            problems += out_of_range((field,), value if isinstance(value, int) else 0, 1, LARGEST_MINIMUM)
        if field in _NUMBERS and not (value is None and field in _OPTIONAL):
            problems += out_of_range((field,), value if isinstance(value, int) else -1, 0, LARGEST_NUMBER)
        setattr(season, field, value)
    if "ranking_metric" in values and "ranking_best" not in values:
        season.ranking_best = NATURAL_BEST.get(season.ranking_metric, Best.LOW)  # type: ignore[call-overload]
    if problems:
        raise InputError(problems)
    problems = ranking_problems(season)
    if problems:
        raise InputError(problems)
    season.name = check_name(season.name)
    others = Season.objects.filter(league=season.league).exclude(pk=season.pk)
    season.slug = check_slug(season.slug or free_slug(season.name, others, neutral="main"))
    if not isinstance(season.starts_on, date):
        raise InputError([Problem(("starts_on",), "required", _("Give the day on which the season starts."))])
    if season.ends_on is not None and season.ends_on < season.starts_on:
        raise InputError([Problem(("ends_on",), "before_start", _("Give a day on or after the start, or none."))])


def ranking_problems(season: Season) -> list[Problem]:
    """What can't be of the rules together."""
    metric = RankingMetric(season.ranking_metric)
    problems = []
    if metric in _FIXED_BEST and season.ranking_best != NATURAL_BEST[metric]:
        problems.append(not_a_choice(("ranking_best",), "unknown_choice", [NATURAL_BEST[metric].value]))
    if season.table_weight not in _WEIGHTS[metric]:
        problems.append(not_a_choice(("table_weight",), "unknown_choice", [one.value for one in _WEIGHTS[metric]]))
    if metric == RankingMetric.GAME_POINTS and season.absence == AbsenceRule.LAST:
        allowed = [AbsenceRule.NONE.value, AbsenceRule.AVERAGE.value]
        problems.append(not_a_choice(("absence",), "unknown_choice", allowed))
    if season.drop_worst and season.count_best:
        message = _("Drop the worst or count the best: give 0 for one of the two.")
        problems.append(Problem(("count_best",), "drops_and_counts_best", message))
    breaks = season.tie_breaks
    if not isinstance(breaks, list) or any(code not in TieBreakCode.values for code in breaks):
        problems.append(not_a_choice(("tie_breaks",), "unknown_choice", TieBreakCode.values))
    elif len(set(breaks)) < len(breaks):
        problems.append(Problem(("tie_breaks",), "repeated", _("Name each tie-break once at most.")))
    points = season.points_by_place
    if not isinstance(points, list) or not 1 <= len(points) <= LARGEST_TABLE:
        message = _("Give the points for place 1, 2, …, for %(maximum)d places at most.") % {"maximum": LARGEST_TABLE}
        problems.append(Problem(("points_by_place",), "invalid", message))
    else:
        for index, one in enumerate(points):
            number = one if isinstance(one, int) and not isinstance(one, bool) else -LARGEST_POINTS - 1
            problems += out_of_range(("points_by_place", index), number, -LARGEST_POINTS, LARGEST_POINTS)
    return problems


# --- What other rules would make of the table -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TableLine:
    """A player's line in a table: `rank` is None below the minimum of sessions."""

    rank: int | None
    sessions: int
    counted: int
    value: float


@dataclass(frozen=True, slots=True)
class TableMove:
    """A player's line in the table as it is and as it would be; None: not in it."""

    player: Player
    before: TableLine | None
    after: TableLine | None


@dataclass(frozen=True, slots=True)
class TablePreview:
    """The table that a change of rules would give, in its order; those who would leave it at the end."""

    season: Season
    moves: tuple[TableMove, ...]

    @property
    def moved(self) -> int:
        """How many players would have another rank."""
        return sum((one.before and one.before.rank) != (one.after and one.after.rank) for one in self.moves)


def rehearse_update(*, access: Access, season_id: int, changes: Mapping[str, object], now: datetime) -> TablePreview:
    """Carry out `update_season`, see the table that comes of it, and take it back. Raises what that raises."""
    with transaction.atomic():
        season = update_season(access=access, season_id=season_id, changes=changes, now=now)
        after = _table_of(season)
        transaction.set_rollback(True)
    before = _table_of(Season.objects.get(pk=season_id))
    players = Player.objects.in_bulk({*before, *after})
    order = [*after, *(player for player in before if player not in after)]
    moves = (TableMove(players[player], before.get(player), after.get(player)) for player in order)
    return TablePreview(season, tuple(moves))


def _table_of(season: Season) -> dict[int, TableLine]:
    """The lines of the season's table by player, from the top."""
    return {
        row.player_id: TableLine(vars(row)["rank"], row.sessions, row.counted, row.value)
        for row in Standing.objects.table(season)
    }


def _check_sessions_inside(season: Season) -> None:
    span = season.sessions.aggregate(first=Min("played_on"), last=Max("played_on"))
    if span["first"] is not None and span["first"] < season.starts_on:
        params = {"day": date_format(span["first"], "SHORT_DATE_FORMAT")}
        message = _("A session was played on %(day)s: the season starts by then.") % params
        raise InputError([Problem(("starts_on",), "sessions_outside", message)])
    if span["last"] is not None and season.ends_on is not None and span["last"] > season.ends_on:
        params = {"day": date_format(span["last"], "SHORT_DATE_FORMAT")}
        message = _("A session was played on %(day)s: the season ends then or later.") % params
        raise InputError([Problem(("ends_on",), "sessions_outside", message)])


def _check_sessions_ended(season: Season) -> None:
    """A closed season takes no more rounds, so a session that goes on could never end."""
    count = season.sessions.filter(status=SessionStatus.OPEN, voided_at=None).count()
    if count:
        message = ngettext(
            "%(count)d session of this season still goes on: end it before you close the season.",
            "%(count)d sessions of this season still go on: end them before you close the season.",
            count,
        )
        raise Conflict("sessions_open", message % {"count": count})


def _save(season: Season) -> None:
    season.board_state = new_board_state()
    try:
        with transaction.atomic():
            season.save()
    except IntegrityError as error:
        raise _slug_taken(season.slug) from error
