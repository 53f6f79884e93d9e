"""The arena: who meets whom on which cards, and what the figures mean."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from random import Random
from typing import Any

import pytest

from games.arena import estimate, line_ups, round_robin, seatings, student_quantile
from games.bots import BOTS
from games.catalog import GAMES
from games.core import AnyGame, BadSetup, Game, Move, Outcome, Seat, UnreadableMove, competition_places
from tests.games.golden import GOLDEN


@dataclass(slots=True)
class Named:
    """The numbers named so far."""

    seats: int
    numbers: list[int]

    def clone(self) -> "Named":
        return Named(self.seats, self.numbers.copy())


class Naming(Game[Named, dict[str, Any]]):
    """Each seat in turn names 0, 1 or 2 and has so many points: a game whose results are plain to see."""

    key = "naming"
    version = 1
    seats = range(1, 5)
    options = ()
    high_wins = True
    cooperative = False
    rules = "Name a number."

    def start(self, seats: int, options: Mapping[str, Any], rng: Random) -> Named:
        return Named(seats, [])

    def to_move(self, state: Named) -> tuple[Seat, ...]:
        return (len(state.numbers),) if len(state.numbers) < state.seats else ()

    def legal(self, state: Named, seat: Seat) -> tuple[Move, ...]:
        return (0, 1, 2)

    def advance(self, state: Named, seat: Seat, move: Move) -> None:
        state.numbers.append(move)

    def outcome(self, state: Named) -> Outcome | None:
        if len(state.numbers) < state.seats:
            return None
        if self.cooperative:
            return Outcome((sum(state.numbers),) * state.seats, None, "named")
        scores = tuple(state.numbers)
        return Outcome(scores, competition_places(scores, high_wins=self.high_wins), "named")

    def parse(self, word: str) -> Move:
        if word not in {"0", "1", "2"}:
            raise UnreadableMove("Name 0, 1 or 2.")
        return int(word)

    def describe(self, move: Move) -> str:
        return str(move)

    def view(self, state: Named, seat: Seat | None) -> dict[str, Any]:
        return {"numbers": list(state.numbers)}

    def determinize(self, view: dict[str, Any], rng: Random) -> Named:
        return Named(4, list(view["numbers"]))

    def draw(self, view: dict[str, Any]) -> str:
        return str(view["numbers"])

    def turn_limit(self, seats: int, options: Mapping[str, Any]) -> int:
        return seats


class Lowest(Naming):
    high_wins = False


class Together(Naming):
    cooperative = True


class TogetherLow(Together):
    high_wins = False


class Always:
    """Plays the legal move with this index."""

    def __init__(self, index: int) -> None:
        self.index = index

    def choose(self, view: Mapping[str, Any], legal: Sequence[Move], rng: Random) -> Move:
        return legal[self.index]


TWO, ONE, NAUGHT = ((lambda game, index=index: Always(index)) for index in (2, 1, 0))


def test_the_higher_number_wins() -> None:
    """Two seats, each deal in both seatings: 2 is always first, 0 always second."""
    result = round_robin(Naming(), {"naught": NAUGHT, "two": TWO}, deals=5, seed=1, seats=2)

    assert result.games == 10
    best, last = result.standings
    assert (best.bot, best.games, best.place, best.score, best.wins) == (
        "two",
        10,
        estimate([1] * 5),
        estimate([2] * 5),
        estimate([1] * 5),
    )
    assert last.place is not None and last.wins is not None
    assert (last.bot, last.place.mean, last.score.mean, last.wins.mean) == ("naught", 2, 0, 0)


def test_where_low_wins() -> None:
    result = round_robin(Lowest(), {"two": TWO, "naught": NAUGHT}, deals=2, seed=1, seats=2)
    assert [one.bot for one in result.standings] == ["naught", "two"]


def test_two_bots_at_four_seats_and_shared_places() -> None:
    """2, 2, 0, 0: both twos are first, both noughts third, and each shared first place is a win."""
    result = round_robin(Naming(), {"two": TWO, "naught": NAUGHT}, deals=3, seed=9, seats=4)
    places = [(one.bot, one.place and one.place.mean, one.wins and one.wins.mean) for one in result.standings]
    assert places == [("two", 1, 1), ("naught", 3, 0)]


def test_three_bots_at_two_seats_are_a_round_robin() -> None:
    """Two beats one and naught, one beats naught: places 1, 1.5 and 2 on average, half of one's games won."""
    entrants = {"naught": NAUGHT, "one": ONE, "two": TWO}
    result = round_robin(Naming(), entrants, deals=1, seed=0, seats=2)
    assert result.games == 6
    figures = [(one.bot, one.place and one.place.mean, one.wins and one.wins.mean) for one in result.standings]
    assert figures == [("two", 1, 1), ("one", 1.5, 0.5), ("naught", 2, 0)]
    # One deal says nothing about how the next would have gone.
    assert {one.score.margin for one in result.standings} == {None}


