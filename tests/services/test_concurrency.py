"""Many at once: nothing lost, nothing doubled, nobody blocked for good."""

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random
from threading import Event
from typing import Any

import pytest
from django.db import transaction

from league.models import ApiToken, AuditEvent, Member, Player, Role, Round, Scope, Season, Session, Standing, User
from league.services import clubs, corrections, players, results, seasons, setup, tokens
from league.services.errors import Conflict, InputError, Stale
from league.services.results import SessionInput
from tests.people import NAMES, NOW, People
from tests.services.given import ANYTHING, GAMES, by_points, evening, record, series
from tests.services.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)

THREADS = 8
EACH = 4


def _evening(rng: Random, season: str) -> SessionInput:
    """A table of three to six in any order: the threads meet the same players in different orders."""
    names = rng.sample(NAMES, rng.randint(3, 6))
    return replace(series({name: place for place, name in enumerate(names, start=1)}), season=season)


def _recounted(season: Season) -> list[tuple[Any, ...]]:
    Standing.objects.filter(season=season).delete()
    seasons.recompute(season=season)
    return _standings(season)


def _standings(season: Season) -> list[tuple[Any, ...]]:
    return list(
        Standing.objects.filter(season=season)
        .order_by("player")
        .values_list("player", "sessions", "place_total", "wins", "last_session", "last_place", "sort_key")
    )


@pytest.mark.parametrize("number_of_seasons", [1, 3])
def test_eight_record_at_once(people: People, number_of_seasons: int) -> None:
    all_seasons = [people.season]
    for number in range(1, number_of_seasons):
        fields = {"name": f"Cup {number}", "slug": f"cup-{number}", "starts_on": people.season.starts_on}
        all_seasons.append(
            seasons.create_season(
                access=people.access(people.admin), league_id=people.season.league_id, fields=fields, now=NOW
            )
        )

    def scorekeeper(seed: int) -> int:
        rng = Random(seed)
        for _ in range(EACH):
            season = rng.choice(all_seasons)
            record(people, _evening(rng, f"monday-league/{season.slug}"))
        return EACH

    done = at_once([partial(scorekeeper, seed) for seed in range(THREADS)])
    assert done == [EACH] * THREADS
    assert Session.objects.count() == THREADS * EACH
    assert AuditEvent.objects.filter(action="session.recorded").count() == THREADS * EACH
    played = 0
    for season in all_seasons:
        stored = _standings(season)
        assert stored == _recounted(season)
        played += sum(line[1] for line in stored)
    assert played == sum(session.results.count() for session in Session.objects.all())


def test_rules_change_while_results_come_in(people: People) -> None:
    def scorekeeper(seed: int) -> None:
        rng = Random(seed)
        for _ in range(EACH):
            record(people, _evening(rng, "monday-league/2026"))

    def admin() -> None:
        for metric in ("wins", "place_average", "wins"):
            seasons.update_season(
                access=people.access(people.admin),
                season_id=people.season.pk,
                changes={"ranking_metric": metric},
                now=NOW,
            )

    calls: list[Callable[[], None]] = [partial(scorekeeper, seed) for seed in range(4)]
    assert at_once([*calls, admin]) == [None] * 5
    people.season.refresh_from_db()
    assert people.season.ranking_metric == "wins"
    assert _standings(people.season) == _recounted(people.season)


def test_two_post_the_next_round_at_once(people: People) -> None:
    opening = replace(evening("four-players"), rounds=(), status="open")
    session = record(people, opening)
    points = {"Ann": 0, "Ben": 10, "Cem": 20, "Dora": 30}

    def post(games: tuple[str, ...]) -> int:
        stored = 0
        for game in games:
            try:
                results.record_round(
                    access=people.access(people.scorekeeper),
                    session_id=session.pk,
                    data=by_points(game, points),
                    confirm=ANYTHING,
                    now=NOW,
                )
            except (Conflict, InputError):
                continue
            stored += 1
        return stored

    # Both post all six games, in opposite orders: each is stored by the one or the other.
    first, second = at_once([partial(post, GAMES), partial(post, GAMES[::-1])])
    assert isinstance(first, int)
    assert isinstance(second, int)
    assert first + second == 6
    rounds = list(Round.objects.order_by("number").values_list("number", "game"))
    assert [number for number, _game in rounds] == [1, 2, 3, 4, 5, 6]
    assert sorted(game for _number, game in rounds) == list(GAMES)
    session.refresh_from_db()
    assert (session.status, session.revision) == ("complete", 7)
    assert session.results.count() == 4
    assert _standings(people.season) == _recounted(people.season)


def test_two_end_a_session_at_once(people: People) -> None:
    session = record(people, series({"Ann": 1, "Ben": 2}, planned=4))
    end = partial(results.end, access=people.access(people.owner), session_id=session.pk, confirm=ANYTHING, now=NOW)
    outcomes = at_once([end, end])
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Conflict", "Session"]
    assert list(Standing.objects.values_list("sessions", flat=True)) == [1, 1]


