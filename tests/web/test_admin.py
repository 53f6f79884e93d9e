"""The administration: every model, every page, for superusers alone."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.models import (
    ApiToken,
    BotMatch,
    BotMatchChunk,
    ChangedSession,
    ClubGame,
    Division,
    DivisionPlayer,
    EntryAbsence,
    IdempotencyRecord,
    ImportBatch,
    ImportMark,
    Invite,
    Job,
    LoginThrottle,
    Member,
    PairWish,
    ParTally,
    PlannedEvening,
    Player,
    PlayerMerge,
    Rating,
    RatingChange,
    SeasonRulesVersion,
    Session,
    SignUp,
    Stage,
    StageEntry,
    Statistics,
    Tournament,
    TournamentEntry,
    TournamentFile,
    TournamentRound,
    TournamentSeat,
    TournamentTable,
    User,
    WebhookAttempt,
    WebhookEndpoint,
)
from league.services import bot_matches, tokens, webhooks
from league.services.bot_matches import BotMatchInput
from tests.people import NOW, People, people_for_a_module
from tests.services.given import carry_out
from tests.web.stories import play_three_evenings

pytestmark = pytest.mark.one_database
MODELS = sorted(apps.get_app_config("league").get_models(), key=lambda model: model.__name__)


@pytest.fixture(scope="module")
def filled(django_db_setup: None, django_db_blocker: Any) -> Iterator[People]:
    """A row of every model, for all tests of this module."""
    with people_for_a_module(django_db_blocker) as people:
        _fill(people, play_three_evenings(people))
        yield people


@pytest.fixture
def people(filled: People, db: None) -> People:
    return filled


@pytest.fixture
def root(people: People) -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("root"))
    return client


def _fill(people: People, evenings: list[Session]) -> None:
    access = people.access(people.admin)
    token, _raw = tokens.create(access=access, name="app", scope="read", expires_at=None, now=NOW)  # type: ignore[arg-type]
    bots = [Player.objects.create(club=people.club, name=f"Robo {n}", kind="bot", bot="random") for n in range(2)]
    data = BotMatchInput(game="xxl-6", players=tuple(bot.pk for bot in bots), seed=1)
    match = bot_matches.request(access=access, data=data, now=NOW)
    carry_out(match)
    IdempotencyRecord.objects.create(
        actor=f"token:{token.pk}", key="k", fingerprint="f", status=201, body='{"secret": "tl_hush"}', created_at=NOW
    )
    Invite.objects.create(club=people.club, code_sha256="0" * 64, created_by=people.admin, expires_at=NOW)
    LoginThrottle.objects.create(key="0" * 64, last_at=NOW)
    ParTally.objects.create(game="the-game", seats=3, options="{}", bot="planner", version="1", games=2000)
    endpoint = webhooks.create(access=access, url="https://1.1.1.1/", description="", events=[], now=NOW)
    delivery = webhooks.ping(access=access, endpoint_id=endpoint.pk, now=NOW)
    WebhookAttempt.objects.create(club=people.club, delivery=delivery, number=1, at=NOW, milliseconds=1, status=204)
    session = evenings[0]
    ClubGame.objects.create(club=people.club, key="boules", name="Boules")
    PlayerMerge.objects.create(
        club=people.club, source=people.players[4], target=people.players[5], sessions=[], merged_at=NOW
    )
    batch = ImportBatch.objects.create(
        club=people.club, source="csv", file_name="plays.csv", file_sha256="0" * 64, content=b"date;player"
    )
    ImportMark.objects.create(club=people.club, batch=batch, source="csv", external_id="1", session=session)
    season = {"club": people.club, "season": people.season}
    player = {"club": people.club, "player": people.players[0]}
    SeasonRulesVersion.objects.create(**season, number=1, at=NOW, rules={})
    division = Division.objects.create(**season, level=1, name="First")
    DivisionPlayer.objects.create(**season, division=division, player=people.players[0])
    planned = PlannedEvening.objects.create(**season, starts_at=NOW)
    SignUp.objects.create(**player, evening=planned, state="coming", since=NOW)
    ChangedSession.objects.create(club=people.club, session=session, from_day=session.played_on)
    Statistics.objects.create(**player, subject="player", data={}, computed_at=NOW)
    rating = {"board": "people", "family": "xxl", "mu": 25.0, "sigma": 8.0, "value": 1000.0, "results": 1}
    Rating.objects.create(**player, **rating)
    RatingChange.objects.create(**player, **rating, session=session, played_on=session.played_on)
    _fill_tournament(people)


def _fill_tournament(people: People) -> None:
    """Six at one table: were there a query for each, the pages would show it."""
    club = {"club": people.club}
    tournament = Tournament.objects.create(
        **club, season=people.season, name="Cup", slug="cup", starts_on=NOW.date(), board_key="boardkey-hush", seed=1,
        entry_key="entrykey-hush", session_format="pure_xxl", metric="places",
    )  # fmt: skip
    stage = Stage.objects.create(**club, tournament=tournament, number=1, format="table_swiss")
    first = TournamentRound.objects.create(**club, tournament=tournament, stage=stage, number=1, seed=1, paired_at=NOW)
    table = TournamentTable.objects.create(**club, round=first, number=1)
    entries = [
        TournamentEntry.objects.create(**club, tournament=tournament, player=player) for player in people.players
    ]
    for number, entry in enumerate(entries):
        StageEntry.objects.create(**club, stage=stage, entry=entry, seed=number + 1)
        TournamentSeat.objects.create(**club, table=table, entry=entry, number=number)
        EntryAbsence.objects.create(**club, entry=entry, from_round=2)
    job = Job.objects.create(**club, kind="tournament_file")
    TournamentFile.objects.create(**club, job=job, looks=False, tournament=tournament, text="001 names that hush")
    for one, other in pairwise(entries):
        PairWish.objects.create(**club, tournament=tournament, kind="apart", first=one, second=other)


def test_every_model_is_registered() -> None:
    assert [model for model in MODELS if not admin.site.is_registered(model)] == []


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_page_opens(root: Client, model: type) -> None:
    name = f"admin:league_{model.__name__.lower()}"
    row = model.objects.order_by("pk").first()  # type: ignore[attr-defined]
    assert row is not None

    with CaptureQueriesContext(connection) as queries:
        assert root.get(reverse(f"{name}_changelist")).status_code == 200
    assert len(queries) <= 14, "a query a row?"
    assert root.get(reverse(f"{name}_changelist"), {"q": "1"}).status_code == 200
    page = root.get(reverse(f"{name}_change", args=[row.pk]))
    assert page.status_code == 200
    editable = admin.site.get_model_admin(model).has_change_permission(page.wsgi_request)
    assert editable == (model.__name__ in {"User", "Club", "Member"})
    assert root.get(reverse(f"{name}_add")).status_code == (200 if editable else 403)
    assert ("_save" in page.content.decode()) == editable


def test_operators_find_where_a_job_went_wrong(root: Client) -> None:
    job = Job.objects.filter(parent=None).latest("pk")
    part = Job.objects.create(club=job.club, kind="bot_chunk", parent=job, trace="File deck.py, line 7")
    assert "File deck.py, line 7" in root.get(reverse("admin:league_job_change", args=[part.pk])).content.decode()
    found = root.get(reverse("admin:league_job_changelist"), {"q": "deck.py"}).content.decode()
    assert reverse("admin:league_job_change", args=[part.pk]) in found
    assert reverse("admin:league_job_change", args=[job.pk]) not in found


def test_secrets_are_never_shown(root: Client) -> None:
    token = ApiToken.objects.get()
    assert (
        token.secret_sha256 not in root.get(reverse("admin:league_apitoken_change", args=[token.pk])).content.decode()
    )
    endpoint = WebhookEndpoint.objects.get()
    page = root.get(reverse("admin:league_webhookendpoint_change", args=[endpoint.pk]))
    assert endpoint.secret.removeprefix("whsec_") not in page.content.decode()
    page = root.get(reverse("admin:league_tournament_change", args=[Tournament.objects.get().pk]))
    assert "hush" not in page.content.decode()
    record = IdempotencyRecord.objects.get()
    page = root.get(reverse("admin:league_idempotencyrecord_change", args=[record.pk]))
    assert "tl_hush" not in page.content.decode()
    assert BotMatchChunk.objects.get().records
    match = root.get(reverse("admin:league_botmatch_change", args=[BotMatch.objects.get().pk]))
    assert "moves" not in match.content.decode()


def test_is_for_superusers_alone(people: People) -> None:
    client = Client()
    User.objects.filter(pk=people.owner.pk).update(is_staff=True)
    client.force_login(people.owner)

    assert client.get("/admin/").status_code == 302
    assert client.get("/admin/league/club/").status_code == 302


def test_a_superuser_makes_a_login_and_a_membership(people: People, root: Client) -> None:
    password = "king-of-clubs-13"
    form = {"username": "gul", "usable_password": "true", "password1": password, "password2": password}
    assert root.post(reverse("admin:league_user_add"), form).status_code == 302
    gul = User.objects.get(username="gul")
    assert gul.check_password(password)

    form = {"club": str(people.club.pk), "user": str(gul.pk), "role": "member"}
    assert root.post(reverse("admin:league_member_add"), form).status_code == 302
    assert Member.objects.filter(club=people.club, user=gul).exists()


def test_a_superuser_makes_a_link_for_a_new_password(people: People, root: Client) -> None:
    address = reverse("admin:league_user_reset_link", args=[people.member.pk])
    assert address in root.get(reverse("admin:league_user_change", args=[people.member.pk])).content.decode()
    assert root.get(address).status_code == 405

    answer = root.post(address)

    link = re.search(r"http://testserver(/account/reset/\S+/)<", answer.content.decode())
    assert link is not None
    assert "no-store" in answer["Cache-Control"]
    page = Client().get(link[1], follow=True)
    assert "New password" in page.content.decode()
    assert "new_password1" in page.content.decode()
    # Nobody else makes one.
    client = Client()
    client.force_login(people.owner)
    assert client.post(address).status_code == 302
