"""The FIDE (Dutch) System: whole tournaments before the package's own checker, and what is refused."""

import sys
from dataclasses import replace
from random import Random

import pytest
from caissify_pairings.fpc import check_trf  # type: ignore[import-untyped]
from caissify_pairings.rtg import generate_tournament  # type: ignore[import-untyped]

from league.exchange import trf
from league.pairing import dutch
from league.pairing.values import Entrant, PairingError, PastRound, Reason, Table, TableKind, Wishes
from tests.pairing.duels import absent, bye, field, played, report_of, scores_of, won


@pytest.mark.parametrize("seed", range(20))
def test_the_packages_checker_accepts_a_tournament_of_ours(seed: int) -> None:
    """Forfeits in every second, a drop-out in every third, a late entry in every fourth one.

    The checker takes any absence for a bye that ends the right to another, which article C2 of the system does not
    say; so tournaments with a late entry have an even field from then on.
    """
    random = Random(seed)
    size, planned = 10 + seed % 6, 5
    entrants = field(size + size % 2 if seed % 4 == 1 else size)
    if seed % 4 == 1:
        entrants = [replace(one, first_round=2) if one.seed == 3 else one for one in entrants]
    rounds: list[PastRound] = []
    for number in range(1, planned + 1):
        if number == 3 and seed % 3 == 0 and seed % 4 != 1:
            entrants = absent(entrants, entrants[size // 2].id)
        paired = dutch.pair(entrants, rounds, scores_of(rounds), seed=seed, total_rounds=planned)
        rounds.append(played(paired, number, random, forfeits=0.08 if seed % 2 else 0.0))
    report = report_of(entrants, rounds, planned=planned, title=f"Tournament {seed}")
    text = trf.write(report)
    assert trf.read(text) == report
    checked = check_trf(text)
    assert [one["discrepancies"] for one in checked["rounds"]] == [[]] * planned
    assert checked["summary"] == {
        "rounds_checked": planned,
        "rounds_matched": planned,
        "rounds_mismatched": 0,
        "total_discrepancies": 0,
    }
    assert (checked["num_players"], checked["tournament_name"]) == (len(entrants), f"Tournament {seed}")


@pytest.mark.parametrize("players", [11, 14])
def test_a_tournament_of_the_packages_generator_is_paired_the_same(players: int) -> None:
    report = trf.read(generate_tournament(num_players=players, num_rounds=5, seed=players))
    entrants = [Entrant(id=one.number, seed=one.number) for one in report.players]
    points = {"1": 1.0, "=": 0.5, "0": 0.0, "U": 1.0}
    rounds: list[PastRound] = []
    # The lot fell as in the file: by whether number 1 had white.
    seed = 1 if report.players[0].entries[0] and report.players[0].entries[0].colour == "w" else 2
    for number in range(1, 6):
        entries = {one.number: entry for one in report.players if (entry := one.entries[number - 1])}
        tables = {
            (one, entry.opponent)
            for one, entry in entries.items()
            if entry.opponent is not None and entry.colour == "w"
        }
        byes = tuple(one for one, entry in entries.items() if entry.opponent is None)
        paired = dutch.pair(entrants, rounds, scores_of(rounds), seed=seed, total_rounds=5)
        assert set(paired.tables) == tables
        assert paired.byes == byes
        told = [Table(entrants=two, scores={one: points[entries[one].result] for one in two}) for two in paired.tables]
        rounds.append(PastRound(number=number, tables=(*told, *map(bye, byes))))
    assert scores_of(rounds) == {one.number: one.points for one in report.players}


def test_the_first_round_is_the_fold_and_the_lot_gives_the_first_colour() -> None:
    assert dutch.available()
    drawn = {dutch.pair(field(4), [], {}, seed=seed).tables for seed in range(8)}
    assert drawn == {((10, 30), (40, 20)), ((30, 10), (20, 40))}


def test_reasons_and_wished_tables() -> None:
    paired = dutch.pair(field(5), [], {}, seed=1, wishes=Wishes(fixed={20: 1}))
    assert set(paired.tables[0]) == {20, 40}
    assert paired.reasons == (Reason(code="bye", entrants=(50,), figures={"score": 0, "byes": 0, "passed": 0}),)


def test_wishes_to_be_apart_hold_from_the_first_round_on() -> None:
    apart = Wishes(apart=frozenset({(30, 10)}))
    first = dutch.pair(field(4), [], {}, seed=1, wishes=apart)
    # The next in order of the system: 1-4, 2-3.
    assert {frozenset(two) for two in first.tables} == {frozenset({10, 40}), frozenset({20, 30})}
    rounds = [PastRound(number=1, tables=won((10, 40), (20, 30)))]
    second = dutch.pair(field(4), rounds, scores_of(rounds), seed=1, wishes=apart)
    assert {frozenset(two) for two in second.tables} == {frozenset({10, 20}), frozenset({30, 40})}


def test_a_forfeit_is_no_meeting_and_ends_the_right_to_a_bye() -> None:
    walkover = Table(entrants=(30, 20), kind=TableKind.FORFEIT, scores={30: 1.0, 20: 0.0})
    rounds = [PastRound(number=1, tables=(walkover, bye(10)))]
    paired = dutch.pair(field(3), rounds, scores_of(rounds), seed=1)
    assert paired.byes == (20,)
    rounds = [PastRound(number=1, tables=(walkover,))]
    assert set(dutch.pair(absent(field(3), 10), rounds, scores_of(rounds), seed=1).tables[0]) == {20, 30}


def test_nobody_has_a_second_bye_while_others_had_none() -> None:
    # 30 alone had no bye, but a walkover.
    walkover = Table(entrants=(30, 20), kind=TableKind.FORFEIT, scores={30: 1.0, 20: 0.0})
    rounds = [
        PastRound(number=1, tables=(walkover, bye(10))),
        PastRound(number=2, tables=(*won((10, 30)), bye(20))),
    ]
    assert dutch.pair(field(3), rounds, scores_of(rounds), seed=1).byes == (30,)


def test_what_cannot_be_paired_is_refused() -> None:
    tables = [won((10, 30), (40, 20)), won((20, 10), (30, 40)), won((10, 40), (30, 20))]
    rounds = [PastRound(number=number, tables=its) for number, its in enumerate(tables, start=1)]
    refusals = [
        ("nobody", absent(field(4), 10, 20, 30, 40), [], {}, Wishes()),
        ("no_dutch_pairing", field(4), rounds, scores_of(rounds), Wishes()),
        ("dutch_scores", field(4), rounds[:1], {10: 3.0}, Wishes()),
        ("dutch_scores", field(4), rounds[:1], {10: 0.25}, Wishes()),
        ("dutch_wish", field(4), [], {}, Wishes(together=frozenset({(10, 20)}))),
    ]
    for code, entrants, before, scores, wishes in refusals:
        with pytest.raises(PairingError) as refused:
            dutch.pair(entrants, before, scores, seed=1, wishes=wishes)
        assert refused.value.reason.code == code


def test_without_the_package_that_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "caissify_pairings", None)
    with pytest.raises(PairingError) as refused:
        dutch.pair(field(4), [], {}, seed=1)
    assert refused.value.reason == Reason(code="dutch_missing")
