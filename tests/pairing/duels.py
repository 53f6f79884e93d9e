"""A tournament for two to be played in tests: results are drawn, and counted here anew."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

from league.exchange.trf import Report, TrfEntry, TrfPlayer
from league.pairing.values import Entrant, PairedRound, PastRound, Table, TableKind

_KNOWN = TrfEntry(opponent=None, result="Z")


def field(size: int) -> list[Entrant]:
    """Entrants whose ids are ten times their seeds."""
    return [Entrant(id=10 * seed, seed=seed) for seed in range(1, size + 1)]


def won(*tables: tuple[int, int]) -> tuple[Table, ...]:
    """Tables with the seats as given, whose entrant with the lower id won."""
    return tuple(
        Table(entrants=two, places={min(two): 1, max(two): 2}, scores={min(two): 1.0, max(two): 0.0}) for two in tables
    )


def bye(entrant: int) -> Table:
    return Table(entrants=(entrant,), kind=TableKind.BYE, places={entrant: 1}, scores={entrant: 1.0})


def played(paired: PairedRound, number: int, random: Random, *, forfeits: float = 0.0) -> PastRound:
    """The round with a result at every table; the lower id wins half of them, a quarter are draws."""
    tables = [bye(entrant) for entrant in paired.byes]
    for two in paired.tables:
        winner, loser = sorted(two)
        drawn, forfeit = random.random(), random.random() < forfeits
        if drawn < 0.25:
            winner, loser = loser, winner
        points = {winner: 1.0, loser: 0.0}
        places = {winner: 1, loser: 2}
        if forfeit:
            kind = TableKind.FORFEIT if drawn < 0.75 else TableKind.DOUBLE_FORFEIT
            points = points if kind is TableKind.FORFEIT else dict.fromkeys(two, 0.0)
            tables.append(Table(entrants=(winner, loser), kind=kind, places=places, scores=points))
        elif drawn > 0.75:
            tables.append(Table(entrants=two, places=dict.fromkeys(two, 1), scores=dict.fromkeys(two, 0.5)))
        else:
            tables.append(Table(entrants=two, places=places, scores=points))
    return PastRound(number=number, tables=tuple(tables))


def scores_of(rounds: Sequence[PastRound]) -> dict[int, float]:
    """The sum of points by entrant."""
    scores: dict[int, float] = {}
    for one in rounds:
        for table in one.tables:
            for entrant, points in table.scores.items():
                scores[entrant] = scores.get(entrant, 0.0) + points
    return scores


def absent(entrants: Sequence[Entrant], *ids: int) -> list[Entrant]:
    """The entrants, these not present."""
    return [replace(one, present=False) if one.id in ids else one for one in entrants]


def report_of(entrants: Sequence[Entrant], rounds: Sequence[PastRound], *, planned: int, title: str) -> Report:
    """The tournament as a file has it: seeds are the numbers of players, who goes first has white.

    An absence that was known, as before a late entry, is a bye of no points.
    """
    numbers = {one.id: one.seed for one in entrants}
    scores = scores_of(rounds)
    ranked = sorted(entrants, key=lambda one: (-scores.get(one.id, 0), one.seed))
    ranks = {one.id: rank for rank, one in enumerate(ranked, start=1)}
    told: list[Mapping[int, TrfEntry]] = [
        {entrant: entry for table in one.tables for entrant, entry in _entries(table, numbers)} for one in rounds
    ]
    return Report(
        name=title,
        kind="Individual: Swiss-System",
        rounds=planned,
        players=tuple(
            TrfPlayer(
                number=one.seed,
                name=f"Player {one.seed}",
                points=scores.get(one.id, 0.0),
                rank=ranks[one.id],
                entries=tuple(
                    its.get(one.id, _KNOWN if number < one.first_round else None)
                    for number, its in enumerate(told, start=1)
                ),
            )
            for one in sorted(entrants, key=lambda one: one.seed)
        ),
    )


def _entries(table: Table, numbers: Mapping[int, int]) -> list[tuple[int, TrfEntry]]:
    if table.kind is TableKind.BYE:
        return [(table.entrants[0], TrfEntry(opponent=None, result="U"))]
    first, second = table.entrants
    if table.kind is TableKind.PLAYED:
        results = {1.0: ("1", "0"), 0.0: ("0", "1"), 0.5: ("=", "=")}[table.scores[first]]
    else:
        results = ("+", "-") if table.kind is TableKind.FORFEIT else ("-", "-")
    return [
        (first, TrfEntry(opponent=numbers[second], colour="w", result=results[0])),
        (second, TrfEntry(opponent=numbers[first], colour="b", result=results[1])),
    ]