@pytest.mark.parametrize(("game", "order"), [(Together(), ["two", "naught"]), (TogetherLow(), ["naught", "two"])])
def test_a_cooperative_game_is_played_by_each_alone(game: AnyGame, order: list[str]) -> None:
    """Three twos have 6 together; nobody is first."""
    result = round_robin(game, {"naught": NAUGHT, "two": TWO}, deals=4, seed=1, seats=3)
    assert [one.bot for one in result.standings] == order
    assert result.games == 8
    by_name = {one.bot: one for one in result.standings}
    assert by_name["two"].score == estimate([6, 6, 6, 6])
    assert {(one.place, one.wins, one.games) for one in result.standings} == {(None, None, 12)}


@pytest.mark.parametrize("bots", range(1, 7))
@pytest.mark.parametrize("seats", range(1, 7))
def test_all_bots_have_as_many_seats(bots: int, seats: int) -> None:
    names = tuple("abcdef"[:bots])
    tables = line_ups(names, seats)
    assert {len(table) for table in tables} == {seats}
    assert len(set(Counter(name for table in tables for name in table).values())) == 1
    # Nobody sits on two seats more than anybody else at one table.
    for table in tables:
        counts = [table.count(name) for name in names]
        assert max(counts) - min(counts) <= 1


@pytest.mark.parametrize(("names", "seats"), [("ab", 2), ("ab", 4), ("abc", 4), ("abcd", 3)])
def test_all_bots_play_every_hand_of_a_deal_equally_often(names: str, seats: int) -> None:
    for seed in range(5):
        tables = seatings(tuple(names), seats, seed, False)
        for seat in range(seats):
            assert len(set(Counter(table[seat] for table in tables).values())) == 1
        assert len(set(tables)) == len(tables) or len(names) > seats


def test_a_deal_is_the_same_in_every_rotation() -> None:
    """Each bot sees, over the games of a deal, just the hands of that deal."""
    engine = GAMES["xxl-6"].engine
    assert engine is not None
    seen: dict[str, set[str]] = {}

    class Looking(Always):
        def __init__(self, name: str) -> None:
            super().__init__(0)
            self.name = name

        def choose(self, view: Mapping[str, Any], legal: Sequence[Move], rng: Random) -> Move:
            if len(view["hand"]) == 12:
                seen.setdefault(self.name, set()).add(" ".join(view["hand"]))
            return super().choose(view, legal, rng)

    entrants = {name: lambda game, name=name: Looking(name) for name in ("a", "b")}
    round_robin(engine, entrants, deals=1, seed=3, seats=4)
    assert seen["a"] == seen["b"]
    state = engine.deal(4, 3, engine.series_options(4, 0))
    assert seen["a"] == {" ".join(engine.view(state, seat)["hand"]) for seat in range(4)}


