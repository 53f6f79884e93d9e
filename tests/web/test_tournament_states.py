"""What the pages of rounds and tables offer while a tournament is paused, once it is finished, once it is put away."""

from collections.abc import Callable
from typing import Any

import pytest

from league.models import PairWish, Session
from league.services import corrections, results, tournament_changes, tournament_rounds, tournaments
from league.services.tournament_formats import StageInput
from tests.people import NOW
from tests.services.given import ANYTHING, by_places
from tests.web.organiser import CUP, ROOT, Organiser, actions

pytestmark = pytest.mark.usefixtures("present")

ROUND = f"{CUP}rounds/1/"
TABLE = f"{ROUND}tables/1/"


def played(organiser: Organiser) -> dict[str, Any]:
    """A cup of Ann and Ben with a clock and an announcement that is through; for whom its services are called."""
    organiser.make(StageInput("swiss", {"rounds": 1}), players=2, round_minutes=50)
    at: dict[str, Any] = {"access": organiser.access, "tournament_id": organiser.cup.pk, "now": NOW}
    organiser.pair()
    tournament_rounds.set_clock(**at, number=1, runs=True)
    tournaments.update(**at, changes={"announcement": "Soup at eight."})
    organiser.play(1)
    return at


# What brings the state about, and what the pages say then.
STATES = {
    "finished": ([tournaments.finish], "finished: reopen it first"),
    "paused": ([tournaments.pause], "paused: resume it first"),
    "archived": ([tournaments.finish, tournaments.archive], "archived"),
}


@pytest.mark.parametrize(("steps", "why"), STATES.values(), ids=STATES)
def test_what_would_be_refused_is_not_offered(
    organiser: Organiser, steps: list[Callable[..., object]], why: str
) -> None:
    at = played(organiser)
    session = Session.objects.get(table__round__tournament=organiser.cup)
    assert {"clock-start", "clock-stop", "swap"} <= actions(organiser.page(ROUND)) | {
        one.attributes["value"] for one in organiser.page(ROUND).all("input", name="action")
    }
    corrections.void(access=organiser.access, session_id=session.pk, reason="The wrong table.", now=NOW)
    assert actions(organiser.page(TABLE)) == {"open", "forfeit"}
    tournament_changes.forfeit(**at, number=1, table=1, winner=organiser.entry("Ann"))
    assert actions(organiser.page(TABLE)) == {"take-back"}

    for step in steps:
        step(**at)

    page = organiser.page(ROUND)
    assert why in page.one("p", id="still").text
    assert actions(page) <= {"announce"}
    assert not list(page.all("form", id="swap"))
    page = organiser.page(TABLE)
    assert why in page.one("p", id="still").text
    assert actions(page) == set()


def test_a_void_table_of_a_finished_tournament_says_what_to_do(organiser: Organiser) -> None:
    at = played(organiser)
    tournaments.finish(**at)
    session = Session.objects.get(table__round__tournament=organiser.cup)
    corrections.void(access=organiser.access, session_id=session.pk, reason="The wrong table.", now=NOW)

    page = organiser.page(TABLE)

    assert actions(page) == set()
    assert "The session of this table is void. This tournament is finished: reopen it first." in page.text
    organiser.send(CUP, action="reopen")
    assert actions(organiser.page(TABLE)) == {"open", "forfeit"}


def test_clock_and_announcement_end_with_the_tournament(organiser: Organiser) -> None:
    at = played(organiser)
    public = [f"{ROOT}cup/", f"{ROOT}cup/rounds/1/", f"{ROOT}cup/screen/"]
    assert list(organiser.page(ROUND).all("p", id="clock"))
    for path in public:
        assert "Soup at eight." in organiser.page(path).text, path

    tournaments.finish(**at)

    assert not list(organiser.page(ROUND).all("p", id="clock"))
    for path in (*public, f"{ROOT}cup/rounds/1/print/"):
        page = organiser.page(path)
        assert "Soup at eight." not in page.text, path
        assert not list(page.all("b", role="timer")), path
        assert "until" not in page.text, path


