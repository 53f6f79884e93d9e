"""Nothing is ever lost: random edits by random people, against a naive model that keeps only what was given.

The model knows the rules by their words (docs/rules/xxl.md, "Scoring a session"; docs/architecture.md, "Rulings of the
league") and nothing of the product's own: after each step all results, standings, revisions and refusals agree.
"""

import os
from collections import defaultdict
from copy import deepcopy
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from league.models import League, Player, Score, Season, Session, SessionRevision, Standing
from league.services import confirmations, corrections, results, seasons
from league.services.errors import Conflict, ServiceError, Stale
from league.services.results import RoundInput, ScoreInput, SeatInput, SessionInput
from tests.people import NAMES, NOW, People
from tests.services.given import ANYTHING

pytestmark = pytest.mark.django_db

TABLES = st.lists(st.sampled_from(NAMES[:4]), min_size=3, max_size=4, unique=True)
DAYS = st.integers(min_value=0, max_value=3).map(lambda days: date(2026, 10, 1) + timedelta(days))
POINTS = st.integers(min_value=-9, max_value=9)
WHICH = st.sampled_from(["2026", "2027", None])


def places(points: dict[str, int]) -> dict[str, int]:
    """Most points win (und Tschüss); equal ones share a place, the next are skipped."""
    return {name: 1 + sum(other > own for other in points.values()) for name, own in points.items()}


