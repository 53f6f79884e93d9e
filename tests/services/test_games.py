"""A club's own games: logged beside the catalogue's, and never changed under the rounds that were scored by them."""

from datetime import date
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.models import AuditEvent, ClubGame, Player, Session
from league.models.sheets import score_sheet
from league.services import games, results, tournaments
from league.services.errors import Conflict, Forbidden, InputError, NotFound
from league.services.results import RoundInput, ScoreInput, SeatInput, SessionInput
from league.services.tournament_formats import StageInput
from tests.people import NOW, People
from tests.services.given import ANYTHING, DAY, SEASON, by_places, by_points, places_of, record, table

pytestmark = pytest.mark.django_db


def made(people: People, key: str, **fields: Any) -> ClubGame:
    given = {"name": key.title(), **fields}
    return games.create(access=people.access(people.admin), key=key, name=given.pop("name"), fields=given, now=NOW)


def changed(people: People, key: str, **changes: Any) -> ClubGame:
    return games.update(access=people.access(people.admin), key=key, changes=changes, now=NOW)


def one_game(
    *rounds: RoundInput, format: str = "single_game", planned: int | None = None, **given: Any
) -> SessionInput:
    names = dict.fromkeys(str(score.player) for one in rounds for score in one.scores)
    fields: dict[str, Any] = {"players": tuple(SeatInput(name) for name in names), "season": SEASON, **given}
    return SessionInput(
        format=format, played_on=date(2026, 11, 30), rounds=rounds, planned_rounds=planned, status="complete", **fields
    )


def refused(people: People, data: SessionInput) -> list[tuple[object, str]]:
    with pytest.raises(InputError) as caught:
        record(people, data)
    return [(problem.path, problem.code) for problem in caught.value.problems]


def test_low_points_win_where_the_game_says_so_and_enter_the_standings(people: People) -> None:
    made(people, "golf", high_wins=False)
    session = record(people, one_game(by_points("golf", {"Ann": 72, "Ben": -3, "Cem": 72})))
    assert places_of(session) == {"Ann": (2, 2, ""), "Ben": (1, 1, ""), "Cem": (2, 2, "")}
    assert table(people.season)[0] == (1, "Ben", 1, 1, 1)


def test_a_series_of_an_own_game_goes_on_round_by_round(people: People) -> None:
    made(people, "wizard", min_players=3)
    by = people.access(people.scorekeeper)
    first = by_points("wizard", {"Ann": 50, "Ben": -20, "Cem": 110})
    names = ("Ann", "Ben", "Cem")
    opened = SessionInput("series", date(2026, 11, 30), tuple(map(SeatInput, names)), SEASON, planned_rounds=2)
    session = results.record(access=by, data=opened, confirm=ANYTHING, now=NOW)
    results.record_round(access=by, session_id=session.pk, data=first, confirm=(), now=NOW)
    other = by_points("xxl-6", {"Ann": 120, "Ben": 95, "Cem": 95})
    with pytest.raises(InputError, match="“Wizard”"):
        results.record_round(access=by, session_id=session.pk, data=other, confirm=ANYTHING, now=NOW)
    # Archived meanwhile: a session that plays the game ends as it was begun.
    changed(people, "wizard", archived=True)
    last = by_points("wizard", {"Ann": 0, "Ben": 10, "Cem": 10})
    session = results.record_round(access=by, session_id=session.pk, data=last, confirm=(), now=NOW)
    assert session.status == "complete"
    assert places_of(session) == {"Ann": (2 + 3, 3, ""), "Ben": (3 + 1, 2, ""), "Cem": (1 + 1, 1, "")}


def test_a_game_scored_by_places_refuses_points(people: People) -> None:
    made(people, "petanque", scored_by="places")
    data = one_game(by_points("petanque", {"Ann": 13, "Ben": 7}))
    with pytest.raises(InputError, match="scored by places") as caught:
        record(people, data)
    assert [problem.path for problem in caught.value.problems] == [
        ("rounds", 0, "scores", 0, "points"),
        ("rounds", 0, "scores", 1, "points"),
    ]
    session = record(people, one_game(by_places("petanque", {"Ann": 2, "Ben": 1})))
    assert places_of(session) == {"Ann": (2, 2, ""), "Ben": (1, 1, "")}