def test_the_screen_of_a_finished_tournament_leads_with_the_final_ranks(organiser: Organiser) -> None:
    at = played(organiser)
    path = f"{ROOT}cup/screen/"
    assert [one.text.split(" · ")[0] for one in organiser.page(path).all("h2")] == ["Tables", "Standings"]

    tournaments.finish(**at)

    page = organiser.page(path)
    assert [one.text.split(" · ")[0] for one in page.all("h2")] == ["Final ranking", "Round 1"]
    assert page.one("h1").text == "Cup"

    session = Session.objects.get(table__round__tournament=organiser.cup)
    corrections.void(access=organiser.access, session_id=session.pk, reason="The wrong table.", now=NOW)
    assert "a table of round 1 has no result any more" in organiser.page(path).text


def test_a_round_is_a_draft_again_only_while_nothing_is_played(organiser: Organiser) -> None:
    organiser.make()
    organiser.pair()
    assert "unpublish" in actions(organiser.page(ROUND))
    organiser.play(1)
    assert "unpublish" not in actions(organiser.page(ROUND))


def test_nothing_is_paired_anew_where_the_same_meet_again(organiser: Organiser) -> None:
    """Of the two duels of round 2 one is played: the two of the other can meet nobody else."""
    organiser.make()
    organiser.pair()
    organiser.play(1)
    organiser.pair()
    of_round = Session.objects.filter(table__round__tournament=organiser.cup, table__round__number=2)
    first, other = of_round.order_by("table__number")
    score(organiser, first)
    wrong = Session.objects.get(table__round__tournament=organiser.cup, table__round__number=1, table__number=1)
    loser, winner = wrong.results.order_by("-place").values_list("player__name", flat=True)
    corrections.correct_round(
        access=organiser.access,
        session_id=wrong.pk,
        number=1,
        data=by_places("xxl-6-plus", {loser: 1, winner: 2}),
        reason="The other way round.",
        expected=None,
        confirm=ANYTHING,
        now=NOW,
    )
    path = f"{CUP}rounds/2/"
    over = organiser.page(path).one("section", id="overtaken").text
    assert "Not played yet: table 2." in over
    assert "Already played, and staying as it is: table 1." in over

    page = organiser.page(f"{path}?mend=1")

    assert page.one("p", id="foreseen").text.startswith("Nothing would change: the same meet again.")
    assert actions(page) & {"keep", "mend"} == {"keep"}
    organiser.send(path, action="mend")
    assert list(of_round.order_by("table__number")) == [first, other]
    assert not list(organiser.page(path).all("section", id="overtaken"))


def score(organiser: Organiser, session: Session) -> None:
    """Let the first by the alphabet win."""
    names = sorted(session.seats.values_list("player__name", flat=True))
    data = by_places("xxl-6-plus", {name: place for place, name in enumerate(names, 1)})
    results.record_round(access=organiser.access, session_id=session.pk, data=data, confirm=ANYTHING, now=NOW)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, None),
        ({"best_of": 3}, "Best of: 3"),
        ({"best_of": 1, "best_of_last": [3]}, "Best of: 1"),
    ],
)
def test_the_best_of_is_told_where_matches_are_such(
    organiser: Organiser, options: dict[str, Any], told: str | None
) -> None:
    """Without it a match has the three games of every table."""
    organiser.make(StageInput("single_elimination", options), games_per_table=3)
    text = organiser.page().one("section", id="stage-1").text
    assert (told in text) if told is not None else ("Best of" not in text)


def test_of_an_archived_tournament_nothing_is_changed_on_any_page(organiser: Organiser) -> None:
    at = played(organiser)
    ann, ben = organiser.entry("Ann"), organiser.entry("Ben")
    PairWish.objects.create(
        club=organiser.people.club, tournament=organiser.cup, first_id=ann, second_id=ben, kind="apart"
    )
    of_entries = [f"{ann}/", "", "add/", "seeds/", "wishes/", "check-in/", "invitation/"]
    pages = [*(f"entries/{one}" for one in of_entries), "edit/"]
    tournaments.finish(**at)
    tournaments.archive(**at)
    for path in pages:
        page = organiser.page(f"{CUP}{path}")
        assert "archived: it can be read, and nothing can be changed" in page.one("p", id="archived").text, path
        inside = page.one("main")
        assert not [one for one in page.all("form", inside) if one.attributes.get("method") == "post"], path
