"""Deals of bots looked at move by move: what each watcher is shown and what not, who may look, and the keys.

What lies where is worked out from the deal by the rules alone: `played_back` and the views of the game's own.
"""

import re
from collections.abc import Callable, Iterator, Mapping

import pytest
from django.test import Client
from playwright.sync_api import Page as Screen
from playwright.sync_api import expect

from games.bots import BOTS
from games.bots.base import reason_of
from games.core import Playthrough
from games.language import LANGUAGES, speaking
from league.models import BotMatch, Player, Season, Session
from league.services import bot_matches
from league.services.bot_matches import BotMatchInput, NoReplay, played_back
from league.web import replay_words, replays
from tests.people import NOW, People, make_people
from tests.product import Product
from tests.services.given import carry_out
from tests.web.page import Element, Page
from tests.web.test_accessibility import come_in

Clients = Callable[..., Client]
NAMES = ("Robo 1", "Robo 2", "Robo 3", "Robo 4")
FAMILIES = ["xxl-1", "xxl-2", "xxl-3", "xxl-4", "xxl-5", "xxl-6", "xxl-6-plus", "the-game", "und-tschuess"]


def match_of(people: People, game: str, deals: int = 1, seed: int = 7, bot: str = "greedy") -> BotMatch:
    """A match that was played, of four bots."""
    for name in NAMES:
        Player.objects.get_or_create(club=people.club, name=name, defaults={"kind": "bot", "bot": bot})
    data = BotMatchInput(game, NAMES, seed=seed, deals=deals, season=people.season.pk)
    match = bot_matches.request(access=people.access(people.scorekeeper), data=data, now=NOW)
    carry_out(match)
    match.refresh_from_db()
    return match


def whole(match: BotMatch, deal: int = 1) -> Playthrough:
    played = played_back(match, deal - 1)
    assert not isinstance(played, NoReplay)
    return played


def at(played: Playthrough, moves: int) -> Playthrough:
    """The same deal after so many moves."""
    again = Playthrough(played.game, played.seats, played.seed, played.options)
    for turn in played.turns[:moves]:
        again.play(turn)
    return again


def address(match: BotMatch, deal: int = 1, query: str = "") -> str:
    return f"/herzclub/bot-matches/{match.pk}/deals/{deal}/{query}"


def read(client: Client, path: str) -> Page:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return Page(answer.content.decode())


def cards(page: Page, inside: Element) -> list[str]:
    """The cards drawn there, by their words."""
    return [one.attributes["aria-label"] for one in page.all("svg", inside, role="img")]


def hands(page: Page) -> list[list[str] | None]:
    """By seat the hand that is drawn, None for none."""
    found: list[list[str] | None] = []
    for seat in range(1, len(NAMES) + 1):
        panel = page.one("section", None, **{"aria-labelledby": f"seat-{seat}"})
        drawn = list(page.all("div", panel, **{"class": "hand"}))
        found.append(cards(page, drawn[0]) if drawn else None)
    return found


def all_cards(value: object) -> Iterator[str | int]:
    """Every card in a view, wherever it stands."""
    if isinstance(value, Mapping):
        for one in value.values():
            yield from all_cards(one)
    elif isinstance(value, list):
        for one in value:
            yield from all_cards(one)
    elif isinstance(value, str):
        yield from re.findall(r"[a-z]+\d+/[a-z]+\d+", value)


