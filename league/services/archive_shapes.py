"""What the JSON in an archive's rows has to look like for the pages that show it.

Terms: a *shape* is a tuple of the types that a value may have, a set of the texts that it may be, a list with the
shape of all of a list's values, an object's shapes by key, or a function that tells. Keys that no shape names may be
there as well. Promises: whatever has its shape can be shown, compared and worked with as what was written here.
"""

from collections.abc import Mapping
from datetime import date
from types import NoneType
from typing import Any

from league.models import Confirmation, Season, SessionFormat, SessionStatus, TieBreakCode
from league.pairing.values import Reason
from league.scoring.tie_breaks import TIE_BREAKS as TOURNAMENT_TIE_BREAKS
from league.services.errors import InputError
from league.services.import_words import told
from league.services.pairing_words import sentence_of
from league.services.seasons import LARGEST_POINTS, LARGEST_TABLE, RULES
from league.services.tournament_formats import StageInput, check_stage
from league.services.webhooks import EVENTS

# As databases hold them.
_WHOLE = 2**63
_DIGITS = 19
_MAYBE = (int, NoneType)


def is_like(value: Any, shape: Any) -> bool:
    """Whether a value of JSON has a shape."""
    if isinstance(shape, Mapping):
        return isinstance(value, dict) and all(key in value and is_like(value[key], one) for key, one in shape.items())
    if isinstance(shape, list):
        return isinstance(value, list) and all(is_like(one, shape[0]) for one in value)
    if isinstance(shape, frozenset):
        return isinstance(value, str) and value in shape
    if callable(shape):
        return bool(shape(value))
    # Not isinstance: true is no number.
    return type(value) in shape and (type(value) is not int or abs(value) < _WHOLE)


def _is_day(value: Any) -> bool:
    try:
        date.fromisoformat(value)
    except (TypeError, ValueError):
        return False
    return True


def _is_problem(value: Any) -> bool:
    """Whether it is a problem of an import: line, code, parameters, whether it is an error, and its sentence if any."""
    shapes = [_MAYBE, (str,), {}, (bool,), (str,)]
    if not isinstance(value, list) or len(value) != len(shapes) or not all(map(is_like, value, shapes)):
        return False
    _line, code, params, _is_error, message = value
    try:
        return bool(message or told(code, params))
    except (KeyError, TypeError, ValueError):
        return False


def _is_outcome(value: Any) -> bool:
    """Whether it is the outcome of an import that is over."""
    shapes: Mapping[str, Any] = {
        "counts": lambda counts: isinstance(counts, dict) and all(is_like(one, (int,)) for one in counts.values()),
        "problems": [_is_problem],
        "problems_total": (int,),
        "kept": (int,),
        "kept_because": [(str,)],
    }
    # A preview is of an import that is not over.
    return isinstance(value, dict) and all(
        key != "preview" and (key not in shapes or is_like(one, shapes[key])) for key, one in value.items()
    )


# As `session_rows.snapshot` writes it.
_SNAPSHOT: Mapping[str, Any] = {
    "format": frozenset(SessionFormat.values),
    "season": _MAYBE,
    "played_on": _is_day,
    "location": (str,),
    "comment": (str,),
    "planned_rounds": (int,),
    "repeats": (int,),
    "status": frozenset(SessionStatus.values),
    "confirmation": frozenset({"", *Confirmation.values}),
    "counts": (bool,),
    "players": [{"player": (int,), "seat": (int,), "from_round": (int,), "until_round": _MAYBE}],
    "rounds": [
        {
            "number": (int,),
            "game": (str,),
            "note": (str,),
            "scores": [{"player": (int,), "points": _MAYBE, "place": _MAYBE}],
        }
    ],
    "results": [{"player": (int,), "place_sum": (int,), "place": _MAYBE}],
}


def _is_points(value: Any) -> bool:
    """Whether these are points for place 1, 2, …"""
    points = range(-LARGEST_POINTS, LARGEST_POINTS + 1)
    return is_like(value, [(int,)]) and 1 <= len(value) <= LARGEST_TABLE and all(one in points for one in value)


_NUMBER = (int, float)


def _is_scores(value: Any) -> bool:
    """Whether these are what a tournament's results score: numbers by name, and a list of points for places."""
    return isinstance(value, dict) and all(
        is_like(one, [_NUMBER] if name == "place_points" else _NUMBER) for name, one in value.items()
    )


