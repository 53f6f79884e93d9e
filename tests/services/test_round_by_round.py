"""An evening posted round by round is the very evening posted whole, and both are what counting by hand gives.

Random evenings with people who come, go, come back and substitute, under all rules of a season, against a naive
recomputation written from the words of the rules and nothing of the product's own.
"""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from league.models import Season, Session, Standing
from league.models.sheets import score_sheet
from league.services import results
from league.services.results import RoundInput, SeatInput, SessionInput
from tests.people import NAMES, NOW, People
from tests.services.given import ANYTHING, DAY, SEASON, by_places, by_points, record, series

pytestmark = pytest.mark.django_db

# (place sum, rounds played, rounds missed, place, reason)
Result = tuple[int, int, int, int | None, str]


@dataclass
class Span:
    """Who sat where, from which round to which."""

    name: str
    seat: int
    start: int
    end: int | None = None


@dataclass
class Story:
    """An evening as it happens: `steps` are calls of services, `spans` and `places` what they add up to."""

    planned: int
    spans: list[Span]
    steps: list[tuple[str, Any]] = field(default_factory=list)
    rounds: list[RoundInput] = field(default_factory=list)
    places: list[dict[str, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.first = [SeatInput(span.name) for span in self.spans]

    def sitting(self) -> list[Span]:
        return [span for span in self.spans if span.end is None]

    def get_up(self, name: str) -> None:
        (span,) = (one for one in self.sitting() if one.name == name)
        if span.start > len(self.rounds):
            self.spans.remove(span)
        else:
            span.end = len(self.rounds)

    def sit_down(self, name: str, seat: int) -> None:
        self.spans.append(Span(name, seat, len(self.rounds) + 1))

    def whole(self) -> SessionInput:
        return SessionInput(
            format="individual_xxl",
            planned_rounds=self.planned,
            played_on=DAY,
            season=SEASON,
            players=tuple(SeatInput(one.name, one.seat, one.start, one.end) for one in self.spans),
            rounds=tuple(self.rounds),
            status="complete" if len(self.rounds) == self.planned else "incomplete",
        )


def _naive_places(scores: dict[str, int], *, high_wins: bool) -> dict[str, int]:
    return {
        name: 1 + sum((other > own) if high_wins else (other < own) for other in scores.values())
        for name, own in scores.items()
    }


@st.composite
def stories(draw: st.DrawFn) -> Story:
    planned = draw(st.integers(1, 5))
    table = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=5, unique=True))
    story = Story(planned, [Span(name, seat, 1) for seat, name in enumerate(table)])
    for _ in range(draw(st.integers(1, planned))):
        for _ in range(draw(st.sampled_from((0, 0, 1, 1, 2)))):
            _draw_change(draw, story)
        _draw_round(draw, story)
    return story


def _draw_change(draw: st.DrawFn, story: Story) -> None:
    here = {one.name: one.seat for one in story.sitting()}
    seat_of = {one.name: one.seat for one in story.spans}
    away = [name for name in NAMES if name not in here]
    verb = draw(st.sampled_from(("leave", "join", "substitute")))
    if verb == "leave" and len(here) > 2:
        name = draw(st.sampled_from(sorted(here)))
        story.steps.append(("leave", name))
        story.get_up(name)
    elif verb == "join" and len(here) < 6:
        able = [name for name in away if seat_of.get(name) not in here.values()]
        if not able:
            return
        name = draw(st.sampled_from(able))
        if name in seat_of:
            seat, said = seat_of[name], draw(st.sampled_from((None, seat_of[name])))
        else:
            behind = 1 + max(seat_of.values())
            said = draw(st.sampled_from((None, *(seat for seat in range(behind) if seat not in here.values()))))
            seat = behind if said is None else said
        story.steps.append(("join", (name, said)))
        story.sit_down(name, seat)
    elif verb == "substitute":
        pairs = [(new, old) for new in away for old in here if seat_of.get(new) in {None, here[old]}]
        if not pairs:
            return
        new, old = draw(st.sampled_from(pairs))
        story.steps.append(("substitute", (new, old)))
        story.get_up(old)
        story.sit_down(new, here[old])


