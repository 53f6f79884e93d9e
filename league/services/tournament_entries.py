"""Who plays in a tournament: entered, checked in, seeded, dropped out and back again; and who sits with whom or not.

Terms: see `league/models/tournaments.py`. A *late entry* comes while the tournament runs; who *drops out* is paired no
more until the *return*; who *sits out* misses the tournament rounds named and comes back by itself. Promises: nobody
who has sat at a table is removed; what is undone leaves the rows as they were before.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from league.models import (
    EntryAbsence,
    EntryStatus,
    PairWish,
    PairWishKind,
    Player,
    Rating,
    RatingBoard,
    Role,
    Stage,
    StageEntry,
    StageFormat,
    StageStatus,
    Tournament,
    TournamentEntry,
    TournamentRound,
    TournamentSeat,
    TournamentStatus,
    User,
)
from league.models.inserts import create_like
from league.models.ratings import FAMILIES
from league.services import games, players, tournament_drop_outs, tournament_seeds
from league.services.access import Access, Actor
from league.services.clubs import is_text
from league.services.errors import Conflict, InputError, NotFound, Path, Problem, not_a_choice, out_of_range
from league.services.players import LONGEST_NAME, PlayerRef
from league.services.tournament_drop_outs import Departure, Return
from league.services.tournaments import changed, check_not_archived, locked

LARGEST_ENTRIES = 5000
LARGEST_TABLE_NUMBER = 999
LARGEST_ROUND = 1000
LONGEST_CLUB = 100
# Formats that take somebody who comes late; of the others all meetings are planned.
OPEN_FORMATS = frozenset({StageFormat.SWISS, StageFormat.DUTCH, StageFormat.TABLE_SWISS, StageFormat.CLUB_EVENING})
FIELDS = frozenset({"fixed_table", "home_club", "first_round"})


@dataclass(frozen=True, slots=True)
class EntryInput:
    """Who enters: a player of the club, or as `guest` the name of one who is none yet, with the club of home."""

    player: PlayerRef | None = None
    guest: str = ""
    home_club: str = ""
    first_round: int | None = None
    fixed_table: int | None = None
    checked_in: bool = False


def enter(
    *,
    access: Access,
    tournament_id: int,
    entries: Sequence[EntryInput],
    expected: int | None = None,
    now: datetime,
) -> list[TournamentEntry]:
    """Enter players, all or none; into a running tournament from its next tournament round on, unless told otherwise.

    Raises InputError for who can't enter or has entered, Conflict where the stage takes nobody any more.
    """
    with transaction.atomic():
        tournament = locked(access, tournament_id, expected=expected)
        return _enter(access, tournament, entries, now)


def accept_invitation(
    *, key: str, user: User, name: str, home_club: str, now: datetime
) -> tuple[Tournament, TournamentEntry]:
    """Enter as a guest by an invitation's key, or as the own player of the club; who entered before by the same login,
    or whose player was entered by somebody else, gets that entry.

    A guest whose name the club has already is told so in no way: the name gets the club of home behind it, or is asked
    to be added to. Raises NotFound for a key that opens nothing, InputError for a name that can't be.
    """
    found = Tournament.objects.filter(entry_key=key, archived_at=None).select_related("club").first() if key else None
    if found is None:
        raise NotFound(key)
    # The invitation lets this one do what organisers else do, and nothing more.
    access = Access(club=found.club, role=Role.SCOREKEEPER, actor=Actor(user_id=user.pk))
    with transaction.atomic():
        tournament = locked(access, found.pk)
        if tournament.entry_key != key:
            raise NotFound(key)
        before = TournamentEntry.objects.filter(tournament=tournament, user=user).first()
        if before is not None:
            return tournament, before
        own = Player.objects.filter(club=found.club, member__user=user, archived_at=None).first()
        entry = TournamentEntry.objects.filter(tournament=tournament, player=own).first() if own is not None else None
        if entry is None:
            if own is None:
                entry = _enter_invited(access, tournament, name, home_club.strip(), now)
            else:
                (entry,) = _enter(access, tournament, [EntryInput(player=own.pk)], now)
        entry.user = user
        entry.save(update_fields=["user"])
    return tournament, entry


def _enter_invited(access: Access, tournament: Tournament, name: str, home_club: str, now: datetime) -> TournamentEntry:
    """Enter a guest under a name that is free. Raises InputError with one sentence for every name that is not, whoever
    has it: a guest from elsewhere must not find out by trying who is a player of the club.
    """
    told_apart = f"{name.strip()} ({home_club})"
    names = [name, told_apart] if home_club and len(told_apart) <= LONGEST_NAME else [name]
    for one in names:
        try:
            (entry,) = _enter(access, tournament, [EntryInput(guest=one, home_club=home_club)], now)
        except InputError as error:
            if any(problem.code != "name_taken" for problem in error.problems):
                raise
        else:
            return entry
    message = _("This name can't stand in the tables: add something to it, as an initial or a place.")
    raise InputError([Problem(("entries", 0, "guest"), "name_unusable", message)])


def _enter(
    access: Access, tournament: Tournament, entries: Sequence[EntryInput], now: datetime
) -> list[TournamentEntry]:
    stage = check_open(tournament)
    _check_room(tournament, len(entries))
    following = _next_number(tournament)
    problems: list[Problem] = []
    for index, one in enumerate(entries):
        problems += _wrong(one, ("entries", index), following)
    if problems:
        raise InputError(problems)
    found = _players(access, entries, now)
    taken = set(TournamentEntry.objects.filter(tournament=tournament).values_list("player_id", flat=True))
    rows: list[TournamentEntry] = []
    for index, (one, player) in enumerate(zip(entries, found, strict=True)):
        if player.pk in taken:
            message = _("“%(player)s” has entered already.") % {"player": player.name}
            field = "player" if one.player is not None else "guest"
            problems.append(Problem(("entries", index, field), "entered_twice", message))
        taken.add(player.pk)
        rows.append(
            TournamentEntry(
                club=access.club,
                tournament=tournament,
                player=player,
                status=EntryStatus.CHECKED_IN if one.checked_in else EntryStatus.ENTERED,
                first_round=one.first_round or following,
                fixed_table=one.fixed_table,
                home_club=one.home_club.strip(),
                created_at=now,
            )
        )
    if problems:
        raise InputError(problems)
    create_like(rows, ["player_id", "status", "first_round", "fixed_table", "home_club"])
    if stage is not None:
        _join(tournament, stage, rows)
    data = {"entries": [row.pk for row in rows]}
    changed(tournament, access=access, action="entered", data=data, now=now)
    return rows


def check_open(tournament: Tournament) -> Stage | None:
    """The stage that a late entry comes into, None before the start. Raises Conflict where nobody can enter now."""
    check_not_archived(tournament)
    if tournament.status == TournamentStatus.FINISHED:
        raise Conflict("tournament_finished", _("This tournament is finished: reopen it first."))
    if tournament.status == TournamentStatus.DRAFT:
        return None
    stage = Stage.objects.filter(tournament=tournament, status=StageStatus.RUNNING).first()
    if stage is None or stage.format not in OPEN_FORMATS or stage.groups > 1:
        message = _("The meetings of this stage are planned: nobody can enter any more.")
        raise Conflict("entries_closed", message)
    return stage


def _check_room(tournament: Tournament, more: int) -> None:
    count = TournamentEntry.objects.filter(tournament=tournament).count() + more
    if count > LARGEST_ENTRIES:
        message = _("A tournament takes at most %(maximum)d players.") % {"maximum": LARGEST_ENTRIES}
        raise InputError([Problem(("entries",), "too_many", message)])


def _next_number(tournament: Tournament) -> int:
    last = TournamentRound.objects.filter(tournament=tournament).order_by("-number").first()
    return last.number + 1 if last is not None else 1


def _wrong(one: EntryInput, path: Path, following: int) -> list[Problem]:
    problems: list[Problem] = []
    if (one.player is None) == (not one.guest):
        message = _("Name a player of the club, or a guest: one of both.")
        problems.append(Problem((*path, "player"), "required", message))
    problems += _wrong_fields(
        {"home_club": one.home_club, "fixed_table": one.fixed_table, "first_round": one.first_round or following}, path
    )
    if one.first_round is not None and one.first_round < following:
        message = _("Give a tournament round that is not paired yet: %(number)d or later.") % {"number": following}
        problems.append(Problem((*path, "first_round"), "round_paired", message))
    return problems


def _wrong_fields(values: Mapping[str, object], path: Path) -> list[Problem]:
    problems: list[Problem] = []
    club = str(values.get("home_club", "")).strip()
    if len(club) > LONGEST_CLUB or not is_text(club):
        message = _("Give at most %(maximum)d characters.") % {"maximum": LONGEST_CLUB}
        problems.append(Problem((*path, "home_club"), "too_long", message))
    table, first = values.get("fixed_table"), values.get("first_round", 1)
    if table is not None:
        number = table if isinstance(table, int) and not isinstance(table, bool) else 0
        problems += out_of_range((*path, "fixed_table"), number, 1, LARGEST_TABLE_NUMBER)
    number = first if isinstance(first, int) and not isinstance(first, bool) else 0
    return problems + out_of_range((*path, "first_round"), number, 1, LARGEST_ROUND)


def _players(access: Access, entries: Sequence[EntryInput], now: datetime) -> list[Player]:
    """The players who enter, in order; guests who are no player of the club yet become one."""
    references: list[tuple[Path, PlayerRef]] = [
        (("entries", index, "player"), one.player) for index, one in enumerate(entries) if one.player is not None
    ]
    known = players.find(club=access.club, references=references)
    guests = ((("entries", index, "guest"), one.guest) for index, one in enumerate(entries) if one.player is None)
    made = iter(players.create_guests(access=access, guests=guests, now=now))
    return [known[one.player] if one.player is not None else next(made) for one in entries]


def _join(tournament: Tournament, stage: Stage, rows: Sequence[TournamentEntry]) -> None:
    """Put late entries behind all others of the stage."""
    last = StageEntry.objects.filter(stage=stage).order_by("-seed").first()
    seed = last.seed if last is not None else 0
    joining = [
        StageEntry(club_id=tournament.club_id, stage=stage, entry=row, seed=seed + step)
        for step, row in enumerate(rows, 1)
    ]
    create_like(joining, ["entry_id", "seed"])


def update(
    *,
    access: Access,
    tournament_id: int,
    entry_id: int,
    changes: Mapping[str, object],
    expected: int | None = None,
    now: datetime,
) -> TournamentEntry:
    """Change an entry's `FIELDS`. Raises Conflict for the first round of one who has sat at a table."""
    with transaction.atomic():
        tournament, entry = _locked_entry(access, tournament_id, entry_id, expected)
        problems = _wrong_fields({"first_round": entry.first_round, **changes}, ())
        if problems:
            raise InputError(problems)
        if "first_round" in changes and changes["first_round"] != entry.first_round:
            _check_never_sat(entry)
            first = int(str(changes["first_round"]))
            problems = out_of_range(("first_round",), first, _next_number(tournament), LARGEST_ROUND)
            if problems:
                raise InputError(problems)
        for name in sorted(changes):
            value = changes[name]
            setattr(entry, name, value.strip() if isinstance(value, str) else value)
        entry.save(update_fields=sorted(changes))
        data = {"entry": entry.pk, "fields": sorted(changes)}
        changed(tournament, access=access, action="entry_updated", data=data, now=now)
    return entry


