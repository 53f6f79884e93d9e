"""Rounds as phones send them: stored once, compared with what another phone entered, taken back.

Points are plausible for a table of four by docs/rules/xxl.md, "Logged results from physical games"; places by
"Scoring a session" there.
"""

from typing import Any

import pytest

from league.models import AuditEvent, Round, Session, SessionResult, SessionRevision, SessionStatus, Standing
from league.services import corrections, results, table_links, table_rounds
from league.services.access import Access
from league.services.errors import Conflict, Forbidden, NeedsConfirmation, NotFound, Stale
from league.services.evenings import RoundInput, ScoreInput, SeatInput, SessionInput
from tests.people import NOW, People

GAMES = ("xxl-1", "xxl-2", "xxl-3", "xxl-4", "xxl-5", "xxl-6")
# Four players a round; game 6 deals all 60 cards: docs/rules/xxl.md.
POINTS = ((0, 14, 23, 23), (9, 0, 14, 30), (80, 60, 70, 50), (40, 52, 0, 30), (20, 11, 31, 0), (130, 110, 120, 100))


@pytest.fixture
def session(people: People) -> Session:
    seats = tuple(SeatInput(player.pk) for player in people.players[:4])
    data = SessionInput(format="pure_xxl", played_on=NOW.date(), players=seats, season=people.season.pk)
    return results.record(access=people.access(people.owner), data=data, confirm=(), now=NOW)


def by_points(people: People, game: str, points: tuple[int, ...]) -> RoundInput:
    scores = (ScoreInput(player.pk, points=one) for player, one in zip(people.players, points, strict=False))
    return RoundInput(game, tuple(scores))


def send(people: People, session: Session, number: int, access: Access | None = None, **changes: Any) -> Session:
    values = {
        "access": access or people.access(people.scorekeeper),
        "session_id": session.pk,
        "number": number,
        "data": by_points(people, GAMES[number - 1], POINTS[number - 1]),
        "key": f"round-{number}",
        "confirm": frozenset(),
        "now": NOW,
    }
    return table_rounds.store_round(**{**values, **changes})


def link_of(people: People, session: Session) -> Access:
    keeper = people.access(people.scorekeeper)
    _link, raw = table_links.create(access=keeper, session_id=session.pk, now=NOW)
    return table_links.opened(raw=raw, now=NOW)


def take_back(access: Access, session: Session, number: int, expected: int | None = None) -> Session:
    return table_rounds.take_back_round(access=access, session_id=session.pk, number=number, expected=expected, now=NOW)


def test_a_round_sent_again_is_stored_once(people: People, session: Session) -> None:
    send(people, session, 1)
    # What the phone never heard of: the answer was lost. By another way, the key is still the round's.
    send(people, session, 1, link_of(people, session))
    assert [one.number for one in Round.objects.all()] == [1]
    assert AuditEvent.objects.filter(action="round.recorded").count() == 1


def test_a_key_that_was_refused_is_free_again(people: People, session: Session) -> None:
    odd = by_points(people, "xxl-1", (5, 14, 23, 23))
    with pytest.raises(NeedsConfirmation):
        send(people, session, 1, data=odd)
    send(people, session, 1, data=odd, confirm=frozenset({"nobody_at_zero"}))
    assert Round.objects.get().confirmed == ["nobody_at_zero"]


def test_what_two_phones_entered_alike_is_no_conflict(people: People, session: Session) -> None:
    send(people, session, 1, key="mine")
    revision = send(people, session, 1, key="theirs").revision
    assert Round.objects.count() == 1
    session.refresh_from_db()
    assert revision == session.revision


@pytest.mark.parametrize(
    "other",
    [
        {"points": (0, 14, 23, 24)},
        {"game": "xxl-2"},
        {"note": "draw_pile_ran_out"},
        {"places": (1, 2, 3, 3)},
    ],
)
def test_a_different_round_is_taken(people: People, session: Session, other: dict[str, Any]) -> None:
    send(people, session, 1)
    scores = by_points(people, "xxl-1", other.get("points", POINTS[0])).scores
    if places := other.get("places"):
        scores = tuple(ScoreInput(p.pk, place=one) for p, one in zip(people.players, places, strict=False))
    data = RoundInput(other.get("game", "xxl-1"), scores, other.get("note", ""))
    with pytest.raises(table_rounds.Taken) as taken:
        send(people, session, 1, data=data, key="other")
    assert [score.points for score in taken.value.round_.scores.order_by("pk")] == list(POINTS[0])
    session.refresh_from_db()
    assert taken.value.revision == session.revision


def test_a_round_ahead_waits(people: People, session: Session) -> None:
    with pytest.raises(Conflict) as ahead:
        send(people, session, 2)
    assert ahead.value.code == "not_the_next_round"
    assert not Round.objects.exists()


