"""A bot match asked for and watched in the pages, cancelled and tried again; bots added to the club."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation
from django.utils.translation import gettext

from games.catalog import GAMES
from games.core import Outcome, Playthrough
from league.models import BotMatch, BotMatchChunk, JobState, Player, Session, SessionResult
from league.services import bot_chunks, jobs
from league.services.bot_matches import played_back
from league.services.wording import game_title
from tests.people import NOW, People
from tests.services.given import carry_out
from tests.web.page import Page

Clients = Callable[..., Client]


@pytest.fixture
def bots(people: People) -> list[Player]:
    return [
        Player.objects.create(club=people.club, name=f"Robo {n}", kind="bot", bot="random") for n in ("Rot", "Blau")
    ]


def form(people: People, bots: list[Player], **changes: object) -> dict[str, object]:
    seats = {f"seat_{seat}": bot.pk for seat, bot in enumerate(bots)}
    return {"game": "xxl-6", "season": people.season.pk, "deals": 2, "seed": 7, **seats, **changes}


def test_is_asked_for_played_and_shown(people: People, bots: list[Player], as_user: Clients) -> None:
    client = as_user(people.scorekeeper)

    answer = client.post("/herzclub/bot-matches/new/", form(people, bots))

    match = BotMatch.objects.get()
    path = f"/herzclub/bot-matches/{match.pk}/"
    assert answer["Location"] == path
    waiting = Page(client.get(path).content.decode())
    assert (waiting.one("progress").attributes["value"], waiting.one("progress").attributes["max"]) == ("0", "2")
    # Without JavaScript the page asks again by itself.
    assert next(waiting.all("meta", content="2")).around[-1].tag == "noscript"

    carry_out(match)

    done = Page(client.get(path).content.decode())
    session = Session.objects.get()
    assert done.one("a", id="result").attributes["href"] == f"/herzclub/sessions/{session.pk}/"
    assert done.one("progress").attributes["value"] == "2"
    assert not list(done.all("meta", content="2"))
    assert session.season == people.season
    for listing in ("/herzclub/", "/herzclub/sessions/", "/herzclub/monday-league/2026/"):
        page = Page(client.get(listing).content.decode())
        row = page.one("a", id=f"session-{session.pk}").around[-1]
        assert "bot" in [tag.text for tag in page.all("span", inside=row)], listing


def test_a_series_of_a_cooperative_game(people: People, bots: list[Player], as_user: Clients) -> None:
    client = as_user(people.scorekeeper)
    client.post("/herzclub/bot-matches/new/", form(people, bots, game="the-game", deals=3))
    match = BotMatch.objects.get()
    carry_out(match)

    page = Page(client.get(f"/herzclub/bot-matches/{match.pk}/").content.decode())
    assert page.one("h1").text == "The Game"
    sheet = Page(client.get(page.one("a", id="result").attributes["href"] or "").content.decode())
    assert "series of one game" in sheet.text
    assert "3 of 3 rounds" in sheet.text
    assert "One result for the table" in sheet.text
    listing = Page(client.get("/herzclub/sessions/").content.decode())
    assert "series of one game" in listing.text


def test_mistakes_are_told(people: People, bots: list[Player], as_user: Clients) -> None:
    client = as_user(people.scorekeeper)

    twice = client.post("/herzclub/bot-matches/new/", form(people, bots[:1], seat_3=bots[0].pk))
    assert Page(twice.content.decode()).one("ul", id="id_seat_3_error").text
    person = client.post("/herzclub/bot-matches/new/", form(people, bots, seat_1=people.players[0].pk))
    assert Page(person.content.decode()).one("ul", id="id_seat_1_error").text
    lonely = client.post("/herzclub/bot-matches/new/", form(people, bots[:1]))
    assert "Name 2 to 6 players." in lonely.content.decode()
    assert not BotMatch.objects.exists()


def test_who_may(people: People, bots: list[Player], as_user: Clients) -> None:
    as_user(people.scorekeeper).post("/herzclub/bot-matches/new/", form(people, bots))
    path = f"/herzclub/bot-matches/{BotMatch.objects.get().pk}/"

    seen = as_user(people.member).get(path)
    assert seen.status_code == 200
    assert as_user(people.member).get("/herzclub/bot-matches/new/").status_code == 403
    assert as_user(people.stranger).get(path).status_code == 404
    assert as_user(people.stranger).get(path.replace("herz", "pik")).status_code == 404
    assert Client().get(path).status_code == 302


def test_pure_xxl_options_and_a_limit_of_time(people: People, bots: list[Player], as_user: Clients) -> None:
    client = as_user(people.scorekeeper)
    client.post("/herzclub/bot-matches/new/", form(people, bots, game="pure_xxl", deals="", season=""))
    pure = BotMatch.objects.get()
    assert (pure.format, pure.game, pure.deals) == ("pure_xxl", "", 6)
    assert Page(client.get(f"/herzclub/bot-matches/{pure.pk}/").content.decode()).one("h1").text == "Pure XXL"
    given = form(people, bots, game="the-game", deals=100_000, option_minimum="3", option_short_hand="true", hours=48)
    with time_machine.travel(NOW, tick=False):
        client.post("/herzclub/bot-matches/new/", given)
    long = BotMatch.objects.exclude(pk=pure.pk).get()
    assert (long.format, long.deals, long.options) == ("series", 100_000, {"minimum": 3, "short_hand": True})
    assert long.job.deadline_at == NOW + timedelta(hours=48)
    page = Page(client.get(f"/herzclub/bot-matches/{long.pk}/").content.decode())
    assert "cards a turn at least: 3, short hands: yes" in page.text
    listed = Page(client.get("/herzclub/bot-matches/").content.decode()).text
    assert "Pure XXL, " in listed


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"game": "the-game", "option_minimum": "9"}, "option_minimum"),
        ({"option_minimum": "3"}, "option_minimum"),
        ({"option_dealer": "2"}, "option_dealer"),
        ({"game": "und-tschuess", "option_hand_size": "35"}, "option_hand_size"),
        ({"deals": 100_001}, "deals"),
        ({"deals": "1.000"}, "deals"),
        ({"game": "pure_xxl", "deals": 7}, "deals"),
        ({"hours": 721}, "hours"),
    ],
)
def test_mistakes_in_the_plan_stand_at_their_field(
    people: People, bots: list[Player], as_user: Clients, given: dict[str, object], field: str
) -> None:
    answer = as_user(people.scorekeeper).post("/herzclub/bot-matches/new/", form(people, bots, **given))
    assert Page(answer.content.decode()).one("ul", id=f"id_{field}_error").text
    assert not BotMatch.objects.exists()


def test_options_are_chosen_in_words(people: People, bots: list[Player], as_user: Clients) -> None:
    """Every option that people choose, each with the games that have it; a deck of one's own is for programs."""
    page = Page(as_user(people.scorekeeper).get("/herzclub/bot-matches/new/").content.decode())
    options = {
        select.attributes["name"]: [option.text for option in page.all("option", inside=select)]
        for select in page.all("select")
        if (select.attributes["name"] or "").startswith("option_")
    }
    seats = [f"Seat {number}" for number in range(1, 7)]
    assert options == {
        "option_dealer": ["as usual", *seats],
        "option_declarer": ["as usual", *seats[:2], "The player left of the dealer", *seats[2:]],
        "option_minimum": ["as usual", "2", "3"],
        "option_short_hand": ["as usual", "No", "Yes"],
        "option_start": ["as usual", "Seat 1", "The players choose", *seats[1:5]],
    }
    number = page.one("input", id="id_option_hand_size")
    # 3 to 6 seats and a deck of 104 cards, of which seats - 1 lie in the middle: (104 - 2) / 3 = 34 for three.
    assert (number.attributes["min"], number.attributes["max"]) == ("2", "34")
    assert number.around[-2].attributes["data-when"] == "game=und-tschuess"
    minimum = page.one("select", id="id_option_minimum")
    assert minimum.around[-2].attributes["data-when"] == "game=the-game"
    dealer = page.one("select", id="id_option_dealer").around[-2].attributes["data-when"] or ""
    assert {"xxl-1", "xxl-6-plus", "pure_xxl"} <= set(dealer.removeprefix("game=").split())