def test_the_same_seed_gives_the_same_result() -> None:
    engine = GAMES["xxl-6"].engine
    assert engine is not None
    entrants = {"first": NAUGHT, **{key: BOTS[key] for key in ("random", "greedy")}}
    one, same, other = (round_robin(engine, entrants, deals=3, seed=seed, seats=3) for seed in (5, 5, 6))
    assert one == same
    assert one.standings != other.standings
    assert json.loads(json.dumps(asdict(one)))["seed"] == 5


@pytest.mark.parametrize(("engine", "seats"), GOLDEN, ids=lambda value: getattr(value, "key", value))
def test_every_game_can_be_measured(engine: AnyGame, seats: int) -> None:
    """At its smallest and its largest table."""
    told: list[tuple[int, int]] = []
    entrants = {"one": BOTS["random"], "other": BOTS["random"]}
    result = round_robin(
        engine, entrants, deals=2, seed=4, seats=seats, on_game=lambda done, total: told.append((done, total))
    )
    assert told == [(done, result.games) for done in range(1, result.games + 1)]
    for one in result.standings:
        assert (one.place is None) == (one.wins is None) == engine.cooperative


def test_an_arena_begins_at_once_however_long_it_is() -> None:
    class EnoughError(Exception):
        pass

    def stop(done: int, total: int) -> None:
        assert (done, total) == (1, 4_000_000_000)
        raise EnoughError

    engine = GAMES["xxl-6"].engine
    assert engine is not None
    entrants = dict.fromkeys("abcd", BOTS["random"])
    with pytest.raises(EnoughError):
        round_robin(engine, entrants, deals=1_000_000_000, seed=4, seats=4, on_game=stop)


def test_given_options_come_before_those_of_a_series() -> None:
    engine = GAMES["xxl-6"].engine
    assert engine is not None
    dealers: set[int] = set()

    class Looking(Always):
        def choose(self, view: Mapping[str, Any], legal: Sequence[Move], rng: Random) -> Move:
            dealers.add(view["dealer"])
            return super().choose(view, legal, rng)

    round_robin(engine, {"a": lambda game: Looking(0)}, deals=3, seed=1, seats=3)
    assert dealers == {0, 1, 2}
    dealers.clear()
    result = round_robin(engine, {"a": lambda game: Looking(0)}, deals=3, seed=1, seats=3, options={"dealer": 1})
    assert dealers == {1}
    assert result.options == {"dealer": 1}


def test_refused() -> None:
    with pytest.raises(BadSetup, match="1 to 4 seats"):
        round_robin(Naming(), {"two": TWO}, deals=1, seed=1, seats=5)
    with pytest.raises(BadSetup, match="seed"):
        round_robin(Naming(), {"two": TWO}, deals=1, seed=-1, seats=2)
    with pytest.raises(BadSetup, match="no option"):
        round_robin(Naming(), {"two": TWO}, deals=1, seed=1, seats=2, options={"dealer": 1})
    for entrants, deals in (({}, 1), ({"two": TWO}, 0)):
        with pytest.raises(ValueError, match="a bot and a deal"):
            round_robin(Naming(), entrants, deals=deals, seed=1, seats=2)


@pytest.mark.parametrize(
    ("freedom", "published"),
    [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (9, 2.262), (10, 2.228), (30, 2.042), (120, 1.980)],
)
def test_quantiles_are_the_published_ones(freedom: int, published: float) -> None:
    """Student's t for 95 %, two-sided, as in any table of it."""
    assert student_quantile(freedom) == pytest.approx(published, abs=0.004 if freedom == 3 else 0.001)


def test_an_interval() -> None:
    """1 to 5: variance 10 / 4, standard error the root of 2.5 / 5, times 2.776."""
    found = estimate([1, 2, 3, 4, 5])
    assert found.mean == 3
    assert found.margin == pytest.approx(2.776 * 0.5**0.5, abs=0.001)
