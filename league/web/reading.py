"""What pages read, in a fixed number of queries whatever the size of a club or season.

Terms: a *reader* is whoever asks for a page, logged in or not; a *key* is the end of an address that opens the board
of one season to whoever has it. Promises: what is neither public nor opened by its key exists for members alone; to
anyone else it is a 404 like an address that never was. Whoever is no member of the club reads the public names of its
players. The plain values returned here are all that a leaderboard shows, so that their digest can be its ETag. Never:
folds a season's history; stored standings are read.
"""

import copy
import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.messages import get_messages
from django.db.models import Count, Exists, F, FilteredRelation, OuterRef, Q, QuerySet, Subquery
from django.http import Http404, HttpRequest
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404
from django.utils.crypto import constant_time_compare
from django.utils.formats import date_format
from django.utils.translation import get_language, ngettext

from league.models import (
    BotMatch,
    Club,
    Confirmation,
    Member,
    Role,
    Round,
    Season,
    Seat,
    Session,
    SessionFormat,
    SessionStatus,
    Standing,
    Tournament,
    TournamentStatus,
    User,
    Visibility,
)
from league.models.games import games_by_key
from league.models.players import public_name
from league.models.sheets import ScoreSheet
from league.models.standings import RANK_COLUMNS, ranks
from league.services import rule_words
from league.services.access import Access, includes
from league.services.wording import game_title

Reader = User | AnonymousUser

_UNDECIDED = (Confirmation.AWAITED, Confirmation.DISPUTED)
_BY_BOTS = Exists(BotMatch.objects.filter(session=OuterRef("pk")))

PLAYERS_A_PAGE = 100
SESSIONS_A_PAGE = 20


@dataclass(frozen=True, slots=True)
class Rights:
    """What the reader may do in the club of the page; all False for a guest of a public page.

    `key` is what opens the page to a guest of a board that is not public; links to the board's other pages carry it.
    """

    member: bool = False
    write: bool = False
    manage: bool = False
    key: str = ""

    @property
    def query(self) -> str:
        """The whole query of a link within the board."""
        return f"?key={self.key}" if self.key else ""

    @property
    def further(self) -> str:
        """What a link within the board appends to a query that it has."""
        return f"&key={self.key}" if self.key else ""


GUEST = Rights()


def rights_of(role: str | None) -> Rights:
    """The rights that come with a role in the club; None is nobody's role."""
    if role is None:
        return Rights()
    own = Role(role)
    return Rights(member=True, write=includes(own, Role.SCOREKEEPER), manage=includes(own, Role.ADMIN))


def role_of(reader: Reader, club: str) -> Subquery:
    """The reader's role in the club that column `club` of the outer query names."""
    members = Member.objects.filter(club=OuterRef(club), user=reader.pk)
    return Subquery(members.values("role")[:1])


def club_page(*, reader: Reader, slug: str) -> tuple[Club, Rights]:
    """A club that the reader is a member of or that has a public season or tournament. Raises Http404 otherwise."""
    clubs = Club.objects.filter(slug=slug).annotate(
        reader_role=role_of(reader, "pk"),
        public_season=Subquery(
            Season.objects.filter(club=OuterRef("pk"), visibility=Visibility.PUBLIC).values("pk")[:1]
        ),
        public_tournament=Subquery(
            Tournament.objects.filter(club=OuterRef("pk"), visibility=Visibility.PUBLIC).values("pk")[:1]
        ),
    )
    # Any: the type checker does not know the annotations.
    club: Any = clubs.first()
    if club is None or (club.reader_role is club.public_season is club.public_tournament is None):
        raise Http404
    return club, rights_of(club.reader_role)


def board_key(request: HttpRequest) -> str:
    """The key in the address of the request, "" for none."""
    return request.GET.get("key", "")


def key_query(season: Season) -> str:
    """What the address of the season's board ends with for those who are no members: "" where it needs no key."""
    return f"?key={season.board_key}" if season.visibility == Visibility.LINK else ""


def _rights(shown: Season | Tournament | None, role: str | None, key: str) -> Rights | None:
    """What the reader with this role and key may do with what is shown as this says (None: to members alone); None for
    nothing."""
    if role is not None:
        return rights_of(role)
    if shown is None or shown.visibility == Visibility.MEMBERS:
        return None
    if shown.visibility == Visibility.LINK:
        return Rights(key=shown.board_key) if constant_time_compare(key, shown.board_key) else None
    return Rights()


