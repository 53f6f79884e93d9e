"""Measuring bots against each other on the same cards.

Terms. A *deal* is one seed with its options. A *line-up* says which bot sits on which seat. *Duplicate*
play gives the same deal to every line-up and every rotation of it, so that each bot has played each
hand and luck with the cards drops out of the comparison. An *estimate* is a mean over deals with half
the width of its 95 % confidence interval.

How line-ups are made. Every bot has as many seats as all others: with more bots than seats, every
selection of them plays; with fewer, bots sit on several seats, and where the seats can't be shared out
evenly, every selection has its turn with one seat more. Neighbours are drawn anew for each deal. In a
cooperative game there is nobody to beat: each bot plays alone, on all seats.

What the intervals mean. The games of one deal are not independent, deals are: a bot's figure for a deal
is its mean over all its seats in all the games of that deal, and mean and interval are taken over
deals, by Student's distribution.

Promises: the same game version, bots, deals, seed, seats and options give the same result.
Never: prints, or reads a clock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import fsum, pi, sqrt, tan
from statistics import NormalDist, fmean, stdev
from typing import Final

from games.bots import BotFactory
from games.core import AnyGame, BadSetup, Json, Seat, bot_source, shuffled
from games.match import deal_seed, play_through

CONFIDENCE: Final = 0.95

LineUp = tuple[str, ...]
OnGame = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over deals; the interval is ``mean`` ± ``margin``, ``None`` where one deal gives none."""

    mean: float
    margin: float | None


@dataclass(frozen=True, slots=True)
class Standing:
    """What one bot reached. ``games`` counts its seats in all games played.

    ``place`` is its finishing place (from 1), ``score`` its points, ``wins`` the share of games (0 to 1)
    it was first in, shared first places included. ``place`` and ``wins`` are ``None`` in a cooperative game.
    """

    bot: str
    games: int
    place: Estimate | None
    score: Estimate
    wins: Estimate | None


@dataclass(frozen=True, slots=True)
class ArenaResult:
    """All that is needed to play it again, and the standings, the best bot first.

    Ranked by place average, in a cooperative game by score average; equal ones stay in the order they were given in.
    """

    game: str
    version: int
    seats: int
    deals: int
    seed: int
    options: Mapping[str, Json]
    games: int
    standings: tuple[Standing, ...]


@dataclass(slots=True)
class _Tally:
    """One bot's figures: of the deal under way, and the means of those before it."""

    games: int = 0
    deal: list[tuple[float, float, float]] = field(default_factory=list)
    means: list[tuple[float, float, float]] = field(default_factory=list)

    def close_deal(self) -> None:
        self.games += len(self.deal)
        place, score, win = (fmean(values) for values in zip(*self.deal, strict=True))
        self.means.append((place, score, win))
        self.deal.clear()


def round_robin(
    game: AnyGame,
    entrants: Mapping[str, BotFactory],
    *,
    deals: int,
    seed: int,
    seats: int,
    options: Mapping[str, Json] | None = None,
    on_game: OnGame | None = None,
) -> ArenaResult:
    """Let the bots (by name; one or more) play each other over so many deals (1 or more).

    Deal k has the seed ``deal_seed(seed, k)`` and the options of a table's k-th deal in a row, ``options`` put over
    them. ``on_game`` is called after every game with the number of games played and of all, each deal to come
    counted like the one under way: bots on several seats can make a deal's rotations fewer. Raises BadSetup for
    seats, a seed or options the game does not have, BotFault for a bot that breaks the rules.
    """
    if not entrants or deals < 1:
        raise ValueError("An arena needs a bot and a deal at least.")
    if seats not in game.seats:
        raise BadSetup("seats", f"{game.key} is for {game.seats[0]} to {game.seats[-1]} seats, not {seats!r}.")
    tallies, played = {name: _Tally() for name in entrants}, 0
    for deal in range(deals):
        dealt = deal_options(game, seats, deal, options)
        rules = game.with_options(dealt)
        bots = {name: make(rules) for name, make in entrants.items()}
        table = seatings(tuple(entrants), seats, deal_seed(seed, deal), game.cooperative)
        total = played + len(table) * (deals - deal)
        for line_up in table:
            outcome = play_through(game, [bots[name] for name in line_up], deal_seed(seed, deal), dealt).outcome()
            if outcome is None:
                raise RuntimeError(f"{game.key} did not end")
            places = outcome.places or (0,) * seats
            for name, place, score in zip(line_up, places, outcome.scores, strict=True):
                tallies[name].deal.append((place, score, place == 1))
            played += 1
            if on_game is not None:
                on_game(played, total)
        for tally in tallies.values():
            tally.close_deal()
    standings = [_standing(name, tally, game.cooperative) for name, tally in tallies.items()]
    standings.sort(key=lambda one: _rank(one, game.high_wins))
    return ArenaResult(game.key, game.version, seats, deals, seed, dict(options or {}), played, tuple(standings))


