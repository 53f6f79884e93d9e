"""Pages of tournaments that anyone may read where a tournament is public: what is on, tables, standings, brackets.

Terms: see `league/web/tournament_lines.py`; the *screen* is for a projector. Promises: a page answers 304 to whoever
has seen just this, before it reads more than the tournament's own row; at 1,000 players each takes less than 300 ms.
"""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib.auth.views import redirect_to_login
from django.db.models import F, Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_POST, require_safe

from league.models import (
    EntryStatus,
    Player,
    Role,
    Stage,
    Tournament,
    TournamentEntry,
    TournamentMetric,
    TournamentRound,
    TournamentStatus,
)
from league.models.players import public_name
from league.services import table_links, tournament_sheets, tournament_standings, tournament_state
from league.services.access import Access
from league.services.errors import Conflict
from league.services.moments import one_moment
from league.services.tournament_state import Scorer, StageValue, TournamentState
from league.web import addresses, brackets, cross_tables, reading, tournament_lines, tournaments
from league.web.access import club_page
from league.web.languages import asked_language
from league.web.tournament_lines import Face, TableLine
from league.web.views.table_links import qr_code

P = ParamSpec("P")
_View = Callable[Concatenate[HttpRequest, Face, P], dict[str, Any]]
# How often a browser asks again, in seconds.
POLL = 15
_TOP = 10
_TABLES_OF_OVERVIEW = 12
_A_PAGE = 30
# A code takes several milliseconds to draw, and half a dozen sheets are enough for one go of a printer.
PRINTED_CODES = 24
# As many as can be read from across a hall.
_SCREEN_TABLES = 12
_SCREEN_RANKS = 10
# Long enough to find a name among so many, in seconds.
_TURN = 15


