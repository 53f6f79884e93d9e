"""Golden games: one whole playthrough as text for a game's smallest and its largest table.

They catch what no rule test looks for: a changed deal, order of moves, score or drawing makes another
text, and with it old records would replay differently. After a change that is meant (and a new version
of the game), ``python -m tests.games.golden`` writes them anew; read the difference before committing.
Most games of the smallest tables were checked against the rules by hand when they were first written.
"""

import json
from pathlib import Path

from games.bots import BOTS
from games.core import AnyGame, Playthrough
from games.match import play_through
from tests.games.engines import ENGINES

FOLDER = Path(__file__).with_name("golden")
SEED = 2026

GOLDEN = [(engine, seats) for engine in ENGINES for seats in sorted({engine.seats[0], engine.seats[-1]})]


def path(game: AnyGame, seats: int) -> Path:
    """Where the golden game of a table is kept."""
    return FOLDER / f"{game.key}-{seats}.txt"


def text(game: AnyGame, seats: int) -> str:
    """The game that random bots play at a table: the views after the deal, the moves, the end."""
    played = play_through(game, [BOTS["random"](game)] * seats, SEED)
    dealt = Playthrough(game, seats, SEED)
    parts = [f"{game.key} version {game.version}, seed {SEED}, options {json.dumps(played.options)}"]
    parts += [game.draw(dealt.view(seat)) for seat in range(seats)]
    parts.append("\n".join(f"{seat} {game.describe(move)}" for seat, move in played.turns))
    parts.append(game.draw(played.view(None)))
    outcome = played.outcome()
    assert outcome is not None
    parts.append(f"scores {outcome.scores}, places {outcome.places}, {outcome.reason}")
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    for game, seats in GOLDEN:
        path(game, seats).write_text(text(game, seats), encoding="utf-8")
