"""The database itself refuses what can't be, whoever writes: every constraint of every model."""

from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from django.db import IntegrityError, models, transaction
from django.db.models import CheckConstraint, F, UniqueConstraint

from league.models import (
    ApiToken,
    BotMatch,
    BotMatchChunk,
    BotMatchSeat,
    Club,
    ClubGame,
    Division,
    DivisionPlayer,
    EntryAbsence,
    IdempotencyRecord,
    ImportBatch,
    ImportMark,
    Invite,
    Job,
    League,
    Member,
    PairWish,
    ParTally,
    PlannedEvening,
    Player,
    PlayerMerge,
    Rating,
    RatingChange,
    Round,
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
    Statistics,
    Tournament,
    TournamentEntry,
    TournamentFile,
    TournamentRound,
    TournamentSeat,
    TournamentTable,
    WebhookDelivery,
)
from tests.models.rows import NOON, Rows, all_models, copy_of, insert, one_of_each

pytestmark = pytest.mark.django_db

# For each check: changes of a sound row that the rule allows, and such that it forbids.
CHECKS: dict[str, tuple[type[models.Model], list[dict[str, Any]], list[dict[str, Any]]]] = {
    "member_role_known": (Member, [{"role": "admin"}], [{"role": "chief"}, {"role": ""}]),
    "token_scope_known": (
        ApiToken,
        [{"scope": "results:write", "session": None}],
        [{"scope": "write", "session": None}, {"scope": "", "session": None}],
    ),
    "token_table_link_has_session_and_end": (
        ApiToken,
        [{"scope": "read", "session": None}, {"scope": "read", "session": None, "expires_at": None}],
        [{"scope": "read"}, {"session": None}, {"expires_at": None}],
    ),
    "token_rate_limit_from_one": (ApiToken, [{"rate_limit": 1}, {"rate_limit": None}], [{"rate_limit": 0}]),
    "invite_role_known": (Invite, [{"role": "owner"}], [{"role": "guest"}, {"role": ""}]),
    "player_has_a_name": (Player, [{"name_key": "x"}], [{"name_key": ""}]),
    "player_bot_named_for_bots_only": (
        Player,
        [{"kind": "bot", "bot": "random", "member": None}],
        [
            {"bot": "random"},
            {"kind": "bot", "bot": "", "member": None},
            {"kind": "dog"},
            {"kind": "dog", "bot": "random", "member": None},
        ],
    ),
    "player_bot_is_no_member_or_guest": (
        Player,
        [{"is_guest": True}],
        [{"kind": "bot", "bot": "random"}, {"kind": "bot", "bot": "random", "member": None, "is_guest": True}],
    ),
    "season_ends_after_start": (
        Season,
        [{"ends_on": date(2026, 1, 1)}, {"ends_on": None}],
        [{"ends_on": date(2025, 12, 31)}],
    ),
    "season_status_known": (Season, [{"status": "closed"}], [{"status": "over"}]),
    "season_metric_known": (Season, [{"ranking_metric": "points"}], [{"ranking_metric": "luck"}]),
    "season_ranking_rules_known": (
        Season,
        [{"visibility": "link", "ranking_best": "high", "table_weight": "midpoint", "absence": "last"}],
        [{"visibility": "friends"}, {"ranking_best": "odd"}, {"table_weight": "heavy"}, {"absence": "sick"}],
    ),
    "season_drops_or_counts_best": (
        Season,
        [{"drop_worst": 2, "count_best": 0}, {"drop_worst": 0, "count_best": 2}],
        [{"drop_worst": 1, "count_best": 1}],
    ),
    "division_level_from_one": (Division, [{"level": 2}], [{"level": 0}]),
    "evening_has_room": (PlannedEvening, [{"capacity": 1}, {"capacity": None}], [{"capacity": 0}]),
    "sign_up_state_known": (
        SignUp,
        [{"state": "waiting"}, {"state": "declined"}],
        [{"state": "perhaps"}, {"state": ""}],
    ),
    "tournament_status_known": (Tournament, [{"status": "paused"}], [{"status": "over"}, {"status": ""}]),
    "tournament_metric_known": (Tournament, [{"metric": "place_sum"}], [{"metric": "luck"}, {"metric": ""}]),
    "tournament_visibility_known": (Tournament, [{"visibility": "link"}], [{"visibility": "friends"}]),
    "tournament_tables_of_2_to_6": (
        Tournament,
        [{"table_size": 2}, {"table_size": 6}],
        [{"table_size": 1}, {"table_size": 7}],
    ),
    "tournament_plays_a_game": (Tournament, [{"games_per_table": 1}], [{"games_per_table": 0}]),
    "entry_status_known": (TournamentEntry, [{"status": "no_show"}], [{"status": "late"}, {"status": ""}]),
    "entry_from_round_one": (TournamentEntry, [{"first_round": 2}], [{"first_round": 0}]),
    "entry_seed_from_one": (TournamentEntry, [{"seed": None}, {"seed": 3}], [{"seed": 0}]),
    "absence_from_round_one": (EntryAbsence, [{"from_round": 1}], [{"from_round": 0}]),
    "absence_ends_after_start": (
        EntryAbsence,
        [{"until_round": None}, {"until_round": 2}],
        [{"until_round": 1}],
    ),
    "pair_wish_kind_known": (PairWish, [{"kind": "together"}], [{"kind": "enemies"}, {"kind": ""}]),
    "pair_wish_lower_id_first": (
        PairWish,
        [{"kind": "apart"}],
        [{"first": F("second")}, {"first": F("second"), "second": F("first")}],
    ),
    "stage_format_known": (Stage, [{"format": "stepladder"}], [{"format": "ladder"}, {"format": ""}]),
    "stage_status_known": (Stage, [{"status": "finished"}], [{"status": "over"}]),
    "stage_number_from_one": (Stage, [{"number": 2}], [{"number": 0}]),
    "stage_has_a_group": (Stage, [{"groups": 8}], [{"groups": 0}]),
    "stage_seed_from_one": (StageEntry, [{"seed": 2}], [{"seed": 0}]),
    "stage_group_from_one": (StageEntry, [{"group": 2}], [{"group": 0}]),
    "tournament_round_status": (TournamentRound, [{"status": "published"}], [{"status": "open"}]),
    "tournament_round_from_one": (TournamentRound, [{"number": 2}], [{"number": 0}]),
    "tournament_table_kind_known": (
        TournamentTable,
        [{"kind": "bye"}, {"kind": "double_forfeit"}],
        [{"kind": "lost"}, {"kind": ""}],
    ),
    "tournament_table_from_one": (TournamentTable, [{"number": 2}], [{"number": 0}]),
    "tournament_seat_place_from_one": (TournamentSeat, [{"place": None}, {"place": 2}], [{"place": 0}]),
    "statistics_of_one_subject": (
        Statistics,
        [{"subject": "game", "player": None, "game": "xxl-1"}, {"subject": "club", "player": None}],
        [
            {"subject": "league"},
            {"player": None},
            {"game": "xxl-1"},
            {"subject": "game", "player": None},
            {"subject": "game", "game": "xxl-1"},
            {"subject": "club"},
            {"subject": "club", "player": None, "game": "xxl-1"},
        ],
    ),
    "rating_board_known": (Rating, [{"board": "bots"}, {"board": "cooperative"}], [{"board": "cats"}]),
    "rating_change_board_known": (RatingChange, [{"board": "bots"}], [{"board": "cats"}]),
    "season_session_rules_known": (
        Season,
        [{"incomplete_sessions": "skip", "missing_round": "exclude", "substitution": "seat"}],
        [{"incomplete_sessions": "maybe"}, {"missing_round": "first"}, {"substitution": "both"}],
    ),
    "season_minimums_from_one": (
        Season,
        [{"minimum_sessions": 2, "minimum_rounds": 2}],
        [{"minimum_sessions": 0}, {"minimum_rounds": 0}, {"minimum_sessions": -1}],
    ),
    "session_format_known": (Session, [{"format": "single_game"}, {"format": "series"}], [{"format": "skat"}]),
    "session_status_known": (Session, [{"status": "complete"}], [{"status": "ended"}]),
    "session_plans_a_round": (
        Session,
        [{"format": "individual_xxl", "planned_rounds": 1}],
        [{"format": "individual_xxl", "planned_rounds": 0}],
    ),
    "session_pure_xxl_plans_six_games": (
        Session,
        [{"repeats": 2, "planned_rounds": 12}, {"format": "individual_xxl", "planned_rounds": 7}],
        [
            {"planned_rounds": 7},
            {"repeats": 2},
            {"repeats": 3, "planned_rounds": 18},
            {"repeats": 0},
            {"format": "individual_xxl", "repeats": 2},
        ],
    ),
    "session_counts_when_ended": (
        Session,
        [{"counts": False, "status": "open"}, {"counts": False, "season": None}],
        [{"status": "open"}, {"season": None}],
    ),
    "session_voided_counts_not": (
        Session,
        [{"voided_at": NOON, "counts": False}],
        [{"voided_at": NOON}],
    ),
    "session_confirmation_known": (
        Session,
        [{"confirmation": "confirmed"}, {"confirmation": "disputed", "counts": False}],
        [{"confirmation": "maybe", "counts": False}],
    ),
    "session_counts_when_confirmed": (
        Session,
        [{"confirmation": "awaited", "counts": False}],
        [{"confirmation": "awaited"}, {"confirmation": "disputed"}],
    ),
    "revision_kind_known": (SessionRevision, [{"number": 2, "kind": "voided"}], [{"number": 2, "kind": "lost"}]),
    "seat_from_round_one": (Seat, [{"from_round": 1}], [{"from_round": 0}, {"from_round": -1}]),
    "seat_ends_after_start": (Seat, [{"from_round": 2, "until_round": 2}], [{"from_round": 2, "until_round": 1}]),
    "round_number_from_one": (Round, [{"number": 2}], [{"number": 0}]),
    "score_says_something": (Score, [{"points": None}, {"place": None}], [{"points": None, "place": None}]),
    "score_place_from_one": (Score, [{"place": 1}], [{"place": 0}, {"place": -1}]),
    "result_place_from_one": (SessionResult, [{"place": 2}], [{"place": 0}]),
    "result_place_or_reason": (
        SessionResult,
        [{"place": None, "reason": "not_played"}],
        [{"place": None, "reason": ""}, {"reason": "not_played"}],
    ),
    "standing_has_a_session": (
        Standing,
        [{"sessions": 2, "place_total": 2}],
        [{"sessions": 0, "wins": 0, "place_total": 0}],
    ),
    "standing_wins_at_most_sessions": (Standing, [{"wins": 0}], [{"wins": 2}]),
    "standing_places_from_one": (Standing, [{"place_total": 5}], [{"place_total": 0}]),
    "job_kind_known": (Job, [{"kind": "bot_match"}], [{"kind": "dishes"}, {"kind": ""}]),
    "job_state_known": (Job, [{"state": "failed"}, {"state": "cancelled"}], [{"state": "lost"}]),
    "job_done_at_most_total": (Job, [{"done": 1}], [{"done": 2}, {"done": -1}]),
    "job_runs_on_a_lease": (
        Job,
        # A bot match runs as long as its parts do.
        [{"state": "running", "lease_until": None}, {"kind": "import", "state": "done", "lease_until": None}],
        [
            {"kind": "import", "state": "running", "lease_until": None},
            {"kind": "bot_chunk", "state": "running", "lease_until": None},
        ],
    ),
    "bot_match_1_to_100000_deals": (
        BotMatch,
        [{"deals": 1}, {"deals": 100_000}],
        [{"deals": 0}, {"deals": 100_001}],
    ),
    "bot_match_format_known": (BotMatch, [{"format": "series"}], [{"format": "skat"}, {"format": ""}]),
    "bot_match_game_unless_pure_xxl": (
        BotMatch,
        [{"format": "pure_xxl", "game": ""}, {"format": "individual_xxl"}],
        [{"game": ""}, {"format": "pure_xxl"}],
    ),
    "bot_match_chunk_has_a_deal": (BotMatchChunk, [{"deals": 100}], [{"deals": 0}]),
    "club_game_scored_by_known": (
        ClubGame,
        [{"scored_by": "places"}],
        [{"scored_by": "luck"}, {"scored_by": ""}],
    ),
    "club_game_players_in_order": (
        ClubGame,
        [{"min_players": 4, "max_players": 4}],
        [{"min_players": 0}, {"min_players": 4, "max_players": 3}],
    ),
    "club_game_bounds_in_order": (
        ClubGame,
        [{"minimum": 1, "maximum": 1}, {"minimum": 5, "maximum": None}, {"minimum": None, "maximum": -5}],
        [{"minimum": 2, "maximum": 1}],
    ),
    "club_game_cooperative_has_points": (
        ClubGame,
        [{"cooperative": True}],
        [{"cooperative": True, "scored_by": "places"}],
    ),
    "merge_of_two_players": (PlayerMerge, [{"undone_at": NOON}], [{"target": F("source")}]),
    "import_source_known": (ImportBatch, [{"source": "bgg"}], [{"source": "xls"}, {"source": ""}]),
    "import_state_known": (ImportBatch, [{"state": "applied"}], [{"state": "lost"}, {"state": ""}]),
    "bot_match_seed_in_range": (BotMatch, [{"seed": 0}, {"seed": 2**53 - 1}], [{"seed": -1}, {"seed": 2**53}]),
    "webhook_state_known": (WebhookDelivery, [{"state": "delivered"}], [{"state": "lost"}, {"state": ""}]),
}

