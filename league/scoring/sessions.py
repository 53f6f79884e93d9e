"""A session's places from the places of its rounds (docs/rules/xxl.md, "Scoring a session").

Terms. A *session* is one sitting of players. A *seat* is a place at the table, taken by one player or by
several after one another; whoever takes it over is a *substitute*. A *round* is one game played. The
*place sum* adds up the places of all rounds; the lowest wins, equal sums share the final place and the
following places are skipped. A round is *missed* by a player of the session who has no place in it
(left early, joined late, sat out). A session is *incomplete* when it ended before all planned rounds.

How missed rounds, substitutes and incomplete sessions count is the season's choice (``EveningRules``);
the publisher's rules say nothing of them.

Promises: each player gets one result, with a reason wherever there is no place. Rounds of cooperative
games have no places: they count as played, enter no sum and are missed by nobody.

Never: changes a place within a round; a player who gets no final place keeps the places of the rounds,
and so do the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Literal

from games.catalog import GAMES, GameInfo
from league.scoring.places import places
from league.scoring.problems import Problem, ScoringError

Format = Literal["pure_xxl", "individual_xxl", "single_game", "series"]

PURE_XXL = ("xxl-1", "xxl-2", "xxl-3", "xxl-4", "xxl-5", "xxl-6")
_DECLARED = "xxl-6-plus"


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sat where from which round to which, both included and counted from 1.

    ``player`` is an id, ``seat`` counts from 0 clockwise; ``until_round`` is ``None`` for to the end.
    A player who left and came back to the same seat has two of these.
    """

    player: int
    seat: int
    from_round: int = 1
    until_round: int | None = None

    def holds(self, number: int) -> bool:
        """Whether the player sat here in the round of that number."""
        return self.from_round <= number and (self.until_round is None or number <= self.until_round)

    def first_shared(self, other: Seat) -> int | None:
        """The first round in which both are held, whoever sits on them; ``None`` when there is none."""
        # Two spans overlap exactly when the later start lies in both.
        start = max(self.from_round, other.from_round)
        return start if self.holds(start) and other.holds(start) else None


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """One round: its number (from 1), its game's key, and the place of each player who took part.

    ``places`` is empty for a cooperative game. ``points`` are those of the players for whom any were noted.
    """

    number: int
    game: str
    places: Mapping[int, int]
    points: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EveningRules:
    """How a season counts sessions that did not go as planned.

    ``incomplete``: a session that ended early counts as it stands (``count``), though only from
    ``minimum_rounds`` on, or not at all (``skip``). A complete one always counts.

    ``missing_round``: a missed round counts as the place behind all who played it, their number plus
    one (``last``), or who missed one gets no final place (``exclude``).

    ``substitution``: everybody has their own rounds and has missed the others (``separate``), or all
    rounds of a seat count for the one who first sat in it (``seat``).
    """

    incomplete: Literal["count", "skip"] = "count"
    minimum_rounds: int = 1
    missing_round: Literal["last", "exclude"] = "last"
    substitution: Literal["separate", "seat"] = "separate"


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """What one player has in a session.

    ``place_sum`` adds up the places got and, for who gets a final place, those counted for missed rounds.
    ``place`` is ``None`` exactly when ``reason`` is not "": ``not_played``, ``missed_rounds``,
    ``substitute`` or ``no_places`` (the rounds so far give nobody a place). Where a seat's rounds count for
    the one who first sat in it, they are in that player's sum, points and number of rounds; a substitute's own
    are shown with the substitute as well. ``points`` adds up the points of the same rounds, ``None`` where none
    has any.
    """

    player: int
    place_sum: int
    rounds_played: int
    rounds_missed: int
    place: int | None
    reason: str
    points: int | None = None


@dataclass(frozen=True, slots=True)
class SessionScore:
    """All results of a finished session, and whether it counts for its season.

    ``reason`` says why it does not: ``no_places``, ``incomplete`` or ``below_minimum_rounds``; "" when
    it does. The results stand either way.
    """

    results: tuple[PlayerResult, ...]
    counts: bool
    reason: str