def check_in(
    *,
    access: Access,
    tournament_id: int,
    entry_ids: Iterable[int],
    is_here: bool = True,
    expected: int | None = None,
    now: datetime,
) -> list[TournamentEntry]:
    """Note who is here (or take that back): all or none of those named."""
    with transaction.atomic():
        tournament = locked(access, tournament_id, expected=expected)
        check_not_archived(tournament)
        found = _entries(tournament, entry_ids)
        before, after = EntryStatus.ENTERED, EntryStatus.CHECKED_IN
        if not is_here:
            before, after = after, before
        moved = [entry for entry in found if entry.status == before]
        for entry in moved:
            entry.status = after
        TournamentEntry.objects.filter(pk__in=[entry.pk for entry in moved]).update(status=after)
        data = {"entries": [entry.pk for entry in moved], "here": is_here}
        changed(tournament, access=access, action="checked_in", data=data, now=now)
    return found


def withdraw(
    *,
    access: Access,
    tournament_id: int,
    entry_id: int,
    no_show: bool = False,
    expected: int | None = None,
    now: datetime,
) -> Departure:
    """Let an entry drop out, or note that it did not come: it is paired no more. What it played stays; duels that are
    published and not begun are lost by forfeit.
    """
    with transaction.atomic():
        tournament, entry = _locked_entry(access, tournament_id, entry_id, expected, with_sessions=True)
        status = EntryStatus.NO_SHOW if no_show else EntryStatus.WITHDRAWN
        if entry.status == status:
            return Departure(entry)
        entry.status = status
        entry.save(update_fields=["status"])
        departure = tournament_drop_outs.settle(tournament, entry)
        action = "no_show" if no_show else "withdrawn"
        data: dict[str, object] = {"entry": entry.pk}
        if departure.forfeited:
            data["forfeits"] = [[at.round, at.table] for at in departure.forfeited]
        changed(tournament, access=access, action=action, data=data, now=now)
    return departure


