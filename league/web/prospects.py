"""Outlooks and explanations in words, for pages: rows of plain text with the names that the reader may see.

Never: works anything out; `league/services/outlooks.py` and `explanations.py` do.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django import forms
from django.template.defaultfilters import floatformat
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext

from league.models import Player, Season
from league.scoring.outlook import PlayerOutlook
from league.scoring.season_outlook import Contest
from league.services import explanations, outlooks, rule_words
from league.services.explanations import Explanation
from league.services.outlooks import DivisionOutlook, SeasonOutlook, TableOutlook
from league.web.fields import WholeNumberField
from league.web.reading import Rights


def naming(rights: Rights) -> Callable[[Player], str]:
    """How players are called to the reader: to those who are no members by their public names."""
    return lambda player: player.name if rights.member else player.public_name


# --- A session ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TableRow:
    """A player at the table: sum of places, winning, the top N, and what the next game has to bring for each."""

    player: str
    place_sum: int
    win: str
    win_next: str
    top: str
    top_next: str


def table_rows(found: TableOutlook, top: int, rights: Rights) -> tuple[TableRow, ...]:
    """A row a player, best place sum first."""
    name = naming(rights)
    return tuple(
        TableRow(
            player=name(one.player),
            place_sum=one.outlook.place_sum,
            win=_win_told(one.outlook),
            win_next=_need_told(one.outlook, 1, found.sitting),
            top=_place_told(one.outlook, top),
            top_next=_need_told(one.outlook, top, found.sitting),
        )
        for one in found.players
    )


def _win_told(one: PlayerOutlook) -> str:
    if one.reach.surely_alone:
        return _("has won")
    if one.reach.clinched(1):
        return _("has won, perhaps not alone")
    possible = one.reach.can(1)
    if possible == "yes" and one.reach.alone == "no":
        return _("can share the first place, no more")
    return {"yes": _("can win"), "no": _("can't win any more"), "undecided": _("undecided")}[possible]


def _place_told(one: PlayerOutlook, top: int) -> str:
    if one.reach.clinched(top):
        return _("is sure of it")
    answers = {"yes": _("can get there"), "no": _("can't get there any more"), "undecided": _("undecided")}
    return answers[one.reach.can(top)]


def _need_told(one: PlayerOutlook, place: int, sitting: int) -> str:
    """What the next game has to bring; "" where it does not matter any more."""
    if one.reach.clinched(place) or one.reach.can(place) == "no" or not one.by_next_place:
        return ""
    need = one.need(place)
    told = []
    if need.clinch is not None:
        told.append(
            _up_to(
                need.clinch,
                _("With place %(place)s it is certain."),
                _("With place %(place)s or better it is certain."),
            )
        )
    if need.keep is None:
        told.append(_("undecided"))
    elif need.keep == sitting:
        told.append(_("Every place leaves the chance."))
    elif need.keep != need.clinch:
        told.append(_up_to(need.keep, _("It takes place %(place)s."), _("It takes place %(place)s or better.")))
    if need.decides:
        told.append(_("The next game decides."))
    return " ".join(told)


def _up_to(place: int, only: str, better: str) -> str:
    return (only if place == 1 else better) % {"place": place}


def in_short(found: TableOutlook, rights: Rights) -> tuple[str, ...]:
    """The outlook in a sentence or two: who has won, who can still win."""
    name = naming(rights)
    won = [name(one.player) for one in found.players if one.outlook.reach.clinched(1)]
    can = [
        name(one.player)
        for one in found.players
        if one.outlook.reach.can(1) == "yes" and not one.outlook.reach.clinched(1)
    ]
    told = []
    if won:
        told.append(_("Certain of the first place, alone or shared: %(players)s.") % {"players": ", ".join(won)})
    if can:
        told.append(_("Can still win or share the first place: %(players)s.") % {"players": ", ".join(can)})
    return tuple(told)


def games_left(found: TableOutlook) -> str:
    """How many games are left."""
    text = ngettext("%(number)d game is left.", "%(number)d games are left.", found.games_left)
    return text % {"number": found.games_left}


# --- A season -------------------------------------------------------------------------------------------------------


class OutlookForm(forms.Form):
    """What a season's outlook takes to be given; its fields stand in the address, and empty ones are as usual."""

    evenings = WholeNumberField(
        label=_l("Evenings left"), min_value=0, max_value=outlooks.MOST_EVENINGS, required=False
    )
    players = WholeNumberField(
        label=_l("Players at the largest table"), min_value=2, max_value=outlooks.LARGEST_TABLE, required=False
    )
    tables = forms.ChoiceField(
        label=_l("Tables"),
        choices=[
            ("", _l("as so far")),
            ("one", _l("one table an evening, the players of this table alone")),
            ("several", _l("any number of tables, guests among them")),
        ],
        required=False,
    )
    top = WholeNumberField(label=_l("Top"), min_value=1, max_value=outlooks.LARGEST_TOP, required=False)

    def wanted(self) -> outlooks.Wanted:
        """What the address asks for; what can't be is left out."""
        data: dict[str, Any] = {name: value for name, value in getattr(self, "cleaned_data", {}).items() if value != ""}
        return outlooks.Wanted(
            top=data.get("top") or outlooks.USUAL_TOP,
            evenings=data.get("evenings"),
            largest=data.get("players"),
            one_table={"one": True, "several": False}.get(data.get("tables", "")),
        )


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A player in the season: the values that can be, winning, the top N, and what the next evening has to bring."""

    player_id: int
    player: str
    best: str
    worst: str
    win: str
    win_next: str
    top: str
    top_next: str


@dataclass(frozen=True, slots=True)
class SeasonTable:
    """One division's rows, or why there are none."""

    division: str
    reason: str
    rows: tuple[SeasonRow, ...]