def _draw_round(draw: st.DrawFn, story: Story) -> None:
    names = draw(st.permutations([one.name for one in story.sitting()]))
    game, high_wins = draw(st.sampled_from((("xxl-5", False), ("xxl-6", True))))
    scores = {name: draw(st.integers(0, 4)) for name in names}
    places = _naive_places(scores, high_wins=high_wins)
    story.rounds.append(draw(st.sampled_from((by_points(game, scores), by_places(game, places)))))
    story.places.append(places)
    story.steps.append(("round", story.rounds[-1]))


def _naive_results(spans: list[Span], rounds: list[dict[str, int]], rules: dict[str, Any]) -> dict[str, Result]:
    first_of_seat: dict[int, Span] = {}
    for span in spans:
        if span.seat not in first_of_seat or span.start < first_of_seat[span.seat].start:
            first_of_seat[span.seat] = span
    seat_of = {span.name: span.seat for span in spans}
    found: dict[str, Result] = {}
    for name, seat in seat_of.items():
        shared = rules["substitution"] == "seat"
        owner = first_of_seat[seat].name
        whose = [other for other in seat_of if seat_of[other] == seat] if shared and owner == name else [name]
        total = played = missed = behind = 0
        for places in rounds:
            mine = [places[one] for one in whose if one in places]
            if mine:
                total += mine[0]
                played += 1
            else:
                missed += 1
                behind += len(places) + 1
        if shared and owner != name:
            reason = "substitute"
        elif not played:
            reason = "not_played"
        elif missed and rules["missing_round"] == "exclude":
            reason = "missed_rounds"
        else:
            reason, total = "", total + behind
        found[name] = (total, played, missed, None, reason)
    sums = [one[0] for one in found.values() if not one[4]]
    return {
        name: (total, played, missed, None if reason else 1 + sum(other < total for other in sums), reason)
        for name, (total, played, missed, _place, reason) in found.items()
    }


def _naive_counts(story: Story, worked: dict[str, Result], rules: dict[str, Any]) -> bool:
    if not any(place for _sum, _played, _missed, place, _reason in worked.values()):
        return False
    if len(story.rounds) == story.planned:
        return True
    return bool(rules["incomplete_sessions"] == "count" and len(story.rounds) >= rules["minimum_rounds"])


def _stored(session: Session) -> dict[str, Any]:
    """All that is stored of a session, by names instead of ids."""
    session.refresh_from_db()
    return {
        "session": (session.status, session.counts, session.planned_rounds, session.format, session.played_on),
        "seats": set(session.seats.values_list("player__name", "number", "from_round", "until_round")),
        "rounds": list(session.rounds.order_by("number").values_list("number", "game", "note", "confirmed")),
        "scores": set(session.rounds.values_list("number", "scores__player__name", "scores__points", "scores__place")),
        "results": _results(session),
        "standings": set(
            Standing.objects.filter(season=session.season_id).values_list(
                "player__name", "sessions", "place_total", "wins", "last_place", "sort_key"
            )
        ),
    }


def _results(session: Session) -> dict[str, Result]:
    return {
        one.player.name: (one.place_sum, one.rounds_played, one.rounds_missed, one.place, one.reason)
        for one in session.results.select_related("player")
    }


