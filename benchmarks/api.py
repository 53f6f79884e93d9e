"""Posting results: our API beside a hand-written minimal view, in one run on one machine.

    .venv-test/bin/python -m benchmarks.api [--database sqlite|postgresql] [--seconds 5] [--rounds 3]

Terms. A *result* is one player's place in one session; a *post* is one session of one game at a table of four, whole,
with an Idempotency-Key. The *minimal view* is `post_by_models` below: a plain Django view behind the product's
middleware, written by hand for this one case with the product's models. The *floor* is `post`: no middleware, no
models, SQL written by hand. Both check the token, validate, and store by one transaction the very rows that the product
stores; the run fails when a table gets other numbers of rows from one than from another.

Measured, over HTTP with gunicorn as the product runs it, the load generator on the same machine:
- posts per second of all three, by turns, each the median of its rounds, and the ratios of the medians;
- the time of 99 % of the product's posts at half its rate, posts coming at even intervals, waiting included;
- the product's time for one post after another in a season of 1,000 results and in one of 200,000, by turns, both on
  databases of their own with 20 results a player, and the ratio of the medians.

The sockets and files are those of a temporary folder. PostgreSQL runs without fsync, as in the tests, which flatters
both contestants; SQLite commits as in production. Redis is there beside PostgreSQL and nowhere else.
"""

# ruff: noqa: S603, S608 - the programs that run and what is put into SQL are our own
from __future__ import annotations

import argparse
import contextlib
import hashlib
import http.client
import json
import os
import queue
import re
import secrets
import shutil
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from random import Random
from statistics import median
from typing import Any
from urllib.parse import quote

from tests.product import ROOT
from tests.servers import hold_a_port, make_folder, postgres, remove_folder, valkey

GAME = "xxl-6"
POINTS = 480  # what a table of four has together, about
SMALL, LARGE = 1_000, 200_000  # results in the season
PER_PLAYER = 20
THREADS = 8

# --- The minimal view -------------------------------------------------------------------------------------------------


def floor() -> Any:
    """The WSGI application with the floor alone."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "league.settings"
    from django.conf import settings
    from django.core.wsgi import get_wsgi_application

    settings.ROOT_URLCONF = "benchmarks.api_urls"
    settings.MIDDLEWARE = []
    sys.modules["benchmarks.api_urls"] = _urls(post)
    return get_wsgi_application()


def minimal() -> Any:
    """The WSGI application with the minimal view alone, behind the product's middleware."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "league.settings"
    from django.conf import settings
    from django.core.wsgi import get_wsgi_application

    settings.ROOT_URLCONF = "benchmarks.api_urls"
    sys.modules["benchmarks.api_urls"] = _urls(post_by_models)
    return get_wsgi_application()


def _urls(view: Any) -> Any:
    """A URL conf of one address, the product's own."""
    from types import ModuleType

    from django.urls import path

    module = ModuleType("benchmarks.api_urls")
    module.urlpatterns = [path("api/v1/clubs/<slug:club>/sessions/", view)]  # type: ignore[attr-defined]
    return module


class _RefusedError(Exception):
    pass


def post(request: Any, club: str) -> Any:
    """Record one session of one game with one SQL statement a table."""
    from django.db import connection, transaction
    from django.http import JsonResponse

    try:
        with connection.cursor() as cursor:
            token_id, club_id, user_id = _authenticate(cursor, request, club)
        body = _validated(request.body)
        actor, key = f"token:{token_id}", request.headers["Idempotency-Key"]
        fingerprint = hashlib.sha256(f"POST {request.path}\n".encode() + request.body).hexdigest()
        with transaction.atomic(), connection.cursor() as cursor:
            now = connection.ops.adapt_datetimefield_value(datetime.now(UTC))
            cursor.execute(
                "INSERT INTO league_idempotencyrecord (actor, key, fingerprint, body, location, created_at)"
                " VALUES (%s, %s, %s, '', '', %s) ON CONFLICT DO NOTHING RETURNING id",
                [actor, key, fingerprint, now],
            )
            claimed = cursor.fetchone()
            if claimed is None:
                cursor.execute(
                    "SELECT fingerprint, body FROM league_idempotencyrecord WHERE actor = %s AND key = %s", [actor, key]
                )
                known, answer = cursor.fetchone()
                if known != fingerprint:
                    raise _RefusedError("the key stands for another request")
                return JsonResponse(json.loads(answer), status=201)
            document = _store(
                cursor,
                body,
                club_id=club_id,
                user_id=user_id,
                token_id=token_id,
                now=now,
                vendor=connection.vendor,
            )
            answer = json.dumps(document)
            cursor.execute(
                "UPDATE league_idempotencyrecord SET status = 201, body = %s, location = %s WHERE id = %s",
                [answer, f"{request.path}{document['id']}/", claimed[0]],
            )
        return JsonResponse(document, status=201)
    except (_RefusedError, KeyError, TypeError, ValueError) as error:
        return JsonResponse({"detail": str(error)}, status=400)