# For each uniqueness: what a second row has to differ in beside it, since another rule asks for that.
UNIQUE: dict[str, tuple[type[models.Model], dict[str, Any]]] = {
    "revision_number_once_a_session": (SessionRevision, {}),
    "member_once_a_club": (Member, {}),
    "player_name_once_a_club": (Player, {"member_id": None}),
    "league_slug_once_a_club": (League, {}),
    "season_slug_once_a_league": (Season, {}),
    "seat_player_at_a_time": (Seat, {"number": 1}),
    "seat_one_player_at_a_time": (Seat, {"player_id": "another"}),
    "round_number_once_a_session": (Round, {}),
    "score_once_a_round": (Score, {}),
    "result_once_a_session": (SessionResult, {}),
    "standing_once_a_season": (Standing, {}),
    "rules_version_once_a_season": (SeasonRulesVersion, {}),
    "division_level_once_a_season": (Division, {}),
    "division_player_once_a_season": (DivisionPlayer, {}),
    "sign_up_once_an_evening": (SignUp, {}),
    "tournament_slug_once_a_club": (Tournament, {"pairing_job_id": None}),
    "entry_once_a_tournament": (TournamentEntry, {"seed": None}),
    "entry_seed_once_a_tournament": (TournamentEntry, {"player_id": "another"}),
    "absence_once_from_a_round": (EntryAbsence, {}),
    "pair_wish_once": (PairWish, {}),
    "stage_number_once": (Stage, {}),
    "stage_entry_once": (StageEntry, {"seed": 2}),
    "stage_seed_once": (StageEntry, {"entry_id": "another"}),
    "tournament_round_number_once": (TournamentRound, {}),
    "tournament_table_number_once": (TournamentTable, {}),
    "tournament_seat_once": (TournamentSeat, {"entry_id": "another"}),
    "tournament_seat_entry_once": (TournamentSeat, {"number": 1}),
    "session_once_a_tournament_table": (Session, {}),
    "rating_once_a_board": (Rating, {}),
    "rating_change_once": (RatingChange, {}),
    "statistics_once_a_player": (Statistics, {}),
    "bot_match_seat_once": (BotMatchSeat, {"player_id": "another"}),
    "bot_match_player_once": (BotMatchSeat, {"number": 1}),
    "bot_match_chunk_once": (BotMatchChunk, {"job_id": None}),
    "par_tally_once": (ParTally, {}),
    "club_game_key_once_a_club": (ClubGame, {}),
    "merge_once_at_a_time": (PlayerMerge, {}),
    "import_play_once_a_club": (ImportMark, {}),
    "idempotency_key_once_an_actor": (IdempotencyRecord, {}),
}


