"""The boards of ratings: ranks, who is provisional, tabs, who may read them."""

from collections.abc import Callable

import pytest
from django.test import Client

from league.models import Player, PlayerKind
from league.services import figures, ratings
from tests.people import People
from tests.services.given import record, series
from tests.services.test_ratings import together
from tests.web.page import Page

AsUser = Callable[..., Client]


def refresh(people: People) -> None:
    assert figures.refresh_figures(club_id=people.club.pk)


def board(client: Client, query: str = "") -> list[list[str]]:
    page = Page(client.get(f"/herzclub/ratings/{query}").content.decode())
    return page.rows(page.one("table"))[1:]


def test_ranks_and_who_is_provisional(people: People, as_user: AsUser) -> None:
    """Ann and Ben share every place of ten rounds, Cem is third in each; Dora came once and won."""
    rounds = [{"Ann": 1, "Ben": 1, "Cem": 3}] * 9
    record(people, series(*rounds))
    record(people, series({"Dora": 1, "Ann": 2, "Ben": 2, "Cem": 4}))
    refresh(people)
    rows = board(as_user(people.member))
    assert [row[:2] for row in rows] == [
        ["1= shared", "Ann"],
        ["1= shared", "Ben"],
        ["3", "Cem"],
        ["\N{EN DASH} without a rank", "Dora provisional"],
    ]
    assert rows[0][2] == rows[1][2]
    assert [row[3] for row in rows] == ["10", "10", "10", "1"]
    assert int(rows[0][2]) > 1500 > int(rows[2][2])


def test_boards_apart(people: People, as_user: AsUser) -> None:
    Player.objects.filter(name__in=["Eva", "Finn"], club=people.club).update(kind=PlayerKind.BOT, bot="random")
    record(people, series({"Ann": 1, "Ben": 2, "Eva": 3, "Finn": 4}))
    record(people, together(7, "Ann", "Cem"))
    refresh(people)
    client = as_user(people.member)
    page = Page(client.get("/herzclub/ratings/").content.decode())
    (tabs,) = (one for one in page.all("nav") if one.attributes["aria-label"] == "Boards")
    names = {link.text: link.attributes for link in page.all("a", inside=tabs)}
    assert list(names) == ["XXL", "The Game, together", "XXL, bots"]
    assert [name for name, attributes in names.items() if attributes.get("aria-current")] == ["XXL"]
    found = {name: [row[1] for row in board(client, attributes["href"])] for name, attributes in names.items()}
    assert found == {
        "XXL": ["Ann provisional", "Ben provisional"],
        "The Game, together": ["Ann provisional", "Cem provisional"],
        "XXL, bots": ["Eva provisional", "Finn provisional"],
    }
    explained = [
        page.one("section", id="explained").text
        for page in (Page(client.get(f"/herzclub/ratings/{one['href']}").content.decode()) for one in names.values())
    ]
    assert ["nobody to beat" in text for text in explained] == [False, True, False]
    # What names no board shows the first.
    assert board(client, "?board=cats&family=xxl&kind=person") == board(client)


def test_results_that_are_not_followed_yet(people: People, as_user: AsUser) -> None:
    client = as_user(people.member)
    assert "Nobody is rated yet" in client.get("/herzclub/ratings/").content.decode()
    record(people, series({"Ann": 1, "Ben": 2}))
    assert "Results came in just now" in client.get("/herzclub/ratings/").content.decode()
    refresh(people)
    assert "Results came in just now" not in client.get("/herzclub/ratings/").content.decode()


def test_who_plays_no_more_is_not_on_the_board(people: People, as_user: AsUser) -> None:
    record(people, series({"Ann": 1, "Ben": 2}))
    refresh(people)
    Player.objects.filter(pk=people.players[0].pk).update(archived_at="2026-11-30T12:00:00Z")
    assert [row[1] for row in board(as_user(people.member))] == ["Ben provisional"]


def test_a_preview_shows_whose_rating_a_void_session_moves(
    people: People, as_user: AsUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = record(people, series({"Ann": 1, "Ben": 2}, season=None))
    record(people, series({"Ben": 1, "Cem": 2}, season=None))
    refresh(people)
    address = f"/herzclub/sessions/{session.pk}/void/"
    shown = {row[1].split()[0]: row[2] for row in board(as_user(people.member))}
    page = Page(as_user(people.scorekeeper).get(address).content.decode())
    (table,) = (one for one in page.all("table") if one.text.startswith("Ratings: XXL"))
    rows = {row[0]: row[1].split() for row in page.rows(table)[1:]}
    assert {name: words[0] for name, words in rows.items()} == shown
    # Nothing is known of Ann without it, and of two newcomers the one has what the other lacks.
    assert rows["Ann"][-1] == "\N{EN DASH}"
    assert int(rows["Ben"][-1]) + int(rows["Cem"][-1]) == 3000
    monkeypatch.setattr(ratings, "FORESEEN", 0)
    text = Page(as_user(people.scorekeeper).get(address).content.decode()).text
    assert "Ratings are worked out anew from 30 November 2026 on, of everybody who has played since." in text


def test_members_alone_read_them(people: People, as_user: AsUser) -> None:
    assert as_user(people.stranger).get("/herzclub/ratings/").status_code == 404
    assert Client().get("/herzclub/ratings/").headers["Location"].startswith("/login/")
