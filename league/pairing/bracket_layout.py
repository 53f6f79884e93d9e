"""Where the matches of a bracket stand in a drawing: numbers only, in columns and rows."""

from dataclasses import dataclass

from league.pairing.brackets import Bracket, Side


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A match: its column (0 is the first wave) and the middle of it in rows (0.5 is the middle of the first row)."""

    code: str
    side: Side
    column: int
    row: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """From the match that somebody comes from as its winner to a side (0 or 1) of the one where that one plays next."""

    start: str
    end: str
    slot: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """All boxes within `columns` and `rows`, and the lines between them. Matches that are never played have no box."""

    columns: int
    rows: float
    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]


def layout(bracket: Bracket) -> Layout:
    """The drawing: the winners' bracket above the losers' bracket, in order of play from left to right."""
    raise NotImplementedError