def _of_one_moment(view: Callable[P, HttpResponseBase]) -> Callable[P, HttpResponseBase]:
    """Let a page read the tournament as it stood at one moment, however many queries it takes."""

    @wraps(view)
    def page(*args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        with one_moment():
            return view(*args, **kwargs)

    return page


def _page(template: str) -> Callable[[_View[P]], Callable[..., HttpResponseBase]]:
    """Make a view of what returns the context of a tournament's page; it gets the `Face` in place of club and slug."""

    def decorate(view: _View[P]) -> Callable[..., HttpResponseBase]:
        @require_safe
        @gzip_page
        @_of_one_moment
        @wraps(view)
        def page(request: HttpRequest, club: str, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            now = timezone.now()
            row, rights = tournaments.find(reader=request.user, club=club, slug=slug, key=reading.board_key(request))
            etag = reading.etag(request, request.user, *_told_by(request, row, rights), kwargs)
            response = get_conditional_response(request, etag=etag) if etag else None
            if response is None:
                seen = tournament_lines.face(row, rights)
                with timezone.override(row.club.zone):
                    context = {**_context(seen), "etag": etag or "", "now": now, **view(request, seen, *args, **kwargs)}
                    response = render(request, template, context)
            return _fresh(request, response, etag)

        return page

    return decorate


def _told_by(request: HttpRequest, row: Tournament, rights: reading.Rights) -> Sequence[object]:
    season = row.season
    shown_in = (season.name, season.league.name, season.visibility) if season is not None else None
    return (tournaments.told_by(row), rights, shown_in, request.path, request.GET.urlencode())


def _fresh(request: HttpRequest, response: HttpResponseBase, etag: str | None) -> HttpResponseBase:
    if etag is not None:
        response["ETag"] = etag
    patch_cache_control(response, no_cache=True, **({"private": True} if request.user.is_authenticated else {}))
    return response


def _context(seen: Face) -> dict[str, Any]:
    """What the frame of every page shows."""
    row = seen.row
    current = seen.current
    return {
        "tournament": row,
        "club": row.club,
        "rights": seen.rights,
        "seen": seen,
        "current": current,
        "ends": tournament_lines.clock_ends(row, current) if current is not None and not seen.is_over else None,
        "what": tournaments.what_is_played(row),
        "counted": tournament_lines.counted(row),
        "poll": 0 if seen.is_over else POLL,
        "timezone": row.club.time_zone,
    }


# --- All of a club ----------------------------------------------------------------------------------------------------


@require_safe
@gzip_page
def all_of_club(request: HttpRequest, club: str) -> HttpResponseBase:
    """The tournaments of a club, those that go on and the newest first; members find the archived ones as well."""
    found, rights = reading.club_page(reader=request.user, slug=club)
    archived = rights.member and request.GET.get("archived") == "1"
    rows = tournaments.listed(found, rights).filter(archived_at__isnull=not archived)
    page, start, end = tournament_lines.pages_of(reading.page_number(request, "page"), rows.count(), _A_PAGE)
    context = {
        "club": found,
        "rights": rights,
        "tournaments": list(rows.order_by("-starts_on", "-pk")[start:end]),
        "pages": page,
        "archived": archived,
    }
    with timezone.override(found.zone):
        response = render(request, "web/tournaments.html", context)
    return _fresh(request, response, None)


# --- One of them ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EntryLine:
    """Who entered; `status` "" for who is simply there."""

    pk: int
    name: str
    seed: int | None
    status: str
    home_club: str


@_page("web/tournament.html")
def overview(request: HttpRequest, seen: Face) -> dict[str, Any]:
    """What is on now, the tables of the round, the first of the standings, who entered."""
    row = seen.row
    context: dict[str, Any] = {}
    if seen.current is not None:
        part = tournament_lines.round_part(seen, seen.current, size=_TABLES_OF_OVERVIEW)
        context |= {
            "tables": part.tables,
            "tables_more": part.count - len(part.tables),
            "progress": part.progress,
        }
    if seen.began:
        ranks = tournament_standings.kept_tables(row)
        stage = seen.began[-1]
        context |= {
            "top": tournament_lines.rank_tables(seen, ranks, stage, 0, _TOP),
            "stage": stage,
            "is_bracket": stage in seen.brackets,
        }
        if row.status == TournamentStatus.FINISHED:
            context["winners"] = [one for one in tournament_lines.final_lines(seen, ranks, 0, 3) if one.rank <= 3]
    entries = TournamentEntry.objects.filter(tournament=row)
    pages, start, end = tournament_lines.pages_of(reading.page_number(request, "page"), entries.count())
    shown = F("player__name") if seen.rights.member else public_name("player__")
    listed = entries.annotate(shown=shown).order_by(F("seed").asc(nulls_last=True), "pk")[start:end]
    context |= {
        "entries": [
            EntryLine(pk, name, seed, _entry_status(status), home)
            for pk, name, seed, status, home in listed.values_list("pk", "shown", "seed", "status", "home_club")
        ],
        "entry_count": entries.count(),
        "pages": pages,
    }
    return context


def _entry_status(status: str) -> str:
    usual = {EntryStatus.ENTERED, EntryStatus.CHECKED_IN}
    return "" if status in usual else str(EntryStatus(status).label)


def _round(seen: Face, number: int) -> TournamentRound:
    """A round that the reader may see. Raises Http404."""
    found = next((one for one in seen.rounds if one.number == number), None)
    if found is None:
        raise Http404
    return found


@_page("web/tournament_round.html")
def round_page(request: HttpRequest, seen: Face, number: int) -> dict[str, Any]:
    """The plan of a round's tables with the results as they come, and why it is as it is."""
    row = _round(seen, number)
    part = tournament_lines.round_part(seen, row, page=reading.page_number(request, "page"))
    numbers = [one.number for one in seen.rounds]
    return {
        "round": row,
        "stage": row.stage,
        "tables": part.tables,
        "progress": part.progress,
        "reasons": tournament_lines.reasons_told(seen, row),
        "quality": tournament_lines.quality_told(row),
        "ends": tournament_lines.clock_ends(seen.row, row) if not seen.is_over else None,
        "before": number - 1 if number - 1 in numbers else None,
        "after": number + 1 if number + 1 in numbers else None,
        "pages": part.pages,
    }


@_page("web/tournament_standings.html")
def standings(request: HttpRequest, seen: Face) -> dict[str, Any]:
    """Where everybody stands, by stage and group, and which tie-break decided; of what is finished first as a whole."""
    if not seen.began:
        return {"stage": None}
    ranks = tournament_standings.kept_tables(seen.row)
    page = reading.page_number(request, "page")
    usual = "all" if seen.ends_in_stages else ""
    if request.GET.get("stage", usual) == "all" and len(seen.began) > 1:
        pages, start, end = tournament_lines.pages_of(page, len(tournament_standings.ranks_of(ranks)))
        return {
            "stage": None,
            "final": tournament_lines.final_lines(seen, ranks, start, end),
            "pages": pages,
            "further": "&stage=all",
        }
    stage = _stage(request, seen.began)
    pages, start, end = tournament_lines.pages_of(page, tournament_lines.rank_line_count(ranks, stage))
    return {
        "stage": stage,
        "tables": tournament_lines.rank_tables(seen, ranks, stage, start, end),
        "tie_breaks": [] if stage in seen.brackets else tournament_lines.tie_breaks(seen.row),
        "is_bracket": stage in seen.brackets,
        "unfinished": _unfinished(seen, stage),
        "pages": pages,
        "further": f"&stage={stage.number}",
    }


def _unfinished(seen: Face, stage: Stage) -> int | None:
    """The round of a stage that is being played while sums are ranked of which the lowest is best."""
    current = seen.current
    if seen.row.metric not in {TournamentMetric.CARDS_LEFT, TournamentMetric.PLACE_SUM} or current is None:
        return None
    goes_on = current.stage_id == stage.pk and current.pk in seen.open_rounds and current.pk in seen.begun_rounds
    return current.number if goes_on else None


def _stage(request: HttpRequest, stages: Sequence[Stage]) -> Stage:
    """The stage that the address asks for, else the last of them."""
    asked = request.GET.get("stage", "")
    return next((one for one in stages if str(one.number) == asked), stages[-1])


def _whole(seen: Face, state: TournamentState, stage: Stage) -> tuple[StageValue, list[int]]:
    """A stage with all its tables, and the numbers of the rounds that the reader may not see."""
    known = {one.number for one in seen.rounds}
    hidden = [one.row.number for one in state.rounds if one.row.number not in known]
    return next(one for one in state.stages if one.row.pk == stage.pk), hidden


@_page("web/tournament_bracket.html")
def bracket(request: HttpRequest, seen: Face) -> dict[str, Any]:
    """The bracket as a drawing, and in words."""
    if not seen.brackets:
        return {}
    stage = _stage(request, seen.brackets)
    value, hidden = _whole(seen, tournament_state.load(seen.row), stage)
    opened = reverse("web:session", args=[seen.row.club.slug, 0]).rpartition("0/")[0]
    sessions = {
        table.match: f"{opened}{table.session}/{seen.rights.query}"
        for round_, table in value.tables()
        if table.session and seen.shows_sessions and round_.row.number not in hidden
    }
    drawing = brackets.draw(
        value,
        names=seen.names([place.entry_id for place in value.places]),
        addresses=sessions,
        games=tournament_sheets.games_of_bracket(seen.row, value),
        hidden=hidden,
        part=reading.page_number(request, "part"),
    )
    return {"stage": stage, "drawing": drawing, "parts": range(1, drawing.parts + 1)}


@_page("web/tournament_cross_table.html")
def cross_table(request: HttpRequest, seen: Face) -> dict[str, Any]:
    """Who met whom with what result, group by group, of a cooperative game what each had left round by round; a window
    of it where it is large.
    """
    if not seen.leagues:
        return {}
    stage = _stage(request, seen.leagues)
    state = tournament_state.load(seen.row)
    ranks = [one for one in tournament_standings.tables_of(state) if one.stage == stage.number]
    asked = request.GET.get("group", "")
    table = next((one for one in ranks if str(one.group) == asked), ranks[0])
    value, hidden = _whole(seen, state, stage)
    names, rows = seen.names([line.entry for line in table.lines]), reading.page_number(request, "rows")
    if seen.is_cooperative:
        scorer = Scorer(tournament_standings.scoring_of(state))
        square = cross_tables.by_round(value, table, names=names, scorer=scorer, hidden=hidden, rows=rows)
    else:
        columns = reading.page_number(request, "columns")
        square = cross_tables.cross_table(value, table, names=names, hidden=hidden, rows=rows, columns=columns)
    windows = range(1, -(-square.players // cross_tables.WINDOW) + 1) if square.rows else ()
    groups = [one.group for one in ranks] if stage.groups > 1 else []
    return {
        "stage": stage,
        "square": square,
        "windows": windows,
        "groups": groups,
        "group": table.group,
        "further": f"&stage={stage.number}&group={table.group}{seen.rights.further}",
    }


# --- A player ---------------------------------------------------------------------------------------------------------


def me(request: HttpRequest, club: str, slug: str) -> HttpResponseBase:
    """The way of whoever is logged in: a member's own player, or who entered by an invitation."""
    row, rights = tournaments.find(reader=request.user, club=club, slug=slug, key=reading.board_key(request))
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    own = TournamentEntry.objects.filter(tournament=row)
    entry = own.filter(Q(user=request.user) | Q(player__member__user=request.user)).order_by("pk").first()
    if entry is not None:
        return player(request, club, slug, entry_id=entry.pk)
    context = _context(tournament_lines.face(row, rights))
    # A member without a player may well be at a table; who is no member has no player here.
    linked = Player.objects.filter(club=row.club, member__user=request.user).exists()
    context["no_player"] = rights.member and not linked
    with timezone.override(row.club.zone):
        return _fresh(request, render(request, "web/tournament_player.html", context), None)


@_page("web/tournament_player.html")
def player(request: HttpRequest, seen: Face, entry_id: int) -> dict[str, Any]:
    """One entry: the next table, the clock, the tables before, the rank."""
    entry = TournamentEntry.objects.filter(tournament=seen.row, pk=entry_id).select_related("player").first()
    if entry is None:
        raise Http404
    stops = tournament_lines.way(seen, entry.pk)
    current = seen.current
    upcoming = next((one for one in stops if current is not None and one.round == current.number), None)
    # Of a plan that is out as a whole the first of the own tables that is to be played, and behind it all others.
    waiting = [one for one in reversed(stops) if seen.is_planned and one.table is not None and not one.table.decided]
    if waiting:
        upcoming = waiting[0]
    expects = upcoming is not None and not (upcoming.table is not None and upcoming.table.decided)
    ranks = tournament_standings.kept_tables(seen.row) if seen.began else []
    return {
        "entry": entry,
        "name": tournaments.shown_name(entry, seen.rights),
        "status": _entry_status(entry.status),
        "next": upcoming if expects and not seen.is_over else None,
        "later": [] if seen.is_over else waiting[1:],
        "stops": [
            one for one in stops if seen.is_over or (one not in waiting[1:] and (one is not upcoming or not expects))
        ],
        "rank": tournament_lines.line_of(seen, ranks, entry.pk),
        "is_own": request.resolver_match is not None and request.resolver_match.url_name == "tournament-me",
    }


# --- For paper --------------------------------------------------------------------------------------------------------


@require_safe
@_of_one_moment
def print_page(request: HttpRequest, club: str, slug: str, number: int) -> HttpResponseBase:
    """The tables of a round in large type."""
    row, rights = tournaments.find(reader=request.user, club=club, slug=slug, key=reading.board_key(request))
    seen = tournament_lines.face(row, rights)
    with timezone.override(row.club.zone):
        context, lines = _to_print(request, seen, number)
        context |= {"tables": [(line, "", ()) for line in lines], "open": sum(line.is_open for line in lines)}
        return _fresh(request, render(request, "web/tournament_print.html", context), None)


@never_cache
@require_POST
@club_page(Role.SCOREKEEPER)
def codes(request: HttpRequest, access: Access, slug: str, number: int) -> HttpResponseBase:
    """The same with a new code for each table that enters its results.

    The codes are in this answer alone: they are secrets, which nothing stores.
    """
    row, rights = tournaments.find(reader=request.user, club=access.club.slug, slug=slug)
    context, lines = _to_print(request, tournament_lines.face(row, rights), number)
    context |= {"tables": _with_codes(request, access, lines), "codes": True}
    return render(request, "web/tournament_print.html", context)


def _to_print(request: HttpRequest, seen: Face, number: int) -> tuple[dict[str, Any], Sequence[TableLine]]:
    """A part of a round's tables, as many as can have their codes in one go."""
    row = _round(seen, number)
    part = tournament_lines.round_part(seen, row, page=reading.page_number(request, "page"), size=PRINTED_CODES)
    ends = tournament_lines.clock_ends(seen.row, row) if not seen.is_over else None
    context = {
        **_context(seen),
        "round": row,
        "ends": ends,
        "pages": part.pages,
        "hours": table_links.USUAL_HOURS,
    }
    return context, part.tables


def _pieces(address: str) -> list[str]:
    """An address as it may be broken into lines: behind its strokes, and a long secret where an eye can find back."""
    return [part[at : at + 11] for part in re.split(r"(?<=/)", address) for at in range(0, len(part), 11)]


def _with_codes(
    request: HttpRequest, access: Access, lines: Sequence[TableLine]
) -> list[tuple[TableLine, str, Sequence[str]]]:
    """Each table with the code of a new link and its address in pieces, where its session takes rounds."""
    now = timezone.now()
    found: list[tuple[TableLine, str, Sequence[str]]] = []
    for line in lines:
        drawn, pieces = "", list[str]()
        if line.session is not None and line.is_open:
            # It may have ended since its line was read: then there is nothing to enter.
            with suppress(Conflict):
                _link, raw = table_links.create(access=access, session_id=line.session, now=now)
                address = addresses.public(request, reverse("web:table-link", kwargs={"raw": raw}))
                drawn, pieces = qr_code(address), _pieces(address)
        found.append((line, drawn, pieces))
    return found


# --- For a projector --------------------------------------------------------------------------------------------------


@require_safe
@_of_one_moment
def screen(request: HttpRequest, club: str, slug: str) -> HttpResponseBase:
    """The round's tables and the standings page by page, clock and announcement, in letters for a hall."""
    row, rights = tournaments.find(reader=request.user, club=club, slug=slug, key=reading.board_key(request))
    language = asked_language(request)
    with override(language), timezone.override(row.club.zone):
        etag = reading.etag(request, request.user, *_told_by(request, row, rights))
        response = get_conditional_response(request, etag=etag) if etag else None
        if response is None:
            response = _screen(request, tournament_lines.face(row, rights))
    return _fresh(request, response, etag)


def _screen(request: HttpRequest, seen: Face) -> HttpResponse:
    page = reading.page_number(request, "page")
    context = _context(seen)
    table_pages = rank_pages = 1
    if seen.current is not None:
        count = seen.current.tables.count()
        table_pages = max(1, -(-count // _SCREEN_TABLES))
        part = tournament_lines.round_part(seen, seen.current, page=(page - 1) % table_pages + 1, size=_SCREEN_TABLES)
        context |= {"tables": part.tables, "progress": part.progress}
    if seen.began:
        ranks, stage = tournament_standings.kept_tables(seen.row), seen.began[-1]
        count = (
            len(tournament_standings.ranks_of(ranks))
            if seen.ends_in_stages
            else tournament_lines.rank_line_count(ranks, stage)
        )
        rank_pages = max(1, -(-count // _SCREEN_RANKS))
        at = (page - 1) % rank_pages * _SCREEN_RANKS
        if seen.ends_in_stages:
            lines = tournament_lines.final_lines(seen, ranks, at, at + _SCREEN_RANKS)
            context |= {"top": [tournament_lines.RankTable(0, tuple(lines), at == 0)], "is_bracket": True}
        else:
            context |= {
                "top": tournament_lines.rank_tables(seen, ranks, stage, at, at + _SCREEN_RANKS),
                "is_bracket": stage in seen.brackets,
            }
    last = max(table_pages, rank_pages)
    still = request.GET.get("still") == "1"
    carried = f"&language={asked_language(request)}" * ("language" in request.GET) + seen.rights.further
    page = min(page, last)
    context |= {
        "page": page,
        "last": last,
        "turn": 0 if still else _TURN,
        "following": f"?page={page % last + 1}{carried}",
        "other_way": f"?page={page}{carried}" + ("" if still else "&still=1"),
        "state": _state_told(seen),
    }
    return render(request, "web/tournament_screen.html", context)


def _state_told(seen: Face) -> str:
    """How it stands with the tournament where no round says it; "" while it runs."""
    if seen.row.status == TournamentStatus.RUNNING:
        return "" if seen.current is not None else _("The first round is being paired.")
    if seen.undecided is not None:
        return _("Finished, but a table of round %(number)d has no result any more.") % {
            "number": seen.undecided.number
        }
    return str(TournamentStatus(seen.row.status).label)
