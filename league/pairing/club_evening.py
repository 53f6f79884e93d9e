"""The club evening: tables are drawn at once for who is here now, and over the season everybody meets everybody.

Terms: *here now* are the players who ticked in and are to play the next round; *history* is what earlier meetings of
pairs weigh, over the season and this evening (`live.faded` makes it from their ages).

Promises: all that `live` promises of wishes and short tables; of the seatings that are left, one whose meetings again
weigh little. Who has met less sits together first, so that a newcomer meets new people all evening. Nothing of results
is looked at. Seats are shared out evenly over the rounds that `earlier` counts.

Codes of reasons: those of `live.oddities`. Codes of errors: those of `live` and `sizes`.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from random import Random

from league.pairing.live import Pair, arrange, numbered, oddities, steps_for, weighed, yields_to_short
from league.pairing.positions import balance_seats
from league.pairing.sizes import LARGEST, SMALLEST, table_sizes
from league.pairing.values import PairedRound, Wishes


def draw(
    present: Sequence[int],
    *,
    preferred: int,
    seed: int,
    wishes: Wishes = Wishes(),  # noqa: B008 - frozen
    history: Mapping[Pair, float] = {},
    earlier: Mapping[int, Sequence[int]] = {},
    short: Mapping[int, int] = {},
    smallest: int = SMALLEST,
    largest: int = LARGEST,
) -> PairedRound:
    """Tables for those who are here now, whatever order they are named in.

    `history` gives weights by pair, the lower id first; 1 is one meeting just now. `earlier` tells how often each had
    each seat before, from the first seat on, `short` how often each sat at a short table; who is missing in them never
    did. `smallest` and `largest` are sizes of tables. Raises PairingError.
    """
    chance = Random(seed).random
    sizes = table_sizes(len(present), preferred, smallest=smallest, largest=largest)
    people = [one for _drawn, one in sorted((chance(), one) for one in sorted(present))]
    costs = weighed(history, people)
    search = partial(
        arrange, people, sizes, costs, wishes=wishes, seed=seed, reach=len(people), steps=steps_for(len(people))
    )
    final = numbered(search(short=short), wishes.fixed)
    yields = yields_to_short(final, search, met=history, short=short, wishes=wishes)
    return PairedRound(
        tables=balance_seats([final], earlier=earlier)[0],
        reasons=tuple(oddities(final, history=history, short=short, wishes=wishes, yields=yields)),
    )