def deal_options(game: AnyGame, seats: int, deal: int, given: Mapping[str, Json] | None) -> dict[str, Json]:
    """The options of a table's deal with this number, from 0, those given put over them. Raises BadSetup."""
    return game.read_options(seats, {**game.series_options(seats, deal), **(given or {})})


def line_ups(names: Sequence[str], seats: Seat) -> list[LineUp]:
    """Who plays at one table, in no order that matters; over all of them every name has as many seats."""
    everyone, extra = divmod(seats, len(names))
    return [(*tuple(names) * everyone, *more) for more in combinations(names, extra)]


def seatings(names: Sequence[str], seats: Seat, seed: int, cooperative: bool) -> list[LineUp]:
    """The line-ups one deal is played with: each in an order drawn from the seed, in all its rotations."""
    if cooperative:
        return [(name,) * seats for name in names]
    # One source beyond those of the seats' bots, so that neighbours follow from no bot's choices.
    rng = bot_source(seed, seats)
    drawn = [shuffled(line_up, rng) for line_up in line_ups(names, seats)]
    # Bots on several seats can make a rotation equal to another, which would be the same game again.
    return [
        rotation
        for order in drawn
        for rotation in dict.fromkeys(tuple(order[turn:] + order[:turn]) for turn in range(seats))
    ]


def _standing(name: str, tally: _Tally, cooperative: bool) -> Standing:
    place, score, wins = (estimate(values) for values in zip(*tally.means, strict=True))
    if cooperative:
        return Standing(name, tally.games, None, score, None)
    return Standing(name, tally.games, place, score, wins)


def _rank(standing: Standing, high_wins: bool) -> float:
    if standing.place is not None:
        return standing.place.mean
    return -standing.score.mean if high_wins else standing.score.mean


def estimate(values: Sequence[float]) -> Estimate:
    """The mean of independent values (one or more) and the margin of its 95 % interval."""
    if len(values) < 2:
        return Estimate(values[0], None)
    margin = student_quantile(len(values) - 1) * stdev(values) / sqrt(len(values))
    return Estimate(fmean(values), margin)


def student_quantile(freedom: int) -> float:
    """The two-sided 95 % quantile of Student's distribution with so many degrees of freedom (1 or more).

    Exact for 1 and 2; from 3 on the expansion in powers of 1 / freedom (Abramowitz and Stegun 26.7.5), which
    is right to 0.004 at 3, to three decimals from 5 on.
    """
    if freedom == 1:
        return tan(pi * CONFIDENCE / 2)
    if freedom == 2:
        return CONFIDENCE * sqrt(2 / (1 - CONFIDENCE**2))
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    return fsum(
        (
            z,
            (z**3 + z) / 4 / freedom,
            (5 * z**5 + 16 * z**3 + 3 * z) / 96 / freedom**2,
            (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384 / freedom**3,
            (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160 / freedom**4,
        )
    )
