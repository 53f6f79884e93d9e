"""Weng-Lin ratings: numbers worked out from the paper's formulas, ties, the scale that people see.

Algorithm 1 of Weng and Lin (JMLR 12, 2011), for player i against each other player q of the round, with the deviations
grown by tau = 25/300 and beta = 25/6:

    c = sqrt(sigma_i^2 + sigma_q^2 + 2 beta^2)         p = 1 / (1 + exp((mu_q - mu_i) / c))
    delta = sigma_i^2 / c * (s - p)                    s = 1 for a better place, 1/2 for the same, 0 for a worse one
    eta = sigma_i / c * (sigma_i / c)^2 * p * (1 - p)
    mu_i grows by the sum of delta; sigma_i^2 is multiplied by 1 - the sum of eta
"""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from league.scoring.places import places
from league.scoring.ratings import ESTABLISHED, START, Strength, is_provisional, rate, value


def close(rating: Strength, mu: float, sigma: float) -> bool:
    return math.isclose(rating.mu, mu, abs_tol=5e-5) and math.isclose(rating.sigma, sigma, abs_tol=5e-5)


def test_two_newcomers() -> None:
    """sigma^2 = 69.4444 + 0.0069 = 69.4514, c = sqrt(2 * 69.4514 + 2 * 17.3611) = 13.1767, p = 1/2.

    delta = 69.4514 / 13.1767 * 1/2 = 2.6354; eta = 0.63246^3 / 4 = 0.06325; sigma = 8.33375 * sqrt(0.93675) = 8.0659.
    """
    first, second = rate([START, START], [1, 2])
    assert close(first, 27.6354, 8.0659)
    assert close(second, 22.3646, 8.0659)
    assert first.results == second.results == 1


def test_three_players_two_of_whom_share_a_place() -> None:
    """A (30, 4) wins, B (25, 6) and C (22, 8) share place 2.

    A: with B c 9.3132, p 0.6311, delta 0.6341, eta 0.01846; with C c 10.7115, p 0.6785, delta 0.4804, eta 0.01137.
    B: with A p 0.3689, delta -1.4263, eta 0.06227; with C c 11.6076, p 0.5643, delta -0.1993, eta 0.03397.
    C: with A p 0.3215, delta -1.9212, eta 0.09089; with B p 0.4357, delta 0.3543, eta 0.08050.
    So A is 30 + 1.1145 and sqrt(16.0069 * 0.97017), B 25 - 1.6256 and sqrt(36.0069 * 0.90376), C 22 - 1.5668 (from
    unrounded numbers) and sqrt(64.0069 * 0.82861).
    """
    before = [Strength(30, 4, 50), Strength(25, 6, 20), Strength(22, 8, 1)]
    a, b, c = rate(before, [1, 2, 2])
    assert close(a, 31.1145, 3.9408)
    assert close(b, 23.3744, 5.7045)
    assert close(c, 20.4332, 7.2826)
    assert [one.results for one in (a, b, c)] == [51, 21, 2]


def test_order_of_players_says_nothing() -> None:
    before = [Strength(30, 4, 50), Strength(25, 6, 20), Strength(22, 8, 1)]
    forwards, backwards = rate(before, [1, 2, 2]), rate(before[::-1], [2, 2, 1])
    for one, other in zip(forwards, backwards[::-1], strict=True):
        assert (one.mu, one.sigma) == pytest.approx((other.mu, other.sigma), abs=1e-12)


def test_plackett_luce_puts_a_third_above_tied_winners_and_ours_does_not() -> None:
    """Five equal players with the places 1, 1, 3, 4, 5: why the model is Bradley-Terry."""
    tied = [1, 1, 3, 4, 5]
    model = PlackettLuce()
    other = [rated.mu for [rated] in model.rate([[model.rating()] for _ in tied], ranks=[float(one) for one in tied])]
    assert other[2] > other[0] == other[1]
    ours = [one.mu for one in rate([START] * 5, tied)]
    assert ours[0] == ours[1] > ours[2] > ours[3] > ours[4]
    # Nobody gains what nobody loses: of equal players the mean stays.
    assert sum(ours) == pytest.approx(5 * START.mu)


@given(st.lists(st.integers(1, 9), min_size=2, max_size=6))
def test_equal_players_stand_in_the_order_of_their_places(points: list[int]) -> None:
    its_places = places(points, high_wins=True)
    after = rate([START] * len(points), its_places)
    for one, its_place in zip(after, its_places, strict=True):
        for other, other_place in zip(after, its_places, strict=True):
            if its_place < other_place:
                assert one.mu > other.mu
            elif its_place == other_place:
                assert one == other


def test_only_the_order_of_places_counts() -> None:
    """Of a mixed table the places of the people alone: 2, 3, 5 say what 1, 2, 3 say."""
    before = [Strength(27, 5), Strength(22, 4), START]
    assert rate(before, [2, 3, 5]) == rate(before, [1, 2, 3])


@pytest.mark.parametrize(("players", "given_places"), [(0, []), (1, [1]), (2, [1]), (2, [1, 2, 3])])
def test_a_round_compares_at_least_two(players: int, given_places: list[int]) -> None:
    with pytest.raises(ValueError, match="at least two players with one place each"):
        rate([START] * players, given_places)


def test_the_scale_is_elos() -> None:
    """Between well-known players (sigma 0) a lead of 400 points wins ten times as often as it loses.

    p = 1 / (1 + exp(-d / (beta sqrt 2))) = 10/11 for d = beta sqrt 2 * ln 10 = 13.5682 of mu.
    """
    assert value(START.mu) == 1500
    assert value(START.mu + 13.5682) == pytest.approx(1900, abs=0.01)
    assert value(START.mu - 13.5682) == pytest.approx(1100, abs=0.01)


def test_after_ten_rounds_at_tables_of_four_about_half_of_the_doubt_is_left() -> None:
    """Why a rating is established from there on; equal players, places by chance, several times."""
    assert ESTABLISHED == 10
    assert is_provisional(9)
    assert not is_provisional(10)
    rng = random.Random(1)
    for _time in range(5):
        table: tuple[Strength, ...] = (START,) * 4
        for _round in range(ESTABLISHED):
            table = rate(table, rng.sample(range(1, 5), 4))
        assert all(0.45 < one.sigma / START.sigma < 0.6 for one in table)


def test_the_better_player_is_found() -> None:
    """Eight players of known strength at tables of four: after 300 rounds the ratings are nearly in their order."""
    for seed in range(3):
        rng = random.Random(seed)
        rated = [START] * 8
        for _round in range(300):
            table = rng.sample(range(8), 4)
            shown = [player + rng.gauss(0, 3) for player in table]
            after = rate(
                [rated[player] for player in table], places([round(1000 * one) for one in shown], high_wins=True)
            )
            for player, one in zip(table, after, strict=True):
                rated[player] = one
        order = sorted(range(8), key=lambda player: rated[player].mu)
        assert sum(abs(position - player) for position, player in enumerate(order)) <= 4