def test_a_cooperative_game_has_one_result_and_no_places(people: People) -> None:
    made(people, "hanabi", cooperative=True, minimum=0, maximum=25)
    assert refused(people, one_game(by_points("hanabi", {"Ann": 20, "Ben": 19}))) == [
        (("rounds", 0, "scores"), "cooperative_points_differ")
    ]
    session = record(people, one_game(by_points("hanabi", {"Ann": 20, "Ben": 20})))
    assert places_of(session) == {"Ann": (0, None, "no_places"), "Ben": (0, None, "no_places")}
    assert table(people.season) == []


def test_its_limits_are_hard_and_nothing_is_implausible(people: People) -> None:
    made(people, "dice", minimum=-5, maximum=5, min_players=2, max_players=3)
    assert refused(people, one_game(by_points("dice", {"Ann": 6, "Ben": -6}))) == [
        (("rounds", 0, "scores", 0, "points"), "points_above"),
        (("rounds", 0, "scores", 1, "points"), "points_below"),
    ]
    assert refused(people, one_game(by_points("dice", {"Ann": 5}))) == [
        (("rounds", 0, "scores"), "players_out_of_range")
    ]
    note = RoundInput("dice", (ScoreInput("Ann", 1), ScoreInput("Ben", 2)), note="early_end")
    assert refused(people, one_game(note)) == [(("rounds", 0, "note"), "note_not_allowed")]
    record(people, one_game(by_points("dice", {"Ann": 5, "Ben": -5})), confirm=())


def test_a_large_table_fits_where_an_own_game_is_large(people: People) -> None:
    names = {f"Guest {number}": number for number in range(12)}
    for name in names:
        Player.objects.create(club=people.club, name=name)
    assert refused(people, one_game(by_points("werewolf", names)))[0] == (("players",), "players_out_of_range")
    made(people, "werewolf", max_players=24)
    session = record(people, one_game(by_points("werewolf", names)))
    assert places_of(session)["Guest 11"] == (1, 1, "")


@pytest.mark.parametrize("format", ["pure_xxl", "individual_xxl"])
def test_own_games_are_none_of_the_xxl_family(people: People, format: str) -> None:
    made(people, "golf")
    data = one_game(
        by_points("golf", {"Ann": 1, "Ben": 2}), format=format, planned=2 if format == "individual_xxl" else None
    )
    assert refused(people, data) == [(("rounds", 0, "game"), "game_not_in_format")]


@pytest.mark.parametrize("key", ["chess", "Golf", "", "a\0b", "x" * 200])
def test_a_game_that_nobody_knows(people: People, key: str) -> None:
    made(people, "golf")
    with pytest.raises(InputError, match=r"xxl-1, .*golf") as caught:
        record(people, one_game(by_points(key, {"Ann": 1, "Ben": 2})))
    assert [(problem.path, problem.code) for problem in caught.value.problems] == [
        (("rounds", 0, "game"), "unknown_game")
    ]


def test_another_clubs_game_is_unknown(people: People) -> None:
    games.create(access=people.access(people.stranger), key="golf", name="Golf", fields={}, now=NOW)
    assert refused(people, one_game(by_points("golf", {"Ann": 1, "Ben": 2}))) == [
        (("rounds", 0, "game"), "unknown_game")
    ]
    with pytest.raises(NotFound):
        changed(people, "golf", name="Ours")
    made(people, "golf")  # its own one is another game


def test_archived_it_takes_no_new_rounds_until_it_is_brought_back(people: People) -> None:
    made(people, "golf")
    data = one_game(by_points("golf", {"Ann": 1, "Ben": 2}))
    changed(people, "golf", archived=True)
    assert refused(people, data) == [(("rounds", 0, "game"), "game_archived")]
    assert "golf" not in games.available(club=people.club)
    changed(people, "golf", archived=False)
    record(people, data)


def test_what_rounds_were_scored_by_stays(people: People) -> None:
    made(people, "golf")
    record(people, one_game(by_points("golf", {"Ann": 1, "Ben": 2})))
    for change in ({"high_wins": False}, {"scored_by": "places"}, {"cooperative": True}):
        with pytest.raises(Conflict) as caught:
            changed(people, "golf", **change)
        assert caught.value.code == "game_has_rounds"
        assert next(iter(change)) in caught.value.message
    changed(people, "golf", name="Crazy Golf", max_players=8, high_wins=True, minimum=0)
    sheet = score_sheet(Session.objects.get())
    assert sheet.rounds[0].game.name == "Crazy Golf"


