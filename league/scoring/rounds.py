"""The scores of one round: what can be, what is plausible, and the places that follow
(docs/rules/xxl.md, "Scoring a session" and "Logged results from physical games").

Terms. An *entry* is what was noted down for one player: points, a place, or both. A round is *given by
points* when all its entries have points, and *by places* when none has.

Promises: one call finds all errors of a round; the limits come from the catalogue alone, so that a new
game needs no line here. Warnings never stop a round: the caller decides what was confirmed.

Never: knows who the players are (their order is the caller's) or words a message.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from games.catalog import GameInfo, TableBounds
from games.core import Json
from league.scoring.places import check_ranking, places
from league.scoring.problems import Problem, ScoringError


@dataclass(frozen=True, slots=True)
class Entry:
    """One player's points (whole number) and finishing place (from 1); ``None`` where not noted down."""

    points: int | None = None
    place: int | None = None


@dataclass(frozen=True, slots=True)
class RoundScore:
    """One place an entry, in their order (``None`` in a cooperative game), and what looks implausible."""

    places: tuple[int | None, ...]
    warnings: tuple[Problem, ...]


def score_round(
    game: GameInfo, entries: Sequence[Entry], *, note: str = "", options: Mapping[str, Json] | None = None
) -> RoundScore:
    """Check the entries of all players of a round and work out the places.

    ``options`` are those that an engine played with, where they are known: another deck has other limits.
    Raises ScoringError with every error found: a number of players or a note the game does not know,
    points missing for some, points where the game has none, points beyond the hard limits, places that
    are no competition ranking or disagree with the points.
    """
    errors = [*_table_errors(game, len(entries), note), *_entry_errors(game, entries)]
    points = [entry.points for entry in entries if entry.points is not None]
    given = [entry.place for entry in entries if entry.place is not None]
    by_points = len(points) == len(entries)
    bounds = game.bounds.for_table(len(entries), note, options)
    if by_points:
        errors += _beyond_bounds(bounds, points)
        if game.cooperative:
            errors += _different_results(points)
        else:
            errors += _disagreements(places(points, high_wins=game.high_wins), entries)
    elif not points and len(given) == len(entries) and not game.cooperative:
        errors += check_ranking(given)
    if errors:
        raise ScoringError(errors)

    if game.cooperative:
        return RoundScore((None,) * len(entries), tuple(_odd_table_result(bounds, points[0])))
    if by_points:
        return RoundScore(places(points, high_wins=game.high_wins), tuple(_odd_points(bounds, points)))
    return RoundScore(tuple(given), tuple(_odd_places(bounds, given)))


def _table_errors(game: GameInfo, players: int, note: str) -> Iterator[Problem]:
    if not game.min_players <= players <= game.max_players:
        yield Problem(
            "players_out_of_range",
            "scores",
            None,
            {"minimum": game.min_players, "maximum": game.max_players, "count": players},
        )
    if note and note not in game.notes:
        yield Problem("note_not_allowed", "note", None, {"allowed": ", ".join(game.notes)})


def _entry_errors(game: GameInfo, entries: Sequence[Entry]) -> Iterator[Problem]:
    """What is missing or too much in single entries, whatever its value."""
    if game.scored_by == "places":
        for index, entry in enumerate(entries):
            if entry.points is not None:
                yield Problem("places_only", "points", index, {})
            elif entry.place is None:
                yield Problem("places_only", "place", index, {})
        return
    # One player's points ask for everyone's: points beside bare places could not be checked against them.
    points_due = (
        game.cooperative
        or any(entry.points is not None for entry in entries)
        or all(entry.place is None for entry in entries)
    )
    for index, entry in enumerate(entries):
        if game.cooperative and entry.place is not None:
            yield Problem("place_not_allowed", "place", index, {})
        if points_due and entry.points is None:
            yield Problem("points_or_places", "points", index, {})
        elif not points_due and entry.place is None:
            yield Problem("points_or_places", "place", index, {})


def _beyond_bounds(bounds: TableBounds, points: Sequence[int]) -> Iterator[Problem]:
    for index, value in enumerate(points):
        if bounds.minimum is not None and value < bounds.minimum:
            yield Problem("points_below", "points", index, {"minimum": bounds.minimum})
        if bounds.maximum is not None and value > bounds.maximum:
            yield Problem("points_above", "points", index, {"maximum": bounds.maximum})
    total = sum(points)
    if bounds.together_maximum is not None and total > bounds.together_maximum:
        yield Problem("points_together_above", "scores", None, {"maximum": bounds.together_maximum, "total": total})


def _different_results(points: Sequence[int]) -> Iterator[Problem]:
    if len(set(points)) > 1:
        yield Problem("cooperative_points_differ", "scores", None, {})


def _disagreements(expected: Sequence[int], entries: Sequence[Entry]) -> Iterator[Problem]:
    for index, (place, entry) in enumerate(zip(expected, entries, strict=True)):
        if entry.place is not None and entry.place != place:
            yield Problem("place_disagrees", "place", index, {"expected": place, "given": entry.place})


def _odd_table_result(bounds: TableBounds, result: int) -> Iterator[Problem]:
    if bounds.high is not None and result > bounds.high:
        yield Problem("too_many_left", "points", None, {"maximum": bounds.high})


def _odd_points(bounds: TableBounds, points: Sequence[int]) -> Iterator[Problem]:
    for index, value in enumerate(points):
        if bounds.low is not None and value < bounds.low:
            yield Problem("points_low", "points", index, {"minimum": bounds.low})
        if bounds.high is not None and value > bounds.high:
            yield Problem("points_high", "points", index, {"maximum": bounds.high})
        if bounds.cheapest is not None and 0 < value < bounds.cheapest:
            yield Problem("below_cheapest", "points", index, {"minimum": bounds.cheapest})
    at_zero = points.count(0)
    if bounds.zero == "exactly_one" and at_zero == 0:
        yield Problem("nobody_at_zero", "points", None, {})
    if bounds.zero != "any" and at_zero > 1:
        yield Problem("several_at_zero", "points", None, {"count": at_zero})
    total = sum(points)
    if bounds.together_low is None or bounds.together_high is None:
        return
    if not bounds.together_low <= total <= bounds.together_high:
        yield Problem(
            "together_implausible",
            "scores",
            None,
            {"minimum": bounds.together_low, "maximum": bounds.together_high, "total": total},
        )


def _odd_places(bounds: TableBounds, given: Sequence[int]) -> Iterator[Problem]:
    # Where exactly one player must be at 0, that one alone is first.
    if bounds.zero == "exactly_one" and given.count(1) > 1:
        yield Problem("shared_first", "place", None, {})
