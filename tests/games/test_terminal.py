"""The terminal program, from its arguments to what it prints."""

import io
import json
import os
import pty
import re
import select
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from games.__main__ import main
from games.bots import BOTS, bots_for
from games.catalog import GAMES
from games.core import AnyGame, Playthrough
from games.record import Record
from games.terminal import Progress, language_of, paint
from tests.games.golden import GOLDEN

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "games"]
ENVIRON = {
    key: value
    for key, value in os.environ.items()
    if key not in {"LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG", "NO_COLOR"}
}

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Call the program with arguments and lines of input: its exit status, output and errors."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)

    def call(*arguments: str, typed: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        status = main(arguments)
        shown = capsys.readouterr()
        return status, shown.out, shown.err

    return call


# Listing and rules.


def test_list_names_every_game(run: Run) -> None:
    status, out, _err = run("list")
    assert status == 0
    table, *rest = out.split("\n\n")
    rows = {line.split()[0]: line for line in table.splitlines()[1:]}
    assert list(rows) == list(GAMES)
    for key, info in GAMES.items():
        assert info.titles["en"] in rows[key]
        assert info.titles["de"] in rows[key]
        assert f"{info.min_players}-{info.max_players}" in rows[key]
    assert "most points" in rows["xxl-6"]
    assert "team, fewest points" in rows["the-game"]
    assert rest[-1] == f"Bots, from the weakest to the strongest: {', '.join(BOTS)}.\n"


def test_a_game_without_rules_is_listed_as_such(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    games = {**GAMES, "xxl-6": replace(GAMES["xxl-6"], engine=None)}
    monkeypatch.setattr("games.__main__.GAMES", games)
    assert "Can only be logged, not played here: xxl-6.\n" in run("list")[1]
    assert "This game can only be logged, not played here." in run("rules", "xxl-6")[1]
    assert "xxl-6 can only be logged." in run("watch", "xxl-6")[2]


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_list_fits_into_a_hundred_columns(run: Run, language: str) -> None:
    assert max(map(len, run("list", "--language", language)[1].splitlines())) < 100


@pytest.mark.parametrize("key", GAMES)
def test_rules_name_the_page_with_all_of_them(run: Run, key: str) -> None:
    status, out, _err = run("rules", key)
    assert status == 0
    info = GAMES[key]
    assert info.name in out
    assert info.engine is None or f"\n{key}, rules version {info.engine.version}\n" in out
    assert info.engine is None or info.engine.rules in out
    page = re.search(r"docs/rules/\S+", out)
    assert page is not None
    assert (ROOT / page[0]).is_file()


# Watching.


def table_of(engine: AnyGame, seats: int) -> list[str]:
    return [engine.key, "--seats", str(seats)]


each_table = pytest.mark.parametrize(("engine", "seats"), GOLDEN, ids=lambda value: getattr(value, "key", value))


@each_table
def test_a_watched_game_is_saved_and_watched_again(run: Run, tmp_path: Path, engine: AnyGame, seats: int) -> None:
    file = tmp_path / "game.json"
    arguments = ("watch", *table_of(engine, seats), "--bots", "random", "--seed", "7")
    status, out, _err = run(*arguments, "--save", str(file))
    assert status == 0
    record = Record.from_json(json.loads(file.read_text()))
    assert record.seed == 7
    assert record.verify() is None
    played = record.replay()
    outcome = played.outcome()
    assert outcome is not None
    for seat, word in record.moves:
        assert f"Seat {seat} (random): {word}\n" in out
    if outcome.places is None:
        assert f"Result of the table: {outcome.scores[0]}\n" in out
    else:
        for seat in range(seats):
            assert re.search(rf"^{seat} +random +{outcome.scores[seat]} +{outcome.places[seat]}$", out, re.MULTILINE)

    assert run(*arguments)[1] == out.replace(f"The record is in {file}.\n", "")
    status, again, _err = run("watch", "--from-record", str(file))
    assert status == 0
    assert again.replace("(-)", "(random)").count("(random): ") == len(record.moves)
    assert played.game.draw(played.view(None)) in again


@each_table
def test_other_seats_moves_are_not_told_to_a_seat_or_a_spectator(run: Run, engine: AnyGame, seats: int) -> None:
    arguments = ("watch", *table_of(engine, seats), "--bots", "random", "--seed", "3")
    _status, out, _err = run(*arguments, "--seat", "spectator")
    assert not re.search(r"^Seat \d+ \(random\): ", out, re.MULTILINE)
    assert "Seat 0 (random) has moved." in out
    _status, out, _err = run(*arguments, "--seat", "0")
    assert {found[1] for found in re.finditer(r"^Seat (\d+) \(random\): ", out, re.MULTILINE)} <= {"0"}
    # A position is drawn as the seat sees it, and the end as everybody does.
    dealt = Playthrough(engine, seats, 3)
    assert dealt.game.draw(dealt.view(0)) in out


def test_a_short_list_of_bots_is_repeated_and_a_long_one_makes_the_table_larger(run: Run) -> None:
    _status, out, _err = run("watch", "xxl-6", "--bots", "random,random,random,random,random")
    assert "Seats: 5," in out
    _status, out, _err = run("watch", "xxl-6", "--bots", "random")
    assert "Seats: 4," in out


def test_options_are_agreed_on(run: Run) -> None:
    _status, out, _err = run(
        "watch", "xxl-6", "--bots", "random", "--seed", "7", "--option", "dealer=1", "--option", "deck=default"
    )
    assert "dealer 1" in out


def test_an_unfinished_record_is_shown_as_far_as_it_goes(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    run("watch", "xxl-6", "--bots", "random", "--seed", "7", "--save", str(file))
    data = json.loads(file.read_text())
    data["moves"] = data["moves"][:5]
    file.write_text(json.dumps(data))
    status, out, _err = run("watch", "xxl-6", "--from-record", str(file))
    assert status == 0
    assert "The game is not finished; moves so far: 5." in out


def test_a_record_that_departs_from_the_rules_is_shown_up_to_there(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    run("watch", "xxl-6", "--bots", "random", "--seed", "7", "--save", str(file))
    data = json.loads(file.read_text())
    data["moves"][6] = data["moves"][0]
    file.write_text(json.dumps(data))
    status, out, err = run("watch", "--from-record", str(file))
    assert status == 1
    assert err.startswith("Move 7: ")
    assert "moves so far: 6" in out
    status, _out, err = run("play", "--from-record", str(file))
    assert status == 1
    assert "--from-record: Move 7: " in err


# Playing.


class Person:
    """Standard input of somebody who types what the bot hints at, word for word, reading the output as it comes."""

    def __init__(self, screen: io.StringIO) -> None:
        self.screen = screen
        self.has_hint = False

    def isatty(self) -> bool:
        return False

    def fileno(self) -> int:
        raise io.UnsupportedOperation

    def readline(self) -> str:
        self.has_hint = not self.has_hint
        return "hint\n" if self.has_hint else re.findall(r"would choose: (.+\n)", self.screen.getvalue())[-1]


@each_table
def test_every_game_can_be_played_by_words(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, engine: AnyGame, seats: int
) -> None:
    screen, file = io.StringIO(), tmp_path / "game.json"
    # Hints are words whoever gives them; the strongest would think for seconds.
    monkeypatch.setattr("games.__main__.bots_for", lambda key: bots_for(key)[:2])
    monkeypatch.setattr("sys.stdout", screen)
    monkeypatch.setattr("sys.stdin", Person(screen))
    last = str(seats - 1)
    arguments = ("play", *table_of(engine, seats), "--seat", last, "--bots", "random", "--seed", "5")
    if seats == 1:
        arguments = arguments[:-4] + arguments[-2:]
    assert main([*arguments, "--language", "en", "--save", str(file)]) == 0
    out = screen.getvalue()
    record = Record.from_json(json.loads(file.read_text()))
    played = record.replay()
    outcome = played.outcome()
    assert outcome is not None
    assert "The game is over: " in out
    own = [word for seat, word in record.moves if seat == seats - 1]
    assert own == re.findall(r"would choose: (.+)", out)
    if outcome.places is not None:
        assert re.search(rf"^{last} +you +{outcome.scores[-1]} +{outcome.places[-1]}$", out, re.MULTILINE)


def test_news_are_whole_lines(run: Run, tmp_path: Path) -> None:
    """A line that the game breaks is told whole, also where only a part of it changed."""
    file = tmp_path / "game.json"
    arguments = ("play", "xxl-4", "--seats", "6", "--bots", "random", "--seed", "11", "--save", str(file))
    _status, out, _err = run(*arguments, typed="done\n" * 30)
    record = Record.from_json(json.loads(file.read_text()))
    whole: set[str] = set()
    for moves in range(len(record.moves) + 1):
        played = replace(record, moves=record.moves[:moves]).replay()
        drawing = played.game.draw(played.view(0)).replace(" *", "")
        whole.update(re.sub(r"\n +", " ", drawing).splitlines())
    news = re.findall(r"^    (\S.*)", out, re.MULTILINE)
    assert max(map(len, news)) > 120
    assert not [line for line in news if line not in whole]
    # Whose turn it is, is no news of a player of whom nothing else changed.
    assert not [line for line in news if " *" in line]


def test_others_cards_are_not_shown(run: Run) -> None:
    """At the first own move, nothing has been printed of the cards still in the other hands."""
    status, out, _err = run("play", "xxl-6", "--seats", "3", "--seed", "7", typed="quit\n")
    assert status == 0
    dealt = Playthrough(GAMES["xxl-6"].engine or pytest.fail("no engine"), 3, 7)
    played = set(re.findall(r"\d:(\S+/\S+)", out))
    others = {word for seat in (1, 2) for word in dealt.view(seat)["hand"]} - played
    assert len(others) == 22
    assert not [word for word in others if word in out]
    for word in dealt.view(0)["hand"]:
        assert word in out


def test_moves_by_number(run: Run, tmp_path: Path) -> None:
    """The first legal move each time: 1 is it wherever the moves are numbered."""
    file = tmp_path / "game.json"
    status, _out, _err = run("play", "xxl-6", "--seats", "2", "--seed", "7", "--save", str(file), typed="1\n" * 12)
    assert status == 0
    record = Record.from_json(json.loads(file.read_text()))
    replayed = Playthrough(GAMES["xxl-6"].engine or pytest.fail("no engine"), 2, 7, record.options)
    for index, turn in enumerate(record.replay().turns):
        if turn.seat == 0:
            assert turn.move == replayed.game.legal(replayed.state, 0)[0], index
        replayed.play(turn)


def test_numbers_are_words_where_a_game_has_such(run: Run) -> None:
    """Where a number is a move of the game, typing it means that move and never a line of a list."""
    for key, info in GAMES.items():
        if info.engine is None:
            continue
        dealt = Playthrough(info.engine, info.engine.seats[-1], 7)
        words = [dealt.game.describe(move) for move in dealt.game.legal(dealt.state, dealt.to_move()[0])]
        if not any(word.lstrip("-").isdecimal() for word in words):
            continue
        seat = str(dealt.to_move()[0])
        arguments = ("play", key, "--seats", str(info.engine.seats[-1]), "--seat", seat, "--seed", "7")
        _status, out, _err = run(*arguments, typed="moves\nquit\n")
        assert not re.search(r"^ 1 ", out, re.MULTILINE), key


def test_what_can_be_typed(run: Run) -> None:
    typed = "help\nhint\nrules\nmoves\n\nthirteen\n99\nred0/yellow1\n"
    status, out, _err = run("play", "xxl-6", "--seats", "2", "--seat", "0", "--seed", "7", typed=typed)
    assert status == 0
    engine = GAMES["xxl-6"].engine
    assert engine is not None
    assert "save FILE: write the game so far to a new file" in out
    assert f"The bot {bots_for('xxl-6')[-1]} would choose: " in out
    assert engine.rules in out
    assert "'thirteen' is no card of the deck." in out
    assert re.search(r"The moves have the numbers 1 to \d+\.", out)
    # The input ended: the game is left, and says how far it is.
    assert "The game is not finished" in out


def test_a_refused_move_is_told_and_asked_for_again(run: Run) -> None:
    """Each card of the deck that is no legal move: the engine's own sentence, and the turn stays."""
    dealt = Playthrough(GAMES["xxl-6"].engine or pytest.fail("no engine"), 2, 7)
    foreign = dealt.view(1)["hand"][0]
    status, out, _err = run("play", "xxl-6", "--seats", "2", "--seed", "7", typed=f"{foreign}\nquit\n")
    assert status == 0
    assert f"{foreign} is not in your hand." in out


def test_saving_and_going_on(run: Run, tmp_path: Path) -> None:
    file, other = tmp_path / "game.json", tmp_path / "whole.json"
    start = ("play", "xxl-6", "--seats", "2", "--seed", "7")
    _status, out, _err = run(*start, typed=f"1\nsave {file}\nsave {file}\nsave\n{other}\nsave {tmp_path}/no/x\nquit\n")
    assert f"The record is in {file}." in out
    assert f"The file {file} exists already: name another." in out
    assert file.read_text() == other.read_text()
    assert "The record can't be written: " in out
    before = len(json.loads(file.read_text())["moves"])
    assert before >= 1
    ended = tmp_path / "ended.json"
    status, _out, _err = run("play", "--from-record", str(file), "--save", str(ended), typed="1\n" * 11)
    assert status == 0
    moves = json.loads(ended.read_text())["moves"]
    assert moves[:before] == json.loads(file.read_text())["moves"]
    assert len(moves) == 24


LONG_NUMBER = "9" * 5000
"""More digits than Python turns into a number."""


def test_nothing_that_is_typed_ends_the_game(run: Run) -> None:
    typed = [
        LONG_NUMBER,
        "0" * 5000 + "1",
        "x" * 100_000,
        "\x00",
        "\x1b[31mred",
        "٣",
        "红1/蓝7",
        "\udcff",
        "save a\x00b",
    ]
    typed += ["save " + "y" * 300, "save /", "save /nowhere/at/all"]
    for key, info in GAMES.items():
        if info.engine is None:
            continue
        seats = str(info.engine.seats[0])
        arguments = ("play", key, "--seats", seats, "--bots", "random", "--seed", "7")
        status, out, err = run(*arguments, typed="\n".join([*typed, "quit", ""]))
        assert (status, err) == (0, ""), key
        assert out.count("The record can't be written: ") == 3, key
        assert out.count("The file / exists already") == 1, key
        assert "\x1b" not in out, key


def test_bytes_that_are_no_text_end_no_game() -> None:
    """Where the terminal promises UTF-8, and Python by itself would insist on it."""
    ran = subprocess.run(
        [*COMMAND, "play", "xxl-6", "--seats", "2"],
        cwd=ROOT,
        env={**ENVIRON, "PYTHONIOENCODING": "utf-8:strict"},
        input=b"\xff\xfe\nquit\n",
        capture_output=True,
        check=True,
    )
    assert b"is no card of the deck" in ran.stdout


# Measuring.


def test_arena(run: Run) -> None:
    arguments = ("arena", "xxl-6", "--bots", "random", "--deals", "3", "--seed", "5", "--seats", "3")
    status, out, err = run(*arguments)
    assert (status, err) == (0, "")
    assert "xxl-6; seats: 3, deals: 3, games: 3, seed: 5" in out
    assert re.search(r"^random +9 +\d\.\d\d ± \d\.\d\d +[\d.]+ ± [\d.]+ +[\d.]+ ± [\d.]+$", out, re.MULTILINE)
    status, out, _err = run(*arguments, "--json")
    data = json.loads(out)
    assert (data["game"], data["seats"], data["deals"], data["seed"], data["games"]) == ("xxl-6", 3, 3, 5, 3)
    standing = data["standings"][0]
    assert standing["bot"] == "random"
    assert set(standing["place"]) == {"mean", "margin"}


def test_arena_of_a_cooperative_game_has_no_places(run: Run) -> None:
    _status, out, _err = run("arena", "the-game", "--bots", "random", "--deals", "2", "--seed", "5")
    assert re.search(r"^random +8 +- +[\d.]+ ± [\d.]+ +-$", out, re.MULTILINE)


def test_bench(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.bench.measure.__kwdefaults__", {"runs": 1, "seconds": 0.005, "on_run": None})
    status, out, _err = run("bench", "xxl-6", "the-game", "--json")
    assert status == 0
    results = json.loads(out)["results"]
    assert [(one["game"], one["seats"]) for one in results] == [("xxl-6", 4), ("the-game", 4)]
    assert all(one["actions_per_second"] > 0 and one["state_bytes"] > 0 for one in results)
    _status, out, _err = run("bench", "xxl-6", "--all-counts")
    assert [line.split()[:2] for line in out.splitlines()[1:6]] == [["xxl-6", str(seats)] for seats in range(2, 7)]
    # Nobody named a game: those that one can play alone.
    _status, out, _err = run("bench", "--seats", "1")
    assert [line.split()[0] for line in out.splitlines()[1:-1]] == ["the-game"]


@pytest.mark.parametrize("page", ["README.md", "docs/games.md"])
def test_commands_of_the_pages_work(run: Run, monkeypatch: pytest.MonkeyPatch, page: str) -> None:
    monkeypatch.setattr("games.bench.measure.__kwdefaults__", {"runs": 1, "seconds": 0.005, "on_run": None})
    text = (ROOT / page).read_text(encoding="utf-8")
    commands = re.findall(r"(?<=python -m games )[^`#\n]+", text)
    assert commands
    for command in commands:
        status, out, err = run(*command.split(), typed="quit\n")
        assert (status, err) == (0, ""), command
        assert out


# What can't be used.


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["watch"], "Name a game: xxl-1, "),
        (["watch", "skat"], "game must be one of xxl-1, "),
        (["rules", "skat"], "not “skat”"),
        (["watch", "xxl-6", "--seats", "7"], "--seats must be a whole number from 2 to 6, not “7”."),
        (["watch", "xxl-6", "--seats", "two"], "--seats must be a whole number from 2 to 6, not “two”."),
        (["arena", "the-game", "--seats", "0"], "--seats must be a whole number from 1 to 5, not “0”."),
        (["watch", "xxl-6", "--seed", "-1"], "--seed must be a whole number from 0 to 9007199254740991, not “-1”."),
        (["watch", "xxl-6", "--seed", "1_0"], "--seed must be a whole number"),
        (["watch", "xxl-6", "--seed", "9" * 5000], "--seed must be a whole number"),
        (["watch", "xxl-6", "--bots", "random,clever"], "--bots must be names out of random"),
        (["watch", "xxl-6", "--bots", ""], "--bots must be names out of random"),
        (
            ["watch", "xxl-6", "--bots", "random,planner"],
            "--bots must be names out of random, greedy, search for xxl-6; “planner” does not play it.",
        ),
        (["watch", "xxl-6", "--seats", "2", "--bots", "random,random,random"], "no more bots than there are seats"),
        (["watch", "xxl-6", "--seat", "4"], "--seat must be a whole number from 0 to 3, not “4”."),
        (["watch", "xxl-6", "--seat", "dealer"], "--seat must be a seat from 0 to 3 or “spectator”"),
        (["play", "xxl-6", "--seat", ""], "--seat must be a whole number from 0 to 3, not “”."),
        (["watch", "xxl-6", "--option", "dealer"], "--option must be KEY=VALUE, not “dealer”."),
        (["watch", "xxl-6", "--option", "dealer=9"], "The option dealer of xxl-6 with 4 seats must be one of 0, 1"),
        (["watch", "xxl-6", "--option", "dealer=1", "--option", "dealer=2"], "--option gives dealer twice."),
        (["watch", "xxl-6", "--option", "trump=red"], "xxl-6 has no option 'trump'"),
        (["arena", "xxl-6", "--option", "dealer=9"], "The option dealer of xxl-6"),
        (["watch", "xxl-6", "--save", "pyproject.toml"], "--save must name a new file"),
        (["watch", "xxl-6", "--save", "nowhere/game.json"], "--save must name a file in a folder that is there"),
        (["watch", "xxl-6", "--save", "x" * 300], "--save must name a new file; xxx"),
        (["watch", "--from-record", "nothing.json"], "--from-record must name a file with the record of a game"),
        (["watch", "--from-record", "pyproject.toml"], "it is not JSON"),
        (["watch", "--from-record", "tests/data/evenings/four-players.json"], "A record must have the field game."),
        (["arena", "xxl-6", "--bots", "random,random"], "--bots must name each bot once"),
        (["arena", "xxl-6", "--deals", "0"], "--deals must be a whole number from 1 to 1000000, not “0”."),
        (["arena", "xxl-6", "--deals", ""], "--deals must be a whole number from 1 to 1000000, not “”."),
        (["play", "xxl-6", "--seat", "4"], "--seat must be a whole number from 0 to 3, not “4”."),
        (["bench", "xxl-6", "--seats", "7"], "--seats must be a whole number from 2 to 6"),
        (["bench", "--seats", "7"], "--seats must be a whole number from 1 to 6"),
        (["bench", "--seats", "4", "--all-counts"], "--seats can't be given with --all-counts."),
        (["list", "--colour", "pink"], "--colour must be one of auto, never, always, not “pink”."),
        (["list", "--language", "fr"], "--language must be one of en, de, not “fr”."),
        (["list", "--language", ""], "--language must be one of en, de, not “”."),
        (["list", "--colour", ""], "--colour must be one of auto, never, always, not “”."),
        (["watch", "xxl-6", "--fast"], "--fast is not known here"),
        (["watch", "xxl-6", "--bots"], "--bots: expected one argument"),
        (["gamble"], "gamble"),
    ],
    ids=lambda value: " ".join(value)[:80] if isinstance(value, list) else "",
)
def test_refused_arguments(run: Run, monkeypatch: pytest.MonkeyPatch, arguments: list[str], told: str) -> None:
    monkeypatch.chdir(ROOT)
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert told in err
    assert err.count("\n") == 1


def test_a_refusal_is_one_line_whatever_it_quotes(run: Run) -> None:
    assert run("rules", "a\x1b[31m\nb")[2].endswith(", not “a\\x1b[31m\\nb”.\n")
    err = run("rules", "x" * 100_000)[2]
    assert len(err) < 1100
    assert err.endswith("xxx…\n")


def test_arguments_that_go_with_no_record(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    run("watch", "xxl-6", "--bots", "random", "--seed", "7", "--save", str(file))
    for name, value in (("bots", "random"), ("seats", "4"), ("seed", "7"), ("option", "dealer=1")):
        status, _out, err = run("watch", "--from-record", str(file), f"--{name}", value)
        assert (status, err) == (2, f"--{name} can't be given with --from-record.\n")
    status, _out, err = run("watch", "xxl-1", "--from-record", str(file))
    assert (status, err) == (2, "game must be xxl-6, as in the record, or be left out; not “xxl-1”.\n")


def test_no_command_shows_what_there_is(run: Run) -> None:
    status, out, err = run()
    assert (status, out) == (2, "")
    for name in ("list", "rules", "watch", "play", "arena", "bench"):
        assert re.search(rf"^    {name} ", err, re.MULTILINE)


# Colours and languages.


def test_each_half_of_a_card_is_painted_in_its_colour() -> None:
    red, blue, end = "\x1b[97;48;5;160m", "\x1b[97;48;5;26m", "\x1b[0m"
    assert paint("red4/blue7") == f"{red}red4{end}/{blue}blue7{end}"
    assert paint("open: blue.") == f"open: {blue}blue{end}."
    assert paint("blue 7 does not fit") == f"{blue}blue 7{end} does not fit"
    assert paint("Bored of bluefish, tired, yellowish 3") == "Bored of bluefish, tired, yellowish 3"


def _luminance(index: int) -> float:
    """Relative luminance (WCAG 2, "relative luminance") of a colour of xterm's 256."""
    cube = (0, 95, 135, 175, 215, 255)
    rgb = [cube[(index - 16) // step % 6] for step in (36, 6, 1)]
    linear = [
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in (one / 255 for one in rgb)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("colour", ["red", "yellow", "green", "blue"])
def test_letters_are_legible_on_their_ground(colour: str) -> None:
    """WCAG 2, 1.4.3: a contrast of 4.5 or more, whatever colour the terminal has around it."""
    found = re.match(r"\x1b\[(97|30);48;5;(\d+)m", paint(colour))
    assert found is not None
    letters, ground = (1.0 if found[1] == "97" else 0.0), _luminance(int(found[2]))
    assert (max(letters, ground) + 0.05) / (min(letters, ground) + 0.05) >= 4.5


def test_colours_are_for_terminals_unless_asked_for(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b" not in run("rules", "xxl-6")[1]
    assert "\x1b[97;48;5;28mgreen1\x1b[0m" in run("rules", "xxl-6", "--colour", "always")[1]
    assert "\x1b[97;48;5;28mgreen1\x1b[0m" in run("--colour", "always", "rules", "xxl-6")[1]
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" in run("rules", "xxl-6", "--colour", "always")[1]


def test_german(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    status, out, _err = run("watch", "xxl-6", "--bots", "random", "--seed", "7", "--language", "de")
    assert status == 0
    assert "Ich bestimm die Farbe!" in out
    assert "Sitze: 4, Startwert: 7" in out
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    assert "wer gewinnt" in run("list")[1]
    assert "who wins" in run("--language", "en", "list")[1]
    assert run("watch", "xxl-6", "--seats", "7")[2] == "--seats ist eine ganze Zahl von 2 bis 6, nicht „7“.\n"
    with pytest.raises(SystemExit):
        run("play", "--help")


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "fr_FR"}, "en"),
        ({"LANG": "en_GB", "LC_ALL": "de"}, "de"),
        ({"LANG": "de_DE", "LANGUAGE": "en:de"}, "en"),
        ({"LANG": "en_GB", "LANGUAGE": "fr:de"}, "de"),
        ({"LANG": "de_DE", "LANGUAGE": "fr"}, "de"),
        ({"LANG": "de_DE", "LANGUAGE": ""}, "de"),
    ],
)
def test_the_language_that_the_environment_asks_for(environ: dict[str, str], language: str) -> None:
    assert language_of(environ) == language


# Streams and disks that fail.


def shell(script: str) -> tuple[int, bytes]:
    """Exit status and errors of a line for the shell, in which games is the program."""
    script = f'games() {{ {shlex.join(COMMAND)} "$@"; }}; {script}'
    ran = subprocess.run(["bash", "-c", script], cwd=ROOT, env=ENVIRON, capture_output=True, check=False)
    return ran.returncode, ran.stderr


@pytest.mark.parametrize(
    "command", ["list", "watch xxl-6 --bots random", "play xxl-6 --bots random", "arena xxl-6 --bots random --deals 1"]
)
def test_a_full_disk_is_told(command: str) -> None:
    status, err = shell(f"games {command} >/dev/full </dev/null")
    assert (status, err) == (74, b"The output can't be written: No space left on device.\n")


def test_closed_streams() -> None:
    assert shell("games list >&-") == (0, b"")
    assert shell("games watch xxl-6 --bots random <&- >/dev/null") == (0, b"")
    assert shell("games play xxl-6 --bots random <&- >/dev/null") == (0, b"")
    assert shell("games list <&- >&- 2>&-") == (0, b"")
    assert shell("games gamble 2>&-") == (2, b"")


def test_errors_that_cannot_be_told_leave_the_exit_status() -> None:
    assert shell("games gamble 2>/dev/full") == (2, b"")
    assert shell("games list >/dev/full 2>/dev/full") == (74, b"")


@pytest.mark.parametrize(("command", "blocks"), [("watch xxl-4", 1), ("play xxl-6", 0)])
def test_a_record_that_does_not_fit_leaves_no_file(tmp_path: Path, command: str, blocks: int) -> None:
    """A file may have so many blocks of 1,024 bytes; the record of a whole game of xxl-4 has more than one."""
    file = tmp_path / "game.json"
    status, err = shell(
        f"ulimit -f {blocks}; games {command} --bots random --seed 7 --save {file} </dev/null | cat; exit $PIPESTATUS"
    )
    assert (status, err) == (74, b"")
    assert not file.exists()


# A real terminal.


# What Ctrl-C reaches is the terminal that a session calls its own, and only the session itself can say so.
IN_TERMINAL = """
import fcntl, runpy, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
runpy.run_module("games", run_name="__main__", alter_sys=True)
"""


class Typed:
    """The program in a terminal of its own."""

    def __init__(self, arguments: Sequence[str], environ: dict[str, str]) -> None:
        self.near, far = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-c", IN_TERMINAL, *arguments],
            cwd=ROOT,
            env={**ENVIRON, "TERM": "xterm-256color", "COLUMNS": "100", **environ},
            stdin=far,
            stdout=far,
            stderr=far,
            start_new_session=True,
        )
        os.close(far)
        self.text = ""

    def until(self, pattern: str) -> str:
        """Read on until the pattern has come, or the end; what was read since the last call."""
        begin, deadline = len(self.text), time.monotonic() + 120
        while not re.search(pattern, self.text[begin:]):
            ready, _w, _x = select.select([self.near], [], [], max(0, deadline - time.monotonic()))
            assert ready, self.text
            try:
                read = os.read(self.near, 65536)
            except OSError:  # the other side is closed
                read = b""
            if not read:
                break
            self.text += read.decode()
        return self.text[begin:]

    def type(self, text: str) -> None:
        os.write(self.near, text.encode())

    def interrupt(self) -> None:
        """Press Ctrl-C until it is heard: between a prompt and reading the answer the system may miss it."""
        while self.process.poll() is None:
            self.type("\x03")
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                continue

    def status(self) -> int:
        """Read the rest and wait."""
        self.until("(?!)")
        os.close(self.near)
        return self.process.wait(120)


PROMPT = "q: quit "


def test_watching_step_by_step_in_colour() -> None:
    session = Typed(["watch", "xxl-6", "--seed", "7"], {})
    assert "\x1b[97;48;5;" in session.until(PROMPT)
    session.type("\n")
    assert "Move 2" in session.until(PROMPT)
    session.type("a\n")
    rest = session.until("place")
    assert "Move 48" in rest
    assert "The game is over" in rest
    assert session.status() == 0


def test_no_color_is_obeyed_and_watching_can_be_left() -> None:
    session = Typed(["watch", "xxl-6", "--seed", "7"], {"NO_COLOR": "1"})
    session.until(PROMPT)
    session.type("q\n")
    session.until("moves so far: 1")
    assert session.status() == 0
    assert "\x1b" not in session.text


@pytest.mark.parametrize(
    ("arguments", "prompt"), [(["watch", "xxl-6"], PROMPT), (["play", "xxl-6"], "can be typed"), (["bench"], "bench")]
)
def test_ctrl_c_ends_without_a_word(arguments: list[str], prompt: str) -> None:
    session = Typed(arguments, {})
    session.until(prompt)
    session.interrupt()
    assert session.status() == 130
    assert "Traceback" not in session.text
    assert "KeyboardInterrupt" not in session.text


def test_long_lines_break_between_words_on_a_terminal(run: Run) -> None:
    session = Typed(["watch", "xxl-6", "--bots", "random", "--seed", "7", "--all"], {"NO_COLOR": "1", "COLUMNS": "60"})
    assert session.status() == 0
    lines = [line.rstrip("\r") for line in session.text.split("\n")]
    assert max(map(len, lines)) < 60
    # The same words as without a terminal, whose lines stay whole for whoever looks for them.
    whole = run("watch", "xxl-6", "--bots", "random", "--seed", "7")[1]
    assert max(map(len, whole.splitlines())) > 100
    assert " ".join(lines).split() == whole.split()


@pytest.mark.parametrize("columns", ["1", "40", "80"])
def test_rules_fill_the_lines(run: Run, columns: str) -> None:
    session = Typed(["rules", "xxl-4"], {"NO_COLOR": "1", "COLUMNS": columns})
    assert session.status() == 0
    lines = [line.rstrip("\r") for line in session.text.split("\n")]
    width = max(20, int(columns) - 1)
    for line, following in pairwise(lines):
        # Only a sentence ends a line early, or a word that would not have fitted.
        if following.strip() and line.strip() and not line.endswith((".", ":", ")", "version 1")):
            assert len(line) + 1 + len(following.split()[0]) > width, line
    assert " ".join(lines).split() == run("rules", "xxl-4")[1].split()


def test_a_terminal_breaks_lines_where_it_ends_and_not_where_the_game_does(run: Run) -> None:
    """Six seats' display grows beyond a line of any width; each card of it stands once, however often it is broken."""
    arguments = ["watch", "xxl-4", "--seats", "6", "--bots", "random", "--seed", "7", "--seat", "spectator", "--all"]
    whole = run(*arguments)[1]
    assert re.search(r"\n  \S", whole)
    session = Typed(arguments, {"NO_COLOR": "1"})
    assert session.status() == 0
    lines = [line.rstrip("\r") for line in session.text.split("\n")]
    for line, following in pairwise(lines):
        if following.startswith(" "):
            assert len(line) + 1 + len(following.split()[0]) >= 100
    assert " ".join(lines).split() == whole.split()


def test_at_the_end_the_record_can_be_saved(tmp_path: Path) -> None:
    session = Typed(["play", "xxl-6", "--seats", "2", "--seed", "7"], {"NO_COLOR": "1"})
    for _move in range(12):
        session.until("can be typed")
        session.type("1\n")
    session.until("File to save the record in")
    session.type(f"{tmp_path}/no/game.json\n")
    # The game is not lost by a slip: it is asked again.
    session.until(r"The record can't be written: (?s:.+)File to save the record in")
    session.type(f"{tmp_path}/game.json\n")
    session.until("The record is in")
    assert session.status() == 0
    assert Record.from_json(json.loads((tmp_path / "game.json").read_text())).verify() is None


def test_a_closed_pipe_ends_without_a_word() -> None:
    with subprocess.Popen(
        [*COMMAND, "watch", "xxl-6", "--all"], cwd=ROOT, env=ENVIRON, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(120) == 141


def test_a_terminal_that_lacks_letters_gets_question_marks() -> None:
    ran = subprocess.run(
        [*COMMAND, "list"], cwd=ROOT, env={**ENVIRON, "PYTHONIOENCODING": "ascii"}, capture_output=True, check=True
    )
    assert b"Stra?enbau" in ran.stdout


# Progress.


class Tty(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_shown_after_two_seconds_and_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("games.terminal.time.monotonic", lambda: now)
    stream = Tty()
    with Progress(stream, "arena") as progress:
        now = 101.9
        progress.show(19, 80)
        assert stream.getvalue() == ""
        now = 102.0
        progress.show(20, 80)
        shown = stream.getvalue()
        assert re.fullmatch(r"\rarena \[#+\.+\]  25 %  20/80  6 s  ", shown)
        assert shown.count(".") == 3 * shown.count("#")
        # Not at every call: writing to a terminal takes time.
        now = 102.05
        progress.show(21, 80)
        assert stream.getvalue() == shown
    assert re.search(r"\r +\r$", stream.getvalue())


def test_progress_keeps_out_of_files(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("games.terminal.time.monotonic", lambda: now)
    stream = io.StringIO()
    with Progress(stream, "arena") as progress:
        now = 10.0
        progress.show(1, 2)
    assert stream.getvalue() == ""
