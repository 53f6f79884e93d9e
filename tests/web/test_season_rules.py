"""A season's rules on pages: set with a preview of the table, told with their versions, followed by the leaderboard.

Expected figures: tests/data/evenings/season.worked.md. Sums of places: Ben 4, Finn 5, Ann and Cem 7, Dora 8, Eva 10.
Points for places, 10, 7, 5, 3, 2, 1: Ben 10 + 10 + 7, Ann 5 + 5 + 10, Cem 10 + 5 + 5, Dora 3 + 10 + 5, Eva 2 + 2,
Finn 2.
"""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from league.models import Season, Session, Standing
from league.services import seasons
from tests.people import NOW, People
from tests.services.given import record, series
from tests.web.conftest import BOARD
from tests.web.page import Page

pytestmark = pytest.mark.one_database

Clients = Callable[..., Client]
DASH = "\N{EN DASH}"


@pytest.fixture
def admin(people: People, as_user: Clients) -> Client:
    return as_user(people.admin)


@pytest.fixture
def path(people: People) -> str:
    return f"/herzclub/manage/seasons/{people.season.pk}/"


def show(client: Client, path: str) -> Page:
    answer = client.get(path, headers={"accept-language": "en"})
    assert answer.status_code == 200
    return Page(answer.content.decode())


def form(page: Page) -> dict[str, str]:
    """What a browser would send of the season's form as it stands, by no button."""
    inside = page.one("select", name="ranking_metric").around[-3:]
    around = next(one for one in inside if one.tag == "form")
    sent = {}
    for one in page.elements:
        name = one.attributes.get("name", "")
        if around not in one.around or name == "csrfmiddlewaretoken":
            continue
        if one.tag == "input" and (one.attributes.get("type") != "checkbox" or "checked" in one.attributes):
            sent[name] = one.attributes.get("value", "")
        if one.tag == "select":
            options = list(page.all("option", inside=one))
            chosen = [option for option in options if "selected" in option.attributes] or options
            sent[name] = chosen[0].attributes["value"]
    return sent


def send(client: Client, path: str, data: dict[str, Any]) -> Page | None:
    """The page that is shown again; None where all was saved."""
    answer = client.post(path, data, headers={"accept-language": "en"})
    if answer.status_code == 302:
        assert answer["Location"] == "/herzclub/manage/leagues/"
        return None
    assert answer.status_code == 200
    return Page(answer.content.decode())


def seen(page: Page) -> str:
    return page.one("button", name="seen").attributes["value"]


def stored(people: People) -> Season:
    return Season.objects.get(pk=people.season.pk)


def test_other_rules_are_stored_once_their_table_was_seen(
    people: People, evenings: list[Session], admin: Client, path: str
) -> None:
    wanted = {**form(show(admin, path)), "ranking_metric": "place_sum"}

    page = send(admin, path, wanted)

    assert page is not None
    assert stored(people).ranking_metric == "place_average"
    preview = page.one("section", id="rules-preview")
    assert "5 players get another rank. Nothing is saved yet." in preview.text
    assert page.rows(page.one("table", inside=preview)) == [
        ["Player", "Rank", "Place average → becomes Sum of places", "Sessions"],
        ["Ben", "1", "1.33 → becomes 4", "3"],
        ["Finn", "5 → becomes 2", "5.00 → becomes 5", "1"],
        ["Ann", "2 → becomes 3", "2.33 → becomes 7", "3"],
        ["Cem", "2 → becomes 3", "2.33 → becomes 7", "3"],
        ["Dora", "4 → becomes 5", "2.67 → becomes 8", "3"],
        ["Eva", "5 → becomes 6", "5.00 → becomes 10", "2"],
    ]
    # What was chosen is still chosen, and saved by the button of the preview.
    assert form(page)["ranking_metric"] == "place_sum"
    assert send(admin, path, {**form(page), "seen": seen(page)}) is None
    assert stored(people).ranking_metric == "place_sum"
    assert Standing.objects.get(player=people.players[5]).value == 5


