"""BG Stats: every quirk of its files, with files made here."""

import json
from datetime import date
from typing import Any

import pytest

from league.exchange import formats
from league.exchange.plays import FileScore, NotRead, Play, PlayFile
from tests.exchange.files import export, game, play, player, score


def only(file: PlayFile) -> Play:
    assert len(file.plays) == 1, file.problems
    return file.plays[0]


def read(scores: list[dict[str, Any]], *, lists: dict[str, Any] | None = None, **changes: Any) -> PlayFile:
    return formats.read(export([play("U-1", scores, **changes)], **(lists or {})))


def codes(file: PlayFile) -> list[str]:
    return [problem.code for problem in file.problems]


def points(one: Play) -> dict[str, int | None]:
    return {score.player: score.points for score in one.rounds[0].scores}


def places(one: Play) -> dict[str, int | None]:
    return {score.player: score.place for score in one.rounds[0].scores}


def test_a_play_as_it_comes() -> None:
    file = read([score(1, "31"), score(2, "12")], locationRefId=1, comments="after\ndinner", board="")
    assert file.source == "bg_stats"
    one = only(file)
    assert (one.external_id, one.line, one.day) == ("u-1", 1, date(2026, 10, 5))
    assert (one.location, one.comment) == ("Café Rot", "after dinner")
    assert one.players == ("Ann", "Ben")
    assert one.rounds[0].scores == (FileScore("Ann", points=31), FileScore("Ben", points=12))
    assert file.games["Straßenbau"].high_wins is True


def test_a_share_file_is_an_export_with_a_word_about_itself() -> None:
    value = json.loads(export([play("U-1", [score(1, "3"), score(2, "1")])]))
    assert only(formats.read(json.dumps({"about": "a play", **value}).encode())).players == ("Ann", "Ben")


@pytest.mark.parametrize(
    ("text", "value"),
    [("-10+7+22", 19), ("7", 7), ("-3", -3), ("+4", 4), (" 12 - 5 ", 7), ("12.0", 12), (30, 30), (12.0, 12)],
)
def test_scores_are_sums_and_never_evaluated(text: Any, value: int) -> None:
    assert points(only(read([score(1, text), score(2, "0")])))["Ann"] == value


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("7*6", "score_not_read"),
        ("__import__('os')", "score_not_read"),
        ("5 stars", "score_not_read"),
        ("1.5", "score_not_whole"),
        ("9" * 30, "score_not_read"),
        ("1+" * 200 + "1", "score_not_read"),
    ],
)
def test_other_scores_are_problems_of_their_play(text: str, code: str) -> None:
    file = read([score(1, text), score(2, "0")])
    assert (file.plays, codes(file), file.problems[0].line) == ((), [code], 1)


def test_the_day_is_that_of_the_number_or_else_of_the_text() -> None:
    scores = [score(1, "3"), score(2, "1")]
    assert only(read(scores, playDateYmd=0)).day == date(2026, 10, 4)
    assert codes(read(scores, playDateYmd=20261399)) == ["day_not_read"]
    assert codes(read(scores, playDateYmd=0, playDate="")) == ["no_day"]


def test_winners_make_the_places_where_they_were_named_by_hand() -> None:
    """Ann has the most points and Ben was named the winner."""
    file = read([score(1, "9"), score(2, "5", winner=True), score(3, "1")], manualWinner=True)
    assert places(only(file)) == {"Ann": 2, "Ben": 1, "Cem": 2}
    assert codes(file) == ["points_left_out"]


def test_points_stay_where_the_winner_by_hand_is_theirs() -> None:
    file = read([score(1, "9", winner=True), score(2, "5")], manualWinner=1)
    assert points(only(file)) == {"Ann": 9, "Ben": 5}


def test_ranks_that_are_set_count_where_there_are_no_points() -> None:
    """Some write ranks as texts; equal ones share and the next are skipped."""
    lists = {"games": [game(1, "Straßenbau", noPoints=True)]}
    file = read(
        [score(1, "", rank="2"), score(2, "", rank="1"), score(3, "", rank="2"), score(4, "", rank="3")], lists=lists
    )
    assert places(only(file)) == {"Ann": 2, "Ben": 1, "Cem": 2, "Dora": 4}
    assert file.games["Straßenbau"].by_places


def test_everybody_may_win_and_nobody_is_no_result() -> None:
    lists = {"games": [game(1, "Straßenbau", noPoints=True)]}
    assert places(only(read([score(1, winner=True), score(2, winner="true")], lists=lists))) == {"Ann": 1, "Ben": 1}
    assert codes(read([score(1), score(2)], lists=lists)) == ["no_result"]
    assert codes(read([score(1, "3"), score(2, "")])) == ["score_missing"]