def test_a_taken_round_is_settled_by_a_correction(people: People, session: Session) -> None:
    link = link_of(people, session)
    before = send(people, session, 1).revision
    mine = by_points(people, "xxl-1", (14, 0, 23, 23))
    settle: dict[str, Any] = {"session_id": session.pk, "number": 1, "data": mine, "confirm": (), "now": NOW}
    for _time in range(2):  # the second: its answer was lost
        table_rounds.settle_round(access=link, key="mine", expected=before, **settle)
    ann = Round.objects.get().scores.get(player=people.players[0])
    assert (ann.points, ann.place) == (14, 2)
    last = SessionRevision.objects.filter(session=session).latest("number")
    assert (last.kind, last.token_id, last.number) == ("corrected", link.actor.token_id, before + 1)
    assert "Two phones entered round 1" in last.reason
    with pytest.raises(Stale):
        table_rounds.settle_round(access=link, key="later", expected=before, **settle)


def test_the_last_round_is_taken_back(people: People, session: Session) -> None:
    keeper = people.access(people.scorekeeper)
    send(people, session, 1)
    revision = send(people, session, 2).revision
    with pytest.raises(Stale):
        take_back(keeper, session, 2, revision - 1)
    with pytest.raises(Conflict) as first:
        take_back(keeper, session, 1)
    assert first.value.code == "not_the_last_round"
    take_back(keeper, session, 2, revision)
    assert [one.number for one in Round.objects.all()] == [1]
    take_back(keeper, session, 1)
    assert not Round.objects.exists()
    send(people, session, 1, key="anew", data=by_points(people, "xxl-1", (14, 0, 23, 23)))
    kinds = list(SessionRevision.objects.order_by("number").values_list("kind", flat=True))
    assert kinds[-3:] == ["corrected", "corrected", "round_recorded"]


def test_the_round_that_ended_the_evening_is_taken_back(people: People, session: Session) -> None:
    for number in range(1, 7):
        session = send(people, session, number)
    assert session.status == SessionStatus.COMPLETE
    assert Standing.objects.filter(season=people.season).count() == 4
    session = take_back(people.access(people.scorekeeper), session, 6)
    assert session.status == SessionStatus.OPEN
    assert not SessionResult.objects.exists()
    assert not Standing.objects.filter(season=people.season).exists()
    session = send(people, session, 6, key="anew")
    # Ann 1+2+1+2+3+1 = 10, Ben 2+1+3+1+2+3 = 12, Cem 3+3+2+4+4+2 = 18, Dora 3+4+4+3+1+4 = 19.
    assert list(SessionResult.objects.order_by("place").values_list("player__name", "place_sum")) == [
        ("Ann", 10),
        ("Ben", 12),
        ("Cem", 18),
        ("Dora", 19),
    ]


def test_a_table_link_takes_back_only_its_own_last_round_of_a_complete_evening(
    people: People, session: Session
) -> None:
    link, other = link_of(people, session), link_of(people, session)
    for number in range(1, 7):
        send(people, session, number, link)
    with pytest.raises(Conflict):
        take_back(other, session, 6)
    assert take_back(link, session, 6).status == SessionStatus.OPEN
    # While the evening goes on, whoever has a link of it.
    take_back(other, session, 5)
    for number in (5, 6):
        send(people, session, number, link, key=f"anew-{number}")
    session.refresh_from_db()
    assert table_rounds.may_settle(link, session, 6)
    assert not table_rounds.may_settle(link, session, 5)
    # A scorekeeper looked at it since.
    keeper = people.access(people.scorekeeper)
    table_rounds.settle_round(
        access=keeper,
        session_id=session.pk,
        number=6,
        data=by_points(people, "xxl-6", (110, 130, 120, 100)),
        key="keeper",
        expected=session.revision,
        confirm=(),
        now=NOW,
    )
    with pytest.raises(Conflict):
        take_back(link, session, 6)


def test_only_who_may_enter_rounds_takes_them_back(people: People, session: Session) -> None:
    send(people, session, 1)
    with pytest.raises(Forbidden):
        take_back(people.access(people.member), session, 1)
    with pytest.raises(NotFound):
        take_back(people.access(people.stranger), session, 1)
    with pytest.raises(NotFound):
        send(people, session, 2, people.access(people.stranger))
    assert Round.objects.count() == 1


def test_an_evening_that_was_ended_early_or_is_void_takes_nothing_back(people: People, session: Session) -> None:
    keeper = people.access(people.scorekeeper)
    send(people, session, 1)
    results.end(access=keeper, session_id=session.pk, confirm={"ends_early"}, now=NOW)
    with pytest.raises(Conflict):
        take_back(keeper, session, 1)
    corrections.void(access=keeper, session_id=session.pk, reason="A test", now=NOW)
    with pytest.raises(Conflict):
        take_back(keeper, session, 1)
    with pytest.raises(Conflict):
        send(people, session, 2)
