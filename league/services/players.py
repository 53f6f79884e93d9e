"""Players of a club: made, changed, archived, and found by the reference that a client gives."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import BigIntegerField, Q
from django.utils.translation import gettext as _

from games.bots import BOTS
from league.models import Club, Member, Player, PlayerKind, Role, name_key
from league.models.inserts import create_like
from league.services import audit, board_states
from league.services.access import Access
from league.services.clubs import check_name, is_text
from league.services.errors import Conflict, InputError, NotFound, Path, Problem, not_a_choice

# A player's id, or the name, which is unique in a club whatever its case.
PlayerRef = int | str
# As much as the database keeps of the form that names are compared in.
LONGEST_NAME = 60
MAXIMUM_NAME_KEY = 180
_MERGED = Q(merged_into__isnull=False)
# What leaderboards show of a player.
_SHOWN = frozenset({"name", "nickname"})


def find(
    *, club: Club, references: Iterable[tuple[Path, PlayerRef]], seated: Collection[int] = ()
) -> dict[PlayerRef, Player]:
    """The players that are meant, by reference: one query, and one more where a player named was merged into another,
    who then is meant.

    `seated` are ids of players who sit at the table: they are found though archived, or the table could not go on.
    Raises InputError with a problem for each reference that no active player of the club answers to.
    """
    wanted = list(references)
    # SQLite's driver raises OverflowError for a number that no id can be.
    ids = {ref for _path, ref in wanted if isinstance(ref, int) and 0 < ref <= BigIntegerField.MAX_BIGINT}
    keys = {name_key(reference) for _path, reference in wanted if isinstance(reference, str) and is_text(reference)}
    # By ids alone, as most programs name players, it is a plain query: this runs with every result.
    named = Q(pk__in=ids) | Q(name_key__in=keys) if keys else Q(pk__in=ids)
    found = [
        player
        for player in Player.objects.filter(named, club=club)
        if player.archived_at is None or player.merged_into_id is not None or player.pk in seated
    ]
    by_id, by_key = {player.pk: player for player in found}, {player.name_key: player for player in found}
    heirs = _heirs(club, found)
    result: dict[PlayerRef, Player] = {}
    problems = []
    for path, reference in wanted:
        player = by_id.get(reference) if isinstance(reference, int) else by_key.get(name_key(reference))
        if player is not None and player.merged_into_id is not None:
            player = heirs[player.pk]
            if player.archived_at is not None and player.pk not in seated:
                player = None
        if player is None:
            message = _("No active player of this club is “%(player)s”: give the id or the name of one.")
            problems.append(Problem(path, "unknown_player", message % {"player": reference}))
        else:
            result[reference] = player
    if problems:
        raise InputError(problems)
    return result


def _heirs(club: Club, players: Iterable[Player]) -> dict[int, Player]:
    """Who has the results of each of these that is merged; several merges in a row are followed to the last."""
    merged = [player for player in players if player.merged_into_id is not None]
    if not merged:
        return {}
    # All of a club's merges, which are few: a row of them would take a query each.
    known = {one.pk: one for one in Player.objects.filter(_MERGED | Q(merged__isnull=False), club=club).distinct()}
    heirs = {}
    for player in merged:
        heir = known[player.pk]
        while heir.merged_into_id is not None:
            heir = known[heir.merged_into_id]
        heirs[player.pk] = heir
    return heirs


def _check_name(name: str) -> str:
    """Return a player's name with single spaces. Raises InputError when it, or the form it is compared in, won't do."""
    name = check_name(name, maximum=LONGEST_NAME)
    # A single character can stand for 18 when names are compared, as U+FDFA does.
    if not 1 <= len(name_key(name)) <= MAXIMUM_NAME_KEY:
        raise InputError([Problem(("name",), "invalid", _("Give a name of ordinary letters."))])
    return name


def _check_bot(kind: str, bot: str) -> None:
    if kind == PlayerKind.BOT and bot not in BOTS:
        raise InputError([not_a_choice(("bot",), "unknown_bot", sorted(BOTS))])
    if kind == PlayerKind.PERSON and bot:
        raise InputError([Problem(("bot",), "not_a_bot", _("Only a player of kind “bot” names a bot."))])
    if kind not in PlayerKind.values:
        raise InputError([not_a_choice(("kind",), "unknown_kind", PlayerKind.values)])


def _member_taken() -> Conflict:
    return Conflict("member_taken", _("This member is linked to another player."))


def _check_links(*, access: Access, kind: str, is_guest: bool, member_id: int | None, player_id: int | None) -> None:
    if kind == PlayerKind.BOT and (is_guest or member_id is not None):
        field = "is_guest" if is_guest else "member"
        raise InputError([Problem((field,), "bot", _("A bot is neither a guest nor a member."))])
    if member_id is not None:
        if not Member.objects.filter(club=access.club, pk=member_id).exists():
            raise InputError([Problem(("member",), "unknown_member", _("Give the id of a member of this club."))])
        if Player.objects.filter(member_id=member_id).exclude(pk=player_id or 0).exists():
            raise _member_taken()


def _taken(*, access: Access, name: str, player_id: int | None) -> Conflict:
    """What the database refused a player: the name, which only it looks up, or a member taken in this very moment."""
    others = Player.objects.filter(club=access.club, name_key=name_key(name)).exclude(pk=player_id or 0)
    if others.exists():
        return Conflict("name_taken", _("The club has a player “%(name)s” already.") % {"name": name})
    return _member_taken()


def create(
    *,
    access: Access,
    name: str,
    kind: str = PlayerKind.PERSON,
    bot: str = "",
    is_guest: bool = False,
    member_id: int | None = None,
    now: datetime,
) -> Player:
    """Add a player. Raises Conflict when the name is taken in the club."""
    access.require(Role.SCOREKEEPER)
    name = _check_name(name)
    _check_bot(kind, bot)
    try:
        with transaction.atomic():
            _check_links(access=access, kind=kind, is_guest=is_guest, member_id=member_id, player_id=None)
            player = Player.objects.create(
                club=access.club, name=name, kind=kind, bot=bot, is_guest=is_guest, member_id=member_id
            )
            audit.write(access=access, action="player.created", object_id=player.pk, data={"kind": kind}, now=now)
    except IntegrityError as error:
        raise _taken(access=access, name=name, player_id=None) from error
    return player


def create_guests(*, access: Access, guests: Iterable[tuple[Path, str]], now: datetime) -> list[Player]:
    """Add guests by their names, all or none, in as many queries as one takes; a path says where a name was given.

    Raises InputError naming each that can't be or that the club has already.
    """
    access.require(Role.SCOREKEEPER)
    names: list[tuple[Path, str]] = []
    problems: list[Problem] = []
    for path, given in guests:
        try:
            names.append((path, _check_name(given)))
        except InputError as error:
            problems += (Problem(path, one.code, one.message) for one in error.problems)
    problems += _names_taken(access, names)
    if problems:
        raise InputError(problems)
    made = [
        Player(club=access.club, name=name, name_key=name_key(name), is_guest=True, created_at=now)
        for _path, name in names
    ]
    try:
        with transaction.atomic():
            create_like(made, ["name", "name_key"])
    except IntegrityError as error:
        # Somebody else added one in this very moment.
        raise InputError(_names_taken(access, names)) from error
    kind = {"kind": PlayerKind.PERSON.value}
    audit.write_many(
        access=access, action="player.created", data=dict.fromkeys([one.pk for one in made], kind), now=now
    )
    return made


def _names_taken(access: Access, names: Iterable[tuple[Path, str]]) -> list[Problem]:
    """A problem for each name that a player of the club has, or an earlier one of these."""
    keys = [(path, name, name_key(name)) for path, name in names]
    found = Player.objects.filter(club=access.club, name_key__in=[key for _path, _name, key in keys])
    taken = set(found.values_list("name_key", flat=True)) if keys else set()
    problems = []
    named: set[str] = set()
    for path, name, key in keys:
        if key in taken:
            message = _("The club has a player “%(name)s” already.") % {"name": name}
            problems.append(Problem(path, "name_taken", message))
        elif key in named:
            message = _("“%(name)s” is named twice: two guests need two names.") % {"name": name}
            problems.append(Problem(path, "name_taken", message))
        named.add(key)
    return problems


def _check_itself(player: Player, changes: Mapping[str, object]) -> None:
    """Raise Conflict for changes of one who is erased, or whose results another has."""
    if player.erased_at is not None:
        raise Conflict("player_erased", _("This player is erased: there is nobody to change."))
    if player.merged_into is not None and changes.keys() - {"name"}:
        message = _("This player is merged into “%(player)s”: take that back first.") % {
            "player": player.merged_into.name
        }
        raise Conflict("player_merged", message)


def _check_nickname(player: Player, nickname: str) -> str:
    """Return the nickname with single spaces, "" for none.

    Raises InputError when it won't do, Conflict when somebody else of the club is called so.
    """
    nickname = " ".join(nickname.split())
    if not nickname:
        return ""
    nickname = check_name(nickname, maximum=LONGEST_NAME, field="nickname")
    # One at a time: no constraint of the database would see that two who choose now choose alike.
    Club.objects.select_for_update(no_key=True).get(pk=player.club_id)
    others = Player.objects.filter(club=player.club_id).exclude(pk=player.pk)
    known = others.exclude(nickname="").values_list("nickname", flat=True)
    if others.filter(name_key=name_key(nickname)).exists() or name_key(nickname) in map(name_key, known):
        message = _("Somebody else of this club is called “%(name)s”: choose another nickname.")
        raise Conflict("nickname_taken", message % {"name": nickname})
    return nickname


def choose_nickname(*, access: Access, nickname: str, now: datetime) -> Player:
    """Give the member's own player a nickname, "" for none. Raises NotFound for who is no player."""
    with transaction.atomic():
        player = own_player(access=access, lock=True)
        player.nickname = _check_nickname(player, nickname)
        player.save(update_fields=["nickname"])
        data = {"fields": ["nickname"]}
        audit.write(access=access, action="player.updated", object_id=player.pk, data=data, now=now)
        board_states.renew_club(access.club.pk)
    return player


