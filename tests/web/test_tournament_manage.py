"""The organiser's pages of tournaments, as a browser without scripts uses them."""

from typing import Any
from urllib.parse import quote

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import (
    EntryStatus,
    Member,
    PairWish,
    Player,
    RoundStatus,
    Session,
    Tournament,
    TournamentStatus,
    name_key,
)
from league.services import corrections, results, tournament_entries, tournament_jobs, tournament_rounds, tournaments
from league.services.tournament_entries import EntryInput
from league.services.tournament_formats import FORMATS, StageInput
from league.services.tournament_state import REQUESTED_BYE
from league.services.tournaments import SCORES
from league.web.tournament_forms import CHOICE_WORDS, FORMAT_WORDS, OPTION_WORDS, SCORE_WORDS
from league.web.words import runs
from tests.people import NOW, People
from tests.services.given import ANYTHING, by_places
from tests.web.organiser import CUP, ROOT, AsUser, Organiser, actions, notes
from tests.web.page import Page

pytestmark = pytest.mark.usefixtures("present")

FORM = {
    "stage_count": "1",
    "name": "Cup",
    "slug": "cup",
    "starts_on": "2026-12-05",
    "visibility": "public",
    "session_format": "series",
    "game": "xxl-6-plus",
    "games_per_table": "1",
    "table_size": "4",
    "stage_1_format": "swiss",
    "stage_1_rounds": "5",
    "stage_1_groups": "1",
}


def test_every_choice_has_its_words() -> None:
    options = {name: option for rules in FORMATS.values() for name, option in rules.options.items()}
    assert set(OPTION_WORDS) == set(options)
    assert set(CHOICE_WORDS) == {choice for option in options.values() for choice in option.choices}
    assert set(FORMAT_WORDS) == set(FORMATS)
    assert set(SCORE_WORDS) == {*SCORES, REQUESTED_BYE}


# --- Made and changed -------------------------------------------------------------------------------------------------


def test_a_tournament_is_made_from_a_kind(organiser: Organiser) -> None:
    kinds = organiser.page(f"{ROOT}new/")
    assert "?kind=swiss" in {one.attributes["href"] for one in kinds.all("a")}
    form = organiser.page(f"{ROOT}new/?kind=groups")
    assert form.one("input", name="stage_2_best_of").attributes["value"] == "1"

    page = organiser.send(f"{ROOT}new/?kind=swiss", **FORM, win="3", draw="1", loss="0", location="Hall")

    assert "Now enter who plays" in notes(page)
    cup = organiser.cup
    assert (cup.metric, cup.scores, cup.location) == ("result", {"win": 3, "draw": 1, "loss": 0}, "Hall")
    # The usual chain of duels.
    assert cup.tie_breaks[0] == "direct"
    assert cup.stages.get().options.items() >= {"rounds": 5, "allow_rematches": False}.items()


@pytest.mark.parametrize("kind", ["swiss", "dutch", "table_swiss", "fixed_schedule"])
def test_the_form_begins_with_a_number_of_rounds(organiser: Organiser, kind: str) -> None:
    page = organiser.page(f"{ROOT}new/?kind={kind}")
    assert page.one("input", name="stage_1_rounds").attributes["value"] == "5"
    # So it does where the format is chosen later.
    later = organiser.page(f"{ROOT}new/?kind=round_robin")
    assert later.one("input", name="stage_1_rounds").attributes["value"] == "5"


def shown(page: Page, name: str) -> bool:
    """Whether the form shows a field; what it does not show is not sent either."""
    (field,) = [one for one in page.elements if one.attributes.get("name") == name]
    is_hidden = any("hidden" in one.attributes for one in field.around)
    assert is_hidden == ("disabled" in field.attributes), name
    return not is_hidden


def test_the_form_shows_the_fields_that_apply(organiser: Organiser) -> None:
    """Duels have no size of tables; Pure XXL has its games; points of places belong to that way of ranking alone."""
    duels = organiser.page(f"{ROOT}new/?kind=swiss")
    assert not shown(duels, "table_size")
    assert shown(duels, "game") and shown(duels, "games_per_table") and not shown(duels, "minimum")
    # Nobody goes on from the last stage.
    assert not list(duels.all("input", name="stage_1_advance"))
    tables = organiser.page(f"{ROOT}new/?kind=table_swiss")
    assert shown(tables, "table_size") and not shown(tables, "game") and not shown(tables, "place_points")
    # Without a script: choose, and ask for the fields.
    chosen = {**FORM, "stage_1_format": "table_swiss", "session_format": "single_game", "game": "the-game"}
    page = organiser.send(f"{ROOT}new/?kind=table_swiss", **chosen, metric="place_points", change="options")
    assert shown(page, "minimum") and shown(page, "place_points") and not shown(page, "win")
    assert not shown(page, "games_per_table")


def test_what_does_not_apply_is_not_taken(organiser: Organiser) -> None:
    """Typed before another format was chosen, it would be refused at a field that nobody sees."""
    left = {"minimum": "3", "place_points": "1 2 x", "stage_1_grand_final": "simple", "stage_1_best_of": "2"}
    page = organiser.send(f"{ROOT}new/?kind=swiss", **FORM, **left)
    assert "Now enter who plays" in notes(page)
    assert organiser.cup.minimum is None
    organiser.send(f"{CUP}edit/", **{**FORM, "session_format": "pure_xxl", "metric": "result"})
    assert (organiser.cup.session_format, organiser.cup.game) == ("pure_xxl", "")


