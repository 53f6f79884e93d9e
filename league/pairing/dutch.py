"""The FIDE (Dutch) System for two, pairing for pairing, by the optional package `caissify-pairings`.

Terms: see `league/pairing/swiss.py`; who goes first has white. The package needs of each entrant the score, the
colours and the floats so far; here they are made from the rounds before.

Promises: what the package answers is checked before it is given on: everybody of the field once, nobody against an
opponent of before or against the wishes, a bye in an odd field alone, to one of those with the fewest. Where it finds
no such pairing, PairingError is raised. Never: falls back to another system, or needs the package to be imported.

How it counts what was not played (as the endorsed program bbpPairings does): a bye and a walkover are a downfloat and
end the right to a bye; a round without a table is no float; a forfeit is no meeting and no colour.

Reasons in a pairing: `bye`, `floated` and `table_missed` as in `swiss`. Reasons of a PairingError:

- `nobody` (nobody is present);
- `dutch_missing` (the package is not installed: `pip install tischliga[fide]`);
- `dutch_scores` (whose score is no whole number of half points between 0 and the rounds paired before; the rules
  know 1, 1/2 and 0 alone; `score`);
- `dutch_wish` (who is wished together: the rules know no such pair);
- `no_dutch_pairing` (no pairing keeps all rules of the system, those for colours included; `swiss` may find one).

Source: FIDE Handbook C.04.3, edition of 1 February 2026, as the package implements it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from random import Random
from typing import Any

from league.pairing.swiss import (
    History,
    at_wished_tables,
    bye_reason,
    float_reasons,
    history,
    playing,
    prominence,
)
from league.pairing.values import (
    Entrant,
    PairedRound,
    PairingError,
    PastRound,
    Reason,
    TableKind,
    Wishes,
    meetings,
)

_COLOURS = {1: "white", -1: "black"}


def available() -> bool:
    """Whether the package is installed."""
    return find_spec("caissify_pairings") is not None


def pair(
    entrants: Sequence[Entrant],
    rounds: Sequence[PastRound],
    scores: Mapping[int, float],
    *,
    seed: int,
    wishes: Wishes = Wishes(),  # noqa: B008  # frozen
    total_rounds: int | None = None,
) -> PairedRound:
    """Pair the round after `rounds`, which are all earlier ones in order and hold the points of each table.

    `scores` are the points by entrant after those rounds. In the last of `total_rounds` those with more than half of
    all points may get a colour once more than else (None: this is not the last one). The lot for the first colour
    follows from `seed`. Raises PairingError, ValueError as `swiss.playing` does.
    """
    field = playing(entrants, rounds, scores)
    here = {one.id for one in field}
    for two in sorted(wishes.together):
        if set(two) <= here:
            raise PairingError(Reason(code="dutch_wish", entrants=two))
    for one in field:
        score = float(scores.get(one.id, 0))
        if not (score * 2).is_integer() or not 0 <= score <= len(rounds):
            raise PairingError(Reason(code="dutch_scores", entrants=(one.id,), figures={"score": score}))
    past = history(rounds)
    barred = set(meetings(rounds)) | {(min(two), max(two)) for two in wishes.apart}
    answer = _asked(field, rounds, scores, past, barred=barred, seed=seed, total_rounds=total_rounds)
    byes = [one["white_id"] for one in answer if one["black_id"] is None]
    pairs = [(one["white_id"], one["black_id"]) for one in answer if one["black_id"] is not None]
    if not _keeps_rules(field, past, pairs, byes, barred):
        raise PairingError(Reason(code="no_dutch_pairing"))
    rank = {one.id: place for place, one in enumerate(field)}
    pairs.sort(key=lambda two: prominence(two, scores, rank))
    tables, missed = at_wished_tables(pairs, wishes.fixed, rank)
    return PairedRound(
        tables=tuple(tables),
        byes=tuple(byes),
        reasons=(
            *(bye_reason(one, field, scores, past) for one in byes),
            *float_reasons(tables, field, scores),
            *missed,
        ),
    )


def _asked(
    field: Sequence[Entrant],
    rounds: Sequence[PastRound],
    scores: Mapping[int, float],
    past: History,
    *,
    barred: set[tuple[int, int]],
    seed: int,
    total_rounds: int | None,
) -> list[dict[str, Any]]:
    """What the package answers."""
    try:
        # An extra: a club that plays no chess does without.
        from caissify_pairings import generate_pairings  # type: ignore[import-untyped]
    except ImportError:
        raise PairingError(Reason(code="dutch_missing")) from None
    number = rounds[-1].number + 1 if rounds else 1
    last = number + 1 if total_rounds is None else total_rounds
    floats = _floats(field, rounds)
    if number == 1 and barred:
        # Its first round heeds no barred pair, its second one without any games does, and is the same apart from that.
        number, last, floats = 2, last + 1, {one.id: ["none"] for one in field}
    # Nobody may be left without a right to the bye: then those with the fewest byes have it again.
    fewest = min(past.byes.get(one.id, 0) for one in field)
    forfeits_count = any(past.byes.get(one.id, 0) == fewest and not past.walkovers.get(one.id, 0) for one in field)
    answer: list[dict[str, Any]] = generate_pairings(
        system="dutch",
        players=[
            {
                "id": one.id,
                "name": "",
                "rating": 0,
                "starting_number": one.seed,
                "pairing_number": one.seed,
                "score": float(scores.get(one.id, 0)),
                "color_hist": [_COLOURS[role] for role in past.roles.get(one.id, ())],
                "float_history": floats[one.id],
                "bye_count": past.byes.get(one.id, 0) - fewest,
                "forfeit_win_count": past.walkovers.get(one.id, 0) if forfeits_count else 0,
            }
            for one in field
        ],
        previous_pairings=barred,
        round_number=number,
        total_rounds=last,
        initial_color="white" if Random(seed).random() < 0.5 else "black",
    )
    return answer


def _floats(field: Sequence[Entrant], rounds: Sequence[PastRound]) -> dict[int, list[str]]:
    """By entrant, for each round: "down" against a lower score or with a bye or walkover, "up", or "none"."""
    floats: dict[int, list[str]] = {one.id: [] for one in field}
    before: Counter[int] = Counter()
    halves: Counter[int] = Counter()
    for one in rounds:
        told: dict[int, str] = {}
        for table in one.tables:
            if table.kind is TableKind.PLAYED:
                upper, lower = sorted(table.entrants, key=lambda entrant: -before[entrant])
                if before[upper] > before[lower]:
                    told.update({upper: "down", lower: "up"})
            elif table.kind in {TableKind.BYE, TableKind.FORFEIT}:
                told[table.entrants[0]] = "down"
            for entrant, points in table.scores.items():
                halves[entrant] += round(2 * points)
        before = halves.copy()
        for entrant, its in floats.items():
            its.append(told.get(entrant, "none"))
    return floats


def _keeps_rules(
    field: Sequence[Entrant],
    past: History,
    pairs: Sequence[tuple[int, int]],
    byes: Sequence[int],
    barred: set[tuple[int, int]],
) -> bool:
    fewest = min(past.byes.get(one.id, 0) for one in field)
    return (
        sorted([*byes, *(one for two in pairs for one in two)]) == sorted(one.id for one in field)
        and len(byes) == len(field) % 2
        and all(past.byes.get(one, 0) == fewest for one in byes)
        and not any((min(two), max(two)) in barred for two in pairs)
    )