def test_only_what_was_seen_is_stored(people: People, evenings: list[Session], admin: Client, path: str) -> None:
    page = send(admin, path, {**form(show(admin, path)), "ranking_metric": "place_sum"})
    assert page is not None
    button = seen(page)

    # Another rule since: seen again first.
    page = send(admin, path, {**form(page), "minimum_sessions": "2", "seen": button})
    assert page is not None
    assert ["Finn", f"5 → becomes {DASH}", "5.00 → becomes 5", "1"] in page.rows(page.one("table"))
    assert stored(people).ranking_metric == "place_average"

    # The same rules after somebody else changed them meanwhile: the table before is another one.
    changes = {"minimum_sessions": 3}
    seasons.update_season(access=people.access(people.owner), season_id=people.season.pk, changes=changes, now=NOW)
    page = send(admin, path, {**form(page), "seen": seen(page)})
    assert page is not None
    assert ["Finn", DASH, "5.00 → becomes 5", "1"] in page.rows(page.one("table"))
    assert send(admin, path, {**form(page), "seen": seen(page)}) is None
    assert (stored(people).ranking_metric, stored(people).minimum_sessions) == ("place_sum", 2)


def test_all_ranks_stay(people: People, evenings: list[Session], admin: Client, path: str) -> None:
    page = send(admin, path, {**form(show(admin, path)), "missing_round": "exclude"})
    assert page is not None
    assert "All ranks stay as they are. Nothing is saved yet." in page.one("section", id="rules-preview").text


def test_the_rest_of_a_season_needs_no_preview(
    people: People, evenings: list[Session], admin: Client, path: str
) -> None:
    given = {**form(show(admin, path)), "name": "Winter", "planned_evenings": "12", "visibility": "members"}
    assert send(admin, path, given) is None
    season = stored(people)
    assert (season.name, season.planned_evenings, season.rules_version) == ("Winter", 12, 1)


def test_an_empty_table_needs_no_preview(people: People, admin: Client, path: str) -> None:
    assert send(admin, path, {**form(show(admin, path)), "ranking_metric": "wins"}) is None
    assert (stored(people).ranking_metric, stored(people).ranking_best) == ("wins", "high")


def test_every_rule_is_set_and_shown_again(people: People, admin: Client, path: str) -> None:
    chosen = {
        "ranking_metric": "points",
        "ranking_best": "low",
        "points_by_place": "0; 1 2,3",
        "table_weight": "opponents",
        "minimum_sessions": "2",
        "drop_worst": "",
        "count_best": "8",
        "absence": "last",
        "tie_break_1": "countback",
        "tie_break_2": "",
        "tie_break_3": "direct",
        "incomplete_sessions": "skip",
        "minimum_rounds": "3",
        "missing_round": "exclude",
        "substitution": "seat",
        "needs_confirmation": "on",
    }
    assert send(admin, path, {**form(show(admin, path)), **chosen}) is None
    season = stored(people)
    assert {field: getattr(season, field) for field in seasons.RULES} == {
        "ranking_metric": "points",
        "ranking_best": "low",
        "points_by_place": [0, 1, 2, 3],
        "table_weight": "opponents",
        "minimum_sessions": 2,
        "drop_worst": 0,
        "count_best": 8,
        "absence": "last",
        "tie_breaks": ["countback", "direct"],
        "incomplete_sessions": "skip",
        "minimum_rounds": 3,
        "missing_round": "exclude",
        "substitution": "seat",
        "needs_confirmation": True,
    }
    again = form(show(admin, path))
    moved = {"points_by_place": "0, 1, 2, 3", "drop_worst": "0", "tie_break_2": "direct", "tie_break_3": ""}
    assert "needs_confirmation" in again
    again["needs_confirmation"] = "on"
    assert {name: again[name] for name in chosen} == {**chosen, **moved}
    # And nothing is changed by sending it as it stands.
    assert send(admin, path, again) is None
    assert stored(people).rules_version == 2


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"points_by_place": "ten, seven"}, ("points_by_place", "Give whole numbers, parted by commas: 10, 7, 5.")),
        ({"points_by_place": "10, 20000"}, ("points_by_place", "10000")),
        ({"drop_worst": "1", "count_best": "2"}, ("count_best", "give 0 for one of the two")),
        ({"drop_worst": "-1"}, ("drop_worst", "0")),
        ({"tie_break_1": "direct", "tie_break_3": "direct"}, ("tie_break_1", "Name each tie-break once at most.")),
        ({"ranking_metric": "wins", "ranking_best": "low"}, ("ranking_best", "high")),
        ({"table_weight": "opponents"}, ("table_weight", "relative")),
        ({"ranking_metric": "game_points", "absence": "last"}, ("absence", "average")),
        ({"planned_evenings": "400"}, ("planned_evenings", "365")),
    ],
    ids=str,
)
def test_what_can_not_be_is_told_at_its_field(
    people: People, admin: Client, path: str, wrong: dict[str, str], told: tuple[str, str]
) -> None:
    page = send(admin, path, {**form(show(admin, path)), **wrong})
    assert page is not None
    field, said = told
    assert said in page.one("ul", id=f"id_{field}_error").text
    assert not list(page.all("section", id="rules-preview"))
    assert stored(people).rules_version == 1


