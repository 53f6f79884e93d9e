"""What a large tournament costs: 1,000 players after nine rounds of the Swiss system for two.

    .venv-test/bin/python -m benchmarks.tournaments                 on SQLite and on PostgreSQL
    .venv-test/bin/python -m benchmarks.tournaments sqlite --players 200
    .venv-test/bin/python -m benchmarks.tournaments sqlite --only publish

The rounds are stored as the services store them, with chance results. Printed are the medians of CPU time, with that of
PostgreSQL's process behind it where it answers (it waits for us and we for it: a reader waits for the sum), of reading
the tournament whole, of ranking it with five tie-breaks, and of each page and operation of the API, asked for by
a member through all of the product's middleware: *anew* by the first reader after a change, and *again*. What changes
something is taken back each time, so that every turn finds the same. The collector of garbage is set as in a worker of
the web server (`league/management/gunicorn.py`). At the end stand those that took longer than the goal.
"""

import argparse
import gc
import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any

from benchmarks.databases import on_each, timed

if TYPE_CHECKING:
    from django.test import Client

    from league.models import Job, Tournament
    from league.services.access import Access

ROUNDS = 9
NOW = datetime(2026, 11, 30, 18, 0, tzinfo=UTC)
TIMES = 7
# The longest that a page or an answer may take, in milliseconds.
GOAL = 300
# So many more are in the bracket, which 1,024 fill without a bye.
MORE = 24
# More are paired by a job.
AT_ONCE = 200


def busy() -> float:
    """Seconds of CPU time so far, of this process and of PostgreSQL's that answers it."""
    from django.db import connection

    spent = time.process_time()
    if connection.vendor == "postgresql" and connection.connection is not None:
        # Of Linux, in nanoseconds.
        told = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat").read_text()
        spent += int(told.split()[0]) / 1e9
    return spent


# --- The tournaments --------------------------------------------------------------------------------------------------


def fill(players: int) -> int:
    """A club with the tournament, all of it played but the last round; its id."""
    access = _club(players + MORE)
    made = _made(access, "open", players, "swiss", {"rounds": ROUNDS + 1})
    chance = Random(1)
    for number in range(1, ROUNDS + 1):
        _pair(access, made.pk)
        _publish(access, made.pk, number)
        _play(made.pk, number, chance)
    return made.pk


def _club(players: int) -> "Access":
    """A club of so many players; its owner's access."""
    from league.models import Club, Member, Player, Role, User, name_key
    from league.services import access as accesses

    user = User.objects.create_user("bench", password="bench-password-1")  # noqa: S106  # nosec B106
    club = Club.objects.create(name="Bench", slug="bench")
    Member.objects.create(club=club, user=user, role=Role.OWNER)
    names = [f"Player {number:04}" for number in range(players)]
    Player.objects.bulk_create(Player(club=club, name=name, name_key=name_key(name)) for name in names)
    return accesses.of_user(user=user, club_slug="bench")


def _made(
    access: "Access", slug: str, players: int, stage: str, options: dict[str, Any], *, begins: bool = True
) -> "Tournament":
    """A tournament of the first so many players, of one stage."""
    from league.models import Player
    from league.services import tournament_entries, tournament_rounds, tournaments
    from league.services.tournament_entries import EntryInput
    from league.services.tournament_formats import StageInput

    fields = {
        "name": f"Bench {slug}",
        "slug": slug,
        "starts_on": date(2026, 11, 1),
        "session_format": "series",
        "game": "xxl-6-plus",
        "seed": 1,
    }
    made = tournaments.create(access=access, fields=fields, stages=[StageInput(stage, options)], now=NOW)
    ids = Player.objects.order_by("pk").values_list("pk", flat=True)[:players]
    entries = [EntryInput(player=pk) for pk in ids]
    tournament_entries.enter(access=access, tournament_id=made.pk, entries=entries, now=NOW)
    if begins:
        tournament_rounds.start(access=access, tournament_id=made.pk, now=NOW)
    return made


def _pair(access: "Access", tournament: int) -> None:
    """Pair the next round, in this process whatever its size."""
    from league.services import tournament_rounds

    _work(tournament_rounds.pair(access=access, tournament_id=tournament, now=NOW).job)


def _work(asked: "Job | None") -> None:
    """Do what a job is asked, in this process."""
    from league.models import Job
    from league.services import tournament_jobs

    if asked is not None:
        tournament_jobs.pair_job(asked.pk)
        job = Job.objects.get(pk=asked.pk)
        if job.state != "done":
            raise RuntimeError(job.error)