def bring_back(
    *, access: Access, tournament_id: int, entry_id: int, expected: int | None = None, now: datetime
) -> Return:
    """Let an entry that dropped out or did not come play on from the next tournament round; what it asked to sit out
    it still does. Duels that it lost by that are played after all where nothing was built on them.

    Raises Conflict for one that was not there at the start, where the stage takes nobody any more, and for a player who
    is archived.
    """
    with transaction.atomic():
        tournament, entry = _locked_entry(access, tournament_id, entry_id, expected, with_sessions=True)
        if entry.status not in {EntryStatus.WITHDRAWN, EntryStatus.NO_SHOW}:
            return Return(entry)
        _check_not_put_away(entry.player)
        entry.status = EntryStatus.CHECKED_IN
        entry.save(update_fields=["status"])
        _join_if_new(tournament, entry)
        back = tournament_drop_outs.reopen(access, tournament, entry, now)
        data: dict[str, object] = {"entry": entry.pk}
        if back.opened:
            data["opened"] = [[at.round, at.table] for at in back.opened]
        changed(tournament, access=access, action="returned", data=data, now=now)
    return back


def sit_out(
    *,
    access: Access,
    tournament_id: int,
    entry_id: int,
    from_round: int,
    until_round: int | None,
    expected: int | None = None,
    now: datetime,
) -> TournamentEntry:
    """Let an entry miss tournament rounds that are not paired yet; `until_round` before `from_round`: none any more.

    Replaces what was said before of rounds from `from_round` on.
    """
    with transaction.atomic():
        tournament, entry = _locked_entry(access, tournament_id, entry_id, expected)
        following = _next_number(tournament)
        problems = out_of_range(("from_round",), from_round, following, LARGEST_ROUND)
        if until_round is not None:
            problems += out_of_range(("until_round",), until_round, following - 1, LARGEST_ROUND)
        if problems:
            raise InputError(problems)
        EntryAbsence.objects.filter(entry=entry, from_round__gte=from_round).delete()
        lasting = Q(until_round=None) | Q(until_round__gte=from_round)
        EntryAbsence.objects.filter(lasting, entry=entry).update(until_round=from_round - 1)
        if until_round is None or until_round >= from_round:
            EntryAbsence.objects.create(club=access.club, entry=entry, from_round=from_round, until_round=until_round)
        data = {"entry": entry.pk, "from": from_round, "until": until_round}
        changed(tournament, access=access, action="sits_out", data=data, now=now)
    return entry


