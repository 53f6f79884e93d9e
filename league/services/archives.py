"""A whole club as one file, and a club made from such a file.

Terms: see `league/exchange/archive.py`, which has the format. Promises: an archive shows the club as of one moment and
holds all of it but secrets and what `LEFT_OUT` names with reasons; a club made from it is the same club under other
ids, which are changed wherever they stand, in histories too. What is stored is taken over and then held against a
recount; ratings and statistics, which no archive has, are computed anew. All or nothing. Never: gives a user anything
outside the new club, lets a token in, or calls an address of another program: tokens end and webhooks rest until
someone of the new club turns them on.
"""

import base64
import secrets
import tempfile
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any, BinaryIO, cast
from zoneinfo import available_timezones

from django.conf import settings
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError, models, transaction
from django.db.backends.base.operations import BaseDatabaseOperations
from django.db.models import F
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from games.catalog import GAMES
from league.exchange.archive import MAXIMUM_BYTES, TOPICS, ArchiveError, Reader, Row, Writer, file_of
from league.models import (
    ApiToken,
    AuditEvent,
    BotMatch,
    BotMatchChunk,
    BotMatchSeat,
    Club,
    ClubGame,
    Division,
    DivisionPlayer,
    EntryAbsence,
    ImportBatch,
    ImportMark,
    ImportState,
    Job,
    JobKind,
    JobState,
    League,
    Member,
    PairWish,
    PlannedEvening,
    Player,
    PlayerMerge,
    Role,
    Round,
    Scope,
    Score,
    Season,
    SeasonRulesVersion,
    Seat,
    Session,
    SessionResult,
    SessionRevision,
    SignUp,
    Stage,
    StageEntry,
    Standing,
    Tournament,
    TournamentEntry,
    TournamentRound,
    TournamentSeat,
    TournamentTable,
    User,
    WebhookEndpoint,
    name_key,
)
from league.models.tenancy import ClubOwned
from league.services import archived_matches, audit, figures, standings
from league.services.access import Access, Actor
from league.services.archive_shapes import SHAPES, is_like, is_like_options
from league.services.clubs import RESERVED_SLUGS, check_name, check_slug, is_text
from league.services.errors import Conflict, Forbidden, InputError, Problem
from league.services.moments import one_moment
from league.services.seasons import RESERVED_SLUGS as RESERVED_LEAGUE_SLUGS
from league.services.seasons import ranking_problems
from league.services.session_rows import refresh_digest
from league.services.tournaments import RESERVED_SLUGS as RESERVED_TOURNAMENT_SLUGS
from league.services.tournaments import wrong_rules
from league.services.wording import NOTES, SENTENCES