class Edits(RuleBasedStateMachine):
    """A club of two seasons, of which the second asks for confirmation."""

    people: People
    sessions = Bundle("sessions")

    def __init__(self) -> None:
        super().__init__()
        self.around = transaction.atomic()
        self.around.__enter__()
        league = League.objects.get(club=self.people.club)
        Season.objects.create(
            club=self.people.club,
            league=league,
            name="2027",
            slug="2027",
            starts_on=date(2026, 9, 1),
            needs_confirmation=True,
            ranking_metric="wins",
            ranking_best="high",
        )
        self.by = self.people.access(self.people.scorekeeper)
        self.admin = self.people.access(self.people.admin)
        self.seasons = {season.slug: season for season in Season.objects.filter(club=self.people.club)}
        self.ids = {player.name: player.pk for player in Player.objects.filter(club=self.people.club)}
        self.model: dict[int, dict[str, Any]] = {}
        self.closed: set[str] = set()
        self.history: dict[int, list[Any]] = defaultdict(list)

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.around.__exit__(None, None, None)

    # --- What people do -----------------------------------------------------------------------------------------------

    def given(self, names: list[str], rounds: list[dict[str, int]], day: date, season: str | None) -> dict[str, Any]:
        return {
            "players": tuple(SeatInput(name) for name in names),
            "rounds": tuple(
                RoundInput("und-tschuess", tuple(ScoreInput(name, points[name]) for name in names)) for points in rounds
            ),
            "played_on": day,
            "season": season and f"monday-league/{season}",
        }

    @initialize(target=sessions, names=TABLES, data=st.data(), season=st.sampled_from(["2026", "2027"]))
    def begin(self, names: list[str], data: Any, season: str) -> int:
        return self.record(names, 2, data, date(2026, 10, 2), season)

    @rule(target=sessions, names=TABLES, rounds=st.integers(1, 2), data=st.data(), day=DAYS, season=WHICH)
    def another(self, names: list[str], rounds: int, data: Any, day: date, season: str | None) -> int:
        return self.record(names, rounds, data, day, season)

    def record(self, names: list[str], rounds: int, data: Any, day: date, season: str | None) -> int:
        points = [{name: data.draw(POINTS) for name in names} for _round in range(rounds)]
        given = self.given(names, points, day, season)
        values = SessionInput(format="series", planned_rounds=2, **given, status="complete" if rounds == 2 else "open")

        def act() -> Session:
            return results.record(access=self.by, data=values, confirm=ANYTHING, now=NOW)

        if season in self.closed:
            self.refused(act, Conflict)
            return 0
        session = act()
        self.model[session.pk] = {
            "names": names,
            "rounds": points,
            "day": day,
            "season": season,
            "open": rounds < 2,
            "void": False,
            "confirmation": "awaited" if season == "2027" else "",
        }
        self.kept(session.pk)
        return session.pk

    @rule(session=sessions, data=st.data())
    def add_round(self, session: int, data: Any) -> None:
        if session not in self.model:
            return
        known = self.model[session]
        points = {name: data.draw(POINTS) for name in known["names"]}
        one = self.given(known["names"], [points], known["day"], None)["rounds"][0]

        def act() -> Session:
            return results.record_round(access=self.by, session_id=session, data=one, confirm=ANYTHING, now=NOW)

        if known["void"] or not known["open"] or known["season"] in self.closed:
            self.refused(act, Conflict)
            return
        act()
        known["rounds"].append(points)
        known["open"] = len(known["rounds"]) < 2
        self.kept(session)

    @rule(session=sessions, names=TABLES, data=st.data())
    def correct_who_played(self, session: int, names: list[str], data: Any) -> None:
        if session in self.model:
            rounds = [{name: data.draw(POINTS) for name in names} for _round in self.model[session]["rounds"]]
            self.correct(session, data, names=names, rounds=rounds)

    @rule(session=sessions, rounds=st.integers(1, 2), data=st.data())
    def correct_points(self, session: int, rounds: int, data: Any) -> None:
        if session in self.model:
            names = self.model[session]["names"]
            points = [{name: data.draw(POINTS) for name in names} for _round in range(rounds)]
            self.correct(session, data, rounds=points)

    @rule(session=sessions, day=DAYS, data=st.data())
    def correct_day(self, session: int, day: date, data: Any) -> None:
        if session in self.model:
            self.correct(session, data, day=day)

    @rule(session=sessions, season=WHICH, data=st.data())
    def correct_season(self, session: int, season: str | None, data: Any) -> None:
        if session in self.model:
            self.correct(session, data, season=season)

    def correct(self, session: int, data: Any, **different: Any) -> None:
        known = self.model[session]
        to_be = {key: different.get(key, known[key]) for key in ("names", "rounds", "day", "season")}
        names, points, day, season = to_be["names"], to_be["rounds"], to_be["day"], to_be["season"]
        rounds = len(points)
        stale = data.draw(st.sampled_from([0, 0, 0, 1]))
        expected = Session.objects.get(pk=session).revision + stale

        def act() -> Session:
            return corrections.correct(
                access=self.by,
                session_id=session,
                changes=self.given(names, points, day, season),
                reason="Noted down wrongly",
                expected=expected,
                confirm=ANYTHING,
                now=NOW,
            )

        if {known["season"], season} & self.closed:
            self.refused(act, Conflict)
            return
        if stale:
            self.refused(act, Stale)
            return
        if known["void"]:
            self.refused(act, Conflict)
            return
        act()
        was_open = known["open"]
        changed = any(known[key] != value for key, value in to_be.items())
        same_result = set(known["names"]) == set(names) and known["rounds"] == points and known["day"] == day
        if season != known["season"]:
            known["confirmation"] = "awaited" if season == "2027" else ""
        elif known["confirmation"] and not same_result:
            known["confirmation"] = "confirmed" if known["confirmation"] == "disputed" else "awaited"
        known.update(to_be)
        known["open"] = was_open and rounds < 2
        if changed:
            self.kept(session)

    @rule(session=sessions)
    def void(self, session: int) -> None:
        self.turn(session, void=True)

    @rule(session=sessions)
    def restore(self, session: int) -> None:
        self.turn(session, void=False)

    def turn(self, session: int, *, void: bool) -> None:
        if session not in self.model:
            return
        known = self.model[session]
        change = corrections.void if void else corrections.restore

        def act() -> Session:
            return change(access=self.by, session_id=session, reason="Another evening", expected=None, now=NOW)

        if known["season"] in self.closed or known["void"] == void:
            self.refused(act, Conflict)
            return
        act()
        known["void"] = void
        self.kept(session)

    @rule(session=sessions, dispute=st.booleans())
    def decide(self, session: int, dispute: bool) -> None:
        if session not in self.model:
            return
        known = self.model[session]

        def act() -> Session:
            if dispute:
                return confirmations.dispute(access=self.admin, session_id=session, reason="Not so", now=NOW)
            return confirmations.confirm(access=self.admin, session_id=session, now=NOW)

        if known["void"] or known["open"] or not known["confirmation"] or known["season"] in self.closed:
            self.refused(act, Conflict)
            return
        act()
        to_be = "disputed" if dispute else "confirmed"
        if known["confirmation"] != to_be:
            known["confirmation"] = to_be
            self.kept(session)

    @precondition(lambda self: len(self.model) > 2)
    @rule(season=st.sampled_from(["2026", "2027"]))
    def close_or_reopen(self, season: str) -> None:
        going_on = any(one["open"] and not one["void"] and one["season"] == season for one in self.model.values())
        status = "open" if season in self.closed else "closed"

        def act() -> Season:
            return seasons.update_season(
                access=self.admin, season_id=self.seasons[season].pk, changes={"status": status}, now=NOW
            )

        if status == "closed" and going_on:
            self.refused(act, Conflict)
            return
        act()
        self.closed ^= {season}

    # --- What has to be ----------------------------------------------------------------------------------------------

    def refused(self, act: Any, error: type[ServiceError]) -> None:
        with pytest.raises(error), transaction.atomic():
            act()

    def kept(self, session: int) -> None:
        """One revision more, which says what the session is; those before are untouched."""
        stored = list(SessionRevision.objects.filter(session=session).order_by("number").values("pk", "number", "data"))
        assert stored[:-1] == self.history[session]
        assert len(stored) == len(self.history[session]) + 1
        self.history[session] = deepcopy(stored)
        assert stored[-1]["number"] == Session.objects.get(pk=session).revision
        data, known = stored[-1]["data"], self.model[session]
        assert [seat["player"] for seat in data["players"]] == [self.ids[name] for name in known["names"]]
        assert [{score["player"]: score["points"] for score in one["scores"]} for one in data["rounds"]] == [
            {self.ids[name]: value for name, value in points.items()} for points in known["rounds"]
        ]
        assert (data["voided"], data["confirmation"]) == (known["void"], known["confirmation"])

    @invariant()
    def sessions_say_what_was_given(self) -> None:
        for pk, known in self.model.items():
            session = Session.objects.get(pk=pk)
            season = self.seasons[known["season"]].pk if known["season"] else None
            assert (session.played_on, session.season_id) == (known["day"], season)
            assert (session.status == "open") == known["open"]
            ranks = [places(points) for points in known["rounds"]]
            stored = {
                (score.round.number, score.player_id): (score.points, score.place)
                for score in Score.objects.filter(round__session=session).select_related("round")
            }
            assert stored == {
                (number, self.ids[name]): (known["rounds"][number - 1][name], place)
                for number, by_name in enumerate(ranks, start=1)
                for name, place in by_name.items()
            }
            found = {one.player_id: (one.place_sum, one.place) for one in session.results.all()}
            assert found == ({} if known["open"] else self.final(known))

    def final(self, known: dict[str, Any]) -> dict[int, tuple[int, int]]:
        sums = {name: sum(places(points)[name] for points in known["rounds"]) for name in known["names"]}
        return {self.ids[name]: (own, 1 + sum(other < own for other in sums.values())) for name, own in sums.items()}

    @invariant()
    def standings_are_what_the_sessions_add_up_to(self) -> None:
        for slug, season in self.seasons.items():
            lines: dict[int, list[tuple[date, int, int]]] = defaultdict(list)
            for pk, known in self.model.items():
                if known["season"] != slug or known["open"] or known["void"]:
                    continue
                if known["confirmation"] in {"", "confirmed"}:
                    for player, (_sum, place) in self.final(known).items():
                        lines[player].append((known["day"], pk, place))
            stored = {
                one.player_id: (one.sessions, one.place_total, one.wins, one.last_session_id, one.last_place)
                for one in Standing.objects.filter(season=season)
            }
            assert stored == {
                player: (
                    len(found),
                    sum(place for _day, _pk, place in found),
                    sum(place == 1 for _day, _pk, place in found),
                    max(found)[1],
                    max(found)[2],
                )
                for player, found in lines.items()
            }


@pytest.mark.one_database  # what single edits store is tested on both
def test_random_edits_agree_with_a_naive_model(people: People) -> None:
    Edits.people = people
    run_state_machine_as_test(
        Edits,
        settings=settings(
            max_examples=int(os.environ.get("TISCHLIGA_EDIT_STORIES", "10")),
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
