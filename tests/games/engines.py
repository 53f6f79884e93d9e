"""What the tests of all engines share: the engines of the catalogue, and positions within a game."""

from random import Random

from games.catalog import GAMES
from games.core import AnyGame, Playthrough, Turn

ENGINES: tuple[AnyGame, ...] = tuple(info.engine for info in GAMES.values() if info.engine is not None)

TABLES = [(engine, seats) for engine in ENGINES for seats in engine.seats]
"""Every engine with every number of seats."""

TABLE_IDS = [f"{engine.key} with {seats}" for engine, seats in TABLES]


def after(game: AnyGame, seats: int, seed: int, moves: int) -> Playthrough:
    """A playthrough after so many random moves, or at its end if that comes first."""
    playthrough = Playthrough(game, seats, seed)
    rng = Random(seed)
    while len(playthrough.turns) < moves and (to_move := playthrough.to_move()):
        seat = rng.choice(to_move)
        playthrough.play(Turn(seat, rng.choice(game.legal(playthrough.state, seat))))
    return playthrough