def test_a_box_that_nobody_saw_was_not_left_empty(organiser: Organiser) -> None:
    """Final tables cross their groups unless told otherwise; the format was chosen, and its options never shown."""
    stages = {"stage_count": "2", "stage_1_advance": "2", "stage_1_groups": "2", "stage_2_format": "final_tables"}
    organiser.send(f"{ROOT}new/", **{**FORM, **stages, "stage_2_shown": "single_elimination"})
    assert organiser.cup.stages.get(number=2).options == {"crossing": True}
    Tournament.objects.all().delete()
    organiser.send(f"{ROOT}new/", **{**FORM, **stages, "stage_2_shown": "final_tables"})
    assert organiser.cup.stages.get(number=2).options == {"crossing": False}


def test_the_form_shows_the_options_of_the_format_that_was_chosen(organiser: Organiser) -> None:
    chosen = {**FORM, "stage_1_format": "double_elimination", "name": "Typed"}
    page = organiser.send(f"{ROOT}new/?kind=swiss", **chosen, change="options")
    assert shown(page, "stage_1_grand_final")
    assert not shown(page, "stage_1_rounds")
    assert page.one("input", name="name").attributes["value"] == "Typed"
    more = organiser.send(f"{ROOT}new/", **chosen, stage_1_third_place="on", change="more")
    assert more.one("select", name="stage_2_format")
    assert more.one("input", name="stage_count").attributes["value"] == "2"
    fewer = organiser.send(f"{ROOT}new/", **{**chosen, "stage_count": "2"}, change="fewer")
    assert not list(fewer.all("select", name="stage_2_format"))
    assert not Tournament.objects.exists()


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"stage_1_rounds": ""}, "stage_1_rounds"),
        ({"stage_1_format": "single_elimination", "stage_1_best_of": "2"}, "stage_1_best_of"),
        ({"stage_count": "2", "stage_2_format": "single_elimination", "stage_2_best_of": "1"}, "stage_1_advance"),
        ({"slug": "new"}, "slug"),
        ({"game": ""}, "game"),
        ({"metric": "cards_left"}, "metric"),
        ({"win": "1", "loss": "2"}, "win"),
        ({"tie_break_1": "lots", "tie_break_2": "wins"}, "tie_break_1"),
        ({"metric": "place_points", "place_points": "1 2 x"}, "place_points"),
    ],
)
def test_what_is_wrong_is_said_at_its_field(organiser: Organiser, values: dict[str, str], field: str) -> None:
    page = organiser.send(f"{ROOT}new/?kind=swiss", **{**FORM, **values})
    wrong = [one.attributes.get("name") for one in page.elements if one.attributes.get("aria-invalid") == "true"]
    assert wrong == [field]
    assert not Tournament.objects.exists()


def test_the_fields_are_changed_with_their_stages(organiser: Organiser) -> None:
    organiser.make(start=False)
    page = organiser.page(f"{CUP}edit/")
    assert page.one("input", name="stage_1_rounds").attributes["value"] == "3"
    organiser.send(f"{CUP}edit/", **{**FORM, "name": "Open", "metric": "result"}, tie_break_1="wins", seed="7")
    cup = organiser.cup
    assert (cup.name, cup.tie_breaks, cup.stages.get().options["rounds"]) == ("Open", ["wins"], 5)


def test_of_a_begun_tournament_only_what_no_table_was_played_by(organiser: Organiser) -> None:
    organiser.make()
    page = organiser.page(f"{CUP}edit/")
    assert not list(page.all("select", name="stage_1_format"))
    assert not list(page.all("select", name="game"))
    given = {"name": "Later", "slug": "cup", "starts_on": "2026-12-06", "visibility": "members", "tie_break_1": "lots"}
    assert "Saved" in notes(organiser.send(f"{CUP}edit/", **given))
    assert (organiser.cup.name, organiser.cup.tie_breaks) == ("Later", ["lots"])


def test_two_organisers_never_overwrite_each_other_unseen(organiser: Organiser) -> None:
    organiser.make()
    seen = organiser.cup.version
    tournaments.update(access=organiser.access, tournament_id=organiser.cup.pk, changes={"name": "Theirs"}, now=NOW)
    given = {"name": "Mine", "slug": "cup", "starts_on": "2026-12-06", "visibility": "public"}

    page = organiser.send(f"{CUP}edit/", **given, version=seen)

    assert "Somebody else changed this tournament meanwhile" in notes(page)
    assert "Name: Theirs" in page.text
    assert page.one("input", name="name").attributes["value"] == "Mine"
    assert organiser.cup.name == "Theirs"
    # Who has seen that may send it once more.
    again = page.one("input", name="version").attributes["value"]
    organiser.send(f"{CUP}edit/", **given, version=again)
    assert organiser.cup.name == "Mine"

    told = organiser.send(action="pause", version=seen)
    assert "Somebody else changed this tournament" in notes(told)
    assert organiser.cup.status == TournamentStatus.RUNNING


# --- From the start to the end ----------------------------------------------------------------------------------------


def test_a_tournament_is_run_by_its_buttons(organiser: Organiser) -> None:
    organiser.make(start=False)
    assert actions(organiser.page()) >= {"start", "delete", "archive", "clone"}
    organiser.send(action="start")
    assert "pair" in actions(organiser.page())
    page = organiser.send(action="pair", draw="0")
    assert "1 tournament round is paired" in notes(page)
    assert "pair" not in actions(page)
    assert "not published yet" in page.text

    page = organiser.send(f"{CUP}rounds/1/", action="publish")
    assert page.one("span", id="status").text == "published"
    assert "still has tables without a result" in organiser.page().text
    organiser.play(1)
    assert "All tables have their results" in organiser.page(f"{CUP}rounds/1/").text
    assert "2 of 2 tables decided" in organiser.page().text

    for action, status in [("pause", "paused"), ("resume", "running"), ("finish", "finished"), ("reopen", "running")]:
        organiser.send(action=action)
        assert organiser.cup.status == status
    organiser.send(action="archive")
    page = organiser.page()
    assert actions(page) & {"pause", "pair", "restore"} == {"restore"}
    organiser.send(action="restore")
    assert organiser.cup.archived_at is None