def running(seats: Sequence[Seat], rounds: Sequence[PlayedRound], rules: EveningRules) -> tuple[PlayerResult, ...]:
    """The results after the rounds played so far, one a player in the order of ``seats``.

    Raises ScoringError when two players have one seat in a round, a player has two seats, or a round
    has a place for somebody who was not seated in it.
    """
    errors = [*seat_problems(seats), *_unseated(seats, rounds)]
    if errors:
        raise ScoringError(errors)
    placed = [round_ for round_ in rounds if round_.places]
    cooperative = [round_ for round_ in rounds if not round_.places]
    seat_of = {sitting.player: sitting.seat for sitting in seats}
    substitutes = _substitutes(seats) if rules.substitution == "seat" else frozenset()

    results = []
    for player, seat in seat_of.items():
        if rules.substitution == "seat" and player not in substitutes:
            counted = [other for other, place in seat_of.items() if place == seat]
        else:
            counted = [player]
        got = [round_.places[one] for round_ in placed for one in counted if one in round_.places]
        missed = [round_ for round_ in placed if not any(one in round_.places for one in counted)]
        result = _result(player, got, missed, player in substitutes, rules)
        sat = [sitting for sitting in seats if sitting.player in counted]
        together = sum(any(sitting.holds(round_.number) for sitting in sat) for round_ in cooperative)
        points = [round_.points[one] for round_ in rounds for one in counted if one in round_.points]
        result = replace(result, rounds_played=len(got) + together, points=sum(points) if points else None)
        if together and not placed and result.reason == "not_played":
            result = replace(result, reason="no_places")
        results.append(result)
    return _with_places(results)


def score_session(
    seats: Sequence[Seat], rounds: Sequence[PlayedRound], *, planned: int, rules: EveningRules
) -> SessionScore:
    """The final results of a session that was planned for so many rounds, and whether it counts.

    Raises ScoringError as ``running`` does.
    """
    results = running(seats, rounds, rules)
    if all(result.place is None for result in results):
        return SessionScore(results, False, "no_places")
    if len(rounds) < planned:
        if rules.incomplete == "skip":
            return SessionScore(results, False, "incomplete")
        if len(rounds) < rules.minimum_rounds:
            return SessionScore(results, False, "below_minimum_rounds")
    return SessionScore(results, True, "")


def seat_problems(seats: Sequence[Seat]) -> Iterator[Problem]:
    """What can't be about who sat where; ``index`` counts in ``seats``."""
    seat_of: dict[int, int] = {}
    for index, sitting in enumerate(seats):
        if sitting.until_round is not None and sitting.until_round < sitting.from_round:
            yield Problem(
                "seat_rounds_reversed",
                "seats",
                index,
                {"from_round": sitting.from_round, "until_round": sitting.until_round},
            )
        if seat_of.setdefault(sitting.player, sitting.seat) != sitting.seat:
            yield Problem("seat_changed", "seats", index, {"seat": seat_of[sitting.player]})
        for earlier in seats[:index]:
            shared = earlier.first_shared(sitting) if earlier.seat == sitting.seat else None
            if shared is not None:
                yield Problem("seat_taken", "seats", index, {"seat": sitting.seat, "round": shared})


def _unseated(seats: Sequence[Seat], rounds: Sequence[PlayedRound]) -> Iterator[Problem]:
    for index, round_ in enumerate(rounds):
        at_table = {sitting.player for sitting in seats if sitting.holds(round_.number)}
        for player in round_.places:
            if player not in at_table:
                yield Problem("not_seated", "rounds", index, {"player": player, "round": round_.number})


def _substitutes(seats: Sequence[Seat]) -> frozenset[int]:
    """Everybody who took over a seat in which somebody else had sat before."""
    first: dict[int, Seat] = {}
    for sitting in sorted(seats, key=lambda sitting: sitting.from_round):
        first.setdefault(sitting.seat, sitting)
    return frozenset(s.player for s in seats if s.player != first[s.seat].player)


def _result(
    player: int, got: Sequence[int], missed: Sequence[PlayedRound], substitute: bool, rules: EveningRules
) -> PlayerResult:
    """One player's result, its ``place`` still open."""
    if substitute:
        reason = "substitute"
    elif not got:
        reason = "not_played"
    elif missed and rules.missing_round == "exclude":
        reason = "missed_rounds"
    else:
        reason = ""
    behind_all = sum(len(round_.places) + 1 for round_ in missed) if not reason else 0
    return PlayerResult(player, sum(got) + behind_all, len(got), len(missed), None, reason)


