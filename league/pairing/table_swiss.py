"""Swiss for tables of 3 to 6: those who stand level meet, and if it can be nobody the same people again.

Terms: the *average* of an entrant is the total of tournament points divided by the number of rounds so far, those that
the entrant missed included, so that it orders entrants as the standings do; the *spread* of a table is the highest
average at it minus the lowest.

Promises: everybody who is present sits at exactly one table, nobody else does, and all that `live` promises of wishes
and short tables. What is weighed against each other, in meetings: a pair that met in this tournament costs 1 for every
time, and up to 1/4 more the shorter ago it was; `history` costs what it says; two averages that lie apart cost
`_DISTANCE` for each time that the mean distance from the field's average fits in between, and 2 more where they lie
further apart than `spread_limit`. While all stand level, as in the first round, the seeds are cut into as many pots as
the largest table has seats, and two of one pot cost 1/5.

Tables are numbered by the averages at them, table 1 has the leaders; but a table with somebody whose table is fixed has
that number. Seats are shared out evenly over the tournament (`positions`).

Codes of reasons, beside those of `live`, with the number of the table (`table`) among the figures:

- `repeat`: two meet again in this tournament; no seating with fewer was found. Entrants: the two. Figures: times, how
  often they met before; round, the number of the last time.
- `repeat_for_short`: as before, and fewer were found without the rule that nobody sits at a short table again before
  everybody did (`yields_to_short`).
- `repeat_by_wish`: as `repeat`, but they want to sit together, by themselves, through others or at one fixed table.
- `wide_table`: the spread of a table is above the limit. Entrants: who sits there. Figures: spread, limit.
- `fixed_table`: a table does not have the number that its averages would give it. Entrants: for whom it is fixed.
  Figures: otherwise, the number it would have.

Codes of errors: those of `live`, `sizes` and `checks`.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations
from math import fsum
from random import Random

import numpy as np

from league.pairing.checks import check_distinct
from league.pairing.live import (
    MEETING,
    Pair,
    arrange,
    bound_pairs,
    numbered,
    oddities,
    steps_for,
    weighed,
    yields_to_short,
)
from league.pairing.positions import balance_seats
from league.pairing.sizes import LARGEST, SMALLEST, table_sizes
from league.pairing.values import Entrant, PairedRound, PastRound, Reason, TableKind, Wishes, meetings

_DISTANCE = 0.1
_POT = 0.2
_LATEST = 0.25
_TOO_FAR = 2


def pair(
    entrants: Sequence[Entrant],
    rounds: Sequence[PastRound],
    scores: Mapping[int, float],
    *,
    preferred: int,
    seed: int,
    wishes: Wishes = Wishes(),  # noqa: B008 - frozen
    history: Mapping[Pair, float] = {},
    spread_limit: float | None = None,
    smallest: int = SMALLEST,
    largest: int = LARGEST,
) -> PairedRound:
    """The next round for all who are present and whose first round has come.

    `scores` are the totals of tournament points (missing is 0), `history` what earlier meetings outside this tournament
    weigh by pair, the lower id first (`live.faded`), in meetings of this tournament; `spread_limit` is in points per
    round. `smallest` and `largest` are sizes of tables. Raises PairingError.
    """
    check_distinct(one.id for one in entrants)
    coming = rounds[-1].number + 1 if rounds else 1
    chance = Random(seed).random
    here = sorted((one for one in entrants if one.present and one.first_round <= coming), key=lambda one: one.seed)
    sizes = table_sizes(len(here), preferred, smallest=smallest, largest=largest)
    drawn = {one.id: chance() for one in here}
    people = sorted(drawn, key=lambda one: (-scores.get(one, 0.0), drawn[one]))
    averages = {one: scores.get(one, 0.0) / max(1, len(rounds)) for one in people}
    met = meetings(rounds)
    costs = weighed(_weights(met, history, coming), people)
    pots = {one.id: place * sizes[0] // len(here) for place, one in enumerate(here)}
    _add_distance(costs, people, averages, pots, spread_limit)
    short, seats = _before(rounds)
    search = partial(
        arrange,
        people,
        sizes,
        costs,
        wishes=wishes,
        seed=seed,
        reach=64 + 8 * len(rounds),
        steps=steps_for(len(people)),
    )
    tables = search(short=short)
    again = {two: float(len(numbers)) for two, numbers in met.items()}
    yields = yields_to_short(tables, search, met=again, short=short, wishes=wishes)
    in_order = sorted(tables, key=lambda table: (-fsum(averages[one] for one in table) / len(table), table))
    final = numbered(in_order, wishes.fixed)
    reasons = _oddities(final, met, wishes, yields=yields)
    reasons += oddities(final, history=_outside(history, met), short=short, wishes=wishes)
    for number, table in enumerate(final, start=1):
        spread = max(averages[one] for one in table) - min(averages[one] for one in table)
        if spread_limit is not None and spread > spread_limit:
            figures = {"table": number, "spread": spread, "limit": spread_limit}
            reasons.append(Reason(code="wide_table", entrants=tuple(sorted(table)), figures=figures))
        bound = tuple(sorted(one for one in table if one in wishes.fixed))
        if bound and in_order[number - 1] is not table:
            otherwise = next(place for place, one in enumerate(in_order, start=1) if one is table)
            reasons.append(
                Reason(code="fixed_table", entrants=bound, figures={"table": number, "otherwise": otherwise})
            )
    return PairedRound(tables=balance_seats([final], earlier=seats)[0], reasons=tuple(reasons))


def _weights(met: Mapping[Pair, Sequence[int]], history: Mapping[Pair, float], coming: int) -> dict[Pair, float]:
    """What meeting again weighs, for each pair that met in this tournament or outside."""
    weights = dict(history)
    for two, numbers in met.items():
        weights[two] = weights.get(two, 0.0) + fsum(1 + _LATEST / (coming - number) for number in numbers)
    return weights


def _outside(history: Mapping[Pair, float], met: Mapping[Pair, Sequence[int]]) -> dict[Pair, float]:
    return {two: weight for two, weight in history.items() if two not in met}


def _add_distance(
    costs: list[list[int]],
    people: Sequence[int],
    averages: Mapping[int, float],
    pots: Mapping[int, int],
    limit: float | None,
) -> None:
    """Add what it costs, for all pairs, to stand apart; or, while all stand level, to be of one pot."""
    values = [averages[one] for one in people]
    middle = fsum(values) / len(values)
    # fsum, since the order in which NumPy adds is not the same on every machine.
    unit = fsum(abs(value - middle) for value in values) / len(values)
    if unit:
        column = np.array(values)
        distance = np.abs(column[:, None] - column[None, :])
        extra = np.rint(distance / unit * (MEETING * _DISTANCE))
        if limit is not None:
            extra += MEETING * _TOO_FAR * (distance > limit)
    else:
        column = np.array([pots[one] for one in people])
        extra = (column[:, None] == column[None, :]) * (MEETING * _POT)
        np.fill_diagonal(extra, 0)
    for row, more in zip(costs, extra.astype(int).tolist(), strict=True):
        row[:] = map(int.__add__, row, more)


def _before(rounds: Sequence[PastRound]) -> tuple[dict[int, int], dict[int, list[int]]]:
    """By entrant: how often at a short table so far, and how often at each seat."""
    short: dict[int, int] = {}
    seats: dict[int, list[int]] = {}
    for one in rounds:
        played = [table.entrants for table in one.tables if table.kind is TableKind.PLAYED]
        longest = max(map(len, played), default=0)
        for table in played:
            for seat, entrant in enumerate(table):
                short[entrant] = short.get(entrant, 0) + (len(table) < longest)
                seats.setdefault(entrant, [0] * LARGEST)[seat] += 1
    return short, seats


def _oddities(
    tables: Sequence[Sequence[int]], met: Mapping[Pair, Sequence[int]], wishes: Wishes, *, yields: bool
) -> list[Reason]:
    bound = bound_pairs([one for table in tables for one in table], wishes)
    found = []
    for number, table in enumerate(tables, start=1):
        for two in combinations(sorted(table), 2):
            if two in met:
                code = "repeat_by_wish" if two in bound else "repeat_for_short" if yields else "repeat"
                figures = {"table": number, "times": len(met[two]), "round": max(met[two])}
                found.append(Reason(code=code, entrants=two, figures=figures))
    return found