@pytest.mark.one_database
@pytest.mark.parametrize("game", FAMILIES)
def test_shows_what_the_views_of_the_game_list(people: People, as_user: Clients, game: str) -> None:
    """At the deal, near the middle and at the end: all hands open, one seat's view, and the table alone."""
    match, client = match_of(people, game), as_user(people.member)
    played = whole(match)
    last = len(played.turns)
    for moves in (0, last // 2 + 1, last):
        now = at(played, moves)
        expected = [[replay_words.card(card) for card in now.view(seat)["hand"]] for seat in range(4)]
        page = read(client, address(match, query=f"?move={moves}"))
        assert page.one("p", None, **{"class": "now"}).text.startswith(f"Move {moves} of {last}:")
        assert hands(page) == expected
        # Of those one sees, the hand of the seat alone is drawn.
        own = read(client, address(match, query=f"?move={moves}&seat=3"))
        assert hands(own) == [None, None, expected[2], None]
        table = read(client, address(match, query=f"?move={moves}&seat=table"))
        assert hands(table) == [None] * 4
        for shown, view in ((own, now.view(2)), (table, now.view(None))):
            known = {replay_words.card(card) for card in all_cards(view)}
            if game.startswith("xxl"):
                # Nowhere on the page, not in the list of moves either, stands a card that the view does not list.
                secret = {replay_words.card(word) for word in played.game.deck.words} - known  # type: ignore[attr-defined]
                assert moves == last or secret
                html = "".join([*(one.text for one in shown.elements), *labels(shown)])
                assert [card for card in secret if card in html] == []
            else:
                drawn = sum(len(cards(shown, one)) for one in shown.all("section"))
                assert drawn


def labels(page: Page) -> list[str]:
    return [value for one in page.elements for value in one.attributes.values()]


@pytest.mark.one_database
def test_trick_by_trick(people: People, as_user: Clients) -> None:
    """Game 6: the cards of the trick under way with who played them, then who took it; tricks begin every 4 moves."""
    match, client = match_of(people, "xxl-6"), as_user(people.member)
    played = whole(match)
    page = read(client, address(match, query="?move=6"))

    lots = {page.one("h3", lot).text: lot for lot in page.all("div", None, **{"class": "lot"})}
    trick = at(played, 6).view(None)["trick"]
    last = at(played, 6).view(None)["tricks"][0]
    assert cards(page, lots["Trick under way"]) == [replay_words.card(word) for word in trick["cards"]]
    first, second = (NAMES[(trick["leader"] + one) % 4] for one in (0, 1))
    assert [one.text for one in page.all("span", lots["Trick under way"])] == [first, second]
    assert cards(page, lots["Last trick"]) == [replay_words.card(word) for word in last["cards"]]
    assert f"{NAMES[last['winner']]} takes it, {last['colour']} counts" in lots["Last trick"].text

    parts = list(page.all("a", None, **{"class": "part"}))
    assert [part.text for part in parts[:3]] == ["Trick 1", "Trick 2", "Trick 3"]
    assert [part.attributes["href"] for part in parts[:3]] == ["?move=0", "?move=4", "?move=8"]
    word = played.game.describe(played.turns[5].move)
    current = page.one("a", None, **{"aria-current": "step"})
    assert current.text == f"{NAMES[played.turns[5].seat]} plays {replay_words.card(word)}"
    ways = {one: page.one("a", id=one).attributes["href"] for one in ("previous", "next", "previous-part", "next-part")}
    assert ways == {"previous": "?move=5", "next": "?move=7", "previous-part": "?move=4", "next-part": "?move=8"}
    assert page.one("a", id="first").attributes["href"] == "?move=0"
    assert page.one("a", id="last").attributes["href"] == f"?move={len(played.turns)}"


@pytest.mark.one_database
def test_a_card_is_told_by_its_signs_and_numbers(people: People, as_user: Clients) -> None:
    """No colour speaks alone: each half bears the sign of its colour and its number, and the card its words."""
    match, client = match_of(people, "xxl-6"), as_user(people.member)
    page = read(client, address(match))
    shapes: dict[str, set[str]] = {}
    for picture in page.all("svg", role="img"):
        halves = list(page.all("g", picture))
        numbers = [page.one("text", half).text for half in halves]
        colours = [half.attributes["class"].removeprefix("half ") for half in halves]
        told = " / ".join(f"{colour} {number}" for colour, number in zip(colours, numbers, strict=True))
        assert picture.attributes["aria-label"] == told
        for half, colour in zip(halves, colours, strict=True):
            shapes.setdefault(colour, set()).add(page.one("path", half).attributes["d"])
    assert set(shapes) == {"red", "yellow", "green", "blue"}
    assert all(len(paths) == 1 for paths in shapes.values())
    assert len(set.union(*shapes.values())) == 4


@pytest.mark.one_database
def test_choices_stay_face_down_until_the_last_is_made(people: People, as_user: Clients) -> None:
    """und Tschüss: after two of four choices each watcher knows its own at most, nobody's reason is told to others."""
    match, client = match_of(people, "und-tschuess"), as_user(people.member)
    played = whole(match)
    first = played.game.describe(played.turns[0].move)
    second = played.game.describe(played.turns[1].move)

    def told(seat: str) -> list[str]:
        page = read(client, address(match, query=f"?move=2&seat={seat}"))
        return [one.text for one in page.all("a", None, **{"data-step": ""}) if "Robo" in one.text][:3]

    # Nothing of what is to come either, which would tell who drops out.
    assert told("1") == [f"Robo 1 plays {first}", "Robo 2 chooses a card"]
    assert told("2") == ["Robo 1 chooses a card", f"Robo 2 plays {second}"]
    assert told("table") == ["Robo 1 chooses a card", "Robo 2 chooses a card"]
    assert told("all")[:2] == [f"Robo 1 plays {first}", f"Robo 2 plays {second}"]


@pytest.mark.one_database
@pytest.mark.parametrize(
    ("game", "begins", "others_see"),
    [("xxl-3", "aside ", "puts a card aside"), ("und-tschuess", "lay off ", "lays a card off, face down")],
)
def test_what_goes_face_down_is_told_to_its_owner_alone(
    people: People, as_user: Clients, game: str, begins: str, others_see: str
) -> None:
    match, client = match_of(people, game), as_user(people.member)
    played = whole(match)
    words = [played.game.describe(turn.move) for turn in played.turns]
    moves = next(number for number, word in enumerate(words, start=1) if word.startswith(begins))
    seat = played.turns[moves - 1].seat
    card = replay_words.card(words[moves - 1].removeprefix(begins))

    def said(watcher: object) -> str:
        return read(client, address(match, query=f"?move={moves}&seat={watcher}")).one("strong", id="said").text

    for watcher in ("all", seat + 1):
        assert card in said(watcher)
    for watcher in ("table", (seat + 1) % 4 + 1):
        assert said(watcher) == f"{NAMES[seat]} {others_see}"


@pytest.mark.one_database
def test_a_game_without_a_drawer_is_shown_by_its_own_text(
    people: People, as_user: Clients, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replays, "_DRAWERS", {})
    match, client = match_of(people, "xxl-6"), as_user(people.member)
    now = at(whole(match), 6)
    page = read(client, address(match, query="?move=6&seat=1"))
    assert page.one("pre").text == re.sub(r"\s+", " ", now.game.draw(now.view(0)))
    assert hands(page)[0] == [replay_words.card(card) for card in now.view(0)["hand"]]


@pytest.mark.one_database
def test_the_reason_of_a_move(people: People, as_user: Clients) -> None:
    """A greedy bot tells why; to whoever sees its hand alone, and in the language of the page."""
    match, client = match_of(people, "the-game"), as_user(people.member)
    played = whole(match)
    words = [played.game.describe(turn.move) for turn in played.turns]
    moves = next(number for number, word in enumerate(words, start=1) if " up" in word or " down" in word)
    seat = played.turns[moves - 1].seat + 1
    other = seat % 4 + 1

    def reason(watcher: object, language: str = "en") -> list[str]:
        path = address(match, query=f"?move={moves}&seat={watcher}")
        page = Page(client.get(path, headers={"Accept-Language": language}).content.decode())
        return [one.text.partition(": ")[2] for one in page.all("span", id="reason")]

    before = at(played, moves - 1)
    legal = before.game.legal(before.state, seat - 1)
    for language in LANGUAGES:
        with speaking(language):
            why = reason_of(BOTS["greedy"](before.game), before.view(seat - 1), legal, played.turns[moves - 1].move)
        assert why
        assert reason("all", language) == reason(seat, language) == [why]
    assert reason(other) == reason("table") == []


@pytest.mark.one_database
def test_bad_positions_are_told(people: People, as_user: Clients) -> None:
    match, client = match_of(people, "xxl-6"), as_user(people.member)
    last = len(whole(match).turns)
    for query, status, says in [
        ("?move=-1", 400, f"“move” is a whole number from 0 to {last}."),
        ("?move=x", 400, f"“move” is a whole number from 0 to {last}."),
        ("?move=", 400, f"“move” is a whole number from 0 to {last}."),
        ("?move=²", 400, f"“move” is a whole number from 0 to {last}."),
        (f"?move={last + 1}", 404, f"This deal has {last} moves: give a number from 0 to {last}."),
        ("?seat=5", 404, "“seat” is one of: all, table, 1, 2, 3, 4."),
        ("?seat=0", 404, "“seat” is one of: all, table, 1, 2, 3, 4."),
        ("?seat=x", 404, "“seat” is one of: all, table, 1, 2, 3, 4."),
    ]:
        answer = client.get(address(match, query=query))
        assert answer.status_code == status, query
        assert Page(answer.content.decode()).one("div", id="no-replay").text == says
    assert client.get(address(match, deal=0)).status_code == 404
    assert client.get(address(match, deal=2)).status_code == 404


def test_says_why_there_is_no_replay(people: People, as_user: Clients) -> None:
    client = as_user(people.member)
    match = match_of(people, "xxl-6")
    match.chunks.update(records=None)
    page = read(client, address(match))
    assert "those of this match are gone" in page.one("div", id="no-replay").text

    data = BotMatchInput("xxl-6", NAMES, seed=1)
    waiting = bot_matches.request(access=people.access(people.scorekeeper), data=data, now=NOW)
    assert "has not been played yet" in read(client, address(waiting)).one("div", id="no-replay").text


def test_who_may_look(people: People, as_user: Clients) -> None:
    """Members; and everybody where the score sheet is public, with whoever has the key of a board."""
    match = match_of(people, "xxl-6")
    path, stranger, visitor = address(match, query="?move=3"), as_user(people.stranger), Client()

    Season.objects.update(visibility="members")
    assert as_user(people.member).get(path).status_code == 200
    assert stranger.get(path).status_code == 404
    answer = visitor.get(path)
    # After logging in one stands at the position that was shared.
    assert answer["Location"] == f"/login/?next={path.replace('?', '%3F').replace('=', '%3D')}"
    assert visitor.get("/herzclub/bot-matches/999/deals/1/").status_code == 302

    Season.objects.update(visibility="public")
    for client in (stranger, visitor):
        page = read(client, path)
        assert page.one("p", None, **{"class": "now"}).text.startswith("Move 3 of")
        # The match's own page is for members.
        assert not list(page.all("a", href=f"/herzclub/bot-matches/{match.pk}/"))

    Season.objects.update(visibility="link", board_key="k" * 22)
    assert visitor.get(path).status_code == 302
    page = read(visitor, f"{path}&key={'k' * 22}")
    assert page.one("a", id="next").attributes["href"] == f"?move=4&key={'k' * 22}"
    other = BotMatch.objects.get(pk=match.pk)
    assert as_user(people.stranger).get(f"/pikclub/bot-matches/{other.pk}/deals/1/").status_code == 404


def test_led_to_by_the_match_and_by_the_rounds_of_its_session(people: People, as_user: Clients) -> None:
    match, client = match_of(people, "xxl-6", deals=2), as_user(people.member)
    session = Session.objects.get()
    listed = read(client, f"/herzclub/bot-matches/{match.pk}/")
    sheet = read(client, f"/herzclub/sessions/{session.pk}/")
    for deal in (1, 2):
        assert list(listed.all("a", href=address(match, deal)))
        assert sheet.one("a", id=f"replay-{deal}").attributes["href"] == address(match, deal)
    page = read(client, address(match))
    assert page.one("a", rel="next").attributes["href"] == address(match, 2)
    assert page.one("code", id="position-address").text == f"http://testserver{address(match)}?move=0&seat=all"


def test_is_told_unchanged(people: People, as_user: Clients) -> None:
    """By ETag; another language, watcher or move is another page, and so is the deal whose record was dropped."""
    match, client = match_of(people, "xxl-6"), as_user(people.member)
    path = address(match, query="?move=3")
    tag = client.get(path)["ETag"]
    assert client.get(path, headers={"If-None-Match": tag}).status_code == 304
    assert client.get(path)["Cache-Control"] == "no-cache, private"
    german = client.get(path, headers={"If-None-Match": tag, "Accept-Language": "de"})
    assert german.status_code == 200
    match.chunks.update(records=None)
    assert client.get(path, headers={"If-None-Match": tag}).status_code == 200


@pytest.mark.one_database
def test_keys_and_play(page: Screen, server: Product) -> None:
    """Arrows, Home, End and space bar; the move is said, the address follows, and it plays by itself."""
    people = make_people()
    match = match_of(people, "xxl-6")
    last = len(whole(match).turns)
    come_in(page, server, people.member)
    page.goto(address(match))
    now, said = page.locator(".now"), page.locator("#replay-said")

    page.keyboard.press("ArrowRight")
    expect(now).to_contain_text(f"Move 1 of {last}:")
    expect(said).to_contain_text("plays")
    assert page.url.endswith("?move=1")
    page.keyboard.press("Shift+ArrowRight")
    expect(now).to_contain_text(f"Move 4 of {last}:")
    page.keyboard.press("ArrowLeft")
    expect(now).to_contain_text(f"Move 3 of {last}:")
    page.keyboard.press("End")
    expect(now).to_contain_text(f"Move {last} of {last}:")
    page.keyboard.press("Home")
    expect(now).to_contain_text(f"Move 0 of {last}:")

    # A field keeps its keys.
    page.locator("#move").focus()
    page.keyboard.press("End")
    expect(now).to_contain_text(f"Move 0 of {last}:")

    # The focus stays on a step that was pressed.
    page.locator("#next").focus()
    page.keyboard.press("Enter")
    expect(now).to_contain_text(f"Move 1 of {last}:")
    expect(page.locator("#next")).to_be_focused()

    page.locator("#speed").select_option("500")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Space")
    expect(page.locator("#play-pause")).to_have_text("Pause")
    expect(now).to_contain_text(f"Move 3 of {last}:")
    page.keyboard.press("Space")
    expect(page.locator("#play-pause")).to_have_text("Play")
