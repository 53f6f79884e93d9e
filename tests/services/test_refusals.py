"""What `record` and `record_round` refuse: the place in the input and the code, and nothing is written."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from league.models import Round, SeasonStatus, Session
from league.services import results
from league.services.access import Access
from league.services.errors import Conflict, Forbidden, InputError, NeedsConfirmation, NotFound, Problem
from league.services.results import RoundInput, ScoreInput, SeatInput, SessionInput
from tests.people import NOW, People
from tests.services.given import ANYTHING, DAY, SEASON, by_places, by_points, evening, record, rows, series

# Refused before anything is sent to a database.
pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

Change = Callable[[SessionInput], SessionInput]
Found = set[tuple[tuple[str | int, ...], str]]


def _found(problems: tuple[Problem, ...]) -> Found:
    assert all(problem.message for problem in problems)
    return {(problem.path, problem.code) for problem in problems}


def _refused(people: People, data: SessionInput, confirm: frozenset[str] = ANYTHING) -> Found:
    """The problems that `record` finds; nothing may be written."""
    before = rows()
    with pytest.raises(InputError) as caught:
        record(people, data, confirm)
    assert rows() == before
    return _found(caught.value.problems)


def _with_scores(data: SessionInput, number: int, scores: tuple[ScoreInput, ...]) -> SessionInput:
    rounds = list(data.rounds)
    rounds[number] = replace(rounds[number], scores=scores)
    return replace(data, rounds=tuple(rounds))


def _with_round(data: SessionInput, number: int, **changes: Any) -> SessionInput:
    rounds = list(data.rounds)
    rounds[number] = replace(rounds[number], **changes)
    return replace(data, rounds=tuple(rounds))


def _first_score(data: SessionInput, number: int, **changes: Any) -> SessionInput:
    scores = data.rounds[number].scores
    return _with_scores(data, number, (replace(scores[0], **changes), *scores[1:]))


def _scores_of_seven(data: SessionInput) -> SessionInput:
    rounds = tuple(
        replace(one, scores=(*one.scores, ScoreInput("Eva", 20), ScoreInput("Finn", 21), ScoreInput("Gast", 22)))
        for one in data.rounds
    )
    return replace(data, players=(*data.players, SeatInput("Eva"), SeatInput("Finn"), SeatInput("Gast")), rounds=rounds)


# The evening of four players with one thing wrong: how, where, and its code. Seats 0 to 3: Ann, Ben, Cem, Dora.
WRONG: dict[str, tuple[Change, Found]] = {
    "unknown player": (
        lambda data: replace(data, players=(*data.players, SeatInput("Zoe"))),
        {(("players", 4, "player"), "unknown_player")},
    ),
    "unknown id": (
        lambda data: replace(data, players=(*data.players, SeatInput(10**9))),
        {(("players", 4, "player"), "unknown_player")},
    ),
    "an id beyond what a database can hold": (
        lambda data: replace(data, players=(*data.players, SeatInput(10**30), SeatInput(-1))),
        {(("players", 4, "player"), "unknown_player"), (("players", 5, "player"), "unknown_player")},
    ),
    "a name that no database can hold": (
        lambda data: replace(data, players=(*data.players, SeatInput("An\0n"))),
        {(("players", 4, "player"), "unknown_player")},
    ),
    "unknown player in a score": (
        lambda data: _with_scores(data, 2, (*data.rounds[2].scores, ScoreInput("Zoe", 5))),
        {(("rounds", 2, "scores", 4, "player"), "unknown_player")},
    ),
    "somebody who does not sit there": (
        lambda data: _with_scores(data, 2, (*data.rounds[2].scores, ScoreInput("Eva", 5))),
        {(("rounds", 2, "scores", 4, "player"), "not_seated")},
    ),
    "named twice, once by another spelling": (
        lambda data: _with_scores(data, 1, (*data.rounds[1].scores, ScoreInput(" ANN ", 5))),
        {(("rounds", 1, "scores", 4, "player"), "player_twice")},
    ),
    "scores missing": (
        lambda data: _with_scores(data, 3, data.rounds[3].scores[1:]),
        {(("rounds", 3, "scores"), "player_missing")},
    ),
    "no scores": (lambda data: _with_scores(data, 3, ()), {(("rounds", 3, "scores"), "player_missing")}),
    "unknown season": (lambda data: replace(data, season="monday-league/1999"), {(("season",), "unknown_season")}),
    "odd season": (lambda data: replace(data, season=""), {(("season",), "unknown_season")}),
    "season with nothing behind": (lambda data: replace(data, season="x\0/y"), {(("season",), "unknown_season")}),
    "unknown season by id": (lambda data: replace(data, season=10**30), {(("season",), "unknown_season")}),
    "before the season": (
        lambda data: replace(data, played_on=date(2026, 8, 31)),
        {(("played_on",), "outside_season")},
    ),
    "in the future": (
        lambda data: replace(data, played_on=NOW.date() + timedelta(days=2)),
        {(("played_on",), "in_the_future")},
    ),
    "nobody": (lambda data: replace(data, players=(), rounds=(), status="open"), {(("players",), "required")}),
    "two on one seat": (
        lambda data: replace(data, players=(*data.players[:3], SeatInput("Dora", seat=0))),
        {(("players", 3, "seat"), "seat_taken")},
    ),
    "one on two seats": (
        lambda data: replace(data, players=(*data.players, SeatInput("Ann", seat=4, from_round=3))),
        {(("players", 4, "player"), "player_twice")},
    ),
    "one seated twice at once": (
        lambda data: replace(data, players=(*data.players, SeatInput("Ann", seat=0, from_round=3))),
        {(("players", 4, "player"), "player_twice")},
    ),
    "one named twice without seats": (
        lambda data: replace(data, players=(*data.players, SeatInput("Ann"))),
        {(("players", 4, "player"), "player_twice")},
    ),
    "one who changes seats": (
        lambda data: replace(
            data,
            players=(SeatInput("Ann", until_round=2), *data.players[1:], SeatInput("Ann", seat=4, from_round=3)),
        ),
        {(("players", 4, "seat"), "seat_changed")},
    ),
    "rounds reversed": (
        lambda data: replace(data, players=(*data.players, SeatInput("Eva", from_round=5, until_round=4))),
        {(("players", 4, "seat"), "seat_rounds_reversed")},
    ),
    "a seat before the first": (
        lambda data: replace(data, players=(*data.players[:3], SeatInput("Dora", seat=-1))),
        {(("players", 3, "seat"), "out_of_range")},
    ),
    "a seat far away": (
        lambda data: replace(data, players=(*data.players[:3], SeatInput("Dora", seat=70_000))),
        {(("players", 3, "seat"), "out_of_range")},
    ),
    "round 0": (
        lambda data: replace(data, players=(*data.players[:3], SeatInput("Dora", from_round=0))),
        {(("players", 3, "from_round"), "out_of_range")},
    ),
    "until a round far away": (
        lambda data: replace(data, players=(*data.players[:3], SeatInput("Dora", until_round=10**6))),
        {(("players", 3, "until_round"), "out_of_range")},
    ),
    "seven players": (
        _scores_of_seven,
        {(("players",), "players_out_of_range")},
    ),
    "seven players before the first round": (
        lambda data: replace(_scores_of_seven(data), rounds=(), status="open"),
        {(("players",), "players_out_of_range")},
    ),
    "seven players from the third round on": (
        lambda data: replace(
            data,
            players=(
                *data.players,
                *(SeatInput(name, seat=seat, from_round=3) for seat, name in enumerate(("Eva", "Finn", "Gast"), 4)),
            ),
        ),
        {(("players",), "players_out_of_range")},
    ),
    "unknown game": (lambda data: _with_round(data, 4, game="skat"), {(("rounds", 4, "game"), "unknown_game")}),
    "another family's game": (
        lambda data: _with_round(data, 4, game="und-tschuess"),
        {(("rounds", 4, "game"), "game_not_in_format")},
    ),
    "a game twice": (
        lambda data: _with_round(data, 4, game="xxl-1", note=""),
        {(("rounds", 4, "game"), "game_played_too_often")},
    ),
    "unknown format": (lambda data: replace(data, format="skat"), {(("format",), "unknown_format")}),
    "unknown status": (lambda data: replace(data, status="over"), {(("status",), "unknown_status")}),
    "unknown note": (lambda data: _with_round(data, 5, note="rain"), {(("rounds", 5, "note"), "note_not_allowed")}),
    "complete without all rounds": (
        lambda data: replace(data, rounds=data.rounds[:5]),
        {(("status",), "rounds_missing")},
    ),
    "ended early with all rounds": (
        lambda data: replace(data, status="incomplete"),
        {(("status",), "all_rounds_given")},
    ),
    "ended before it began": (
        lambda data: replace(data, status="incomplete", rounds=()),
        {(("status",), "no_rounds")},
    ),
    "three times each": (lambda data: replace(data, repeats=3), {(("repeats",), "repeats_out_of_range")}),
    "another number of rounds than the format's": (
        lambda data: replace(data, planned_rounds=7),
        {(("planned_rounds",), "planned_fixed")},
    ),
    "points below nothing": (
        lambda data: _first_score(data, 0, points=-1),
        {(("rounds", 0, "scores", 0, "points"), "points_below")},
    ),
    "more points than the deck holds": (
        lambda data: _first_score(data, 5, points=551),
        {(("rounds", 5, "scores"), "points_together_above")},
    ),
    "points missing for one": (
        lambda data: _first_score(data, 5, points=None),
        {(("rounds", 5, "scores", 0, "points"), "points_or_places")},
    ),
    "a place that the points don't give": (
        lambda data: _first_score(data, 0, place=6),
        {(("rounds", 0, "scores", 0, "place"), "place_disagrees")},
    ),
    "a location too long": (lambda data: replace(data, location="x" * 101), {(("location",), "too_long")}),
    "a comment too long": (lambda data: replace(data, comment="x" * 501), {(("comment",), "too_long")}),
    "a comment with a zero byte": (lambda data: replace(data, comment="a\0b"), {(("comment",), "invalid")}),
}


@pytest.mark.parametrize("case", WRONG)
def test_refused(people: People, case: str) -> None:
    change, problems = WRONG[case]
    if case.startswith("seven players"):
        from league.models import Player

        Player.objects.create(club=people.club, name="Gast")
    assert _refused(people, change(evening("four-players"))) == problems


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"planned": 0}, (("planned_rounds",), "out_of_range")),
        ({"planned": 1}, (("rounds",), "too_many_rounds")),
        ({"planned": 10**6}, (("planned_rounds",), "out_of_range")),
        ({"planned": -3}, (("planned_rounds",), "out_of_range")),
    ],
)
def test_number_of_rounds(people: People, changes: dict[str, int], problem: tuple[tuple[str], str]) -> None:
    data = series({"Ann": 1, "Ben": 2}, {"Ann": 1, "Ben": 2}, **changes)
    assert _refused(people, data) == {problem}


def test_no_round_planned_and_none_given(people: People) -> None:
    data = replace(series({"Ann": 1, "Ben": 2}), planned_rounds=0, rounds=(), status="open")
    assert _refused(people, data) == {(("planned_rounds",), "out_of_range")}


def test_a_series_without_an_agreed_number(people: People) -> None:
    data = replace(series({"Ann": 1, "Ben": 2}), planned_rounds=None)
    assert _refused(people, data) == {(("planned_rounds",), "planned_required")}


def test_points_that_no_column_holds(people: People) -> None:
    # und Tschüss has no hard limit of its own.
    data = SessionInput(
        format="single_game",
        played_on=DAY,
        players=(SeatInput("Ann"), SeatInput("Ben"), SeatInput("Cem")),
        rounds=(by_points("und-tschuess", {"Ann": 10**12, "Ben": 5, "Cem": -(10**12)}),),
        status="complete",
    )
    assert _refused(people, data) == {
        (("rounds", 0, "scores", 0, "points"), "points_above"),
        (("rounds", 0, "scores", 2, "points"), "points_below"),
    }


def test_another_clubs_player_and_season_are_unknown(people: People) -> None:
    data = evening("four-players")
    foreign = replace(data, players=(SeatInput(people.other_players[0].pk), *data.players[1:]))
    assert _refused(people, foreign) == {(("players", 0, "player"), "unknown_player")}
    assert _refused(people, replace(data, season=people.other_season.pk)) == {(("season",), "unknown_season")}


def test_an_archived_player_is_unknown(people: People) -> None:
    ann = people.players[0]
    ann.archived_at = NOW
    ann.save()
    assert (("players", 0, "player"), "unknown_player") in _refused(people, evening("four-players"))


def test_a_closed_season_takes_nothing(people: People) -> None:
    people.season.status = SeasonStatus.CLOSED
    people.season.save()
    before = rows()
    with pytest.raises(Conflict) as caught:
        record(people, evening("four-players"))
    assert caught.value.code == "season_closed"
    assert rows() == before


def test_after_the_season(people: People) -> None:
    people.season.ends_on = date(2026, 10, 4)
    people.season.save()
    assert _refused(people, evening("four-players")) == {(("played_on",), "outside_season")}
    people.season.ends_on = date(2026, 10, 5)  # the very day it was played
    people.season.save()
    record(people, evening("four-players"))


def test_problems_of_several_rounds_are_told_at_once(people: People) -> None:
    data = _first_score(evening("four-players"), 0, points=-1)
    data = _with_scores(data, 2, data.rounds[2].scores[1:])
    data = _with_round(data, 4, note="rain")
    assert _refused(people, data) == {
        (("rounds", 0, "scores", 0, "points"), "points_below"),
        (("rounds", 2, "scores"), "player_missing"),
        (("rounds", 4, "note"), "note_not_allowed"),
    }


def test_who_may_record(people: People) -> None:
    before = rows()
    with pytest.raises(Forbidden) as caught:
        results.record(access=people.access(people.member), data=evening("four-players"), confirm=frozenset(), now=NOW)
    assert caught.value.needed == "scorekeeper"
    assert rows() == before
    for user in (people.scorekeeper, people.admin, people.owner):
        again = frozenset({"possible_duplicate"})
        results.record(access=people.access(user), data=evening("four-players"), confirm=again, now=NOW)


# --- What is implausible ----------------------------------------------------------------------------------------------


def _odd_evening() -> SessionInput:
    """Game 1 without anybody at 0 and without a note; game 4 with 3 points, which no straight is worth."""
    return SessionInput(
        format="pure_xxl",
        played_on=DAY,
        season=SEASON,
        players=(SeatInput("Ann"), SeatInput("Ben")),
        rounds=(by_points("xxl-1", {"Ann": 3, "Ben": 5}), by_points("xxl-4", {"Ann": 0, "Ben": 3})),
    )


def test_warnings_ask_for_a_confirmation_and_nothing_is_written(people: People) -> None:
    before = rows()
    with pytest.raises(NeedsConfirmation) as caught:
        record(people, _odd_evening(), confirm={"unusual_order"})
    assert {warning.code for warning in caught.value.warnings} == {"nobody_at_zero", "below_cheapest"}
    assert {warning.path for warning in caught.value.warnings} == {
        ("rounds", 0, "scores"),
        ("rounds", 1, "scores", 1, "points"),
    }
    assert rows() == before


def test_what_was_confirmed_is_stored_with_what_it_belongs_to(people: People) -> None:
    # Codes that no warning asks for do no harm and are not stored.
    session = record(people, _odd_evening(), ANYTHING)
    session.refresh_from_db()
    assert session.confirmed == ["unusual_order"]
    assert list(session.rounds.order_by("number").values_list("confirmed", flat=True)) == [
        ["nobody_at_zero"],
        ["below_cheapest"],
    ]


def test_a_code_that_is_no_warning_can_t_be_confirmed(people: People) -> None:
    assert _refused(people, _odd_evening(), frozenset({"points_below", "ok"})) == {(("confirm",), "unknown_code")}


# --- Round by round ---------------------------------------------------------------------------------------------------


def _open(people: People) -> Session:
    return record(people, replace(evening("four-players"), rounds=(), status="open"), confirm=())


def _next(people: People, session: Session, data: RoundInput, confirm: frozenset[str] = ANYTHING) -> Session:
    by = people.access(people.scorekeeper)
    return results.record_round(access=by, session_id=session.pk, data=data, confirm=confirm, now=NOW)


ROUND = by_points("xxl-1", {"Ann": 0, "Ben": 10, "Cem": 20, "Dora": 30})
WRONG_ROUNDS: dict[str, tuple[RoundInput, Found]] = {
    "unknown game": (replace(ROUND, game="skat"), {(("game",), "unknown_game")}),
    "another family": (replace(ROUND, game="the-game"), {(("game",), "game_not_in_format")}),
    "unknown player": (
        replace(ROUND, scores=(*ROUND.scores[:3], ScoreInput("Zoe", 30))),
        {(("scores", 3, "player"), "unknown_player")},
    ),
    "not at the table": (
        replace(ROUND, scores=(*ROUND.scores, ScoreInput("Eva", 30))),
        {(("scores", 4, "player"), "not_seated")},
    ),
    "missing": (replace(ROUND, scores=ROUND.scores[:3]), {(("scores",), "player_missing")}),
    "twice": (
        replace(ROUND, scores=(*ROUND.scores, ScoreInput("Ann", 30))),
        {(("scores", 4, "player"), "player_twice")},
    ),
    "points": (
        by_points("xxl-1", {"Ann": -1, "Ben": 10, "Cem": 20, "Dora": 30}),
        {(("scores", 0, "points"), "points_below")},
    ),
    "places": (
        by_places("xxl-1", {"Ann": 1, "Ben": 2, "Cem": 2, "Dora": 3}),
        {(("scores", 3, "place"), "place_expected")},
    ),
    "note": (replace(ROUND, note="rain"), {(("note",), "note_not_allowed")}),
}


@pytest.mark.parametrize("case", WRONG_ROUNDS)
def test_refused_round(people: People, case: str) -> None:
    session = _open(people)
    data, problems = WRONG_ROUNDS[case]
    before = rows()
    with pytest.raises(InputError) as caught:
        _next(people, session, data)
    assert _found(caught.value.problems) == problems
    assert rows() == before


def test_a_game_too_often(people: People) -> None:
    session = _next(people, _open(people), ROUND)
    with pytest.raises(InputError) as caught:
        _next(people, session, ROUND)
    assert _found(caught.value.problems) == {(("game",), "game_played_too_often")}


def test_an_odd_order_is_confirmed_once_a_session(people: People) -> None:
    session = _open(people)
    places = {"Ann": 1, "Ben": 2, "Cem": 3, "Dora": 4}
    with pytest.raises(NeedsConfirmation) as caught:
        _next(people, session, by_places("xxl-6", places), frozenset())
    assert _found(caught.value.warnings) == {(("game",), "unusual_order")}
    _next(people, session, by_places("xxl-6", places), frozenset({"unusual_order"}))
    session = _next(people, session, by_places("xxl-1", places), frozenset())
    session.refresh_from_db()
    assert session.confirmed == ["unusual_order"]


def _verbs(by: Access, session: Session) -> list[Callable[[], object]]:
    """Everything that can be done to an open session."""
    pk = session.pk
    return [
        lambda: results.record_round(access=by, session_id=pk, data=ROUND, confirm=ANYTHING, now=NOW),
        lambda: results.end(access=by, session_id=pk, confirm=ANYTHING, now=NOW),
        lambda: results.leave(access=by, session_id=pk, player="Ann", now=NOW),
        lambda: results.join(access=by, session_id=pk, player="Eva", seat=None, now=NOW),
        lambda: results.substitute(access=by, session_id=pk, player="Eva", for_player="Ann", now=NOW),
    ]


def test_an_ended_session_takes_nothing_more(people: People) -> None:
    session = record(people, evening("four-players"))
    by = people.access(people.scorekeeper)
    before = rows()
    for call in _verbs(by, session):
        with pytest.raises(Conflict) as caught:
            call()
        assert caught.value.code == "session_ended"
    assert rows() == before


def test_another_clubs_session_is_not_there(people: People) -> None:
    session = _open(people)
    by = people.access(people.stranger)
    before = rows()
    for call in _verbs(by, session):
        with pytest.raises(NotFound):
            call()
    assert rows() == before


def test_a_member_may_only_read(people: People) -> None:
    session = _open(people)
    by = people.access(people.member)
    for call in _verbs(by, session):
        with pytest.raises(Forbidden):
            call()


def test_a_session_of_a_season_closed_meanwhile_waits(people: People) -> None:
    session = _open(people)
    people.season.status = SeasonStatus.CLOSED
    people.season.save()
    with pytest.raises(Conflict) as caught:
        _next(people, session, ROUND)
    assert caught.value.code == "season_closed"
    assert not Round.objects.exists()


def test_ending_early_has_to_be_confirmed(people: People) -> None:
    session = _open(people)
    by = people.access(people.scorekeeper)
    with pytest.raises(InputError) as caught:
        results.end(access=by, session_id=session.pk, confirm=ANYTHING, now=NOW)
    assert _found(caught.value.problems) == {(("status",), "no_rounds")}
    _next(people, session, ROUND)
    with pytest.raises(NeedsConfirmation) as warned:
        results.end(access=by, session_id=session.pk, confirm=frozenset(), now=NOW)
    assert _found(warned.value.warnings) == {(("status",), "ends_early")}
    session.refresh_from_db()
    assert (session.status, session.results.count()) == ("open", 0)
    session = results.end(access=by, session_id=session.pk, confirm=frozenset({"ends_early"}), now=NOW)
    session.refresh_from_db()
    assert (session.status, session.confirmed) == ("incomplete", ["ends_early"])


# --- The table --------------------------------------------------------------------------------------------------------


def _table_refused(people: People, session: Session, verb: str, **given: Any) -> Found:
    before = rows()
    with pytest.raises(InputError) as caught:
        getattr(results, verb)(access=people.access(people.scorekeeper), session_id=session.pk, now=NOW, **given)
    assert rows() == before
    return _found(caught.value.problems)


def test_who_can_t_sit_down_or_get_up(people: People) -> None:
    session = _next(people, _open(people), ROUND)
    refused: list[tuple[str, dict[str, Any], tuple[str, ...], str]] = [
        ("join", {"player": "Zoe", "seat": None}, ("player",), "unknown_player"),
        ("join", {"player": "Ann", "seat": None}, ("player",), "already_seated"),
        ("join", {"player": "Eva", "seat": 0}, ("seat",), "seat_taken"),
        ("join", {"player": "Eva", "seat": -1}, ("seat",), "out_of_range"),
        ("join", {"player": "Eva", "seat": 70_000}, ("seat",), "out_of_range"),
        ("leave", {"player": "Eva"}, ("player",), "not_seated"),
        ("leave", {"player": "Zoe"}, ("player",), "unknown_player"),
        ("substitute", {"player": "Ann", "for_player": "Ben"}, ("player",), "already_seated"),
        ("substitute", {"player": "Eva", "for_player": "Finn"}, ("substitutes",), "not_seated"),
        ("substitute", {"player": "Eva", "for_player": "Zoe"}, ("substitutes",), "unknown_player"),
        ("join", {"player": people.other_players[4].pk, "seat": None}, ("player",), "unknown_player"),
    ]
    for verb, given, path, code in refused:
        assert _table_refused(people, session, verb, **given) == {(path, code)}, (verb, given)


def test_a_returning_player_keeps_the_seat(people: People) -> None:
    session = _next(people, _open(people), ROUND)
    by = people.access(people.scorekeeper)
    results.substitute(access=by, session_id=session.pk, player="Eva", for_player="Ben", now=NOW)
    assert _table_refused(people, session, "join", player="Ben", seat=4) == {(("player",), "seat_changed")}
    assert _table_refused(people, session, "join", player="Ben", seat=None) == {(("seat",), "seat_taken")}
    assert _table_refused(people, session, "substitute", player="Ben", for_player="Ann") == {
        (("player",), "seat_changed")
    }
    results.leave(access=by, session_id=session.pk, player="Eva", now=NOW)  # she never played
    results.join(access=by, session_id=session.pk, player="Ben", seat=None, now=NOW)
    assert list(session.seats.order_by("number", "from_round").values_list("player__name", "number", "from_round")) == [
        ("Ann", 0, 1),
        ("Ben", 1, 1),
        ("Ben", 1, 2),
        ("Cem", 2, 1),
        ("Dora", 3, 1),
    ]


def test_seats_planned_beforehand_stay_taken(people: People) -> None:
    """Ben said at once that he has to go after round 3, and Eva that she comes for round 5."""
    data = replace(
        series({"Ann": 1, "Ben": 2}, planned=6),
        players=(SeatInput("Ann"), SeatInput("Ben", until_round=3), SeatInput("Eva", seat=1, from_round=5)),
    )
    session = record(people, data)
    by = people.access(people.scorekeeper)
    assert _table_refused(people, session, "join", player="Cem", seat=1) == {(("seat",), "seat_taken")}
    assert _table_refused(people, session, "join", player="Ben", seat=None) == {(("player",), "already_seated")}
    assert _table_refused(people, session, "substitute", player="Cem", for_player="Ben") == {
        (("seat",), "seat_taken")  # Eva has it later
    }
    results.leave(access=by, session_id=session.pk, player="Eva", now=NOW)
    results.substitute(access=by, session_id=session.pk, player="Cem", for_player="Ben", now=NOW)
    session = _next(people, session, by_places("xxl-6-plus", {"Ann": 1, "Cem": 2}))
    assert set(session.seats.values_list("player__name", "number", "from_round", "until_round")) == {
        ("Ann", 0, 1, None),
        ("Ben", 1, 1, 1),
        ("Cem", 1, 2, None),
    }
    results.end(access=by, session_id=session.pk, confirm=ANYTHING, now=NOW)


def test_a_table_that_everybody_left_is_no_crash(people: People) -> None:
    session = record(people, series({"Ann": 1, "Ben": 2}, planned=2))
    by = people.access(people.scorekeeper)
    for name in ("Ann", "Ben"):
        results.leave(access=by, session_id=session.pk, player=name, now=NOW)
    with pytest.raises(InputError) as caught:
        _next(people, session, RoundInput("xxl-6-plus", ()))
    assert _found(caught.value.problems) == {(("scores",), "players_out_of_range")}


def test_a_player_archived_during_the_evening_plays_on(people: People) -> None:
    """Otherwise the table could neither enter the next round nor let the player go."""
    session = _next(people, _open(people), ROUND)
    dora = people.players[3]
    dora.archived_at = NOW
    dora.save()
    session = _next(people, session, by_points("xxl-2", {"Ann": 0, "Ben": 10, "Cem": 20, "Dora": 30}))
    by = people.access(people.scorekeeper)
    results.substitute(access=by, session_id=session.pk, player="Eva", for_player="Dora", now=NOW)
    # Who got up is archived for good.
    assert _table_refused(people, session, "join", player="Dora", seat=None) == {(("player",), "unknown_player")}
