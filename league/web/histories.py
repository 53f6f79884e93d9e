"""The history of a session in the words of those who sat at the table.

Terms: an *entry* is one revision as a page shows it; *told* are the differences between two states, a sentence each.
Promises: players are told by the names they have now, also those who were archived, merged or erased since; a fixed
number of queries whatever the length. Never: shows a login's name to anyone but admins, who give the logins out.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext

from league.models import (
    ApiToken,
    Club,
    Confirmation,
    Member,
    Player,
    RevisionKind,
    Role,
    Scope,
    Season,
    Session,
    SessionFormat,
    SessionRevision,
    SessionStatus,
)
from league.models.games import games_by_key
from league.services import merges
from league.services.access import Access
from league.services.wording import NOTES, game_title

Snapshot = Mapping[str, Any]

_NOTHING = "\N{EN DASH}"
_DECISIONS = {RevisionKind.CONFIRMED, RevisionKind.DISPUTED}
_VALUES: Mapping[str, Callable[[Any], str]] = {
    "format": lambda value: str(SessionFormat(value).label),
    "played_on": lambda value: date_format(date.fromisoformat(value), "DATE_FORMAT"),
    "repeats": lambda value: _("once") if value == 1 else _("twice"),
    "status": lambda value: str(SessionStatus(value).label),
    "confirmation": lambda value: str(Confirmation(value).label),
    "counts": lambda value: _("yes") if value else _("no"),
}
# In the order in which they are told.
_FIELDS = {
    "format": _l("Format"),
    "season": _l("Season"),
    "played_on": _l("Played on"),
    "location": _l("Location"),
    "comment": _l("Comment"),
    "planned_rounds": _l("Rounds agreed"),
    "repeats": _l("Each game of Pure XXL"),
    "status": _l("Status"),
    "confirmation": _l("Confirmation"),
    "counts": _l("Counts in the season"),
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One revision: its number, what was done, by whom, when, why, and what was different afterwards."""

    number: int
    kind: str
    who: str
    at: datetime
    reason: str
    told: tuple[str, ...]


def entries(session: Session, access: Access) -> list[Entry]:
    """The whole history, newest first."""
    found = list(_revisions(session).order_by("number"))
    words = _Words(access.club, [one.data for one in found])
    people = _people(access, found)
    before: Snapshot | None = None
    told = []
    merged: set[tuple[int, ...]] = set()
    for one in found:
        differences = tuple(words.differences(before, one.data, one.kind)) if before is not None else ()
        kind = str(RevisionKind(one.kind).label)
        reason = one.reason
        if moved := merges.moved_by(reason):
            back = moved[::-1]
            reason = _("The merge is taken back.") if back in merged else _("Merged")
            merged ^= {back if back in merged else moved}
        told.append(Entry(one.number, kind, people[one.pk], one.at, reason, differences))
        before = one.data
    return told[::-1]


def between(session: Session, club: Club, first: int, last: int) -> list[str]:
    """What is different in the revision `last` from the revision `first`; nothing where either is not kept."""
    # Bounded, since a number beyond 64 bits is an error of the database.
    numbers = [number for number in (first, last) if 0 < number <= session.revision]
    data = dict(SessionRevision.objects.filter(session=session, number__in=numbers).values_list("number", "data"))
    if first not in data or last not in data:
        return []
    return list(_Words(club, data.values()).differences(data[first], data[last], RevisionKind.CORRECTED))


@dataclass(frozen=True, slots=True)
class Decision:
    """Why a session is void or disputed, and by whom; "" for both where that is not known."""

    reason: str = ""
    who: str = ""


def decision(session: Session, access: Access) -> Decision:
    """The last word on a session that is void or disputed."""
    kind = RevisionKind.VOIDED if session.voided_at is not None else RevisionKind.DISPUTED
    last = _revisions(session).filter(kind=kind).order_by("-number").first()
    return Decision(last.reason, _people(access, [last])[last.pk]) if last is not None else Decision()


def _revisions(session: Session) -> Any:
    return SessionRevision.objects.filter(session=session).select_related("user", "token")


# --- By whom ----------------------------------------------------------------------------------------------------------