MODELS: Mapping[str, type[ClubOwned]] = {
    "members": Member,
    "players": Player,
    "games": ClubGame,
    "leagues": League,
    "seasons": Season,
    "rules_versions": SeasonRulesVersion,
    "divisions": Division,
    "division_players": DivisionPlayer,
    "evenings": PlannedEvening,
    "sign_ups": SignUp,
    "tournaments": Tournament,
    "tournament_entries": TournamentEntry,
    "entry_absences": EntryAbsence,
    "pair_wishes": PairWish,
    "stages": Stage,
    "stage_entries": StageEntry,
    "tournament_rounds": TournamentRound,
    "tournament_tables": TournamentTable,
    "tournament_seats": TournamentSeat,
    "sessions": Session,
    "tokens": ApiToken,
    "seats": Seat,
    "rounds": Round,
    "scores": Score,
    "results": SessionResult,
    "standings": Standing,
    "revisions": SessionRevision,
    "bot_matches": BotMatch,
    "bot_match_seats": BotMatchSeat,
    "bot_match_chunks": BotMatchChunk,
    "webhooks": WebhookEndpoint,
    "merges": PlayerMerge,
    "imports": ImportBatch,
    "import_marks": ImportMark,
    "audit_events": AuditEvent,
}
# Models and fields of a club that its archive does not hold, and why.
LEFT_OUT: Mapping[str, str] = {
    "Invite": "its code is a secret and works once; who was invited stands in the audit events",
    "Job": "work under way; a bot match takes along what lasts of its job, an import is over before an archive is made",
    "TournamentFile": "work under way; what came of it is a tournament",
    "WebhookDelivery": "messages to programs that know the club by its old address",
    "WebhookAttempt": "goes with its delivery",
    "ChangedSession": "work under way: after the move all that follows from the sessions is computed anew",
    "Rating": "computed from the sessions",
    "RatingChange": "computed from the sessions",
    "Statistics": "computed from the sessions",
    "Player.name_key": "follows from the name",
    "Season.board_key": "a secret, of links to the old address",
    "Club.board_state": "tells what was kept of the old installation's pages",
    "Season.board_state": "tells what was kept of the old installation's pages",
    "Season.checked_at": "says when the old installation looked",
    "Tournament.board_state": "tells what was kept of the old installation's pages",
    "Tournament.board_key": "a secret, of links to the old address",
    "Tournament.entry_key": "a secret; an invitation to the old address ends with the move",
    "Tournament.pairing_job": "work under way: a tournament round that it was to pair is asked for anew",
    "Session.digest": "follows from seats and scores",
    "ApiToken.prefix": "names a token that ended with the move",
    "ApiToken.secret_sha256": "a secret",
    "ApiToken.revoked_at": "every token ends with the move; when one ended before stands in the audit events",
    "BotMatch.job": "told in the bot match itself",
    "BotMatchChunk.job": "work under way: what is not played is cut into chunks anew",
    "WebhookEndpoint.secret": "a secret",
    "WebhookEndpoint.previous_secret": "a secret",
    "WebhookEndpoint.previous_secret_until": "goes with the secret",
    "WebhookEndpoint.disabled_at": "a moved endpoint rests until it is turned on",
    "WebhookEndpoint.disabled_reason": "goes with it",
    "WebhookEndpoint.paused_until": "goes with it",
    "WebhookEndpoint.failing_since": "about deliveries that are left out",
    "ImportBatch.content": "dropped when an import is over",
    "ImportBatch.job": "work that is over",
}
# Where a field of a topic is found, if not in a column of its name.
_ELSEWHERE: Mapping[str, Mapping[str, str]] = {
    "bot_matches": {
        "state": "job__state",
        "done": "job__done",
        "error": "job__error",
        "user": "job__user_id",
        "token": "job__token_id",
        "created_at": "job__created_at",
        "started_at": "job__started_at",
        "finished_at": "job__finished_at",
    },
}
# The ids that stand in JSON, by the key of an object that they stand under: of what topic.
TOPIC_OF_KEY: Mapping[str, str] = {
    "player": "players",
    "players": "players",
    "substitutes": "players",
    "created_players": "players",
    "merged_into": "players",
    "into": "players",
    "source": "players",
    "target": "players",
    "member": "members",
    "league": "leagues",
    "season": "seasons",
    "session": "sessions",
    "sessions": "sessions",
    "token": "tokens",
    "parent": "tokens",
    "match": "bot_matches",
    "bot_match": "bot_matches",
    "division": "divisions",
    "evening": "evenings",
    "tournament": "tournaments",
    "entry": "tournament_entries",
    "entries": "tournament_entries",
    "winner": "tournament_entries",
    "stage": "stages",
    # None of these is in an archive.
    "job": "jobs",
    "batch": "imports",
    "import": "imports",
    "merge": "merges",
    "endpoint": "webhooks",
    "webhook": "webhooks",
}
# Keys of lists of ids; a number under one of them counts.
LISTS = frozenset({"players", "sessions", "entries"})
# The fields of rows in which such ids stand, but for the reasons of tournament rounds. (Options, tallies and records of
# bot matches are the games' own and hold none; the outcome of an import holds counts.)
_WITH_IDS = frozenset({"data", "sessions", "created_players"})
# What an audit event is about, by the first word of its action; None: something that is not in an archive.
TOPIC_OF_ACTION: Mapping[str, str | None] = {
    "session": "sessions",
    "round": "sessions",
    "player": "players",
    "member": "members",
    "league": "leagues",
    "season": "seasons",
    "standings": "seasons",
    "division": "divisions",
    "evening": "evenings",
    "tournament": "tournaments",
    "token": "tokens",
    "table_link": "tokens",
    "game": "games",
    "bot_match": "bot_matches",
    "webhook": "webhooks",
    "import": "imports",
    "merge": "merges",
    "invite": None,
    "delivery": None,
    "job": None,
    "par": None,
    "tournament_file": None,
}
# Short names that stand in an address beside words of the product's own.
_RESERVED_SLUGS: Mapping[str, frozenset[str]] = {
    "leagues": RESERVED_LEAGUE_SLUGS,
    "tournaments": RESERVED_TOURNAMENT_SLUGS,
}
# Rows in memory at a time: few where one may hold the games of a hundred deals.
_BATCH = 500
_BATCH_OF: Mapping[str, int] = {"bot_matches": 10, "bot_match_chunks": 20, "revisions": 100}
_SESSIONS_AT_A_TIME = 200
# Unpacked, of whoever does not run the installation: thousands of sessions fit. On SQLite nobody else writes meanwhile.
MEMBERS_MAXIMUM_BYTES = 50_000_000
# Why an endpoint rests that came with an archive.
MOVED = "moved"

