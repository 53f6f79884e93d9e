"""Swiss for two: each tournament round pairs entrants of like score, and nobody meets the same opponent again.

Terms: the *field* is who plays this tournament round, ranked by score and then by seed; a *score group* is all of the
field with one score; the *fold* pairs the top half of a score group with its bottom half in order (of eight: 1-5, 2-6,
3-7, 4-8); an entrant *floats* who is paired outside of the own score group; an entrant's *balance* is how often the
entrant went first less how often second, at tables that were played; a *walkover* is a win by forfeit.

All tables of the round are found together, as the matching of least cost in the graph of all pairs that may meet. Costs
are compared one after another, each summed over all tables:

1. rematches, where they are allowed at all, and how often those pairs met before;
2. who gets the bye: of those with the fewest byes the one with the fewest walkovers, then the lowest score, then the
   lowest seed;
3. the squared gap between the scores at a table;
4. balances that would go beyond 1, by how much, squared;
5. the squared distance from the fold within a score group, 16 more for a pair within one half; for floats, the squared
   distance from the end of the upper group and from the top of the lower one;
6. lots drawn with the seed, so that there is one best pairing and every machine finds it.

Promises: where a pairing exists that breaks no rule, it is found. The rules: nobody meets an opponent again, nobody of
the field is left out, an odd field has one bye, which goes to one of those with the fewest byes so far, and wishes to
be apart or together hold. A forfeit is no meeting. Where no such pairing exists, PairingError is raised; told to
`allow_rematches`, the pairing with the fewest is given, each with a reason. Never: pairs anybody who is not present or
enters later, drops a rule by itself.

Reasons in a pairing (`entrants`; `figures`):

- `bye` (who sits out; `score`, `byes` before, `passed` is how many ranked below did not get it);
- `floated` (the upper and the lower of a table whose scores are more than one score group apart; `groups`, `gap`);
- `rematch` (the two; `times` they met before, `round` of the last time);
- `together` (the two, since it was wished);
- `table_missed` (whose wish for a table could not be kept; `table`).

Reasons of a PairingError:

- `nobody` (nobody is present);
- `no_pairing` (who would meet again in the pairing with the fewest rematches; `rematches` is their number, `apart` is 1
  where the wishes to be apart are what leaves no pairing without a rematch);
- `kept_apart` (who is left over in the largest pairing there is; no pairing exists even with rematches, because of
  wishes to be apart);
- `together_met` (the two have met before; `times`);
- `together_bye` (who alone had no bye, or fewer than the others, but shall sit at a table by a wish);
- `wish_conflict` (one of them is wished together with two others or with itself, or the two together and apart).

Sources: the order of the criteria and the fold follow the FIDE (Dutch) System, Handbook C.04.3, where colours go before
the order in a score group, too; who goes first follows its rules for colours (E of the edition of 2017). It is not that
system itself: `league/pairing/dutch.py` is. Matching: Z. Galil, "Efficient Algorithms for Finding Maximum Matching in
Graphs", ACM Computing Surveys 18 (1986), by rustworkx.
"""

import math
import operator
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from random import Random

import rustworkx

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

Pair = tuple[int, int]

# A field up to this size is solved with every pair that may meet. In a larger one an entrant gets so many partners to
# either side of the fold and behind in rank at first; see docs/swiss.md for what that loses (nothing was found).
_COMPLETE = 256
_WINDOW = 12
_WIDER = 4
# rustworkx counts in 128 bits with a sign, and adds up to four weights.
_BITS = 124
_LOT_BITS = 20
# So that weights stay in that range: scores are whole numbers of a common step, and with more steps than this gaps are
# rounded; beyond these a balance and a distance from the fold are no worse. No field below 512 has such a distance.
_STEPS = 1024
_WORST_BEYOND = 3
_WORST_FOLD = 255
# As much as four places off the fold. Strictly worse than any distance, it would move many to keep one out of a half.
_WITHIN_HALF = 16