def season_tables(found: SeasonOutlook, rights: Rights) -> tuple[SeasonTable, ...]:
    """The outlook of each table of the season."""
    return tuple(_season_table(found, one, rights) for one in found.divisions)


def _season_table(found: SeasonOutlook, table: DivisionOutlook, rights: Rights) -> SeasonTable:
    name, season = naming(rights), found.season
    rows = tuple(
        SeasonRow(
            player_id=one.player.pk,
            player=name(one.player),
            best=_end_value(season, one.prospect.best),
            worst=_end_value(season, one.prospect.worst),
            win=_contest_told(one.prospect.win),
            win_next=_evening_told(one.prospect.win),
            top=_contest_told(one.prospect.top),
            top_next=_evening_told(one.prospect.top),
        )
        for one in table.players
    )
    division = table.division.name if table.division is not None else ""
    return SeasonTable(division, str(outlooks.REASONS[table.reason]), rows)


def _end_value(season: Season, value: Any) -> str:
    return _("no rank") if value is None else rule_words.value_told(season, float(value))


def _contest_told(contest: Contest) -> str:
    if contest.certain == "yes":
        return _("certain")
    if contest.possible == "no":
        return _("out of reach")
    if contest.certain == "tie_break":
        return _("certain, or a matter of a tie-break")
    if contest.possible == "tie_break":
        return _("only by a tie-break")
    return _("possible") if contest.possible == "yes" else _("undecided")


def _evening_told(contest: Contest) -> str:
    """What place the next evening has to bring; "" where none is known to matter."""
    told = []
    if contest.clinch is not None:
        told.append(
            _up_to(
                contest.clinch,
                _("With place %(place)s it is certain."),
                _("With place %(place)s or better it is certain."),
            )
        )
    if contest.keep is not None and contest.keep != contest.clinch:
        told.append(
            _up_to(
                contest.keep, _("Place %(place)s leaves the chance."), _("Place %(place)s or better leaves the chance.")
            )
        )
    if contest.next_undecided:
        told.append(_("Of further places it is undecided."))
    return " ".join(told)


def assumptions(found: SeasonOutlook) -> Sequence[str]:
    """What is taken to be given, in sentences."""
    left = found.left
    if left is None:
        return ()
    evenings = ngettext("%(number)d evening is left.", "%(number)d evenings are left.", left.evenings)
    told = [evenings % {"number": left.evenings}]
    if not left.evenings:
        return told
    told.append(_("Each player plays one session an evening or misses it, and nobody new comes into the table."))
    if left.one_table:
        text = _("All who come sit at one table of 2 to %(largest)d, the players of this table alone.")
    else:
        text = _("There are any number of tables of 2 to %(largest)d, guests among them.")
    return [*told, text % {"largest": left.largest}]


# --- An explanation -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ItemRow:
    """What one session or missed evening brings; `session` is None for an evening missed."""

    played_on: date
    session: int | None
    place: int | None
    players: int
    missed: str
    formula: str
    value: str
    counts: bool
    told: str


def item_rows(found: Explanation) -> tuple[ItemRow, ...]:
    """The items of a line, in the order of the days."""
    if found.derivation is None:
        return ()
    return tuple(
        ItemRow(
            played_on=one.item.played_on,
            session=one.item.session,
            place=one.item.place,
            players=one.item.players,
            missed="" if one.item.session is not None else explanations.missed_told(found.season, one),
            formula=one.formula,
            value=floatformat(float(one.item.value), -2),
            counts=one.item.counts,
            told=explanations.item_told(found.season, one),
        )
        for one in found.derivation.items
    )
