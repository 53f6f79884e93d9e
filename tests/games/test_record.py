"""Records: there and back again, replayed, and caught where they depart from the rules."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.core import AnyGame, IllegalMove, OutOfTurn, UnreadableMove
from games.record import Departure, Record, RecordError
from games.rules import xxl_6
from tests.games.engines import TABLE_IDS, TABLES, after


@given(st.sampled_from(TABLES), st.integers(0, 2**53 - 1), st.integers(0, 200))
def test_a_record_survives_json_and_replays_to_the_same_position(
    table: tuple[AnyGame, int], seed: int, moves: int
) -> None:
    game, seats = table
    playthrough = after(game, seats, seed, moves)
    record = Record.of(playthrough)
    read = Record.from_json(json.loads(json.dumps(record.to_json())))
    assert read == record
    assert read.verify() is None
    again = read.replay()
    assert again.state == playthrough.state
    assert again.turns == playthrough.turns
    assert again.outcome() == playthrough.outcome()


def full_record() -> Record:
    return Record.of(after(xxl_6.GAME, 4, 99, 1000))


def with_move(record: Record, index: int, seat: int, word: str) -> Record:
    moves = list(record.moves)
    moves[index] = (seat, word)
    return replace(record, moves=tuple(moves))


def departure_of(record: Record) -> Departure:
    departure = record.verify()
    assert departure is not None
    with pytest.raises(Departure) as caught:
        record.replay()
    assert (caught.value.index, str(caught.value)) == (departure.index, str(departure))
    return departure


def test_the_words_of_a_record_are_the_cards_of_the_game() -> None:
    record = full_record()
    assert record.game == "xxl-6"
    assert record.options == {"dealer": 3, "deck": "default"}
    assert len(record.moves) == 48
    assert len({word for _, word in record.moves}) == 48


def test_verify_points_at_an_unreadable_move() -> None:
    record = full_record()
    departure = departure_of(with_move(record, 17, record.moves[17][0], "pink1/pink2"))
    assert departure.index == 17
    assert isinstance(departure.error, UnreadableMove)
    assert str(departure).startswith("Move 18: 'pink1/pink2' is no card of the deck.")


def test_verify_points_at_a_card_played_twice() -> None:
    record = full_record()
    seat, _ = record.moves[20]
    departure = departure_of(with_move(record, 20, seat, record.moves[3][1]))
    assert departure.index == 20
    assert isinstance(departure.error, IllegalMove)
    assert record.moves[3][1] in str(departure)


def test_verify_points_at_the_wrong_seat() -> None:
    record = full_record()
    seat, word = record.moves[9]
    departure = departure_of(with_move(record, 9, (seat + 1) % 4, word))
    assert departure.index == 9
    assert isinstance(departure.error, OutOfTurn)


def test_verify_points_at_a_move_after_the_end() -> None:
    record = full_record()
    departure = departure_of(replace(record, moves=(*record.moves, (0, "green1/red2"))))
    assert departure.index == 48
    assert isinstance(departure.error, OutOfTurn)


def test_another_seed_is_another_deal() -> None:
    record = full_record()
    assert departure_of(replace(record, seed=100)).index < 12


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("game", "skat", "There is no game 'skat' to replay; there are xxl-1, "),
        ("version", 0, "at version 1, not 0"),
        ("seats", 9, "2 to 6 seats, not 9"),
        ("seed", -1, "A seed is a whole number from 0"),
        ("options", {"dealer": 9}, "one of 0, 1, 2, 3, not 9"),
    ],
)
def test_a_record_that_can_not_be_dealt(field: str, value: Any, words: str) -> None:
    record = Record.from_json(full_record().to_json() | {field: value})
    with pytest.raises(RecordError) as caught:
        record.replay()
    assert caught.value.field.split(".")[0] == field
    assert words in str(caught.value)
    with pytest.raises(RecordError):
        record.verify()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("game", 6),
        ("version", "1"),
        ("seats", True),
        ("seed", 1.0),
        ("options", []),
        ("moves", "green1/red2"),
        ("moves[0]", [["0", "green1/red2"]]),
        ("moves[0]", [[True, "green1/red2"]]),
        ("moves[1]", [[0, "green1/red2"], [0]]),
        ("moves[0]", ["0g"]),
        ("player", "Ann"),
    ],
)
def test_json_of_another_shape_is_refused_by_field(field: str, value: Any) -> None:
    data = full_record().to_json() | {field.partition("[")[0]: value}
    with pytest.raises(RecordError) as caught:
        Record.from_json(data)
    assert caught.value.field == field


@pytest.mark.parametrize("field", ["game", "version", "seats", "options", "seed", "moves"])
def test_a_missing_field_is_named(field: str) -> None:
    data = full_record().to_json()
    del data[field]
    with pytest.raises(RecordError, match=f"A record must have the field {field}") as caught:
        Record.from_json(data)
    assert caught.value.field == field


def test_json_that_is_no_object() -> None:
    with pytest.raises(RecordError, match="A record is an object"):
        Record.from_json([])


PLAY = """
import json, sys
from games.bots import BOTS
from games.catalog import GAMES
from games.match import play_out
records = []
for info in GAMES.values():
    if info.engine is not None:
        for seats in info.engine.seats:
            bots = [BOTS["random"](info.engine)] * seats
            records.append(play_out(info.engine, bots, 424242).to_json())
json.dump(records, sys.stdout)
"""


def test_a_match_is_the_same_in_every_process() -> None:
    """The order in which Python hashes strings differs from process to process; games must not."""
    outputs = [
        subprocess.run(
            [sys.executable, "-c", PLAY],
            env=os.environ | {"PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("0", "12345")
    ]
    assert outputs[0] == outputs[1]
    records = json.loads(outputs[0])
    assert len(records) == len(TABLE_IDS)
    assert all(Record.from_json(record).verify() is None for record in records)
