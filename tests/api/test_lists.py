"""Lists: sorted, narrowed and cut into pages that stay whole whatever comes in meanwhile."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from league.models import Player, Session, SessionResult
from tests.api.client import OTHER_CLUB, Program, places
from tests.api.evenings import evening, game, opened
from tests.people import People

pytestmark = pytest.mark.both_databases

Row = dict[str, Any]


def pages(program: Program, path: str) -> Iterator[list[Row]]:
    following = path
    while following:
        answer = program.get(following)
        assert answer.status_code == 200, answer.content
        yield answer.json()["results"]
        following = answer.json()["next"]


def rows(program: Program, path: str) -> list[Row]:
    return [row for page in pages(program, path) for row in page]


def play(program: Program, day: str, **points: int) -> int:
    """A single game of und Tschüss by points, most of which win; answers the session's id."""
    body = {
        "format": "single_game",
        "played_on": day,
        "players": [{"player": name} for name in points],
        "rounds": [game("und-tschuess", **points)],
        "status": "complete",
        "confirm": ["possible_duplicate"],
    }
    answer = program.post("sessions/", body)
    assert answer.status_code == 201, answer.content
    return int(answer.json()["id"])


def _name(number: int) -> str:
    # Letters in and around those that are there, and none of them twice.
    return f"{'AMZ'[number % 3]}{number}"


def add_player(program: Program, number: int) -> None:
    assert program.post("players/", {"name": _name(number)}).status_code == 201


def add_session(program: Program, number: int) -> None:
    play(program, f"2026-11-{10 + number % 4:02}", Ann=number % 5, Ben=0, Cem=number % 3)


def _shown(row: Row, ordering: str) -> Any:
    if ordering == "played_on":
        return _day(row)
    return row["session"]["id"] if ordering == "session" else row[ordering]


def _day(row: Row) -> str:
    return str(row["played_on"] if "played_on" in row else row["session"]["played_on"])


def _identity(row: Row) -> Any:
    if "session" in row:
        return row["session"]["id"], row["player"]["id"], row.get("round")
    return row["id"]


@pytest.mark.parametrize("way", ["", "-"])
@pytest.mark.parametrize(
    ("path", "ordering", "add"),
    [
        ("players/", "id", add_player),
        ("players/", "name", add_player),
        ("sessions/", "played_on", add_session),
        ("results/", "session", add_session),
        ("results/", "place", add_session),
        ("scores/", "points", add_session),
        ("scores/", "played_on", add_session),
    ],
)
def test_pages_stay_whole_while_rows_come_in(
    scorer: Program, path: str, ordering: str, way: str, add: Callable[[Program, int], None]
) -> None:
    """Many rows are equal in what they are sorted by, and after each page two more come in, before and behind it."""
    for number in range(5):
        add(scorer, number)
    before = {_identity(row) for row in rows(scorer, f"{path}?limit=100")}
    seen: list[Row] = []
    number = 5
    for page in pages(scorer, f"{path}?ordering={way}{ordering}&limit=4"):
        seen += page
        if number < 9:
            add(scorer, number)
            add(scorer, number + 1)
            number += 2
    ids = [_identity(row) for row in seen]
    assert len(ids) == len(set(ids)), "no row is on two pages"
    assert before <= set(ids), "no row that was there is left out"
    values = [_shown(row, ordering) for row in seen]
    if ordering == "name":
        values = [value.casefold() for value in values]
    assert values == sorted(values, reverse=bool(way))


@pytest.mark.parametrize(("way", "expected"), [("", [1, 2, None, None]), ("-", [2, 1, None, None])])
def test_rows_without_a_value_come_last_either_way(
    scorer: Program, people: People, way: str, expected: list[int | None]
) -> None:
    play(scorer, "2026-11-10", Ann=5, Ben=0, Cem=-5)
    # The Game has no places.
    body = opened("Dora", "Eva", format="single_game", rounds=[game("the-game", Dora=3, Eva=3)], season=None)
    assert scorer.post("sessions/", body).status_code == 201
    for limit in (1, 2, 3):
        found = [row["place"] for row in rows(scorer, f"results/?ordering={way}place&limit={limit}")]
        assert [place for place in found if place != 3] == expected


def test_a_cursor_is_of_one_list_and_ordering(scorer: Program, people: People) -> None:
    following = scorer.get("players/?limit=2&ordering=name").json()["next"]
    cursor = following.partition("cursor=")[2].partition("&")[0]
    assert scorer.get(f"players/?ordering=name&cursor={cursor}").status_code == 200
    for path in (
        f"players/?ordering=-name&cursor={cursor}",
        f"players/?cursor={cursor}",
        f"seasons/?ordering=name&cursor={cursor}",
        f"players/?ordering=name&cursor={cursor[:-1]}",
        f"players/?ordering=name&cursor={cursor}x",
    ):
        answer = scorer.get(path)
        assert (answer.status_code, places(answer)) == (400, [("", "invalid_cursor")]), path
        assert answer.json()["errors"][0]["parameter"] == "cursor"