def season_page(*, reader: Reader, club: str, league: str, season: str, key: str = "") -> tuple[Season, Rights]:
    """A season that is public, opened by the key or of a club of the reader's, with league and club.

    Raises Http404 otherwise.
    """
    seasons = Season.objects.select_related("league", "club").annotate(reader_role=role_of(reader, "club"))
    found = seasons.filter(club__slug=club, league__slug=league, slug=season).first()
    rights = _rights(found, found.reader_role, key) if found is not None else None
    if found is None or rights is None:
        raise Http404
    return found, rights


def board_state(season: Season) -> tuple[int, ...]:
    """What is another value after each change of what the season's board shows, by the season as `season_page` read it.

    Not covered are visibility and key, which `Rights` tell, and the release and language.
    """
    return (season.pk, season.board_state, season.club.board_state)


def session_page(*, reader: Reader, club: str, session_id: int, key: str = "") -> tuple[Session, Rights]:
    """A session that is public or opened by the key, or of a club of the reader's. Raises Http404 otherwise.

    Its season says which of these it is, where it has none the tournament that it is a table of.
    """
    sessions = Session.objects.select_related("season__league", "club", "table__round__tournament").annotate(
        reader_role=role_of(reader, "club"), is_bot_match=_BY_BOTS
    )
    found = sessions.filter(club__slug=club, pk=session_id).first()
    rights = _rights(found.season or _tournament_of(found), found.reader_role, key) if found is not None else None
    if found is None or rights is None:
        raise Http404
    return found, rights


def _tournament_of(session: Session) -> Tournament | None:
    return session.table.round.tournament if session.table is not None else None


def shown_sheet(sheet: ScoreSheet, rights: Rights) -> ScoreSheet:
    """The sheet as the reader may see it: to those who are no members with the public names."""
    if rights.member:
        return sheet
    players = []
    for one in sheet.players:
        player = copy.copy(one.player)
        player.name = player.public_name
        players.append(replace(one, player=player))
    return replace(sheet, players=tuple(players))


def members_session(access: Access, session_id: int) -> Session:
    """A session of the member's club with its season and club; a 404 where there is none."""
    return get_object_or_404(Session.objects.select_related("season__league", "club"), club=access.club, pk=session_id)


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One player's line; `rank` is None for none, `value` what the season ranks by, in words.

    `average` is the mean of the final places.
    """

    player_id: int
    player: str
    is_bot: bool
    rank: int | None
    shared: bool
    sessions: int
    value: str
    average: float
    wins: int
    last_session_id: int
    last_played_on: date
    last_place: int
    # "" for none.
    division: str = ""


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One session of a list; `winners` are the names of those at place 1, none while it goes on."""

    pk: int
    played_on: date
    location: str
    format: str
    status: str
    counts: bool
    season: str
    is_bot_match: bool
    confirmation: str
    is_void: bool
    winners: tuple[str, ...]
    # The title of the one game of a single game or a series, "" before its first round and in the other formats.
    game: str

    @property
    def format_name(self) -> str:
        return str(SessionFormat(self.format).label)

    # In Python, since a list of twenty by the template's own tags costs a board a tenth of its time.

    @property
    def day(self) -> str:
        """When it was played, in words."""
        return date_format(self.played_on, "DATE_FORMAT")

    @property
    def won(self) -> str:
        """Who won, in words."""
        names = {"names": ", ".join(self.winners)}
        return ngettext("Winner: %(names)s", "Winners: %(names)s", len(self.winners)) % names

    @property
    def is_open(self) -> bool:
        return self.status == SessionStatus.OPEN

    @property
    def is_incomplete(self) -> bool:
        return self.status == SessionStatus.INCOMPLETE

    @property
    def undecided(self) -> str:
        """What the result waits for, in words; "" for nothing."""
        waits = not self.is_open and not self.is_void and self.confirmation in _UNDECIDED
        return str(Confirmation(self.confirmation).label) if waits else ""


@dataclass(frozen=True, slots=True)
class Pages:
    """Where a page stands among its like; numbers from 1, None where there is no such page."""

    number: int
    previous: int | None
    next: int | None


def _pages(number: int, *, more: bool) -> Pages:
    return Pages(number, number - 1 if number > 1 else None, number + 1 if more else None)