def test_two_owners_remove_each_other(people: People) -> None:
    Member.objects.filter(user=people.admin).update(role=Role.OWNER)
    one, other = (Member.objects.get(club=people.club, user=user) for user in (people.owner, people.admin))
    outcomes = at_once(
        [
            partial(clubs.remove_member, access=people.access(people.owner), member_id=other.pk, now=NOW),
            partial(clubs.remove_member, access=people.access(people.admin), member_id=one.pk, now=NOW),
        ]
    )
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Conflict", "NoneType"]
    assert Member.objects.filter(club=people.club, role=Role.OWNER).count() == 1


def test_two_owners_step_down_at_once(people: People) -> None:
    Member.objects.filter(user=people.admin).update(role=Role.OWNER)
    outcomes = at_once(
        [
            partial(
                clubs.change_role,
                access=people.access(user),
                member_id=Member.objects.get(club=people.club, user=user).pk,
                role=Role.MEMBER,
                now=NOW,
            )
            for user in (people.owner, people.admin)
        ]
    )
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Conflict", "Member"]
    assert Member.objects.filter(club=people.club, role=Role.OWNER).count() == 1


def test_two_first_owners_at_once(db: None) -> None:
    def first(name: str) -> User:
        return setup.first_owner(
            code=setup.setup_code(),
            username=name,
            password="seven-of-hearts-55",
            club_name="Club",
            club_slug=name,
            league_name="League",
            season_name="2026",
            now=NOW,
        )

    outcomes = at_once([partial(first, "one"), partial(first, "two"), partial(first, "three")])
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Conflict", "Conflict", "User"]
    assert User.objects.count() == 1


def test_a_member_is_one_player_however_many_are_linked_at_once(people: People) -> None:
    by = people.access(people.scorekeeper)
    member = Member.objects.get(club=people.club, user=people.member)

    def link(player_id: int) -> object:
        return players.update(access=by, player_id=player_id, changes={"member_id": member.pk}, now=NOW)

    told = at_once([partial(link, player.pk) for player in people.players])

    refused = [one for one in told if isinstance(one, BaseException)]
    assert [getattr(one, "code", one) for one in refused] == ["member_taken"] * (len(people.players) - 1)
    assert Player.objects.filter(member=member).count() == 1


def test_of_all_who_choose_a_nickname_at_once_one_has_it(people: People) -> None:
    access = people.access(people.admin)

    def choose(player: Player) -> Player:
        return players.update(access=access, player_id=player.pk, changes={"nickname": "Herzdame"}, now=NOW)

    found = at_once([partial(choose, player) for player in people.players[:4]])
    assert sorted(getattr(one, "code", "") for one in found) == ["", *["nickname_taken"] * 3], found
    assert Player.objects.filter(nickname="Herzdame").count() == 1


def test_of_eight_equal_rounds_with_a_number_one_is_stored(people: People) -> None:
    session = record(people, replace(evening("four-players"), rounds=(), status="open"))
    by = people.access(people.scorekeeper)
    one = by_points("xxl-4", {"Ann": 60, "Ben": 40, "Cem": 30, "Dora": 0})

    def send() -> object:
        return results.record_round(access=by, session_id=session.pk, data=one, confirm=ANYTHING, now=NOW, number=1)

    told = at_once([send] * THREADS)

    refused = [one for one in told if isinstance(one, BaseException)]
    assert [getattr(one, "code", one) for one in refused] == ["not_the_next_round"] * (THREADS - 1)
    assert Round.objects.get().number == 1


def test_a_token_gets_in_while_another_writes(people: People) -> None:
    """When it was used last is noted at leisure: a reader does not wait for a long write, as a change of rules is."""
    token, raw = tokens.create(
        access=people.access(people.owner), name="board", scope=Scope.READ, expires_at=None, now=NOW
    )

    with transaction.atomic():
        ApiToken.objects.select_for_update().get(pk=token.pk)

        def get_in() -> tuple[ApiToken | None, float]:
            begin = time.monotonic()
            return tokens.authenticate(raw=raw, now=NOW), time.monotonic() - begin

        [found] = at_once([get_in])
    assert isinstance(found, tuple)
    assert found[0] == token
    # A wait for the lock would end after ten seconds on PostgreSQL, after twenty on SQLite.
    assert found[1] < 8

    tokens.authenticate(raw=raw, now=NOW)
    token.refresh_from_db()
    assert token.last_used_at == NOW


def test_of_corrections_made_for_one_state_one_goes_through(people: People) -> None:
    session = record(people, series({"Ann": 1, "Ben": 2}))
    by = people.access(people.scorekeeper)

    def correct(number: int) -> Session:
        return corrections.correct(
            access=by,
            session_id=session.pk,
            changes={"comment": f"by {number}"},
            reason="Noted down wrongly",
            expected=1,
            confirm=ANYTHING,
            now=NOW,
        )

    done = at_once([partial(correct, number) for number in range(6)])
    stored = Session.objects.get(pk=session.pk)
    assert [one.comment for one in done if isinstance(one, Session)] == [stored.comment]
    assert sum(isinstance(one, Stale) for one in done) == 5
    assert [one.number for one in stored.revisions.all()] == [1, 2]