def test_wrong_options_are_told_in_the_language_of_the_page(
    people: People, bots: list[Player], as_user: Clients
) -> None:
    """What the game itself says of them is English."""
    client = as_user(people.scorekeeper)
    given = form(people, bots, option_minimum="3")
    answer = client.post("/herzclub/bot-matches/new/", given, headers={"accept-language": "de"}).content.decode()
    told = Page(answer).one("ul", id="id_option_minimum_error").text
    with translation.override("de"):
        known, title = gettext("%(game)s has no such option. It has: %(choices)s."), game_title(GAMES["xxl-6"])
        # In words, without the names by which programs know them.
        assert told == known % {"game": title, "choices": gettext("dealer")}


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (
            {"option_dealer": "2"},
            "Dealer: 2 bots are seated. Choose one of the seats 1 to 2, or seat more bots.",
        ),
        (
            {"game": "the-game", "option_start": "2", "seat_1": ""},
            "Who begins: 1 bot is seated. Choose seat 1, or seat more bots.",
        ),
    ],
)
def test_a_seat_that_nobody_sits_on_is_no_choice(
    people: People, bots: list[Player], as_user: Clients, given: dict[str, object], told: str
) -> None:
    answer = as_user(people.scorekeeper).post("/herzclub/bot-matches/new/", form(people, bots, **given))
    (field,) = [name for name in given if name.startswith("option_")]
    assert Page(answer.content.decode()).one("ul", id=f"id_{field}_error").text == told