post.csrf_exempt = True  # type: ignore[attr-defined]


def _authenticate(cursor: Any, request: Any, club: str) -> tuple[int, int, int]:
    match = re.fullmatch(r"Bearer tl_([a-z0-9]+)_(\S+)", request.headers.get("Authorization", ""))
    if match is None:
        raise _RefusedError("no token")
    cursor.execute(
        "SELECT t.id, t.secret_sha256, t.scope, t.club_id, t.created_by_id, m.role FROM league_apitoken t"
        " JOIN league_club c ON c.id = t.club_id"
        " JOIN league_member m ON m.club_id = c.id AND m.user_id = t.created_by_id"
        " WHERE t.prefix = %s AND t.revoked_at IS NULL AND c.slug = %s",
        [match[1], club],
    )
    found = cursor.fetchone()
    if found is None or not secrets.compare_digest(found[1], hashlib.sha256(match[2].encode()).hexdigest()):
        raise _RefusedError("an unknown token")
    if found[2] not in {"results:write", "club:admin"}:
        raise _RefusedError("the token may not write")
    return found[0], found[3], found[4]


def _validated(raw: bytes) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(raw)
    if set(body) - {"season", "format", "played_on", "players", "rounds", "status"}:
        raise _RefusedError("unknown field")
    if body["format"] != "single_game" or body["status"] != "complete" or len(body["rounds"]) != 1:
        raise _RefusedError("not one whole game")
    if date.fromisoformat(body["played_on"]) > datetime.now(UTC).date():
        raise _RefusedError("in the future")
    players = [seat["player"] for seat in body["players"]]
    scores = {score["player"]: score["points"] for score in body["rounds"][0]["scores"]}
    if not all(isinstance(player, int) for player in players) or len(set(players)) != len(players):
        raise _RefusedError("players")
    if set(scores) != set(players) or not all(isinstance(points, int) for points in scores.values()):
        raise _RefusedError("scores")
    if body["rounds"][0]["game"] != GAME or not isinstance(body["season"], int):
        raise _RefusedError("game or season")
    return body