def _publish(access: "Access", tournament: int, number: int) -> None:
    from league.services import tournament_rounds

    tournament_rounds.publish(access=access, tournament_id=tournament, number=number, now=NOW)


def _play(tournament: int, number: int, chance: Random) -> None:
    """Decide all tables of a round, as their sessions would."""
    from league.models import Session, TournamentSeat, TournamentTable

    tables = TournamentTable.objects.filter(round__tournament=tournament, round__number=number, kind="played")
    seats: dict[int, list[TournamentSeat]] = {}
    for seat in TournamentSeat.objects.filter(table__in=tables).order_by("table", "number"):
        seats.setdefault(seat.table_id, []).append(seat)
    for its in seats.values():
        order = list(range(1, len(its) + 1))
        order.sort(key=lambda _place: chance.random())
        if len(its) == 2 and chance.random() < 0.1:
            order = [1, 1]
        for seat, place in zip(its, order, strict=True):
            seat.place = seat.place_sum = place
    TournamentSeat.objects.bulk_update(
        [seat for its in seats.values() for seat in its], ["place", "place_sum"], batch_size=500
    )
    Session.objects.filter(table__in=tables).update(status="complete")
    tables.update(decided=True)


# --- What is measured -------------------------------------------------------------------------------------------------


@dataclass
class Bench:
    """Rows as they are measured; `over` are those that took longer than the goal."""

    client: "Client"
    only: str
    over: list[str] = field(default_factory=list)

    def show(self, what: str, call: Callable[[], object]) -> None:
        """Measure a call and print it."""
        spent = []
        for _time in range(TIMES):
            start = busy()
            call()
            spent.append(1000 * (busy() - start))
        self.tell(what, spent)

    def wants(self, what: str) -> bool:
        """Whether the row is asked for."""
        return self.only in what

    def reads(self, *paths: str) -> None:
        """Pages and answers: by the first reader after a change, and again."""
        from django.core.cache import cache

        for path in paths:
            if not self.wants(path):
                continue

            def anew(path: str = path) -> None:
                cache.clear()
                self.ask("GET", path)

            self.show(f"GET {path} anew", anew)
            self.show(f"GET {path} again", partial(self.ask, "GET", path))

    def does(self, method: str, path: str, body: object = None, *, told: str = "", version: str = "") -> None:
        """What changes something, taken back each time; a page's form where the body is a dictionary of words.

        `version`: where the version is read for which a change is made, where that is not its own path.
        """
        what = f"{method} {path} {told}".rstrip()
        if not self.wants(what):
            return
        spent = []
        for _time in range(TIMES):
            with taken_back():
                # What a program has to have read before.
                tag = self.client.get(version or path)["ETag"] if method in {"PATCH", "DELETE"} else ""
                start = busy()
                self.ask(method, path, body, tag=tag)
                spent.append(1000 * (busy() - start))
        self.tell(what, spent)

    def tell(self, what: str, spent: list[float]) -> None:
        """Print the median of what was measured."""
        line = f"{what:<86} {median(spent):7.1f} ms of CPU time"
        sys.stdout.write(f"  {line}\n")
        sys.stdout.flush()
        if median(spent) > GOAL:
            self.over.append(line)

    def ask(self, method: str, path: str, body: object = None, *, tag: str = "") -> None:
        """Raises RuntimeError for any answer that is no success."""
        if method == "GET":
            answer = self.client.get(path)
        elif path.startswith("/api/"):
            text = json.dumps({} if body is None else body)
            headers = {"if-match": tag} if tag else None
            answer = self.client.generic(method, path, text, content_type="application/json", headers=headers)
        else:
            answer = self.client.post(path, body)
        good = (200,) if method == "GET" else (200, 201, 202, 204, 302)
        if answer.status_code not in good:
            raise RuntimeError(f"{method} {path}: {answer.status_code} {answer.content[:300]!r}")


