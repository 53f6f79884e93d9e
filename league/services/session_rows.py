"""The rows of a session: checked, found, locked, scored, stored; for the services that change sessions alone.

Terms: a *checked* session passed all rules and knows its places; a *snapshot* is a session as plain data, as its
revisions keep it; a *digest* stands for who sat at a table and scored what, so that the same evening entered by two
people is found. Promises: the season is locked before the session, by everybody.
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import chain
from typing import Any

from django.db.models import Prefetch, QuerySet, prefetch_related_objects
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from games.catalog import GameInfo
from league.models import (
    ChangedSession,
    Club,
    Confirmation,
    Player,
    PlayerKind,
    RevisionKind,
    Round,
    Score,
    Season,
    SeasonStatus,
    Seat,
    Session,
    SessionFormat,
    SessionResult,
    SessionRevision,
    SessionStatus,
)
from league.scoring.sessions import EveningRules, PlayedRound, SessionScore, score_session
from league.scoring.standings import SessionPlace
from league.services import board_states, evenings, figures, games, standings, tournament_results, webhooks
from league.services.access import Access
from league.services.clubs import is_text
from league.services.errors import Conflict, InputError, NotFound, Problem, Stale, overtaken
from league.services.evenings import ScoredRound, SeasonRef, Seated, SessionInput, check_plan, check_status
from league.services.players import PlayerRef

NO_CODES: frozenset[str] = frozenset()

# --- Finding and locking ----------------------------------------------------------------------------------------------


def find_season(*, club: Club, reference: SeasonRef | None) -> Season | None:
    """The season that is meant, locked until the transaction ends, since its rules decide what is stored; its board
    changes with what the caller stores.

    Raises InputError for an unknown one, Conflict for a closed one.
    """
    if reference is None:
        return None
    seasons = Season.objects.select_for_update(of=("self",), no_key=True).select_related("league").filter(club=club)
    if isinstance(reference, int):
        season = seasons.filter(pk=reference).first()
    else:
        league, _slash, slug = reference.partition("/")
        season = seasons.filter(league__slug=league, slug=slug).first() if is_text(reference) else None
    if season is None:
        message = _("No season of this club is “%(season)s”: give its id or “league/season” by their short names.")
        raise InputError([Problem(("season",), "unknown_season", message % {"season": reference})])
    if season.status == SeasonStatus.CLOSED:
        raise Conflict("season_closed", _("The season “%(season)s” is closed.") % {"season": season.name})
    board_states.renew_season(season.pk)
    return season


def lock_seasons(*, club: Club, references: Iterable[SeasonRef | None]) -> None:
    """Lock the seasons that are meant in order of their ids, for a change of several; unknown ones are passed over."""
    wanted = set(references) - {None}
    if len(wanted) > 1:
        known = Season.objects.filter(club=club).values_list("pk", "league__slug", "slug")
        ids = [pk for pk, league, slug in known if pk in wanted or f"{league}/{slug}" in wanted]
        list(Season.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk"))


def locked(access: Access, session_id: int, *, expected: int | None = None) -> tuple[Session, Season | None]:
    """The session and its season, both locked, the season first as everywhere.

    `expected` is the revision that the change was made for. Raises NotFound, Stale for another revision, Conflict for
    a closed season, and for a session that came into another one just now.
    """
    plain = Session.objects.filter(club=access.club, pk=session_id).values_list("season_id", flat=True).first()
    season = find_season(club=access.club, reference=plain) if plain is not None else None
    session = Session.objects.select_for_update().filter(club=access.club, pk=session_id).first()
    if session is None:
        raise NotFound(session_id)
    if expected is not None and session.revision != expected:
        raise Stale(session.revision)
    if session.season_id != plain:
        # While its season was waited for: the other one is not locked, and the session is already.
        raise overtaken()
    session.season = season
    return session, season


def open_session(access: Access, session_id: int) -> tuple[Session, Season | None]:
    """A session that goes on, locked as by `locked`. Raises Conflict for one that is over or void."""
    session, season = locked(access, session_id)
    check_not_void(session)
    if session.status != SessionStatus.OPEN:
        raise Conflict("session_ended", _("This session is ended; it takes no more rounds or players."))
    return session, season


def check_not_void(session: Session) -> None:
    """Raise Conflict for a session that was voided."""
    if session.voided_at is not None:
        raise Conflict("session_voided", _("This session is void; restore it first."))


def _seats_with_players() -> "Prefetch[str]":
    return Prefetch("seats", Seat.objects.select_related("player"))


def stored_seats(session: Session) -> list[Seated]:
    """The session's seats in one query, or none where they are read already."""
    prefetch_related_objects([session], _seats_with_players())
    return [Seated(seat.player, seat.number, seat.from_round, seat.until_round) for seat in session.seats.all()]


