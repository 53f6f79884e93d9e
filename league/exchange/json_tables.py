"""A JSON array of flat rows, written in pieces.

Promises: one row a line, so that what reads line by line needs no parser for the whole; days as YYYY-MM-DD.
"""

import json
from collections.abc import Iterator
from datetime import date

from league.exchange.csv_tables import Rows

_ROWS_AT_A_TIME = 100


def array(rows: Rows) -> Iterator[bytes]:
    """Yield an array of these rows in pieces."""
    pieces = ["["]
    for number, row in enumerate(rows):
        told = {key: one.isoformat() if isinstance(one, date) else one for key, one in row.items()}
        pieces.append(f"{',' if number else ''}\n{json.dumps(told, ensure_ascii=False)}")
        if len(pieces) > _ROWS_AT_A_TIME:
            yield "".join(pieces).encode()
            pieces = []
    pieces.append("\n]\n")
    yield "".join(pieces).encode()
