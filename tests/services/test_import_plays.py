"""`manage.py import_plays`: shown first, stored on a yes."""

import builtins
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from league.models import ClubGame, ImportBatch, Player, Session
from tests.exchange.files import bgg_play, bgg_player, bgg_plays
from tests.people import People

TABLE = "session,date,game,player,points\nA,2026-10-05,Straßenbau,Ann,31\nA,2026-10-05,Straßenbau,Ben,0\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "plays.csv"
    path.write_text(TABLE + "B,2026-10-05,Straßenbau,Ann,?\n")
    return path


def run(*arguments: object) -> str:
    out = StringIO()
    call_command("import_plays", *map(str, arguments), stdout=out)
    return out.getvalue()


def test_it_is_shown_and_stored(people: People, file: Path) -> None:
    said = run("herzclub", file, "--season", "monday-league/2026", "--user", "admin", "--yes")
    assert "1 to be stored" in said
    assert "1 stored" in said
    assert "line 4: “?” is not read as a score" in said
    session = Session.objects.get()
    assert (session.season, session.created_by) == (people.season, people.admin)


def test_what_was_here_before_is_said_so(people: People, file: Path) -> None:
    run("herzclub", file, "--yes")
    said = run("herzclub", file, "--yes")
    assert "1 here from an earlier import" in said
    assert "1 stored" not in said


@pytest.mark.parametrize(("answer", "stored"), [("y", 1), ("", 0), ("n", 0)])
def test_it_asks(people: People, file: Path, monkeypatch: pytest.MonkeyPatch, answer: str, stored: int) -> None:
    monkeypatch.setattr(builtins, "input", lambda _question: answer)
    run("herzclub", file)
    assert Session.objects.count() == stored
    assert ImportBatch.objects.count() == stored, "a file that was only looked at leaves nothing behind"


def test_what_is_undecided_is_decided_by_options(people: People, tmp_path: Path) -> None:
    path = tmp_path / "plays.xml"
    plays = [
        bgg_play(1, [bgg_player("Anne", score="3", win="1"), bgg_player("Ben", score="1")], game="Skyjo"),
        bgg_play(2, [bgg_player("Anne", score="3"), bgg_player("Ben", score="1")], game="Unclear"),
        bgg_play(3, [bgg_player("Anne", score="31"), bgg_player("Ben", score="0")], quantity="5"),
    ]
    path.write_bytes(bgg_plays(plays))
    with pytest.raises(CommandError, match="resembles a player"):
        run("herzclub", path, "--yes")
    assert not ImportBatch.objects.exists()
    said = run("herzclub", path, "--yes", "--alike", "same", "--games", "new", "--repeated", "skip")
    assert "1 stored" in said
    assert "2 left out" in said
    assert ClubGame.objects.get().name == "Skyjo"
    assert not Player.objects.filter(name="Anne").exists()


def test_what_is_refused_is_told(people: People, file: Path, tmp_path: Path) -> None:
    nothing = tmp_path / "nothing.txt"
    nothing.write_text("hello")
    for arguments, said in [
        (("nowhere", file), "no club"),
        (("herzclub", tmp_path / "absent"), "can't be read"),
        (("herzclub", nothing), "This file is none of"),
        (("herzclub", file, "--user", "nobody"), "no user"),
        (("herzclub", file, "--user", "stranger"), "no member"),
        (("herzclub", file, "--user", "scorekeeper", "--yes"), "needs the role"),
        (("herzclub", file, "--season", "monday-league/1999", "--yes"), "No season"),
    ]:
        with pytest.raises(CommandError, match=said):
            run(*arguments)
    assert not Session.objects.exists()