# --- Checking ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Checked:
    """A session that can be: its seats, rounds with places, plan, and once it is ended its results."""

    seats: list[Seated]
    scored: list[ScoredRound]
    planned: int
    repeats: int
    status: SessionStatus
    score: SessionScore | None
    digest: str
    # What is known of the games that were played.
    games: Mapping[str, GameInfo]
    # Codes of warnings on the session as a whole, all confirmed.
    confirmed: list[str]


def check(
    *,
    club: Club,
    data: SessionInput,
    season: Season | None,
    players: Mapping[PlayerRef, Player],
    confirm: Collection[str],
    now: datetime,
    own: int | None = None,
    settled: Mapping[int, Collection[str]] | None = None,
    warnings: Iterable[Problem] = (),
    known: Mapping[str, GameInfo] | None = None,
) -> Checked:
    """Check a whole session by all rules.

    `own` is the id of the session that is corrected; `settled` are the codes confirmed earlier, by the number of the
    round (0: of the session as a whole); `warnings` are the caller's own. `known` are the games where they were found
    for many sessions at once; then nobody looks for the same evening either. Raises InputError and NeedsConfirmation.
    """
    one_of_many = known is not None
    settled = settled or {}
    evenings.check_shape(data)
    evenings.check_date(data.played_on, season, now, club=club)
    seats = evenings.seats_of(data, players)
    for start in {seat.from_round for seat in seats}:
        seated = sum(seat.plays(start) for seat in seats)
        evenings.check_table(data.format, seated, club=club, path=("players",))
    if known is None:
        known = games.find(club=club, references=evenings.games_of(data), session_id=own)
    planned, of_plan = check_plan(
        data.format,
        [one.game for one in data.rounds],
        known=known,
        repeats=data.repeats,
        planned=data.planned_rounds,
        players=max(1, sum(seat.from_round == 1 for seat in seats)),
    )
    scored: list[ScoredRound] = []
    problems: list[Problem] = []
    for index, one in enumerate(data.rounds):
        try:
            game = known[one.game]
            scored.append(evenings.score(one, index + 1, seats, players, game=game, path=("rounds", index)))
        except InputError as error:
            problems.extend(error.problems)
    if problems:
        raise InputError(problems)
    check_status(data.status, len(scored), planned)
    its_digest = digest(seats, scored)
    found = [*of_plan, *warnings]
    if not one_of_many:
        found += duplicates(club=club, data=data, seats=seats, scored=scored, digest=its_digest, own=own)
    fresh = [warning for warning in found if warning.code not in settled.get(0, NO_CODES)]
    for round_ in scored:
        fresh += [warning for warning in round_.warnings if warning.code not in settled.get(round_.number, NO_CODES)]
    evenings.confirmed_codes(fresh, confirm)
    ended = data.status != SessionStatus.OPEN or len(scored) == planned
    return Checked(
        seats=seats,
        scored=scored,
        planned=planned,
        repeats=data.repeats if data.format == SessionFormat.PURE_XXL else 1,
        status=status_of(len(scored), planned) if ended else SessionStatus.OPEN,
        score=score(seats, [one.played() for one in scored], planned=planned, season=season) if ended else None,
        digest=its_digest,
        games=known,
        confirmed=sorted({warning.code for warning in found}),
    )


def digest(seats: Iterable[Seated], scored: Iterable[ScoredRound]) -> str:
    """SHA-256 of who sat there and scored what, in whatever order it was given; points, or places where none are."""
    rounds = ((one.game, ((player.pk, points, place) for player, points, place in one.scores)) for one in scored)
    return _digest((seat.player.pk for seat in seats), rounds)


def digest_of_open(players: Iterable[int]) -> str:
    """The digest of a session at which these, given by id, sit and nothing is played yet."""
    return _digest(players, ())