def test_cancelled_and_tried_again(people: People, bots: list[Player], as_user: Clients) -> None:
    client = as_user(people.scorekeeper)
    client.post("/herzclub/bot-matches/new/", form(people, bots, deals=150))
    match = BotMatch.objects.get()
    path = f"/herzclub/bot-matches/{match.pk}/"
    reader = as_user(people.member)
    assert not list(Page(reader.get(path).content.decode()).all("button", id="cancel"))
    assert reader.post(f"{path}cancel/").status_code == 403
    assert Page(client.get(path).content.decode()).one("button", id="cancel").text == "Cancel"

    assert client.post(f"{path}cancel/")["Location"] == path
    stopped = Page(client.get(path).content.decode())
    assert stopped.one("div", id="cancelled").text == "The match was cancelled; nothing was stored."
    assert not list(stopped.all("button", id="cancel"))
    assert not list(Page(reader.get(path).content.decode()).all("button", id="retry"))
    assert reader.post(f"{path}retry/").status_code == 403
    assert as_user(people.stranger).post(f"{path}retry/").status_code == 404
    assert client.get(f"{path}retry/").status_code == 405

    assert client.post(f"{path}retry/")["Location"] == path
    match.job.refresh_from_db()
    assert match.job.state == JobState.QUEUED
    # Once more does no harm, and says why it does nothing.
    again = client.post(f"{path}retry/", follow=True)
    assert "Only a match that failed or was cancelled can be tried again." in again.content.decode()


def test_what_was_played_of_a_match_that_did_not_end_is_shown(
    people: People, bots: list[Player], as_user: Clients
) -> None:
    """Of 150 deals the first part is 100."""
    client = as_user(people.scorekeeper)
    client.post("/herzclub/bot-matches/new/", form(people, bots, deals=150))
    match = BotMatch.objects.get()
    path = f"/herzclub/bot-matches/{match.pk}/"
    first, second = match.job.parts.order_by("pk")
    bot_chunks.play(first.pk)
    held = jobs.claim(job_id=second.pk, now=NOW)
    assert held
    held.fail(error="Out of cards.", now=NOW)
    failed = Page(client.get(path).content.decode())
    told = "after 100 of 150 deals: these are shown below, and no session was stored."
    assert failed.one("div", id="why-failed").text == f"The match failed {told} Out of cards."

    client.post(f"{path}retry/")
    client.post(f"{path}cancel/")
    stopped = Page(client.get(path).content.decode())
    assert stopped.one("div", id="cancelled").text == f"The match was cancelled {told}"
    assert stopped.one("section", id="results").text.count("100 deals") == 1