def _store(
    cursor: Any, body: dict[str, Any], *, club_id: int, user_id: int, token_id: int, now: Any, vendor: str
) -> dict[str, Any]:
    lock = " FOR NO KEY UPDATE" if vendor == "postgresql" else ""
    season, day = body["season"], body["played_on"]
    cursor.execute(f"SELECT status FROM league_season WHERE id = %s AND club_id = %s{lock}", [season, club_id])
    if cursor.fetchone() != ("open",):
        raise _RefusedError("season")
    players = [seat["player"] for seat in body["players"]]
    marks = ", ".join(["%s"] * len(players))
    cursor.execute(f"SELECT id, name FROM league_player WHERE club_id = %s AND id IN ({marks})", [club_id, *players])
    names = dict(cursor.fetchall())
    if len(names) != len(players):
        raise _RefusedError("unknown player")
    points = {score["player"]: score["points"] for score in body["rounds"][0]["scores"]}
    places = {player: 1 + sum(other > mine for other in points.values()) for player, mine in points.items()}
    digest = hashlib.sha256(json.dumps([sorted(players), sorted(points.items())]).encode()).hexdigest()
    cursor.execute(
        "INSERT INTO league_session (club_id, season_id, format, planned_rounds, repeats, status, played_on, location,"
        " comment, confirmed, counts, revision, confirmation, digest, created_by_id, created_at) VALUES"
        " (%s, %s, 'single_game', 1, 1, 'complete', %s, '', '', '[]', %s, 1, '', %s, %s, %s) RETURNING id",
        [club_id, season, day, True, digest, user_id, now],
    )
    (session,) = cursor.fetchone()
    _insert(
        cursor,
        "league_seat (club_id, session_id, player_id, number, from_round)",
        [[club_id, session, player, number, 1] for number, player in enumerate(players)],
    )
    cursor.execute(
        "INSERT INTO league_round (club_id, session_id, number, game, note, confirmed, created_at)"
        " VALUES (%s, %s, 1, %s, '', '[]', %s) RETURNING id",
        [club_id, session, GAME, now],
    )
    (round_id,) = cursor.fetchone()
    _insert(
        cursor,
        "league_score (club_id, round_id, player_id, points, place)",
        [[club_id, round_id, player, points[player], places[player]] for player in players],
    )
    _insert(
        cursor,
        "league_sessionresult (club_id, session_id, player_id, place_sum, rounds_played, rounds_missed, place, reason,"
        " points, players)",
        [
            [club_id, session, player, places[player], 1, 0, places[player], "", points[player], len(players)]
            for player in players
        ],
    )
    _insert(
        cursor,
        "league_standing (club_id, season_id, player_id, sessions, place_total, wins, last_session_id, last_place,"
        " counted, absences, value, game_points, place_counts, sort_key, tie_position)",
        [
            [
                *(club_id, season, player, 1, places[player], int(places[player] == 1)),
                *(session, places[player], 1, 0, float(places[player]), points[player], "[]"),
                *(float(places[player]), 0),
            ]
            for player in players
        ],
        " ON CONFLICT (season_id, player_id) DO UPDATE SET sessions = league_standing.sessions + 1,"
        " place_total = league_standing.place_total + excluded.place_total,"
        " wins = league_standing.wins + excluded.wins,"
        " sort_key = (league_standing.place_total + excluded.place_total) * 1.0 / (league_standing.sessions + 1),"
        " value = (league_standing.place_total + excluded.place_total) * 1.0 / (league_standing.sessions + 1),"
        " counted = league_standing.counted + 1,"
        " game_points = COALESCE(league_standing.game_points, 0) + excluded.game_points,"
        " last_session_id = excluded.last_session_id, last_place = excluded.last_place",
    )
    about = json.dumps({"season": season, "rounds": 1, "status": "complete"})
    cursor.execute(
        "INSERT INTO league_auditevent (club_id, at, token_id, action, object_id, data)"
        " VALUES (%s, %s, %s, 'session.recorded', %s, %s)",
        [club_id, now, token_id, session, about],
    )
    document = {
        "id": session,
        "season": season,
        "played_on": day,
        "players": [{"player": {"id": player, "name": names[player]}, "place": places[player]} for player in players],
        "rounds": [
            {"number": 1, "game": GAME, "scores": [{"player": one, "points": points[one]} for one in players]},
        ],
    }
    cursor.execute(
        "INSERT INTO league_sessionrevision (club_id, session_id, number, kind, reason, at, token_id, data)"
        " VALUES (%s, %s, 1, 'recorded', '', %s, %s, %s)",
        [club_id, session, now, token_id, json.dumps(document)],
    )
    cursor.execute(
        "INSERT INTO league_changedsession (club_id, session_id, from_day, players, at) VALUES (%s, %s, %s, %s, %s)",
        [club_id, session, day, json.dumps(players), now],
    )
    cursor.execute("SELECT id FROM league_webhookendpoint WHERE club_id = %s AND disabled_at IS NULL", [club_id])
    payload = json.dumps({"type": "result.recorded", "data": {"session": session, "season": season}})
    _insert(
        cursor,
        "league_webhookdelivery (club_id, endpoint_id, message_id, event, payload, state, attempts,"
        " attempts_before_replay, next_attempt_at, created_at)",
        [
            [club_id, one, f"msg_{secrets.token_urlsafe(18)}", "result.recorded", payload, "pending", 0, 0, now, now]
            for (one,) in cursor.fetchall()
        ],
    )
    return document