# --- Out --------------------------------------------------------------------------------------------------------------


def may_export(access: Access) -> bool:
    """Whether the actor may have the whole club: an owner, or an owner's token with the scope club:admin."""
    if access.may(Role.OWNER):
        return True
    if access.actor.token_id is None:
        return False
    # A token is never an owner by itself, so that none can make owners; reading all is what an owner gave it for.
    owners = Member.objects.filter(club=access.club, role=Role.OWNER, user__is_active=True)
    tokens = ApiToken.objects.filter(pk=access.actor.token_id, scope=Scope.CLUB_ADMIN)
    return tokens.filter(created_by__in=owners.values("user")).exists()


def export_club(*, access: Access, now: datetime) -> BinaryIO:
    """The archive of the club as a file open for reading at its start, which is gone once it is closed.

    Raises Forbidden for all but owners, Conflict while an import is under way.
    """
    if not may_export(access):
        raise Forbidden(Role.OWNER)
    club = access.club
    file = cast(BinaryIO, tempfile.TemporaryFile())  # noqa: SIM115  # the caller reads and closes it
    try:
        with one_moment():
            going_on = [ImportState.APPLYING, ImportState.REVERTING]
            if ImportBatch.objects.filter(club=club, state__in=going_on).exists():
                message = _("An import of this club is under way: make the archive when it is over.")
                raise Conflict("import_under_way", message)
            write(club=club, file=file, now=now)
        with transaction.atomic():
            audit.write(access=access, action="club.exported", object_id=club.pk, data={}, now=now)
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return file


def write(*, club: Club, file: BinaryIO, now: datetime) -> None:
    """Write the archive of a club. Called within `one_moment`."""
    writer = Writer(file)
    club = Club.objects.get(pk=club.pk)
    for topic in TOPICS:
        if topic == "club":
            writer.write(topic, [{name: getattr(club, name) for name in TOPICS[topic]}])
        elif topic == "users":
            writer.write(topic, User.objects.filter(pk__in=_users(club)).order_by("pk").values("id", "username"))
        else:
            writer.write(topic, _rows(topic, club))
    writer.close(made_at=now, made_by=f"Tischliga {settings.VERSION}")


def _columns(topic: str) -> dict[str, str]:
    """The column of each field of a topic, as a query names it."""
    elsewhere = _ELSEWHERE.get(topic, {})
    return {
        name: elsewhere.get(name, f"{name}_id" if field.kind == "reference" else name)
        for name, field in TOPICS[topic].items()
    }


def _stored(topic: str, club: Club) -> "models.QuerySet[Any]":
    rows: models.QuerySet[Any] = MODELS[topic]._default_manager.filter(club=club)
    if topic == "imports":
        # A preview has changed nothing yet, and its file is not in the archive.
        return rows.exclude(state=ImportState.PREVIEW)
    return rows.filter(tally__isnull=False) if topic == "bot_match_chunks" else rows


def _users(club: Club) -> set[int]:
    """Everyone whom a row of the club names."""
    found: set[int] = set()
    for topic in MODELS:
        for name, field in TOPICS[topic].items():
            if field.to == "users":
                column = _columns(topic)[name]
                ids = _stored(topic, club).order_by().values_list(column, flat=True).distinct()
                found.update(pk for pk in ids if pk is not None)
    return found