def test_a_cooperative_game_has_one_result() -> None:
    lists = {"games": [game(1, "The Game", cooperative=True, highestWins=False)]}
    file = read([score(1, "4"), score(2, "")], lists=lists)
    assert points(only(file)) == {"Ann": 4, "Ben": 4}
    assert only(file).winners == frozenset()
    assert codes(read([score(1, winner=True), score(2, winner=True)], lists=lists)) == ["no_result"]
    assert codes(read([score(1, "4"), score(2, "5")], lists=lists)) == ["no_result"]


def test_players_are_told_apart_by_their_uuid() -> None:
    """Two called Max are two people; a row given twice is one, whatever the case of its uuid."""
    people = [
        player(1, "Max", uuid="AB-1"),
        player(2, "max", uuid="AB-2"),
        player(3, "Max", uuid="ab-1"),
        player(4, "", bggUsername="ann77"),
    ]
    file = read([score(1, "3"), score(2, "2"), score(4, "1")], lists={"players": people})
    assert only(file).players == ("Max", "max (2)", "ann77")
    assert codes(read([score(1, "3"), score(1, "2")], lists={"players": people})) == ["player_twice"]
    assert only(read([score(3, "3"), score(2, "2")], lists={"players": people})).players == ("Max", "max (2)")


def test_the_anonymous_player_may_sit_there_twice() -> None:
    people = [player(1, "Ann"), player(2, "Anonymous player", isAnonymous=True)]
    file = read([score(1, "3"), score(2, "2"), score(2, "1")], lists={"players": people})
    assert only(file).players == ("Ann", "Anonymous player", "Anonymous player (2)")


def test_a_team_without_teams_means_nothing() -> None:
    assert places(only(read([score(1, "3", team="0"), score(2, "1", team="0")]))) == {"Ann": None, "Ben": None}


def test_seats_are_an_order_only_where_all_are_set() -> None:
    assert only(read([score(1, "3", seatOrder=2), score(2, "1", seatOrder="1")])).players == ("Ben", "Ann")
    assert only(read([score(1, "3", seatOrder=2), score(2, "1"), score(3, "1")])).players == ("Ann", "Ben", "Cem")


def test_ignored_and_deleted_plays_are_left_out() -> None:
    plays = [
        play("U-1", [score(1, "3"), score(2, "1")], ignored=True),
        play("U-2", [score(1, "3"), score(2, "1")]),
        play("u-2", [score(1, "4"), score(2, "1")]),
        play("U-3", [score(1, "3"), score(2, "1")]),
    ]
    file = formats.read(export(plays, deletedObjects=[{"uuid": "u-3", "objectType": "play", "modificationDate": ""}]))
    assert [one.external_id for one in file.plays] == ["u-2"]
    assert [(one.code, one.line, one.is_error) for one in file.problems] == [
        ("ignored_there", 1, False),
        ("given_twice", 3, False),
        ("ignored_there", 4, False),
    ]


def test_the_board_is_part_of_the_games_name() -> None:
    file = read([score(1, "3"), score(2, "1")], board="Pure XXL")
    assert only(file).rounds[0].game == "Straßenbau: Pure XXL"
    assert file.games["Straßenbau: Pure XXL"].also[0] == "Pure XXL"


def test_what_a_play_points_at_has_to_be_there() -> None:
    assert codes(read([score(1, "3"), score(9, "1")])) == ["no_name"]
    assert codes(read([score(1, "3")], gameRefId=5)) == ["no_game"]
    assert codes(read([])) == ["no_players"]
    assert only(read([score(1, "3"), score(2, "1")], locationRefId=8)).location == ""
    assert codes(formats.read(export(["a text", 5]))) == ["not_an_object"] * 2  # type: ignore[list-item]


def test_a_play_without_a_uuid_has_the_same_id_every_time() -> None:
    def identity(text: str, uuid: Any) -> str:
        return only(formats.read(export([play(uuid, [score(1, text), score(2, "1")])]))).external_id

    assert identity("3", "") == identity("3", None) != identity("4", "")


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"{", "invalid_json"),
        (b"[" * 200_000, "invalid_json"),
        (b'{"plays": 5}', "unknown_format"),
        (b"[1, 2]", "unknown_format"),
        (b'{"plays": [], "players": [], "games": []}', "no_plays"),
        (b'{"plays": [' + b"9" * 5000 + b"]}", "invalid_json"),
        (b"PK\x03\x04 rest of a workbook", "spreadsheet"),
        (b"\xd0\xcf\x11\xe0 an older one", "spreadsheet"),
    ],
)
def test_files_that_hold_nothing(data: bytes, code: str) -> None:
    with pytest.raises(NotRead) as refused:
        formats.read(data)
    assert refused.value.code == code


def test_a_file_that_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "MAX_BYTES", 10)
    with pytest.raises(NotRead) as refused:
        formats.read(b"x" * 11)
    assert (refused.value.code, refused.value.params) == ("too_large", {"maximum": 10})