def _stored_digest(session: Session) -> str:
    rounds = (
        (one.game, ((score.player_id, score.points, score.place) for score in one.scores.all()))
        for one in session.rounds.all()
    )
    return _digest((seat.player_id for seat in session.seats.all()), rounds)


def _digest(players: Iterable[int], rounds: Iterable[tuple[str, Iterable[tuple[int, int | None, int | None]]]]) -> str:
    """Of plain values: ids, and for each round its game with (player's id, points, place) of each score."""
    told = [
        [
            game,
            sorted([pk, "place", place] if points is None else [pk, "points", points] for pk, points, place in scores),
        ]
        for game, scores in rounds
    ]
    value = [sorted(set(players)), told]
    return hashlib.sha256(json.dumps(value, separators=(",", ":")).encode()).hexdigest()


def duplicates(
    *,
    club: Club,
    data: SessionInput,
    seats: Sequence[Seated],
    scored: Sequence[ScoredRound],
    digest: str,
    own: int | None,
) -> list[Problem]:
    """A warning when the club has the same evening already.

    The same players with the same scores, on the same day; a day apart too where there are points, which hardly come
    twice alike. Of a session without a round yet: another one that goes on that day with the same players.
    """
    others = Session.objects.filter(club=club, voided_at=None)
    if own is not None:
        others = others.exclude(pk=own)
    if not scored:
        going_on = others.filter(status=SessionStatus.OPEN, played_on=data.played_on).prefetch_related("seats")
        people = {seat.player.pk for seat in seats}
        same = next((one for one in going_on if {seat.player_id for seat in one.seats.all()} == people), None)
    else:
        by_points = any(points is not None for one in scored for _player, points, _place in one.scores)
        return _with_digest(others, digest, data.played_on, by_points=by_points)
    if same is None:
        return []
    message = _("Session %(session)d of %(day)s goes on with the same players. Is this another one?")
    params = {"session": same.pk, "day": date_format(same.played_on, "SHORT_DATE_FORMAT")}
    return [Problem((), "possible_duplicate", message % params, session=same.pk)]


def days_apart(*, by_points: bool) -> timedelta:
    """How far apart the days of one evening that was entered twice may be: by one, around midnight.

    Places alone come twice alike too easily.
    """
    return timedelta(days=1 if by_points else 0)


def same_evening(session: Session, *, by_points: bool) -> list[Problem]:
    """`duplicates` of a session that is stored already, by its digest.

    Two tables of tournaments are never one evening, however alike: of a double round robin, the same two meet twice.
    """
    others = Session.objects.filter(club=session.club_id, voided_at=None).exclude(pk=session.pk)
    if session.table_id is not None:
        others = others.filter(table=None)
    return _with_digest(others, session.digest, session.played_on, by_points=by_points)


def _with_digest(others: QuerySet[Session], digest: str, day: date, *, by_points: bool) -> list[Problem]:
    window = days_apart(by_points=by_points)
    # The calendar has a first and a last day.
    days = max(day, date.min + window) - window, min(day, date.max - window) + window
    alike = others.filter(digest=digest, played_on__range=days).order_by("pk")
    same = next(iter(alike.values_list("pk", "played_on")[:1]), None)
    if same is None:
        return []
    message = _("Session %(session)d of %(day)s has the same players and scores. Is this another one?")
    params = {"session": same[0], "day": date_format(same[1], "SHORT_DATE_FORMAT")}
    return [Problem((), "possible_duplicate", message % params, session=same[0])]


def score(
    seats: Sequence[Seated], rounds: Sequence[PlayedRound], *, planned: int, season: Season | None
) -> SessionScore:
    """The results of an ended session by the season's rules, or by the usual ones without a season."""
    rules = season.evening_rules if season is not None else EveningRules()
    return score_session(evenings.plain(seats), rounds, planned=planned, rules=rules)


def status_of(played: int, planned: int) -> SessionStatus:
    """What an ended session is."""
    return SessionStatus.COMPLETE if played == planned else SessionStatus.INCOMPLETE


def counts(session: Session, season: Season | None, score: SessionScore | None) -> bool:
    """Whether a session enters its season's standings."""
    agreed = session.confirmation in {"", Confirmation.CONFIRMED}
    return season is not None and score is not None and score.counts and session.voided_at is None and agreed