def remove(*, access: Access, tournament_id: int, entry_id: int, expected: int | None = None, now: datetime) -> None:
    """Delete an entry that never sat at a table. Raises Conflict for any other, which can drop out."""
    with transaction.atomic():
        tournament, entry = _locked_entry(access, tournament_id, entry_id, expected)
        _check_never_sat(entry)
        if tournament.status != TournamentStatus.DRAFT and check_open(tournament) is None:
            raise Conflict("entries_closed", _("The meetings of this stage are planned: let the entry drop out."))
        pk = entry.pk
        entry.delete()
        changed(tournament, access=access, action="entry_removed", data={"entry": pk}, now=now)


def seed_by_hand(
    *, access: Access, tournament_id: int, order: Sequence[int], expected: int | None = None, now: datetime
) -> list[TournamentEntry]:
    """Give seeds in the order of these ids, the strongest first; who is not named has none."""
    with transaction.atomic():
        tournament = _unbegun(access, tournament_id, expected)
        if len(set(order)) != len(order):
            raise InputError([Problem(("order",), "entry_twice", _("Name every entry once."))])
        _entries(tournament, order, field="order")
        return _seed(access, tournament, list(order), "hand", now)


def seed_by_rating(
    *, access: Access, tournament_id: int, family: str | None = None, expected: int | None = None, now: datetime
) -> list[TournamentEntry]:
    """Give seeds by rating in a family of games (None: that of the tournament's game); who has none comes last, by lot.

    Raises InputError for an unknown family.
    """
    with transaction.atomic():
        tournament = _unbegun(access, tournament_id, expected)
        if family is None:
            known = games.find(club=access.club, references=[(("game",), tournament.game)] if tournament.game else [])
            family = known[tournament.game].family if tournament.game else "xxl"
        if family not in FAMILIES:
            raise InputError([not_a_choice(("family",), "unknown_choice", FAMILIES)])
        entries = list(TournamentEntry.objects.filter(tournament=tournament).order_by("pk"))
        boards = [RatingBoard.PEOPLE, RatingBoard.BOTS]
        found = Rating.objects.filter(
            player__entries__tournament=tournament, family=family, board__in=boards
        ).values_list("player_id", "value")
        values = dict(found)
        lots = tournament_seeds.by_lot(tournament, [entry.pk for entry in entries])
        place = {pk: index for index, pk in enumerate(lots)}
        entries.sort(key=lambda one: (-values.get(one.player_id, float("-inf")), place[one.pk]))
        return _seed(access, tournament, [entry.pk for entry in entries], "rating", now)