def test_sessions_that_change_places_between_seasons_block_nobody(people: People) -> None:
    """Corrections move sessions from each of two seasons to the other while others are recorded and voided."""
    fields = {"name": "Cup", "slug": "cup", "starts_on": people.season.starts_on}
    cup = seasons.create_season(
        access=people.access(people.admin), league_id=people.season.league_id, fields=fields, now=NOW
    )
    by = people.access(people.scorekeeper)
    both = ["monday-league/2026", "monday-league/cup"]
    first = [record(people, _evening(Random(seed), both[seed % 2])) for seed in range(8)]

    def move(seed: int) -> int:
        rng = Random(seed)
        for turn in range(3):
            changes = {"season": both[(seed + turn + 1) % 2]}
            corrections.correct(
                access=by,
                session_id=first[seed].pk,
                changes=changes,
                reason="Another cup",
                expected=None,
                confirm=ANYTHING,
                now=NOW,
            )
            record(people, _evening(rng, both[turn % 2]))
        corrections.void(access=by, session_id=first[seed].pk, reason="Never played", now=NOW)
        return seed

    assert at_once([partial(move, seed) for seed in range(8)]) == list(range(8))
    for season in (people.season, cup):
        assert _standings(season) == _recounted(season)
    assert Session.objects.filter(counts=True).count() == 24


def _play_on(people: People, session: Session) -> None:
    results.record_round(
        access=people.access(people.scorekeeper),
        session_id=session.pk,
        data=by_points("xxl-6-plus", {"Ann": 1, "Ben": 2}),
        confirm=ANYTHING,
        now=NOW,
    )


def _end(people: People, session: Session) -> None:
    results.end(access=people.access(people.scorekeeper), session_id=session.pk, confirm=ANYTHING, now=NOW)


def _comment(people: People, session: Session) -> None:
    corrections.correct(
        access=people.access(people.scorekeeper),
        session_id=session.pk,
        changes={"comment": "Late"},
        reason="It was forgotten",
        expected=None,
        confirm=ANYTHING,
        now=NOW,
    )


def _void(people: People, session: Session) -> None:
    by = people.access(people.scorekeeper)
    corrections.void_all(access=by, session_ids=[session.pk], reason="Never played", now=NOW)


@pytest.mark.parametrize(
    ("change", "planned"), [(_play_on, 3), (_end, 3), (_comment, 3), (_comment, 1), (_void, 3), (_void, 1)]
)
def test_a_session_stays_in_the_season_that_it_was_moved_to(
    people: People, change: Callable[[People, Session], None], planned: int
) -> None:
    """Whoever waits for the season that it leaves does not bring it back there."""
    fields = {"name": "Cup", "slug": "cup", "starts_on": people.season.starts_on}
    by = people.access(people.admin)
    cup = seasons.create_season(access=by, league_id=people.season.league_id, fields=fields, now=NOW)
    session = record(people, series({"Ann": 1, "Ben": 2}, planned=planned))
    moved = Event()

    def move() -> None:
        with transaction.atomic():
            corrections.correct(
                access=by,
                session_id=session.pk,
                changes={"season": cup.pk},
                reason="Another cup",
                expected=None,
                confirm=ANYTHING,
                now=NOW,
            )
            moved.set()
            time.sleep(0.5)

    def wait() -> None:
        moved.wait(timeout=120)
        change(people, session)

    _moved, waited = at_once([move, wait])
    # SQLite lets only one begin, and that one then reads what is there.
    assert waited is None or (isinstance(waited, Conflict) and waited.code == "changed_meanwhile")
    assert Session.objects.get(pk=session.pk).season == cup
    for season in (people.season, cup):
        assert _standings(season) == _recounted(season)


def test_many_at_once_in_seasons_of_another_order_block_nobody(people: People) -> None:
    fields = {"name": "Cup", "slug": "cup", "starts_on": people.season.starts_on}
    by = people.access(people.admin)
    cup = seasons.create_season(access=by, league_id=people.season.league_id, fields=fields, now=NOW)
    named: list[Any] = ["monday-league/2026", cup.pk]

    def post(seed: int) -> int:
        rng = Random(seed)
        order = named if seed % 2 else named[::-1]
        for _turn in range(EACH):
            entries = [results.Entry(_evening(rng, season), ANYTHING) for season in order]
            assert all(
                isinstance(one, Session)
                for one in results.record_many(access=by, entries=entries, together=True, now=NOW)
            )
        return seed

    assert at_once([partial(post, seed) for seed in range(THREADS)]) == list(range(THREADS))