def _insert(cursor: Any, table: str, rows: list[list[Any]], ending: str = "") -> None:
    """One statement for all rows."""
    if rows:
        marks = ", ".join(["(" + ", ".join(["%s"] * len(rows[0])) + ")"] * len(rows))
        values = [value for row in rows for value in row]
        cursor.execute(f"INSERT INTO {table} VALUES {marks}{ending}", values)


def post_by_models(request: Any, club: str) -> Any:
    """Record one session of one game with the models."""
    from django.db import IntegrityError, transaction
    from django.http import JsonResponse

    from league.models import ApiToken, IdempotencyRecord, Member

    try:
        match = re.fullmatch(r"Bearer tl_([a-z0-9]+)_(\S+)", request.headers.get("Authorization", ""))
        token = match and ApiToken.objects.select_related("club").filter(prefix=match[1], revoked_at=None).first()
        if not match or token is None:
            raise _RefusedError("an unknown token")
        if not secrets.compare_digest(token.secret_sha256, hashlib.sha256(match[2].encode()).hexdigest()):
            raise _RefusedError("an unknown token")
        member = Member.objects.filter(club=token.club, user=token.created_by_id).first()
        if token.club.slug != club or member is None or token.scope not in {"results:write", "club:admin"}:
            raise _RefusedError("the token may not write here")
        body = _validated(request.body)
        actor, key, now = f"token:{token.pk}", request.headers["Idempotency-Key"], datetime.now(UTC)
        fingerprint = hashlib.sha256(f"POST {request.path}\n".encode() + request.body).hexdigest()
        with transaction.atomic():
            try:
                with transaction.atomic():
                    record = IdempotencyRecord.objects.create(
                        actor=actor, key=key, fingerprint=fingerprint, created_at=now
                    )
            except IntegrityError:
                known = IdempotencyRecord.objects.get(actor=actor, key=key)
                if known.fingerprint != fingerprint:
                    raise _RefusedError("the key stands for another request") from None
                return JsonResponse(json.loads(known.body), status=201)
            document = _store_by_models(body, token, now)
            record.status, record.body = 201, json.dumps(document)
            record.location = f"{request.path}{document['id']}/"
            record.save(update_fields=["status", "body", "location"])
        return JsonResponse(document, status=201)
    except (_RefusedError, KeyError, TypeError, ValueError) as error:
        return JsonResponse({"detail": str(error)}, status=400)


post_by_models.csrf_exempt = True  # type: ignore[attr-defined]