def _rows(topic: str, club: Club) -> Iterator[Row]:
    columns = _columns(topic)
    # By id, so that rows get new ids in the same order: "recorded later" stays true.
    for values in (
        _stored(topic, club)
        .order_by("pk")
        .values_list(*columns.values())
        .iterator(chunk_size=_BATCH_OF.get(topic, _BATCH))
    ):
        row = dict(zip(columns, values, strict=True))
        if topic == "bot_matches" and row["state"] in {JobState.QUEUED, JobState.RUNNING}:
            # Whoever plays it now is not in the archive: what has no chunk there is still to be played.
            row |= {"state": JobState.QUEUED, "done": 0, "started_at": None}
        yield row


# --- In ---------------------------------------------------------------------------------------------------------------

_IN: Mapping[str, str | Promise] = {
    "not_an_archive": _l("This is not the archive of a club, or it was cut off."),
    "wrong_version": _l("This archive has the format %(given)s; format %(known)s can be read here."),
    "damaged": _l("The archive is damaged: “%(file)s” can't be read."),
    "too_large": _l("The archive unpacks to more than it may (%(maximum)s bytes), or to far more than it holds."),
    "unknown_file": _l("The archive holds a file that does not belong there: “%(file)s”."),
    "missing_file": _l("The archive lacks the file “%(file)s”."),
    "changed": _l("“%(file)s” was changed after the archive was made: number or checksum of its rows differ."),
    "line_unreadable": _l("“%(file)s”, line %(line)s: this is no row in JSON."),
    "unknown_field": _l("“%(file)s”, line %(line)s: there is no field “%(field)s”."),
    "missing_field": _l("“%(file)s”, line %(line)s: the field “%(field)s” is missing."),
    "wrong_type": _l("“%(file)s”, line %(line)s: “%(field)s” is no value of the kind “%(kind)s”."),
    "id_twice": _l("“%(file)s”, line %(line)s: the id %(id)s is there twice."),
    "dangling": _l("“%(file)s”, line %(line)s: “%(field)s” points to %(id)s, which is not there."),
    "refused": _l("“%(file)s”, line %(line)s, “%(field)s”: %(reason)s"),
    "contradicts": _l("“%(file)s” contradicts itself or another file: the database refuses it."),
    "one_club": _l("An archive holds exactly one club."),
    "no_owner": _l("Nobody would own the club: name a user to own it."),
    "standings_differ": _l("The standings of season “%(season)s” are not what its results add up to."),
}


def _refused(code: str, **params: str | int) -> InputError:
    return InputError([Problem(("file",), code, str(_IN[code]) % params)])


def import_club(
    *,
    file: BinaryIO,
    slug: str | None,
    owner: User | None,
    with_users: bool,
    maximum_bytes: int = MAXIMUM_BYTES,
    now: datetime,
) -> Club:
    """Found the club that an archive holds, under the short name `slug` (None: its own).

    `with_users`: whoever the archive names is found here by user name, or made as a user without a password.
    Otherwise `owner` alone is, and the others' memberships are left out. `owner` becomes an owner in any case; None:
    the archive's owners own it. `maximum_bytes` are allowed unpacked. Raises InputError for a bad file, Conflict when
    the short name is taken.
    """
    try:
        with transaction.atomic():
            reader = Reader(file, maximum_bytes=maximum_bytes)
            return _Import(reader, owner=owner, with_users=with_users, now=now).run(slug)
    except ArchiveError as error:
        raise _refused(error.code, **error.params) from error


# What a season ranks by, and how a tournament gives points and breaks ties.
_RANKING = (
    *("ranking_metric", "ranking_best", "table_weight", "absence", "drop_worst", "count_best"),
    *("tie_breaks", "points_by_place"),
)
_SCORING = ("metric", "scores", "table_size", "tie_breaks")


