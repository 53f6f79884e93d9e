"""Where the matches of a bracket stand in a drawing: numbers only, in columns and rows.

A column is a wave, so that play goes from left to right; rows are as high as one match. The winners' bracket stands
above the losers' bracket, the grand final to the right of both, third place below the final. A stepladder climbs from
the lower left to the upper right. Promises: no two matches in one spot, and each between those its entrants win first.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from league.pairing.brackets import Bracket, Match, Side, Source, SourceKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A match: its column (0 is the first wave) and the middle of it in rows (0.5 is the middle of the first row)."""

    code: str
    side: Side
    column: int
    row: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """From the match that somebody wins first to a side (0 or 1) of the one where the winner plays next."""

    start: str
    end: str
    slot: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """All boxes within `columns` and `rows`, and the lines between them. Matches that are byes by plan have no box."""

    columns: int
    rows: float
    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]


def layout(bracket: Bracket) -> Layout:
    """The drawing of a bracket, boxes in order of play. A box is one row high, its middle at `row`."""
    matches = {match.code: match for match in bracket.matches}
    lines = tuple(
        Line(start=start, end=match.code, slot=slot)
        for match in bracket.played()
        for slot, source in enumerate(match.sources)
        if (start := _start(source, matches)) is not None
    )
    rows = _rows(bracket, lines)
    boxes = tuple(
        Box(code=match.code, side=match.side, column=match.wave - 1, row=rows[match.code]) for match in bracket.played()
    )
    return Layout(
        columns=max(box.column for box in boxes) + 1,
        rows=max(box.row for box in boxes) + 0.5,
        boxes=boxes,
        lines=lines,
    )


def _start(source: Source, matches: Mapping[str, Match]) -> str | None:
    """The match that is played to come from here as a winner, byes passed over; None for seeds and losers."""
    while source.kind is SourceKind.WINNER:
        match = matches[source.code]
        if not match.is_bye:
            return match.code
        source = next(one for one in match.sources if one.kind is not SourceKind.BYE)
    return None


def _rows(bracket: Bracket, lines: tuple[Line, ...]) -> dict[str, float]:
    """The rows by code: whoever comes from no match is put below the last, the others in the middle of theirs."""
    starts: dict[str, list[str]] = {}
    for line in lines:
        starts.setdefault(line.end, []).append(line.start)
    rows: dict[str, float] = {}
    used = 0

    def put(code: str) -> float:
        nonlocal used
        above = [put(start) for start in starts.get(code, [])]
        if not above:
            used += 1
        rows[code] = sum(above) / len(above) if above else used - 0.5
        return rows[code]

    last = {match.side: match for match in bracket.played()}
    for side in (Side.WINNERS, Side.LOSERS):
        if side in last:
            put(last[side].code)
    for match in bracket.played():
        if match.side is Side.LADDER:
            rows[match.code] = last[Side.LADDER].round - match.round + 0.5
        elif match.side is Side.FINAL:
            rows[match.code] = sum(rows[start] for start in starts[match.code]) / len(starts[match.code])
        elif match.side is Side.THIRD_PLACE:
            rows[match.code] = rows[last[Side.WINNERS].code] + 1
    return rows