def asked(season: Season | None, players: Iterable[Player]) -> str:
    """Whether a second participant is asked to agree; bots have nothing to say."""
    people = any(player.kind == PlayerKind.PERSON for player in players)
    return Confirmation.AWAITED if season is not None and season.needs_confirmation and people else ""


# --- Storing ----------------------------------------------------------------------------------------------------------


def seat_rows(session: Session, seats: Iterable[Seated]) -> list[Seat]:
    """Who sits where, not stored yet."""
    return [
        Seat(
            club_id=session.club_id,
            session=session,
            player=seat.player,
            number=seat.number,
            from_round=seat.from_round,
            until_round=seat.until_round,
        )
        for seat in seats
    ]


def store_seats(session: Session, seats: Iterable[Seated]) -> list[Seat]:
    """Store who sits where; return the rows."""
    return Seat.objects.bulk_create(seat_rows(session, seats))


def round_rows(
    session: Session, scored: Sequence[ScoredRound], *, created_at: Mapping[int, datetime] | None = None
) -> list[tuple[Round, list[Score]]]:
    """Rounds with their scores, not stored yet; `created_at` by number for those that stood before."""
    known = created_at or {}
    rounds = [
        Round(
            club_id=session.club_id,
            session=session,
            number=one.number,
            game=one.game,
            note=one.note,
            confirmed=sorted({warning.code for warning in one.warnings}),
            **({"created_at": known[one.number]} if one.number in known else {}),
        )
        for one in scored
    ]
    return [
        (
            row,
            [
                Score(club_id=session.club_id, round=row, player=player, points=points, place=place)
                for player, points, place in one.scores
            ],
        )
        for row, one in zip(rounds, scored, strict=True)
    ]


def store_rounds(
    session: Session, scored: Sequence[ScoredRound], *, created_at: Mapping[int, datetime] | None = None
) -> list[tuple[Round, list[Score]]]:
    """Store rounds with their scores and return the rows; `created_at` as `round_rows` takes it."""
    found = round_rows(session, scored, created_at=created_at)
    Round.objects.bulk_create(round_ for round_, _scores in found)
    Score.objects.bulk_create(chain.from_iterable(scores for _round, scores in found))
    return found


def result_rows(session: Session, score: SessionScore) -> list[SessionResult]:
    """The results of an ended session, not stored yet."""
    placed = sum(one.place is not None for one in score.results)
    return [
        SessionResult(
            club_id=session.club_id,
            session=session,
            player_id=one.player,
            place_sum=one.place_sum,
            rounds_played=one.rounds_played,
            rounds_missed=one.rounds_missed,
            place=one.place,
            reason=one.reason,
            points=one.points,
            players=placed,
        )
        for one in score.results
    ]


def store_results(session: Session, season: Season | None, score: SessionScore) -> None:
    """Store the results of a session that has none yet, and add them to the standings if it counts."""
    SessionResult.objects.bulk_create(result_rows(session, score))
    if season is not None and session.counts:
        standings.add(season=season, results=places_of(session, score))


def places_of(session: Session, score: SessionScore) -> list[SessionPlace]:
    """The final places of a session as the standings take them."""
    placed = [one for one in score.results if one.place is not None]
    return [
        SessionPlace(one.player, session.pk, session.played_on, one.place or 0, len(placed), one.points)
        for one in placed
    ]


def replace_results(session: Session, score: SessionScore | None) -> None:
    """Store other results of a session. The caller refreshes the standings."""
    SessionResult.objects.filter(session=session).delete()
    if score is not None:
        SessionResult.objects.bulk_create(result_rows(session, score))


def finish(session: Session, season: Season | None) -> SessionScore:
    """End a session with the rounds it has: its results, and the standings of the players in it."""
    result = stored_score(session, season)
    session.status = status_of(len(session.rounds.all()), session.planned_rounds)
    session.counts = counts(session, season, result)
    # Standings that are not just added up read the sessions that count, this one among them.
    session.save(update_fields=["status", "counts"])
    store_results(session, season, result)
    return result


def stored_score(session: Session, season: Season | None) -> SessionScore:
    """The results that the stored rounds of a session give."""
    rounds = session.played_rounds()
    return score(stored_seats(session), rounds, planned=session.planned_rounds, season=season)


