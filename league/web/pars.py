"""Par of cooperative games on pages: what a bot reached, and what it says of a table's result.

Terms as in `games/par.py` and `league/services/par.py`. Never: decides which par a result is measured by.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.template.defaultfilters import floatformat
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.par import Configuration, Par, configurations
from league.models.sheets import ScoreSheet
from league.services import par as service
from league.services.par import Measured
from league.web import charts
from league.web.charts import Bar, BarChart
from league.web.words import grouped

# Bars have room on a phone for so many results; a perfect one stands alone, one below ten is great by the rules.
_RUNS = (range(0, 1), range(1, 10), range(10, 20), range(20, 30), range(30, 40))
_EXPERT = 3


@dataclass(frozen=True, slots=True)
class ParLine:
    """A table that a bot was measured at; `perfect` in per cent."""

    table: str
    games: str
    mean: float
    perfect: float
    chart: BarChart


def lines(game: str) -> list[ParLine]:
    """What a bot reached in the game, by table; nothing for a game without a par."""
    wanted = [one for one in configurations() if one.game == game]
    return [_line(par) for par in service.yardsticks(wanted)]


def _line(par: Par) -> ParLine:
    table = table_words(par.configuration)
    return ParLine(
        table=table,
        games=grouped(par.games),
        mean=par.mean,
        perfect=100 * par.share_perfect,
        chart=charts.bar_chart(
            _("Cards left: %(table)s") % {"table": table},
            [Bar(label, games, grouped(games)) for label, games in _together(par.counts).items()],
            heading=_("Cards left"),
            counted=_("Games"),
        ),
    )


def _together(counts: Mapping[int, int]) -> dict[str, int]:
    """How many games ended with which result, by runs of results, those that left more than any of them at the end."""
    found = {
        f"{run[0]}\N{EN DASH}{run[-1]}" if len(run) > 1 else str(run[0]): sum(counts.get(left, 0) for left in run)
        for run in _RUNS
    }
    last = _RUNS[-1][-1]
    return {**found, f">{last}": sum(games for left, games in counts.items() if left > last)}


def table_words(configuration: Configuration) -> str:
    """A configuration in words, as in “3 players, experts”."""
    agreed = configuration.agreed
    words = [ngettext("%(count)d player", "%(count)d players", configuration.seats) % {"count": configuration.seats}]
    if agreed["minimum"] == _EXPERT:
        words.append(_("experts"))
    if agreed["short_hand"]:
        words.append(_("one card less in hand"))
    return ", ".join(words)


@dataclass(frozen=True, slots=True)
class ParOfRound:
    """What par says of a round: what was left, and the share of bot games that were worse, both in words."""

    number: int
    left: int
    beaten: str
    table: str


@dataclass(frozen=True, slots=True)
class ParOfSheet:
    """What par says of a sheet: a sentence on its one round, or on all of several, each of which is a line.

    The lines name the `table` each where it is not the same for all.
    """

    sentence: str
    lines: tuple[ParOfRound, ...] = ()
    names_tables: bool = False


def of_sheet(sheet: ScoreSheet) -> ParOfSheet | None:
    """What par says of the rounds of a sheet; None where it says nothing."""
    found = service.measured(sheet)
    if not found:
        return None
    if len(sheet.rounds) == 1:
        return ParOfSheet(in_words(found[0]))
    tables = {one.par.configuration for one in found}
    lines = tuple(ParOfRound(one.round, one.result, _beaten(one), table_words(one.par.configuration)) for one in found)
    params = {
        "average": floatformat(sum(one.result for one in found) / len(found), 1),
        "bot": floatformat(sum(one.par.mean for one in found) / len(found), 1),
        "games": grouped(sum({one.par.configuration: one.par.games for one in found}.values())),
        "tables": "; ".join(dict.fromkeys(one.table for one in lines)),
    }
    sentence = _("%(average)s left on average; the bot %(bot)s, in %(games)s games (%(tables)s).") % params
    return ParOfSheet(sentence, lines, names_tables=len(tables) > 1)


def _beaten(one: Measured) -> str:
    """The share of bot games that ended worse, in words."""
    if not one.par.share_beaten(one.result):
        return _("none")
    percent = one.par.percent_beaten(one.result)
    return _("%(number)s %%") % {"number": percent} if percent else _("fewer than 1 %")


def in_words(one: Measured) -> str:
    """The sentence on one result."""
    configuration, percent = one.par.configuration, one.par.percent_beaten(one.result)
    params: dict[str, Any] = {
        "left": one.result,
        "percent": percent,
        "games": grouped(one.par.games),
        "count": configuration.seats,
        "table": table_words(configuration),
    }
    if not one.par.share_beaten(one.result):
        return _("%(left)d left: better than none of %(games)s bot games (%(table)s)") % params
    if percent == 0:
        return _("%(left)d left: better than fewer than 1 %% of %(games)s bot games (%(table)s)") % params
    if configuration == Configuration.of(configuration.game, configuration.seats, {}):
        return (
            ngettext(
                "%(left)d left: better than %(percent)d %% of %(games)s bot games with %(count)d player",
                "%(left)d left: better than %(percent)d %% of %(games)s bot games with %(count)d players",
                configuration.seats,
            )
            % params
        )
    return _("%(left)d left: better than %(percent)d %% of %(games)s bot games (%(table)s)") % params