def page_number(request: HttpRequest, name: str) -> int:
    """The page that the query asks for, 1 where it says nothing readable."""
    text = request.GET.get(name, "")
    # Bounded, since an offset beyond 64 bits is an error of the database.
    return max(1, int(text)) if text.isascii() and text.isdigit() and len(text) <= 7 else 1


# What a line of a board is made of.
_BOARD_COLUMNS = (
    *("player_id", "player__name", "player__nickname", "player__bot", "sessions", "value", "counted"),
    *("place_total", "wins", "last_session_id", "last_session__played_on", "last_place"),
    *("division__name", "players"),
)


def board_rows(
    season: Season, *, page: int, rights: Rights = GUEST, size: int = PLAYERS_A_PAGE
) -> tuple[tuple[BoardRow, ...], int, Pages]:
    """One page of the season's table, the number of players in all, and the pages around: one query, and one more for
    the ranks of a page that is not the first."""
    start = (page - 1) * size
    table = Standing.objects.in_order(season)
    players_in_all = Standing.objects.filter(season=season).order_by().values("season").annotate(number=Count("pk"))
    lines = table.annotate(players=Subquery(players_in_all.values("number")))
    # One more than shown: the one who shares a rank may stand on the next page.
    found: list[Any] = list(lines.values_list(*_BOARD_COLUMNS, *RANK_COLUMNS, named=True)[start : start + size + 1])
    before = list(table.values_list(*RANK_COLUMNS)[:start]) if start and found else []
    ranked = [*before, *(one[-len(RANK_COLUMNS) :] for one in found)]
    all_ranks = ranks(ranked)
    shared = Counter((row[0], rank) for row, rank in zip(ranked, all_ranks, strict=True))
    shown = list(zip(found, all_ranks[len(before) :], strict=True))[:size]
    rows = tuple(
        BoardRow(
            player_id=one.player_id,
            player=one.player__name if rights.member else one.player__nickname or one.player__name,
            is_bot=bool(one.player__bot),
            rank=rank,
            shared=rank is not None and shared[one.division_id, rank] > 1,
            sessions=one.sessions,
            value=rule_words.value_told(season, one.value, one.counted),
            average=one.place_total / one.sessions,
            wins=one.wins,
            last_session_id=one.last_session_id,
            last_played_on=one.last_session__played_on,
            last_place=one.last_place,
            division=one.division__name or "",
        )
        for one, rank in shown
    )
    players = found[0].players if found else 0
    return rows, players, _pages(page, more=players > page * size)


def session_rows(
    sessions: "QuerySet[Session]", *, page: int, rights: Rights = GUEST, size: int = SESSIONS_A_PAGE
) -> tuple[tuple[SessionRow, ...], Pages]:
    """One page of sessions, newest first, with their winners: one query, and one more for games of the club's own."""
    start = (page - 1) * size
    # One more than shown tells whether there are more, without counting them all.
    wanted = sessions.order_by("-played_on", "-pk").values("pk")[start : start + size + 1]
    lines = (
        Session.objects.filter(pk__in=wanted)
        .annotate(
            winner=FilteredRelation("results", condition=Q(results__place=1)),
            is_bot_match=_BY_BOTS,
            first_game=Subquery(Round.objects.filter(session=OuterRef("pk")).order_by("number").values("game")[:1]),
            winner_name=F("winner__player__name") if rights.member else public_name("winner__player__"),
        )
        .order_by("-played_on", "-pk", "winner__player__name_key")
        .values_list(
            *("pk", "played_on", "location", "format", "status", "counts"),
            *("season__league__name", "season__name", "is_bot_match", "confirmation", "voided_at"),
            *("club", "first_game", "winner_name"),
        )
    )
    found = list(lines)
    of_one_game = {SessionFormat.SINGLE_GAME, SessionFormat.SERIES}
    # By club, since the pages of one never show sessions of another.
    named = {(line[-3], line[-2]) for line in found if line[3] in of_one_game and line[-2] is not None}
    titles = {
        (club, key): game_title(game)
        for club in {club for club, _key in named}
        for key, game in games_by_key(club, [key for its, key in named if its == club]).items()
    }
    rows: dict[int, SessionRow] = {}
    for pk, played_on, location, format_, status, counts, league, season, *rest, club, first, winner in found:
        known = rows.get(pk)
        winners = (*(known.winners if known else ()), *((winner,) if winner else ()))
        name = f"{league} {season}" if season else ""
        by_bots, confirmation, voided_at = rest
        state = (by_bots, confirmation, voided_at is not None)
        game = titles.get((club, first), "") if format_ in of_one_game else ""
        rows[pk] = SessionRow(pk, played_on, location, format_, status, counts, name, *state, winners, game)
    return tuple(rows.values())[:size], _pages(page, more=len(rows) > size)


