"""Par of cooperative games: percentages of hand-made counts, the shipped file, playing on."""

import json
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import pytest

from games import par
from games.__main__ import main
from games.par import Configuration, Par, configurations, extend, load, results, shipped

THREE = Configuration("the-game", 3, '{"minimum": 2, "short_hand": false}')
ALONE = Configuration("the-game", 1, '{"minimum": 3, "short_hand": true}')


@pytest.mark.parametrize(
    ("counts", "left", "percent"),
    [
        # Ten games: one perfect, two with 3 left, seven with 10.
        ({0: 1, 3: 2, 10: 7}, 0, 90),
        ({0: 1, 3: 2, 10: 7}, 3, 70),
        ({0: 1, 3: 2, 10: 7}, 4, 70),
        ({0: 1, 3: 2, 10: 7}, 10, 0),
        ({0: 1, 3: 2, 10: 7}, 98, 0),
        # 2 of 3 are 66.67 %, 1,999 of 2,000 are 99.95 %: no more is claimed than is true.
        ({1: 1, 2: 2}, 1, 66),
        ({0: 1, 5: 1999}, 0, 99),
        ({1: 4}, 0, 100),
    ],
)
def test_the_share_that_ended_worse(counts: dict[int, int], left: int, percent: int) -> None:
    assert Par(THREE, "v", counts).percent_beaten(left) == percent


def test_what_counts_add_up_to() -> None:
    some = Par(THREE, "v", {0: 1, 3: 2}, first=(3, 0, 3))
    both = some.joined(Par(THREE, "v", {3: 1, 12: 4}))
    assert (both.games, both.counts, both.first) == (8, {0: 1, 3: 3, 12: 4}, (3, 0, 3))
    assert (both.mean, both.share_perfect) == (57 / 8, 1 / 8)
    for other in (Par(THREE, "w", {1: 1}), Par(ALONE, "v", {1: 1})):
        with pytest.raises(ValueError, match="one configuration and version"):
            some.joined(other)


def test_which_tables_there_is_a_par_for() -> None:
    assert len(configurations()) == len(set(configurations())) == 5 * 2 * 2
    assert [one.seats for one in configurations()[:5]] == [1, 2, 3, 4, 5]
    assert all(one.agreed == {"minimum": 2, "short_hand": False} for one in configurations()[:5])
    # Who starts changes no result; what is left out is the usual.
    assert Configuration.of("the-game", 3, {}) == Configuration.of("the-game", 3, {"start": "choose"}) == THREE
    assert Configuration.of("the-game", 1, {"minimum": 3, "short_hand": True}) == ALONE
    assert Configuration.of("the-game", 6, {}) is None
    assert Configuration.of("the-game", 3, {"minimum": 4}) is None
    assert Configuration.of("the-game", 3, {"short_hand": 1}) is None
    assert Configuration.of("und-tschuess", 4, {}) is None
    assert Configuration.of("golf", 4, {}) is None


def test_the_shipped_file_adds_up(tmp_path: Path) -> None:
    # A copy: the command may be at it just now.
    path = tmp_path / "par.json"
    path.write_bytes(par.FILE.read_bytes())
    lines = json.loads(path.read_text(encoding="utf-8"))["pars"]
    assert len(lines) == len(load(path))
    for line, found in zip(lines, load(path).values(), strict=True):
        assert found.configuration in configurations()
        assert sum(line["counts"].values()) == line["games"] == found.games > 0
        assert all(0 <= left <= 94 for left in found.counts)
        # The first results are among those counted.
        assert all(found.first.count(left) <= found.counts[left] for left in found.first)
        assert len(found.first) == min(20, found.games)


def test_shipped_deals_played_again_end_alike() -> None:
    for configuration in list(shipped())[:2]:
        first = shipped()[configuration].first[:5]
        assert tuple(islice(results(configuration), 5)) == first, "Play anew: python -m games par --games 2000"


def test_playing_on_from_where_it_was_stopped(tmp_path: Path) -> None:
    path, told = tmp_path / "par.json", []
    extend([ALONE], 2, path)
    assert load(path)[ALONE].games == 2
    extend([ALONE, THREE], 3, path, lambda done, total: told.append((done, total)))
    assert told == [(3, 6), (4, 6), (5, 6), (6, 6)]
    at_once = list(islice(results(ALONE), 3))
    assert list(load(path)[ALONE].first) == at_once
    assert sorted(at_once) == sorted(left for left, n in load(path)[ALONE].counts.items() for _one in range(n))
    # What has enough stays as it is, to the byte.
    before = path.read_bytes()
    extend([ALONE], 3, path)
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["par.json"]


def test_processes_at_the_same_file_lose_nothing_of_each_other(tmp_path: Path) -> None:
    """Each puts in what it has played; fewer games of a table never take the place of more."""
    path = tmp_path / "par.json"
    here = [Par(one, par.version(one), {7: 3}, (7, 7, 7)) for one in configurations()[:8]]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda one: par._add(one, path), here))
    assert load(path) == {one.configuration: one for one in here}
    par._add(Par(here[0].configuration, here[0].version, {7: 2}, (7, 7)), path)
    assert load(path)[here[0].configuration].games == 3
    assert [one.name for one in tmp_path.iterdir()] == ["par.json"]


def test_a_lock_that_a_killed_process_left_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(par, "_WAIT", 0.0)
    path, lock = tmp_path / "par.json", tmp_path / "par.lock"
    lock.touch()
    given = ["par", "--file", str(path), "--seats", "1", "--option", "minimum=3", "--option", "short_hand=true"]
    assert main([*given, "--games", "1"]) == 2
    assert f"remove {lock} and try again" in capsys.readouterr().err
    lock.unlink()
    assert main([*given, "--games", "1"]) == 0


def test_what_another_version_played_is_played_anew(tmp_path: Path) -> None:
    path = tmp_path / "par.json"
    par.save({ALONE: Par(ALONE, "another", {98: 5}, (98,) * 5)}, path)
    extend([ALONE], 1, path)
    assert (load(path)[ALONE].games, load(path)[ALONE].version) == (1, par.version(ALONE))
    assert 98 not in load(path)[ALONE].counts


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "par.json"
    given = ["par", "--file", str(path), "--seats", "1", "--option", "minimum=3", "--option", "short_hand=true"]
    assert main([*given, "--games", "1"]) == 0
    assert main(given) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split()[:4] == ["1", "minimum=3,", "short_hand=true", "1"]
    assert lines[0].split()[0] == "seats"
    assert main([*given[:3], "xxl-1"]) == 2
    assert "game must be one that has a par (the-game)" in capsys.readouterr().err
    assert main(["par", "--option", "minimum=7"]) == 2
    assert "must be one of 2, 3" in capsys.readouterr().err
    path.write_text("no")
    assert main(given) == 2
    assert "--file must name a file that this command has written" in capsys.readouterr().err