def _store_by_models(body: dict[str, Any], token: Any, now: datetime) -> dict[str, Any]:
    from league.models import (
        AuditEvent,
        ChangedSession,
        Player,
        Round,
        Score,
        Season,
        Seat,
        Session,
        SessionResult,
        SessionRevision,
        Standing,
        WebhookDelivery,
        WebhookEndpoint,
    )

    club = token.club
    season = Season.objects.select_for_update(no_key=True).filter(pk=body["season"], club=club, status="open").first()
    if season is None:
        raise _RefusedError("season")
    players = [seat["player"] for seat in body["players"]]
    found = Player.objects.filter(club=club, archived_at=None).in_bulk(players)
    if len(found) != len(players):
        raise _RefusedError("unknown player")
    points = {score["player"]: score["points"] for score in body["rounds"][0]["scores"]}
    places = {player: 1 + sum(other > mine for other in points.values()) for player, mine in points.items()}
    session = Session.objects.create(
        club=club,
        season=season,
        format="single_game",
        planned_rounds=1,
        status="complete",
        played_on=date.fromisoformat(body["played_on"]),
        counts=True,
        digest=hashlib.sha256(json.dumps([sorted(players), sorted(points.items())]).encode()).hexdigest(),
        created_by_id=token.created_by_id,
        created_at=now,
    )
    Seat.objects.bulk_create(
        Seat(club=club, session=session, player_id=player, number=number) for number, player in enumerate(players)
    )
    round_ = Round.objects.create(club=club, session=session, number=1, game=GAME, created_at=now)
    Score.objects.bulk_create(
        Score(club=club, round=round_, player_id=player, points=points[player], place=places[player])
        for player in players
    )
    SessionResult.objects.bulk_create(
        SessionResult(
            club=club,
            session=session,
            player_id=player,
            place_sum=places[player],
            rounds_played=1,
            place=places[player],
            points=points[player],
            players=len(players),
        )
        for player in players
    )
    standings = {one.player_id: one for one in Standing.objects.filter(season=season, player_id__in=players)}
    for player in players:
        one = standings.setdefault(player, Standing(club=club, season=season, player_id=player))
        one.sessions = (one.sessions or 0) + 1
        one.place_total = (one.place_total or 0) + places[player]
        one.wins = (one.wins or 0) + (places[player] == 1)
        one.counted = one.sessions
        one.value = one.sort_key = one.place_total / one.sessions
        one.game_points = (one.game_points or 0) + points[player]
        one.place_counts = [*one.place_counts, *[0] * (places[player] - len(one.place_counts))]
        one.place_counts[places[player] - 1] += 1
        one.last_session, one.last_place = session, places[player]
        one.pk = None
    Standing.objects.bulk_create(
        standings.values(),
        update_conflicts=True,
        unique_fields=["season", "player"],
        update_fields=[
            *("sessions", "place_total", "wins", "sort_key", "last_session", "last_place", "counted", "value"),
            *("game_points", "place_counts"),
        ],
    )
    about = {"season": season.pk, "rounds": 1, "status": "complete"}
    AuditEvent.objects.create(
        club=club, at=now, token=token, action="session.recorded", object_id=session.pk, data=about
    )
    document = {
        "id": session.pk,
        "season": season.pk,
        "played_on": body["played_on"],
        "players": [
            {"player": {"id": player, "name": found[player].name}, "place": places[player]} for player in players
        ],
        "rounds": [
            {"number": 1, "game": GAME, "scores": [{"player": one, "points": points[one]} for one in players]},
        ],
    }
    SessionRevision.objects.create(
        club=club, session=session, number=1, kind="recorded", at=now, token=token, data=document
    )
    ChangedSession.objects.create(club=club, session=session, from_day=session.played_on, players=players)
    endpoints = WebhookEndpoint.objects.filter(club=club, disabled_at=None).values_list("pk", flat=True)
    payload = {"type": "result.recorded", "data": {"session": session.pk, "season": season.pk}}
    WebhookDelivery.objects.bulk_create(
        WebhookDelivery(
            club=club,
            endpoint_id=endpoint,
            message_id=f"msg_{secrets.token_urlsafe(18)}",
            event="result.recorded",
            payload=payload,
            next_attempt_at=now,
            created_at=now,
        )
        for endpoint in endpoints
    )
    return document


# --- What is there before ---------------------------------------------------------------------------------------------


