"""Ratings follow the sessions: what enters them, boards apart, corrections, many workers, workers that die."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from typing import Any

import pytest
from django.db import transaction

from league.models import (
    ChangedSession,
    ClubGame,
    Player,
    PlayerKind,
    Rating,
    RatingChange,
    Season,
    Session,
)
from league.scoring import cooperative
from league.scoring.cooperative import CooperativeFit, Setting
from league.scoring.ratings import START, Strength, rate, value
from league.services import confirmations, corrections, figures, merges, ratings
from league.services.evenings import RoundInput, ScoreInput, SeatInput, SessionInput
from tests.people import NAMES, NOW, People
from tests.services.given import ANYTHING, DAY, by_places, record, series
from tests.services.threads import at_once

pytestmark = pytest.mark.django_db

Stored = dict[tuple[str, str, str], tuple[float, float, float, int]]


def refresh(people: People) -> None:
    assert figures.refresh_figures(club_id=people.club.pk)
    assert not ChangedSession.objects.filter(club=people.club).exists()


def stored() -> Stored:
    """(player, board, family) -> (mu, sigma, value, results)."""
    return {
        (one.player.name, one.board, one.family): (one.mu, one.sigma, one.value, one.results)
        for one in Rating.objects.select_related("player")
    }


def history() -> list[tuple[Any, ...]]:
    """All changes in order, without their ids."""
    return list(
        RatingChange.objects.order_by("played_on", "session_id", "board", "family", "player_id").values_list(
            *("played_on", "session_id", "board", "family", "player_id", "mu", "sigma", "value", "results")
        )
    )


def from_scratch(people: People) -> tuple[Stored, list[tuple[Any, ...]]]:
    """What rating everything anew gives."""
    RatingChange.objects.all().delete()
    Rating.objects.all().delete()
    figures.note_all(club_id=people.club.pk)
    refresh(people)
    return stored(), history()


def together(points: int, *names: str, game: str = "the-game", **fields: Any) -> SessionInput:
    """One cooperative game."""
    scores = tuple(ScoreInput(name, points=points) for name in names)
    return SessionInput(
        format="single_game",
        players=tuple(SeatInput(name) for name in names),
        rounds=(RoundInput(game, scores),),
        **{"played_on": DAY, "status": "complete", **fields},
    )


def bots(people: People, *names: str) -> None:
    for name in names:
        Player.objects.create(club=people.club, name=name, kind=PlayerKind.BOT, bot="random")


# --- What is rated ----------------------------------------------------------------------------------------------------


def test_an_evening_of_two_rounds(people: People) -> None:
    """Ann wins twice, Ben and Cem change places: rated round by round, kept once a session."""
    session = record(people, series({"Ann": 1, "Ben": 2, "Cem": 3}, {"Ann": 1, "Ben": 3, "Cem": 2}))
    refresh(people)
    a, b, c = rate(rate([START] * 3, [1, 2, 3]), [1, 3, 2])
    assert stored() == {
        (name, "people", "xxl"): (one.mu, one.sigma, value(one.mu), 2)
        for name, one in zip(("Ann", "Ben", "Cem"), (a, b, c), strict=True)
    }
    assert a.mu > c.mu > b.mu
    assert {(line[0], line[1], line[-1]) for line in history()} == {(DAY, session.pk, 2)}
    assert len(history()) == 3


def test_a_session_without_a_season_is_rated(people: People) -> None:
    record(people, series({"Ann": 1, "Ben": 2}, season=None))
    refresh(people)
    assert set(stored()) == {("Ann", "people", "xxl"), ("Ben", "people", "xxl")}


def test_in_order_of_days_not_of_entering(people: People) -> None:
    record(people, series({"Ann": 1, "Ben": 2}, played_on=DAY))
    record(people, series({"Ann": 2, "Ben": 1}, {"Ann": 2, "Ben": 1}, played_on=DAY - timedelta(days=7)))
    refresh(people)
    table: tuple[Strength, ...] = (START, START)
    for its_places in ([2, 1], [2, 1], [1, 2]):
        table = rate(table, its_places)
    assert stored()["Ann", "people", "xxl"][0] == table[0].mu


def test_what_goes_on_is_void_or_awaits_agreement_is_not_rated(people: People) -> None:
    Season.objects.filter(pk=people.season.pk).update(needs_confirmation=True)
    record(people, series({"Ann": 1, "Ben": 2}, planned=2, season=None))
    waiting = record(people, series({"Ann": 1, "Ben": 2}))
    void = record(people, series({"Cem": 1, "Dora": 2}, season=None))
    corrections.void(access=people.access(people.admin), session_id=void.pk, reason="Another evening", now=NOW)
    refresh(people)
    assert stored() == {}
    confirmations.confirm(access=people.access(people.admin), session_id=waiting.pk, now=NOW)
    refresh(people)
    assert {name for name, _board, _family in stored()} == {"Ann", "Ben"}


def test_families_apart(people: People) -> None:
    ClubGame.objects.create(club=people.club, key="skat", name="Skat", scored_by="places", max_players=3)
    record(people, series({"Ann": 1, "Ben": 2}))
    own = SessionInput(
        format="single_game",
        played_on=DAY,
        players=(SeatInput("Ann"), SeatInput("Cem")),
        rounds=(by_places("skat", {"Ann": 2, "Cem": 1}),),
        status="complete",
    )
    record(people, own)
    refresh(people)
    assert {(name, family) for name, _board, family in stored()} == {
        *(("Ann", "xxl"), ("Ben", "xxl"), ("Ann", "own"), ("Cem", "own"))
    }
    assert stored()["Ann", "people", "xxl"][0] > START.mu > stored()["Ann", "people", "own"][0]


def test_people_and_bots_apart(people: People) -> None:
    """A mixed table: places 1 to 5; people at 1, 3, 5, bots at 2 and 4; a bot alone among people is not rated."""
    bots(people, "Robo", "Robi")
    record(people, series({"Ann": 1, "Robo": 2, "Ben": 3, "Robi": 4, "Cem": 5}))
    record(people, series({"Dora": 1, "Robi": 2, "Eva": 3}))
    refresh(people)
    assert {(name, board) for name, board, _family in stored()} == {
        *(("Ann", "people"), ("Ben", "people"), ("Cem", "people"), ("Dora", "people"), ("Eva", "people")),
        *(("Robo", "bots"), ("Robi", "bots")),
    }
    a, _b, c = rate([START] * 3, [1, 2, 3])
    robo, _robi = rate([START] * 2, [1, 2])
    assert stored()["Ann", "people", "xxl"][0] == a.mu
    assert stored()["Cem", "people", "xxl"][0] == c.mu
    assert stored()["Robo", "bots", "xxl"][0] == robo.mu


def test_tables_that_play_together(people: People) -> None:
    """As the fit says of all results so far; a table of people and bots is not rated, nor are bots among people."""
    bots(people, "Robo", "Robi")
    games = [(["Ann", "Ben"], 3), (["Ann", "Cem"], 8), (["Ben", "Cem"], 20), (["Dora"], 30)]
    for number, (names, left) in enumerate(games):
        record(people, together(left, *names, played_on=DAY - timedelta(days=9 - number)))
    record(people, together(1, "Eva", "Robo"))
    record(people, together(12, "Robo", "Robi"))
    refresh(people)
    fit, ids = (
        CooperativeFit(),
        {player.name: player.pk for player in Player.objects.all() if player.club == people.club},
    )
    for names, left in games:
        fit.add(
            setting=Setting("the-game", len(names)),
            players=sorted(ids[name] for name in names),
            points=left,
            high_wins=False,
        )
    means = fit.means()
    found = {key: line for key, line in stored().items() if key[0] not in {"Robo", "Robi"}}
    assert {name: (line[0], line[2], line[3]) for (name, _board, _family), line in found.items()} == {
        name: (means[ids[name]][0], cooperative.value(means[ids[name]][0]), means[ids[name]][1])
        for name in ("Ann", "Ben", "Cem", "Dora")
    }
    assert {(board, family) for _name, board, family in stored()} == {("cooperative", "the-game")}
    assert stored()["Robo", "cooperative", "the-game"][0] == stored()["Robi", "cooperative", "the-game"][0] == 0
    # Cem's second game tells of Ann as well, who was not there.
    ann = [line for line in history() if line[4] == ids["Ann"]]
    assert len(ann) == 2
    assert ann[-1][7] != stored()["Ann", "cooperative", "the-game"][2]


# --- Changes ----------------------------------------------------------------------------------------------------------


def test_a_void_session_leaves_no_trace_and_comes_back(people: People) -> None:
    admin = people.access(people.admin)
    first = record(people, series({"Ann": 1, "Ben": 2}, played_on=DAY - timedelta(days=2)))
    record(people, series({"Ann": 2, "Cem": 1}))
    refresh(people)
    before = stored(), history()
    corrections.void(access=admin, session_id=first.pk, reason="Never was", now=NOW)
    refresh(people)
    assert {name for name, _board, _family in stored()} == {"Ann", "Cem"}
    assert stored()["Ann", "people", "xxl"][3] == 1
    corrections.restore(access=admin, session_id=first.pk, reason="It was", now=NOW)
    refresh(people)
    assert (stored(), history()) == before


def test_a_merged_players_results_are_the_others(people: People) -> None:
    admin, (ann, ben, _cem, dora, *_others) = people.access(people.admin), people.players
    record(people, series({"Ann": 1, "Ben": 2}, played_on=DAY - timedelta(days=2)))
    record(people, series({"Dora": 1, "Ben": 2}))
    refresh(people)
    apart = stored(), history()
    merges.merge(access=admin, source_id=dora.pk, target_id=ann.pk, now=NOW)
    refresh(people)
    assert stored()["Ann", "people", "xxl"][3] == 2
    assert {name for name, _board, _family in stored()} == {"Ann", "Ben"}
    assert (stored(), history()) == from_scratch(people)
    merges.undo(access=admin, source_id=dora.pk, now=NOW)
    refresh(people)
    assert (stored(), history()) == apart
    assert not Rating.objects.filter(player=ben, results=3).exists()


def test_an_open_session_moves_nothing(people: People) -> None:
    record(people, series({"Ann": 1, "Ben": 2}, planned=2))
    assert not ChangedSession.objects.exists()


class Club:
    """Random results and random changes of them, all from one seed."""

    def __init__(self, people: People, seed: int) -> None:
        self.people, self.rng = people, random.Random(seed)
        self.admin = people.access(people.admin)
        self.sessions: list[int] = []

    def day(self) -> date:
        return DAY - timedelta(days=self.rng.randint(0, 6))

    def given(self) -> SessionInput:
        if self.rng.random() < 0.4:
            names = self.rng.sample(NAMES, self.rng.randint(1, 4))
            return together(self.rng.randint(0, 40), *names, played_on=self.day())
        rounds = []
        names = self.rng.sample(NAMES, self.rng.randint(2, 5))
        for _round in range(self.rng.randint(1, 3)):
            points = {name: self.rng.randint(1, 4) for name in names}
            rounds.append({name: 1 + sum(other < own for other in points.values()) for name, own in points.items()})
        return series(*rounds, played_on=self.day(), season=self.rng.choice(["monday-league/2026", None]))

    def step(self) -> None:
        what = self.rng.choice(["record", "record", "record", "correct", "move", "void", "restore", "restore"])
        if what == "record" or not self.sessions:
            self.sessions.append(record(self.people, self.given()).pk)
            return
        session = Session.objects.get(pk=self.rng.choice(self.sessions))
        if (what == "restore") == (session.voided_at is not None):
            if what in {"void", "restore"}:
                self.turn(session.pk)
            else:
                given = self.given()
                fields = ("played_on",) if what == "move" else ("format", "players", "rounds", "planned_rounds")
                self.correct(session.pk, {name: getattr(given, name) for name in fields})

    def correct(self, session: int, changes: dict[str, Any]) -> None:
        corrections.correct(
            access=self.admin,
            session_id=session,
            changes=changes,
            reason="Noted down wrongly",
            expected=None,
            confirm=ANYTHING,
            now=NOW,
        )

    def turn(self, session: int) -> None:
        """Void it, or bring it back."""
        turn = corrections.void if Session.objects.get(pk=session).voided_at is None else corrections.restore
        turn(access=self.admin, session_id=session, reason="Half-way", now=NOW)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_replay_gives_what_rating_everything_gives(
    people: People, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To the last bit, after any edits, however many of them a refresh takes along, in steps of any size."""
    monkeypatch.setattr(ratings, "_BATCH", 3)
    club = Club(people, seed)
    for _time in range(8):
        for _edit in range(club.rng.randint(2, 6)):
            club.step()
        refresh(people)
        replayed = stored(), history()
        with transaction.atomic():
            assert replayed == from_scratch(people)
            transaction.set_rollback(True)
    assert len(history()) > 20