@dataclass(frozen=True, slots=True)
class History:
    """What each entrant did before: `byes`, `walkovers`, `roles` at played tables of two (1 first, -1 second)."""

    byes: Mapping[int, int]
    walkovers: Mapping[int, int]
    roles: Mapping[int, Sequence[int]]

    def balance(self, entrant: int) -> int:
        """How often first less how often second."""
        return sum(self.roles.get(entrant, ()))


def history(rounds: Sequence[PastRound]) -> History:
    """What each entrant did in these rounds."""
    byes: Counter[int] = Counter()
    walkovers: Counter[int] = Counter()
    roles: dict[int, list[int]] = {}
    for one in rounds:
        for table in one.tables:
            if table.kind is TableKind.BYE:
                byes.update(table.entrants)
            elif table.kind is TableKind.FORFEIT:
                walkovers[table.entrants[0]] += 1
            elif table.kind is TableKind.PLAYED and len(table.entrants) == 2:
                for entrant, role in zip(table.entrants, (1, -1), strict=True):
                    roles.setdefault(entrant, []).append(role)
    return History(byes, walkovers, roles)


def playing(entrants: Iterable[Entrant], rounds: Sequence[PastRound], scores: Mapping[int, float]) -> list[Entrant]:
    """The field of the round after `rounds`, ranked by score, then by seed; who has no score has 0.

    Raises PairingError (`nobody`), ValueError for an id or a seed that two share and for a score that is no number.
    """
    known = list(entrants)
    if len({one.id for one in known}) < len(known) or len({one.seed for one in known}) < len(known):
        raise ValueError("two entrants share an id or a seed")
    number = rounds[-1].number + 1 if rounds else 1
    field = [one for one in known if one.present and one.first_round <= number]
    if not field:
        raise PairingError(Reason(code="nobody"))
    if not all(math.isfinite(scores.get(one.id, 0)) for one in field):
        raise ValueError("a score is no number")
    return sorted(field, key=lambda one: (-scores.get(one.id, 0), one.seed))


def pair(
    entrants: Sequence[Entrant],
    rounds: Sequence[PastRound],
    scores: Mapping[int, float],
    *,
    seed: int,
    wishes: Wishes = Wishes(),  # noqa: B008  # frozen
    allow_rematches: bool = False,
) -> PairedRound:
    """Pair the round after `rounds`, which are all earlier ones in order, as the module says.

    `scores` are tournament points by entrant after those rounds. Tables come with the highest scores first, wishes for
    a table apart; the first of a table goes first. Raises PairingError, ValueError as `playing` does.
    """
    field = playing(entrants, rounds, scores)
    past = history(rounds)
    met = meetings(rounds)
    together = _together(field, wishes, met, allow_rematches=allow_rematches)
    apart = frozenset((min(two), max(two)) for two in wishes.apart)
    settled = {entrant for two in together for entrant in two}
    free = [one for one in field if one.id not in settled]
    if len(free) % 2 == 1:
        fewest = min(past.byes.get(one.id, 0) for one in field)
        due = [one for one in field if past.byes.get(one.id, 0) == fewest]
        if settled.issuperset(one.id for one in due):
            raise PairingError(Reason(code="together_bye", entrants=tuple(one.id for one in due)))
    random = Random(seed)
    odd_first = random.random() < 0.5
    found: list[tuple[int, ...]] = []
    if free:
        matching = _Matching(free, scores, past, met=met, apart=apart, random=random)
        found = matching.best(allow_rematches=allow_rematches)
    rank = {one.id: place for place, one in enumerate(field)}
    by_id = {one.id: one for one in field}
    pairs = [two for two in (*together, *found) if len(two) == 2]
    byes = tuple(entrant for two in found if len(two) == 1 for entrant in two)
    tables = []
    for two in pairs:
        upper, lower = sorted((by_id[one] for one in two), key=lambda one: rank[one.id])
        tables.append(_seats(upper, lower, past, odd_first=odd_first))
    tables.sort(key=lambda two: prominence(two, scores, rank))
    tables, missed = at_wished_tables(tables, wishes.fixed, rank)
    return PairedRound(
        tables=tuple(tables),
        byes=byes,
        reasons=(
            *(bye_reason(one, field, scores, past) for one in byes),
            *float_reasons(tables, field, scores),
            *_rematches(tables, met),
            *(Reason(code="together", entrants=two) for two in together),
            *missed,
        ),
    )