def told_by_sheet(sheet: ScoreSheet) -> tuple[object, ...]:
    """All that the page of a score sheet shows and that can change, as plain values for its ETag."""
    session, season = sheet.session, sheet.session.season
    return (
        (session.revision, session.status, session.counts, session.comment, session.location),
        (session.voided_at is not None, session.confirmation),
        (table := session.table) and (table.number, table.round.number, str(table.round.tournament)),
        (session.club.name, session.club.time_zone),
        season and (season.name, season.slug, season.status, season.league.name, season.league.slug),
        [(one.player.name, one.place, one.place_sum, one.reason, one.rounds_missed) for one in sheet.players],
        # The game by its key: a whole entry of the catalogue reads differently in each process.
        [(one.number, one.game.key, one.game.name, one.note, one.confirmed, one.cells) for one in sheet.rounds],
    )


def etag(request: HttpRequest, reader: Reader, *read: object) -> str | None:
    """The ETag of a page that shows just these plain values, None for a page that must not be compared.

    Plain: each has to read alike (`repr`) in every process, since the next question may reach another one. Release,
    language and reader change the page as well. A logged-in page bears form tokens of its CSRF cookie; a page with a
    message is told once.
    """
    if len(get_messages(request)):
        return None
    cookie = ""
    if reader.is_authenticated:
        # Makes the cookie where there is none yet, as rendering the page would.
        get_token(request)
        cookie = request.META["CSRF_COOKIE"]
    told = repr((settings.VERSION, get_language(), reader.pk, cookie, read))
    return f'"{hashlib.sha256(told.encode()).hexdigest()[:32]}"'


def my_clubs(reader: User) -> Sequence[Club]:
    """The clubs of the reader, each with `reader_role`: one query."""
    return list(Club.objects.visible_to(reader).annotate(reader_role=role_of(reader, "pk")))


def public_seasons() -> Sequence[Season]:
    """Public seasons, those still open and the newest first, 50 at most: one query."""
    seasons = Season.objects.filter(visibility=Visibility.PUBLIC).select_related("league", "club")
    return list(seasons.order_by("-status", "-starts_on", "club__name", "pk")[:50])


def public_tournaments() -> Sequence[Tournament]:
    """Public tournaments that are not over, the soonest first, 20 at most: one query."""
    rows = Tournament.objects.filter(visibility=Visibility.PUBLIC, archived_at=None).select_related("club")
    return list(rows.exclude(status=TournamentStatus.FINISHED).order_by("starts_on", "club__name", "pk")[:20])


def club_seasons(club: Club, rights: Rights) -> Sequence[Season]:
    """The seasons of the club that the reader may see, newest first: one query."""
    seasons = Season.objects.filter(club=club).select_related("league")
    return list(seasons if rights.member else seasons.filter(visibility=Visibility.PUBLIC))


def club_sessions(club: Club, rights: Rights, *, void: bool = False) -> "QuerySet[Session]":
    """The sessions of the club that the reader may see and that stand; with `void` those that do not, for members."""
    sessions = Session.objects.filter(club=club, voided_at__isnull=not void)
    if rights.member:
        return sessions
    if void:
        return sessions.none()
    of_tournaments = Q(season=None, table__round__tournament__visibility=Visibility.PUBLIC)
    return sessions.filter(Q(season__visibility=Visibility.PUBLIC) | of_tournaments)


def season_sessions(season: Season) -> "QuerySet[Session]":
    """The sessions of a season that stand."""
    return Session.objects.filter(season=season, voided_at=None)


def undecided_sessions(club: Club, rights: Rights, reader: Reader) -> "QuerySet[Session]":
    """The ended sessions that wait for a word of the reader: all for scorekeepers, the own ones for other members."""
    sessions = club_sessions(club, rights).exclude(status=SessionStatus.OPEN).filter(confirmation__in=_UNDECIDED)
    if rights.write:
        return sessions
    own = Seat.objects.filter(session=OuterRef("pk"), player__member__user=reader.pk)
    return sessions.filter(Exists(own), confirmation=Confirmation.AWAITED)