def test_a_failed_match_says_why_and_keeps_the_inside_to_itself(
    people: People, bots: list[Player], as_user: Clients
) -> None:
    client = as_user(people.scorekeeper)
    client.post("/herzclub/bot-matches/new/", form(people, bots, deals=150))
    match = BotMatch.objects.get()
    now = NOW
    held = jobs.claim(job_id=match.job.parts.order_by("pk")[0].pk, now=now)
    assert held
    held.fail(error="Out of cards.", trace="Traceback: /srv/secret", now=now)
    content = client.get(f"/herzclub/bot-matches/{match.pk}/").content.decode()
    assert "Out of cards." in Page(content).one("div", id="why-failed").text
    assert "secret" not in content
    assert "secret" not in client.get("/herzclub/manage/jobs/").content.decode()


def test_how_far_it_is_and_when_it_will_be_over(people: People, bots: list[Player], as_user: Clients) -> None:
    client = as_user(people.scorekeeper)
    with time_machine.travel(NOW, tick=False) as clock:
        client.post("/herzclub/bot-matches/new/", form(people, bots, deals=200))
        match = BotMatch.objects.get()
        held = jobs.claim(job_id=match.job.parts.order_by("pk")[0].pk, now=NOW)
        assert held
        clock.shift(timedelta(minutes=10))
        held.progress(done=50, now=NOW + timedelta(minutes=10))
        page = Page(client.get(f"/herzclub/bot-matches/{match.pk}/").content.decode())
    assert page.one("progress").attributes["value"] == "50"
    assert "50 of 200 deals" in page.text
    # 20:15 UTC is 21:15 in the club; 50 deals took ten minutes, so that 150 more take thirty.
    assert "21:55:00" in page.one("p", id="estimated-end").text


def test_results_with_their_deals(people: People, bots: list[Player], as_user: Clients) -> None:
    client = as_user(people.scorekeeper)
    client.post("/herzclub/bot-matches/new/", form(people, bots, deals=120))
    match = BotMatch.objects.get()
    path = f"/herzclub/bot-matches/{match.pk}/"
    first = match.job.parts.order_by("pk").first()
    assert first
    bot_chunks.play(first.pk)
    waiting = Page(client.get(path).content.decode())
    assert "100 deals so far" in waiting.one("section", id="results").text
    later = Page(client.get(f"{path}?page=2").content.decode())
    assert later.one("section", id="deals").text.count("not played yet") == 20
    carry_out(match)

    page = Page(client.get(path).content.decode())
    results = page.one("section", id="results").text
    assert "120 deals. ± is half of the 95 % interval of the average." in results
    cells = page.all("td", inside=page.one("section", id="results"))
    averages = [float(cell.text.partition(" ± ")[0]) for cell in cells if "±" in cell.text]
    # Of two places one gets 1 and the other 2, or both share the first; each average is rounded to a hundredth.
    assert len(averages) == 2
    assert 2 <= sum(averages) <= 3.01
    assert [figure.attributes["class"] for figure in page.all("figure")] == ["chart"]
    assert [link.text for link in page.all("a", rel="next")] == ["Later deals →"]
    BotMatchChunk.objects.update(records=None)
    assert "its moves are gone" in client.get(path).content.decode()