def seed_by_lot(
    *, access: Access, tournament_id: int, expected: int | None = None, now: datetime
) -> list[TournamentEntry]:
    """Draw the seeds, by the tournament's own stored seed: the same entries come out in the same order again."""
    with transaction.atomic():
        tournament = _unbegun(access, tournament_id, expected)
        ids = list(TournamentEntry.objects.filter(tournament=tournament).order_by("pk").values_list("pk", flat=True))
        return _seed(access, tournament, tournament_seeds.by_lot(tournament, ids), "lot", now)


def _seed(
    access: Access, tournament: Tournament, order: Sequence[int], how: str, now: datetime
) -> list[TournamentEntry]:
    rows = tournament_seeds.store(tournament, order)
    changed(tournament, access=access, action="seeded", data={"how": how, "entries": list(order)}, now=now)
    return rows


def set_wish(
    *,
    access: Access,
    tournament_id: int,
    first: int,
    second: int,
    kind: str | None,
    expected: int | None = None,
    now: datetime,
) -> PairWish | None:
    """Keep two entries apart or together (`PairWishKind`); None: as it comes. It holds from the next pairing on."""
    with transaction.atomic():
        tournament = locked(access, tournament_id, expected=expected)
        check_not_archived(tournament)
        if kind is not None and kind not in PairWishKind.values:
            raise InputError([not_a_choice(("kind",), "unknown_choice", PairWishKind.values)])
        if first == second:
            raise InputError([Problem(("second",), "entry_twice", _("Name two different entries."))])
        pair = _entries(tournament, [min(first, second), max(first, second)], field="first")
        PairWish.objects.filter(tournament=tournament, first=pair[0], second=pair[1]).delete()
        wish = None
        if kind is not None:
            wish = PairWish.objects.create(
                club=access.club, tournament=tournament, kind=kind, first=pair[0], second=pair[1]
            )
        data = {"entries": [one.pk for one in pair], "kind": kind}
        changed(tournament, access=access, action="wish", data=data, now=now)
    return wish


def _unbegun(access: Access, tournament_id: int, expected: int | None) -> Tournament:
    tournament = locked(access, tournament_id, expected=expected)
    check_not_archived(tournament)
    if tournament.status != TournamentStatus.DRAFT:
        raise Conflict("tournament_begun", _("The tournament has begun: its seeds stay."))
    return tournament


def _join_if_new(tournament: Tournament, entry: TournamentEntry) -> None:
    """Put an entry that was gone when the tournament began into its stage, as a late entry."""
    if tournament.status == TournamentStatus.DRAFT or StageEntry.objects.filter(entry=entry).exists():
        return
    stage = check_open(tournament)
    if stage is not None:
        entry.first_round = max(entry.first_round, _next_number(tournament))
        entry.save(update_fields=["first_round"])
        _join(tournament, stage, [entry])


def _check_not_put_away(player: Player) -> None:
    # Nothing could be published with an archived player at a table.
    if player.erased_at is not None:
        raise Conflict("player_erased", _("This player is erased, and plays no more."))
    if player.archived_at is not None:
        message = _("“%(player)s” is archived: restore the player first.") % {"player": player.name}
        raise Conflict("player_archived", message)


def _check_never_sat(entry: TournamentEntry) -> None:
    if TournamentSeat.objects.filter(entry=entry).exists():
        message = _("“%(player)s” has sat at a table.") % {"player": entry.player.name}
        raise Conflict("entry_has_played", message)


def _locked_entry(
    access: Access, tournament_id: int, entry_id: int, expected: int | None, *, with_sessions: bool = False
) -> tuple[Tournament, TournamentEntry]:
    tournament = locked(access, tournament_id, expected=expected, with_sessions=with_sessions)
    check_not_archived(tournament)
    entry = TournamentEntry.objects.filter(tournament=tournament, pk=entry_id).select_related("player").first()
    if entry is None:
        raise NotFound(entry_id)
    return tournament, entry


def _entries(tournament: Tournament, ids: Iterable[int], *, field: str = "entries") -> list[TournamentEntry]:
    """Entries by id, in the order given. Raises InputError for an id of none."""
    wanted = list(ids)
    found = {
        one.pk: one
        for one in TournamentEntry.objects.filter(tournament=tournament, pk__in=wanted).select_related("player")
    }
    missing = [pk for pk in wanted if pk not in found]
    if missing:
        message = _("No entry of this tournament is %(entry)d.") % {"entry": missing[0]}
        raise InputError([Problem((field,), "unknown_entry", message)])
    return [found[pk] for pk in wanted]