def fill(results: int) -> dict[str, Any]:
    """Give an empty database a club with a season of so many results; what a client has to know of it."""
    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "league.settings"
    django.setup()
    from django.db import connection, transaction

    from league.models import ApiToken, Club, League, Member, Player, Role, Scope, Season, User, WebhookEndpoint
    from league.services import access, tokens

    now = datetime.now(UTC)
    with transaction.atomic():
        club = Club.objects.create(name="Bench", slug="bench")
        owner = User.objects.create_user("owner")
        Member.objects.create(club=club, user=owner, role=Role.OWNER)
        league = League.objects.create(club=club, name="League", slug="league")
        season = Season.objects.create(club=club, league=league, name="S", slug="s", starts_on=date(2020, 1, 1))
        count = results // PER_PLAYER
        Player.objects.bulk_create(Player(club=club, name=f"Player {n}", name_key=f"player {n}") for n in range(count))
        WebhookEndpoint.objects.create(
            club=club,
            url="https://1.1.1.1/hook",
            secret=f"whsec_{secrets.token_hex(32)}",
            events=["result.recorded"],
            created_by=owner,
        )
        by = access.of_user(user=owner, club_slug="bench")
        token, raw = tokens.create(access=by, name="bench", scope=Scope.RESULTS_WRITE, expires_at=None, now=now)
        ApiToken.objects.filter(pk=token.pk).update(rate_limit=10_000_000)
        players = list(Player.objects.order_by("pk").values_list("pk", flat=True))
        with connection.cursor() as cursor:
            for statement in _history(club.pk, season.pk, players[0], count, results // 4):
                cursor.execute(statement)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return {"token": raw, "season": season.pk, "players": players, "database": str(connection.settings_dict["NAME"])}


def _history(club: int, season: int, first: int, players: int, sessions: int) -> Iterator[str]:
    """The season's past as SQL: session k seats the players 4k to 4k+3, who change places from time to time."""
    seats = "(SELECT 0 AS j UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3) AS seats"
    player = f"{first} + (s.digest_number * 4 + j) % {players}"
    place = "1 + (j + s.digest_number / 7) % 4"
    numbered = "(SELECT id, CAST(comment AS integer) AS digest_number FROM league_session) AS s"
    counted = f"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {sessions - 1})"
    yield (
        "INSERT INTO league_session (club_id, season_id, format, planned_rounds, repeats, status, played_on, location,"
        " comment, confirmed, counts, revision, confirmation, digest, created_at)"
        f" {counted} SELECT {club}, {season}, 'single_game', 1, 1, 'complete', DATE('2026-01-01'), '',"
        " CAST(i AS text), '[]', 1 = 1, 1, '', '', CURRENT_TIMESTAMP FROM n"
    )
    yield (
        "INSERT INTO league_seat (club_id, session_id, player_id, number, from_round)"
        f" SELECT {club}, s.id, {player}, j, 1 FROM {numbered}, {seats}"
    )
    yield (
        "INSERT INTO league_round (club_id, session_id, number, game, note, confirmed, created_at)"
        f" SELECT {club}, id, 1, '{GAME}', '', '[]', CURRENT_TIMESTAMP FROM league_session"
    )
    yield (
        "INSERT INTO league_score (club_id, round_id, player_id, points, place)"
        f" SELECT {club}, r.id, {player}, 100 - 10 * ({place}), {place}"
        f" FROM league_round r JOIN {numbered} ON s.id = r.session_id, {seats}"
    )
    yield (
        "INSERT INTO league_sessionresult"
        " (club_id, session_id, player_id, place_sum, rounds_played, rounds_missed, place, reason, points, players)"
        f" SELECT {club}, s.id, {player}, {place}, 1, 0, {place}, '', 100 - 10 * ({place}), 4 FROM {numbered}, {seats}"
    )
    yield (
        "INSERT INTO league_standing"
        " (club_id, season_id, player_id, sessions, place_total, wins, last_session_id, last_place, counted, absences,"
        " value, game_points, place_counts, sort_key, tie_position)"
        f" SELECT {club}, {season}, r.player_id, COUNT(*), SUM(r.place), SUM(CASE WHEN r.place = 1 THEN 1 ELSE 0 END),"
        " MAX(r.session_id), 1, COUNT(*), 0, SUM(r.place) * 1.0 / COUNT(*), SUM(r.points), '[]',"
        " SUM(r.place) * 1.0 / COUNT(*), 0 FROM league_sessionresult r GROUP BY r.player_id"
    )
    # The number of a session was needed up to here alone.
    yield "UPDATE league_session SET comment = ''"


# --- Running and loading ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Target:
    """One running server, and what a client has to know of its database."""

    port: int
    known: dict[str, Any]

    def body(self, rng: Random) -> bytes:
        players = rng.sample(self.known["players"], 4)
        points = [rng.randint(90, 150) for _player in players[1:]]
        points.append(POINTS - sum(points))
        scores = [{"player": player, "points": its} for player, its in zip(players, points, strict=True)]
        document = {
            "season": self.known["season"],
            "format": "single_game",
            "played_on": f"2026-{rng.randint(1, 10):02d}-{rng.randint(1, 28):02d}",
            "players": [{"player": player} for player in players],
            "rounds": [{"game": GAME, "scores": scores}],
            "status": "complete",
        }
        return json.dumps(document).encode()


class Client:
    """One kept connection."""

    def __init__(self, target: Target, seed: int) -> None:
        self.target = target
        self.rng = Random(seed)
        self.connection = http.client.HTTPConnection("127.0.0.1", target.port, timeout=60)

    def post(self) -> None:
        headers = {
            "Authorization": f"Bearer {self.target.known['token']}",
            "Content-Type": "application/json",
            "Idempotency-Key": str(uuid.uuid4()),
        }
        self.connection.request("POST", "/api/v1/clubs/bench/sessions/", self.target.body(self.rng), headers)
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status != 201:
            raise SystemExit(f"answered {answer.status}: {text[:500]!r}")


def throughput(target: Target, seconds: float, seed: int) -> float:
    """Posts per second of `THREADS` clients, each posting as soon as it has its answer."""
    counts = [0] * THREADS
    end = time.perf_counter() + seconds

    def run(number: int) -> None:
        client = Client(target, seed * 1000 + number)
        while time.perf_counter() < end:
            client.post()
            counts[number] += 1

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    begin = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts) / (time.perf_counter() - begin)