def test_results_of_a_cooperative_game(people: People, bots: list[Player], as_user: Clients) -> None:
    client = as_user(people.scorekeeper)
    client.post("/herzclub/bot-matches/new/", form(people, bots, game="the-game", deals=30))
    match = BotMatch.objects.get()
    carry_out(match)
    page = Page(client.get(f"/herzclub/bot-matches/{match.pk}/").content.decode())
    assert "Place average" not in page.one("section", id="results").text
    assert "Results of the table" in page.text
    bars = [bar for bar in page.all("rect") if bar.attributes["class"] == "chart-bar"]
    assert 1 <= len(bars) <= 24


def test_the_page_takes_as_many_statements_for_many_deals_as_for_few(
    people: People, bots: list[Player], as_user: Clients
) -> None:
    client = as_user(people.scorekeeper)
    counts = []
    for deals in (2, 230):
        client.post("/herzclub/bot-matches/new/", form(people, bots, deals=deals))
        match = BotMatch.objects.latest("pk")
        carry_out(match)
        with CaptureQueriesContext(connection) as captured:
            client.get(f"/herzclub/bot-matches/{match.pk}/")
        counts.append(len(captured))
    assert counts[0] == counts[1]


def test_bots_are_added_at_once(people: People, as_user: Clients) -> None:
    client = as_user(people.scorekeeper)
    Player.objects.create(club=people.club, name="GREEDY 2")
    answer = client.post("/herzclub/bot-matches/bots/", {"bot": "greedy", "count": 3}, follow=True)
    assert "Added: Greedy 1, Greedy 3, Greedy 4." in answer.content.decode()
    added = Player.objects.filter(kind="bot").order_by("name")
    assert list(added.values_list("name", "bot")) == [(f"Greedy {n}", "greedy") for n in (1, 3, 4)]
    wrong = client.post("/herzclub/bot-matches/bots/", {"bot": "greedy", "count": 7})
    assert Page(wrong.content.decode()).one("ul", id="id_count_error").text
    assert as_user(people.member).post("/herzclub/bot-matches/bots/", {"bot": "greedy", "count": 1}).status_code == 403
    assert Player.objects.filter(kind="bot").count() == 3


def test_damaged_moves_and_too_many_matches_are_told(
    people: People, bots: list[Player], as_user: Clients, settings: Any
) -> None:
    settings.BOT_MATCHES_OPEN = 1
    client = as_user(people.scorekeeper)
    client.post("/herzclub/bot-matches/new/", form(people, bots))
    refused = Page(client.post("/herzclub/bot-matches/new/", form(people, bots)).content.decode())
    assert "1 bot match of this club is not over yet" in refused.text
    match = BotMatch.objects.get()
    carry_out(match)
    BotMatchChunk.objects.update(records=b"what?")
    page = Page(client.get(f"/herzclub/bot-matches/{match.pk}/").content.decode())
    assert page.text.count("its moves are damaged") == 2
    answer = client.get(f"/herzclub/bot-matches/{match.pk}/deals/1/")
    assert answer.status_code == 200
    assert "damaged" in Page(answer.content.decode()).one("div", id="no-replay").text


# --- The list ---------------------------------------------------------------------------------------------------------


def _row(client: Client, match: BotMatch, query: str = "") -> tuple[str, list[str | None]]:
    """What the list says of a match, and where its row leads; "" without a row."""
    page = Page(client.get(f"/herzclub/bot-matches/{query}").content.decode())
    for row in page.all("li", id=f"match-{match.pk}"):
        return row.text, [link.attributes["href"] for link in page.all("a", inside=row)]
    return "", []