# --- Wishes -----------------------------------------------------------------------------------------------------------


def _together(
    field: Sequence[Entrant], wishes: Wishes, met: Mapping[Pair, Sequence[int]], *, allow_rematches: bool
) -> list[Pair]:
    """The wished pairs that are of the field, both of them."""
    here = {one.id for one in field}
    pairs = sorted({(min(two), max(two)) for two in wishes.together if set(two) <= here})
    apart = {(min(two), max(two)) for two in wishes.apart}
    taken: set[int] = set()
    for two in pairs:
        if two in apart or taken & set(two) or two[0] == two[1]:
            raise PairingError(Reason(code="wish_conflict", entrants=two))
        if two in met and not allow_rematches:
            raise PairingError(Reason(code="together_met", entrants=two, figures={"times": len(met[two])}))
        taken.update(two)
    return pairs


def at_wished_tables(
    tables: Sequence[Pair], fixed: Mapping[int, int], rank: Mapping[int, int]
) -> tuple[list[Pair], list[Reason]]:
    """The tables with those of `fixed` at their numbers as far as that goes, and who does not sit as wished."""
    place = {entrant: index for index, two in enumerate(tables) for entrant in two}
    wished = sorted((one for one in fixed if one in place), key=lambda one: rank[one])
    at: dict[int, int] = {}
    for entrant in wished:
        if 1 <= fixed[entrant] <= len(tables) and fixed[entrant] not in at and place[entrant] not in at.values():
            at[fixed[entrant]] = place[entrant]
    others = (index for index in range(len(tables)) if index not in at.values())
    order = [at[number] if number in at else next(others) for number in range(1, len(tables) + 1)]
    numbers = {index: number for number, index in enumerate(order, start=1)}
    missed = [
        Reason(code="table_missed", entrants=(entrant,), figures={"table": fixed[entrant]})
        for entrant in wished
        if numbers[place[entrant]] != fixed[entrant]
    ]
    return [tables[index] for index in order], missed


def prominence(two: Pair, scores: Mapping[int, float], rank: Mapping[int, int]) -> tuple[float, float, int]:
    """What tables are sorted by: the higher score, both scores, the higher rank."""
    values = [scores.get(one, 0) for one in two]
    return -max(values), -sum(values), min(rank[one] for one in two)


# --- Who goes first ---------------------------------------------------------------------------------------------------


def _seats(upper: Entrant, lower: Entrant, past: History, *, odd_first: bool) -> Pair:
    """The two in order of seats: who went first less often; else the other way round than when they last differed.

    Else the upper one changes from the last time; who never played goes first by an odd or even seed, as the lot says.
    """
    difference = past.balance(upper.id) - past.balance(lower.id)
    if difference == 0:
        mine, other = past.roles.get(upper.id, ()), past.roles.get(lower.id, ())
        last = next((a for a, b in zip(reversed(mine), reversed(other), strict=False) if a != b), None)
        difference = last or (mine[-1] if mine else (-1 if (upper.seed % 2 == 1) == odd_first else 1))
    return (upper.id, lower.id) if difference < 0 else (lower.id, upper.id)


# --- Reasons ----------------------------------------------------------------------------------------------------------


def bye_reason(entrant: int, field: Sequence[Entrant], scores: Mapping[int, float], past: History) -> Reason:
    """Why this one sits out."""
    place = next(index for index, one in enumerate(field) if one.id == entrant)
    return Reason(
        code="bye",
        entrants=(entrant,),
        figures={
            "score": scores.get(entrant, 0),
            "byes": past.byes.get(entrant, 0),
            "passed": len(field) - 1 - place,
        },
    )


