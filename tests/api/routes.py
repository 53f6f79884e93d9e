"""Every route of a club as the description tells of it, with real ids and a body that would be accepted."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import Any

from drf_spectacular.generators import SchemaGenerator

from league.models import Member, Role, Scope, Session, Tournament, TournamentFile
from league.services import (
    bot_matches,
    divisions,
    games,
    imports,
    invites,
    planned_evenings,
    players,
    results,
    table_links,
    tokens,
    tournament_entries,
    tournament_file_jobs,
    tournament_files,
    tournament_rounds,
    tournaments,
    webhooks,
)
from league.services.access import Access
from league.services.bot_matches import BotMatchInput
from league.services.evenings import SeatInput, SessionInput
from league.services.tournament_entries import EntryInput
from league.services.tournament_files import FileInput
from league.services.tournament_formats import StageInput
from tests.api.evenings import SIX_GAMES, opened
from tests.people import NOW, People

BODIES: dict[str, Any] = {
    "change_club": {"name": "Taken over"},
    "add_member": {"username": "stranger", "role": "member"},
    "change_member": {"role": "member"},
    "create_player": {"name": "Gus"},
    "change_player": {"name": "Gus"},
    "merge_player": {"into": 2},
    "unmerge_player": {},
    "erase_player": {"confirm": ["erase"]},
    "create_club_game": {"key": "dice", "name": "Dice"},
    "change_club_game": {"name": "Crazy Golf"},
    "create_league": {"name": "Tuesdays", "slug": "tuesdays"},
    "change_league": {"name": "Tuesdays"},
    "create_season": {"league": 1, "name": "2027", "slug": "2027", "starts_on": "2027-01-01"},
    "change_season": {"name": "2027"},
    "create_division": {"name": "Second"},
    "change_division": {"promoted": 2},
    "change_division_players": {"remove": [1]},
    "open_following_season": {"name": "2027", "slug": "2027-28", "starts_on": "2027-01-01"},
    "plan_evening": {"starts_at": "2026-12-07T18:30:00Z", "capacity": 6},
    "change_evening": {"location": "Ben's"},
    "sign_up": {"player": 1, "state": "coming"},
    "record_session": opened("Ann", "Ben"),
    "record_round": SIX_GAMES[0],
    "seat_player": {"player": "Cem"},
    "unseat_player": {},
    "end_session": {"confirm": ["ends_early"]},
    "correct_session": {"comment": "At Ann's", "reason": "It was not at Ben's."},
    "correct_round": {**SIX_GAMES[0], "reason": "Noted down wrongly."},
    "void_session": {"reason": "Never played."},
    "restore_session": {"reason": "It was played."},
    "confirm_session": {},
    "dispute_session": {"reason": "I had 14."},
    "record_sessions": {"sessions": [opened("Ann", "Ben")]},
    "request_bot_match": {"game": "xxl-6", "players": ["Bot 1", "Bot 2"]},
    "retry_bot_match": {},
    "cancel_job": {},
    "extend_par": {"game": "the-game", "seats": 3, "games": 100_000},
    "upload_import": {"players": [], "games": [], "plays": [{"uuid": "A"}]},
    "decide_import": {"duplicates": "import"},
    "apply_import": {},
    "revert_import": {},
    "create_table_link": {"hours": 12},
    "create_invite": {"role": "admin", "note": "stolen"},
    "create_token": {"name": "stolen", "scope": "club:admin"},
    # A public address that nobody calls here: no worker runs.
    "create_webhook": {"url": "https://1.1.1.1/hook", "events": ["result.recorded"]},
    "change_webhook": {"description": "taken over"},
    "rotate_webhook_secret": {},
    "ping_webhook": {},
    "replay_failed_deliveries": {"since": "2026-11-01T00:00:00Z"},
    "replay_delivery": {},
    "create_tournament": {
        "name": "Open",
        "slug": "open",
        "starts_on": "2026-12-05",
        "session_format": "series",
        "game": "xxl-6",
        "games_per_table": 3,
        "table_size": 4,
        "scores": {"bye": 0.5},
        "tie_breaks": ["countback", "lots"],
        "stages": [
            {"format": "table_swiss", "options": {"rounds": 3}, "groups": 1, "advance": 4},
            {"format": "final_tables", "options": {"crossing": False}},
        ],
    },
    "import_tournament": {
        "text": "012 Town\n001    1      Ann\n001    2      Gus\nXXR 3\n",
        "game": "xxl-6-plus",
        "name": "Town Open",
        "slug": "town-open",
        "format": "swiss",
        "preview": True,
        "confirm": ["points_differ"],
    },
    "change_tournament": {"announcement": "Round 2 at eight"},
    "start_tournament": {"only_checked_in": False},
    "pause_tournament": {},
    "resume_tournament": {},
    "finish_tournament": {},
    "reopen_tournament": {},
    "archive_tournament": {},
    "restore_tournament": {},
    "clone_tournament": {"name": "Cup again", "slug": "cup-again", "starts_on": "2027-01-09", "entries": True},
    "invite_to_tournament": {"is_open": True},
    "open_next_stage": {},
    "enter_tournament": {
        "entries": [{"player": "Eva", "fixed_table": 1}, {"guest": "Gus", "home_club": "Pikclub", "checked_in": True}]
    },
    "change_entry": {"fixed_table": 1, "home_club": "Pikclub"},
    "withdraw_entry": {"no_show": False},
    "return_entry": {},
    "sit_out": {"from_round": 2, "until_round": 2},
    "check_in": {"entries": [1], "is_here": True},
    "give_seeds": {"how": "lot"},
    "set_wish": {"first": 1, "second": 2, "kind": "apart"},
    "pair_round": {"draw": 1},
    "undo_round": {},
    "stop_pairing": {},
    "publish_round": {},
    "publish_rounds": {},
    "unpublish_round": {},
    "keep_round": {},
    "mend_round": {},
    "swap_seats": {"first": 1, "second": 2, "confirm": ["repeat_meeting"]},
    "set_clock": {"runs": True},
    "forfeit_table": {"winner": None},
    "open_table": {},
}


@dataclass(frozen=True)
class Route:
    """One operation; `path` still has its `{club}` and ids."""

    operation: str
    method: str
    path: str
    body: Any

    def at(self, club: str, ids: dict[str, Any]) -> str:
        return self.path.format(club=club, **ids)


@cache
def description() -> dict[str, Any]:
    """The OpenAPI description; to be read, not changed."""
    schema: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return schema


def club_routes() -> Iterator[Route]:
    for path, operations in description()["paths"].items():
        if "{club}" in path:
            for method, operation in operations.items():
                name = operation["operationId"]
                yield Route(name, method.upper(), path, BODIES.get(name) if method in {"post", "patch"} else None)


def _tournament(people: People, access: Access) -> Tournament:
    """A tournament of four, whose first round of duels is published."""
    fields = {"name": "Cup", "slug": "cup", "starts_on": NOW.date(), "session_format": "series", "game": "xxl-6-plus"}
    stage = StageInput("swiss", {"rounds": 3})
    made = tournaments.create(access=access, fields={**fields, "seed": 7}, stages=[stage], now=NOW)
    entered = [EntryInput(player=one.pk) for one in people.players[:4]]
    tournament_entries.enter(access=access, tournament_id=made.pk, entries=entered, now=NOW)
    tournament_rounds.start(access=access, tournament_id=made.pk, now=NOW)
    tournament_rounds.pair(access=access, tournament_id=made.pk, now=NOW)
    tournament_rounds.publish(access=access, tournament_id=made.pk, number=1, now=NOW)
    return made


def _file(access: Access) -> TournamentFile:
    """A report file that waits for a worker."""
    data = FileInput(text=BODIES["import_tournament"]["text"], game="xxl-6-plus")
    sound = tournament_files.check(access=access, data=data, now=NOW)
    return tournament_file_jobs.ask(access=access, sound=sound, looks=True, now=NOW)


def fill(people: People) -> dict[str, Any]:
    """Give the Herzclub one of everything; the ids by the names that the routes have for them."""
    access = people.access(people.owner)
    for name in ("Bot 1", "Bot 2", "Bot 3"):
        players.create(access=access, name=name, kind="bot", bot="random", now=NOW)
    seats = tuple(SeatInput(player.pk) for player in people.players[:4])
    data = SessionInput(format="pure_xxl", played_on=NOW.date(), players=seats, season=people.season.pk)
    session: Session = results.record(access=access, data=data, confirm=frozenset(), now=NOW)
    match = bot_matches.request(access=access, data=BotMatchInput("xxl-6", ("Bot 1", "Bot 2")), now=NOW)
    token, _raw = tokens.create(access=access, name="app", scope=Scope.READ, expires_at=None, now=NOW)
    link, _raw = table_links.create(access=access, session_id=session.pk, now=NOW)
    invite, _code = invites.create(access=access, role=Role.MEMBER, now=NOW)
    webhook = webhooks.create(access=access, url="https://1.1.1.1/hook", description="", events=[], now=NOW)
    delivery = webhooks.ping(access=access, endpoint_id=webhook.pk, now=NOW)
    table = b"date,game,player,points\n2026-10-05,xxl-4,Ann,31\n2026-10-05,xxl-4,Ben,0\n"
    batch = imports.upload(access=access, name="plays.csv", content=table, now=NOW)
    evening = planned_evenings.plan(access=access, fields={"starts_at": NOW + timedelta(days=7)}, now=NOW)
    tournament = _tournament(people, access)
    return {
        "evening_id": evening.pk,
        "tournament_id": tournament.pk,
        "entry_id": tournament.entries.order_by("seed")[0].pk,
        "table": 1,
        "division_id": divisions.create(
            access=access, season_id=people.season.pk, fields={"name": "First"}, now=NOW
        ).pk,
        "member_id": Member.objects.get(user=people.member).pk,
        "player_id": people.players[0].pk,
        "league_id": people.season.league_id,
        "season_id": people.season.pk,
        "session_id": session.pk,
        "number": 1,
        "match_id": match.pk,
        "job_id": match.job_id,
        "game": games.create(access=access, key="golf", name="Golf", fields={}, now=NOW).key,
        "token_id": token.pk,
        "webhook_id": webhook.pk,
        "delivery_id": delivery.pk,
        "invite_id": invite.pk,
        "import_id": batch.pk,
        "table_link_id": link.pk,
        "file_id": _file(access).pk,
    }