def _is_reason(value: Any) -> bool:
    """Whether it is why a tournament round is as it is: code, ids of entries and figures that make a sentence."""
    if not is_like(value, {"code": (str,), "entries": [(int,)], "figures": {}}):
        return False
    if not all(is_like(one, _NUMBER) for one in value["figures"].values()):
        return False
    try:
        return bool(
            sentence_of(Reason(code=value["code"], entrants=tuple(value["entries"]), figures=value["figures"]), {})
        )
    except (KeyError, TypeError, ValueError):
        return False


def _is_quality(value: Any) -> bool:
    """Whether these are figures of a tournament round, with digests of the results that it is paired on."""
    if not isinstance(value, dict):
        return False
    return is_like(value.get("basis", ""), (str,)) and is_like(value.get("kept_bases", []), [(str,)])


def is_like_options(format_: str, groups: int, options: Any) -> bool:
    """Whether these are the complete options of a stage of that format."""
    if not isinstance(options, dict):
        return False
    try:
        complete = check_stage(StageInput(format_, options, groups), path=(), is_last=True)
    except InputError:
        return False
    return complete == options


def _is_options(value: Any) -> bool:
    """Whether these are options of a game by name: plain values, or lists of them."""
    plain = (bool, int, str, NoneType)
    return isinstance(value, dict) and all(is_like(one, plain) or is_like(one, [plain]) for one in value.values())


def _is_record(value: Any) -> bool:
    """Whether it is the record of a deal, as formats 1 and 2 have it: the version of the game, and (seat, word)s."""

    def is_move(one: Any) -> bool:
        return isinstance(one, list) and len(one) == 2 and is_like(one[0], (int,)) and is_like(one[1], (str,))

    return is_like(value, {"version": (int,), "moves": [is_move]})


def _is_counts(value: Any) -> bool:
    """Whether it says by name how often something was."""
    return isinstance(value, dict) and all(is_like(one, (int,)) and one >= 0 for one in value.values())


def _is_results(value: Any) -> bool:
    """Whether it says by a table's result how often it was."""
    return _is_counts(value) and all(
        len(result) <= _DIGITS and result.removeprefix("-").isdecimal() for result in value
    )


# As `games.series.Tally.to_json` writes it.
_TALLY: Mapping[str, Any] = {
    "deals": (int,),
    **{name: [(int,)] for name in ("scores", "places", "squares", "firsts")},
    "ends": _is_counts,
    "results": _is_results,
}
_TIE_BREAKS = [frozenset(TieBreakCode.values)]
# Each rule as its column has it.
_RULES: Mapping[str, Any] = {
    "points_by_place": _is_points,
    "tie_breaks": _TIE_BREAKS,
    **{
        field.name: frozenset(value for value, _label in field.choices) if field.choices else (int, bool)
        for field in Season._meta.concrete_fields
        if field.name in RULES - {"points_by_place", "tie_breaks"}
    },
}
# By topic and field.
SHAPES: Mapping[str, Mapping[str, Any]] = {
    "seasons": {"points_by_place": _is_points, "tie_breaks": _TIE_BREAKS},
    "rules_versions": {"rules": _RULES},
    "standings": {"place_counts": [(int,)]},
    "tournaments": {
        "session_format": frozenset(SessionFormat.values),
        "scores": _is_scores,
        "tie_breaks": [frozenset(TOURNAMENT_TIE_BREAKS)],
    },
    "tournament_rounds": {"reasons": [_is_reason], "quality": _is_quality},
    "sessions": {"confirmed": [(str,)]},
    "rounds": {"confirmed": [(str,)]},
    "revisions": {"data": _SNAPSHOT},
    "bot_matches": {"options": _is_options, "records": [_is_record]},
    "bot_match_chunks": {"tally": _TALLY},
    "webhooks": {"events": [frozenset(EVENTS)]},
    "merges": {"sessions": [(int,)]},
    "imports": {"decisions": {}, "outcome": _is_outcome, "created_players": [(int,)], "created_games": [(str,)]},
    "audit_events": {"data": {}},
}

__all__ = ["SHAPES", "is_like", "is_like_options"]
