"""What pages tell of tables that are decided without play: who won, who lost, how many tables are done."""

from typing import Any

import pytest
from django.test import Client

from league.services import tournament_changes
from league.services.tournament_formats import StageInput
from tests.people import NOW
from tests.web.organiser import CUP, Organiser, notes
from tests.web.page import Page

pytestmark = [pytest.mark.django_db, pytest.mark.one_database, pytest.mark.usefixtures("present")]

PUBLIC = "/herzclub/tournaments/cup/"
ROUND_ROBIN = StageInput("round_robin")
AT_TABLES = StageInput("table_swiss", {"rounds": 2})


def read(path: str) -> str:
    answer: Any = Client().get(PUBLIC + path)
    assert answer.status_code == 200, path
    return " ".join(Page(answer.content.decode()).text.split())


def decide(organiser: Organiser, number: int, table: int, winner: int | None) -> None:
    at: dict[str, Any] = {"tournament_id": organiser.cup.pk, "number": number, "table": table, "now": NOW}
    tournament_changes.forfeit(access=organiser.access, **at, winner=winner)


def test_a_forfeit_names_its_winner_and_tells_the_loser_so(organiser: Organiser) -> None:
    """Four in duels: table 1 is decided by forfeit for the second who sits there, the other is played."""
    organiser.make()
    organiser.pair()
    seats = organiser.cup.rounds.get().tables.get(number=1).seats.order_by("number")
    loser, winner = [seat.entry for seat in seats.select_related("entry__player")]
    decide(organiser, 1, 1, winner.pk)
    told = f"Won by {winner.player.name} by forfeit"
    for page in ("", "rounds/1/", "rounds/1/print/", "screen/?still=1"):
        assert told.lower() in read(page).lower(), page
    for page in ("", "rounds/1/"):
        # It keeps its number, and counts as decided.
        assert "Table 1" in read(page) and "1 of 2 tables decided" in read(page), page
    assert "Round 1, table 1: won by forfeit" in read(f"players/{winner.pk}/")
    lost = read(f"players/{loser.pk}/")
    assert "Round 1, table 1: lost by forfeit" in lost
    assert "won by forfeit" not in lost
    for page in (f"{CUP}rounds/1/", f"{CUP}rounds/1/tables/1/"):
        assert told.lower() in organiser.page(page).text.lower(), page


def test_where_nobody_came_the_words_fit_the_table(organiser: Organiser) -> None:
    organiser.make()
    organiser.pair()
    decide(organiser, 1, 1, None)
    assert "forfeit of both" in read("rounds/1/").lower()
    decide(organiser, 1, 2, None)
    assert "2 of 2 tables decided" in read("rounds/1/")


def test_at_larger_tables_nobody_came(organiser: Organiser) -> None:
    organiser.make(AT_TABLES, players=6, session_format="pure_xxl", game="", games_per_table=1, table_size=3)
    organiser.pair()
    decide(organiser, 1, 1, None)
    for page in ("", "rounds/1/", "rounds/1/print/"):
        told = read(page).lower()
        assert "nobody came" in told and "forfeit of both" not in told, page
    entry = organiser.cup.rounds.get().tables.get(number=1).seats.first()
    assert entry is not None
    assert "nobody came" in read(f"players/{entry.entry_id}/")
    assert "nobody came" in organiser.page(f"{CUP}rounds/1/").text.lower()


def test_who_drops_out_is_told_what_is_lost_by_that_and_what_is_played_after_all(organiser: Organiser) -> None:
    """Four meet in three rounds, all out: Ann, who has played none, loses three."""
    organiser.make(ROUND_ROBIN)
    organiser.pair()
    path = f"{CUP}entries/{organiser.entry('Ann')}/"
    told = notes(organiser.send(path, action="withdraw"))
    assert "“Ann” has dropped out. 3 duels that were published and not begun are lost by forfeit" in told
    assert all(f"round {number}, table" in told for number in (1, 2, 3))
    assert "lost by forfeit" in read(f"players/{organiser.entry('Ann')}/")
    assert "Ann" not in " ".join(one.text for one in organiser.page().all("section", id="next"))
    told = notes(organiser.send(path, action="return"))
    assert "“Ann” plays again. 3 duels that were lost by the drop-out are to be played" in told


def test_at_a_larger_table_the_organiser_is_told_that_the_others_play_without(organiser: Organiser) -> None:
    organiser.make(AT_TABLES, players=6, session_format="pure_xxl", game="", games_per_table=1, table_size=3)
    organiser.pair()
    told = notes(organiser.send(f"{CUP}entries/{organiser.entry('Ann')}/", action="withdraw"))
    assert "“Ann” has dropped out. The others play without" in told
    assert "round 1, table" in told


def test_the_form_of_a_larger_table_says_what_each_gets_and_knows_a_better_way(organiser: Organiser) -> None:
    """By the share of those beaten a win by forfeit is worth 1 and a defeat 0."""
    organiser.make(AT_TABLES, players=6, session_format="pure_xxl", game="", games_per_table=1, table_size=3)
    organiser.pair()
    path = f"{CUP}rounds/1/tables/1/"
    page = organiser.page(path)
    assert "who wins by forfeit gets 1, each of the others 0" in " ".join(page.text.split())
    session = organiser.cup.rounds.get().tables.get(number=1).sessions.get()
    assert page.one("a", id="play-without").attributes["href"] == f"/herzclub/sessions/{session.pk}/enter/"
    # Nobody is chosen beforehand, and nothing is decided before somebody is.
    assert next(iter(page.all("option"))).attributes["value"] == ""
    assert "Choose who wins by forfeit, or nobody." in notes(organiser.send(path, action="forfeit", winner=""))
    assert organiser.cup.rounds.get().tables.get(number=1).kind == "played"
    organiser.send(path, action="forfeit", winner="nobody")
    assert organiser.cup.rounds.get().tables.get(number=1).kind == "double_forfeit"
    told = organiser.send(path, action="take-back")
    assert "A code printed for it before is dead" in notes(told)
    session = organiser.cup.rounds.get().tables.get(number=1).sessions.get()
    assert told.one("a", id="new-code").attributes["href"] == f"/herzclub/sessions/{session.pk}/table-links/"