def test_undo_leads_back_to_the_beginning(organiser: Organiser) -> None:
    organiser.make()
    organiser.send(action="pair")
    assert "Tournament round 1 is taken back" in notes(organiser.send(action="undo"))
    assert not organiser.cup.rounds.exists()
    organiser.send(action="close-stage")
    assert organiser.cup.status == TournamentStatus.DRAFT
    page = organiser.send(action="delete")
    assert not Tournament.objects.exists()
    assert page is not None


def test_the_last_pairing_is_taken_back_only_while_nothing_is_played(organiser: Organiser) -> None:
    organiser.make()
    assert "undo" not in actions(organiser.page())
    organiser.pair()
    assert "undo" in actions(organiser.page())
    session = Session.objects.filter(table__number=1).get()
    results.record_round(
        access=organiser.access,
        session_id=session.pk,
        data=by_places("xxl-6-plus", {name: place for place, name in enumerate(session_names(session), 1)}),
        confirm=ANYTHING,
        now=NOW,
    )
    assert "undo" not in actions(organiser.page())
    assert "has results" in notes(organiser.send(action="undo"))
    corrections.void(access=organiser.access, session_id=session.pk, reason="Never played.", now=NOW)
    assert "undo" in actions(organiser.page())
    organiser.send(action="undo")
    assert not organiser.cup.rounds.exists()


def session_names(session: Session) -> list[str]:
    return list(session.seats.values_list("player__name", flat=True))


@pytest.mark.parametrize(
    ("players", "rounds", "told"), [(2, 2, "3"), (4, 3, None), (8, 2, "3"), (9, 3, "4"), (16, 4, None), (17, 4, "5")]
)
def test_too_few_rounds_of_a_swiss_system_are_told(
    organiser: Organiser, players: int, rounds: int, told: str | None
) -> None:
    """One player in so many doublings can have won all; three rounds at least."""
    organiser.make(StageInput("swiss", {"rounds": rounds}), players=2, start=False)
    guests = [EntryInput(guest=f"Guest {number}") for number in range(2, players)]
    tournament_entries.enter(access=organiser.access, tournament_id=organiser.cup.pk, entries=guests, now=NOW)
    found = organiser.page().all("p", id="advised")
    assert [f"it takes {told} tournament round" in one.text for one in found] == ([True] if told else [])


def test_a_place_is_told_in_words_and_not_as_the_plan_numbers_its_seats(organiser: Organiser) -> None:
    organiser.make()
    organiser.pair()
    seated = [one.text for one in organiser.page(f"{CUP}rounds/1/").all("span", None, **{"class": "seated"})]
    assert sorted(seated) == ["Ann", "Ben", "Cem", "Dora"]
    organiser.play(1)
    seated = [one.text for one in organiser.page(f"{CUP}rounds/1/").all("span", None, **{"class": "seated"})]
    assert sorted(one.split(" ")[0] for one in seated) == ["Ann", "Ben", "Cem", "Dora"]
    assert sorted(one.split(" ", 1)[1] for one in seated) == ["place 1", "place 1", "place 2", "place 2"]


def test_the_next_stage_is_opened(organiser: Organiser) -> None:
    organiser.make(StageInput("swiss", {"rounds": 1}, 1, 2), StageInput("single_elimination"))
    organiser.pair()
    assert "open-stage" not in actions(organiser.page())
    assert "Tables without a result: 2" in notes(organiser.send(action="open-stage"))
    organiser.play(1)
    assert "open-stage" in actions(organiser.page())
    organiser.send(action="open-stage")
    assert organiser.cup.stages.get(number=2).status == "running"
    organiser.send(action="pair")
    assert organiser.seated(2) == {frozenset({"Ann", "Ben"})}


def test_who_is_not_checked_in_did_not_come(organiser: Organiser) -> None:
    organiser.make(start=False)
    for name in ("Ann", "Ben", "Cem"):
        organiser.client.post(f"{CUP}entries/check-in/", {"here": organiser.entry(name)})
    organiser.send(action="start", only_checked_in="yes")
    assert organiser.cup.entries.get(player__name="Dora").status == EntryStatus.NO_SHOW


def test_a_copy_is_made(organiser: Organiser) -> None:
    organiser.make()
    taken = organiser.send(action="clone", name="Cup", slug="cup", starts_on="2026-12-12")
    assert "is taken" in taken.text
    page = organiser.send(action="clone", name="Cup 2", slug="cup-2", starts_on="2026-12-12", entries="on")
    assert "This is the copy" in notes(page)
    copy = Tournament.objects.get(slug="cup-2")
    assert (copy.status, copy.entries.count()) == ("draft", 4)


def test_a_large_pairing_shows_how_far_it_is(organiser: Organiser) -> None:
    """A fixed schedule is planned by a job, which the worker takes later."""
    organiser.make(StageInput("fixed_schedule", {"rounds": 1}))
    page = organiser.send(action="pair")
    assert page.one("progress").attributes["value"] == "0"
    assert "pair" not in actions(page)
    assert next(one for one in page.all("div") if one.attributes.get("data-live") == "1")


def test_a_pairing_that_takes_long_can_be_cancelled(organiser: Organiser) -> None:
    organiser.make(StageInput("fixed_schedule", {"rounds": 1}))
    organiser.send(action="pair")
    page = organiser.send(action="cancel", version="")
    assert "nothing was stored" in notes(page)
    assert "pair" in actions(page)