def _people(access: Access, revisions: Sequence[SessionRevision]) -> Mapping[int, str]:
    """Who made each revision, by its id: one query."""
    users = {one.user_id for one in revisions} - {None}
    members = {
        member.user_id: member
        for member in Member.objects.filter(club=access.club, user__in=users).select_related("player")
    }
    return {one.pk: _who(access, one, members) for one in revisions}


def _who(access: Access, revision: SessionRevision, members: Mapping[int, Member]) -> str:
    if revision.token is not None:
        return _program(access, revision.token)
    if revision.user is None:
        return _("not known")
    if revision.user.pk == access.actor.user_id:
        return _("you")
    member = members.get(revision.user.pk)
    known = _member(member) if member is not None else _("somebody who was a member")
    return f"{known} ({revision.user.get_username()})" if access.may(Role.ADMIN) else known


def _program(access: Access, token: ApiToken) -> str:
    if token.scope == Scope.TABLE:
        return _("a phone at the table")
    return _("the program “%(name)s”") % {"name": token.name} if access.may(Role.ADMIN) else _("a program")


def _member(member: Member) -> str:
    player = getattr(member, "player", None)
    if player is not None:
        return str(player.name)
    return _("somebody of the role “%(role)s”") % {"role": Role(member.role).label}


# --- What -------------------------------------------------------------------------------------------------------------


