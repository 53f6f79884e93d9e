"""One event a change, with ids and figures and never a name."""

import json
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest

from league.models import AuditEvent, Member, Role, Scope
from league.services import bot_matches, clubs, players, results, seasons, tokens
from league.services.bot_matches import BotMatchInput
from tests.people import NAMES, NOW, People
from tests.services.given import ANYTHING, by_places, evening, record, series

pytestmark = pytest.mark.django_db


def test_every_change_leaves_one_event(people: People) -> None:
    by = people.access(people.owner)
    bots = [players.create(access=by, name=f"Robo {n}", kind="bot", bot="random", now=NOW) for n in range(4)]
    token, _raw = tokens.create(access=by, name="app", scope=Scope.READ, expires_at=None, now=NOW)
    session = record(people, series({"Ann": 1, "Ben": 2}, planned=5))
    member = Member.objects.get(user=people.member)
    league = people.season.league_id
    season: dict[str, Any] = {"name": "Cup", "slug": "cup", "starts_on": date(2026, 1, 1)}
    AuditEvent.objects.all().delete()
    later = NOW + timedelta(hours=1)
    given: dict[str, Any] = {"access": by, "now": later}
    at: dict[str, Any] = {**given, "session_id": session.pk}
    match = BotMatchInput(game="xxl-6", players=tuple(bot.pk for bot in bots), seed=1)
    round_ = by_places("xxl-6", {"Ann": 1, "Cem": 2})
    changes: list[tuple[str, Callable[[], object]]] = [
        ("club.updated", lambda: clubs.update(name="Neuer Name", **given)),
        ("member.changed", lambda: clubs.change_role(member_id=member.pk, role=Role.ADMIN, **given)),
        ("member.removed", lambda: clubs.remove_member(member_id=member.pk, **given)),
        ("member.added", lambda: clubs.add_member(username="member", role=Role.MEMBER, **given)),
        ("player.created", lambda: players.create(name="Zoe", **given)),
        (
            "player.updated",
            lambda: players.update(player_id=people.players[5].pk, changes={"name": "Finja"}, **given),
        ),
        ("league.created", lambda: seasons.create_league(name="Chess", slug="chess", **given)),
        ("league.updated", lambda: seasons.update_league(league_id=league, changes={"name": "Chess"}, **given)),
        ("season.created", lambda: seasons.create_season(league_id=league, fields=season, **given)),
        (
            "season.updated",
            lambda: seasons.update_season(season_id=people.season.pk, changes={"name": "Cup"}, **given),
        ),
        ("session.recorded", lambda: results.record(data=evening("four-players"), confirm=frozenset(), **given)),
        ("session.player_joined", lambda: results.join(player="Dora", seat=None, **at)),
        ("session.player_left", lambda: results.leave(player="Dora", **at)),
        ("session.player_joined", lambda: results.substitute(player="Cem", for_player="Ben", **at)),
        ("round.recorded", lambda: results.record_round(data=round_, confirm=ANYTHING, **at)),
        ("session.ended", lambda: results.end(confirm=ANYTHING, **at)),
        ("token.created", lambda: tokens.create(name="app", scope=Scope.READ, expires_at=None, **given)),
        ("token.revoked", lambda: tokens.revoke(token_id=token.pk, **given)),
        ("bot_match.requested", lambda: bot_matches.request(data=match, **given)),
    ]
    for number, (action, change) in enumerate(changes, start=1):
        change()
        assert AuditEvent.objects.count() == number, action
        event = AuditEvent.objects.latest("id")
        assert (event.action, event.at, event.club, event.user) == (action, later, people.club, people.owner)
        names = (*NAMES, "Zoe", "Finja", "Robo", "Neuer", "Chess", "Cup", "app", "Café")
        told = json.dumps(event.data, ensure_ascii=False)
        assert not [name for name in names if f'"{name}' in told], (action, told)


def test_founding_a_club_is_in_its_own_trail(people: People) -> None:
    club = clubs.create(owner=people.member, name="Club", slug="club", now=NOW)
    event = AuditEvent.objects.get(club=club)
    assert (event.action, event.object_id, event.user) == ("club.created", club.pk, people.member)


def test_what_is_refused_leaves_no_event(people: People) -> None:
    for action in (
        lambda: players.create(access=people.access(people.owner), name="Ann", now=NOW),
        lambda: clubs.update(access=people.access(people.member), name="x", now=NOW),
    ):
        with pytest.raises(Exception):  # noqa: B017 - whatever it is
            action()
    assert not AuditEvent.objects.exists()
