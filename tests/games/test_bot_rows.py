"""The program that measures bots (benchmarks/bots.py): it goes on where it was stopped, and judges by the interval."""

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.bots import ROWS, Row, figure_of, main, maker, measure, reached, stored, within
from games.arena import Estimate
from games.bots import plays
from games.catalog import GAMES
from games.core import AnyGame

ROW = Row("pair", "xxl-6", "greedy", "ahead", 0.0, False, 3, others="random", sources=("games/bots/randomly.py",))


def test_it_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    """After a kill in the middle of a line, and with a line of other sources: only what is missing is played."""
    whole = list(measure(ROW, 3, tmp_path))[-1]
    path = tmp_path / "pair.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len([line for line in lines if line]) == 3
    other = lines[2].replace(f'"{ROW.fingerprint()}"', '"0123456789abcdef"')
    path.write_text("\n".join([lines[1], other, lines[3][:25]]), encoding="utf-8")
    assert list(stored(ROW, tmp_path)) == [0]
    again = list(measure(ROW, 3, tmp_path))
    assert [sorted(lines) for lines in again[-1:]] == [[0, 1, 2]]
    assert len(again) == 3
    for deal in range(3):
        assert again[-1][deal]["places"] == whole[deal]["places"]
        assert again[-1][deal]["other_places"] == whole[deal]["other_places"]


def test_a_row_of_other_bots_or_rules_begins_anew() -> None:
    """What is judged differently is still the same deals."""
    assert replace(ROW, deals=9, bound=1.0).fingerprint() == ROW.fingerprint()
    for other in (replace(ROW, bot="random"), replace(ROW, sources=()), replace(ROW, options={"dealer": 1})):
        assert other.fingerprint() != ROW.fingerprint()


def test_the_figures_of_a_deal() -> None:
    line = {"places": [1, 1, 2, 4], "other_places": [1, 2, 3, 4], "scores": [0, 3, 0, 9]}
    assert figure_of("place", line) == 2.0
    assert figure_of("ahead", line) == 0.5
    assert figure_of("wins", line) == 0.5
    assert figure_of("perfect", line) == 0.5
    assert figure_of("score", line) == 3.0


@pytest.mark.parametrize(
    ("row", "mean", "margin", "expected"),
    [
        (replace(ROW, figure="place", most=True, bound=2.1), 2.06, 0.04, True),
        (replace(ROW, figure="place", most=True, bound=2.1), 2.07, 0.04, False),
        (replace(ROW, figure="place", most=True, bound=2.1), 1.0, None, False),
        (replace(ROW, figure="wins", bound=0.5), 0.56, 0.06, True),
        (replace(ROW, figure="wins", bound=0.5), 0.56, 0.07, False),
        (ROW, 0.2, 0.1, True),
        (ROW, 0.2, 0.2, False),
    ],
)
def test_the_whole_interval_must_be_on_the_right_side(
    row: Row, mean: float, margin: float | None, expected: bool
) -> None:
    assert reached(row, Estimate(mean, margin)) is expected


def test_too_slow_is_not_reached() -> None:
    assert within(ROW, 5.0)
    assert within(replace(ROW, most_cpu=0.1), 0.1)
    assert not within(replace(ROW, most_cpu=0.1), 0.11)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_row_can_be_played(row: Row) -> None:
    """Its bots can be made, its sources are there."""
    game: AnyGame | None = GAMES[row.game].engine
    assert game is not None
    for bot in filter(None, (row.bot, row.others)):
        assert ":" in bot or plays(bot, row.game)
        assert maker(bot)(game.with_options(game.read_options(row.seats, row.options)))
    root = Path(__file__).parents[2]
    assert all(any(root.glob(pattern)) for pattern in row.sources)


def test_a_row_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["skat-greedy"])
    assert "ROW must be one of xxl-1-greedy, " in capsys.readouterr().err
