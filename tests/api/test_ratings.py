"""Ratings by program: boards, histories, and what a correction would move."""

import pytest

from league.models import ChangedSession, Player, PlayerKind, RatingChange
from league.scoring.ratings import START, rate, value
from league.services import corrections, figures, ratings
from tests.api.client import OTHER_CLUB, Program
from tests.api.evenings import game
from tests.api.test_lists import play, rows
from tests.people import NOW, People


def refresh(people: People) -> None:
    assert figures.refresh_figures(club_id=people.club.pk)


def together(program: Program, day: str, left: int, *names: str) -> None:
    body = {
        "format": "single_game",
        "played_on": day,
        "players": [{"player": name} for name in names],
        "rounds": [game("the-game", **dict.fromkeys(names, left))],
        "status": "complete",
    }
    assert program.post("sessions/", body).status_code == 201


def test_ratings_best_first(scorer: Program, people: People) -> None:
    play(scorer, "2026-11-10", Ann=5, Ben=0, Cem=5)
    refresh(people)
    a, b, _c = rate([START] * 3, [1, 3, 1])
    found = rows(scorer, "ratings/")
    assert [(row["player"]["name"], row["value"]) for row in found] == [
        ("Cem", value(a.mu)),
        ("Ann", value(a.mu)),
        ("Ben", value(b.mu)),
    ]
    ben = people.players[1]
    assert rows(scorer, f"ratings/?player={ben.pk}") == [
        {
            "player": {"id": ben.pk, "name": "Ben"},
            "board": "people",
            "family": "und-tschuess",
            "value": value(b.mu),
            "mu": b.mu,
            "sigma": b.sigma,
            "results": 1,
            "provisional": True,
        }
    ]


def test_ten_results_make_a_rating_established(scorer: Program, people: People) -> None:
    for day in range(1, 10):
        play(scorer, f"2026-11-{day:02}", Ann=5, Ben=0, Cem=1)
    refresh(people)
    assert {row["provisional"] for row in rows(scorer, "ratings/")} == {True}
    play(scorer, "2026-11-10", Ann=5, Ben=0, Dora=1)
    refresh(people)
    assert {row["player"]["name"] for row in rows(scorer, "ratings/") if not row["provisional"]} == {"Ann", "Ben"}


def test_filters(scorer: Program, people: People) -> None:
    Player.objects.filter(pk__in=[people.players[3].pk, people.players[4].pk]).update(kind=PlayerKind.BOT, bot="random")
    play(scorer, "2026-11-10", Ann=5, Ben=0, Dora=3, Eva=2)
    together(scorer, "2026-11-11", 7, "Ann", "Cem")
    refresh(people)

    def names(query: str) -> set[str]:
        return {row["player"]["name"] for row in rows(scorer, f"ratings/?{query}")}

    assert names("board=people") == {"Ann", "Ben"}
    assert names("board=bots") == names("kind=bot") == {"Dora", "Eva"}
    assert names("board=cooperative") == names("family=the-game") == {"Ann", "Cem"}
    assert names("search=AN") == {"Ann"}
    assert names("board=bots&family=xxl") == set()
    scorer.patch(f"players/{people.players[1].pk}/", {"archived": True})
    assert names("board=people&archived=false") == {"Ann"}
    assert names("archived=true") == {"Ben"}
    assert scorer.get("ratings/?board=cats").status_code == 400


@pytest.mark.parametrize("ordering", ["value", "-value", "results", "-results"])
def test_pages(scorer: Program, people: People, ordering: str) -> None:
    play(scorer, "2026-11-10", Ann=5, Ben=0, Cem=5, Dora=5)
    play(scorer, "2026-11-11", Eva=5, Ben=0, Cem=5, Dora=5)
    together(scorer, "2026-11-11", 7, "Ann", "Cem")
    refresh(people)
    whole = rows(scorer, f"ratings/?ordering={ordering}")
    assert len(whole) == 7
    assert rows(scorer, f"ratings/?ordering={ordering}&limit=2") == whole
    values = [row[ordering.removeprefix("-")] for row in whole]
    assert values == sorted(values, reverse=ordering.startswith("-"))