def test_of_a_plan_that_is_being_made_is_taken_what_is_there(organiser: Organiser) -> None:
    """Seventeen at tables of five and four for six rounds: told to stop before it begins, it searches no further."""
    cup = organiser.make(StageInput("fixed_schedule", {"rounds": 6}), table_size=5, start=False)
    guests = [EntryInput(guest=f"Guest {number}") for number in range(13)]
    tournament_entries.enter(access=organiser.access, tournament_id=cup.pk, entries=guests, now=NOW)
    organiser.send(action="start")
    assert "stop" in actions(organiser.send(action="pair"))
    page = organiser.send(action="stop", version="")
    assert "the best plan found so far" in notes(page)
    job = organiser.cup.pairing_job
    assert job is not None
    tournament_jobs.pair_job(job.pk)
    assert "not reproducible" in organiser.page(f"{CUP}rounds/1/").text
    assert "not reproducible" in organiser.page("/herzclub/tournaments/cup/rounds/1/").text


def test_what_has_nothing_before_its_end_can_be_cancelled_alone(
    organiser: Organiser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournament_rounds, "LARGEST_AT_ONCE", 3)
    organiser.make()
    page = organiser.send(action="pair")
    assert "cancel" in actions(page)
    assert "stop" not in actions(page)


def test_all_rounds_of_a_plan_are_published_at_once(organiser: Organiser) -> None:
    """Four meet in three rounds."""
    organiser.make(StageInput("round_robin"))
    organiser.send(action="pair")
    page = organiser.page()
    assert page.one("button", value="publish-all").text == "Publish all 3 tournament rounds"
    page = organiser.send(action="publish-all")
    assert "All tournament rounds are published" in notes(page)
    assert set(organiser.cup.rounds.values_list("status", flat=True)) == {RoundStatus.PUBLISHED}
    assert Session.objects.count() == 6
    assert "publish-all" not in actions(page)