def _with_places(results: Sequence[PlayerResult]) -> tuple[PlayerResult, ...]:
    """The final places of those who have no reason against one; the others are not counted over."""
    ranked = [result for result in results if not result.reason]
    final = places([result.place_sum for result in ranked], high_wins=False)
    place_of = {result.player: place for result, place in zip(ranked, final, strict=True)}
    return tuple(replace(result, place=place_of.get(result.player)) for result in results)


def plan_problems(
    format: Format,
    games: Sequence[str],
    *,
    repeats: int,
    planned: int | None,
    players: int,
    known: Mapping[str, GameInfo] = GAMES,
) -> tuple[tuple[Problem, ...], tuple[Problem, ...]]:
    """Errors and warnings, in this order, of the games played so far in a session, given by their keys in order.

    ``known`` are the games there are, by their keys: the catalogue's, or those and a club's own.

    ``pure_xxl``: games 1 to 6, each ``repeats`` times (1 or 2); ``planned`` plays no part.
    ``individual_xxl``: any games of the XXL family, ``planned`` rounds in all as agreed beforehand.
    ``single_game``: one round of any game. ``series``: any one game, ``planned`` rounds of it. ``players``
    is their number, 1 or more. Warnings are judged only where there are no errors.
    """
    match format:
        case "pure_xxl":
            errors: Iterable[Problem] = _pure_errors(games, repeats)
            warnings: Iterable[Problem] = _unusual_order(games, repeats)
        case "individual_xxl":
            errors = _individual_errors(games, planned, known)
            warnings = _individual_warnings(games, planned, players)
        case "single_game":
            errors = chain(_foreign(games, tuple(known), format), _too_many(games, 1))
            warnings = ()
        case "series":
            errors = chain(_foreign(games, tuple(known), format), _other_games(games, known), _agreed(games, planned))
            warnings = ()
    found = tuple(errors)
    return found, () if found else tuple(warnings)


def _foreign(games: Sequence[str], allowed: Sequence[str], format: Format) -> Iterator[Problem]:
    for index, game in enumerate(games):
        if game not in allowed:
            yield Problem("game_not_in_format", "game", index, {"game": game, "format": format})


def _too_many(games: Sequence[str], maximum: int) -> Iterator[Problem]:
    if len(games) > maximum:
        yield Problem("too_many_rounds", "rounds", None, {"maximum": maximum})


def _agreed(games: Sequence[str], planned: int | None) -> Iterator[Problem]:
    if planned is None:
        yield Problem("planned_required", "planned", None, {})
    else:
        yield from _too_many(games, planned)


def _other_games(games: Sequence[str], known: Mapping[str, GameInfo]) -> Iterator[Problem]:
    for index, game in enumerate(games):
        if game in known and game != games[0]:
            yield Problem("another_game", "game", index, {"game": games[0]})


def _pure_errors(games: Sequence[str], repeats: int) -> Iterator[Problem]:
    if repeats not in (1, 2):
        yield Problem("repeats_out_of_range", "repeats", None, {"minimum": 1, "maximum": 2})
        return
    yield from _foreign(games, PURE_XXL, "pure_xxl")
    for index, game in enumerate(games):
        if game in PURE_XXL and games[:index].count(game) >= repeats:
            yield Problem("game_played_too_often", "game", index, {"game": game, "maximum": repeats})


def _unusual_order(games: Sequence[str], repeats: int) -> Iterator[Problem]:
    one_after_another = PURE_XXL * repeats
    each_in_succession = tuple(game for game in PURE_XXL for _ in range(repeats))
    played = tuple(games)
    if played not in (one_after_another[: len(played)], each_in_succession[: len(played)]):
        yield Problem("unusual_order", "rounds", None, {})


def _individual_errors(games: Sequence[str], planned: int | None, known: Mapping[str, GameInfo]) -> Iterator[Problem]:
    family = tuple(key for key, game in known.items() if game.family == "xxl")
    yield from _foreign(games, family, "individual_xxl")
    yield from _agreed(games, planned)


def _individual_warnings(games: Sequence[str], planned: int | None, players: int) -> Iterator[Problem]:
    if planned is None:
        return
    if planned < players:
        yield Problem("too_few_rounds", "planned", None, {"minimum": players})
    # Before the last round the declarations may still become equal.
    if len(games) >= planned and games.count(_DECLARED) % players:
        yield Problem("unequal_declarations", "rounds", None, {"players": players})