def at_rate(target: Target, rate: float, seconds: float, seed: int) -> list[float]:
    """The seconds that each post took at an even rate, from when it was due."""
    due: queue.Queue[float | None] = queue.Queue()
    taken: list[float] = []

    def run(number: int) -> None:
        client = Client(target, seed * 1000 + number)
        while (moment := due.get()) is not None:
            client.post()
            taken.append(time.perf_counter() - moment)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(2 * THREADS)]
    for thread in threads:
        thread.start()
    begin = time.perf_counter()
    for number in range(int(rate * seconds)):
        moment = begin + number / rate
        time.sleep(max(0.0, moment - time.perf_counter()))
        due.put(moment)
    for _thread in threads:
        due.put(None)
    for thread in threads:
        thread.join()
    return sorted(taken)


def one_by_one(client: Client, count: int) -> list[float]:
    """The seconds that each of so many posts took, one after the other."""
    taken = []
    for _number in range(count):
        begin = time.perf_counter()
        client.post()
        taken.append(time.perf_counter() - begin)
    return taken


@contextlib.contextmanager
def served(application: str, environ: dict[str, str], known: dict[str, Any]) -> Iterator[Target]:
    """Run gunicorn as the product does, until the end of the block."""
    held = hold_a_port()
    port = held.getsockname()[1]
    command = [sys.executable, "-m", "gunicorn", "-c", "python:league.management.gunicorn", application]
    process = subprocess.Popen(
        command, cwd=ROOT, env={**environ, "PORT": str(port)}, start_new_session=True, stdin=subprocess.DEVNULL
    )
    try:
        for _attempt in range(600):
            with contextlib.suppress(OSError):
                probe = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
                probe.request("GET", "/health/live")
                probe.getresponse().read()
                break
            time.sleep(0.1)
        yield Target(port, known)
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(30)
        held.close()


def prepare(environ: dict[str, str], results: int) -> dict[str, Any]:
    """Migrate and fill a database in a process of its own, for this one has no database."""
    migrate = [sys.executable, "manage.py", "migrate", "--verbosity=0"]
    subprocess.run(migrate, cwd=ROOT, env=environ, check=True)
    command = [sys.executable, "-m", "benchmarks.api", "--fill", str(results)]
    printed = subprocess.run(command, cwd=ROOT, env=environ, check=True, stdout=subprocess.PIPE, text=True).stdout
    known: dict[str, Any] = json.loads(printed)
    return known


def rows(environ: dict[str, str]) -> dict[str, int]:
    """How many rows each table has."""
    command = [sys.executable, "-m", "benchmarks.api", "--count"]
    printed = subprocess.run(command, cwd=ROOT, env=environ, check=True, stdout=subprocess.PIPE, text=True).stdout
    counted: dict[str, int] = json.loads(printed)
    return counted


def count_rows() -> dict[str, int]:
    """As `rows`, in this process."""
    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "league.settings"
    django.setup()
    from django.apps import apps

    return {model.__name__: model._base_manager.count() for model in apps.get_app_config("league").get_models()}


def check_same_rows(targets: dict[str, Target], environ: dict[str, str]) -> None:
    """Fail when one post of each does not add the same number of rows to every table."""
    # The first notes the use of the token, and Django makes its connections.
    for number, target in enumerate(targets.values()):
        Client(target, number).post()
    before, added = rows(environ), {}
    for name, target in targets.items():
        Client(target, 3 + target.port).post()
        after = rows(environ)
        added[name] = {table: after[table] - before[table] for table in before if after[table] != before[table]}
        before = after
    if any(its != added["product"] for its in added.values()):
        raise SystemExit(f"not the same rows: {added}")


