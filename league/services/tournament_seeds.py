"""Seeds of a tournament as they are stored: never two alike, and lots that come out the same again.

They are given in `tournament_entries.py`; here is what that shares with the start of a tournament.
"""

from collections.abc import Sequence
from random import Random

from games.core import shuffled
from league.models import Tournament, TournamentEntry
from league.models.inserts import set_each


def by_lot(tournament: Tournament, ids: Sequence[int]) -> list[int]:
    """Entries in an order drawn by the tournament's own stored seed."""
    return shuffled(ids, Random(tournament.seed))


def complete(tournament: Tournament) -> None:
    """Give those without a seed the ones behind all others, by lot. Called as the tournament begins."""
    entries = TournamentEntry.objects.filter(tournament=tournament)
    seeds = dict(entries.order_by("pk").values_list("pk", "seed"))
    seeded = sorted((seed, pk) for pk, seed in seeds.items() if seed is not None)
    without = by_lot(tournament, [pk for pk, seed in seeds.items() if seed is None])
    if not without and [seed for seed, _pk in seeded] == list(range(1, len(seeded) + 1)):
        return
    _put(tournament, [*(pk for _seed, pk in seeded), *without])


def store(tournament: Tournament, order: Sequence[int]) -> list[TournamentEntry]:
    """Give seeds in this order, the strongest first; who is not named has none. Gives all entries by seed."""
    _put(tournament, order)
    entries = TournamentEntry.objects.filter(tournament=tournament)
    return sorted(entries, key=lambda one: (one.seed is None, one.seed or 0, one.pk))


def _put(tournament: Tournament, order: Sequence[int]) -> None:
    # No two may ever have the same seed, not even between two statements.
    TournamentEntry.objects.filter(tournament=tournament).exclude(seed=None).update(seed=None)
    set_each(TournamentEntry, "seed", {pk: number for number, pk in enumerate(order, 1)})
