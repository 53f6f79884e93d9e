"""What can be wrong or odd about scores and plans, as codes; the words are given elsewhere.

Terms. An *error* can't be: the input is refused. A *warning* is implausible but possible: it is
refused until whoever enters it confirms it by its code. A *reason* says why somebody has no place or
why a session does not count; it is not a fault.

Promises: every code this room can give stands in ``CODES`` with exactly the parameters it comes with.

Never: holds a sentence in any language, or a player's name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, NamedTuple

Kind = Literal["error", "warning", "reason"]


class Code(NamedTuple):
    """What a code is and the names of its parameters."""

    kind: Kind
    parameters: tuple[str, ...] = ()


CODES: Mapping[str, Code] = MappingProxyType(
    {
        # A round's scores: impossible.
        "points_or_places": Code("error"),  # all give points or all give places; this one lacks it
        "places_only": Code("error"),  # this game is scored by places and has no points
        "points_below": Code("error", ("minimum",)),  # fewer points than there can be
        "points_above": Code("error", ("maximum",)),  # more points than there can be
        "points_together_above": Code("error", ("maximum", "total")),  # more than the deck holds
        "place_expected": Code("error", ("expected", "given")),  # the places are no competition ranking
        "place_disagrees": Code("error", ("expected", "given")),  # the points give another place
        "players_out_of_range": Code("error", ("minimum", "maximum", "count")),  # too many or too few play
        "place_not_allowed": Code("error"),  # a cooperative game has no places
        "cooperative_points_differ": Code("error"),  # one result for the whole table
        "note_not_allowed": Code("error", ("allowed",)),  # codes of the game's notes, ", " between, or ""
        # A round's scores: implausible.
        "nobody_at_zero": Code("warning"),  # somebody lays the last card, unless a note explains it
        "several_at_zero": Code("warning", ("count",)),  # only one player lays the last card
        "together_implausible": Code("warning", ("minimum", "maximum", "total")),  # the cards can't give it
        "below_cheapest": Code("warning", ("minimum",)),  # neither 0 nor the cheapest straight
        "shared_first": Code("warning"),  # as several_at_zero, seen from places alone
        "too_many_left": Code("warning", ("maximum",)),  # more cards left than after the least play
        "points_high": Code("warning", ("maximum",)),  # more points than one player can win
        "points_low": Code("warning", ("minimum",)),  # fewer points than one player can win
        # The plan of a session.
        "repeats_out_of_range": Code("error", ("minimum", "maximum")),  # once or twice
        "game_not_in_format": Code("error", ("game", "format")),  # this format does not play this game
        "game_played_too_often": Code("error", ("game", "maximum")),  # once or twice each, as agreed
        "another_game": Code("error", ("game",)),  # a series is of its first game alone
        "planned_required": Code("error"),  # this format agrees on a number of rounds beforehand
        "too_many_rounds": Code("error", ("maximum",)),  # more rounds than were agreed
        "unusual_order": Code("warning"),  # not 1 to 6 in order, once or twice
        "too_few_rounds": Code("warning", ("minimum",)),  # fewer rounds agreed than players
        "unequal_declarations": Code("warning", ("players",)),  # not all declare trumps equally often
        # Who sat where: impossible.
        "seat_taken": Code("error", ("seat", "round")),  # two players on one seat in one round
        "seat_changed": Code("error", ("seat",)),  # a player keeps one seat the whole session
        "seat_rounds_reversed": Code("error", ("from_round", "until_round")),  # got up before sitting down
        "not_seated": Code("error", ("player", "round")),  # a place for somebody not at the table
        # Why a player has no place.
        "not_played": Code("reason"),  # took part in no round
        "missed_rounds": Code("reason"),  # missed a round where the season's rules ask for all
        "substitute": Code("reason"),  # the rounds count for the one who first sat there
        # Why a session does not count for its season.
        "incomplete": Code("reason"),  # ended early where the season's rules ask for all games
        "below_minimum_rounds": Code("reason"),  # ended too early
        "no_places": Code("reason"),  # nobody has a place, as in a cooperative game
    }
)


@dataclass(frozen=True, slots=True)
class Problem:
    """An error or a warning: its code, where it is, and the values its sentence needs.

    ``field`` is the kind of value at fault (``points``, ``place``, ``scores``, ``note``, ``game``,
    ``rounds``, ``repeats``, ``planned``, ``seats``); ``index`` counts from 0 in the sequence that was
    given (the scores of a round, the games of a plan, the seats), ``None`` means all of it. ``params``
    has the keys that ``CODES`` names.
    """

    code: str
    field: str
    index: int | None
    params: Mapping[str, int | str]


class ScoringError(ValueError):
    """Input that can't be: the user's error, with all the problems that were found."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(", ".join(f"{problem.field}: {problem.code}" for problem in problems))
        self.problems = tuple(problems)
