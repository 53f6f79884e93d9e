"""Seeds of a tournament as they are stored: never two alike, and lots that come out the same again.

They are given in `tournament_entries.py`; here is what that shares with the start of a tournament.
"""

from collections.abc import Sequence
from random import Random

from games.core import shuffled
from league.models import Tournament, TournamentEntry


def by_lot(tournament: Tournament, ids: Sequence[int]) -> list[int]:
    """Entries in an order drawn by the tournament's own stored seed."""
    return shuffled(ids, Random(tournament.seed))


def complete(tournament: Tournament) -> None:
    """Give those without a seed the ones behind all others, by lot. Called as the tournament begins."""
    entries = list(TournamentEntry.objects.filter(tournament=tournament).order_by("pk"))
    seeded = sorted((one for one in entries if one.seed is not None), key=lambda one: one.seed or 0)
    without = by_lot(tournament, [one.pk for one in entries if one.seed is None])
    if not without and [one.seed for one in seeded] == list(range(1, len(seeded) + 1)):
        return
    store(tournament, [*(one.pk for one in seeded), *without])


def store(tournament: Tournament, order: Sequence[int]) -> list[TournamentEntry]:
    """Give seeds in this order, the strongest first; who is not named has none. Gives all entries by seed."""
    entries = {one.pk: one for one in TournamentEntry.objects.filter(tournament=tournament)}
    # No two may ever have the same seed, not even between two statements.
    TournamentEntry.objects.filter(tournament=tournament).update(seed=None)
    place = {pk: number for number, pk in enumerate(order, 1)}
    for entry in entries.values():
        entry.seed = place.get(entry.pk)
    # All are there: to put them once more takes a fraction of the time that `bulk_update` does.
    TournamentEntry.objects.bulk_create(
        entries.values(), update_conflicts=True, unique_fields=["id"], update_fields=["seed"]
    )
    return sorted(entries.values(), key=lambda one: (one.seed is None, one.seed or 0, one.pk))