class _Import:
    """One archive on its way in; `ids` has by topic the new id of each old one."""

    def __init__(self, reader: Reader, *, owner: User | None, with_users: bool, now: datetime) -> None:
        self.reader = reader
        self.owner = owner
        self.with_users = with_users
        self.now = now
        self.ids: dict[str, dict[int, int]] = {}
        self.games = set(GAMES)
        # Of bot matches of older formats, by the id in the archive.
        self.moves: dict[int, bytes] = {}

    def run(self, slug: str | None) -> Club:
        """Read the file from its start to its end, then check what came of it."""
        self.club = self._club(slug)
        self._users()
        for topic in MODELS:
            self._topic(topic)
        self._owner()
        self._digests()
        _check_tournaments(self.club)
        self._bot_matches()
        for season in Season.objects.filter(club=self.club).order_by("pk"):
            _check_standings(season)
        figures.note_all(club_id=self.club.pk)
        access = Access(club=self.club, role=Role.OWNER, actor=Actor(user_id=self.owner.pk if self.owner else None))
        audit.write(access=access, action="club.imported", object_id=self.club.pk, data={}, now=self.now)
        return self.club

    def _club(self, slug: str | None) -> Club:
        rows = [row for _number, row in self.reader.rows("club")]
        if len(rows) != 1:
            raise _refused("one_club")
        (row,) = rows
        if row["time_zone"] not in available_timezones():
            reason = _("There is no such time zone.")
            raise _refused("refused", file=file_of("club"), line=1, field="time_zone", reason=reason)
        slug = check_slug(row["slug"] if slug is None else slug, reserved=RESERVED_SLUGS)
        try:
            with transaction.atomic():
                return Club.objects.create(
                    name=check_name(row["name"]), slug=slug, time_zone=row["time_zone"], created_at=row["created_at"]
                )
        except IntegrityError as error:
            message = _("The short name “%(slug)s” is taken: choose another.") % {"slug": slug}
            raise Conflict("slug_taken", message) from error

    def _users(self) -> None:
        ids = self.ids["users"] = {}
        for number, row in self.reader.rows("users"):
            name = row["username"]
            if self.owner is not None and name == self.owner.username:
                ids[row["id"]] = self.owner.pk
            elif self.with_users:
                user = User.objects.filter(username=name).first()
                if user is None:
                    try:
                        UnicodeUsernameValidator()(name)
                        User._meta.get_field("username").clean(name, None)
                    except ValidationError as error:
                        raise _refused_row("users", number, "username", error) from error
                    # Without a password nobody can log in until one is set.
                    user = User.objects.create_user(name)
                ids[row["id"]] = user.pk

    def _topic(self, topic: str) -> None:
        model, fields = MODELS[topic], TOPICS[topic]
        cleaners = _cleaners(topic)
        ids = self.ids[topic] = {}
        within = [name for name, field in fields.items() if field.to == topic]
        pointers: list[tuple[str, int, int]] = []
        batch: list[tuple[int | None, ClubOwned]] = []

        def store() -> None:
            try:
                with transaction.atomic():
                    model._default_manager.bulk_create([row for _old, row in batch])
            except (IntegrityError, DataError) as error:
                raise _refused("contradicts", file=file_of(topic)) from error
            ids.update({old: row.pk for old, row in batch if old is not None})
            batch.clear()

        for number, read in self.reader.rows(topic):
            row = archived_matches.as_of_today(read) if topic == "bot_matches" else read
            for name, clean in cleaners.items():
                if row[name] is not None:
                    try:
                        clean(row[name])
                    except ValidationError as error:
                        raise _refused_row(topic, number, name, error) from error
            self._check(topic, number, row)
            moves = archived_matches.moves_of(row) if topic == "bot_matches" else None
            if moves is not None:
                self.moves[row["id"]] = moves
            pointers += [(name, row["id"], row[name]) for name in within if row[name] is not None]
            values = self._values(topic, row)
            if values is not None:
                batch.append((row.get("id"), model(club=self.club, **values)))
            if len(batch) >= _BATCH_OF.get(topic, _BATCH):
                store()
        store()
        for name, old, target in pointers:
            model._default_manager.filter(pk=ids[old]).update(**{f"{name}_id": ids[target]})

    def _check(self, topic: str, number: int, row: Row) -> None:
        """Refuse what no constraint holds and no page could show."""
        if topic == "games":
            self.games.add(row["key"])
        wrong = {
            "game": topic in {"rounds", "bot_matches", "tournaments"}
            and row["game"] not in self.games
            # Of most tournaments and of a match of Pure XXL the format says it.
            and (topic == "rounds" or row["game"] != ""),
            "note": topic == "rounds" and row["note"] not in NOTES,
            "reason": topic == "results" and row["reason"] not in {"", *SENTENCES},
            **{name: not is_like(row[name], shape) for name, shape in SHAPES.get(topic, {}).items() if name in row},
            # Others are under way, and no archive is made then.
            "state": topic == "imports" and row["state"] not in {ImportState.APPLIED, ImportState.REVERTED},
            "slug": row.get("slug") in _RESERVED_SLUGS.get(topic, ()),
        }
        if topic == "stages":
            wrong["options"] = not is_like_options(row["format"], row["groups"], row["options"])
        for name, is_wrong in wrong.items():
            if is_wrong:
                raise _refused_row(topic, number, name, ValidationError(_("This value is not known here.")))
        # Values that are known each for itself, and may not go together.
        together: list[Problem] = []
        if topic == "seasons":
            together = ranking_problems(Season(**{name: row[name] for name in _RANKING}))
        elif topic == "tournaments":
            together = wrong_rules(Tournament(**{name: row[name] for name in _SCORING}))
        for problem in together:
            raise _refused_row(topic, number, str(problem.path[0]), ValidationError(problem.message))

    def _values(self, topic: str, row: Row) -> Row | None:
        """The columns of a row; None where it can't be, for lack of the user."""
        values: Row = {}
        for name, field in TOPICS[topic].items():
            if field.kind == "reference":
                new = self.ids[field.to].get(row[name]) if row[name] is not None and field.to != topic else None
                if new is None and not field.empty:
                    return None
                values[f"{name}_id"] = new
            elif field.kind == "json" and name in _WITH_IDS:
                values[name] = self.moved(row[name], TOPIC_OF_KEY.get(name))
            elif field.kind != "id":
                values[name] = row[name]
        special: Mapping[str, Callable[[Row], Row]] = {
            "players": self._player,
            "tournament_rounds": self._tournament_round,
            "tokens": self._token,
            "webhooks": self._webhook,
            "bot_matches": self._bot_match,
            "audit_events": self._audit_event,
        }
        return special[topic](values) if topic in special else values

    def moved(self, value: Any, topic: str | None = None) -> Any:
        """A JSON value with the ids in it changed; `topic` says of what a bare number is the id."""
        if isinstance(value, dict):
            return {
                key: one if key in LISTS and type(one) is int else self.moved(one, TOPIC_OF_KEY.get(key))
                for key, one in value.items()
            }
        if isinstance(value, list):
            return [self.moved(one, topic) for one in value]
        return self._moved_id(topic, value) if topic is not None and type(value) is int else value

    def _moved_id(self, topic: str, old: int) -> int:
        # What is gone keeps its number, turned negative: it must not come to mean another row of this database.
        return self.ids.get(topic, {}).get(old, -abs(old))

    def _player(self, values: Row) -> Row:
        return {**values, "name_key": name_key(values["name"])}

    def _tournament_round(self, values: Row) -> Row:
        # Figures are numbers whatever they are called, so that their names say nothing of ids.
        reasons = [{**one, "entries": self.moved(one["entries"], "tournament_entries")} for one in values["reasons"]]
        return {**values, "reasons": reasons}

    def _token(self, values: Row) -> Row:
        # No one has the secret of this digest.
        never = {"prefix": secrets.token_hex(6), "secret_sha256": secrets.token_hex(32)}
        return {**values, **never, "revoked_at": self.now}

    def _webhook(self, values: Row) -> Row:
        secret = f"whsec_{base64.b64encode(secrets.token_bytes(32)).decode()}"
        return {**values, "secret": secret, "disabled_at": self.now, "disabled_reason": MOVED}

    def _bot_match(self, values: Row) -> Row:
        of_job = ("state", "done", "error", "user_id", "token_id", "created_at", "started_at", "finished_at")
        job = Job(club=self.club, kind=JobKind.BOT_MATCH, total=values["deals"], **{one: values[one] for one in of_job})
        try:
            with transaction.atomic():
                job.save()
        except (IntegrityError, DataError) as error:
            raise _refused("contradicts", file=file_of("bot_matches")) from error
        kept = {name: value for name, value in values.items() if name not in of_job}
        return {**kept, "job_id": job.pk}

    def _bot_matches(self) -> None:
        moves = {self.ids["bot_matches"][old]: packed for old, packed in self.moves.items()}
        try:
            archived_matches.settle(club=self.club, moves=moves, now=self.now)
        except archived_matches.Astray as error:
            raise _refused("contradicts", file=file_of(error.topic)) from error

    def _audit_event(self, values: Row) -> Row:
        first = values["action"].partition(".")[0]
        topic = TOPIC_OF_ACTION.get(first)
        about = self._moved_id(topic or "", values["object_id"])
        return {**values, "object_id": self.club.pk if first == "club" else about}

    def _owner(self) -> None:
        if self.owner is not None:
            Member.objects.update_or_create(club=self.club, user=self.owner, defaults={"role": Role.OWNER})
        elif not Member.objects.filter(club=self.club, role=Role.OWNER).exists():
            raise _refused("no_owner")

    def _digests(self) -> None:
        ids = sorted(self.ids["sessions"].values())
        for start in range(0, len(ids), _SESSIONS_AT_A_TIME):
            batch = ids[start : start + _SESSIONS_AT_A_TIME]
            sessions = list(Session.objects.filter(pk__in=batch).prefetch_related("seats__player", "rounds__scores"))
            for session in sessions:
                refresh_digest(session)
            Session.objects.bulk_update(sessions, ["digest"], batch_size=_SESSIONS_AT_A_TIME)