def measure(name: str, environ: dict[str, dict[str, str]], seconds: float, rounds: int) -> None:
    """Print all figures for one kind of database; `environ` of the small and of the large one."""
    small, large = (prepare(environ[size], results) for size, results in (("small", SMALL), ("large", LARGE)))
    with (
        served("league.wsgi", environ["small"], small) as product,
        served("benchmarks.api:minimal()", environ["small"], small) as other,
        served("benchmarks.api:floor()", environ["small"], small) as lowest,
        served("league.wsgi", environ["large"], large) as grown,
    ):
        targets = {"product": product, "minimal": other, "floor": lowest}
        check_same_rows(targets, environ["small"])
        # First, while the small season is small: chunks by turns, so that a busy moment hits both.
        clients = [Client(product, 5), Client(grown, 6)]
        for client in clients:
            one_by_one(client, 5)
        times: list[list[float]] = [[], []]
        for _turn in range(10):
            for client, its_times in zip(clients, times, strict=True):
                its_times.extend(one_by_one(client, 10))
        costs = [median(its_times) for its_times in times]
        rates: dict[str, list[float]] = {target: [] for target in targets}
        for number in range(rounds):
            for seed, (target, where) in enumerate(targets.items(), start=1):
                rates[target].append(throughput(where, seconds, 10 * seed + number))
        ours, theirs, least = (median(rates[target]) for target in targets)
        taken = at_rate(product, ours / 2, max(seconds, 200 / ours * 2), 30)
    p99 = taken[int(len(taken) * 0.99)]
    say(f"{name}: product {ours:.0f}/s, minimal view {theirs:.0f}/s, ratio {ours / theirs:.2f}")
    share, its = ours / least, theirs / least
    say(f"{name}: floor {least:.0f}/s; the product is {share:.2f} of it, the minimal view {its:.2f}")
    say(f"{name}: at {ours / 2:.0f}/s half took {median(taken) * 1000:.0f} ms, 99 % at most {p99 * 1000:.0f} ms")
    say(
        f"{name}: one post {costs[0] * 1000:.1f} ms in a season of {SMALL} results, {costs[1] * 1000:.1f} ms in one of"
        f" {LARGE}, ratio {costs[1] / costs[0]:.2f}"
    )


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _environ(folder: Path, database: str, redis: str) -> dict[str, str]:
    folder.mkdir(parents=True)
    own = {"DATABASE_URL": database, "REDIS_URL": redis, "DATA_DIR": str(folder), "SECRET_KEY": secrets.token_hex(32)}
    return {**os.environ, **own, "PYTHONWARNINGS": "ignore"}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.api")
    parser.add_argument("--database", choices=["sqlite", "postgresql"], help="only this one")
    parser.add_argument("--seconds", type=float, default=5.0, help="the length of each measurement")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--fill", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--count", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.fill:
        say(json.dumps(fill(given.fill)))
        return
    if given.count:
        say(json.dumps(count_rows()))
        return
    folder = make_folder()
    try:
        if given.database != "postgresql":
            both = {
                size: _environ(folder / "sqlite" / size, f"sqlite:///{folder / 'sqlite' / size / 'bench.sqlite3'}", "")
                for size in ("small", "large")
            }
            measure("SQLite", both, given.seconds, given.rounds)
        if given.database != "sqlite":
            held, password = hold_a_port(), secrets.token_hex(16)
            port = held.getsockname()[1]
            (folder / "postgresql").mkdir()
            with held, postgres(folder / "servers") as sockets, valkey(folder / "valkey", port, password):
                both = {}
                for number, size in enumerate(("small", "large")):
                    url = f"postgres://postgres@{quote(str(sockets), safe='')}/{size}"
                    _create(sockets, size)
                    redis = f"redis://:{password}@127.0.0.1:{port}/{number}"
                    both[size] = _environ(folder / "postgresql" / size, url, redis)
                measure("PostgreSQL", both, given.seconds, given.rounds)
    finally:
        shutil.rmtree(folder / "sqlite", ignore_errors=True)
        remove_folder(folder)


def _create(sockets: Path, name: str) -> None:
    import psycopg

    with psycopg.connect(host=str(sockets), user="postgres", dbname="postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")


if __name__ == "__main__":
    main()
