"""BoardGameGeek's plays: every quirk of its answers, with answers made here."""

from datetime import date

import pytest

from league.exchange import formats
from league.exchange.plays import NotRead, Play, PlayFile
from tests.exchange.files import bgg_play, bgg_player, bgg_plays


def read(players: list[str] | None, **attributes: str) -> PlayFile:
    return formats.read(bgg_plays([bgg_play(91, players, **attributes)]))


def only(file: PlayFile) -> Play:
    assert len(file.plays) == 1, file.problems
    return file.plays[0]


def codes(file: PlayFile) -> list[str]:
    return [problem.code for problem in file.problems]


def scores(file: PlayFile) -> dict[str, tuple[int | None, int | None]]:
    return {one.player: (one.points, one.place) for one in only(file).rounds[0].scores}


def test_a_play_as_it_comes() -> None:
    people = [bgg_player("Ann", score="31", win="1"), bgg_player("Ben", score="-5")]
    file = read(people, location="Café Rot", comment="late")
    one = only(file)
    assert (file.source, one.external_id, one.day, one.quantity) == ("bgg", "91", date(2026, 10, 5), 1)
    assert (one.location, one.comment, one.winners) == ("Café Rot", "late", frozenset({"Ann"}))
    assert scores(file) == {"Ann": (31, None), "Ben": (-5, None)}


def test_who_wins_shows_which_score_does() -> None:
    """The answers don't say whether the highest or the lowest score wins."""
    low = [bgg_player("Ann", score="3", win="1"), bgg_player("Ben", score="9")]
    high = [bgg_player("Ann", score="3"), bgg_player("Ben", score="9", win="1")]
    plays = [bgg_play(1, low, game="Low"), bgg_play(2, high, game="High"), bgg_play(3, low[:1], game="Alone")]
    games = formats.read(bgg_plays(plays)).games
    assert {name: game.high_wins for name, game in games.items()} == {"Low": False, "High": True, "Alone": None}


def test_a_play_without_players_is_a_problem() -> None:
    assert codes(read(None)) == ["no_players"]
    assert codes(read([])) == ["no_players"]


def test_scores_are_free_texts() -> None:
    winners = read([bgg_player("Ann", score="5 stars", win="1"), bgg_player("Ben", score="2 stars")])
    assert scores(winners) == {"Ann": (None, 1), "Ben": (None, 2)}
    assert codes(winners) == ["scores_left_out"]
    assert codes(read([bgg_player("Ann", score="5 stars"), bgg_player("Ben", score="3")])) == ["score_not_read"]
    assert codes(read([bgg_player("Ann", score="5"), bgg_player("Ben")])) == ["score_missing"]
    assert codes(read([bgg_player("Ann"), bgg_player("Ben")])) == ["no_result"]
    assert scores(read([bgg_player("Ann", win="1"), bgg_player("Ben")])) == {"Ann": (None, 1), "Ben": (None, 2)}


def test_a_name_may_be_missing_beside_a_user_name() -> None:
    people = [bgg_player("", username="ann77", score="3"), bgg_player("Ben", username="ben", score="1")]
    assert only(read(people)).players == ("ann77", "Ben")
    assert codes(read([bgg_player("", score="3")])) == ["no_name"]
    assert codes(read([bgg_player("Ann", score="3"), bgg_player("ANN", score="1")])) == ["player_twice"]


def test_a_start_position_is_an_order_only_as_numbers() -> None:
    ordered = [bgg_player("Ann", score="3", startposition="2"), bgg_player("Ben", score="1", startposition="1")]
    assert only(read(ordered)).players == ("Ben", "Ann")
    words = [bgg_player("Ann", score="3", startposition="left"), bgg_player("Ben", score="1", startposition="1")]
    assert only(read(words)).players == ("Ann", "Ben")


def test_a_colour_that_names_a_team_stays_out_of_it() -> None:
    people = [bgg_player("Ann", score="3", color="Team 1"), bgg_player("Ben", score="3", color="Team 1")]
    assert scores(read(people)) == {"Ann": (3, None), "Ben": (3, None)}


def test_a_quantity_is_told_and_not_multiplied() -> None:
    assert only(read([bgg_player("Ann", score="3"), bgg_player("Ben", score="1")], quantity="4")).quantity == 4
    assert only(read([bgg_player("Ann", score="3"), bgg_player("Ben", score="1")], quantity="0")).quantity == 1


def test_unfinished_plays_and_days_that_are_none() -> None:
    people = [bgg_player("Ann", score="3"), bgg_player("Ben", score="1")]
    assert codes(read(people, incomplete="1")) == ["unfinished"]
    assert codes(read(people, date="0000-00-00")) == ["no_day"]
    assert codes(read(people, date="2026-02-30")) == ["day_not_read"]
    assert codes(read(people, game="")) == ["no_game"]


def test_a_play_that_comes_twice_is_one() -> None:
    people = [bgg_player("Ann", score="3"), bgg_player("Ben", score="1")]
    file = formats.read(bgg_plays([bgg_play(91, people), bgg_play(91, people)], total=250))
    assert only(file).external_id == "91"
    assert [(one.code, one.line) for one in file.problems] == [("given_twice", 2), ("more_plays_elsewhere", None)]
    assert file.problems[1].params == {"total": 250, "given": 2}


@pytest.mark.parametrize(
    ("data", "code", "text"),
    [
        (bgg_plays([], total=0), "no_plays", ""),
        (
            b'<?xml version="1.0" encoding="utf-8"?><html><title>Error</title><body><br>Invalid user</html>',
            "not_plays",
            "Error Invalid user",
        ),
        (b"<div class='messagebox error'>Invalid object or user</div>", "not_plays", "Invalid object or user"),
        (b"<message>Your request was accepted. Try again later.</message>", "not_plays", "Your request was accepted."),
        (b"<plays total='1'><play id='1'", "invalid_xml", ""),
        (b"<plays>" + b"<a>" * 100_000, "invalid_xml", ""),
        (b'<!DOCTYPE p [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><plays>&b;</plays>', "invalid_xml", ""),
        (b'<!DOCTYPE p SYSTEM "file:///etc/passwd"><plays/>', "invalid_xml", ""),
        (b'<?xml version="1.0" encoding="utf-64"?><plays/>', "invalid_xml", ""),
    ],
)
def test_answers_that_are_no_plays(data: bytes, code: str, text: str) -> None:
    with pytest.raises(NotRead) as refused:
        formats.read(data)
    assert refused.value.code == code
    assert str(refused.value.params.get("text", "")).startswith(text)
