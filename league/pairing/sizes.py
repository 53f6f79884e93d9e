"""How many players sit at each table.

Rules, in this order:

1. No table below `smallest` or above `largest`.
2. As few tables as possible with none above the preferred size; tables differ by one at most. 13 at 4s: 4+3+3+3.
3. Where rule 2 would make a table smaller than `smallest`, fewer tables, which are larger than preferred:
   5 at 4s is one table of 5 (3+2 has a table of two). 6 at 4s is 3+3, 7 at 5s is 4+3: a table larger than preferred
   is the last resort.

Codes of reasons (`PairingError`):

- `table_size_out_of_range`: the preferred size is not between the smallest and largest.
  Figures: preferred, smallest, largest.
- `too_few_players`: fewer than one table takes. Figures: players, smallest.
- `no_table_sizes`: no number of tables of the allowed sizes seats just so many. Figures: players, smallest, largest.
"""

from league.pairing.values import PairingError, Reason

SMALLEST = 3
LARGEST = 6


def table_sizes(players: int, preferred: int, *, smallest: int = SMALLEST, largest: int = LARGEST) -> tuple[int, ...]:
    """The sizes of the tables that seat so many players, the largest first.

    Raises PairingError if there are none.
    """
    allowed = {"smallest": smallest, "largest": largest}
    if not 1 <= smallest <= preferred <= largest:
        raise PairingError(Reason(code="table_size_out_of_range", figures={"preferred": preferred, **allowed}))
    if players < smallest:
        raise PairingError(Reason(code="too_few_players", figures={"players": players, "smallest": smallest}))
    tables = min(-(-players // preferred), players // smallest)
    if players > tables * largest:
        raise PairingError(Reason(code="no_table_sizes", figures={"players": players, **allowed}))
    size, longer = divmod(players, tables)
    return (size + 1,) * longer + (size,) * (tables - longer)
