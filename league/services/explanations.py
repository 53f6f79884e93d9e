"""Why a player stands where: every figure of a line of a season's table, down to the sessions it comes from.

Terms. An *explanation* is one player's line with its derivation (`league/scoring/explanations.py`) and its
neighbours: those next above and below whose rank is another one. What was *left out* are sessions in which the player
sat and which bring nothing to the table.

Promises: derivations give the numbers that are stored, and tie-breaks are asked as they were when the ranks were
stored, of the whole tie. Never: changes anything.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

from django.template.defaultfilters import floatformat
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import Confirmation, Player, Season, Seat, SessionResult, SessionStatus, Standing
from league.models.seasons import TieBreakCode
from league.scoring import ties
from league.scoring.explanations import Derivation, DerivedItem, derive
from league.services import rule_words, standings
from league.services.errors import NotFound
from league.services.wording import SENTENCES

# How a player is called to whoever reads.
Naming = Callable[[Player], str]


@dataclass(frozen=True, slots=True)
class TieFigures:
    """The tie-break that parted two players of equal value, with what it compared, in words."""

    code: str
    name: str
    above: str
    below: str


@dataclass(frozen=True, slots=True)
class Neighbour:
    """Somebody next in the table with another rank; `tie` is None where the values differ."""

    player: Player
    rank: int
    value: float
    tie: TieFigures | None
    text: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A session that brings nothing, and why."""

    session: int
    played_on: date
    text: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """A player's line explained; without one, `derivation`, `rank` and the neighbours are None.

    `sharing` are the others of the same rank. `ranked` is the number of players with a rank in the same table.
    """

    season: Season
    player: Player
    rank: int | None
    ranked: int
    value: float | None
    derivation: Derivation | None
    sharing: tuple[Player, ...]
    above: Neighbour | None
    below: Neighbour | None
    left_out: tuple[LeftOut, ...]
    text: str


def explain(*, season: Season, player_id: int, naming: Naming) -> Explanation:
    """The explanation of a player's line. Raises NotFound for who sat in no session of the season that stands.

    `naming` says how players are called in sentences.
    """
    player = Player.objects.filter(club=season.club_id, pk=player_id).first()
    left_out = _left_out(season, player_id)
    own = Standing.objects.filter(season=season, player=player_id).first()
    sat = Seat.objects.filter(session__season=season, session__voided_at=None, player=player_id)
    if player is None or (own is None and not sat.exists()):
        raise NotFound(player_id)
    if own is None:
        text = _("%(player)s does not stand in this table: no session of theirs counts.") % {"player": naming(player)}
        return Explanation(season, player, None, 0, None, None, (), None, None, left_out, text)
    table: list[Any] = list(Standing.objects.table(season).filter(division=own.division_id))
    line = next(row for row in table if row.player_id == player_id)
    rules = season.ranking_rules
    days = standings.evenings(season) if rules.absence != "none" else {}
    derivation = derive(player_id, standings.sessions_of(season, [player_id])[player_id], days, rules)
    ranked = [row for row in table if row.rank is not None]
    sharing = tuple(row.player for row in ranked if row.rank == line.rank and row is not line)
    above = below = None
    if line.rank is not None:
        pairs = _Pairs(season, table, line, naming)
        before = [row for row in ranked if row.rank < line.rank]
        after = [row for row in ranked if row.rank > line.rank]
        above = pairs.neighbour(before[-1], before[-1], line) if before else None
        below = pairs.neighbour(after[0], line, after[0]) if after else None
    return Explanation(
        season=season,
        player=player,
        rank=line.rank,
        ranked=len(ranked),
        value=line.value if line.counted else None,
        derivation=derivation,
        sharing=sharing,
        above=above,
        below=below,
        left_out=left_out,
        text=_standing_told(season, line, len(ranked), sharing, naming),
    )


# --- Where the player stands ----------------------------------------------------------------------------------------


def _standing_told(season: Season, line: Any, ranked: int, sharing: Sequence[Player], naming: Naming) -> str:
    words = {"player": naming(line.player), "rank": line.rank, "ranked": ranked}
    if line.rank is not None:
        if not sharing:
            return _("%(player)s has rank %(rank)s of %(ranked)s.") % words
        others = ", ".join(naming(one) for one in sharing)
        if season.tie_breaks:
            text = _("%(player)s shares rank %(rank)s of %(ranked)s with %(others)s: equal in every tie-break, too.")
        else:
            text = _("%(player)s shares rank %(rank)s of %(ranked)s with %(others)s, whose value is the same.")
        return text % {**words, "others": others}
    if line.sessions < season.minimum_sessions:
        needed = ngettext(
            "A rank needs %(minimum)s session that counts; %(player)s has %(have)s.",
            "A rank needs %(minimum)s sessions that count; %(player)s has %(have)s.",
            season.minimum_sessions,
        )
        return needed % {**words, "minimum": season.minimum_sessions, "have": line.sessions}
    return _("%(player)s has no rank: no session has points.") % words


# --- Neighbours -----------------------------------------------------------------------------------------------------


