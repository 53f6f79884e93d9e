"""How a session stands and how it went: who leads, and the sums of places round by round as a chart."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from league.models.sheets import ScoreSheet, SheetPlayer
from league.web import charts
from league.web.charts import LineChart, Point, Series


@dataclass(frozen=True, slots=True)
class Course:
    """The players by their places so far, those at place 1, and the chart; None before the second round."""

    players: tuple[SheetPlayer, ...]
    first: tuple[str, ...]
    chart: LineChart | None


def course(sheet: ScoreSheet) -> Course:
    """The course of a session. A table that plays together has no places: nobody leads, and there is no chart."""
    placed = sorted((one for one in sheet.players if one.place is not None), key=lambda one: one.place or 0)
    return Course(
        players=tuple(placed),
        first=tuple(one.player.name for one in placed if one.place == 1),
        chart=_chart(sheet),
    )


def _chart(sheet: ScoreSheet) -> LineChart | None:
    rounds = [one for one in sheet.rounds if any(cell is not None and cell.place is not None for cell in one.cells)]
    if len(rounds) < 2:
        return None
    series = [
        Series(
            column.player.name,
            [
                Point(str(one.number), cell.place_sum if (cell := one.cells[index]) is not None else None)
                for one in rounds
            ],
        )
        for index, column in enumerate(sheet.players)
    ]
    return charts.line_chart(_("Sums of places"), series, lower_is_better=True, heading=_("Round"))
