"""Somebody sits in at a tournament's table: warned of before, told on its pages, and no result of the entry's."""

from typing import Any

import pytest
from django.test import Client

from league.models import Seat, Session
from league.services import results, tournament_standings, tournament_state
from league.services.tournament_formats import StageInput
from tests.people import NOW
from tests.services.given import ANYTHING, by_places
from tests.web.organiser import Organiser
from tests.web.page import Page
from tests.web.test_tournaments import cells

pytestmark = [pytest.mark.django_db, pytest.mark.one_database, pytest.mark.usefixtures("present")]

PUBLIC = "/herzclub/tournaments/cup/"


def read(path: str) -> Page:
    answer: Any = Client().get(path)
    assert answer.status_code == 200, path
    return Page(answer.content.decode())


def words(page: Page) -> str:
    return " ".join(page.text.split())


def duel(organiser: Organiser) -> Session:
    """Ann meets Ben in the only round of two."""
    organiser.make(players=2)
    organiser.pair()
    return Session.objects.get()


def test_the_page_warns_before_a_stranger_takes_a_seat(organiser: Organiser) -> None:
    session = duel(organiser)
    path = f"/herzclub/sessions/{session.pk}/"
    hint = "who was not paired here counts for nobody"
    assert hint in organiser.page(f"{path}enter/").text
    ben, dora, eva = (organiser.people.players[at].pk for at in (1, 3, 4))
    asked = organiser.send(f"{path}table/", player=eva, substitutes=ben)
    assert "“Eva” is not in this tournament: what is won here counts for nobody. “Ben” takes the last place." in (
        words(asked)
    )
    assert not Seat.objects.filter(player=eva).exists()
    organiser.send(f"{path}table/", player=eva, substitutes=ben, confirm="sits_in")
    assert Seat.objects.filter(player=eva).exists()
    # A third one in a duel is warned of, too.
    assert "“Dora” is not in this tournament" in words(organiser.send(f"{path}table/", player=dora))
    # Who was paired there comes back without a question.
    organiser.send(f"{path}table/", player=ben, substitutes=eva)
    assert set(session.seats.values_list("player__name", flat=True)) == {"Ann", "Ben"}


def test_who_never_played_is_told_neither_as_winner_nor_as_loser(organiser: Organiser) -> None:
    """Eva sits for Ben all along and beats Ann: Ann is first of the two who were paired, and Ben did not play."""
    session = duel(organiser)
    results.substitute(access=organiser.access, session_id=session.pk, player="Eva", for_player="Ben", now=NOW)
    told = "Eva sits in for Ben and counts for nobody."
    missing = "Ben does not play, and takes the last place."
    for path in (f"{PUBLIC}rounds/1/", PUBLIC, f"/herzclub/sessions/{session.pk}/"):
        assert told in words(read(path)) and missing in words(read(path)), path
    data = by_places("xxl-6-plus", {"Eva": 1, "Ann": 2})
    results.record_round(access=organiser.access, session_id=session.pk, data=data, confirm=ANYTHING, now=NOW)
    assert "Ben did not play" in words(read(f"{PUBLIC}rounds/1/"))
    own = words(read(f"{PUBLIC}players/{organiser.entry('Ben')}/"))
    assert "did not play" in own and "place 2" not in own
    # A star: not played against each other.
    assert [line[1:3] for line in cells(read(f"{PUBLIC}cross-table/"))] == [["", "1*"], ["0*", ""]]
    state = tournament_state.load(organiser.cup)
    (table,) = tournament_standings.tables_of(state)
    names = {pk: entry.player.name for pk, entry in state.entries.items()}
    assert [(line.rank, names[line.entry]) for line in table.lines] == [(1, "Ann"), (2, "Ben")]


def test_where_the_others_play_without_the_missing_one_is_last_and_did_not_play(organiser: Organiser) -> None:
    stage = StageInput("table_swiss", {"rounds": 1})
    organiser.make(stage, players=4, session_format="single_game", game="xxl-6-plus", table_size=4, metric="places")
    organiser.pair()
    session = Session.objects.get()
    organiser.send(f"/herzclub/sessions/{session.pk}/table/", substitutes=organiser.people.players[0].pk)
    assert "Ann does not play, and takes the last place." in words(read(f"{PUBLIC}rounds/1/"))