class _Pairs:
    """What parts a player's line from its neighbours in the table."""

    def __init__(self, season: Season, table: Sequence[Any], line: Any, naming: Naming) -> None:
        self.season, self.naming = season, naming
        # As the ranks were stored: who has none is in no tie.
        self.tied = [row for row in table if row.rank is not None and row.sort_key == line.sort_key]

    def neighbour(self, row: Any, above: Any, below: Any) -> Neighbour:
        """The neighbour of `row`, which is one of the two."""
        words = {
            "above": self.naming(above.player),
            "below": self.naming(below.player),
            "above_value": rule_words.value_told(self.season, above.value),
            "below_value": rule_words.value_told(self.season, below.value),
        }
        if above.sort_key != below.sort_key:
            text = _("%(above)s stands before %(below)s by the value: %(above_value)s against %(below_value)s.")
            return Neighbour(row.player, row.rank, row.value, None, text % words)
        tie = self._figures(above.player_id, below.player_id)
        words |= {"name": tie.name, "above_figure": tie.above, "below_figure": tie.below}
        text = _(
            "%(above)s and %(below)s have the same value, %(above_value)s. The tie-break “%(name)s” puts %(above)s "
            "before %(below)s: %(above_figure)s against %(below_figure)s."
        )
        return Neighbour(row.player, row.rank, row.value, tie, text % words)

    @cached_property
    def _order(self) -> ties.Order:
        lines = [standings.stored_line(row) for row in self.tied]
        return ties.break_tie(lines, self.season.ranking_rules.tie_breaks, standings.StoredHistories(self.season))

    def _figures(self, above: int, below: int) -> TieFigures:
        """What parted two players. Those who share a position have the same figures."""
        order = self._order
        first, last = order.positions[above], order.positions[below]
        decision = next(
            decision
            for (one, other), decision in zip(pairwise(order.players), order.decisions, strict=True)
            if decision is not None and (order.positions[one], order.positions[other]) == (first, last)
        )
        one, other = _TOLD[decision.code](decision.above_figure.value, decision.below_figure.value)
        return TieFigures(decision.code, str(TieBreakCode(decision.code).label), one, other)


def _direct_told(above: Any, below: Any) -> tuple[str, str]:
    return floatformat(float(above), 2), floatformat(float(below), 2)


def _countback_told(above: Any, below: Any) -> tuple[str, str]:
    place = next(place for place, (one, other) in enumerate(zip(above, below, strict=True), start=1) if one != other)

    def told(times: int) -> str:
        text = ngettext("%(times)s time place %(place)s", "%(times)s times place %(place)s", times)
        return text % {"times": times, "place": place}

    return told(above[place - 1]), told(below[place - 1])


def _evening_told(above: Any, below: Any) -> tuple[str, str]:
    def told(figure: Any) -> str:
        day, place = figure
        words = {"day": date_format(day, "SHORT_DATE_FORMAT"), "place": place}
        return (_("not there on %(day)s") if place is None else _("place %(place)s on %(day)s")) % words

    return told(above), told(below)


def _sessions_told(above: Any, below: Any) -> tuple[str, str]:
    def told(sessions: int) -> str:
        return ngettext("%(number)s session", "%(number)s sessions", sessions) % {"number": sessions}

    return told(above), told(below)


def _opponents_told(above: Any, below: Any) -> tuple[str, str]:
    def told(average: Fraction) -> str:
        return _("opponents with a place average of %(average)s") % {"average": floatformat(float(average), 2)}

    return told(above), told(below)


_TOLD: dict[str, Callable[[Any, Any], tuple[str, str]]] = {
    "direct": _direct_told,
    "countback": _countback_told,
    "last_evening": _evening_told,
    "fewer_sessions": _sessions_told,
    "opponents": _opponents_told,
}


# --- Items ----------------------------------------------------------------------------------------------------------


def item_told(season: Season, one: DerivedItem) -> str:
    """Whether an item counts, and why not."""
    if one.item.counts:
        return _("counts")
    if not one.item.dropped:
        return _("does not count: no points were noted")
    if season.count_best:
        text = ngettext(
            "dropped: only the best result counts", "dropped: only the best %(number)s results count", season.count_best
        )
        return text % {"number": season.count_best}
    text = ngettext(
        "dropped: the worst result does not count",
        "dropped: the worst %(number)s results do not count",
        season.drop_worst,
    )
    return text % {"number": season.drop_worst}


def missed_told(season: Season, one: DerivedItem) -> str:
    """What an evening missed counts as."""
    if one.place is None:
        return _("missed: counts as the own average")
    return _("missed: counts as place %(place)s, behind a largest table") % {"place": one.place}


def _left_out(season: Season, player_id: int) -> tuple[LeftOut, ...]:
    results = SessionResult.objects.filter(session__season=season, player=player_id, session__voided_at=None)
    results = results.exclude(session__counts=True, place__isnull=False).select_related("session")
    return tuple(
        LeftOut(one.session_id, one.session.played_on, _left_out_told(one))
        for one in results.order_by("session__played_on", "session")
    )


def _left_out_told(result: SessionResult) -> str:
    session = result.session
    if session.confirmation in {Confirmation.AWAITED, Confirmation.DISPUTED}:
        return str(Confirmation(session.confirmation).label)
    if result.reason:
        return str(SENTENCES[result.reason])
    return str(SENTENCES["incomplete"] if session.status == SessionStatus.INCOMPLETE else _("does not count"))