def test_a_players_history(scorer: Program, people: People) -> None:
    ann = people.players[0]
    first = play(scorer, "2026-11-10", Ann=5, Ben=0, Cem=1)
    second = play(scorer, "2026-11-12", Ann=0, Ben=5, Cem=1)
    together(scorer, "2026-11-11", 7, "Ann", "Cem")
    refresh(people)
    answer = scorer.get(f"players/{ann.pk}/ratings/").json()
    assert [(one["board"], one["results"]) for one in answer["current"]] == [("cooperative", 1), ("people", 2)]
    assert [one["session"]["played_on"] for one in answer["results"]] == ["2026-11-12", "2026-11-11", "2026-11-10"]
    assert answer["next"] is None
    found = rows(scorer, f"players/{ann.pk}/ratings/?board=people&limit=1&ordering=played_on")
    assert [one["session"]["id"] for one in found] == [first, second]
    assert scorer.get(found[0]["session"]["url"]).status_code == 200
    a = rate([START] * 3, [1, 3, 2])
    assert [one["value"] for one in found] == [value(a[0].mu), value(rate(a, [3, 1, 2])[0].mu)]


def test_strangers_find_nothing(stranger: Program, people: People) -> None:
    assert stranger.get("ratings/").status_code == 404
    assert stranger.get(f"players/{people.players[0].pk}/ratings/").status_code == 404
    assert stranger.get(f"{OTHER_CLUB}/ratings/").json() == {"results": [], "next": None}
    assert stranger.get(f"{OTHER_CLUB}/players/{people.players[0].pk}/ratings/").status_code == 404


def test_a_preview_says_which_ratings_would_move(scorer: Program, people: People) -> None:
    """What it says is what comes of it, of whoever played since, too; and nothing is stored by saying it."""
    session = play(scorer, "2026-11-10", Ann=5, Ben=0, Finn=2)
    play(scorer, "2026-11-11", Cem=5, Ben=0, Finn=2)
    together(scorer, "2026-11-12", 7, "Dora", "Eva")
    refresh(people)
    before = {row["player"]["name"]: row["value"] for row in rows(scorer, "ratings/")}
    history = list(RatingChange.objects.order_by("pk").values())
    void = {"reason": "Never played."}
    told = scorer.post(f"sessions/{session}/void/?dry_run=true", void, If_Match="*").json()["ratings"]
    assert (told["from_day"], told["complete"]) == ("2026-11-10", True)
    assert list(RatingChange.objects.order_by("pk").values()) == history
    assert not ChangedSession.objects.exists()
    assert scorer.post(f"sessions/{session}/void/", void, If_Match="*").status_code == 200
    refresh(people)
    after = {row["player"]["name"]: row["value"] for row in rows(scorer, "ratings/")}
    assert {one["player"]["name"]: (one["before"], one["after"]) for one in told["players"]} == {
        "Ann": (round(before["Ann"]), None),
        "Ben": (round(before["Ben"]), round(after["Ben"])),
        "Cem": (round(before["Cem"]), round(after["Cem"])),
        "Finn": (round(before["Finn"]), round(after["Finn"])),
    }
    assert {(one["board"], one["family"]) for one in told["players"]} == {("people", "und-tschuess")}


def test_a_preview_of_what_was_long_ago_says_from_which_day(
    scorer: Program, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ratings, "FORESEEN", 0)
    session = play(scorer, "2026-11-10", Ann=5, Ben=0, Finn=2)
    play(scorer, "2026-11-11", Cem=5, Ben=0, Finn=2)
    refresh(people)
    told = scorer.post(f"sessions/{session}/void/?dry_run=true", {"reason": "Never played."}, If_Match="*").json()
    assert told["ratings"] == {"from_day": "2026-11-10", "complete": False, "players": []}


def test_a_preview_of_what_is_rated_nowhere_moves_nothing(scorer: Program, people: People) -> None:
    access = people.access(people.scorekeeper)
    body = {"format": "pure_xxl", "played_on": "2026-11-10", "players": [{"player": "Ann"}, {"player": "Ben"}]}
    session = scorer.post("sessions/", body).json()["id"]
    preview = corrections.rehearse(
        lambda: corrections.void(access=access, session_id=session, reason="Never played.", now=NOW),
        access=access,
        session_id=session,
    )
    assert (preview.ratings.from_day, preview.ratings.players) == (None, ())