def test_the_next_page_keeps_what_was_asked_for(scorer: Program, people: People) -> None:
    following = scorer.get("players/?limit=2&ordering=-name&kind=person&fields=name").json()["next"]
    assert scorer.get(following).json()["results"] == [{"name": "Dora"}, {"name": "Cem"}]


@pytest.mark.parametrize("search", ["özl", "ÖZL", "O\u0308zl", "lem g", "GROSS", "groß"])
def test_search_whatever_the_case(scorer: Program, people: People, search: str) -> None:
    scorer.post("players/", {"name": "Özlem Groß"})
    assert [row["name"] for row in rows(scorer, f"players/?search={search}")] == ["Özlem Groß"]
    assert rows(scorer, "players/?search=%25") == []


def test_search_of_leagues_seasons_members_and_games(admin: Program, people: People) -> None:
    admin.post("leagues/", {"name": "Übungsliga", "slug": "uebung"})
    admin.post(
        "seasons/", {"league": people.season.league_id, "name": "Jänner", "slug": "j", "starts_on": "2026-09-01"}
    )
    admin.post("games/", {"key": "kegeln", "name": "Ägyptisch Kegeln"})
    assert [row["slug"] for row in rows(admin, "leagues/?search=üBUNG")] == ["uebung"]
    assert [row["slug"] for row in rows(admin, "seasons/?search=JÄN")] == ["j"]
    assert [row["username"] for row in rows(admin, "members/?search=KEEPER")] == ["scorekeeper"]
    assert [row["key"] for row in rows(admin, "games/?search=äGYPT")] == ["kegeln"]
    assert [row["key"] for row in rows(admin, "games/?search=straights")] == ["xxl-4"]


def test_sessions_are_narrowed(scorer: Program, people: People) -> None:
    one = play(scorer, "2026-11-10", Ann=5, Ben=0, Cem=-5)
    other = play(scorer, "2026-11-11", Dora=5, Ben=0, Cem=-5)
    still_open = scorer.post("sessions/", opened("Ann", "Ben")).json()["id"]
    ann = people.players[0].pk

    def found(query: str) -> list[int]:
        return [row["id"] for row in rows(scorer, f"sessions/?{query}")]

    assert found("search=aNN") == [still_open, one]
    assert found(f"player={ann}&status=complete") == [one]
    assert found("game=und-tschuess&played_from=2026-11-11") == [other]
    Session.objects.filter(pk=one).update(voided_at=people.season.created_at, counts=False)
    Session.objects.filter(pk=other).update(confirmation="awaited", counts=False)
    assert found("") == [still_open, other]
    assert found("voided=true") == [one]
    assert found("confirmation=awaited") == [other]
    assert [row["session"]["id"] for row in rows(scorer, "results/")] == [other] * 3
    assert [row["session"]["id"] for row in rows(scorer, "scores/")] == [other] * 3


def test_a_session_in_a_list_names_its_games(scorer: Program, people: People) -> None:
    play(scorer, "2026-11-10", Ann=5, Ben=0, Cem=-5)
    sheet = scorer.post("sessions/", evening("four-players")[0]).json()
    six = [f"xxl-{number}" for number in range(1, 7)]
    assert sheet["games"] == six
    assert [row["games"] for row in rows(scorer, "sessions/")] == [six, ["und-tschuess"]]


def test_results_and_scores_across_sessions(scorer: Program, people: People) -> None:
    first = play(scorer, "2026-11-10", Ann=5, Ben=0, Cem=-5)
    second = play(scorer, "2026-11-12", Ann=-5, Ben=10, Cem=0)
    ann = people.players[0].pk
    (latest, earlier) = rows(scorer, f"results/?player={ann}")
    assert (latest["session"]["id"], latest["place"], earlier["session"]["id"], earlier["place"]) == (
        second,
        3,
        first,
        1,
    )
    assert latest["session"]["url"].endswith(f"/sessions/{second}/")
    assert [row["player"]["name"] for row in rows(scorer, "results/?place=1&ordering=session")] == ["Ann", "Ben"]
    (score,) = rows(scorer, f"scores/?session={second}&search=BEN")
    assert (score["round"], score["game"], score["points"], score["place"]) == (1, "und-tschuess", 10, 1)
    assert rows(scorer, f"scores/?player={ann}&game=xxl-1") == []
    assert len(rows(scorer, "results/?played_until=2026-11-11")) == 3
    assert rows(scorer, "results/?season=monday-league/2026") == []