def _refused_row(topic: str, number: int, name: str, error: ValidationError) -> InputError:
    return _refused("refused", file=file_of(topic), line=number, field=name, reason=" ".join(error.messages))


def _one_line(value: str) -> None:
    if not is_text(value):
        raise ValidationError(_("Control characters are not allowed here."))


def _cleaners(topic: str) -> dict[str, Callable[[Any], object]]:
    """By field what refuses a value that its column could not have: raises ValidationError."""
    found: dict[str, Callable[[Any], object]] = {}
    for name, field in TOPICS[topic].items():
        if field.kind not in {"text", "whole"}:
            continue
        model: type[models.Model] = MODELS[topic]
        if name in _ELSEWHERE.get(topic, {}):
            model = Job
        column = model._meta.get_field(name)
        lines = isinstance(column, models.TextField) and not isinstance(column, models.CharField)

        # PostgreSQL's, also where SQLite would take more: what one can hold the other can.
        limits = BaseDatabaseOperations.integer_field_ranges
        low, high = limits.get(column.get_internal_type(), (0, 0))

        def clean(value: Any, column: Any = column, lines: bool = lines, low: int = low, high: int = high) -> None:
            if isinstance(value, str) and not lines:
                _one_line(value)
            if isinstance(value, int) and not low <= value <= high:
                raise ValidationError(_("This number is out of range."))
            if value != "" or not column.blank:
                column.run_validators(value)
                column.validate(value, None)
            if column.choices and value not in dict(column.flatchoices) and not (value == "" and column.blank):
                raise ValidationError(_("This value is not known here."))

        found[name] = clean
    return found


def _check_tournaments(club: Club) -> None:
    """Raise InputError where a tournament's rows point into another tournament, which no constraint holds."""
    astray: Mapping[str, models.QuerySet[Any]] = {
        "pair_wishes": PairWish.objects.exclude(first__tournament=F("tournament"), second__tournament=F("tournament")),
        "stage_entries": StageEntry.objects.exclude(entry__tournament=F("stage__tournament")),
        "tournament_rounds": TournamentRound.objects.exclude(stage__tournament=F("tournament")),
        "tournament_seats": TournamentSeat.objects.exclude(entry__tournament=F("table__round__tournament")),
    }
    for topic, rows in astray.items():
        if rows.filter(club=club).exists():
            raise _refused("contradicts", file=file_of(topic))


def _check_standings(season: Season) -> None:
    """Raise InputError unless the stored standings are what the stored results add up to."""
    if standings.differences(season=season):
        raise _refused("standings_differ", season=season.name)