def test_a_worker_that_dies_half_way(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    """After any of its transactions: the next one makes it good."""
    monkeypatch.setattr(ratings, "_BATCH", 2)
    club = Club(people, 5)
    sessions = [record(people, club.given()) for _time in range(10)]
    refresh(people)
    first, second, *_others = sorted(sessions, key=lambda session: (session.played_on, session.pk))
    steps = ratings.Replay.steps
    for dies_after in range(4):
        club.turn(first.pk)
        club.correct(second.pk, {"played_on": DAY - timedelta(days=dies_after)})

        def broken(self: ratings.Replay, last: int = dies_after) -> Iterator[ratings.Step]:
            for number, step in enumerate(steps(self)):
                if number == last:
                    raise KeyboardInterrupt
                yield step

        with monkeypatch.context() as dying:
            dying.setattr(ratings.Replay, "steps", broken)
            with pytest.raises(KeyboardInterrupt):
                figures.refresh_figures(club_id=people.club.pk)
        assert ChangedSession.objects.exists()
        refresh(people)
        made_good = stored(), history()
        with transaction.atomic():
            assert made_good == from_scratch(people)
            transaction.set_rollback(True)


def test_an_archive_comes_in_without_figures(people: People) -> None:
    record(people, series({"Ann": 1, "Ben": 2}))
    refresh(people)
    before = stored(), history()
    assert from_scratch(people) == before


def test_another_club_is_left_alone(people: People) -> None:
    record(people, series({"Ann": 1, "Ben": 2}))
    refresh(people)
    assert figures.refresh_figures(club_id=people.other_club.pk)
    figures.note_all(club_id=people.other_club.pk)
    assert {one.club_id for one in RatingChange.objects.all()} == {people.club.pk}


# --- At once ----------------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_two_workers_and_results_that_come_in(people: People) -> None:
    """While one computes the other goes away; what is posted meanwhile is rated by whoever comes next."""

    def scorekeeper(seed: int) -> None:
        club = Club(people, seed)
        for _edit in range(5):
            record(people, replace(club.given(), season=None))

    def worker() -> None:
        for _time in range(6):
            figures.refresh_figures(club_id=people.club.pk)

    calls: list[Callable[[], None]] = [worker, worker, partial(scorekeeper, 1), partial(scorekeeper, 2)]
    done = at_once(calls)
    assert not [one for one in done if isinstance(one, BaseException)]
    refresh(people)
    found = stored(), history()
    assert found == from_scratch(people)
    assert Session.objects.count() == 10
