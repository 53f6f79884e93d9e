"""Lists of players as organisers paste them: read as a whole, every mistake named by its line."""

import pytest

from league.models import Player, PlayerKind, Tournament
from league.services import players as player_service
from league.services.tournament_formats import StageInput
from league.web.tournament_lists import ListLine, read_list
from tests.people import NOW
from tests.web.organiser import CUP, Organiser, notes

pytestmark = [pytest.mark.django_db, pytest.mark.one_database, pytest.mark.usefixtures("present")]

ADD = f"{CUP}entries/add/"


def test_a_list_is_read_with_semicolons_and_tabs() -> None:
    lines, wrong = read_list("Vera  Gast; Pikclub\n\nNeu 00\tKlub\nWim\nGast, Ilse\n")
    assert wrong == []
    assert lines == [
        ListLine(1, "Vera Gast", "Pikclub"),
        ListLine(3, "Neu 00", "Klub"),
        ListLine(4, "Wim", ""),
        ListLine(5, "Gast, Ilse", ""),
    ]


@pytest.mark.parametrize("heading", ["Name;Club", "NAME\tVerein", "name; verein", "Spieler;Verein", "Name"])
def test_a_heading_is_left_out(heading: str) -> None:
    assert read_list(f"{heading}\nVera;Pikclub\n") == ([ListLine(2, "Vera", "Pikclub")], [])


def test_every_mistake_is_named_by_its_line() -> None:
    text = "Vera\n;Pikclub\nvera ;Karoklub\n" + "x" * 61 + "\nWim;Klub;1200\nIda;" + "k" * 101 + "\nGast, Pikclub\n"
    _lines, wrong = read_list(text + "Uwe;pikclub")
    assert wrong == [
        "Line 2: a name is missing.",
        "Line 3: “vera” stands in line 1 already.",
        "Line 4: Give a name of 1 to 60 characters.",
        "Line 5: a name and a club are all that can stand here.",
        "Line 6: the club has at most 100 characters.",
        "Line 7: is “Pikclub” the club? Then put a semicolon before it, and else one at the end of the line.",
    ]
    # Each of the two ways out that it names.
    assert read_list("Gast; Pikclub\n", clubs=["Pikclub"])[1] == []
    assert read_list("Gast, Pikclub;\n", clubs=["Pikclub"]) == ([ListLine(1, "Gast, Pikclub", "")], [])


def test_all_are_entered_or_none(organiser: Organiser) -> None:
    organiser.make(players=1, start=False)
    ben = organiser.people.players[1].pk
    page = organiser.send(ADD, player=[ben], guests="Wim; Klub\n;Pikclub\nAnn\nBen\nWim")
    told = " ".join(page.text.split())
    for sentence in (
        "Line 2: a name is missing.",
        "Line 3: “Ann” has entered already.",
        "Line 4: “Ben” is ticked as well.",
        "Line 5: “Wim” stands in line 1 already.",
    ):
        assert sentence in told
    assert "The club has a player" not in told
    assert organiser.cup.entries.count() == 1
    assert not Player.objects.filter(name="Wim").exists()
    # What was ticked and typed stays.
    assert "checked" in page.one("input", name="player", value=str(ben)).attributes
    assert "Pikclub" in page.one("textarea", name="guests").text


def test_an_archived_player_of_the_name_is_told_at_the_line(organiser: Organiser) -> None:
    organiser.make(players=0, start=False)
    Player.objects.filter(pk=organiser.people.players[2].pk).update(archived_at=NOW)
    assert "Line 2: The club has a player “Cem” already." in organiser.send(ADD, guests="Wim\nCem").text
    assert organiser.cup.entries.count() == 0


def test_who_is_called_as_a_player_of_the_club_is_that_player(organiser: Organiser) -> None:
    """The same list again, for another tournament: the guests of the first are players by now."""
    organiser.make(players=0, start=False)
    text = "Name;Verein\nann\nVera;Pikclub\nWim\tKlub\n"
    told = notes(organiser.send(ADD, guests=text))
    assert "3 players have entered. 1 of the list is a player of the club: Ann." in told
    Tournament.objects.filter(slug="cup").update(slug="other")
    organiser.make(players=0, start=False)
    told = notes(organiser.send(ADD, guests=text))
    assert "3 players have entered. 3 of the list are players of the club: Ann, Vera, Wim." in told
    assert set(organiser.cup.entries.values_list("player__name", "home_club")) == {
        ("Ann", ""),
        ("Vera", "Pikclub"),
        ("Wim", "Klub"),
    }
    assert Player.objects.filter(club=organiser.people.club, name="Vera").count() == 1


def test_a_search_keeps_what_was_ticked_and_typed(organiser: Organiser) -> None:
    organiser.make(players=0, start=False)
    ann, cem = organiser.people.players[0].pk, organiser.people.players[2].pk
    page = organiser.send(ADD, player=[ann], guests="Wim", q="cem", show="1", first_round="")
    boxes = {box.attributes["value"]: "checked" in box.attributes for box in page.all("input", name="player")}
    assert boxes == {str(ann): True, str(cem): False}
    assert page.one("textarea", name="guests").text.strip() == "Wim"
    assert organiser.cup.entries.count() == 0
    assert "2 players have entered." in notes(organiser.send(ADD, player=[ann, cem]))


def test_bots_and_guests_are_there_for_who_asks(organiser: Organiser) -> None:
    organiser.make(players=0, start=False)
    club = organiser.people.club
    player_service.create(
        access=organiser.people.access(organiser.people.admin), name="Robo", kind=PlayerKind.BOT, bot="random", now=NOW
    )
    guest = Player.objects.create(club=club, name="Vera", is_guest=True)
    robo = Player.objects.get(name="Robo")

    def shown(kind: str) -> set[str]:
        return {box.attributes["value"] for box in organiser.page(f"{ADD}?kind={kind}").all("input", name="player")}

    own = {str(one.pk) for one in organiser.people.players}
    assert shown("") == own | {str(guest.pk)}
    assert shown("own") == own
    assert shown("guests") == {str(guest.pk)}
    assert shown("bots") == {str(robo.pk)}


def test_the_page_of_an_entry_leads_to_the_player(organiser: Organiser) -> None:
    organiser.make(start=False)
    page = organiser.page(f"{CUP}entries/{organiser.entry('Ann')}/")
    assert page.one("a", id="player").attributes["href"] == (
        f"/herzclub/manage/players/{organiser.people.players[0].pk}/"
    )


def test_where_nobody_can_enter_any_more_the_page_says_why(organiser: Organiser) -> None:
    organiser.make(StageInput("round_robin"))
    page = organiser.page(ADD)
    assert "The meetings of this stage are planned: nobody can enter any more." in page.text
    assert not list(page.all("input", name="player")) and not list(page.all("textarea"))
    assert "nobody can enter any more" in organiser.page(f"{CUP}entries/invitation/").text
    assert not list(organiser.page(f"{CUP}entries/invitation/").all("button", value="open"))