def test_many_tables_are_published_by_a_job(organiser: Organiser, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four meet at six tables."""
    monkeypatch.setattr(tournament_rounds, "LARGEST_PUBLISHED", 5)
    organiser.make(StageInput("round_robin"))
    organiser.send(action="pair")
    page = organiser.send(action="publish-all")
    assert "being published" in notes(page)
    assert page.one("progress").attributes["value"] == "0"
    assert {"cancel"} == set(actions(page)) & {"cancel", "stop", "publish-all", "pair"}
    assert page.one("button", value="cancel").text == "Cancel the publishing"
    page = organiser.send(action="cancel")
    assert "nothing was published" in notes(page)
    assert "The publishing was cancelled" in page.text
    organiser.send(action="publish-all")
    job = organiser.cup.pairing_job
    assert job is not None
    tournament_jobs.pair_job(job.pk)
    assert "publish-all" not in actions(organiser.page())
    assert set(organiser.cup.rounds.values_list("status", flat=True)) == {RoundStatus.PUBLISHED}


def main_actions(page: Page) -> list[str]:
    """What the overview offers first: the buttons and links in the section that are not second or folded."""
    section = page.one("section", id="next")
    return [
        one.text
        for one in page.elements
        if section in one.around
        and (one.tag == "button" or "button" in one.attributes.get("class", "").split())
        and not {"second", "danger", "buttons"} & set(one.attributes.get("class", "").split())
    ]


def test_of_a_plan_the_results_come_before_the_next_round(organiser: Organiser) -> None:
    organiser.make(StageInput("round_robin"))
    organiser.send(action="pair")
    assert main_actions(organiser.page()) == ["Look at tournament round 1 and publish it"]
    organiser.send(f"{CUP}rounds/1/", action="publish")
    assert main_actions(organiser.page()) == ["To tournament round 1"]
    organiser.play(1)
    assert main_actions(organiser.page()) == ["Look at tournament round 2 and publish it"]
    organiser.send(action="publish-all")
    for number in (2, 3):
        organiser.play(number)
    assert main_actions(organiser.page()) == ["Finish the tournament"]


def test_a_bracket_that_waits_says_for_whom(organiser: Organiser) -> None:
    """Four: two semi-finals, and no final before both have a winner. Of six the first two have byes, so that of the
    second round nothing can be played either before the first has a result."""
    organiser.make(StageInput("single_elimination", {}), players=6)
    assert main_actions(organiser.page()) == ["Pair the next tournament round"]
    organiser.pair()
    page = organiser.page()
    assert main_actions(page) == ["To tournament round 1"]
    assert "pair" not in actions(page)
    assert "No match more can be played before these have their results." in page.text
    # Each with the way to its result.
    assert (
        len([one for one in page.all("a", inside=page.one("div", id="waits")) if "Enter the result" in one.text]) == 2
    )
    # One of them is played: whoever waited for its winner can play already, and the other is waited for.
    session = Session.objects.order_by("pk").first()
    assert session is not None
    names = sorted(session.seats.values_list("player__name", flat=True))
    data = by_places("xxl-6-plus", {name: place for place, name in enumerate(names, 1)})
    results.record_round(access=organiser.access, session_id=session.pk, data=data, confirm=ANYTHING, now=NOW)
    page = organiser.page()
    assert main_actions(page) == ["To tournament round 1"]
    assert page.one("button", value="pair").text == "Pair the matches that can be played already"


def test_an_announcement_is_made(organiser: Organiser) -> None:
    organiser.make()
    organiser.send(action="announce", announcement="Round 2 at eight")
    assert organiser.cup.announcement == "Round 2 at eight"
    assert "Ensure this value has at most 300" in organiser.send(action="announce", announcement="x" * 301).text


# --- Who plays --------------------------------------------------------------------------------------------------------


def test_many_are_entered_at_once_and_guests_with_their_clubs(organiser: Organiser, people: People) -> None:
    organiser.make(players=0, start=False)
    page = organiser.page(f"{CUP}entries/add/")
    assert len(list(page.all("input", name="player"))) == 6
    picked = [people.players[0].pk, people.players[1].pk]
    page = organiser.send(f"{CUP}entries/add/", player=picked, guests="Vera Gast; Pikclub\n\nWim\n", checked_in="on")
    assert "4 players have entered" in notes(page)
    entered = organiser.cup.entries.order_by("player__name").values_list("player__name", "home_club", "status")
    assert list(entered) == [
        ("Ann", "", "checked_in"),
        ("Ben", "", "checked_in"),
        ("Vera Gast", "Pikclub", "checked_in"),
        ("Wim", "", "checked_in"),
    ]
    assert Player.objects.get(name="Wim").is_guest
    assert len(list(organiser.page(f"{CUP}entries/add/?q=cem").all("input", name="player"))) == 1


def test_a_guest_who_can_not_be_is_said_at_the_lines(organiser: Organiser, people: People) -> None:
    organiser.make(players=0, start=False)
    page = organiser.send(f"{CUP}entries/add/", player=[people.players[2].pk], guests="A" * 61)
    assert page.one("textarea", name="guests").attributes["aria-invalid"] == "true"
    assert "checked" in page.one("input", name="player", value=str(people.players[2].pk)).attributes
    assert not organiser.cup.entries.exists()


def test_one_tap_at_the_door_says_who_is_here(organiser: Organiser) -> None:
    organiser.make(start=False)
    ann = organiser.entry("Ann")
    answer = organiser.client.post(f"{CUP}entries/check-in/?status=entered", {"here": ann})
    assert answer["Location"] == f"{CUP}entries/check-in/?status=entered#entry-{ann}"
    page = organiser.page(f"{CUP}entries/check-in/")
    assert page.one("button", name="not_here", value=str(ann)).attributes["aria-pressed"] == "true"
    assert page.one("p", id="counted").text == "1 is here, 3 not yet"
    assert not list(organiser.page(f"{CUP}entries/check-in/?status=entered").all("button", value=str(ann)))
    organiser.client.post(f"{CUP}entries/check-in/", {"not_here": ann})
    assert organiser.cup.entries.get(pk=ann).status == EntryStatus.ENTERED


def test_at_a_club_evening_the_tables_are_drawn_of_who_is_here(organiser: Organiser) -> None:
    """Three of the four are here: one table of three."""
    organiser.make(StageInput("club_evening"), session_format="pure_xxl", game="", table_size=4)
    path = f"{CUP}entries/check-in/"
    overview = organiser.page()
    steps = overview.all("a", inside=overview.one("section", id="next"))
    assert path in [link.attributes["href"] for link in steps]
    for name in ("Ann", "Ben", "Dora"):
        organiser.client.post(path, {"here": organiser.entry(name)})
    assert "pair" in actions(organiser.page(path))
    organiser.send(action="pair")
    assert organiser.seated(1) == {frozenset({"Ann", "Ben", "Dora"})}


def test_seeds_by_hand_by_rating_and_by_lot(organiser: Organiser) -> None:
    organiser.make(start=False)
    path = f"{CUP}entries/seeds/"

    def seeds() -> dict[str, int | None]:
        return dict(organiser.cup.entries.values_list("player__name", "seed"))

    given = {f"seed_{organiser.entry(name)}": seed for name, seed in seeds().items()}
    # Dora from the last place to the first: the others close up. Ben has none any more.
    moved = {**given, f"seed_{organiser.entry('Dora')}": 1, f"seed_{organiser.entry('Ben')}": ""}
    organiser.send(path, action="hand", **moved)
    assert seeds() == {"Dora": 1, "Ann": 2, "Cem": 3, "Ben": None}
    organiser.send(path, action="rating", family="")
    assert sorted(one or 0 for one in seeds().values()) == [1, 2, 3, 4]
    organiser.send(path, action="lot")
    drawn = seeds()
    organiser.send(path, action="lot")
    assert seeds() == drawn


def test_what_becomes_of_an_entry(organiser: Organiser) -> None:
    organiser.make()
    path = f"{CUP}entries/{organiser.entry('Dora')}/"

    def dora() -> Any:
        return organiser.cup.entries.get(player__name="Dora")

    organiser.send(path, action="change", home_club="Pikclub", fixed_table="2", first_round="1")
    assert (dora().home_club, dora().fixed_table) == ("Pikclub", 2)
    wrong = organiser.send(path, action="change", home_club="", fixed_table="0", first_round="1")
    assert wrong.one("input", name="fixed_table").attributes["aria-invalid"] == "true"
    organiser.send(path, action="sit-out", from_round="1", until_round="1")
    assert list(dora().absences.values_list("from_round", "until_round")) == [(1, 1)]
    assert "tournament rounds 1 to 1" in organiser.page(path).text
    organiser.send(path, action="withdraw")
    assert dora().status == EntryStatus.WITHDRAWN
    organiser.send(path, action="return")
    assert dora().status == EntryStatus.CHECKED_IN
    organiser.send(path, action="no-show")
    assert dora().status == EntryStatus.NO_SHOW
    organiser.send(path, action="remove")
    assert organiser.cup.entries.count() == 3


def test_wishes_for_pairs(organiser: Organiser) -> None:
    organiser.make(start=False)
    path = f"{CUP}entries/wishes/"
    assert "Nobody of this name" in organiser.send(path, first="Ann", second="Zoe", kind="apart").text
    page = organiser.send(path, first="ann", second="Ben", kind="apart")
    assert "Ann, Ben: never at one table" in page.one("ul", id="wishes").text
    organiser.send(path, action="remove", wish=PairWish.objects.get().pk)
    assert not PairWish.objects.exists()


# --- By invitation ----------------------------------------------------------------------------------------------------


def test_a_stranger_enters_by_the_link(organiser: Organiser, people: People, as_user: AsUser) -> None:
    organiser.make(start=False)
    page = organiser.send(f"{CUP}entries/invitation/", action="open")
    link = page.one("code", id="link").text
    path = link.partition("//")[2].partition("/")[1] + link.partition("//")[2].partition("/")[2]
    assert f"/enter/{organiser.cup.entry_key}/" in path
    assert page.one("figure", role="img")

    stranger = as_user(people.stranger)
    # Who has no login reads who invites to what, and which ways there are.
    unknown = Client().get(path)
    assert (unknown["X-Robots-Tag"], unknown["Cache-Control"]) == ("noindex", "no-store")
    read = Page(unknown.content.decode())
    assert read.one("h1").text == "Cup"
    assert "Herzclub invites you to play in this tournament as a guest." in read.text
    assert {"With a login", "Without a login"} <= {one.text for one in read.all("h2")}
    (login,) = [one for one in read.all("a") if one.text == "Log in and enter"]
    assert login.attributes["href"] == f"/login/?next={quote(path, safe='')}"
    assert read.one("a", href="/herzclub/tournaments/cup/").text == "Look at the tournament"
    assert Client().get(f"{ROOT}cup/enter/{'x' * len(organiser.cup.entry_key)}/").status_code == 404
    # Who was logged out meanwhile is back there.
    assert "Log in and enter" in Client().post(path, {"name": "Vera"}).content.decode()
    assert not organiser.cup.entries.filter(player__name="Vera").exists()
    opened = stranger.get(path)
    # With "no-referrer" browsers send a form from an origin "null", which the form token's check refuses.
    assert opened["Referrer-Policy"] == "same-origin"
    assert (opened["X-Robots-Tag"], opened["Cache-Control"]) == ("noindex", "no-store")
    form = Page(opened.content.decode())
    assert form.one("input", name="home_club").attributes["value"] == "Pikclub"
    # Whether the club has a player of a name is not told: one who plays there, one who is put away, one who is hidden.
    Player.objects.filter(pk=people.players[4].pk).update(archived_at=NOW)
    Player.objects.filter(pk=people.players[5].pk).update(nickname="Ghost")
    refusals = []
    for name in ("Ann", "Eva", "Finn"):
        taken = Page(stranger.post(path, {"name": name}).content.decode())
        assert taken.one("input", name="name").attributes["aria-invalid"] == "true"
        refusals.append(" ".join(one.text for one in taken.all("ul") if one.attributes.get("class") == "errorlist"))
        assert "has a player" not in taken.text
    assert len(set(refusals)) == 1 and "add something to it" in refusals[0]
    done = Page(stranger.post(path, {"name": "Vera", "home_club": "Pikclub"}, follow=True).content.decode())
    assert "You have entered as Vera" in done.text
    stranger.post(path, {"name": "Vera the second"})
    entry = organiser.cup.entries.get(user=people.stranger)
    assert (entry.player.name, entry.home_club) == ("Vera", "Pikclub")

    organiser.send(f"{CUP}entries/invitation/", action="close")
    assert stranger.get(path).status_code == 404
    assert stranger.post(path, {"name": "Vera"}).status_code == 404


def test_a_guest_of_a_name_that_is_taken_has_the_own_club_behind_it(
    organiser: Organiser, people: People, as_user: AsUser
) -> None:
    organiser.make(start=False)
    page = organiser.send(f"{CUP}entries/invitation/", action="open")
    path = "/" + page.one("code", id="link").text.partition("//")[2].partition("/")[2]
    done = Page(
        as_user(people.stranger).post(path, {"name": "Ann", "home_club": "Pikclub"}, follow=True).content.decode()
    )
    assert "You have entered as Ann (Pikclub)" in done.text
    entry = organiser.cup.entries.get(user=people.stranger)
    assert (entry.player.name, entry.player.is_guest, entry.home_club) == ("Ann (Pikclub)", True, "Pikclub")


def test_an_invitation_says_when_nobody_can_enter_any_more(
    organiser: Organiser, people: People, as_user: AsUser
) -> None:
    organiser.make(StageInput("round_robin"))
    tournaments.invite(access=organiser.access, tournament_id=organiser.cup.pk, is_open=True, now=NOW)
    path = f"{ROOT}cup/enter/{organiser.cup.entry_key}/"
    for client in (Client(), as_user(people.stranger)):
        page = Page(client.get(path).content.decode())
        assert "The meetings of this stage are planned: nobody can enter any more." in page.text
        assert not list(page.all("input", name="name"))
    organiser.send(action="finish")
    assert "This tournament is over." in Page(Client().get(path).content.decode()).text


def test_a_member_enters_as_the_own_player(organiser: Organiser, people: People, as_user: AsUser) -> None:
    organiser.make(players=2, start=False)
    tournaments.invite(access=organiser.access, tournament_id=organiser.cup.pk, is_open=True, now=NOW)
    own = people.players[3]
    own.member = Member.objects.get(club=people.club, user=people.member)
    own.save()
    path = f"{ROOT}cup/enter/{organiser.cup.entry_key}/"
    as_user(people.member).post(path, {"name": "Somebody", "home_club": ""})
    assert organiser.cup.entries.get(user=people.member).player == own
    assert not Player.objects.filter(name="Somebody").exists()


# --- Tournament rounds ------------------------------------------------------------------------------------------------


def test_a_swap_shows_what_it_breaks_and_asks(organiser: Organiser) -> None:
    """Round 1: Ann-Cem, Ben-Dora. Round 2: Ann-Ben, Cem-Dora; with Ben and Cem exchanged it is round 1 again."""
    organiser.make()
    organiser.pair()
    organiser.play(1)
    organiser.pair()
    path = f"{CUP}rounds/2/"
    page = organiser.send(path, action="swap", first="Ben", second="Cem")
    assert "have met in tournament round 1" in page.text
    assert page.one("input", name="confirm").attributes["value"] == "repeat_meeting"
    assert organiser.seated(2) == {frozenset({"Ann", "Ben"}), frozenset({"Cem", "Dora"})}
    organiser.send(path, action="swap", first="Ben", second="Cem", asked="repeat_meeting", confirm="repeat_meeting")
    assert organiser.seated(2) == {frozenset({"Ann", "Cem"}), frozenset({"Ben", "Dora"})}
    assert "Nobody of this name" in organiser.send(path, action="swap", first="Eva", second="Cem").text


def test_unpublish_and_the_clock(organiser: Organiser) -> None:
    organiser.make(round_minutes=50)
    organiser.pair()
    path = f"{CUP}rounds/1/"
    page = organiser.send(path, action="clock-start")
    assert organiser.cup.rounds.get().started_at is not None
    # 20:15 UTC is 21:15 in Berlin.
    assert "9:15" in page.one("p", id="clock").text or "21:15" in page.one("p", id="clock").text
    organiser.send(path, action="clock-stop")
    assert organiser.cup.rounds.get().started_at is None
    organiser.send(path, action="unpublish")
    assert organiser.cup.rounds.get().status == RoundStatus.DRAFT
    assert not Session.objects.exists()


def test_a_table_is_decided_by_forfeit_and_opened_again(organiser: Organiser) -> None:
    organiser.make()
    organiser.pair()
    path = f"{CUP}rounds/1/tables/1/"
    winner = organiser.cup.rounds.get().tables.get(number=1).seats.get(number=1).entry
    organiser.send(path, action="forfeit", winner=winner.pk)
    table = organiser.cup.rounds.get().tables.get(number=1)
    assert (table.kind, table.seats.get(number=0).entry) == ("forfeit", winner)
    organiser.send(path, action="take-back")
    table.refresh_from_db()
    assert (table.kind, table.decided) == ("played", False)
    session = Session.objects.get(table=table)
    corrections.void(access=organiser.access, session_id=session.pk, reason="Wrong table.", now=NOW)
    assert "open" in actions(organiser.page(path))
    organiser.send(path, action="open")
    assert Session.objects.filter(table=table, voided_at=None).count() == 1
    assert organiser.client.get(f"{CUP}rounds/1/tables/9/").status_code == 404
    assert organiser.client.get(f"{CUP}rounds/9/").status_code == 404


def test_the_preview_of_a_correction_names_the_rounds_that_were_paired_on_it(organiser: Organiser) -> None:
    """Round 1: Ann beat Cem, and round 2 was paired on that; nothing of it is played."""
    organiser.make()
    organiser.pair()
    organiser.play(1)
    organiser.pair()
    session = Session.objects.get(table__round__number=1, seats__player__name="Ann")
    path = f"/herzclub/sessions/{session.pk}/rounds/1/correct/"
    players = Player.objects.filter(seats__session=session)
    places = {f"score_{one.pk}": 2 if one.name == "Ann" else 1 for one in players}
    given = {"game": "xxl-6-plus", "kind": "place", "reason": "", "revision": session.revision, "preview": "1"}
    shown = Page(organiser.client.post(path, {**given, **places}).content.decode())
    told = shown.one("section", id="tournament-rounds").text
    assert "Tournament round 2: paired on results that are others now." in told
    assert "Not played yet: tables 1, 2." in told
    same = {name: 3 - place for name, place in places.items()}
    shown = Page(organiser.client.post(path, {**given, **same}).content.decode())
    assert "Nothing moves" in shown.text


def test_finishing_before_the_last_round_is_asked_a_second_time(organiser: Organiser) -> None:
    organiser.make()
    organiser.pair()
    organiser.play(1)
    (asked,) = [one for one in organiser.page().all("details") if one.attributes.get("class") == "asks"]
    assert "Finish the tournament" in asked.text


def test_a_bracket_that_is_over_is_finished_and_not_paired_on(organiser: Organiser) -> None:
    organiser.make(StageInput("single_elimination", {}), players=4)
    for number in (1, 2):
        assert "pair" in actions(organiser.page())
        organiser.pair()
        organiser.play(number)
    page = organiser.page()
    assert "pair" not in actions(page)
    assert "The bracket is played to its end." in page.text
    over = organiser.send(action="finish")
    for shown in (over, organiser.page("/herzclub/tournaments/cup/")):
        assert "finished" in shown.text
        assert "running" not in shown.text


def overtake(organiser: Organiser) -> None:
    """Round 1: Ann beat Cem, Ben beat Dora; so round 2 is Ann-Ben, Cem-Dora. Then Cem won: winners Ben and Cem."""
    organiser.make()
    organiser.pair()
    organiser.play(1)
    organiser.pair()
    session = Session.objects.get(table__round__number=1, seats__player__name="Ann")
    corrections.correct_round(
        access=organiser.access,
        session_id=session.pk,
        number=1,
        data=by_places("xxl-6-plus", {"Ann": 2, "Cem": 1}),
        reason="The other way round.",
        expected=None,
        confirm=ANYTHING,
        now=NOW,
    )


def test_an_overtaken_round_is_shown_with_what_would_change(organiser: Organiser) -> None:
    overtake(organiser)
    path = f"{CUP}rounds/2/"
    assert "paired on results that are others now" in organiser.page().text
    page = organiser.page(f"{path}?mend=1")
    shown = page.rows(page.one("table", id="foreseen"))[1:]
    before, after = ({frozenset(row[column].split(", ")) for row in shown} for column in (1, 2))
    assert before == organiser.seated(2) == {frozenset({"Ann", "Ben"}), frozenset({"Cem", "Dora"})}
    assert after == {frozenset({"Ben", "Cem"}), frozenset({"Ann", "Dora"})}
    organiser.send(path, action="mend")
    assert organiser.seated(2) == after
    assert "What would change" not in organiser.page(path).text


def test_a_large_overtaken_round_is_shown_by_a_job_before_it_is_mended(
    organiser: Organiser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if four were many."""
    overtake(organiser)
    monkeypatch.setattr(tournament_rounds, "LARGEST_AT_ONCE", 3)
    path = f"{CUP}rounds/2/"
    assert "mend" not in actions(organiser.page(path))
    page = organiser.send(path, action="foresee")
    assert page.one("progress").attributes["value"] == "0"
    assert next(one for one in page.all("div") if one.attributes.get("data-live") == "1")
    assert "nothing was stored" in notes(organiser.send(path, action="cancel"))
    organiser.send(path, action="foresee")

    def work() -> None:
        job = Tournament.objects.get(pk=organiser.cup.pk).pairing_job
        assert job is not None
        tournament_jobs.pair_job(job.pk)

    work()
    page = organiser.page(path)
    shown = page.rows(page.one("table", id="foreseen"))[1:]
    after = {frozenset(row[2].split(", ")) for row in shown}
    assert after == {frozenset({"Ben", "Cem"}), frozenset({"Ann", "Dora"})}
    assert organiser.seated(2) == {frozenset({"Ann", "Ben"}), frozenset({"Cem", "Dora"})}
    assert organiser.send(path, action="mend").one("progress")
    work()
    assert organiser.seated(2) == after
    assert "What would change" not in organiser.page(path).text


def test_an_overtaken_round_is_left_as_it_is(organiser: Organiser) -> None:
    organiser.make()
    organiser.pair()
    organiser.play(1)
    organiser.pair()
    session = Session.objects.get(table__round__number=1, seats__player__name="Ann")
    corrections.void(access=organiser.access, session_id=session.pk, reason="Not played.", now=NOW)
    path = f"{CUP}rounds/2/"
    assert "keep" in actions(organiser.page(path))
    organiser.send(path, action="keep")
    assert "keep" not in actions(organiser.page(path))


# --- Whatever is sent -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["", "rounds/1/", "rounds/1/tables/1/", "entries/seeds/"])
def test_a_button_that_there_is_not_does_nothing(organiser: Organiser, path: str) -> None:
    organiser.make()
    organiser.pair()
    before = organiser.cup.version
    for action in ("", "nothing"):
        assert "Choose what to do" in notes(organiser.send(CUP + path, action=action, version="x" * 30))
    assert organiser.cup.version == before


def test_the_pages_of_a_tournament_take_as_many_queries_for_many(organiser: Organiser) -> None:
    names = [f"P{number:03}" for number in range(60)]
    Player.objects.bulk_create(Player(club=organiser.people.club, name=name, name_key=name_key(name)) for name in names)
    organiser.make()
    organiser.pair()
    paths = ["", "rounds/1/", "entries/", "entries/check-in/", "entries/seeds/", "entries/wishes/", "entries/add/"]

    def counted() -> list[int]:
        found = []
        for path in paths:
            organiser.client.get(CUP + path)
            with CaptureQueriesContext(
                connection,
            ) as queries:
                organiser.client.get(CUP + path)
            found.append(len(queries))
        return found

    few = counted()
    tournament_rounds.undo(access=organiser.access, tournament_id=organiser.cup.pk, now=NOW)
    late = [EntryInput(player=name) for name in names[:50]]
    tournament_entries.enter(access=organiser.access, tournament_id=organiser.cup.pk, entries=late, now=NOW)
    organiser.pair()
    assert counted() == few


def test_the_entry_of_a_table_offers_the_game_of_the_tournament_and_the_way_back(organiser: Organiser) -> None:
    organiser.make()
    organiser.pair()
    session = Session.objects.filter(table__number=1).get()
    page = organiser.page(f"/herzclub/sessions/{session.pk}/enter/")
    assert page.one("h1").text == "Cup Tournament round 1, table 1"
    assert page.one("a", id="tournament").text == "Cup"
    assert page.one("a", id="tournament").attributes["href"] == "/herzclub/tournaments/cup/rounds/1/"
    (choice,) = page.all("option", inside=page.one("select", name="game"))
    assert choice.attributes["value"] == "xxl-6-plus"


def test_the_organiser_finds_the_link_that_others_read_the_tournament_by(organiser: Organiser) -> None:
    organiser.make(visibility="link")
    link = organiser.page().one("code", id="link").text
    path = link.removeprefix("http://testserver")
    assert Client().get(path).status_code == 200
    assert Client().get(path.partition("?")[0]).status_code == 404
    Tournament.objects.update(visibility="public")
    assert not list(organiser.page().all("code", id="link"))


@pytest.mark.parametrize(
    ("numbers", "told"),
    [
        ([], ""),
        ([4], "4"),
        ([1, 2], "1, 2"),
        ([1, 2, 3], "1\N{EN DASH}3"),
        ([1, 3, 4, 5, 6, 8, 9, 12], "1, 3\N{EN DASH}6, 8, 9, 12"),
    ],
)
def test_many_tables_are_told_by_the_ends_of_their_runs(numbers: list[int], told: str) -> None:
    assert runs(numbers) == told