def _play(people: People, story: Story, rules: dict[str, Any]) -> Session:
    """Post the story round by round; on the way the score sheet shows what counting so far gives."""
    by = people.access(people.scorekeeper)
    opening = SessionInput(
        format="individual_xxl",
        planned_rounds=story.planned,
        played_on=DAY,
        season=SEASON,
        players=tuple(story.first),
    )
    session = results.record(access=by, data=opening, confirm=ANYTHING, now=NOW)
    pk, number = session.pk, 0
    for verb, value in story.steps:
        match verb:
            case "leave":
                results.leave(access=by, session_id=pk, player=value, now=NOW)
            case "join":
                results.join(access=by, session_id=pk, player=value[0], seat=value[1], now=NOW)
            case "substitute":
                results.substitute(access=by, session_id=pk, player=value[0], for_player=value[1], now=NOW)
            case _:
                number += 1
                session = results.record_round(access=by, session_id=pk, data=value, confirm=ANYTHING, now=NOW)
                sheet = score_sheet(Session.objects.get(pk=pk))
                shown = {column.player.name: (column.place_sum, column.place) for column in sheet.players}
                spans = [span for span in story.spans if span.start <= number]
                so_far = _naive_results(spans, story.places[:number], rules)
                assert shown == {name: (one[0], one[3]) for name, one in so_far.items()}
    if number < story.planned:
        session = results.end(access=by, session_id=pk, confirm=ANYTHING, now=NOW)
    return session


@pytest.mark.one_database  # its steps are tested on both
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    story=stories(),
    rules=st.fixed_dictionaries(
        {
            "missing_round": st.sampled_from(("last", "exclude")),
            "substitution": st.sampled_from(("separate", "seat")),
            "incomplete_sessions": st.sampled_from(("count", "skip")),
            "minimum_rounds": st.integers(1, 3),
        }
    ),
)
def test_round_by_round_is_the_same_as_whole(people: People, story: Story, rules: dict[str, Any]) -> None:
    with transaction.atomic():
        Season.objects.update(**rules)
        # The other club has players and a season of the same names.
        whole = results.record(access=people.access(people.stranger), data=story.whole(), confirm=ANYTHING, now=NOW)
        step_by_step = _play(people, story, rules)

        worked = _naive_results(story.spans, story.places, rules)
        counts = _naive_counts(story, worked, rules)
        assert _stored(step_by_step) == _stored(whole)
        assert _results(whole) == worked
        assert whole.counts == counts
        assert set(
            Standing.objects.filter(season=people.season).values_list("player__name", "place_total", "wins")
        ) == ({(name, one[3], int(one[3] == 1)) for name, one in worked.items() if one[3]} if counts else set())
        transaction.set_rollback(True)


@pytest.mark.parametrize("last", ["round", "end"])
def test_the_session_that_ends_counts_by_rules_that_read_all_sessions(people: People, last: str) -> None:
    """10, 7 and 5 points. Before, Ann was first and Ben second; round by round Ben is first, Ann second, Cem third.

    Without the worst, and with the day that Cem missed as place 3: Ann 10, Ben 10, Cem 5 (of 5 and 5). Ann and Ben
    have the same places; of the last evening Ben has the better one.
    """
    points = {"ranking_metric": "points", "ranking_best": "high", "points_by_place": [10, 7, 5]}
    Season.objects.filter(pk=people.season.pk).update(
        **points, drop_worst=1, absence="last", tie_breaks=["last_evening"]
    )
    record(people, series({"Ann": 1, "Ben": 2}, played_on=DAY - timedelta(days=7)))
    access = people.access(people.scorekeeper)
    planned = 1 if last == "round" else 2
    session = record(people, series(planned=planned, players=tuple(map(SeatInput, ("Ann", "Ben", "Cem")))))
    data = by_places("xxl-1", {"Ben": 1, "Ann": 2, "Cem": 3})
    results.record_round(access=access, session_id=session.pk, data=data, confirm=ANYTHING, now=NOW)
    if last == "end":
        results.end(access=access, session_id=session.pk, confirm=ANYTHING, now=NOW)

    rows = Standing.objects.filter(season=people.season).order_by("sort_key", "tie_position")
    assert [(row.player.name, row.sessions, row.value) for row in rows] == [
        ("Ben", 2, 10.0),
        ("Ann", 2, 10.0),
        ("Cem", 1, 5.0),
    ]