def test_no_constraint_is_left_out() -> None:
    declared = {
        (constraint.name, model)
        for model in all_models()
        for constraint in model._meta.constraints
        if isinstance(constraint, CheckConstraint | UniqueConstraint)
    }
    tried = {(name, entry[0]) for name, entry in (CHECKS | UNIQUE).items()}
    # Of these the row of each model is no example: they have a test of their own.
    assert declared == tried | {("statistics_once_a_game", Statistics), ("statistics_once_a_club", Statistics)}


@pytest.fixture(scope="module")
def rows(django_db_setup: None, django_db_blocker: Any) -> Iterator[Rows]:
    """A club with one row of each model, written once: each test takes back what it changes."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield one_of_each("herzclub")
        transaction.set_rollback(True)


@pytest.mark.parametrize("name", CHECKS)
def test_check(rows: Rows, name: str) -> None:
    model, allowed, forbidden = CHECKS[name]
    found = model._base_manager.filter(pk=rows[model].pk)
    for changes in allowed:
        with transaction.atomic():
            assert found.update(**changes) == 1
            transaction.set_rollback(True)
    for changes in forbidden:
        with pytest.raises(IntegrityError), transaction.atomic():
            found.update(**changes)


@pytest.mark.parametrize("name", UNIQUE)
def test_unique(rows: Rows, name: str) -> None:
    model, differing = UNIQUE[name]
    if differing.get("player_id") == "another":
        differing = {"player_id": Player.objects.create(club=rows[Player].club, name="Ben").pk}
    if differing.get("entry_id") == "another":
        differing = {"entry_id": rows[PairWish].second_id}
    with pytest.raises(IntegrityError), transaction.atomic():
        insert(copy_of(rows[model], **differing))


@pytest.mark.parametrize(
    "subject", [{"subject": "game", "game": "xxl-1"}, {"subject": "club"}], ids=lambda one: one["subject"]
)
def test_statistics_once_a_game_and_once_a_club(rows: Rows, subject: dict[str, Any]) -> None:
    insert(copy_of(rows[Statistics], player_id=None, **subject))
    with pytest.raises(IntegrityError), transaction.atomic():
        insert(copy_of(rows[Statistics], player_id=None, **subject))


@pytest.mark.parametrize(
    ("model", "differing"),
    [
        (Player, {"name_key": "ben"}),  # a member is one player
        (ApiToken, {}),  # a prefix finds one token
        (BotMatch, {"session_id": None}),  # a job plays one match
        (BotMatchChunk, {"first_deal": 1}),  # and a part of it one chunk
        (Tournament, {"slug": "winter-cup"}),  # a job pairs in one tournament
        (TournamentFile, {}),  # and takes one file
    ],
)
def test_unique_field(rows: Rows, model: type[models.Model], differing: dict[str, Any]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        insert(copy_of(rows[model], **differing))


def test_no_unique_field_is_left_out() -> None:
    # The other two have their tests where they are refused with words: user names in the set-up, short names of clubs.
    fields = {
        f"{model.__name__}.{field.name}"
        for model in all_models()
        for field in model._meta.concrete_fields
        if field.unique and not field.primary_key
    }
    assert fields == {
        "User.username",
        "Club.slug",
        "Player.member",
        "ApiToken.prefix",
        "Invite.code_sha256",
        "LoginThrottle.key",
        "BotMatch.job",
        "BotMatch.session",
        "BotMatchChunk.job",
        "Tournament.pairing_job",
        "TournamentFile.job",
    }


def test_a_session_of_two_matches(rows: Rows) -> None:
    insert(copy_of(rows[Job]))
    other = Job.objects.filter(parent=None).exclude(pk=rows[Job].pk).get()
    with pytest.raises(IntegrityError), transaction.atomic():
        insert(copy_of(rows[BotMatch], job_id=other.pk))


@pytest.mark.parametrize("name", ["Ann", "ANN", " ann ", "\uff21nn"])
def test_names_that_look_alike_are_one(rows: Rows, name: str) -> None:
    club = rows[Club]
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.create(club=club, name=name)


def test_names_with_other_letters_than_ascii_meet_whatever_their_case(rows: Rows) -> None:
    club = rows[Club]
    Player.objects.create(club=club, name="Özlem Groß")
    Player.objects.create(club=club, name="Ζαΐμης")
    for name in ("özlem groß", "ÖZLEM GROSS", "O\u0308zlem  Gross", "Öz\u200blem Groß", "Ζαΐμης".upper()):
        with pytest.raises(IntegrityError), transaction.atomic():
            Player.objects.create(club=club, name=name)


def test_a_name_is_kept_with_single_spaces_and_its_key_follows_it(rows: Rows) -> None:
    player = Player.objects.get(pk=rows[Player].pk)
    player.name = "  Ann \u00a0 Marie "
    player.save(update_fields=["name"])
    player.refresh_from_db()
    assert (player.name, player.name_key) == ("Ann Marie", "ann marie")
