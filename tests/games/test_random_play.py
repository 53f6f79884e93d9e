"""Random play: 40 games (``make soak``: 2,000) of every game, for every number of seats and every option.

Checked: cards are conserved at every turn, whoever is to move has a legal move, the game ends within the
stated number of turns, its scores are within the bounds of the rules page, and its record replays.
"""

import os
from itertools import product
from random import Random

import pytest

from games.catalog import GAMES
from games.core import AnyGame, Playthrough, Turn
from games.record import Record
from league.scoring.rounds import Entry, score_round
from tests.games.engines import ENGINES, TABLE_IDS, TABLES
from tests.games.random_play import FACTS

NUMBER = int(os.environ.get("RANDOM_GAMES", "40"))

CASES = [
    pytest.param(engine, seats, setting, id=f"{engine.key} with {seats}, {setting}")
    for engine in ENGINES
    for seats in engine.seats
    for setting in FACTS[engine.key].settings
]


@pytest.mark.parametrize(("engine", "seats"), TABLES, ids=TABLE_IDS)
def test_every_option_is_tried(engine: AnyGame, seats: int) -> None:
    default = engine.read_options(seats)
    tried = set()
    for setting, number in product(FACTS[engine.key].settings.values(), range(seats)):
        options = engine.read_options(seats, setting(seats, number))
        tried |= {key for key in options if options[key] != default[key]}
    # At a table of one there is nobody else to choose for.
    assert seats == 1 or tried == set(default)


@pytest.mark.timeout(1200)
@pytest.mark.parametrize(("engine", "seats", "setting"), CASES)
def test_random_games(engine: AnyGame, seats: int, setting: str) -> None:
    facts, info = FACTS[engine.key], GAMES[engine.key]
    for number in range(NUMBER):
        rng = Random(number)
        options = facts.settings[setting](seats, number)
        playthrough = Playthrough(engine, seats, number, options)
        game, state = playthrough.game, playthrough.state
        limit = game.turn_limit(seats, playthrough.options)
        deck = facts.deck(game)
        while to_move := playthrough.to_move():
            assert playthrough.outcome() is None
            # A census after every turn would take most of the time.
            if rng.random() < 0.1:
                assert facts.census(game, state) == deck
            seat = to_move[int(rng.random() * len(to_move))]
            legal = game.legal(state, seat)
            assert legal
            assert len(set(legal)) == len(legal)
            playthrough.play(Turn(seat, legal[int(rng.random() * len(legal))]))
            assert len(playthrough.turns) <= limit
        assert facts.census(game, state) == deck
        outcome = playthrough.outcome()
        assert outcome is not None
        note = outcome.reason if outcome.reason in info.notes else ""
        entries = [Entry(points) for points in outcome.scores]
        scored = score_round(info, entries, note=note, options=playthrough.options)
        assert not scored.warnings
        assert outcome.places == (None if info.cooperative else scored.places)
        if number % 10 == 0:
            assert Record.from_json(Record.of(playthrough).to_json()).verify() is None
