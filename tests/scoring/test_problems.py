"""Each code is listed with its kind and parameters, and can be met."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from games.catalog import GAMES, GameInfo
from league.scoring.problems import CODES, Problem, ScoringError
from league.scoring.rounds import Entry, score_round
from league.scoring.sessions import (
    EveningRules,
    Format,
    PlayedRound,
    Seat,
    plan_problems,
    running,
    score_session,
)


def of_round(key: str, *entries: Entry, note: str = "") -> Iterator[tuple[str, Problem]]:
    return of_round_of(GAMES[key], *entries, note=note)


def of_round_of(game: GameInfo, *entries: Entry, note: str = "") -> Iterator[tuple[str, Problem]]:
    try:
        score = score_round(game, entries, note=note)
    except ScoringError as error:
        yield from (("error", problem) for problem in error.problems)
    else:
        yield from (("warning", problem) for problem in score.warnings)


def of_plan(format: Format, games: Sequence[str], repeats: int, planned: int | None) -> Iterator[tuple[str, Problem]]:
    errors, warnings = plan_problems(format, games, repeats=repeats, planned=planned, players=4)
    yield from (("error", problem) for problem in errors)
    yield from (("warning", problem) for problem in warnings)


def of_seats(*seats: Seat) -> Iterator[tuple[str, Problem]]:
    try:
        running(seats, [PlayedRound(1, "xxl-1", {1: 1, 2: 2})], EveningRules())
    except ScoringError as error:
        yield from (("error", problem) for problem in error.problems)


def points(*values: int) -> list[Entry]:
    return [Entry(points=value) for value in values]


def all_problems() -> Iterator[tuple[str, Problem]]:
    yield from of_round("xxl-1", Entry(0), Entry(place=2))
    yield from of_round("xxl-1", Entry(-1, 2), Entry(600, 1), note="early_end")
    yield from of_round("xxl-1", *points(1, 2, 3, 4, 5, 6, 7))
    yield from of_round("xxl-1", *points(1, 2))
    yield from of_round("xxl-1", *points(0, 0))
    yield from of_round("xxl-1", Entry(place=1), Entry(place=1))
    yield from of_round("xxl-1", Entry(place=1), Entry(place=3))
    yield from of_round("xxl-3", *points(0, 0))
    yield from of_round("xxl-4", *points(1, 7))
    yield from of_round_of(replace(GAMES["xxl-1"], scored_by="places"), Entry(0), Entry(place=1))
    yield from of_round("the-game", Entry(99, 1), Entry(3))
    yield from of_round("the-game", Entry(98))
    yield from of_round("und-tschuess", *points(188, -106, 0))
    yield from of_plan("pure_xxl", ["xxl-1", "xxl-1", "the-game"], 1, None)
    yield from of_plan("pure_xxl", ["xxl-2"], 1, None)
    yield from of_plan("pure_xxl", [], 3, None)
    yield from of_plan("individual_xxl", [], 1, None)
    yield from of_plan("individual_xxl", ["xxl-6-plus"], 1, 1)
    yield from of_plan("single_game", ["xxl-1", "xxl-1"], 1, None)
    yield from of_plan("series", ["the-game", "xxl-1"], 1, 2)
    yield from of_seats(Seat(1, 0), Seat(2, 0), Seat(3, 3, 3, 2))
    yield from of_seats(Seat(1, 0), Seat(1, 1, 2))


def all_reasons() -> Iterator[str]:
    seats = (Seat(1, 0, 1, 1), Seat(2, 0, 2), Seat(3, 1), Seat(4, 2))
    rounds = [PlayedRound(1, "xxl-1", {1: 1, 3: 2}), PlayedRound(2, "xxl-2", {2: 1, 3: 2})]
    for rules in (
        EveningRules(missing_round="exclude", incomplete="skip"),
        EveningRules(substitution="seat", minimum_rounds=3),
    ):
        for played in (rounds, []):
            score = score_session(seats, played, planned=6, rules=rules)
            yield score.reason
            yield from (result.reason for result in score.results)


def test_every_code_can_be_met_with_its_kind_and_parameters() -> None:
    met = {problem.code: (kind, set(problem.params)) for kind, problem in all_problems()}
    met |= {reason: ("reason", set()) for reason in all_reasons() if reason}
    assert met == {code: (kind, set(parameters)) for code, (kind, parameters) in CODES.items()}


def test_the_error_names_its_problems() -> None:
    problems = (Problem("points_below", "points", 0, {"minimum": 0}), Problem("note_not_allowed", "note", None, {}))
    error = ScoringError(problems)
    assert error.problems == problems
    assert str(error) == "points: points_below, note: note_not_allowed"
    with pytest.raises(ValueError, match="points_below"):
        raise error