def float_reasons(tables: Sequence[Pair], field: Sequence[Entrant], scores: Mapping[int, float]) -> Iterator[Reason]:
    """The tables whose scores are more than one score group apart."""
    steps = sorted({scores.get(one.id, 0) for one in field}, reverse=True)
    group = {one.id: steps.index(scores.get(one.id, 0)) for one in field}
    for two in tables:
        upper, lower = sorted(two, key=lambda one: group[one])
        if (groups := group[lower] - group[upper]) > 1:
            gap = scores.get(upper, 0) - scores.get(lower, 0)
            yield Reason(code="floated", entrants=(upper, lower), figures={"groups": groups, "gap": gap})


def _rematches(tables: Sequence[Pair], met: Mapping[Pair, Sequence[int]]) -> Iterator[Reason]:
    for two in tables:
        if before := met.get((min(two), max(two))):
            yield Reason(code="rematch", entrants=two, figures={"times": len(before), "round": before[-1]})


# --- The matching -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Ranked:
    """One of the field: the number of its score group from the top, the place in it from 0, and its size."""

    id: int
    steps: int
    group: int
    place: int
    size: int
    balance: int


class _Matching:
    """The pairings of a field that may be, and the best of them. Nodes are places in rank; the bye is the last one."""

    def __init__(
        self,
        field: Sequence[Entrant],
        scores: Mapping[int, float],
        past: History,
        *,
        met: Mapping[Pair, Sequence[int]],
        apart: frozenset[Pair],
        random: Random,
    ) -> None:
        self.met, self.apart, self.random = met, apart, random
        steps = _in_steps([scores.get(one.id, 0) for one in field])
        self.field: list[_Ranked] = []
        self.groups: list[range] = []
        for _steps, members in groupby(range(len(field)), key=lambda index: steps[index]):
            places = list(members)
            for place, index in enumerate(places):
                one = field[index]
                self.field.append(
                    _Ranked(one.id, steps[index], len(self.groups), place, len(places), past.balance(one.id))
                )
            self.groups.append(range(places[0], places[-1] + 1))
        self.byes: list[int] = []
        if len(field) % 2 == 1:
            fewest = min(past.byes.get(one.id, 0) for one in field)
            self.byes = sorted(
                (index for index, one in enumerate(field) if past.byes.get(one.id, 0) == fewest),
                # Ranks are in order of scores and seeds.
                key=lambda index: (past.walkovers.get(field[index].id, 0), -index),
            )

    def best(self, *, allow_rematches: bool) -> list[tuple[int, ...]]:
        """The pairs of ids and the bye as an id alone. Raises PairingError."""
        window = len(self.field) if len(self.field) <= _COMPLETE else _WINDOW
        while True:
            found = self._solved(window, rematches=False, apart=True)
            if self._is_whole(found):
                return found
            if window >= len(self.field):
                break
            window = min(window * _WIDER, len(self.field))
        found = self._solved(window, rematches=True, apart=True)
        if not self._is_whole(found):
            paired = {entrant for two in found for entrant in two}
            left = tuple(one.id for one in self.field if one.id not in paired)
            raise PairingError(Reason(code="kept_apart", entrants=left))
        if allow_rematches:
            return found
        again = [two for two in found if two in self.met]
        by_wishes = bool(self.apart) and self._is_whole(self._solved(window, rematches=False, apart=False))
        raise PairingError(
            Reason(
                code="no_pairing",
                entrants=tuple(entrant for two in again for entrant in two),
                figures={"rematches": len(again), "apart": int(by_wishes)},
            )
        )

    def _is_whole(self, found: Sequence[tuple[int, ...]]) -> bool:
        return sum(map(len, found)) == len(self.field)

    def _solved(self, window: int, *, rematches: bool, apart: bool) -> list[tuple[int, ...]]:
        """The largest pairing within the window, the best of those; it may leave some out."""
        nodes = len(self.field) + len(self.field) % 2
        edges: list[Pair] = []
        costs: list[tuple[int, ...]] = []
        for a, b in self._within(window):
            two = self._ids(a, b)
            times = len(self.met.get(two, ()))
            if (times and not rematches) or (apart and two in self.apart):
                continue
            edges.append((a, b))
            costs.append((int(times > 0), max(0, times - 1), 0, *self._cost(self.field[a], self.field[b])))
        for order, index in enumerate(self.byes[:window]):
            edges.append((index, nodes - 1))
            costs.append((0, 0, order, 0, 0, 0))
        matched = _least(nodes, edges, costs, self.random)
        return [self._ids(a, b) if b < len(self.field) else (self.field[a].id,) for a, b in matched]

    def _ids(self, a: int, b: int) -> Pair:
        one, other = self.field[a].id, self.field[b].id
        return (one, other) if one < other else (other, one)

    def _within(self, window: int) -> Iterable[Pair]:
        """Pairs of nodes, each once, the upper first: near the fold of the score group, and near in rank."""
        if window >= len(self.field):
            return combinations(range(len(self.field)), 2)
        return (
            (upper, lower)
            for upper, one in enumerate(self.field)
            for lower in sorted(
                {
                    *range(upper + 1, min(upper + window + 1, len(self.field))),
                    *range(
                        max(upper + one.size // 2 - window, upper + 1),
                        min(upper + one.size // 2 + window + 1, self.groups[one.group].stop),
                    ),
                }
            )
        )

    @staticmethod
    def _cost(upper: _Ranked, lower: _Ranked) -> tuple[int, int, int]:
        """The gap, the balances and the distance from the fold, each squared."""
        less, more = sorted((upper.balance, lower.balance))
        beyond = sum(min(max(0, abs(one) - 1), _WORST_BEYOND) ** 2 for one in (less + 1, more - 1))
        gap = (upper.steps - lower.steps) ** 2
        if upper.group == lower.group:
            half = upper.size // 2
            fold = min(abs(lower.place - upper.place - half), _WORST_FOLD) ** 2
            return gap, beyond, fold + (_WITHIN_HALF if lower.place < half or upper.place >= half else 0)
        return gap, beyond, min(upper.size - 1 - upper.place, _WORST_FOLD) ** 2 + min(lower.place, _WORST_FOLD) ** 2


def _in_steps(scores: Sequence[float]) -> list[int]:
    """Scores as whole numbers of their common step, of at most `_STEPS`."""
    thousandths = [round(1000 * score) for score in scores]
    lowest = min(thousandths)
    step = math.gcd(*(one - lowest for one in thousandths)) or 1
    steps = [(one - lowest) // step for one in thousandths]
    return steps if max(steps) <= _STEPS else [one * _STEPS // max(steps) for one in steps]


def _least(nodes: int, edges: Sequence[Pair], costs: Sequence[tuple[int, ...]], random: Random) -> list[Pair]:
    """The largest matching, of those the one whose costs, each summed, are least in their order; the rest by lot."""
    if not edges:
        return []
    # A unit of each cost weighs more than all that comes after it can at all tables together.
    tables = nodes // 2
    factors: list[int] = []
    factor = 1
    for most in (max(column) for column in reversed(list(zip(*costs, strict=True)))):
        factors.append(factor)
        factor *= tables * most + 1
    factors.reverse()
    weights = [sum(map(operator.mul, cost, factors)) for cost in costs]
    bits = _BITS - max(weights).bit_length()
    if bits < 0:
        raise ValueError("too many entrants and scores to weigh them in one matching")
    if (lots := 1 << max(0, min(_LOT_BITS, bits - tables.bit_length()))) > 1:
        weights = [weight * tables * lots + int(random.random() * lots) for weight in weights]
    most = max(weights) + 1
    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from([None] * nodes)
    graph.add_edges_from([(a, b, most - weight) for (a, b), weight in zip(edges, weights, strict=True)])
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(two), max(two)) for two in matched)