def test_sparse_answers(scorer: Program, people: People) -> None:
    play(scorer, "2026-11-10", Ann=5, Ben=0, Cem=-5)
    sheet = scorer.post("sessions/", evening("four-players")[0]).json()
    assert rows(scorer, "sessions/?fields=played_on,status&limit=1")[0] == {
        "played_on": sheet["played_on"],
        "status": "complete",
    }
    assert set(rows(scorer, "results/?fields=place,player")[0]) == {"place", "player"}
    assert set(rows(scorer, "scores/?fields=points")[0]) == {"points"}
    table = scorer.get(f"seasons/{people.season.pk}/standings/?fields=rank,player").json()
    assert set(table) == {"season", "results"}
    assert all(set(line) == {"rank", "player"} for line in table["results"])
    assert scorer.get(f"{sheet['url']}rounds/?fields=number,game").json()["results"][0] == {
        "number": 1,
        "game": "xxl-1",
    }
    for path in ("players/", "results/", "scores/", f"seasons/{people.season.pk}/standings/", f"{sheet['url']}rounds/"):
        answer = scorer.get(f"{path}?fields=shoe_size")
        assert (answer.status_code, places(answer)) == (400, [("", "unknown_field")]), path
        assert "Known: " in answer.json()["errors"][0]["detail"]


def test_a_line_of_the_standings_keeps_its_rank_when_others_are_left_out(scorer: Program, people: People) -> None:
    scorer.post("sessions/", evening("four-players")[0])
    path = f"seasons/{people.season.pk}/standings/"
    whole = {line["player"]["id"]: line["rank"] for line in scorer.get(path).json()["results"]}
    assert len(whole) == 4
    for player, rank in whole.items():
        (line,) = scorer.get(f"{path}?player={player}").json()["results"]
        assert line["rank"] == rank


def test_the_audit_trail(admin: Program, people: People) -> None:
    session = play(admin, "2026-11-10", Ann=5, Ben=0, Cem=-5)
    admin.post("players/", {"name": "Gus"})
    created, recorded = rows(admin, "audit-events/?limit=2")[:2]
    assert (created["action"], recorded["action"]) == ("player.created", "session.recorded")
    assert recorded["object"] == session
    assert (recorded["user"], recorded["token"]["name"]) == (None, "admin's")
    assert "Gus" not in str(created)
    assert [row["object"] for row in rows(admin, "audit-events/?action=session")] == [session]
    assert [row["object"] for row in rows(admin, "audit-events/?action=session.recorded&object=" + str(session))] == [
        session
    ]
    assert rows(admin, "audit-events/?action=sess") == []
    assert rows(admin, f"audit-events/?user={people.owner.pk}&action=player") == []
    token = recorded["token"]["id"]
    assert len(rows(admin, f"audit-events/?token={token}")) == 2
    # The club's clock: 20:15 UTC is the same day in every zone from -20:15 to +3:44.
    assert len(rows(admin, "audit-events/?action=session&day_from=2026-11-30&day_until=2026-11-30")) == 1
    assert rows(admin, "audit-events/?action=session&day_from=2026-12-01") == []
    assert rows(admin, "audit-events/?action=session&day_until=2026-11-29") == []
    assert rows(admin, "audit-events/?day_from=9999-12-31") == []
    assert len(rows(admin, "audit-events/?action=session&day_from=0001-01-01&day_until=9999-12-31")) == 1


def test_the_audit_trail_of_another_club_is_its_own(stranger: Program, admin: Program, people: People) -> None:
    admin.post("players/", {"name": "Gus"})
    listed = rows(stranger, f"{OTHER_CLUB}/audit-events/")
    assert {row["action"] for row in listed} == {"token.created"}


def test_jobs(scorer: Program, people: People) -> None:
    for name in ("Bot 1", "Bot 2"):
        scorer.post("players/", {"name": name, "kind": "bot", "bot": "random"})
    match = scorer.post("bot-matches/", {"game": "xxl-6", "players": ["Bot 1", "Bot 2"], "deals": 3}).json()
    (job,) = rows(scorer, "jobs/?kind=bot_match&state=queued")
    assert (job["bot_match"], job["progress"]) == (match["id"], {"done": 0, "total": 3})
    assert scorer.get(job["url"]).json() == job
    assert rows(scorer, "jobs/?state=failed") == []
    assert rows(scorer, "jobs/?kind=import") == []


def test_results_given_anew_stay_in_their_place(scorer: Program, people: People) -> None:
    """A change of the season's rules stores all results under new ids; a reader between two pages notices nothing."""
    for number in range(4):
        add_session(scorer, number)
    found = pages(scorer, "results/?limit=5&ordering=session")
    seen = next(found)
    again = list(SessionResult.objects.order_by("pk"))
    SessionResult.objects.all().delete()
    for one in again:
        one.pk = None
    SessionResult.objects.bulk_create(again)
    seen += [row for page in found for row in page]
    ids = [_identity(row) for row in seen]
    assert len(ids) == len(set(ids)) == 12


def test_players_are_narrowed(admin: Program, people: People) -> None:
    Player.objects.filter(name="Ben").update(is_guest=True)
    assert [row["name"] for row in rows(admin, "players/?guest=true")] == ["Ben"]
    assert rows(admin, "players/?member=1000000") == []
