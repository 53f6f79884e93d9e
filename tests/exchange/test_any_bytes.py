"""Whatever bytes come in: values or a file problem come out."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from league.exchange import formats
from league.exchange.plays import CODES, MAX_NAME, MAX_SCORE, NotRead, PlayFile
from tests.exchange.files import bgg_play, bgg_player, bgg_plays, export, game, play, player, score
from tests.exchange.test_csv_plays import ENGLISH, GERMAN

SOUND = (
    export([play("U-1", [score(1, "-10+7+22", winner=True), score(2, "3", rank=1, seatOrder=2)], board="Pure XXL")]),
    bgg_plays([bgg_play(1, [bgg_player("Ann", score="3", win="1"), bgg_player("Ben", score="1")], comment="late")]),
    ENGLISH.encode(),
    GERMAN.encode("utf-16"),
    ("sep=;\r\n" + GERMAN).encode("cp1252"),
)
_MUTATIONS = st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 12), st.binary(max_size=12)), max_size=6)
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(["1", "-3+4", "0"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)


def check(data: bytes) -> None:
    try:
        file = formats.read(data)
    except NotRead as refused:
        assert refused.code in CODES
        assert set(refused.params) == set(CODES[refused.code][1])
        return
    assert isinstance(file, PlayFile)
    for problem in file.problems:
        assert set(problem.params) == set(CODES[problem.code][1]), problem
    for one in file.plays:
        assert one.players and one.rounds
        for round_ in one.rounds:
            assert round_.game in file.games
            for its in round_.scores:
                assert its.player in one.players
                assert its.points is not None or its.place is not None
                assert abs(its.points or 0) <= MAX_SCORE and (its.place is None or its.place >= 1)
        for name in one.players:
            assert 0 < len(name) <= MAX_NAME
            assert not any(letter < " " or "\ud800" <= letter <= "\udfff" for letter in name)


@given(st.sampled_from(SOUND), _MUTATIONS)
@settings(max_examples=300)
def test_a_sound_file_that_was_damaged(data: bytes, mutations: list[tuple[int, int, bytes]]) -> None:
    for place, length, put in mutations:
        at = place % (len(data) + 1)
        data = data[:at] + put + data[at + length :]
    check(data)


@given(
    st.binary(max_size=200)
    | st.text(max_size=100).map(lambda text: ("date,game,player,points\n" + text).encode("utf-8", "replace"))
)
@settings(max_examples=100)
def test_any_bytes(data: bytes) -> None:
    check(data)


@given(st.data())
@settings(max_examples=150)
def test_an_export_whose_values_are_of_any_kind(data: st.DataObject) -> None:
    """The shape stands, and any value of it is something else."""

    def changed(row: dict[str, Any]) -> dict[str, Any]:
        for key in data.draw(st.lists(st.sampled_from(sorted(row)), max_size=3)):
            row[key] = data.draw(_VALUES)
        return row

    scores = [changed(score(1, "3", team="0", role="")), changed(score(2, "1"))]
    lists: dict[str, Any] = {
        "players": [changed(player(1, "Ann")), changed(player(2, "Ben"))],
        "games": [changed(game(1, "Skyjo"))],
        "deletedObjects": data.draw(_VALUES),
        "locations": data.draw(_VALUES),
    }
    check(export([changed(play("U", scores, board="", comments=""))], **lists))