def test_members_find_every_match_with_its_state_and_result(
    people: People, bots: list[Player], as_user: Clients
) -> None:
    client = as_user(people.scorekeeper)
    for changes in ({"deals": 1}, {"game": "the-game", "deals": 2}, {"deals": 12_000}):
        client.post("/herzclub/bot-matches/new/", form(people, bots, **changes))
    single, together, waiting = BotMatch.objects.order_by("pk")
    carry_out(single)
    carry_out(together)
    reader = as_user(people.member)
    text, links = _row(reader, single)
    single.refresh_from_db()
    path = f"/herzclub/bot-matches/{single.pk}/"
    assert links == [path, f"/herzclub/sessions/{single.session_id}/", f"{path}deals/1/"]
    assert all(words in text for words in ("Rot, Robo Blau", "1 deal", "done", "Monday League 2026"))
    winners = SessionResult.objects.filter(session=single.session, place=1).values_list("player__name", flat=True)
    assert all(name in text.partition("Winner")[2] for name in winners)
    left = [one.scores[0] for one in _outcomes(together)]
    assert f"Result of the table on average: {sum(left) / 2:g}" in _row(reader, together)[0]
    text, links = _row(reader, waiting)
    assert "0 of 12,000 deals" in text
    assert "queued" in text
    assert links == [f"/herzclub/bot-matches/{waiting.pk}/"]
    # Whoever can't ask for one is not led to the form, and everybody to the list.
    assert not list(Page(reader.get("/herzclub/bot-matches/").content.decode()).all("a", id="new"))
    menu = [link.attributes["href"] for link in Page(reader.get("/herzclub/players/").content.decode()).all("a")]
    assert "/herzclub/bot-matches/" in menu


def _outcomes(match: BotMatch) -> list[Outcome]:
    found = [played_back(match, deal) for deal in range(match.deals)]
    outcomes = [one.outcome() for one in found if isinstance(one, Playthrough)]
    return [one for one in outcomes if one is not None]


def test_visitors_find_the_matches_of_public_seasons_by_public_names(
    people: People, bots: list[Player], as_user: Clients
) -> None:
    client = as_user(people.scorekeeper)
    client.post("/herzclub/bot-matches/new/", form(people, bots))
    client.post("/herzclub/bot-matches/new/", form(people, bots, season=""))
    public, apart = BotMatch.objects.order_by("pk")
    Player.objects.filter(pk=bots[0].pk).update(nickname="R2")
    people.season.visibility = "members"
    people.season.save()
    visitor = Client()
    assert visitor.get("/herzclub/bot-matches/").status_code == 404
    people.season.visibility = "public"
    people.season.save()
    # It is no session yet.
    assert _row(visitor, public) == ("", [])
    assert not _leads_to_the_list(visitor)
    for match in (public, apart):
        carry_out(match)
        match.refresh_from_db()
    assert _leads_to_the_list(visitor)
    text, links = _row(visitor, public)
    assert links == [f"/herzclub/sessions/{public.session_id}/", f"/herzclub/bot-matches/{public.pk}/deals/1/"]
    assert "R2, Robo Blau" in text
    assert "Robo Rot" not in text
    assert [visitor.get(link).status_code for link in links if link] == [200, 200]
    assert _row(visitor, apart) == ("", [])
    assert _row(as_user(people.stranger), public) == (text, links)


def _leads_to_the_list(client: Client) -> bool:
    page = Page(client.get("/herzclub/").content.decode())
    return "/herzclub/bot-matches/" in [link.attributes["href"] for link in page.all("a")]


def test_the_list_has_pages_and_takes_as_many_queries_for_many(
    people: People, bots: list[Player], as_user: Clients, settings: Any
) -> None:
    settings.BOT_MATCHES_OPEN = 0
    client = as_user(people.scorekeeper)

    def queries() -> int:
        with CaptureQueriesContext(connection) as found:
            client.get("/herzclub/bot-matches/")
        return len(found)

    def add(count: int) -> None:
        for number in range(count):
            client.post("/herzclub/bot-matches/new/", form(people, bots, deals=1, seed=number))

    add(2)
    for match in BotMatch.objects.all():
        carry_out(match)
    first = BotMatch.objects.order_by("pk")[0]
    few = queries()
    add(19)
    assert queries() == few
    assert _row(client, first) == ("", [])
    assert _row(client, first, "?page=2")[0]
    page = Page(client.get("/herzclub/bot-matches/?page=2").content.decode())
    assert [link.attributes["href"] for link in page.all("a", rel="prev")] == ["?page=1"]
    assert not list(page.all("a", rel="next"))
