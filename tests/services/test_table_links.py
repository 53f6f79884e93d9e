"""Table links: who makes them, how long they last, and that they write in one session alone."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from league.models import ApiToken, AuditEvent, Member, Role, Round, Scope, Session, SessionStatus
from league.services import access, players, results, table_links, tokens
from league.services.access import Access
from league.services.errors import Conflict, Forbidden, InputError, NotFound
from league.services.evenings import RoundInput, ScoreInput, SeatInput, SessionInput
from tests.people import NOW, People

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def _open(people: People, *, first: int = 0) -> Session:
    """An evening of two that goes on: of Ann and Ben, or of others from `first` on."""
    data = SessionInput(
        format="pure_xxl",
        played_on=NOW.date(),
        players=tuple(SeatInput(player.pk) for player in people.players[first : first + 2]),
        season=people.season.pk,
    )
    return results.record(access=people.access(people.owner), data=data, confirm=frozenset(), now=NOW)


def _link(people: People, session: Session, **given: int) -> tuple[ApiToken, str]:
    return table_links.create(access=people.access(people.scorekeeper), session_id=session.pk, now=NOW, **given)


def _first_round(people: People, by: Access, session: Session) -> Session:
    ann, ben = (player.pk for player in people.players[:2])
    data = RoundInput(game="xxl-1", scores=(ScoreInput(ann, 0), ScoreInput(ben, 14)))
    return results.record_round(access=by, session_id=session.pk, data=data, confirm=frozenset(), now=NOW)


def test_a_link_enters_a_round_and_the_trail_names_it(people: People) -> None:
    session = _open(people)
    link, raw = _link(people, session)
    _first_round(people, table_links.opened(raw=raw, now=NOW), session)
    assert Round.objects.get().session == session
    event = AuditEvent.objects.get(action="round.recorded")
    assert (event.token, event.user) == (link, None)
    made = AuditEvent.objects.get(action="table_link.created")
    assert (made.object_id, made.user, made.data) == (link.pk, people.scorekeeper, {"session": session.pk, "hours": 12})


def test_a_link_seats_and_ends_in_its_own_session_alone(people: People) -> None:
    session, other = _open(people), _open(people, first=4)
    by = table_links.opened(raw=_link(people, session)[1], now=NOW)
    cem, dora = (player.pk for player in people.players[2:4])
    ann = people.players[0].pk
    with pytest.raises(NotFound):
        _first_round(people, by, other)
    attempts: list[Callable[[int], Session]] = [
        lambda pk: results.join(access=by, session_id=pk, player=cem, seat=None, now=NOW),
        lambda pk: results.substitute(access=by, session_id=pk, player=dora, for_player=cem, now=NOW),
        lambda pk: results.leave(access=by, session_id=pk, player=dora, now=NOW),
    ]
    for attempt in attempts:
        with pytest.raises(NotFound):
            attempt(other.pk)
        attempt(session.pk)
    _first_round(people, by, session)
    with pytest.raises(NotFound):
        results.end(access=by, session_id=other.pk, confirm={"ends_early"}, now=NOW)
    results.end(access=by, session_id=session.pk, confirm={"ends_early"}, now=NOW)
    session.refresh_from_db()
    other.refresh_from_db()
    assert (session.status, other.status) == (SessionStatus.INCOMPLETE, SessionStatus.OPEN)
    assert other.rounds.count() == 0
    # And with the session ends what the link may write.
    with pytest.raises(Conflict):
        results.join(access=by, session_id=session.pk, player=ann, seat=None, now=NOW)


def test_a_link_may_nothing_else(people: People) -> None:
    session = _open(people)
    _link_, raw = _link(people, session)
    by = table_links.opened(raw=raw, now=NOW)
    data = SessionInput(format="pure_xxl", played_on=NOW.date(), players=(SeatInput(people.players[0].pk),))
    for attempt in (
        lambda: results.record(access=by, data=data, confirm=frozenset(), now=NOW),
        lambda: players.create(access=by, name="Gus", kind="person", bot="", now=NOW),
        lambda: tokens.create(access=by, name="more", scope=Scope.READ, expires_at=None, now=NOW),
        lambda: table_links.create(access=by, session_id=session.pk, now=NOW),
        lambda: table_links.revoke(access=by, session_id=session.pk, link_id=_link_.pk, now=NOW),
    ):
        with pytest.raises(Forbidden):
            attempt()
    assert not access.club_of(token=_link_).exists()


def test_a_link_lasts_as_long_as_was_said(people: People) -> None:
    session = _open(people)
    for given, hours in (({}, 12), ({"hours": 1}, 1), ({"hours": 48}, 48)):
        link, raw = _link(people, session, **given)
        assert link.expires_at == NOW + hours * HOUR
        assert table_links.opened(raw=raw, now=NOW + hours * HOUR - timedelta(seconds=1)).only_session == session.pk
        with pytest.raises(NotFound):
            table_links.opened(raw=raw, now=NOW + hours * HOUR)
    for hours in (0, -1, 49):
        with pytest.raises(InputError) as caught:
            _link(people, session, hours=hours)
        assert [problem.path for problem in caught.value.problems] == [("hours",)]


def test_a_revoked_link_opens_nothing(people: People) -> None:
    session, other = _open(people), _open(people, first=4)
    link, raw = _link(people, session)
    _kept, kept = _link(people, session)
    scorekeeper = people.access(people.scorekeeper)
    with pytest.raises(NotFound):
        table_links.revoke(access=scorekeeper, session_id=other.pk, link_id=link.pk, now=NOW)
    for _time in range(2):
        table_links.revoke(access=scorekeeper, session_id=session.pk, link_id=link.pk, now=NOW)
    assert AuditEvent.objects.filter(action="table_link.revoked", object_id=link.pk).count() == 1
    with pytest.raises(NotFound):
        table_links.opened(raw=raw, now=NOW)
    assert table_links.opened(raw=kept, now=NOW).only_session == session.pk
    # Nor is it a way to end other tokens of the club.
    token, _raw = tokens.create(access=people.access(people.owner), name="app", scope="read", expires_at=None, now=NOW)  # type: ignore[arg-type]
    with pytest.raises(NotFound):
        table_links.revoke(access=scorekeeper, session_id=session.pk, link_id=token.pk, now=NOW)


def test_a_link_ends_with_its_makers_right_to_record(people: People) -> None:
    session = _open(people)
    _made, raw = _link(people, session)
    maker = Member.objects.filter(user=people.scorekeeper)
    maker.update(role=Role.ADMIN)
    assert table_links.opened(raw=raw, now=NOW).role == Role.MEMBER
    maker.update(role=Role.MEMBER)
    with pytest.raises(NotFound):
        table_links.opened(raw=raw, now=NOW)
    maker.delete()
    with pytest.raises(NotFound):
        table_links.opened(raw=raw, now=NOW)


def test_a_link_made_by_a_program_ends_with_the_programs_token(people: People) -> None:
    session = _open(people)
    owner = people.access(people.owner)
    token, _raw = tokens.create(access=owner, name="app", scope=Scope.RESULTS_WRITE, expires_at=NOW + 2 * HOUR, now=NOW)
    by = access.of_token(token=token, club_slug="herzclub")
    link, raw = table_links.create(access=by, session_id=session.pk, now=NOW)
    assert (link.created_by, link.expires_at) == (people.owner, NOW + 2 * HOUR)
    assert table_links.opened(raw=raw, now=NOW).only_session == session.pk
    tokens.revoke(access=owner, token_id=token.pk, now=NOW)
    with pytest.raises(NotFound):
        table_links.opened(raw=raw, now=NOW)


def test_other_tokens_and_other_clubs_make_or_are_no_links(people: People) -> None:
    session = _open(people)
    owner = people.access(people.owner)
    _token, raw = tokens.create(access=owner, name="app", scope=Scope.CLUB_ADMIN, expires_at=None, now=NOW)
    with pytest.raises(NotFound):
        table_links.opened(raw=raw, now=NOW)
    with pytest.raises(InputError) as caught:
        tokens.create(access=owner, name="table", scope=Scope.TABLE, expires_at=NOW + HOUR, now=NOW)
    assert [problem.path for problem in caught.value.problems] == [("scope",)]
    with pytest.raises(Forbidden):
        table_links.create(access=people.access(people.member), session_id=session.pk, now=NOW)
    with pytest.raises(NotFound):
        table_links.create(access=people.access(people.stranger), session_id=session.pk, now=NOW)


def test_a_session_that_is_over_or_void_gets_no_link(people: People) -> None:
    session = _open(people)
    for changes in ({"status": SessionStatus.COMPLETE}, {"status": SessionStatus.OPEN, "voided_at": NOW}):
        Session.objects.filter(pk=session.pk).update(**changes)
        with pytest.raises(Conflict):
            _link(people, session)
