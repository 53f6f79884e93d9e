"""One row of every model, for tests that walk through all of them."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any

from django.apps import apps
from django.db import models

from league.models import (
    ApiToken,
    AuditEvent,
    BotMatch,
    BotMatchChunk,
    BotMatchSeat,
    ChangedSession,
    Club,
    ClubGame,
    Division,
    DivisionPlayer,
    EntryAbsence,
    IdempotencyRecord,
    ImportBatch,
    ImportMark,
    ImportSource,
    Invite,
    Job,
    JobKind,
    League,
    LoginThrottle,
    Member,
    PairWish,
    PairWishKind,
    ParTally,
    PlannedEvening,
    Player,
    PlayerMerge,
    Rating,
    RatingChange,
    RevisionKind,
    Role,
    Round,
    Scope,
    Score,
    Season,
    SeasonRulesVersion,
    Seat,
    Session,
    SessionFormat,
    SessionResult,
    SessionRevision,
    SessionStatus,
    SignUp,
    Stage,
    StageEntry,
    StageFormat,
    Standing,
    Statistics,
    Tournament,
    TournamentEntry,
    TournamentFile,
    TournamentMetric,
    TournamentRound,
    TournamentSeat,
    TournamentTable,
    User,
    WebhookAttempt,
    WebhookDelivery,
    WebhookEndpoint,
)

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
Rows = Mapping[type[models.Model], Any]


def one_of_each(slug: str) -> Rows:
    """A club called `slug` with one row of every model of the app, each pointing at the others."""
    user = User.objects.create(username=slug)
    club = Club.objects.create(name=slug, slug=slug)
    member = Member.objects.create(club=club, user=user, role=Role.OWNER)
    league = League.objects.create(club=club, name="League", slug="league")
    season = Season.objects.create(
        club=club, league=league, name="2026", slug="2026", starts_on=date(2026, 1, 1), ends_on=date(2026, 12, 31)
    )
    player = Player.objects.create(club=club, name="Ann", member=member)
    opponent = Player.objects.create(club=club, name="Opponent")
    job = Job.objects.create(club=club, kind=JobKind.BOT_MATCH, user=user, lease_until=NOON)
    tournament = Tournament.objects.create(
        club=club,
        season=season,
        name="Autumn Cup",
        slug="autumn-cup",
        starts_on=date(2026, 11, 30),
        session_format=SessionFormat.PURE_XXL,
        metric=TournamentMetric.RESULT,
        seed=1,
        pairing_job=job,
        created_by=user,
    )
    entry, other_entry = (
        TournamentEntry.objects.create(club=club, tournament=tournament, player=one, user=user, seed=seed)
        for seed, one in enumerate((player, opponent), 1)
    )
    stage = Stage.objects.create(club=club, tournament=tournament, number=1, format=StageFormat.SWISS)
    tournament_round = TournamentRound.objects.create(
        club=club, tournament=tournament, stage=stage, number=1, seed=1, paired_at=NOON
    )
    tournament_table = TournamentTable.objects.create(club=club, round=tournament_round, number=1)
    session = Session.objects.create(
        club=club,
        season=season,
        table=tournament_table,
        format=SessionFormat.PURE_XXL,
        planned_rounds=6,
        played_on=date(2026, 11, 30),
        status=SessionStatus.INCOMPLETE,
        counts=True,
        created_by=user,
    )
    token = ApiToken.objects.create(
        club=club,
        name="phone",
        prefix=slug[:12],
        secret_sha256="0" * 64,
        scope=Scope.TABLE,
        session=session,
        created_by=user,
        expires_at=NOON,
        rate_limit=60,
    )
    division = Division.objects.create(club=club, season=season, level=1, name="First", relegated=1)
    planned = PlannedEvening.objects.create(club=club, season=season, starts_at=NOON, capacity=6, created_by=user)
    rated = {"club": club, "player": player, "board": "people", "family": "xxl"}
    rating = {"mu": 25.0, "sigma": 8.0, "value": 1000.0, "results": 1}
    round_ = Round.objects.create(club=club, session=session, number=1, game="xxl-1")
    Job.objects.filter(pk=job.pk).update(token=token)
    match = BotMatch.objects.create(
        club=club, job=job, season=season, session=session, game="xxl-6", seed=1, played_on=date(2026, 11, 30)
    )
    part = Job.objects.create(club=club, kind=JobKind.BOT_CHUNK, parent=job)
    batch = ImportBatch.objects.create(
        club=club,
        source=ImportSource.CSV,
        file_name="plays.csv",
        file_sha256="0" * 64,
        season=season,
        job=job,
        user=user,
        token=token,
    )
    endpoint = WebhookEndpoint.objects.create(
        club=club, url="https://example.org/", secret="whsec_AAAA", created_by=user, created_by_token=token
    )
    delivery = WebhookDelivery.objects.create(
        club=club, endpoint=endpoint, message_id="msg_1", event="webhook.ping", payload={}, created_at=NOON
    )
    rows = [
        user,
        club,
        member,
        token,
        league,
        season,
        player,
        session,
        round_,
        job,
        match,
        ClubGame.objects.create(club=club, key="boules", name="Boules"),
        PlayerMerge.objects.create(
            club=club,
            source=Player.objects.create(club=club, name="Anna", merged_into=player, archived_at=NOON),
            target=player,
            merged_at=NOON,
        ),
        Seat.objects.create(club=club, session=session, player=player, number=0, until_round=1),
        Score.objects.create(club=club, round=round_, player=player, points=0, place=1),
        SessionResult.objects.create(club=club, session=session, player=player, place_sum=1, rounds_played=1, place=1),
        Standing.objects.create(
            club=club,
            season=season,
            player=player,
            sessions=1,
            place_total=1,
            wins=1,
            sort_key=1,
            last_session=session,
            last_place=1,
            division=division,
        ),
        SeasonRulesVersion.objects.create(club=club, season=season, number=1, at=NOON, user=user, rules={}),
        division,
        DivisionPlayer.objects.create(club=club, season=season, division=division, player=player),
        planned,
        SignUp.objects.create(club=club, evening=planned, player=player, state="coming", since=NOON),
        tournament,
        # Of two entries the lower id comes first.
        entry,
        EntryAbsence.objects.create(club=club, entry=entry, from_round=2, until_round=2),
        PairWish.objects.create(
            club=club, tournament=tournament, kind=PairWishKind.APART, first=entry, second=other_entry
        ),
        stage,
        StageEntry.objects.create(club=club, stage=stage, entry=entry, seed=1),
        tournament_round,
        tournament_table,
        TournamentSeat.objects.create(club=club, table=tournament_table, entry=entry, number=0, place=1),
        TournamentFile.objects.create(club=club, job=job, looks=False, tournament=tournament),
        ChangedSession.objects.create(club=club, session=session, from_day=session.played_on, players=[player.pk]),
        Statistics.objects.create(club=club, subject="player", player=player, data={}, computed_at=NOON),
        Rating.objects.create(**rated, **rating),
        RatingChange.objects.create(session=session, played_on=session.played_on, **rated, **rating),
        SessionRevision.objects.create(
            club=club, session=session, number=1, kind=RevisionKind.RECORDED, at=NOON, user=user, token=token, data={}
        ),
        batch,
        ImportMark.objects.create(
            club=club, batch=batch, source=ImportSource.CSV, external_id="row 2", session=session
        ),
        BotMatchSeat.objects.create(club=club, bot_match=match, number=0, player=player),
        BotMatchChunk.objects.create(club=club, bot_match=match, job=part, first_deal=0, deals=1),
        ParTally.objects.create(game="the-game", seats=3, options="{}", bot="planner", version=slug, games=1),
        Invite.objects.create(
            club=club, code_sha256=slug.ljust(64, "0"), player=player, created_by=user, expires_at=NOON, used_by=user
        ),
        LoginThrottle.objects.create(key=slug.ljust(64, "0"), last_at=NOON),
        endpoint,
        delivery,
        WebhookAttempt.objects.create(club=club, delivery=delivery, number=1, at=NOON, milliseconds=1, status=204),
        AuditEvent.objects.create(club=club, at=NOON, user=user, token=token, action="test.made", object_id=1),
        IdempotencyRecord.objects.create(actor=f"user:{user.pk}", key="k", fingerprint="0" * 64, created_at=NOON),
    ]
    return {type(row): row for row in rows}


def all_models() -> list[type[models.Model]]:
    """Every model of the app."""
    return list(apps.get_app_config("league").get_models())


def copy_of(row: models.Model, **changes: Any) -> models.Model:
    """An unsaved row with the same values under a new key, and `changes` (by field or column name)."""
    values = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
    values.pop(row._meta.pk.attname)
    return type(row)(**(values | changes))


def insert(row: models.Model) -> None:
    """Insert past `save()` and everything that it would put right."""
    type(row)._base_manager.bulk_create([row])
