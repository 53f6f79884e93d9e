"""What a correction would move in a tournament, as its page tells before it is stored, and what is told of a finished
tournament of which a table has no result any more.
"""

from typing import Any

import pytest

from league.models import Player, Session
from league.services import tournament_rounds, tournaments
from league.services.tournament_formats import StageInput
from tests.people import NOW
from tests.web.organiser import CUP, ROOT, Organiser
from tests.web.page import Page
from tests.web.test_corrections import DASH, fields

pytestmark = pytest.mark.usefixtures("present")

STAY = "The season's standings stay as they are."


def moved(page: Page) -> dict[str, str]:
    """The ranks that move, as "before after", by player."""
    tables = [one for one in page.all("table") if "moves" in one.attributes.get("class", "")]
    (found,) = [one for one in tables if next(page.all("caption", inside=one)).text.startswith("Cup: Ranks")]
    lines = {}
    for row in list(page.all("tr", inside=found))[1:]:
        name = next(iter(page.all("th", inside=row))).text
        lines[name] = next(iter(page.all("td", inside=row))).text.replace("→", "").replace("becomes", "")
    return {name: " ".join(line.split()) for name, line in lines.items()}


def of_table(organiser: Organiser, number: int, *names: str) -> str:
    """The address of the session of those who sat together in a round."""
    for session in Session.objects.filter(table__round__number=number, table__round__tournament=organiser.cup):
        if set(session.seats.values_list("player__name", flat=True)) == set(names):
            return f"/herzclub/sessions/{session.pk}/"
    raise AssertionError(names)


def exchanged(organiser: Organiser, path: str, first: str, second: str) -> dict[str, str]:
    """The correction of the first round by which two players exchange their places."""
    one, other = (f"score_{Player.objects.get(club=organiser.people.club, name=name).pk}" for name in (first, second))
    sent = fields(organiser.page(f"{path}rounds/1/correct/"))
    return {**sent, one: sent[other], other: sent[one], "reason": "The other way round."}


def finished(organiser: Organiser, **made: Any) -> str:
    """A cup of Ann and Ben that Ann won; the address of its session."""
    organiser.make(StageInput("swiss", {"rounds": 1}), players=2, **made)
    organiser.pair()
    organiser.play(1)
    tournaments.finish(access=organiser.access, tournament_id=organiser.cup.pk, now=NOW)
    return of_table(organiser, 1, "Ann", "Ben")


def test_a_correction_tells_the_final_ranks_that_it_moves(organiser: Organiser) -> None:
    path = finished(organiser)

    page = organiser.send(f"{path}rounds/1/correct/", **exchanged(organiser, path, "Ann", "Ben"), preview="1")

    assert moved(page) == {"Ben": "2 1", "Ann": "1 2"}
    assert page.one("div", id="final-ranks").text == "The tournament “Cup” is finished. Its final ranks would change."
    assert STAY not in page.text


def test_voiding_tells_that_a_finished_tournament_has_a_table_without_a_result(organiser: Organiser) -> None:
    """Without the one result both share the first rank."""
    path = finished(organiser)

    page = organiser.page(f"{path}void/")

    assert moved(page) == {"Ben": "2 1"}
    assert "Table 1 of tournament round 1 would have no result" in page.one("div", id="final-ranks").text
    for address in (f"{ROOT}cup/", f"{ROOT}cup/standings/", CUP):
        assert not list(organiser.page(address).all("div", id="undecided")), address

    sent = fields(page)
    organiser.send(f"{path}void/", **{**sent, "reason": "The wrong table."})

    for address in (f"{ROOT}cup/", f"{ROOT}cup/standings/", f"{ROOT}cup/rounds/1/", f"{ROOT}cup/cross-table/"):
        assert "round 1 has no result any more" in organiser.page(address).one("div", id="undecided").text, address
    assert "Tournament round 1: table 1" in organiser.page().one("div", id="undecided").text

    organiser.send(CUP, action="reopen")
    assert not list(organiser.page().all("div", id="undecided"))
    tournament_rounds.unpublish(access=organiser.access, tournament_id=organiser.cup.pk, number=1, now=NOW)
    tournaments.finish(access=organiser.access, tournament_id=organiser.cup.pk, now=NOW)
    # What was never published is missed by nobody.
    assert not list(organiser.page(f"{ROOT}cup/").all("div", id="undecided"))
    assert not list(organiser.page().all("div", id="undecided"))


def test_the_winner_of_a_match_moves_in_the_bracket(organiser: Organiser) -> None:
    """Ann and Dora, Ben and Cem: while the final is open its two share the ranks 1 and 2."""
    organiser.make(StageInput("single_elimination"), players=4)
    organiser.pair()
    organiser.play(1)
    path = of_table(organiser, 1, "Ann", "Dora")

    page = organiser.send(f"{path}rounds/1/correct/", **exchanged(organiser, path, "Ann", "Dora"), preview="1")

    assert moved(page) == {"Dora": f"3{DASH}4 1{DASH}2", "Ann": f"1{DASH}2 3{DASH}4"}
    assert not list(page.all("div", id="final-ranks"))


def test_a_season_and_a_tournament_each_say_that_they_stay(organiser: Organiser) -> None:
    """Ann wins three games; by a correction of the first she wins by two to one. The season counts other sessions."""
    organiser.make(StageInput("swiss", {"rounds": 1}), players=2, games_per_table=3, season=organiser.people.season.pk)
    organiser.pair()
    for _game in range(3):
        organiser.play(1)
    path = of_table(organiser, 1, "Ann", "Ben")

    page = organiser.send(f"{path}rounds/1/correct/", **exchanged(organiser, path, "Ann", "Ben"), preview="1")

    assert STAY in page.text
    assert "The ranks of the tournament stay as they are." in page.text