def save(session: Session) -> None:
    """Store what a change may have changed on the session itself; one revision more."""
    session.revision += 1
    session.save()


def recompute(*, sessions: Sequence[Session], season: Season) -> None:
    """Store the results of ended sessions anew by the season's rules. The caller refreshes the standings.

    Reads all sessions in a fixed number of queries: the season is locked meanwhile, and nobody can record.
    """
    prefetch_related_objects(sessions, _seats_with_players(), "rounds__scores")
    results: list[SessionResult] = []
    changed: dict[bool, list[int]] = {True: [], False: []}
    for session in sessions:
        result = stored_score(session, season)
        its_counts = counts(session, season, result)
        if session.counts != its_counts:
            session.counts = its_counts
            changed[its_counts].append(session.pk)
        results += result_rows(session, result)
    SessionResult.objects.filter(session__in=sessions).delete()
    SessionResult.objects.bulk_create(results)
    for its_counts, ids in changed.items():
        Session.objects.filter(pk__in=ids).update(counts=its_counts)
    tournament_results.follow(sessions)
    if sessions:
        # Other rules give other final places, which statistics follow.
        first = min(sessions, key=lambda one: (one.played_on, one.pk))
        sat = sorted({seat.player_id for session in sessions for seat in session.seats.all()})
        ChangedSession.objects.create(club_id=first.club_id, session=first, from_day=first.played_on, players=sat)
        figures.ring_after_commit(first.club_id)


def placed_in(session: Session, season: Season | None, *, counted: bool) -> dict[int, set[int]]:
    """Who stands in the season's table by this session: season's id -> players' ids; none unless it counts."""
    if season is None or not counted:
        return {}
    players = SessionResult.objects.filter(session=session, place__isnull=False).values_list("player_id", flat=True)
    return {season.pk: set(players)}


# --- History and messages ---------------------------------------------------------------------------------------------


def write_revision(
    session: Session,
    *,
    access: Access,
    kind: RevisionKind,
    now: datetime,
    checked: Checked | None = None,
    reason: str = "",
    was: Mapping[str, Any] | None = None,
) -> None:
    """Keep the session as it is now; `checked` is what was just stored, without it the rows are read.

    `was` is its snapshot before a change that may have moved its day or its players.
    """
    data = snapshot(session) if checked is None else snapshot_of(session, checked)
    row = revision_row(session, access=access, kind=kind, now=now, data=data, reason=reason)
    row.save(force_insert=True)
    tournament_results.follow([session])
    changed = _changed(row, was)
    if changed is not None:
        changed.save(force_insert=True)
        figures.ring_after_commit(session.club_id)


def store_revisions(revisions: Iterable[SessionRevision], *, also: Iterable[int] = ()) -> None:
    """Keep revisions of many sessions; `also` are ids of players who sat in each of them before."""
    rows = SessionRevision.objects.bulk_create(revisions)
    tournament_results.follow(row.session for row in rows)
    was = {"players": [{"player": player} for player in also]}
    found = [one for one in (_changed(row, was) for row in rows) if one is not None]
    ChangedSession.objects.bulk_create(found)
    for club_id in {one.club_id for one in found}:
        figures.ring_after_commit(club_id)


def _changed(revision: SessionRevision, was: Mapping[str, Any] | None) -> ChangedSession | None:
    """That figures have to follow this revision, unless the session went on before and still does."""
    data: Mapping[str, Any] = revision.data
    both = (data, was or {})
    if all(one.get("status", SessionStatus.OPEN) == SessionStatus.OPEN for one in both):
        return None
    return ChangedSession(
        club_id=revision.club_id,
        session_id=revision.session_id,
        from_day=min(date.fromisoformat(one["played_on"]) for one in both if "played_on" in one),
        players=sorted({seat["player"] for one in both for seat in one.get("players", ())}),
    )


def revision_row(
    session: Session,
    *,
    access: Access,
    kind: RevisionKind,
    now: datetime,
    data: Mapping[str, object],
    reason: str = "",
) -> SessionRevision:
    """A revision, not stored yet; `data` is a snapshot."""
    return SessionRevision(
        club_id=session.club_id,
        session=session,
        number=session.revision,
        kind=kind,
        reason=reason,
        at=now,
        user_id=access.actor.user_id,
        token_id=access.actor.token_id,
        data=data,
    )