@contextmanager
def taken_back() -> Iterator[None]:
    """What is stored within is stored no more afterwards."""
    from django.db import transaction

    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def measure(kind: str, options: argparse.Namespace) -> None:
    """Print what it costs on this kind of database."""
    import django

    django.setup()
    from django.core.cache import cache
    from django.core.management import call_command
    from django.test import Client
    from django.test.utils import setup_test_environment

    from league.models import Tournament, User
    from league.services import access as accesses
    from league.services import tournament_standings, tournament_state

    setup_test_environment()
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    sys.stdout.write(f"{kind}: {options.players} players, {ROUNDS} rounds\n")
    timed("filled", lambda: fill(options.players))
    user = User.objects.get(username="bench")
    access = accesses.of_user(user=user, club_slug="bench")
    bench = Bench(Client(), options.only)
    bench.client.force_login(user)
    bench.client.get("/bench/tournaments/open/")
    # As a worker of the web server does once it has loaded all.
    gc.collect()
    gc.freeze()
    tournament = Tournament.objects.select_related("club", "season").get(slug="open")
    state = tournament_state.load(tournament)

    def ranked() -> object:
        cache.clear()
        return tournament_standings.tables_of(state)

    bench.show("read whole", lambda: tournament_state.load(tournament))
    bench.show("ranked", ranked)
    _reads(bench, tournament, state)
    # What voiding a result would move, ranks and all.
    played = next(one.tables[0] for one in state.rounds if one.row.number == ROUNDS)
    bench.reads(f"/bench/sessions/{played.session}/void/")
    _drafts(bench, access, tournament)
    _rounds(bench, access, tournament)
    _entries(bench, access, options.players)
    _brackets(bench, access, options.players + MORE)
    _tables(bench, access, options.players)
    _at_once(bench, access, min(options.players, AT_ONCE))
    _files(bench, access, options.players)
    sys.stdout.write(f"{kind}: {len(bench.over)} rows above {GOAL} ms\n")
    sys.stdout.writelines(f"  {line}\n" for line in bench.over)