class _Words:
    """The names behind the ids of some snapshots: three queries at most."""

    def __init__(self, club: Club, snapshots: Iterable[Snapshot]) -> None:
        players: set[int] = set()
        seasons: set[int] = set()
        games: set[str] = set()
        for one in snapshots:
            players |= {seat["player"] for seat in one["players"]} | {result["player"] for result in one["results"]}
            players |= {score["player"] for round_ in one["rounds"] for score in round_["scores"]}
            seasons |= {one["season"]} - {None}
            games |= {round_["game"] for round_ in one["rounds"]}
        self._players = Player.objects.filter(club=club).select_related("merged_into").in_bulk(players)
        self._seasons = Season.objects.filter(club=club).select_related("league").in_bulk(seasons)
        self._games = games_by_key(club.pk, games)

    def player(self, pk: int) -> str:
        player = self._players.get(pk)
        if player is None:
            return _("player %(id)d") % {"id": pk}
        if player.merged_into is not None:
            return _("%(player)s (now %(other)s)") % {"player": player.name, "other": player.merged_into.name}
        return player.name

    def game(self, key: str) -> str:
        return game_title(self._games[key]) if key in self._games else key

    def value(self, field: str, value: Any) -> str:
        """A value of the head of a score sheet."""
        if value is None or value == "":
            return _NOTHING
        if field == "season":
            return str(self._seasons.get(value, value))
        return _VALUES[field](value) if field in _VALUES else str(value)

    def differences(self, before: Snapshot, after: Snapshot, kind: str) -> Iterator[str]:
        """A sentence for each thing that is different."""
        skipped = {"confirmation"} if kind in _DECISIONS else set()
        if SessionStatus.OPEN in {before["status"], after["status"]}:
            # That it counts once it is ended goes without saying.
            skipped.add("counts")
        for field, label in _FIELDS.items():
            if before[field] != after[field] and field not in skipped:
                yield _change(str(label), self.value(field, before[field]), self.value(field, after[field]))
        exchanged: dict[int, int] = {}
        yield from self._seats(before, after, exchanged)
        yield from self._rounds(before, after, exchanged)
        yield from self._results(before, after, exchanged)

    def _seats(self, before: Snapshot, after: Snapshot, exchanged: dict[int, int]) -> Iterator[str]:
        """What is different at the table; puts into `exchanged` who sits in whose place throughout."""
        old = {(seat["seat"], seat["from_round"]): seat for seat in before["players"]}
        new = {(seat["seat"], seat["from_round"]): seat for seat in after["players"]}
        for key in sorted({*old, *new}):
            was, now = old.get(key), new.get(key)
            seat = _("Seat %(number)d") % {"number": key[0] + 1}
            if was is None:
                words = {"seat": seat, "player": self.player(now["player"] if now else 0), "round": key[1]}
                yield (
                    _("%(seat)s: %(player)s from round %(round)d on") if key[1] > 1 else "%(seat)s: %(player)s"
                ) % words
                continue
            if now is None:
                yield _change(seat, self.player(was["player"]), _NOTHING)
                continue
            if was["player"] != now["player"]:
                exchanged[was["player"]] = now["player"]
                yield _change(seat, self.player(was["player"]), self.player(now["player"]))
            if was["until_round"] != now["until_round"]:
                words = {"player": self.player(now["player"]), "round": now["until_round"]}
                if now["until_round"] is None:
                    yield _("%(player)s stays to the end.") % words
                else:
                    yield _("%(player)s left after round %(round)s.") % words

    def _rounds(self, before: Snapshot, after: Snapshot, exchanged: Mapping[int, int]) -> Iterator[str]:
        old = {round_["number"]: round_ for round_ in before["rounds"]}
        new = {round_["number"]: round_ for round_ in after["rounds"]}
        for number in sorted({*old, *new}):
            was, now = old.get(number), new.get(number)
            words = {"number": number}
            if was is None or now is None:
                told = {**words, **self._round(was or now)}
                if was is None:
                    yield _("Round %(number)d, %(game)s: %(scores)s") % told
                else:
                    yield _("Round %(number)d is taken away. It was %(game)s: %(scores)s") % told
                continue
            if was["game"] != now["game"]:
                label = _("Round %(number)d, game") % words
                yield _change(label, self.game(was["game"]), self.game(now["game"]))
            if was["note"] != now["note"]:
                yield _change(_("Round %(number)d, note") % words, _note(was["note"]), _note(now["note"]))
            scored = {exchanged.get(score["player"], score["player"]): score for score in was["scores"]}
            scores = {score["player"]: score for score in now["scores"]}
            for pk in dict.fromkeys([*scored, *scores]):
                label = _("Round %(number)d, %(player)s") % {**words, "player": self.player(pk)}
                if told_score := _score_change(scored.get(pk), scores.get(pk)):
                    yield f"{label}: {told_score}"

    def _round(self, round_: Any) -> dict[str, str]:
        scores = (f"{self.player(score['player'])} {_score(score)}" for score in round_["scores"])
        return {"game": self.game(round_["game"]), "scores": ", ".join(scores)}

    def _results(self, before: Snapshot, after: Snapshot, exchanged: Mapping[int, int]) -> Iterator[str]:
        """What moved in the end; nothing where there was or is no end yet."""
        old = {exchanged.get(result["player"], result["player"]): result for result in before["results"]}
        for now in after["results"]:
            was = old.get(now["player"])
            if was is None:
                continue
            moved = [
                f"{label} {_NOTHING if was[field] is None else was[field]} → "
                f"{_NOTHING if now[field] is None else now[field]}"
                for field, label in (("place", _("place")), ("place_sum", _("sum")))
                if was[field] != now[field]
            ]
            if moved:
                words = {"player": self.player(now["player"]), "moves": ", ".join(moved)}
                yield _("%(player)s in the end: %(moves)s") % words


def _change(what: str, before: str, after: str) -> str:
    return f"{what}: {before} → {after}"


def _note(note: str) -> str:
    return str(NOTES.get(note, note))


def _points(points: int) -> str:
    return ngettext("%(points)d point", "%(points)d points", points) % {"points": points}


def _score(score: Any) -> str:
    if score["points"] is None:
        return _("place %(place)s") % {"place": score["place"]}
    return _points(score["points"])


def _score_change(was: Any, now: Any) -> str:
    """The change of a score in a round; "" for none. Where there are points, the place follows from them."""
    if was is None or now is None:
        gone = _("did not play")
        return f"{gone if was is None else _score(was)} → {gone if now is None else _score(now)}"
    if was["points"] is not None and now["points"] is not None:
        return f"{was['points']} → {_points(now['points'])}" if was["points"] != now["points"] else ""
    if was["points"] is None and now["points"] is None:
        places = {"before": was["place"], "after": now["place"]}
        return _("place %(before)s → %(after)s") % places if was["place"] != now["place"] else ""
    return f"{_score(was)} → {_score(now)}"


__all__ = ["Decision", "Entry", "between", "decision", "entries"]