def keep_first(session: Session, data: Mapping[str, object]) -> None:
    """Keep a session as it is before its first change, where it was stored before there was a history."""
    if not SessionRevision.objects.filter(session=session).exists():
        SessionRevision.objects.create(
            club_id=session.club_id,
            session=session,
            number=session.revision,
            kind=RevisionKind.RECORDED,
            at=session.created_at,
            user_id=session.created_by_id,
            data=data,
        )


def snapshot(session: Session) -> dict[str, object]:
    """A stored session as plain data: ids of players, never names; scores and results in the order of those ids."""
    prefetch_related_objects([session], _seats_with_players(), "rounds__scores")
    return {
        **_head(session),
        "players": [
            seat_told(seat.player_id, seat.number, seat.from_round, seat.until_round) for seat in session.seats.all()
        ],
        "rounds": [
            {
                "number": one.number,
                "game": one.game,
                "note": one.note,
                "confirmed": one.confirmed,
                "scores": [
                    {"player": score.player_id, "points": score.points, "place": score.place}
                    for score in sorted(one.scores.all(), key=lambda score: score.player_id)
                ],
            }
            for one in session.rounds.all()
        ],
        "results": [
            {"player": one.player_id, "place_sum": one.place_sum, "place": one.place}
            for one in sorted(session.results.all(), key=lambda result: result.player_id)
        ],
    }


def snapshot_of(session: Session, checked: Checked) -> dict[str, object]:
    """As `snapshot`, from what was just stored."""
    seats = sorted(checked.seats, key=lambda seat: (seat.number, seat.from_round))
    return {
        **_head(session),
        "players": [seat_told(seat.player.pk, seat.number, seat.from_round, seat.until_round) for seat in seats],
        "rounds": [
            {
                "number": one.number,
                "game": one.game,
                "note": one.note,
                "confirmed": sorted({warning.code for warning in one.warnings}),
                "scores": [
                    {"player": player.pk, "points": points, "place": place}
                    for player, points, place in sorted(one.scores, key=lambda score: score[0].pk)
                ],
            }
            for one in checked.scored
        ],
        "results": [
            {"player": one.player, "place_sum": one.place_sum, "place": one.place}
            for one in sorted(checked.score.results if checked.score else (), key=lambda result: result.player)
        ],
    }


def seat_told(player: int, number: int, from_round: int = 1, until_round: int | None = None) -> dict[str, object]:
    """A seat as a snapshot has it; `player` is the id."""
    return {"player": player, "seat": number, "from_round": from_round, "until_round": until_round}


def _head(session: Session) -> dict[str, object]:
    return {
        "format": session.format,
        "season": session.season_id,
        "played_on": session.played_on.isoformat(),
        "location": session.location,
        "comment": session.comment,
        "planned_rounds": session.planned_rounds,
        "repeats": session.repeats,
        "status": session.status,
        "voided": session.voided_at is not None,
        "confirmation": session.confirmation,
        "counts": session.counts,
        "confirmed": session.confirmed,
    }


def refresh_digest(session: Session) -> None:
    """Bring the digest up to what is stored; the caller saves. Reads seats and rounds unless they are read already."""
    prefetch_related_objects([session], _seats_with_players(), "rounds__scores")
    session.digest = _stored_digest(session)


def tell(
    session: Session,
    *,
    access: Access,
    events: Sequence[str],
    now: datetime,
    seasons: Mapping[int, Iterable[int]] | None = None,
) -> None:
    """Write the messages of a change to other programs.

    `seasons` are those whose standings changed: id -> ids of the players concerned.
    """
    about = {
        "session": session.pk,
        "season": session.season_id,
        "format": session.format,
        "played_on": session.played_on.isoformat(),
        "status": session.status,
        "voided": session.voided_at is not None,
        "revision": session.revision,
    }
    told: list[tuple[str, Mapping[str, object]]] = [(event, about) for event in events]
    told += [
        ("standings.changed", {"season": season, "players": sorted(set(players)), "session": session.pk})
        for season, players in (seasons or {}).items()
    ]
    webhooks.emit_all(club=access.club, events=told, now=now)
