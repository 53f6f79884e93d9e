"""An organiser's browser, for the tests of the pages of tournaments."""

from collections.abc import Callable
from typing import Any

from django.test import Client

from league.models import Session, Tournament, User
from league.services import results, tournament_entries, tournament_rounds, tournaments
from league.services.tournament_entries import EntryInput
from league.services.tournament_formats import StageInput
from tests.people import NOW, People
from tests.services.given import ANYTHING, DAY, by_places
from tests.web.page import Page

AsUser = Callable[[User], Client]
ROOT = "/herzclub/tournaments/"
CUP = f"{ROOT}cup/manage/"
SWISS = StageInput("swiss", {"rounds": 3})


class Organiser:
    """The scorekeeper's browser, and what of the store its tests ask for."""

    def __init__(self, people: People, client: Client) -> None:
        self.people, self.client = people, client
        self.access = people.access(people.scorekeeper)

    @property
    def cup(self) -> Tournament:
        return Tournament.objects.get(slug="cup", club=self.people.club)

    def make(self, *stages: StageInput, players: int = 4, start: bool = True, **fields: Any) -> Tournament:
        """The cup: duels in XXL 6+ with Ann, Ben, Cem, … seeded in this order."""
        given = {"name": "Cup", "slug": "cup", "starts_on": DAY, "session_format": "series", "game": "xxl-6-plus"}
        made = tournaments.create(
            access=self.access, fields={**given, "seed": 7, **fields}, stages=stages or (SWISS,), now=NOW
        )
        who = [EntryInput(player=one.pk) for one in self.people.players[:players]]
        entered = tournament_entries.enter(access=self.access, tournament_id=made.pk, entries=who, now=NOW)
        order = [one.pk for one in entered]
        tournament_entries.seed_by_hand(access=self.access, tournament_id=made.pk, order=order, now=NOW)
        if start:
            tournament_rounds.start(access=self.access, tournament_id=made.pk, now=NOW)
        return made

    def page(self, path: str = CUP) -> Page:
        answer = self.client.get(path)
        assert answer.status_code == 200, (path, answer.status_code)
        return Page(answer.content.decode())

    def send(self, path: str = CUP, /, **values: Any) -> Page:
        """Send a form for the present version, and read the page that follows."""
        given = {"version": self.cup.version, **values} if Tournament.objects.exists() else values
        answer = self.client.post(path, given, follow=True)
        assert answer.status_code == 200, (path, answer.status_code)
        return Page(answer.content.decode())

    def entry(self, name: str) -> int:
        return int(self.cup.entries.get(player__name=name).pk)

    def pair(self) -> None:
        made = tournament_rounds.pair(access=self.access, tournament_id=self.cup.pk, now=NOW).rounds
        for one in made:
            tournament_rounds.publish(access=self.access, tournament_id=self.cup.pk, number=one.number, now=NOW)

    def play(self, number: int) -> None:
        """At every table the first by the alphabet wins."""
        for session in Session.objects.filter(table__round__number=number, table__round__tournament=self.cup):
            names = sorted(session.seats.values_list("player__name", flat=True))
            data = by_places("xxl-6-plus", {name: place for place, name in enumerate(names, 1)})
            results.record_round(access=self.access, session_id=session.pk, data=data, confirm=ANYTHING, now=NOW)

    def seated(self, number: int) -> set[frozenset[str]]:
        tables = self.cup.rounds.get(number=number).tables.all()
        return {frozenset(table.seats.values_list("entry__player__name", flat=True)) for table in tables}


def notes(page: Page) -> str:
    return " ".join(one.text for one in page.all("div") if "note" in one.attributes.get("class", "").split())


def actions(page: Page) -> set[str]:
    return {one.attributes["value"] for one in page.all("button", name="action")}