def test_a_tournament_that_is_not_over_can_go_on_with_its_game(people: People) -> None:
    """Also before its first round: what it was made for stays; what breaks nothing can be changed."""
    made(people, "tarock", min_players=2, max_players=4)
    access = people.access(people.scorekeeper)
    cup = tournaments.create(
        access=access,
        fields={"name": "Town Cup", "slug": "c", "starts_on": DAY, "session_format": "series", "game": "tarock"},
        stages=[StageInput("swiss", {"rounds": 3})],
        now=NOW,
    )
    breaking: list[dict[str, Any]] = [
        {"archived": True},
        {"max_players": 3},
        {"min_players": 3},
        {"high_wins": False},
        {"scored_by": "places"},
        {"cooperative": True},
    ]
    for changes in breaking:
        with pytest.raises(Conflict, match="“Town Cup”") as caught:
            changed(people, "tarock", **changes)
        assert caught.value.code == "game_in_tournament"
    assert changed(people, "tarock", name="Tarock", max_players=5, minimum=0, archived=False).max_players == 5
    tournaments.archive(access=access, tournament_id=cup.pk, now=NOW)
    assert changed(people, "tarock", archived=True).archived_at == NOW


def test_before_the_first_round_everything_can_be_changed(people: People) -> None:
    made(people, "golf")
    game = changed(people, "golf", high_wins=False, scored_by="places")
    game.refresh_from_db()
    assert (game.high_wins, game.scored_by) == (False, "places")


@pytest.mark.parametrize(
    ("fields", "places"),
    [
        ({"key": "Golf"}, {"key"}),
        ({"key": "x" * 31}, {"key"}),
        ({"key": "-"}, {"key"}),
        ({"name": " "}, {"name"}),
        ({"min_players": 0}, {"min_players"}),
        ({"max_players": 100}, {"max_players"}),
        ({"min_players": 4, "max_players": 3}, {"max_players"}),
        ({"scored_by": "luck"}, {"scored_by"}),
        ({"minimum": 3, "maximum": 2}, {"maximum"}),
        ({"minimum": -100_001, "maximum": 100_001}, {"minimum", "maximum"}),
        ({"scored_by": "places", "cooperative": True, "minimum": 0}, {"scored_by", "minimum"}),
    ],
)
def test_what_no_game_can_be(people: People, fields: dict[str, Any], places: set[str]) -> None:
    given = {"key": "golf", **fields}
    with pytest.raises(InputError) as caught:
        made(people, given.pop("key"), **given)
    assert {problem.path[0] for problem in caught.value.problems} == places
    assert not ClubGame.objects.exists()


def test_keys_are_taken_once_a_club_and_never_from_the_catalogue(people: People) -> None:
    made(people, "golf")
    for key in ("golf", "xxl-1"):
        with pytest.raises(Conflict) as caught:
            made(people, key)
        assert caught.value.code == "key_taken"
    with pytest.raises(Conflict) as caught:
        changed(people, "xxl-1", name="Mine")
    assert caught.value.code == "catalogue_game"


def test_who_may_make_games(people: People) -> None:
    for user in (people.member, people.scorekeeper):
        with pytest.raises(Forbidden):
            games.create(access=people.access(user), key="golf", name="Golf", fields={}, now=NOW)
        with pytest.raises(Forbidden):
            games.update(access=people.access(user), key="golf", changes={"name": "Golf"}, now=NOW)


def test_changes_are_in_the_audit_trail(people: People) -> None:
    game = made(people, "golf")
    changed(people, "golf", name="Crazy Golf", archived=True)
    assert list(AuditEvent.objects.order_by("pk").values_list("action", "object_id", "data")) == [
        ("game.created", game.pk, {"key": "golf"}),
        ("game.updated", game.pk, {"fields": ["archived", "name"]}),
    ]


def test_games_of_the_catalogue_ask_the_database_nothing(people: People) -> None:
    golf = made(people, "golf")
    references = [(("game",), "xxl-1"), (("game",), "the-game")]
    with CaptureQueriesContext(connection) as asked:
        assert list(games.find(club=people.club, references=references)) == ["xxl-1", "the-game"]
    assert len(asked) == 0
    for key in ("wizard", "hanabi"):
        made(people, key)
    with CaptureQueriesContext(connection) as asked:
        found = games.find(club=people.club, references=[(("game",), key) for key in (golf.key, "wizard", "hanabi")])
    assert (len(found), len(asked)) == (3, 1)