def _files(bench: Bench, access: "Access", players: int) -> None:
    """A report file of strangers, three rounds of which are played: asked for, looked at, taken over."""
    from league.models import TournamentFile
    from league.services import tournament_file_jobs, tournament_files
    from league.services.tournament_files import FileInput

    api, page = "/api/v1/clubs/bench/tournaments/trf/", "/bench/tournaments/new/trf/"
    body = {"text": _report(players, 3), "game": "xxl-6-plus"}
    told = f"(report file of {players:,} strangers asked)"
    bench.does("POST", api, body, told=told)
    bench.does("POST", page, {**body, "name": "", "format": "", "look": "1"}, told=told)
    if not bench.wants("report file"):
        return
    largest = tournament_file_jobs.AT_ONCE
    for count, rounds in ((largest, 0), (largest // 2, 2), (largest // 8, 14)):
        few = {"text": _report(count, rounds), "game": "xxl-6-plus"}
        bench.does("POST", api, few, told=f"(report file of {count} strangers, {rounds} rounds, at once)")
    data = FileInput(**body)
    for looks in (True, False):
        sound = tournament_files.check(access=access, data=data, now=NOW)
        file = tournament_file_jobs.ask(access=access, sound=sound, looks=looks, now=NOW)
        timed("looked at by a job" if looks else "taken by a job", partial(tournament_file_jobs.take_file, file.job_id))
        file = TournamentFile.objects.select_related("job").get(pk=file.pk)
        if file.job.state != "done":
            raise RuntimeError(file.job.error)
        bench.show(f"GET {api}ID/ (report file)", partial(bench.ask, "GET", f"{api}{file.pk}/"))
        bench.show(f"GET {page}ID/ (report file)", partial(bench.ask, "GET", f"{page}{file.pk}/"))


def _report(players: int, rounds: int) -> str:
    """The text of a report file of so many strangers, of whom every second one wins all the rounds."""
    from league.exchange import trf
    from league.exchange.trf import Report, TrfEntry, TrfPlayer

    winners, losers = range(1, players, 2), range(2, players + 1, 2)
    entries: dict[int, list[TrfEntry]] = {number: [] for number in range(1, players + 1)}
    for turn in range(rounds):
        for place, winner in enumerate(winners[: len(losers)]):
            loser = losers[(place + turn) % len(losers)]
            entries[winner].append(TrfEntry(opponent=loser, colour="w", result="1"))
            entries[loser].append(TrfEntry(opponent=winner, colour="b", result="0"))
    told = [
        TrfPlayer(number=number, name=f"Stranger {number:04}", points=float(rounds * (number % 2)), entries=tuple(its))
        for number, its in entries.items()
    ]
    return trf.write(Report(name="Strangers", rounds=ROUNDS, players=tuple(told)))


def _api(tournament: "Tournament") -> str:
    return f"/api/v1/clubs/bench/tournaments/{tournament.pk}/"


def _reads(bench: Bench, tournament: "Tournament", state: Any) -> None:
    """All that only reads, of a tournament that is decided so far."""
    page, api = "/bench/tournaments/open/", _api(tournament)
    # In the middle of the field.
    entry = list(state.entries)[len(state.entries) // 2]
    last = -(-len(state.entries) // 60)
    bench.reads(
        "/bench/tournaments/",
        page,
        *(f"{page}standings/", f"{page}standings/?page=10", f"{page}standings/trf/"),
        *(f"{page}rounds/{ROUNDS}/", f"{page}rounds/{ROUNDS}/print/"),
        *(f"{page}cross-table/", f"{page}cross-table/?rows={last}&columns={last}"),
        *(f"{page}players/{entry}/", f"{page}me/", f"{page}screen/"),
        *(f"{page}manage/", f"{page}manage/edit/", f"{page}manage/rounds/{ROUNDS}/"),
        f"{page}manage/rounds/{ROUNDS}/tables/1/",
        *(f"{page}manage/entries/", f"{page}manage/entries/?q=player+05", f"{page}manage/entries/{entry}/"),
        *(f"{page}manage/entries/add/", f"{page}manage/entries/check-in/", f"{page}manage/entries/seeds/"),
        *(f"{page}manage/entries/wishes/", f"{page}manage/entries/invitation/"),
        "/bench/tournaments/new/",
        *("/api/v1/clubs/bench/tournaments/", api),
        *(f"{api}entries/", f"{api}entries/?limit=100", f"{api}entries/{entry}/", f"{api}wishes/"),
        *(f"{api}rounds/", f"{api}rounds/{ROUNDS}/", f"{api}overtaken/"),
        *(f"{api}standings/", f"{api}standings/?limit=100", f"{api}ranking/"),
        *(f"{api}cross-table/", f"{api}cross-table/?limit=60", f"{api}bracket/", f"{api}trf/"),
    )


def _drafts(bench: Bench, access: "Access", tournament: "Tournament") -> None:
    """What is done before a round is seen: pairing it, changing it, publishing it."""
    page, api = "/bench/tournaments/open/manage/", _api(tournament)
    bench.does("POST", f"{api}rounds/", told="(asks a job)")
    bench.does("POST", page, {"action": "pair"})
    if bench.wants("paired by the job"):
        timed("paired by the job", lambda: _pair(access, tournament.pk))
    else:
        _pair(access, tournament.pk)
    number = ROUNDS + 1
    first, second = _two(tournament, number)
    one = f"{api}rounds/{number}/"
    bench.reads(f"{page}rounds/{number}/", one)
    swap: dict[str, Any] = {"first": first, "second": second, "confirm": ["repeat_meeting"]}
    bench.does("POST", f"{one}swap/", swap)
    bench.does("POST", f"{page}rounds/{number}/", {"action": "swap", **swap}, told="(swap)")
    bench.does("POST", f"{api}rounds/undo/")
    bench.does("POST", f"{one}publish/")
    bench.does("POST", f"{page}rounds/{number}/", {"action": "publish"}, told="(publish)")
    with taken_back():
        _leave(access, tournament, number)
        bench.does("POST", f"{one}publish/", told="(one is gone since)")
    _publish(access, tournament.pk, number)


def _two(tournament: "Tournament", number: int) -> tuple[int, int]:
    """Two who sit at different tables."""
    from league.models import TournamentSeat

    seats = TournamentSeat.objects.filter(table__round__tournament=tournament, table__round__number=number, number=0)
    first, second = seats.order_by("table__number").values_list("entry", flat=True)[10:12]
    return first, second


def _leave(access: "Access", tournament: "Tournament", number: int) -> None:
    from league.services import tournament_entries

    first, _second = _two(tournament, number)
    tournament_entries.withdraw(access=access, tournament_id=tournament.pk, entry_id=first, now=NOW)


def _rounds(bench: Bench, access: "Access", tournament: "Tournament") -> None:
    """What is done while a round is played."""
    from league.models import Session, TournamentSeat, TournamentTable

    page, api, number = "/bench/tournaments/open/", _api(tournament), ROUNDS + 1
    one = f"{api}rounds/{number}/"
    table = TournamentTable.objects.get(round__tournament=tournament, round__number=number, number=7)
    session = Session.objects.get(table=table)
    first, second = table.seats.order_by("number").values_list("entry__player", flat=True)
    seats = TournamentSeat.objects.filter(table__round=table.round_id, number=0)
    entries = dict(seats.values_list("table__number", "entry"))
    entry = entries[7]
    bench.reads(page, f"{page}rounds/{number}/", f"{page}manage/", f"{page}manage/rounds/{number}/", one)
    bench.reads(f"{page}screen/", f"{page}players/{entry}/", f"{page}manage/rounds/{number}/tables/7/")
    bench.does("POST", f"{page}rounds/{number}/print/codes/", {}, told="(24 codes)")
    scores = [{"player": first, "points": 0}, {"player": second, "points": 12}]
    body = {"game": "xxl-6-plus", "scores": scores, "confirm": ["together_implausible"]}
    bench.does("POST", f"/api/v1/clubs/bench/sessions/{session.pk}/rounds/", body, told="(a result)")
    bench.does("POST", f"{one}clock/", {"runs": True})
    bench.does("POST", f"{one}tables/7/forfeit/", {"winner": entry})
    manage = f"{page}manage/rounds/{number}/"
    bench.does("POST", f"{manage}tables/7/", {"action": "forfeit", "winner": entry}, told="(forfeit)")
    with taken_back():
        bench.ask("POST", f"{one}tables/7/forfeit/", {"winner": entry})
        bench.does("POST", f"{manage}tables/7/", {"action": "take-back"}, told="(taken back)")
    with taken_back():
        session.delete()
        bench.does("POST", f"{one}tables/7/open/")
    swap: dict[str, Any] = {"first": entry, "second": entries[8], "confirm": ["repeat_meeting"]}
    bench.does("POST", f"{one}swap/", swap, told="(published)")
    bench.does("POST", f"{one}unpublish/")
    bench.does("POST", manage, {"action": "unpublish"}, told="(unpublish)")
    bench.does("POST", f"{api}rounds/undo/", told="(published)")
    bench.does("POST", f"{page}manage/", {"action": "undo"}, told="(published)")
    for action in ("pause", "archive"):
        bench.does("POST", f"{page}manage/", {"action": action}, told=f"({action})")
    bench.does("POST", f"{page}manage/", {"action": "announce", "announcement": "At eight"}, told="(announce)")
    bench.does("POST", f"{page}manage/entries/{entry}/", {"action": "withdraw"}, told="(withdraw)")
    bench.does("POST", f"{api}entries/", {"entries": [{"guest": "Late Guest"}]}, told="(a late one)")
    bench.does("PATCH", f"{api}entries/{entry}/", {"home_club": "Elsewhere"}, version=api)
    bench.does("POST", f"{api}entries/{entry}/withdraw/")
    bench.does("POST", f"{api}entries/{entry}/sit-out/", {"from_round": number + 1})
    bench.does("POST", f"{api}wishes/", {"first": entry, "second": entry + 1, "kind": "apart"})
    _mendings(bench, access, tournament, number)
    _play(tournament.pk, number, Random(2))
    bench.does("POST", f"{api}finish/")
    bench.does("POST", f"{page}manage/", {"action": "finish"})
    bench.does("PATCH", api, {"announcement": "Round 2 at eight"})
    clone = {"name": "Again", "slug": "again", "starts_on": "2027-01-09", "entries": True}
    bench.does("POST", f"{api}clone/", clone)
    bench.does("POST", f"{api}archive/")
    bench.does("POST", f"{api}invitation/", {"is_open": True})


def _mendings(bench: Bench, access: "Access", tournament: "Tournament", number: int) -> None:
    """What is done with a round after a correction of the one before."""
    from league.services import tournament_changes

    api, manage = _api(tournament), f"/bench/tournaments/open/manage/rounds/{number}/"
    one = f"{api}rounds/{number}/"
    target: dict[str, Any] = {"access": access, "tournament_id": tournament.pk, "number": number, "now": NOW}
    with taken_back():
        _correct(tournament)
        bench.reads(f"{api}overtaken/", manage)
        bench.does("POST", f"{one}mend/", told="(asks a job)")
        bench.does("POST", f"{one}mend/", {"foresee": True}, told="(asks a job)")
        bench.does("POST", f"{one}keep/")
        if bench.wants("mend"):
            timed("foreseen by a job", lambda: _work(tournament_changes.ask_foresight(**target).job))
            bench.reads(f"{one}mend/", f"{manage}?mend=")
            bench.does("POST", manage, {"action": "mend"}, told="(mend as shown, asks a job)")
            timed("mended by a job", lambda: _work(tournament_changes.mend(**target).job))


def _correct(tournament: "Tournament", number: int = ROUNDS) -> None:
    """Change a result of a round, as a correction does."""
    from league.models import TournamentSeat

    its = TournamentSeat.objects.filter(table__round__tournament=tournament, table__round__number=number)
    seats = list(its.filter(table__number=1).order_by("number"))
    seats[0].place, seats[1].place = (2, 1) if seats[0].place == 1 else (1, 2)
    TournamentSeat.objects.bulk_update(seats, ["place"])


def _entries(bench: Bench, access: "Access", players: int) -> None:
    """A tournament that has not begun: who is in it, who is here, with which seeds."""
    made = _made(access, "next", players, "swiss", {"rounds": ROUNDS}, begins=False)
    page, api = "/bench/tournaments/next/", _api(made)
    ids = list(made.entries.order_by("pk").values_list("pk", flat=True))
    bench.reads(page, f"{page}manage/", f"{page}manage/entries/", f"{page}manage/entries/seeds/")
    bench.does("POST", f"{page}manage/entries/check-in/", {"here": ids[-1]})
    bench.does("POST", f"{api}entries/check-in/", {"entries": ids[:1], "is_here": True}, told="(one)")
    bench.does("POST", f"{api}entries/check-in/", {"entries": ids, "is_here": True}, told="(all)")
    bench.does("POST", f"{api}entries/seeds/", {"how": "hand", "order": ids[::-1]}, told="(by hand)")
    bench.does("POST", f"{api}entries/seeds/", {"how": "lot"}, told="(by lot)")
    bench.does("POST", f"{api}entries/seeds/", {"how": "rating"}, told="(by rating)")
    bench.does("POST", f"{page}manage/entries/seeds/", {"action": "lot"}, told="(by lot)")
    bench.does("POST", f"{page}manage/entries/seeds/", {"action": "rating", "family": ""}, told="(by rating)")
    bench.does("POST", f"{api}start/")
    bench.does("POST", f"{api}start/", {"only_checked_in": False}, told="(with seeds)")
    bench.does("POST", f"{page}manage/", {"action": "start"}, told="(start)")
    clone = {"name": "Copy", "slug": "copy", "starts_on": "2027-01-09", "entries": "on", "action": "clone"}
    bench.does("POST", f"{page}manage/", clone, told="(clone)")
    bench.does("DELETE", f"{api}entries/{ids[0]}/", version=api)
    guests = [{"guest": f"Guest {number:04}"} for number in range(players)]
    bench.does("POST", f"{api}entries/", {"entries": guests[:100]}, told="(100 guests)")
    bench.does("POST", f"{api}entries/", {"entries": guests}, told="(all as guests)")
    bench.does("DELETE", api)
    bench.does("POST", f"{page}manage/", {"action": "delete"}, told="(delete)")
    _enters(bench, access, ids)


def _enters(bench: Bench, access: "Access", ids: list[int]) -> None:
    """An empty tournament, into which all players come at once."""
    from league.models import TournamentEntry

    empty = _made(access, "empty", 0, "swiss", {"rounds": ROUNDS}, begins=False)
    players = TournamentEntry.objects.filter(pk__in=ids).order_by("pk").values_list("player", flat=True)
    entries = [{"player": player} for player in players]
    bench.does("POST", f"{_api(empty)}entries/", {"entries": entries}, told="(all players)")


def _brackets(bench: Bench, access: "Access", players: int) -> None:
    """A bracket as large as the tournament, and a little more."""
    made = _made(access, "bracket", players, "single_elimination", {"third_place": True})
    page, api = "/bench/tournaments/bracket/", _api(made)
    _pair(access, made.pk)
    bench.does("POST", f"{api}rounds/1/publish/")
    _publish(access, made.pk, 1)
    _play(made.pk, 1, Random(3))
    bench.reads(page, f"{page}bracket/", f"{page}bracket/?part=9", f"{page}standings/", f"{page}screen/")
    bench.reads(f"{page}manage/", f"{api}bracket/", f"{api}standings/")
    bench.does("POST", f"{api}rounds/", told="(asks a job)")


def _tables(bench: Bench, access: "Access", players: int) -> None:
    """The same players at tables of four."""
    made = _made(access, "tables", players, "table_swiss", {"rounds": ROUNDS})
    page, api = "/bench/tournaments/tables/", _api(made)
    for number in (1, 2):
        _pair(access, made.pk)
        if number == 2:
            bench.does("POST", f"{api}rounds/2/publish/")
        _publish(access, made.pk, number)
        _play(made.pk, number, Random(number))
    bench.reads(page, f"{page}standings/", f"{page}rounds/2/", f"{page}cross-table/", f"{api}cross-table/")
    bench.reads(f"{page}manage/", f"{page}manage/rounds/2/")
    _stages(bench, access, players)


def _stages(bench: Bench, access: "Access", players: int) -> None:
    """Groups at tables, of which half go on into a bracket."""
    from league.models import Player
    from league.services import tournament_entries, tournament_rounds, tournaments
    from league.services.tournament_entries import EntryInput
    from league.services.tournament_formats import StageInput

    groups = max(1, players // 50)
    stages = [
        StageInput("swiss", {"rounds": 1}, groups, players // groups // 2),
        StageInput("single_elimination"),
    ]
    fields = {"name": "Stages", "slug": "stages", "starts_on": date(2026, 11, 1), "session_format": "series"}
    made = tournaments.create(access=access, fields={**fields, "game": "xxl-6-plus", "seed": 1}, stages=stages, now=NOW)
    ids = Player.objects.order_by("pk").values_list("pk", flat=True)[:players]
    entries = [EntryInput(player=pk) for pk in ids]
    tournament_entries.enter(access=access, tournament_id=made.pk, entries=entries, now=NOW)
    tournament_rounds.start(access=access, tournament_id=made.pk, now=NOW)
    _pair(access, made.pk)
    _publish(access, made.pk, 1)
    _play(made.pk, 1, Random(4))
    page, api = "/bench/tournaments/stages/", _api(made)
    bench.reads(f"{page}standings/", f"{page}manage/", f"{api}standings/")
    bench.does("POST", f"{api}stages/next/")
    bench.does("POST", f"{page}manage/", {"action": "open-stage"}, told="(open the next stage)")


def _at_once(bench: Bench, access: "Access", most: int) -> None:
    """Pairings that are no job, the largest of them, after three rounds."""
    from league.services import tournament_changes, tournament_entries, tournament_rounds

    for stage in ("swiss", "dutch", "table_swiss", "club_evening"):
        slug = f"few-{stage.replace('_', '-')}"
        # As many as are no job.
        players = next(count for count in range(most, 1, -1) if not tournament_rounds.takes_long(stage, count))
        made = _made(access, slug, players, stage, {} if stage == "club_evening" else {"rounds": ROUNDS})
        here = list(made.entries.values_list("pk", flat=True))
        tournament_entries.check_in(access=access, tournament_id=made.pk, entry_ids=here, is_here=True, now=NOW)
        for number in (1, 2, 3):
            _pair(access, made.pk)
            _publish(access, made.pk, number)
            _play(made.pk, number, Random(number))
        bench.does("POST", f"{_api(made)}rounds/", told=f"({stage}, {players} players)")
    for stage in ("swiss", "table_swiss") if bench.wants("mend") else ():
        players = next(count for count in range(most, 1, -1) if not tournament_changes.mending_takes_long(stage, count))
        slug = f"mend-{stage.replace('_', '-')}"
        made = _made(access, slug, players, stage, {"rounds": ROUNDS})
        for number in (1, 2, 3, 4):
            _pair(access, made.pk)
            _publish(access, made.pk, number)
            if number < 4:
                _play(made.pk, number, Random(number))
        _correct(made, 3)
        one = f"{_api(made)}rounds/4/mend/"
        bench.reads(one, f"/bench/tournaments/{slug}/manage/rounds/4/?mend=")
        bench.does("POST", one, told=f"({stage}, {players} players)")


def main() -> None:
    parser = argparse.ArgumentParser(description="What a large tournament costs.")
    parser.add_argument("--players", type=int, default=1000)
    parser.add_argument("--only", default="", help="measure the rows alone whose address holds this")
    on_each("benchmarks.tournaments", parser, usual=("sqlite", "postgresql"), measure=measure)


if __name__ == "__main__":
    main()
