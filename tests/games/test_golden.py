"""No game changes unnoticed (see ``tests.games.golden``)."""

import pytest

from games.core import AnyGame
from tests.games.golden import FOLDER, GOLDEN, path, text


@pytest.mark.parametrize(("game", "seats"), GOLDEN, ids=[path(*table).stem for table in GOLDEN])
def test_the_game_is_played_as_ever(game: AnyGame, seats: int) -> None:
    assert text(game, seats) == path(game, seats).read_text(encoding="utf-8")


def test_every_golden_game_belongs_to_a_table() -> None:
    assert {file.name for file in FOLDER.iterdir()} == {path(*table).name for table in GOLDEN}