def test_versions_of_the_rules(people: People, admin: Client, path: str) -> None:
    by, owner = people.access(people.admin), people.access(people.owner)
    fields = {"name": "Cup", "slug": "cup", "starts_on": NOW.date()}
    season = seasons.create_season(access=by, league_id=people.season.league_id, fields=fields, now=NOW)
    changes = {"ranking_metric": "points", "tie_breaks": ["direct", "countback"], "needs_confirmation": True}
    seasons.update_season(access=owner, season_id=season.pk, changes=changes, now=NOW + timedelta(days=2))

    page = show(admin, f"/herzclub/manage/seasons/{season.pk}/")

    history = page.one("section", id="rules-history")
    # NOW is 21:15 by the club's clock.
    assert [item.text for item in page.all("li", inside=history)] == [
        "Version 2 2 Dec 2026 21:15, owner Ranked by: place average → becomes points for places "
        "Best is: the lowest → becomes the highest Tie-breaks: none → becomes direct comparison; most first places, "
        "then most second places, and so on Results are confirmed by a second player: no → becomes yes",
        "Version 1 30 Nov 2026 21:15, admin The rules at the beginning.",
    ]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"ranking_metric": "place_sum"}, (["Sum of places", "Wins"], ["Ben", "4", "2"], ["Eva", "10", "0"])),
        ({"ranking_metric": "points"}, (["Points", "Wins"], ["Ben", "27", "2"], ["Finn", "2", "0"])),
        # Of 4, 5 and 6 players: Ben 3 + 4, and behind him Ann alone with 5 opponents at the last table.
        (
            {"ranking_metric": "wins", "table_weight": "opponents"},
            (["Weighted wins", "Place average"], ["Ben", "7", "1.33"], ["Finn", "0", "5.00"]),
        ),
        # Ben 0 + 0 + 1/5 of three; Eva 1 + 4/5 of two, Finn 4/5.
        ({"table_weight": "relative"}, (["Place average", "Wins"], ["Ben", "0.07", "2"], ["Eva", "0.90", "0"])),
    ],
    ids=str,
)
def test_the_board_shows_what_it_ranks_by(
    people: People,
    evenings: list[Session],
    client: Client,
    changes: dict[str, Any],
    told: tuple[list[str], list[str], list[str]],
) -> None:
    seasons.update_season(access=people.access(people.admin), season_id=people.season.pk, changes=changes, now=NOW)

    page, (head, first, last) = show(client, BOARD), told

    top, *rows = page.rows(page.one("table"))
    assert top[3:5] == head
    for row, expected in ((rows[0], first), (rows[-1], last)):
        assert [row[1].split()[0], *row[3:5]] == expected
    picture = client.get(f"{BOARD}standings.svg?language=en&rows=25").content.decode()
    assert picture.index(f">{head[1]}</text>") < picture.index(f">{head[0]}</text>")
    assert f">{first[1]}</text>" in picture


def test_files_of_the_standings_have_the_value(people: People, evenings: list[Session], client: Client) -> None:
    changes = {"ranking_metric": "points", "table_weight": "opponents"}
    seasons.update_season(access=people.access(people.admin), season_id=people.season.pk, changes=changes, now=NOW)
    # 10 for three, 10 for four, 7 for five opponents.
    first = json.loads(client.get(f"{BOARD}standings.json").getvalue())[0]
    assert (first["player"], first["value"], first["counted"]) == ("Ben", 105, 3)
    head, row, *_rest = client.get(f"{BOARD}standings.csv?language=en").getvalue().decode("utf-8-sig").splitlines()
    assert dict(zip(head.split(","), row.split(","), strict=True))["Value"] == "105"


def test_without_a_value_there_is_no_rank(people: People, client: Client) -> None:
    """In a season that adds up the points of rounds, who has none is listed behind, with a dash."""

    record(people, series({"Ann": 1, "Ben": 2}))
    changes = {"ranking_metric": "game_points", "tie_breaks": ["countback"]}
    seasons.update_season(access=people.access(people.admin), season_id=people.season.pk, changes=changes, now=NOW)
    page = show(client, BOARD)
    rows = page.rows(page.one("table"))[1:]
    assert [(row[0], row[1].split()[0], row[3]) for row in rows] == [
        (f"{DASH} without a rank", "Ann", DASH),
        (f"{DASH} without a rank", "Ben", DASH),
    ]