def own_player(*, access: Access, lock: bool = False) -> Player:
    """Who the member is at the tables. Raises NotFound for who is no player, and for tokens, which are nobody."""
    rows = Player.objects.select_for_update(of=("self",)) if lock else Player.objects
    found = rows.filter(club=access.club, member__user=access.actor.user_id).first() if access.actor.user_id else None
    if found is None:
        raise NotFound("player")
    return found


def update(*, access: Access, player_id: int, changes: Mapping[str, object], now: datetime) -> Player:
    """Change `name`, `nickname`, `is_guest`, `member_id` or `archived` (bool) of a player; kind and bot stay for good.

    A nickname is what the public reads in place of the name: it takes an admin.
    """
    access.require(Role.ADMIN if "nickname" in changes else Role.SCOREKEEPER)
    try:
        with transaction.atomic():
            player = Player.objects.select_for_update().filter(club=access.club, pk=player_id).first()
            if player is None:
                raise NotFound(player_id)
            _check_itself(player, changes)
            if "name" in changes:
                player.name = _check_name(str(changes["name"]))
            if "nickname" in changes:
                player.nickname = _check_nickname(player, str(changes["nickname"]))
            if "is_guest" in changes:
                player.is_guest = bool(changes["is_guest"])
            if "member_id" in changes:
                member_id = changes["member_id"]
                player.member_id = member_id if isinstance(member_id, int) else None
            if "archived" in changes:
                player.archived_at = (player.archived_at or now) if changes["archived"] else None
            _check_links(
                access=access,
                kind=player.kind,
                is_guest=player.is_guest,
                member_id=player.member_id,
                player_id=player.pk,
            )
            player.save(update_fields=["name", "nickname", "is_guest", "member_id", "archived_at"])
            audit.write(
                access=access, action="player.updated", object_id=player.pk, data={"fields": sorted(changes)}, now=now
            )
            if _SHOWN.intersection(changes):
                board_states.renew_club(access.club.pk)
    except IntegrityError as error:
        raise _taken(access=access, name=str(changes.get("name", "")), player_id=player_id) from error
    return player
