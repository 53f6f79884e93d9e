"""Leagues and seasons: made, changed, opened and closed.

A change of a season's rules stores anew in the same transaction what follows from it: the results of its sessions and
its standings, or the standings alone where the sessions count as before.
"""

from collections.abc import Mapping
from datetime import date, datetime

from django.db import IntegrityError, transaction
from django.db.models import Max, Min
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import (
    Confirmation,
    IncompleteRule,
    League,
    MissingRoundRule,
    RankingMetric,
    RevisionKind,
    Role,
    Season,
    SeasonStatus,
    SessionResult,
    SessionStatus,
    SubstitutionRule,
)
from league.services import audit, session_rows, standings, webhooks
from league.services.access import Access
from league.services.clubs import check_name, check_slug
from league.services.errors import Conflict, InputError, NotFound, Problem, not_a_choice, out_of_range

# A league's short name stands in an address beside these words of the product's own.
RESERVED_SLUGS = frozenset(
    {
        *("bot-matches", "calendar", "edit", "leagues", "manage", "new", "players", "print", "sessions"),
        *("sessions.csv", "sessions.json", "tokens"),
    }
)
_CHOICES: Mapping[str, list[str]] = {
    "status": SeasonStatus.values,
    "ranking_metric": RankingMetric.values,
    "incomplete_sessions": IncompleteRule.values,
    "missing_round": MissingRoundRule.values,
    "substitution": SubstitutionRule.values,
}
# Far beyond the sessions or rounds that any season has.
LARGEST_MINIMUM = 1000
_MINIMUMS = ("minimum_sessions", "minimum_rounds")
_EVENING_RULES = frozenset(
    {"incomplete_sessions", "minimum_rounds", "missing_round", "substitution", "needs_confirmation"}
)
_RULES = _EVENING_RULES | {"ranking_metric", "minimum_sessions"}
_DATES = frozenset({"starts_on", "ends_on"})
SEASON_FIELDS = frozenset({"name", "slug", "starts_on", "ends_on", "is_public", "status"}) | _RULES
# Sessions whose results are stored anew at a time, to keep memory flat.
_BATCH = 200


def _slug_taken(slug: str) -> Conflict:
    return Conflict("slug_taken", _("The short name “%(slug)s” is taken.") % {"slug": slug})


def create_league(*, access: Access, name: str, slug: str, now: datetime) -> League:
    """Add a league. Raises Conflict when the short name is taken in the club."""
    access.require(Role.ADMIN)
    name, slug = check_name(name), check_slug(slug, reserved=RESERVED_SLUGS)
    try:
        with transaction.atomic():
            league = League.objects.create(club=access.club, name=name, slug=slug)
            audit.write(access=access, action="league.created", object_id=league.pk, data={}, now=now)
    except IntegrityError as error:
        raise _slug_taken(slug) from error
    return league


def update_league(*, access: Access, league_id: int, changes: Mapping[str, object], now: datetime) -> League:
    """Change `name` or `slug` of a league."""
    access.require(Role.ADMIN)
    with transaction.atomic():
        league = League.objects.select_for_update().filter(club=access.club, pk=league_id).first()
        if league is None:
            raise NotFound(league_id)
        if "name" in changes:
            league.name = check_name(str(changes["name"]))
        if "slug" in changes:
            league.slug = check_slug(str(changes["slug"]), reserved=RESERVED_SLUGS)
        try:
            with transaction.atomic():
                league.save(update_fields=["name", "slug"])
        except IntegrityError as error:
            raise _slug_taken(league.slug) from error
        audit.write(
            access=access, action="league.updated", object_id=league.pk, data={"fields": sorted(changes)}, now=now
        )
    return league


def create_season(*, access: Access, league_id: int, fields: Mapping[str, object], now: datetime) -> Season:
    """Add a season with `fields` (`SEASON_FIELDS`; name, slug and starts_on at least).

    Raises InputError for values that can't be, Conflict when the short name is taken in the league.
    """
    access.require(Role.ADMIN)
    with transaction.atomic():
        league = League.objects.filter(club=access.club, pk=league_id).first()
        if league is None:
            raise InputError([Problem(("league",), "unknown_league", _("Give the id of a league of this club."))])
        season = Season(club=access.club, league=league)
        _set(season, fields)
        _save(season)
        audit.write(access=access, action="season.created", object_id=season.pk, data={"league": league.pk}, now=now)
    return season


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
        before = {field: getattr(season, field) for field in _RULES | _DATES}
        was_closed = season.status == SeasonStatus.CLOSED
        _set(season, changes)
        _check_sessions_inside(season)
        if season.status == SeasonStatus.CLOSED:
            _check_sessions_ended(season)
        changed = sorted(field for field in _RULES if getattr(season, field) != before[field])
        if (
            was_closed
            and season.status == SeasonStatus.CLOSED
            and any(getattr(season, field) != value for field, value in before.items())
        ):
            message = _("The season “%(season)s” is closed: reopen it to change its rules or dates.")
            raise Conflict("season_closed", message % {"season": season.name})
        _save(season)
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


def _set(season: Season, values: Mapping[str, object]) -> None:
    """Put checked values on the season. Raises InputError naming every field that is wrong."""
    problems = []
    for field, value in values.items():
        if field not in SEASON_FIELDS:
            raise ValueError(f"{field} is no field of a season")
        if field in _CHOICES and value not in _CHOICES[field]:
            problems.append(not_a_choice((field,), "unknown_choice", _CHOICES[field]))
        if field in _MINIMUMS:
            problems += out_of_range((field,), value if isinstance(value, int) else 0, 1, LARGEST_MINIMUM)
        setattr(season, field, value)
    if problems:
        raise InputError(problems)
    season.name, season.slug = check_name(season.name), check_slug(season.slug)
    if not isinstance(season.starts_on, date):
        raise InputError([Problem(("starts_on",), "required", _("Give the day on which the season starts."))])
    if season.ends_on is not None and season.ends_on < season.starts_on:
        raise InputError([Problem(("ends_on",), "before_start", _("Give a day on or after the start, or none."))])


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
    try:
        with transaction.atomic():
            season.save()
    except IntegrityError as error:
        raise _slug_taken(season.slug) from error
