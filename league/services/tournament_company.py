"""Who sits at tournament tables beside those whom they were made for, and who of these does not play.

Terms: who *sits in* plays the session of a table for which somebody else was paired, or nobody: what is won there
counts for no entry. An entry is *absent* where its player has no seat in the session of its table, as when somebody
sits in from the first round on, or when the others play without. Never: changes anything; what absence is worth is a
matter of `tournament_results.py` and of scoring.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.db.models import Exists, F, OuterRef
from django.utils.translation import gettext as _

from league.models import (
    Player,
    Seat,
    Session,
    TournamentEntry,
    TournamentMetric,
    TournamentSeat,
    TournamentTableKind,
)
from league.models.players import public_name
from league.services.errors import NeedsConfirmation, Problem

CONFIRM = "sits_in"


@dataclass(frozen=True, slots=True)
class SitsIn:
    """Somebody who sits in, and the seat in the session: an entry's has the same number, a third one's none."""

    name: str
    number: int


def who_sits_in(tables: Collection[int], *, public: bool) -> dict[int, list[SitsIn]]:
    """Who sits in at these tables, by table, with `public` names for who may see no others: one query."""
    paired = TournamentSeat.objects.filter(table=OuterRef("session__table"), entry__player=OuterRef("player"))
    shown = public_name("player__") if public else F("player__name")
    seats = (
        Seat.objects.filter(~Exists(paired), session__table__in=tables, session__voided_at=None)
        .annotate(shown=shown)
        .order_by("session", "number", "from_round")
        .values_list("session__table", "shown", "number")
    )
    found: dict[int, list[SitsIn]] = defaultdict(list)
    for table, name, number in seats:
        found[table].append(SitsIn(name, number))
    return dict(found)


def absent(*, entries: Collection[int] | None = None, **which: object) -> set[tuple[int, int]]:
    """(table, entry) of those of these entries (None: of all) that are absent from a session there is; `which` says by
    lookups on a table at which ones. Three plain queries: asked in one, PostgreSQL goes through all sessions for every
    seat where it has not counted yet how many there are.
    """
    wanted = {f"table__{lookup}": value for lookup, value in which.items()}
    seats = TournamentSeat.objects.filter(table__kind=TournamentTableKind.PLAYED, **wanted)
    sessions = Session.objects.filter(voided_at=None, **wanted)
    sat = Seat.objects.filter(session__voided_at=None, **{f"session__{lookup}": one for lookup, one in wanted.items()})
    if entries is not None:
        seats = seats.filter(entry__in=entries)
        sat = sat.filter(player__in=TournamentEntry.objects.filter(pk__in=entries).values("player"))
    opened = set(sessions.order_by().values_list("table", flat=True))
    there = set(sat.order_by().values_list("session__table", "player"))
    rows = seats.order_by().values_list("table", "entry", "entry__player")
    return {(table, entry) for table, entry, player in rows if table in opened and (table, player) not in there}


def told(
    sits_in: Collection[SitsIn], seated: Mapping[int, str], missing: Collection[int], *, shares: bool = False
) -> list[str]:
    """What is odd about who plays at a table, in sentences: `seated` are the entries' names by the number of the seat,
    `missing` the numbers of who is absent. `shares`: whether all who sit there have one result.
    """
    sentences: list[str] = []
    # Who came, went and came again has several seats.
    for one in dict.fromkeys(sits_in):
        words = {"player": one.name, "entry": seated.get(one.number, "")}
        if one.number not in seated:
            sentences.append(_("%(player)s sits in as one more and counts for nobody.") % words)
        elif one.number in missing:
            sentences.append(_("%(player)s sits in for %(entry)s and counts for nobody.") % words)
        else:
            sentences.append(_("%(player)s sits in for %(entry)s, of whom only the own rounds count.") % words)
    for number in sorted(missing):
        words = {"entry": seated[number]}
        if shares:
            sentences.append(_("%(entry)s does not play, and shares the table's result.") % words)
        else:
            sentences.append(_("%(entry)s does not play, and takes the last place.") % words)
    return sentences


def told_of_session(session: Session, *, public: bool) -> list[str]:
    """The same of a session, which may be none of a tournament: five queries, none for such a one."""
    if session.table_id is None:
        return []
    shown = public_name("entry__player__") if public else F("entry__player__name")
    seats = TournamentSeat.objects.filter(table=session.table_id).annotate(shown=shown)
    rows = list(seats.values_list("entry", "number", "shown", "table__round__tournament__metric"))
    gone = absent(pk=session.table_id)
    return told(
        who_sits_in([session.table_id], public=public).get(session.table_id, ()),
        {number: name for _entry, number, name, _metric in rows},
        {number for entry, number, _name, _metric in rows if (session.table_id, entry) in gone},
        shares=any(metric == TournamentMetric.CARDS_LEFT for *_rest, metric in rows),
    )


def check_newcomer(session: Session, *, player: int, gets_up: int | None, confirm: Collection[str]) -> None:
    """Raise NeedsConfirmation (`sits_in`) before somebody comes to a tournament's table who was not paired there,
    instead of `gets_up`, who may be None.
    """
    if session.table_id is None or CONFIRM in confirm:
        return
    paired = TournamentSeat.objects.filter(table=session.table_id).values_list("entry__player", "entry__player__name")
    names = dict(paired)
    if player in names:
        return
    name = Player.objects.values_list("name", flat=True).get(pk=player)
    enters = TournamentEntry.objects.filter(tournament__rounds__tables=session.table_id, player=player).exists()
    sentence = (
        _("“%(player)s” was not paired at this table of the tournament: what is won here counts for nobody.")
        if enters
        else _("“%(player)s” is not in this tournament: what is won here counts for nobody.")
    ) % {"player": name}
    if gets_up in names:
        played = session.rounds.exists()
        sentence += " " + (
            _("Of “%(entry)s” only the own rounds count.") if played else _("“%(entry)s” takes the last place.")
        ) % {"entry": names[gets_up]}
    raise NeedsConfirmation([Problem(("player",), CONFIRM, sentence)])
