"""Who may do what: docs/roles.md says it, and every route of the product is asked for as everybody.

A route that is new needs a row there, or its name in a row that stands; a path that has a new kind of part needs a
value in `_values`.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.apps import apps
from django.conf import settings
from django.db import transaction
from django.test import Client
from django.test.client import ClientHandler
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from league.models import ApiToken, Member, Player, Role, Scope, Season, Tournament
from league.models.tenancy import ClubOwned
from league.services import invites, merges, results, setup, table_links, tokens, tournaments
from league.web import calendars
from tests.api.routes import BODIES, description, fill
from tests.people import NOW, People
from tests.services.given import ANYTHING, by_points

DOCUMENT = Path(__file__).parents[1] / "docs" / "roles.md"
WORDS = {"yes", "no", "hidden", "log in"}
PRIVATE = "Pages of a season for members only"
# What answers for every address that nothing else answers for.
_CATCH_ALL = {"api/v1/", "admin/(?P<url>.*)$"}
_PART = re.compile(r"<(?:\w+:)?(\w+)>")
# One for all requests: each would load the middleware anew.
_HANDLER = ClientHandler(enforce_csrf_checks=False)


@dataclass(frozen=True)
class Row:
    """One row of a table: what each actor gets at these routes."""

    heading: str
    routes: tuple[str, ...]
    words: Mapping[str, str]


def _rows() -> Iterator[Row]:
    heading = ""
    columns: list[str] = []
    for line in DOCUMENT.read_text().splitlines():
        if line.startswith("#"):
            heading, columns = line.lstrip("# "), []
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| What | Routes |"):
            columns = cells[2:]
        elif columns and "`" in line:
            words = dict(zip(columns, cells[2:], strict=True))
            assert set(words.values()) <= WORDS, line
            yield Row(heading, tuple(re.findall(r"`([^`]+)`", cells[1])), words)


@dataclass(frozen=True)
class Route:
    """A page by its name, or an operation of the API; `path` still has its parts."""

    name: str
    path: str
    methods: tuple[str, ...]
    body: Any = None


def _pages(found: Any, path: str = "", namespace: str = "") -> Iterator[Route]:
    for one in found:
        here = path + str(one.pattern)
        if isinstance(one, URLResolver):
            inside = f"{one.namespace}:" if one.namespace else ""
            yield from _pages(one.url_patterns, here, namespace + inside)
        elif isinstance(one, URLPattern) and here not in _CATCH_ALL:
            here = here.replace("^(?P<app_label>league)/$", "league/")
            methods = ("GET",) if namespace in {"admin:", "api:"} else ("GET", "POST")
            yield Route(f"{namespace}{one.name}", f"/{here}", methods)


def _operations() -> Iterator[Route]:
    for path, operations in description()["paths"].items():
        for method, operation in operations.items():
            name = operation["operationId"]
            body = BODIES.get(name, {}) if method in {"post", "patch"} else None
            yield Route(name, path.replace("{", "<").replace("}", ">"), (method.upper(),), body)


def _routes() -> list[Route]:
    described = {re.sub(_PART, "<>", route.path) for route in _operations()}
    pages = [route for route in _pages(get_resolver().url_patterns) if _PART.sub("<>", route.path) not in described]
    return [*pages, *_operations()]


def _row_of(rows: list[Row], name: str) -> Row | None:
    named = [row for row in rows if name in row.routes]
    assert len(named) <= 1, f"docs/roles.md names {name} twice"
    wild = [row for row in rows if f"{name.partition(':')[0]}:*" in row.routes]
    return next(iter(named or wild), None)


def test_every_route_has_its_row() -> None:
    rows = [row for row in _rows() if row.heading != PRIVATE]
    names = {route.name for route in _routes()}
    missing = sorted(name for name in names if _row_of(rows, name) is None)
    assert not missing, f"docs/roles.md has no row for: {', '.join(missing)}"
    known = {name for row in _rows() for name in row.routes if not name.endswith("*")}
    assert known <= names, f"docs/roles.md names what is not there: {', '.join(sorted(known - names))}"


@dataclass(frozen=True)
class Actor:
    """Who asks: a browser with the key of its session, "" without, or a program with a token."""

    session: str = ""
    token: str = ""

    def gets(self, method: str, path: str, body: Any) -> str:
        """The word for what the answer says; "" where the route does not take the method. Nothing stays changed."""
        # Anew each time: an answer may log out.
        client = Client(headers={"Authorization": f"Bearer {self.token}"} if self.token else None)
        client.handler = _HANDLER
        client.cookies[settings.SESSION_COOKIE_NAME] = self.session
        kind = "application/json" if path.startswith("/api/") else "application/x-www-form-urlencoded"
        data = b"" if body is None else json.dumps(body).encode()
        with transaction.atomic():
            answer: Any = client.generic(method, path, data, content_type=kind)
            if answer.streaming:
                list(answer.streaming_content)
            transaction.set_rollback(True)
        return _word(answer)


def _word(answer: Any) -> str:
    location = answer.headers.get("Location", "")
    if answer.status_code == 401 or re.match(r"(/admin)?/login/\?next=", location):
        return "log in"
    if answer.status_code == 405:
        return ""
    return {403: "no", 404: "hidden"}.get(answer.status_code, "yes" if answer.status_code < 500 else "an error of ours")


def _actors(people: People, link: str) -> dict[str, Actor]:
    actors = {"anonymous": Actor(), "table link": Actor(token=link)}
    for name in ("owner", "admin", "scorekeeper", "member", "stranger"):
        client = Client()
        client.force_login(getattr(people, name))
        actors[name] = Actor(session=client.cookies[settings.SESSION_COOKIE_NAME].value)
    for column, user, scope in [
        ("club:admin", people.owner, Scope.CLUB_ADMIN),
        ("results:write", people.owner, Scope.RESULTS_WRITE),
        ("read", people.owner, Scope.READ),
        ("other club", people.stranger, Scope.CLUB_ADMIN),
    ]:
        _token, raw = tokens.create(access=people.access(user), name=column, scope=scope, expires_at=None, now=NOW)
        actors[column] = Actor(token=raw)
    return actors


def _values(people: People, ids: Mapping[str, Any], link: str) -> dict[Any, Any]:
    """What stands in paths, by the name of the part, or by route and part where that differs."""
    access = people.access(people.owner)
    _invite, code = invites.create(access=access, role=Role.MEMBER, now=NOW)
    gone, stays = (Player.objects.create(club=people.club, name=name) for name in ("Gone", "Stays"))
    merges.merge(access=access, source_id=gone.pk, target_id=stays.pk, now=NOW)
    first_round = by_points("xxl-1", {"Ann": 0, "Ben": 10, "Cem": 20, "Dora": 30})
    results.record_round(access=access, session_id=ids["session_id"], data=first_round, confirm=ANYTHING, now=NOW)
    open_to_all = tournaments.invite(access=access, tournament_id=ids["tournament_id"], is_open=True, now=NOW)
    return {
        "club": "herzclub",
        "league": "monday-league",
        "season": "2026",
        "link_id": ids["table_link_id"],
        "batch_id": ids["import_id"],
        "raw": link,
        "uidb64": urlsafe_base64_encode(force_bytes(people.member.pk)),
        "token": "x-y",
        "id": people.member.pk,
        "object_id": people.member.pk,
        "user_id": people.member.pk,
        "content_type_id": 1,
        "key": calendars.key_of(Member.objects.get(user=people.member)),
        ("web:game", "key"): ids["game"],
        ("web:played-game", "key"): ids["game"],
        ("web:extend-par", "game"): "the-game",
        ("unmerge_player", "player_id"): gone.pk,
        ("web:unmerge-player", "player_id"): gone.pk,
        # Not the member of the table: everybody may end their own membership.
        ("remove_member", "member_id"): Member.objects.get(user=people.admin).pk,
        ("web:setup", "code"): setup.setup_code(),
        ("web:invite", "code"): code,
        "slug": open_to_all.slug,
        ("web:tournament-enter", "key"): open_to_all.entry_key,
        **ids,
    }


def _path(route: Route, values: Mapping[Any, Any]) -> str:
    def value(part: "re.Match[str]") -> str:
        own = (route.name, part[1])
        return str(values[own] if own in values else values[part[1]])

    return _PART.sub(value, route.path)


@pytest.mark.sqlite_alone
@pytest.mark.timeout(800)  # some five thousand requests
@time_machine.travel(NOW)
def test_everybody_gets_what_the_tables_say(people: People) -> None:
    ids = fill(people)
    _link, raw = table_links.create(access=people.access(people.owner), session_id=ids["session_id"], now=NOW)
    actors, values = _actors(people, raw), _values(people, ids, raw)
    rows = list(_rows())
    public, private = [row for row in rows if row.heading != PRIVATE], [row for row in rows if row.heading == PRIVATE]
    found: list[str] = []

    def compare(route: Route, row: Row) -> None:
        try:
            path = _path(route, values)
        except KeyError as missing:
            found.append(f"{route.name}: tests/test_roles.py has no value for {missing} of {route.path}")
            return
        for column, expected in row.words.items():
            if route.name.startswith("admin:") and column not in {"owner", "anonymous"}:
                continue  # it asks for one thing only, and that of all addresses alike
            got = {word for method in route.methods if (word := actors[column].gets(method, path, route.body))}
            if got != {expected}:
                found.append(f"{route.name} {path} as {column}: {' and '.join(sorted(got))}, not {expected}")

    routes = _routes()
    for route in routes:
        row = _row_of(public, route.name)
        if row is not None:
            compare(route, row)
    Season.objects.update(visibility="members")
    Tournament.objects.update(visibility="members")
    for route in routes:
        row = _row_of(private, route.name)
        if row is not None:
            compare(route, row)
    assert not found, "docs/roles.md is not what the product does:\n" + "\n".join(found)


@pytest.mark.parametrize("word", sorted(WORDS))
def test_the_words_are_explained(word: str) -> None:
    assert f"- **{word}**:" in DOCUMENT.read_text()


# --- Clubs apart ------------------------------------------------------------------------------------------------------


def _contents() -> dict[str, list[Any]]:
    """Every row of every tenant table, but for when a token was used."""
    return {
        model.__name__: list(model._default_manager.order_by("pk").values())
        for model in apps.get_app_config("league").get_models()
        if issubclass(model, ClubOwned) and model is not ApiToken
    }


@time_machine.travel(NOW)
def test_ids_of_another_club_are_not_found_in_the_pages_of_the_own_one(people: People) -> None:
    """As the owner of the Pikclub, at its own addresses, with everything that the Herzclub has."""
    ids = fill(people)
    _link, raw = table_links.create(access=people.access(people.owner), session_id=ids["session_id"], now=NOW)
    values = {**_values(people, ids, raw), "club": "pikclub"}
    actor = _actors(people, raw)["stranger"]
    tried = [
        route
        for route in _routes()
        if route.name.startswith("web:") and "<slug:club>" in route.path and re.search("_id>|:key>", route.path)
    ]
    assert len(tried) > 30
    before = _contents()
    found = {}
    for route in tried:
        path = _path(route, values)
        found[route.name] = {actor.gets(method, path, None) for method in route.methods} - {""}
    assert {name: words for name, words in found.items() if words != {"hidden"}} == {}
    assert _contents() == before


@time_machine.travel(NOW)
def test_no_form_takes_what_belongs_to_another_club(people: People) -> None:
    """As the owner of the Herzclub: in each field that takes one an id or name of the Pikclub, then one of its own."""
    ids = fill(people)
    theirs, own = [player.pk for player in people.other_players], [player.pk for player in people.players]
    Player.objects.filter(pk=theirs[0]).update(name="Secret", name_key="secret")
    Season.objects.filter(pk=people.other_season.pk).update(name="Secret season")
    their_season, season, session = people.other_season.pk, people.season.pk, ids["session_id"]
    their_member, member = (Member.objects.get(user=user).pk for user in (people.stranger, people.member))
    opened = {"format": "pure_xxl", "repeats": "1", "played_on": "2026-11-30", "season": "", "seat_0": own[4]}
    bot_1, bot_2, bot_3 = (
        Player.objects.filter(kind="bot", club=people.club).order_by("name").values_list("pk", flat=True)
    )
    bots = {"game": "xxl-6", "deals": "1", "season": "", "seat_0": bot_1, "seat_1": bot_2}
    person = {"name": "Gus", "kind": "person", "bot": ""}
    invited = {"role": "member", "days": "7", "note": ""}
    tournament = {"name": "Open", "slug": "open", "starts_on": "2026-12-05", "visibility": "public"}
    tournament |= {"session_format": "pure_xxl", "games_per_table": "1", "table_size": "4"}
    tournament |= {"stage_count": "1", "stage_1_format": "club_evening"}
    # Where, what else is sent, the field, what is not the club's, what is.
    attempts: list[tuple[str, dict[str, Any], str, Any, Any]] = [
        ("sessions/new/", opened, "seat_1", theirs[0], own[5]),
        ("sessions/new/", opened, "seat_1", "Secret", "Finn"),
        ("sessions/new/", {**opened, "seat_1": own[5]}, "season", their_season, season),
        (f"sessions/{session}/table/", {"substitutes": ""}, "player", theirs[0], own[5]),
        (f"sessions/{session}/table/", {"player": ""}, "substitutes", theirs[0], own[3]),
        ("bot-matches/new/", bots, "seat_1", theirs[0], bot_3),
        ("bot-matches/new/", bots, "season", their_season, season),
        ("manage/players/", person, "member", their_member, member),
        (f"manage/players/{own[0]}/", {"name": "Ann"}, "member", their_member, member),
        (f"manage/players/{own[5]}/merge/", {}, "into", theirs[0], own[4]),
        (f"manage/players/{own[5]}/merge/", {}, "into", "Secret", "Eva"),
        ("manage/members/invites/", invited, "player", theirs[0], own[5]),
        ("tournaments/cup/manage/entries/add/", {}, "player", theirs[0], own[4]),
        ("tournaments/new/", tournament, "season", their_season, season),
    ]
    client = Client()
    client.force_login(people.owner)
    before = _contents()

    def send(path: str, form: dict[str, Any]) -> tuple[str, bool]:
        """The page that comes back, and whether anything was stored."""
        with transaction.atomic():
            answer = client.post(f"/herzclub/{path}", form)
            stored = _contents() != before
            transaction.set_rollback(True)
        assert answer.status_code in {200, 302}, (path, form, answer.status_code)
        return answer.content.decode(), stored

    for path, form, field, foreign, native in attempts:
        page, stored = send(path, {**form, field: foreign})
        assert not stored, (path, field, foreign)
        assert "Secret" not in page or foreign == "Secret", (path, field)
        assert send(path, {**form, field: native})[1], f"{path} does not take {field}={native} either"
